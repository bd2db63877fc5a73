/*
 * Readers of the parameters that rows about (xi, rho)-zCDP share: the line, an
 * epsilon of at least xi + rho, a delta that it can attain. Each reader fails
 * with the condition that is not met.
 */
#ifndef DOSI_FORMULARY_LINE_ARGS_H
#define DOSI_FORMULARY_LINE_ARGS_H

#include "formula.h"
#include "literature/zcdp_line.h"

/*
 * Reads xi and rho; fails for xi + rho < 0.
 *
 * fails  DOSI_EDOMAIN
 */
dosi_status line_read(
    cdp_line *line, const formula_args *args, dosi_error *err);

/*
 * line_read that also fails for eps < xi + rho.
 *
 * fails  DOSI_EDOMAIN
 */
dosi_status line_read_in_reach(
    cdp_line *line, const formula_args *args, dosi_error *err);

/*
 * line_read that also fails for delta = 0 unless rho = 0.
 *
 * fails  DOSI_EDOMAIN
 */
dosi_status line_read_at_delta(
    cdp_line *line, const formula_args *args, dosi_error *err);

/*
 * Fails if two lists have different lengths, naming them.
 *
 * fails  DOSI_EDOMAIN
 */
dosi_status same_length(const formula_args *args, const char *first,
    const char *second, dosi_error *err);

/* Stores 1 if certainly a <= b, 0 if certainly b < a; else DOSI_EUNABLE. */
dosi_status give_verdict(dosi_interval *out, ball a, ball b, dosi_error *err);

/* The enclosure of a value known to lie in [low, high], cut at both ends. */
dosi_interval within(ball value, double low, double high);

/* e^x; [2^1023, inf] on overflow. */
dosi_interval exp_or_above(ball x);

/* Defines a row of one expression in line, read by one of the readers. */
#define LINE_INTERVAL(function, reader, expression)                            \
    FORMULA(function)                                                          \
    {                                                                          \
        cdp_line line;                                                         \
        dosi_status status = reader(&line, args, err);                         \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return formula_give_interval(out, (expression), err);                  \
    }
#define LINE_BALL(function, reader, expression)                                \
    LINE_INTERVAL(function, reader, ball_interval(expression))

#define VALID_LINE "rho >= 0; xi + rho >= 0"
#define VALID_IN_REACH "rho >= 0; xi + rho >= 0, eps >= xi + rho"
#define VALID_AT_DELTA                                                         \
    "rho >= 0, 0 <= delta < 1; xi + rho >= 0, delta > 0 unless rho = 0"

#endif
