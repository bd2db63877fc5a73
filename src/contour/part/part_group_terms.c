/*
 * The polynomials of mixtures of shifted Gaussian noise, summed from their
 * largest term outwards: ratios of terms fall, so that the terms left out are
 * at most a geometric series. Derivation: docs/theory/contour.md, section 9.
 */
#include "part_group.h"

#include <stdlib.h>

#include "num/ends.h"

/* Terms of Bin(i; trials, rate) e^(-i^2 mu^2/2) up to n: ratio_i = (trials -
 * i)/(i + 1) rate/(1 - rate) e^(-(2i + 1) mu^2/2). */
static void shifts_init(
    shifts *s, unsigned n, double trials, bool is_truncated,
    const loss_law *pair)
{
    ball square = ball_sqr(pair->parameter);
    ball miss = ball_log1p(ball_neg(pair->rate));
    ball odds = ball_sub(ball_log(pair->rate), miss);
    ball fall = ball_exp(ball_neg(square));
    s->n = n;
    s->trials = trials;
    s->is_truncated = is_truncated && n < trials;
    s->log_term[0] = ball_mul_d(miss, trials);
    for (unsigned i = 0; i <= n; i++) {
        ball choose = ball_div_d(ball_of(trials - i), i + 1);
        ball shift = ball_mul_d(square, i + 0.5);
        bool is_last = !(i < trials);
        s->log_ratio[i] =
            is_last ? ball_of(-HUGE_VAL)
                    : ball_sub(ball_add(ball_log(choose), odds), shift);
        ball bend = ball_div(
            ball_of((trials - i - 1) * (i + 1)),
            ball_of((trials - i) * (i + 2)));
        s->bend[i] = is_last ? ball_of(0) : ball_mul(bend, fall);
        if (i < n)
            s->log_term[i + 1] = ball_add(s->log_term[i], s->log_ratio[i]);
        s->log_term_d[i] = ball_mid(s->log_term[i]);
        s->log_ratio_d[i] = is_last ? -HUGE_VAL : ball_mid(s->log_ratio[i]);
        s->bend_d[i] = ball_mid(s->bend[i]);
    }
}

static bool is_imprecise(ball x)
{
    return !(x.rad <= 0x1p-60 * fabs(x.hi));
}

group *group_of(contour_part *part)
{
    const loss_law *pair = part->law;
    if (part->group != NULL)
        return part->group;
    if (is_imprecise(pair->parameter) || is_imprecise(pair->rate))
        return NULL;
    group *g = calloc(1, sizeof *g);
    if (g == NULL) {
        part->sketch.no_memory = true;
        return NULL;
    }
    unsigned removed = contour_removed(pair), added = contour_added(pair);
    /* for samples with replacement B is summed up to negligible terms, but A is
     * truncated and its remainder counts as +inf */
    bool is_drawn = pair->draws > 0;
    shifts_init(&g->p, removed, is_drawn && removed > 0 ? pair->draws : removed,
        true, pair);
    shifts_init(&g->q,
        is_drawn && added > 0 && added < pair->draws
            ? (unsigned)fmin(pair->draws, LOSS_MAX_GROUP)
            : added,
        is_drawn && added > 0 ? pair->draws : added, false, pair);
    g->mu = ball_mid(pair->parameter);
    part->group = g;
    return g;
}

/* The index of the largest term, up to the rounding of y. */
static unsigned largest_term(const shifts *s, double y)
{
    unsigned i = 0;
    while (i < s->n && s->log_ratio_d[i] + y > 0)
        i++;
    return i;
}

/* Encloses the rest of a series of falling ratios: at most term r/(1 - r). */
static ball series_rest(ball term, ball ratio)
{
    ball gap = ball_sub(ball_of(1), ratio);
    if (!ball_is_positive(gap))
        return ball_unknown();
    return ball_hull(ball_of(0), ball_div(ball_mul(term, ratio), gap));
}

/* Terms below this share of the largest one are bounded together. */
#define MIN_TERM_SHARE 0x1p-112

/* Adds a term times e^(i many a), a the angle; below the largest term (side <
 * 0) the imaginary part has the other sign. */
static void add_term(
    shifts_value *v, ball term, const shifts_angles *w, unsigned many, int side)
{
    if (w == NULL) {
        v->re = ball_add(v->re, term);
        return;
    }
    ball im = ball_mul(term, w->sine[many]);
    v->re = ball_add(v->re, ball_mul(term, w->cosine[many]));
    v->im = side > 0 ? ball_add(v->im, im) : ball_sub(v->im, im);
}

/* Adds the bound of the terms left out, whatever their argument. */
static void add_rest(shifts_value *v, ball rest, const shifts_angles *w)
{
    if (w != NULL) {
        rest = ball_hull(ball_neg(rest), rest);
        v->im = ball_add(v->im, rest);
    }
    v->re = ball_add(v->re, rest);
}

/* Sums the terms above the largest one, relative to it. */
static void terms_above(
    shifts_value *v, const shifts *s, ball y, const shifts_angles *w)
{
    ball term = ball_of(1);
    unsigned i = v->top;
    if (!(i < s->trials) || (s->is_truncated && i == s->n))
        return;
    ball ratio = ball_exp(ball_add(s->log_ratio[i], y));
    for (; i < s->n && term.hi > MIN_TERM_SHARE; i++) {
        term = ball_mul(term, ratio);
        add_term(v, term, w, i + 1 - v->top, 1);
        ratio = ball_mul(ratio, s->bend[i]);
    }
    if (i < s->trials && !(s->is_truncated && i == s->n))
        add_rest(v, series_rest(term, ratio), w);
}

/* Sums the terms below the largest one, relative to it. */
static void terms_below(
    shifts_value *v, const shifts *s, ball y, const shifts_angles *w)
{
    ball term = ball_of(1);
    unsigned i = v->top;
    if (i == 0)
        return;
    ball ratio = ball_exp(ball_neg(ball_add(s->log_ratio[i - 1], y)));
    for (; i > 0 && term.hi > MIN_TERM_SHARE; i--) {
        term = ball_mul(term, ratio);
        add_term(v, term, w, v->top - i + 1, -1);
        ratio = i > 1 ? ball_mul(ratio, s->bend[i - 2]) : ratio;
    }
    if (i > 0)
        add_rest(v, series_rest(term, ratio), w);
}

shifts_value shifts_at_angle(const shifts *s, ball y, const shifts_angles *w)
{
    shifts_value v = {.top = largest_term(s, y.hi)};
    terms_above(&v, s, y, w);
    terms_below(&v, s, y, w);
    v.log_top = ball_add(s->log_term[v.top], ball_mul_d(y, v.top));
    return v;
}

ball shifts_log(const shifts *s, ball y)
{
    if (s->n == 0)
        return ball_of(0);
    shifts_value v = shifts_at_angle(s, y, NULL);
    return ball_add(v.log_top, ball_log1p(v.re));
}

shifts_rows shifts_rows_at(
    const shifts *s, ball slope, double first, double last, double h)
{
    ball log_k = ball_add(s->log_ratio[0], ball_mul_d(slope, first));
    double end = log_k.hi + ball_mid(slope) * (last - first);
    shifts_rows g = {.s = s,
        .slope = slope,
        .h = h,
        .is_geometric = s->trials == 1 && fmin(log_k.hi, end) > -600 &&
                     fmax(log_k.hi, end) < 300};
    if (!g.is_geometric)
        return g;
    ball value = ball_exp(log_k), factor = ball_exp(ball_mul_d(slope, h));
    for (int i = 0; i < BALL_ROW; i++) {
        ball_row_put(&g.value, i, value);
        value = ball_mul(value, factor);
    }
    for (int i = 1; i < BALL_ROW; i *= 2)
        factor = ball_sqr(factor);
    g.factor = ball_row_of(factor);
    return g;
}

void shifts_rows_step(shifts_rows *g)
{
    if (g->is_geometric)
        ball_row_mul(&g->value, &g->factor);
}

void shifts_rows_log(ball_row *out, const shifts_rows *g, double x)
{
    if (g->s->n == 0) {
        *out = ball_row_of(ball_of(0));
        return;
    }
    if (!g->is_geometric) {
        for (int i = 0; i < BALL_ROW; i++)
            ball_row_put(
                out, i, shifts_log(g->s, ball_mul_d(g->slope, x + i * g->h)));
        return;
    }
    ball_row first = ball_row_of(g->s->log_term[0]);
    *out = g->value;
    ball_row_log1p(out);
    ball_row_add(out, &first);
}

shifts_point shifts_at(const shifts *s, double y)
{
    if (s->n == 0)
        return (shifts_point){0, 0, 0, true};
    unsigned top = largest_term(s, y), i = top;
    double more = 0, first = 0, second = 0, term = 1;
    double ratio = i < s->n ? exp(s->log_ratio_d[i] + y) : 0;
    for (; i < s->n && term > 0x1p-70; i++) {
        double far = i + 1 - (double)top;
        term *= ratio;
        ratio *= s->bend_d[i];
        more += term;
        first += far * term;
        second += far * far * term;
    }
    bool is_sure =
        s->is_truncated || i < s->n || !(i < s->trials) || term < 0x1p-60;
    ratio = top > 0 ? exp(-s->log_ratio_d[top - 1] - y) : 0;
    term = 1;
    for (i = top; i > 0 && term > 0x1p-70; i--) {
        double far = (double)top - i + 1;
        term *= ratio;
        ratio *= i > 1 ? s->bend_d[i - 2] : 0;
        more += term;
        first -= far * term;
        second += far * far * term;
    }
    double sum = 1 + more, mean = first / sum;
    return (shifts_point){s->log_term_d[top] + top * y + log1p(more),
        top == 0 ? mean : fmax(top + mean, 0),
        fmax(second / sum - mean * mean, 0), is_sure};
}

group_point group_at(const group *g, double x)
{
    shifts_point p = shifts_at(&g->p, g->mu * x);
    shifts_point q = shifts_at(&g->q, -g->mu * x);
    return (group_point){
        x, p.log_sum, q.log_sum, p.mean, q.mean, p.is_sure && q.is_sure};
}

double group_log_density(const group_point *p, double t)
{
    return (t + 1) * p->log_p - t * p->log_q - p->x * p->x / 2;
}

/* Terms err by some units of the size of their logarithms; mu is rounded. */
double group_density_error(const group *g, const group_point *p, double t)
{
    double y = g->mu * fabs(p->x);
    double n = (double)g->p.n + (double)g->q.n;
    double size =
        p->x * p->x + 1 +
        (t + 1) * (fabs(p->log_p) + fabs(p->log_q) + (n + 1) * (2 * y + 8));
    return 0x1p-44 * size;
}
