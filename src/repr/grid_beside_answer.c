/*
 * Rounds of a lattice beside parts that contours know: a tilt, a spacing, and
 * what they say.
 */
#include "grid_beside.h"

#include "grid.h"

/* Tilts: the first, and others that are tried. */
#define FIRST_TILT 0.25
#define LEAST_TILT 0.01
#define MOST_TILT 1000

/* How far tilted masses may exceed delta, as a logarithm, for all that is
 * known. */
#define UNKNOWN_CORE (-30)

/* Points of the first lattice, at least. */
#define FIRST_POINTS 64

#define MAX_ROUNDS 12
#define MAX_FINE_ROUNDS 6 /* of these, where the tilt is good */
#define MAX_SPENT 0x1p19  /* points, after which no round is begun */

/* The tilt that leaves most digits; without one tried yet, the first. */
static void steer(grid_engine *e, double log_delta)
{
    const grid_beside *b = e->beside;
    grid_place best = grid_place_at_tilt(&e->sketch, FIRST_TILT);
    best.log_core = -10;
    if (b->points.n > 0) {
        best.log_core = -HUGE_VAL;
        for (double t = LEAST_TILT; t < MOST_TILT; t *= 1.25) {
            grid_place at = grid_place_at_tilt(&e->sketch, t);
            at.log_core = -at.cumulant - grid_beside_log_most(b, t);
            if (at.log_core > best.log_core)
                best = at;
        }
    }
    e->at = best;
    /* what is known of delta there may be far too much */
    e->at.log_core = fmin(best.log_core, b->is_poor ? UNKNOWN_CORE : 0);
    e->at.epsilon = b->epsilon;
    e->at.log_delta = log_delta;
}

/* From the least to the greatest loss on the lattice. */
static double span_of(const grid_engine *e)
{
    double span = 0;
    for (size_t i = 0; i < e->n; i++) {
        const loss_cells *c = &e->parts[i];
        span += c->pair.count *
                (ball_mid(loss_most(c)) - ball_mid(loss_least(c)));
    }
    return span;
}

/* One after the other, until the answer is as narrow as it is wanted. */
static dosi_status refine(grid_engine *e, dosi_error *err)
{
    double h = span_of(e) / FIRST_POINTS, before = HUGE_VAL;
    double wanted = work_width(e->limits), log_delta = e->at.log_delta;
    int fine = 0, in_vain = 0;
    for (int i = 0; i < MAX_ROUNDS && fine < MAX_FINE_ROUNDS; i++) {
        dosi_status status = grid_round(e, h, err);
        double width = grid_width_of(e);
        if (status != DOSI_OK || width <= wanted ||
            e->transformed > MAX_SPENT || work_stopped(e->limits))
            return status;
        grid_place last = e->at;
        grid_beside_look(e->beside, e->beside->epsilon);
        steer(e, log_delta);
        if (e->beside->is_poor && e->at.t == last.t)
            break; /* no tilt is any good */
        if (e->beside->is_poor)
            continue;
        fine++;
        in_vain = !(width < 0.8 * before) ? in_vain + 1 : 0;
        if (in_vain == 3 || (e->is_exact && fine > 2))
            break;
        before = width;
        double finer = fmin(0.8 * sqrt(wanted / width), 0.7);
        h = fmin(h, e->spacing) * fmax(finer, 1.0 / 16);
    }
    return DOSI_OK;
}

/* e is of all parts. */
static dosi_status answer(grid_engine *e, grid_beside *b, dosi_error *err)
{
    b->epsilon = e->at.epsilon;
    if (b->n_rest == 0) {
        dosi_interval found;
        dosi_status status = grid_beside_load(b, NULL, err);
        if (status == DOSI_OK)
            status = grid_beside_ask(&found, b, e->q, e->at.epsilon, err);
        if (status == DOSI_OK)
            e->best = iv_meet(e->best, found);
        return status;
    }
    grid_engine own;
    dosi_status status = grid_engine_start(
        &own, e->q, b->rest, b->n_rest, e->limits, err);
    if (status == DOSI_OK && own.count <= GRID_MAX_COUNT) {
        own.beside = b;
        own.best = e->best;
        own.at.log_delta = e->at.log_delta;
        b->slope = e->at.t;
        grid_cut_sketch(&own);
        steer(&own, e->at.log_delta);
        status = refine(&own, err);
        e->best = own.best;
    }
    grid_engine_free(&own);
    return status;
}

/* Tries, for an unknown delta, and nats that a guess of it may be off. */
#define TRIES 3
#define OFF 8

dosi_status grid_beside_answer(
    grid_engine *e, const loss *parts, size_t n, dosi_error *err)
{
    grid_place at = e->at;
    dosi_status status = DOSI_OK;
    for (int i = 0; i < TRIES; i++) {
        grid_beside *b = NULL;
        status = grid_beside_new(
            &b, parts, n, e->at.log_delta, e->limits, err);
        if (b == NULL)
            break;
        status = answer(e, b, err);
        grid_beside_free(b);
        if (status != DOSI_OK || e->q->kind != GRID_ASK_DELTA ||
            grid_width_of(e) <= work_width(e->limits) ||
            !(e->best.hi < e->at.log_delta - OFF))
            break;
        e->at.log_delta = e->best.hi;
    }
    e->at = at;
    return status == DOSI_EUNABLE ? DOSI_OK : status;
}
