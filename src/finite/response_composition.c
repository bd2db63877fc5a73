/*
 * The k-fold composition of leaky randomized response: its law, privacy profile
 * and masses. Inverse queries are in response_inverse.c. Derivation:
 * docs/theory/finite.md.
 */
#include "response_composition.h"

#include "response_impl.h"

bool response_power_make(
    response_power *c, double k, ball eps0, ball delta0, size_t max_terms)
{
    if (!(k >= 0 && k <= 0x1p53 && floor(k) == k) || isinf(eps0.hi) ||
        !ball_is_nonnegative(eps0) || !ball_is_nonnegative(delta0) ||
        !(ball_upper(delta0) <= 1))
        return false;
    *c = (response_power){.k = k, .eps0 = eps0, .max_terms = max_terms};
    if (max_terms == 0)
        c->max_terms = RESPONSE_MAX_TERMS;
    c->coin = ball_coin_of_log_odds(eps0);
    c->under_q = ball_coin_swap(c->coin);
    if (k == 0 || ball_is_zero(delta0)) {
        c->log_stay = ball_of(0);
        c->leak = ball_of(0);
        c->log_leak = ball_of(-HUGE_VAL);
        return true;
    }
    c->log_stay = ball_mul_d(ball_log1p(ball_neg(delta0)), k);
    c->leak = k == 1 ? delta0 : ball_neg(ball_expm1(c->log_stay));
    c->log_leak = k == 1 ? ball_log(delta0) : ball_log1mexp(c->log_stay);
    return true;
}

/* max(0, -x) for a ball x. */
static ball negative_part(ball x)
{
    return ball_is_negative(x) ? ball_neg(x)
                               : ball_max(ball_neg(x), ball_of(0));
}

/*
 * sum over j = start+1..k of pmf(j) / pmf(start) max(0, 1 - e^(eps - z_j)),
 * where m = e^(eps - z_start) - 1. Walking up, m becomes m r + (r - 1) with
 * r = e^(-2 eps0): both terms have one sign. The factor is at most 1, so the
 * rest is bounded as a geometric series of the masses alone.
 */
static ball profile_above(const response_power *c, double start, ball m,
    ball sum, double *mass, size_t *budget)
{
    ball r = ball_exp(ball_scale2(ball_neg(c->eps0), 1));
    ball r_minus_1 = ball_expm1(ball_scale2(ball_neg(c->eps0), 1));
    ball w = ball_of(1);
    double odds = ball_upper(c->coin.odds) * (1 + 0x1p-40);
    double j = start;
    while (j < c->k) {
        double ratio = (c->k - j) / (j + 1) * odds;
        if (ratio < 1) {
            double rest = 1.01 * (w.hi + w.rad) * ratio / (1 - ratio);
            if (rest < 0x1p-104 * sum.hi)
                return ball_widen(sum, rest + BALL_TINY);
        }
        if (*budget == 0 || ball_is_unknown(w))
            return ball_unknown();
        (*budget)--;
        w = ball_mul(ball_mul_d(w, c->k - j), c->coin.odds);
        w = ball_div_d(w, j + 1);
        m = ball_add(ball_mul(m, r), r_minus_1);
        sum = ball_add(sum, ball_mul(w, negative_part(m)));
        *mass += w.hi;
        j++;
    }
    return sum;
}

/* The sum over j = first..start-1, walking down. The recurrence of
 * profile_above would cancel in this direction: g = e^(eps - z_j) grows from
 * step to step, and its factor 1 - g is formed anew once g is no longer small
 * or no longer precise, as after an underflow. */
static ball profile_below(const response_power *c, double start, double first,
    ball eps, ball sum, double *mass, size_t *budget)
{
    ball w = ball_of(1);
    ball g = ball_exp(ball_sub(eps, response_power_loss(c, start)));
    ball growth = ball_exp(ball_scale2(c->eps0, 1));
    double odds = ball_upper(c->coin.inverse_odds) * (1 + 0x1p-40);
    double j = start;
    while (j > first) {
        double ratio = j / (c->k - j + 1) * odds;
        if (ratio < 1) {
            double rest = 1.01 * (w.hi + w.rad) * ratio / (1 - ratio);
            if (rest < 0x1p-104 * sum.hi)
                return ball_widen(sum, rest + BALL_TINY);
        }
        if (*budget == 0 || ball_is_unknown(w))
            return ball_unknown();
        (*budget)--;
        w = ball_mul(ball_mul_d(w, j), c->coin.inverse_odds);
        w = ball_div_d(w, c->k - j + 1);
        g = ball_mul(g, growth);
        ball m = ball_sub_d(g, 1);
        if (!(g.hi + g.rad < 0.5 && g.rad < 0x1p-96)) { /* also if unknown */
            m = ball_expm1(ball_sub(eps, response_power_loss(c, j - 1)));
            g = ball_add_d(m, 1);
        }
        sum = ball_add(sum, ball_mul(w, negative_part(m)));
        *mass += w.hi;
        j--;
    }
    return sum;
}

/*
 * core(eps) = sum_l pmf_l max(0, 1 - e^(eps - z_l)), all terms >= 0.
 *
 * Terms that are certainly 0 are left out: z_l <= eps for l <= (eps/eps0 +
 * k)/2. The factor of a loss whose order to eps is uncertain is max(0, .) of a
 * ball.
 */
response_scaled response_power_core(const response_power *c, ball eps)
{
    response_scaled zero = {ball_of(0), ball_of(0), 0};
    response_scaled unknown = {ball_of(0), ball_unknown(), 0};
    if (c->k == 0 || ball_is_zero(c->eps0))
        return (response_scaled){ball_of(0), negative_part(ball_expm1(eps)), 1};
    ball crossing = ball_add_d(ball_div(eps, c->eps0), c->k);
    if (ball_is_unknown(crossing))
        return unknown;
    double first = fmax(0, floor(ball_lower(crossing) / 2) + 1);
    if (first > c->k)
        return zero;
    double mode = fmin(c->k, floor((c->k + 1) * ball_mid(c->coin.p)));
    double start = fmax(first, mode);
    double length =
        ball_binomial_tail_length_approx(c->k, first, ball_mid(c->coin.p));
    if (length > 1.25 * (double)c->max_terms + 100)
        return unknown; /* the sum would exceed its budget */
    size_t budget = c->max_terms;
    ball m = ball_expm1(ball_sub(eps, response_power_loss(c, start)));
    if (ball_is_unknown(m))
        return unknown;
    double mass = 1;
    ball sum = profile_above(c, start, m, negative_part(m), &mass, &budget);
    if (first < start)
        sum = profile_below(c, start, first, eps, sum, &mass, &budget);
    ball log_pmf = ball_binomial_log_pmf(
        c->k, start, c->coin.log_p, c->coin.log_q, c->coin.p, c->coin.q);
    return (response_scaled){log_pmf, sum, mass};
}

ball optimal_composition_delta(
    double k, ball eps0, ball delta0, ball eps, size_t max_terms)
{
    response_power c;
    if (!response_power_make(&c, k, eps0, delta0, max_terms))
        return ball_unknown();
    if (isinf(eps.hi))
        return eps.hi > 0 ? c.leak : ball_of(1);
    response_scaled core = response_power_core(&c, eps);
    if (ball_is_zero(core.factor) || response_is_minus_infinity(c.log_stay))
        return c.leak;
    ball scale = ball_exp(ball_add(c.log_stay, core.log_scale));
    ball delta = ball_add(c.leak, ball_mul(scale, core.factor));
    return ball_is_unknown(delta) ? delta : ball_clamp(delta, 0, 1);
}

dosi_interval optimal_composition_log_delta(
    double k, ball eps0, ball delta0, ball eps, size_t max_terms)
{
    response_power c;
    if (!response_power_make(&c, k, eps0, delta0, max_terms))
        return iv_make(-HUGE_VAL, 0);
    if (isinf(eps.hi))
        return eps.hi > 0 ? ball_interval(c.log_leak) : iv_point(0);
    response_scaled core = response_power_core(&c, eps);
    if (ball_is_zero(core.factor) || response_is_minus_infinity(c.log_stay))
        return iv_meet(iv_make(-HUGE_VAL, 0), ball_interval(c.log_leak));
    ball log_scale = ball_add(c.log_stay, core.log_scale);
    dosi_interval factor = ball_interval(core.factor);
    if (factor.lo > 0) {
        ball log_core = ball_add(log_scale, ball_log(core.factor));
        ball log_delta = ball_logaddexp(c.log_leak, log_core);
        return iv_meet(iv_make(-HUGE_VAL, 0), ball_interval(log_delta));
    }
    /* the finite part may vanish: it lies between 0 and its upper end */
    ball most = ball_add(log_scale, ball_log(ball_of(factor.hi)));
    dosi_interval log_delta = {
        ball_lower(c.log_leak), ball_upper(ball_logaddexp(c.log_leak, most))};
    return iv_meet(iv_make(-HUGE_VAL, 0), log_delta);
}

ball optimal_composition_log_pmf(double k, double l, ball eps0, ball delta0)
{
    response_power c;
    if (!response_power_make(&c, k, eps0, delta0, 0))
        return ball_unknown();
    return ball_add(c.log_stay, response_power_log_pmf(&c, &c.coin, l));
}
