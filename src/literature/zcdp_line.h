/*
 * Concentrated differential privacy with an intercept: (xi, rho)-zCDP bounds
 * the Rényi divergence at every order above 1 by the line xi + rho order.
 * Conversions between the line and (epsilon, delta), each enclosed over all
 * points of the given balls; delta is given and returned by its logarithm.
 *
 * All conversions rest on one statement. With e = eps - xi, m = sqrt(2 rho),
 * a = e/m - m/2 and b = e/m + m/2, the loss is dominated by N(rho, 2 rho)
 * in its moments, and
 *
 *     delta <= exp(-a^2/2) m R(b)       for a >= 0, that is eps >= xi + rho
 *
 * with R the Mills ratio; the weaker rules bound m R(b) from above. Derivation:
 * docs/theory/concentrated.md, section 1.
 *
 * rho = 0 is pure DP at xi: delta is 0 from eps = xi on.
 */
#ifndef DOSI_LITERATURE_ZCDP_LINE_H
#define DOSI_LITERATURE_ZCDP_LINE_H

#include "num/ball.h"

/* xi + rho order; rho >= 0, xi + rho >= 0 (xi may be negative). */
typedef struct cdp_line {
    ball xi;
    ball rho;
} cdp_line;

/* The upper bound used for m R(b), from the weakest to the sharpest. */
typedef enum cdp_rule {
    CDP_SIMPLE,     /* 1 (T003-3.5) */
    CDP_FLAT,       /* m sqrt(pi/2) = sqrt(pi rho); below 1 for rho < 1/pi */
    CDP_RECIPROCAL, /* m / b = 1 / order */
    CDP_ALGEBRAIC, /* 2 m / (b + sqrt(b^2 + 8/pi)), below the three others */
    CDP_SHARP       /* m R(b) itself */
} cdp_rule;

/* ---- The line ---------------------------------------------------------- */

/* xi + rho order. */
ball cdp_divergence(cdp_line line, ball order);

/*
 * The bound -lambda^2 / (4 rho) of log P[Z > lambda + xi + rho]; -inf for
 * rho = 0.
 *
 * requires  lambda >= 0
 */
ball cdp_log_tail(ball rho, ball lambda);

/*
 * The order that minimises the tail bound, (eps - xi + rho) / (2 rho).
 *
 * source  T003-3.5
 */
ball cdp_order(cdp_line line, ball eps);

/* ---- To (epsilon, delta) ----------------------------------------------- */

/*
 * log delta at eps; -inf for rho = 0.
 *
 * requires  eps >= xi + rho
 * source    docs/theory/concentrated.md, section 1
 */
ball cdp_log_delta(cdp_rule rule, cdp_line line, ball eps);

/*
 * The least eps >= xi + rho with cdp_log_delta <= log_delta; xi for rho = 0.
 *
 * requires  log_delta < 0
 * width     near 1e-15 relative to eps - xi, for exact parameters
 */
ball cdp_epsilon(cdp_rule rule, cdp_line line, ball log_delta);

/*
 * sqrt(2 rho) of the largest rho <= eps - xi for which the rule certifies
 * (eps, delta), from gap = eps - xi >= 0; 0 for gap = 0.
 *
 * requires  log_delta < 0; rule other than CDP_FLAT
 */
ball cdp_mu(cdp_rule rule, ball gap, ball log_delta);

/*
 * The sharp rule continued below xi + rho, where P[Z > z] <= 1 is used:
 *     delta <= 1 - exp(eps - xi - rho) (1 - d0),  d0 = m R(m).
 *
 * source  D003-B.2
 */
ball cdp_delta_total(cdp_line line, ball eps);
ball cdp_epsilon_total(cdp_line line, ball delta);

/* The logarithm of the rule's bound of m R(b). */
ball cdp_log_factor(cdp_rule rule, ball m, ball b);

#endif
