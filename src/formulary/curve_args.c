/*
 * Readers of lists of pairs and of named curves.
 */
#include "curve_args.h"

#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* Reads a piece of text that is one finite number. */
static bool read_number(double *out, const char *text, size_t n)
{
    size_t used = 0;
    return n > 0 && decimal_read(out, text, n, &used) && used == n &&
           isfinite(*out);
}

/* Reads "x:y" of n bytes. */
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

/* ---- Curves by name ------------------------------------------------------ */

typedef struct curve_name {
    const char *name;
    curve_family family;
    size_t n_numbers; /* without the rate */
} curve_name;

static const curve_name curve_names[] = {
    {"gauss", CURVE_GAUSS, 1},
    {"G", CURVE_GAUSS, 1},
    {"pure", CURVE_APPROX, 1},
    {"ed", CURVE_APPROX, 2},
    {"approx", CURVE_APPROX, 2},
    {"laplace", CURVE_LAPLACE, 1},
};

static const curve_name *find_curve(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof curve_names / sizeof *curve_names; i++)
        if (strlen(curve_names[i].name) == n &&
            memcmp(curve_names[i].name, name, n) == 0)
            return &curve_names[i];
    return NULL;
}

/* Reads numbers after colons, at most 3; false if one is not a number. */
static bool read_numbers(double *out, size_t *count, const char *text, size_t n)
{
    *count = 0;
    while (n > 0) {
        const char *colon = memchr(text + 1, ':', n - 1);
        size_t length = colon == NULL ? n : (size_t)(colon - text);
        if (*text != ':' || *count == 3 ||
            !read_number(&out[(*count)++], text + 1, length - 1))
            return false;
        text += length;
        n -= length;
    }
    return true;
}

dosi_status curve_parse(curve *out, const char *text, size_t n,
    const char *name, dosi_error *err)
{
    const char *colon = memchr(text, ':', n);
    size_t left = colon == NULL ? n : (size_t)(colon - text), count = 0;
    double x[3] = {0, 0, 0};
    bool is_sampled = n > 1 && text[0] == 'C';
    const curve_name *found = find_curve(text + is_sampled, left - is_sampled);
    *out = (curve){.rate = 1};
    if (n == 2 && memcmp(text, "Id", 2) == 0)
        return DOSI_OK;
    if (found == NULL || !read_numbers(x, &count, text + left, n - left) ||
        count != found->n_numbers + is_sampled)
        return dosi_fail(err, DOSI_EINVAL,
            "%s is " CURVE_NAMES ", or of a sample Cgauss:P:MU and so on; got "
            "'%.*s'",
            name, n > 40 ? 40 : (int)n, text);
    out->family = found->family;
    out->rate = is_sampled ? x[0] : 1;
    out->parameter = x[is_sampled];
    out->delta = found->n_numbers == 2 ? x[is_sampled + 1] : 0;
    if (!(out->parameter >= 0 && out->rate >= 0 && out->rate <= 1 &&
            out->delta >= 0 && out->delta <= 1))
        return formula_domain(err,
            "needs a parameter >= 0, rates and deltas in [0, 1], got %s = "
            "%.*s",
            name, n > 40 ? 40 : (int)n, text);
    return DOSI_OK;
}

dosi_status curve_read(
    curve *out, const formula_args *args, const char *name, dosi_error *err)
{
    size_t n = 0;
    const char *text = formula_text(args, name, &n);
    return curve_parse(out, text, n, name, err);
}

dosi_status verdict_give(dosi_interval *out, verdict v, dosi_error *err)
{
    if (v == VERDICT_OPEN)
        return dosi_fail(
            err, DOSI_EUNABLE, "the two sides are too close to be told apart");
    return formula_give(out, ball_of(v == VERDICT_YES), err);
}
