/*
 * Readers of finite laws given point by point and of distances between points.
 */
#include "law_args.h"

#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"
#include "profile_args.h"

/* ---- Points -------------------------------------------------------------- */

static size_t count_items(const char *text, size_t n)
{
    size_t count = 1;
    for (size_t i = 0; i < n; i++)
        count += text[i] == '|';
    return count;
}

dosi_status points_read(
    points *out, const formula_args *args, const char *name, dosi_error *err)
{
    size_t n = 0, at = 0;
    const char *text = formula_text(args, name, &n);
    size_t most = count_items(text, n);
    *out = (points){.x = calloc(2 * most, sizeof(double))};
    if (out->x == NULL)
        return dosi_fail_memory(err);
    out->value = out->x + most;
    while (out->n < most) {
        size_t used = 0;
        double *x = &out->x[out->n], *value = &out->value[out->n];
        bool good = decimal_read(x, text + at, n - at, &used);
        at += good ? used : 0;
        good = good && at < n && text[at] == ':';
        at += good;
        good = good && decimal_read(value, text + at, n - at, &used);
        at += good ? used : 0;
        good = good && (at == n || text[at] == '|') && isfinite(*x) &&
               *value >= 0 && *value <= 1;
        if (!good)
            return dosi_fail(err, DOSI_EINVAL,
                "%s is a list of POINT:VALUE with values in [0, 1]", name);
        at += at < n;
        out->n++;
    }
    return DOSI_OK;
}

void points_free(points *p)
{
    free(p->x);
    p->x = NULL;
}

/* ---- Distances ----------------------------------------------------------- */

/* Reads a distance of n bytes: a number >= 0 or inf. */
static bool read_distance(double *out, const char *text, size_t n)
{
    size_t used = 0;
    if (n == 3 && memcmp(text, "inf", 3) == 0) {
        *out = HUGE_VAL;
        return true;
    }
    return n > 0 && decimal_read(out, text, n, &used) && used == n &&
           *out >= 0 && isfinite(*out);
}

/* Reads "y:y'" before a colon, and moves past the colon. */
static bool read_names(
    double *from, double *to, const char **text, size_t *n)
{
    double *const names[] = {from, to};
    for (int i = 0; i < 2; i++) {
        size_t used = 0;
        if (!decimal_read(names[i], *text, *n, &used) || used == *n ||
            (*text)[used] != ':')
            return false;
        *text += used + 1;
        *n -= used + 1;
    }
    return true;
}

/* Stores the distance of all points with these names; false if none. */
static bool store(double *distance, const points *from, const points *to,
    const double names[2], double d)
{
    bool found = false;
    for (size_t i = 0; i < from->n; i++)
        for (size_t j = 0; j < to->n; j++)
            if (from->x[i] == names[0] && to->x[j] == names[1]) {
                distance[i * to->n + j] = d;
                found = true;
            }
    return found;
}

/* Reads one item of the list: entry k of a table, or one with its names. */
static bool read_item(double *distance, const points *from, const points *to,
    size_t k, const char *text, size_t n)
{
    double names[2] = {0, 0}, d = 0;
    if (memchr(text, ':', n) == NULL) {
        if (k >= from->n * to->n || !read_distance(&d, text, n))
            return false;
        distance[k] = d;
        return true;
    }
    return read_names(&names[0], &names[1], &text, &n) &&
           read_distance(&d, text, n) && store(distance, from, to, names, d);
}

static bool is_line(const formula_args *args)
{
    return !formula_given(args, "dist") ||
           formula_text_is(args, "dist", "line") ||
           formula_text_is(args, "dist", "abs") ||
           formula_text_is(args, "dist", "|x-y|");
}

static dosi_status read_distances(double *distance, const points *from,
    const points *to, const formula_args *args, dosi_error *err)
{
    size_t n = 0, cells = from->n * to->n;
    if (is_line(args)) {
        for (size_t i = 0; i < cells; i++)
            distance[i] = fabs(from->x[i / to->n] - to->x[i % to->n]);
        return DOSI_OK;
    }
    const char *text = formula_text(args, "dist", &n);
    size_t n_items = count_items(text, n);
    bool is_table = memchr(text, ':', n) == NULL;
    bool good = !is_table || n_items == cells;
    for (size_t i = 0; i < cells; i++)
        distance[i] = HUGE_VAL;
    for (size_t k = 0; k < n_items && good; k++) {
        const char *bar = memchr(text, '|', n);
        size_t length = bar == NULL ? n : (size_t)(bar - text);
        good = is_table == (memchr(text, ':', length) == NULL) &&
               read_item(distance, from, to, k, text, length);
        text += bar == NULL ? length : length + 1;
        n -= bar == NULL ? length : length + 1;
    }
    if (good)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "dist is line, %zu numbers >= 0 row by row, or POINT:POINT:d of "
        "points of nu and nup",
        cells);
}

/* ---- Pairs --------------------------------------------------------------- */

static dosi_status law_check(const points *p, const char *name, dosi_error *err)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < p->n; i++)
        sum = ball_add_d(sum, p->value[i]);
    if (ball_less(ball_of(1e-9), ball_abs(ball_sub_d(sum, 1))))
        return formula_domain(err,
            "needs %s of sum 1 to within 1e-9, got sum = %.17g", name,
            ball_mid(sum));
    return DOSI_OK;
}

/* Stores the positive masses divided by their sum; returns their number. */
static size_t keep_masses(ball *out, const points *p)
{
    size_t n = 0;
    ball sum = ball_of(0);
    for (size_t i = 0; i < p->n; i++)
        if (p->value[i] > 0) {
            out[n++] = ball_of(p->value[i]);
            sum = ball_add_d(sum, p->value[i]);
        }
    if (!ball_is_zero(ball_sub_d(sum, 1)))
        for (size_t i = 0; i < n; i++)
            out[i] = ball_div(out[i], sum);
    return n;
}

/* Drops the rows and columns of points without mass. */
static void keep_distances(
    double *distance, const points *from, const points *to)
{
    size_t n = 0;
    for (size_t i = 0; i < from->n; i++)
        for (size_t j = 0; j < to->n; j++)
            if (from->value[i] > 0 && to->value[j] > 0)
                distance[n++] = distance[i * to->n + j];
}

static dosi_status pair_of(law_pair *out, const points *from, const points *to,
    const formula_args *args, dosi_error *err)
{
    if (to->n == 0 || from->n > TRANSPORT_MAX_COSTS / to->n)
        return dosi_fail(err, DOSI_EUNABLE, "too many points");
    out->masses = calloc(from->n + to->n, sizeof *out->masses);
    out->distance = calloc(from->n * to->n, sizeof *out->distance);
    if (out->masses == NULL || out->distance == NULL)
        return dosi_fail_memory(err);
    dosi_status status = read_distances(out->distance, from, to, args, err);
    if (status != DOSI_OK)
        return status;
    keep_distances(out->distance, from, to);
    out->t.from = out->masses;
    out->t.n_from = keep_masses(out->masses, from);
    out->t.to = out->masses + out->t.n_from;
    out->t.n_to = keep_masses(out->masses + out->t.n_from, to);
    return DOSI_OK;
}

dosi_status law_pair_read(
    law_pair *out, const formula_args *args, dosi_error *err)
{
    points from = {.n = 0}, to = {.n = 0};
    *out = (law_pair){.masses = NULL};
    dosi_status status = points_read(&from, args, "nu", err);
    if (status == DOSI_OK)
        status = points_read(&to, args, "nup", err);
    if (status == DOSI_OK)
        status = law_check(&from, "nu", err);
    if (status == DOSI_OK)
        status = law_check(&to, "nup", err);
    if (status == DOSI_OK)
        status = pair_of(out, &from, &to, args, err);
    points_free(&from);
    points_free(&to);
    return status;
}

void law_pair_free(law_pair *x)
{
    free(x->masses);
    free(x->distance);
    *x = (law_pair){.masses = NULL};
}
