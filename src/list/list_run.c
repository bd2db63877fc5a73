/*
 * The two lists of one run: chords above and merging below over the cells of a
 * density, atoms as they are. docs/theory/list.md, section 3.
 */
#include "list_run.h"

#include <stdlib.h>

#include "num/elem.h"
#include "num/round.h"

/* ---- Atoms ------------------------------------------------------------- */

/* From above its loss and mass are rounded up, from below down. */
typedef struct atom {
    double loss, mass;
} atom;

static int by_loss(const void *a, const void *b)
{
    double x = ((const atom *)a)->loss, y = ((const atom *)b)->loss;
    return (x > y) - (x < y);
}

static dosi_status finite_of(atom **out, size_t *n, const loss_tails *run,
    list_side side, dosi_error *err)
{
    *n = loss_atom_count(run);
    *out = malloc((*n + 1) * sizeof **out);
    if (*out == NULL)
        return dosi_fail_memory(err);
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++) {
        loss_atom a = loss_atom_at(run, i);
        bool up = side == LIST_ABOVE;
        atom v = {up ? ball_upper(a.at) : ball_lower(a.at),
            up ? fmin(ball_upper(a.p), 1) : ball_lower(a.p)};
        if (!up && !(fabs(v.loss) < HUGE_VAL))
            continue; /* an unknown loss: nothing is known from below */
        (*out)[kept++] = v;
    }
    *n = kept;
    qsort(*out, *n, sizeof **out, by_loss);
    return DOSI_OK;
}

static void put_at_infinity(list_law *out, double mass)
{
    out->at_infinity = list_sum_up(out->at_infinity, mass);
}

static void put_atom(list_law *out, atom a, list_side side)
{
    if (fabs(a.loss) < HUGE_VAL)
        list_put(out, a.loss, a.mass, side);
    else if (side == LIST_ABOVE)
        put_at_infinity(out, a.mass);
}

/* ---- The density ------------------------------------------------------- */

/* A cell: its mass under P, and the share of it that a chord moves to
 * the right end, int 1 - e^(k - l) dP with its left knot k. */
typedef struct density_cell {
    ball mass, moved;
    double most; /* >= the mass: that of every tail which the cell is part of */
} density_cell;

typedef struct density {
    double under;       /* >= the mass of P below the first knot */
    density_cell *cell; /* between the knots i and i + 1 */
    loss_tail over;     /* above the last knot */
} density;

/* The part of a ball that a mass can be, from above. */
static double mass_upper(ball x)
{
    return fmin(fmax(ball_upper(x), 0), 1);
}

/* Masses below a loss under 0, above any other: there the tails are known. */
static loss_tail tail_at(loss_tails *run, double at, bool upper)
{
    return upper ? loss_upper(run, ball_of(at)) : loss_lower(run, ball_of(at));
}

/* The mass of P below the first knot. */
static ball mass_under(loss_tails *run, double first)
{
    if (first <= 0)
        return tail_at(run, first, false).p;
    ball between =
        ball_sub(tail_at(run, 0, true).p, tail_at(run, first, true).p);
    return ball_add(tail_at(run, 0, false).p, between);
}

/* Above the last knot. */
static loss_tail tail_over(loss_tails *run, double last)
{
    loss_tail over = tail_at(run, fmax(last, 0), true);
    if (last >= 0)
        return over;
    ball down = ball_exp(ball_of(last));
    loss_tail all = tail_at(run, 0, false), left = tail_at(run, last, false);
    over.p = ball_add(over.p, ball_sub(all.p, left.p));
    over.xq = ball_sub(ball_mul(ball_add(over.xq, all.xq), down), left.xq);
    return over;
}

static density_cell cell_between(
    loss_tail a, double at, loss_tail b, double next, bool upper)
{
    ball down = ball_exp(ball_sub(ball_of(at), ball_of(next)));
    ball mass = ball_sub(a.p, b.p);
    ball xq = ball_sub(a.xq, ball_mul(b.xq, down));
    if (!upper) {
        mass = ball_neg(mass);
        xq = ball_neg(xq);
    }
    return (density_cell){
        mass, ball_sub(mass, xq), mass_upper(upper ? a.p : b.p)};
}

/* Tails fall away from 0: where one is poorly known, one nearer to 0 bounds
 * it. */
static void bound_by_tails(density *d, list_knots knots)
{
    double most = 1;
    for (size_t i = 0; i + 1 < knots.n; i++)
        if (knots.at[i] >= 0)
            d->cell[i].most = most = fmin(most, d->cell[i].most);
    most = 1;
    for (size_t i = knots.n - 1; i-- > 0;)
        if (knots.at[i] < 0)
            d->cell[i].most = most = fmin(most, d->cell[i].most);
    if (knots.at[0] < 0)
        d->under = fmin(d->under, most);
}

/* Operations that the masses of one cell take. */
#define CELL_OPERATIONS 4e3

static dosi_status density_of(density *out, loss_tails *run, list_knots knots,
    work_limits *limits, dosi_error *err)
{
    *out = (density){.cell = malloc(knots.n * sizeof *out->cell)};
    if (out->cell == NULL)
        return dosi_fail_memory(err);
    out->under = mass_upper(mass_under(run, knots.at[0]));
    bool upper = knots.at[0] >= 0;
    loss_tail here = tail_at(run, knots.at[0], upper);
    for (size_t i = 0; i + 1 < knots.n; i++) {
        double at = knots.at[i], next = knots.at[i + 1];
        loss_tail there = tail_at(run, next, upper);
        out->cell[i] = cell_between(here, at, there, next, upper);
        here = there;
        if (next == 0) {
            upper = true;
            here = tail_at(run, 0, true);
        }
        if (work_spent(limits, CELL_OPERATIONS))
            return dosi_fail(err, DOSI_EUNABLE, "lists: the work was stopped");
    }
    out->over = tail_over(run, knots.at[knots.n - 1]);
    bound_by_tails(out, knots);
    return DOSI_OK;
}

/* Chords over a cell: the right share is m / (1 - e^-h), which no
 * more than all of it reaches. */
static void chord(double *left, double *right, const density_cell *c,
    double at, double next)
{
    ball length = ball_sub(ball_of(next), ball_of(at));
    ball share = ball_neg(ball_expm1(ball_neg(length)));
    double all = fmin(mass_upper(c->mass), c->most);
    *right = fmin(mass_upper(ball_div(c->moved, share)), all);
    *left = all > *right ? round_up(all - *right) : 0;
}

static double merged_loss(const density_cell *c, double at, double next)
{
    double gap = ball_lower(ball_div(c->moved, c->mass));
    double l = at - log1p(-fmin(fmax(gap, 0), 1 - 0x1p-50));
    return fmin(fmax(l, at), next);
}

/* Atoms up to a loss, in their order. */
typedef struct atom_queue {
    const atom *next, *end;
} atom_queue;

static void put_atoms_below(
    list_law *out, atom_queue *q, double most, list_side side)
{
    for (; q->next < q->end && q->next->loss <= most; q->next++)
        put_atom(out, *q->next, side);
}

static void fill_above(list_law *out, const density *d, list_knots knots,
    atom_queue queue)
{
    double carry = d->under;
    size_t last = knots.n - 1;
    for (size_t i = 0; i < last; i++) {
        double left, right;
        chord(&left, &right, &d->cell[i], knots.at[i], knots.at[i + 1]);
        put_atoms_below(out, &queue, knots.at[i], LIST_ABOVE);
        list_put(out, knots.at[i], list_sum_up(carry, left), LIST_ABOVE);
        carry = right;
    }
    double all = mass_upper(d->over.p);
    double lost = fmin(mass_upper(ball_sub(d->over.p, d->over.xq)), all);
    put_atoms_below(out, &queue, knots.at[last], LIST_ABOVE);
    list_put(out, knots.at[last],
        list_sum_up(carry, list_sum_up(all, -lost)), LIST_ABOVE);
    put_atoms_below(out, &queue, HUGE_VAL, LIST_ABOVE);
    put_at_infinity(out, lost);
}

static void fill_below(list_law *out, const density *d, list_knots knots,
    atom_queue queue)
{
    size_t last = knots.n - 1;
    for (size_t i = 0; i < last; i++) {
        double mass = ball_lower(d->cell[i].mass);
        if (!(mass > 0))
            continue;
        double l =
            merged_loss(&d->cell[i], knots.at[i], knots.at[i + 1]);
        put_atoms_below(out, &queue, l, LIST_BELOW);
        list_put(out, l, mass, LIST_BELOW);
    }
    put_atoms_below(out, &queue, knots.at[last], LIST_BELOW);
    double over = fmax(ball_lower(d->over.p), 0);
    list_put(out, knots.at[last], over, LIST_BELOW);
    put_atoms_below(out, &queue, HUGE_VAL, LIST_BELOW);
}

/* ---- Both -------------------------------------------------------------- */

static dosi_status run_side(list_law *out, const loss_tails *run,
    const density *d, list_knots knots, list_side side, work_limits *limits,
    dosi_error *err)
{
    atom *sorted = NULL;
    size_t n;
    list_law whole = {0};
    dosi_status status = finite_of(&sorted, &n, run, side, err);
    if (status == DOSI_OK)
        status = list_law_new(&whole, n + knots.n, err);
    if (status != DOSI_OK) {
        free(sorted);
        return status;
    }
    atom_queue queue = {sorted, sorted + n};
    bool up = side == LIST_ABOVE;
    whole.at_infinity =
        up ? mass_upper(run->p_inf) : fmax(ball_lower(run->p_inf), 0);
    if (!run->has_density)
        put_atoms_below(&whole, &queue, HUGE_VAL, side);
    else {
        whole.slack = LIST_LOSS_ROUND * fmax(fabs(knots.at[0]),
                                       fabs(knots.at[knots.n - 1])) +
                      LIST_MIN_SLACK;
        (up ? fill_above : fill_below)(&whole, d, knots, queue);
    }
    free(sorted);
    if (run->has_density || whole.n <= knots.n) {
        *out = whole;
        return DOSI_OK;
    }
    status = list_reduce(out, &whole, knots, side, limits, err);
    list_law_free(&whole);
    return status;
}

/* Whether knots are finite, and 0 among them where they lie on both sides of
 * it: tails of a density are known below 0 from the left alone, above it from
 * the right. */
static bool are_knots(const loss_tails *run, list_knots knots)
{
    double first = knots.at[0], last = knots.at[knots.n - 1];
    if (!(fabs(first) < LIST_MAX_LOSS && fabs(last) < LIST_MAX_LOSS))
        return false;
    if (!run->has_density || first >= 0 || last <= 0)
        return true;
    size_t i = 0;
    while (knots.at[i] < 0)
        i++;
    return knots.at[i] == 0;
}

dosi_status list_run(list_law out[2], loss_tails *run, list_knots knots,
    work_limits *limits, dosi_error *err)
{
    density d = {.cell = NULL};
    dosi_status status = DOSI_OK;
    out[LIST_BELOW] = out[LIST_ABOVE] = (list_law){0};
    if (!are_knots(run, knots))
        return dosi_fail(
            err, DOSI_EUNABLE, "lists: no knots for losses of this size");
    if (run->has_density)
        status = density_of(&d, run, knots, limits, err);
    for (int side = LIST_BELOW; side <= LIST_ABOVE && status == DOSI_OK;
         side++)
        status = run_side(
            &out[side], run, &d, knots, (list_side)side, limits, err);
    free(d.cell);
    return status;
}
