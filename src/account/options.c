/*
 * The table of routes, and the options of a question: a caller's struct may
 * be older than this library, and then ends sooner.
 */
#include "account.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plan/kinds.h"

/* Operations of a pass over a route that may take long: of the first pass,
 * which settles most questions, and of the second. */
#define CONTOUR_FIRST_OPERATIONS 8e7
#define CONTOUR_SECOND_OPERATIONS 3e8
#define LIST_FIRST_OPERATIONS 1.5e8

/* Cheapest first; finite follows contour, and may be asked before it. */
static const account_route_row rows[] = {
    {&route_closed, true, true, true, true, {HUGE_VAL, 0},
        "one mechanism, all Gaussian, or equal steps: a closed form"},
    {&route_approx, false, true, true, false, {HUGE_VAL, 0},
        "(epsilon, delta) or total variation of the steps, added up"},
    {&route_contour, true, false, false, false,
        {CONTOUR_FIRST_OPERATIONS, CONTOUR_SECOND_OPERATIONS},
        "a contour integral over the cumulants of the losses"},
    {&route_finite, true, false, false, true, {HUGE_VAL, 0},
        "every step as a finite law or a Gaussian, enumerated"},
    {&route_lists, true, false, false, false, {LIST_FIRST_OPERATIONS, HUGE_VAL},
        "every step's loss as a list of masses, composed directly"},
    {&route_zcdp, false, true, true, false, {HUGE_VAL, 0},
        "the sum of the steps' zCDP"},
    {&route_renyi, false, false, true, false, {HUGE_VAL, 0},
        "the sum of the steps' Renyi curves at the best real order"},
};

#define N_ROUTES (sizeof rows / sizeof *rows)

const account_route_row *account_route_at(size_t index)
{
    return &rows[index];
}

size_t dosi_route_count(void)
{
    return N_ROUTES;
}

dosi_route_info dosi_route_at(size_t index)
{
    return (dosi_route_info){rows[index].route->name, rows[index].meaning};
}

/* Other words for routes. Old names go with the next release. */
static const struct {
    const char *word;
    const account_route *route;
} route_words[] = {
    {"closed_form", &route_closed},
    {"rdp", &route_renyi},
    {"spectral", &route_contour}, /* old */
    {"list", &route_lists}, /* old */
    {"grid", &route_lists}, /* old */
};

/* Whether a and b are the same word, except for case and "-", " " and "_". */
static bool same_word(const char *a, const char *b)
{
    for (;; a++, b++) {
        char c = *a == '-' || *a == ' ' ? '_' : *a;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != *b)
            return false;
        if (c == '\0')
            return true;
    }
}

/* The name of the route that a word means, or NULL. */
static const char *find_route(const char *word)
{
    for (size_t i = 0; i < N_ROUTES; i++)
        if (same_word(word, rows[i].route->name))
            return rows[i].route->name;
    for (size_t i = 0; i < sizeof route_words / sizeof *route_words; i++)
        if (same_word(word, route_words[i].word))
            return route_words[i].route->name;
    return NULL;
}

static dosi_status check_route(const char **given, dosi_error *err)
{
    char names[128] = "";
    size_t used = 0;

    const char *known = *given != NULL ? find_route(*given) : NULL;
    if (known != NULL || *given == NULL) {
        *given = known;
        return DOSI_OK;
    }
    for (size_t i = 0; i < N_ROUTES && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, ", %s",
            rows[i].route->name);
    return dosi_fail(err, DOSI_EINVAL,
        "route must be one of %s; got \"%.40s\"", names + 2, *given);
}

dosi_status account_options(
    dosi_options *out, const dosi_options *given, dosi_error *err)
{
    *out = (dosi_options)DOSI_OPTIONS_INIT;
    if (given != NULL) {
        if (given->size < sizeof given->size || given->size > sizeof *out)
            return dosi_fail(err, DOSI_EINVAL,
                "options: size must be that of DOSI_OPTIONS_INIT");
        memcpy(out, given, given->size);
        out->size = sizeof *out;
    }
    if (out->neighbours != DOSI_ADD_REMOVE &&
        out->neighbours != DOSI_REPLACE && out->neighbours != DOSI_NATURAL)
        return dosi_fail(err, DOSI_EINVAL,
            "options: neighbours must be add_remove, replace or natural");
    if (!(out->width >= 0 && out->width < HUGE_VAL)) /* also rejects NaN */
        return dosi_fail(err, DOSI_EINVAL,
            "width must be positive and finite, got %g", out->width);
    if (!(out->max_operations >= 0)) /* also rejects NaN */
        return dosi_fail(err, DOSI_EINVAL,
            "max_operations must be non-negative, got %g",
            out->max_operations);
    if (out->max_operations == 0)
        out->max_operations = WORK_OPERATIONS *
            (out->width > 0 &&
            out->width < WORK_WIDTH ? WORK_NARROW_BUDGETS : 1);
    if (out->max_terms == 0)
        out->max_terms = (size_t)1 << 20;
    return check_route(&out->route, err);
}

dosi_neighbours account_relation(
    const dosi_plan *plan, dosi_neighbours asked)
{
    return asked != DOSI_NATURAL ? asked : dosi_kind_natural(plan);
}
