/*
 * The accountant: routes turn a plan in normal form into laws that bound its
 * own law from above or below, and the portfolio asks them all. The public
 * functions are in dosimeter.h. How the routes fit together:
 * docs/theory/accounting.md.
 */
#ifndef DOSI_ACCOUNT_ACCOUNT_H
#define DOSI_ACCOUNT_ACCOUNT_H

#include "lower/total.h"

/* The plan's Renyi curve as far as it was asked for. */
typedef struct account_curve {
    double order; /* where a bound was last certified, or 0 */
    bool knows_last; /* D at the greatest order */
    double last;
    bool is_answered; /* the last question, its answer and order */
    bool for_epsilon;
    double argument, bound, bound_order;
} account_curve;

/* One direction of a question: remove or add. */
typedef struct account_view {
    const dosi_plan *normal;
    lower_context c;
    account_curve *curve; /* filled on the way */
} account_view;

#define ACCOUNT_MAX_LAWS 24

/* Laws and what they say of the plan. */
typedef struct account_laws {
    size_t n;
    struct {
        const law *law;
        bool above; /* it dominates the plan: its end is a guarantee */
        bool below; /* the plan dominates it */
        const char *theorem; /* what the domination rests on */
        int half; /* of a pair and its mirror image: 1 for the one with more
                     to say where beta >= alpha, -1 for the other; else 0 */
        bool is_part; /* of a part alone, or a mere bound: asked last */
        bool is_member; /* below, of members of classes and what is known */
    } items[ACCOUNT_MAX_LAWS];
} account_laws;

/* Adds a law; NULL and a full list are passed over. */
void account_add(account_laws *laws, const law *added, bool above, bool below,
    const char *theorem);

/* Adds an exact law from both sides, one that only dominates from above. */
void account_add_exact(account_laws *laws, const law *added);

/* Adds a law that the plan dominates, unless nothing attains it. */
void account_add_below(account_laws *laws, const law *added);

/* Adds the laws of pairs of data sets in both directions, or of members of
 * classes and of the parts that are known (losses.h), where the plan's own
 * law, or NULL, only dominates it. */
void account_add_pairs(account_laws *laws, const law *own,
    const law *(*make)(const account_view *view), const account_view *view);

/* Adds the bound of a group by a chain of neighbours, from laws of the plan
 * without groups; nothing where groups differ in size. */
void account_add_group(account_laws *laws,
    const law *(*make)(const account_view *view), const account_view *view);

/* Limits of the question are in view->c.pool->limits: base/work_limits.h. */
typedef struct account_route {
    const char *name;
    void (*laws)(account_laws *out, const account_view *view);
} account_route;

extern const account_route route_closed, route_spectral, route_finite,
    route_list, route_zcdp, route_approx, route_renyi;

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

/* Checks, and fills in the defaults but for width and max_bytes.
 * fails  DOSI_EINVAL */
DOSI_CHECK dosi_status account_options(
    dosi_options *out, const dosi_options *given, dosi_error *err);

/* Whether the guarantee is the only end that is wanted; of options as they
 * were given, or NULL. */
bool account_wants_guarantee(const dosi_options *given);

/* The relation that a question about the plan is asked under. */
dosi_neighbours account_relation(
    const dosi_plan *plan, dosi_neighbours asked);

/* The normal form under a relation: a Poisson sample of everything is gone.
 * requires  no hole */
DOSI_CHECK dosi_status account_normal(const dosi_plan **out,
    const dosi_plan *plan, dosi_neighbours neighbours, dosi_error *err);

/* Makes something of one part. */
typedef dosi_status (*account_make_part)(const dosi_plan **out,
    const part *p, const void *context, dosi_error *err);

/* The plan with every part made anew, not in normal form. */
DOSI_CHECK dosi_status account_remake(const dosi_plan **out,
    const dosi_plan *normal, account_make_part make, const void *context,
    dosi_error *err);

/* The least slope of a line above the plan's Renyi curve. */
typedef struct account_line {
    dosi_interval rho;
    const char *theorem;
} account_line;

/* What a bound by the plan's Renyi curve rests on; converted: to epsilon
 * and delta. */
const char *account_renyi_theorem(
    const dosi_plan *normal, bool is_converted);

/* At the intercept xi, in one direction; an infinite end has its reason in
 * the pool. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status account_least_rho(account_line *out,
    const account_view *view, double xi, dosi_error *err);

/* Answers by all routes, or by the one that options name. */
DOSI_CHECK dosi_status account_answer(dosi_answer *out,
    const dosi_plan *plan, const account_question *question,
    const dosi_options *options, dosi_error *err);

/* The same for n questions about one plan, which is lowered once. */
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

/* Lists what the accountant could not check. */
void account_assumptions(dosi_answer *out, const dosi_plan *normal);

#endif
