#include "renyi_guess.h"

#include <math.h>
#include <stdbool.h>

/* Below this the second order of a curve is enough. */
#define SMALL 1e-4
#define LARGE 600.0

double renyi_laplace_approx(double order, double eps)
{
    double t = order - 1, u = t * eps;
    if (order * eps < SMALL)
        return order * eps * eps / 2;
    if (u > LARGE)
        return eps + log(order / (order + t)) / t;
    double sum = order * expm1(u) + t * expm1(-order * eps);
    return log1p(sum / (order + t)) / t;
}

double renyi_rr_approx(double order, double eps, double categories)
{
    double t = order - 1, u = order * eps;
    double log_q = -log(exp(fmin(eps, LARGE)) + categories - 1);
    if (u < SMALL)
        return order * eps * eps * exp(log_q);
    if (u > LARGE)
        return (u + fmin(log_q, -eps)) / t;
    double sum = expm1(u) + expm1(-t * eps) - expm1(eps);
    return log1p(sum * exp(log_q)) / t;
}

/* ((1 + x)^s - 1 - s x) e^base, x > -1. */
static double excess_power(double x, double s, double base)
{
    if (fabs(x) * (fabs(s) + 1) < SMALL)
        return s * (s - 1) / 2 * x * x * exp(base);
    double power = s * log1p(x);
    if (power > 30)
        return exp(power + base) - (1 + s * x) * exp(base);
    return (expm1(power) - s * x) * exp(base);
}

/* Nodes on one side of a bump, and how far they are apart. */
#define NODES 16
#define STEP 0.5
#define DENSITY 0.3989422804014327 /* 1/sqrt(2 pi) */

/* Beyond this mu the two laws hardly overlap. */
#define MAX_MU 16.0
#define MAX_POINTS 4096.0

/* log of the mixture's ratio at y. */
static double log_ratio(double rate, double mu, double y)
{
    double ratio = mu * y - mu * mu / 2;
    return ratio > 30 ? ratio + log(rate + (1 - rate) * exp(-ratio))
                      : log1p(rate * expm1(ratio));
}

/* A bump of (1 + x)^s e^(-y^2/2): y = s mu w(y), w being the share of the
 * second law; from below or above. */
static double bump(double rate, double mu, double s, double y)
{
    for (int i = 0; i < 40; i++) {
        double log_share = log(rate) + mu * y - mu * mu / 2 -
                           log_ratio(rate, mu, y);
        y = s * mu * exp(fmin(log_share, 0));
    }
    return y;
}

/* log E (1 + x)^s around a bump. */
static double log_power_mean(double rate, double mu, double s, double centre)
{
    double most = -HUGE_VAL, sum = 0;
    for (int i = -NODES; i <= NODES; i++) {
        double y = centre + STEP * i;
        double term = s * log_ratio(rate, mu, y) - y * y / 2;
        if (term > most) {
            sum = sum * exp(most - term) + 1;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum * STEP * DENSITY);
}

/* log E (1 + x)^s from what lies below top, without losing a small one. */
static double log_excess_mean(double rate, double mu, double s, double top)
{
    double step = mu < 1 ? 0.8 : STEP, reach = 6.4;
    int first = -(int)ceil(reach / step);
    int last = (int)ceil((top + reach) / step);
    double sum = 0;
    for (int i = first; i <= last; i++) {
        double y = step * i, x = rate * expm1(mu * y - mu * mu / 2);
        sum += excess_power(x, s, -y * y / 2);
    }
    return log1p(sum * step * DENSITY);
}

/* log(e^a + e^b) */
static double log_sum(double a, double b)
{
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

/* The same with the mixture first, where e^600 and more may occur. */
static double log_large_mean(double rate, double mu, double s)
{
    double low = bump(rate, mu, s, 0), high = bump(rate, mu, s, mu * s);
    double a = mu < 2 && s * log_ratio(rate, mu, low) < LARGE / 2
                   ? log_excess_mean(rate, mu, s, fmax(low, mu))
                   : HUGE_VAL;
    if (!(a < HUGE_VAL))
        a = log_power_mean(rate, mu, s, low);
    if (!(high - low > NODES * STEP))
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
    if (rho * order * t > LARGE)
        return log_large_mean(rate, mu, order) / t;
    return log_excess_mean(rate, mu, order, mu * order) / t;
}

double sampled_log_excess_approx(double rate, double mu, double s)
{
    double order = s > 0 ? s : 1 - s;
    double log_moment = (order - 1) * sampled_gaussian_renyi_approx(
        s > 0 ? SAMPLED_MIXTURE_FIRST : SAMPLED_BASE_FIRST, rate, mu, order);
    return log_moment > 30 ? log_moment : log(expm1(log_moment));
}

/* ---- Laws with a greatest loss ----------------------------------------- */

/* A sum of excesses ((1 + x)^s - 1 - s x) mass e^-shift. */
typedef struct excess_sum {
    double rate, s;
    double shift;
    double sum;
} excess_sum;

/* Where the loss at the end a makes the power large, it sets the scale. */
static excess_sum excess_start(
    sampled_side side, double rate, double order, double a)
{
    double s = side == SAMPLED_MIXTURE_FIRST ? order : 1 - order;
    double x = rate * expm1(fmin(s > 0 ? a : -a, LARGE));
    return (excess_sum){rate, s, fmax(s * log1p(x) - 30, 0), 0};
}

static void excess_add(excess_sum *e, double loss, double log_mass)
{
    double x = e->rate * expm1(fmin(loss, LARGE));
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
    double log_q = -log(exp(fmin(eps, LARGE)) + categories - 1);
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

/* Panels of length 2 at most, halved towards the end that matters. */
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
