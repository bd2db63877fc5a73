/*
 * Whether delta at an epsilon is certainly within a given one: by Chernoff's
 * bound, or else by a contour of few nodes.
 */
#include "engine_impl.h"

/* If fewer nats lie between both deltas, a comparison costs as much as the
 * value. */
#define MIN_GAP_NATS 0.02

/* The error of the guessed cumulant, which it hardly ever exceeds. */
#define GUESS_ERROR_NATS 0.1

/* Tilts the parts for their cumulants alone and encloses K(t) of the plan, with
 * a radius of about a hundredth; unknown if some part has no cumulant at t. */
static dosi_status cumulant_at(
    ball *out, contour_engine *s, double t, dosi_error *err)
{
    ball sum = ball_of(0);
    *out = ball_unknown();
    contour_release_last(s);
    for (size_t i = 0; i < s->parts.n; i++) {
        contour_part *p = &s->parts.items[i];
        part_request w = {.t = t,
            .multiple = 1,
            .step = 1,
            .digits = 16 + log(p->count) + log1p((double)s->parts.n)};
        bool found = false;
        dosi_status status = p->type->tilt(&found, p, &w, err);
        if (status != DOSI_OK || !found)
            return status;
        sum = ball_add(sum, ball_mul_d(p->cumulant, p->count));
    }
    *out = sum;
    return DOSI_OK;
}

/* delta = E[(1 - e^(eps - Z))_+] <= C(t) e^{K(t) - t eps}. */
static dosi_status is_by_chernoff(bool *out, contour_engine *s,
    const contour_choice *choice, dosi_interval target, dosi_error *err)
{
    double t = choice->t;
    ball log_c = contour_log_kernel(ball_of(t)), cumulant, drop;
    cumulant_guess r;
    *out = false;
    if (!contour_total(&r, &s->parts, t) ||
        !(ball_mid(log_c) + r.k0 - t * choice->epsilon + GUESS_ERROR_NATS <
            target.lo))
        return DOSI_OK;
    drop = ball_mul(ball_of(choice->epsilon), ball_of(t));
    dosi_status status = cumulant_at(&cumulant, s, t, err);
    ball bound = ball_add(log_c, ball_sub(cumulant, drop));
    *out = status == DOSI_OK && ball_upper(bound) <= target.lo;
    return status;
}

static dosi_status is_by_contour(bool *out, contour_engine *s,
    contour_choice *choice, dosi_interval target, dosi_error *err)
{
    double aim = fmin((target.lo - choice->log_estimate) / 8, 0.05);
    *out = false;
    if (!(8 * aim > MIN_GAP_NATS))
        return DOSI_OK;
    contour_effort effort = {.width = aim, .tolerance = aim};
    dosi_status status = engine_build(s, choice, effort, err);
    if (status == DOSI_OK && s->has_contour)
        *out = contour_read(&s->contour, choice->epsilon).hi <= target.lo;
    return status;
}

dosi_status engine_is_within(bool *out, contour_engine *s, double epsilon,
    ball delta, ball log_delta, dosi_error *err)
{
    dosi_interval target, known;
    *out = false;
    (void)contour_truncate_draws(s, ball_mid(log_delta));
    if (!contour_finite_target(&target, &known, s, delta, log_delta)) {
        *out = known.hi <= epsilon;
        return DOSI_OK;
    }
    if (contour_beyond_largest(&known, s, epsilon)) {
        *out = known.hi <= target.lo;
        return DOSI_OK;
    }
    if (contour_reuse(s) > 0) {
        known = contour_read_kept(s, epsilon);
        bool is_clear = known.hi <= target.lo || known.lo > target.hi;
        if (is_clear) {
            *out = !(known.lo > target.hi);
            return DOSI_OK;
        }
    }
    contour_choice choice;
    contour_set_guess_budget(s);
    s->guess_budget = 0; /* the next question is granted as many */
    dosi_status status = DOSI_OK;
    if (!contour_saddle_at_epsilon(&choice, &s->parts, epsilon))
        return contour_check_memory(status, s, err);
    status = is_by_chernoff(out, s, &choice, target, err);
    if (status == DOSI_OK && !*out)
        status = is_by_contour(out, s, &choice, target, err);
    return contour_check_memory(status, s, err);
}
