/*
 * A contour with its bounds: everything of the spectral route that does not
 * depend on epsilon, so that one contour serves all the epsilons near the one
 * it was chosen for. Internal to the spectral files.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_H
#define DOSI_CONTOUR_CORE_CONTOUR_H

#include "contour_choose.h"

/* Terms of the sum at eps_0, the epsilon the contour was chosen for: the
 * n-th, n = 0..N, is e^{K(z) - K(t) - i u eps_0} times a kernel, z = t + iu,
 * u = n D, and the first is halved. */
typedef struct contour_terms {
    double *re, *im;
    double *size;  /* of the factors, >= |re|, |im| */
    double error;  /* of all the terms together */
} contour_terms;

typedef struct contour {
    contour_choice choice;
    ball cumulant; /* K(t) of the plan */
    size_t n;      /* terms */
    contour_terms upper, lower; /* the same but for a blur */
    double *storage;
    disc *fine; /* the terms in double-doubles, else NULL */
    double cut_upper, cut_lower; /* left out, over e^{K(t) - t eps} */
    ball log_alias[2];           /* right and left, but for e^{-u eps} */
    bool is_low; /* left aliases are known but for what log_alias bounds, or
                    the least loss if the choice says so */
    bool has_far; /* that, and log_far: both bound what is not known */
    ball log_far; /* but for e^eps */
    double least; /* no loss is below, or -inf */
    ball mass_p, mass_q; /* then: of the law, and of e^-Z */
    bool has_floor; /* log delta at an epsilon is known to be at least this */
    double floor_at, log_floor;
} contour;

/*
 * Tilts the parts and builds the contour; *found is false, and nothing is
 * held, when its bounds came out useless or it was stopped.
 *
 * owns   what c points to, released with contour_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_build(contour *c,
    bool *found, const contour_parts *parts, const part_request *wants,
    const contour_choice *choice, work_limits *limits,
    dosi_error *err);

void contour_free(contour *c);

/* ---- For contours that are built otherwise ----------------------------- */

/* Room for the terms; false without memory. */
bool contour_make_room(contour *c);

/* Sets the n-th term: the power, turned by eps_0, times the kernel. */
void contour_put(contour *c, size_t n, disc power);

/* What powers are centred by, for the whole plan, less epsilon. */
ball contour_drift(
    const contour *c, const contour_parts *parts, bool far);

/* All terms; *found is false when it was stopped. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status contour_fill(bool *found,
    contour *c, const contour_parts *parts, work_limits *limits,
    dosi_error *err);

/* log C(s) = s log s - (s+1) log(s+1), s >= 0: (1 - e^-x)_+ <= C(s) e^(sx). */
ball contour_log_kernel(ball s);

/* log of an alias bound but for e^{-(t+a) eps}: of what has moments of at most
 * e^log_m at t + a >= 0; with t + a <= -1 of what low contours do not know of
 * their left aliases. */
ball contour_log_alias(
    const contour_choice *choice, double a, ball log_m);

/* log delta of the finite part at epsilon; within [-inf, 0]. */
dosi_interval contour_read(
    const contour *c, double epsilon);

#endif
