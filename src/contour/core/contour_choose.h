/*
 * Choosing the contour of a plan in plain doubles. Nothing here is certified
 * and nothing needs to be: every choice gives valid bounds in spectral.c, a
 * poor one only costs width or time.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_CHOOSE_H
#define DOSI_CONTOUR_CORE_CONTOUR_CHOOSE_H

#include "base/work_limits.h"
#include "contour/part/part.h"

typedef struct contour_choice {
    double epsilon;      /* that it was chosen for */
    double t;            /* the contour is Re z = t > 0 */
    double step;         /* D, between outer nodes */
    double n_outer;      /* N, outer nodes beyond the real one */
    double n_far;        /* from which on far rules serve, or 0 */
    double alias_right;  /* Chernoff shifts for the two alias sums */
    double alias_left;
    double blur;         /* deviation of the Gaussian that damps, or 0 */
    bool is_fine;        /* in double-doubles, by far rules from 0 on */
    bool is_low;         /* left aliases are known but for losses below eps
                            less a period, by the least one */
    double least;        /* of the plan, or -inf */
    double log_estimate; /* saddle-point guess at log delta */
    double excess;       /* nats that terms are greater for being left of the
                            saddle */
} contour_choice;

typedef struct contour_effort {
    double width;    /* relative, wanted of delta; where only a blur makes it
                        converge this is what it costs */
    double max_cost; /* pairs of outer and inner nodes */
    bool is_scout;   /* a few digits are enough, if more are expensive */
    double tolerance; /* a relative error of delta that is good enough; 0: as
                         fine as doubles allow */
    bool is_finer; /* a blur was too coarse: this one may cost more where that
                      does it, and else */
    bool is_again; /* is of no use, as nothing else is new */
} contour_effort;

/* The parts of a plan with room for what steering learns of them. */
typedef struct contour_parts {
    size_t n;
    contour_part *items;
    work_limits *limits; /* whose operations are counted, or NULL */
} contour_parts;

/* The saddle for a given epsilon, or for a given log delta, with the
 * estimate. False when none was found. */
bool contour_saddle_at_epsilon(
    contour_choice *out, const contour_parts *parts, double epsilon);
bool contour_saddle_at_log_delta(
    contour_choice *out, const contour_parts *parts, double log_delta);

/* Roughly K of the plan and its derivatives; false where a part knows nothing
 * or may not look any further. */
bool contour_total(
    cumulant_guess *out, const contour_parts *parts, double t);

/* phi(t) = K(t) - t eps - log t - log(1 + t) is convex. */
double contour_phi(const cumulant_guess *r, double t, double epsilon);

/* The step between outer nodes, and the shifts of the alias sums, for what
 * these may come to; false where there is none. If it may be, and that is
 * shorter, the period is one for which left aliases are known. */
bool contour_choose_period(contour_choice *c, const contour_parts *parts,
    double log_target, bool may_be_low);

/* The least u up to most that leaves out no more than asked, within a few per
 * cent; wants receives the rotations for it. */
bool contour_choose_outer(double *outer, const contour_choice *c,
    part_request *wants, const contour_parts *parts, double log_target,
    double most);

/* No loss of the plan is below; -inf where there is no such bound. This one is
 * certified: contour.c. */
double contour_least_loss(const contour_parts *parts);

/* Roughly the standard deviation of the loss. */
double contour_spread(const contour_parts *parts);

/*
 * From a saddle to the whole choice; wants receives what each part is to be
 * tilted for. False when the cost would exceed the limit even with a blur of
 * a tenth.
 */
bool contour_choose(contour_choice *choice, part_request *wants,
    const contour_parts *parts, const contour_effort *effort);

/* The same in double-doubles, where every part has a fine rule: for all
 * epsilons from that of the choice on, whose log_estimate is the delta they
 * are wanted for. Where there is none, from the least greater one on, roughly,
 * but last. */
bool contour_choose_fine(contour_choice *choice, double last,
    part_request *wants, const contour_parts *parts,
    const contour_effort *effort);

#endif
