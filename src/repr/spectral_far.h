/*
 * Nodes of Poisson-sampled Gaussian noise on a line that is moved to the side
 * where e^{iuZ} decays, in doubles, and their sums in rows. Derivation:
 * docs/theory/spectral.md, section 4. Internal to the spectral files.
 */
#ifndef DOSI_REPR_SPECTRAL_FAR_H
#define DOSI_REPR_SPECTRAL_FAR_H

#include "spectral_part.h"

/* One law on its line, in doubles. */
typedef struct far_line {
    double mu, odds, log_odds, p, alpha, sine, cosine;
    double sign;     /* of the loss in l */
    double constant; /* of log_size */
    double size;     /* of its terms */
    double relative; /* error of odds, and of the constant */
    double growth;   /* alpha^2/(2 mu^2) */
} far_line;

/* A node: its term at u is e^{log_size - u damp + i (u turn + phase)}, and
 * errs by at most fixed + u moving of that. */
typedef struct far_node {
    double log_size, damp, turn, phase, fixed, moving;
} far_node;

/* Whether mu or q is known to fewer digits than doubles have. */
bool spectral_is_vague(const loss *pair);

/* A law at the exponent p of 1 + v, over e^cumulant. */
far_line spectral_far_line(
    const loss *pair, double p, double alpha, double h, ball cumulant);
far_node spectral_far_node(const far_line *f, double xi);

/* >= what a node's term and its share of a sum of n err by, at u >= from. */
double spectral_far_node_error(const far_node *v, double from, size_t n);

/* Room for n nodes, none yet; false without memory. */
bool spectral_far_room(spectral_far *far, size_t n);
void spectral_far_keep(spectral_far *far, const far_node *v, double step);

#endif
