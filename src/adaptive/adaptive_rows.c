#include "adaptive_rows.h"

#include <math.h>
#include <stdlib.h>

/* Choices that are no farther apart than that, relatively, are one. */
#define CLOSE 0x1p-24

/* A choice: the losses t, s = e^t, and t - e. Ends of its chord are a factor
 * e^-back and e^on away. */
typedef struct place {
    ball s, back, on;
} place;

static place place_at(const adaptive_choice *c, ball s)
{
    ball rest = ball_sub(ball_of(1), ball_mul(s, ball_exp(ball_neg(c->e))));
    return (place){s, ball_log1p(ball_mul_d(ball_sub_d(s, 1), c->rate)),
        ball_neg(ball_log1p(ball_mul_d(rest, -c->rate)))};
}

double adaptive_reach(const adaptive_choice *c, bool back)
{
    place p = place_at(c, back ? ball_exp(c->e) : ball_of(1));
    return ball_upper(back ? p.back : p.on) / c->h;
}

/* Whole steps, and what is left: 0 or more, but for the ball's radius. */
static int split(ball *rest, ball length, double h)
{
    double n = floor(ball_mid(length) / h);
    *rest = ball_sub(length, ball_of(n * h));
    if (ball_is_negative(*rest)) {
        n--;
        *rest = ball_sub(length, ball_of(n * h));
    }
    if (!ball_is_positive(*rest))
        *rest = ball_of(0);
    return (int)n;
}

static double towards(ball x, bool up)
{
    return up ? fmax(ball_upper(x), 0) : fmax(ball_lower(x), 0);
}

static adaptive_row row_of(ball back, ball on, double h, bool up)
{
    ball phi, r, one = ball_of(1);
    adaptive_row row = {.n = split(&phi, back, h), .m = split(&r, on, h)};
    ball fall = ball_neg(ball_expm1(ball_neg(back))), rise = ball_expm1(on);
    ball whole = ball_add(fall, rise);
    ball p1 = ball_div(rise, whole), p2 = ball_div(fall, whole);
    ball before = ball_div(ball_expm1(ball_neg(phi)), ball_expm1(ball_of(-h)));
    ball behind = ball_div(ball_expm1(r), ball_expm1(ball_of(h)));
    row.weight[0] = towards(ball_mul(p1, ball_sub(one, before)), up);
    row.weight[1] = towards(ball_mul(p1, before), up);
    row.weight[2] = towards(ball_mul(p2, ball_sub(one, behind)), up);
    row.weight[3] = towards(ball_mul(p2, behind), up);
    row.p1 = towards(p1, up);
    row.p2 = towards(p2, up);
    row.fall = towards(ball_neg(ball_expm1(ball_neg(phi))), up);
    row.keep = towards(ball_exp(ball_neg(phi)), up);
    row.rise = towards(ball_expm1(r), up);
    row.grow = towards(ball_exp(r), up);
    return row;
}

/* ---- Where an end is a point ------------------------------------------- */

static int by_choice(const void *a, const void *b)
{
    double x = ball_mid(((const place *)a)->s);
    double y = ball_mid(((const place *)b)->s);
    return (x > y) - (x < y);
}

/* Both ends of all choices, and all between where an end is a point. */
static size_t put_places(place *out, const adaptive_choice *c)
{
    ball first = ball_of(1), last = ball_exp(c->e);
    size_t n = 0;
    out[n++] = place_at(c, first);
    out[n++] = place_at(c, last);
    for (double i = 1; i < adaptive_reach(c, true); i++) {
        ball x = ball_of(i * c->h);
        ball s = ball_add_d(ball_div_d(ball_expm1(x), c->rate), 1);
        if (ball_less(s, last)) {
            out[n] = place_at(c, s);
            out[n++].back = x;
        }
    }
    for (double i = 1; i < adaptive_reach(c, false); i++) {
        ball x = ball_of(i * c->h);
        ball t = ball_add_d(
            ball_div_d(ball_expm1(ball_neg(x)), c->rate), 1);
        ball s = ball_mul(last, t);
        if (ball_less(first, s)) {
            out[n] = place_at(c, s);
            out[n++].on = x;
        }
    }
    qsort(out, n, sizeof *out, by_choice);
    return n;
}

static dosi_status make_places(
    place **out, size_t *n, const adaptive_choice *c, dosi_error *err)
{
    double most = adaptive_reach(c, true) + adaptive_reach(c, false) + 4;
    *out = malloc((size_t)most * sizeof **out);
    if (*out == NULL)
        return dosi_fail_memory(err);
    *n = put_places(*out, c);
    return DOSI_OK;
}

/* Between two choices a chord is no more than one that goes as far back and on
 * as either, which is enough where they are close. */
static adaptive_row row_between(
    const place *a, const place *b, const adaptive_choice *c)
{
    double low = ball_mid(a->s), high = ball_mid(b->s);
    if (high - low <= CLOSE * high)
        return row_of(ball_max(a->back, b->back), ball_max(a->on, b->on),
            c->h, true);
    place mid = place_at(c, ball_of(low + (high - low) / 2));
    adaptive_row row = row_of(mid.back, mid.on, c->h, true);
    row.is_mid = true;
    return row;
}

/* One that goes as far back as the last of a group, and on as the first. */
static adaptive_row row_above(
    const place *places, size_t n, size_t group, const adaptive_choice *c)
{
    size_t first = group * RANGE_GROUP, end = first + RANGE_GROUP;
    const place *a = &places[first], *b = &places[end < n ? end : n - 1];
    return row_of(b->back, a->on, c->h, true);
}

/* Whether a row's numbers are such: a sum with one that is not would be passed
 * over. */
static bool is_known(const adaptive_row *row)
{
    const double *w = row->weight;
    return w[0] + w[1] + w[2] + w[3] + row->p1 + row->fall + row->keep +
               row->p2 + row->rise + row->grow <
           HUGE_VAL;
}

dosi_status adaptive_rows_above(
    adaptive_rows *out, const adaptive_choice *c, dosi_error *err)
{
    place *places = NULL;
    *out = (adaptive_rows){0};
    dosi_status status = make_places(&places, &out->n, c, err);
    if (status != DOSI_OK)
        return status;
    size_t n = out->n;
    out->n_groups = (n - 2) / RANGE_GROUP + 1;
    out->items = malloc(2 * n * sizeof *out->items);
    out->bounds = malloc(out->n_groups * sizeof *out->bounds);
    if (out->items == NULL || out->bounds == NULL) {
        free(places);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        out->items[2 * i] = row_of(places[i].back, places[i].on, c->h, true);
        if (i + 1 < n)
            out->items[2 * i + 1] = row_between(&places[i], &places[i + 1], c);
    }
    for (size_t i = 0; i < out->n_groups; i++)
        out->bounds[i] = row_above(places, n, i, c);
    free(places);
    bool known = true;
    for (size_t i = 0; i < 2 * n - 1; i++)
        known = known && is_known(&out->items[i]);
    for (size_t i = 0; i < out->n_groups; i++)
        known = known && is_known(&out->bounds[i]);
    return known ? DOSI_OK
                 : dosi_fail(err, DOSI_EUNABLE,
                       "exponential: a sample's weights are not known");
}

/* The last point that is no farther. */
static double points_within(ball length, double h)
{
    double least = ball_lower(length), n = floor(least / h);
    return n * h > least ? n - 1 : n;
}

/* Shorter chords are no more: ends are moved to points within. */
dosi_status adaptive_rows_below(
    adaptive_rows *out, const adaptive_choice *c, dosi_error *err)
{
    place *places = NULL;
    *out = (adaptive_rows){0};
    dosi_status status = make_places(&places, &out->n, c, err);
    if (status != DOSI_OK)
        return status;
    out->n_groups = (out->n - 2) / RANGE_GROUP + 1;
    out->items = malloc(out->n * sizeof *out->items);
    if (out->items == NULL) {
        free(places);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < out->n; i++) {
        double back = points_within(places[i].back, c->h);
        double on = points_within(places[i].on, c->h);
        out->items[i] = (adaptive_row){0};
        if (back >= 1 && on >= 1)
            out->items[i] = row_of(ball_of(back * c->h),
                ball_of(on * c->h), c->h, false);
    }
    free(places);
    return DOSI_OK;
}
