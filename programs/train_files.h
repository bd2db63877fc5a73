/* Files that train and predict read, and what they share. */
#ifndef DOSI_TRAIN_FILES_H
#define DOSI_TRAIN_FILES_H

#include "dosimeter/release.h"
#include "setting_texts.h"

/* Every option that is a setting. Returns an exit status, having said why. */
int train_texts_read(
    struct setting_texts *out, const struct cli_arguments *args);

/* How a file is written: the options delimiter, decimal, no-header and
 * columns alone. */
int train_file_texts(
    struct setting_texts *out, const struct cli_arguments *args);

/* Whether two names are of one file, "-" being standard input. */
bool train_is_same_file(const char *a, const char *b);

/* What a model says of rows with labels. */
struct train_score {
    size_t n_rows;  /* with a label and all features */
    double right;   /* rows whose likeliest class is theirs */
    double rmse;    /* of a number */
};

/* Rows of a file and what a model predicts of them. */
struct train_rows {
    dosi_model_rows *rows;
    size_t n_rows, n_outputs;
    double *outputs; /* n_rows x n_outputs, once predicted */
    double *labels;  /* or NULL */
};

/* Reads the file. Returns an exit status, having said why. */
int train_rows_read(struct train_rows *out, const struct cli_arguments *args,
    const char *path, const dosi_model *model, bool with_labels);
void train_rows_free(struct train_rows *rows);

/* Fills outputs and labels by the model, of the columns the rows were read
 * for. */
int train_rows_predict(struct train_rows *rows, const dosi_model *model,
    const struct cli_arguments *args);

/* The likeliest of n classes; n: none is. */
size_t train_likeliest(const double *outputs, size_t n);

struct train_score train_rows_score(const struct train_rows *rows);

#endif
