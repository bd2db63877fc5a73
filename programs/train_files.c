/* Settings and files of train and predict. */
#define _POSIX_C_SOURCE 200809L
#include "train_files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHUNK_BYTES ((size_t)1 << 16)

/* ---- Settings --------------------------------------------------------------
 */

void train_texts_free(struct train_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->texts[i]);
    free(texts->texts);
    *texts = (struct train_texts){0};
}

/* Options of the command line that the library knows nothing of. */
static bool is_setting(enum cli_option_id option)
{
    return option != OPTION_OUTPUT && option != OPTION_TRAIN_TEST &&
           option != OPTION_TRAIN_PLAN_ONLY && option != OPTION_JSON &&
           option != OPTION_CSV && option != OPTION_PROBA &&
           option != OPTION_TIME_LIMIT && option != OPTION_MAX_MEMORY;
}

static bool is_of_file(enum cli_option_id option)
{
    return option == OPTION_TRAIN_DELIMITER || option == OPTION_TRAIN_DECIMAL ||
           option == OPTION_TRAIN_NO_HEADER || option == OPTION_TRAIN_COLUMNS;
}

/* Takes the text over. */
static int add_text(struct train_texts *out, char *text)
{
    char **texts = NULL;

    if (text != NULL)
        texts = realloc(out->texts, (out->n + 1) * sizeof *texts);
    if (texts == NULL) {
        free(text);
        return cli_no_memory();
    }
    out->texts = texts;
    out->texts[out->n++] = text;
    return CLI_YES;
}

static int add_option(
    struct train_texts *out, const char *name, const char *value)
{
    size_t n = strlen(name), m = value == NULL ? 0 : strlen(value);
    char *text = malloc(n + m + 2);

    if (text != NULL)
        snprintf(text, n + m + 2, "%s%s%s", name, value == NULL ? "" : " ",
            value == NULL ? "" : value);
    return add_text(out, text);
}

/* Where the list of --categories starts: behind the first colon outside of
 * quotes; NULL without one. */
static const char *list_of(const char *value)
{
    bool quoted = false;

    for (; *value != '\0'; value++) {
        quoted = quoted != (*value == '"');
        if (*value == ':' && !quoted)
            return value + 1;
    }
    return NULL;
}

/* The lines of a file as quoted names, behind the column. */
static int add_listed(struct train_texts *out, const char *name,
    const char *value, const char *list)
{
    struct cli_plan file; /* a text that was read */
    int status = cli_text_read(&file, list);

    if (status != CLI_YES) {
        free(file.text);
        return status;
    }
    size_t head = (size_t)(list - value);
    size_t size = strlen(name) + 1 + head + 4 * file.n_bytes + 8;
    char *text = malloc(size);
    if (text == NULL) {
        free(file.text);
        return cli_no_memory();
    }
    size_t n = (size_t)snprintf(text, size, "%s %.*s", name, (int)head, value);
    for (char *at = file.text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        size_t shown = length > 0 && at[length - 1] == '\r' ? length - 1
                                                            : length;
        if (shown > 0) {
            text[n++] = '"';
            for (size_t i = 0; i < shown; i++) {
                text[n++] = at[i];
                if (at[i] == '"')
                    text[n++] = '"';
            }
            text[n++] = '"';
            text[n++] = ',';
        }
        at += length + (at[length] == '\n');
    }
    text[n > 0 && text[n - 1] == ',' ? n - 1 : n] = '\0';
    free(file.text);
    return add_text(out, text);
}

int train_texts_read(struct train_texts *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct train_texts){0};
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        const struct cli_given *given = &args->given[i];
        const char *name = cli_options[given->option].name + 2;
        const char *list = given->option == OPTION_TRAIN_CATEGORIES
                               ? list_of(given->value)
                               : NULL;
        if (!is_setting(given->option))
            continue;
        if (list != NULL && *list == '@')
            status = add_listed(out, name, given->value, list);
        else
            status = add_option(out, name, given->value);
    }
    return status;
}

int train_file_texts(struct train_texts *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct train_texts){0};
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++)
        if (is_of_file(args->given[i].option))
            status = add_option(out,
                cli_options[args->given[i].option].name + 2,
                args->given[i].value);
    return status;
}

/* ---- Files -----------------------------------------------------------------
 */

bool train_is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

int train_file_read(const struct cli_arguments *args, const char *path,
    dosi_status (*take)(
        void *reader, const char *bytes, size_t n, dosi_error *err),
    void *reader)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    char *chunk = malloc(CHUNK_BYTES);
    int status = CLI_YES;
    dosi_error err;

    if (stream == NULL || chunk == NULL) {
        if (stream == NULL)
            cli_say("cannot open %s: %s", path, strerror(errno));
        status = stream != NULL       ? cli_no_memory()
                 : errno == ENOENT ? CLI_USAGE
                                   : CLI_SYSTEM;
        free(chunk);
        if (stream != NULL && !is_stdin)
            fclose(stream);
        return status;
    }
    for (;;) {
        size_t n = fread(chunk, 1, CHUNK_BYTES, stream);
        if (cli_interrupted())
            status = CLI_INTERRUPTED;
        else if (n > 0 && take(reader, chunk, n, &err) != DOSI_OK)
            status = cli_fail(args, &err, NULL, 0);
        if (n == 0 || status != CLI_YES)
            break;
    }
    if (status == CLI_YES && ferror(stream)) {
        cli_say("cannot read %s: %s", path, strerror(errno));
        status = CLI_SYSTEM;
    }
    if (!is_stdin)
        fclose(stream);
    free(chunk);
    return status;
}

/* ---- Rows to predict -------------------------------------------------------
 */

static dosi_status take_rows(
    void *reader, const char *bytes, size_t n, dosi_error *err)
{
    return dosi_model_rows_read_csv(reader, bytes, n, err);
}

int train_rows_read(struct train_rows *out, const struct cli_arguments *args,
    const char *path, const dosi_model *model, bool with_labels)
{
    struct train_texts texts;
    dosi_error err;

    *out = (struct train_rows){.n_outputs = dosi_model_output_count(model)};
    int status = train_file_texts(&texts, args);
    if (status == CLI_YES &&
        dosi_model_rows_new(&out->rows, model, with_labels,
            (const char *const *)texts.texts, texts.n, &err) != DOSI_OK)
        status = cli_fail(args, &err, NULL, 0);
    train_texts_free(&texts);
    if (status == CLI_YES)
        status = train_file_read(args, path, take_rows, out->rows);
    if (status == CLI_YES &&
        dosi_model_rows_end(&out->n_rows, out->rows, &err) != DOSI_OK)
        status = cli_fail(args, &err, NULL, 0);
    if (status != CLI_YES)
        return status;
    out->outputs =
        calloc(out->n_rows * out->n_outputs + 1, sizeof *out->outputs);
    if (with_labels)
        out->labels = calloc(out->n_rows + 1, sizeof *out->labels);
    if (out->outputs == NULL || (with_labels && out->labels == NULL))
        return cli_no_memory();
    return CLI_YES;
}

void train_rows_free(struct train_rows *rows)
{
    dosi_model_rows_free(rows->rows);
    free(rows->outputs);
    free(rows->labels);
    *rows = (struct train_rows){0};
}

int train_rows_predict(
    struct train_rows *rows, const struct cli_arguments *args)
{
    dosi_error err;

    if (dosi_model_rows_predict(
            rows->outputs, rows->labels, rows->rows, &err) != DOSI_OK)
        return cli_fail(args, &err, NULL, 0);
    return CLI_YES;
}

size_t train_likeliest(const double *outputs, size_t n)
{
    size_t best = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(outputs[i]))
            return n;
        best = outputs[i] > outputs[best] ? i : best;
    }
    return best;
}

struct train_score train_rows_score(const struct train_rows *rows)
{
    struct train_score score = {0};
    double squares = 0;

    for (size_t r = 0; r < rows->n_rows; r++) {
        const double *out = rows->outputs + r * rows->n_outputs;
        double label = rows->labels[r];
        if (isnan(label))
            continue;
        score.n_rows++;
        size_t best = train_likeliest(out, rows->n_outputs);
        score.right += best < rows->n_outputs && (double)best == label;
        squares += (out[0] - label) * (out[0] - label);
    }
    if (score.n_rows > 0)
        score.rmse = sqrt(squares / (double)score.n_rows);
    return score;
}
