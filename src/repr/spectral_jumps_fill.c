/*
 * The terms of a class: sums over the nodes of all parts in rows, their powers,
 * and the turns by which they are centred. Derivation: docs/theory/spectral.md,
 * section 9.
 */
#include "spectral_jumps_build.h"

#include <assert.h>

/* ---- Turns ------------------------------------------------------------- */

#define UNIT 0x1p-53

static_assert(FAR_ROW == JUMP_ROW, "rows are as long");

static const disc one = {{1, 0}, {0, 0}, 0};

static void put_disc(jump_row *row, size_t j, disc z)
{
    row->re[j] = z.re.hi;
    row->im[j] = z.im.hi;
    row->rad[j] = z.rad + 2 * UNIT * disc_size(z);
}

void jump_turns_make(jump_turns *t, ball angle)
{
    disc step = disc_turn(angle), at = one;
    for (size_t j = 0; j < JUMP_ROW; j++) {
        put_disc(&t->table, j, at);
        at = disc_mul(at, step);
    }
    t->start = one;
    t->leap = at;
}

/* Of the row at hand, and moves on to the next. */
static void turns_next(jump_row *out, jump_turns *t)
{
    jump_row start;
    for (size_t j = 0; j < JUMP_ROW; j++)
        put_disc(&start, j, t->start);
    *out = t->table;
    jump_row_turn(out, &start);
    t->start = disc_mul(t->start, t->leap);
}

/* ---- Terms ------------------------------------------------------------- */

/* V or W of a row. */
static void moved_row(
    jump_row *out, const jump_moved *m, double u, const jump_row *turn)
{
    spectral_quick sums[FAR_ROW];
    spectral_far_sums(sums, &m->far, m->least, u, FAR_ROW);
    for (size_t j = 0; j < JUMP_ROW; j++) {
        out->re[j] = sums[j].re;
        out->im[j] = sums[j].im;
        out->rad[j] = sums[j].rad;
    }
    jump_row_turn(out, turn);
}

/* S - 1 = share (chi - 1) + (share - 1) + V, which keeps the digits of each. */
static void add_bulk(jump_row *v, class_part *p, double u)
{
    double x[PHASE_ROW], y[PHASE_ROW], error[PHASE_ROW];
    double share = p->share.re.hi;
    double less = (share - 1) + p->share.re.lo;
    phase_rows_at(x, y, error, &p->rows, u);
    for (size_t j = 0; j < JUMP_ROW; j++) {
        double at = u + (double)j * p->rows.step, size = fabs(x[j]);
        size += fabs(y[j]);
        double of_v = fabs(v->re[j]) + fabs(v->im[j]);
        /* as of spectral_nodes_power */
        double off = error[j] + p->nodes.error + 4 * at * p->nodes.spread;
        v->re[j] = (less + v->re[j]) - share * x[j];
        v->im[j] += share * y[j];
        v->rad[j] += (share + p->share.rad) * off +
                     p->share.rad * (1 + size) +
                     4 * UNIT * (share * size + fabs(less) + of_v);
        v->rad[j] *= 1 + 0x1p-40;
    }
}

/* prod S^k, or prod (S + W)^k - prod S^k, centred by the means of B, over the
 * scales. */
static void terms_at(jump_row *out, jump_builder *b, double u)
{
    jump_powers_row all, power;
    jump_row turn, s, w = {.re = {0}};
    for (size_t i = 0; i < b->n; i++) {
        class_part *p = &b->parts[i];
        turns_next(&turn, &p->turns);
        moved_row(&s, &p->moved_v, u, &turn);
        add_bulk(&s, p, u);
        if (!b->k->is_bulk)
            moved_row(&w, &p->moved_w, u, &turn);
        jump_row_power(i == 0 ? &all : &power, &s, &w, p->count);
        if (i > 0)
            jump_row_join(&all, &power);
    }
    if (b->k->is_bulk)
        jump_row_whole(out, &all);
    else
        *out = all.more;
}

/* Of the whole: by what all is centred, less epsilon. */
static jump_turns whole_turns(const spectral_contour *c, const jump_builder *b)
{
    ball drift = ball_of(-c->choice.epsilon);
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        drift = ball_add(drift, ball_mul_d(p->nodes.mean, p->count));
    }
    drift = ball_add(
        drift, jump_plain_mean(&b->choice->plain, c->choice.t));
    jump_turns out;
    jump_turns_make(&out, ball_mul_d(drift, c->choice.step));
    return out;
}

/* By what is not sampled. */
static disc damped(const jump_plain *plain, disc term, double u)
{
    if (ball_is_zero(plain->variance))
        return term;
    ball size = ball_exp(jump_plain_log_fall(plain, u));
    return disc_mul(term, disc_of(size, ball_of(0)));
}

/* The terms of a row, of which not all may count. */
static void put_row(spectral_contour *c, const jump_builder *b,
    const jump_row *row, size_t first)
{
    for (size_t j = 0; j < JUMP_ROW && first + j < c->n; j++) {
        disc term = {{row->re[j], 0}, {row->im[j], 0}, row->rad[j]};
        double u = (double)(first + j) * c->choice.step;
        term = damped(&b->choice->plain, term, u);
        if (first + j == 0)
            term = disc_mul(term, (disc){{0.5, 0}, {0, 0}, 0});
        spectral_contour_put(c, first + j, term);
    }
}

/* Operations of a row of terms, and of each inner node of it. */
#define ROW_OPERATIONS 2e4
#define NODE_OPERATIONS 40

static double row_operations(const jump_builder *b)
{
    double n = ROW_OPERATIONS;
    for (size_t i = 0; i < b->n; i++)
        n += NODE_OPERATIONS * (double)b->parts[i].nodes.nodes.n;
    return n;
}

bool jump_fill(
    spectral_contour *c, jump_builder *b, work_limits *limits)
{
    jump_turns whole = whole_turns(c, b);
    for (size_t n = 0; n < c->n; n += JUMP_ROW) {
        jump_row terms, turn;
        if (work_spent(limits, row_operations(b)))
            return false;
        terms_at(&terms, b, (double)n * c->choice.step);
        turns_next(&turn, &whole);
        jump_row_turn(&terms, &turn);
        put_row(c, b, &terms, n);
    }
    c->lower = c->upper;
    return true;
}
