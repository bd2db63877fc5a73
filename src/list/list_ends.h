/*
 * What the greatest losses of a plan say by themselves: its mass at +inf, an
 * epsilon that no finite loss exceeds, and what the event that every run has
 * its greatest loss tells. They decide where delta is near the smallest that
 * a plan with bounded losses has.
 */
#ifndef DOSI_LIST_LIST_ENDS_H
#define DOSI_LIST_LIST_ENDS_H

#include "loss/loss_tails.h"

/* Whether no finite loss exceeds epsilon: log delta is then that of the mass
 * at +inf, in *out. */
bool list_is_beyond(
    dosi_interval *out, const loss_law *parts, size_t n, double epsilon);

/* At most log delta at epsilon, by the mass at +inf or by the event that every
 * run has its greatest loss. */
double list_log_delta_by_ends(const loss_law *parts, size_t n, double epsilon);

/* Encloses epsilon by the greatest losses. */
dosi_interval list_epsilon_by_ends(
    const loss_law *parts, size_t n, ball log_delta);

#endif
