/*
 * Rényi curves in plain doubles: closed forms, and on samples sums over nodes
 * around the maxima of the integrand. They steer and certify nothing.
 * Derivation: docs/theory/sampling.md.
 */
#include "renyi_guess.h"

#include <math.h>
#include <stdbool.h>

/* Below this the second-order term of a curve suffices. */
#define SECOND_ORDER_BELOW 1e-4
#define MAX_EXPONENT 600.0

double renyi_laplace_approx(double order, double eps)
{
    double t = order - 1, u = t * eps;
    if (order * eps < SECOND_ORDER_BELOW)
        return order * eps * eps / 2;
    if (u > MAX_EXPONENT)
        return eps + log(order / (order + t)) / t;
    double sum = order * expm1(u) + t * expm1(-order * eps);
    return log1p(sum / (order + t)) / t;
}

double renyi_rr_approx(double order, double eps, double categories)
{
    double t = order - 1, u = order * eps;
    double log_q = -log(exp(fmin(eps, MAX_EXPONENT)) + categories - 1);
    if (u < SECOND_ORDER_BELOW)
        return order * eps * eps * exp(log_q);
    if (u > MAX_EXPONENT)
        return (u + fmin(log_q, -eps)) / t;
    double sum = expm1(u) + expm1(-t * eps) - expm1(eps);
    return log1p(sum * exp(log_q)) / t;
}

/* ((1 + x)^s - 1 - s x) e^base, x > -1. */
static double excess_power(double x, double s, double base)
{
    if (fabs(x) * (fabs(s) + 1) < SECOND_ORDER_BELOW)
        return s * (s - 1) / 2 * x * x * exp(base);
    double power = s * log1p(x);
    if (power > 30)
        return exp(power + base) - (1 + s * x) * exp(base);
    return (expm1(power) - s * x) * exp(base);
}

/* Nodes on one side of a maximum, and their spacing. */
#define N_SIDE_NODES 16
#define NODE_STEP 0.5
#define INV_SQRT_2PI 0.3989422804014327 /* 1/sqrt(2 pi) */

/* For larger mu the two laws hardly overlap. */
#define MAX_MU 16.0
#define MAX_POINTS 4096.0

/* log of the likelihood ratio 1 + x of the mixture at y. */
static double log_ratio(double rate, double mu, double y)
{
    double ratio = mu * y - mu * mu / 2;
    return ratio > 30 ? ratio + log(rate + (1 - rate) * exp(-ratio))
                      : log1p(rate * expm1(ratio));
}

/* A local maximum of (1 + x)^s e^(-y^2/2): the fixed point of y = s mu w(y), w
 * the share of the second law, by iteration from y. */
static double local_maximum(double rate, double mu, double s, double y)
{
    for (int i = 0; i < 40; i++) {
        double log_share = log(rate) + mu * y - mu * mu / 2 -
                           log_ratio(rate, mu, y);
        y = s * mu * exp(fmin(log_share, 0));
    }
    return y;
}

/* log E (1 + x)^s from nodes around a maximum. */
static double log_power_mean(double rate, double mu, double s, double centre)
{
    double most = -HUGE_VAL, sum = 0;
    for (int i = -N_SIDE_NODES; i <= N_SIDE_NODES; i++) {
        double y = centre + NODE_STEP * i;
        double term = s * log_ratio(rate, mu, y) - y * y / 2;
        if (term > most) {
            sum = sum * exp(most - term) + 1;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum * NODE_STEP * INV_SQRT_2PI);
}

/* log E (1 + x)^s from nodes below top, by excesses, so that small values keep
 * their digits. */
static double log_excess_mean(double rate, double mu, double s, double top)
{
    double step = mu < 1 ? 0.8 : NODE_STEP, reach = 6.4;
    int first = -(int)ceil(reach / step);
    int last = (int)ceil((top + reach) / step);
    double sum = 0;
    for (int i = first; i <= last; i++) {
        double y = step * i, x = rate * expm1(mu * y - mu * mu / 2);
        sum += excess_power(x, s, -y * y / 2);
    }
    return log1p(sum * step * INV_SQRT_2PI);
}

/* log(e^a + e^b) */
static double log_sum(double a, double b)
{
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

/* log E (1 + x)^s for s > 1 so large that terms beyond e^600 occur. */
static double log_large_mean(double rate, double mu, double s)
{
    double low = local_maximum(rate, mu, s, 0);
    double high = local_maximum(rate, mu, s, mu * s);
    double a = mu < 2 && s * log_ratio(rate, mu, low) < MAX_EXPONENT / 2
                   ? log_excess_mean(rate, mu, s, fmax(low, mu))
                   : HUGE_VAL;
    if (!(a < HUGE_VAL))
        a = log_power_mean(rate, mu, s, low);
    if (!(high - low > N_SIDE_NODES * NODE_STEP))
        return a;
    return log_sum(a, log_power_mean(rate, mu, s, high));
}

double sampled_gaussian_renyi_approx(
    sampled_side side, double rate, double mu, double order)
{
    bool mixture = side == SAMPLED_MIXTURE_FIRST;
    double t = order - 1, rho = mu * mu / 2;
    if (!(mu < MAX_MU))
        return mixture ? fmax(log_sum(order * log1p(-rate),
                                  order * log(rate) + rho * order * t),
                             0) / t
                       : -log1p(-rate);
    if (!mixture)
        return log_excess_mean(rate, mu, -t, mu) / t;
    if (rho * order * t > MAX_EXPONENT)
        return log_large_mean(rate, mu, order) / t;
    return log_excess_mean(rate, mu, order, mu * order) / t;
}

double sampled_log_excess_approx(double rate, double mu, double s)
{
    double order = s > 0 ? s : 1 - s;
    if (!(mu < MAX_MU)) { /* X is 1 - p or p e^(mu Y - rho) */
        double stay = log1p(-rate), low = (1 - rate) * expm1((s - 1) * stay);
        double rise = (s - 1) * (log(rate) + s * mu * mu / 2);
        if (s < 0)
            return s * stay > 30 ? s * stay : log(expm1(s * stay));
        return rise > 30 ? s * log(rate) + s * (s - 1) * mu * mu / 2
                         : log(low + rate * expm1(rise));
    }
    double log_moment = (order - 1) * sampled_gaussian_renyi_approx(
        s > 0 ? SAMPLED_MIXTURE_FIRST : SAMPLED_BASE_FIRST, rate, mu, order);
    return log_moment > 30 ? log_moment : log(expm1(log_moment));
}

/* ---- Laws with bounded loss -------------------------------------------- */

/* A sum of excesses ((1 + x)^s - 1 - s x) mass e^-shift. */
typedef struct excess_sum {
    double rate, s;
    double shift;
    double sum;
} excess_sum;

/* Chooses the scale by the power at the end of the law, if that is large. */
static excess_sum excess_start(
    sampled_side side, double rate, double order, double a)
{
    double s = side == SAMPLED_MIXTURE_FIRST ? order : 1 - order;
    double x = rate * expm1(fmin(s > 0 ? a : -a, MAX_EXPONENT));
    return (excess_sum){rate, s, fmax(s * log1p(x) - 30, 0), 0};
}

static void excess_add(excess_sum *e, double loss, double log_mass)
{
    double x = e->rate * expm1(fmin(loss, MAX_EXPONENT));
    e->sum += excess_power(x, e->s, log_mass - e->shift);
}

static double excess_divergence(const excess_sum *e, double order)
{
    double t = order - 1;
    /* log(1 + sum e^shift) */
    return e->shift > 0 ? (e->shift + log(e->sum + exp(-e->shift))) / t
                        : log1p(e->sum) / t;
}

double sampled_rr_renyi_approx(sampled_side side, double rate, double eps,
    double categories, double order)
{
    excess_sum e = excess_start(side, rate, order, eps);
    double log_q = -log(exp(fmin(eps, MAX_EXPONENT)) + categories - 1);
    excess_add(&e, eps, log_q);
    excess_add(&e, -eps, eps + log_q);
    return excess_divergence(&e, order);
}

/* Gauss-Legendre, 8 nodes on [-1, 1]: Abramowitz and Stegun, table 25.4. */
static const double gauss_node[4] = {0.1834346424956498, 0.5255324099163290,
    0.7966664774136267, 0.9602898564975363};
static const double gauss_weight[4] = {0.3626837833783620,
    0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/* Laplace: between the atoms +-a Q has density e^(-(a + l)/2)/4. */
static void add_laplace_panel(
    excess_sum *e, double a, double from, double to)
{
    double half = (to - from) / 2, middle = (to + from) / 2;
    double log_scale = log(fabs(half) / 4);
    for (int i = 0; i < 8; i++) {
        double z = i < 4 ? gauss_node[i] : -gauss_node[i - 4];
        double loss = middle + half * z;
        excess_add(e, loss,
            log_scale + log(gauss_weight[i % 4]) - (a + loss) / 2);
    }
}

/* Panels of length 2 at most, halved towards the end with the largest power. */
double sampled_laplace_renyi_approx(
    sampled_side side, double rate, double a, double order)
{
    excess_sum e = excess_start(side, rate, order, a);
    double n = ceil(fmin(a, 1000)), end = e.s > 0 ? a : -a;
    excess_add(&e, a, -a - log(2));
    excess_add(&e, -a, -log(2));
    for (double i = 1; i < n; i++)
        add_laplace_panel(&e, a, end * (1 - 2 * (i + 1) / n),
            end * (1 - 2 * i / n));
    double length = 2 * end / n;
    for (int i = 0; i < 7; i++, length /= 2)
        add_laplace_panel(&e, a, end - length, end - length / 2);
    add_laplace_panel(&e, a, end - length, end);
    return excess_divergence(&e, order);
}
