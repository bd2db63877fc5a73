/*
 * Moments E Y^s of the likelihood ratio Y = 1 - p + p X of a sample, by their
 * excess over 1 as a sum of terms >= 0. For atoms these are the excesses of Y^s
 * over its tangent. For Laplace, with
 * f(Y) = f(1) + f'(1) (Y-1) + int f''(u) (Y-u)_+ du and the closed profile of
 * the loss,
 *
 *     E Y^s - 1 = s (s-1) p^2 ( int_0^a y^(s-2) (e^x - e^(3x/2 - a/2)) dx
 *                    + int_-a^0 y^(s-2) (e^(2x) - e^(3x/2 - a/2)) dx ),
 *
 * y = 1 - p + p e^x, by Taylor series on panels, each with a bound on its
 * remainder. Derivation: docs/theory/without_replacement.md, section 7.
 */
#include "poisson_base_renyi.h"

#include "special/excess.h"
#include "poisson_gaussian_moment.h"
#include "poisson_gaussian_renyi.h"

#define N_TERMS 40
#define MAX_PANELS 16384.0

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

/* ---- Laplace ----------------------------------------------------------- */

typedef struct panel {
    ball rate, keep;
    ball a;
    ball power;    /* s - 2 */
    bool is_upper; /* x >= 0 */
    double radius; /* of the disc that bounds the remainder, < pi/2 */
} panel;

/* Taylor coefficients about c of e^x - e^(3x/2 - a/2) for x >= 0, of e^(2x) -
 * e^(3x/2 - a/2) for x < 0. */
static void weight_series(ball *w, const panel *p, ball c)
{
    ball first = ball_exp(p->is_upper ? c : ball_scale2(c, 1));
    ball half = ball_scale2(p->a, -1);
    ball second = ball_exp(ball_sub(ball_mul_d(c, 1.5), half));
    double rate = p->is_upper ? 1 : 2;
    /* the difference of the two without cancellation */
    ball gap = p->is_upper ? ball_sub(ball_scale2(c, -1), half)
                           : ball_neg(ball_add(ball_scale2(c, -1), half));
    w[0] = ball_neg(ball_mul(first, ball_expm1(gap)));
    for (int k = 1; k < N_TERMS; k++) {
        first = ball_div_d(ball_mul_d(first, rate), k);
        second = ball_div_d(ball_mul_d(second, 1.5), k);
        w[k] = ball_sub(first, second);
    }
}

/*
 * Taylor coefficients about c of (y/y(c))^r: y = sum y_i t^i, y_i = p e^c/i!
 * for i > 0, y f' = r y' f gives
 *     k y_0 f_k = sum_{i=1}^k (r i - (k - i)) y_i f_(k-i).
 */
static void power_series(ball *f, const panel *p, ball grown, ball y0)
{
    ball y[N_TERMS];
    y[0] = ball_of(1);
    y[1] = ball_div(grown, y0);
    for (int i = 2; i < N_TERMS; i++)
        y[i] = ball_div_d(y[i - 1], i);
    f[0] = ball_of(1);
    for (int k = 1; k < N_TERMS; k++) {
        ball sum = ball_of(0);
        for (int i = 1; i <= k; i++) {
            ball factor = ball_sub_d(ball_mul_d(p->power, i), k - i);
            sum = ball_add(sum, ball_mul(ball_mul(factor, y[i]), f[k - i]));
        }
        f[k] = ball_div_d(sum, k);
    }
}

/* An upper bound of |f w| on the disc |z - c| <= R, relative to y(c)^r. There
 * Re e^z is at least e^(c - R) cos R, and |y| at most its value at c + R. */
static double disc_bound(const panel *p, double c, ball y0)
{
    double r = p->radius;
    ball far = ball_add(ball_of(c), ball_of(r));
    ball near = ball_sub(ball_of(c), ball_of(r));
    /* cos r >= 1 - r^2/2 */
    double cosine = 1 - r * r * 0.51;
    ball most = ball_add(p->keep, ball_mul(p->rate, ball_exp(far)));
    ball least = ball_add(
        p->keep, ball_mul_d(ball_mul(p->rate, ball_exp(near)), cosine));
    ball base = ball_div(ball_is_nonnegative(p->power) ? most : least, y0);
    ball power = ball_exp(ball_mul(p->power, ball_log(base)));
    ball half = ball_scale2(p->a, -1);
    ball weight = ball_add(ball_exp(p->is_upper ? far : ball_scale2(far, 1)),
        ball_exp(ball_sub(ball_mul_d(far, 1.5), half)));
    return ball_upper(ball_mul(power, weight));
}

/*
 * The integral over one panel of one side, |x| from c - h to c + end,
 * |end| <= h. Coefficients are at most M/R^k, so the remainder of the series is
 * at most 2 h M (h/R)^n/(1 - h/R) with h = R/8.
 */
static scaled panel_integral(const panel *p, double c, ball end)
{
    ball w[N_TERMS], f[N_TERMS];
    double sign = p->is_upper ? 1 : -1, h = p->radius / 8;
    ball grown = ball_mul(p->rate, ball_exp(ball_of(sign * c)));
    ball y0 = ball_add(p->keep, grown);
    weight_series(w, p, ball_of(sign * c));
    power_series(f, p, grown, y0);
    ball sum = ball_of(0), high = end, low = ball_of(-h);
    for (int k = 0; k < N_TERMS; k++) {
        ball term = ball_of(0);
        for (int i = 0; i <= k; i++)
            term = ball_add(term, ball_mul(f[i], w[k - i]));
        if (k % 2 == 1 && !p->is_upper)
            term = ball_neg(term);
        /* int t^k = (end^(k+1) - (-h)^(k+1))/(k+1) */
        term = ball_mul(term, ball_div_d(ball_sub(high, low), k + 1));
        sum = ball_add(sum, term);
        high = ball_mul(high, end);
        low = ball_mul_d(low, -h);
    }
    double rest = 2.5 * h * disc_bound(p, sign * c, y0);
    rest *= ldexp(1, -3 * N_TERMS) * (1 + 0x1p-40);
    scaled lift = scaled_exp(ball_mul(p->power, ball_log(y0)));
    return scaled_mul_ball(lift, ball_widen(sum, rest));
}

/* The integral over one side, [0, a] or [-a, 0]. */
static scaled side_integral(const panel *p)
{
    double h = p->radius / 8;
    double n = floor(ball_lower(p->a) / (2 * h));
    scaled sum = {ball_of(0), 0};
    if (!(n <= MAX_PANELS))
        return (scaled){ball_unknown(), 0};
    for (double i = 0; i <= n; i++) {
        double c = (2 * i + 1) * h; /* exact: h is a power of 2 */
        ball end = i < n ? ball_of(h) : ball_sub(p->a, ball_of(c));
        sum = scaled_add(sum, panel_integral(p, c, end));
    }
    return sum;
}

/* The radius of the panels for E Y^s. */
static panel panels_of(ball a, ball rate, ball s)
{
    panel p = {.rate = rate, .keep = ball_sub(ball_of(1), rate), .a = a};
    p.power = ball_sub_d(s, 2);
    /* on the disc y^(s-2) changes by about e^(|s-2| R share), with the share
     * p e^x/y of the sampled part */
    double odds = ball_mid(rate) * exp(fmin(ball_mid(a), 700));
    double share = odds / (ball_mid(p.keep) + odds);
    double reach = 10 / (fabs(ball_mid(p.power)) * share + 1);
    p.radius = ldexp(1, ilogb(fmin(1, reach)));
    p.is_upper = true;
    return p;
}

/* s (s-1) p^2 */
static ball panel_factor(ball rate, ball s)
{
    return ball_mul(ball_mul(s, ball_sub_d(s, 1)), ball_sqr(rate));
}

static ball laplace_log_moment(ball a, ball rate, ball s)
{
    panel p = panels_of(a, rate, s);
    scaled sum = side_integral(&p);
    p.is_upper = false;
    sum = scaled_add(sum, side_integral(&p));
    return scaled_log1p(scaled_mul_ball(sum, panel_factor(rate, s)));
}

/* E[ Y^s - 1 - s (Y - 1); Y > 1 ] */
static scaled laplace_upper(ball a, ball rate, ball s)
{
    panel p = panels_of(a, rate, s);
    return scaled_mul_ball(side_integral(&p), panel_factor(rate, s));
}

/* ---- All --------------------------------------------------------------- */

static ball log_moment_of(const chi_law *law, ball rate, ball s)
{
    switch (law->kind) {
    case CHI_GAUSSIAN:
        return sampled_log_moment(rate, law->parameter, s);
    case CHI_LAPLACE:
        return laplace_log_moment(law->parameter, rate, s);
    case CHI_RESPONSE:
        return response_log_moment(law, rate, s);
    }
    return ball_unknown();
}

ball sampled_law_log_moment(const chi_law *law, ball rate, ball s)
{
    if (ball_is_zero(rate) || ball_is_zero(law->parameter))
        return ball_of(0);
    if (ball_is_zero(ball_sub_d(rate, 1)) && ball_is_positive(s))
        return chi_log_moment(law, s);
    return ball_clamp(log_moment_of(law, rate, s), 0, HUGE_VAL);
}

ball sampled_law_renyi(
    sampled_side side, const chi_law *law, ball rate, ball order)
{
    if (law->kind == CHI_GAUSSIAN)
        return sampled_gaussian_renyi(side, rate, law->parameter, order);
    ball t = ball_sub_d(order, 1);
    ball s = side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t);
    return ball_div(sampled_law_log_moment(law, rate, s), t);
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
            part = laplace_upper(law->parameter, rate, orders[i]);
        else if (law->kind == CHI_RESPONSE)
            part = response_part(law, rate, orders[i], false);
        sum = scaled_add(sum, part);
    }
    return scaled_log1p(sum);
}
