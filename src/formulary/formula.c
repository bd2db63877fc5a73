/*
 * The registry of the formulary: the table of rows, found by id or by name, and
 * the evaluation of a row on checked parameters.
 */
#include "formula.h"

#include <stdarg.h>
#include <string.h>

#include "arguments.h"
#include "base/c_locale.h"
#include "base/float_environment.h"
#include "curve_args.h"
#include "family_args.h"
#include "law_args.h"
#include "line_args.h"
#include "mech_args.h"
#include "profile_args.h"

#define FIELDS(function, id, name, parameters, direction, validity, meaning,   \
    is_probability)                                                            \
    {id, name, parameters, direction, validity, meaning, is_probability,       \
        row_##function},
#define ROW(...) FIELDS(__VA_ARGS__, false)
#define PROBABILITY(...) FIELDS(__VA_ARGS__, true)
static const formula_row rows[] = {
#include "formulary.def"
};

static const size_t n_rows = sizeof rows / sizeof *rows;

static const formula_row *row_find(const char *id)
{
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(id, rows[i].id) == 0 || strcmp(id, rows[i].name) == 0)
            return &rows[i];
    return NULL;
}

dosi_status formula_domain(dosi_error *err, const char *format, ...)
{
    char message[DOSI_MESSAGE_BYTES];
    va_list values;
    va_start(values, format);
    dosi_format(message, sizeof message, format, values);
    va_end(values);
    return dosi_fail(err, DOSI_EDOMAIN, "%s", message);
}

dosi_status formula_check_sum(const formula_args *args, const char *name,
    double tolerance, dosi_error *err)
{
    size_t n = 0;
    const double *p = formula_list(args, name, &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add_d(sum, p[i]);
    if (ball_less_equal(ball_abs(ball_sub_d(sum, 1)), ball_of(tolerance)))
        return DOSI_OK;
    return formula_domain(err,
        "needs %s of sum 1 to within %g, got sum = %.17g", name, tolerance,
        ball_mid(sum));
}

dosi_status formula_orders(
    const double **out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    double order = formula_real(args, "alpha");
    *out = formula_list(args, "eps_table_2_up", &n);
    if (order - 1 <= (double)n)
        return DOSI_OK;
    return formula_domain(err,
        "needs eps_table_2_up at every order 2 .. alpha, got %zu values "
        "and alpha = %g",
        n, order);
}

ball formula_orders_curve(double order, const void *context)
{
    return ball_of(((const double *)context)[(size_t)order - 2]);
}

dosi_status formula_give_interval(
    dosi_interval *out, dosi_interval value, dosi_error *err)
{
    if (!(value.lo <= value.hi) ||
        (value.lo == -HUGE_VAL && value.hi == HUGE_VAL))
        return dosi_fail(err, DOSI_EUNABLE,
            "the value could not be certified in double range");
    *out = value;
    return DOSI_OK;
}

dosi_status formula_give(dosi_interval *out, ball value, dosi_error *err)
{
    return formula_give_interval(out, ball_interval(value), err);
}

size_t dosi_formula_count(void)
{
    return n_rows;
}

dosi_formula_info dosi_formula_at(size_t index)
{
    if (index >= n_rows)
        return (dosi_formula_info){"", "", "", "", "", ""};
    const formula_row *row = &rows[index];
    return (dosi_formula_info){row->id, row->name, row->parameters,
        row->direction, row->validity, row->meaning};
}

/* Cuts the enclosure of a probability at 0 and 1; an enclosure that certainly
 * lies outside is left unchanged. */
static void clamp_probability(dosi_interval *x)
{
    if (x->lo <= 1 && x->hi > 1)
        x->hi = 1;
    if (x->lo < 0 && x->hi >= 0)
        x->lo = 0;
}

static dosi_status no_such_row(const char *id, dosi_error *err)
{
    for (const char *c = id; *c != '\0'; c++)
        if (*c < ' ' || *c > '~') /* messages are one line of plain text */
            return dosi_fail(err, DOSI_EINVAL, "there is no such formula");
    size_t index;
    if (dosi_statement_find(&index, id, err) == DOSI_OK)
        return dosi_fail(err, DOSI_EINVAL,
            "there is no formula '%.80s', only the statement %s, %s", id,
            dosi_statement_at(index).id, dosi_statement_at(index).citation);
    return dosi_fail(err, DOSI_EINVAL, "there is no formula '%.80s'", id);
}

/* Prefixes the message of the function with the id of the row. */
static dosi_status name_row(
    const formula_row *row, dosi_status status, dosi_error *err)
{
    if (status == DOSI_OK || err == NULL)
        return status;
    dosi_error inner = *err;
    return dosi_fail(err, status, "%s: %.*s", row->id,
        (int)(sizeof inner.message - 32), inner.message);
}

dosi_status dosi_formula_find(size_t *index, const char *id, dosi_error *err)
{
    const formula_row *row = row_find(id);
    if (row == NULL)
        return no_such_row(id, err);
    *index = (size_t)(row - rows);
    return DOSI_OK;
}

dosi_status dosi_formula_eval(
    dosi_interval *out, const char *id, const char *parameters, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = iv_unknown();
    const formula_row *row = row_find(id);
    if (row == NULL)
        return no_such_row(id, err);
    formula_args args;
    dosi_status status = formula_args_read(&args, row, parameters, err);
    if (status == DOSI_OK)
        status = name_row(row, row->eval(out, &args, err), err);
    if (status != DOSI_OK)
        *out = iv_unknown();
    else if (row->is_probability)
        clamp_probability(out);
    formula_args_free(&args);
    return status;
}
