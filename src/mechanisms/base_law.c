/*
 * Which plans have a worst pair in closed form: sums of Gaussians, and one run
 * of a mechanism whose file knows its worst pair.
 */
#include "base_law.h"

#include "plan_total.h"

base_law base_law_of(const dosi_plan *plan, const mechanism_context *c)
{
    base_law b = {.pure = ball_of(HUGE_VAL)};
    ball mu, eps, delta;
    attainment flag;
    if (total_gaussian(&mu, &flag, plan, c)) {
        b.law = chi_gaussian(mu);
        b.is_law = true;
        b.is_consistent = flag == ATTAINED_BY_MECHANISM;
        return b;
    }
    if (total_guarantee(&eps, &delta, plan, c) && ball_is_zero(delta))
        b.pure = eps;
    part p = part_at(plan, 0);
    if (part_count(plan) > 1 || p.count > 1 || ball_is_unknown(b.pure))
        return b;
    const mechanism_type *type = mechanism_of(&p);
    b.is_law = type->worst_pair != NULL &&
               type->worst_pair(&b.law, &b.is_consistent, b.pure, &p);
    return b;
}
