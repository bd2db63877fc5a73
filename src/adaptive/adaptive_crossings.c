/*
 * One more run of bounded range without sampling, on a lattice. A chord whose
 * ends are one range apart is a line for all points between its ends, so the
 * upper envelope follows from the crossings of neighbouring chords. Chords that
 * end at lattice points are attained, which gives lower bounds; upper bounds
 * add one step of range e/m for chords that end between points. Derivation:
 * docs/theory/adaptive.md.
 */
#include "adaptive_grid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "special/phase_sums.h"

/* Rounding of a sum of two or three products of positive terms. */
#define ROUND_UP (1 + 0x1p-50)
#define ROUND_DOWN (1 - 0x1p-50)

/* Deltas below this value count as this value in upper bounds and as 0 in lower
 * bounds: doubles lose digits there. */
#define MIN_DELTA 1e-280

/* An upper bound of delta above this value is replaced by 1: rounding hides the
 * order of the chords there. */
#define DELTA_NEAR_ONE (1 - 0x1p-32)

/* Pairs of chords that one pass compares, and the padding of the value rows
 * that this needs. */
#define BLOCK_PAIRS 32
#define BLOCK_PADDING (BLOCK_PAIRS + 4)

/* Estimated operations of one run at each lattice point. */
#define OPERATIONS_PER_POINT 4

/* Fills the values left of 0 by symmetry, H(X) = 1 - X + X H(1/X). */
static void reflect(adaptive_side *s, ptrdiff_t m, double rounding)
{
    for (ptrdiff_t i = 1; i <= m; i++) {
        double y = (s->drop[i] + s->factor[i] * s->value[i]) * rounding;
        double next = s->value[1 - i]; /* delta falls in epsilon */
        s->value[-i] = y > next ? y : next;
    }
}

static double towards(ball x, bool up)
{
    return up ? ball_upper(x) : fmax(ball_lower(x), 0);
}

/* Weights of the left and the right end, (e^e - e^x)/(e^e - 1) and (e^x -
 * 1)/(e^e - 1) at x = a steps, and the terms of reflect. */
static void side_weights(adaptive_side *s, ptrdiff_t m, bool up)
{
    ball e = ball_mul_d(ball_of(s->step), (double)m);
    ball whole = ball_expm1(ball_neg(e));
    for (ptrdiff_t a = 0; a <= m; a++) {
        ball x = ball_mul_d(ball_of(s->step), (double)a);
        ball fall = ball_expm1(ball_neg(x)), e_x = ball_exp(ball_neg(x));
        ball above = ball_exp(ball_sub(x, e));
        s->left[a] = towards(
            ball_div(ball_expm1(ball_sub(x, e)), whole), up);
        s->right[a] = towards(
            ball_mul(above, ball_div(fall, whole)), up);
        s->drop[a] = towards(ball_neg(fall), up);
        s->factor[a] = towards(e_x, up);
    }
}

/* The profile of one run: (1 - e^((x-e)/2))^2/(1 - e^-e). */
static void side_start(adaptive_side *s, ptrdiff_t m, bool up)
{
    ball e = ball_mul_d(ball_of(s->step), (double)m);
    ball whole = ball_expm1(ball_neg(e));
    for (ptrdiff_t i = 0; i < m; i++) {
        ball behind = ball_mul_d(ball_of(s->step), (double)(i - m));
        ball y = ball_expm1(ball_scale2(behind, -1));
        s->value[i] =
            towards(ball_neg(ball_div(ball_sqr(y), whole)), up);
    }
    s->value[m] = 0;
    reflect(s, m, up ? ROUND_UP : ROUND_DOWN);
}

/* The weights of one step of range h about its middle: with t = tanh(h/4) they
 * are t/(1 - e^-h), t/(e^h - 1) and the remainder. */
static void set_step_weights(adaptive_grid *r)
{
    ball h = ball_of(r->upper.step);
    ball t = ball_tanh(ball_scale2(h, -2));
    ball below = ball_neg(ball_div(t, ball_expm1(ball_neg(h))));
    ball above = ball_div(t, ball_expm1(h));
    r->step_weights[0] = ball_upper(below);
    r->step_weights[1] = ball_upper(
        ball_sub(ball_sub(ball_of(1), below), above));
    r->step_weights[2] = ball_upper(above);
}

static inline double chord(const adaptive_side *s, ptrdiff_t m, ptrdiff_t b,
    ptrdiff_t i)
{
    return s->left[i - b] * s->value[b] + s->right[i - b] * s->value[b + m];
}

/* Returns 1 if the chord from b + 1 is certainly above that from b at the point
 * i, -1 if it is certainly below, and 0 if rounding leaves the order open. */
static inline int compare_chords(
    const adaptive_side *s, ptrdiff_t m, ptrdiff_t b, ptrdiff_t i)
{
    double x = chord(s, m, b + 1, i), y = chord(s, m, b, i);
    double slack = 0x1p-48 * (x + y);
    return x - y > slack ? 1 : y - x > slack ? -1 : 0;
}

/* Counts the pairs of a block, from its first one on, that cross from one point
 * to the next: the second chord is certainly below at the point offset - 1
 * after its first left end, and certainly above at the next point. The loop has
 * no branches, so that compilers vectorise it. */
PHASE_WIDE static long count_crossing(const double *restrict from,
    const double *restrict to, const double *restrict left,
    const double *restrict right)
{
    long n = BLOCK_PAIRS;
    for (long j = 0; j < BLOCK_PAIRS; j++) {
        double x = left[-2] * from[j + 1] + right[-2] * to[j + 1];
        double y = left[-1] * from[j] + right[-1] * to[j];
        double d = y - x - 0x1p-48 * (x + y);
        double u = left[-1] * from[j + 1] + right[-1] * to[j + 1];
        double v = left[0] * from[j] + right[0] * to[j];
        double e = u - v - 0x1p-48 * (u + v);
        double least = d < e ? d : e;
        long at = least > 0 ? BLOCK_PAIRS : j;
        n = at < n ? at : n;
    }
    return n;
}

/* Finds where chord b + 1 crosses chord b, starting the search at the point c:
 * *c receives the first point at which b + 1 is not certainly below, *d the
 * first at which it is certainly above. */
static void find_crossing(
    const adaptive_grid *r, ptrdiff_t b, ptrdiff_t *c, ptrdiff_t *d)
{
    const adaptive_side *s = &r->upper;
    ptrdiff_t m = r->m, at = *c;
    ptrdiff_t least = b + 1 > r->start ? b + 1 : r->start, most = b + m;
    at = at < least ? least : at > most ? most : at;
    while (at > least && compare_chords(s, m, b, at - 1) >= 0)
        at--;
    int sign = compare_chords(s, m, b, at);
    while (sign < 0 && ++at <= most)
        sign = compare_chords(s, m, b, at);
    *d = at;
    *c = at <= most ? at : least; /* no bound if no point is certain */
    while (*d <= most && sign <= 0 && ++*d <= most)
        sign = compare_chords(s, m, b, *d);
}

/* Records crossings of n pairs from b on, each one point after the one before:
 * the first is below before c, and above from d on. */
static void record_crossings(
    adaptive_grid *r, ptrdiff_t b, ptrdiff_t c, ptrdiff_t d, ptrdiff_t n)
{
    int *before = r->before + b + r->m, *after = r->after + b + r->m;
    for (int j = 0; j < (int)n; j++) {
        before[j] = (int)c - 1 + j;
        after[j] = (int)d + j;
    }
}

/*
 * Finds where chords b and b + 1 cross, for all b. Both are lines, and at b + m
 * the second is not below the first, as values fall: if it is below at a point
 * it is below at all points before, and if it is above it stays above up to b +
 * m. The crossings mostly move right with b; where they do not, the weaker
 * claim is kept: the least of before from b on, and the greatest of after up to
 * b.
 */
static void find_crossings(adaptive_grid *r)
{
    const adaptive_side *s = &r->upper;
    ptrdiff_t m = r->m, c = r->start, first = c - m, b = first;
    ptrdiff_t last_c = first, last_d = first;
    bool falls = false;
    while (b < r->end) {
        ptrdiff_t offset = c + 1 - b, n = 0, d = ++c;
        /* both offsets within the tables, points from the first one on */
        if (c > r->start && offset > 1 && offset <= m)
            n = count_crossing(s->value + b, s->value + b + m,
                s->left + offset, s->right + offset);
        if (n == 0)
            find_crossing(r, b, &c, &d);
        n = n == 0 ? 1 : n < r->end - b ? n : r->end - b;
        record_crossings(r, b, c, d, n);
        falls = falls || c < last_c || d < last_d;
        b += n;
        c += n - 1;
        last_c = c;
        last_d = d + n - 1;
    }
    for (b = first + 1; b < r->end && falls; b++)
        if (r->after[b + m] < r->after[b + m - 1])
            r->after[b + m] = r->after[b + m - 1];
    for (b = r->end - 2; b >= first && falls; b--)
        if (r->before[b + m] > r->before[b + m + 1])
            r->before[b + m] = r->before[b + m + 1];
}

/* Counts the pairs of a block, from its first one on, that cross from one point
 * to the next, the first between at and at + 1. */
PHASE_WIDE static int count_row(
    const int *restrict before, const int *restrict after, int at)
{
    int n = BLOCK_PAIRS;
    for (int j = 0; j < BLOCK_PAIRS; j++) {
        bool is_next = before[j] == at + j && after[j] == at + j + 1;
        int end = is_next ? BLOCK_PAIRS : j;
        n = end < n ? end : n;
    }
    return n;
}

/* Values at n points of n chords that are equally far from their left ends. */
PHASE_WIDE static void chord_row(double *restrict out,
    const double *restrict from, const double *restrict to, double left,
    double right, double rounding, double least, ptrdiff_t n)
{
    for (ptrdiff_t j = 0; j < n; j++) {
        double y = (left * from[j] + right * to[j]) * rounding;
        out[j] = y > least ? y : 0;
    }
}

/* Upper and lower values at n points from i on, of the chords from b on. */
static void chord_row_both(
    adaptive_grid *r, ptrdiff_t b, ptrdiff_t i, ptrdiff_t n)
{
    adaptive_side *u = &r->upper, *l = &r->lower;
    ptrdiff_t m = r->m, a = i - b;
    chord_row(u->next + i, u->value + b, u->value + b + m, u->left[a],
        u->right[a], ROUND_UP, -1, n);
    chord_row(l->next + i, l->value + b, l->value + b + m, l->left[a],
        l->right[a], ROUND_DOWN, MIN_DELTA, n);
}

/* The greatest of the chords from..to at i: its upper value, and the lower
 * value of the same chord. */
static void take_max_at(
    adaptive_grid *r, ptrdiff_t from, ptrdiff_t to, ptrdiff_t i)
{
    adaptive_side *u = &r->upper, *l = &r->lower;
    ptrdiff_t m = r->m, best = from;
    double most = chord(u, m, best, i);
    assert(from <= to); /* signs of one pair never contradict */
    for (ptrdiff_t b = from + 1; b <= to; b++) {
        double y = chord(u, m, b, i);
        best = y > most ? b : best;
        most = y > most ? y : most;
    }
    u->next[i] = most * ROUND_UP;
    double low = chord(l, m, best, i) * ROUND_DOWN;
    l->next[i] = low > MIN_DELTA ? low : 0;
}

/* The greatest chord at each point up to last. */
static void take_max(adaptive_grid *r, ptrdiff_t last)
{
    ptrdiff_t m = r->m, from = r->start - m, to = from, i = 0;
    for (; i < r->start; i++) {
        r->upper.next[i] = 1;
        r->lower.next[i] = chord(&r->lower, m, i - m / 2, i) * ROUND_DOWN;
    }
    while (i <= last) {
        while (from < r->end && r->after[from + m] <= i)
            from++;
        while (to < r->end && r->before[to + m] < i)
            to++;
        ptrdiff_t n = 0;
        if (from == to && from >= i - m && from <= i &&
            from + BLOCK_PAIRS < r->end && i + BLOCK_PAIRS <= last)
            n = count_row(
                r->before + from + m, r->after + from + m, (int)i);
        if (n > 0) {
            chord_row_both(r, from, i, n);
            to = from += n - 1;
        } else
            take_max_at(r, from < i - m ? i - m : from, to < i ? to : i, i);
        i += n > 0 ? n : 1;
    }
}

/* Bounds chords that end between points by one step of range h about each
 * point. */
PHASE_WIDE static void add_step_row(double *restrict out,
    const double *restrict v, const double step_weights[3], ptrdiff_t n)
{
    double left = step_weights[0], mid = step_weights[1];
    double right = step_weights[2];
    for (ptrdiff_t i = 0; i < n; i++) {
        double y = (left * v[i - 1] + mid * v[i] + right * v[i + 1]) * ROUND_UP;
        out[i] = y > v[i] ? y : v[i];
    }
}

PHASE_WIDE static bool is_falling(const double *v, ptrdiff_t n)
{
    long rises = 0;
    for (ptrdiff_t i = 1; i < n; i++)
        rises |= v[i] > v[i - 1] ? 1 : 0;
    return rises == 0;
}

/* Applies add_step_row at all points and keeps the values non-increasing. */
static void add_step(adaptive_grid *r, ptrdiff_t last)
{
    adaptive_side *u = &r->upper;
    double *v = u->next, least = 1;
    /* by symmetry; the factor covers the rounding of values left of 0 */
    v[-1] = (u->drop[1] + u->factor[1] * v[1]) * (1 + 0x1p-40);
    v[last + 1] = v[last];
    add_step_row(u->value, v, r->step_weights, last + 1);
    if (u->value[0] <= 1 && is_falling(u->value, last + 1))
        return;
    for (ptrdiff_t i = 0; i <= last; i++) /* delta falls */
        u->value[i] = least = u->value[i] < least ? u->value[i] : least;
}

/* Sets the end of the values. If is_end the profile is 0 from last on. Values
 * up to MIN_DELTA, or up to the value beyond the previous end, are not
 * continued: from the first of them on the upper bound is constant. */
static void end_at(adaptive_grid *r, ptrdiff_t last, bool is_end, double rest)
{
    double *above = r->upper.value, *below = r->lower.value;
    if (is_end)
        above[last] = below[last] = 0;
    double least = (rest > MIN_DELTA ? rest : MIN_DELTA) * (1 + 0x1p-40);
    ptrdiff_t i = last;
    while (i > 0 && above[i - 1] < least)
        i--;
    if (i < last) {
        last = i;
        above[i] = above[i] > MIN_DELTA ? above[i] : MIN_DELTA;
    }
    r->end = last;
    for (i = last + 1; i <= last + r->m; i++) {
        above[i] = above[last];
        below[i] = 0;
    }
}

static void swap(adaptive_side *s)
{
    double *next = s->next;
    s->next = s->value;
    s->value = next;
}

static double add(adaptive_grid *r)
{
    ptrdiff_t last = r->end + r->m;
    double rest = r->upper.value[r->end];
    bool is_end = last <= r->last && !(rest > 0);
    last = last < r->last ? last : r->last;
    while (r->start < r->end && r->upper.value[r->start] >= DELTA_NEAR_ONE)
        r->start++;
    find_crossings(r);
    take_max(r, last);
    add_step(r, last);
    swap(&r->lower);
    end_at(r, last, is_end, rest);
    reflect(&r->upper, r->m, ROUND_UP);
    reflect(&r->lower, r->m, ROUND_DOWN);
    return OPERATIONS_PER_POINT * (double)r->end;
}

static ptrdiff_t margin(const adaptive_grid *r)
{
    return 2 * (ptrdiff_t)r->cells + BLOCK_PADDING;
}

/* With t ranges up to the last point, run j covers min(j, t) of them. */
static double operations(const adaptive_grid *r)
{
    double t = (double)r->last / r->cells, k = r->of.k;
    return OPERATIONS_PER_POINT * r->cells * (t * (k - (t - 1) / 2) + k);
}

static size_t n_tables(const adaptive_grid *r)
{
    return 8 * ((size_t)r->cells + 1);
}

static size_t n_pairs(const adaptive_grid *r)
{
    return (size_t)r->last + 2 * (size_t)r->cells;
}

static double bytes(const adaptive_grid *r)
{
    return (double)(n_tables(r) * sizeof(double) +
                    2 * n_pairs(r) * sizeof(int));
}

static void clear(adaptive_grid *r)
{
    free(r->tables);
    free(r->before);
}

/* Starts with the profile of one run. */
static dosi_status start(double *runs, adaptive_grid *r, dosi_error *err)
{
    r->m = r->end = (ptrdiff_t)r->cells;
    r->tables = calloc(n_tables(r), sizeof *r->tables);
    r->before = calloc(2 * n_pairs(r), sizeof *r->before);
    if (r->tables == NULL || r->before == NULL)
        return dosi_fail_memory(err);
    r->after = r->before + n_pairs(r);
    double *room = r->tables;
    for (int up = 0; up < 2; up++) {
        adaptive_side *s = up ? &r->upper : &r->lower;
        double **tables[] = {&s->left, &s->right, &s->drop, &s->factor};
        for (size_t i = 0; i < 4; i++, room += r->m + 1)
            *tables[i] = room;
        side_weights(s, r->m, up == 1);
        side_start(s, r->m, up == 1);
    }
    set_step_weights(r);
    *runs = 1;
    return DOSI_OK;
}

const adaptive_method adaptive_by_crossings = {
    .refusal = "exponential: runs are composed for epsilon from 1e-9 to 30",
    .min_range = 1e-9,
    .max_range = 30, /* e^e is a factor */
    .max_cells = 65536,
    .order = 2,
    .max_work = 4.8e8,
    .share = 0.5,
    .is_symmetric = true,
    .margin = margin,
    .operations = operations,
    .bytes = bytes,
    .start = start,
    .add = add,
    .clear = clear};
