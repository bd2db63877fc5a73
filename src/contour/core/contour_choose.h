/*
 * Choice of the contour of a plan in plain doubles. Nothing here is certified
 * unless it says so: every choice gives valid bounds in contour.c, a poor one
 * costs width or time. Derivation: docs/theory/contour.md, section 7.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_CHOOSE_H
#define DOSI_CONTOUR_CORE_CONTOUR_CHOOSE_H

#include "base/work_limits.h"
#include "contour/part/part.h"

/* One contour Re z = t with its trapezoid rule. */
typedef struct contour_choice {
    double epsilon;       /* the epsilon it was chosen for */
    double t;             /* the tilt, > 0 */
    double step;          /* D, between outer nodes */
    double n_outer;       /* N, outer nodes beyond the real one */
    double first_shifted; /* the first node of shifted rules, or 0 */
    double alias_right;   /* shift a of the bound of right aliasing */
    double smoothing_sigma; /* of the Gaussian, or 0: no smoothing */
    bool use_dd;            /* in double-doubles, by shifted rules from 0 on */
    double log_estimate;    /* saddle-point estimate of log delta */
    /* nats by which terms are greater for being left of the saddle point */
    double excess;
} contour_choice;

/* What a contour may cost and what it must deliver. */
typedef struct contour_effort {
    /* relative, wanted of delta; sets smoothing_sigma if smoothing is needed */
    double width;
    double max_cost;        /* pairs of outer and inner nodes */
    double cost_factor;     /* of the engine's greatest cost; 0: 1 */
    bool accept_few_digits; /* a few digits suffice if more are expensive */
    /* a relative error of delta that suffices; 0: the least that doubles
     * allow */
    double tolerance;
} contour_effort;

/* The parts of a plan with what guesses learn of them. */
typedef struct contour_parts {
    size_t n;
    contour_part *items;
    work_limits *limits; /* counts operations; may be NULL */
} contour_parts;

/*
 * Finds the saddle point for a given epsilon, or for a given log delta, and the
 * estimate of log delta there. False if none was found.
 *
 * cost      at most some 270 evaluations of contour_total, mostly some dozen
 */
bool contour_saddle_at_epsilon(
    contour_choice *out, const contour_parts *parts, double epsilon);
bool contour_saddle_at_log_delta(
    contour_choice *out, const contour_parts *parts, double log_delta);

/* Guesses K of the plan and its derivatives; false if a part has no guess or
 * its budget is spent. */
bool contour_total(
    cumulant_guess *out, const contour_parts *parts, double t);

/* Counts the operations that guesses have spent on the sketch of a part. */
void contour_count_guesses(const contour_parts *parts, contour_part *p);

/* phi(t) = K(t) - t eps - log t - log(1 + t), which is convex: the exponent of
 * the integrand. */
double contour_phi(const cumulant_guess *r, double t, double epsilon);

/* Chooses the step between outer nodes, and the shift of the bound of right
 * aliasing, for a target of both aliasing bounds; false if there is none. */
bool contour_choose_period(
    contour_choice *c, const contour_parts *parts, double log_target);

/* Chooses the least u <= most beyond which the truncation error is at most the
 * target, within a few per cent; wants receives the shifts of the decay bounds
 * for it. */
bool contour_choose_outer(double *outer, const contour_choice *c,
    part_request *wants, const contour_parts *parts, double log_target,
    double most);

/* Guesses the standard deviation of the loss; NaN without a guess. */
double contour_spread(const contour_parts *parts);

/*
 * Completes the choice from a saddle point; wants receives the request to each
 * part. False if the cost exceeds the limit even with a smoothing_sigma of 0.3.
 */
bool contour_choose(contour_choice *choice, part_request *wants,
    const contour_parts *parts, const contour_effort *effort);

/* Chooses a contour in double-doubles for plans whose parts all have a rule of
 * that kind: it serves all epsilons from choice->epsilon on, and
 * choice->log_estimate is the delta they are wanted for. If there is none, it
 * is about the smallest epsilon above for which there is one, up to last. */
bool contour_choose_dd(contour_choice *choice, double last,
    part_request *wants, const contour_parts *parts,
    const contour_effort *effort);

#endif
