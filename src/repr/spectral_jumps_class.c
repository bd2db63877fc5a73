/*
 * The tilted laws of a class on nodes in balls, and its terms
 *
 *     prod S^k (prod (1 + W/S)^k - 1),
 *
 * times the moment of what is not sampled, which keep their digits however
 * rare the jumps are.
 */
#include "spectral_jumps_class.h"

#include <stdlib.h>

#include "base/error.h"
#include "num/exp_sums.h"
#include "spectral_jumps_build.h"
#include "spectral_jumps_quick.h"

/* Of B: what quadrature and range may add, relatively, in a class and of all
 * below a cut, where digits are lost; and what is refused. */
#define GOOD 0x1p-45
#define WHOLE_GOOD 0x1p-47
#define REFUSED 1e-4

/* Nats below the greatest of a law where nodes are left out, the same. */
#define DEPTH 35
#define WHOLE_DEPTH 40

#define QUICK_RUNS 4096

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

/* The loss of several records; log B is taken from half of x^2. */
static ball loss_of_many(ball *half, const jump_part *part, double x)
{
    ball y = ball_mul_d(part->pair->parameter, x);
    ball log_b = shifts_log(&part->split->q, ball_neg(y));
    *half = ball_sub(*half, log_b);
    return ball_sub(shifts_log(&part->split->p, y), log_b);
}

/* The nodes of B that matter as balls; those left out are charged. */
static bool make_nodes(class_part *own, double t, double outer,
    double log_error, double depth)
{
    const jump_line *line = &own->bulk.line;
    ball p = ball_add_d(ball_of(t), 1);
    ball *weight = malloc(2 * line->n * sizeof *weight);
    if (weight == NULL)
        return false;
    ball *losses = weight + line->n;
    double top = -HUGE_VAL, skipped = 0;
    depth += log(own->count);
    for (size_t i = 0; i < line->n; i++)
        top = fmax(top,
            (t + 1) * line->loss[i] + line->height[i]);
    double shift = top - line->base[0] - /* steers */
                   jump_line_x(line, 0) * jump_line_x(line, 0) / 2;
    size_t n = 0;
    spectral_ladder g = spectral_ladder_at(line->part->pair,
        jump_line_x(line, 0), jump_line_x(line, line->n - 1), line->h);
    for (size_t i = 0; i < line->n; i++, spectral_ladder_step(&g)) {
        double e = (t + 1) * line->loss[i] + line->height[i] - top;
        if (e < -depth) {
            skipped += exp(e);
            continue;
        }
        double x = jump_line_x(line, i); /* exact; its square is not */
        ball half = ball_scale2(ball_sqr(ball_of(x)), -1);
        losses[n] = line->part->split == NULL
                        ? spectral_ladder_loss(&g, x, NULL)
                        : loss_of_many(&half, line->part, x);
        ball exponent = ball_sub_d(
            ball_sub(ball_mul(p, losses[n]), half), shift);
        weight[n] =
            ball_mul(ball_exp(exponent), jump_share(&own->bulk, i));
        n++;
    }
    spectral_part *out = &own->nodes;
    out->count = 1;
    out->want = (spectral_want){.t = t, .outer = outer};
    bool done = spectral_nodes_resize(out, n, false);
    /* where powers are neither 1 nor 0 */
    double cut = sqrt(own->count) * deviation(&own->bulk, t) / 2;
    if (done)
        spectral_nodes_fill(out, weight, losses, n, fmax(2 / outer, cut));
    free(weight);
    if (!done)
        return false;
    ball constant = ball_sub(ball_log(ball_of(line->h)),
        ball_scale2(ball_log_2pi(), -1));
    own->log_sum =
        ball_add(ball_add_d(constant, shift), ball_log(out->moment));
    double share = exp(log_error - ball_lower(own->log_sum)) +
                   skipped / ball_lower(out->moment);
    share *= 1 + 1e-6 + 4 * jump_slack(line, t);
    out->error += isnan(share) ? HUGE_VAL : share;
    return true;
}

/* Nodes to a tau, and how far below the cut of S that of B is. */
typedef struct bulk_try {
    int per;
    double gap;
} bulk_try;

/* Lays B, and finds the log of its error; true for one that is good. */
static bool try_bulk(class_part *own, double *log_error,
    const jump_builder *b, size_t at, bulk_try how, bool *no_memory)
{
    const jump_class *k = b->k;
    double good = k->is_bulk ? WHOLE_GOOD : GOOD, mean;
    *no_memory = !jump_lay_below(&own->bulk, &b->choice->parts[at], how.per,
        b->choice->from[at], k->low[at] - how.gap);
    if (*no_memory)
        return false;
    double enough = jump_log_sum(&mean, &own->bulk, k->t) +
                    log(good / own->count);
    *log_error = jump_log_error(
        &own->bulk, k->t, k->n_outer * k->step, enough);
    return *log_error < enough;
}

/* With as few nodes as will do, up to where jumps are rare, or as few as digits
 * allow: what is above has the digits of doubles. In a class further up, if
 * that takes no more. False without memory. */
static bool lay_bulk(
    class_part *own, double *log_error, const jump_builder *b, size_t at)
{
    static const bulk_try tries[] = {{2, 6}, {2, 10}, {2, 15}, {4, 6},
        {4, 12}, {8, 6}, {8, 16}, {12, 24}, {24, 6}, {24, 24}};
    static const int pers[] = {2, 3, 4, 8, 24};
    bool no_memory = false, found = false;
    double few = b->k->is_bulk ? JUMP_RARE
                               : FEW_RUNS * exp(-fmax(b->k->excess, 0));
    double gap = jump_rare_gap(
        &own->below, b->k->t, own->count, fmax(few, JUMP_RARE));
    if (b->k->is_bulk) {
        for (size_t i = 0; i < 5 && !found && !no_memory; i++)
            found = try_bulk(own, log_error, b, at,
                (bulk_try){pers[i], gap}, &no_memory);
        return !no_memory;
    }
    for (size_t i = 0;
        i < sizeof tries / sizeof *tries && !found && !no_memory; i++) {
        bulk_try one = {tries[i].per, fmin(tries[i].gap, gap)};
        if (i == 0 || tries[i - 1].per < one.per || tries[i - 1].gap < gap)
            found = try_bulk(own, log_error, b, at, one, &no_memory);
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
    own->count = part->count;
    if (!jump_lay_below(&own->below, part, 2, b->choice->from[at],
            k->low[at]) ||
        !lay_bulk(own, &log_error, b, at) ||
        !make_nodes(own, k->t, outer, log_error, depth) ||
        !jump_lay_between(&own->under, part, JUMP_MOVED_PER, own->bulk.cut,
            k->low[at]) ||
        !jump_lay_whole(&own->whole, part, b->choice->from[at]) ||
        (!k->is_bulk && !jump_lay_between(&own->jump, part, JUMP_MOVED_PER,
                            k->low[at], k->high[at])))
        return false;
    own->scale = jump_log_sum(&mean, &own->below, k->t);
    if (!k->is_bulk)
        own->scale = jump_log_add(
            own->scale, jump_log_sum(&mean, &own->jump, k->t));
    if (!jump_moved_make(
            &own->moved_v, &own->under, k->t, k->step, own->scale, depth) ||
        (!k->is_bulk && !jump_moved_make(&own->moved_w, &own->jump, k->t,
                            k->step, own->scale, depth)))
        return false;
    own->share = disc_of(
        ball_exp(ball_sub_d(own->log_sum, own->scale)), ball_of(0));
    ball keep = ball_mul_d(ball_log1p(ball_neg(part->pair->rate)),
        part->removed - part->added);
    own->drift = ball_sub(keep, own->nodes.mean);
    *found = own->nodes.error < REFUSED &&
             own->moved_v.far.error < HUGE_VAL &&
             own->moved_w.far.error < HUGE_VAL &&
             own->share.rad < 1 &&
             outer <= phase_reach(&own->nodes.nodes);
    return true;
}

/* ---- Terms ------------------------------------------------------------- */

/* V and W at one node, turned to the mean of B. */
typedef struct moved_pair {
    disc v, w;
} moved_pair;

static const disc one = {{1, 0}, {0, 0}, 0}, minus_one = {{-1, 0}, {0, 0}, 0};

static disc disc_of_quick(jump_quick z)
{
    return (disc){{z.re, 0}, {z.im, 0}, z.rad};
}

/* S from V. */
static disc bulk_and(const class_part *p, disc v, double u)
{
    return disc_add(
        disc_mul(spectral_nodes_power(&p->nodes, u), p->share), v);
}

/* k W/S from which on powers hardly cancel, while those of 1 + W/S may be too
 * large for doubles. */
#define LARGE_ODDS 4

/* prod (S + W)^k - prod S^k, for large odds. */
static disc difference(const jump_builder *b, const moved_pair *jumps, double u)
{
    disc below = one, all = one;
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        disc s = bulk_and(p, jumps[i].v, u);
        below = disc_mul(below, disc_power(s, p->count));
        all = disc_mul(
            all, disc_power(disc_add(s, jumps[i].w), p->count));
    }
    return disc_add(all, disc_mul(minus_one, below));
}

/* prod S^k (prod (1 + W/S)^k - 1), or prod S^k of the bulk, centred by the
 * means of B, over the scales. W has the digits of doubles. */
static disc term_at(const jump_builder *b, const moved_pair *jumps, double u)
{
    disc below = one, more = {{0, 0}, {0, 0}, 0};
    for (size_t i = 0; b->k->is_bulk && i < b->n; i++) {
        const class_part *p = &b->parts[i];
        disc s = bulk_and(p, jumps[i].v, u);
        below = disc_mul(below, disc_power(s, p->count));
    }
    if (b->k->is_bulk)
        return below;
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        disc s = bulk_and(p, jumps[i].v, u);
        disc odds = disc_mul(jumps[i].w, disc_inverse(s));
        if (!((disc_size(odds) + odds.rad) * p->count < LARGE_ODDS))
            return difference(b, jumps, u);
        below = disc_mul(below, disc_power(s, p->count));
        more = jump_disc_join(more, disc_of_quick(jump_quick_power_less_one(
                                        jump_quick_of(odds), p->count)));
    }
    return disc_mul(below, more);
}

/* The same in doubles, for one part of at most QUICK_RUNS runs. */
static disc quick_term(const jump_builder *b, const moved_pair *jumps, double u)
{
    const class_part *p = &b->parts[0];
    jump_quick bulk = jump_quick_mul(
        spectral_nodes_chi(&p->nodes, u), jump_quick_of(p->share));
    jump_quick s = jump_quick_add(bulk, jump_quick_of(jumps[0].v));
    jump_quick w = jump_quick_of(jumps[0].w);
    jump_quick odds = jump_quick_mul(w, jump_quick_inverse(s)), z;
    jump_quick below = jump_quick_power(s, p->count);
    if ((jump_quick_size(odds) + odds.rad) * p->count < LARGE_ODDS) {
        jump_quick more = jump_quick_power_less_one(odds, p->count);
        z = jump_quick_mul(below, more);
    } else {
        jump_quick all = jump_quick_power(jump_quick_add(s, w), p->count);
        below = (jump_quick){-below.re, -below.im, below.rad};
        z = jump_quick_add(all, below);
    }
    return disc_of_quick(z);
}

/* Phases at the node at hand: of the whole, and of every W. */
typedef struct phases {
    disc whole, of_jumps[JUMP_PARTS];
    disc step, steps[JUMP_PARTS];
} phases;

static phases phases_of(const spectral_contour *c, const jump_builder *b)
{
    double step = c->choice.step;
    ball drift = ball_of(-c->choice.epsilon);
    phases at = {.whole = one};
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        drift = ball_add(drift, ball_mul_d(p->nodes.mean, p->count));
        at.of_jumps[i] = one;
        at.steps[i] = disc_turn(ball_mul_d(p->drift, step));
    }
    drift = ball_add(
        drift, jump_plain_mean(&b->choice->plain, c->choice.t));
    at.step = disc_turn(ball_mul_d(drift, step));
    return at;
}

static disc turned(spectral_quick z, disc phase)
{
    return disc_mul(disc_of_quick(z), phase);
}

/* By what is not sampled. */
static disc damped(const jump_plain *plain, disc term, double u)
{
    if (ball_is_zero(plain->variance))
        return term;
    ball size = ball_exp(jump_plain_log_fall(plain, u));
    return disc_mul(term, disc_of(size, ball_of(0)));
}

static bool fill(
    spectral_contour *c, const jump_builder *b, work_limits *limits)
{
    double step = c->choice.step;
    phases at = phases_of(c, b);
    spectral_quick v[JUMP_PARTS][FAR_ROW], w[JUMP_PARTS][FAR_ROW];
    for (size_t n = 0; n < c->n; n++) {
        moved_pair jumps[JUMP_PARTS];
        double u = (double)n * step;
        size_t j = n % FAR_ROW;
        if (j == 0 && work_stopped(limits))
            return false;
        for (size_t i = 0; i < b->n; i++) {
            const jump_moved *mv = &b->parts[i].moved_v;
            const jump_moved *mw = &b->parts[i].moved_w;
            if (j == 0) {
                spectral_far_sums(v[i], &mv->far, mv->least, u, FAR_ROW);
                if (!b->k->is_bulk)
                    spectral_far_sums(
                        w[i], &mw->far, mw->least, u, FAR_ROW);
            }
            jumps[i] = (moved_pair){.v = turned(v[i][j], at.of_jumps[i])};
            if (!b->k->is_bulk)
                jumps[i].w = turned(w[i][j], at.of_jumps[i]);
            at.of_jumps[i] = disc_mul(at.of_jumps[i], at.steps[i]);
        }
        bool is_quick = b->n == 1 && !b->k->is_bulk &&
                        b->parts[0].count <= QUICK_RUNS;
        disc term = is_quick ? quick_term(b, jumps, u) : term_at(b, jumps, u);
        term = damped(&b->choice->plain, disc_mul(term, at.whole), u);
        if (n == 0)
            term = disc_mul(term, (disc){{0.5, 0}, {0, 0}, 0});
        spectral_contour_put(c, n, term);
        at.whole = disc_mul(at.whole, at.step);
    }
    c->lower = c->upper;
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
    *found = fill(c, b, limits);
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
        jump_law *laws[] = {&p->below, &p->bulk, &p->under, &p->jump};
        for (int j = 0; j < 4; j++)
            jump_line_free(&laws[j]->line);
        jump_line_free(&p->whole);
        spectral_part_free(&p->nodes);
        free(p->moved_v.far.storage);
        free(p->moved_w.far.storage);
    }
    if (!had_memory || !*found) {
        *found = false;
        spectral_contour_free(c);
    }
    return had_memory ? DOSI_OK : dosi_fail_memory(err);
}
