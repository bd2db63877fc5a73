/*
 * Conversions of zCDP. The derivative of each objective in t has a closed form;
 * its root, enclosed between neighbouring doubles, gives the infimum with an
 * error of second order. Derivations: docs/theory/zcdp.md.
 */
#include "zcdp.h"

#include "num/bracket.h"

/* ---- Moments ----------------------------------------------------------- */

ball zcdp_log_moment(ball rho, ball t)
{
    return ball_mul(ball_mul(t, ball_add_d(t, 1)), rho);
}

ball zcdp_log_moment_bounded(ball t, ball mean, ball eps)
{
    ball square = ball_sqr(ball_mul(t, eps));
    return ball_add(ball_mul(t, mean), ball_scale2(square, -1));
}

ball zcdp_of_pure(ball eps)
{
    return ball_scale2(ball_sqr(eps), -1);
}

ball zcdp_of_gaussian(ball sens, ball sigma)
{
    return ball_scale2(ball_sqr(ball_div(sens, sigma)), -1);
}

/* ---- Roots ------------------------------------------------------------- */

/* The parameters of the functions of t below. */
typedef struct zcdp_case {
    ball rho;
    ball eps;
    ball target; /* L = -log delta */
} zcdp_case;

/* log(1 + 1/t) for t > 0, without overflow of 1/t. */
static ball log1p_inverse(ball t)
{
    if (t.hi < 1e-3)
        return ball_sub(ball_log1p(t), ball_log(t));
    return ball_log1p(ball_div(ball_of(1), t));
}

/* h(t) = g'(t) = (2t + 1) rho - eps - log(1 + 1/t), increasing from -inf. */
static ball slope_of_log_delta(ball t, const void *context)
{
    const zcdp_case *c = context;
    ball line = ball_mul(ball_add_d(ball_scale2(t, 1), 1), c->rho);
    return ball_sub(ball_sub(line, c->eps), log1p_inverse(t));
}

/* f(t) = t^2 rho + log(1 + t) - L, increasing from -L. */
static ball excess_of_epsilon(ball t, const void *context)
{
    const zcdp_case *c = context;
    ball sum = ball_add(ball_mul(ball_sqr(t), c->rho), ball_log1p(t));
    return ball_sub(sum, c->target);
}

/* -F(t), F(t) = (2t + 1) (L - log(1 + t)) / t^2 - log(1 + 1/t) - eps falling
 * from +inf until L = log(1 + t), and negative there. */
static ball slope_of_rho(ball t, const void *context)
{
    const zcdp_case *c = context;
    ball rest = ball_sub(c->target, ball_log1p(t));
    ball factor = ball_add_d(ball_scale2(t, 1), 1);
    ball first = ball_mul(ball_div(factor, t), ball_div(rest, t));
    return ball_sub(ball_add(log1p_inverse(t), c->eps), first);
}

/* A double inside a root's enclosure at which balls can be evaluated. */
static double point_of(dosi_interval root)
{
    return root.lo > 0 ? root.lo / 2 + root.hi / 2 : root.hi;
}

/* ---- Delta from epsilon ------------------------------------------------ */

ball zcdp_log_delta_at(ball rho, ball eps, ball t)
{
    ball inner = ball_sub(ball_mul(ball_add_d(t, 1), rho), eps);
    inner = ball_sub(inner, log1p_inverse(t));
    return ball_sub(ball_mul(t, inner), ball_log1p(t));
}

ball zcdp_log_delta_at_simple(ball rho, ball eps, ball t)
{
    return ball_sub(zcdp_log_moment(rho, t), ball_mul(eps, t));
}

/* -(t^2 rho + log(1 + t)), the value of g where h(t) = 0. */
static ball log_delta_at_root(const zcdp_case *c, ball t)
{
    ball square = ball_mul(ball_mul(t, t), c->rho);
    return ball_neg(ball_add(square, ball_log1p(t)));
}

dosi_interval zcdp_log_delta(ball rho, ball eps)
{
    if (ball_is_zero(rho) || eps.hi == HUGE_VAL)
        return iv_point(-HUGE_VAL);
    const zcdp_case c = {.rho = rho, .eps = eps};
    double rho_low = ball_lower(rho), eps_high = ball_upper(eps);
    if (!(rho_low > 0) || !(eps_high <= DBL_MAX))
        return iv_make(-HUGE_VAL, 0);
    /* at t >= 1 and t >= (eps + log 2) / (2 rho): h(t) >= rho > 0 */
    double hi = round_up(round_up(eps_high + 1) / rho_low);
    hi = fmax(hi, 1);
    if (!(hi <= 0x1p900)) /* t^2 rho would overflow */
        return iv_make(-HUGE_VAL, 0);
    dosi_interval root = bracket_root_of(slope_of_log_delta, &c, 0, hi);
    /* g at the root t is -(t^2 rho + log(1 + t)), which falls with t */
    dosi_interval value = {ball_lower(log_delta_at_root(&c, ball_of(root.hi))),
        ball_upper(log_delta_at_root(&c, ball_of(root.lo)))};
    /* g is convex with g' = h: for a point p of the root's enclosure of
     * width w, g(p) >= inf g >= g(p) - |h(p)| w, and
     * g(p) = -(p^2 rho + log(1 + p)) + p h(p) */
    ball p = ball_of(point_of(root));
    ball h = slope_of_log_delta(p, &c);
    ball g = ball_add(log_delta_at_root(&c, p), ball_mul(p, h));
    ball width = ball_sub(ball_of(root.hi), ball_of(root.lo));
    ball low = ball_sub(g, ball_abs(ball_mul(h, width)));
    return iv_meet(value, iv_make(ball_lower(low), ball_upper(g)));
}

/* ---- Epsilon from delta ------------------------------------------------ */

/* Encloses the root of f; rho > 0 and L > 0 are certain. */
static dosi_interval epsilon_root(const zcdp_case *c)
{
    double high = ball_upper(c->target), rho_low = ball_lower(c->rho);
    /* f(sqrt(L / rho)) > 0 and f(e^L - 1) > 0 */
    double hi = round_up(sqrt(round_up(high / rho_low)));
    if (high < 700)
        hi = fmin(hi, ball_upper(ball_expm1(ball_of(high))));
    if (!(hi <= 0x1p900))
        return iv_make(0, HUGE_VAL);
    return bracket_root_of(excess_of_epsilon, c, 0, hi);
}

dosi_interval zcdp_epsilon_unclamped(ball rho, ball log_delta)
{
    const zcdp_case c = {.rho = rho, .target = ball_neg(log_delta)};
    if (ball_is_unknown(rho) || !ball_is_positive(rho) ||
        !ball_is_positive(c.target) || c.target.hi == HUGE_VAL)
        return iv_unknown();
    dosi_interval root = epsilon_root(&c);
    if (!(root.lo > 0 && root.hi <= DBL_MAX))
        return iv_unknown();
    /* E(t) = (2t + 1) rho - log(1 + 1/t) - f(t)/t has E' = f/t^2, so its
     * least value is at the root; for a point p of the root's enclosure
     * [a, b], E(p) >= inf E >= E(p) - (b - a) max(|f(a)|, |f(b)|) / a^2 */
    ball p = ball_of(point_of(root));
    ball a = ball_of(root.lo), b = ball_of(root.hi);
    ball line = ball_mul(ball_add_d(ball_scale2(p, 1), 1), c.rho);
    ball e = ball_sub(line, log1p_inverse(p));
    e = ball_sub(e, ball_div(excess_of_epsilon(p, &c), p));
    ball most = ball_max(
        ball_abs(excess_of_epsilon(a, &c)), ball_abs(excess_of_epsilon(b, &c)));
    ball loss = ball_mul(ball_div(ball_sub(b, a), a), ball_div(most, a));
    return iv_make(ball_lower(ball_sub(e, loss)), ball_upper(e));
}

dosi_interval zcdp_epsilon(ball rho, ball log_delta)
{
    if (ball_is_zero(rho) || ball_is_nonnegative(log_delta))
        return iv_point(0);
    if (rho.hi == HUGE_VAL || log_delta.hi == -HUGE_VAL)
        return iv_point(HUGE_VAL);
    dosi_interval e = zcdp_epsilon_unclamped(rho, log_delta);
    return (dosi_interval){fmax(e.lo, 0), fmax(e.hi, 0)};
}

dosi_interval zcdp_alpha(ball rho, ball log_delta)
{
    const zcdp_case c = {.rho = rho, .target = ball_neg(log_delta)};
    if (!ball_is_positive(rho) || !ball_is_positive(c.target))
        return iv_make(1, HUGE_VAL);
    dosi_interval root = epsilon_root(&c);
    return (dosi_interval){ball_lower(ball_add_d(ball_of(root.lo), 1)),
        ball_upper(ball_add_d(ball_of(root.hi), 1))};
}

/* ---- Rho from epsilon and delta ---------------------------------------- */

dosi_interval zcdp_rho(ball eps, ball log_delta)
{
    const zcdp_case c = {.eps = eps, .target = ball_neg(log_delta)};
    if (!ball_is_nonnegative(eps) || !ball_is_positive(c.target) ||
        c.target.hi == HUGE_VAL || eps.hi == HUGE_VAL)
        return iv_make(0, HUGE_VAL);
    double high = ball_upper(c.target), eps_low = ball_lower(eps);
    /* F(e^L - 1) < 0, and F(t) <= 3 L / t - eps < 0 at t >= 1, t > 3L/eps */
    double hi = high < 700 ? ball_upper(ball_expm1(ball_of(high))) : HUGE_VAL;
    if (eps_low > 0)
        hi = fmin(hi, fmax(1, round_up(round_up(3 * high) / eps_low)));
    if (!(hi <= DBL_MAX))
        return iv_make(0, HUGE_VAL);
    dosi_interval root = bracket_root_of(slope_of_rho, &c, 0, hi);
    if (!(root.lo > 0))
        return iv_make(0, HUGE_VAL);
    /* R(t), the rho with g(t) = log delta, has R' = F / (t + 1)^2 and its
     * greatest value at the root; R = (L - log(1 + t)) / t^2 - F / (t + 1).
     * For a point p of the root's enclosure [a, b], F falling,
     * R(p) <= sup R <= R(p) + (b - a) max(|F(a)|, |F(b)|) / (1 + a)^2 */
    ball p = ball_of(point_of(root));
    ball a = ball_of(root.lo), b = ball_of(root.hi);
    ball rest = ball_sub(c.target, ball_log1p(p));
    ball r = ball_div(ball_div(rest, p), p);
    r = ball_add(r, ball_div(slope_of_rho(p, &c), ball_add_d(p, 1)));
    ball most =
        ball_max(ball_abs(slope_of_rho(a, &c)), ball_abs(slope_of_rho(b, &c)));
    ball gain =
        ball_div(ball_mul(ball_sub(b, a), most), ball_sqr(ball_add_d(a, 1)));
    return iv_make(fmax(ball_lower(r), 0), ball_upper(ball_add(r, gain)));
}

/* ---- The readable conversion ------------------------------------------- */

ball zcdp_epsilon_simple(ball rho, ball log_delta)
{
    ball root = ball_sqrt(ball_mul(rho, ball_neg(log_delta)));
    return ball_add(rho, ball_scale2(root, 1));
}

ball zcdp_log_delta_simple(ball rho, ball eps)
{
    if (ball_is_zero(rho))
        return ball_of(-HUGE_VAL);
    ball gap = ball_sub(eps, rho);
    return ball_neg(ball_scale2(ball_mul(ball_div(gap, rho), gap), -2));
}

ball zcdp_rho_simple(ball eps, ball log_delta)
{
    /* sqrt(L + eps) - sqrt L = eps / (sqrt(L + eps) + sqrt L) */
    ball target = ball_neg(log_delta);
    ball sum = ball_add(ball_sqrt(ball_add(target, eps)), ball_sqrt(target));
    return ball_sqr(ball_div(eps, sum));
}

ball zcdp_rho_simple_lower(ball eps, ball log_delta)
{
    ball sum = ball_scale2(ball_sub(eps, log_delta), 2);
    return ball_mul(ball_div(eps, sum), eps);
}

ball zcdp_rho_simple_upper(ball eps, ball log_delta)
{
    return ball_mul(ball_div(eps, ball_scale2(ball_neg(log_delta), 2)), eps);
}

ball zcdp_variance_simple(ball eps, ball log_delta, ball sens)
{
    ball ratio = ball_div(sens, eps);
    ball sum = ball_sub(eps, log_delta);
    return ball_scale2(ball_mul(ball_mul(ratio, ratio), sum), 1);
}
