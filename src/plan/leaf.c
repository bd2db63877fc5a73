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
    const kind_row *row = dosi_kind_row(leaf->kind);
    bool is_bounded = false;
    if (leaf->has_hole)
        return false;
    if (leaf->kind == DOSI_PMF)
        return lists_proportional(
            leaf->list, leaf->list + leaf->n_list[0], leaf->n_list[0]);
    if (leaf->kind == DOSI_LOSS)
        return law_is_nothing(leaf, 0) &&
               (leaf->n_list[1] == 0 || law_is_nothing(leaf, 1));
    for (size_t i = 0; i < row->n_parameters; i++) {
        if (row->parameters[i].bound == BOUND_NONE)
            continue;
        if (leaf->parameters[i] != 0)
            return false;
        is_bounded = true;
    }
    return is_bounded;
}

bool dosi_leaf_has_no_privacy(const dosi_plan *leaf)
{
    const kind_row *row = dosi_kind_row(leaf->kind);
    if (leaf->has_hole)
        return false;
    for (size_t i = 0; i < row->n_parameters; i++)
        if (row->parameters[i].bound == BOUND_LEAK && leaf->parameters[i] == 1)
            return true;
    return leaf->kind == DOSI_NONPRIVATE;
}
