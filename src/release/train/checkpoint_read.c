/* A checkpoint line by line, its numbers by strtod in the C locale. */
#include "checkpoint_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/error.h"
#include "train_run.h"

#define LONGEST_LINE ((size_t)1 << 21)

static dosi_status no_checkpoint(dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL, "the checkpoint is damaged");
}

static dosi_status differs(const char *what, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "the checkpoint is of another %s; only learning-rate and schedule "
        "may change", what);
}

/* The next line without its LF in a buffer that grows; NULL: there is none,
 * it is too long, or memory ran out. */
struct lines {
    FILE *stream;
    char *text;
    size_t capacity;
};

static char *next_line(struct lines *lines)
{
    size_t n = 0;
    int c;

    while ((c = getc(lines->stream)) != EOF && c != '\n') {
        if (n + 1 >= lines->capacity) {
            size_t more = 2 * lines->capacity + 256;
            char *text = more > LONGEST_LINE ? NULL
                                             : realloc(lines->text, more);
            if (text == NULL)
                return NULL;
            lines->text = text;
            lines->capacity = more;
        }
        lines->text[n++] = (char)c;
    }
    if (c == EOF || n == 0)
        return NULL;
    lines->text[n] = '\0';
    return lines->text;
}

/* What stands behind a name on the next line; NULL for another line. */
static const char *next_value(struct lines *lines, const char *name)
{
    const char *line = next_line(lines);
    size_t n = strlen(name);

    if (line == NULL || strncmp(line, name, n) != 0 || line[n] != ' ')
        return NULL;
    return line + n + 1;
}

/* A whole number below 2^53 on the next line. */
static bool next_whole(double *out, struct lines *lines, const char *name)
{
    const char *text = next_value(lines, name);
    size_t n = text == NULL ? 0 : strlen(text);

    *out = 0;
    if (n == 0 || n > 20 || strspn(text, "0123456789") != n)
        return false;
    *out = (double)strtoull(text, NULL, 10);
    return *out < 0x1p53;
}

/* n numbers behind a line that says how many. */
static bool next_numbers(
    double *out, size_t n, struct lines *lines, const char *name)
{
    double n_there;
    size_t n_read = 0;

    if (!next_whole(&n_there, lines, name) || n_there != (double)n)
        return false;
    while (n_read < n) {
        char *at = next_line(lines);
        if (at == NULL)
            return false;
        while (*at != '\0') {
            char *end;
            if (n_read == n)
                return false;
            out[n_read++] = strtod(at, &end);
            if (end == at || (*end != ' ' && *end != '\0'))
                return false;
            at = *end == ' ' ? end + 1 : end;
        }
    }
    return true;
}

static dosi_status read_settings(struct lines *lines,
    const struct name_list *settings, const char *plan, dosi_error *err)
{
    const char *text = next_value(lines, "plan");

    if (text == NULL)
        return no_checkpoint(err);
    if (strcmp(text, plan) != 0)
        return differs("plan", err);
    for (size_t i = 0; i < settings->n; i++) {
        text = next_value(lines, "setting");
        if (text == NULL || strcmp(text, settings->names[i]) != 0)
            return differs("run", err);
    }
    return DOSI_OK;
}

static dosi_status read_lines(double *run, struct train_state *state,
    struct lines *lines, const struct name_list *settings, const char *plan,
    dosi_error *err)
{
    size_t n = state->n_parameters;
    const char *line = next_line(lines);

    if (line == NULL ||
        strncmp(line, CHECKPOINT_FIRST_LINE,
            strlen(CHECKPOINT_FIRST_LINE) - 1) != 0 ||
        strlen(line) != strlen(CHECKPOINT_FIRST_LINE) - 1 ||
        !next_whole(&state->used, lines, "used") ||
        !next_whole(run, lines, "run") ||
        !next_whole(&state->n_updates, lines, "updates") ||
        state->n_updates > state->used)
        return no_checkpoint(err);
    dosi_status status = read_settings(lines, settings, plan, err);
    if (status != DOSI_OK)
        return status;
    if (!next_numbers(state->parameters, n, lines, "parameters") ||
        !next_numbers(state->first, n, lines, "first") ||
        !next_numbers(state->second, n, lines, "second"))
        return no_checkpoint(err);
    line = next_line(lines);
    return line != NULL && strcmp(line, "end") == 0 ? DOSI_OK
                                                    : no_checkpoint(err);
}

dosi_status checkpoint_read(double *run, struct train_state *state,
    FILE *stream, const struct name_list *settings, const char *plan,
    dosi_error *err)
{
    struct lines lines = {.stream = stream};
    c_locale before = dosi_c_locale_enter();
    dosi_status status =
        read_lines(run, state, &lines, settings, plan, err);

    dosi_c_locale_leave(before);
    free(lines.text);
    if (status == DOSI_EINVAL && ferror(stream))
        return dosi_fail(err, DOSI_EIO, "cannot read the checkpoint");
    return status;
}
