/*
 * Readers of pairs and of families of curves.
 */
#include "curve_args.h"

#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* A whole piece of text that is one finite number. */
static bool read_number(double *out, const char *text, size_t n)
{
    size_t used = 0;
    return n > 0 && decimal_read(out, text, n, &used) && used == n &&
           isfinite(*out);
}

/* "x:y" of n bytes. */
static bool read_pair(curve_vertex *out, const char *text, size_t n)
{
    const char *colon = memchr(text, ':', n);
    if (colon == NULL)
        return false;
    size_t left = (size_t)(colon - text);
    return read_number(&out->alpha, text, left) &&
           read_number(&out->beta, colon + 1, n - left - 1);
}

dosi_status pairs_read(curve_vertex **out, size_t *n, const formula_args *args,
    const char *name, dosi_error *err)
{
    size_t n_bytes = 0;
    const char *text = formula_text(args, name, &n_bytes);
    *out = NULL;
    *n = 1;
    for (size_t i = 0; i < n_bytes; i++)
        *n += text[i] == '|';
    if (*n > CURVE_MAX_PAIRS)
        return dosi_fail(err, DOSI_EINVAL, "%s has more than %d pairs", name,
            CURVE_MAX_PAIRS);
    curve_vertex *v = malloc(*n * sizeof *v);
    if (v == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < *n; i++) {
        const char *bar = memchr(text, '|', n_bytes);
        size_t length = bar == NULL ? n_bytes : (size_t)(bar - text);
        if (!read_pair(&v[i], text, length)) {
            free(v);
            return dosi_fail(err, DOSI_EINVAL,
                "%s is a list of pairs x:y|x:y, pair %zu is not", name, i + 1);
        }
        size_t used = bar == NULL ? length : length + 1;
        text += used;
        n_bytes -= used;
    }
    *out = v;
    return DOSI_OK;
}

dosi_status vertices_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err)
{
    dosi_status status = pairs_read(out, n, args, name, err);
    const curve_vertex *v = *out;
    if (status != DOSI_OK || v == NULL)
        return status;
    bool ok = *n >= 2 && v[0].alpha == 0 && v[*n - 1].alpha == 1;
    for (size_t i = 1; i < *n; i++)
        ok = ok && v[i - 1].alpha < v[i].alpha;
    if (ok)
        return DOSI_OK;
    free(*out);
    *out = NULL;
    return formula_domain(
        err, "needs vertices alpha:f(alpha) with alpha increasing from 0 to 1");
}

dosi_status tradeoff_read(curve_vertex **out, size_t *n,
    const formula_args *args, const char *name, dosi_error *err)
{
    dosi_status status = vertices_read(out, n, args, name, err);
    if (status != DOSI_OK || curve_is_tradeoff(*out, *n) != VERDICT_NO)
        return status;
    free(*out);
    *out = NULL;
    return formula_domain(err,
        "needs %s to be a trade-off function: convex, falling, between 0 and "
        "1 - alpha",
        name);
}

dosi_status curve_read(
    curve *out, const formula_args *args, const char *name, dosi_error *err)
{
    static const char *const families[] = {"gauss", "pure", "laplace"};
    size_t n = 0;
    const char *text = formula_text(args, name, &n);
    const char *colon = memchr(text, ':', n);
    size_t left = colon == NULL ? n : (size_t)(colon - text);
    for (int i = 0; colon != NULL && i < 3; i++) {
        if (strlen(families[i]) != left || memcmp(families[i], text, left) != 0)
            continue;
        out->family = (curve_family)i;
        if (!read_number(&out->parameter, colon + 1, n - left - 1))
            break;
        if (!(out->parameter >= 0))
            return formula_domain(err,
                "needs a parameter >= 0 of %s, got %.17g", name,
                out->parameter);
        return DOSI_OK;
    }
    return dosi_fail(
        err, DOSI_EINVAL, "%s is gauss:MU, pure:EPS or laplace:MU", name);
}

dosi_status verdict_give(dosi_interval *out, verdict v, dosi_error *err)
{
    if (v == VERDICT_OPEN)
        return dosi_fail(
            err, DOSI_EUNABLE, "the two sides are too close to be told apart");
    return formula_give(out, ball_of(v == VERDICT_YES), err);
}
