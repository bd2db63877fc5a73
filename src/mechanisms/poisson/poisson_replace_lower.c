/*
 * Noise is divided into cells of outcomes, with their masses for the noise
 * moved down, not moved and moved up. A cell of real noise takes its densities
 * at the end where they differ less, which is a post-processing.
 */
#include "poisson_replace_lower.h"

#include <stdlib.h>

#include "mechanisms/plan_laws.h"
#include "poisson_curve.h"
#include "noise/discrete_gaussian.h"

/* Cells between 0 and the shift of real noise. */
#define CELLS 128

/* The greatest shift over the scale, and the greatest integer shift, that are
 * divided into cells. */
#define MAX_SHIFT_OVER_SCALE 300.0
#define MAX_INTEGER_SHIFT 512.0

/* Masses of one cell of outcomes: of the noise moved down, not moved, and
 * moved up. */
typedef struct cell {
    ball down, still, up;
} cell;

/* ---- Cells of the noise ------------------------------------------------ */

/* A cell with all masses multiplied by w. */
static cell cell_scale(cell x, ball w)
{
    return (cell){
        ball_mul(x.down, w), ball_mul(x.still, w), ball_mul(x.up, w)};
}

/* The cell with masses e^-(far + x), e^-x, e^-(far - x). */
static cell cell_exp(ball far, ball x)
{
    return (cell){ball_exp(ball_neg(ball_add(far, x))),
        ball_exp(ball_neg(x)), ball_exp(ball_sub(x, far))};
}

/* Fills the cells right of 0 of Laplace noise that is moved by a scales:
 * (i, i+1) a/n for i < n, and all beyond a. Returns their number. */
static size_t laplace_cells(cell *out, ball a)
{
    ball width = ball_div_d(a, CELLS), half = ball_of(0.5);
    ball mass = ball_mul(half, ball_neg(ball_expm1(ball_neg(width))));
    for (size_t i = 0; i < CELLS; i++) {
        cell near = cell_exp(a, ball_mul_d(width, (double)i));
        cell far = cell_exp(a, ball_mul_d(width, (double)i + 1));
        near.up = far.up; /* densities grow towards their centre */
        out[i] = cell_scale(near, mass);
    }
    out[CELLS] = cell_scale(cell_exp(a, a), half);
    return CELLS + 1;
}

/* Fills the cells right of 0 of integer noise of mass t r^|x|,
 * t = (1-r)/(1+r), that is moved by an integer: each x < shift, and all from
 * there on. Returns their number. */
static size_t integer_cells(cell *out, double scale, double shift)
{
    ball unit = ball_div(ball_of(1), ball_of(scale));
    ball r = ball_exp(ball_neg(unit)), far = ball_mul_d(unit, shift);
    ball tail = ball_div(ball_of(1), ball_add_d(r, 1));
    ball mass = ball_mul(tail, ball_neg(ball_expm1(ball_neg(unit))));
    size_t n = 0;
    for (double x = 1; x < shift; x++)
        out[n++] = cell_scale(cell_exp(far, ball_mul_d(unit, x)), mass);
    out[n++] = cell_scale(cell_exp(far, far), tail);
    return n;
}

/* The cell of the integer 0. */
static cell integer_middle(double scale, double shift)
{
    ball unit = ball_div(ball_of(1), ball_of(scale));
    ball r = ball_exp(ball_neg(unit));
    ball mass = ball_div(
        ball_neg(ball_expm1(ball_neg(unit))), ball_add_d(r, 1));
    return cell_scale(
        cell_exp(ball_mul_d(unit, shift), ball_of(0)), mass);
}

/* ---- Laws -------------------------------------------------------------- */

typedef struct pair_list {
    ball rate;
    size_t n;
    ball *loss, *log_mass;
} pair_list;

static void put(pair_list *l, cell x)
{
    ball rest = ball_mul(ball_sub(ball_of(1), l->rate), x.still);
    ball p = ball_log(ball_add(rest, ball_mul(l->rate, x.up)));
    ball q = ball_log(ball_add(rest, ball_mul(l->rate, x.down)));
    l->loss[l->n] = ball_sub(p, q);
    l->log_mass[l->n++] = p;
}

static const finite_law *pair_atoms(
    const pair_list *l, ball lost, const mechanism_context *c)
{
    finite_law *made = NULL;
    dosi_status status =
        finite_from_losses(&made, l->loss, l->log_mass, l->n, lost, lost, NULL);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

static bool list_start(pair_list *l, ball rate, size_t n,
    const mechanism_context *c)
{
    *l = (pair_list){.rate = rate, .loss = malloc(2 * n * sizeof *l->loss)};
    l->log_mass = l->loss + n;
    c->pool->no_memory = c->pool->no_memory || l->loss == NULL;
    return l->loss != NULL;
}

/* Adds the losses of a cell and of its mirror image. */
static void put_both(pair_list *l, cell x)
{
    put(l, x);
    put(l, (cell){x.up, x.still, x.down});
}

static const finite_law *exponential_atoms(
    const part *noise, ball rate, const mechanism_context *c)
{
    double scale = part_parameter(noise, 0), shift = noise->group;
    bool whole = dosi_plan_kind(noise->node) == DOSI_DISCRETE_LAPLACE;
    pair_list l;
    if (!(shift / scale <= MAX_SHIFT_OVER_SCALE &&
            (!whole || shift <= MAX_INTEGER_SHIFT))) {
        (void)mechanism_decline(c, "noise this small is not discretised");
        return NULL;
    }
    size_t most = whole ? (size_t)shift : CELLS + 1;
    cell *cells = malloc(most * sizeof *cells);
    if (cells == NULL || !list_start(&l, rate, 2 * most + 1, c)) {
        c->pool->no_memory = true;
        free(cells);
        return NULL;
    }
    size_t n = whole ? integer_cells(cells, scale, shift)
                     : laplace_cells(cells,
                           ball_div(ball_of(shift), ball_of(scale)));
    if (whole)
        put(&l, integer_middle(scale, shift));
    for (size_t i = 0; i < n; i++)
        put_both(&l, cells[i]);
    const finite_law *found = pair_atoms(&l, ball_of(0), c);
    free(cells);
    free(l.loss);
    return found;
}

/* Noise moved up against noise moved down is a shift of twice the size, with
 * loss L; noise not moved has e^(1/2 (shift/sigma)^2 - L/2) times the mass of
 * the noise moved up. */
static const finite_law *gaussian_atoms(
    const part *noise, ball rate, const mechanism_context *c)
{
    double sigma = part_parameter(noise, 0), shift = noise->group;
    double reach = DISCRETE_GAUSSIAN_REACH;
    size_t n = discrete_gaussian_window(sigma, 2 * shift, reach);
    pair_list l;
    if (n == 0) {
        (void)mechanism_decline(c, "discrete noise this wide has no loss law");
        return NULL;
    }
    if (!list_start(&l, rate, n, c))
        return NULL;
    ball lost = discrete_gaussian_atoms(
        l.loss, l.log_mass, n, sigma, 2 * shift, reach);
    ball mu = ball_div(ball_of(shift), ball_of(sigma));
    ball bend = ball_scale2(ball_sqr(mu), -1);
    while (l.n < n) {
        ball lost_there = l.loss[l.n], up = l.log_mass[l.n];
        ball to_still = ball_sub(bend, ball_scale2(lost_there, -1));
        put(&l, (cell){ball_exp(ball_sub(up, lost_there)),
                    ball_exp(ball_add(up, to_still)), ball_exp(up)});
    }
    /* the noise not moved leaves less outside, lying in the middle */
    const finite_law *found = pair_atoms(&l, lost, c);
    free(l.loss);
    return found;
}

/* ---- Any base ---------------------------------------------------------- */

bool poisson_replace_lower(
    loss_law *out, const part *p, const mechanism_context *c)
{
    const dosi_plan *plan = poisson_base(p);
    ball rate = sample_rate(p);
    part noise = part_at(plan, 0);
    dosi_kind kind = dosi_plan_kind(noise.node);
    if (part_count(plan) == 1 && noise.count == 1) {
        if (kind == DOSI_LAPLACE || kind == DOSI_DISCRETE_LAPLACE)
            return mechanism_loss_finite(
                out, exponential_atoms(&noise, rate, c), ATTAINED_BY_MECHANISM);
        if (kind == DOSI_DISCRETE_GAUSSIAN)
            return mechanism_loss_finite(
                out, gaussian_atoms(&noise, rate, c), ATTAINED_BY_MECHANISM);
    }
    loss_law base = {.count = 0};
    mechanism_context own = *c;
    own.neighbours = DOSI_ADD_REMOVE;
    return plan_laws_base(&base, plan, &own) &&
           plan_laws_mixture(out, &base, rate, &own) &&
           mechanism_loss_of_class(out);
}
