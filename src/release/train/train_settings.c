/* The table of settings, and what those of the run read. */
#include "train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "setting_row.h"

#define OF_RUN TRAIN_OF_RUN
#define OF_MODEL TRAIN_OF_MODEL
#define OF_FILE TRAIN_OF_FILE
#define FIELD(member) .offset = offsetof(struct train_settings, member)
#define MAX_WHOLE 0x1p53

/* ---- The run ------------------------------------------------------------ */

static dosi_status take_hidden(struct schema *schema,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    const char *at = value + strlen("mlp:");

    for (;; at++) {
        size_t n = strcspn(at, ",");
        double width;
        if (schema->n_hidden == NETWORK_MAX_LAYERS - 1 ||
            !value_number(&width, at, n) || width != floor(width) ||
            !(width >= 1 && width <= 1e6))
            return take_malformed(VALUE_MALFORMED, row, value, err);
        schema->hidden[schema->n_hidden++] = (size_t)width;
        at += n;
        if (*at == '\0')
            return DOSI_OK;
    }
}

static dosi_status take_model(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    struct schema *schema = &s->schema;

    if (strncmp(value, "mlp:", 4) == 0) {
        schema->model = MODEL_MLP;
        return take_hidden(schema, row, value, err);
    }
    return *value == '\0' ? take_malformed(VALUE_MALFORMED, row, value, err)
                          : take_word(s, row, value, err);
}

static dosi_status take_examples(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    if (strcmp(value, "auto") != 0)
        return take_whole(s, row, value, err);
    s->examples_are_counted = true;
    return DOSI_OK;
}

static dosi_status take_neighbours(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    if (strcmp(value, "zero_out") == 0)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "neighbours zero_out is not implemented");
    s->neighbours_given = true;
    return take_word(s, row, value, err);
}

static dosi_status take_unit(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    s->unit_is_user = strcmp(value, "user") == 0;
    return s->unit_is_user || strcmp(value, "row") == 0
               ? DOSI_OK
               : take_malformed(VALUE_MALFORMED, row, value, err);
}

/* ---- The table ---------------------------------------------------------- */

#define MIN_NORMAL 0x1p-1022
#define MAX_FINITE 0x1.fffffffffffffp+1023
#define POSITIVE "a positive number"
#define COUNT "a whole number from 1 to 2^53"

static const char *const models[] = { /* by enum schema_model */
    "", "linear", "logistic", "softmax", NULL};
static const char *const relations[] = {"add_remove", "replace", NULL};
static const char *const samplers[] = {
    "poisson", "without_replacement", NULL};
static const char *const optimizers[] = {"sgd", "adam", NULL};
static const char *const schedules[] = {"constant", "linear", "sqrt", NULL};

static const struct setting_row rows[] = {
    {"model", OF_RUN | OF_MODEL, 0, take_model,
        .rule = "linear, logistic, softmax or mlp:H[,H2]",
        FIELD(schema.model), .words = models},
    {"label", OF_RUN | OF_MODEL, 0, take_label,
        .rule = "a column, of a number as C:LO..HI with LO < HI"},
    {"categories", OF_RUN | OF_MODEL, SETTING_LIST, take_categories,
        .rule = "C:a,b,c without empty or equal names"},
    {"bounds", OF_RUN, 0, take_bounds, .rule = "LO..HI with LO < HI"},
    {"feature", OF_RUN | OF_MODEL, SETTING_LIST, take_feature,
        .rule = "C:LO..HI with LO < HI"},
    {"missing", OF_RUN | OF_MODEL, SETTING_LIST, take_missing,
        .rule = "C:NUMBER"},
    {"delimiter", OF_RUN | OF_FILE, 0, take_delimiter,
        .rule = "one character, no quote or line end, or tab"},
    {"decimal", OF_RUN | OF_FILE, 0, take_decimal, .rule = "\".\" or \",\""},
    {"no-header", OF_RUN | OF_FILE, SETTING_SWITCH, take_no_header,
        .rule = ""},
    {"columns", OF_RUN | OF_FILE, 0, take_columns,
        .rule = "a whole number from 1 to 1000000"},
    {"user", OF_RUN, 0, take_text, .rule = "a column", FIELD(schema.user)},
    {"max-rows", OF_RUN, 0, take_whole,
        .rule = "a whole number from 1 to 2^31", FIELD(max_rows), .lo = 1,
        .hi = 0x1p31},
    {"order", OF_RUN, 0, take_order, .rule = "columns as C,C2"},
    {"file-order", OF_RUN, SETTING_SWITCH, take_switch, .rule = "",
        FIELD(is_file_order)},
    {"unit", OF_RUN, 0, take_unit, .rule = "row or user"},
    {"neighbours", OF_RUN, 0, take_neighbours,
        .rule = "add_remove or replace", FIELD(neighbours),
        .words = relations},
    {"examples", OF_RUN, 0, take_examples, .rule = COUNT ", or auto",
        FIELD(examples), .lo = 1, .hi = MAX_WHOLE},
    {"batch", OF_RUN, 0, take_whole, .rule = COUNT, FIELD(batch), .lo = 1,
        .hi = MAX_WHOLE},
    {"steps", OF_RUN, 0, take_whole, .rule = COUNT, FIELD(steps), .lo = 1,
        .hi = MAX_WHOLE},
    {"epochs", OF_RUN, 0, take_text,
        .rule = "a positive decimal such as 60 or 1.5", FIELD(epochs)},
    {"clip", OF_RUN, 0, take_number, .rule = "a number of at least 1e-290",
        FIELD(clip), .lo = 1e-290, .hi = MAX_FINITE},
    {"grid-bits", OF_RUN, 0, take_whole,
        .rule = "a whole number from 12 to 30", FIELD(grid_bits),
        .lo = CLIP_MIN_BITS, .hi = CLIP_MAX_BITS},
    {"noise", OF_RUN, 0, take_number, .rule = POSITIVE, FIELD(noise),
        .lo = MIN_NORMAL, .hi = MAX_FINITE},
    {"epsilon", OF_RUN, 0, take_number, .rule = POSITIVE, FIELD(epsilon),
        .lo = MIN_NORMAL, .hi = MAX_FINITE},
    {"delta", OF_RUN, 0, take_number, .rule = "a number above 0 and below 1",
        FIELD(delta), .lo = MIN_NORMAL, .hi = 1 - 0x1p-53},
    {"sampler", OF_RUN, 0, take_word,
        .rule = "poisson or without_replacement", FIELD(sampler),
        .words = samplers},
    {"optimizer", OF_RUN, 0, take_word, .rule = "sgd or adam",
        FIELD(optimizer), .words = optimizers},
    {"learning-rate", OF_RUN, SETTING_CHANGEABLE, take_number,
        .rule = POSITIVE, FIELD(learning_rate), .lo = MIN_NORMAL,
        .hi = MAX_FINITE},
    {"schedule", OF_RUN, SETTING_CHANGEABLE, take_word,
        .rule = "constant, linear or sqrt", FIELD(schedule),
        .words = schedules},
    {"momentum", OF_RUN, 0, take_number, .rule = "a number from 0 to below 1",
        FIELD(momentum), .lo = 0, .hi = 1 - 0x1p-53},
    {"weight-decay", OF_RUN, 0, take_number, .rule = "a number not below 0",
        FIELD(weight_decay), .lo = 0, .hi = MAX_FINITE},
    {"beta1", OF_RUN, 0, take_number, .rule = "a number from 0 to below 1",
        FIELD(beta1), .lo = 0, .hi = 1 - 0x1p-53},
    {"beta2", OF_RUN, 0, take_number, .rule = "a number from 0 to below 1",
        FIELD(beta2), .lo = 0, .hi = 1 - 0x1p-53},
    {"init-seed", OF_RUN, 0, take_whole,
        .rule = "a whole number from 0 to 2^53", FIELD(init_seed), .lo = 0,
        .hi = MAX_WHOLE},
    {"checkpoint", OF_RUN, SETTING_CHANGEABLE, take_text, .rule = "a file",
        FIELD(checkpoint)},
    {"checkpoint-every", OF_RUN, SETTING_CHANGEABLE, take_whole,
        .rule = COUNT, FIELD(checkpoint_every), .lo = 1, .hi = MAX_WHOLE},
    {"resume", OF_RUN, SETTING_SWITCH | SETTING_CHANGEABLE, take_switch,
        .rule = "", FIELD(resumes)},
    {"moved", OF_RUN, SETTING_SWITCH | SETTING_CHANGEABLE, take_switch,
        .rule = "", FIELD(is_moved)},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const struct setting_row *find_row(
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
    const struct setting_row *row = find_row(text, n, use, err);

    if (row == NULL)
        return DOSI_EINVAL;
    if (strpbrk(text, "\r\n") != NULL) /* nor has a field of one line */
        return dosi_fail(
            err, DOSI_EINVAL, "%s has a line end in it", row->name);
    bool is_switch = row->is & SETTING_SWITCH;
    if (is_switch != (value == NULL))
        return dosi_fail(err, DOSI_EINVAL,
            is_switch ? "%s takes no value" : "%s needs a value", row->name);
    if (given[row - rows] && !(row->is & SETTING_LIST))
        return dosi_fail(
            err, DOSI_EINVAL, "%s is given twice", row->name);
    given[row - rows] = true;
    if (!(row->is & SETTING_CHANGEABLE) &&
        !name_list_add(&s->texts, text, strlen(text)))
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
