/*
 * The engine of a plan in one direction: its parts, its limits, and log delta
 * at an epsilon by contours, in doubles and then in double-doubles.
 * docs/theory/contour.md.
 */
#include "engine.h"

#include <stdlib.h>

#include "base/error.h"
#include "loss/loss_with_replacement.h"
#include "engine_impl.h"

/* Pairs of outer and inner nodes that one contour may take, some 4 ns each. */
#define MAX_COST 4e7
#define PAIR_OPERATIONS 1

/* With less memory no contour costs more than the others. */
#define MIN_BYTES_FOR_FACTOR ((size_t)64 << 20)

/* ---- Making ------------------------------------------------------------ */

void contour_release_last(contour_engine *s)
{
    if (s->has_contour && !contour_keep(s))
        contour_free(&s->contour);
    s->has_contour = false;
}

void contour_sum_parts(contour_engine *s)
{
    s->log_keep = s->largest = ball_of(0);
    s->serves_upper_only = false;
    for (size_t i = 0; i < s->parts.n; i++) {
        const contour_part *p = &s->parts.items[i];
        s->serves_upper_only =
            s->serves_upper_only || p->law->map == LOSS_WITH_REPLACEMENT;
        if (!ball_is_infinite(s->largest)) {
            ball most = p->type->largest_loss(p->law);
            s->largest = ball_is_infinite(most)
                             ? most
                             : ball_add(s->largest,
                                   ball_mul_d(most, p->count));
        }
        ball lost = p->law->noise == LOSS_FINITE
                        ? contour_finite_infinite_mass(p->law)
                        : loss_with_replacement_lost(p->law);
        if (!ball_is_zero(lost))
            s->log_keep = ball_add(s->log_keep,
                ball_mul_d(ball_log1p(ball_neg(lost)), p->count));
    }
}

dosi_status engine_new(contour_engine **out, const loss_law *laws, size_t n,
    work_limits *limits, dosi_error *err)
{
    *out = NULL;
    contour_engine *s = calloc(1, sizeof *s);
    contour_part *parts = calloc(n, sizeof *parts);
    part_request *requests = calloc(n, sizeof *requests);
    loss_law *copies = calloc(n, sizeof *copies);
    if (s == NULL || parts == NULL || requests == NULL || copies == NULL) {
        free(s);
        free(parts);
        free(requests);
        free(copies);
        return dosi_fail_memory(err);
    }
    s->parts = (contour_parts){n, parts, limits};
    s->requests = requests;
    s->laws = copies;
    s->limits = limits;
    engine_set_max_cost(s, 0);
    engine_set_target_width(s, 0);
    for (size_t i = 0; i < n; i++) {
        copies[i] = laws[i];
        if (!contour_part_init(&parts[i], &copies[i])) {
            engine_free(s);
            return DOSI_OK;
        }
    }
    contour_sum_parts(s);
    *out = s;
    return DOSI_OK;
}

void engine_free(contour_engine *s)
{
    if (s == NULL)
        return;
    if (s->has_contour)
        contour_free(&s->contour);
    contour_free_kept(s);
    contour_free_reversed(s);
    for (size_t i = 0; i < s->parts.n; i++)
        contour_part_free(&s->parts.items[i]);
    free(s->parts.items);
    free(s->requests);
    free(s->laws);
    free(s);
}

/* log(1 - e^log_keep) */
static dosi_interval log_lost(const contour_engine *s)
{
    if (ball_is_zero(s->log_keep))
        return (dosi_interval){-HUGE_VAL, -HUGE_VAL};
    ball least = ball_of(fmin(ball_upper(s->log_keep), 0));
    ball most = ball_of(fmin(ball_lower(s->log_keep), 0));
    double lo = least.hi < 0 ? ball_lower(ball_log1mexp(least)) : -HUGE_VAL;
    double hi = most.hi < 0 ? ball_upper(ball_log1mexp(most)) : -HUGE_VAL;
    return (dosi_interval){lo, hi};
}

dosi_interval engine_log_floor(const contour_engine *s)
{
    return log_lost(s);
}

dosi_status contour_check_memory(
    dosi_status status, const contour_engine *s, dosi_error *err)
{
    for (size_t i = 0; status == DOSI_OK && i < s->parts.n; i++)
        if (s->parts.items[i].sketch.no_memory)
            return dosi_fail_memory(err);
    return status;
}

void engine_set_max_cost(contour_engine *s, double pairs)
{
    /* a contour of hundreds of parts may cost more: few other routes apply */
    double most = MAX_COST * fmax(1, (double)s->parts.n / 300);
    s->max_cost = pairs > 0 ? pairs : most;
}

/* The width of log delta at which no other contour is tried, by default. */
#define LOG_DELTA_WIDTH 1e-9

void engine_set_target_width(contour_engine *s, double width)
{
    s->target_width = width > 0 ? width : LOG_DELTA_WIDTH;
}

/* Nodes of all sketches that guesses may evaluate for one question. The budget
 * shrinks after questions without a contour, unless many share the work. */
#define MAX_GUESS_BUDGET 6e7
#define MIN_GUESS_BUDGET_PER_PART 4e5

void contour_set_guess_budget(contour_engine *s)
{
    bool is_whole =
        s->has_contour || s->guess_budget == 0 || contour_reuse(s) > 0;
    s->guess_budget = is_whole ? MAX_GUESS_BUDGET : s->guess_budget / 8;
    double each = fmax(
        s->guess_budget / (double)s->parts.n, MIN_GUESS_BUDGET_PER_PART);
    for (size_t i = 0; i < s->parts.n; i++)
        s->parts.items[i].sketch.budget = each;
}

/* ---- delta ------------------------------------------------------------- */

bool contour_beyond_largest(
    dosi_interval *out, const contour_engine *s, double epsilon)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (ball_lower(s->largest) > epsilon)
        return false;
    if (ball_upper(s->largest) <= epsilon)
        out->hi = -HUGE_VAL; /* the loss never exceeds epsilon */
    return true;
}

/* Operations that the choice of a contour takes for one atom of a finite law;
 * guesses of other laws have few nodes. */
#define CHOICE_OPERATIONS_PER_ATOM 300

static double choice_operations(const contour_engine *s)
{
    double n = 0;
    for (size_t i = 0; i < s->parts.n; i++)
        if (s->laws[i].noise == LOSS_FINITE)
            n += (double)s->parts.items[i].sketch.n;
    return CHOICE_OPERATIONS_PER_ATOM * n;
}

dosi_status engine_build(contour_engine *s, contour_choice *choice,
    contour_effort effort, dosi_error *err)
{
    work_spend(s->limits, choice_operations(s));
    double factor = fmax(effort.cost_factor, 1);
    if (work_bytes(s->limits) < MIN_BYTES_FOR_FACTOR)
        factor = 1;
    effort.max_cost =
        fmin(factor * s->max_cost, work_left(s->limits) / PAIR_OPERATIONS);
    contour_release_last(s);
    if (!contour_choose(choice, s->requests, &s->parts, &effort))
        return DOSI_OK;
    return contour_build(&s->contour, &s->has_contour, &s->parts,
        s->requests, choice, s->limits, err);
}

/* ---- In double-doubles ------------------------------------------------- */

#define MAX_DD_PARTS 4

bool contour_has_dd_rules(const contour_engine *s)
{
    size_t n_rules = 0;
    for (size_t i = 0; i < s->parts.n; i++) {
        const contour_type *type = s->parts.items[i].type;
        if (type == &contour_gaussian)
            continue;
        if (type != &contour_group)
            return false;
        n_rules++;
    }
    return n_rules > 0 && n_rules <= MAX_DD_PARTS &&
           s->max_cost >= MAX_COST;
}

static double width_of(dosi_interval log_value)
{
    return log_value.hi - log_value.lo;
}

dosi_status contour_finite_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err)
{
    if (contour_beyond_largest(out, s, epsilon))
        return DOSI_OK;
    double wanted = work_width(s->limits) / 2;
    *out = contour_read_kept(s, epsilon);
    if (width_of(*out) <= fmax(fmin(wanted, 1e-11), contour_reuse(s)))
        return DOSI_OK;
    contour_choice choice;
    if (!contour_saddle_at_epsilon(&choice, &s->parts, epsilon))
        return DOSI_OK;
    dosi_status status =
        engine_build(s, &choice, (contour_effort){.width = wanted}, err);
    if (status == DOSI_OK && s->has_contour)
        *out = iv_meet(*out, contour_read(&s->contour, epsilon));
    return status;
}

/* The width of log delta at which no other contour is tried. */
static double enough_of(const contour_engine *s)
{
    return fmax(s->target_width, contour_reuse(s));
}

/* Narrows log delta by contours in double-doubles. The first one may show that
 * delta is far smaller than was known; the second is chosen for that. */
static dosi_status refine(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err)
{
    for (int i = 0; i < 2 && width_of(*out) > enough_of(s); i++) {
        double log_delta = out->lo > -HUGE_VAL ? out->lo : out->hi - 10;
        dosi_status status = contour_build_dd_at(
            s, epsilon, log_delta, width_of(*out), err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        *out = iv_meet(*out, contour_read(&s->contour, epsilon));
    }
    return DOSI_OK;
}

/* Encloses log delta of the laws as they are truncated now; *out holds the
 * interval that is known. */
static dosi_status log_delta_as_truncated(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err)
{
    contour_set_guess_budget(s);
    dosi_interval found;
    dosi_status status = contour_finite_log_delta(&found, s, epsilon, err);
    *out = iv_meet(*out, found);
    if (status == DOSI_OK && out->hi > -HUGE_VAL &&
        contour_has_dd_rules(s) && !work_stopped(s->limits))
        status = refine(out, s, epsilon, err);
    status = contour_check_memory(status, s, err);
    if (status != DOSI_OK || ball_is_zero(s->log_keep))
        return status;
    dosi_interval lost = log_lost(s);
    out->lo = fmax(out->lo,
        ball_lower(ball_logaddexp(ball_of(out->lo), ball_of(lost.lo))));
    out->hi = fmin(ball_upper(ball_logaddexp(
                       ball_of(out->hi), ball_of(lost.hi))), 0);
    return DOSI_OK;
}

dosi_status engine_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    dosi_status status = log_delta_as_truncated(out, s, epsilon, err);
    for (int i = 0; i < 3 && status == DOSI_OK && out->hi < 0; i++) {
        if (!contour_truncate_draws(s, out->hi))
            break;
        dosi_interval last = *out;
        *out = (dosi_interval){-HUGE_VAL, 0};
        status = log_delta_as_truncated(out, s, epsilon, err);
        out->hi = fmin(out->hi, last.hi);
        /* from below a bound is one of its own law alone */
        out->lo = s->serves_upper_only ? fmin(out->lo, out->hi)
                              : fmax(out->lo, last.lo);
    }
    return status;
}

dosi_interval engine_read_kept(const contour_engine *s, double epsilon)
{
    return contour_read_kept(s, epsilon);
}
