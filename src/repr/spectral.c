/*
 * Questions to a plan by contours: chosen, built, and inverted by certain
 * signs.
 */
#include "spectral.h"

#include <stdlib.h>

#include "base/error.h"
#include "loss_drawn.h"
#include "spectral_engine.h"

/* Pairs of outer and inner nodes, some 4 ns each. */
#define MAX_COST 4e7

/* ---- Making ------------------------------------------------------------ */

void spectral_drop_contour(spectral *s)
{
    if (s->has_contour)
        spectral_contour_free(&s->contour);
    s->has_contour = false;
}

static void gather(spectral *s)
{
    s->log_keep = s->largest = ball_of(0);
    for (size_t i = 0; i < s->parts.n; i++) {
        const spectral_part *p = &s->parts.items[i];
        if (!ball_is_infinite(s->largest)) {
            ball most = p->type->largest(p->law);
            s->largest = ball_is_infinite(most)
                             ? most
                             : ball_add(s->largest,
                                   ball_mul_d(most, p->count));
        }
        ball lost = p->law->noise == LOSS_FINITE
                        ? atoms_p_inf(p->law->finite)
                        : loss_drawn_lost(p->law);
        if (!ball_is_zero(lost))
            s->log_keep = ball_add(s->log_keep,
                ball_mul_d(ball_log1p(ball_neg(lost)), p->count));
    }
}

dosi_status spectral_new(spectral **out, const loss *laws, size_t n,
    work_limits *limits, dosi_error *err)
{
    *out = NULL;
    spectral *s = calloc(1, sizeof *s);
    spectral_part *parts = calloc(n, sizeof *parts);
    spectral_want *wants = calloc(n, sizeof *wants);
    if (s == NULL || parts == NULL || wants == NULL) {
        free(s);
        free(parts);
        free(wants);
        return dosi_fail_memory(err);
    }
    s->parts = (spectral_parts){n, parts};
    s->wants = wants;
    s->limits = limits;
    spectral_set_max_cost(s, 0);
    for (size_t i = 0; i < n; i++)
        if (!spectral_part_init(&parts[i], &laws[i])) {
            spectral_free(s);
            return DOSI_OK;
        }
    gather(s);
    *out = s;
    return DOSI_OK;
}

void spectral_free(spectral *s)
{
    if (s == NULL)
        return;
    spectral_drop_contour(s);
    for (size_t i = 0; i < s->parts.n; i++)
        spectral_part_free(&s->parts.items[i]);
    free(s->parts.items);
    free(s->wants);
    free(s);
}

/* log(1 - e^log_keep) */
static ball log_lost(const spectral *s)
{
    return ball_is_zero(s->log_keep) ? ball_of(-HUGE_VAL)
                                     : ball_log1mexp(s->log_keep);
}

dosi_interval spectral_log_floor(const spectral *s)
{
    return ball_interval(log_lost(s));
}

dosi_status spectral_whole(
    dosi_status status, const spectral *s, dosi_error *err)
{
    for (size_t i = 0; status == DOSI_OK && i < s->parts.n; i++)
        if (s->parts.items[i].sketch.no_memory)
            return dosi_fail_memory(err);
    return status;
}

void spectral_set_max_cost(spectral *s, double pairs)
{
    /* of hundreds of parts a contour may cost more: few routes have one */
    double most = MAX_COST * fmax(1, (double)s->parts.n / 300);
    s->max_cost = pairs > 0 ? pairs : most;
}

dosi_status spectral_deviation(
    double *out, const spectral *s, dosi_error *err)
{
    *out = spectral_spread(&s->parts);
    return spectral_whole(DOSI_OK, s, err);
}

/* Nodes of all sketches that steering may look at for one question; fewer
 * after questions that came to nothing. */
#define MOST_LOOKS 6e7
#define LEAST_LOOKS 4e5

void spectral_grant_looks(spectral *s)
{
    s->looks = s->has_contour || s->looks == 0 ? MOST_LOOKS : s->looks / 8;
    double each = fmax(s->looks / (double)s->parts.n, LEAST_LOOKS);
    for (size_t i = 0; i < s->parts.n; i++)
        s->parts.items[i].sketch.budget = each;
}

/* ---- delta ------------------------------------------------------------- */

bool spectral_beyond_largest(
    dosi_interval *out, const spectral *s, double epsilon)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (ball_lower(s->largest) > epsilon)
        return false;
    if (ball_upper(s->largest) <= epsilon)
        out->hi = -HUGE_VAL; /* the loss never exceeds epsilon */
    return true;
}

dosi_status spectral_build(spectral *s, spectral_choice *choice,
    double width, bool is_scout, dosi_error *err)
{
    spectral_effort effort = {width, s->max_cost, is_scout};
    spectral_drop_contour(s);
    if (!spectral_choose(choice, s->wants, &s->parts, &effort))
        return DOSI_OK;
    return spectral_contour_build(&s->contour, &s->has_contour, &s->parts,
        s->wants, choice, s->limits, err);
}

/* ---- In double-doubles ------------------------------------------------- */

/* Pairs of nodes, some 15 ns each. */
#define MAX_FINE_COST 1e8
#define MAX_FINE_PARTS 4

bool spectral_can_be_fine(const spectral *s)
{
    for (size_t i = 0; i < s->parts.n; i++)
        if (s->parts.items[i].type != &spectral_sampled)
            return false;
    return s->parts.n <= MAX_FINE_PARTS && s->max_cost >= MAX_COST;
}

dosi_status spectral_build_fine(spectral *s, double epsilon,
    double log_delta, double share, dosi_error *err)
{
    spectral_choice choice;
    spectral_effort effort = {
        work_width(s->limits), share * MAX_FINE_COST, false};
    spectral_drop_contour(s);
    spectral_grant_looks(s);
    if (!spectral_saddle_at_epsilon(&choice, &s->parts, epsilon))
        return DOSI_OK;
    choice.log_estimate = log_delta;
    if (!spectral_choose_fine(&choice, s->wants, &s->parts, &effort))
        return DOSI_OK;
    return spectral_contour_build(&s->contour, &s->has_contour, &s->parts,
        s->wants, &choice, s->limits, err);
}

static double width_of(dosi_interval log_value)
{
    return log_value.hi - log_value.lo;
}

dosi_status spectral_finite_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err)
{
    if (spectral_beyond_largest(out, s, epsilon))
        return DOSI_OK;
    double wanted = work_width(s->limits) / 2;
    if (s->has_contour) {
        *out = spectral_contour_read(&s->contour, epsilon);
        if (width_of(*out) <= fmin(wanted, 1e-11))
            return DOSI_OK;
    }
    spectral_choice choice;
    if (!spectral_saddle_at_epsilon(&choice, &s->parts, epsilon))
        return DOSI_OK;
    dosi_status status = spectral_build(s, &choice, wanted, false, err);
    if (status == DOSI_OK && s->has_contour)
        *out = iv_meet(*out, spectral_contour_read(&s->contour, epsilon));
    return status;
}

/* In double-doubles; the first may show that delta is far smaller than was
 * known. */
static dosi_status refine(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err)
{
    for (int i = 0; i < 2 && width_of(*out) > 1e-9; i++) {
        double log_delta = out->lo > -HUGE_VAL ? out->lo : out->hi - 10;
        dosi_status status =
            spectral_build_fine(s, epsilon, log_delta, FINE_SHARE, err);
        if (status != DOSI_OK || !s->has_contour)
            return status;
        *out = iv_meet(*out, spectral_contour_read(&s->contour, epsilon));
    }
    return DOSI_OK;
}

dosi_status spectral_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err)
{
    spectral_grant_looks(s);
    dosi_status status = spectral_finite_log_delta(out, s, epsilon, err);
    if (status == DOSI_OK && out->hi > -HUGE_VAL && spectral_can_be_fine(s))
        status = refine(out, s, epsilon, err);
    status = spectral_whole(status, s, err);
    if (status != DOSI_OK || ball_is_zero(s->log_keep))
        return status;
    ball lost = log_lost(s); /* unknown where it is next to nothing */
    out->lo = fmax(
        out->lo, ball_lower(ball_logaddexp(ball_of(out->lo), lost)));
    out->hi = fmin(ball_upper(ball_logaddexp(ball_of(out->hi), lost)), 0);
    return DOSI_OK;
}
