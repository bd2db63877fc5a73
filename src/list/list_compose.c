/*
 * Composition of two lists: every pair of outcomes goes into the cell between
 * two knots that holds the sum of its losses, and each cell becomes outcomes
 * again. Of a cell that begins at the knot k three sums are kept, with
 * t = loss - k: of m, of m t and of m t^2. They bound what both rules need,
 *
 *     S = sum m (1 - e^-t),   t - t^2/2 <= 1 - e^-t <= t - t^2/2 + t^3/6.
 *
 * If t is large, the sums hold 1 - e^-t in place of t, and 0 in place of t^2.
 * Derivation: docs/theory/list.md, sections 1 and 2.
 */
#include "list_law.h"

#include <stdint.h>
#include <stdlib.h>

/* The largest t whose square is summed. */
#define MAX_SQUARE_T 0.05

/* Relative error of 1 - e^-t as expm1 gives it, of its products and of the
 * quotient by it, in units of LIST_ROUND; charged to every sum. */
#define SUM_ERROR_ROUNDS (2 * ELEM_ULPS + 8)

typedef struct cell {
    double mass, first, second;
    uint32_t terms; /* how many products */
} cell;

typedef struct cells {
    size_t n;     /* knots */
    double *edge; /* -inf, the knots, then +inf three times */
    cell *cell;   /* [0] below the first knot, [i] from the knot i - 1 on */
} cells;

static void cells_free(cells *c)
{
    free(c->edge);
    free(c->cell);
    c->edge = NULL;
    c->cell = NULL;
}

static dosi_status cells_new(cells *c, list_knots knots, dosi_error *err)
{
    size_t n = knots.n;
    *c = (cells){n, malloc((n + 4) * sizeof *c->edge),
        calloc(n + 1, sizeof *c->cell)};
    if (c->edge == NULL || c->cell == NULL) {
        cells_free(c);
        return dosi_fail_memory(err);
    }
    c->edge[0] = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        c->edge[i + 1] = knots.at[i];
    c->edge[n + 1] = c->edge[n + 2] = c->edge[n + 3] = HUGE_VAL;
    return DOSI_OK;
}

/* ---- Products ---------------------------------------------------------- */

/* The cell that holds a loss, of those from lo to hi. */
static size_t cell_between(const cells *c, size_t lo, size_t hi, double loss)
{
    while (lo < hi) {
        size_t mid = (lo + hi + 1) / 2;
        if (c->edge[mid] <= loss)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

static size_t cell_of(const cells *c, double loss)
{
    return cell_between(c, 0, c->n, loss);
}

/* The cell that holds a loss, at or after one: in steps that double, as cells
 * may be far closer than outcomes. */
static size_t cell_after(const cells *c, size_t at, double loss)
{
    size_t step = 1;
    while (step <= c->n - at && c->edge[at + step] <= loss) {
        at += step;
        step *= 2;
    }
    size_t most = step <= c->n - at ? at + step - 1 : c->n;
    return cell_between(c, at, most, loss);
}

/* An outcome of loss l and mass m in a cell no further left than at; returns
 * the cell. */
static inline size_t add_one(const cells *c, size_t at, double l, double m)
{
    const double *edge = c->edge;
    at += edge[at + 1] <= l;
    at += edge[at + 1] <= l;
    if (edge[at + 1] <= l)
        at = cell_after(c, at + 1, l);
    double t = l - edge[at], tt = t * t;
    if (t > MAX_SQUARE_T) { /* also +inf, below the first knot */
        t = -expm1(-t);
        tt = 0;
    }
    cell *to = &c->cell[at];
    to->mass += m;
    to->first += m * t;
    to->second += m * tt;
    to->terms += 1;
    return at;
}

/* An outcome of loss l0 and mass m0 with those of b from j to the n-th, in two
 * halves side by side: the search for a cell waits for the one before it. */
static void add_row(const cells *c, double l0, double m0, const double *l,
    const double *m, size_t j, size_t n)
{
    size_t half = (n - j) / 2, mid = j + half;
    size_t left = cell_of(c, l0 + l[j]), right = cell_of(c, l0 + l[mid]);
    for (size_t i = j; i < mid; i++) {
        size_t k = i + half;
        left = add_one(c, left, l0 + l[i], m0 * m[i]);
        right = add_one(c, right, l0 + l[k], m0 * m[k]);
    }
    if ((n - j) % 2 != 0)
        (void)add_one(c, right, l0 + l[n - 1], m0 * m[n - 1]);
}

/* ---- Rows -------------------------------------------------------------- */

/* Masses of b times 2^-scale: of each outcome, and below and from it on. */
typedef struct sums {
    double *mass, *below, *from;
} sums;

static void sums_free(sums *s)
{
    free(s->mass);
    free(s->below);
    free(s->from);
}

static dosi_status sums_new(
    sums *s, const list_law *b, int scale, dosi_error *err)
{
    size_t n = b->n;
    s->mass = calloc(n + 1, sizeof *s->mass);
    s->below = calloc(n + 1, sizeof *s->below);
    s->from = calloc(n + 1, sizeof *s->from);
    if (s->mass == NULL || s->below == NULL || s->from == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        s->mass[i] = ldexp(b->mass[i], -scale);
        s->below[i + 1] = s->below[i] + s->mass[i];
    }
    for (size_t i = n; i-- > 0;)
        s->from[i] = s->from[i + 1] + s->mass[i];
    return DOSI_OK;
}

/* The outcomes of b that matter with an outcome of mass m: those further out
 * on either side have no more than negligible together with it. */
typedef struct range {
    size_t first, end;
    double left_out;
} range;

static range range_of(const sums *s, size_t n, double m, double negligible)
{
    size_t lo = 0, hi = n;
    while (lo < hi) { /* the least that counts from the right */
        size_t mid = (lo + hi) / 2;
        if (s->from[mid] * m > negligible)
            lo = mid + 1;
        else
            hi = mid;
    }
    range r = {0, lo, s->from[lo] * m};
    size_t first = 0;
    hi = lo;
    while (first < hi) {
        size_t mid = (first + hi + 1) / 2;
        if (s->below[mid] * m > negligible)
            hi = mid - 1;
        else
            first = mid;
    }
    r.first = first;
    r.left_out += s->below[first] * m;
    return r;
}

/* Rows after which the limits are asked. */
#define ROWS_AT_ONCE 64

/* If both lists are equal each pair is made once; *left_out is the mass of what
 * was not made. The common factor is taken from masses of a from 1 on, and from
 * those of b else, by of[1]; see list_product. */
static dosi_status add_products(const cells *c, const list_law *a,
    const list_law *b, const sums of[2], double negligible, double *left_out,
    work_limits *limits, dosi_error *err)
{
    bool same = a == b;
    double unpaid = 0, of_row = negligible / (double)(a->n + 1);
    *left_out = 0;
    for (size_t i = 0; i < a->n; i++) {
        double l = a->loss[i], m = a->mass[i];
        const sums *s = &of[m < 1 && a->scale > 0 ? 1 : 0];
        if (s == of)
            m = ldexp(m, -a->scale);
        range r = range_of(s, b->n, m, of_row);
        /* of equal lists the pair counts twice and is not made at all */
        *left_out += r.left_out * (same ? 2 : 1);
        if (same) { /* its square, then twice what it has with the others */
            if (i >= r.first && i < r.end)
                add_row(c, l, m, b->loss, s->mass, i, i + 1);
            if (r.first <= i)
                r.first = i + 1;
            m *= 2;
        }
        if (r.first < r.end) {
            add_row(c, l, m, b->loss, s->mass, r.first, r.end);
            unpaid += LIST_PRODUCT_OPERATIONS * (double)(r.end - r.first);
        }
        if (i % ROWS_AT_ONCE != ROWS_AT_ONCE - 1)
            continue;
        if (work_spent(limits, unpaid))
            return dosi_fail(err, DOSI_EUNABLE, "lists: the work was stopped");
        unpaid = 0;
    }
    work_spend(limits, unpaid);
    return DOSI_OK;
}

/* ---- From cells to outcomes -------------------------------------------- */

/* The sums of a cell, from the side where they are safe. */
typedef struct settled {
    double mass;
    double moved; /* sum m (1 - e^-t) */
} settled;

/* Relative error of the sums of a cell: one rounding a term in the sum, and
 * those of the term. */
static double error_of(const cell *c)
{
    return (c->terms + SUM_ERROR_ROUNDS) * LIST_ROUND * (1 + 0x1p-20);
}

/* At least what the underflow of a term's products takes, at most 2^-1075
 * each. */
#define UNDERFLOW 0x1p-1070

static settled settle(const cell *c, double longest, list_side side)
{
    double error = error_of(c), tiny = c->terms * UNDERFLOW;
    double all = (c->first + c->second) * 2 * error + tiny;
    double least = c->first - c->second / 2;
    if (side == LIST_BELOW)
        return (settled){fmax(c->mass * (1 - error) - tiny, 0),
            fmax(round_down(least - all), 0)};
    double cubes =
        c->second * fmin(longest, MAX_SQUARE_T) * (1.0 / 6 + 0x1p-40);
    if (c->terms == 0)
        return (settled){0, 0};
    return (settled){round_up(c->mass * (1 + error) + tiny),
        round_up(least + cubes + all)};
}

/*
 * Chords of H between the knots: a share of a cell's mass goes to its right
 * end so that the masses of P and of Q are kept, and more of it only raises
 * H. What lies below the first knot is raised to it; what lies above the last
 * keeps its mass of Q there, the rest of P goes to +inf.
 */
static void settle_above(list_law *out, const cells *c)
{
    double carry = settle(&c->cell[0], 0, LIST_ABOVE).mass;
    for (size_t i = 1; i < c->n; i++) {
        double length = c->edge[i + 1] - c->edge[i];
        settled s = settle(&c->cell[i], length, LIST_ABOVE);
        double share = -expm1(-length) * (1 - SUM_ERROR_ROUNDS * LIST_ROUND);
        double right = fmin(round_up(s.moved / share), s.mass);
        double left = list_sum_up(s.mass, -right);
        list_put(out, c->edge[i], list_sum_up(carry, left), LIST_ABOVE);
        carry = right;
    }
    settled far = settle(&c->cell[c->n], HUGE_VAL, LIST_ABOVE);
    double lost = fmin(far.moved, far.mass);
    double kept = list_sum_up(far.mass, -lost);
    list_put(out, c->edge[c->n], list_sum_up(carry, kept), LIST_ABOVE);
    out->at_infinity = list_sum_up(out->at_infinity, lost);
}

/* One outcome for all of a cell, which is post-processing; what lies below
 * the first knot is left out, what lies above the last is lowered to it. */
static void settle_below(list_law *out, const cells *c)
{
    for (size_t i = 1; i < c->n; i++) {
        const cell *from = &c->cell[i];
        settled s = settle(from, 0, LIST_BELOW);
        if (!(s.mass > 0))
            continue;
        /* at least sum m (1 - e^-t) / sum m, less than 1 */
        double gap = s.moved / settle(from, 0, LIST_ABOVE).mass;
        double loss = c->edge[i] - log1p(-fmin(round_down(gap), 1 - 0x1p-50));
        list_put(out, fmin(fmax(loss, c->edge[i]), c->edge[i + 1]),
            s.mass, LIST_BELOW);
    }
    list_put(out, c->edge[c->n], settle(&c->cell[c->n], 0, LIST_BELOW).mass,
        LIST_BELOW);
}

/* ---- Both -------------------------------------------------------------- */

/* One of both is at +inf. */
static double joint_infinity(
    const list_law *a, const list_law *b, list_side side)
{
    double error = (double)(a->n + b->n + 8) * LIST_ROUND;
    return list_end(list_infinity(a, b), error, side);
}

/* The greatest loss by magnitude that rounding took part in. */
static double greatest_loss(
    const list_law *a, const list_law *b, list_knots knots)
{
    double most = fmax(fabs(knots.at[0]), fabs(knots.at[knots.n - 1]));
    if (a->n == 0 || b->n == 0)
        return most;
    return fmax(most, fmax(fabs(a->loss[0] + b->loss[0]),
                          fabs(a->loss[a->n - 1] + b->loss[b->n - 1])));
}

dosi_status list_compose(list_law *out, const list_law *a, const list_law *b,
    list_knots knots, list_side side, double negligible,
    work_limits *limits, dosi_error *err)
{
    cells c;
    sums of[2] = {{0}, {0}};
    double left_out, most = greatest_loss(a, b, knots);
    *out = (list_law){0};
    if (!(most < LIST_MAX_LOSS)) /* also no number */
        return dosi_fail(
            err, DOSI_EUNABLE, "lists: losses exceed %g", LIST_MAX_LOSS);
    dosi_status status = cells_new(&c, knots, err);
    if (status != DOSI_OK)
        return status;
    status = list_law_new(out, knots.n, err);
    if (status == DOSI_OK)
        status = sums_new(&of[0], b, 0, err);
    if (status == DOSI_OK && a->scale > 0)
        status = sums_new(&of[1], b, a->scale, err);
    if (status == DOSI_OK)
        status = add_products(
            &c, a, b, of, negligible, &left_out, limits, err);
    if (status == DOSI_OK) {
        out->scale = a->scale;
        out->at_infinity = joint_infinity(a, b, side);
        if (side == LIST_ABOVE) /* rounded as sums of no more terms are */
            out->at_infinity = list_sum_up(
                out->at_infinity, list_end(left_out, 0x1p-20, side));
        out->slack = round_up(round_up(a->slack + b->slack) +
                              round_up(LIST_LOSS_ROUND * most +
                                       LIST_MIN_SLACK));
        (side == LIST_ABOVE ? settle_above : settle_below)(out, &c);
    }
    sums_free(&of[0]);
    sums_free(&of[1]);
    cells_free(&c);
    return status;
}

dosi_status list_reduce(list_law *out, const list_law *a, list_knots knots,
    list_side side, work_limits *limits, dosi_error *err)
{
    double zero = 0, one = ldexp(1, a->scale);
    const list_law unit = {1, &zero, &one, 0, 0, a->scale};
    return list_compose(out, &unit, a, knots, side, 0, limits, err);
}
