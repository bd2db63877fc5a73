/*
 * The portfolio: routes are asked one after the other, each in both
 * directions, and the best end of each side is kept; the worse direction is
 * the answer. Routes are asked until the answer is as narrow as the question
 * asks, or the caller stops the work. Ends that contradict each other are an
 * error, never an answer.
 */
#include "prepared_plan.h"

#include <string.h>

#include "base/error.h"
#include "stated_parts.h"

static const char leak_reason[] =
    "delta is below the probability that the plan leaks everything";
static const char zero_reason[] =
    "epsilon is 0: the total variation between neighbours' answers is at "
    "most delta";
static const char wide_reason[] =
    "the ends come from different bounds; no route knows the exact law";
static const char none_reason[] = "no route applies to this plan";
static const char alone_reason[] = "the route does not apply to this plan";
static const char sharp_reason[] =
    "rounding leaves no more digits, and no route is sharper here";

/* ---- What the lower end is of ------------------------------------------ */

attainment account_attained(const dosi_plan *normal)
{
    attainment flag = ATTAINED_BY_MECHANISM;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        attainment own = dosi_plan_child_count(p.node) > 0
                             ? account_attained(dosi_plan_child(p.node, 0))
                             : mechanism_of(&p)->flag;
        flag = own > flag ? own : flag;
    }
    return flag;
}

static const char *meaning_of(const best_bounds *s, const dosi_plan *normal)
{
    if (strcmp(s->other.route, "none") == 0)
        return "nothing: it always holds";
    attainment flag = s->other.flag;
    if (account_attained(normal) == ATTAINED_BY_CLASS)
        flag = ATTAINED_BY_CLASS;
    return flag == ATTAINED_BY_MECHANISM ? "the mechanism" : "the class";
}

/* ---- The answer -------------------------------------------------------- */

/* A law that dominates the plan and is known to this share of the width of an
 * answer is not what makes it wide: the rest lies between laws. */
#define OWN_LAW_WIDTH_SHARE 0.1

/* Whether a stop may have kept the answer wide: a trade-off that is as narrow
 * as promised may still be wider than other answers are. */
static bool is_stopped_early(const best_bounds *s, const question_state *w,
    const prepared_plan *d)
{
    return d->stop_reason != NULL && w->q->kind == ACCOUNT_TRADEOFF &&
           bounds_width(s, w->q) > WORK_WIDTH;
}

static const char *reason_of(const dosi_answer *a, const best_bounds *s,
    const question_state *w, const prepared_plan *d)
{
    bool is_epsilon = w->q->kind == ACCOUNT_EPSILON;
    if (a->value.lo == HUGE_VAL)
        return is_epsilon ? leak_reason : s->reason;
    if (is_epsilon && a->value.hi == 0)
        return zero_reason;
    if (prepared_is_narrow(w, d))
        return is_stopped_early(s, w, d) ? d->stop_reason : NULL;
    double width = bounds_width(s, w->q);
    if (s->law_width < OWN_LAW_WIDTH_SHARE * width)
        return wide_reason;
    if (d->stop_reason != NULL)
        return d->stop_reason;
    bool is_list = strcmp(s->guarantee.route, route_lists.name) == 0;
    bool is_closed = strcmp(s->guarantee.route, route_closed.name) == 0;
    if (width <= WORK_WIDTH && !is_list && !(is_closed && s->reason != NULL))
        return sharp_reason;
    if (s->reason != NULL)
        return s->reason;
    if (strcmp(s->guarantee.route, "none") != 0)
        return wide_reason;
    return d->only != NULL ? alone_reason : none_reason;
}

static void fill(dosi_answer *out, const best_bounds *s,
    const question_state *w, const prepared_plan *d)
{
    bool below = bounds_guards_below(w->q);
    const dosi_plan *normal = d->normal;
    const bounds_end *lo = below ? &s->guarantee : &s->other;
    const bounds_end *hi = below ? &s->other : &s->guarantee;
    out->value = (dosi_interval){lo->value, hi->value};
    out->log_value = iv_unknown();
    if (w->q->kind == ACCOUNT_DELTA)
        out->log_value = (dosi_interval){lo->log_value, hi->log_value};
    out->neighbours = d->directions[0].view.c.neighbours;
    out->route = s->guarantee.route;
    out->theorem = s->guarantee.theorem;
    out->order = s->guarantee.order;
    out->lower_meaning = meaning_of(s, normal);
    out->reason = reason_of(out, s, w, d);
    account_assumptions(out, normal);
}

dosi_status account_check_width(
    const dosi_answer *a, double width, double wanted, dosi_error *err)
{
    char text[DOSI_NUMBER_BYTES];
    if (!(wanted > 0) || width <= wanted)
        return DOSI_OK;
    dosi_print_upper(text, width, 2);
    return dosi_fail(err, DOSI_EUNABLE,
        "unable to reach the relative width %g; attainable is %s%s%s", wanted,
        text, a->reason != NULL ? ": " : "",
        a->reason != NULL ? a->reason : "");
}

static dosi_status conclude(dosi_answer *out, const question_state *w,
    const prepared_plan *d, dosi_error *err)
{
    best_bounds s = prepared_worst(w);
    fill(out, &s, w, d);
    return account_check_width(out, bounds_width(&s, w->q), d->width, err);
}

dosi_status account_answer_on(dosi_answer *out, prepared_plan *d,
    const account_question *q, dosi_error *err)
{
    question_state w;
    dosi_status status = prepared_ask(&w, d, q, err);
    return status == DOSI_OK ? conclude(out, &w, d, err) : status;
}

dosi_status account_answer_direction(dosi_answer *out, prepared_plan *d,
    int direction, const account_question *q, dosi_error *err)
{
    question_state w;
    dosi_status status = prepared_ask_direction(&w, d, direction, q, err);
    return status == DOSI_OK ? conclude(out, &w, d, err) : status;
}

bool account_is_cut_short(const dosi_answer *answer)
{
    return answer->reason != NULL &&
           (strcmp(answer->reason, DOSI_SPENT) == 0 ||
               strcmp(answer->reason, DOSI_STOPPED) == 0);
}

/* ---- Plans without stated parts ---------------------------------------- */

/* The share of the operations that a plan without its stated parts may
 * spend. */
#define MECHANISMS_SHARE 0.25

/* The relative width above which it is asked: the routes leave parts out
 * themselves. */
#define MIN_WIDTH_FOR_MECHANISMS 0.01

/* Leaving parts out is post-processing: what the others attain, the plan
 * does. */
static dosi_status raise_by_mechanisms(dosi_answer *out, const dosi_plan *plan,
    const account_question *question, const dosi_options *options,
    dosi_error *err)
{
    dosi_options opt;
    dosi_answer alone;
    const dosi_plan *normal = NULL, *rest = NULL;
    dosi_status status = account_options(&opt, options, err);
    if (status != DOSI_OK || opt.guarantee_only)
        return status;
    opt.width = 0;
    opt.max_operations *= MECHANISMS_SHARE;
    status = plan_normal_under(
        &normal, plan, account_relation(plan, opt.neighbours), err);
    if (status == DOSI_OK)
        status = stated_leave_out(&rest, normal, STATED_ALL, err);
    dosi_plan_free(normal);
    if (status != DOSI_OK || rest == NULL)
        return status;
    status = account_answers(&alone, 1, rest, question, &opt, err);
    dosi_plan_free(rest);
    if (status == DOSI_EUNABLE || status == DOSI_EUNSUPPORTED)
        return DOSI_OK; /* it adds nothing */
    bool is_test = question->kind == ACCOUNT_TRADEOFF;
    if (status == DOSI_OK && (is_test ? alone.value.hi < out->value.hi
                                      : alone.value.lo > out->value.lo))
        out->lower_meaning = "the class"; /* it may have meant nothing */
    if (status == DOSI_OK && is_test) {
        out->value.hi = fmin(out->value.hi, alone.value.hi);
    } else if (status == DOSI_OK) {
        out->value.lo = fmax(out->value.lo, alone.value.lo);
        out->log_value.lo = fmax(out->log_value.lo, alone.log_value.lo);
    }
    if (status == DOSI_OK && !(out->value.lo <= out->value.hi))
        status = dosi_fail(err, DOSI_EUNABLE,
            "a plan and its parts contradict each other; please report it");
    return status;
}

dosi_status account_answer(dosi_answer *out, const dosi_plan *plan,
    const account_question *question, const dosi_options *options,
    dosi_error *err)
{
    dosi_status status = account_answers(out, 1, plan, question, options, err);
    bool has_parts = question->kind == ACCOUNT_EPSILON ||
                     question->kind == ACCOUNT_DELTA ||
                     question->kind == ACCOUNT_TRADEOFF;
    if (status == DOSI_OK && has_parts && out->reason != NULL &&
        /* also below an infinite end */
        out->value.lo < (1 - MIN_WIDTH_FOR_MECHANISMS) * out->value.hi)
        status = raise_by_mechanisms(out, plan, question, options, err);
    return status;
}
