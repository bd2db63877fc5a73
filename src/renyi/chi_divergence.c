/*
 * Chi-divergences of a mechanism from its law: closed forms for randomised
 * response, series of positive terms for Laplace, quadrature for the Gaussian.
 * Derivation: docs/theory/without_replacement.md, section 2.
 */
#include "chi_divergence.h"

#include "renyi.h"

#define MAX_TERMS 65536
#define SERIES_REMAINDER 0x1p-98 /* relative to the sum */

chi_law chi_gaussian(ball mu)
{
    return (chi_law){CHI_GAUSSIAN, mu, 0};
}

chi_law chi_laplace(ball a)
{
    return (chi_law){CHI_LAPLACE, a, 0};
}

chi_law chi_response(ball eps, double categories)
{
    return (chi_law){CHI_RESPONSE, eps, categories};
}

/* ---- Moments ----------------------------------------------------------- */

ball chi_divergence(const chi_law *law, ball order)
{
    switch (law->kind) {
    case CHI_LAPLACE:
        return renyi_laplace(order, law->parameter);
    case CHI_RESPONSE:
        return renyi_rr(order, law->parameter, law->categories);
    case CHI_GAUSSIAN:
        break;
    }
    return renyi_gaussian(order, ball_scale2(ball_sqr(law->parameter), -1));
}

ball chi_log_moment(const chi_law *law, ball order)
{
    ball t = ball_sub_d(order, 1);
    if (ball_is_zero(t) || ball_is_zero(law->parameter))
        return ball_of(0);
    return ball_mul(t, chi_divergence(law, order));
}

ball chi_pure(const chi_law *law)
{
    bool unbounded = law->kind == CHI_GAUSSIAN && !ball_is_zero(law->parameter);
    return unbounded ? ball_of(HUGE_VAL) : law->parameter;
}

/* ---- Laplace ----------------------------------------------------------- */

/*
 * The loss is a or -a with the atoms e^-a/2 and 1/2 of q, and has q-density
 * e^(-(a + L)/2)/4 between. With x = e^-|L| and x0 = e^-a the parts of the
 * integral above and below X = 1 are
 *
 *     above  e^((s-1) a) V(1/2 - s),   below  V(-1/2),
 *     V(p) = d^s/2 + J(p)/4,  d = 1 - x0,
 *     J(p) = x0^-p int_x0^1 x^(p-1) (1-x)^s dx.
 */

/* J(p)/d^s = d/(s+1) sum_k (s+1+p)_k/(s+2)_k d^k. */
static ball laplace_series(ball p, ball s, ball d)
{
    ball top = ball_add_d(ball_add(s, p), 1), bottom = ball_add_d(s, 2);
    ball term = ball_of(1), sum = ball_of(1);
    ball gap = ball_sub(ball_of(1), d);
    /* sum_{i>=k} (a)_i/(c)_i = (a)_k/(c)_k (c+k-1)/(c-a-1); c-a-1 = -p */
    double reach = ball_upper(ball_div(ball_of(1), ball_neg(p)));
    double most = ball_upper(ball_div(ball_of(1), gap));
    for (int k = 0; k < MAX_TERMS; k++) {
        ball ratio = ball_div(ball_add_d(top, k), ball_add_d(bottom, k));
        term = ball_mul(ball_mul(term, ratio), d);
        double far = reach > 0 ? (ball_mid(s) + 3 + k) * 1.01 * reach : most;
        double rest = round_up(ball_upper(term) * fmin(far, most) * 1.01);
        if (rest <= SERIES_REMAINDER * ball_mid(sum) || k + 1 == MAX_TERMS) {
            /* the remainder, this term included, is in [0, rest] */
            sum = ball_add_d(sum, rest / 2);
            sum = ball_widen(sum, rest);
            break;
        }
        sum = ball_add(sum, term);
    }
    return ball_div(ball_mul(d, sum), ball_add_d(s, 1));
}

/* x0^-p int_x0^(1/2) x^(q-1) dx with q = p + k, for a = log 1/x0. */
static ball laplace_piece(ball p, double k, ball a)
{
    ball q = ball_add_d(p, k), rest = ball_sub(a, ball_ln2());
    if (ball_is_zero(q))
        return ball_mul(ball_exp(ball_mul(p, a)), rest);
    bool rising = ball_is_positive(q);
    ball top = rising ? ball_sub(ball_mul(p, a), ball_mul(q, ball_ln2()))
                      : ball_mul_d(a, -k);
    ball size = ball_mul(ball_abs(q), rest);
    ball drop = ball_neg(ball_expm1(ball_neg(size)));
    return ball_div(ball_mul(ball_exp(top), drop), ball_abs(q));
}

/* J(p), s < 8, split at x = 1/2: above by the series, below by expanding
 * (1-x)^s. */
static ball laplace_split(ball p, ball s, ball a)
{
    ball half = laplace_series(p, s, ball_of(0.5));
    /* times (1/2)^s, and x0^-p in place of (1/2)^-p */
    ball lift = ball_mul(p, ball_sub(a, ball_ln2()));
    lift = ball_sub(lift, ball_mul(s, ball_ln2()));
    ball sum = ball_mul(half, ball_exp(lift)), binomial = ball_of(1);
    for (int k = 0; k < 400; k++) {
        ball term = ball_mul(binomial, laplace_piece(p, k, a));
        sum = ball_add(sum, term);
        ball next = ball_div_d(ball_sub(ball_of(k), s), k + 1);
        binomial = ball_mul(binomial, next);
        /* from k > s on |C(s,k)| falls, and x^k at least halves */
        double rest = 2 * ball_magnitude(term);
        if (k > ball_upper(s) + 1 && rest <= SERIES_REMAINDER * ball_mid(sum))
            return ball_widen(sum, rest * 1.01);
    }
    return ball_unknown();
}

static scaled laplace_side(ball p, ball s, ball a)
{
    ball d = ball_neg(ball_expm1(ball_neg(a)));
    scaled atom = scaled_exp(ball_mul(s, ball_log(d)));
    bool is_above = !(p.hi == -0.5 && p.lo == 0);
    ball j; /* J(p)/d^s */
    if (a.hi <= 6 || (is_above && s.hi >= 8)) {
        j = laplace_series(p, s, d);
    } else if (s.hi < 8) {
        j = laplace_split(p, s, a);
        j = ball_div(j, ball_exp(ball_mul(s, ball_log(d))));
    } else { /* J(-1/2) <= 2 d^(s+1): the series at its largest */
        j = ball_of_interval((dosi_interval){0, 2});
    }
    ball sum = ball_add(ball_of(0.5), ball_scale2(j, -2));
    return scaled_mul_ball(atom, sum);
}

static void laplace_sides(scaled *above, scaled *below, ball a, ball s)
{
    ball p = ball_sub(ball_of(0.5), s);
    scaled lift = scaled_exp(ball_mul(ball_sub_d(s, 1), a));
    *above = scaled_mul(lift, laplace_side(p, s, a));
    *below = laplace_side(ball_of(-0.5), s, a);
}

/* ---- Randomised response ----------------------------------------------- */

/* The atoms e^eps and e^-eps of X have q-masses 1/Z and e^eps/Z,
 * Z = e^eps + categories - 1. */
static void response_sides(
    scaled *above, scaled *below, const chi_law *law, ball s)
{
    ball eps = law->parameter;
    ball rest = ball_mul_d(ball_exp(ball_neg(eps)), law->categories - 1);
    ball log_norm = ball_add(eps, ball_log1p(rest));
    ball up = ball_mul(s, ball_logexpm1(eps));
    ball down = ball_mul(s, ball_log1mexp(ball_neg(eps)));
    *above = scaled_exp(ball_sub(up, log_norm));
    *below = scaled_exp(ball_sub(ball_add(down, eps), log_norm));
}

/* ---- All --------------------------------------------------------------- */

/* The two parts E_q (X - 1)_+^s and E_q (1 - X)_+^s; they add to xi(s)^s. */
static void sides(scaled *above, scaled *below, const chi_law *law, ball s)
{
    ball x = law->parameter;
    if (ball_is_zero(x)) {
        *above = *below = (scaled){ball_of(0), 0};
        return;
    }
    switch (law->kind) {
    case CHI_GAUSSIAN: /* X = e^(mu Z - mu^2/2) is 1 at Z = mu/2 */
        chi_normal_sides(above, below, x, ball_scale2(x, -1), s);
        return;
    case CHI_LAPLACE:
        laplace_sides(above, below, x, s);
        return;
    case CHI_RESPONSE:
        response_sides(above, below, law, s);
        return;
    }
}

ball chi_log_xi(const chi_law *law, ball s)
{
    scaled above, below;
    sides(&above, &below, law, s);
    return scaled_log(scaled_add(above, below));
}

/*
 * Let p > q. Under r tilted by (q/r)^s, which is normal with mean
 * r + s (q - r), the integrand is |p/q - 1|^s, and p/q = e^(mu (Z - z0)) with
 * mu = p - q and z0 = (p + q)/2 - (r + s (q - r)).
 */
ball chi_log_ternary(ball p, ball q, ball r, ball s)
{
    ball mu = ball_sub(p, q);
    if (ball_is_zero(mu))
        return ball_of(-HUGE_VAL);
    if (mu.hi < 0) { /* mirrored */
        q = ball_neg(q);
        r = ball_neg(r);
        mu = ball_neg(mu);
    }
    ball shift = ball_sub(q, r), t = ball_sub_d(s, 1);
    ball z0 = ball_sub(ball_scale2(mu, -1), ball_mul(t, shift));
    ball front = ball_scale2(ball_mul(ball_mul(s, t), ball_sqr(shift)), -1);
    scaled above, below;
    chi_normal_sides(&above, &below, mu, z0, s);
    return ball_add(front, scaled_log(scaled_add(above, below)));
}

/* ---- Forward differences ----------------------------------------------- */

ball chi_difference(const chi_law *law, double order)
{
    if (order == 0)
        return ball_of(1);
    if (order == 1)
        return ball_of(0);
    scaled above, below;
    sides(&above, &below, law, ball_of(order));
    if (fmod(order, 2) == 1)
        below.m = ball_neg(below.m);
    return scaled_ball(scaled_add(above, below));
}

scaled chi_signed_sum(const ball *log_moments, size_t order)
{
    scaled sum = {ball_of(0), 0}, binomial = {ball_of(1), 0};
    for (size_t i = 0; i <= order; i++) {
        scaled term = scaled_mul(binomial, scaled_exp(log_moments[i]));
        if ((order - i) % 2 == 1)
            term.m = ball_neg(term.m);
        sum = scaled_add(sum, term);
        ball ratio = ball_div_d(ball_of((double)(order - i)), (double)i + 1);
        binomial = scaled_mul(binomial, scaled_of(ratio));
    }
    return sum;
}
