/* Conditions between settings, checked before any data are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "release/int128.h"
#include "train_settings.h"

/* ---- Model and columns -------------------------------------------------- */

/* Categories of the label are its classes, not a feature. */
static dosi_status take_classes(struct schema *schema, dosi_error *err)
{
    struct schema_feature *of_label =
        schema_feature_find(schema, schema->label);

    if (of_label == NULL)
        return DOSI_OK;
    if (of_label->lo < of_label->hi || of_label->has_missing)
        return dosi_fail(err, DOSI_EINVAL,
            "the label \"%.100s\" is no feature", schema->label);
    schema->classes = of_label->categories;
    free(of_label->name);
    size_t behind =
        schema->n_features - 1 - (size_t)(of_label - schema->features);
    memmove(of_label, of_label + 1, behind * sizeof *of_label);
    schema->n_features--;
    return DOSI_OK;
}

static dosi_status check_label(const struct schema *schema, dosi_error *err)
{
    size_t n = schema->classes.n;

    if (schema->label_is_number && n > 0)
        return dosi_fail(err, DOSI_EINVAL,
            "the label has either bounds or categories");
    if (schema->label_is_number)
        return schema->model == MODEL_LINEAR || schema->model == MODEL_MLP
                   ? DOSI_OK
                   : dosi_fail(err, DOSI_EINVAL,
                         "the label of this model has categories, not bounds");
    if (schema->model == MODEL_LINEAR)
        return dosi_fail(err, DOSI_EINVAL,
            "the label of a linear model needs bounds, as C:LO..HI");
    if (n < 2)
        return dosi_fail(err, DOSI_EINVAL,
            "missing categories of the label: declare two or more; a list "
            "taken from the data depends on everybody's records");
    if (schema->model == MODEL_LOGISTIC && n != 2)
        return dosi_fail(err, DOSI_EINVAL,
            "the label of a logistic model has two categories, got %zu; use "
            "softmax", n);
    return DOSI_OK;
}

static dosi_status check_features(const struct schema *schema, dosi_error *err)
{
    if (!schema->has_bounds && schema->n_features == 0)
        return dosi_fail(err, DOSI_EINVAL,
            "missing bounds of the features: bounds LO..HI of all, or feature "
            "C:LO..HI of each");
    return DOSI_OK;
}

static dosi_status complete_features(struct schema *schema, dosi_error *err)
{
    for (size_t i = 0; i < schema->n_features; i++) {
        struct schema_feature *feature = &schema->features[i];
        bool has_bounds = feature->lo < feature->hi;
        bool has_names = feature->categories.n > 0;
        if (has_bounds && has_names)
            return dosi_fail(err, DOSI_EINVAL,
                "\"%.100s\" has either bounds or categories", feature->name);
        if (has_names && feature->has_missing)
            return dosi_fail(err, DOSI_EINVAL,
                "\"%.100s\" has categories: nothing stands for a missing one",
                feature->name);
        if (!has_bounds && !has_names && !schema->has_bounds)
            return dosi_fail(err, DOSI_EINVAL,
                "missing bounds of \"%.100s\"", feature->name);
        if (!has_bounds && !has_names) {
            feature->lo = schema->lo;
            feature->hi = schema->hi;
        }
        if ((schema->user != NULL &&
                strcmp(feature->name, schema->user) == 0))
            return dosi_fail(err, DOSI_EINVAL,
                "\"%.100s\" is the user, not a feature", feature->name);
    }
    return DOSI_OK;
}

static dosi_status check_schema(struct schema *schema, dosi_error *err)
{
    if (schema->model == MODEL_UNKNOWN)
        return dosi_fail(err, DOSI_EINVAL, "missing model");
    if (schema->label == NULL)
        return dosi_fail(err, DOSI_EINVAL, "missing label");
    dosi_status status = take_classes(schema, err);
    if (status == DOSI_OK)
        status = check_label(schema, err);
    if (status == DOSI_OK)
        status = check_features(schema, err);
    if (status == DOSI_OK)
        status = complete_features(schema, err);
    return status;
}

static dosi_status check_file(const struct schema *schema, dosi_error *err)
{
    if (schema->delimiter == schema->decimal)
        return dosi_fail(err, DOSI_EINVAL,
            "delimiter and decimal are the same byte");
    if (!schema->has_header && schema->n_columns == 0)
        return dosi_fail(err, DOSI_EINVAL,
            "no-header needs columns N: the number of columns is declared, "
            "never taken from a record");
    if (schema->has_header && schema->n_columns != 0)
        return dosi_fail(
            err, DOSI_EINVAL, "columns N goes with no-header");
    return DOSI_OK;
}

/* ---- The run ------------------------------------------------------------ */

static dosi_status check_numbers(
    const struct train_settings *s, dosi_error *err)
{
    static const char message[] = "missing %s";

    if (s->batch == 0)
        return dosi_fail(err, DOSI_EINVAL, message, "batch");
    if ((s->steps == 0) == (s->epochs == NULL))
        return dosi_fail(err, DOSI_EINVAL,
            s->steps == 0 ? "missing steps or epochs"
                          : "either steps or epochs");
    if (s->clip == 0)
        return dosi_fail(err, DOSI_EINVAL, message, "clip");
    if (s->learning_rate == 0)
        return dosi_fail(err, DOSI_EINVAL, message, "learning-rate");
    if ((s->noise > 0) == (s->epsilon > 0))
        return dosi_fail(err, DOSI_EINVAL,
            s->noise > 0 ? "either noise or epsilon"
                         : "missing epsilon, or noise in place of it");
    if (s->delta == 0)
        return dosi_fail(err, DOSI_EINVAL, message, "delta");
    if (s->optimizer == TRAIN_ADAM && s->momentum > 0)
        return dosi_fail(
            err, DOSI_EINVAL, "momentum is for optimizer sgd; adam has beta1");
    return DOSI_OK;
}

static dosi_status check_examples(
    const struct train_settings *s, dosi_error *err)
{
    bool counted = s->examples_are_counted;

    if (s->examples == 0 && !counted)
        return dosi_fail(err, DOSI_EINVAL, "missing examples");
    if (counted && s->sampler == TRAIN_POISSON)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "examples auto would reveal the number of rows, which add_remove "
            "protects; declare a number, or use sampler without_replacement");
    if (!counted && s->batch > s->examples)
        return dosi_fail(err, DOSI_EINVAL,
            "batch %.0f exceeds the %.0f examples", s->batch, s->examples);
    if (!counted && !(train_settings_steps(s, s->examples) > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "epochs needs a positive decimal such as 60 or 1.5, and at most "
            "2^53 steps, got \"%.60s\"",
            s->epochs);
    return DOSI_OK;
}

static dosi_status check_relation(struct train_settings *s, dosi_error *err)
{
    bool replaces = s->sampler == TRAIN_WITHOUT_REPLACEMENT;
    dosi_neighbours natural = replaces ? DOSI_REPLACE : DOSI_ADD_REMOVE;

    if (s->neighbours_given && s->neighbours != natural)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            replaces ? "sampler without_replacement is for neighbours replace"
                     : "sampler poisson is for neighbours add_remove");
    s->neighbours = natural;
    return DOSI_OK;
}

static dosi_status check_people(
    const struct train_settings *s, dosi_error *err)
{
    bool has_order = s->schema.orders.n > 0 || s->is_file_order;

    if (s->schema.user == NULL)
        return s->max_rows > 0 || s->unit_is_user || has_order
                   ? dosi_fail(err, DOSI_EINVAL,
                         "max-rows, order, file-order and unit user need user")
                   : DOSI_OK;
    if (strcmp(s->schema.user, s->schema.label) == 0)
        return dosi_fail(
            err, DOSI_EINVAL, "user and label are the same column");
    if (s->unit_is_user)
        return s->max_rows > 0 || has_order
                   ? dosi_fail(err, DOSI_EINVAL,
                         "unit user takes all rows of a person: without "
                         "max-rows and order")
                   : DOSI_OK;
    if (s->max_rows == 0)
        return dosi_fail(
            err, DOSI_EINVAL, "user needs max-rows, or unit user");
    if (!has_order || (s->schema.orders.n > 0 && s->is_file_order))
        return dosi_fail(err, DOSI_EINVAL,
            "max-rows needs %sorder or file-order: which rows count is not "
            "guessed", has_order ? "either " : "");
    if (s->sampler == TRAIN_WITHOUT_REPLACEMENT)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "without_replacement of rows needs their number, which users "
            "change; use unit user");
    return DOSI_OK;
}

static dosi_status check_checkpoint(
    const struct train_settings *s, dosi_error *err)
{
    if (s->checkpoint == NULL && (s->resumes || s->checkpoint_every > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "resume and checkpoint-every need checkpoint");
    if (s->is_moved && !s->resumes)
        return dosi_fail(err, DOSI_EINVAL, "moved needs resume");
    return DOSI_OK;
}

/* ---- The whole ---------------------------------------------------------- */

dosi_status train_settings_read(struct train_settings *out,
    const char *const *texts, size_t n, dosi_error *err)
{
    dosi_status status =
        train_settings_take(out, texts, n, TRAIN_OF_RUN, err);

    if (status == DOSI_OK)
        status = check_schema(&out->schema, err);
    if (status == DOSI_OK)
        status = check_file(&out->schema, err);
    if (status == DOSI_OK)
        status = check_numbers(out, err);
    if (status == DOSI_OK)
        status = check_examples(out, err);
    if (status == DOSI_OK)
        status = check_relation(out, err);
    if (status == DOSI_OK)
        status = check_people(out, err);
    if (status == DOSI_OK)
        status = check_checkpoint(out, err);
    return status;
}

/* Moves the schema out of settings that were read. */
static dosi_status move_schema(struct schema *out, struct train_settings *s,
    dosi_status status)
{
    *out = (struct schema){0};
    if (status == DOSI_OK) {
        *out = s->schema;
        s->schema = (struct schema){0};
    }
    train_settings_free(s);
    return status;
}

dosi_status train_settings_model(struct schema *out, const char *const *texts,
    size_t n, dosi_error *err)
{
    struct train_settings s;
    dosi_status status =
        train_settings_take(&s, texts, n, TRAIN_OF_MODEL, err);

    if (status == DOSI_OK)
        status = check_schema(&s.schema, err);
    return move_schema(out, &s, status);
}

dosi_status train_settings_file(struct schema *out, const char *const *texts,
    size_t n, dosi_error *err)
{
    struct train_settings s;
    dosi_status status =
        train_settings_take(&s, texts, n, TRAIN_OF_FILE, err);

    if (status == DOSI_OK)
        status = check_file(&s.schema, err);
    return move_schema(out, &s, status);
}

/* A positive decimal as a fraction of at most 18 digits. */
static bool read_fraction(uint64_t *top, uint64_t *bottom, const char *text)
{
    bool has_point = false;
    int n_digits = 0;

    *top = 0;
    *bottom = 1;
    for (; *text != '\0'; text++) {
        if (*text == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (*text < '0' || *text > '9' || ++n_digits > 18)
            return false;
        *top = *top * 10 + (uint64_t)(*text - '0');
        *bottom *= has_point ? 10 : 1;
    }
    return *top > 0;
}

double train_settings_steps(
    const struct train_settings *settings, double examples)
{
    uint64_t top, bottom;

    if (settings->epochs == NULL)
        return settings->steps;
    if (!read_fraction(&top, &bottom, settings->epochs))
        return 0;
    /* ceil(epochs n / L): at most 2^60 2^53 over 2^60 2^53 */
    uint128 above = (uint128)top * (uint64_t)examples;
    uint128 below = (uint128)bottom * (uint64_t)settings->batch;
    uint128 steps = (above + below - 1) / below;
    return steps <= (uint128)1 << 53 ? (double)(uint64_t)steps : 0;
}
