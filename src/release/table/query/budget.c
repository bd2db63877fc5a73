/*
 * The parameters of all parts of a query within its budget, rounded to the safe
 * side: shares of a pure epsilon, or one factor of all noise. Derivation:
 * docs/theory/release_table.md, section 4.
 */
#include "budget.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "budget_plan.h"
#include "budget_search.h"
#include "release_laws/integer_law.h"
#include "num/interval.h"
#include "release/scale.h"
#include "statistics.h"

#define MIN_SCALE 0x1p-6
#define MAX_ROUNDED_SCALE 0x1p50
#define MAX_DISCRETE_SCALE 0x1p40

/* ---- Weights ----------------------------------------------------------- */

/* The weight of a part is that of its statistic times its share of 20. */
static dosi_status set_weights(dosi_table_query *q, dosi_error *err)
{
    struct table_settings *s = &q->settings;
    for (size_t i = 0; i < q->n_statistics; i++) {
        struct table_statistic *statistic = &q->statistics[i];
        double weight = statistic->row->weight;
        for (size_t j = 0; j < s->n_weights; j++)
            if (strcmp(s->weights[j].name, statistic->name) == 0) {
                if (s->weights[j].is_used)
                    return dosi_fail(err, DOSI_EINVAL,
                        "weight: %.100s is given twice", statistic->name);
                s->weights[j].is_used = true;
                weight = s->weights[j].weight;
            }
        for (size_t j = 0; j < statistic->n_parts; j++)
            statistic->parts[j].weight =
                weight * (double)statistic->parts[j].share;
    }
    for (size_t j = 0; j < s->n_weights; j++)
        if (!s->weights[j].is_used)
            return dosi_fail(err, DOSI_EINVAL,
                "weight: there is no statistic \"%.100s\"",
                s->weights[j].name);
    return DOSI_OK;
}

/* ---- Directed arithmetic ------------------------------------------------ */

/* The largest double at most a b, and the smallest at least a / b. All are
 * positive, and neither overflows nor underflows in the ranges here. */
static double times_lower(double a, double b)
{
    double product = a * b;
    return fma(a, b, -product) < 0 ? round_down(product) : product;
}

static double times_upper(double a, double b)
{
    double product = a * b;
    return fma(a, b, -product) > 0 ? round_up(product) : product;
}

static double over_lower(double a, double b)
{
    double quotient = a / b;
    return fma(quotient, b, -a) > 0 ? round_down(quotient) : quotient;
}

static double over_upper(double a, double b)
{
    double quotient = a / b;
    return fma(quotient, b, -a) < 0 ? round_up(quotient) : quotient;
}

static double add_upper(double a, double b)
{
    double sum = a + b;
    double rest = a - (sum - (sum - a)) + (b - (sum - a)); /* exact */
    return rest > 0 ? round_up(sum) : sum;
}

/* ---- Shares of pure epsilon --------------------------------------------- */

/*
 * A part may lose epsilon w_i / W with W >= sum w_i, so that all lose at most
 * epsilon together. A leaf loses copies D / b of that at most for
 * b >= copies D W / (epsilon w_i).
 */
static void share_pure(dosi_table_query *q)
{
    double whole = 0;
    size_t i, j;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j))
        whole = add_upper(whole, p->weight);
    for (p = budget_first(q, &i, &j); p != NULL; p = budget_next(q, &i, &j)) {
        double share = times_lower(q->settings.epsilon, p->weight);
        double steps = (double)p->copies; /* exact: check_counts */
        if (p->leaf == LEAF_COUNT)
            steps *= (double)(int64_t)p->distance;
        p->parameter = p->leaf == LEAF_CHOICE
                           ? over_lower(share, whole)
                           : over_upper(times_upper(steps, whole), share);
    }
}

/* One factor t for all: more noise with a greater one. */
static void share_factor(dosi_table_query *q, double t)
{
    size_t i, j;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j)) {
        double copies = (double)p->copies;
        double scale = over_upper(t, p->weight);
        if (p->leaf == LEAF_CHOICE) {
            p->parameter = over_lower(p->weight, t);
        } else if (q->settings.is_gaussian) {
            double root = sqrt(copies);
            if (fma(root, root, -copies) < 0)
                root = round_up(root);
            p->parameter = times_upper(scale, root);
        } else {
            if (p->leaf == LEAF_COUNT)
                copies *= (double)(int64_t)p->distance;
            p->parameter = times_upper(scale, copies);
        }
    }
}

/* ---- Noise ------------------------------------------------------------- */

static dosi_status refuse_scale(dosi_error *err, const char *name,
    const struct table_part *part, bool is_small)
{
    char scale[DOSI_NUMBER_BYTES];
    dosi_print_exact(scale, part->scale);
    return dosi_fail(err, DOSI_EINVAL,
        "%.100s: noise must have a scale from 2^-6 to 2^%d units, got %s; "
        "use a %s grid%s",
        name, part->law == DOSI_NOISE_DISCRETE_LAPLACE ? 40 : 50, scale,
        is_small ? "finer" : "coarser",
        part->leaf == LEAF_COUNT ? " or another budget" : "");
}

/* The law and the scale of a part's noise. A discrete scale is the plan's own
 * double; a rounded one is sigma D, rounded up (R105-3). */
static dosi_status set_scale(const dosi_table_query *q, const char *name,
    struct table_part *part, dosi_error *err)
{
    if (part->leaf == LEAF_CHOICE)
        return DOSI_OK;
    bool is_discrete = part->leaf == LEAF_COUNT && !q->settings.is_gaussian;
    part->law = is_discrete               ? DOSI_NOISE_DISCRETE_LAPLACE
                : q->settings.is_gaussian ? DOSI_NOISE_ROUND_GAUSSIAN
                                          : DOSI_NOISE_ROUND_LAPLACE;
    part->scale = is_discrete
                      ? part->parameter
                      : scale_upper(part->parameter, part->distance);
    bool is_small = !(part->scale >= MIN_SCALE);
    if (is_small ||
        !(part->scale <=
            (is_discrete ? MAX_DISCRETE_SCALE : MAX_ROUNDED_SCALE)))
        return refuse_scale(err, name, part, is_small);
    return DOSI_OK;
}

/*
 * The threshold of unknown cells, for d at most that. A cell that is left
 * out below c0 rows has at most c0 - 1 + m with one more person, and is then
 * printed with probability P[c0 - 1 + m + K >= tau] <= d (R105-6, R107-6).
 */
static dosi_status set_threshold(const dosi_table_query *q,
    struct table_part *part, double most, bool keeps_d, dosi_error *err)
{
    double d;
    int64_t hidden = q->layout.items[part->item].min_count - 1;
    dosi_status status = integer_law_threshold(&part->tau, &d, part->law,
        part->scale, hidden + (int64_t)part->distance, most, err);
    if (status == DOSI_OK && !keeps_d)
        part->d = d;
    return status;
}

/* Half of delta is for thresholds, divided among statistics and copies. */
static double threshold_share(dosi_table_query *q, const struct table_part *p)
{
    double n = 0;
    size_t i, j;
    struct table_part *other = budget_first(q, &i, &j);
    for (; other != NULL; other = budget_next(q, &i, &j))
        n += other->has_threshold;
    return over_lower(q->settings.delta / 2, n * (double)p->copies);
}

dosi_status budget_try(dosi_table_query *q, double t, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    size_t i, j;
    share_factor(q, t);
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL && status == DOSI_OK; p = budget_next(q, &i, &j)) {
        if (!p->has_threshold)
            continue;
        status = set_scale(q, q->statistics[i].name, p, err);
        if (status == DOSI_OK)
            status = set_threshold(q, p, threshold_share(q, p), false, err);
    }
    return status;
}

/* The scale, the noise and the half width of one part. */
static dosi_status prepare(dosi_table_query *q,
    const struct table_statistic *s, struct table_part *p, dosi_error *err)
{
    dosi_status status = set_scale(q, s->name, p, err);
    if (status != DOSI_OK || p->leaf == LEAF_CHOICE)
        return status;
    if (p->has_threshold && q->settings.plan != NULL)
        status = set_threshold(q, p, p->d, true, err);
    double error = over_lower(q->settings.error_lower, (double)s->n_parts);
    if (status == DOSI_OK)
        status = integer_law_half_width(
            &p->half_width, p->law, p->scale, error, err);
    if (status == DOSI_OK)
        status = dosi_noise_new(
            &p->noise, p->law, p->scale, DOSI_TIMING_CONSTANT, err);
    return status;
}

/* ---- Cost -------------------------------------------------------------- */

/* Encloses the epsilon of all parts together, if none has a delta. */
static dosi_interval pure_cost(dosi_table_query *q)
{
    dosi_interval sum = iv_point(0);
    size_t i, j;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j)) {
        double steps = (double)p->copies;
        if (p->leaf == LEAF_COUNT)
            steps *= (double)(int64_t)p->distance;
        dosi_interval cost = p->leaf == LEAF_CHOICE
                                 ? iv_point(p->parameter)
                                 : iv_div(iv_point(steps),
                                       iv_point(p->parameter));
        sum = iv_add(sum, cost);
    }
    if (q->settings.plan == NULL && sum.hi > q->settings.epsilon)
        sum.hi = q->settings.epsilon; /* shown above */
    return sum;
}

static dosi_status set_cost(dosi_table_query *q, dosi_error *err)
{
    q->delta = q->settings.delta;
    if (q->delta > 0)
        return budget_ask(&q->epsilon, q, q->plan, 0, err);
    q->epsilon = pure_cost(q);
    return DOSI_OK;
}

/* ---- The whole --------------------------------------------------------- */

/* Checks the settings of the budget. */
static dosi_status check_budget(dosi_table_query *q, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    size_t i, j;
    if (s->plan != NULL && s->epsilon > 0)
        return dosi_fail(err, DOSI_EINVAL,
            "plan: replaces epsilon, got both");
    if (s->plan != NULL && s->n_weights > 0)
        return dosi_fail(err, DOSI_EINVAL,
            "plan: replaces weights, got both");
    if (s->plan == NULL && !(s->epsilon > 0))
        return dosi_fail(
            err, DOSI_EINVAL, "epsilon: is missing; give epsilon E or plan");
    if (s->delta > 0)
        return DOSI_OK;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j)) {
        if (p->has_threshold)
            return dosi_fail(err, DOSI_EINVAL,
                "%.100s: unknown cells need delta D", q->statistics[i].name);
        if (s->is_gaussian && p->leaf != LEAF_CHOICE)
            return dosi_fail(
                err, DOSI_EINVAL, "noise: gaussian noise needs delta D");
    }
    return DOSI_OK;
}

/* Discrete distances times copies are exact in a double: they stand in the
 * plan. */
static dosi_status check_counts(dosi_table_query *q, dosi_error *err)
{
    const uint128 most = (uint128)1 << 53;
    size_t i, j;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j)) {
        uint128 copies = (uint128)p->copies;
        uint128 steps = p->leaf == LEAF_SUM ? copies : p->distance * copies;
        if (steps > most)
            return dosi_fail(err, DOSI_EINVAL,
                "%.100s: the limits of a person must be less than 2^53 "
                "together",
                q->statistics[i].name);
    }
    return DOSI_OK;
}

static dosi_status set_parameters(dosi_table_query *q, dosi_error *err)
{
    const dosi_plan *given = NULL;
    const char *text = q->settings.plan;
    if (text != NULL) {
        dosi_status status =
            dosi_plan_parse(&given, text, strlen(text), err);
        if (status == DOSI_OK && dosi_plan_has_hole(given))
            status = dosi_fail(err, DOSI_EINVAL,
                "plan: must have a number in place of \"?\"");
        if (status == DOSI_OK)
            status = budget_match(q, given, err);
        dosi_plan_free(given);
        return status;
    }
    if (q->settings.delta > 0)
        return budget_search(q, err);
    share_pure(q);
    return DOSI_OK;
}

static dosi_status prepare_all(dosi_table_query *q, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < q->n_statistics; i++)
        for (size_t j = 0; j < q->statistics[i].n_parts; j++)
            if (status == DOSI_OK)
                status = prepare(
                    q, &q->statistics[i], &q->statistics[i].parts[j], err);
    return status;
}

dosi_status budget_copy(
    dosi_table_query *q, const dosi_table_query *like, dosi_error *err)
{
    size_t i, j;
    struct table_part *p = budget_first(q, &i, &j);
    for (; p != NULL; p = budget_next(q, &i, &j)) {
        const struct table_part *other = &like->statistics[i].parts[j];
        p->weight = other->weight;
        p->parameter = other->parameter;
        p->d = other->d;
        p->tau = other->tau;
    }
    q->plan = dosi_plan_retain(like->plan);
    q->epsilon = like->epsilon;
    q->delta = like->delta;
    return prepare_all(q, err);
}

dosi_status budget_set(dosi_table_query *q, dosi_error *err)
{
    dosi_status status = check_budget(q, err);
    if (status == DOSI_OK)
        status = check_counts(q, err);
    if (status == DOSI_OK)
        status = set_weights(q, err);
    if (status == DOSI_OK)
        status = set_parameters(q, err);
    if (status == DOSI_OK)
        status = prepare_all(q, err);
    if (status == DOSI_OK)
        status = budget_plan(&q->plan, q, err);
    if (status == DOSI_OK)
        status = set_cost(q, err);
    return status;
}
