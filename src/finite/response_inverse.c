/*
 * Inverse of the privacy profile and trade-off function of the composition of
 * leaky randomized response: the root of the profile by certain signs, and the
 * linear piece of the trade-off function by a search among its atoms.
 * Derivation: docs/theory/finite.md.
 */
#include "response_composition.h"

#include "num/bracket.h"
#include "response_impl.h"
#include "special/mills.h"
#include "special/special.h"

/* ---- Epsilon ----------------------------------------------------------- */

typedef struct core_target {
    const response_power *c;
    ball log_tau;
} core_target;

/* log tau - log core, which rises with eps; +inf where core is 0. */
static ball shortfall_of(const core_target *t, const response_scaled *core)
{
    if (ball_is_zero(core->factor))
        return ball_of(HUGE_VAL);
    ball log_core = ball_add(core->log_scale, ball_log(core->factor));
    return ball_sub(t->log_tau, log_core);
}

static int core_sign(double eps, const void *context)
{
    const core_target *t = context;
    response_scaled core = response_power_core(t->c, ball_of(eps));
    return bracket_sign_of(shortfall_of(t, &core));
}

/* Guesses the root by steps from x. With A the mass above eps, core falls by
 * A - core, and is a line in e^eps next to eps: far away Newton's step for
 * log core is taken, else that of the line. Where losses are far apart a step
 * may leave the interval that contains the root: then a growing step is taken,
 * or one of the secant if both its ends are known. False if a sum would exceed its budget. */
static bool guess_root(
    double *eps, const core_target *t, double x, double most)
{
    double lo = 0, hi = most, gap_lo = 0, gap_hi = 0;
    double reach = 4 * ball_mid(t->c->eps0);
    for (int i = 0; i < 60; i++) {
        response_scaled core = response_power_core(t->c, ball_of(x));
        double gap = ball_mid(shortfall_of(t, &core)), value = core.factor.hi;
        if (ball_is_unknown(core.factor))
            return false;
        *(gap > 0 ? &hi : &lo) = x;
        *(gap > 0 ? &gap_hi : &gap_lo) = gap;
        double share = value / (core.mass - value);
        double next = x + (fabs(gap) > 0.7 ? -gap * share
                                           : log1p(-share * expm1(gap)));
        *eps = fmin(fmax(next, 0), most);
        if (fabs(next - x) <= 1e-9 * x)
            return true;
        if (!(next > lo && next < hi) && gap_lo < 0 && gap_hi > 0) {
            next = lo - gap_lo * (hi - lo) / (gap_hi - gap_lo);
        } else if (!(next > lo && next < hi)) {
            next = x + (gap > 0 ? -reach : reach);
            reach *= 4;
        }
        if (!(next > lo && next < hi))
            next = lo / 2 + hi / 2;
        *eps = x = next;
    }
    return true;
}

static const double half_log_2pi = 0.91893853320467274;

/* Guesses the root for a Gaussian loss of mean m and deviation s by Newton's
 * steps: core(m + s z) is phi(z) (R(z) - R(z + s)), R the Mills ratio. */
static double normal_root(double m, double s, double log_tau)
{
    double z = 0, step = 1;
    for (int i = 0; i < 60 && fabs(step) > 1e-6; i++) {
        double value = z < 0 ? mills_approx(z) - mills_approx(z + s)
                             : s * mills_mean_slope_approx(z, s);
        double gap = log_tau + z * z / 2 + half_log_2pi - log(value);
        step = -gap * value / (mills_approx(z) - value) / s;
        z = fmax(z + fmin(fmax(step, -3), 3), -9);
    }
    return m + s * z;
}

/* Encloses the smallest eps >= 0 with core(eps) <= tau, tau > 0. The mean of Z
 * is k eps0 tanh(eps0/2), its variance 4 k eps0^2 p q. */
static dosi_interval core_inverse(
    const response_power *power, ball log_tau, bool *done)
{
    response_power shorter = *power, *c = &shorter;
    const core_target t = {c, log_tau};
    c->max_terms /= 2; /* as there are some dozen sums */
    response_scaled at_0 = response_power_core(c, ball_of(0));
    double e = ball_mid(c->eps0), tau = fmin(ball_mid(log_tau), 0);
    double most = ball_upper(response_power_loss(c, c->k)), guess = 0;
    double spread = sqrt(ball_mid(c->coin.p) * ball_mid(c->coin.q) * c->k);
    double start = normal_root(c->k * e * tanh(e / 2), 2 * e * spread, tau);
    *done = true;
    if (ball_is_nonnegative(shortfall_of(&t, &at_0)))
        return iv_point(0);
    *done = guess_root(
        &guess, &t, start > 0 && start < most ? start : most / 2, most);
    return *done ? bracket_root(core_sign, &t, 0, most, guess)
                 : iv_make(0, most);
}

/* Encloses log((delta - D) / (1 - D)); unknown if delta may be <= D. */
static ball log_excess(const response_power *c, ball delta, ball log_delta)
{
    if (response_is_minus_infinity(c->log_leak))
        return log_delta;
    ball difference = delta.hi > 0x1p-900
                          ? ball_log(ball_sub(delta, c->leak))
                          : ball_logsubexp(log_delta, c->log_leak);
    return ball_sub(difference, c->log_stay);
}

dosi_interval optimal_composition_epsilon(double k, ball eps0, ball delta0,
    ball delta, ball log_delta, size_t max_terms, bool *done)
{
    *done = false;
    response_power c;
    if (!response_power_make(&c, k, eps0, delta0, max_terms))
        return iv_make(0, HUGE_VAL);
    ball difference = ball_sub(delta, c.leak);
    *done = true;
    bool no_leak = response_is_minus_infinity(c.log_leak);
    if (ball_is_negative(difference) || ball_less(log_delta, c.log_leak))
        return iv_point(HUGE_VAL);
    if (ball_is_nonnegative(log_delta) || k == 0)
        return iv_point(0);
    dosi_interval most = ball_interval(response_power_loss(&c, k));
    if (most.hi == 0)
        return ball_is_nonnegative(difference) ? iv_point(0)
                                               : iv_make(0, HUGE_VAL);
    bool equal = no_leak ? response_is_minus_infinity(log_delta)
                         : ball_is_zero(difference);
    if (equal)
        return most; /* delta = D: no finite loss may be exceeded */
    ball log_tau = log_excess(&c, delta, log_delta);
    if (!ball_is_unknown(log_tau))
        return iv_meet(
            (dosi_interval){0, most.hi}, core_inverse(&c, log_tau, done));
    /* delta may be below D: the answer may be inf */
    double excess = ball_upper(difference);
    if (!(excess > 0))
        return iv_make(0, HUGE_VAL);
    log_tau = ball_sub(ball_log(ball_of(excess)), c.log_stay);
    return iv_make(core_inverse(&c, log_tau, done).lo, HUGE_VAL);
}

/* ---- Trade-off --------------------------------------------------------- */

/* log of P[X <= l - 1] = Q[X >= k - l + 1], or with P and Q exchanged. */
static ball core_below(
    const response_power *c, const ball_coin *mirror, double l)
{
    return response_power_log_tail(c, mirror, c->k - l + 1);
}

/* (e^x - e^y) / e^z; if that overflows, only -1 or 2 for certainly negative or
 * above 1. */
static ball difference_over(ball x, ball y, ball z)
{
    ball a = ball_sub(x, z), b = ball_sub(y, z);
    if (a.hi < 600 && b.hi < 600)
        return ball_sub(ball_exp(a), ball_exp(b));
    ball below = ball_sub(y, x);
    if (ball_is_positive(below))
        return ball_of(-1);
    /* e^600 (1 - e^-t) > 1 for t > 1e-100 */
    return ball_upper(below) < -1e-100 ? ball_of(2) : ball_unknown();
}

/*
 * The part of atom l that a test of level a accepts, if it rejects all greater
 * losses: (Q[X >= l] - a) / Q[X = l]; within [0, 1] exactly when the level
 * falls into that atom. It comes from the upper or the lower tail, whichever is
 * small; log_a and log_rest are the logarithms of a and 1 - a.
 */
static ball accepted_part(
    const response_power *c, double l, ball log_pmf, ball log_a, ball log_rest)
{
    if (log_a.hi < log_rest.hi)
        return difference_over(
            response_power_log_tail(c, &c->under_q, l), log_a, log_pmf);
    return difference_over(log_rest, core_below(c, &c->coin, l), log_pmf);
}

/* (1 - D) (P[X <= l - 1] + part P[X = l]), part within [0, 1]. */
static ball piece_error(
    const response_power *c, double l, ball log_q, ball part)
{
    ball log_p = ball_add(log_q, response_power_loss(c, l));
    ball whole = ball_exp(ball_add(c->log_stay, core_below(c, &c->under_q, l)));
    ball split = ball_exp(ball_add(c->log_stay, log_p));
    return ball_add(whole, ball_mul(split, ball_clamp(part, 0, 1)));
}

/*
 * Encloses the error over both pieces that meet at a vertex, if the level may
 * lie on either. Unknown if the other piece does not reach it.
 */
static dosi_interval vertex_error(const response_power *c, double other,
    bool down, dosi_interval beta, ball log_a, ball log_rest)
{
    ball log_q = response_power_log_pmf(c, &c->under_q, other);
    ball part = accepted_part(c, other, log_q, log_a, log_rest);
    bool reaches = down ? ball_is_positive(part) : ball_less(part, ball_of(1));
    if (!reaches)
        return iv_unknown();
    return iv_hull(beta, ball_interval(piece_error(c, other, log_q, part)));
}

/*
 * Encloses the type II error of the test of level a in (0, 1): P[X <= l - 1]
 * plus the accepted part of P[X = l]. A part certainly negative shows that the
 * level is beyond atom l, towards smaller losses; one above 1 the opposite. The
 * search starts at a normal quantile and takes growing steps.
 */
static dosi_interval core_tradeoff(
    const response_power *c, ball log_a, ball log_rest, bool *done)
{
    double below = 0, above = c->k, step = 0;
    double p = ball_mid(c->under_q.p), q = ball_mid(c->under_q.q);
    double z = ball_mid(log_a) < ball_mid(log_rest)
                   ? normal_isf_log_approx(ball_mid(log_a))
                   : -normal_isf_log_approx(ball_mid(log_rest));
    double l = floor(c->k * p + z * sqrt(c->k * p * q));
    dosi_interval beta = iv_unknown();
    for (int i = 0; i < 200 && below <= above; i++) {
        if (!(l >= below && l <= above))
            l = floor(below + (above - below) / 2);
        ball log_q = response_power_log_pmf(c, &c->under_q, l);
        ball part = accepted_part(c, l, log_q, log_a, log_rest);
        if (ball_is_negative(part)) {
            above = l - 1;
            l = above - step;
            step = 2 * step + 1;
        } else if (ball_less(ball_of(1), part)) {
            below = l + 1;
            l = below + step;
            step = 2 * step + 1;
        } else {
            if (!(part.rad < 0.1))
                break;
            beta = ball_interval(piece_error(c, l, log_q, part));
            if (!ball_is_nonnegative(part) && l > 0)
                beta = vertex_error(c, l - 1, true, beta, log_a, log_rest);
            else if (!ball_less_equal(part, ball_of(1)) && l < c->k)
                beta = vertex_error(c, l + 1, false, beta, log_a, log_rest);
            break;
        }
    }
    *done = beta.hi < HUGE_VAL;
    return *done ? beta : iv_make(0, 1);
}

dosi_interval optimal_composition_tradeoff(double k, ball eps0, ball delta0,
    double alpha, size_t max_terms, bool *done)
{
    *done = false;
    response_power c;
    if (!response_power_make(&c, k, eps0, delta0, max_terms) ||
        !(alpha >= 0 && alpha <= 1))
        return iv_make(0, 1);
    *done = true;
    ball stay = ball_sub(ball_of(1), c.leak);
    if (alpha == 0)
        return iv_meet(iv_make(0, 1), ball_interval(stay));
    /* given no leak, the level is alpha / (1 - D) */
    ball rest = ball_sub(ball_sub(ball_of(1), ball_of(alpha)), c.leak);
    if (!ball_is_positive(rest) && ball_upper(rest) <= 0)
        return iv_point(0);
    bool cut = !ball_is_positive(rest);
    /* the error decreases in the level: the least level bounds it from above */
    if (cut)
        rest = ball_of(ball_upper(rest));
    ball log_rest = ball_sub(ball_log(rest), c.log_stay);
    ball log_a = cut ? ball_log1mexp(log_rest)
                     : ball_sub(ball_log(ball_of(alpha)), c.log_stay);
    dosi_interval beta;
    if (k == 0 || ball_is_zero(eps0))
        beta = ball_interval(rest); /* (1 - D) (1 - a) */
    else
        beta = core_tradeoff(&c, log_a, log_rest, done);
    beta = iv_meet(iv_make(0, 1), beta);
    return cut ? iv_make(0, beta.hi) : beta;
}
