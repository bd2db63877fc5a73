/*
 * Certifies the contour that contour_choose.c chose:
 *
 *   delta = (D/pi) Re( F_0/2 + sum_{n=1}^N F_n ) - aliasing + truncation,
 *   F_n = exp(K(z) - z eps) / (z (z+1)),   z = t + i n D.
 *
 * With smoothing by a Gaussian of standard deviation s > 0 the kernel
 * 1/(z(z+1)) becomes e^{z(z+1)s^2/2}/(z(z+1)) for the upper end (one more
 * Gaussian loses no less) and e^{z^2 s^2/2}/z - e^{(z+1)^2 s^2/2}/(z+1) for the
 * lower (a threshold with Gaussian noise is a test). Derivation:
 * docs/theory/contour.md, section 1.
 */
#include "contour.h"

#include <stdlib.h>

#include "base/error.h"
#include "contour_dd.h"

static ball half_square(double smoothing_sigma, ball x)
{
    return ball_scale2(ball_sqr(ball_mul_d(x, smoothing_sigma)), -1);
}

ball contour_log_kernel(ball s)
{
    if (ball_is_zero(s))
        return s;
    return ball_neg(ball_add(ball_log1p(s),
        ball_mul(s, ball_log1p(ball_div(ball_of(1), s)))));
}

/* log of the aliasing bound at the tilt u = t + a, without e^{-u eps}: e^log_m
 * C(u) e^{-|a| L} / (1 - e^{-|a| L}), M(u) <= e^log_m, L = 2 pi/D, with
 * e^{(u+1)^2 s^2/2} instead of C(u) with smoothing. */
static ball log_alias(const contour_choice *choice, double a, ball log_m)
{
    ball u = ball_add_d(ball_of(choice->t), a);
    ball kernel = choice->smoothing_sigma > 0
                      ? half_square(choice->smoothing_sigma, ball_add_d(u, 1))
                      : contour_log_kernel(u);
    ball period = ball_div(ball_scale2(ball_pi(), 1), ball_of(choice->step));
    ball decay = ball_mul_d(period, -fabs(a));
    ball value = ball_add(ball_add(log_m, kernel), decay);
    return ball_sub(value, ball_log1mexp(decay));
}

/* Bounds log M of the plan at t + a. */
static ball log_moment_upper(const contour_parts *parts, double a)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < parts->n; i++) {
        const contour_part *p = &parts->items[i];
        ball k = ball_of(p->type->cumulant_upper(p, a));
        sum = ball_add(sum, ball_mul_d(k, p->count));
    }
    return sum;
}

/* The truncated integral of the kernel: atan(s/U)/s <= 1/U and <= pi/(2 s), s^2
 * = t (t+1). */
static ball tail_of(const contour_choice *k)
{
    ball outer = ball_mul_d(ball_of(k->step), k->n_outer);
    ball t = ball_of(k->t);
    ball root = ball_sqrt(ball_mul(t, ball_add_d(t, 1)));
    return ball_min(ball_div(ball_of(1), outer),
        ball_div(ball_scale2(ball_pi(), -1), root));
}

/* Bounds the truncation error beyond U = N D, with |chi| <= B there: integrals
 * of 1/|z(z+1)| <= 1/(u^2 + t(t+1)), or of e^{-u^2 s^2/2}/u. */
static void bound_truncation(contour *c, const contour_parts *parts)
{
    const contour_choice *k = &c->choice;
    ball outer = ball_mul_d(ball_of(k->step), k->n_outer);
    ball t = ball_of(k->t), t1 = ball_add_d(t, 1), log_b = ball_of(0);
    for (size_t i = 0; i < parts->n; i++) {
        const contour_part *p = &parts->items[i];
        if (p->type->log_decay == NULL)
            continue;
        double one = fmin(p->type->log_decay(p, ball_lower(outer)), 0);
        log_b = ball_add(log_b, ball_mul_d(ball_of(one), p->count));
    }
    ball tail = tail_of(k);
    if (k->smoothing_sigma > 0) {
        log_b = ball_sub(log_b, half_square(k->smoothing_sigma, outer));
        ball both = ball_add(ball_exp(half_square(k->smoothing_sigma, t)),
            ball_exp(half_square(k->smoothing_sigma, t1)));
        ball u2s2 = ball_sqr(ball_mul_d(outer, k->smoothing_sigma));
        ball lower = ball_div(ball_div(both, u2s2), ball_pi());
        c->truncation_lower = ball_upper(ball_mul(lower, ball_exp(log_b)));
        /* e^{t(t+1)s^2/2} <= e^{(t+1)^2 s^2/2} */
        tail = ball_mul(tail, ball_exp(half_square(k->smoothing_sigma, t1)));
    }
    ball upper = ball_div(ball_mul(tail, ball_exp(log_b)), ball_pi());
    c->truncation_upper = ball_upper(upper);
    if (!(k->smoothing_sigma > 0))
        c->truncation_lower = c->truncation_upper;
}

/* Operations of making the certified rule of a part, for each of its nodes. */
#define TILT_OPERATIONS 100

static dosi_status tilt_all(bool *found, contour *c,
    const contour_parts *parts, const part_request *wants, dosi_error *err)
{
    *found = true;
    c->cumulant = ball_of(0);
    for (size_t i = 0; i < parts->n && *found; i++) {
        contour_part *p = &parts->items[i];
        part_request w = wants[i];
        w.step = c->choice.step; /* the shifted rule rests on it */
        if (p->type->shifted_mean != NULL)
            w.shifted_from = c->choice.first_shifted * w.step;
        dosi_status status = p->type->tilt(found, p, &w, err);
        work_spend(parts->limits,
            TILT_OPERATIONS *
                (contour_part_size(p).nodes + (double)p->shifted_dd.n));
        if (status != DOSI_OK)
            return status;
        c->cumulant = ball_add(
            c->cumulant, ball_mul_d(p->cumulant, p->count));
        if (p->nodes.n > 0 &&
            contour_unshifted_outer(&w) > phase_reach(&p->nodes))
            *found = false;
    }
    return DOSI_OK;
}

static void place(contour_terms *t, double *room, size_t n)
{
    *t = (contour_terms){room, room + n, room + 2 * n, 0};
}

bool contour_make_room(contour *c)
{
    if (c->choice.use_dd) {
        c->dd_terms = malloc(c->n * sizeof *c->dd_terms);
        return c->dd_terms != NULL;
    }
    size_t many = c->choice.smoothing_sigma > 0 ? 6 : 3;
    c->storage = malloc(many * c->n * sizeof *c->storage);
    if (c->storage == NULL)
        return false;
    place(&c->upper, c->storage, c->n);
    if (c->choice.smoothing_sigma > 0)
        place(&c->lower, c->storage + 3 * c->n, c->n);
    return true;
}

dosi_status contour_build(contour *c, bool *found,
    const contour_parts *parts, const part_request *wants,
    const contour_choice *choice, work_limits *limits, dosi_error *err)
{
    *c = (contour){.choice = *choice};
    dosi_status status = tilt_all(found, c, parts, wants, err);
    if (status != DOSI_OK || !*found)
        return status;
    c->n = (size_t)choice->n_outer + 1;
    if (!contour_make_room(c)) {
        *found = false;
        return dosi_fail_memory(err);
    }
    bound_truncation(c, parts);
    c->log_alias[0] = log_alias(choice, choice->alias_right,
        log_moment_upper(parts, choice->alias_right));
    c->log_alias[1] = log_alias(choice, -choice->t, ball_of(0)); /* M(0) <= 1 */
    if (choice->use_dd)
        *found = dd_rule_fill(
            c, parts, contour_centre(c, parts, true), limits);
    else
        status = contour_fill(found, c, parts, limits, err);
    if (status != DOSI_OK)
        *found = false;
    if (!*found)
        contour_free(c);
    return status;
}

void contour_free(contour *c)
{
    free(c->storage);
    free(c->dd_terms);
    c->storage = NULL;
    c->dd_terms = NULL;
}
