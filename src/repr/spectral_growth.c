/*
 * The quadrature error of Poisson-sampled Gaussian noise on a curved strip:
 * height b where r = q e^y/(1+v) is at most r0, and b r0/r beyond, so that
 * e^{iuZ} hardly grows on its edges where losses are large. Upper Riemann
 * sums; docs/theory/spectral.md, section 2.
 */
#include "spectral_part.h"

static const double pi = 3.14159265358979323846;

#define MOST_CELLS 6000
#define FIRST_XI (-12)

/* At one xi: log of phi (1+v)^p sqrt(2 pi), r, and the height in y. */
typedef struct edge {
    double xi, log_g, ratio, height;
} edge;

static edge edge_at(const spectral_strip *s, double xi)
{
    double mu = ball_mid(s->pair->parameter), q = ball_mid(s->pair->rate);
    double y = mu * xi - mu * mu / 2;
    double l = y < 300 ? log1p(q * expm1(y))
                       : y + log(q + (1 - q) * exp(-y));
    double r = fmin(q * exp(y - l), 1);
    double height = r > s->r0 ? s->b * s->r0 / r : s->b;
    return (edge){xi, s->p * l - xi * xi / 2, r, height};
}

/* log of e^{height^2/(2 mu^2)} rho^p (e^{U theta} + 1) sqrt(1 + slope^2), at
 * most, for ratios up to the given one: theta grows with r and the height,
 * rho^2 = 1 - 4r(1-r) sin^2(height/2) falls in r up to 1/2, and the height
 * changes by at most b <= pi/2 for each unit of xi. */
static double log_factor(const spectral_strip *s, double height, double ratio)
{
    double mu = ball_mid(s->pair->parameter);
    double theta = atan2(ratio * sin(height), 1 - ratio + ratio * cos(height));
    double turned = s->outer * theta + log1p(exp(-s->outer * theta));
    double sine = sin(height / 2), bulge = 1, power = 0;
    if (ratio < 0.5)
        bulge = 4 * ratio * (1 - ratio);
    if (s->p < 0)
        power = s->p * log1p(-bulge * sine * sine) / 2;
    return height * height / (2 * mu * mu) + power + turned + 0.63;
}

/* log of the mass of a cell, at most: |(log g)'| <= |xi| + |p| mu r between
 * its ends, r increasing. */
static double log_mass(const spectral_strip *s, edge a, edge b)
{
    double mu = ball_mid(s->pair->parameter);
    double slope = fmax(fabs(a.xi), fabs(b.xi)) + fabs(s->p) * mu * b.ratio;
    double cell = b.xi - a.xi;
    return log(cell) - 0.9189 + fmax(a.log_g, b.log_g) + slope * cell / 2;
}

/* Calls visit(context, log of the factor, least height) for cells that cover
 * the line; false when there would be too many. */
typedef void (*strip_visit)(void *context, double log_part, double height);

static bool walk(
    const spectral_strip *s, double cell, strip_visit visit, void *context)
{
    double mu = ball_mid(s->pair->parameter), pull = fmax(s->p, 0) * mu;
    edge left = edge_at(s, FIRST_XI);
    /* left of it r is smaller, the strip is b high, the mass at most 1 */
    visit(context, log_factor(s, s->b, left.ratio), left.height);
    for (int i = 1; i < MOST_CELLS; i++) {
        edge right = edge_at(s, FIRST_XI + i * cell);
        visit(context,
            log_mass(s, left, right) +
                log_factor(s, left.height, right.ratio),
            right.height);
        left = right;
        /* right of it at most g(B)/(B - p mu) */
        double rest = left.log_g + log_factor(s, left.height, 1);
        if (left.xi > pull + 1 && rest < -s->digits - 20) {
            visit(context, rest, s->b * fmin(s->r0, 1));
            return true;
        }
    }
    return false;
}

typedef struct sum_context {
    double rate; /* 2 pi / (mu h) */
    double log_sum;
} sum_context;

/* log(e^a + e^b) */
static double log_add(double a, double b)
{
    double top = fmax(a, b), low = fmin(a, b);
    return low == -HUGE_VAL ? top : top + log1p(exp(low - top));
}

/* Over e^{2 pi height/(mu h)} - 1. */
static void add_cell(void *context, double log_part, double height)
{
    sum_context *c = context;
    double x = c->rate * height;
    double log_over = x > 30 ? x - 1e-12 : log(expm1(x));
    c->log_sum = log_add(c->log_sum, log_part - log_over);
}

double spectral_strip_log_error(
    const spectral_strip *s, double h, double cell)
{
    double mu = ball_mid(s->pair->parameter);
    sum_context c = {2 * pi / (mu * h), -HUGE_VAL};
    if (!(s->b <= 1.57) || !walk(s, cell, add_cell, &c))
        return HUGE_VAL;
    /* l errs by 8 units of mu |xi| + mu^2 + |log q| + 1/(1-q); all else by
     * less than 1e-9 of what was summed up in each cell */
    double q = ball_mid(s->pair->rate), far = MOST_CELLS * cell;
    double l = mu * far + mu * mu + fabs(log(q)) + 1 / (1 - q);
    return c.log_sum + 1e-3 + 0x1p-48 * fabs(s->p) * l;
}

typedef struct step_context {
    double digits, mu, h;
} step_context;

static void bound_step(void *context, double log_part, double height)
{
    step_context *c = context;
    double need = log_part + c->digits + 6;
    if (need > 0)
        c->h = fmin(c->h, 2 * pi * height / (c->mu * need));
}

double spectral_strip_step(const spectral_strip *s)
{
    step_context c = {s->digits, ball_mid(s->pair->parameter), HUGE_VAL};
    return walk(s, 0.5, bound_step, &c) ? c.h : 0;
}
