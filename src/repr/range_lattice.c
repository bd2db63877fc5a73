/*
 * How a lattice is laid, and runs are counted; see range_lattice.h.
 */
#include "range_lattice.h"

#include <math.h>
#include <stdlib.h>

#include "num/round.h"

/* Cells of a range; points are fewer than 2^27, so that multiples of a step of
 * 26 bits are exact. */
#define MIN_CELLS 8
#define MAX_CELLS 65536

/* Points times runs, some 5 ns each; and by how much it may be more where a
 * narrow answer is asked for. */
#define MAX_WORK 1.2e8
#define PATIENCE 16

/* e^e is a factor, and points are multiples of e/m to 26 bits. */
#define MAX_RANGE 30.0
#define MIN_RANGE 1e-9

/* ---- Tables ------------------------------------------------------------ */

static double towards(ball x, bool up)
{
    return up ? ball_upper(x) : fmax(ball_lower(x), 0);
}

/* (e^e - e^x)/(e^e - 1) and (e^x - 1)/(e^e - 1) at x = a steps. */
static void side_weights(range_side *s, ptrdiff_t m, bool up)
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

/* One run: (1 - e^((x-e)/2))^2/(1 - e^-e). */
static void side_start(range_side *s, ptrdiff_t m, bool up)
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
    range_side_reflect(s, m, up ? UP : DOWN);
}

/* The weights of one step of range h about its middle: with t = tanh(h/4)
 * they are t/(1 - e^-h), t/(e^h - 1) and the rest. */
static void set_bend(range_lattice *r)
{
    ball h = ball_of(r->upper.step);
    ball t = ball_tanh(ball_scale2(h, -2));
    ball below = ball_neg(ball_div(t, ball_expm1(ball_neg(h))));
    ball above = ball_div(t, ball_expm1(h));
    r->bend[0] = ball_upper(below);
    r->bend[1] = ball_upper(
        ball_sub(ball_sub(ball_of(1), below), above));
    r->bend[2] = ball_upper(above);
}

/* ---- Making ------------------------------------------------------------ */

/* Where delta is about e^-log_tail: k runs of range e are as k e^2/8 of zCDP,
 * in ranges. */
static double tail_of(double e, double k, double log_tail)
{
    return fmin(k, ceil(k * e / 8 + sqrt(log_tail / 2 * k) + 1));
}

/* Points of all runs for one cell. */
static double work_of(double k, double most)
{
    double work = 0;
    for (double j = 1; j < k; j++)
        work += fmin(j + 1, most) + 1;
    return work;
}

static size_t doubles_of(double points, double cells)
{
    return (size_t)(4 * (points + 3 * cells + SPARE) + 8 * (cells + 1));
}

static size_t ints_of(double points, double cells)
{
    return (size_t)(2 * (points + 2 * cells));
}

static size_t bytes_of(double points, double cells)
{
    return doubles_of(points, cells) * sizeof(double) +
           ints_of(points, cells) * sizeof(int);
}

/* Operations of one run at each point; and the share of what is left that one
 * lattice may spend. */
#define POINT_OPERATIONS 4
#define LATTICE_SHARE 0.5

/* As many cells as are wanted, or the time and the memory allow. */
static double cells_of(
    double k, double tail, double wanted, work_limits *limits)
{
    double work = MAX_WORK * (work_width(limits) < WORK_WIDTH ? PATIENCE : 1);
    work = fmin(work, LATTICE_SHARE * work_left(limits) / POINT_OPERATIONS);
    double most = fmin(floor(work / work_of(k, tail)), MAX_CELLS);
    double cells = fmax(fmin(wanted, most), MIN_CELLS);
    if (wanted > most)
        work_is_long(limits);
    while (cells > MIN_CELLS &&
           bytes_of(tail * cells, cells) > work_bytes(limits)) {
        cells = fmax(floor(cells / 2), MIN_CELLS);
        work_is_short(limits);
    }
    return cells;
}

/* x to 26 bits, so that multiples are exact, away from 0 or towards it. */
static double short_step(double x, bool up)
{
    int exponent;
    double bits = frexp(x, &exponent) * 0x1p26;
    return ldexp(up ? ceil(bits) : floor(bits), exponent - 26);
}

static void side_place(
    range_side *s, double **room, ptrdiff_t m, ptrdiff_t points)
{
    double **tables[] = {&s->left, &s->right, &s->drop, &s->factor};
    for (size_t i = 0; i < 4; i++, *room += m + 1)
        *tables[i] = *room;
    double **values[] = {&s->value, &s->next};
    for (size_t i = 0; i < 2; i++, *room += points + 3 * m + SPARE)
        *values[i] = *room + m;
}

void range_lattice_clear(range_lattice *r)
{
    free(r->storage);
    free(r->before);
    *r = (range_lattice){0};
}

/* One run. */
static dosi_status start(range_lattice *r, ball e, ptrdiff_t m,
    ptrdiff_t points, dosi_error *err)
{
    double n = (double)points, cells = (double)m;
    *r = (range_lattice){.m = m, .top = m, .room = points + 2 * m + 2,
        .storage = calloc(doubles_of(n, cells), sizeof *r->storage),
        .before = calloc(ints_of(n, cells), sizeof *r->before)};
    if (r->storage == NULL || r->before == NULL) {
        range_lattice_clear(r);
        return dosi_fail_memory(err);
    }
    r->after = r->before + points + 2 * m;
    double *room = r->storage;
    side_place(&r->upper, &room, m, points);
    side_place(&r->lower, &room, m, points);
    r->upper.step =
        short_step(ball_upper(ball_div_d(e, (double)m)), true);
    r->lower.step =
        short_step(ball_lower(ball_div_d(e, (double)m)), false);
    side_weights(&r->upper, m, true);
    side_weights(&r->lower, m, false);
    side_start(&r->upper, m, true);
    side_start(&r->lower, m, false);
    set_bend(r);
    return DOSI_OK;
}

dosi_status range_lattice_make(range_lattice *out, ball e, double k,
    double log_tail, double cells, work_limits *limits, dosi_error *err)
{
    *out = (range_lattice){0};
    double range = ball_mid(e);
    if (!(range >= MIN_RANGE && ball_upper(e) <= MAX_RANGE &&
            e.rad <= 0x1p-40 * range))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: runs are composed for epsilon from 1e-9 to 30");
    double tail = tail_of(range, k, log_tail);
    double m = cells_of(k, tail, cells, limits), points = m * tail;
    if (bytes_of(points, m) > work_bytes(limits))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: the memory ceiling is too low to compose runs");
    dosi_status status =
        start(out, e, (ptrdiff_t)m, (ptrdiff_t)points, err);
    out->log_tail = log_tail;
    out->is_finest = m < cells;
    for (double j = 1; j < k && status == DOSI_OK; j++)
        if (work_spent(limits, POINT_OPERATIONS * (double)out->top)) {
            range_lattice_clear(out);
            status = dosi_fail(err, DOSI_EUNABLE, "exponential: stopped");
        } else
            range_lattice_add(out, (ptrdiff_t)points);
    return status;
}
