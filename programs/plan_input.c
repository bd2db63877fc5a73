/*
 * A plan as an argument: its text, JSON, a table, "@FILE", or "-" for standard
 * input.
 */
#define _POSIX_C_SOURCE 200809L
#include "plan_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Everything that a stream holds, NUL-terminated. An exit status. */
static int read_all(struct cli_plan *out, FILE *stream, const char *name)
{
    dosi_error err;

    if (plan_stream_read(&out->text, &out->n_bytes, stream, name,
            PLAN_MAX_BYTES, &err) == DOSI_OK)
        return CLI_YES;
    if (err.status == DOSI_EIO && cli_interrupted())
        return CLI_INTERRUPTED;
    cli_say("%s", err.message);
    return cli_exit_of(err.status);
}

int cli_file_read(struct cli_plan *out, const char *path)
{
    *out = (struct cli_plan){0};
    if (strcmp(path, "-") == 0)
        return read_all(out, stdin, "standard input");
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        cli_say("cannot open %s: %s", path, strerror(errno));
        return errno == ENOENT ? CLI_USAGE : CLI_SYSTEM;
    }
    int status = read_all(out, stream, path);
    fclose(stream);
    return status;
}

int cli_text_read(struct cli_plan *out, const char *operand)
{
    if (strcmp(operand, "-") == 0 || operand[0] == '@')
        return cli_file_read(out, operand + (operand[0] == '@'));
    *out = (struct cli_plan){0};
    out->text = strdup(operand);
    if (out->text == NULL)
        return cli_no_memory();
    out->n_bytes = strlen(operand);
    return CLI_YES;
}

/* Whether an operand that starts with "@" is a text that includes a file, and
 * not the name of one: there is none of that name, and it has signs. */
static bool is_including(const char *operand)
{
    struct stat about;

    return operand[0] == '@' && stat(operand + 1, &about) != 0 &&
           strpbrk(operand + 1, " \t\n+*(\"#@") != NULL;
}

/* What its text is called in messages, or NULL for the command line. */
static const char *name_of(const char *operand)
{
    if (strcmp(operand, "-") == 0)
        return "standard input";
    return operand[0] == '@' && !is_including(operand) ? operand + 1 : NULL;
}

int cli_plan_read(
    struct cli_plan *out, const struct cli_arguments *args, const char *operand)
{
    struct plan_failure failure = {0};
    dosi_neighbours neighbours;
    int status = CLI_YES;

    *out = (struct cli_plan){0};
    if (is_including(operand)) {
        out->text = strdup(operand);
        out->n_bytes = strlen(operand);
        status = out->text == NULL ? cli_no_memory() : CLI_YES;
    } else {
        status = cli_text_read(out, operand);
    }
    if (status == CLI_YES)
        status = cli_neighbours_read(&neighbours, args);
    if (status != CLI_YES)
        return status;
    if (plan_text_read(&out->plan, name_of(operand), out->text, out->n_bytes,
            neighbours, &failure) != DOSI_OK)
        status = cli_fail_in(args, &failure.err, failure.name, failure.text,
            failure.n_bytes);
    plan_failure_free(&failure);
    return status;
}

void cli_plan_free(struct cli_plan *plan)
{
    dosi_plan_free(plan->plan);
    free(plan->text);
}

char *cli_plan_text(const dosi_plan *plan, dosi_form form, dosi_error *err)
{
    size_t length;

    if (dosi_plan_print(NULL, 0, &length, plan, form, err) != DOSI_OK)
        return NULL;
    char *text = malloc(length + 1);
    if (text == NULL) {
        *err = (dosi_error){.status = DOSI_ENOMEM,
            .offset = DOSI_NO_OFFSET,
            .message = "out of memory"};
        return NULL;
    }
    if (dosi_plan_print(text, length + 1, &length, plan, form, err) !=
        DOSI_OK) {
        free(text);
        return NULL;
    }
    return text;
}

char *cli_plan_label(const struct cli_plan *plan, const char *operand)
{
    bool is_typed = strchr("-@{", operand[0]) == NULL;
    dosi_error err;

    if (!is_typed)
        return cli_plan_text(plan->plan, DOSI_FORM_TEXT, &err);
    char *label = malloc(plan->n_bytes + 1);
    size_t n = 0;
    for (size_t i = 0; label != NULL && i <= plan->n_bytes; i++) {
        bool is_space = plan->text[i] != '\0' &&
                        strchr(" \t\r\n", plan->text[i]) != NULL;
        if (!is_space)
            label[n++] = plan->text[i];
        else if (n > 0 && label[n - 1] != ' ')
            label[n++] = ' ';
    }
    return label;
}
