/*
 * dosimeter predict: predictions of a model for the rows of a file, one line
 * for every line after its header.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/json.h"
#include "train_files.h"

/* ---- The model -------------------------------------------------------------
 */

static int read_model(dosi_model **out, const struct cli_arguments *args)
{
    struct cli_plan file; /* a text that was read */
    dosi_json_model *parts = NULL;
    dosi_error err;

    int status = cli_file_read(&file, args->operands[0]);
    if (status == CLI_YES &&
        (dosi_json_read_model(&parts, file.text, file.n_bytes, &err) !=
                DOSI_OK ||
            dosi_model_new(out, (const char *const *)parts->settings,
                parts->n_settings, parts->parameters, parts->n_parameters,
                &err) != DOSI_OK))
        status = cli_fail(args, &err, NULL, 0);
    dosi_json_model_free(parts);
    free(file.text);
    return status;
}

/* ---- Writing ---------------------------------------------------------------
 */

static void write_number(double x)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, x);
    fputs(text, stdout);
}

/* A field of CSV: in quotes if it needs them. */
static void write_field(const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void write_header(const dosi_model *model, bool with_proba)
{
    size_t n = dosi_model_output_count(model);

    write_field(dosi_model_label(model));
    for (size_t i = 0; i < n && with_proba; i++) {
        putchar(',');
        write_field(dosi_model_class(model, i));
    }
    putchar('\n');
}

/* An empty field stands for what cannot be predicted. */
static void write_row(
    const dosi_model *model, const double *outputs, bool with_proba)
{
    size_t n = dosi_model_output_count(model);
    bool has_classes = dosi_model_class(model, 0) != NULL;
    size_t best = train_likeliest(outputs, n);

    if (best < n && has_classes)
        write_field(dosi_model_class(model, best));
    else if (best < n)
        write_number(outputs[0]);
    for (size_t i = 0; i < n && with_proba; i++) {
        putchar(',');
        if (best < n)
            write_number(outputs[i]);
    }
    putchar('\n');
}

static void json_row(
    const dosi_model *model, const double *outputs, bool with_proba)
{
    size_t n = dosi_model_output_count(model);
    bool has_classes = dosi_model_class(model, 0) != NULL;
    size_t best = train_likeliest(outputs, n);
    const char *name = has_classes ? dosi_model_class(model, best) : NULL;

    putchar('{');
    cli_json_key("prediction", true);
    if (best == n)
        fputs("null", stdout);
    else if (name != NULL)
        cli_json_string(name, strlen(name));
    else
        cli_json_number(outputs[0]);
    if (with_proba && best < n) {
        cli_json_key("probabilities", false);
        for (size_t i = 0; i < n; i++) {
            putchar(i == 0 ? '[' : ',');
            cli_json_number(outputs[i]);
        }
        putchar(']');
    }
    putchar('}');
}

static void write_all(const struct cli_arguments *args,
    const dosi_model *model, const struct train_rows *rows)
{
    bool is_json = cli_has(args, OPTION_JSON);
    bool with_proba = cli_has(args, OPTION_PROBA);

    if (is_json)
        putchar('[');
    else
        write_header(model, with_proba);
    for (size_t r = 0; r < rows->n_rows; r++) {
        const double *outputs = rows->outputs + r * rows->n_outputs;
        if (!is_json) {
            write_row(model, outputs, with_proba);
            continue;
        }
        fputs(r == 0 ? "" : ",\n", stdout);
        json_row(model, outputs, with_proba);
    }
    if (is_json)
        puts("]");
}

/* ---- The command -----------------------------------------------------------
 */

int cli_predict(const struct cli_arguments *args)
{
    struct train_rows rows = {0};
    dosi_model *model = NULL;
    int status = read_model(&model, args);

    if (status == CLI_YES && cli_has(args, OPTION_PROBA) &&
        dosi_model_class(model, 0) == NULL)
        status = cli_usage(args, "--proba is for models of classes");
    if (status == CLI_YES)
        status = train_rows_read(&rows, args, args->operands[1], model, false);
    if (status == CLI_YES)
        status = train_rows_predict(&rows, model, args);
    if (status == CLI_YES)
        write_all(args, model, &rows);
    train_rows_free(&rows);
    dosi_model_free(model);
    return status;
}
