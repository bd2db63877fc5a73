/* Settings and files of train and predict. */
#define _POSIX_C_SOURCE 200809L
#include "train_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Settings --------------------------------------------------------------
 */

/* Options of the command line that the library knows nothing of. */
static bool is_setting(enum cli_option_id option)
{
    return option != OPTION_OUTPUT && option != OPTION_TRAIN_TEST &&
           option != OPTION_PLAN_ONLY && option != OPTION_JSON &&
           option != OPTION_CSV && option != OPTION_PROBA &&
           option != OPTION_DETAILS && option != OPTION_QUIET &&
           option != OPTION_TIME_LIMIT && option != OPTION_MAX_MEMORY;
}

static bool is_of_file(enum cli_option_id option)
{
    return option == OPTION_DELIMITER || option == OPTION_DECIMAL ||
           option == OPTION_NO_HEADER || option == OPTION_TRAIN_COLUMNS;
}

int train_texts_read(
    struct setting_texts *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct setting_texts){0};
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++)
        if (is_setting(args->given[i].option))
            status = setting_texts_add(out, args, &args->given[i]);
    return status;
}

int train_file_texts(
    struct setting_texts *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct setting_texts){0};
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++)
        if (is_of_file(args->given[i].option))
            status = setting_texts_add(out, args, &args->given[i]);
    return status;
}

/* ---- Files -----------------------------------------------------------------
 */

bool train_is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    if (strcmp(a, b) == 0)
        return true;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
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
    struct setting_texts texts;
    dosi_error err;

    *out = (struct train_rows){.n_outputs = dosi_model_output_count(model)};
    int status = train_file_texts(&texts, args);
    if (status == CLI_YES &&
        dosi_model_rows_new(&out->rows, model, with_labels,
            (const char *const *)texts.texts, texts.n, &err) != DOSI_OK)
        status = cli_fail(args, &err, NULL, 0);
    setting_texts_free(&texts);
    if (status == CLI_YES)
        status = data_file_read(args, path, take_rows, out->rows);
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

int train_rows_predict(struct train_rows *rows, const dosi_model *model,
    const struct cli_arguments *args)
{
    dosi_error err;

    if (dosi_model_rows_predict(
            rows->outputs, rows->labels, model, rows->rows, &err) != DOSI_OK)
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
