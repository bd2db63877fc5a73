/*
 * Targets: the question each of them asks, whether an answer meets it, and by
 * how much it does not.
 */
#ifndef DOSI_CALIBRATE_TARGET_H
#define DOSI_CALIBRATE_TARGET_H

#include <stdbool.h>

#include "dosimeter.h"

/*
 * Checks targets and options, by asking about a plan that loses nothing.
 *
 * fails  DOSI_EINVAL, and as questions do
 */
DOSI_CHECK dosi_status target_check(const dosi_target *targets, size_t n,
    const dosi_options *options, dosi_error *err);

/*
 * Asks the target's question of a plan. The safe end counts whatever the
 * width of the interval, so a width that was not reached is no failure.
 */
DOSI_CHECK dosi_status target_ask(dosi_answer *out, const dosi_target *target,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

/* Takes the guarantee of another answer to the same question, where that says
 * more: both hold. */
void target_guarantee(dosi_answer *answer, const dosi_target *target,
    const dosi_answer *other);

/* Whether the safe end of the answer is within the target. */
bool target_is_met(const dosi_target *target, const dosi_answer *answer);

/* Whether the exact value is certainly not. */
bool target_is_missed(const dosi_target *target, const dosi_answer *answer);

/*
 * log(safe end / target), or of the inverse where more is safer: above 0
 * exactly where the target is missed, but for rounding. It steers. Infinite,
 * never NaN, where there is no such number.
 */
double target_score(const dosi_target *target, const dosi_answer *answer);

#define TARGET_TEXT_BYTES 160

/* "epsilon <= 1 at delta 1e-06" */
void target_text(char *text, const dosi_target *target);

/* Of an answer that misses the target: "epsilon is at least 2.3" where the
 * target is certainly missed, else "epsilon is between 0.5 and 2.3". */
void target_answer_text(
    char *text, const dosi_target *target, const dosi_answer *answer);

#endif
