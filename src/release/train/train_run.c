/* The public calls of a training run. */
#include "train_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "model.h"

/* ---- Making ------------------------------------------------------------- */

static void assume(dosi_training *t, const char *text)
{
    t->assumptions[t->n_assumptions++] = text;
}

/* The assumptions of the claim that are not checked. */
static void list_assumptions(dosi_training *t)
{
    const struct train_settings *s = &t->settings;

    if (s->schema.user == NULL)
        snprintf(t->unit_text, sizeof t->unit_text,
            "one line is one person");
    else if (s->unit_is_user)
        snprintf(t->unit_text, sizeof t->unit_text,
            "each value of the column %.100s is one person", s->schema.user);
    else
        snprintf(t->unit_text, sizeof t->unit_text,
            "each value of the column %.100s is one person, of whom at most "
            "%.0f rows count", s->schema.user, s->max_rows);
    if (words_warning() != NULL)
        assume(t, words_warning());
    assume(t, t->unit_text);
    assume(t, "bounds, categories and the number of examples were not taken "
              "from these data");
    assume(t, "hyperparameters were not tuned on these data: every run is a "
              "separate plan, and their costs add up");
    assume(t, "nobody observes the running time or the memory of the run");
    if (s->checkpoint != NULL)
        assume(t, "the checkpoint was continued on the same data, and no copy "
                  "of it was continued as well");
}

dosi_status dosi_training_new(dosi_training **out,
    const dosi_training_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_training *t = calloc(1, sizeof *t);
    const dosi_options defaults = DOSI_OPTIONS_INIT;

    *out = NULL;
    if (t == NULL)
        return dosi_fail_memory(err);
    t->accounting =
        options->accounting == NULL ? defaults : *options->accounting;
    dosi_status status = train_settings_read(
        &t->settings, options->settings, options->n_settings, err);
    if (status == DOSI_OK) {
        records_start(&t->records, &t->settings.schema, true);
        t->grid = clip_grid_of(t->settings.clip, (int)t->settings.grid_bits);
        t->examples = t->settings.examples;
        list_assumptions(t);
        if (!t->settings.examples_are_counted)
            status = train_account(t, err);
    }
    if (status == DOSI_OK)
        *out = t;
    else
        dosi_training_free(t);
    return status;
}

void dosi_training_free(dosi_training *training)
{
    dosi_training *t = training;

    if (t == NULL)
        return;
    checkpoint_close(&t->checkpoint);
    records_free(&t->records);
    train_people_free(&t->people);
    network_pass_free(t->pass);
    dosi_noise_free(t->noise);
    dosi_plan_free(t->plan);
    free(t->state.parameters);
    free(t->state.first);
    free(t->state.second);
    free(t->member);
    free(t->subset);
    free(t->sum);
    free(t->person);
    free(t->row);
    free(t->z);
    free(t->noisy);
    train_settings_free(&t->settings);
    free(t);
}

/* ---- Data --------------------------------------------------------------- */

static dosi_status check_open(const dosi_training *t, dosi_error *err)
{
    return t->is_started
               ? dosi_fail(err, DOSI_EINVAL, "the training has started")
               : DOSI_OK;
}

dosi_status dosi_training_read_csv(
    dosi_training *training, const char *bytes, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_open(training, err);

    return status == DOSI_OK
               ? records_csv(&training->records, bytes, n, err)
               : status;
}

dosi_status dosi_training_add_rows(dosi_training *training,
    const double *features, size_t n_features, const double *labels,
    const int64_t *users, size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_open(training, err);

    return status == DOSI_OK ? records_rows(&training->records, features,
                                   n_features, labels, users, n_rows, err)
                             : status;
}

/* ---- Starting ----------------------------------------------------------- */

/* The number of units that subsets are drawn from is public under replace;
 * under add_remove nothing is looked at. */
static dosi_status count_examples(dosi_training *t, dosi_error *err)
{
    const struct train_settings *s = &t->settings;
    double n = (double)(s->unit_is_user ? t->people.n_units
                                        : t->records.n_lines);

    if (s->sampler == TRAIN_POISSON)
        return DOSI_OK;
    if (!s->examples_are_counted && n != t->examples)
        return dosi_fail(err, DOSI_EINVAL,
            "there are %.0f %s, but examples says %.0f", n,
            s->unit_is_user ? "users" : "lines", t->examples);
    if (n < s->batch)
        return dosi_fail(err, DOSI_EINVAL,
            "batch %.0f exceeds the %.0f examples", s->batch, n);
    t->examples = n;
    return s->examples_are_counted ? train_account(t, err) : DOSI_OK;
}

static dosi_status make_room(dosi_training *t, dosi_error *err)
{
    size_t n = t->network.n_parameters;
    struct train_state *state = &t->state;

    state->n_parameters = n;
    state->parameters = calloc(n, sizeof *state->parameters);
    state->first = calloc(n, sizeof *state->first);
    state->second = calloc(n, sizeof *state->second);
    t->sum = calloc(n, sizeof *t->sum);
    t->person = calloc(n, sizeof *t->person);
    t->row = calloc(n, sizeof *t->row);
    t->z = calloc(n, sizeof *t->z);
    t->noisy = calloc(n, sizeof *t->noisy);
    if (t->settings.sampler == TRAIN_POISSON)
        t->member = calloc(t->people.n_units + 1, sizeof *t->member);
    else
        t->subset = calloc((size_t)t->settings.batch, sizeof *t->subset);
    if (state->parameters == NULL || state->first == NULL ||
        state->second == NULL || t->sum == NULL || t->person == NULL ||
        t->row == NULL || t->z == NULL || t->noisy == NULL ||
        (t->member == NULL && t->subset == NULL))
        return dosi_fail_memory(err);
    return network_pass_new(&t->pass, &t->network, err);
}

static dosi_status open_checkpoint(dosi_training *t, dosi_error *err)
{
    const struct train_settings *s = &t->settings;

    if (s->checkpoint == NULL)
        return DOSI_OK;
    return checkpoint_open(&t->checkpoint, s->checkpoint,
        !s->resumes    ? CHECKPOINT_NEW
        : s->is_moved ? CHECKPOINT_MOVED
                      : CHECKPOINT_RESUMED,
        &s->texts, t->plan, &t->state, err);
}

dosi_status dosi_training_start(dosi_training *training, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_training *t = training;
    dosi_status status = check_open(t, err);

    if (status != DOSI_OK)
        return status;
    if (!t->records.is_resolved && t->records.is_array)
        return dosi_fail(err, DOSI_EINVAL, "there are no rows");
    status = records_end(&t->records, err);
    if (status == DOSI_OK)
        status = schema_network(&t->network, &t->settings.schema, err);
    train_people_free(&t->people);
    if (status == DOSI_OK)
        status = train_people_of(&t->people, &t->records, &t->settings, err);
    if (status == DOSI_OK)
        status = count_examples(t, err);
    t->is_started = true; /* a second start would lose what the first made */
    if (status == DOSI_OK)
        status = make_room(t, err);
    if (status == DOSI_OK) {
        network_initial(t->state.parameters, &t->network,
            (uint64_t)t->settings.init_seed);
        status = open_checkpoint(t, err);
    }
    if (status != DOSI_OK) {
        network_pass_free(t->pass);
        t->pass = NULL; /* no step is made without it */
    }
    return status;
}

/* ---- Steps -------------------------------------------------------------- */

static dosi_status check_started(const dosi_training *t, dosi_error *err)
{
    return t->pass == NULL
               ? dosi_fail(err, DOSI_EINVAL, "the training has not started")
               : DOSI_OK;
}

/* Whether the state is written after this step. */
static bool is_due(const dosi_training *t)
{
    double every = t->settings.checkpoint_every;

    if (every == 0)
        every = ceil(t->steps / 10);
    return t->state.used >= t->steps || fmod(t->state.used, every) == 0;
}

dosi_status dosi_training_step(
    dosi_training *training, size_t n_steps, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_training *t = training;
    struct words words;
    dosi_status status = check_started(t, err);

    if (status != DOSI_OK || n_steps == 0)
        return status;
    status = words_open(&words, err);
    for (size_t i = 0; i < n_steps && status == DOSI_OK &&
                       t->state.used < t->steps;
         i++) {
        status = train_step(t, &words, err);
        if (status == DOSI_OK && is_due(t))
            status = checkpoint_write(&t->checkpoint, &t->state, err);
    }
    words_close(&words);
    return status;
}

dosi_status dosi_training_save(dosi_training *training, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = check_started(training, err);

    if (status == DOSI_OK && training->checkpoint.path == NULL)
        status = dosi_fail(err, DOSI_EINVAL, "there is no checkpoint");
    return status == DOSI_OK ? checkpoint_write(&training->checkpoint,
                                   &training->state, err)
                             : status;
}

/* ---- What is public ----------------------------------------------------- */

void dosi_training_state(
    dosi_training_report *out, const dosi_training *training)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const dosi_training *t = training;
    double distance = t->settings.sampler == TRAIN_POISSON ? 1 : 2;

    *out = (dosi_training_report){.n_steps = (size_t)t->steps,
        .n_used = (size_t)t->state.used,
        .n_updates = (size_t)t->state.n_updates,
        .n_parameters = t->pass == NULL ? 0 : t->state.n_parameters,
        .parameters = t->pass == NULL ? NULL : t->state.parameters,
        .plan = t->plan,
        .sigma = t->sigma,
        .noise_multiplier = distance * t->sigma,
        .delta = t->settings.delta,
        .epsilon = t->epsilon,
        .neighbours = t->settings.neighbours,
        .unit = t->settings.schema.user == NULL ? "row" : "user",
        .n_assumptions = t->n_assumptions,
        .assumptions = t->assumptions};
}

/* Plan, epsilon and assumptions. */
static dosi_status set_cost(
    dosi_model *model, const dosi_training *t, dosi_error *err)
{
    size_t length;
    dosi_status status =
        dosi_plan_print(NULL, 0, &length, t->plan, DOSI_FORM_TEXT, err);

    if (status != DOSI_OK)
        return status;
    model->plan = malloc(length + 1);
    if (model->plan == NULL)
        return dosi_fail_memory(err);
    status = dosi_plan_print(
        model->plan, length + 1, &length, t->plan, DOSI_FORM_TEXT, err);
    model->delta = t->settings.delta;
    model->epsilon = t->epsilon;
    model->neighbours = t->settings.neighbours;
    model->unit = t->settings.schema.user == NULL ? "row" : "user";
    for (size_t i = 0; i < t->n_assumptions && status == DOSI_OK; i++)
        if (!name_list_add(&model->assumptions, t->assumptions[i],
                strlen(t->assumptions[i])))
            status = dosi_fail_memory(err);
    return status;
}

dosi_status dosi_training_model(
    dosi_model **out, const dosi_training *training, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const dosi_training *t = training;
    struct name_list texts = {0};

    *out = NULL;
    dosi_status status = check_started(t, err);
    if (status == DOSI_OK)
        status = model_settings(&texts, &t->settings.schema, err);
    if (status == DOSI_OK)
        status = model_new(out, (const char *const *)texts.names, texts.n,
            t->state.parameters, t->network.n_parameters, err);
    if (status == DOSI_OK)
        status = set_cost(*out, t, err);
    if (status != DOSI_OK) {
        dosi_model_free(*out);
        *out = NULL;
    }
    name_list_free(&texts);
    return status;
}
