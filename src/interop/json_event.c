/*
 * Writes event trees of dp_accounting as the text of plans. Each class of
 * events has a row with the function that writes it; numbers in another unit
 * are rounded to the side of more privacy loss.
 */
#include "json_event.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

typedef json_event_place event_place;

#define WITHOUT_REPLACEMENT "SampledWithoutReplacementDpEvent"

/* Reads a field of an event that must be a number. */
static dosi_status event_number(
    double *out, const cJSON *event, const char *field, dosi_error *err)
{
    const cJSON *value = json_member(event, field);
    *out = 0;
    if (!cJSON_IsNumber(value))
        return dosi_fail(err, DOSI_EINVAL, "%s: %s must be a number",
            json_string(json_member(event, "class_name")), field);
    *out = value->valuedouble;
    return DOSI_OK;
}

static void event_append(dosi_buffer *text, double x)
{
    char number[DOSI_NUMBER_BYTES];
    dosi_buffer_bytes(text, number, dosi_print_exact(number, x));
}

/* Writes kind(number) for an event with one number. */
static dosi_status event_simple(dosi_buffer *text, const cJSON *event,
    const char *kind, const char *field, dosi_error *err)
{
    double x;
    dosi_status status = event_number(&x, event, field, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, kind);
    dosi_buffer_text(text, "(");
    event_append(text, x);
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

/* Writes additive noise; a multiplier of 0 is no noise at all. */
static dosi_status event_noise(dosi_buffer *text, const cJSON *event,
    const char *kind, dosi_error *err)
{
    double x;
    dosi_status status = event_number(&x, event, "noise_multiplier", err);
    if (status != DOSI_OK)
        return status;
    if (x == 0) {
        dosi_buffer_text(text, "nonprivate()");
        return DOSI_OK;
    }
    return event_simple(text, event, kind, "noise_multiplier", err);
}

static dosi_status event_gaussian(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)at;
    return event_noise(text, event, "gaussian", err);
}

static dosi_status event_laplace(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)at;
    return event_noise(text, event, "laplace", err);
}

static dosi_status event_exponential(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)at;
    return event_simple(text, event, "exponential", "epsilon", err);
}

/* Writes group(sensitivity, kind(scale)): integer noise on an answer of larger
 * sensitivity. */
static dosi_status event_integer_noise(dosi_buffer *text,
    const cJSON *event, const char *kind, double scale, dosi_error *err)
{
    double sensitivity = 1;
    if (json_member(event, "sensitivity") != NULL) {
        dosi_status status =
            event_number(&sensitivity, event, "sensitivity", err);
        if (status != DOSI_OK)
            return status;
    }
    if (sensitivity != 1) {
        dosi_buffer_text(text, "group(");
        event_append(text, sensitivity);
        dosi_buffer_text(text, ", ");
    }
    dosi_buffer_text(text, kind);
    dosi_buffer_text(text, "(");
    event_append(text, scale);
    dosi_buffer_text(text, sensitivity != 1 ? "))" : ")");
    return DOSI_OK;
}

static dosi_status event_discrete_laplace(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    (void)at;
    double parameter;
    dosi_status status =
        event_number(&parameter, event, "noise_parameter", err);
    if (status != DOSI_OK)
        return status;
    if (!(parameter > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "DiscreteLaplaceDpEvent: noise_parameter must be positive, "
            "got %g", parameter);
    double scale = 1 / parameter;
    if (fma(scale, parameter, -1) > 0) /* rounded up: more noise */
        scale = nextafter(scale, 0);
    return event_integer_noise(text, event, "discrete_laplace", scale, err);
}

static dosi_status event_discrete_gaussian(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    (void)at;
    double sigma, dimension;
    dosi_status status = event_number(&sigma, event, "sigma", err);
    if (status == DOSI_OK) /* unknown, if there is none */
        status = event_number(&dimension, event, "dimension", err);
    if (status != DOSI_OK)
        return status;
    if (dimension != 1)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "DiscreteGaussianDpEvent: only dimension 1 has a kind, got %g",
            dimension);
    return event_integer_noise(text, event, "discrete_gaussian", sigma, err);
}

/* The answer is a uniform bucket with probability p, and else true:
 * e^epsilon = 1 + k (1 - p) / p. */
static dosi_status event_randomized_response(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    (void)at;
    double p, n_buckets;
    dosi_status status = event_number(&p, event, "noise_parameter", err);
    if (status == DOSI_OK)
        status = event_number(&n_buckets, event, "num_buckets", err);
    if (status != DOSI_OK)
        return status;
    if (!(p >= 0 && p <= 1))
        return dosi_fail(err, DOSI_EINVAL,
            "RandomizedResponseDpEvent: noise_parameter must be in [0, 1], "
            "got %g", p);
    if (p == 0) {
        dosi_buffer_text(text, "nonprivate()");
        return DOSI_OK;
    }
    double epsilon = 0;
    if (p < 1) {
        epsilon = log1p(n_buckets * (1 - p) / p);
        /* 1-p, the product, the quotient: 3 half units, and 4 units of
         * log1p; a larger epsilon is the safe side */
        epsilon += epsilon * 0x1p-48;
    }
    dosi_buffer_text(text, "rr(");
    event_append(text, epsilon);
    dosi_buffer_text(text, ", ");
    event_append(text, n_buckets);
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

static dosi_status event_pair(dosi_buffer *text, const cJSON *event,
    const char *kind, const char *first, const char *second, dosi_error *err)
{
    double a, b = 0;
    dosi_status status = event_number(&a, event, first, err);
    if (status == DOSI_OK && json_member(event, second) != NULL)
        status = event_number(&b, event, second, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, kind);
    dosi_buffer_text(text, "(");
    event_append(text, a);
    dosi_buffer_text(text, ", ");
    event_append(text, b);
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

static dosi_status event_epsilon_delta(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    (void)at;
    return event_pair(text, event, "approx", "epsilon", "delta", err);
}

static dosi_status event_zcdp(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)at;
    return event_pair(text, event, "zcdp", "rho", "xi", err);
}

static dosi_status event_no_op(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)event;
    (void)at;
    (void)err;
    dosi_buffer_text(text, "pure(0)");
    return DOSI_OK;
}

static dosi_status event_non_private(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    (void)event;
    (void)at;
    (void)err;
    dosi_buffer_text(text, "nonprivate()");
    return DOSI_OK;
}

static dosi_status event_composed(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    const cJSON *parts = json_member(event, "events");
    if (!cJSON_IsArray(parts))
        return dosi_fail(
            err, DOSI_EINVAL, "ComposedDpEvent: events must be a list");
    if (parts->child == NULL)
        return event_no_op(text, event, at, err);
    const cJSON *part;
    at.level++;
    cJSON_ArrayForEach (part, parts) {
        dosi_buffer_text(text, part == parts->child ? "(" : " + ");
        dosi_status status = json_event_write(text, part, at, err);
        if (status != DOSI_OK)
            return status;
    }
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

static dosi_status event_self_composed(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    double count;
    dosi_status status = event_number(&count, event, "count", err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, "(");
    at.level++;
    status = json_event_write(text, json_member(event, "event"), at, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, ") * ");
    event_append(text, count);
    return DOSI_OK;
}

static dosi_status event_poisson(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    double rate;
    dosi_status status =
        event_number(&rate, event, "sampling_probability", err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, "poisson(");
    event_append(text, rate);
    dosi_buffer_text(text, ", ");
    at.level++;
    at.is_replaced = false; /* as poisson(rate, M) takes M, also in replace */
    status = json_event_write(text, json_member(event, "event"), at, err);
    dosi_buffer_text(text, ")");
    return status;
}

static dosi_status event_batch(dosi_buffer *text, const cJSON *event,
    const char *kind, event_place at, dosi_error *err)
{
    double population, batch;
    dosi_status status =
        event_number(&population, event, "source_dataset_size", err);
    if (status == DOSI_OK)
        status = event_number(&batch, event, "sample_size", err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, kind);
    dosi_buffer_text(text, "(");
    event_append(text, batch);
    dosi_buffer_text(text, ", ");
    event_append(text, population);
    dosi_buffer_text(text, ", ");
    at.level++;
    at.is_replaced = true; /* the batch keeps its size */
    status = json_event_write(text, json_member(event, "event"), at, err);
    dosi_buffer_text(text, ")");
    return status;
}

static dosi_status event_without_replacement(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    return event_batch(text, event, "without_replacement", at, err);
}

static dosi_status event_with_replacement(dosi_buffer *text,
    const cJSON *event, event_place at, dosi_error *err)
{
    return event_batch(text, event, "with_replacement", at, err);
}

/* The neighbours that the numbers of an event refer to. */
typedef enum event_about {
    ABOUT_RECORD,    /* noise, relative to the norm of one record */
    ABOUT_NEIGHBOURS, /* a guarantee, stated for the accountant's relation */
    ABOUT_NEITHER
} event_about;

static const struct event_row {
    const char *class_name;
    event_about about;
    dosi_status (*write)(dosi_buffer *text, const cJSON *event,
        event_place at, dosi_error *err);
} event_rows[] = {
    {"GaussianDpEvent", ABOUT_RECORD, event_gaussian},
    {"LaplaceDpEvent", ABOUT_RECORD, event_laplace},
    {"DiscreteGaussianDpEvent", ABOUT_RECORD, event_discrete_gaussian},
    {"DiscreteLaplaceDpEvent", ABOUT_RECORD, event_discrete_laplace},
    {"RandomizedResponseDpEvent", ABOUT_NEIGHBOURS,
        event_randomized_response},
    {"ExponentialMechanismDpEvent", ABOUT_NEIGHBOURS, event_exponential},
    {"EpsilonDeltaDpEvent", ABOUT_NEIGHBOURS, event_epsilon_delta},
    {"ZCDpEvent", ABOUT_NEIGHBOURS, event_zcdp},
    {"NoOpDpEvent", ABOUT_NEITHER, event_no_op},
    {"NonPrivateDpEvent", ABOUT_NEITHER, event_non_private},
    {"ComposedDpEvent", ABOUT_NEITHER, event_composed},
    {"SelfComposedDpEvent", ABOUT_NEITHER, event_self_composed},
    {"PoissonSampledDpEvent", ABOUT_NEITHER, event_poisson},
    {WITHOUT_REPLACEMENT, ABOUT_NEITHER, event_without_replacement},
    {"SampledWithReplacementDpEvent", ABOUT_NEITHER, event_with_replacement},
};

/*
 * Writes an event for the relation of its place in the plan. A replaced record
 * is one removed and one added: it changes a sum by up to twice its norm, and a
 * statement about one record more or less holds for a group of two. A statement
 * about replaced records implies none about added or removed ones.
 */
static dosi_status event_row_write(dosi_buffer *text, const cJSON *event,
    const struct event_row *row, event_place at, dosi_error *err)
{
    bool of_one = row->about == ABOUT_RECORD ||
                  (row->about == ABOUT_NEIGHBOURS && !at.replaces);
    bool doubles = of_one && at.is_replaced;
    if (row->about == ABOUT_NEIGHBOURS && at.replaces && !at.is_replaced)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "a Poisson sample of %s has no theorem under replace: it would "
            "have to be stated for one record added or removed",
            row->class_name);
    dosi_buffer_text(text, doubles ? "group(2, " : "");
    dosi_status status = row->write(text, event, at, err);
    dosi_buffer_text(text, doubles ? ")" : "");
    return status;
}

dosi_status json_event_write(dosi_buffer *text, const cJSON *event,
    event_place at, dosi_error *err)
{
    if (at.level > JSON_MAX_LEVELS)
        return dosi_fail(err, DOSI_EINVAL,
            "events are nested deeper than %d levels", JSON_MAX_LEVELS);
    const char *name =
        json_string(json_member(event, "class_name"));
    if (name == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "an event must be an object with a class_name");
    for (size_t i = 0; i < sizeof event_rows / sizeof *event_rows; i++)
        if (strcmp(name, event_rows[i].class_name) == 0)
            return event_row_write(text, event, &event_rows[i], at, err);
    return dosi_fail(err, DOSI_EUNSUPPORTED, "no kind for the event %.80s",
        name);
}

bool json_event_replaces(const cJSON *event)
{
    const char *name = json_string(json_member(event, "class_name"));
    bool replaces = name != NULL && strcmp(name, WITHOUT_REPLACEMENT) == 0;
    const cJSON *member;
    cJSON_ArrayForEach (member, event)
        replaces = replaces || json_event_replaces(member);
    return replaces;
}
