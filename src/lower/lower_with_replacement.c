/*
 * with_replacement(batch, population, M): no view is implemented; the
 * accountant answers with what always holds.
 */
#include "lower.h"

static const law *batch_one(const part *p, const lower_context *c)
{
    (void)p;
    return law_decline(
        c->pool, "with_replacement is not covered by any route yet");
}

static bool batch_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    (void)out;
    (void)side;
    (void)p;
    return lower_decline(
        c, "with_replacement is not covered by any route yet");
}

static bool batch_loss(loss *out, const part *p, const lower_context *c)
{
    (void)out;
    (void)p;
    return lower_decline(
        c, "with_replacement is not covered by any route yet");
}

const lowering lower_with_replacement = {
    .flag = LAW_EXACT,
    .assumption = "every batch was drawn uniformly with replacement, anew in "
                  "each step",
    .one = batch_one,
    .loss = batch_loss,
    .mix = batch_mix,
};
