/*
 * The density of a law on a lattice, cell by cell: from above each cell is
 * split between its two ends, from below it joins the walk in pieces.
 * Derivation: docs/theory/grid.md, sections 2 and 3.
 */
#include "grid_builder.h"

/* Cells are long where a share times the square of the length, in points,
 * stays below this. */
#define COARSE 2e-4

/* Shares of masses p and xq between points i and i + 2^j, l = 2^j h apart,
 * with x at i: (p - xq)/(1 - e^-l) and (e^l xq - p)/(e^l - 1), both >= 0. */
static void split_above(grid_builder *b, int64_t i, int j, ball p, ball xq)
{
    grid_put_above(b, i + ((int64_t)1 << j),
        ball_mul(ball_sub(p, xq), b->length[j].right));
    grid_put_above(b, i,
        ball_mul(ball_sub(ball_mul(b->length[j].up, xq), p),
            b->length[j].left));
}

void grid_walk_atoms(grid_builder *b, int64_t i, double above)
{
    for (; b->next < b->n_atoms; b->next++) {
        const loose_atom *a = &b->atoms[b->next];
        if (a->i > i || (a->i == i && a->above >= above))
            return;
        grid_walk_piece(&b->walk, a->i, a->p, a->xq);
    }
}

/* ---- Cells ------------------------------------------------------------- */

/* Masses of the density below a loss under 0, above any other: there the
 * tails know the law. */
typedef struct cell_end {
    ball at;
    loss_tail t;
    bool upper;
} cell_end;

static cell_end end_at(grid_builder *b, int64_t i, int piece)
{
    ball s = grid_point_at(b, i);
    if (piece > 0)
        s = ball_add(s, ball_mul_d(b->points->h, (double)piece / GRID_PIECES));
    if (i >= 0 && b->is_topped)
        return (cell_end){s, {ball_of(0), ball_of(0)}, true};
    bool below = ball_is_positive(ball_neg(s));
    if (!below && !ball_is_positive(s))
        s = ball_of(0); /* moved by less than what slack allows for */
    return (cell_end){s, below ? loss_lower(b->c, s) : loss_upper(b->c, s),
        !below};
}

/* Masses between two ends a distance apart with e^-distance given: P's, and
 * x Q's with x at the lower end. */
static void between(const grid_builder *b, ball *p, ball *xq, const cell_end *a,
    const cell_end *z, ball down)
{
    ball far = ball_mul(down, z->t.xq);
    if (!a->upper && z->upper) { /* all, but for what is beyond */
        *p = ball_sub(ball_sub(b->all.p, a->t.p), z->t.p);
        *xq = ball_sub(
            ball_sub(ball_mul(ball_exp(a->at), b->all.xq), a->t.xq), far);
        return;
    }
    *p = ball_sub(a->t.p, z->t.p);
    *xq = ball_sub(a->t.xq, far);
    if (!a->upper) {
        *p = ball_neg(*p);
        *xq = ball_neg(*xq);
    }
}

/* A cell of one point's length between its ends, in pieces. */
static void cell_put(grid_builder *b, int64_t i, const cell_end *lo,
    const cell_end *hi)
{
    ball p, xq;
    cell_end cut[GRID_PIECES + 1];
    cut[0] = *lo;
    cut[GRID_PIECES] = *hi;
    for (int j = 1; j < GRID_PIECES; j++)
        cut[j] = end_at(b, i, j);
    for (int k = 0; k < GRID_PIECES; k++) {
        int j = b->walk.falling ? GRID_PIECES - 1 - k : k;
        between(b, &p, &xq, &cut[j], &cut[j + 1], b->down[1]);
        xq = ball_mul(xq, b->down[j]); /* x at the cell's lower end */
        if (i == b->out->first && !b->walk.falling && !b->walk.rounds &&
            2 * j < GRID_PIECES)
            grid_walk_put(&b->walk, i, p); /* so groups end between points */
        else
            grid_walk_piece(&b->walk, i, p, xq);
    }
    between(b, &p, &xq, lo, hi, b->down[GRID_PIECES]);
    split_above(b, i, 0, p, xq);
}

/* One of 2^j points, as one outcome. */
static void long_cell_put(grid_builder *b, int64_t i, int j, const cell_end *lo,
    const cell_end *hi)
{
    ball p, xq;
    between(b, &p, &xq, lo, hi, b->length[j].down);
    split_above(b, i, j, p, xq);
    grid_walk_long_piece(&b->walk, i, p, xq);
}

/* The share below a loss, between the entries that surround it. */
static double share_below(grid_builder *b, double at)
{
    const grid_share *s = b->points->share;
    size_t k = b->share;
    while (k + 1 < s->n && s->at[k + 1] <= at)
        k++;
    while (k > 0 && s->at[k] > at)
        k--;
    b->share = k;
    if (at <= s->at[0] || k + 1 == s->n)
        return at <= s->at[0] ? 0 : s->below[s->n - 1];
    double part = (at - s->at[k]) / (s->at[k + 1] - s->at[k]);
    return s->below[k] + part * (s->below[k + 1] - s->below[k]);
}

/* The longest cell from point i on, upward or downward, that does not
 * matter, as a power of two; end is where something changes. */
static int cell_length(grid_builder *b, int64_t i, int64_t end)
{
    if (b->points->share == NULL || b->n_atoms > 0)
        return 0;
    double h = end < i ? -b->points->h.hi : b->points->h.hi;
    double at =
        ball_mid(b->points->offset) + (double)i * b->points->h.hi;
    double here = share_below(b, at);
    int64_t room = end < i ? i - end : end - i;
    int j = 0;
    while (j + 1 < GRID_LENGTHS && ((int64_t)2 << j) <= room) {
        double l = (double)((int64_t)2 << j);
        double share = fabs(share_below(b, at + l * h) - here);
        if (!(share * l * l < COARSE && l * fabs(h) < b->points->longest))
            break;
        j++;
    }
    return j;
}

/* What lies below the first point moves up to it, or is dropped. */
static void bottom_put(grid_builder *b)
{
    cell_end e = end_at(b, b->out->first, 0);
    grid_put_above(b, b->out->first,
        e.upper ? ball_sub(b->all.p, e.t.p) : e.t.p);
}

/* What lies above the last point n: its Q-mass stays there, at x_n Q under
 * P, and the rest goes to +inf; or it is lowered to the last point. */
static void top_put(grid_builder *b, int64_t last, const cell_end *e)
{
    grid_put_above(b, last, e->t.xq);
    double most = ball_upper(ball_sub(e->t.p, e->t.xq));
    if (most > 0)
        b->out->up_inf = round_up(b->out->up_inf + most);
    grid_walk_piece(&b->walk, last, e->t.p, e->t.xq);
}

typedef struct stretch {
    int64_t from, to; /* falling when to < from */
} stretch;

/* Cells from one point to another. */
static dosi_status stretch_put(
    grid_builder *b, stretch s, work_limits *limits, dosi_error *err)
{
    size_t n = 0;
    bool falling = s.to < s.from;
    cell_end here = end_at(b, s.from, 0);
    for (int64_t i = s.from; i != s.to;) {
        int j = cell_length(b, i, s.to);
        int64_t other = falling ? i - ((int64_t)1 << j)
                                : i + ((int64_t)1 << j);
        cell_end there = end_at(b, other, 0);
        const cell_end *lo = falling ? &there : &here;
        const cell_end *hi = falling ? &here : &there;
        if (!falling)
            grid_walk_atoms(b, i, 0);
        if (j == 0)
            cell_put(b, falling ? other : i, lo, hi);
        else
            long_cell_put(b, falling ? other : i, j, lo, hi);
        here = there;
        i = other;
        if (++n % 64 == 0 && work_spent(limits, 64 * GRID_CELL_OPERATIONS))
            return dosi_fail(err, DOSI_EUNABLE, "grid: asked to stop");
    }
    return DOSI_OK;
}

/* The order of the walk: from the end where the density is steep, so that
 * the groups fit there. */
static bool is_falling(const grid_builder *b)
{
    const loss *pair = &b->c->pair;
    return b->n_atoms == 0 &&
           (pair->map == LOSS_ADD ||
               (pair->map == LOSS_SPLIT && pair->removed == 0));
}

/* All of the density. Where that is all of the law, it is 1: next to all of it
 * may lie so close to 0 that no root tells on which side. */
static loss_tail all_of(loss_cells *c)
{
    if (c->pair.noise == LOSS_GAUSSIAN && loss_atom_count(c) == 0)
        return (loss_tail){ball_of(1), ball_of(1)};
    loss_tail above = loss_upper(c, ball_of(0));
    loss_tail below = loss_lower(c, ball_of(0));
    return (loss_tail){
        ball_add(above.p, below.p), ball_add(above.xq, below.xq)};
}

dosi_status grid_density_put(
    grid_builder *b, int64_t last, work_limits *limits, dosi_error *err)
{
    int64_t first = b->out->first;
    double zero = round(grid_place_of(b->points, ball_of(0)));
    int64_t pivot = (int64_t)fmin(fmax(zero, (double)first), (double)last);
    stretch left = {first, pivot}, right = {pivot, last};
    b->all = all_of(b->c);
    cell_end top = end_at(b, last, 0);
    if (!top.upper) /* a cut below 0 */
        top.t = (loss_tail){ball_sub(b->all.p, top.t.p),
            ball_sub(ball_mul(ball_exp(top.at), b->all.xq), top.t.xq)};
    bottom_put(b);
    b->walk.falling = is_falling(b);
    dosi_status status = DOSI_OK;
    if (b->walk.falling) {
        top_put(b, last, &top);
        status = stretch_put(b, (stretch){last, pivot}, limits, err);
    }
    bool fixed =
        b->c->pair.map == LOSS_FIXED || b->c->pair.map == LOSS_DRAWN;
    if (fixed && b->n_atoms == 0) {
        b->walk.falling = true; /* outward from the atom at 0 */
        status = stretch_put(b, (stretch){pivot, first}, limits, err);
        grid_walk_close(&b->walk);
        b->walk.falling = false;
    } else if (status == DOSI_OK) {
        if (b->walk.falling)
            left = (stretch){pivot, first};
        status = stretch_put(b, left, limits, err);
    }
    if (!b->walk.falling) {
        if (status == DOSI_OK)
            status = stretch_put(b, right, limits, err);
        top_put(b, last, &top);
    }
    return status;
}
