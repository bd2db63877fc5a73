/*
 * Moments E Y^s of the likelihood ratio Y = 1 - p + p X of a sample, by their
 * excess over 1 as a sum of terms >= 0: the excesses of Y^s over its tangent,
 * at the atoms of randomised response, and by quadrature over noise.
 * Derivation: docs/theory/sampling.md, sections 6 and 7, and
 * docs/theory/without_replacement.md, section 7.
 */
#include "poisson_base_renyi.h"

#include "poisson_renyi.h"
#include "special/excess.h"
#include "poisson_laplace_moment.h"

/* Whole orders up to this one are summed (T000-34). */
#define MAX_SUM_ORDER 1024

/* ---- Randomised response ----------------------------------------------- */

/* The mass of the atom e^eps or e^-eps of X times the excess of Y^s there. */
static scaled response_part(
    const chi_law *law, ball rate, ball s, bool is_lower)
{
    ball eps = law->parameter;
    ball rest = ball_mul_d(ball_exp(ball_neg(eps)), law->categories - 1);
    ball log_norm = ball_add(eps, ball_log1p(rest));
    ball loss = is_lower ? ball_neg(eps) : eps;
    ball mass =
        ball_exp(is_lower ? ball_sub(eps, log_norm) : ball_neg(log_norm));
    ball v = ball_mul(rate, ball_expm1(loss)), y = ball_add_d(v, 1);
    ball log_y = ball_log1p(v);
    scaled part;
    if (ball_mid(s) * ball_mid(log_y) < 200) {
        part = scaled_of(excess_power(s, v, y));
    } else { /* far from 1 */
        part = scaled_exp(ball_mul(s, log_y));
        ball tangent = ball_add_d(ball_mul(s, v), 1);
        part = scaled_add(part, scaled_of(ball_neg(tangent)));
    }
    return scaled_mul_ball(part, mass);
}

/* log of E Y^s with atoms e^eps and e^-eps of X. */
static ball response_log_moment(const chi_law *law, ball rate, ball s)
{
    scaled sum = response_part(law, rate, s, false);
    return scaled_log1p(
        scaled_add(sum, response_part(law, rate, s, true)));
}

/* ---- All --------------------------------------------------------------- */

static ball log_moment_of(
    const chi_law *law, ball rate, ball s, double max_nodes)
{
    switch (law->kind) {
    case CHI_GAUSSIAN:
        return sampled_log_moment(rate, law->parameter, s, max_nodes);
    case CHI_LAPLACE:
        return scaled_log1p(
            sampled_laplace_excess(rate, law->parameter, s, false));
    case CHI_RESPONSE:
        return response_log_moment(law, rate, s);
    }
    return ball_unknown();
}

static ball log_moment(const chi_law *law, ball rate, ball s, double max_nodes)
{
    if (ball_is_zero(rate) || ball_is_zero(law->parameter))
        return ball_of(0);
    if (ball_is_zero(ball_sub_d(rate, 1))) /* E X^s = E X^(1-s), mirrored */
        return chi_log_moment(law,
            ball_is_positive(s) ? s : ball_sub(ball_of(1), s));
    return ball_clamp(
        log_moment_of(law, rate, s, max_nodes), 0, HUGE_VAL);
}

ball sampled_law_log_moment(const chi_law *law, ball rate, ball s)
{
    return log_moment(law, rate, s, SAMPLED_MAX_NODES);
}

static ball by_moment(sampled_side side, const chi_law *law, ball rate,
    ball order, double max_nodes)
{
    ball t = ball_sub_d(order, 1);
    ball s = side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t);
    return ball_div(log_moment(law, rate, s, max_nodes), t);
}

ball sampled_law_renyi(
    sampled_side side, const chi_law *law, ball rate, ball order)
{
    ball rho = ball_scale2(ball_sqr(law->parameter), -1), out;
    bool whole = order.lo == 0 && order.rad == 0 &&
                 order.hi == floor(order.hi) && order.hi <= MAX_SUM_ORDER;
    if (whole && law->kind == CHI_GAUSSIAN && side == SAMPLED_MIXTURE_FIRST &&
        sampled_renyi_once(
            &out, rate, order.hi, renyi_curve_gaussian, &rho, NULL) == DOSI_OK)
        return out;
    return by_moment(side, law, rate, order, SAMPLED_MAX_NODES);
}

ball sampled_law_renyi_quick(
    sampled_side side, const chi_law *law, ball rate, ball order)
{
    return by_moment(side, law, rate, order, SAMPLED_FEW_NODES);
}

ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order)
{
    chi_law law = chi_gaussian(mu);
    return sampled_law_renyi(side, &law, rate, order);
}

ball sampled_law_profile_moment(const chi_law *law, ball rate, ball s)
{
    ball orders[2] = {ball_add_d(s, 1), ball_neg(s)};
    scaled sum = {ball_of(0), 0};
    for (int i = 0; i < 2; i++) {
        scaled part = scaled_of(ball_unknown());
        if (ball_is_zero(law->parameter))
            part = scaled_of(ball_of(0));
        else if (law->kind == CHI_LAPLACE)
            part = sampled_laplace_excess(
                rate, law->parameter, orders[i], true);
        else if (law->kind == CHI_RESPONSE)
            part = response_part(law, rate, orders[i], false);
        sum = scaled_add(sum, part);
    }
    return scaled_log1p(sum);
}
