/*
 * What certified points of a curve say of the points between them.
 */
#ifndef DOSI_ACCOUNT_CURVE_BETWEEN_H
#define DOSI_ACCOUNT_CURVE_BETWEEN_H

#include "account.h"

/* Where a question is asked, and which of the answers is its own. */
typedef struct curve_point {
    double at;
    size_t index;
} curve_point;

/*
 * Narrows each of n answers, given in rising order of their arguments, by what
 * the others enclose; an answer whose guarantee comes from a neighbour takes
 * over its route and theorem.
 *
 * requires  answers to delta or to trade-off questions of one plan
 * cost      linear in n
 * fails     DOSI_ENOMEM; DOSI_EUNABLE when points contradict each other
 */
DOSI_CHECK dosi_status curve_tighten(dosi_answer *answers,
    const curve_point *sorted, size_t n, account_kind kind, dosi_error *err);

/*
 * At e between a and b: at least delta(e), where delta is no more than
 * e^log_a and e^log_b there; by the chord in e^epsilon.
 *
 * requires  a < e < b
 */
double curve_log_chord(
    double a, double log_a, double b, double log_b, double e);

/*
 * At most delta(e), where delta is at least near at the point next to it and at
 * most far at the one behind that: by the line through both.
 *
 * requires  far_at < near_at < e, or e < near_at < far_at
 */
double curve_line(
    double far_at, double far, double near_at, double near, double e);

#endif
