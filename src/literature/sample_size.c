/*
 * Lower bounds of sample sizes, and the mechanisms that match them. Derivation:
 * docs/theory/concentrated.md, section 6.
 */
#include "sample_size.h"

#include "num/bracket.h"
#include "special/excess.h"
#include "special/special.h"

/* x, or 0 where it is negative. */
static ball positive_part(ball x)
{
    return ball_max(x, ball_of(0));
}

/* ---- Packings ----------------------------------------------------------- */

ball packing_information(ball size, ball beta)
{
    /* log(T/2) - beta log T: exactly 0 at T = 2, beta = 0 */
    ball half = ball_log(ball_scale2(size, -1));
    return positive_part(ball_sub(half, ball_mul(beta, ball_log(size))));
}

/* x log x - x + 1 >= 0, with relative accuracy near x = 1: with y = log x
 * it is x (e^-y - 1 + y). */
static ball entropy_excess(ball x)
{
    if (ball_is_zero(x))
        return ball_of(1);
    return ball_mul(x, excess_exp(ball_neg(ball_log(x))));
}

ball packing_information_fano(ball size, ball beta)
{
    /* a divergence, 0 where beta = 1 - 1/T: with x = (1-beta) T and
     * y = beta T/(T-1), for which x - 1 = (T-1) (1-y),
     * (x log x + (T-1) y log y) / T = (e(x) + (T-1) e(y)) / T */
    ball others = ball_sub_d(size, 1);
    ball x = ball_mul(ball_sub(ball_of(1), beta), size);
    ball y = ball_div(ball_mul(beta, size), others);
    ball sum = ball_add(entropy_excess(x), ball_mul(others, entropy_excess(y)));
    return positive_part(ball_div(sum, size));
}

typedef struct rows_case {
    cdp_line line;
    ball nats;
} rows_case;

/* Negative below its only root in n > 0, and rising from there on. */
static ball rows_excess(ball n, const void *context)
{
    const rows_case *c = context;
    ball log_part =
        ball_mul(ball_mul(c->line.xi, n), ball_add_d(ball_log(n), 1));
    ball square = ball_mul(c->line.rho, ball_sqr(n));
    return ball_sub(ball_add(log_part, square), c->nats);
}

ball rows_of_information(cdp_line line, ball nats)
{
    if (ball_upper(nats) <= 0)
        return ball_of(0);
    ball square = ball_sqrt(ball_div(nats, line.rho));
    if (ball_is_zero(line.xi))
        return square;
    const rows_case c = {line, nats};
    /* for n >= 1 the sum is at least xi n, and at least rho n^2 */
    double high = ball_upper(ball_div(nats, line.xi));
    if (!ball_is_unknown(square))
        high = fmin(high, ball_upper(square));
    high = fmax(high, 1);
    if (!(high <= DBL_MAX))
        return ball_unknown();
    return ball_of_interval(bracket_root_of(rows_excess, &c, 0, high));
}

/* ---- Histograms --------------------------------------------------------- */

typedef struct blocks_case {
    ball acc;
    ball log_size;
} blocks_case;

/* phi(m) = m ((1 - 2 acc m) m log T - m log m - log 2), = rho n^2. */
static ball blocks_value(const blocks_case *c, ball m)
{
    ball hit = ball_sub(ball_of(1), ball_scale2(ball_mul(c->acc, m), 1));
    ball nats = ball_sub(ball_mul(hit, c->log_size), ball_log(m));
    return ball_mul(m, ball_sub(ball_mul(m, nats), ball_ln2()));
}

/* -phi'(m)/m = 6 acc m log T + 2 log m + 1 + log(2)/m - 2 log T; it rises
 * for m >= 1, since 2/m > log(2)/m^2: phi rises up to its root, then falls */
static ball blocks_slope(ball m, const void *context)
{
    const blocks_case *c = context;
    ball line = ball_mul_d(ball_mul(c->acc, m), 6);
    line = ball_mul(ball_sub_d(line, 2), c->log_size);
    ball rest = ball_add(ball_scale2(ball_log(m), 1), ball_div(ball_ln2(), m));
    return ball_add(ball_add_d(rest, 1), line);
}

dosi_interval histogram_rows_best(double acc, ball rho, ball log_size)
{
    const blocks_case c = {ball_of(acc), log_size};
    /* the largest whole m with 2 acc m < 1 */
    double most = floor(0.5 / acc);
    if (!(most <= 0x1p53))
        return iv_unknown();
    for (int i = 0; i < 2 && most > 1 &&
                    !ball_less(ball_mul_d(ball_of(2 * acc), most), ball_of(1));
         i++)
        most--; /* the quotient was rounded up */
    double low = 1, high = most;
    if (!ball_is_negative(blocks_slope(ball_of(1), &c))) {
        high = fmin(2, most);
    } else if (ball_is_positive(blocks_slope(ball_of(most), &c))) {
        dosi_interval root = bracket_root_of(blocks_slope, &c, 1, most);
        low = floor(root.lo);
        high = fmin(ceil(root.hi), most);
    } else {
        low = fmax(most - 1, 1);
    }
    if (!(high - low <= 64))
        return iv_unknown();
    ball best = ball_of(0);
    for (double m = low; m <= high; m++)
        best = ball_max(best, blocks_value(&c, ball_of(m)));
    return ball_interval(ball_sqrt(ball_div(best, rho)));
}

ball histogram_miss(ball size, ball x)
{
    ball log_tail = ball_add(ball_log_normal_sf(x), ball_ln2());
    if (log_tail.hi > -60)
        return ball_clamp(ball_neg(ball_expm1(ball_mul(
                              size, ball_log1p(ball_neg(ball_exp(log_tail)))))),
            0, 1);
    /* y <= -log(1 - y) <= y (1 + 2^-80) for y < e^-60 < 2^-85 */
    ball mean = ball_exp(ball_add(ball_log(size), log_tail));
    mean = ball_widen(mean, ball_magnitude(mean) * 0x1p-80);
    return ball_clamp(ball_neg(ball_expm1(ball_neg(mean))), 0, 1);
}

/* ---- The exponential mechanism ------------------------------------------ */

static double least_of(const double *x, size_t n)
{
    double least = x[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, x[i]);
    return least;
}

/* exp(-(loss - least) scale) */
static ball choice_weight(double loss, double least, ball scale)
{
    ball gap = ball_sub(ball_of(loss), ball_of(least));
    return ball_exp(ball_neg(ball_mul(gap, scale)));
}

ball choice_probability(const double *loss, size_t n, ball scale, size_t i)
{
    double least = least_of(loss, n);
    ball sum = ball_of(0);
    for (size_t j = 0; j < n; j++)
        sum = ball_add(sum, choice_weight(loss[j], least, scale));
    ball chance = ball_div(choice_weight(loss[i], least, scale), sum);
    return ball_clamp(chance, 0, 1);
}

ball choice_mean_loss(const double *loss, size_t n, ball scale)
{
    double least = least_of(loss, n);
    ball sum = ball_of(0), excess = ball_of(0);
    for (size_t j = 0; j < n; j++) {
        ball weight = choice_weight(loss[j], least, scale);
        ball gap = ball_sub(ball_of(loss[j]), ball_of(least));
        sum = ball_add(sum, weight);
        excess = ball_add(excess, ball_mul(weight, gap));
    }
    return ball_add_d(ball_div(excess, sum), least);
}

double lattice_net(double n, double radius)
{
    /* floor of the exact product */
    dd product = dd_two_product(radius, n);
    double whole = floor(product.hi);
    if (whole == product.hi && product.lo < 0)
        whole -= 1;
    double step = whole + 1;
    if (!(step <= n))
        return 1;
    return (n - fmod(n, step)) / step + 1;
}
