/*
 * Whether epsilon is 0: the total variation, delta at 0, is within the given
 * delta.
 */
#include "engine_impl.h"

dosi_status contour_is_zero(bool *settled, dosi_interval target,
    contour_engine *s, dosi_error *err)
{
    dosi_interval at_zero;
    contour_choice at_zero_choice;
    *settled = false;
    if (contour_saddle_at_epsilon(&at_zero_choice, &s->parts, 0) &&
        at_zero_choice.log_estimate > target.hi + 2)
        return DOSI_OK;
    dosi_status status = contour_finite_log_delta(&at_zero, s, 0, err);
    *settled = status == DOSI_OK && at_zero.hi <= target.lo;
    return status;
}

/* The answer does not depend on a record that is not sampled: the total
 * variation is at most the probability that some record is. */
bool contour_is_never_sampled(const contour_engine *s, dosi_interval target)
{
    ball none = ball_of(0);
    for (size_t i = 0; i < s->parts.n; i++) {
        const contour_part *p = &s->parts.items[i];
        const loss_law *pair = p->law;
        if (p->type != &contour_group || pair->draws > 0)
            return false;
        double n = (double)contour_removed(pair) + contour_added(pair);
        ball keep = ball_log1p(ball_neg(pair->rate));
        none = ball_add(none, ball_mul_d(keep, n * p->count));
    }
    ball some = ball_neg(ball_expm1(none));
    return ball_upper(some) <= ball_lower(ball_exp(ball_of(target.lo)));
}
