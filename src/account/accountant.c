/*
 * The accountant: a growing list of distinct plans with counts, and their
 * order, by which equal ones are found. Adding touches no curve; a question
 * composes the list, once until the next addition, and asks the portfolio.
 */
#include "account.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "plan/plan.h"

#define MAX_COUNT 0x1p53
#define ROUTE_BYTES 16 /* of a route's name, which account_options knows */

typedef struct entry {
    const dosi_plan *plan;
    double count;
} entry;

struct dosi_accountant {
    dosi_options options;
    char route[ROUTE_BYTES];
    entry *entries; /* as they were added */
    size_t *sorted; /* their indices, as dosi_plan_compare orders the plans */
    size_t n_entries, n_capacity;
    const dosi_plan *composed; /* of all entries, or NULL */
};

/* ---- Growing ----------------------------------------------------------- */

/* The place of the plan among the sorted entries; *found: it is there. */
static size_t place_of(
    bool *found, const dosi_accountant *a, const dosi_plan *plan)
{
    size_t lo = 0, hi = a->n_entries;
    *found = false;
    while (lo < hi && !*found) {
        size_t mid = lo + (hi - lo) / 2;
        int order = dosi_plan_compare(plan, a->entries[a->sorted[mid]].plan);
        *found = order == 0;
        if (order > 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return hi;
}

/* Makes room for one more entry. */
static bool grow(dosi_accountant *a)
{
    if (a->n_entries < a->n_capacity)
        return true;
    size_t n = a->n_capacity > 0 ? 2 * a->n_capacity : 8;
    entry *entries = realloc(a->entries, n * sizeof *entries);
    if (entries != NULL)
        a->entries = entries;
    size_t *sorted = realloc(a->sorted, n * sizeof *sorted);
    if (sorted != NULL)
        a->sorted = sorted;
    if (entries == NULL || sorted == NULL)
        return false;
    a->n_capacity = n;
    return true;
}

static void forget_composed(dosi_accountant *a)
{
    dosi_plan_free(a->composed);
    a->composed = NULL;
}

dosi_status dosi_accountant_add(dosi_accountant *accountant,
    const dosi_plan *plan, double count, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(count);
    dosi_accountant *a = accountant;
    if (!(count >= 1 && count <= MAX_COUNT && count == floor(count)))
        return dosi_fail(err, DOSI_EINVAL,
            "count must be a whole number from 1 to 2^53, got %g", count);
    if (dosi_plan_has_hole(plan))
        return dosi_fail(err, DOSI_EINVAL,
            "the plan holds a hole \"?\"; only calibration fills it");
    if (!grow(a))
        return dosi_fail_memory(err);
    bool found;
    size_t place = place_of(&found, a, plan);
    if (found) {
        entry *e = &a->entries[a->sorted[place]];
        if (count > MAX_COUNT - e->count)
            return dosi_fail(err, DOSI_EINVAL,
                "the total count of a plan must be at most 2^53");
        e->count += count;
    } else {
        memmove(a->sorted + place + 1, a->sorted + place,
            (a->n_entries - place) * sizeof *a->sorted);
        a->sorted[place] = a->n_entries;
        a->entries[a->n_entries++] = (entry){dosi_plan_retain(plan), count};
    }
    forget_composed(a);
    return DOSI_OK;
}

/* ---- The handle -------------------------------------------------------- */

dosi_status dosi_accountant_new(
    dosi_accountant **out, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    dosi_options checked;
    dosi_status status = account_options(&checked, options, err);
    if (status != DOSI_OK)
        return status;
    dosi_accountant *a = calloc(1, sizeof *a);
    if (a == NULL)
        return dosi_fail_memory(err);
    a->options = checked;
    if (checked.route != NULL) {
        strncpy(a->route, checked.route, sizeof a->route - 1);
        a->options.route = a->route;
    }
    *out = a;
    return DOSI_OK;
}

void dosi_accountant_free(dosi_accountant *accountant)
{
    if (accountant == NULL)
        return;
    for (size_t i = 0; i < accountant->n_entries; i++)
        dosi_plan_free(accountant->entries[i].plan);
    dosi_plan_free(accountant->composed);
    free(accountant->entries);
    free(accountant->sorted);
    free(accountant);
}

size_t dosi_accountant_entry_count(const dosi_accountant *accountant)
{
    return accountant->n_entries;
}

/* ---- The composed plan ------------------------------------------------- */

static dosi_status compose(dosi_accountant *a, dosi_error *err)
{
    size_t n = a->n_entries, n_made = 0;
    if (n == 0)
        return dosi_plan_compose(&a->composed, NULL, 0, err);
    const dosi_plan **parts = malloc(n * sizeof(const dosi_plan *));
    if (parts == NULL)
        return dosi_fail_memory(err);
    dosi_status status = DOSI_OK;
    for (; n_made < n && status == DOSI_OK; n_made++) {
        const entry *e = &a->entries[n_made];
        if (e->count == 1)
            parts[n_made] = dosi_plan_retain(e->plan);
        else
            status =
                dosi_plan_repeat(&parts[n_made], e->plan, e->count, err);
    }
    if (status == DOSI_OK)
        status = dosi_plan_compose(&a->composed, parts, n, err);
    for (size_t i = 0; i < n_made; i++)
        dosi_plan_free(parts[i]);
    free(parts);
    return status;
}

static dosi_status ensure_composed(dosi_accountant *a, dosi_error *err)
{
    return a->composed != NULL ? DOSI_OK : compose(a, err);
}

dosi_status dosi_accountant_plan(const dosi_plan **out,
    dosi_accountant *accountant, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    dosi_status status = ensure_composed(accountant, err);
    if (status == DOSI_OK)
        *out = dosi_plan_retain(accountant->composed);
    return status;
}

/* ---- Questions --------------------------------------------------------- */

typedef dosi_status (*plan_question)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static dosi_status ask(dosi_answer *out, dosi_accountant *a,
    plan_question question, double at, dosi_error *err)
{
    *out = (dosi_answer){.value = {-HUGE_VAL, HUGE_VAL},
        .log_value = {-HUGE_VAL, HUGE_VAL},
        .route = "none",
        .theorem = "",
        .lower_meaning = ""};
    dosi_status status = ensure_composed(a, err);
    if (status == DOSI_OK)
        status = question(out, a->composed, at, &a->options, err);
    return status;
}

dosi_status dosi_accountant_epsilon_at_delta(dosi_answer *out,
    dosi_accountant *accountant, double delta, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(delta);
    return ask(out, accountant, dosi_epsilon_at_delta, delta, err);
}

dosi_status dosi_accountant_epsilon_at_log_delta(dosi_answer *out,
    dosi_accountant *accountant, double log_delta, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(log_delta);
    return ask(out, accountant, dosi_epsilon_at_log_delta, log_delta, err);
}

dosi_status dosi_accountant_delta_at_epsilon(dosi_answer *out,
    dosi_accountant *accountant, double epsilon, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(epsilon);
    return ask(out, accountant, dosi_delta_at_epsilon, epsilon, err);
}

dosi_status dosi_accountant_renyi_at_order(dosi_answer *out,
    dosi_accountant *accountant, double order, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(order);
    return ask(out, accountant, dosi_renyi_at_order, order, err);
}

dosi_status dosi_accountant_zcdp_at_xi(dosi_answer *out,
    dosi_accountant *accountant, double xi, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(xi);
    return ask(out, accountant, dosi_zcdp_at_xi, xi, err);
}
