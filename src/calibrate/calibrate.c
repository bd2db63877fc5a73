/*
 * Calibration: the last safe number for a plan's hole, which meets every
 * target. Exactly the number that is returned was checked, and so was its
 * neighbour on the unsafe side.
 */
#include "search.h"

#include <math.h>
#include <string.h>

#include "account/account.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "num/decimal.h"

/* Digits of the rounded number, and of further attempts. */
#define FEW_DIGITS 5
#define MANY_DIGITS 9

static const char end_reason[] =
    "every value up to the end of the range meets the targets";
static const char refused_reason[] =
    "the plan takes no number beyond this one";

/* ---- The answers ------------------------------------------------------- */

/* Answers the binding target with the number of a point. The point may hold the
 * answer to another target, or a wide one of which only the guarantee was
 * asked; that guarantee still holds. */
static dosi_status answer_binding(dosi_answer *out, const search *s,
    const search_point *p, size_t binding, dosi_error *err)
{
    const dosi_plan *plan = NULL;
    dosi_options options = s->options;
    *out = p->answer;
    if (p->binding == binding && (p->refused || out->reason == NULL))
        return DOSI_OK;
    options.guarantee_only = 0;
    dosi_status status =
        dosi_plan_fill(&plan, s->plan, axis_value(&s->axis, p->at), err);
    if (status == DOSI_OK)
        status = target_ask(out, &s->targets[binding], plan, &options, err);
    if (status == DOSI_OK && p->binding == binding)
        target_guarantee(out, &s->targets[binding], &p->answer);
    dosi_plan_free(plan);
    return status;
}

/* ---- No number --------------------------------------------------------- */

/* Reports in one line what is attainable. */
static dosi_status fail_infeasible(const search *s, dosi_error *err)
{
    char target[TARGET_TEXT_BYTES], answer[TARGET_TEXT_BYTES];
    char value[DOSI_NUMBER_BYTES];
    const search_point *p = &s->best_bad;
    dosi_answer whole;
    const char *name = s->axis.name, *of = dosi_kind_row(s->axis.kind)->name;
    if (!p->known)
        return dosi_fail(err, DOSI_EDOMAIN,
            "the plan takes no %s of %s that was tried", name, of);
    dosi_status status = answer_binding(&whole, s, p, p->binding, err);
    if (status != DOSI_OK)
        return status;
    const char *reason = whole.reason;
    bool is_missed = target_is_missed(&s->targets[p->binding], &whole);
    /* a miss by a finite number needs no reason; the width has nothing to do
     * with it */
    if (is_missed && !isinf(whole.value.lo))
        reason = NULL;
    target_text(target, &s->targets[p->binding]);
    target_answer_text(answer, &s->targets[p->binding], &whole);
    /* the exact value is no worse with a safer number */
    double x = axis_value(&s->axis, p->at);
    if (s->axis.is_whole)
        dosi_print_exact(value, x);
    else if (s->axis.safe_up)
        dosi_print_upper(value, x, 3);
    else
        dosi_print_lower(value, x, 3);
    return dosi_fail(err, DOSI_EDOMAIN,
        "no %s of %s %s the target %s: even with %s, %s%s%s", name, of,
        is_missed ? "meets" : "is certain to meet", target, value, answer,
        reason != NULL ? ": " : "", reason != NULL ? reason : "");
}

/* ---- The number -------------------------------------------------------- */

/* The number with n digits, rounded to the safe side. */
static double round_safely(const axis *a, double x, int n_digits)
{
    char text[DOSI_NUMBER_BYTES];
    double rounded;
    size_t used;
    size_t n = a->safe_up ? dosi_print_upper(text, x, n_digits)
                          : dosi_print_lower(text, x, n_digits);
    return decimal_read(&rounded, text, n, &used) ? rounded : x;
}

/* Rounds to the safe side, where the exact values meet the targets. Intervals
 * may be wider there, so the rounded number is checked as well. */
static dosi_status fill_rounded(
    dosi_calibration *out, search *s, dosi_error *err)
{
    out->rounded = out->value;
    out->rounded_answer = out->answer;
    if (s->axis.is_whole || out->value == 0)
        return DOSI_OK;
    for (int digits = FEW_DIGITS; digits <= MANY_DIGITS; digits++) {
        double x = round_safely(&s->axis, out->value, digits);
        int64_t at = axis_ordinal(&s->axis, x);
        search_point p;
        if (axis_value(&s->axis, at) != x || x == out->value)
            continue;
        dosi_status status = search_ask(&p, s, at, err);
        if (status != DOSI_OK)
            return status;
        if (p.score <= 0) {
            out->rounded = x;
            return answer_binding(
                &out->rounded_answer, s, &p, out->binding, err);
        }
    }
    return DOSI_OK;
}

static dosi_status fill_answers(
    dosi_calibration *out, const search *s, dosi_error *err)
{
    const search_point *good = &s->good, *bad = &s->bad;
    bool ends = !bad->known || bad->refused;
    *out = (dosi_calibration){.value = axis_value(&s->axis, good->at),
        .binding = ends ? good->binding : bad->binding,
        .kind = s->axis.kind,
        .parameter = s->axis.parameter};
    out->beyond = ends ? out->value : axis_value(&s->axis, bad->at);
    if (ends)
        out->reason = bad->known ? refused_reason : end_reason;
    dosi_status status =
        answer_binding(&out->answer, s, good, out->binding, err);
    out->beyond_answer = out->answer;
    if (status == DOSI_OK && !ends)
        status = answer_binding(
            &out->beyond_answer, s, bad, out->binding, err);
    return status;
}

/* ---- The public function ----------------------------------------------- */

static dosi_status calibrate(
    dosi_calibration *out, search *s, dosi_error *err)
{
    double start;
    dosi_status status = axis_of(&s->axis, s->plan, err);
    if (status == DOSI_OK)
        status = target_check(s->targets, s->n_targets, &s->options, err);
    if (status == DOSI_OK)
        status = search_guess(&start, s, err);
    if (status == DOSI_OK)
        status = search_run(s, start, err);
    if (status != DOSI_OK)
        return status;
    if (!s->good.known)
        return fail_infeasible(s, err);
    status = fill_answers(out, s, err);
    if (status == DOSI_OK)
        status = fill_rounded(out, s, err);
    return status;
}

/* A question of a calibration may spend the budget divided by this. */
#define QUESTIONS_PER_BUDGET 4

dosi_status dosi_calibrate(dosi_calibration *out, const dosi_plan *plan,
    const dosi_target *targets, size_t n_targets,
    const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    search s = {.plan = plan, .targets = targets, .n_targets = n_targets};
    *out = (dosi_calibration){0};
    dosi_status status = account_options(&s.options, options, err);
    /* one relation for every number, also for one that folds a sampler */
    s.options.neighbours = account_relation(plan, s.options.neighbours);
    s.options.max_operations /= QUESTIONS_PER_BUDGET;
    s.options.guarantee_only = 1;
    dosi_cache *own = NULL;
    if (status == DOSI_OK && s.options.cache == NULL)
        status = dosi_cache_new(&own, err);
    if (own != NULL)
        s.options.cache = own;
    if (status == DOSI_OK)
        status = calibrate(out, &s, err);
    dosi_cache_free(own);
    if (status != DOSI_OK)
        *out = (dosi_calibration){0};
    return status;
}
