/*
 * nonprivate(): all mass at loss +inf.
 */
#include "mechanism.h"

static const law *nonprivate_one(const part *p, const lower_context *c)
{
    (void)p;
    return law_keep(c->pool, law_no_privacy());
}

static bool nonprivate_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    (void)side;
    (void)p;
    (void)c;
    out->delta0 = ball_of(1);
    return true;
}

static bool nonprivate_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    (void)order;
    (void)p;
    (void)c;
    out->upper = out->lower = ball_of(HUGE_VAL);
    return true;
}

const lowering lower_nonprivate = {
    .flag = LAW_EXACT,
    .one = nonprivate_one,
    .mix = nonprivate_mix,
    .renyi = nonprivate_renyi,
};
