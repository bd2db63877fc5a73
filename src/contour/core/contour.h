/*
 * One certified contour of a plan: the terms of the trapezoid sum, and bounds
 * of aliasing and truncation. Nothing here depends on epsilon, so that one
 * contour serves all epsilons near the one it was chosen for. Internal to the
 * contour folders and to literature. Derivation: docs/theory/contour.md,
 * section 1.
 */
#ifndef DOSI_CONTOUR_CORE_CONTOUR_H
#define DOSI_CONTOUR_CORE_CONTOUR_H

#include "contour_choose.h"

/* Terms of the sum at eps_0, the epsilon the contour was chosen for: term n =
 * 0..N is e^{K(z) - K(t) - i u eps_0} times a kernel, z = t + iu, u = n D, and
 * the first is halved. */
typedef struct contour_terms {
    double *re, *im;
    double *size; /* of the factors, >= |re|, |im| */
    double error; /* of all terms together */
} contour_terms;

typedef struct contour {
    contour_choice choice;
    ball cumulant;              /* K(t) of the plan */
    size_t n;                   /* number of terms */
    contour_terms upper, lower; /* differ only with smoothing */
    double *storage;
    disc *dd_terms; /* the terms in double-doubles, else NULL */
    /* bounds of the truncation error, over e^{K(t) - t eps} */
    double truncation_upper, truncation_lower;
    ball log_alias[2]; /* right and left aliasing, without e^{-u eps} */
    bool has_floor; /* log delta at floor_at is at least log_floor */
    double floor_at, log_floor;
} contour;

/*
 * Tilts the parts and builds the contour. *found is false, and nothing is held,
 * if the bounds came out useless or the work was stopped.
 *
 * owns      the arrays of c, freed with contour_free
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_build(contour *c,
    bool *found, const contour_parts *parts, const part_request *wants,
    const contour_choice *choice, work_limits *limits,
    dosi_error *err);

/* Frees the arrays of a contour; accepts one of zeros. */
void contour_free(contour *c);

/* Makes room for the terms; false without memory. */
bool contour_make_room(contour *c);

/* Sets term n: the power, rotated by eps_0, times the kernel. */
void contour_set_term(contour *c, size_t n, disc power);

/* Encloses the centre of the powers of the whole plan less epsilon, for the
 * shifted rules or for those on the real line. */
ball contour_centre(
    const contour *c, const contour_parts *parts, bool far);

/*
 * Makes all terms; *found is false if the work was stopped.
 *
 * cost      in operations: 15000 for each part and row of DISC_ROW terms,
 *           and 12 for each node of the part
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status contour_fill(bool *found,
    contour *c, const contour_parts *parts, work_limits *limits,
    dosi_error *err);

/*
 * log C(s) = s log s - (s+1) log(s+1): (1 - e^-x)_+ <= C(s) e^(sx).
 *
 * requires  s >= 0
 */
ball contour_log_kernel(ball s);

/*
 * Encloses log delta of the finite part of the law at epsilon, within [-inf,
 * 0].
 *
 * cost      O(n) for n terms; no allocation
 */
dosi_interval contour_read(
    const contour *c, double epsilon);

#endif
