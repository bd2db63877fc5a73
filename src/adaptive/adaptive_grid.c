/*
 * Spacing, extent and memory of the lattice that adaptively chosen runs are
 * composed on, within the limits of the work. Derivation:
 * docs/theory/adaptive.md.
 */
#include "adaptive_grid.h"

#include <math.h>
#include <stdlib.h>

#define MIN_CELLS 4.0
#define MIN_RATE 1e-9

/* Factor of the operations allowed if a width below the default is wanted. */
#define NARROW_WORK_FACTOR 16

/* log w(loss), the loss of a Poisson sample */
static ball sampled_loss(const adaptive_class *of, ball loss)
{
    if (of->rate == 1)
        return loss;
    return ball_log1p(ball_mul_d(ball_expm1(loss), of->rate));
}

ball adaptive_middle_range(const adaptive_class *of)
{
    ball t = ball_scale2(of->e, -1);
    return ball_sub(sampled_loss(of, t), sampled_loss(of, ball_neg(t)));
}

ball adaptive_max_loss(const adaptive_class *of, bool add)
{
    ball one = add ? ball_neg(sampled_loss(of, ball_neg(of->e)))
                   : sampled_loss(of, of->e);
    return ball_mul_d(one, of->k);
}

/* Rounds x to a number of bits, away from 0 or towards it. */
static double short_step(double x, int bits, bool up)
{
    int exponent;
    double m = ldexp(frexp(x, &exponent), bits);
    return ldexp(up ? ceil(m) : floor(m), exponent - bits);
}

/* Sets how many steps of h chords reach to either side. */
static void set_reach(adaptive_grid *r, double h)
{
    adaptive_row_params c = {r->of.e, r->of.rate, h};
    bool is_sampled = !r->method->is_symmetric;
    r->reach_left = is_sampled ? adaptive_chord_steps(&c, true) : r->cells;
    r->reach_right = is_sampled ? adaptive_chord_steps(&c, false) : r->cells;
}

/* Sets the steps and the number of points. Without sampling a range has as many
 * steps as cells; they add up to at least e in the upper bound and to at most e
 * in the lower one. With sampling both bounds have one step. */
static void set_spacing(adaptive_grid *r, double cells)
{
    ball step = ball_div_d(adaptive_middle_range(&r->of), cells);
    r->cells = cells;
    set_reach(r, ball_mid(step));
    /* delta is about e^-log_tail as for k e^2/8 of zCDP */
    double k = r->of.k, range = (r->reach_left + r->reach_right) / 2;
    double e = ball_mid(step) * range;
    double tail = ceil(k * e / 8 + sqrt(r->log_tail / 2 * k) + 1);
    double last =
        ceil(fmin(k * fmax(r->reach_left, r->reach_right), tail * range));
    r->last = (ptrdiff_t)fmin(last, 0x1p40);
    /* all multiples of a step that occur are below 2^53 units: exact */
    int bits = 52 - ilogb((double)r->last + r->reach_left + r->reach_right + 8);
    r->lower.step = short_step(ball_lower(step), bits, false);
    r->upper.step = r->method->is_symmetric
                        ? short_step(ball_upper(step), bits, true)
                        : r->lower.step;
    set_reach(r, r->upper.step);
}

/* Points of one row of values, with both margins. */
static double points_of(const adaptive_grid *r)
{
    double margin = (double)r->method->margin(r), last = (double)r->last;
    return (r->method->is_symmetric ? last : 2 * last) + 2 * margin + 1;
}

static double bytes_of(const adaptive_grid *r)
{
    return 4 * points_of(r) * sizeof(double) + r->method->bytes(r);
}

/* Reduces the number of cells until of(r) <= limit; of grows with the cells. */
static void reduce_cells_to_limit(
    adaptive_grid *r, double (*of)(const adaptive_grid *r), double limit)
{
    double most = r->cells, least = MIN_CELLS;
    if (of(r) <= limit)
        return;
    while (most - least > 1) {
        double cells = floor(least + (most - least) / 2);
        set_spacing(r, cells);
        *(of(r) <= limit ? &least : &most) = cells;
    }
    set_spacing(r, least);
}

/* Chooses the number of cells: as many as wanted, or as the operations and the
 * memory allow. */
static dosi_status choose_cells(
    adaptive_grid *r, double wanted, work_limits *limits, dosi_error *err)
{
    const adaptive_method *method = r->method;
    double work_factor =
        work_width(limits) < WORK_WIDTH ? NARROW_WORK_FACTOR : 1;
    /* one check of the limits a run */
    double left = work_left(limits) - r->of.k * WORK_PER_CHECK;
    double most = fmin(method->max_work * work_factor, method->share * left);
    double bytes = (double)work_bytes(limits);
    set_spacing(r, fmax(fmin(wanted, method->max_cells), MIN_CELLS));
    reduce_cells_to_limit(r, method->operations, most);
    if (!(method->operations(r) <= most))
        return dosi_fail(
            err, DOSI_EUNABLE, "exponential: too many runs to compose");
    double cells = r->cells;
    if (cells < wanted)
        work_note_time_bound(limits);
    reduce_cells_to_limit(r, bytes_of, bytes);
    if (r->cells < cells)
        work_note_memory_bound(limits);
    r->is_finest = r->cells < wanted;
    if (!(bytes_of(r) <= bytes))
        return dosi_fail(err, DOSI_EUNABLE,
            "exponential: the memory ceiling is too low to compose runs");
    return DOSI_OK;
}

void adaptive_grid_clear(adaptive_grid *r)
{
    if (r->method != NULL)
        r->method->clear(r);
    free(r->storage);
    *r = (adaptive_grid){0};
}

static dosi_status start(double *runs, adaptive_grid *r, dosi_error *err)
{
    size_t n = (size_t)points_of(r);
    ptrdiff_t margin = r->method->margin(r);
    r->storage = calloc(4 * n, sizeof *r->storage);
    if (r->storage == NULL)
        return dosi_fail_memory(err);
    double **values[] = {&r->upper.value, &r->upper.next, &r->lower.value,
        &r->lower.next};
    ptrdiff_t zero = margin + (r->method->is_symmetric ? 0 : r->last);
    for (size_t i = 0; i < 4; i++)
        *values[i] = r->storage + i * n + zero;
    return r->method->start(runs, r, err);
}

dosi_status adaptive_grid_make(adaptive_grid *out, const adaptive_class *of,
    double log_tail, double cells, work_limits *limits, dosi_error *err)
{
    const adaptive_method *method =
        of->rate == 1 ? &adaptive_by_crossings : &adaptive_by_choices;
    double range = ball_mid(of->e), runs = 0;
    *out = (adaptive_grid){0};
    if (!(range >= method->min_range &&
            ball_upper(of->e) <= method->max_range &&
            of->e.rad <= 0x1p-40 * range && of->rate >= MIN_RATE))
        return dosi_fail(err, DOSI_EUNABLE, "%s", method->refusal);
    *out = (adaptive_grid){
        .method = method, .of = *of, .log_tail = log_tail};
    dosi_status status = choose_cells(out, cells, limits, err);
    if (status == DOSI_OK)
        status = start(&runs, out, err);
    for (; runs < of->k && status == DOSI_OK; runs++)
        if (work_spent(limits, method->add(out)))
            status = dosi_fail(err, DOSI_EUNABLE, "exponential: stopped");
    if (status != DOSI_OK)
        adaptive_grid_clear(out);
    return status;
}
