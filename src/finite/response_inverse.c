/*
 * Inverse of the privacy profile and trade-off function of the composition of
 * leaky randomized response: both lie on one linear piece, which a guess in
 * doubles finds and signs certify. Derivation: docs/theory/finite.md.
 */
#include "response_composition.h"

#include "response_impl.h"

/* ---- Guesses in doubles ------------------------------------------------ */

/* About the masses from l on, under P or Q, and core(z_(l-1)); log_top is the
 * logarithm of the greatest mass, the mode's. Uncertified. */
typedef struct rough_sums {
    double log_tail, hazard; /* hazard: the share of the mass of l */
    double log_core, fall;   /* fall: by how much log_core falls to the next */
} rough_sums;

static rough_sums sums_approx(const response_power *c, const ball_coin *coin,
    double mode, double log_top, double l)
{
    double k = c->k, eps0 = ball_mid(c->eps0), step = 2 * eps0;
    double odds = exp(coin == &c->coin ? eps0 : -eps0);
    double start = fmax(l, mode), w = 1;
    for (double j = mode; j < start && w > 1e-300; j++)
        w *= (k - j) / (j + 1) * odds;
    double log_start = w > 1e-300
                           ? log_top + log(w)
                           : ball_mid(response_power_log_pmf(c, coin, start));
    double tail = 1, m = expm1((l - 1 - start) * step), core = -m;
    double r = exp(-step), r_minus_1 = expm1(-step);
    size_t left = c->max_terms;
    w = 1;
    for (double j = start; j < k && left > 0; j++, left--) {
        w *= (k - j) / (j + 1) * odds;
        m = m * r + r_minus_1;
        core -= w * m;
        tail += w;
        if (w < 1e-12 * core)
            break;
    }
    w = 1;
    for (double j = start; j > l && left > 0; j--, left--) {
        w *= j / ((k - j + 1) * odds);
        core -= w * expm1((l - j) * step);
        tail += w;
        if (w < 1e-12 * core) {
            w = 0;
            break;
        }
    }
    /* e^eps B = A - core is minus the derivative of core */
    return (rough_sums){log_start + log(tail), w / tail, log_start + log(core),
        (tail - core) / core * step};
}

/* Guesses the last l >= low at which the tail, or core(z_(l-1)), is at least
 * the level: Newton's method on the logarithm. NaN if sums would exceed
 * max_terms. */
static double guess_last(const response_power *c, const ball_coin *coin,
    bool of_core, double log_level, double low)
{
    double high = c->k + 1, p = ball_mid(coin->p), q = ball_mid(coin->q);
    double x = c->k * p + sqrt(c->k * p * q * -2 * log_level);
    double length = ball_binomial_tail_length_approx(c->k, x, p);
    if (length > 1.5 * (double)c->max_terms + 100)
        return NAN;
    double mode = fmin(c->k, floor((c->k + 1) * p));
    double log_top = ball_mid(response_power_log_pmf(c, coin, mode));
    for (int i = 0; i < 200 && high - low > 1.5; i++) {
        double l = floor(x);
        if (!(l > low && l < high)) {
            /* a guess next to a bound is tried there first */
            bool near_low = l >= low - 1 && l <= low;
            bool near_high = l >= high && l <= high + 1;
            l = near_low    ? low + 1
                : near_high ? high - 1
                            : floor(low + (high - low) / 2);
        }
        rough_sums s = sums_approx(c, coin, mode, log_top, l);
        double f = (of_core ? s.log_core : s.log_tail) - log_level;
        double fall = of_core ? s.fall : s.hazard;
        *(f >= 0 ? &low : &high) = l;
        x = fall > 0 ? l + f / fall : low + (high - low) / 2;
        if (f >= 0 && f < 0.1 && x < l + 0.9)
            return l;
    }
    return low;
}

/* ---- Epsilon ----------------------------------------------------------- */

/*
 * Encloses the root e_l of A - e^e B = tau with A = P[X >= l], B = Q[X >= l],
 * or -inf if A <= tau. For every l this is a lower bound on the answer, and the
 * answer itself if z_(l-1) <= e_l <= z_l.
 *
 * For small eps0 A and B are nearly equal, and A - e^x B = core(x) at x =
 * z_(l-1) gives e_l = x + log(1 + (core(x) - tau) / (e^x B)).
 */
static dosi_interval piece_root_small_eps(
    const response_power *c, double l, ball log_tau)
{
    ball x = response_power_loss(c, l - 1);
    response_scaled core = response_power_core(c, x);
    ball log_b = response_power_log_tail(c, &c->under_q, l);
    ball tau = ball_exp(ball_sub(log_tau, core.log_scale));
    ball scale = ball_exp(ball_sub(core.log_scale, ball_add(x, log_b)));
    ball y = ball_mul(ball_sub(core.factor, tau), scale);
    if (ball_is_unknown(y))
        return iv_unknown();
    if (ball_upper(y) <= -1)
        return iv_point(-HUGE_VAL);
    if (ball_lower(y) > -1)
        return ball_interval(ball_add(x, ball_log1p(y)));
    ball most = ball_log1p(ball_of(ball_upper(y)));
    return iv_make(-HUGE_VAL, ball_upper(ball_add(x, most)));
}

static dosi_interval piece_root(const response_power *c, double l, ball log_tau)
{
    if (c->eps0.hi < 0.5 && c->eps0.rad < 0.5) {
        dosi_interval near = piece_root_small_eps(c, l, log_tau);
        if (near.hi < HUGE_VAL)
            return near;
    }
    ball log_a = response_power_log_tail(c, &c->coin, l);
    ball log_b = response_power_log_tail(c, &c->under_q, l);
    ball x = ball_sub(log_tau, log_a);
    if (ball_is_unknown(x) || ball_is_unknown(log_b))
        return iv_unknown();
    if (ball_is_nonnegative(x))
        return iv_point(-HUGE_VAL);
    ball ratio = ball_sub(log_a, log_b);
    if (ball_is_negative(x))
        return ball_interval(ball_add(ratio, ball_log1mexp(x)));
    ball most = ball_log1mexp(ball_of(ball_lower(x)));
    return iv_make(-HUGE_VAL, ball_upper(ball_add(ratio, most)));
}

/*
 * Encloses the answer from the root e = e_l, which is not certainly above z_l
 * (in top) nor certainly below z_(l-1) (in bottom).
 *
 * Every e_j bounds the answer from below. From above: if e <= z_l the answer is
 * at most max(e, z_(l-1)); otherwise it is above z_l, and is e_(l+1) if that is
 * at most z_(l+1).
 */
static dosi_interval enclose_from_root(const response_power *c, double l,
    ball log_tau,
    dosi_interval e, dosi_interval top, dosi_interval bottom)
{
    dosi_interval answer = e;
    if (e.hi > top.lo && l < c->k) {
        dosi_interval next = piece_root(c, l + 1, log_tau);
        if (!(next.hi <= ball_lower(response_power_loss(c, l + 1))))
            next.hi = HUGE_VAL;
        answer.hi = fmax(e.hi, next.hi);
        answer.lo = fmax(e.lo, next.lo);
    }
    if (e.lo < bottom.hi) {
        answer.hi = fmax(answer.hi, bottom.hi);
        if (l > 1)
            answer.lo = fmax(answer.lo, piece_root(c, l - 1, log_tau).lo);
    }
    return (dosi_interval){fmax(answer.lo, 0), fmax(answer.hi, 0)};
}

/*
 * Encloses the smallest eps >= 0 with core(eps) <= tau, tau > 0.
 *
 * core is the greatest of the lines A_l - e^eps B_l, and that of l is on top
 * between z_(l-1) and z_l. So a root e_l certainly above z_l shows that the
 * answer is above z_l, one below z_(l-1) that it is below.
 */
static dosi_interval core_inverse(
    const response_power *c, ball log_tau, bool *done)
{
    dosi_interval all = {0, ball_upper(response_power_loss(c, c->k))};
    double least = floor(c->k / 2) + 1; /* the first z_l > 0 */
    double l = guess_last(c, &c->coin, true, ball_mid(log_tau), least);
    *done = false;
    if (isnan(l))
        return all;
    double below = least, above = c->k; /* the piece is among these */
    for (int i = 0; i < 64 && below <= above; i++) {
        if (!(l >= below && l <= above) || i > 4)
            l = floor(below + (above - below) / 2);
        dosi_interval e = piece_root(c, l, log_tau);
        if (e.lo == -HUGE_VAL && e.hi == HUGE_VAL)
            return all;
        dosi_interval top = ball_interval(response_power_loss(c, l));
        dosi_interval bottom = ball_interval(response_power_loss(c, l - 1));
        if (l == least && e.hi <= 0) {
            *done = true;
            return iv_point(0);
        }
        if (e.lo > top.hi && l < c->k) {
            below = l + 1;
            l = below;
            continue;
        }
        if (e.hi < bottom.lo && l > least) {
            above = l - 1;
            l = above;
            continue;
        }
        *done = true;
        return iv_meet(all, enclose_from_root(c, l, log_tau, e, top, bottom));
    }
    *done = false;
    return all;
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
 * level is beyond atom l, towards smaller losses; one above 1 the opposite.
 */
static dosi_interval core_tradeoff(
    const response_power *c, ball log_a, ball log_rest, bool *done)
{
    double below = 0, above = c->k;
    /* P[Y <= l - 1] = P[X >= k - l + 1] */
    double l = ball_mid(log_a) < ball_mid(log_rest)
                   ? guess_last(c, &c->under_q, false, ball_mid(log_a), 0)
                   : c->k - guess_last(
                                c, &c->coin, false, ball_mid(log_rest), 0);
    dosi_interval beta = iv_unknown();
    for (int i = 0; i < 64 && !isnan(l) && below <= above; i++) {
        if (!(l >= below && l <= above) || i > 6)
            l = floor(below + (above - below) / 2);
        ball log_q = response_power_log_pmf(c, &c->under_q, l);
        ball part = accepted_part(c, l, log_q, log_a, log_rest);
        if (!(part.rad < 0.1))
            break;
        if (ball_is_negative(part)) {
            above = l - 1;
            l = above;
        } else if (ball_less(ball_of(1), part)) {
            below = l + 1;
            l = below;
        } else {
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
