#include "range_runs.h"

#include <math.h>
#include <stdlib.h>

#include "num/round.h"
#include "range_lattice.h"
#include "range_tail.h"

/* Cells of the first lattice. Widths fall with the square of their number, so
 * that it tells how many are needed, but for a reserve: from below more or less
 * is lost as points lie to the best chords. */
#define FIRST_CELLS 64.0
#define RESERVE 1.8
#define MAX_LATTICES 4

struct range_runs {
    ball e;
    double k;
    work_limits *limits;
    range_lattice *lattice; /* nothing until it is asked for */
};

dosi_status range_runs_new(range_runs **out, ball e, double k,
    work_limits *limits, dosi_error *err)
{
    range_runs *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return dosi_fail_memory(err);
    r->lattice = calloc(1, sizeof *r->lattice);
    if (r->lattice == NULL) {
        free(r);
        return dosi_fail_memory(err);
    }
    r->e = e;
    r->k = k;
    r->limits = limits;
    *out = r;
    return DOSI_OK;
}

void range_runs_free(range_runs *r)
{
    if (r == NULL)
        return;
    range_lattice_clear(r->lattice);
    free(r->lattice);
    free(r);
}

/* The lattice, if it goes on far enough and has so many cells, or no more can
 * be had; or a better one in its place. */
static dosi_status lay(
    const range_runs *r, double log_tail, double cells, dosi_error *err)
{
    range_lattice *own = r->lattice;
    double wanted = range_tail_for(log_tail);
    if (own->log_tail >= wanted &&
        (own->is_finest || (double)own->m >= cells))
        return DOSI_OK;
    range_lattice_clear(own);
    return range_lattice_make(
        own, r->e, r->k, wanted, ceil(cells), r->limits, err);
}

typedef dosi_interval (*asking)(const range_lattice *l, ball at);

/* Asks finer and finer lattices until what they say is narrow, relatively, or
 * by itself if it is a logarithm. What a coarser one said is kept where the
 * next fails. */
static dosi_status ask(dosi_interval *out, const range_runs *r,
    asking question, ball at, double log_tail, bool is_log, dosi_error *err)
{
    double cells = fmax(FIRST_CELLS, (double)r->lattice->m);
    for (int i = 0; i < MAX_LATTICES; i++) {
        dosi_status status = lay(r, log_tail, cells, err);
        if (status != DOSI_OK)
            return status;
        *out = question(r->lattice, at);
        double length = out->hi - out->lo;
        double width = is_log ? length : length / fabs(out->hi);
        double share = RESERVE * width / work_width(r->limits);
        if (!(share > RESERVE) || r->lattice->is_finest)
            break;
        cells = (double)r->lattice->m * sqrt(share);
    }
    return DOSI_OK;
}

/* (k+1) log(1 - e^(-(ke - eps)/(k+1))) - k log(1 - e^-e). */
static ball log_top(const range_runs *r, ball eps)
{
    ball below = ball_sub(ball_mul_d(r->e, r->k), eps);
    ball each = ball_div_d(below, r->k + 1);
    return ball_sub(
        ball_mul_d(ball_log1mexp(ball_neg(each)), r->k + 1),
        ball_mul_d(ball_log1mexp(ball_neg(r->e)), r->k));
}

/* Whether it is certainly (k-1) e or more, where delta is that. */
static bool is_top(const range_runs *r, ball eps)
{
    ball first = ball_mul_d(r->e, r->k - 1);
    return ball_lower(eps) >= ball_upper(first);
}

/* About -log delta at eps, as for zCDP. */
static double guess_tail(const range_runs *r, double eps)
{
    double e = ball_mid(r->e), z = fabs(eps) / e - r->k * e / 8;
    return z > 0 ? 2 * z * z / r->k : 0;
}

dosi_status range_runs_log_delta(dosi_interval *out, const range_runs *r,
    ball eps, dosi_error *err)
{
    dosi_interval x = ball_interval(eps);
    ball end = ball_mul_d(r->e, r->k);
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (x.lo >= ball_upper(end)) {
        *out = iv_point(-HUGE_VAL);
        return DOSI_OK;
    }
    if (is_top(r, eps) && x.hi < ball_lower(end)) {
        *out = ball_interval(log_top(r, eps));
        out->hi = fmin(out->hi, 0);
        return DOSI_OK;
    }
    return ask(out, r, range_lattice_log_delta, eps, guess_tail(r, x.hi),
        true, err);
}

dosi_status range_runs_epsilon(dosi_interval *out, const range_runs *r,
    ball log_delta, dosi_error *err)
{
    ball all = ball_mul_d(ball_log1mexp(ball_neg(r->e)), r->k);
    ball each = ball_div_d(ball_add(log_delta, all), r->k + 1);
    *out = (dosi_interval){0, HUGE_VAL};
    if (ball_upper(each) < 0) {
        /* where log_top is log_delta */
        ball eps = ball_add(ball_mul_d(r->e, r->k),
            ball_mul_d(ball_log1mexp(each), r->k + 1));
        if (is_top(r, eps)) {
            *out = ball_interval(eps);
            return DOSI_OK;
        }
    }
    return ask(out, r, range_lattice_epsilon, log_delta,
        -ball_lower(log_delta), false, err);
}

dosi_status range_runs_lattice(
    const range_lattice **out, const range_runs *r, dosi_error *err)
{
    double e = ball_mid(r->e), share = r->k < 10 ? 4 : 2;
    double cells = sqrt(share / work_width(r->limits)) * (1 + e / 6);
    dosi_status status = lay(r, RANGE_LOG_TAIL, cells, err);
    *out = status == DOSI_OK ? r->lattice : NULL;
    return status;
}
