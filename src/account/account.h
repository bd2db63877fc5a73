/*
 * The accountant: routes turn a plan in normal form into laws that bound its
 * own law from above or below, and the portfolio asks them all. The public
 * functions are in dosimeter.h. How the routes fit together:
 * docs/theory/account.md.
 */
#ifndef DOSI_ACCOUNT_ACCOUNT_H
#define DOSI_ACCOUNT_ACCOUNT_H

#include "mechanisms/plan_normal.h"
#include "account/routes/route.h"

/* One row of the table of routes, in options.c. */
typedef struct account_route_row {
    const account_route *route;
    bool is_tight; /* its reason is why an answer is wide */
    bool is_quick; /* asked at every point of a curve */
    bool is_last_resort; /* asked after the work was stopped as well */
    bool has_parts; /* some of its laws are asked last */
    double visits[2]; /* operations of a first and, where all routes left the
                         answer wide, of a second one; 0: no visit */
    const char *meaning;
} account_route_row;

/* index < dosi_route_count() */
const account_route_row *account_route_at(size_t index);

/* ---- Questions --------------------------------------------------------- */

typedef enum account_kind {
    ACCOUNT_EPSILON,
    ACCOUNT_DELTA,
    ACCOUNT_TRADEOFF,
    ACCOUNT_RENYI,
    ACCOUNT_ZCDP
} account_kind;

typedef struct account_question {
    account_kind kind;
    ball delta, log_delta; /* epsilon at */
    double argument;       /* epsilon, alpha, order or xi */
} account_question;

/* Checks, and fills in the defaults except for width and max_bytes.
 * fails  DOSI_EINVAL */
DOSI_CHECK dosi_status account_options(
    dosi_options *out, const dosi_options *given, dosi_error *err);

/* Whether the guarantee is the only end that is wanted; of options as they
 * were given, or NULL. */
bool account_wants_guarantee(const dosi_options *given);

/* The relation that a question about the plan is asked under. */
dosi_neighbours account_relation(
    const dosi_plan *plan, dosi_neighbours asked);

/* The least slope of a line above the plan's Renyi curve. */
typedef struct account_line {
    dosi_interval rho;
    const char *theorem;
} account_line;

/* At the intercept xi, in one direction; an infinite end has its reason in
 * the pool. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status account_least_rho(account_line *out,
    const account_view *view, double xi, dosi_error *err);

/* Answers by all routes, or by the one that options name. */
DOSI_CHECK dosi_status account_answer(dosi_answer *out,
    const dosi_plan *plan, const account_question *question,
    const dosi_options *options, dosi_error *err);

/* Epsilon at delta 0, in pure_question.c. fails  as account_answer does */
DOSI_CHECK dosi_status account_pure_epsilon(dosi_answer *out,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

/* Answers n questions about one plan, which is prepared once. */
DOSI_CHECK dosi_status account_answers(dosi_answer *out, size_t n,
    const dosi_plan *plan, const account_question *questions,
    const dosi_options *options, dosi_error *err);

/*
 * Refuses plans with samplers that have no theorem under the relation, with
 * the reason and the nearest alternative.
 *
 * fails  DOSI_EUNSUPPORTED
 */
DOSI_CHECK dosi_status account_refuse(
    const dosi_plan *normal, dosi_neighbours neighbours, dosi_error *err);

/* Who attains the plan's own law: the worst of its parts. */
attainment account_attained(const dosi_plan *normal);

/* Lists what the accountant could not check. */
void account_assumptions(dosi_answer *out, const dosi_plan *normal);

#endif
