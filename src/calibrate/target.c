/*
 * The kinds of targets: a row for each with its name, its range and the
 * question that it asks.
 */
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "num/decimal.h"

/* The least number of digits of an end in a message. */
#define SHOWN_DIGITS 6

/* Advantage is delta at epsilon 0. */
static dosi_status ask_advantage(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err)
{
    (void)at;
    return dosi_delta_at_epsilon(out, plan, 0, options, err);
}

static const struct target_row {
    const char *name; /* of what is bounded */
    const char *at;   /* of what is given, or NULL */
    double limit;     /* the value must be below this */
    dosi_status (*ask)(dosi_answer *out, const dosi_plan *plan, double at,
        const dosi_options *options, dosi_error *err);
} rows[] = {
    [DOSI_TARGET_EPSILON] = {"epsilon", "delta", HUGE_VAL,
        dosi_epsilon_at_delta},
    [DOSI_TARGET_EPSILON_LOG] = {"epsilon", "log delta", HUGE_VAL,
        dosi_epsilon_at_log_delta},
    [DOSI_TARGET_DELTA] = {"delta", "epsilon", 1, dosi_delta_at_epsilon},
    [DOSI_TARGET_TRADEOFF] = {"beta", "alpha", 1, dosi_tradeoff_at_alpha},
    [DOSI_TARGET_RENYI] = {"renyi", "order", HUGE_VAL, dosi_renyi_at_order},
    [DOSI_TARGET_ZCDP] = {"rho", "xi", HUGE_VAL, dosi_zcdp_at_xi},
    [DOSI_TARGET_GDP] = {"mu", "floor", HUGE_VAL, dosi_gdp_at_floor},
    [DOSI_TARGET_ADVANTAGE] = {"advantage", NULL, 1, ask_advantage},
};

#define N_ROWS (sizeof rows / sizeof *rows)

static bool guards_below(const dosi_target *target)
{
    return target->kind == DOSI_TARGET_TRADEOFF;
}

static double safe_end(const dosi_target *target, const dosi_answer *answer)
{
    return guards_below(target) ? answer->value.lo : answer->value.hi;
}

/* ---- Checking ---------------------------------------------------------- */

static dosi_status value_check(const dosi_target *target, dosi_error *err)
{
    const struct target_row *row = &rows[target->kind];
    if (target->value >= 0 && target->value < row->limit)
        return DOSI_OK; /* which NaN is not */
    return dosi_fail(err, DOSI_EINVAL,
        "the target %s must be non-negative and %s, got %g", row->name,
        row->limit < HUGE_VAL ? "less than 1" : "finite", target->value);
}

dosi_status target_check(const dosi_target *targets, size_t n,
    const dosi_options *options, dosi_error *err)
{
    const dosi_plan *nothing = NULL;
    if (n == 0)
        return dosi_fail(
            err, DOSI_EINVAL, "calibration needs at least one target");
    dosi_status status = dosi_plan_compose(&nothing, NULL, 0, err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++) {
        dosi_answer answer;
        if ((size_t)targets[i].kind >= N_ROWS)
            status = dosi_fail(err, DOSI_EINVAL,
                "there is no target number %d", (int)targets[i].kind);
        else
            status = value_check(&targets[i], err);
        if (status == DOSI_OK)
            status = target_ask(&answer, &targets[i], nothing, options, err);
    }
    dosi_plan_free(nothing);
    return status;
}

/* ---- Asking ------------------------------------------------------------ */

dosi_status target_ask(dosi_answer *out, const dosi_target *target,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err)
{
    dosi_status status =
        rows[target->kind].ask(out, plan, target->at, options, err);
    bool is_wide = status == DOSI_EUNABLE && options->width > 0 &&
                   strcmp(out->route, "none") != 0;
    return is_wide ? DOSI_OK : status;
}

void target_guarantee(dosi_answer *answer, const dosi_target *target,
    const dosi_answer *other)
{
    if (guards_below(target))
        answer->value.lo = fmax(answer->value.lo, other->value.lo);
    else
        answer->value.hi = fmin(answer->value.hi, other->value.hi);
    /* of delta; of others both are infinite */
    answer->log_value.hi =
        fmin(answer->log_value.hi, other->log_value.hi);
}

bool target_is_met(const dosi_target *target, const dosi_answer *answer)
{
    double end = safe_end(target, answer);
    return guards_below(target) ? end >= target->value : end <= target->value;
}

bool target_is_missed(const dosi_target *target, const dosi_answer *answer)
{
    return guards_below(target) ? answer->value.hi < target->value
                                : answer->value.lo > target->value;
}

double target_score(const dosi_target *target, const dosi_answer *answer)
{
    bool below = guards_below(target), is_met = target_is_met(target, answer);
    double end = safe_end(target, answer), value = target->value;
    double of = below ? value : end, to = below ? end : value;
    double score = is_met ? -HUGE_VAL : HUGE_VAL;
    if (of >= 0x1p-1000 && of < HUGE_VAL && to >= 0x1p-1000)
        score = fabs(of - to) < to / 2 ? log1p((of - to) / to)
                                       : log(of) - log(to);
    else if (!below && to > 0 && answer->log_value.hi < HUGE_VAL)
        score = answer->log_value.hi - log(to); /* delta below the doubles */
    return isnan(score) ? HUGE_VAL : score;
}

/* ---- Words ------------------------------------------------------------- */

void target_text(char *text, const dosi_target *target)
{
    const struct target_row *row = &rows[target->kind];
    char value[DOSI_NUMBER_BYTES], at[DOSI_NUMBER_BYTES];
    dosi_print_exact(value, target->value);
    dosi_print_exact(at, target->at);
    snprintf(text, TARGET_TEXT_BYTES, "%s %s %s%s%s%s%s", row->name,
        guards_below(target) ? ">=" : "<=", value,
        row->at != NULL ? " at " : "", row->at != NULL ? row->at : "",
        row->at != NULL ? " " : "", row->at != NULL ? at : "");
}

/* Whether what is printed of an end misses the target. */
static bool shows_miss(const char *text, const dosi_target *target)
{
    double shown = target->value;
    size_t used;
    (void)decimal_read(&shown, text, strlen(text), &used);
    return guards_below(target) ? shown < target->value
                                : shown > target->value;
}

void target_answer_text(
    char *text, const dosi_target *target, const dosi_answer *answer)
{
    const char *name = rows[target->kind].name;
    char low[DOSI_NUMBER_BYTES], high[DOSI_NUMBER_BYTES];
    dosi_interval x = answer->value;
    int n_digits = SHOWN_DIGITS;
    bool below = guards_below(target);
    bool is_certain = target_is_missed(target, answer);
    do { /* as many digits as show that the target is missed */
        dosi_print_lower(low, x.lo, n_digits);
        dosi_print_upper(high, x.hi, n_digits);
    } while (is_certain && !shows_miss(below ? high : low, target) &&
             n_digits++ < 17);
    if (!is_certain)
        snprintf(text, TARGET_TEXT_BYTES, "%s is between %s and %s", name, low,
            high);
    else
        snprintf(text, TARGET_TEXT_BYTES, "%s is %s%s", name,
            below         ? "at most "
            : isinf(x.lo) ? ""
                          : "at least ",
            below ? high : low);
}
