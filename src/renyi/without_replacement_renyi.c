/*
 * Rényi amplification by sampling without replacement: the bounds of the
 * ternary chi-divergences, their sums, and the closed forms. Derivation:
 * docs/theory/without_replacement.md, section 1.
 */
#include "without_replacement_renyi.h"

#include <stdlib.h>

#include "num/bracket.h"

/* log(e^pure - 1), or +inf */
static ball log_cap_of(ball pure)
{
    return isinf(pure.hi) ? pure : ball_logexpm1(pure);
}

wr_base wr_base_of_law(const chi_law *law)
{
    return (wr_base){.law = law,
        .log_cap = log_cap_of(chi_pure(law)),
        .is_consistent = true};
}

wr_base wr_base_of_curve(renyi_curve curve, const void *context, ball pure)
{
    return (wr_base){
        .curve = curve, .context = context, .log_cap = log_cap_of(pure)};
}

/* log m(j); m(0) = m(1) = 1. */
ball wr_log_moment(const wr_base *base, double j)
{
    if (j < 2)
        return ball_of(0);
    if (base->law != NULL)
        return chi_log_moment(base->law, ball_of(j));
    return ball_mul_d(base->curve(j, base->context), j - 1);
}

/* ---- Bounds of zeta(j)^j ----------------------------------------------- */

/* log (e^pure - 1)^j, j >= 1 */
static ball log_power(const wr_base *base, double j)
{
    return isinf(base->log_cap.hi) ? base->log_cap
                                   : ball_mul_d(base->log_cap, j);
}

ball wr_log_zeta_moment(const wr_base *base, double j)
{
    return ball_add(wr_log_moment(base, j), ball_ln2());
}

ball wr_log_zeta_pure(const wr_base *base, double j)
{
    return ball_add(wr_log_moment(base, j), log_power(base, j));
}

static ball log_four(void)
{
    return ball_scale2(ball_ln2(), 1);
}

ball wr_log_zeta_general(const wr_base *base, double j)
{
    ball m = wr_log_moment(base, j);
    ball least = ball_add(m, ball_min(ball_ln2(), log_power(base, j)));
    if (j > 2)
        return least;
    return ball_min(least, ball_add(ball_logexpm1(m), log_four()));
}

/* log B(l) for even l >= 2; +inf if the sign of the signed sum is uncertain. */
ball wr_log_difference(const wr_base *base, double l)
{
    if (l == 2)
        return ball_logexpm1(wr_log_moment(base, 2));
    if (base->law != NULL)
        return chi_log_xi(base->law, ball_of(l));
    size_t n = (size_t)l;
    ball *moments = calloc(n + 1, sizeof *moments);
    if (moments == NULL)
        return ball_of(HUGE_VAL);
    for (size_t i = 0; i <= n; i++)
        moments[i] = wr_log_moment(base, (double)i);
    scaled sum = chi_signed_sum(moments, n);
    free(moments);
    if (ball_is_unknown(sum.m) || !ball_is_positive(sum.m))
        return ball_of(HUGE_VAL);
    return scaled_log(sum);
}

ball wr_mean_log(ball x, ball y)
{
    if (isinf(x.hi) || isinf(y.hi))
        return ball_of(
            x.hi == HUGE_VAL || y.hi == HUGE_VAL ? HUGE_VAL : -HUGE_VAL);
    return ball_scale2(ball_add(x, y), -1);
}

ball wr_log_zeta_consistent(const wr_base *base, double j)
{
    double low = 2 * floor(j / 2), high = 2 * ceil(j / 2);
    ball x = wr_log_difference(base, low);
    ball y = high > low ? wr_log_difference(base, high) : x;
    return ball_add(wr_mean_log(x, y), log_four());
}

ball wr_log_zeta_chi(const chi_law *law, double j)
{
    return ball_add(chi_log_xi(law, ball_of(j)), log_four());
}

ball wr_log_zeta_hoelder(const chi_law *law, double j, ball u)
{
    ball chi = chi_log_xi(law, ball_mul_d(u, j));
    ball gap = ball_sub_d(u, 1);
    /* e^((j-1) eps((j-1) v + 1)) = m((j-1) v + 1)^(1/v), v = u/(u-1) */
    ball tilt;
    if (ball_is_zero(gap)) {
        ball pure = chi_pure(law);
        tilt = isinf(pure.hi) ? pure : ball_mul_d(pure, j - 1);
    } else {
        ball v = ball_div(u, gap);
        ball order = ball_add_d(ball_mul_d(v, j - 1), 1);
        tilt = ball_div(chi_log_moment(law, order), v);
    }
    if (isinf(tilt.hi) || isinf(chi.hi))
        return isinf(tilt.hi) ? tilt : chi;
    return ball_add(tilt, ball_div(chi, u));
}

/* ---- Single orders ----------------------------------------------------- */

dosi_status wr_cumulant(ball *out, const wr_base *base, ball rate, wr_rule rule,
    double order, dosi_error *err)
{
    *out = ball_unknown();
    if (base->law != NULL && (rule == WR_GENERAL || rule == WR_LOWER)) {
        *out = wr_cumulant_at(base->law, rate, rule, order);
        return DOSI_OK;
    }
    wr_table *table = NULL;
    dosi_status status = wr_table_new(&table, base, rule, NULL, 0, order, err);
    if (status != DOSI_OK)
        return status;
    *out = wr_table_cumulant(table, rate, order);
    wr_table_free(table);
    return DOSI_OK;
}

dosi_status wr_cumulant_real(ball *out, const wr_base *base, ball rate,
    wr_rule rule, ball t, dosi_error *err)
{
    double below = floor(ball_lower(t)), above = ceil(ball_upper(t));
    ball low = ball_of(0), high;
    *out = ball_unknown();
    dosi_status status = DOSI_OK;
    if (below >= 1)
        status = wr_cumulant(&low, base, rate, rule, below + 1, err);
    if (status != DOSI_OK)
        return status;
    if (above == below) {
        *out = low;
        return DOSI_OK;
    }
    status = wr_cumulant(&high, base, rate, rule, above + 1, err);
    if (status != DOSI_OK)
        return status;
    ball share = ball_div_d(ball_sub_d(t, below), above - below);
    *out = ball_add(low, ball_mul(share, ball_sub(high, low)));
    return DOSI_OK;
}

/* ---- Closed bounds ----------------------------------------------------- */

ball wr_jensen(ball rate, ball k)
{
    if (isinf(k.hi))
        return ball_is_zero(rate) ? rate : k;
    return scaled_log1p(scaled_mul_ball(scaled_expm1(k), rate));
}

ball wr_pure_bound(ball rate, ball order, ball divergence, ball pure)
{
    scaled x = scaled_mul(scaled_exp(divergence), scaled_expm1(pure));
    ball k = scaled_log1p(scaled_mul_ball(x, rate));
    if (isinf(order.hi))
        return k;
    return ball_mul(ball_div(order, ball_sub_d(order, 1)), k);
}

ball wr_general_limit(ball rate, ball pure)
{
    scaled cap = scaled_of(ball_of(1));
    if (pure.hi < 1)
        cap = scaled_of(ball_min(ball_expm1(pure), ball_of(1)));
    scaled x = scaled_mul(scaled_exp(pure), cap);
    return scaled_log1p(scaled_mul_ball(x, rate));
}

ball wr_gap(ball rate, ball order)
{
    ball t = ball_sub_d(order, 1);
    ball rest = ball_neg(ball_log1p(ball_neg(rate)));
    return ball_add(
        ball_mul(ball_div(order, t), rest), ball_div(ball_ln2(), t));
}

/* ---- The change of regime ---------------------------------------------- */

typedef struct phase {
    const chi_law *law;
    ball log_rate;
} phase;

/* log(rate order e^eps(order)), which grows with the order. */
static ball phase_value(ball order, const void *context)
{
    const phase *p = context;
    ball x = ball_add(p->log_rate, ball_log(order));
    return ball_add(x, chi_divergence(p->law, order));
}

dosi_interval wr_phase_order(const chi_law *law, ball rate)
{
    phase p = {law, ball_log(rate)};
    if (ball_is_positive(phase_value(ball_of(1), &p)))
        return iv_unknown();
    /* order <= 1/rate, because eps >= 0 */
    double most = ball_upper(ball_div(ball_of(1), rate));
    return bracket_root_of(phase_value, &p, 1, most);
}
