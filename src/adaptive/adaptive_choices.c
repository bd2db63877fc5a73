/*
 * Excesses G = H - (1 - X)_+ of the profile H on a lattice of X = e^(ih), i of
 * both signs; all terms of a chord of H are positive then, and values left of
 * 0 are those of a record that is added: G(1/X) = H_add(X)/X.
 */
#include "adaptive_grid.h"

#include <math.h>
#include <stdlib.h>

#include "special/phase_sums.h"
#include "num/round.h"

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

/* Operations of one run at each point of a row, about. */
#define POINT_OPERATIONS 3

/* Points beyond either end, where chords of points up to it begin or end. */
static ptrdiff_t margin(const adaptive_grid *r)
{
    return (ptrdiff_t)fmax(r->back, r->on) + 3;
}

/* ---- One run more ------------------------------------------------------ */

PHASE_WIDE static void add_row(double *restrict out, const double *restrict v,
    const adaptive_row *row, ptrdiff_t n)
{
    double a = row->weight[0], b = row->weight[1];
    double c = row->weight[2], d = row->weight[3];
    const double *left = v - row->n, *right = v + row->m;
    for (ptrdiff_t i = 0; i < n; i++)
        out[i] = a * left[i] + b * left[i - 1] + c * right[i] +
                 d * right[i + 1];
}

/* The chord at n points from the first one on. */
static void chord(double *out, const adaptive_grid *r, const double *values,
    const adaptive_row *row, ptrdiff_t first, ptrdiff_t n)
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
static void raise_group(double *best, const adaptive_grid *r, size_t group,
    ptrdiff_t first, ptrdiff_t n)
{
    double f[3][CHUNK] = {{0}};
    size_t i = group * RANGE_GROUP, end = i + RANGE_GROUP;
    end = end < r->above.n ? end : r->above.n - 1;
    const adaptive_row *row = &r->above.items[2 * i];
    int now = 0;
    chord(f[now], r, r->upper.value, row, first, n);
    raise(best, f[now], n);
    for (; i < end; i++, row += 2) {
        chord(f[2], r, r->upper.value, &row[1], first, n);
        chord(f[1 - now], r, r->upper.value, &row[2], first, n);
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
static void step_above(adaptive_grid *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK] = {0}, best[CHUNK] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK - r->last;
        ptrdiff_t n = r->last + 1 - i < CHUNK ? r->last + 1 - i : CHUNK;
        size_t guess = (r->from[at] + r->to[at]) / 2;
        r->from[at] = r->to[at] = guess;
        raise_group(best, r, guess, i, n);
        for (size_t g = 0; g < r->above.n_groups; g++) {
            chord(f, r, r->upper.value, &r->above.bounds[g], i, n);
            if (g == guess || !exceeds(f, best, n))
                continue;
            raise_group(best, r, g, i, n);
            r->from[at] = g < r->from[at] ? g : r->from[at];
            r->to[at] = g > r->to[at] ? g : r->to[at];
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->upper.next[i + j] = best[j] > 0 ? fmax(best[j] * UP, LEAST) : 0;
    }
}

/* Any choices will do: those that were looked into from above. */
static void step_below(adaptive_grid *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK] = {0}, best[CHUNK] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK - r->last;
        ptrdiff_t n = r->last + 1 - i < CHUNK ? r->last + 1 - i : CHUNK;
        size_t end = (r->to[at] + 1) * RANGE_GROUP;
        for (ptrdiff_t j = 0; j < n; j++)
            best[j] = r->lower.value[i + j]; /* a run that says nothing */
        for (size_t k = r->from[at] * RANGE_GROUP;
             k < r->below.n && k <= end; k++) {
            chord(f, r, r->lower.value, &r->below.items[k], i, n);
            raise(best, f, n);
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->lower.next[i + j] = best[j] > LEAST ? best[j] * DOWN : 0;
    }
}

static void swap(adaptive_side *s)
{
    double *next = s->next;
    s->next = s->value;
    s->value = next;
}

/* Operations of one run: of each point of a row, of which most are passed
 * over. */
static double run_operations(const adaptive_grid *r)
{
    double rows = 3 * (r->back + r->on);
    return POINT_OPERATIONS * 2 * (double)r->last * rows;
}

/* From above what is beyond the ends is no more than there, as H falls and so
 * does H_add; from below it is nothing. */
static double add(adaptive_grid *r)
{
    ptrdiff_t pad = margin(r);
    step_above(r);
    swap(&r->upper);
    double *v = r->upper.value;
    for (ptrdiff_t i = 1; i <= pad; i++) {
        v[r->last + i] = v[r->last];
        v[-r->last - i] = v[-r->last];
    }
    step_below(r);
    swap(&r->lower);
    for (ptrdiff_t i = 1; i <= pad; i++)
        r->lower.value[r->last + i] = r->lower.value[-r->last - i] = 0;
    return run_operations(r);
}

/* ---- Making ------------------------------------------------------------ */

static double operations(const adaptive_grid *r)
{
    return r->of.k * run_operations(r);
}

/* Rows with what they are made of, about. */
static double bytes(const adaptive_grid *r)
{
    return 4 * (r->back + r->on) * sizeof(adaptive_row);
}

static void clear(adaptive_grid *r)
{
    free(r->above.items);
    free(r->above.bounds);
    free(r->below.items);
    free(r->from);
    free(r->fall);
}

/* No run: G = 0. */
static dosi_status start(double *runs, adaptive_grid *r, dosi_error *err)
{
    size_t n = (size_t)margin(r) + 1;
    double h = r->upper.step;
    r->end = r->last - 2;
    r->n_chunks = (size_t)(2 * r->last) / CHUNK + 1;
    r->fall = calloc(2 * n, sizeof *r->fall);
    r->from = calloc(2 * r->n_chunks, sizeof *r->from);
    if (r->fall == NULL || r->from == NULL)
        return dosi_fail_memory(err);
    r->rise = r->fall + n;
    r->to = r->from + r->n_chunks;
    for (size_t i = 0; i < n; i++) {
        ball x = ball_of((double)i * h);
        r->fall[i] = ball_mid(ball_neg(ball_expm1(ball_neg(x))));
        r->rise[i] = ball_mid(ball_expm1(x));
    }
    *runs = 0;
    adaptive_choice c = {r->of.e, r->of.rate, h};
    dosi_status status = adaptive_rows_above(&r->above, &c, err);
    return status == DOSI_OK ? adaptive_rows_below(&r->below, &c, err) : status;
}

const adaptive_method adaptive_by_choices = {
    .refusal = "exponential: samples are composed for epsilon from 1e-6 to 20",
    .min_range = 1e-6,
    .max_range = 20,
    .max_cells = 2048,
    .order = 1, /* from below ends of chords are moved to points */
    .max_work = 9e9,
    .share = 1.0 / 3,
    .is_symmetric = false,
    .margin = margin,
    .operations = operations,
    .bytes = bytes,
    .start = start,
    .add = add,
    .clear = clear};
