/*
 * Bounds by the greatest losses of a plan alone: its mass at +inf, an epsilon
 * that no finite loss exceeds, and the event that every run has its greatest
 * loss. They decide if delta is near the smallest that a plan with bounded
 * losses has.
 */
#ifndef DOSI_LIST_LIST_ENDS_H
#define DOSI_LIST_LIST_ENDS_H

#include "loss/loss_tails.h"

/* Whether no finite loss exceeds epsilon; *out then encloses log delta, which
 * is the logarithm of the mass at +inf. */
bool list_is_beyond(
    dosi_interval *out, const loss_law *parts, size_t n, double epsilon);

/* A lower bound of log delta at epsilon, by the mass at +inf or by the event
 * that every run has its greatest loss. */
double list_log_delta_by_ends(const loss_law *parts, size_t n, double epsilon);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= exp(log_delta) by
 * the greatest losses. */
dosi_interval list_epsilon_by_ends(
    const loss_law *parts, size_t n, ball log_delta);

#endif
