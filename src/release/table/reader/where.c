/* Conditions of --where on one value. */
#include "where.h"

#include <string.h>

#include "base/error.h"
#include "bytes.h"
#include "num/decimal.h"

static bool holds(enum table_operator op, int side)
{
    switch (op) {
    case TABLE_EQ:
        return side == 0;
    case TABLE_NE:
        return side != 0;
    case TABLE_LT:
        return side < 0;
    case TABLE_LE:
        return side <= 0;
    case TABLE_GT:
        return side > 0;
    case TABLE_GE:
        return side >= 0;
    }
    return false;
}

dosi_status condition_new(
    struct condition *out, const struct table_where *where, dosi_error *err)
{
    *out = (struct condition){.column = where->column,
        .op = where->op,
        .is_text = where->is_text,
        .text = where->operand};
    if (where->is_text)
        return DOSI_OK;
    struct table_bytes s = where->operand;
    size_t n_used;
    if (!number_read(&out->number, s.bytes, s.n, '.') ||
        !decimal_read(&out->nearest, s.bytes, s.n, &n_used) || n_used != s.n)
        return dosi_fail(err, DOSI_EINVAL,
            "where: the operand must be a number or a quoted text");
    out->floor = number_floor(&out->is_integer, &out->number);
    return DOSI_OK;
}

bool condition_holds_text(const struct condition *c, struct table_bytes text)
{
    return holds(c->op, bytes_compare(text, c->text));
}

bool condition_holds_number(const struct condition *c, const struct number *x)
{
    return holds(c->op, number_compare(x, &c->number));
}

bool condition_holds_integer(const struct condition *c, int128 v)
{
    /* v < operand < v + 1 if v is the floor and the operand no integer */
    int side = v < c->floor ? -1 : v > c->floor ? 1 : c->is_integer ? 0 : -1;
    return holds(c->op, side);
}

bool condition_holds_double(const struct condition *c, double v)
{
    return holds(c->op, (v > c->nearest) - (v < c->nearest));
}
