#include "grid_law.h"

#include <stdlib.h>
#include <string.h>

#include "grid_walk.h"

/* Each cell of the density is cut into this many pieces for the walk. */
#define PIECES 2

/* Cells may be 2^j points long, j < LENGTHS, where a share times the square
 * of the length stays below this. */
#define LENGTHS 10
#define COARSE 2e-4

/* An atom off the lattice: in the cell above point i, before a piece. */
typedef struct loose_atom {
    int64_t i;
    double above; /* roughly how far above point i */
    ball p;
    ball xq; /* e^(loss of point i) times Q's mass */
    ball gap;
} loose_atom;

typedef struct builder {
    loss_cells *c;
    const grid_points *points;
    grid_law *out;
    grid_walk walk;
    ball down[PIECES + 1]; /* e^(-j h/PIECES) */
    struct {
        ball down, up;    /* e^-l and e^l for cells of length l = 2^j h */
        ball right, left; /* 1/(1 - e^-l) and 1/(e^l - 1) */
    } length[LENGTHS];
    loss_tail all; /* masses of the density, x being 1 */
    size_t share; /* where in points->share the cells are */
    loose_atom *atoms;
    size_t n_atoms, next;
} builder;

static ball point_at(const builder *b, int64_t i)
{
    return ball_add(
        b->points->offset, ball_mul_d(b->points->h, (double)i));
}

/* ---- From above -------------------------------------------------------- */

/* Masses only grow: upper ends, added upward. */
static void put_above(builder *b, int64_t i, ball mass)
{
    double m = ball_upper(mass);
    double *at = &b->out->up[i - b->out->first];
    if (!(m <= 0))
        *at = round_up(*at + m);
}

/* Shares of masses p and xq between points i and i + 2^j, l = 2^j h apart,
 * with x at i: (p - xq)/(1 - e^-l) and (e^l xq - p)/(e^l - 1), both >= 0. */
static void split_above(builder *b, int64_t i, int j, ball p, ball xq)
{
    put_above(b, i + ((int64_t)1 << j),
        ball_mul(ball_sub(p, xq), b->length[j].right));
    put_above(b, i,
        ball_mul(ball_sub(ball_mul(b->length[j].up, xq), p),
            b->length[j].left));
}

/* ---- Atoms ------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const loose_atom *a = x, *b = y;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->above < b->above ? -1 : a->above > b->above;
}

/* The whole number nearest to (loss - offset)/h, steering. */
static double place(const grid_points *points, ball at)
{
    return ball_mid(ball_div(ball_sub(at, points->offset), points->h));
}

/* An atom goes to its point, or is kept for later; certainly above i. */
static void atom_put(builder *b, loss_atom a)
{
    int64_t i = (int64_t)llround(place(b->points, a.at));
    ball gap = ball_sub(a.at, point_at(b, i));
    double far = round_up(fabs(gap.hi) + gap.rad);
    if (far <= b->points->slack) {
        put_above(b, i, a.p);
        grid_walk_put(&b->walk, i, a.p);
        b->out->slack = fmax(b->out->slack, far);
        return;
    }
    if (!ball_is_nonnegative(gap)) {
        i--;
        gap = ball_sub(a.at, point_at(b, i));
    }
    ball xq = ball_mul(a.p, ball_exp(ball_neg(gap)));
    b->atoms[b->n_atoms++] =
        (loose_atom){i, ball_mid(gap), a.p, xq, gap};
}

static void atoms_put(builder *b)
{
    size_t n = loss_atom_count(b->c);
    for (size_t i = 0; i < n; i++)
        atom_put(b, loss_atom_at(b->c, i));
    qsort(b->atoms, b->n_atoms, sizeof *b->atoms, by_place);
    for (size_t k = 0; k < b->n_atoms; k++) {
        const loose_atom *a = &b->atoms[k];
        /* (1 - e^-gap)/(1 - e^-h) to the right, and the rest */
        ball p_right = ball_neg(ball_expm1(ball_neg(a->gap)));
        ball p_left = ball_expm1(ball_sub(b->points->h, a->gap));
        put_above(b, a->i + 1,
            ball_mul(ball_mul(a->p, p_right), b->length[0].right));
        put_above(b, a->i,
            ball_mul(ball_mul(a->p, p_left), b->length[0].left));
    }
}

/* Loose atoms before a place join the walk. */
static void walk_atoms(builder *b, int64_t i, double above)
{
    for (; b->next < b->n_atoms; b->next++) {
        const loose_atom *a = &b->atoms[b->next];
        if (a->i > i || (a->i == i && a->above >= above))
            return;
        grid_walk_piece(&b->walk, a->i, a->p, a->xq);
    }
}

/* ---- The density ------------------------------------------------------- */

/* Masses of the density below a loss under 0, above any other: there the
 * tails know the law. */
typedef struct cell_end {
    ball at;
    loss_tail t;
    bool upper;
} cell_end;

static cell_end end_at(builder *b, int64_t i, int piece)
{
    ball s = point_at(b, i);
    if (piece > 0)
        s = ball_add(s, ball_mul_d(b->points->h, (double)piece / PIECES));
    bool below = ball_is_positive(ball_neg(s));
    if (!below && !ball_is_positive(s))
        s = ball_of(0); /* moved by less than what slack allows for */
    return (cell_end){s, below ? loss_lower(b->c, s) : loss_upper(b->c, s),
        !below};
}

/* Masses between two ends a distance apart with e^-distance given: P's, and
 * x Q's with x at the lower end. */
static void between(const builder *b, ball *p, ball *xq, const cell_end *a,
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
static void cell_put(builder *b, int64_t i, const cell_end *lo,
    const cell_end *hi)
{
    ball p, xq;
    cell_end cut[PIECES + 1];
    cut[0] = *lo;
    cut[PIECES] = *hi;
    for (int j = 1; j < PIECES; j++)
        cut[j] = end_at(b, i, j);
    for (int k = 0; k < PIECES; k++) {
        int j = b->walk.falling ? PIECES - 1 - k : k;
        between(b, &p, &xq, &cut[j], &cut[j + 1], b->down[1]);
        xq = ball_mul(xq, b->down[j]); /* x at the cell's lower end */
        if (i == b->out->first && !b->walk.falling && 2 * j < PIECES)
            grid_walk_put(&b->walk, i, p); /* so groups end between points */
        else
            grid_walk_piece(&b->walk, i, p, xq);
    }
    between(b, &p, &xq, lo, hi, b->down[PIECES]);
    split_above(b, i, 0, p, xq);
}

/* One of 2^j points, as one outcome. */
static void long_cell_put(builder *b, int64_t i, int j, const cell_end *lo,
    const cell_end *hi)
{
    ball p, xq;
    between(b, &p, &xq, lo, hi, b->length[j].down);
    split_above(b, i, j, p, xq);
    grid_walk_long_piece(&b->walk, i, p, xq);
}

/* The share below a loss, between the entries that surround it. */
static double share_below(builder *b, double at)
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
static int cell_length(builder *b, int64_t i, int64_t end)
{
    if (b->points->share == NULL || b->n_atoms > 0)
        return 0;
    double h = end < i ? -b->points->h.hi : b->points->h.hi;
    double at =
        ball_mid(b->points->offset) + (double)i * b->points->h.hi;
    double here = share_below(b, at);
    int64_t room = end < i ? i - end : end - i;
    int j = 0;
    while (j + 1 < LENGTHS && ((int64_t)2 << j) <= room) {
        double l = (double)((int64_t)2 << j);
        double share = fabs(share_below(b, at + l * h) - here);
        if (!(share * l * l < COARSE && l * fabs(h) < b->points->longest))
            break;
        j++;
    }
    return j;
}

/* What lies below the first point moves up to it, or is dropped. */
static void bottom_put(builder *b)
{
    cell_end e = end_at(b, b->out->first, 0);
    put_above(b, b->out->first,
        e.upper ? ball_sub(b->all.p, e.t.p) : e.t.p);
}

/* What lies above the last point n: its Q-mass stays there, at x_n Q under
 * P, and the rest goes to +inf; or it is lowered to the last point. */
static void top_put(builder *b, int64_t last, const cell_end *e)
{
    put_above(b, last, e->t.xq);
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
    builder *b, stretch s, work_limits *limits, dosi_error *err)
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
            walk_atoms(b, i, 0);
        if (j == 0)
            cell_put(b, falling ? other : i, lo, hi);
        else
            long_cell_put(b, falling ? other : i, j, lo, hi);
        here = there;
        i = other;
        if (++n % 1024 == 0 && work_stopped(limits))
            return dosi_fail(err, DOSI_EUNABLE, "grid: asked to stop");
    }
    return DOSI_OK;
}

/* The order of the walk: from the end where the density is steep, so that
 * the groups fit there. */
static bool is_falling(const builder *b)
{
    const loss *pair = &b->c->pair;
    return b->n_atoms == 0 &&
           (pair->map == LOSS_ADD ||
               (pair->map == LOSS_SPLIT && pair->removed == 0));
}

static dosi_status density_put(
    builder *b, int64_t last, work_limits *limits, dosi_error *err)
{
    int64_t first = b->out->first;
    double zero = round(place(b->points, ball_of(0)));
    int64_t pivot = (int64_t)fmin(fmax(zero, (double)first), (double)last);
    stretch left = {first, pivot}, right = {pivot, last};
    loss_tail above = loss_upper(b->c, ball_of(0));
    loss_tail below = loss_lower(b->c, ball_of(0));
    b->all = (loss_tail){ball_add(above.p, below.p),
        ball_add(above.xq, below.xq)};
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

/* ---- All --------------------------------------------------------------- */

static double whole_near(double x, bool above)
{
    double nearest = round(x);
    if (fabs(x - nearest) < 1e-6)
        return nearest;
    return above ? ceil(x) : floor(x);
}

/* The first and the last point needed. */
static void reach(double *first, double *last, const loss_cells *c,
    const grid_points *points)
{
    *first = HUGE_VAL;
    *last = -HUGE_VAL;
    size_t n = loss_atom_count(c);
    for (size_t i = 0; i < n; i++) {
        double at = place(points, loss_atom_at(c, i).at);
        *first = fmin(*first, floor(at + 1e-6) - 1);
        *last = fmax(*last, ceil(at - 1e-6) + 1);
    }
    if (!c->has_density)
        return;
    double left = fmax(points->left, ball_mid(c->least));
    double right = fmin(points->right, ball_mid(c->most));
    *first = fmin(*first,
        whole_near(place(points, ball_of(left)), false));
    *last = fmax(*last, whole_near(place(points, ball_of(right)), true));
}

static void builder_init(builder *b)
{
    ball h = b->points->h;
    grid_walk_init(&b->walk, b->out, h);
    for (int j = 0; j < LENGTHS; j++) {
        ball l = ball_scale2(h, j);
        b->length[j].up = ball_exp(l);
        b->length[j].down = ball_exp(ball_neg(l));
        b->length[j].right =
            ball_div(ball_of(1), ball_neg(ball_expm1(ball_neg(l))));
        b->length[j].left = ball_div(ball_of(1), ball_expm1(l));
    }
    for (int j = 0; j <= PIECES; j++)
        b->down[j] = ball_exp(ball_mul_d(h, -(double)j / PIECES));
}

/* Leaves out the points at either end that hold nothing. */
static void trim(grid_law *g)
{
    size_t from = 0, to = g->n;
    while (to > 1 && g->up[to - 1] == 0 && g->lo[to - 1] == 0)
        to--;
    while (from + 1 < to && g->up[from] == 0 && g->lo[from] == 0)
        from++;
    g->n = to - from;
    g->first += (int64_t)from;
    memmove(g->up, g->up + from, g->n * sizeof *g->up);
    memmove(g->lo, g->lo + from, g->n * sizeof *g->lo);
}

dosi_status grid_law_build(grid_law *out, loss_cells *c,
    const grid_points *points, work_limits *limits, dosi_error *err)
{
    double first, last;
    *out = (grid_law){.count = c->pair.count, .offset = points->offset};
    reach(&first, &last, c, points);
    if (!(fabs(first) < 0x1p50 && last - first < (double)points->most))
        return dosi_fail(err, DOSI_EUNABLE, "grid: too many points");
    out->first = (int64_t)first;
    out->n = (size_t)(last - first) + 1;
    builder b = {.c = c, .points = points, .out = out};
    out->up = calloc(out->n, sizeof *out->up);
    out->lo = calloc(out->n, sizeof *out->lo);
    b.atoms = malloc((loss_atom_count(c) + 1) * sizeof *b.atoms);
    dosi_status status = DOSI_OK;
    if (out->up == NULL || out->lo == NULL || b.atoms == NULL) {
        status = dosi_fail_memory(err);
        goto done;
    }
    builder_init(&b);
    out->up_inf = fmax(ball_upper(c->p_inf), 0);
    out->lo_inf = fmax(ball_lower(c->p_inf), 0);
    atoms_put(&b);
    if (c->has_density)
        status = density_put(&b, (int64_t)last, limits, err);
    walk_atoms(&b, INT64_MAX, 0);
    grid_walk_close(&b.walk);
    trim(out);
done:
    free(b.atoms);
    return status;
}

void grid_law_free(grid_law *g)
{
    free(g->up);
    free(g->lo);
    g->up = g->lo = NULL;
}
