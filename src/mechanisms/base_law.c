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
    dosi_kind kind = dosi_plan_kind(p.node);
    if (kind == DOSI_LAPLACE) {
        b.law = chi_laplace(b.pure);
        b.is_law = b.is_consistent = true;
    } else if (kind == DOSI_RANDOMIZED_RESPONSE && p.group == 1) {
        b.law = chi_response(b.pure, part_parameter(&p, 1));
        b.is_law = b.is_consistent = true;
    } else if (kind == DOSI_PURE) {
        b.law = chi_response(b.pure, 2);
        b.is_law = true;
    }
    return b;
}
