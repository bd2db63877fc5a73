/*
 * A prepared plan: its directions with their laws, which are made when a route
 * is first asked and kept for every further question.
 */
#ifndef DOSI_ACCOUNT_PREPARED_PLAN_H
#define DOSI_ACCOUNT_PREPARED_PLAN_H

#include "mechanisms/finite_cache.h"
#include "mechanisms/exponential/adaptive_cache.h"
#include "best_bounds.h"

#define PREPARED_MAX_ROUTES 16

/* The laws that a route made for one direction. */
typedef struct prepared_route {
    bool made;
    const char *reason; /* why it is no exact law, or NULL */
    account_laws laws;
} prepared_route;

/* Removal comes first. */
typedef struct prepared_direction {
    account_view view;
    profile_pool pool;
    account_curve curve;
    bool is_cut; /* some law was made after the work was stopped */
    prepared_route routes[PREPARED_MAX_ROUTES];
} prepared_direction;

typedef struct prepared_plan {
    const dosi_plan *normal; /* borrowed */
    const char *only;        /* a route's name, or NULL */
    work_limits limits;
    const char *stop_reason; /* once the work was stopped; else NULL */
    double width;            /* the caller's, or 0 */
    bool is_curve;         /* many questions follow: not all need every route */
    double n_ahead;        /* of them, about */
    double dearest;        /* operations of the question that took most */
    double dearest_narrow; /* of those that were settled */
    bool reuses;           /* they are read from what earlier ones built */
    size_t best;           /* the slow route that bounds best, then; or none */
    size_t settled_by;     /* the quickest that did; or PREPARED_MAX_ROUTES */
    bool has_pairs;        /* plan_has_attained_pairs: only they are attained */
    bool skips_pairs;      /* of pairs the guarantee alone is wanted; */
    bool guarantee_only;   /* of every law */
    bool is_finite;        /* every step has finitely many losses */
    adaptive_cache ranges; /* what laws of both directions refer to; */
    int n_directions;      /* 1 where both are the same */
    prepared_direction directions[2];
} prepared_plan;

/* One question, and what is known of it in some of the directions. */
typedef struct question_state {
    const account_question *q;
    int first, n;
    best_bounds found[2];
} question_state;

/* opt as account_options gives them; d must not move. The finite laws, which
 * may serve other plans as well, and the plan outlive it. */
void prepared_open(prepared_plan *d, const dosi_plan *normal,
    const dosi_options *opt, finite_store *finite_laws);

/* Whether every step of a plan has finitely many losses, or a lattice of them
 * if lattices count as well. */
bool prepared_is_discrete(const dosi_plan *normal, bool lattices);

/* Makes the laws of a route, once, if the direction does not hold them yet.
 * What is kept is not cut short by the end of a visit, which begins after
 * it. */
void prepared_lower(prepared_direction *d, size_t index);

/* The next question, with other options, about the plan that is open. Its
 * answer is that of a newly prepared plan, unless laws have less to spend. */
void prepared_resume(prepared_plan *d, const dosi_options *opt);
void prepared_close(prepared_plan *d);

/* Lets the laws forget what earlier questions have left in them. */
void prepared_forget(prepared_plan *d);

/*
 * Asks routes, cheapest first, until the worse direction is as narrow as it
 * is wanted: of all directions that matter, or of one.
 *
 * fails  DOSI_EUNABLE when routes contradict each other, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status prepared_ask(question_state *out, prepared_plan *d,
    const account_question *q, dosi_error *err);
DOSI_CHECK dosi_status prepared_ask_direction(question_state *out,
    prepared_plan *d, int direction, const account_question *q,
    dosi_error *err);

typedef dosi_status (*prepared_work)(
    prepared_plan *d, void *context, dosi_error *err);

/*
 * Checks options and plan, and does the work with the prepared plan: one of
 * the cache that the options name, or a new one. In cache.c.
 *
 * fails  as the questions of dosimeter.h, and as the work does
 */
DOSI_CHECK dosi_status prepared_use(prepared_work work, void *context,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

/* Announces n questions, about: where they would spend more than there is if
 * each of them built its own contours, they read those that there are. */
void prepared_expect(prepared_plan *d, double n);

/* The worst direction of those asked. */
best_bounds prepared_worst(const question_state *w);

/* Whether it is as narrow as it is wanted. */
bool prepared_is_narrow(const question_state *w, const prepared_plan *d);

/* A width that is wanted, above 0, is a duty. fails  DOSI_EUNABLE */
DOSI_CHECK dosi_status account_check_width(
    const dosi_answer *a, double width, double wanted, dosi_error *err);

/* The answer to one question; in portfolio.c. */
DOSI_CHECK dosi_status account_answer_on(dosi_answer *out, prepared_plan *d,
    const account_question *q, dosi_error *err);

/* The answer for one direction alone, of those that the plan has. */
DOSI_CHECK dosi_status account_answer_direction(dosi_answer *out,
    prepared_plan *d, int direction, const account_question *q,
    dosi_error *err);

#endif
