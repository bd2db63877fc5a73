#include "grid_law.h"

#include <stdlib.h>
#include <string.h>

#include "grid_builder.h"

/* ---- Atoms ------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const loose_atom *a = x, *b = y;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->above < b->above ? -1 : a->above > b->above;
}

/* The nearest point to a loss, and how far it is at most. */
static int64_t nearest(double *far, ball *gap, const grid_points *points,
    ball at)
{
    int64_t i = (int64_t)llround(grid_place_of(points, at));
    ball point =
        ball_add(points->offset, ball_mul_d(points->h, (double)i));
    *gap = ball_sub(at, point);
    *far = round_up(fabs(gap->hi) + gap->rad);
    return i;
}

bool grid_law_is_loose(const loss_cells *c, const grid_points *points)
{
    size_t n = c->has_density ? 0 : loss_atom_count(c);
    for (size_t k = 0; k < n; k++) {
        double far;
        ball gap;
        (void)nearest(&far, &gap, points, loss_atom_at(c, k).at);
        if (far > points->slack)
            return true;
    }
    return false;
}

/* An atom goes to its point, or is kept for later; certainly above i. */
static void atom_put(grid_builder *b, loss_atom a)
{
    double far;
    ball gap;
    int64_t i = nearest(&far, &gap, b->points, a.at);
    if (far <= b->points->slack) {
        grid_put_above(b, i, a.p);
        grid_walk_put(&b->walk, i, a.p);
        b->out->slack = fmax(b->out->slack, far);
        return;
    }
    if (!ball_is_nonnegative(gap)) {
        i--;
        gap = ball_sub(a.at, grid_point_at(b, i));
    }
    ball xq = ball_mul(a.p, ball_exp(ball_neg(gap)));
    b->atoms[b->n_atoms++] =
        (loose_atom){i, ball_mid(gap), a.p, xq, gap};
}

/* One that lies below the point low, or above the point high, of a law cut
 * off there: it moves up to low, or is dropped; of one above, Q's mass stays
 * at high and the rest of P's goes to +inf, or all is lowered to high. */
static bool atom_cut(grid_builder *b, loss_atom a, int64_t low, int64_t high)
{
    double at = grid_place_of(b->points, a.at);
    if (b->c->has_density ||
        (at >= (double)low - 1e-6 && at <= (double)high + 1e-6))
        return false;
    if (at < (double)low) {
        if (!ball_less_equal(a.at, grid_point_at(b, low)))
            return false;
        grid_put_above(b, low, a.p);
        return true;
    }
    ball gap = ball_sub(a.at, grid_point_at(b, high));
    ball stays = ball_mul(a.p, ball_exp(ball_neg(gap)));
    double most = ball_upper(ball_sub(a.p, stays));
    if (!ball_is_nonnegative(gap))
        return false;
    grid_put_above(b, high, stays);
    if (most > 0)
        b->out->up_inf = round_up(b->out->up_inf + most);
    grid_walk_put(&b->walk, high, a.p);
    return true;
}

static bool atoms_put(grid_builder *b)
{
    size_t n = loss_atom_count(b->c);
    int64_t low = b->out->first + 1;
    int64_t high = b->out->first + (int64_t)b->out->n - 2;
    for (size_t i = 0; i < n; i++) {
        loss_atom a = loss_atom_at(b->c, i);
        double at = grid_place_of(b->points, a.at);
        if (atom_cut(b, a, low, high))
            continue;
        if (!(at > (double)low - 0.1 && at < (double)high + 0.1))
            return false; /* its place is not known */
        atom_put(b, a);
    }
    qsort(b->atoms, b->n_atoms, sizeof *b->atoms, by_place);
    bool is_tested = b->points->with_q && !b->c->has_density;
    for (size_t k = 0; k < b->n_atoms; k++) {
        const loose_atom *a = &b->atoms[k];
        /* (1 - e^-gap)/(1 - e^-h) to the right, and the rest */
        ball p_right = ball_neg(ball_expm1(ball_neg(a->gap)));
        ball p_left = ball_expm1(ball_sub(b->points->h, a->gap));
        grid_put_above(b, a->i + 1,
            ball_mul(ball_mul(a->p, p_right), b->length[0].right));
        grid_put_above(b, a->i,
            ball_mul(ball_mul(a->p, p_left), b->length[0].left));
        if (is_tested && grid_walk_knows(a->p) && b->out->lo_q != NULL)
            grid_walk_round(&b->walk, a->i, a->p, a->xq,
                a->above / b->points->h.hi);
    }
    if (is_tested)
        b->next = b->n_atoms; /* none is left for the walk */
    return true;
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
    double left = grid_place_of(points, ball_of(points->left));
    double right = grid_place_of(points, ball_of(points->right));
    for (size_t i = 0; i < n; i++) {
        double at = grid_place_of(points, loss_atom_at(c, i).at);
        if (!c->has_density)
            at = fmin(fmax(at, left), right);
        *first = fmin(*first, floor(at + 1e-6) - 1);
        *last = fmax(*last, ceil(at - 1e-6) + 1);
    }
    if (!c->has_density)
        return;
    left = fmax(points->left, ball_mid(c->least));
    right = fmin(points->right, ball_mid(c->most));
    *first = fmin(*first,
        whole_near(grid_place_of(points, ball_of(left)), false));
    *last = fmax(
        *last, whole_near(grid_place_of(points, ball_of(right)), true));
}

static void builder_init(grid_builder *b)
{
    ball h = b->points->h;
    grid_walk_init(&b->walk, b->out, h);
    ball top = b->c->most, at = b->points->offset; /* the same number */
    b->is_topped = b->c->has_density && top.hi == at.hi &&
                   top.lo == at.lo && top.rad == at.rad;
    b->walk.rounds = b->points->rounds && loss_atom_count(b->c) == 0;
    for (int j = 0; j < GRID_LENGTHS; j++) {
        ball l = ball_scale2(h, j);
        b->length[j].up = ball_exp(l);
        b->length[j].down = ball_exp(ball_neg(l));
        b->length[j].right =
            ball_div(ball_of(1), ball_neg(ball_expm1(ball_neg(l))));
        b->length[j].left = ball_div(ball_of(1), ball_expm1(l));
    }
    for (int j = 0; j <= GRID_PIECES; j++)
        b->down[j] = ball_exp(ball_mul_d(h, -(double)j / GRID_PIECES));
}

static bool is_empty(const grid_law *g, size_t i)
{
    return g->up[i] == 0 && g->lo[i] == 0 &&
           (g->lo_q == NULL || g->lo_q[i] == 0);
}

/* Leaves out the points at either end that hold nothing. */
static void trim(grid_law *g)
{
    size_t from = 0, to = g->n;
    while (to > 1 && is_empty(g, to - 1))
        to--;
    while (from + 1 < to && is_empty(g, from))
        from++;
    g->n = to - from;
    g->first += (int64_t)from;
    memmove(g->up, g->up + from, g->n * sizeof *g->up);
    memmove(g->lo, g->lo + from, g->n * sizeof *g->lo);
    if (g->lo_q != NULL)
        memmove(g->lo_q, g->lo_q + from, g->n * sizeof *g->lo_q);
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
    grid_builder b = {.c = c, .points = points, .out = out};
    out->up = calloc(out->n, sizeof *out->up);
    out->lo = calloc(out->n, sizeof *out->lo);
    if (points->with_q)
        out->lo_q = calloc(out->n, sizeof *out->lo_q);
    b.atoms = malloc((loss_atom_count(c) + 1) * sizeof *b.atoms);
    dosi_status status = DOSI_OK;
    if (out->up == NULL || out->lo == NULL || b.atoms == NULL ||
        (points->with_q && out->lo_q == NULL)) {
        status = dosi_fail_memory(err);
        goto done;
    }
    builder_init(&b);
    out->up_inf = fmax(ball_upper(c->p_inf), 0);
    out->lo_inf = fmax(ball_lower(c->p_inf), 0);
    if (!atoms_put(&b)) {
        status = dosi_fail(err, DOSI_EUNABLE, "grid: a law has no place");
        goto done;
    }
    if (c->has_density)
        status = grid_density_put(&b, (int64_t)last, limits, err);
    grid_walk_atoms(&b, INT64_MAX, 0);
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
    free(g->lo_q);
    g->up = g->lo = g->lo_q = NULL;
}
