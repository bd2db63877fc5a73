/*
 * Successive terms of the sums over j: ratios of moments of the three laws, and
 * of binomial coefficients, are known in closed form. Derivation:
 * docs/theory/without_replacement.md, section 3.
 */
#include "without_replacement_renyi_terms.h"

#include "special/binomial.h"

wr_terms wr_terms_of(const chi_law *law, ball rate, bool is_lower, double order)
{
    wr_terms t = {.law = law, .is_lower = is_lower, .order = order};
    t.log_rest = ball_of(0);
    t.odds = rate;
    t.log_odds = ball_log(rate);
    if (is_lower) {
        ball keep = ball_sub(ball_of(1), rate);
        ball log_keep = ball_log1p(ball_neg(rate));
        t.odds = ball_div(rate, keep);
        t.log_odds = ball_sub(t.log_odds, log_keep);
        t.log_rest = ball_mul_d(log_keep, order);
    }
    ball pure = chi_pure(law);
    t.log_cap = isinf(pure.hi) ? pure : ball_logexpm1(pure);
    t.cap_rises = !is_lower && ball_is_positive(t.log_cap);
    if (!is_lower && !t.cap_rises) {
        /* min(2, c^j) = c^j if c <= 1, or if c is not certainly above 1 and
         * c^j < 2 */
        t.log_odds = ball_add(t.log_odds, t.log_cap);
        t.odds = ball_mul(t.odds, ball_expm1(pure));
    }
    return t;
}

/* x step for 0 <= step <= 1; a negligible x stays unchanged. */
static ball shrink(ball x, ball step)
{
    const double least = 0x1p-300;
    if (x.hi > least)
        return ball_mul(x, step);
    return ball_is_zero(x) || x.rad >= least ? x : (ball){0, 0, 2 * least};
}

/* Returns log m(j)/shape(j). */
static ball start_moments(wr_walk *w, const chi_law *law, double j)
{
    ball x = law->parameter;
    w->bend = (scaled){ball_of(1), 0};
    w->tail = w->flat = ball_of(0);
    w->flat_step = ball_exp(ball_neg(x));
    w->tail_step = ball_sqr(w->flat_step);
    w->step = scaled_exp(x);
    if (law->kind == CHI_GAUSSIAN) {
        ball square = ball_sqr(x);
        ball pairs = ball_mul(ball_of(j), ball_of(j - 1));
        w->step = scaled_exp(ball_mul_d(square, j));
        w->bend = scaled_exp(square);
        return ball_scale2(ball_mul(pairs, square), -1);
    }
    w->tail = shrink(ball_exp(ball_mul_d(x, 1 - 2 * j)), ball_of(1));
    if (law->kind == CHI_LAPLACE)
        return ball_mul_d(x, j - 1);
    /* Z = e^eps + categories - 1 */
    ball rest = ball_mul_d(w->flat_step, law->categories - 1);
    w->flat = shrink(ball_exp(ball_mul_d(x, -j)), ball_of(1));
    w->flat = ball_mul_d(w->flat, law->categories - 2);
    return ball_sub(ball_mul_d(x, j - 1), ball_log1p(rest));
}

void wr_walk_to(wr_walk *w, const wr_terms *t, double j)
{
    if (w->j == j)
        return;
    w->j = j;
    ball log_weight =
        ball_add(ball_log_binomial(t->order, j), ball_mul_d(t->log_odds, j));
    log_weight = ball_add(log_weight, t->log_rest);
    w->weight = scaled_exp(log_weight);
    w->top = scaled_exp(ball_add(log_weight, start_moments(w, t->law, j)));
    w->is_capped = !t->cap_rises || isinf(t->log_cap.hi);
    if (w->is_capped)
        return;
    w->cap = scaled_exp(ball_mul_d(t->log_cap, j));
    w->cap_step = scaled_exp(t->log_cap);
}

/* C(a,j+1)/C(a,j) odds, C(a,j+1)/C(a,j) being (a-j)/(j+1). */
static ball weight_ratio(const wr_terms *t, double j)
{
    return ball_div_d(ball_mul_d(t->odds, t->order - j), j + 1);
}

static void next_shape(wr_walk *w, const wr_terms *t)
{
    w->j++;
    if (t->law->kind == CHI_GAUSSIAN)
        return;
    w->tail = shrink(w->tail, w->tail_step);
    w->flat = shrink(w->flat, w->flat_step);
}

static void next(wr_walk *w, const wr_terms *t)
{
    ball ratio = weight_ratio(t, w->j);
    if (t->is_lower)
        w->weight = scaled_mul_ball(w->weight, ratio);
    w->top = scaled_mul(w->top, scaled_mul_ball(w->step, ratio));
    if (t->law->kind == CHI_GAUSSIAN)
        w->step = scaled_mul(w->step, w->bend);
    if (!w->is_capped)
        w->cap = scaled_mul(w->cap, w->cap_step);
    next_shape(w, t);
}

static ball shape_of(const wr_walk *w, const wr_terms *t)
{
    ball x;
    switch (t->law->kind) {
    case CHI_LAPLACE:
        x = ball_add_d(ball_mul_d(w->tail, w->j - 1), w->j);
        return ball_div_d(x, 2 * w->j - 1);
    case CHI_RESPONSE:
        return ball_add_d(ball_add(w->tail, w->flat), 1);
    case CHI_GAUSSIAN:
        break;
    }
    return ball_of(1);
}

/* An approximation of log2 of a positive number. */
static int64_t size_of(scaled x)
{
    int n = 0;
    (void)frexp(x.m.hi, &n);
    return x.e + n;
}

static scaled term(wr_walk *w, const wr_terms *t)
{
    scaled x = scaled_mul_ball(w->top, shape_of(w, t));
    if (t->is_lower) { /* weight (m(j) - 1), with relative accuracy */
        if (size_of(x) > size_of(w->weight) + 2) {
            scaled less = {ball_neg(w->weight.m), w->weight.e};
            return scaled_add(x, less);
        }
        ball k = chi_log_moment(t->law, ball_of(w->j));
        return scaled_mul(w->weight, scaled_expm1(k));
    }
    if (!t->cap_rises)
        return x;
    if (!w->is_capped && size_of(w->cap) > 3)
        w->is_capped = true;
    if (w->is_capped) {
        x.e++; /* the cap is 2 */
        return x;
    }
    ball cap = ball_scale2(w->cap.m, (int)w->cap.e);
    return scaled_mul_ball(x, ball_min(cap, ball_of(2)));
}

/* ---- Adding terms ------------------------------------------------------ */

void wr_walk_add(scaled *sum, wr_walk *w, const wr_terms *t, double last)
{
    for (; w->j <= last; next(w, t))
        *sum = scaled_add(*sum, term(w, t));
}
