/*
 * Bounds for mixtures of shifted Gaussian noise on the contour, in doubles
 * rounded outward: the error of the trapezoid rule by the integrand on the
 * edges of a strip, as an upper Riemann sum, and the decay of chi by a shifted
 * line. All of them bound errors, so that a relative 1e-9 does not matter.
 * Derivation: docs/theory/contour.md, section 9.
 */
#include "part_group.h"

#include "num/round.h"

static const double pi = 3.14159265358979323846;

#define CELL_WIDTH 0.25
#define MAX_CELLS 20000
#define LAST_LEFT_END (-14.0)
#define LOG_SLACK 0x1p-36

/* At least log(e^a + e^b), by a relative LOG_SLACK. */
static double log_add(double a, double b)
{
    double top = fmax(a, b), low = fmin(a, b);
    if (!(top > -HUGE_VAL && top < HUGE_VAL))
        return top;
    return top + log1p(exp(low - top)) + LOG_SLACK * (1 + fabs(top));
}

/* At least -log of the least |B(e^(y + i a))|/B(e^y) if the variance of j is at
 * most v: the product over negative zeros is at least cos(a/2)^(4v). */
static double zeros_cost(double v, double a)
{
    return v > 0 ? -4 * v * log(cos(a / 2)) * (1 + 0x1p-40) : 0;
}

/* The lesser of zeros_cost and -log(1 - 4v sin^2(a/2))/2: |E e^(iaX)|^2 = 1 -
 * E[2 sin^2(a(X-X')/2)] >= 1 - 4v sin^2(a/2). */
double group_shrink_cost(double v, double a)
{
    double sine = sin(a / 2), x = 4 * v * sine * sine * (1 + 0x1p-48);
    double cost = zeros_cost(v, a);
    return x < 0.99 ? fmin(-log1p(-x) / 2 * (1 + 0x1p-40), cost) : cost;
}

/* The variance is at most v (1 - v/trials), v the mean. */
static double greatest_variance(const shifts *s, double lo, double hi)
{
    double half = s->trials / 2;
    if (!(s->trials > 0))
        return 0;
    double at = hi <= half ? hi : lo >= half ? lo : half;
    return at * fmax(1 - at / s->trials, 0) * (1 + 0x1p-40);
}

/* The argument over the angle b times the mean of i: 2 tan(b/2)/b for real
 * zeros; else 1/|E e^(iaX)|, which b^2 max_slope <= 1/2 keeps below sqrt 2. */
static double angle_factor(const group *s, double b)
{
    return s->p.is_truncated ? 1.4143 : 2 * tan(b / 2) / b * (1 + 0x1p-48);
}

/* Real zeros of shares r_l of m have the sum of arg(1 - r_l + r_l e^(ia)),
 * which for m <= 1 is at most that of r = m. It rises with m, and with a up to
 * pi/2. */
double group_max_angle(const group *s, double m, double a)
{
    bool is_one = s->p.n + s->q.trials == 1;
    m = is_one ? fmin(m, 1) : m;
    if (s->p.is_truncated || !(a < pi / 2) || !(m <= 1))
        return angle_factor(s, a) * a * m;
    return atan2(m * sin(a), 1 - m + m * cos(a)) * (1 + 0x1p-40);
}

double group_max_height(const group *s)
{
    return s->p.is_truncated ? pi / 2 / s->p.n * (1 - 0x1p-40)
                       : pi / 2 * (1 - 0x1p-40);
}

/* True for real zeros within the strip, or for a truncated polynomial whose
 * terms stay within a quarter turn, or with b^2 max_slope <= 1/2. */
static bool strip_is_valid(const group *s, const group_rule *r)
{
    const group_strip *k = &r->strip;
    if (!(k->b > 0 && r->alpha >= 0 && r->alpha + k->b < 3.1))
        return false;
    if (r->alpha > 0 && !(r->alpha + k->b <= group_max_height(s)))
        return false;
    if (k->is_straight)
        return !s->p.is_truncated || k->b <= group_max_height(s);
    double most = fmin(k->max_slope, s->p.n);
    return k->b <= 2.9 && k->max_slope > 0 &&
           (!s->p.is_truncated || k->b * k->b * most <= 0.5);
}

/* Each zero changes the argument by at most b, and one of B lowers the modulus
 * by at most the cosine. */
double group_straight_cost(const group *s, const group_rule *r)
{
    double b = r->strip.b, cost = b * b / (2 * s->mu * s->mu);
    if (r->outer > 0)
        cost += r->outer * b * (s->p.n + s->q.trials);
    if (s->q.trials > 0)
        cost -= r->t * s->q.trials * log(cos((r->alpha + b) / 2));
    return cost;
}

static double log_over(const group *s, double height, double h)
{
    double x = 2 * pi * height / (s->mu * h);
    return x > 30 ? x - 1e-12 : log(expm1(x));
}

/* log of 2 e^cost / (e^(2 pi b/(mu h)) - 1). */
static double log_straight(const group *s, const group_rule *r)
{
    double cost = group_straight_cost(s, r);
    double over = log_over(s, r->strip.b, r->h);
    double value = cost + 0.6931471805599454 - over;
    return value + LOG_SLACK * (1 + cost + fabs(over));
}

/* log of all factors except phi A^(t+1) B^-t: high and low bound the height,
 * turn bounds arg A - arg B, cost the decrease of |B|. */
static double log_factor(const group *s, const group_rule *r, double high,
    double low, double turn, double cost)
{
    double over = log_over(s, low, r->h);
    double by_turn = r->outer * turn + log1p(exp(-r->outer * turn));
    double by_noise = high * high / (2 * s->mu * s->mu);
    double value =
        by_noise + r->t * cost + by_turn + log1p(high * high) / 2 - over;
    return value +
           LOG_SLACK * (1 + r->t * cost + by_turn + fabs(over) + 2 * by_noise);
}

/* Bounds one cell, between two neighbours; means of i rise, those of j fall. */
static double log_cell(const group *s, const group_rule *r,
    const group_point *a, const group_point *b)
{
    const group_strip *k = &r->strip;
    double least = a->mean_p + b->mean_q, most = b->mean_p + a->mean_q;
    least *= 1 - 0x1p-40;
    most *= 1 + 0x1p-40;
    double high = least > k->max_slope ? k->b * k->max_slope / least : k->b;
    double low = most > k->max_slope ? k->b * k->max_slope / most : k->b;
    /* height times m is b min(m, max_slope) */
    double turn = fmin(group_max_angle(s, most, high),
        angle_factor(s, high) * k->b * fmin(most, k->max_slope));
    double v = greatest_variance(&s->q, b->mean_q, a->mean_q);
    double cost = group_shrink_cost(v, r->alpha + high);
    if (r->alpha > 0) /* the other edge is at the difference of the heights */
        cost = (cost + group_shrink_cost(v, fmax(r->alpha, high))) / 2;
    double first = -b->x + s->mu * ((r->t + 1) * a->mean_p + r->t * b->mean_q);
    double last = -a->x + s->mu * ((r->t + 1) * b->mean_p + r->t * a->mean_q);
    double steep = fmax(fabs(first), fabs(last)) * (1 + 0x1p-40);
    double cell = b->x - a->x;
    double g =
        fmax(group_log_density(a, r->t) + group_density_error(s, a, r->t),
            group_log_density(b, r->t) + group_density_error(s, b, r->t));
    if (!a->is_sure || !b->is_sure)
        return HUGE_VAL;
    return g + steep * cell / 2 + log(cell) +
           log_factor(s, r, high, low, turn, cost);
}

/* Bounds the range beyond a point on one side, where the density falls at least
 * as e^(-slope x); m is at most all, and the mean of j at most added. */
static double log_beyond(const group *s, const group_rule *r,
    const group_point *p, double slope, double all, double added)
{
    const group_strip *k = &r->strip;
    double low = all > k->max_slope ? k->b * k->max_slope / all : k->b;
    double turn = angle_factor(s, k->b) * k->b * fmin(all, k->max_slope);
    double v = fmin(added, s->q.trials / 4) * (1 + 0x1p-40);
    /* -log cos grows at least as the square of the angle, and v <= m: the cost
     * is not above that of the angle b at the variance max_slope */
    if (!(r->alpha > 0))
        v = fmin(v, k->max_slope);
    if (!(slope > 0 && p->is_sure))
        return HUGE_VAL;
    double g = group_log_density(p, r->t) + group_density_error(s, p, r->t);
    double cost = zeros_cost(v, r->alpha + k->b);
    return g - log(slope) + log_factor(s, r, k->b, low, turn, cost);
}

/* Bounds the range left of a. There the mean of j grows, and with it the cost
 * of a shift, by 4 l t times the variance, l = -log cos: if 4 l < 1 the slope
 * of t log B compensates for that. */
static double log_left(
    const group *s, const group_rule *r, const group_point *a)
{
    double l = -log(cos((r->alpha + r->strip.b) / 2));
    bool is_compensated = r->alpha > 0 && 4 * l < 1 - 0x1p-30;
    double all = a->mean_p * (1 + 0x1p-40) + s->q.trials;
    return log_beyond(
        s, r, a, -a->x * (1 - 0x1p-30), all,
        is_compensated ? a->mean_q : s->q.trials);
}

/* Bounds the range right of b, where the mean of j falls. */
static double log_right(
    const group *s, const group_rule *r, const group_point *b)
{
    double all = s->p.n + b->mean_q * (1 + 0x1p-40);
    double pull = s->mu * ((r->t + 1) * s->p.n + r->t * b->mean_q);
    double slope = b->x - pull - 0x1p-30 * (b->x + pull);
    return log_beyond(s, r, b, slope, all, b->mean_q);
}

/* Bounds a cell, or its halves if it is not negligible. */
static double log_cells(const group *s, const group_rule *r,
    const group_point *a, const group_point *b)
{
    double trials = log_cell(s, r, a, b);
    if (trials <= r->enough || !(b->x - a->x > GROUP_MIN_CELL))
        return trials;
    group_point middle = group_at(s, (a->x + b->x) / 2);
    return log_add(log_cells(s, r, a, &middle), log_cells(s, r, &middle, b));
}

double group_log_error(const group *s, const group_rule *r)
{
    if (!strip_is_valid(s, r))
        return HUGE_VAL;
    if (r->strip.is_straight)
        return log_straight(s, r);
    double lo = fmin(r->lo, LAST_LEFT_END), hi = r->hi + 2;
    double many = ceil((hi - lo) / CELL_WIDTH), sum = -HUGE_VAL;
    if (!(many < MAX_CELLS))
        return HUGE_VAL;
    group_point first = group_at(s, lo), left = first;
    for (int i = 1; i <= (int)many; i++) {
        group_point right = group_at(s, lo + i * CELL_WIDTH);
        sum = log_add(sum, log_cells(s, r, &left, &right));
        left = right;
    }
    sum = log_add(sum, log_left(s, r, &first));
    sum = log_add(sum, log_right(s, r, &left));
    return isnan(sum) ? HUGE_VAL : sum;
}

double group_shift_cost(const group *s, double alpha, double t, double lo)
{
    group_point p = group_at(s, lo);
    if (!p.is_sure)
        return HUGE_VAL;
    double v = greatest_variance(&s->q, 0, p.mean_q);
    /* left of lo: the derivative of -t log B + 4 t l v is at least t (1 - 4 l)
     * times the mean of j, l = -log cos(alpha/2) */
    if (!(-4 * log(cos(alpha / 2)) < 1 - 0x1p-30))
        v = s->q.trials / 4;
    return t * zeros_cost(v, alpha);
}

/* A polynomial at the angle alpha: log |E e^(i alpha X)|, bounded from above
 * for the side 1 and from below for -1, and a lower bound of its argument. */
typedef struct angle_value {
    double log_size, angle;
} angle_value;

typedef struct angle_tables {
    const shifts *s;
    double alpha, sine; /* of alpha */
    bool is_narrow;     /* n alpha <= pi/2 */
    double sines[LOSS_MAX_GROUP + 1], versed[LOSS_MAX_GROUP + 1];
} angle_tables;

static void angle_tables_init(angle_tables *w, const shifts *s, double alpha)
{
    w->s = s;
    w->alpha = alpha;
    w->sine = sin(alpha);
    w->is_narrow =
        s->trials * alpha <= 1.57 || (s->is_truncated && s->n * alpha <= 1.57);
    for (unsigned i = 0; i <= s->n; i++) {
        double half = sin(i * alpha / 2);
        w->sines[i] = sin(i * alpha);
        w->versed[i] = 2 * half * half; /* 1 - cos */
    }
}

/* Sums of g, g i, g sin, g (1 - cos) over the terms of a polynomial. */
typedef struct angle_sums {
    double all, mean, sine, versed;
} angle_sums;

static void angle_sums_add(angle_sums *t, const angle_tables *w, unsigned i,
    double g)
{
    t->all += g;
    t->mean += g * i;
    t->sine += g * w->sines[i];
    t->versed += g * w->versed[i];
}

static angle_value value_at_angle(const angle_tables *w, double y, double side)
{
    const shifts *s = w->s;
    if (s->n == 0)
        return (angle_value){0, 0};
    unsigned top = 0;
    while (top < s->n && s->log_ratio_d[top] + y > 0)
        top++;
    angle_sums t = {0, 0, 0, 0};
    angle_sums_add(&t, w, top, 1);
    double ratio = top < s->n ? exp(s->log_ratio_d[top] + y) : 0, term = 1;
    for (unsigned i = top; i < s->n; i++) {
        term *= ratio;
        ratio *= s->bend_d[i];
        angle_sums_add(&t, w, i + 1, term);
    }
    ratio = top > 0 ? exp(-s->log_ratio_d[top - 1] - y) : 0;
    term = 1;
    for (unsigned i = top; i > 0; i--) {
        term *= ratio;
        ratio *= i > 1 ? s->bend_d[i - 2] : 0;
        angle_sums_add(&t, w, i - 1, term);
    }
    /* relative error of the terms, hence of their sums */
    double far = fmax(
        fabs(s->log_ratio_d[0]), s->n > 1 ? fabs(s->log_ratio_d[s->n - 1]) : 0);
    double unit = 0x1p-48 * (s->n + 2.0) * (8 + fabs(y) + far);
    double re = t.versed / t.all, im = t.sine / t.all;
    double gap = 2 * re - re * re - im * im;
    gap = fmax(gap - side * 4 * unit * (re + im * im), 0);
    if (!(gap < 1 - 0x1p-10)) /* next to a zero */
        return (angle_value){side > 0 ? -3 : -HUGE_VAL, 0};
    /* real zeros: each has an argument of at least sin(alpha) times its share
     * of the mean; or asin x >= x + x^3/6 if all stay in a quarter turn */
    double angle = s->is_truncated ? 0 : w->sine * t.mean / t.all;
    double x = im / sqrt(1 - gap);
    if (w->is_narrow && x > 0 && x <= 1)
        angle = fmax(angle, x + x * x * x / 6);
    double loose = 16 * unit / (1 - gap);
    return (angle_value){log1p(-gap) / 2, fmax(angle * (1 - loose), 0)};
}

double group_shifted_decay(const contour_part *self, double u, double slack)
{
    const group *s = self->group;
    double t = self->want.t, mu = s->mu, alpha = self->want.alpha;
    double sum = 0, size = 0, direct = 0;
    angle_tables p, q;
    angle_tables_init(&p, &s->p, alpha);
    angle_tables_init(&q, &s->q, alpha);
    for (size_t i = 0; i < self->nodes.n; i++) {
        double g = self->nodes.weight[i], x = self->at[i];
        if (!(g > 0))
            continue;
        angle_value a = value_at_angle(&p, mu * x, 1);
        angle_value b = value_at_angle(&q, -mu * x, -1);
        double up = (t + 1) * a.log_size - t * b.log_size;
        double pull = u * (a.angle + b.angle);
        double e = up - pull +
                   0x1p-46 * (fabs((t + 1) * a.log_size) +
                                 fabs(t * b.log_size) + pull);
        double f = expm1(e);
        sum += g * f;
        size += g * fabs(f);
        direct += g * exp(e);
    }
    double round = 0x1p-52 * ((double)self->nodes.n + 32);
    sum += size * round;
    ball log_mean = direct < 0.5
                        ? ball_log(ball_of(direct * (1 + round) + slack))
                        : ball_log1p(ball_of(sum + slack));
    ball growth = ball_scale2(
        ball_sqr(ball_div(ball_of(alpha), self->law->parameter)), -1);
    return ball_upper(ball_add(log_mean, growth));
}
