#include "leaf.h"

#include <math.h>

/* Whether a b = c d exactly, for finite numbers >= 0. */
static bool products_equal(double a, double b, double c, double d)
{
    int ea, eb, ec, ed;
    double ma = frexp(a, &ea), mb = frexp(b, &eb);
    double mc = frexp(c, &ec), md = frexp(d, &ed);
    /* in [1/4, 1) or 0; product = high + low exactly, nothing underflows */
    double high = ma * mb, low = fma(ma, mb, -high);
    double other_high = mc * md, other_low = fma(mc, md, -other_high);
    if (high == 0 || other_high == 0)
        return high == other_high;
    int shift = ea + eb - ec - ed;
    if (shift < -1 || shift > 1)
        return false;
    return ldexp(high, shift) == other_high && ldexp(low, shift) == other_low;
}

/* Whether p / sum p = q / sum q, i.e. p_i q_j = p_j q_i at one q_j > 0. */
static bool lists_proportional(const double *p, const double *q, size_t n)
{
    size_t j = 0;
    while (q[j] == 0)
        j++;
    for (size_t i = 0; i < n; i++)
        if (!products_equal(p[i], q[j], p[j], q[i]))
            return false;
    return true;
}

/* Whether one loss, 0, has mass 1 and nothing else has any. */
static bool law_is_nothing(const dosi_plan *leaf, size_t which)
{
    size_t n;
    const double *at = dosi_plan_list(leaf, 2 * which, &n);
    const double *mass = at + n;
    double most = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        most = at[i] == 0 && mass[i] > most ? mass[i] : most;
        others += mass[i] > 0;
    }
    return most == 1 && others == 1;
}

bool dosi_leaf_has_no_loss(const dosi_plan *leaf)
{
    const double *x = leaf->parameters;
    if (leaf->has_hole)
        return false;
    switch (leaf->kind) {
    case DOSI_PURE:
    case DOSI_RANDOMIZED_RESPONSE:
    case DOSI_EXPONENTIAL:
    case DOSI_GDP:
        return x[0] == 0;
    case DOSI_APPROX:
        return x[0] == 0 && x[1] == 0;
    case DOSI_ZCDP:
        return x[0] == 0 && x[1] == 0 && x[2] == 0;
    case DOSI_RENYI:
        return x[1] == 0; /* D_order(P||Q) = 0 only for P = Q */
    case DOSI_PMF:
        return lists_proportional(
            leaf->list, leaf->list + leaf->n_list[0], leaf->n_list[0]);
    case DOSI_LOSS:
        return law_is_nothing(leaf, 0) &&
               (leaf->n_list[1] == 0 || law_is_nothing(leaf, 1));
    case DOSI_GAUSSIAN:
    case DOSI_LAPLACE:
    case DOSI_DISCRETE_GAUSSIAN:
    case DOSI_DISCRETE_LAPLACE:
    case DOSI_NONPRIVATE:
    case DOSI_POISSON:
    case DOSI_WITHOUT_REPLACEMENT:
    case DOSI_WITH_REPLACEMENT:
    case DOSI_GROUP:
    case DOSI_REPEAT:
    case DOSI_COMPOSE:
        break;
    }
    return false;
}

bool dosi_leaf_has_no_privacy(const dosi_plan *leaf)
{
    if (leaf->has_hole)
        return false;
    return leaf->kind == DOSI_NONPRIVATE ||
           (leaf->kind == DOSI_APPROX && leaf->parameters[1] == 1) ||
           (leaf->kind == DOSI_ZCDP && leaf->parameters[2] == 1);
}
