/*
 * Plans as event trees of dp_accounting. The class of each kind and its
 * members are a column of the kind table; this file converts the noise
 * parameters that dp_accounting keeps in another unit, each rounded to the
 * side of less noise.
 */
#include "events.h"

#include <math.h>

#include "base/error.h"
#include "plan/normal.h"
#include "num/ball.h"

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

/* The noise parameter in the unit of the event's class. */
static double event_noise_of(const dosi_plan *plan, double n_records)
{
    const double *x = plan->parameters;
    switch (dosi_kind_row(plan->kind)->event.noise) {
    case EVENT_NOISE_MULTIPLIER:
        return quotient_lower(x[0], n_records);
    case EVENT_NOISE_INVERSE:
        return inverse_upper(x[0]);
    case EVENT_NOISE_RESPONSE:
        return response_noise_lower(x[0], x[1]);
    case EVENT_NOISE_NONE:
        break;
    }
    return (double)NAN;
}

static dosi_status events_noise(const sink *to, const dosi_plan *plan,
    double n_records, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(plan->kind);
    double noise = event_noise_of(plan, n_records);
    if (row->event.noise == EVENT_NOISE_MULTIPLIER) {
        dosi_sink_member(to, "noise_multiplier");
        dosi_sink_number(to, noise);
        return DOSI_OK;
    }
    if (!(noise > 0 && noise < HUGE_VAL)) {
        char got[DOSI_NUMBER_BYTES];
        dosi_print_exact(got, plan->parameters[0]);
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: the noise_parameter of %s(%s) is not a double",
            row->name, got);
    }
    dosi_sink_member(to, "noise_parameter");
    dosi_sink_number(to, noise);
    if (row->event.noise == EVENT_NOISE_RESPONSE) {
        dosi_sink_member(to, "num_buckets");
        dosi_sink_number(to, plan->parameters[1]);
    }
    return DOSI_OK;
}

/* Whether the event has a member for the parameter. */
static bool event_has_field(const kind_event *event, size_t parameter)
{
    for (size_t i = 0; i < 2 && event->fields[i].name != NULL; i++)
        if (event->fields[i].parameter == parameter)
            return true;
    return false;
}

static dosi_status events_check(const dosi_plan *plan, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(plan->kind);
    if (row->event.class_name == NULL)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: dp_accounting has no event for %s", row->name);
    if (plan->hole != PLAN_NO_HOLE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "events: dp_accounting cannot express the hole in %s", row->name);
    for (size_t i = 0; i < row->n_parameters; i++)
        if (row->parameters[i].bound == BOUND_LEAK &&
            plan->parameters[i] != 0 && !event_has_field(&row->event, i))
            return dosi_fail(err, DOSI_EUNSUPPORTED,
                "events: dp_accounting has no event for %s with %s > 0",
                row->name, row->parameters[i].name);
    return DOSI_OK;
}

static dosi_status events_write(const sink *to, const dosi_plan *plan,
    bool is_replaced, dosi_error *err);

static dosi_status events_children(const sink *to, const dosi_plan *plan,
    bool is_replaced, dosi_error *err)
{
    bool is_list = plan->kind == DOSI_COMPOSE;
    dosi_sink_member(to, dosi_kind_row(plan->kind)->event.child);
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

/* Whether the event says how far neighbours' answers are apart. */
static bool has_distance(const dosi_plan *plan)
{
    const kind_event *event = &dosi_kind_row(plan->kind)->event;
    return event->has_sensitivity || event->noise == EVENT_NOISE_MULTIPLIER;
}

/* Whether distances below a node are those of a record replaced; is_replaced
 * says so of the node itself. */
static bool inside_is_replaced(const kind_row *row, bool is_replaced)
{
    return row->role == KIND_SAMPLER ? row->samples_under == DOSI_REPLACE
                                     : is_replaced;
}

static dosi_status events_write(const sink *to, const dosi_plan *plan,
    bool is_replaced, dosi_error *err)
{
    double sensitivity = 1;
    if (plan->kind == DOSI_GROUP && plan->hole == PLAN_NO_HOLE &&
        has_distance(plan->children[0])) {
        sensitivity = plan->parameters[0];
        plan = plan->children[0];
    }
    if (is_replaced)
        sensitivity = ceil(sensitivity / 2);
    const kind_row *row = dosi_kind_row(plan->kind);
    const kind_event *event = &row->event;
    dosi_status status = events_check(plan, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_is_nothing(plan)) {
        dosi_sink_text(to, "{\"class_name\":\"NoOpDpEvent\"}");
        return DOSI_OK;
    }
    dosi_sink_text(to, "{\"class_name\":\"");
    dosi_sink_text(to, event->class_name);
    dosi_sink_text(to, "\"");
    if (event->noise != EVENT_NOISE_NONE)
        status = events_noise(to, plan, sensitivity, err);
    for (size_t i = 0; i < 2 && event->fields[i].name != NULL; i++) {
        dosi_sink_member(to, event->fields[i].name);
        dosi_sink_number(to, plan->parameters[event->fields[i].parameter]);
    }
    if (event->has_sensitivity) {
        dosi_sink_member(to, "sensitivity");
        dosi_sink_number(to, sensitivity);
    }
    if (event->constants != NULL) {
        dosi_sink_text(to, ",");
        dosi_sink_text(to, event->constants);
    }
    if (event->child != NULL && status == DOSI_OK)
        status = events_children(
            to, plan, inside_is_replaced(row, is_replaced), err);
    dosi_sink_text(to, "}");
    return status;
}

dosi_status dosi_sink_events(
    const sink *to, const dosi_plan *plan, dosi_error *err)
{
    bool is_replaced = dosi_kind_natural(plan) == DOSI_REPLACE;
    return events_write(to, plan, is_replaced, err);
}
