/*
 * A plan as an argument: its text, JSON, "@FILE", or "-" for standard input.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/json.h"

/* Longer than any plan; stops at what never ends, such as /dev/zero. */
#define LARGEST_PLAN_BYTES ((size_t)64 << 20)

/* Everything that a stream holds, NUL-terminated. An exit status. */
static int read_all(struct cli_plan *out, FILE *stream, const char *name)
{
    size_t capacity = 0;

    for (;;) {
        if (out->n_bytes + 1 >= capacity) {
            capacity = capacity == 0 ? 4096 : 2 * capacity;
            char *text = realloc(out->text, capacity);
            if (text == NULL)
                return cli_no_memory();
            out->text = text;
        }
        size_t n = fread(
            out->text + out->n_bytes, 1, capacity - out->n_bytes - 1, stream);
        out->n_bytes += n;
        if (out->n_bytes > LARGEST_PLAN_BYTES) {
            cli_say(
                "the plan in %s exceeds %zu bytes", name, LARGEST_PLAN_BYTES);
            return CLI_USAGE;
        }
        if (n == 0)
            break;
    }
    out->text[out->n_bytes] = '\0';
    if (ferror(stream) && cli_interrupted())
        return CLI_INTERRUPTED;
    if (ferror(stream)) {
        cli_say("cannot read %s: %s", name, strerror(errno));
        return CLI_SYSTEM;
    }
    return CLI_YES;
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

int cli_plan_read(
    struct cli_plan *out, const struct cli_arguments *args, const char *operand)
{
    dosi_error err;
    dosi_neighbours neighbours;

    int status = cli_text_read(out, operand);
    if (status == CLI_YES)
        status = cli_neighbours_read(&neighbours, args);
    if (status != CLI_YES)
        return status;
    bool is_json = out->text[strspn(out->text, " \t\r\n")] == '{';
    dosi_status read =
        is_json ? dosi_json_read_plan_under(&out->plan, out->text, out->n_bytes,
                      neighbours, &err)
                : dosi_plan_parse(&out->plan, out->text, out->n_bytes, &err);
    if (read != DOSI_OK)
        return cli_fail(args, &err, out->text, out->n_bytes);
    return CLI_YES;
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
