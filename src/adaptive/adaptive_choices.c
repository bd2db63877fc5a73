/*
 * One more Poisson-sampled run of bounded range, on a lattice: the envelope of
 * chords over all choices of the loss range. Values are the excesses G = H - (1
 * - X)_+ of the profile H at X = e^(ih), i of both signs: all terms of a chord
 * are positive, and the profile of an added record is H_add(1/X) = G(X)/X for X
 * > 1. Derivation: docs/theory/adaptive.md.
 */
#include "adaptive_grid.h"

#include <math.h>
#include <stdlib.h>

#include "special/phase_sums.h"
#include "num/round.h"

/* Lattice points that one pass of the loops handles. */
#define CHUNK_POINTS 128

/* Rounding of the weights of a row and of its sum of positive terms. */
#define ROUND_UP (1 + 0x1p-44)
#define ROUND_DOWN (1 - 0x1p-44)

/* Relative rounding of a row between two choices, and the relative distance of
 * that row's choice from their middle. */
#define MIDDLE_SLACK 0x1p-46
#define OFF_MIDDLE (1 + 0x1p-18)

/* Excesses below this value count as this value in upper bounds and as 0 in
 * lower bounds: weights are at least 1e-48, so that no product leaves the range
 * in which rounding is relative. */
#define MIN_EXCESS 1e-250

/* Estimated operations of one run for each weight of a row. */
#define OPERATIONS_PER_WEIGHT 3

/* Number of points beyond either end that chords of inner points reach. */
static ptrdiff_t margin(const adaptive_grid *r)
{
    return (ptrdiff_t)fmax(r->reach_left, r->reach_right) + 3;
}

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

/* The values of one choice's chord at n points from first on. */
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

PHASE_WIDE static void take_max(
    double *restrict best, const double *restrict f, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++)
        best[i] = f[i] > best[i] ? f[i] : best[i];
}

/* Bounds all choices between those of a and c, with mid in their middle. As a
 * function of the choice a chord is a + b s + c/s: if convex it is at most its
 * greater end, if concave at most the lines through mid and either end,
 * prolonged. */
PHASE_WIDE static void take_max_between(double *restrict best,
    const double *restrict a, const double *restrict mid,
    const double *restrict c, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double min_end = a[i] < c[i] ? a[i] : c[i];
        double gain = mid[i] - min_end + MIDDLE_SLACK * mid[i];
        double y = mid[i] + (gain > 0 ? gain : 0) * OFF_MIDDLE;
        best[i] = y > best[i] ? y : best[i];
    }
}

/* Takes the maximum with all choices of a group and those between them. */
static void take_max_of_group(double *best, const adaptive_grid *r,
    size_t group,
    ptrdiff_t first, ptrdiff_t n)
{
    double f[3][CHUNK_POINTS] = {{0}};
    size_t i = group * CHOICES_PER_GROUP, end = i + CHOICES_PER_GROUP;
    end = end < r->above.n ? end : r->above.n - 1;
    const adaptive_row *row = &r->above.items[2 * i];
    int current = 0;
    chord(f[current], r, r->upper.value, row, first, n);
    take_max(best, f[current], n);
    for (; i < end; i++, row += 2) {
        chord(f[2], r, r->upper.value, &row[1], first, n);
        chord(f[1 - current], r, r->upper.value, &row[2], first, n);
        take_max(best, f[2], n);
        take_max(best, f[1 - current], n);
        if (row[1].is_mid)
            take_max_between(best, f[current], f[2], f[1 - current], n);
        current = 1 - current;
    }
}

PHASE_WIDE static bool exceeds(
    const double *restrict f, const double *restrict best, ptrdiff_t n)
{
    long more = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        more |= f[i] * ROUND_UP > best[i] ? 1 : 0;
    return more != 0;
}

/* The upper envelope. A group of choices is evaluated only where its bound
 * exceeds the best chord so far; the middle group of the previous step is
 * evaluated first. */
static void step_above(adaptive_grid *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK_POINTS] = {0}, best[CHUNK_POINTS] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK_POINTS - r->last;
        ptrdiff_t n =
            r->last + 1 - i < CHUNK_POINTS ? r->last + 1 - i : CHUNK_POINTS;
        size_t guess = (r->from[at] + r->to[at]) / 2;
        r->from[at] = r->to[at] = guess;
        take_max_of_group(best, r, guess, i, n);
        for (size_t g = 0; g < r->above.n_groups; g++) {
            chord(f, r, r->upper.value, &r->above.bounds[g], i, n);
            if (g == guess || !exceeds(f, best, n))
                continue;
            take_max_of_group(best, r, g, i, n);
            r->from[at] = g < r->from[at] ? g : r->from[at];
            r->to[at] = g > r->to[at] ? g : r->to[at];
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->upper.next[i + j] =
                best[j] > 0 ? fmax(best[j] * ROUND_UP, MIN_EXCESS) : 0;
    }
}

/* The lower envelope. Any set of choices gives a lower bound: the groups that
 * the upper envelope evaluated serve. */
static void step_below(adaptive_grid *r)
{
    for (size_t at = 0; at < r->n_chunks; at++) {
        double f[CHUNK_POINTS] = {0}, best[CHUNK_POINTS] = {0};
        ptrdiff_t i = (ptrdiff_t)at * CHUNK_POINTS - r->last;
        ptrdiff_t n =
            r->last + 1 - i < CHUNK_POINTS ? r->last + 1 - i : CHUNK_POINTS;
        size_t end = (r->to[at] + 1) * CHOICES_PER_GROUP;
        for (ptrdiff_t j = 0; j < n; j++)
            best[j] = r->lower.value[i + j]; /* a mechanism without output */
        for (size_t k = r->from[at] * CHOICES_PER_GROUP;
             k < r->below.n && k <= end; k++) {
            chord(f, r, r->lower.value, &r->below.items[k], i, n);
            take_max(best, f, n);
        }
        for (ptrdiff_t j = 0; j < n; j++)
            r->lower.next[i + j] =
                best[j] > MIN_EXCESS ? best[j] * ROUND_DOWN : 0;
    }
}

static void swap(adaptive_side *s)
{
    double *next = s->next;
    s->next = s->value;
    s->value = next;
}

/* Estimated operations of one run: most groups are skipped. */
static double run_operations(const adaptive_grid *r)
{
    double rows = 3 * (r->reach_left + r->reach_right);
    return OPERATIONS_PER_WEIGHT * 2 * (double)r->last * rows;
}

/* Adds one run. Beyond the ends the upper values stay constant, as H and H_add
 * fall; the lower values are 0. */
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

static double operations(const adaptive_grid *r)
{
    return r->of.k * run_operations(r);
}

/* Estimated bytes of the rows and of the choices that they are made from. */
static double bytes(const adaptive_grid *r)
{
    return 4 * (r->reach_left + r->reach_right) * sizeof(adaptive_row);
}

static void clear(adaptive_grid *r)
{
    free(r->above.items);
    free(r->above.bounds);
    free(r->below.items);
    free(r->from);
    free(r->fall);
}

/* Starts without a run: G = 0. */
static dosi_status start(double *runs, adaptive_grid *r, dosi_error *err)
{
    size_t n = (size_t)margin(r) + 1;
    double h = r->upper.step;
    r->end = r->last - 2;
    r->n_chunks = (size_t)(2 * r->last) / CHUNK_POINTS + 1;
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
    adaptive_row_params c = {r->of.e, r->of.rate, h};
    dosi_status status = adaptive_rows_above(&r->above, &c, err);
    return status == DOSI_OK ? adaptive_rows_below(&r->below, &c, err) : status;
}

const adaptive_method adaptive_by_choices = {
    .refusal = "exponential: samples are composed for epsilon from 1e-6 to 20",
    .min_range = 1e-6,
    .max_range = 20,
    .max_cells = 2048,
    .order = 1, /* lower bounds move ends of chords to lattice points */
    .max_work = 9e9,
    .share = 1.0 / 3,
    .is_symmetric = false,
    .margin = margin,
    .operations = operations,
    .bytes = bytes,
    .start = start,
    .add = add,
    .clear = clear};
