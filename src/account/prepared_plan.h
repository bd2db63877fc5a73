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
    bool made_after_stop; /* some law was made after the work was stopped */
    prepared_route routes[PREPARED_MAX_ROUTES];
} prepared_direction;

typedef struct prepared_plan {
    const dosi_plan *normal; /* borrowed */
    const char *only;        /* a route's name, or NULL */
    work_limits limits;
    const char *stop_reason; /* once the work was stopped; else NULL */
    double width;            /* the caller's, or 0 */
    bool is_curve;         /* many questions follow: not all need every route */
    double n_ahead;        /* about how many questions follow */
    bool is_search;        /* the questions that follow are all needed */
    double share;          /* of the operations left, for one of a search */
    double question_end;   /* of one of a search, in operations */
    double max_cost;       /* operations of the costliest question so far */
    double max_cost_narrow; /* of the costliest that was settled */
    bool reuses;           /* later questions read contours that exist */
    size_t best;           /* the slow route with the best bound on a curve;
                              PREPARED_MAX_ROUTES: not known yet */
    size_t settled_by;     /* the quickest route that settled a question; or
                              PREPARED_MAX_ROUTES */
    bool has_pairs;        /* plan_has_attained_pairs: only they are attained */
    bool skips_pairs;      /* attained pairs are not asked */
    bool guarantee_only;   /* no law is asked for the other end */
    bool is_finite;        /* every step has finitely many losses */
    adaptive_cache ranges; /* what laws of both directions refer to; */
    int n_directions;      /* 1 where both are the same */
    prepared_direction directions[2];
} prepared_plan;

/* One question, and the bounds known for n directions from the first on. */
typedef struct question_state {
    const account_question *q;
    int first, n;
    best_bounds found[2];
} question_state;

/*
 * Prepares a plan for questions.
 *
 * requires  opt as account_options gives them; normal and finite_laws, which
 *           may serve other plans as well, outlive d; d does not move
 * owns      *d, freed with prepared_close
 */
void prepared_open(prepared_plan *d, const dosi_plan *normal,
    const dosi_options *opt, finite_store *finite_laws);

/* Whether every step of a plan has finitely many losses, or a lattice of them
 * if lattices count as well. */
bool prepared_is_discrete(const dosi_plan *normal, bool lattices);

/*
 * Makes the laws of a route if the direction does not hold them yet. They are
 * not cut short by the end of a pass: its operations count from afterwards.
 *
 * requires  index < dosi_route_count()
 * fails     without memory: d->pool.no_memory
 */
void prepared_make_laws(prepared_direction *d, size_t index);

/* Prepares for a question with other options about the plan that is open. The
 * answer is that of a newly prepared plan, unless laws have less to spend. */
void prepared_resume(prepared_plan *d, const dosi_options *opt);
void prepared_close(prepared_plan *d);

/* Drops what earlier questions have left in the laws, such as contours. */
void prepared_forget(prepared_plan *d);

/*
 * Asks routes, cheapest first, until the worse direction is as narrow as the
 * options ask: in all directions that matter, or in one.
 *
 * requires  direction < d->n_directions; q outlives *out
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

/* The share of the operations for the first of two directions: in most cases it
 * suffices to know that the second one is no worse. */
#define FIRST_DIRECTION_SHARE 0.75

/* Announces about n questions. If they would exceed the operations by building
 * a contour each, they read contours that exist. */
void prepared_expect(prepared_plan *d, double n);

/* Announces about n questions that one answer needs all of. One may spend this
 * share of the operations left, on a contour that serves the others; once one
 * is not settled, they share what is left evenly. */
void prepared_expect_search(prepared_plan *d, double n, double share);

/* The bounds of the worst direction of those asked. */
best_bounds prepared_worst(const question_state *w);

/* Whether these bounds are as narrow as the question asks. */
bool prepared_is_narrow(const question_state *w, const prepared_plan *d);

/*
 * Checks that an answer has the width that the options ask for, if wanted > 0.
 *
 * fails  DOSI_EUNABLE
 */
DOSI_CHECK dosi_status account_check_width(
    const dosi_answer *a, double width, double wanted, dosi_error *err);

/* Answers one question about the worse direction, in portfolio.c.
 * fails  as prepared_ask and account_check_width do */
DOSI_CHECK dosi_status account_answer_on(dosi_answer *out, prepared_plan *d,
    const account_question *q, dosi_error *err);

/*
 * Answers one question about one direction.
 *
 * requires  direction < d->n_directions
 * fails     as account_answer_on does
 */
DOSI_CHECK dosi_status account_answer_direction(dosi_answer *out,
    prepared_plan *d, int direction, const account_question *q,
    dosi_error *err);

#endif
