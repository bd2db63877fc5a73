/*
 * The parameters that rows about (xi, rho)-zCDP share: the line itself, an
 * epsilon in its reach, a delta it can be asked at. Each reader refuses with
 * the condition that failed.
 */
#ifndef DOSI_FORMULARY_LINE_ARGS_H
#define DOSI_FORMULARY_LINE_ARGS_H

#include "formula.h"
#include "literature/zcdp_line.h"

/* xi and rho; refuses xi + rho < 0. */
dosi_status line_read(
    cdp_line *line, const formula_args *args, dosi_error *err);

/* Also refuses eps < xi + rho. */
dosi_status line_read_in_reach(
    cdp_line *line, const formula_args *args, dosi_error *err);

/* Also refuses delta = 0 unless rho = 0. */
dosi_status line_read_at_delta(
    cdp_line *line, const formula_args *args, dosi_error *err);

/* Refuses lists of different lengths, and names them. */
dosi_status same_length(const formula_args *args, const char *first,
    const char *second, dosi_error *err);

/* 1 when certainly a <= b, 0 when certainly b < a; else DOSI_EUNABLE. */
dosi_status give_verdict(dosi_interval *out, ball a, ball b, dosi_error *err);

/* The enclosure of a value that lies in [low, high], where rounding may have
 * left it. */
dosi_interval within(ball value, double low, double high);

/* e^x; [2^1023, inf] where that is beyond the range of doubles. */
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
