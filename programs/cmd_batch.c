/*
 * dosimeter batch: one JSON question per line, one JSON answer per line.
 * Each answer is flushed, so that another program may wait for it. The exit
 * status is the largest one that a line would have had as a command.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/json.h"

static bool is_blank(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(" \t\r\n", line[i]) == NULL || line[i] == '\0')
            return false;
    return true;
}

int cli_batch(const struct cli_arguments *args)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = CLI_YES;
    int worst = CLI_YES; /* of the lines */
    ssize_t n;

    (void)args; /* --json changes nothing */
    errno = 0;
    while (status == CLI_YES && (n = getline(&line, &capacity, stdin)) >= 0) {
        char *answer;
        dosi_error err;
        if (is_blank(line, (size_t)n))
            continue;
        if (dosi_json_answer(&answer, line, (size_t)n, cli_now_us, &err) !=
            DOSI_OK) {
            status = cli_no_memory();
            break;
        }
        if (cli_exit_of(err.status) > worst)
            worst = cli_exit_of(err.status);
        puts(answer);
        dosi_json_free(answer);
        status = cli_flush();
    }
    if (status == CLI_YES && !feof(stdin)) {
        cli_say("cannot read standard input: %s", strerror(errno));
        status = CLI_SYSTEM;
    }
    free(line);
    return status != CLI_YES ? status : worst;
}
