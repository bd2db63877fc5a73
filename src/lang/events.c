/*
 * Plans as event trees of dp_accounting.
 */
#include "events.h"

#include <math.h>

#include "base/error.h"
#include "plan/normal.h"
#include "num/ball.h"

typedef struct event_field {
    const char *name;
    size_t parameter; /* index in the kind's row */
} event_field;

typedef struct event_row {
    const char *class_name; /* NULL when the kind has no event */
    event_field fields[2];  /* those that are a parameter as it is */
    const char *constants;  /* members that are always the same, or NULL */
    const char *child;      /* member that holds what is inside, or NULL */
} event_row;

static const event_row event_rows[DOSI_KIND_COUNT] = {
    [DOSI_GAUSSIAN] = {.class_name = "GaussianDpEvent"},
    [DOSI_LAPLACE] = {.class_name = "LaplaceDpEvent"},
    [DOSI_DISCRETE_GAUSSIAN] = {.class_name = "DiscreteGaussianDpEvent",
        .fields = {{"sigma", 0}},
        .constants = "\"dimension\":1"},
    [DOSI_DISCRETE_LAPLACE] = {.class_name = "DiscreteLaplaceDpEvent"},
    [DOSI_RANDOMIZED_RESPONSE] = {.class_name = "RandomizedResponseDpEvent"},
    [DOSI_EXPONENTIAL] = {.class_name = "ExponentialMechanismDpEvent",
        .fields = {{"epsilon", 0}}},
    [DOSI_PURE] = {.class_name = "EpsilonDeltaDpEvent",
        .fields = {{"epsilon", 0}},
        .constants = "\"delta\":0"},
    [DOSI_APPROX] = {.class_name = "EpsilonDeltaDpEvent",
        .fields = {{"epsilon", 0}, {"delta", 1}}},
    [DOSI_ZCDP] = {.class_name = "ZCDpEvent",
        .fields = {{"rho", 0}, {"xi", 1}}},
    [DOSI_NONPRIVATE] = {.class_name = "NonPrivateDpEvent"},
    [DOSI_POISSON] = {.class_name = "PoissonSampledDpEvent",
        .fields = {{"sampling_probability", 0}},
        .child = "event"},
    [DOSI_WITHOUT_REPLACEMENT] = {.class_name =
                                      "SampledWithoutReplacementDpEvent",
        .fields = {{"source_dataset_size", 1}, {"sample_size", 0}},
        .child = "event"},
    [DOSI_WITH_REPLACEMENT] = {.class_name = "SampledWithReplacementDpEvent",
        .fields = {{"source_dataset_size", 1}, {"sample_size", 0}},
        .child = "event"},
    [DOSI_REPEAT] = {.class_name = "SelfComposedDpEvent",
        .fields = {{"count", 0}},
        .child = "event"},
    [DOSI_COMPOSE] = {.class_name = "ComposedDpEvent", .child = "events"},
};

/* A double >= 1 / scale, equal to it when that is a double. */
static double inverse_upper(double scale)
{
    double x = 1 / scale;
    /* fma rounds once, so its sign is that of x * scale - 1 */
    return fma(x, scale, -1) < 0 ? nextafter(x, HUGE_VAL) : x;
}

/* The noise parameter p = k / (exp(epsilon) - 1 + k), rounded down: less
 * noise loses more privacy. */
static double response_noise_lower(double epsilon, double k)
{
    ball below = ball_add_d(ball_expm1(ball_of(epsilon)), k);
    return ball_lower(ball_div(ball_of(k), below));
}

/* A double <= x / k, equal to it when that is a double. */
static double quotient_lower(double x, double k)
{
    double y = x / k;
    return fma(y, k, -x) > 0 ? nextafter(y, 0) : y;
}

/* The parameter that a class keeps in another unit. */
static dosi_status events_noise(const sink *to, const dosi_plan *plan,
    double n_records, dosi_error *err)
{
    const double *x = plan->parameters;
    bool is_added = plan->kind == DOSI_GAUSSIAN || plan->kind == DOSI_LAPLACE;
    double noise = is_added ? quotient_lower(x[0], n_records)
                   : plan->kind == DOSI_DISCRETE_LAPLACE
                       ? inverse_upper(x[0])
                       : response_noise_lower(x[0], x[1]);
    if (is_added) {
        dosi_sink_member(to, "noise_multiplier");
        dosi_sink_number(to, noise);
        return DOSI_OK;
    }
    if (!(noise > 0 && noise < HUGE_VAL)) {
        char got[DOSI_NUMBER_BYTES];
        dosi_print_exact(got, x[0]);
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: the noise_parameter of %s(%s) is not a double",
            dosi_kind_row(plan->kind)->name, got);
    }
    dosi_sink_member(to, "noise_parameter");
    dosi_sink_number(to, noise);
    if (plan->kind == DOSI_RANDOMIZED_RESPONSE) {
        dosi_sink_member(to, "num_buckets");
        dosi_sink_number(to, x[1]);
    }
    return DOSI_OK;
}

static dosi_status events_check(const dosi_plan *plan, dosi_error *err)
{
    const char *name = dosi_kind_row(plan->kind)->name;
    if (event_rows[plan->kind].class_name == NULL)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: dp_accounting has no event for %s", name);
    if (plan->hole != PLAN_NO_HOLE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: dp_accounting cannot express the hole in %s", name);
    if (plan->kind == DOSI_ZCDP && plan->parameters[2] != 0)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: dp_accounting has no event for %s with delta > 0", name);
    return DOSI_OK;
}

static dosi_status events_write(const sink *to, const dosi_plan *plan,
    bool is_replaced, dosi_error *err);

static dosi_status events_children(const sink *to, const dosi_plan *plan,
    const event_row *row, bool is_replaced, dosi_error *err)
{
    bool is_list = plan->kind == DOSI_COMPOSE;
    dosi_sink_member(to, row->child);
    for (size_t i = 0; i < plan->n_children; i++) {
        if (is_list)
            dosi_sink_text(to, i == 0 ? "[" : ",");
        dosi_status status =
            events_write(to, plan->children[i], is_replaced, err);
        if (status != DOSI_OK)
            return status;
    }
    if (is_list)
        dosi_sink_text(to, "]");
    return DOSI_OK;
}

static bool is_integer_noise(const dosi_plan *plan)
{
    return plan->kind == DOSI_DISCRETE_GAUSSIAN ||
           plan->kind == DOSI_DISCRETE_LAPLACE;
}

static bool is_noise(const dosi_plan *plan)
{
    return plan->kind == DOSI_GAUSSIAN || plan->kind == DOSI_LAPLACE ||
           is_integer_noise(plan);
}

/* Whether the plan's distance is that of a record replaced in what a kind
 * holds; is_replaced is so where the kind stands. */
static bool inside_is_replaced(dosi_kind kind, bool is_replaced)
{
    if (kind == DOSI_WITHOUT_REPLACEMENT || kind == DOSI_WITH_REPLACEMENT)
        return true;
    return kind != DOSI_POISSON && is_replaced;
}

static dosi_status events_write(const sink *to, const dosi_plan *plan,
    bool is_replaced, dosi_error *err)
{
    double sensitivity = 1;
    if (plan->kind == DOSI_GROUP && plan->hole == PLAN_NO_HOLE &&
        is_noise(plan->children[0])) {
        sensitivity = plan->parameters[0];
        plan = plan->children[0];
    }
    if (is_replaced)
        sensitivity = ceil(sensitivity / 2);
    const event_row *row = &event_rows[plan->kind];
    dosi_status status = events_check(plan, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_is_nothing(plan)) {
        dosi_sink_text(to, "{\"class_name\":\"NoOpDpEvent\"}");
        return DOSI_OK;
    }
    dosi_sink_text(to, "{\"class_name\":\"");
    dosi_sink_text(to, row->class_name);
    dosi_sink_text(to, "\"");
    if (row->fields[0].name == NULL && row->child == NULL &&
        plan->kind != DOSI_NONPRIVATE)
        status = events_noise(to, plan, sensitivity, err);
    for (size_t i = 0; i < 2 && row->fields[i].name != NULL; i++) {
        dosi_sink_member(to, row->fields[i].name);
        dosi_sink_number(to, plan->parameters[row->fields[i].parameter]);
    }
    if (is_integer_noise(plan)) {
        dosi_sink_member(to, "sensitivity");
        dosi_sink_number(to, sensitivity);
    }
    if (row->constants != NULL) {
        dosi_sink_text(to, ",");
        dosi_sink_text(to, row->constants);
    }
    if (row->child != NULL && status == DOSI_OK)
        status = events_children(to, plan, row,
            inside_is_replaced(plan->kind, is_replaced), err);
    dosi_sink_text(to, "}");
    return status;
}

/* Whether neighbours are those of replace, if nothing else is said. */
static bool plan_replaces(const dosi_plan *plan)
{
    bool replaces = plan->kind == DOSI_WITHOUT_REPLACEMENT;
    for (size_t i = 0; i < plan->n_children; i++)
        replaces = replaces || plan_replaces(plan->children[i]);
    return replaces;
}

dosi_status dosi_sink_events(
    const sink *to, const dosi_plan *plan, dosi_error *err)
{
    return events_write(to, plan, plan_replaces(plan), err);
}
