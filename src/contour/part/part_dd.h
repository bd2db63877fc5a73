/*
 * Node rules in double-doubles on a shifted line, for mixtures of shifted
 * Gaussian noise. Internal to the spectral files.
 */
#ifndef DOSI_CONTOUR_PART_PART_DD_H
#define DOSI_CONTOUR_PART_PART_DD_H

#include "part.h"

#define FINE_MOST_NODES 20000 /* of a rule, before any are left out */

/* Fills a rule node by node: at most so many; each by its term at u = 0 and
 * what its factor from one outer node to the next, of modulus at most 1,
 * differs from 1 by; then what the rule errs by at any u >= 0. Nodes whose
 * terms stop counting first come last. begin is false without memory, end where
 * the rule came out useless. */
bool dd_rule_begin(dd_rule *fine, size_t most, double digits);
void dd_rule_keep(dd_rule *fine, disc start, disc change);
bool dd_rule_end(dd_rule *fine, double error);

/* The argument of side + i top, within pi, of the given modulus. */
ball dd_rule_argument(ball top, ball side, ball modulus);

/* e^(log_size + i angle). */
disc dd_rule_turn(ball log_size, ball angle);

/* e^(log_size + i angle) - 1, with relative accuracy near 0. */
disc dd_rule_change(ball log_size, ball angle);

/* chi(u)^count at u = n want.step, centred by far_mean, or by mean where there
 * is none; to be called for n = 0, 1, ... in turn. */
disc dd_rule_next_power(contour_part *self, double n);

#endif
