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

/* Rounding of a sum of two or three products of positive terms. */
#define ROUND_UP (1 + 0x1p-50)
#define ROUND_DOWN (1 - 0x1p-50)

/* Deltas below this value count as this value in upper bounds and as 0 in lower
 * bounds: doubles lose digits there. */
#define MIN_DELTA 1e-280

/* An upper bound of delta above this value is replaced by 1: rounding hides the
 * order of the chords there. */
#define DELTA_NEAR_ONE (1 - 0x1p-32)

/* Estimated operations of one run at each lattice point. */
#define OPERATIONS_PER_POINT 5

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
    ptrdiff_t m = r->m, c = r->start, first = c - m, d = 0;
    for (ptrdiff_t b = first; b < r->end; b++) {
        c++;
        find_crossing(r, b, &c, &d);
        r->before[b + m] = (int)c - 1;
        r->after[b + m] = (int)d;
        if (b > first && r->after[b + m] < r->after[b + m - 1])
            r->after[b + m] = r->after[b + m - 1];
    }
    for (ptrdiff_t b = r->end - 2; b >= first; b--)
        if (r->before[b + m] > r->before[b + m + 1])
            r->before[b + m] = r->before[b + m + 1];
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
    ptrdiff_t m = r->m, from = r->start - m, to = from;
    for (ptrdiff_t i = 0; i < r->start; i++) {
        r->upper.next[i] = 1;
        r->lower.next[i] = chord(&r->lower, m, i - m / 2, i) * ROUND_DOWN;
    }
    for (ptrdiff_t i = r->start; i <= last; i++) {
        while (from < r->end && r->after[from + m] <= i)
            from++;
        while (to < r->end && r->before[to + m] < i)
            to++;
        take_max_at(r, from < i - m ? i - m : from, to < i ? to : i, i);
    }
}

/* Bounds chords that end between points by one step of range h about each
 * point, and keeps the values non-increasing, as delta falls. */
static void add_step(adaptive_grid *r, ptrdiff_t last)
{
    adaptive_side *u = &r->upper;
    double *v = u->next, least = 1;
    double left = r->step_weights[0], mid = r->step_weights[1];
    double right = r->step_weights[2];
    /* by symmetry; the factor covers the rounding of values left of 0 */
    v[-1] = (u->drop[1] + u->factor[1] * v[1]) * (1 + 0x1p-40);
    v[last + 1] = v[last];
    for (ptrdiff_t i = 0; i <= last; i++) {
        double y = (left * v[i - 1] + mid * v[i] + right * v[i + 1]) * ROUND_UP;
        y = y > v[i] ? y : v[i];
        least = y < least ? y : least;
        u->value[i] = least;
    }
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
    return 2 * (ptrdiff_t)r->cells + 4;
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
