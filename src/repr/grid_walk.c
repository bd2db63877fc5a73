#include "grid_walk.h"

void grid_walk_init(grid_walk *w, grid_law *out, ball h)
{
    *w = (grid_walk){.out = out,
        .h = h,
        .up_h = ball_exp(h),
        .down_h = ball_exp(ball_neg(h))};
}

bool grid_walk_knows(ball p)
{
    return p.hi > 0 && p.rad <= p.hi * 0x1p-16;
}

void grid_walk_put(grid_walk *w, int64_t i, ball p)
{
    double m = ball_lower(p);
    double *at = &w->out->lo[i - w->out->first];
    if (!(m > 0))
        return;
    *at = fmax(*at, round_down(*at + m));
    if (w->out->lo_q != NULL) { /* x q <= p */
        double *q = &w->out->lo_q[i - w->out->first];
        *q = round_up(*q + ball_upper(p));
    }
}

/* e^(n h). */
static ball power(const grid_walk *w, int64_t n)
{
    if (n == 0)
        return ball_of(1);
    if (n == 1)
        return w->up_h;
    return n == -1 ? w->down_h : ball_exp(ball_mul_d(w->h, (double)n));
}

static void walk_open(grid_walk *w, int64_t target, ball p, ball xq)
{
    w->is_open = true;
    w->target = target;
    w->p = p;
    w->xq = xq;
}

static void walk_absorb(grid_walk *w, ball p, ball xq)
{
    w->p = ball_add(w->p, p);
    w->xq = ball_add(w->xq, xq);
}

/* ---- Rising ------------------------------------------------------------ */

/* A group that lacks next to nothing is at its target already: its ratio is
 * at least x e^-slack when lack <= (1 - e^-slack) xq. */
static void rising_settle(grid_walk *w)
{
    double lack = ball_upper(ball_sub(w->xq, w->p));
    if (!(lack <= ball_lower(w->xq) * 0x1p-70))
        return;
    grid_walk_put(w, w->target, w->p);
    w->is_open = false;
    w->out->slack = fmax(w->out->slack, 0x1p-69);
}

/*
 * The open group, all of it above the point below its target T, lacks
 * D = xq - p >= 0 to be at T; a piece above T has E = p - x_T q >= 0 to
 * spare. A share f >= D/E of it brings the group's ratio to x_T or more. The
 * rest of the piece opens the next group, toward the point above it.
 */
static void rising_piece(grid_walk *w, int64_t i, ball p, ball xq)
{
    if (!w->is_open) {
        walk_open(w, i + 1, p, ball_mul(xq, w->up_h));
        return;
    }
    ball at_target = ball_mul(xq, power(w, w->target - i));
    ball spare = ball_sub(p, at_target);
    double f = HUGE_VAL;
    if (w->target <= i && ball_is_positive(spare))
        f = ball_upper(ball_div(ball_sub(w->xq, w->p), spare));
    if (!(f < 1)) {
        walk_absorb(w, p, at_target);
        if (w->target <= i)
            rising_settle(w);
        return;
    }
    f = fmax(f, 0);
    grid_walk_put(w, w->target, ball_add(w->p, ball_mul_d(p, f)));
    ball rest = ball_sub(ball_of(1), ball_of(f));
    walk_open(w, i + 1, ball_mul(p, rest),
        ball_mul(ball_mul(xq, w->up_h), rest));
}

/* ---- Falling ----------------------------------------------------------- */

/*
 * The open group has E = p - xq >= 0 to spare above its target T; a piece
 * below T lacks D = x_T q - p >= 0. A share f <= E/D of it leaves the
 * group's ratio at x_T or more. The rest opens the next group, at the point
 * below it.
 */
static void falling_piece(grid_walk *w, int64_t i, ball p, ball xq)
{
    if (!w->is_open) {
        walk_open(w, i, p, xq);
        return;
    }
    ball at_target = ball_mul(xq, power(w, w->target - i));
    if (i >= w->target) {
        walk_absorb(w, p, at_target);
        return;
    }
    ball lack = ball_sub(at_target, p);
    double f = 0;
    if (ball_is_positive(lack))
        f = ball_lower(ball_div(ball_sub(w->p, w->xq), lack));
    if (f >= 1) {
        walk_absorb(w, p, at_target);
        return;
    }
    f = fmax(f, 0);
    grid_walk_put(w, w->target, ball_add(w->p, ball_mul_d(p, f)));
    ball rest = ball_sub(ball_of(1), ball_of(f));
    walk_open(w, i, ball_mul(p, rest), ball_mul(xq, rest));
}

/* ---- At random --------------------------------------------------------- */

void grid_walk_round(grid_walk *w, int64_t i, ball p, ball xq, double up)
{
    grid_law *g = w->out;
    up = i + 1 < g->first + (int64_t)g->n ? fmin(fmax(up, 0), 1) : 0;
    for (int j = 0; j < 2; j++) {
        ball share = ball_of(j == 1 ? up : 1);
        if (j == 0)
            share = ball_sub(share, ball_of(up));
        ball at_point = j == 1 ? ball_mul(xq, w->up_h) : xq;
        int64_t at = i + j - g->first;
        double mass_p = ball_lower(ball_mul(p, share));
        double mass_q = ball_upper(ball_mul(at_point, share));
        if ((up == 0 && j == 1) || !(mass_q >= 0)) /* NaN: dropped */
            return;
        g->lo[at] = fmax(g->lo[at], round_down(g->lo[at] + mass_p));
        g->lo_q[at] = round_up(g->lo_q[at] + mass_q);
    }
}

/* ---- All --------------------------------------------------------------- */

void grid_walk_piece(grid_walk *w, int64_t i, ball p, ball xq)
{
    if (!grid_walk_knows(p) || ball_is_unknown(xq))
        return; /* dropped */
    if (w->rounds)
        grid_walk_round(
            w, i, p, xq, log(ball_mid(p) / ball_mid(xq)) / w->h.hi);
    else if (w->falling)
        falling_piece(w, i, p, xq);
    else
        rising_piece(w, i, p, xq);
}

void grid_walk_long_piece(grid_walk *w, int64_t i, ball p, ball xq)
{
    double steps = floor(log(ball_mid(p) / ball_mid(xq)) / w->h.hi);
    if (!grid_walk_knows(p) || !grid_walk_knows(xq) || !(steps < 0x1p20))
        return;
    int64_t up = (int64_t)fmax(steps, 0);
    ball moved = ball_mul(xq, power(w, up));
    if (ball_less_equal(moved, p))
        grid_walk_piece(w, i + up, p, moved);
    else /* above point i it is in any case */
        grid_walk_piece(w, i, p, xq);
}

void grid_walk_close(grid_walk *w)
{
    if (w->is_open)
        grid_walk_put(w, w->falling ? w->target : w->target - 1, w->p);
    w->is_open = false;
}
