/*
 * The curve of a part on a bent contour, cell by cell: what the integrand is
 * at most on discs around the cells of three curves, s real and at both edges
 * of the strip, and on the real line. In doubles, with slack far above their
 * rounding. Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_bent_line.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

#define HALF_LOG_2PI 0.91893853320467274178
#define SLACK 1e-9   /* of logarithms: above all rounding */
#define MOST_CELLS 20000

typedef struct point {
    double re, im;
} point;

/* ---- The curve --------------------------------------------------------- */

/* log(1 + e^(x + iy)), |y| < pi. */
static point log1pexp(double x, double y)
{
    double e = exp(-fabs(x)), c = e * cos(y);
    double im = atan2(x > 0 ? -e * sin(y) : e * sin(y), 1 + c);
    double re = log1p(2 * c + e * e) / 2;
    return x > 0 ? (point){re + x, im + y} : (point){re, im};
}

/* tanh(x + iy). */
static point tanh_at(double x, double y)
{
    if (fabs(x) > 30)
        return (point){x > 0 ? 1 : -1, 0};
    double d = cosh(2 * x) + cos(2 * y);
    return (point){sinh(2 * x) / d, sin(2 * y) / d};
}

static point curve_at(const bent_line *l, double s, double tau)
{
    point a = tanh_at(s - l->from, tau), b = log1pexp(s - l->far, tau);
    double re = l->rise / 2 * (1 + a.re) + BENT_SLOPE * b.re;
    double im = l->rise / 2 * a.im + BENT_SLOPE * b.im;
    return (point){s - im, tau + re};
}

/* >= |H'| where |s - its real part| <= half:
 * |sech|^2 = 1/(sinh^2 + cos^2), |1 + e^(+-x)| >= 1 as |tau| < pi/2. */
static double steepness(const bent_line *l, double s, double tau, double half)
{
    double x = fmin(fmax(fabs(s - l->from) - half, 0), 300);
    double sine = sinh(x), cosine = cos(tau);
    return l->rise / 2 / (sine * sine + cosine * cosine) +
           BENT_SLOPE * exp(fmin(s - l->far + half, 0));
}

/* ---- Cells ------------------------------------------------------------- */

/* log(1 + k e^(ix)) with what its parts miss on a disc of relative radius
 * e^rho - 1 around k e^(ix): its argument errs by the arc of a sine below
 * 1/2, at most 1.1 times it. */
typedef struct log_disc {
    double re_most, im, im_miss;
} log_disc;

static log_disc log1p_disc(double k, double x, double rho)
{
    double side = 1 + k * cos(x), top = k * sin(x), rad = k * expm1(rho);
    double size = sqrt(side * side + top * top), b = atan2(top, side);
    double sine = sin(b), cosine = cos(b);
    /* the library's atan2 is checked */
    double off = fabs(top * cosine - side * sine) / size;
    bool is_sound = rad < size / 2 && off < SLACK &&
                    side * cosine + top * sine > 0;
    return (log_disc){log(size + rad), b,
        is_sound ? 1.1 * rad / size + 2 * SLACK : HUGE_VAL};
}

/* With k = odds e^y, log w = log(1-q) + log(1 + k), continued past |k| = 1 as
 * log k + log(1 + 1/k). */
static bent_cell cell_at(const bent_line *l, double s, double tau)
{
    double half = l->h / 2, steep = steepness(l, s, tau, half);
    double speed = tau == 0 ? sqrt(1 + steep * steep) : 1 + steep;
    double rho = speed * half + 1e-12 * (1 + fabs(s));
    point y = curve_at(l, s, tau);
    double x = y.re / l->mu + l->mu / 2, v = y.im / l->mu, r = rho / l->mu;
    double at = log(l->odds) + y.re;
    bent_cell cell = {.mass = (v * v - x * x) / 2 + hypot(x, v) * r +
                              r * r / 2 + log(speed * l->h / l->mu) -
                              HALF_LOG_2PI + SLACK};
    if (at < 0) { /* beneath the branch point, where Im y = pi */
        log_disc w = log1p_disc(exp(at), y.im, rho);
        cell.loss = fabs(y.im) + rho < 3.1 ? w.re_most : HUGE_VAL;
        cell.angle = w.im - w.im_miss;
    } else {
        log_disc w = log1p_disc(exp(-at), -y.im, rho);
        cell.loss = at + rho + w.re_most;
        cell.angle = y.im - rho + w.im - w.im_miss;
    }
    cell.loss += l->log_keep + SLACK;
    if (tau == 0) /* 0 <= Im y < pi left of |k| = 1: so is the argument */
        cell.angle = fmax(cell.angle, 0);
    return cell;
}

static bent_tail tail_at(const bent_line *l, double tau)
{
    double end = (l->first + (double)l->n - 0.5) * l->h;
    double start = (l->first - 0.5) * l->h;
    point y = curve_at(l, end, tau), y0 = curve_at(l, start, tau);
    double x = y.re / l->mu + l->mu / 2, v = y.im / l->mu;
    double x0 = y0.re / l->mu + l->mu / 2, v0 = y0.im / l->mu;
    double sine = sinh(fmin(end - l->from, 300)), e = exp(l->far - end);
    double steep = steepness(l, start, tau, 0), k = l->odds * exp(y0.re);
    return (bent_tail){
        .pull = (x - BENT_SLOPE * v) / l->mu,
        .size = hypot(x, v) / l->mu,
        .ratio = (1 + SLACK) / (l->odds * exp(y.re) - 1),
        .turn = l->rise / 2 / (sine * sine) + BENT_SLOPE * e / (1 - e),
        .left = (-x0 * (1 - steep) - fabs(v0) * steep) / l->mu,
        .loss = log1p(k) + l->log_keep + SLACK,
        /* |arg(1 + k)| <= asin k <= 2 k for k <= 1/2 */
        .angle = tau >= 0 ? 0 : k < 0.5 ? -2 * k : -HUGE_VAL};
}

static bent_real real_at(const bent_line *l, double s)
{
    double left = s - l->h / 2, right = s + l->h / 2;
    double a = left / l->mu + l->mu / 2, b = right / l->mu + l->mu / 2;
    double near = a * b < 0 ? 0 : fmin(fabs(a), fabs(b));
    double far = fmax(fabs(a), fabs(b));
    double scale = l->h / l->mu * exp(-HALF_LOG_2PI);
    double v = curve_at(l, left, 0).im / l->mu;
    double at_right = log1p(l->q * expm1(right));
    return (bent_real){
        .log_most = log(scale) - near * near / 2 + SLACK,
        .most = scale * exp(-near * near / 2) * (1 + SLACK),
        .least = scale * exp(-far * far / 2) * (1 - SLACK),
        .loss = at_right + 0x1p-40 * fabs(at_right),
        .start = log1p(l->q * expm1(left)),
        .upright = log(v) + (v * v - a * a) / 2 - HALF_LOG_2PI + SLACK};
}

static double six_bits(double x)
{
    int e = 0;
    double m = frexp(x, &e);
    return ldexp(floor(ldexp(m, 6)), e - 6);
}

bool bent_line_init(bent_line *l, const spectral_part *part, double size,
    double most, double digits, bool *no_memory)
{
    double mu = ball_mid(part->law->parameter), q = ball_mid(part->law->rate);
    double zero = log1p(-q) - log(q); /* where |k| = 1 */
    *l = (bent_line){.law = part->law, .count = part->count, .mu = mu, .q = q,
        .odds = q / (1 - q), .log_keep = log1p(-q),
        .rise = fmin(1.5, 1.5 * mu), .far = zero + 1,
        .from = fmin(-log(q * size) - 0.7, zero - 1.5),
        .strip = fmin(0.8, 0.8 * mu)};
    double reach = sqrt(2 * digits + 30), both = (l->strip + l->rise) / mu;
    l->h = six_bits(
        2 * pi * l->strip / (digits + both * both / 2 + 8));
    l->first = floor(-mu * (mu / 2 + reach) / l->h);
    /* on the slope Re xi^2 falls behind, and the tilt pulls all the same */
    double flat = 1 - BENT_SLOPE * BENT_SLOPE, pull = mu * (most + 1);
    double end = (pull + sqrt(pull * pull + flat * reach * reach)) / flat;
    double last = fmax(fmax(l->far + 9, 4), mu * (end - mu / 2));
    double n = ceil(last / l->h) - l->first;
    if (!(n > 16 && n < MOST_CELLS))
        return false;
    l->n = (size_t)n;
    bent_cell *cells = malloc(3 * l->n * sizeof *cells);
    l->real = malloc(l->n * sizeof *l->real);
    l->sums = malloc(2 * (l->n + 1) * sizeof *l->sums);
    l->cells[0] = cells;
    *no_memory = cells == NULL || l->real == NULL || l->sums == NULL;
    if (*no_memory)
        return false;
    const double tau[3] = {0, -l->strip, l->strip};
    for (int j = 0; j < 3; j++) {
        l->cells[j] = cells + (size_t)j * l->n;
        l->tails[j] = tail_at(l, tau[j]);
        for (size_t i = 0; i < l->n; i++)
            l->cells[j][i] =
                cell_at(l, (l->first + (double)i) * l->h, tau[j]);
    }
    for (size_t i = 0; i < l->n; i++)
        l->real[i] = real_at(l, (l->first + (double)i) * l->h);
    l->n_first = l->n;
    return true;
}

void bent_line_free(bent_line *l)
{
    free(l->cells[0]);
    free(l->real);
    free(l->sums);
    free(l->storage);
}

/* ---- Bounds ------------------------------------------------------------ */

/* >= e^x, soon done for small ones. */
static inline double exp_most(double x)
{
    return x < -60 ? 1e-26 : exp(x);
}

/* Beyond the last cell the logarithm of the integrand falls at least by
 * (Re xi - SLOPE Im xi)/mu + SLOPE b - p but for 1 - r and y' - (1 + i SLOPE),
 * which fall themselves; the more so the greater b is. Left of the first
 * cell it grows with s. A cell's worth is added for the nodes' sum. */
static double beyond(const bent_line *l, int j, double p, const bent_box *x)
{
    const bent_tail *t = &l->tails[j];
    const bent_cell *a = &l->cells[j][0], *b = &l->cells[j][l->n - 1];
    double off = (1 + BENT_SLOPE + t->turn) * t->ratio +
                 (1 + t->ratio) * t->turn;
    double fall = t->pull + BENT_SLOPE * x->height - p -
                  off * (p + x->height) - (t->size + 3) * t->turn;
    if (!(off < BENT_SLOPE && fall > 0 && t->ratio > 0 && t->left > 0 &&
            b->angle >= 0))
        return HUGE_VAL;
    double right = exp(b->mass + p * b->loss - x->height * b->angle);
    double back = t->angle < 0 ? x->top * t->angle : 0;
    double left = exp(a->mass + p * t->loss - back);
    return right * (1 + 1 / (l->h * fall)) +
           left * (1 + 1 / (l->h * t->left));
}

static double cell_value(const bent_cell *c, double p, const bent_box *x)
{
    double b = c->angle >= 0 ? x->height : x->top;
    return exp_most(c->mass + p * c->loss - b * c->angle);
}

/* sums[2 i + e]: the curve from its i-th cell on, at either end. */
static void sum_curve(const bent_line *l, const bent_box *x)
{
    const double p[2] = {x->low + 1, x->high + 1};
    for (size_t e = 0; e < 2; e++) {
        double sum = beyond(l, 0, p[e], x);
        l->sums[2 * l->n + e] = sum;
        for (size_t i = l->n; i-- > 0;) {
            if (e == 1 && p[1] == p[0])
                sum = l->sums[2 * i];
            else if (sum < HUGE_VAL)
                sum += cell_value(&l->cells[0][i], p[e], x);
            l->sums[2 * i + e] = sum;
        }
    }
}

/* Of the real line beyond the last cell, where (log phi w^p)' <= p mu - xi. */
static double real_beyond(const bent_line *l, double p)
{
    const bent_real *c = &l->real[l->n - 1];
    double end = (l->first + (double)l->n - 0.5) * l->h;
    double xi = end / l->mu + l->mu / 2, fall = xi - p * l->mu;
    return fall > 0 ? exp(p * c->loss - xi * xi / 2) / fall : HUGE_VAL;
}

/* What a cell of the real line adds to E[w^p - 1]. */
static double real_value(const bent_real *c, double p)
{
    double x = p * c->loss;
    if (c->log_most + x < -60)
        return 1e-26;
    if (x > 30)
        return exp(c->log_most + x);
    double rise = expm1(x);
    return (rise > 0 ? c->most : c->least) * rise;
}

/* The real line up to some cell, then upright to the curve, then along it, or
 * the real line alone: the best of all. On the real line E[w^p] = P +
 * E[w^p - 1]; left of the first cell w < 1. */
void bent_line_bound(double out[2], const bent_line *l, const bent_box *x)
{
    const double p[2] = {x->low + 1, x->high + 1};
    double real[2] = {0, 0}, best = HUGE_VAL, found[2] = {0, 0}, at = 1;
    double mass = l->real[0].most / (l->h * l->tails[0].left);
    sum_curve(l, x);
    for (size_t i = 0; i <= l->n; i++) {
        const bent_real *c = &l->real[i];
        double base = i == 0 ? 0 : fmin(mass, 1), more[2];
        for (size_t e = 0; e < 2; e++)
            more[e] = i == l->n ? real[e] + real_beyond(l, p[e])
                      : i == 0  ? l->sums[e]
                                : real[e] + l->sums[2 * i + e] +
                                     exp_most(c->upright + p[e] * c->start);
        double merit = (base + more[0]) * (base + more[1]);
        if (merit < best) {
            best = merit;
            at = base;
            found[0] = more[0];
            found[1] = more[1];
        }
        if (i == l->n ||
            (c->loss > 0 && (base + real[0]) * (base + real[1]) > best))
            break; /* from here on it only grows */
        real[0] += real_value(c, p[0]);
        real[1] += p[1] == p[0] ? real[0] - real[1] : real_value(c, p[1]);
        mass += c->most;
    }
    for (size_t e = 0; e < 2; e++)
        out[e] = best < HUGE_VAL ? (at == 1 ? log1p(found[e])
                                            : log(at + found[e])) + 1e-14
                                 : HUGE_VAL;
}

/* Of a curve, but for some of its cells. */
static double sum_outside(const bent_line *l, int j, double p,
    const bent_box *x, size_t first, size_t last)
{
    double sum = beyond(l, j, p, x);
    for (size_t i = 0; i < l->n; i++)
        if (i < first || i >= last)
            sum += cell_value(&l->cells[j][i], p, x);
    return sum;
}

double bent_line_alias(const bent_line *l, const bent_box *x)
{
    double most = 0;
    for (int e = 0; e < 2; e++) { /* convex in p */
        double p = (e == 0 ? x->low : x->high) + 1;
        most = fmax(most, sum_outside(l, 1, p, x, 0, 0) +
                              sum_outside(l, 2, p, x, 0, 0));
    }
    return most / expm1(2 * pi * l->strip / l->h) * (1 + 1e-6);
}

/* A node is below what its cell is bounded by; beyond the cells the integrand
 * falls outwards. */
double bent_line_beyond(const bent_line *l, const bent_box *x)
{
    double most = 0;
    for (int e = 0; e < 2; e++) {
        double p = (e == 0 ? x->low : x->high) + 1;
        most = fmax(
            most, sum_outside(l, 0, p, x, l->n_first, l->n_last));
    }
    return most * (1 + 1e-6);
}

void bent_line_keep(bent_line *l, const bent_box *x, double digits)
{
    double least = exp(-digits);
    for (size_t i = 0; i < l->n; i++) {
        const bent_cell *c = &l->cells[0][i];
        if (fmax(cell_value(c, x->low + 1, x),
                cell_value(c, x->high + 1, x)) < least)
            continue;
        if (l->n_first > i)
            l->n_first = i;
        if (l->n_last < i + 1)
            l->n_last = i + 1;
    }
}
