/*
 * Excesses G = H - (1 - X)_+ of the profile H on a lattice of X = e^(ih), i of
 * both signs; all terms of a chord of H are positive then, and values left of
 * 0 are those of a record that is added: G(1/X) = H_add(X)/X.
 */
#include "range_sampled_lattice.h"

#include <math.h>
#include <stdlib.h>

#include "num/phase_sums.h"
#include "num/round.h"

/* Points times rows times runs, of which most are passed over: some tenths of a
 * nanosecond each. */
#define MAX_WORK 3e9

/* It may be more by that where a narrow answer is asked for. */
#define PATIENCE 16

/* Of the middle choice's range; what is lost by it is less than one over their
 * number. */
#define MIN_CELLS 4
#define MAX_CELLS 2048
#define MAX_RANGE 20.0
#define MIN_RANGE 1e-6
#define MIN_RATE 1e-9

/* Points that are worked on at once. */
#define CHUNK 128

/* What a row's weights and its sum of positive terms round by, and more. */
#define UP (1 + 0x1p-44)
#define DOWN (1 - 0x1p-44)

/* A row between two others errs by no more, relatively; and what it is not
 * quite in their middle by. */
#define DOUBT 0x1p-46
#define ASIDE (1 + 0x1p-18)

/* Excesses below this count as this from above and as nothing from below:
 * weights are no less than 1e-48, so that no product of the two leaves the
 * range where rounding is relative. */
#define LEAST 1e-250

/* ---- One run more ------------------------------------------------------ */

PHASE_WIDE static void add_row(double *restrict out, const double *restrict v,
    const sampled_row *row, ptrdiff_t n)
{
    double a = row->weight[0], b = row->weight[1];
    double c = row->weight[2], d = row->weight[3];
    const double *left = v - row->n, *right = v + row->m;
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = a * left[i] + b * left[i - 1] + c * right[i] +
                 d * right[i + 1];
}

/* The chord at n points from the first one on. */
static void chord(double *out, const sampled_lattice *r, const double *values,
    const sampled_row *row, ptrdiff_t first, ptrdiff_t n)
{
    add_row(out, values + first, row, n);
    ptrdiff_t from = first > -row->m ? first : -row->m;
    ptrdiff_t end = first + n < row->n + 1 ? first + n : row->n + 1;
    for (ptrdiff_t i = from; i < end; i++)
        out[i - first] +=
            i <= 0 ? row->p2 * (row->rise + row->grow * r->rise[i + row->m])
                   : row->p1 * (row->fall + row->keep * r->fall[row->n - i]);
}

PHASE_WIDE static void raise(
    double *restrict best, const double *restrict f, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        best[i] = f[i] > best[i] ? f[i] : best[i];
}

/* Between a and c is mid; a + b s + c/s is convex, and greatest at an end, or
 * concave, and no more than lines through mid and one end, prolonged. */
PHASE_WIDE static void raise_between(double *restrict best,
    const double *restrict a, const double *restrict mid,
    const double *restrict c, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double least = a[i] < c[i] ? a[i] : c[i];
        double gain = mid[i] - least + DOUBT * mid[i];
        double y = mid[i] + (gain > 0 ? gain : 0) * ASIDE;
        best[i] = y > best[i] ? y : best[i];
    }
}

/* All choices of a group, and those between. */
static void raise_group(double *best, const sampled_lattice *r, size_t group,
    ptrdiff_t first, ptrdiff_t n)
{
    double f[3][CHUNK] = {{0}};
    size_t i = group * SAMPLED_GROUP, end = i + SAMPLED_GROUP;
    end = end < r->above.n ? end : r->above.n - 1;
    const sampled_row *row = &r->above.items[2 * i];
    int now = 0;
    chord(f[now], r, r->upper, row, first, n);
    raise(best, f[now], n);
    for (; i < end; i++, row += 2) {
        chord(f[2], r, r->upper, &row[1], first, n);
        chord(f[1 - now], r, r->upper, &row[2], first, n);
        raise(best, f[2], n);
        raise(best, f[1 - now], n);
        if (row[1].is_mid)
            raise_between(best, f[now], f[2], f[1 - now], n);
        now = 1 - now;
    }
}

PHASE_WIDE static bool exceeds(
    const double *restrict f, const double *restrict best, ptrdiff_t n)
{
    long more = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        more |= f[i] * UP > best[i] ? 1 : 0;
    return more != 0;
}

/* Groups are looked into where their bound exceeds the best of those that are
 * known already, the middle one of those before first of all. */
static void step_above(sampled_lattice *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK] = {0}, best[CHUNK] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK - r->last;
        ptrdiff_t n = r->last + 1 - i < CHUNK ? r->last + 1 - i : CHUNK;
        size_t guess = (r->from[at] + r->to[at]) / 2;
        r->from[at] = r->to[at] = guess;
        raise_group(best, r, guess, i, n);
        for (size_t g = 0; g < r->above.n_groups; g++) {
            chord(f, r, r->upper, &r->above.bounds[g], i, n);
            if (g == guess || !exceeds(f, best, n))
                continue;
            raise_group(best, r, g, i, n);
            r->from[at] = g < r->from[at] ? g : r->from[at];
            r->to[at] = g > r->to[at] ? g : r->to[at];
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->next[i + j] = best[j] > 0 ? fmax(best[j] * UP, LEAST) : 0;
    }
}

/* Any choices will do: those that were looked into from above. */
static void step_below(sampled_lattice *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK] = {0}, best[CHUNK] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK - r->last;
        ptrdiff_t n = r->last + 1 - i < CHUNK ? r->last + 1 - i : CHUNK;
        size_t end = (r->to[at] + 1) * SAMPLED_GROUP;
        for (ptrdiff_t j = 0; j < n; j++)
            best[j] = r->lower[i + j]; /* a run that says nothing */
        for (size_t k = r->from[at] * SAMPLED_GROUP;
             k < r->below.n && k <= end; k++) {
            chord(f, r, r->lower, &r->below.items[k], i, n);
            raise(best, f, n);
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->next[i + j] = best[j] > LEAST ? best[j] * DOWN : 0;
    }
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* From above what is beyond the ends is no more than there, as H falls and so
 * does H_add; from below it is nothing. */
static void add_run(sampled_lattice *r)
{
    step_above(r);
    swap(&r->upper, &r->next);
    for (ptrdiff_t i = 1; i <= r->pad; i++) {
        r->upper[r->last + i] = r->upper[r->last];
        r->upper[-r->last - i] = r->upper[-r->last];
    }
    step_below(r);
    swap(&r->lower, &r->next);
    for (ptrdiff_t i = 1; i <= r->pad; i++)
        r->lower[r->last + i] = r->lower[-r->last - i] = 0;
}

/* ---- Making ------------------------------------------------------------ */

/* Of the middle choice, over the cells, to 26 bits: points are exact. It is no
 * more, so that both ends of a chord that is as long may be points. */
static double step_of(ball e, double rate, double cells)
{
    double t = ball_mid(e) / 2;
    double on = -log1p(rate * expm1(-t)), back = log1p(rate * expm1(t));
    int exponent;
    double bits = frexp((on + back) / cells, &exponent) * 0x1p26;
    return ldexp(floor(bits), exponent - 26);
}

/* Ranges up to where delta is about e^-log_tail, as k e^2/8 of zCDP. */
static double tail_of(const sampled_choice *c, double k, double log_tail)
{
    double e = c->h * (sampled_reach(c, true) + sampled_reach(c, false)) / 2;
    double most = k * fmax(sampled_reach(c, true), sampled_reach(c, false));
    return fmin(most, ceil((k * e / 8 + sqrt(log_tail / 2 * k) + 1) * e /
                           c->h));
}

static double work_of(const sampled_choice *c, double k, double log_tail)
{
    double rows = 3 * (sampled_reach(c, true) + sampled_reach(c, false));
    return 2 * tail_of(c, k, log_tail) * rows * k;
}

/* What is held for it, roughly: values, and rows with what they are made of. */
static double bytes_of(const sampled_choice *c, double k, double log_tail)
{
    double reach = sampled_reach(c, true) + sampled_reach(c, false);
    return 48 * (tail_of(c, k, log_tail) + 2 * reach) +
           4 * reach * sizeof(sampled_row);
}

void sampled_lattice_clear(sampled_lattice *r)
{
    free(r->above.items);
    free(r->above.bounds);
    free(r->below.items);
    free(r->from);
    free(r->storage);
    *r = (sampled_lattice){0};
}

static dosi_status lay(sampled_lattice *r, double k, work_limits *limits,
    dosi_error *err)
{
    const sampled_choice *c = &r->choice;
    double back = sampled_reach(c, true), on = sampled_reach(c, false);
    r->last = (ptrdiff_t)tail_of(c, k, r->log_tail);
    r->pad = (ptrdiff_t)fmax(back, on) + 3;
    size_t points = (size_t)(2 * (r->last + r->pad) + 1);
    size_t all = 3 * points + 2 * (size_t)(r->pad + 1);
    if (all * sizeof *r->storage > work_bytes(limits))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: the memory ceiling is too low to compose samples");
    r->storage = calloc(all, sizeof *r->storage);
    r->n_chunks = (size_t)(2 * r->last) / CHUNK + 1;
    r->from = calloc(2 * r->n_chunks, sizeof *r->from);
    if (r->storage == NULL || r->from == NULL)
        return dosi_fail_memory(err);
    r->to = r->from + r->n_chunks;
    double **values[] = {&r->upper, &r->lower, &r->next};
    for (size_t i = 0; i < 3; i++)
        *values[i] = r->storage + i * points + r->last + r->pad;
    r->fall = r->storage + 3 * points;
    r->rise = r->fall + r->pad + 1;
    for (ptrdiff_t i = 0; i <= r->pad; i++) {
        ball x = ball_of((double)i * c->h);
        r->fall[i] = ball_mid(ball_neg(ball_expm1(ball_neg(x))));
        r->rise[i] = ball_mid(ball_expm1(x));
    }
    dosi_status status = sampled_rows_above(&r->above, c, err);
    return status == DOSI_OK ? sampled_rows_below(&r->below, c, err) : status;
}

/* Operations of one run at each point of a row; and the share of what is left
 * that one lattice may spend. */
#define POINT_OPERATIONS 3
#define LATTICE_SHARE (1.0 / 3)

dosi_status sampled_lattice_make(sampled_lattice *out, ball e, double rate,
    double k, double log_tail, work_limits *limits, dosi_error *err)
{
    double cells = fmin(MAX_CELLS, MIN_CELLS + ceil(1 / work_width(limits)));
    double range = ball_mid(e);
    double most = MAX_WORK * (work_width(limits) < WORK_WIDTH ? PATIENCE : 1);
    most = fmin(most, LATTICE_SHARE * work_left(limits) / POINT_OPERATIONS);
    *out = (sampled_lattice){0};
    if (!(range >= MIN_RANGE && ball_upper(e) <= MAX_RANGE &&
            e.rad <= 0x1p-40 * range && rate >= MIN_RATE))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: samples are composed for epsilon from 1e-6 to 20");
    sampled_choice c = {e, rate, step_of(e, rate, cells)};
    while (cells > MIN_CELLS && work_of(&c, k, log_tail) > most) {
        cells = floor(cells / 1.19);
        c.h = step_of(e, rate, cells);
    }
    while (cells > MIN_CELLS &&
           bytes_of(&c, k, log_tail) > (double)work_bytes(limits)) {
        cells = floor(cells / 1.19);
        c.h = step_of(e, rate, cells);
        work_is_short(limits);
    }
    if (!(work_of(&c, k, log_tail) <= most))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: too many samples to compose");
    work_is_long(limits);
    out->choice = c;
    out->log_tail = log_tail;
    dosi_status status = lay(out, k, limits, err);
    for (double j = 0; j < k && status == DOSI_OK; j++)
        if (work_spent(
                limits, POINT_OPERATIONS * work_of(&c, 1, log_tail)))
            status = dosi_fail(err, DOSI_EUNABLE, "exponential: stopped");
        else
            add_run(out);
    if (status != DOSI_OK)
        sampled_lattice_clear(out);
    return status;
}
