/*
 * Targets of calibration: the question that each asks, whether an answer meets
 * it, and by how much it misses.
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
 * Asks the target's question of a plan. Only the safe end is compared with the
 * target, so that a width that was not reached is no failure.
 *
 * fails  as the question does
 */
DOSI_CHECK dosi_status target_ask(dosi_answer *out, const dosi_target *target,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

/* Takes the guarantee of another answer to the same question if it is
 * stronger; both hold. */
void target_guarantee(dosi_answer *answer, const dosi_target *target,
    const dosi_answer *other);

/* Whether the safe end of the answer is within the target. */
bool target_is_met(const dosi_target *target, const dosi_answer *answer);

/* Whether the exact value is certainly not within the target. */
bool target_is_missed(const dosi_target *target, const dosi_answer *answer);

/*
 * log(safe end / target), or log(target / safe end) if greater is safer: it is
 * above 0 if the target is missed, except for rounding, and only steers the
 * search. Infinite, never NaN, if there is no such number.
 */
double target_score(const dosi_target *target, const dosi_answer *answer);

#define TARGET_TEXT_BYTES 160

/* Writes "epsilon <= 1 at delta 1e-06" to text, of TARGET_TEXT_BYTES. */
void target_text(char *text, const dosi_target *target);

/* Writes how an answer misses the target, to text of TARGET_TEXT_BYTES:
 * "epsilon is at least 2.3" if the target is certainly missed, else "epsilon is
 * between 0.5 and 2.3". */
void target_answer_text(
    char *text, const dosi_target *target, const dosi_answer *answer);

#endif
