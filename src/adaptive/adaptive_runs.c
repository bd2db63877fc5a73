/*
 * Queries of the profile of adaptively chosen runs of bounded range: the closed
 * form near the greatest loss, else a lattice that is refined until the answer
 * is narrow. Derivation: docs/theory/adaptive.md.
 */
#include "adaptive_runs.h"

#include <math.h>
#include <stdlib.h>

#include "num/round.h"
#include "adaptive_grid.h"

/* Cells of the first lattice. Widths fall with a power of the number of cells,
 * which tells how many are needed; WIDTH_RESERVE covers the scatter of lower
 * bounds with the positions of points. */
#define FIRST_CELLS 64.0
#define WIDTH_RESERVE 1.8
#define MAX_LATTICES 4

/* A lattice reaches a delta of about e^-LOG_TAIL, or half of that exponent, and
 * so on, as long as that is LOG_MARGIN above the exponent in question. Beyond
 * its end the upper bound is constant. */
#define LOG_TAIL 330.0
#define LOG_MARGIN 24.0
#define MAX_TAIL_HALVINGS 3

struct adaptive_runs {
    adaptive_class of;
    work_limits *limits;
    adaptive_grid *lattice; /* empty until a query needs it */
};

dosi_status adaptive_runs_new(adaptive_runs **out, const adaptive_class *of,
    work_limits *limits, dosi_error *err)
{
    adaptive_runs *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return dosi_fail_memory(err);
    r->lattice = calloc(1, sizeof *r->lattice);
    if (r->lattice == NULL) {
        free(r);
        return dosi_fail_memory(err);
    }
    r->of = *of;
    r->limits = limits;
    *out = r;
    return DOSI_OK;
}

void adaptive_runs_free(adaptive_runs *r)
{
    if (r == NULL)
        return;
    adaptive_grid_clear(r->lattice);
    free(r->lattice);
    free(r);
}

const adaptive_class *adaptive_runs_class(const adaptive_runs *r)
{
    return &r->of;
}

/* Makes sure that the lattice reaches far enough and has the given number of
 * cells, or as many as the limits allow. */
static dosi_status ensure_lattice(
    const adaptive_runs *r, double log_tail, double cells, dosi_error *err)
{
    adaptive_grid *own = r->lattice;
    double wanted = LOG_TAIL;
    for (int i =
        0; i < MAX_TAIL_HALVINGS && wanted / 2 > log_tail + LOG_MARGIN; i++)
        wanted /= 2;
    if (own->log_tail >= wanted && (own->is_finest || own->cells >= cells))
        return DOSI_OK;
    adaptive_grid_clear(own);
    return adaptive_grid_make(
        own, &r->of, wanted, ceil(cells), r->limits, err);
}

typedef dosi_interval (*grid_query_fn)(const adaptive_grid *l, ball at,
    bool add);

typedef struct grid_query {
    grid_query_fn ask;
    ball at;
    bool add;
    bool is_log;     /* the width is absolute, not relative */
    double log_tail; /* about -log delta */
} grid_query;

/* Refines the lattice until the answer is narrow. If a finer one fails *out
 * keeps the answer of the coarser one. */
static dosi_status ask(dosi_interval *out, const adaptive_runs *r,
    const grid_query *q, dosi_error *err)
{
    double cells = fmax(FIRST_CELLS, r->lattice->cells);
    for (int i = 0; i < MAX_LATTICES; i++) {
        dosi_status status = ensure_lattice(r, q->log_tail, cells, err);
        if (status != DOSI_OK)
            return status;
        *out = q->ask(r->lattice, q->at, q->add);
        double length = out->hi - out->lo;
        double width = q->is_log ? length : length / fabs(out->hi);
        double share = WIDTH_RESERVE * width / work_width(r->limits);
        if (!(share > WIDTH_RESERVE) || r->lattice->is_finest)
            break;
        cells = r->lattice->cells * pow(share, 1 / r->lattice->method->order);
    }
    return DOSI_OK;
}

/* log delta from (k-1) e on: (k+1) log(1 - e^(-(ke - eps)/(k+1))) - k log(1 -
 * e^-e). */
static ball log_top(const adaptive_runs *r, ball eps)
{
    ball below = ball_sub(ball_mul_d(r->of.e, r->of.k), eps);
    ball each = ball_div_d(below, r->of.k + 1);
    return ball_sub(
        ball_mul_d(ball_log1mexp(ball_neg(each)), r->of.k + 1),
        ball_mul_d(ball_log1mexp(ball_neg(r->of.e)), r->of.k));
}

/* True if eps is certainly at least (k-1) e, where log_top holds. */
static bool is_top(const adaptive_runs *r, ball eps)
{
    ball first = ball_mul_d(r->of.e, r->of.k - 1);
    return r->of.rate == 1 && ball_lower(eps) >= ball_upper(first);
}

/* Estimates -log delta at eps by zCDP. */
static double guess_tail(const adaptive_runs *r, double eps)
{
    double e = ball_mid(adaptive_middle_range(&r->of));
    double z = fabs(eps) / e - r->of.k * e / 8;
    return z > 0 ? 2 * z * z / r->of.k : 0;
}

dosi_status adaptive_runs_log_delta(dosi_interval *out, const adaptive_runs *r,
    ball eps, bool add, dosi_error *err)
{
    dosi_interval x = ball_interval(eps);
    ball end = adaptive_max_loss(&r->of, add);
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
    const grid_query q = {adaptive_grid_log_delta, eps, add, true,
        guess_tail(r, x.hi)};
    return ask(out, r, &q, err);
}

dosi_status adaptive_runs_epsilon(dosi_interval *out, const adaptive_runs *r,
    ball log_delta, bool add, dosi_error *err)
{
    ball all = ball_mul_d(ball_log1mexp(ball_neg(r->of.e)), r->of.k);
    ball each = ball_div_d(ball_add(log_delta, all), r->of.k + 1);
    *out = (dosi_interval){0, HUGE_VAL};
    if (ball_upper(each) < 0) {
        /* log_top(eps) = log_delta */
        ball eps = ball_add(ball_mul_d(r->of.e, r->of.k),
            ball_mul_d(ball_log1mexp(each), r->of.k + 1));
        if (is_top(r, eps)) {
            *out = ball_interval(eps);
            return DOSI_OK;
        }
    }
    const grid_query q = {adaptive_grid_epsilon, log_delta, add, false,
        -ball_lower(log_delta)};
    return ask(out, r, &q, err);
}

dosi_status adaptive_runs_lattice(
    const adaptive_grid **out, const adaptive_runs *r, dosi_error *err)
{
    double e = ball_mid(r->of.e), share = r->of.k < 10 ? 4 : 2;
    double cells = sqrt(share / work_width(r->limits)) * (1 + e / 6);
    dosi_status status = ensure_lattice(r, LOG_TAIL, cells, err);
    *out = status == DOSI_OK ? r->lattice : NULL;
    return status;
}
