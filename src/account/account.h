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
    bool is_tight;       /* if the answer is wide, its reason says why */
    bool is_quick;       /* it is asked at every point of a curve */
    bool is_last_resort; /* it is asked after the work was stopped as well */
    bool has_parts;      /* it has laws of single parts, asked last */
    double pass_operations[2]; /* of the first pass over the routes and, if the
                         answer is still wide, of the second; 0: none */
    const char *meaning;
} account_route_row;

/*
 * The row of a route in the table of options.c.
 *
 * requires  index < dosi_route_count()
 * owns      nothing: the row is static
 */
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
    ball delta, log_delta; /* where ACCOUNT_EPSILON asks for epsilon */
    double argument;       /* epsilon, alpha, order or xi, of other kinds */
} account_question;

/*
 * Checks options, which may be NULL, and fills in the defaults except for width
 * and max_bytes.
 *
 * fails  DOSI_EINVAL
 */
DOSI_CHECK dosi_status account_options(
    dosi_options *out, const dosi_options *given, dosi_error *err);

/* The relation that a question about the plan is asked under. */
dosi_neighbours account_relation(
    const dosi_plan *plan, dosi_neighbours asked);

/* The least slope of a line above the plan's Renyi curve. */
typedef struct account_line {
    dosi_interval rho;
    const char *theorem;
} account_line;

/*
 * Encloses the least rho of a line rho alpha + xi above the Renyi curve of one
 * direction. If an end is infinite, the pool holds the reason.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status account_least_rho(account_line *out,
    const account_view *view, double xi, dosi_error *err);

/* Epsilon at delta 0, in pure_question.c. fails  as account_answers does */
DOSI_CHECK dosi_status account_pure_epsilon(dosi_answer *out,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

/*
 * Answers n questions about one plan, which is prepared once, by all routes or
 * by the one that options name. What a question builds serves the later ones.
 *
 * requires  room for n answers; the questions have been checked
 * width     as options ask, 1e-6 by default, where the routes attain it
 * fails     as the questions of dosimeter.h do
 */
DOSI_CHECK dosi_status account_answers(dosi_answer *out, size_t n,
    const dosi_plan *plan, const account_question *questions,
    const dosi_options *options, dosi_error *err);

/* One question, with the lower end of the plan's mechanisms alone where that
 * helps. */
DOSI_CHECK dosi_status account_answer(dosi_answer *out, const dosi_plan *plan,
    const account_question *question, const dosi_options *options,
    dosi_error *err);

/*
 * Refuses plans with samplers that have no theorem under the relation, with
 * the reason and the nearest alternative.
 *
 * fails  DOSI_EUNSUPPORTED
 */
DOSI_CHECK dosi_status account_refuse(
    const dosi_plan *normal, dosi_neighbours neighbours, dosi_error *err);

/* Who attains the plan's own law: a mechanism, or only some member of a class.
 * The weakest statement about any of its parts counts. */
attainment account_attained(const dosi_plan *normal);

/* Whether the work ended before the answer was narrow. */
bool account_is_cut_short(const dosi_answer *answer);

/* Writes the assumptions to *out that the accountant could not check. */
void account_assumptions(dosi_answer *out, const dosi_plan *normal);

#endif
