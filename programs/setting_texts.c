/* Options as settings, and files of data. */
#define _POSIX_C_SOURCE 200809L
#include "setting_texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHUNK_BYTES ((size_t)1 << 20)

/* ---- Texts ------------------------------------------------------------- */

void setting_texts_free(struct setting_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->texts[i]);
    free(texts->texts);
    *texts = (struct setting_texts){0};
}

int setting_texts_put(
    struct setting_texts *out, const char *name, const char *value)
{
    size_t n = strlen(name), more = value != NULL ? strlen(value) + 1 : 0;
    char **texts = realloc(out->texts, (out->n + 1) * sizeof *texts);
    char *text = malloc(n + more + 1);

    if (texts != NULL)
        out->texts = texts;
    if (texts == NULL || text == NULL) {
        free(text);
        return cli_no_memory();
    }
    memcpy(text, name, n + 1);
    if (value != NULL)
        snprintf(text + n, more + 1, " %s", value);
    out->texts[out->n++] = text;
    return CLI_YES;
}

/* Where the names of cells are, behind the column and its colon: "@FILE", or
 * NULL when they stand there themselves. */
static const char *file_of_names(const char *value)
{
    const char *at = value;

    if (*at == '"') /* a column in quotes, in which "" is one */
        for (at++; *at != '\0' && !(*at == '"' && at[1] != '"'); at++)
            at += *at == '"';
    at = strchr(at, ':');
    return at != NULL && at[1] == '@' ? at + 1 : NULL;
}

/* The lines of a text as a list in quotes behind the first n bytes of value.
 * NULL is no memory. */
static char *list_of_lines(
    const char *value, size_t n, const char *text, size_t n_bytes)
{
    size_t length = n;
    char *list = malloc(n + 4 * n_bytes + 4); /* a line is at least 1 byte */

    if (list == NULL)
        return NULL;
    memcpy(list, value, n);
    while (n_bytes > 0) {
        const char *end = memchr(text, '\n', n_bytes);
        size_t line = end != NULL ? (size_t)(end - text) : n_bytes;
        size_t used = end != NULL ? line + 1 : line;
        if (line > 0 && text[line - 1] == '\r')
            line--;
        if (length > n)
            list[length++] = ',';
        list[length++] = '"';
        for (size_t i = 0; i < line; i++) {
            if (text[i] == '"')
                list[length++] = '"';
            list[length++] = text[i];
        }
        list[length++] = '"';
        text += used;
        n_bytes -= used;
    }
    list[length] = '\0';
    return list;
}

/* The value of --categories with the names of a file in it. */
static int expand_names(char **out, const struct cli_arguments *args,
    const char *value, const char *file)
{
    struct cli_plan names = {0};
    int status = cli_text_read(&names, file);

    *out = NULL;
    if (status == CLI_YES && memchr(names.text, '\0', names.n_bytes) != NULL)
        status = cli_usage(args, "--categories: %s has a zero byte", file);
    if (status == CLI_YES) {
        *out = list_of_lines(
            value, (size_t)(file - value), names.text, names.n_bytes);
        if (*out == NULL)
            status = cli_no_memory();
    }
    cli_plan_free(&names);
    return status;
}

int setting_texts_add(struct setting_texts *out,
    const struct cli_arguments *args, const struct cli_given *given)
{
    const char *value = given->value;
    const char *file = NULL;
    char *expanded = NULL;
    struct cli_plan plan = {0};
    dosi_error err;
    int status = CLI_YES;

    if (given->option == OPTION_CATEGORIES)
        file = file_of_names(value);
    if (file != NULL)
        status = expand_names(&expanded, args, value, file);
    if (given->option == OPTION_GIVEN_PLAN)
        status = cli_plan_read(&plan, args, value);
    if (plan.plan != NULL) {
        expanded = cli_plan_text(plan.plan, DOSI_FORM_TEXT, &err);
        if (expanded == NULL)
            status = cli_fail(args, &err, NULL, 0);
    }
    if (status == CLI_YES)
        status = setting_texts_put(out, cli_options[given->option].name + 2,
            expanded != NULL ? expanded : value);
    free(expanded);
    cli_plan_free(&plan);
    return status;
}

/* ---- Data -------------------------------------------------------------- */

/* What a terminal shows: how much of a file of known size was read. */
static void show_progress(double n_read, double n_all)
{
    if (n_all > 0)
        cli_progress_of("reading, percent",
            (size_t)(100 * n_read / n_all), 100);
    else
        cli_progress_of("reading", 0, 0);
    cli_progress_tick(cli_now_us());
}

static int read_stream(const struct cli_arguments *args, FILE *stream,
    const char *name,
    dosi_status (*take)(
        void *reader, const char *bytes, size_t n, dosi_error *err),
    void *reader)
{
    struct stat about;
    dosi_error err;
    double n_read = 0, n_all = 0;
    int status = CLI_YES;
    char *chunk = malloc(CHUNK_BYTES);

    if (chunk == NULL)
        return cli_no_memory();
    if (fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode))
        n_all = (double)about.st_size;
    size_t n = 1;
    while (status == CLI_YES && n > 0) { /* take hears of the end as well */
        n = fread(chunk, 1, CHUNK_BYTES, stream);
        if (cli_interrupted())
            status = CLI_INTERRUPTED;
        else if (take(reader, chunk, n, &err) != DOSI_OK)
            status = cli_fail(args, &err, NULL, 0);
        n_read += (double)n;
        show_progress(n_read, n_all);
    }
    if (status == CLI_YES && ferror(stream)) {
        cli_say("cannot read %s: %s", name, strerror(errno));
        status = CLI_SYSTEM;
    }
    cli_progress_clear();
    free(chunk);
    return status;
}

int data_file_read(const struct cli_arguments *args, const char *path,
    dosi_status (*take)(
        void *reader, const char *bytes, size_t n, dosi_error *err),
    void *reader)
{
    if (strcmp(path, "-") == 0)
        return read_stream(args, stdin, "standard input", take, reader);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        cli_say("cannot open %s: %s", path, strerror(errno));
        return errno == ENOENT ? CLI_USAGE : CLI_SYSTEM;
    }
    int status = read_stream(args, stream, path, take, reader);
    fclose(stream);
    return status;
}
