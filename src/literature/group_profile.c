/*
 * The running minimum of the black-box bound of group privacy, X004-GB.mono,
 * declared in noise/base_profile.h. With x = t/k the bound is delta(x) A(x),
 * A(x) = (e^(kx) - 1)/(e^x - 1). log A is convex: its second derivative is
 * (x/2 / sinh(x/2))^2/x^2 minus that expression at kx, where u/sinh u falls.
 * log delta is concave up to the end of the profile: Laplace, response and
 * approx are logarithms of a - b e^(cx), and the Gaussian loss has log-concave
 * tails T, which e^eps int_eps^inf e^-z T(z) dz inherits. So on a cell [a, b]
 *
 *     (log delta)'(b) + (log A)'(a) <= slope <= (log delta)'(a) + (log A)'(b)
 *
 * and in a cell without a turning point the minimum is at an end. Derivation:
 * docs/theory/couplings.md, section 1.
 */
#include "noise/gaussian.h"
#include "num/ends.h"
#include "noise/base_profile.h"

#define MAX_CELLS 4096
#define MAX_DEPTH 60

typedef struct search {
    const base_profile *p;
    double k;
    ball best;    /* least log value at the ends of cells */
    double lower; /* bounds log values in cells with a turning point */
    int n_cells;
} search;

/* 1/(e^x - 1) */
static ball bose(ball x)
{
    return ball_div(ball_of(1), ball_expm1(x));
}

/* -(log delta)', x below the end of the profile. */
static ball fall(const base_profile *p, ball x)
{
    switch (p->kind) {
    case BASE_PROFILE_LAPLACE:
        return ball_scale2(bose(ball_scale2(ball_sub(p->parameter, x), -1)),
            -1);
    case BASE_PROFILE_GAUSSIAN: {
        ball tail = gauss_log_tail_q(p->parameter, x);
        return ball_exp(
            ball_sub(ball_add(x, tail), gauss_log_delta(p->parameter, x)));
    }
    case BASE_PROFILE_RESPONSE:
        return bose(ball_sub(base_profile_end(p), x));
    case BASE_PROFILE_APPROX:
        break;
    }
    /* b e^x/(delta0 + b (e^eps0 - e^x)), b = (1 - delta0)/(e^eps0 + 1) */
    ball e = ball_exp(ball_sub(x, p->parameter));
    ball whole = ball_add_d(ball_exp(ball_neg(p->parameter)), 1);
    ball b = ball_div(ball_sub(ball_of(1), p->delta0), whole);
    ball rest = ball_mul(b, ball_neg(ball_expm1(ball_sub(x, p->parameter))));
    return ball_div(ball_mul(b, e), ball_add(p->delta0, rest));
}

/* (log A)' = k/(1 - e^(-kx)) - 1/(1 - e^-x), (k-1)/2 at 0. */
static ball rise(double k, ball x)
{
    if (ball_is_zero(x))
        return ball_of((k - 1) / 2);
    ball far = ball_expm1(ball_neg(ball_mul_d(x, k)));
    ball near = ball_expm1(ball_neg(x));
    return ball_sub(ball_div(ball_of(1), near), ball_div(ball_of(k), far));
}

static ball log_value(const search *s, ball x)
{
    scaled d = base_profile_delta(s->p, x);
    return scaled_log(scaled_mul(d, profile_steps(s->k, x)));
}

/* The cell [a, b] with its logarithms at the ends. */
static void visit(search *s, ball a, ball log_a, ball b, ball log_b, int depth)
{
    ball least = ball_sub(rise(s->k, a), fall(s->p, b));
    ball most = ball_sub(rise(s->k, b), fall(s->p, a));
    if (ball_is_nonnegative(least) || ball_is_nonnegative(ball_neg(most)))
        return; /* monotone */
    double steep = ball_upper(ball_max(ball_neg(least), most));
    ball width = ball_sub(b, a);
    /* at a distance h from an end the logarithm is lower by at most h steep */
    ball drop = ball_mul_d(width, steep);
    double low = ball_lower(ball_sub(ball_min(log_a, log_b), drop));
    if (low >= ball_upper(s->best))
        return;
    if (++s->n_cells > MAX_CELLS || depth == MAX_DEPTH ||
        ball_upper(drop) < 0x1p-60) {
        s->lower = fmin(s->lower, low);
        return;
    }
    ball middle = ball_midpoint(ball_scale2(ball_add(a, b), -1));
    ball log_middle = log_value(s, middle);
    s->best = ball_min(s->best, log_middle);
    visit(s, a, log_a, middle, log_middle, depth + 1);
    visit(s, middle, log_middle, b, log_b, depth + 1);
}

scaled base_profile_group_least(const base_profile *p, double k, ball eps)
{
    if (k == 1)
        return base_profile_delta(p, eps);
    ball last = ball_div_d(eps, k), end = base_profile_end(p);
    if (ball_less_equal(end, last))
        return (scaled){ball_of(0), 0};
    /* above eps0 delta is constant and A rises */
    if (p->kind == BASE_PROFILE_APPROX)
        last = ball_min(last, p->parameter);
    last = ball_midpoint(last); /* any point next to eps/k is valid */
    scaled black =
        scaled_mul(base_profile_delta(p, last), profile_steps(k, last));
    if (black.e < -100000) { /* below all positive doubles: in [0, black] */
        double most = fmax(ball_upper(black.m), 0);
        return (scaled){ball_of_interval(iv_make(0, most)), black.e};
    }
    ball at_0 = log_value(&(search){p, k, ball_of(0), 0, 0}, ball_of(0));
    ball at_end = log_value(&(search){p, k, ball_of(0), 0, 0}, last);
    search s = {p, k, ball_min(at_0, at_end), HUGE_VAL, 0};
    if (!ball_is_zero(last))
        visit(&s, ball_of(0), at_0, last, at_end, 0);
    if (s.lower < ball_lower(s.best))
        s.best = ball_hull(ball_of(s.lower), s.best);
    if (ball_is_nonnegative(s.best))
        return scaled_of(ball_of(1));
    return scaled_exp(ball_min(s.best, ball_of(0)));
}
