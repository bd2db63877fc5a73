/*
 * The formulary's registry: one thin row per statement of the literature.
 * Parameters are read and checked against the row before its function runs,
 * so that the function holds the mathematics alone; it calls the functions that
 * the accountants use, and those of src/literature.
 */
#ifndef DOSI_FORMULARY_FORMULA_H
#define DOSI_FORMULARY_FORMULA_H

#include "base/error.h"
#include "num/ball.h"

/* The parameters of one evaluation: complete, well formed, in range. */
typedef struct formula_args formula_args;

/*
 * A scalar parameter as a double, and as a ball of radius 0.
 *
 * requires  the row declares the name, and the parameter was given
 */
double formula_real(const formula_args *a, const char *name);
ball formula_ball(const formula_args *a, const char *name);

/* Whether a parameter that may be omitted was given. */
bool formula_given(const formula_args *a, const char *name);

/* A list parameter, of at least one element; borrowed from a. */
const double *formula_list(const formula_args *a, const char *name, size_t *n);

/* A parameter that is text, n bytes without terminator; borrowed from a. */
const char *formula_text(const formula_args *a, const char *name, size_t *n);

/*
 * One statement. direction is one of
 *   "exact"        equality
 *   "upper"        a bound that is safe to report
 *   "lower"        a bound from below
 *   "approximate"  a heuristic, never a bound
 *   "helper"       a step of a proof or a sanity check; listed on request
 *
 * parameters declares the names, in the order in which they are shown:
 * "eps;P[];Q[]", where [] marks a list and {} a text that the row reads
 * itself; "sigma?" may be omitted. A list is written "a|b|c"; an element
 * "2..256" stands for every whole number of that range.
 *
 * validity is shown to people and enforced, with DOSI_EDOMAIN, up to its
 * first semicolon: clauses separated by ", ", each a chain of
 * comparisons of numbers and names or "NAME whole":
 *   "eps >= 0, 0 < delta < 1, rho <= eps, k whole; unless P equals Q".
 * A clause on a list holds for every element; clauses on omitted parameters are
 * ignored. The text after the semicolon is checked by eval, which fails with
 * formula_domain. A value must be finite unless a clause
 * admits infinity, as in "0 <= eps <= inf".
 */
typedef struct formula_row {
    const char *id;   /* "T000-08.delta" */
    const char *name; /* "gaussian.delta" */
    const char *parameters;
    const char *direction;
    const char *validity;
    const char *meaning; /* one line */
    /* The exact value is a probability, or a difference of two, for all
     * parameters: the ends are cut at 0 and 1. */
    bool is_probability;
    dosi_status (*eval)(
        dosi_interval *out, const formula_args *args, dosi_error *err);
} formula_row;

/* The head of the function of a row: FORMULA(laplace_scale) { ... }. */
#define FORMULA(function)                                                      \
    dosi_status row_##function(                                                \
        dosi_interval *out, const formula_args *args, dosi_error *err)

#define ROW(function, ...) FORMULA(function);
#define PROBABILITY ROW
#include "formulary.def"
#undef PROBABILITY
#undef ROW

/*
 * Most rows are one expression of their parameters:
 *
 *     FORMULA_BALL(laplace_scale, ball_div(ARG("k"), ARG("eps")))
 *
 * defines the function laplace_scale of the row; FORMULA_INTERVAL does so
 * for an expression that is an interval.
 */
#define ARG(name) formula_ball(args, name)
#define FORMULA_BALL(function, expression)                                     \
    FORMULA(function)                                                          \
    {                                                                          \
        return formula_give(out, (expression), err);                           \
    }
#define FORMULA_INTERVAL(function, expression)                                 \
    FORMULA(function)                                                          \
    {                                                                          \
        return formula_give_interval(out, (expression), err);                  \
    }

/* A refusal: DOSI_EDOMAIN with the condition that failed and the values,
 * e.g. formula_domain(err, "needs eps >= rho, got eps = %.17g, rho = %.17g",
 * eps, rho). */
__attribute__((format(printf, 2, 3))) dosi_status formula_domain(
    dosi_error *err, const char *format, ...);

/* Fails with DOSI_EDOMAIN unless the list adds up to 1 within a tolerance. */
dosi_status formula_check_sum(const formula_args *args, const char *name,
    double tolerance, dosi_error *err);

/* The list eps_table_2_up, one value for each order 2 .. alpha, as a curve:
 * *out is the context of formula_orders_curve. */
dosi_status formula_orders(
    const double **out, const formula_args *args, dosi_error *err);
ball formula_orders_curve(double order, const void *context);

/* Stores the enclosure of the value in *out; DOSI_EUNABLE if the ball is
 * unknown. */
dosi_status formula_give(dosi_interval *out, ball value, dosi_error *err);

/* Stores an interval in *out; DOSI_EUNABLE if it is unknown or has a NaN. */
dosi_status formula_give_interval(
    dosi_interval *out, dosi_interval value, dosi_error *err);

#endif
