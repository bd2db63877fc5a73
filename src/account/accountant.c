/*
 * The accountant: a growing list of distinct plans with counts, found by a
 * hash table of indices. Adding touches no curve; a question composes the
 * list, once until the next addition, and asks the portfolio.
 */
#include "account.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "plan/plan.h"

#define MAX_COUNT 0x1p53
#define ROUTE_BYTES 16 /* of a route's name, which account_options knows */

typedef struct entry {
    const dosi_plan *plan;
    uint64_t hash;
    double count;
} entry;

struct dosi_accountant {
    dosi_options options;
    char route[ROUTE_BYTES];
    entry *entries;
    size_t n_entries, n_capacity;
    size_t *slots; /* index + 1 of an entry; 0: free; linear probing */
    size_t n_slots; /* a power of 2, at least twice n_entries */
    const dosi_plan *composed; /* of all entries, or NULL */
};

/* ---- Finding equal plans ----------------------------------------------- */

/* Mixes a word into a hash by one step of splitmix64. */
static uint64_t mix(uint64_t h, uint64_t x)
{
    h += x + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

static uint64_t mix_number(uint64_t h, double x)
{
    uint64_t bits;
    x += 0.0; /* -0 equals 0 */
    memcpy(&bits, &x, sizeof bits);
    return mix(h, bits);
}

/* Equal plans have equal hashes; the order of the children counts. */
static uint64_t hash_of(uint64_t h, const dosi_plan *plan)
{
    h = mix(h, (uint64_t)plan->kind);
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        h = mix_number(h, plan->parameters[i]);
    for (size_t i = 0; i < plan_list_size(plan); i++)
        h = mix_number(h, plan->list[i]);
    h = mix(h, plan->n_children);
    for (size_t i = 0; i < plan->n_children; i++)
        h = hash_of(h, plan->children[i]);
    return h;
}

/* The slot of an equal plan, or the free slot for this one. */
static size_t slot_of(
    const dosi_accountant *a, const dosi_plan *plan, uint64_t hash)
{
    size_t mask = a->n_slots - 1;
    size_t i = (size_t)hash & mask;
    for (; a->slots[i] != 0; i = (i + 1) & mask) {
        const entry *e = &a->entries[a->slots[i] - 1];
        if (e->hash == hash &&
            (e->plan == plan || dosi_plan_equal(e->plan, plan)))
            break;
    }
    return i;
}

/* ---- Growing ----------------------------------------------------------- */

static bool grow_slots(dosi_accountant *a)
{
    size_t n = a->n_slots > 0 ? 2 * a->n_slots : 16;
    size_t *slots = calloc(n, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t k = 0; k < a->n_entries; k++) {
        size_t i = (size_t)a->entries[k].hash & (n - 1);
        while (slots[i] != 0)
            i = (i + 1) & (n - 1);
        slots[i] = k + 1;
    }
    free(a->slots);
    a->slots = slots;
    a->n_slots = n;
    return true;
}

/* Makes room for one more entry. */
static bool grow(dosi_accountant *a)
{
    if (2 * (a->n_entries + 1) > a->n_slots && !grow_slots(a))
        return false;
    if (a->n_entries < a->n_capacity)
        return true;
    size_t n = a->n_capacity > 0 ? 2 * a->n_capacity : 8;
    entry *entries = realloc(a->entries, n * sizeof *entries);
    if (entries == NULL)
        return false;
    a->entries = entries;
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
    uint64_t hash = hash_of(0, plan);
    size_t slot = slot_of(a, plan, hash);
    if (a->slots[slot] != 0) {
        entry *e = &a->entries[a->slots[slot] - 1];
        if (count > MAX_COUNT - e->count)
            return dosi_fail(err, DOSI_EINVAL,
                "the total count of a plan must be at most 2^53");
        e->count += count;
    } else {
        a->entries[a->n_entries++] =
            (entry){dosi_plan_retain(plan), hash, count};
        a->slots[slot] = a->n_entries;
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
    free(accountant->slots);
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
