/*
 * Weights of the chords of one Poisson-sampled run of bounded range on a
 * lattice, for all choices of the loss range at which an end of the chord meets
 * a lattice point. Derivation: docs/theory/adaptive.md.
 */
#include "adaptive_rows.h"

#include <math.h>
#include <stdlib.h>

/* Relative distance of two choices below which one chord bounds both. */
#define MERGE_DISTANCE 0x1p-24

/* A choice with the losses t, s = e^t, and t - e. The ends of its chord are
 * factors e^-reach_left and e^reach_right away. */
typedef struct chord_choice {
    ball s, reach_left, reach_right;
} chord_choice;

static chord_choice choice_at(const adaptive_row_params *c, ball s)
{
    ball rest = ball_sub(ball_of(1), ball_mul(s, ball_exp(ball_neg(c->e))));
    return (chord_choice){s, ball_log1p(ball_mul_d(ball_sub_d(s, 1), c->rate)),
        ball_neg(ball_log1p(ball_mul_d(rest, -c->rate)))};
}

double adaptive_chord_steps(const adaptive_row_params *c, bool back)
{
    chord_choice p = choice_at(c, back ? ball_exp(c->e) : ball_of(1));
    return ball_upper(back ? p.reach_left : p.reach_right) / c->h;
}

/* The whole steps in a length, and the rest, which is at least 0 within the
 * radius of the ball. */
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

static int by_choice(const void *a, const void *b)
{
    double x = ball_mid(((const chord_choice *)a)->s);
    double y = ball_mid(((const chord_choice *)b)->s);
    return (x > y) - (x < y);
}

/* Lists the first and the last choice, and all choices between whose chord ends
 * at a point. */
static size_t list_choices(chord_choice *out, const adaptive_row_params *c)
{
    ball first = ball_of(1), last = ball_exp(c->e);
    size_t n = 0;
    out[n++] = choice_at(c, first);
    out[n++] = choice_at(c, last);
    for (double i = 1; i < adaptive_chord_steps(c, true); i++) {
        ball x = ball_of(i * c->h);
        ball s = ball_add_d(ball_div_d(ball_expm1(x), c->rate), 1);
        if (ball_less(s, last)) {
            out[n] = choice_at(c, s);
            out[n++].reach_left = x;
        }
    }
    for (double i = 1; i < adaptive_chord_steps(c, false); i++) {
        ball x = ball_of(i * c->h);
        ball t = ball_add_d(
            ball_div_d(ball_expm1(ball_neg(x)), c->rate), 1);
        ball s = ball_mul(last, t);
        if (ball_less(first, s)) {
            out[n] = choice_at(c, s);
            out[n++].reach_right = x;
        }
    }
    qsort(out, n, sizeof *out, by_choice);
    return n;
}

static dosi_status make_choices(
    chord_choice **out, size_t *n, const adaptive_row_params *c,
    dosi_error *err)
{
    double most =
        adaptive_chord_steps(c, true) + adaptive_chord_steps(c, false) + 4;
    *out = malloc((size_t)most * sizeof **out);
    if (*out == NULL)
        return dosi_fail_memory(err);
    *n = list_choices(*out, c);
    return DOSI_OK;
}

/* A row for the choices between a and b. If they are close, the chord that
 * reaches as far as either on each side is an upper bound of all of them. */
static adaptive_row row_between(
    const chord_choice *a, const chord_choice *b, const adaptive_row_params *c)
{
    double low = ball_mid(a->s), high = ball_mid(b->s);
    if (high - low <= MERGE_DISTANCE * high)
        return row_of(ball_max(a->reach_left, b->reach_left),
            ball_max(a->reach_right, b->reach_right),
            c->h, true);
    chord_choice mid = choice_at(c, ball_of(low + (high - low) / 2));
    adaptive_row row = row_of(mid.reach_left, mid.reach_right, c->h, true);
    row.is_mid = true;
    return row;
}

/* A bound of a group of choices: the chord that reaches as far left as the last
 * of them and as far right as the first. */
static adaptive_row row_above(
    const chord_choice *choices, size_t n, size_t group,
    const adaptive_row_params *c)
{
    size_t first = group * CHOICES_PER_GROUP, end = first + CHOICES_PER_GROUP;
    const chord_choice *a = &choices[first], *b =
        &choices[end < n ? end : n - 1];
    return row_of(b->reach_left, a->reach_right, c->h, true);
}

/* True if all weights are finite numbers: a comparison with NaN would skip the
 * row. */
static bool is_known(const adaptive_row *row)
{
    const double *w = row->weight;
    return w[0] + w[1] + w[2] + w[3] + row->p1 + row->fall + row->keep +
               row->p2 + row->rise + row->grow <
           HUGE_VAL;
}

dosi_status adaptive_rows_above(
    adaptive_rows *out, const adaptive_row_params *c, dosi_error *err)
{
    chord_choice *choices = NULL;
    *out = (adaptive_rows){0};
    dosi_status status = make_choices(&choices, &out->n, c, err);
    if (status != DOSI_OK)
        return status;
    size_t n = out->n;
    out->n_groups = (n - 2) / CHOICES_PER_GROUP + 1;
    out->items = malloc(2 * n * sizeof *out->items);
    out->bounds = malloc(out->n_groups * sizeof *out->bounds);
    if (out->items == NULL || out->bounds == NULL) {
        free(choices);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        out->items[2 * i] =
            row_of(choices[i].reach_left, choices[i].reach_right, c->h, true);
        if (i + 1 < n)
            out->items[2 * i + 1] =
                row_between(&choices[i], &choices[i + 1], c);
    }
    for (size_t i = 0; i < out->n_groups; i++)
        out->bounds[i] = row_above(choices, n, i, c);
    free(choices);
    bool known = true;
    for (size_t i = 0; i < 2 * n - 1; i++)
        known = known && is_known(&out->items[i]);
    for (size_t i = 0; i < out->n_groups; i++)
        known = known && is_known(&out->bounds[i]);
    return known ? DOSI_OK
                 : dosi_fail(err, DOSI_EUNABLE,
                       "exponential: a sample's weights are not known");
}

/* Whole steps within a length, rounded down. */
static double points_within(ball length, double h)
{
    double least = ball_lower(length), n = floor(least / h);
    return n * h > least ? n - 1 : n;
}

/* Lower bounds: ends of chords are moved inwards to points, as a shorter chord
 * lies below. */
dosi_status adaptive_rows_below(
    adaptive_rows *out, const adaptive_row_params *c, dosi_error *err)
{
    chord_choice *choices = NULL;
    *out = (adaptive_rows){0};
    dosi_status status = make_choices(&choices, &out->n, c, err);
    if (status != DOSI_OK)
        return status;
    out->n_groups = (out->n - 2) / CHOICES_PER_GROUP + 1;
    out->items = malloc(out->n * sizeof *out->items);
    if (out->items == NULL) {
        free(choices);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < out->n; i++) {
        double back = points_within(choices[i].reach_left, c->h);
        double on = points_within(choices[i].reach_right, c->h);
        out->items[i] = (adaptive_row){0};
        if (back >= 1 && on >= 1)
            out->items[i] = row_of(ball_of(back * c->h),
                ball_of(on * c->h), c->h, false);
    }
    free(choices);
    return DOSI_OK;
}
