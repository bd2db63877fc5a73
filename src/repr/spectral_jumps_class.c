/*
 * The tilted laws of a class on nodes in balls: of what is below its cuts, and
 * of its jumps. Their terms are made in spectral_jumps_fill.c.
 */
#include "spectral_jumps_class.h"

#include <stdlib.h>

#include "base/error.h"
#include "num/exp_sums.h"
#include "spectral_jumps_build.h"
#include "spectral_ladder.h"

/* Of B: what quadrature and range may add, relatively, in a class and of all
 * below a cut, where digits are lost; and what is refused. */
#define GOOD 0x1p-45
#define WHOLE_GOOD 0x1p-47
#define REFUSED 1e-4

/* Nats below the greatest of a law where nodes are left out, the same. */
#define DEPTH 35
#define WHOLE_DEPTH 40

/* Taus between cuts to both sides of B, at least. */
#define LEFT_GAP 4

/* Runs whose powers have digits to spare, where terms are not above delta. */
#define FEW_RUNS 500

/* ---- Nodes ------------------------------------------------------------- */

/* Of one run, roughly. */
static double deviation(const jump_law *own, double t)
{
    const jump_line *line = &own->line;
    exp_moments m = exp_tilted(line->height, line->loss, line->n, t + 1);
    double mean = m.first / m.sum;
    return sqrt(fmax(m.second / m.sum - mean * mean, 0));
}

/* Nodes of B as balls, in the making. */
typedef struct class_nodes {
    const jump_law *law;
    double t, top; /* the greatest of their logarithms, roughly */
    double shift;  /* weights are over e^shift */
    spectral_ladder ladder;
    size_t n;
    ball *weight, *losses;
    double skipped; /* what those left out add up to, over e^top */
} class_nodes;

/* Losses of several records in a row, and log B. */
static void losses_of_many(ball_row *l, ball_row *log_b,
    const jump_line *line, size_t first, size_t n)
{
    const jump_part *part = line->part;
    for (size_t i = 0; i < n; i++) {
        double x = jump_line_x(line, first + i); /* exact */
        ball y = ball_mul_d(part->pair->parameter, x);
        ball b = shifts_log(&part->split->q, ball_neg(y));
        ball a = shifts_log(&part->split->p, y);
        ball_row_put(l, (int)i, ball_sub(a, b));
        ball_row_put(log_b, (int)i, b);
    }
}

/* Those of a row that are kept. */
static void make_row(
    class_nodes *out, const bool *keep, size_t first, size_t n)
{
    const jump_line *line = &out->law->line;
    bool is_one = line->part->split == NULL;
    ball_row l = {.hi = {0}}, log_b = l, share = l, weight;
    double x = jump_line_x(line, first);
    if (is_one)
        spectral_ladder_losses(&l, &out->ladder, x, NULL);
    else
        losses_of_many(&l, &log_b, line, first, n);
    spectral_tilted_weights(&weight, &l, ball_add_d(ball_of(out->t), 1), x,
        line->h, is_one ? NULL : &log_b, out->shift);
    for (size_t i = 0; i < n; i++)
        if (keep[i])
            ball_row_put(&share, (int)i, jump_share(out->law, first + i));
    ball_row_mul(&weight, &share);
    for (size_t i = 0; i < n; i++) {
        if (!keep[i])
            continue;
        out->weight[out->n] = ball_row_get(&weight, (int)i);
        out->losses[out->n++] = ball_row_get(&l, (int)i);
    }
}

/* All that are not so many nats below the greatest. */
static void make_rows(class_nodes *out, double depth)
{
    const jump_line *line = &out->law->line;
    for (size_t i = 0; i < line->n; i += BALL_ROW) {
        size_t n = line->n - i < BALL_ROW ? line->n - i : BALL_ROW;
        bool keep[BALL_ROW], some = false;
        for (size_t j = 0; j < n; j++) {
            double e = (out->t + 1) * line->loss[i + j] +
                       line->height[i + j] - out->top;
            keep[j] = !(e < -depth);
            some = some || keep[j];
            out->skipped += keep[j] ? 0 : exp(e);
        }
        if (some)
            make_row(out, keep, i, n);
        spectral_ladder_step(&out->ladder);
    }
}

/* The nodes of B that matter as balls; those left out are charged. */
static bool make_nodes(class_part *own, double t, double outer,
    double log_error, double depth)
{
    const jump_line *line = &own->bulk.line;
    double first = jump_line_x(line, 0);
    class_nodes made = {.law = &own->bulk, .t = t, .top = -HUGE_VAL,
        .ladder = spectral_ladder_at(line->part->pair, first,
            jump_line_x(line, line->n - 1), line->h)};
    made.weight = malloc(2 * line->n * sizeof *made.weight);
    if (made.weight == NULL)
        return false;
    made.losses = made.weight + line->n;
    for (size_t i = 0; i < line->n; i++)
        made.top =
            fmax(made.top, (t + 1) * line->loss[i] + line->height[i]);
    made.shift = made.top - line->base[0] - first * first / 2; /* steers */
    make_rows(&made, depth + log(own->count));
    spectral_part *out = &own->nodes;
    out->count = 1;
    out->want = (spectral_want){.t = t, .outer = outer};
    bool done = spectral_nodes_resize(out, made.n, false);
    /* where powers are neither 1 nor 0 */
    double cut = sqrt(own->count) * deviation(&own->bulk, t) / 2;
    if (done)
        spectral_nodes_fill(
            out, made.weight, made.losses, made.n, fmax(2 / outer, cut));
    free(made.weight);
    if (!done)
        return false;
    ball constant = ball_sub(ball_log(ball_of(line->h)),
        ball_scale2(ball_log_2pi(), -1));
    own->log_sum =
        ball_add(ball_add_d(constant, made.shift), ball_log(out->moment));
    double share = exp(log_error - ball_lower(own->log_sum)) +
                   made.skipped / ball_lower(out->moment);
    share *= 1 + 1e-6 + 4 * jump_slack(line, t);
    out->error += isnan(share) ? HUGE_VAL : share;
    return true;
}

/* Nodes to a tau, and how far below the cut of S that of B is. */
typedef struct bulk_try {
    int per;
    double gap;
} bulk_try;

/* A cut where losses that fall to the left turn as fast as at a cut to the
 * right, in taus; none, which is infinite, next to that. */
static double left_cut(const jump_part *part, double from, double cut)
{
    double most = jump_point_at(part, cut * part->tau).ratio, at = cut;
    while (at > from &&
           jump_point_at(part, (at - 1) * part->tau).ratio <= most)
        at--;
    return at > from + 1 && at < cut - LEFT_GAP ? at : -HUGE_VAL;
}

/* B without what is far left, where records are added; true for one that is
 * good. */
static bool try_left(class_part *own, double *log_error,
    const jump_builder *b, size_t at, double enough, bool *no_memory)
{
    const jump_part *part = &b->choice->parts[at];
    double cut = own->bulk.cut, from = b->choice->from[at];
    double low = left_cut(part, from, cut);
    if (!(low > from))
        return false;
    *no_memory = !jump_lay_below(
                     &own->left, part, JUMP_MOVED_PER, from, low) ||
                 !jump_lay_between(
                     &own->bulk, part, own->bulk.line.per, low, cut);
    if (*no_memory)
        return false;
    own->has_left = true;
    *log_error = jump_log_error(
        &own->bulk, b->k->t, b->k->n_outer * b->k->step, enough);
    return *log_error < enough;
}

/* Lays B, and finds the log of its error; true for one that is good. */
static bool try_bulk(class_part *own, double *log_error,
    const jump_builder *b, size_t at, bulk_try how, bool *no_memory)
{
    const jump_class *k = b->k;
    double good = k->is_bulk ? WHOLE_GOOD : GOOD, mean;
    own->has_left = false;
    *no_memory = !jump_lay_below(&own->bulk, &b->choice->parts[at], how.per,
        b->choice->from[at], k->low[at] - how.gap);
    if (*no_memory)
        return false;
    double enough = jump_log_sum(&mean, &own->bulk, k->t) +
                    log(good / own->count);
    *log_error = jump_log_error(
        &own->bulk, k->t, k->n_outer * k->step, enough);
    if (*log_error < enough || !(b->choice->parts[at].added > 0))
        return *log_error < enough;
    return try_left(own, log_error, b, at, enough, no_memory);
}

/* With as few nodes as will do, up to where jumps are rare, or as few as digits
 * allow: what is above has the digits of doubles. In a class further up, if
 * that takes no more. False without memory. */
static bool lay_bulk(
    class_part *own, double *log_error, const jump_builder *b, size_t at)
{
    static const bulk_try in_class[] = {{2, 6}, {2, 10}, {2, 15}, {3, 6},
        {3, 12}, {4, 6}, {4, 12}, {8, 6}, {8, 16}, {12, 24}, {24, 6},
        {24, 24}};
    static const bulk_try of_all[] = {{2, HUGE_VAL}, {3, HUGE_VAL},
        {4, HUGE_VAL}, {6, HUGE_VAL}, {8, HUGE_VAL}, {24, HUGE_VAL}};
    const jump_class *k = b->k;
    const bulk_try *tries = k->is_bulk ? of_all : in_class;
    size_t n = k->is_bulk ? sizeof of_all / sizeof *of_all
                          : sizeof in_class / sizeof *in_class;
    bool no_memory = false, found = false;
    double few =
        k->is_bulk ? JUMP_RARE : FEW_RUNS * exp(-fmax(k->excess, 0)), mean;
    double gap = jump_rare_gap(
        &own->below, k->t, own->count, fmax(few, JUMP_RARE));
    double enough = jump_log_sum(&mean, &own->below, k->t) +
                    log((k->is_bulk ? WHOLE_GOOD : GOOD) / own->count);
    for (size_t i = 0; i < n && !found && !no_memory; i++) {
        bulk_try next = {tries[i].per, fmin(tries[i].gap, gap)};
        if (i > 0 && tries[i - 1].per == next.per && tries[i - 1].gap >= gap)
            continue; /* the same again */
        if (next.per < NORMAL_STEPS && /* the last is tried in any case */
            jump_rules_out(&own->below, k->t, k->n_outer * k->step, next.per,
                next.gap, enough))
            continue;
        found = try_bulk(own, log_error, b, at, next, &no_memory);
    }
    return !no_memory;
}

static bool make_part(
    class_part *own, const jump_builder *b, size_t at, bool *found)
{
    const jump_part *part = &b->choice->parts[at];
    const jump_class *k = b->k;
    double outer = k->n_outer * k->step, log_error, mean;
    double depth = k->is_bulk ? WHOLE_DEPTH : DEPTH;
    /* marks are told apart as far as these lines go */
    double reach =
        part->added > 0 && !k->is_bulk ? k->low[at] + JUMP_REACH : 0;
    own->count = part->count;
    if (!jump_lay_below(&own->below, part, 2, b->choice->from[at],
            k->low[at]) ||
        !lay_bulk(own, &log_error, b, at) ||
        !make_nodes(own, k->t, outer, log_error, depth) ||
        !jump_lay_between(&own->under, part, JUMP_MOVED_PER, own->bulk.cut,
            k->low[at]) ||
        !jump_lay_whole(&own->whole, part, b->choice->from[at], reach) ||
        (!k->is_bulk && !jump_lay_between(&own->jump, part, JUMP_MOVED_PER,
                            k->low[at], k->high[at])))
        return false;
    own->scale = jump_log_sum(&mean, &own->below, k->t);
    if (!k->is_bulk)
        own->scale = jump_log_add(
            own->scale, jump_log_sum(&mean, &own->jump, k->t));
    if (!jump_moved_make(&own->moved_v, &own->under,
            own->has_left ? &own->left : NULL, k->t, k->step, own->scale,
            depth) ||
        (!k->is_bulk && !jump_moved_make(&own->moved_w, &own->jump, NULL,
                            k->t, k->step, own->scale, depth)))
        return false;
    own->share = disc_of(
        ball_exp(ball_sub_d(own->log_sum, own->scale)), ball_of(0));
    ball keep = ball_mul_d(ball_log1p(ball_neg(part->pair->rate)),
        part->removed - part->added);
    jump_turns_make(&own->turns,
        ball_mul_d(ball_sub(keep, own->nodes.mean), k->step));
    if (!phase_rows_make(&own->rows, &own->nodes.nodes, k->step, outer))
        return false;
    *found = own->nodes.error < REFUSED &&
             own->moved_v.far.error < HUGE_VAL &&
             own->moved_w.far.error < HUGE_VAL &&
             own->share.rad < 1 &&
             outer <= phase_reach(&own->nodes.nodes);
    return true;
}

/* ---- Building ----------------------------------------------------------- */

static bool build(
    spectral_contour *c, jump_builder *b, bool *found, work_limits *limits)
{
    *found = true;
    for (size_t i = 0; i < b->n && *found; i++)
        if (!make_part(&b->parts[i], b, i, found))
            return false;
    if (!*found)
        return true;
    c->n = (size_t)c->choice.n_outer + 1;
    c->cumulant = jump_plain_cumulant(
        &b->choice->plain, ball_of(c->choice.t));
    for (size_t i = 0; i < b->n; i++)
        c->cumulant = ball_add(c->cumulant,
            ball_mul_d(ball_of(b->parts[i].scale), b->parts[i].count));
    if (!spectral_contour_make_room(c))
        return false;
    jump_bound_outside(c, b);
    *found = jump_fill(c, b, limits);
    return true;
}

dosi_status jump_class_build(spectral_contour *c, bool *found,
    const jump_choice *choice, const jump_class *k, work_limits *limits,
    dosi_error *err)
{
    jump_builder b = {.choice = choice, .k = k, .n = choice->n_parts};
    *c = (spectral_contour){.choice = {.epsilon = choice->epsilon,
        .t = k->t, .step = k->step, .n_outer = k->n_outer,
        .alias_right = k->right, .alias_left = k->left}};
    bool had_memory = build(c, &b, found, limits);
    for (size_t i = 0; i < b.n; i++) {
        class_part *p = &b.parts[i];
        jump_law *laws[] = {
            &p->below, &p->bulk, &p->under, &p->jump, &p->left};
        for (int j = 0; j < 5; j++)
            jump_line_free(&laws[j]->line);
        jump_line_free(&p->whole);
        spectral_part_free(&p->nodes);
        free(p->rows.storage);
        free(p->moved_v.far.storage);
        free(p->moved_w.far.storage);
    }
    if (!had_memory || !*found) {
        *found = false;
        spectral_contour_free(c);
    }
    return had_memory ? DOSI_OK : dosi_fail_memory(err);
}
