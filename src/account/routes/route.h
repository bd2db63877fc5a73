/*
 * What a route makes of one direction of a plan: laws that bound the plan's own
 * law from above or below. One table a route. How the routes fit together:
 * docs/theory/account.md.
 */
#ifndef DOSI_ACCOUNT_ROUTES_ROUTE_H
#define DOSI_ACCOUNT_ROUTES_ROUTE_H

#include "mechanisms/plan_total.h"

/* What questions have found out about the plan's Renyi curve. */
typedef struct account_curve {
    double order; /* where a bound was last certified, or 0 */
    bool knows_last; /* whether last holds D at the greatest order */
    double last;
} account_curve;

/* One direction of a question: remove or add. */
typedef struct account_view {
    const dosi_plan *normal;
    mechanism_context c;
    account_curve *curve; /* filled on the way */
} account_view;

#define ACCOUNT_MAX_LAWS 24

/* Laws and their relation to the plan's own law. */
typedef struct account_laws {
    size_t n;
    struct {
        const privacy_profile *law;
        bool above; /* it dominates the plan: its end is a guarantee */
        bool below; /* the plan dominates it */
        const char *theorem; /* what the domination rests on */
        int half; /* of a pair and its mirror image: 1 for the one with more
                     to say where beta >= alpha, -1 for the other; else 0 */
        bool is_part; /* of a part alone, or a mere bound: asked last */
        bool is_member; /* below, of members of classes and what is known */
    } items[ACCOUNT_MAX_LAWS];
} account_laws;

/* Adds a law. A law that is NULL or does not fit into the list is ignored,
 * which only widens the answer. */
void account_add(account_laws *laws, const privacy_profile *added, bool above,
    bool below, const char *theorem);

/* Adds a law from both sides, or from above alone if nothing attains it. */
void account_add_exact(account_laws *laws, const privacy_profile *added);

/* Adds a law that the plan dominates, unless nothing attains it. */
void account_add_below(account_laws *laws, const privacy_profile *added);

/* Adds the laws of pairs of data sets in both directions, or of members of
 * classes and of the parts that are known (losses.h), where the plan's own
 * law, or NULL, only dominates it. */
void account_add_pairs(account_laws *laws, const privacy_profile *own,
    const privacy_profile *(*make)(const account_view *view),
    const account_view *view);

/* Adds the bound of a group by a chain of neighbours, from laws of the plan
 * without groups; nothing where groups differ in size. */
void account_add_group(account_laws *laws,
    const privacy_profile *(*make)(const account_view *view),
    const account_view *view);

/* Limits of the question are in view->c.pool->limits: base/work_limits.h. */
typedef struct account_route {
    const char *name;
    void (*laws)(account_laws *out, const account_view *view);
} account_route;

extern const account_route route_closed, route_contour, route_finite,
    route_lists, route_zcdp, route_approx, route_renyi;

/* The theorem of a bound by the plan's Renyi curve; converted: to epsilon
 * and delta. */
const char *account_renyi_theorem(
    const dosi_plan *normal, bool is_converted);

#endif
