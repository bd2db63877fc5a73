/*
 * Node rules in double-doubles on a shifted line of integration, for mixtures
 * of shifted Gaussian noise. Internal to the contour folders. Derivation:
 * docs/theory/contour.md, section 4.
 */
#ifndef DOSI_CONTOUR_PART_PART_DD_H
#define DOSI_CONTOUR_PART_PART_DD_H

#include "part.h"

#define DD_MAX_NODES 20000 /* before terms are dropped */

/*
 * Fills a rule node by node: dd_rule_begin makes room for at most max nodes;
 * dd_rule_add_node takes a node's term at u = 0 and the difference from 1 of
 * its factor from u to u + D, whose modulus is at most 1; dd_rule_end takes the
 * error of the rule at any u >= 0. Nodes whose terms vanish first come last.
 *
 * owns      rule->storage, freed with the part
 * fails     dd_rule_begin is false without memory, dd_rule_end if the bounds
 *           came out useless
 */
bool dd_rule_begin(dd_rule *rule, size_t most, double digits);
void dd_rule_add_node(dd_rule *rule, disc start, disc change);
bool dd_rule_end(dd_rule *rule, double error);

/* Encloses the argument of side + i top in (-pi, pi], given its modulus. */
ball dd_rule_argument(ball top, ball side, ball modulus);

/* Encloses e^(log_size + i angle). */
disc dd_rule_exp(ball log_size, ball angle);

/* Encloses e^(log_size + i angle) - 1, with relative accuracy near 0. */
disc dd_rule_expm1(ball log_size, ball angle);

/*
 * Encloses chi(u)^count at u = n step, centred by shifted_mean, or by mean if
 * there is none.
 *
 * requires  calls with n = 0, 1, ... in turn, or from n on after dd_rule_skip
 */
disc dd_rule_next_power(contour_part *self, double n);

/* Advances the terms of a new rule from u = 0 to u = n step. */
void dd_rule_skip(contour_part *self, double n);

#endif
