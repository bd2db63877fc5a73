/*
 * Parts of three kinds, composed: Gaussian ones, sampled or not, by their
 * profile, which contours know (profile_table.h); finite ones by all sums of
 * their atoms; and the others, whose losses are bounded, on a lattice. With
 * Z_A the loss of the latter two,
 *
 *     delta(eps) = E[delta_B(eps - Z_A)],
 *
 * a sum of what is positive: no digits are lost however rare a jump is, and
 * nothing of the Gaussian parts has to fit a lattice. Derivation:
 * docs/theory/grid.md, section 10. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_BESIDE_H
#define DOSI_REPR_GRID_BESIDE_H

#include "grid_engine.h"
#include "grid_total.h"
#include "profile_table.h"
#include "rare_atoms.h"

/* The others on a lattice: P-masses of loss first + i h, in the unit of their
 * side; a single one of loss 0 where there are none. */
typedef struct beside_points {
    size_t n;
    size_t from; /* the first of the window's points */
    double first, h;
    double *weight; /* e^(-tilt (i - n/2)) */
    bool with_q;
    double *masses[3]; /* at most, and at least; n each. With_q: of Q, at
                          most, times e^loss, in the second one's unit */
    ball log_unit[2];
    double error[3];             /* of the masses over weights, in l2 */
    double tail_lo[2], tail_hi[2]; /* as of grid_side */
    double inf[2];
    double slack; /* losses are off by no more */
    double *sums; /* n: of values over the atoms */
    double *paid[2]; /* with_q: of what tests pay for them; at least, at most */
} beside_points;

struct grid_beside {
    profile_table *table;
    rare_atoms finite; /* all runs of finite parts that are not there */
    loss *rest;    /* the parts on the lattice */
    size_t n_rest;
    beside_points points;
    double *share;   /* of the width, by the intervals of the table */
    unsigned *parts; /* into which these are to be split */
    size_t room;     /* of both */
    double epsilon;   /* where it was asked last */
    double slope;     /* of -log delta there */
    double log_delta; /* roughly */
    bool is_poor; /* there, most of it is what the transform may err by */
    work_limits *limits;
};

/* Whether there are Gaussian parts, and others beside them, all of these
 * kinds; or finite ones alone. */
bool grid_beside_applies(const loss *parts, size_t n);

/*
 * For deltas near e^log_delta. *out is NULL without an error where it does not
 * apply, or the profile is not known.
 *
 * owns   *out, freed with grid_beside_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status grid_beside_new(grid_beside **out, const loss *parts,
    size_t n, double log_delta, work_limits *limits, dosi_error *err);
void grid_beside_free(grid_beside *b); /* accepts NULL */

/* Takes the parts on the lattice; none (NULL) is a single point. */
DOSI_CHECK dosi_status grid_beside_load(
    grid_beside *b, const grid_total *total, dosi_error *err);

/* What is below that loss on the lattice does not matter at epsilon. */
double grid_beside_least(const grid_beside *b, double epsilon);

/* As grid_end of grid_ask.h. */
double grid_beside_end(
    const void *of, double epsilon, bool up, double *slope);

/* Meets e->best with what parts like these say of its question, at whose place
 * e->at is.
 *
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status grid_beside_answer(
    grid_engine *e, const loss *parts, size_t n, dosi_error *err);

/* Adds knots where they make up more than a share of the width at epsilon. */
DOSI_CHECK dosi_status grid_beside_settle(
    grid_beside *b, double epsilon, double share, dosi_error *err);

/* Looks at an epsilon, for what follows. */
void grid_beside_look(grid_beside *b, double epsilon);

/* log of the greatest e^(-t Z) delta_B over delta, where it looked last: with
 * the cumulant at t, how many nats of digits a tilt of t leaves unused. */
double grid_beside_log_most(const grid_beside *b, double t);

/* Answers the question with what was loaded; the guess steers. */
DOSI_CHECK dosi_status grid_beside_ask(dosi_interval *out, grid_beside *b,
    const grid_question *q, double guess, dosi_error *err);

#endif
