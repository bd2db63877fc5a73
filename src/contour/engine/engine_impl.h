/*
 * The state of a contour engine, and the functions that its files share.
 * Internal to this folder.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H
#define DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H

#include "engine.h"
#include "contour/core/contour.h"

/* The finite law of a part of the reversed pair, or NULL. */
typedef struct contour_atoms {
    finite_law *own;
} contour_atoms;

struct contour_engine {
    contour_parts parts;
    part_request *requests;
    loss_law *laws; /* of the parts: copies */
    work_limits *limits;
    double max_cost; /* of one contour */
    double target_width;  /* of log delta: below it no contour is tried */
    double guess_budget;  /* nodes that guesses may evaluate for a question */
    bool has_contour;
    contour contour;           /* the last one, for epsilons nearby */
    struct contour_kept *kept; /* earlier contours, or NULL */
    ball log_keep;             /* log of the mass that is not at +inf */
    ball largest;              /* the greatest finite loss of the plan */
    bool serves_upper_only;    /* some law bounds the plan from above alone */
    contour_engine *reversed;  /* made when first asked for, or NULL */
    contour_atoms *reversed_laws; /* the laws that it refers to, or NULL */
};

/*
 * The engine of the reversed pair (Q, P); NULL if some part has none here.
 *
 * owns   nothing: *out belongs to s
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_reversed(
    contour_engine **out, contour_engine *s, dosi_error *err);
void contour_free_reversed(contour_engine *s);

/* Frees the last contour, or keeps it where other questions may read it. */
void contour_release_last(contour_engine *s);

/* ---- Contours kept for later questions, in engine_kept.c ----------------- */

/* The width of log delta at which kept contours replace a new one; 0: no
 * contour is kept. */
double contour_reuse(const contour_engine *s);

/* Keeps the last contour. False if it is not kept: the caller frees it. */
bool contour_keep(contour_engine *s);
void contour_free_kept(contour_engine *s);

/*
 * Encloses log delta of the finite part at any epsilon by contours that exist:
 * the last one, then the kept ones, the nearest first, until the interval is as
 * narrow as contour_reuse asks.
 *
 * cost   a few operations for each of their terms
 */
dosi_interval contour_read_kept(const contour_engine *s, double epsilon);

/* Sums up the mass at +inf and the greatest finite loss of the plan. */
void contour_sum_parts(contour_engine *s);

/* Truncates laws for a delta near e^log_delta: the number of draws of one
 * record, and atoms that are too rare to matter. True if a law has changed. */
bool contour_truncate_draws(contour_engine *s, double log_delta);

/* Turns the success of a question into DOSI_ENOMEM if a guess lacked memory,
 * which has only declined a contour. */
DOSI_CHECK dosi_status contour_check_memory(
    dosi_status status, const contour_engine *s, dosi_error *err);

/* Sets how many nodes guesses may evaluate for the next question. */
void contour_set_guess_budget(contour_engine *s);

/* Encloses log delta by the greatest loss alone; false, with [-inf, 0], if
 * epsilon is below it. */
bool contour_beyond_largest(
    dosi_interval *out, const contour_engine *s, double epsilon);

/* Encloses log(delta - mass at +inf), the target of the finite part. False if
 * that decides epsilon, which *out encloses in any case. */
bool contour_finite_target(dosi_interval *target, dosi_interval *out,
    const contour_engine *s, ball delta, ball log_delta);

/* Builds the contour for a saddle point that has been found, at a cost that the
 * engine allows. Without one s->has_contour is false. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status engine_build(contour_engine *s, contour_choice *choice,
    contour_effort effort, dosi_error *err);

/* Encloses log delta of the finite part, by kept contours if they are narrow
 * enough. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status contour_finite_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err);

/* Whether delta(0) is certainly within the target, so that epsilon is 0. False
 * without a contour if an estimate is far above. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status contour_is_zero(
    bool *settled, dosi_interval target, contour_engine *s, dosi_error *err);

/* Whether some record is sampled with a probability within the target, so that
 * epsilon is 0. */
bool contour_is_never_sampled(const contour_engine *s, dosi_interval target);

/* Whether every part has a rule in double-doubles. */
bool contour_has_dd_rules(const contour_engine *s);

/* About the logarithm of the share of delta that single steps with a loss above
 * epsilon contribute. */
double contour_log_one_large_loss(const contour_parts *parts, double epsilon);

/* The share of the greatest cost of a contour in double-doubles, if many may be
 * built or the interval is narrow enough already. */
#define DD_COST_SHARE 0.1

/*
 * Builds a contour in double-doubles for all epsilons from this one on, at a
 * share of the greatest cost. If there is none, it serves those from a greater
 * epsilon on, not far right of where delta is e^log_delta.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_build_dd(contour_engine *s, double epsilon,
    double log_delta, double share, dosi_error *err);

/*
 * Builds a contour in double-doubles at this epsilon, where delta is about
 * e^log_delta and log delta is known up to width.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_build_dd_at(contour_engine *s, double epsilon,
    double log_delta, double width, dosi_error *err);

#endif
