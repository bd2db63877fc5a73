/* The table of settings and what each of them reads. */
#include "train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define OF_RUN TRAIN_OF_RUN
#define OF_MODEL TRAIN_OF_MODEL
#define OF_FILE TRAIN_OF_FILE

struct row;
typedef dosi_status take(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err);

struct row {
    const char *name;
    unsigned uses;
    bool repeats;
    bool is_switch;
    bool may_change; /* when a checkpoint is continued */
    take *take;
    size_t offset; /* of a number or text */
    double lo, hi; /* of a number */
    const char *rule;
};

#define FIELD(member) offsetof(struct train_settings, member)
#define WHOLE_MOST 0x1p53

/* ---- Values ----------------------------------------------------------------
 */

static dosi_status malformed(enum value_read read, const struct row *row,
    const char *value, dosi_error *err)
{
    if (read == VALUE_NO_MEMORY)
        return dosi_fail_memory(err);
    return dosi_fail(err, DOSI_EINVAL, "%s needs %s, got \"%.100s\"",
        row->name, row->rule, value);
}

static dosi_status take_number(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    double x;

    if (!value_number(&x, value, strlen(value)) ||
        !(x >= row->lo && x <= row->hi))
        return malformed(VALUE_MALFORMED, row, value, err);
    memcpy((char *)s + row->offset, &x, sizeof x);
    return DOSI_OK;
}

static dosi_status take_whole(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    double x;

    if (!value_number(&x, value, strlen(value)) || x != floor(x))
        return malformed(VALUE_MALFORMED, row, value, err);
    return take_number(s, row, value, err);
}

static dosi_status take_text(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    size_t n = strlen(value) + 1;
    char *copy = malloc(n);

    if (copy == NULL)
        return dosi_fail_memory(err);
    memcpy(copy, value, n);
    *(char **)(void *)((char *)s + row->offset) = copy;
    return n > 1 ? DOSI_OK : malformed(VALUE_MALFORMED, row, value, err);
}

static dosi_status take_switch(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    bool yes = true;

    (void)value;
    (void)err;
    memcpy((char *)s + row->offset, &yes, sizeof yes);
    return DOSI_OK;
}

/* The index of value among the words of the rule, "a, b or c". */
static dosi_status take_word(int *out, const char *const *words, size_t n,
    const struct row *row, const char *value, dosi_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], value) == 0) {
            *out = (int)i;
            return DOSI_OK;
        }
    return malformed(VALUE_MALFORMED, row, value, err);
}

/* ---- Columns ---------------------------------------------------------------
 */

static dosi_status take_label(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    struct schema *schema = &s->schema;
    const char *rest = NULL;
    enum value_read read = value_column(&schema->label, &rest, value);

    if (read != VALUE_READ)
        return malformed(read, row, value, err);
    if (rest == NULL)
        return DOSI_OK;
    schema->label_is_number = true;
    if (!value_range(&schema->label_lo, &schema->label_hi, rest))
        return malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

static dosi_status take_bounds(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    s->schema.has_bounds = true;
    if (!value_range(&s->schema.lo, &s->schema.hi, value))
        return malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

/* The feature named in front of a value, and what is behind the colon; NULL
 * with *status. */
static struct schema_feature *take_feature_name(const char **rest,
    dosi_status *status, struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    struct schema_feature *feature = NULL;
    char *name = NULL;
    enum value_read read = value_column(&name, rest, value);

    if (read != VALUE_READ || *rest == NULL) {
        *status = malformed(read, row, value, err);
    } else {
        feature = schema_feature_of(&s->schema, name);
        *status = feature == NULL ? dosi_fail_memory(err) : DOSI_OK;
    }
    free(name);
    return feature;
}

static dosi_status twice(
    const struct row *row, const char *name, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL, "%s of \"%.100s\" is given twice",
        row->name, name);
}

static dosi_status take_feature(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->lo < feature->hi)
        return twice(row, feature->name, err);
    if (!value_range(&feature->lo, &feature->hi, rest))
        return malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

static dosi_status take_categories(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->categories.n > 0)
        return twice(row, feature->name, err);
    enum value_read read = value_list(&feature->categories, rest);
    return read == VALUE_READ ? DOSI_OK : malformed(read, row, value, err);
}

static dosi_status take_missing(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->has_missing)
        return twice(row, feature->name, err);
    feature->has_missing = true;
    if (!value_number(&feature->missing, rest, strlen(rest)))
        return malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

static dosi_status take_order(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    enum value_read read = value_list(&s->schema.orders, value);

    return read == VALUE_READ ? DOSI_OK : malformed(read, row, value, err);
}

static dosi_status take_byte(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    const char *byte = strcmp(value, "tab") == 0 ? "\t" : value;

    if (strlen(byte) != 1 || strchr("\"\r\n", byte[0]) != NULL)
        return malformed(VALUE_MALFORMED, row, value, err);
    *((char *)s + row->offset) = byte[0];
    return DOSI_OK;
}

static dosi_status take_columns(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    double n;

    if (!value_number(&n, value, strlen(value)) || n != floor(n) ||
        !(n >= 1 && n <= 1e6))
        return malformed(VALUE_MALFORMED, row, value, err);
    s->schema.n_columns = (size_t)n;
    return DOSI_OK;
}

static dosi_status take_no_header(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    (void)row;
    (void)value;
    (void)err;
    s->schema.has_header = false;
    return DOSI_OK;
}

/* ---- The run ---------------------------------------------------------------
 */

static dosi_status take_hidden(struct schema *schema, const struct row *row,
    const char *value, dosi_error *err)
{
    const char *at = value + strlen("mlp:");

    for (;; at++) {
        size_t n = strcspn(at, ",");
        double width;
        if (schema->n_hidden == NETWORK_MOST_LAYERS - 1 ||
            !value_number(&width, at, n) || width != floor(width) ||
            !(width >= 1 && width <= 1e6))
            return malformed(VALUE_MALFORMED, row, value, err);
        schema->hidden[schema->n_hidden++] = (size_t)width;
        at += n;
        if (*at == '\0')
            return DOSI_OK;
    }
}

static dosi_status take_model(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    static const char *const words[] = {"linear", "logistic", "softmax"};
    struct schema *schema = &s->schema;
    int index = 0;

    if (strncmp(value, "mlp:", 4) == 0) {
        schema->model = MODEL_MLP;
        return take_hidden(schema, row, value, err);
    }
    dosi_status status = take_word(&index, words, 3, row, value, err);
    if (status == DOSI_OK)
        schema->model = (enum schema_model)(index + MODEL_LINEAR);
    return status;
}

static dosi_status take_examples(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    if (strcmp(value, "auto") != 0)
        return take_whole(s, row, value, err);
    s->examples_are_counted = true;
    return DOSI_OK;
}

static dosi_status take_sampler(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    static const char *const words[] = {"poisson", "without_replacement"};
    int index = 0;
    dosi_status status = take_word(&index, words, 2, row, value, err);

    if (status == DOSI_OK)
        s->sampler = (enum train_sampler)index;
    return status;
}

static dosi_status take_optimizer(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    static const char *const words[] = {"sgd", "adam"};
    int index = 0;
    dosi_status status = take_word(&index, words, 2, row, value, err);

    if (status == DOSI_OK)
        s->optimizer = (enum train_optimizer)index;
    return status;
}

static dosi_status take_schedule(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    static const char *const words[] = {"constant", "linear", "sqrt"};
    int index = 0;
    dosi_status status = take_word(&index, words, 3, row, value, err);

    if (status == DOSI_OK)
        s->schedule = (enum train_schedule)index;
    return status;
}

static dosi_status take_neighbours(struct train_settings *s,
    const struct row *row, const char *value, dosi_error *err)
{
    static const char *const words[] = {"add_remove", "replace"};
    int index = 0;

    if (strcmp(value, "zero_out") == 0)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "neighbours zero_out is not implemented");
    dosi_status status = take_word(&index, words, 2, row, value, err);
    if (status == DOSI_OK) {
        s->neighbours = (dosi_neighbours)index;
        s->neighbours_given = true;
    }
    return status;
}

static dosi_status take_unit(struct train_settings *s, const struct row *row,
    const char *value, dosi_error *err)
{
    static const char *const words[] = {"row", "user"};
    int index = 0;
    dosi_status status = take_word(&index, words, 2, row, value, err);

    if (status == DOSI_OK)
        s->unit_is_user = index == 1;
    return status;
}

/* ---- The table -------------------------------------------------------------
 */

#define LEAST 0x1p-1022
#define MOST 0x1.fffffffffffffp+1023
#define POSITIVE "a positive number"
#define COUNT "a whole number from 1 to 2^53"

static const struct row rows[] = {
    {"model", OF_RUN | OF_MODEL, false, false, false, take_model, 0, 0, 0,
        "linear, logistic, softmax or mlp:H[,H2]"},
    {"label", OF_RUN | OF_MODEL, false, false, false, take_label, 0, 0, 0,
        "a column, of a number as C:LO..HI with LO < HI"},
    {"categories", OF_RUN | OF_MODEL, true, false, false, take_categories, 0,
        0, 0, "C:a,b,c without empty or equal names"},
    {"bounds", OF_RUN, false, false, false, take_bounds, 0, 0, 0,
        "LO..HI with LO < HI"},
    {"feature", OF_RUN | OF_MODEL, true, false, false, take_feature, 0, 0, 0,
        "C:LO..HI with LO < HI"},
    {"missing", OF_RUN | OF_MODEL, true, false, false, take_missing, 0, 0, 0,
        "C:NUMBER"},
    {"delimiter", OF_RUN | OF_FILE, false, false, false, take_byte,
        FIELD(schema.delimiter), 0, 0, "one byte, or tab"},
    {"decimal", OF_RUN | OF_FILE, false, false, false, take_byte,
        FIELD(schema.decimal), 0, 0, "one byte"},
    {"no-header", OF_RUN | OF_FILE, false, true, false, take_no_header, 0, 0,
        0, ""},
    {"columns", OF_RUN | OF_FILE, false, false, false, take_columns, 0, 0, 0,
        "a whole number from 1 to 1000000"},
    {"user", OF_RUN, false, false, false, take_text, FIELD(schema.user), 0, 0,
        "a column"},
    {"max-rows", OF_RUN, false, false, false, take_whole, FIELD(max_rows), 1,
        0x1p31, "a whole number from 1 to 2^31"},
    {"order", OF_RUN, false, false, false, take_order, 0, 0, 0,
        "columns as C,C2"},
    {"file-order", OF_RUN, false, true, false, take_switch,
        FIELD(is_file_order), 0, 0, ""},
    {"unit", OF_RUN, false, false, false, take_unit, 0, 0, 0, "row or user"},
    {"neighbours", OF_RUN, false, false, false, take_neighbours, 0, 0, 0,
        "add_remove or replace"},
    {"examples", OF_RUN, false, false, false, take_examples, FIELD(examples),
        1, WHOLE_MOST, COUNT ", or auto"},
    {"batch", OF_RUN, false, false, false, take_whole, FIELD(batch), 1,
        WHOLE_MOST, COUNT},
    {"steps", OF_RUN, false, false, false, take_whole, FIELD(steps), 1,
        WHOLE_MOST, COUNT},
    {"epochs", OF_RUN, false, false, false, take_text, FIELD(epochs), 0, 0,
        "a positive decimal such as 60 or 1.5"},
    {"clip", OF_RUN, false, false, false, take_number, FIELD(clip), 1e-290,
        MOST, "a number of at least 1e-290"},
    {"grid-bits", OF_RUN, false, false, false, take_whole, FIELD(grid_bits),
        CLIP_LEAST_BITS, CLIP_MOST_BITS, "a whole number from 12 to 30"},
    {"noise", OF_RUN, false, false, false, take_number, FIELD(noise), LEAST,
        MOST, POSITIVE},
    {"epsilon", OF_RUN, false, false, false, take_number, FIELD(epsilon),
        LEAST, MOST, POSITIVE},
    {"delta", OF_RUN, false, false, false, take_number, FIELD(delta), LEAST,
        1 - 0x1p-53, "a number above 0 and below 1"},
    {"sampler", OF_RUN, false, false, false, take_sampler, 0, 0, 0,
        "poisson or without_replacement"},
    {"optimizer", OF_RUN, false, false, false, take_optimizer, 0, 0, 0,
        "sgd or adam"},
    {"learning-rate", OF_RUN, false, false, true, take_number,
        FIELD(learning_rate), LEAST, MOST, POSITIVE},
    {"schedule", OF_RUN, false, false, true, take_schedule, 0, 0, 0,
        "constant, linear or sqrt"},
    {"momentum", OF_RUN, false, false, false, take_number, FIELD(momentum), 0,
        1 - 0x1p-53, "a number from 0 to below 1"},
    {"weight-decay", OF_RUN, false, false, false, take_number,
        FIELD(weight_decay), 0, MOST, "a number not below 0"},
    {"beta1", OF_RUN, false, false, false, take_number, FIELD(beta1), 0,
        1 - 0x1p-53, "a number from 0 to below 1"},
    {"beta2", OF_RUN, false, false, false, take_number, FIELD(beta2), 0,
        1 - 0x1p-53, "a number from 0 to below 1"},
    {"init-seed", OF_RUN, false, false, false, take_whole, FIELD(init_seed),
        0, WHOLE_MOST, "a whole number from 0 to 2^53"},
    {"checkpoint", OF_RUN, false, false, true, take_text, FIELD(checkpoint),
        0, 0, "a file"},
    {"checkpoint-every", OF_RUN, false, false, true, take_whole,
        FIELD(checkpoint_every), 1, WHOLE_MOST, COUNT},
    {"resume", OF_RUN, false, true, true, take_switch, FIELD(resumes), 0, 0,
        ""},
    {"moved", OF_RUN, false, true, true, take_switch, FIELD(is_moved), 0, 0,
        ""},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const struct row *find_row(
    const char *text, size_t n, unsigned use, dosi_error *err)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if ((rows[i].uses & use) && strlen(rows[i].name) == n &&
            memcmp(rows[i].name, text, n) == 0)
            return &rows[i];
    (void)dosi_fail(
        err, DOSI_EINVAL, "there is no setting \"%.100s\"", text);
    return NULL;
}

static dosi_status read_one(struct train_settings *s, bool *given,
    const char *text, unsigned use, dosi_error *err)
{
    size_t n = strcspn(text, " ");
    const char *value = text[n] == '\0' ? NULL : text + n + 1;
    const struct row *row = find_row(text, n, use, err);

    if (row == NULL)
        return DOSI_EINVAL;
    if (strpbrk(text, "\r\n") != NULL) /* nor has a field of one line */
        return dosi_fail(
            err, DOSI_EINVAL, "%s has a line end in it", row->name);
    if (row->is_switch != (value == NULL))
        return dosi_fail(err, DOSI_EINVAL,
            row->is_switch ? "%s takes no value" : "%s needs a value",
            row->name);
    if (given[row - rows] && !row->repeats)
        return dosi_fail(
            err, DOSI_EINVAL, "%s is given twice", row->name);
    given[row - rows] = true;
    if (!row->may_change && !name_list_add(&s->texts, text, strlen(text)))
        return dosi_fail_memory(err);
    return row->take(s, row, value == NULL ? "" : value, err);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

dosi_status train_settings_take(struct train_settings *s,
    const char *const *texts, size_t n, unsigned use, dosi_error *err)
{
    bool given[N_ROWS] = {false};
    dosi_status status = DOSI_OK;

    *s = (struct train_settings){.grid_bits = CLIP_DEFAULT_BITS,
        .epsilon = -1,
        .beta1 = 0.9,
        .beta2 = 0.999};
    s->schema.delimiter = ',';
    s->schema.decimal = '.';
    s->schema.has_header = true;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = read_one(s, given, texts[i], use, err);
    if (s->texts.n > 1)
        qsort(s->texts.names, s->texts.n, sizeof *s->texts.names, by_text);
    return status;
}

void train_settings_free(struct train_settings *settings)
{
    schema_free(&settings->schema);
    free(settings->epochs);
    free(settings->checkpoint);
    name_list_free(&settings->texts);
}
