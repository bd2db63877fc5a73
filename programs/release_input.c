#define _POSIX_C_SOURCE 200809L
#include "release_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHUNK_BYTES ((size_t)1 << 20)

/* ---- Texts ------------------------------------------------------------- */

/* "name value", or "name" for a switch; NULL is no memory. */
static char *text_of(const char *name, const char *value)
{
    size_t n = strlen(name), more = value != NULL ? strlen(value) + 1 : 0;
    char *text = malloc(n + more + 1);

    if (text == NULL)
        return NULL;
    memcpy(text, name, n + 1);
    if (value != NULL)
        snprintf(text + n, more + 1, " %s", value);
    return text;
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

static int add_text(char **list, size_t *n, const char *name,
    const char *value)
{
    list[*n] = text_of(name, value);
    if (list[*n] == NULL)
        return cli_no_memory();
    ++*n;
    return CLI_YES;
}

static int add_given(struct release_texts *out,
    const struct cli_arguments *args, const struct cli_given *given)
{
    const char *name = cli_options[given->option].name + 2;
    const char *value = given->value;
    const char *file = NULL;
    char *expanded = NULL;
    struct cli_plan plan = {0};
    int status = CLI_YES;

    if (given->option >= OPTION_COUNT_ROWS &&
        given->option <= OPTION_COUNT_BAD)
        return add_text(out->statistics, &out->n_statistics, name, value);
    if (given->option == OPTION_CATEGORIES)
        file = file_of_names(value);
    if (file != NULL)
        status = expand_names(&expanded, args, value, file);
    if (given->option == OPTION_GIVEN_PLAN)
        status = cli_text_read(&plan, value);
    if (status == CLI_YES)
        status = add_text(out->settings, &out->n_settings, name,
            expanded != NULL    ? expanded
            : plan.text != NULL ? plan.text
                                : value);
    free(expanded);
    cli_plan_free(&plan);
    return status;
}

int release_texts_read(
    struct release_texts *out, const struct cli_arguments *args)
{
    dosi_neighbours neighbours;
    int status = cli_neighbours_read(&neighbours, args);

    *out = (struct release_texts){
        .statistics = calloc(args->n_given + 2, sizeof *out->statistics),
        .settings = calloc(args->n_given + 2, sizeof *out->settings)};
    if (out->statistics == NULL || out->settings == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        enum cli_option_id option = args->given[i].option;
        if (option >= OPTION_COUNT_ROWS && option < OPTION_PLAN_ONLY)
            status = add_given(out, args, &args->given[i]);
    }
    if (status == CLI_YES && neighbours != DOSI_NATURAL)
        status = add_text(out->settings, &out->n_settings, "neighbours",
            cli_neighbours_name(neighbours));
    return status;
}

void release_texts_free(struct release_texts *texts)
{
    for (size_t i = 0; i < texts->n_statistics; i++)
        free(texts->statistics[i]);
    for (size_t i = 0; i < texts->n_settings; i++)
        free(texts->settings[i]);
    free(texts->statistics);
    free(texts->settings);
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

static int read_stream(const struct cli_arguments *args,
    dosi_table_query *query, FILE *stream, const char *name)
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
    while (status == CLI_YES && n > 0) {
        n = fread(chunk, 1, CHUNK_BYTES, stream);
        if (cli_interrupted())
            status = CLI_INTERRUPTED;
        else if (dosi_table_query_read_csv(query, chunk, n, &err) != DOSI_OK)
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

int release_data_read(const struct cli_arguments *args,
    dosi_table_query *query, const char *path)
{
    if (strcmp(path, "-") == 0)
        return read_stream(args, query, stdin, "standard input");
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        cli_say("cannot open %s: %s", path, strerror(errno));
        return errno == ENOENT ? CLI_USAGE : CLI_SYSTEM;
    }
    int status = read_stream(args, query, stream, path);
    fclose(stream);
    return status;
}
