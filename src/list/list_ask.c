/*
 * The questions: rounds of lists, each with knots where the last one says
 * that they matter, until the answer is narrow enough or its work is done.
 */
#include "list.h"

#include <stdlib.h>

#include "list_ends.h"
#include "list_profile.h"
#include "list_tree.h"
#include "num/elem.h"
#include "num/round.h"

/* Products of the first round and of all rounds, on each side: some
 * milliseconds, and some tenths of a second. */
#define FIRST_PRODUCTS 2e5
#define MOST_PRODUCTS 2e7
#define PATIENT_PRODUCTS 1e8

/* A round makes so many times the products of the last one, at the least and
 * at the most; the width falls as the products grow. */
#define LEAST_GROWTH 4.0
#define MOST_GROWTH 30.0
#define SAFETY 1.5

/* Rounds that lay knots anew; later ones thicken them. */
#define STEERED_ROUNDS 2

#define MAX_COUNT 1e9

typedef enum list_kind {
    ASK_DELTA,
    ASK_WITHIN, /* log delta, as far as it is above or below another */
    ASK_EPSILON,
    ASK_TRADEOFF
} list_kind;

typedef struct list_question {
    list_kind kind;
    double argument; /* epsilon, or alpha */
    ball log_delta;  /* of ASK_EPSILON and ASK_WITHIN */
    work_limits *limits;
} list_question;

/* ---- Reading one side -------------------------------------------------- */

static dosi_status read_side(
    list_profile *out, const list_tree *t, list_side side, dosi_error *err)
{
    const list_law *with = NULL;
    if (t->last[0] != LIST_NONE)
        with = &t->nodes[t->last[0]].side[side];
    return list_profile_new(
        out, &t->nodes[t->last[1]].side[side], with, side, err);
}

static double log_of(double x, list_side side)
{
    if (!(x > 0))
        return -HUGE_VAL;
    dosi_interval v = iv_log(iv_point(x));
    return side == LIST_ABOVE ? v.hi : v.lo;
}

static double log_delta_end(const list_profile *f, double epsilon)
{
    return log_of(list_delta_end(f, epsilon), f->side);
}

/* ---- Epsilon ----------------------------------------------------------- */

#define MOST_EPSILON 1e6
#define MAX_STEPS 200

/*
 * The least epsilon whose delta is certainly at most the target from above,
 * the greatest whose delta is certainly more from below. log delta falls:
 * secants within a bracket, halved where they do not help.
 */
static double epsilon_end(
    const list_profile *f, double log_delta, double guess)
{
    bool up = f->side == LIST_ABOVE;
    double lo = 0, hi = HUGE_VAL, over_lo, over_hi = 0;
    over_lo = log_delta_end(f, 0) - log_delta;
    if (!(over_lo > 0))
        return 0;
    double x = guess > 0 && guess < MOST_EPSILON ? guess : 1;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (hi < HUGE_VAL && hi - lo <= 4 * LIST_ROUND * hi)
            break;
        double over = log_delta_end(f, x) - log_delta;
        if (over > 0) {
            lo = x;
            over_lo = over;
        } else {
            hi = x;
            over_hi = over;
        }
        if (hi == HUGE_VAL) {
            if (x >= MOST_EPSILON)
                break;
            x = 2 * x;
            continue;
        }
        double mid = lo + (hi - lo) / 2;
        double cut = lo + (hi - lo) * over_lo / (over_lo - over_hi);
        /* next to an end secants stall: step over the root */
        double shift = fmax(1e-3 * (hi - lo), 2 * LIST_ROUND * hi);
        if (i % 3 == 1)
            cut += over > 0 ? shift : -shift;
        x = i % 3 == 2 || !(cut > lo && cut < hi) ? mid : cut;
        if (lo == 0 && i % 3 == 2)
            x = hi / 16;
    }
    return up ? hi : lo;
}

static dosi_interval ask_epsilon(const list_profile side[2],
    const list_question *q, double guess)
{
    dosi_interval target = ball_interval(q->log_delta);
    double lo = epsilon_end(&side[LIST_BELOW], target.hi, guess);
    return (dosi_interval){lo,
        epsilon_end(&side[LIST_ABOVE], target.lo, lo > 0 ? lo : guess)};
}

/* ---- Trade-off --------------------------------------------------------- */

/* Where Q[L > s] falls to alpha, between two losses. */
typedef struct crossing {
    double lo, hi;
} crossing;

static crossing crossing_of(const list_profile *f, double alpha)
{
    crossing c = {-700, -log(alpha) + 1};
    for (int i = 0; i < MAX_STEPS && c.hi - c.lo > 1e-14; i++) {
        double s = (c.lo + c.hi) / 2;
        dosi_interval q = list_q_above(f, s);
        if (q.lo > alpha)
            c.lo = s;
        else if (q.hi < alpha)
            c.hi = s;
        else
            break; /* no more can be told: both ends are certain */
    }
    return c;
}

/* 1 - H(e^s) - e^s alpha, on the side of 1 - H that the list gives. */
static double error_at(const list_profile *f, double alpha, double s)
{
    dosi_interval cost = iv_exp(iv_point(s));
    double h = list_delta_end(f, s);
    return f->side == LIST_ABOVE
               ? round_down(round_down(1 - h) - round_up(cost.hi * alpha))
               : round_up(round_up(1 - h) - round_down(cost.lo * alpha));
}

/* The curve lies above each of its tangents: the greatest of them by the list
 * from above, near the crossing. */
static double guaranteed(const list_profile *f, double alpha, crossing at)
{
    double best = 0;
    for (int i = 0; i <= 4; i++)
        best = fmax(best,
            error_at(f, alpha, at.lo + (at.hi - at.lo) * i / 4));
    return best;
}

/*
 * 1 - H - x alpha is concave in x with the slope Q[L > log x] - alpha: beyond
 * the crossing on either side it is no more than there, and between its ends
 * no more than the tangent from the left.
 */
static double attained(const list_profile *f, double alpha, crossing at)
{
    dosi_interval q = list_q_above(f, at.lo);
    if (!(q.lo >= alpha)) /* all of it lies right of the greatest value */
        return fmin(round_up(1 - list_total(f)), 1);
    dosi_interval width = iv_sub(
        iv_exp(iv_point(at.hi)), iv_exp(iv_point(at.lo)));
    double rise = round_up(fmax(round_up(q.hi - alpha), 0) * width.hi);
    return fmin(round_up(fmax(error_at(f, alpha, at.lo), 0) + rise), 1);
}

static dosi_interval ask_tradeoff(
    const list_profile side[2], const list_question *q, double *epsilon)
{
    double alpha = q->argument;
    crossing low = crossing_of(&side[LIST_BELOW], alpha);
    crossing high = crossing_of(&side[LIST_ABOVE], alpha);
    *epsilon = (low.lo + low.hi) / 2;
    dosi_interval v = {guaranteed(&side[LIST_ABOVE], alpha, high),
        attained(&side[LIST_BELOW], alpha, low)};
    v.hi = fmin(v.hi, round_up(1 - alpha));
    v.lo = fmin(v.lo, v.hi);
    return v;
}

/* ---- One round --------------------------------------------------------- */

/* The answer from both sides; *epsilon becomes where to look next. */
static dosi_status ask_sides(dosi_interval *out, double *epsilon,
    const list_tree *t, const list_question *q, dosi_error *err)
{
    list_profile side[2];
    dosi_status status = read_side(&side[0], t, LIST_BELOW, err);
    if (status != DOSI_OK)
        return status;
    status = read_side(&side[1], t, LIST_ABOVE, err);
    if (status == DOSI_OK) {
        switch (q->kind) {
        case ASK_DELTA:
        case ASK_WITHIN:
            *out = (dosi_interval){log_delta_end(&side[0], q->argument),
                log_delta_end(&side[1], q->argument)};
            break;
        case ASK_EPSILON:
            *out = ask_epsilon(side, q, *epsilon);
            *epsilon = out->hi - out->lo < 0.02 * out->hi
                           ? (out->lo + out->hi) / 2
                           : out->lo;
            break;
        case ASK_TRADEOFF:
            *out = ask_tradeoff(side, q, epsilon);
            break;
        }
        list_profile_free(&side[1]);
    }
    list_profile_free(&side[0]);
    return status;
}

/* Where to look first, by the coarse lists from below. */
static dosi_status first_epsilon(double *out, double *log_delta,
    const list_tree *t, const list_question *q, dosi_error *err)
{
    list_profile f;
    dosi_status status = read_side(&f, t, LIST_BELOW, err);
    if (status != DOSI_OK)
        return status;
    switch (q->kind) {
    case ASK_DELTA:
    case ASK_WITHIN:
        *out = q->argument;
        break;
    case ASK_EPSILON:
        *out = epsilon_end(&f, ball_upper(q->log_delta), 1);
        break;
    case ASK_TRADEOFF: {
        crossing c = crossing_of(&f, q->argument);
        *out = (c.lo + c.hi) / 2;
        break;
    }
    }
    *log_delta = log_delta_end(&f, *out);
    list_profile_free(&f);
    return DOSI_OK;
}

/* ---- Rounds ------------------------------------------------------------ */

static double width_of(dosi_interval v, list_kind kind)
{
    if (v.lo == v.hi)
        return 0;
    if (kind != ASK_EPSILON)
        return v.hi - v.lo;
    return v.hi < HUGE_VAL ? (v.hi - v.lo) / v.hi : HUGE_VAL;
}

/* The answer of a round is laid to what is known; what contradicts it, by a
 * bug alone, would leave nothing. */
static void meet(dosi_interval *known, dosi_interval found)
{
    known->lo = fmax(known->lo, found.lo);
    known->hi = fmin(known->hi, found.hi);
}

static bool is_decided(dosi_interval v, const list_question *q)
{
    return q->kind == ASK_WITHIN && (v.hi <= ball_lower(q->log_delta) ||
                                        v.lo > ball_upper(q->log_delta));
}

/* Products that may still be made on each side: half of the operations are
 * for them. */
static double most_products(work_limits *limits)
{
    double most =
        work_width(limits) < WORK_WIDTH ? PATIENT_PRODUCTS : MOST_PRODUCTS;
    return fmin(most, work_left(limits) / (4 * LIST_PRODUCT_OPERATIONS));
}

static dosi_status refine(dosi_interval *out, list_tree *t, double epsilon,
    const list_question *q, dosi_error *err)
{
    double wanted = work_width(q->limits);
    double products = FIRST_PRODUCTS, before = products;
    for (int n_rounds = 0;; n_rounds++) {
        dosi_interval found = *out;
        dosi_status status =
            n_rounds < STEERED_ROUNDS
                ? list_tree_refine(t, epsilon, products, err)
                : list_tree_thicken(t, sqrt(products / before), err);
        if (status == DOSI_OK)
            status = list_tree_fill(t, err);
        if (status == DOSI_OK)
            status = ask_sides(&found, &epsilon, t, q, err);
        if (status == DOSI_EUNABLE && n_rounds > 0)
            return DOSI_OK; /* stopped: what the rounds before said */
        if (status != DOSI_OK)
            return status;
        meet(out, found);
        double width = width_of(*out, q->kind);
        if (width <= wanted || is_decided(*out, q))
            return DOSI_OK;
        double growth = SAFETY * width / wanted;
        before = products;
        products = fmin(most_products(q->limits),
            products * fmin(fmax(growth, LEAST_GROWTH), MOST_GROWTH));
        if (products < LEAST_GROWTH / 2 * before) {
            work_is_long(q->limits);
            return DOSI_OK;
        }
    }
}

/* The delta that masses are measured by is known of ASK_EPSILON alone; of
 * others it is looked for, from there on down. */
#define FIRST_DELTA 1e-6
#define CLOSE_DELTA 1e-3

static dosi_status answer_with(dosi_interval *out, loss_cells *runs, size_t n,
    const list_question *q, dosi_error *err)
{
    double delta = FIRST_DELTA;
    if (q->kind == ASK_EPSILON || q->kind == ASK_WITHIN)
        delta = fmin(exp(ball_mid(q->log_delta)), 0.1);
    if (q->kind == ASK_TRADEOFF)
        delta = fmin(q->argument, FIRST_DELTA);
    for (;;) {
        list_tree t;
        double epsilon = 0, log_found = 0;
        dosi_status status = DOSI_OK;
        if (!(delta >= LIST_LEAST_DELTA))
            return dosi_fail(err, DOSI_EUNABLE,
                "lists: delta is below %g", LIST_LEAST_DELTA);
        status = list_tree_new(&t, runs, n, delta, q->limits, err);
        if (status == DOSI_OK)
            status = first_epsilon(&epsilon, &log_found, &t, q, err);
        bool is_close = q->kind != ASK_DELTA ||
                        log_found >= log(delta * CLOSE_DELTA);
        if (status == DOSI_OK && is_close)
            status = refine(out, &t, epsilon, q, err);
        list_tree_free(&t);
        if (status != DOSI_OK || is_close)
            return status;
        double next = delta * delta;
        if (log_found > -HUGE_VAL) /* else no outcome comes that far */
            next = fmin(next, exp(log_found));
        delta = fmax(next, delta > LIST_LEAST_DELTA ? LIST_LEAST_DELTA : 0);
    }
}

static dosi_status answer(dosi_interval *out, const loss *parts, size_t n,
    const list_question *q, dosi_error *err)
{
    double count = 0;
    for (size_t i = 0; i < n; i++)
        count = fmax(count, parts[i].count);
    if (count > MAX_COUNT)
        return dosi_fail(err, DOSI_EUNABLE,
            "lists: more than %g runs of one law", MAX_COUNT);
    loss_cells *runs = malloc(n * sizeof *runs);
    if (runs == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        loss_cells_init(&runs[i], &parts[i]);
    dosi_status status = answer_with(out, runs, n, q, err);
    free(runs);
    return status;
}

/* ---- Questions --------------------------------------------------------- */

dosi_status list_log_delta(dosi_interval *out, const loss *parts, size_t n,
    double epsilon, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_DELTA, .argument = epsilon,
        .limits = limits};
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (list_is_beyond(out, parts, n, epsilon))
        return DOSI_OK;
    return answer(out, parts, n, &q, err);
}

dosi_status list_is_within(bool *out, const loss *parts, size_t n,
    double epsilon, ball log_delta, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_WITHIN, .argument = epsilon,
        .log_delta = log_delta, .limits = limits};
    dosi_interval v = {-HUGE_VAL, 0};
    dosi_status status = DOSI_OK;
    if (!list_is_beyond(&v, parts, n, epsilon))
        status = answer(&v, parts, n, &q, err);
    *out = status == DOSI_OK && v.hi <= ball_lower(log_delta);
    return status;
}

dosi_status list_epsilon(dosi_interval *out, const loss *parts, size_t n,
    ball log_delta, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_EPSILON, .log_delta = log_delta,
        .limits = limits};
    *out = list_epsilon_by_ends(parts, n, log_delta);
    if (width_of(*out, ASK_EPSILON) <= work_width(limits))
        return DOSI_OK; /* the greatest losses decide */
    return answer(out, parts, n, &q, err);
}

dosi_status list_tradeoff(dosi_interval *out, const loss *parts, size_t n,
    double alpha, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_TRADEOFF, .argument = alpha,
        .limits = limits};
    *out = (dosi_interval){0, fmin(round_up(1 - alpha), 1)};
    if (!(alpha > 0 && alpha < 1)) {
        *out = alpha == 1 ? iv_point(0) : (dosi_interval){0, 1};
        return DOSI_OK;
    }
    return answer(out, parts, n, &q, err);
}
