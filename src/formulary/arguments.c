/*
 * Parameters by name. A text is cut at its semicolons, each part is matched
 * with the declaration of the row, its numbers are read, and the clauses of the
 * row are checked, so that the functions of the rows receive valid values only.
 */
#include "arguments.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* A piece of text, not terminated. */
typedef struct span {
    const char *text;
    size_t n;
} span;

static bool span_is(span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.text, word, s.n) == 0;
}

/* Cuts the text before the mark off *rest; the mark is dropped. */
static span span_cut(span *rest, char mark)
{
    const char *at = memchr(rest->text, mark, rest->n);
    span head = {rest->text, at == NULL ? rest->n : (size_t)(at - rest->text)};
    size_t used = at == NULL ? rest->n : head.n + 1;
    rest->text += used;
    rest->n -= used;
    return head;
}

/* The length of a piece as the int of "%.*s". */
static int span_width(span s)
{
    return s.n > 60 ? 60 : (int)s.n;
}

/* ---- Names ------------------------------------------------------------- */

static void declare(formula_args *a, const char *parameters)
{
    span rest = {parameters, strlen(parameters)};
    while (rest.n > 0) {
        span name = span_cut(&rest, ';');
        bool is_optional = name.text[name.n - 1] == '?';
        name.n -= is_optional;
        bool is_list = name.n > 2 && name.text[name.n - 1] == ']';
        bool is_text = name.n > 2 && name.text[name.n - 1] == '}';
        assert(a->n_args < FORMULA_MAX_PARAMETERS);
        a->args[a->n_args++] = (formula_arg){.name = name.text,
            .name_bytes = is_list || is_text ? name.n - 2 : name.n,
            .is_list = is_list,
            .is_text = is_text,
            .is_optional = is_optional};
    }
}

static formula_arg *lookup(formula_args *a, span name)
{
    for (size_t i = 0; i < a->n_args; i++)
        if (a->args[i].name_bytes == name.n &&
            memcmp(a->args[i].name, name.text, name.n) == 0)
            return &a->args[i];
    return NULL;
}

/* The argument of a name that the row declares. */
static const formula_arg *find(const formula_args *a, const char *name)
{
    size_t n = strlen(name), i = 0;
    while (i < a->n_args && (a->args[i].name_bytes != n ||
                                memcmp(a->args[i].name, name, n) != 0))
        i++;
    assert(i < a->n_args);
    return &a->args[i];
}

/* Matches the parts of the text with the declared names. */
static dosi_status match(
    formula_args *a, const formula_row *row, const char *text, dosi_error *err)
{
    span rest = {text, strlen(text)};
    bool more = rest.n > 0;
    while (more) {
        size_t offset = (size_t)(rest.text - text);
        span value = span_cut(&rest, ';');
        more = rest.n > 0 || value.text + value.n < rest.text;
        span whole = value;
        span name = span_cut(&value, '=');
        if (name.n == 0 || name.n == whole.n)
            return dosi_fail_at(err, DOSI_EINVAL, offset,
                "%s: expected NAME=VALUE, got '%.*s'", row->id,
                span_width(whole), whole.text);
        formula_arg *arg = lookup(a, name);
        if (arg == NULL)
            return dosi_fail_at(err, DOSI_EINVAL, offset,
                "%s: unknown parameter '%.*s', it takes %s", row->id,
                span_width(name), name.text, row->parameters);
        if (arg->is_given)
            return dosi_fail_at(err, DOSI_EINVAL, offset,
                "%s: parameter '%.*s' is given twice", row->id,
                span_width(name), name.text);
        arg->is_given = true;
        arg->text = value.text;
        arg->text_bytes = value.n;
        arg->offset = (size_t)(value.text - text);
    }
    for (size_t i = 0; i < a->n_args; i++)
        if (!a->args[i].is_given && !a->args[i].is_optional)
            return dosi_fail(err, DOSI_EINVAL,
                "%s: parameter '%.*s' is missing, it takes %s", row->id,
                (int)a->args[i].name_bytes, a->args[i].name, row->parameters);
    return DOSI_OK;
}

/* ---- Values ------------------------------------------------------------ */

static bool read_number(double *out, span s)
{
    if (span_is(s, "inf") || span_is(s, "+inf") || span_is(s, "-inf")) {
        *out = s.text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        return true;
    }
    size_t used = 0;
    return s.n > 0 && decimal_read(out, s.text, s.n, &used) && used == s.n &&
           isfinite(*out);
}

/* Reads a whole number of at most nine digits; false if s is not one. */
static bool read_bound(long *out, span s)
{
    if (s.n == 0 || s.n > 9)
        return false;
    *out = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.text[i] < '0' || s.text[i] > '9')
            return false;
        *out = *out * 10 + (s.text[i] - '0');
    }
    return true;
}

/* Splits "2..256"; false if s has no two dots. */
static bool read_range(long *low, long *high, span s)
{
    for (size_t i = 0; i + 1 < s.n; i++)
        if (s.text[i] == '.' && s.text[i + 1] == '.')
            return read_bound(low, (span){s.text, i}) &&
                   read_bound(high, (span){s.text + i + 2, s.n - i - 2}) &&
                   *low <= *high;
    return false;
}

/* Counts the values of one argument, and stores them when values != NULL. */
static dosi_status scan(
    formula_arg *arg, double *values, const formula_row *row, dosi_error *err)
{
    span rest = {arg->text, arg->text_bytes};
    bool more = true;
    arg->n_values = 0;
    if (arg->is_text || !arg->is_given)
        return DOSI_OK;
    while (more) {
        size_t offset = arg->offset + (size_t)(rest.text - arg->text);
        span item = span_cut(&rest, '|');
        more = rest.n > 0 || item.text + item.n < rest.text;
        double x = 0;
        long low = 0, high = 0;
        if (read_number(&x, item)) {
            if (values != NULL)
                values[arg->n_values] = x;
            arg->n_values++;
        } else if (arg->is_list && read_range(&low, &high, item)) {
            if (values != NULL)
                for (long i = low; i <= high; i++)
                    values[arg->n_values + (size_t)(i - low)] = (double)i;
            arg->n_values += (size_t)(high - low + 1);
        } else {
            return dosi_fail_at(err, DOSI_EINVAL, offset,
                "%s: '%.*s' is not a finite number", row->id, span_width(item),
                item.text);
        }
        if (arg->n_values > (arg->is_list ? FORMULA_MAX_ELEMENTS : 1))
            return dosi_fail_at(err, DOSI_EINVAL, offset,
                arg->is_list ? "%s: the list '%.*s' is too long"
                             : "%s: '%.*s' is one number, not a list",
                row->id, (int)arg->name_bytes, arg->name);
    }
    return DOSI_OK;
}

static dosi_status read_values(
    formula_args *a, const formula_row *row, dosi_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < a->n_args; i++) {
        dosi_status status = scan(&a->args[i], NULL, row, err);
        if (status != DOSI_OK)
            return status;
        total += a->args[i].n_values;
    }
    a->storage = malloc((total + 1) * sizeof *a->storage);
    if (a->storage == NULL)
        return dosi_fail_memory(err);
    double *next = a->storage;
    for (size_t i = 0; i < a->n_args; i++) {
        a->args[i].values = next;
        dosi_status status = scan(&a->args[i], next, row, err);
        if (status != DOSI_OK)
            return status;
        next += a->args[i].n_values;
    }
    return DOSI_OK;
}

/* ---- Validity ---------------------------------------------------------- */

/* One side of a comparison: a named argument, or a number. */
typedef struct operand {
    const formula_arg *arg; /* NULL: the number */
    double number;
} operand;

static operand read_operand(formula_args *a, span word)
{
    operand x = {lookup(a, word), 0};
    bool ok = x.arg != NULL || read_number(&x.number, word);
    assert(ok);
    (void)ok;
    return x;
}

static bool compare(double x, span relation, double y)
{
    if (span_is(relation, "<"))
        return x < y;
    if (span_is(relation, "<="))
        return x <= y;
    if (span_is(relation, ">"))
        return x > y;
    assert(span_is(relation, ">="));
    return x >= y;
}

/* Both sides run over their elements. */
static bool holds(operand x, span relation, operand y, double *culprit)
{
    size_t n_x = x.arg == NULL ? 1 : x.arg->n_values;
    size_t n_y = y.arg == NULL ? 1 : y.arg->n_values;
    for (size_t i = 0; i < n_x; i++) {
        double left = x.arg == NULL ? x.number : x.arg->values[i];
        for (size_t j = 0; j < n_y; j++) {
            double right = y.arg == NULL ? y.number : y.arg->values[j];
            if (compare(left, relation, right))
                continue;
            *culprit = x.arg != NULL ? left : right;
            return false;
        }
    }
    return true;
}

static bool is_whole(const formula_arg *arg, double *culprit)
{
    for (size_t i = 0; i < arg->n_values; i++) {
        double x = arg->values[i];
        if (!(fabs(x) <= 0x1p53 && floor(x) == x)) {
            *culprit = x;
            return false;
        }
    }
    return true;
}

static dosi_status refuse(const formula_row *row, span clause,
    const formula_arg *arg, double culprit, dosi_error *err)
{
    assert(arg != NULL); /* a clause names an argument */
    return dosi_fail(err, DOSI_EDOMAIN, "%s: needs %.*s, got %.*s = %.17g",
        row->id, (int)clause.n, clause.text, (int)arg->name_bytes, arg->name,
        culprit);
}

/* Checks one clause, and notes which arguments it allows to be infinite. */
static dosi_status check_clause(formula_args *a, const formula_row *row,
    span clause, bool *may_be_infinite, dosi_error *err)
{
    span rest = clause;
    operand left = read_operand(a, span_cut(&rest, ' '));
    while (rest.n > 0) {
        span relation = span_cut(&rest, ' ');
        double culprit = 0;
        if (span_is(relation, "whole")) {
            assert(left.arg != NULL);
            if (!is_whole(left.arg, &culprit))
                return refuse(row, clause, left.arg, culprit, err);
            continue;
        }
        operand right = read_operand(a, span_cut(&rest, ' '));
        if (!holds(left, relation, right, &culprit))
            return refuse(row, clause, left.arg != NULL ? left.arg : right.arg,
                culprit, err);
        if (left.arg != NULL && right.number == HUGE_VAL &&
            span_is(relation, "<="))
            may_be_infinite[left.arg - a->args] = true;
        left = right;
    }
    return DOSI_OK;
}

static dosi_status check(
    formula_args *a, const formula_row *row, dosi_error *err)
{
    bool may_be_infinite[FORMULA_MAX_PARAMETERS] = {false};
    span rest = {row->validity, strlen(row->validity)};
    rest = span_cut(&rest, ';');
    while (rest.n > 0) {
        span clause = span_cut(&rest, ',');
        if (rest.n > 0) { /* the space after the comma */
            rest.text++;
            rest.n--;
        }
        dosi_status status = check_clause(a, row, clause, may_be_infinite, err);
        if (status != DOSI_OK)
            return status;
    }
    for (size_t i = 0; i < a->n_args; i++)
        for (size_t j = 0; j < a->args[i].n_values; j++)
            if (isinf(a->args[i].values[j]) && !may_be_infinite[i])
                return dosi_fail(err, DOSI_EDOMAIN, "%s: needs a finite %.*s",
                    row->id, (int)a->args[i].name_bytes, a->args[i].name);
    return DOSI_OK;
}

dosi_status formula_args_read(formula_args *out, const formula_row *row,
    const char *text, dosi_error *err)
{
    *out = (formula_args){.n_args = 0};
    declare(out, row->parameters);
    for (const char *c = text; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~') /* quoted in messages, which are plain */
            return dosi_fail_at(err, DOSI_EINVAL, (size_t)(c - text),
                "%s: parameters are plain text without spaces", row->id);
    dosi_status status = match(out, row, text, err);
    if (status == DOSI_OK)
        status = read_values(out, row, err);
    if (status == DOSI_OK)
        status = check(out, row, err);
    return status;
}

void formula_args_free(formula_args *a)
{
    free(a->storage);
    a->storage = NULL;
}

double formula_real(const formula_args *a, const char *name)
{
    const formula_arg *arg = find(a, name);
    assert(!arg->is_list && !arg->is_text && arg->is_given);
    return arg->values[0];
}

bool formula_given(const formula_args *a, const char *name)
{
    return find(a, name)->is_given;
}

ball formula_ball(const formula_args *a, const char *name)
{
    return ball_of(formula_real(a, name));
}

const double *formula_list(const formula_args *a, const char *name, size_t *n)
{
    const formula_arg *arg = find(a, name);
    *n = arg->n_values;
    return arg->values;
}

const char *formula_text(const formula_args *a, const char *name, size_t *n)
{
    const formula_arg *arg = find(a, name);
    assert(arg->is_text);
    *n = arg->text_bytes;
    return arg->text;
}
