/*
 * The questions: rounds of lists, each with knots placed by the influence that
 * the last round has found, until the answer is narrow enough or its work is
 * spent. docs/theory/list.md, section 5.
 */
#include "list.h"

#include <stdlib.h>

#include "list_ends.h"
#include "list_read.h"
#include "list_tree.h"
#include "num/round.h"

/* Products on each side: of the first round, some milliseconds; of all rounds,
 * some tenths of a second; of all if a narrower width than usual is asked. */
#define FIRST_PRODUCTS 2e5
#define MAX_PRODUCTS 2e7
#define MAX_PRODUCTS_NARROW 1e8

/* The ratio of the products of a round to those of the last one lies between
 * these. The width falls as the products grow, by which GROWTH_FACTOR aims. */
#define MIN_GROWTH 4.0
#define MAX_GROWTH 30.0
#define GROWTH_FACTOR 1.5

/* No round follows one that has left more than this share of the width. */
#define MAX_WIDTH_SHARE 0.9

#define MAX_COUNT 1e9

typedef enum list_kind {
    ASK_DELTA,
    ASK_WITHIN, /* whether log delta is above or below another */
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

/* ---- One round --------------------------------------------------------- */

static dosi_interval ask_epsilon(const list_profile side[2],
    const list_question *q, double guess)
{
    dosi_interval target = ball_interval(q->log_delta);
    double lo = list_epsilon_end(&side[LIST_BELOW], target.hi, guess);
    return (dosi_interval){lo,
        list_epsilon_end(&side[LIST_ABOVE], target.lo, lo > 0 ? lo : guess)};
}

/* Encloses the answer from both sides; *epsilon becomes the epsilon that the
 * next knots are placed for. */
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
            *out = (dosi_interval){list_log_delta_end(&side[0], q->argument),
                list_log_delta_end(&side[1], q->argument)};
            break;
        case ASK_EPSILON:
            *out = ask_epsilon(side, q, *epsilon);
            *epsilon = out->hi - out->lo < 0.02 * out->hi
                           ? (out->lo + out->hi) / 2
                           : out->lo;
            break;
        case ASK_TRADEOFF:
            *out = list_tradeoff_of(side, q->argument, epsilon);
            break;
        }
        list_profile_free(&side[1]);
    }
    list_profile_free(&side[0]);
    return status;
}

/* The first epsilon that knots are placed for, by the coarse lists from
 * below. */
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
        *out = list_epsilon_end(&f, ball_upper(q->log_delta), 1);
        break;
    case ASK_TRADEOFF:
        *out = list_crossing(&f, q->argument);
        break;
    }
    *log_delta = list_log_delta_end(&f, *out);
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

/* Intersects the answer of a round with the known interval; that is empty only
 * if the lists contradict each other, by a bug. */
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

/* Products that may still be made on each side, by half of the remaining
 * operations. */
static double max_products(work_limits *limits)
{
    double most =
        work_width(limits) < WORK_WIDTH ? MAX_PRODUCTS_NARROW : MAX_PRODUCTS;
    return fmin(most, work_left(limits) / (4 * LIST_PRODUCT_OPERATIONS));
}

static dosi_status refine(dosi_interval *out, list_tree *t, double epsilon,
    const list_question *q, dosi_error *err)
{
    double wanted = work_width(q->limits);
    double products = FIRST_PRODUCTS, before = HUGE_VAL;
    for (int n_rounds = 0;; n_rounds++) {
        dosi_interval found = *out;
        dosi_status status = list_tree_refine(t, epsilon, products, err);
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
        double growth =
            fmin(fmax(GROWTH_FACTOR * width / wanted, MIN_GROWTH), MAX_GROWTH);
        double next = fmin(max_products(q->limits), products * growth);
        bool is_stalled = width > MAX_WIDTH_SHARE * before;
        if (is_stalled || next < MIN_GROWTH / 2 * products) {
            work_note_time_bound(q->limits);
            return DOSI_OK;
        }
        before = width;
        products = next;
    }
}

/* The log delta that masses are compared with is given by ASK_EPSILON and
 * ASK_WITHIN; for other questions it is searched from here downwards. */
#define FIRST_LOG_DELTA (-14.0)

static double first_log_delta(const list_question *q)
{
    switch (q->kind) {
    case ASK_DELTA:
        break;
    case ASK_WITHIN:
    case ASK_EPSILON:
        return fmin(ball_mid(q->log_delta), -2.3);
    case ASK_TRADEOFF:
        return fmax(
            fmin(log(q->argument), FIRST_LOG_DELTA), LIST_MIN_LOG_DELTA);
    }
    return FIRST_LOG_DELTA;
}

/* Nats that delta may be below the delta that masses are compared with. */
#define MAX_NATS_BELOW 7

/* A log delta closer to log_found, which lists with a coarser scale have given;
 * 0 if the present one is close enough. */
static double closer_log_delta(
    const list_question *q, double log_delta, double log_found)
{
    if (q->kind != ASK_DELTA || log_found >= log_delta - MAX_NATS_BELOW ||
        log_delta == LIST_MIN_LOG_DELTA)
        return 0;
    return fmax(fmax(2 * log_delta, log_found), LIST_MIN_LOG_DELTA);
}

static dosi_status answer_with(dosi_interval *out, loss_tails *runs, size_t n,
    const list_question *q, dosi_error *err)
{
    double log_delta = first_log_delta(q);
    dosi_status status = DOSI_OK;
    if (!(log_delta >= LIST_MIN_LOG_DELTA))
        return dosi_fail(err, DOSI_EUNABLE, "lists: delta is below e^%g",
            LIST_MIN_LOG_DELTA);
    while (log_delta < 0 && status == DOSI_OK) {
        list_tree t;
        double epsilon = 0, log_found = 0;
        status = list_tree_new(&t, runs, n, log_delta, q->limits, err);
        if (status == DOSI_OK)
            status = first_epsilon(&epsilon, &log_found, &t, q, err);
        log_delta = closer_log_delta(q, log_delta, log_found);
        if (status == DOSI_OK && log_delta == 0)
            status = refine(out, &t, epsilon, q, err);
        list_tree_free(&t);
    }
    return status;
}

static dosi_status answer(dosi_interval *out, const loss_law *parts, size_t n,
    const list_question *q, dosi_error *err)
{
    double count = 0;
    for (size_t i = 0; i < n; i++)
        count = fmax(count, parts[i].count);
    if (count > MAX_COUNT)
        return dosi_fail(err, DOSI_EUNABLE,
            "lists: more than %g runs of one law", MAX_COUNT);
    loss_tails *runs = malloc((n + 1) * sizeof *runs);
    if (runs == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        loss_tails_init(&runs[i], &parts[i]);
    dosi_status status = answer_with(out, runs, n, q, err);
    free(runs);
    return status;
}

/* ---- Questions --------------------------------------------------------- */

dosi_status list_log_delta(dosi_interval *out, const loss_law *parts, size_t n,
    double epsilon, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_DELTA, .argument = epsilon,
        .limits = limits};
    if (list_is_beyond(out, parts, n, epsilon))
        return DOSI_OK;
    *out = (dosi_interval){list_log_delta_by_ends(parts, n, epsilon), 0};
    return answer(out, parts, n, &q, err);
}

dosi_status list_is_within(bool *out, const loss_law *parts, size_t n,
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

dosi_status list_epsilon(dosi_interval *out, const loss_law *parts, size_t n,
    ball log_delta, work_limits *limits, dosi_error *err)
{
    list_question q = {.kind = ASK_EPSILON, .log_delta = log_delta,
        .limits = limits};
    *out = list_epsilon_by_ends(parts, n, log_delta);
    if (width_of(*out, ASK_EPSILON) <= work_width(limits))
        return DOSI_OK; /* the greatest losses decide */
    return answer(out, parts, n, &q, err);
}

dosi_status list_tradeoff(dosi_interval *out, const loss_law *parts, size_t n,
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
