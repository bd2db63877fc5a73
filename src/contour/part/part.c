/*
 * Node rules on the contour, for all kinds of loss laws: sketches in doubles
 * that guide choices, and the tilted law on nodes, made in balls and summed in
 * doubles. Derivation: docs/theory/contour.md.
 */
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "special/disc_row.h"
#include "num/ball_row.h"
#include "num/elem.h"
#include "special/exp_sums.h"
#include "part_piecewise.h"

bool contour_sketch_resize(cumulant_sketch *s, size_t n, size_t n_columns)
{
    double *room = malloc((4 + 2 * n_columns) * n * sizeof *room);
    if (room == NULL) {
        s->no_memory = true;
        return false;
    }
    free(s->log_weight);
    s->n = n;
    s->log_weight = room;
    s->loss = room + n;
    s->tilted = room + 2 * n;
    s->significant = room + 3 * n;
    s->n_columns = n_columns;
    for (size_t j = 0; j < n_columns; j++) {
        s->column[j] = room + (4 + 2 * j) * n;
        s->significant_column[j] = room + (5 + 2 * j) * n;
    }
    s->tilted_at = s->weights_at = -1;
    return true;
}

/* tilted weight of a node that guesses of the decay use */
#define MIN_SIGNIFICANT_WEIGHT 1e-15

void contour_sketch_weights(cumulant_sketch *s)
{
    size_t n = 0;
    if (s->weights_at == s->tilted_at)
        return;
    s->weights_at = s->tilted_at;
    for (size_t i = 0; i < s->n; i++)
        s->tilted[i] =
            s->log_weight[i] + s->tilted_at * s->loss[i] - s->guess.k0;
    exp_all(s->tilted, s->n);
    for (size_t i = 0; i < s->n; i++) {
        s->significant[n] = s->tilted[i];
        for (size_t j = 0; j < s->n_columns; j++)
            s->significant_column[j][n] = s->column[j][i];
        n += s->tilted[i] < MIN_SIGNIFICANT_WEIGHT ? 0 : 1;
    }
    s->n_significant = n;
}

cumulant_guess contour_sketch_at(cumulant_sketch *s, double t)
{
    exp_moments m = exp_tilted(s->log_weight, s->loss, s->n, t);
    double mean = m.first / m.sum;
    s->tilted_at = t;
    s->guess = (cumulant_guess){
        m.top + log(m.sum), mean, m.second / m.sum - mean * mean};
    return s->guess;
}

double contour_decay_from_multiple(double log_bound, double m)
{
    if (m == 1)
        return log_bound;
    /* log_bound is rounded up; -expm1 falls, log1p grows */
    double gap = -expm1(2 * log_bound) * (1 - 0x1p-48);
    return log1p(-gap / (m * m)) / 2 * (1 - 0x1p-48);
}

bool contour_nodes_resize(contour_part *part, size_t n, bool with_noise)
{
    size_t padded = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    double *room = calloc((with_noise ? 3 : 2) * padded, sizeof *room);
    if (room == NULL)
        return false;
    free(part->storage);
    part->storage = room;
    part->nodes =
        (phase_set){.n = padded, .weight = room, .point = room + padded};
    part->at = with_noise ? room + 2 * padded : NULL;
    return true;
}

/* A row of the balls in x, with zeros if n is less. */
static ball_row row_of(const ball *x, size_t n)
{
    ball_row out = {.hi = {0}};
    for (size_t i = 0; i < n && i < BALL_ROW; i++)
        ball_row_put(&out, (int)i, x[i]);
    return out;
}

static ball sum_of(const ball_row *x)
{
    ball sum = ball_row_get(x, 0);
    for (int i = 1; i < BALL_ROW; i++)
        sum = ball_add(sum, ball_row_get(x, i));
    return sum;
}

/* Sums the weights, and the products of weights and losses. */
static void sum_nodes(
    ball *sum, ball *first, const ball *weight, const ball *losses, size_t n)
{
    ball_row sums = row_of(NULL, 0), firsts = sums;
    for (size_t i = 0; i < n; i += BALL_ROW) {
        ball_row w = row_of(weight + i, n - i);
        ball_row l = row_of(losses + i, n - i);
        ball_row_add(&sums, &w);
        ball_row_mul(&l, &w);
        ball_row_add(&firsts, &l);
    }
    *sum = sum_of(&sums);
    *first = sum_of(&firsts);
}

/* Stores one node in doubles. A radius within the rounding of a double is
 * charged with that rounding; a wider one of a point adds to spread, and one of
 * a weight is charged with |e^{iuc}| + 1 + u|c| times the radius. */
static void put_node(contour_part *part, size_t i, ball w, ball point)
{
    double *g = part->storage, *c = g + part->nodes.n;
    g[i] = ball_mid(w);
    c[i] = ball_mid(point);
    if (!(point.rad <= 0x1p-54 * fabs(c[i])))
        part->spread = fmax(part->spread, point.rad);
    if (!(w.rad <= 0x1p-54 * w.hi)) {
        g[i] = ball_upper(w);
        double off = g[i] - fmax(ball_lower(w), 0);
        part->error += off * (4 + 2 * contour_unshifted_outer(&part->want) *
                                      (fabs(c[i]) + point.rad));
    }
}

void contour_nodes_fill(contour_part *part, const ball *weight,
    const ball *losses, size_t n, double cut)
{
    ball sum, first;
    sum_nodes(&sum, &first, weight, losses, n);
    ball inverse = ball_div(ball_of(1), sum);
    part->moment = sum;
    part->mean = ball_mul(first, inverse);
    part->spread = 0;
    ball_row over = ball_row_of(inverse);
    ball_row less = ball_row_of(ball_neg(part->mean));
    for (size_t i = 0; i < n; i += BALL_ROW) {
        ball_row w = row_of(weight + i, n - i);
        ball_row point = row_of(losses + i, n - i);
        ball_row_mul(&w, &over);
        ball_row_add(&point, &less);
        for (size_t j = 0; j < BALL_ROW && i + j < n; j++)
            put_node(part, i + j, ball_row_get(&w, (int)j),
                ball_row_get(&point, (int)j));
    }
    phase_prepare(&part->nodes, cut);
}

/* Sums of powers are log-convex in the exponent, hence not above the chord
 * between both ends; the 1e-3 in these covers the rounding. */
double contour_log_skipped(const contour_part *self, double a)
{
    double here = self->log_skipped[0], there = self->log_skipped[1];
    if (!(a >= 0 && a <= self->want.reach))
        return HUGE_VAL;
    if (a == 0 || here == there)
        return here;
    double share = a / self->want.reach;
    double chord =
        here + share * (there - here) + 0x1p-50 * (fabs(here) + fabs(there));
    return isnan(chord) ? HUGE_VAL : chord;
}

/* Encloses 1 - chi(u) = x + iy; returns the error. */
static double nodes_sums(
    double *x, double *y, const contour_part *self, double u)
{
    double error;
    phase_sums(x, y, &error, &self->nodes, u);
    return contour_nodes_error(self, u, error);
}

disc contour_nodes_power(const contour_part *self, double u)
{
    double x, y, error = nodes_sums(&x, &y, self, u);
    disc chi = {{0, 0}, {0, 0}, 1}; /* |chi| <= 1 */
    if (error < 1)
        chi = (disc){dd_two_sum(1, -x), {y, 0}, error};
    disc power = disc_power(chi, self->count);
    return power.rad < 1 ? power : (disc){{0, 0}, {0, 0}, 1};
}

double contour_nodes_log_sum(const contour_part *self, double a)
{
    const double *g = self->nodes.weight, *c = self->nodes.point;
    double top = 0, sum = DBL_MIN; /* covers underflow */
    for (size_t i = 0; i < self->nodes.n; i++)
        if (g[i] > 0)
            top = fmax(top, a * c[i]);
    for (size_t i = 0; i < self->nodes.n; i++)
        sum += g[i] * exp(a * c[i] - top);
    /* a c - top errs by 2^-51 (|a c| + top), exp by ELEM_ULPS units, the sum of
     * n terms by n units; terms whose argument is well below 0 are charged
     * alike */
    double far = fabs(a) * (self->nodes.largest + self->spread) + top;
    double slack = 0x1p-50 * (far + (double)self->nodes.n + 16) +
                   2 * fabs(a) * self->spread;
    return round_up(top + log(sum)) + slack + 0x1p-49 * fabs(log(sum));
}

/* The product of the midpoints errs by at most sqrt(5) units of its modulus. */
static disc_double disc_double_mul(disc_double a, disc_double b)
{
    double size_a = sqrt(a.re * a.re + a.im * a.im) * (1 + 0x1p-50);
    double size_b = sqrt(b.re * b.re + b.im * b.im) * (1 + 0x1p-50);
    double rad =
        size_a * b.rad + (size_b + b.rad) * a.rad + 0x1p-51 * size_a * size_b;
    return (disc_double){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re,
        rad * (1 + 0x1p-48) + 0x1p-500};
}

disc disc_double_power(disc_double z, double n)
{
    /* squares below 2^-1022 count as 0 in moduli: 2^-500 covers them, as no
     * modulus is above 2 */
    disc_double out = {1, 0, 0};
    while (n > 0 && z.rad < 1 && out.rad < 1) {
        double half = floor(n / 2);
        if (n - 2 * half > 0)
            out = disc_double_mul(out, z);
        if (half > 0)
            z = disc_double_mul(z, z);
        n = half;
    }
    if (n > 0 || !(out.rad < 1)) /* |chi| <= 1 */
        return (disc){{0, 0}, {0, 0}, 1};
    return (disc){{out.re, 0}, {out.im, 0}, out.rad};
}

static const contour_type *sampled_pieces(const loss_law *pair)
{
    if (pair->map == LOSS_WITH_REPLACEMENT)
        return &contour_with_replacement;
    return pair->map == LOSS_GROUP ? NULL : &contour_piecewise;
}

static const contour_type *type_of(const loss_law *pair)
{
    switch (pair->noise) {
    case LOSS_GAUSSIAN:
        if (pair->map == LOSS_PLAIN)
            return &contour_gaussian;
        if (pair->map == LOSS_WITH_REPLACEMENT)
            return &contour_with_replacement;
        return pair->map == LOSS_WITHOUT_REPLACEMENT ? &contour_piecewise
                                                     : &contour_group;
    case LOSS_LAPLACE:
    case LOSS_EXPONENTIAL:
        return pair->map == LOSS_PLAIN ? &contour_bounded
                                       : sampled_pieces(pair);
    case LOSS_FINITE:
        return pair->map == LOSS_PLAIN ? &contour_finite : NULL;
    }
    return NULL;
}

bool contour_part_init(contour_part *part, const loss_law *pair)
{
    memset(part, 0, sizeof *part);
    part->type = type_of(pair);
    part->law = pair;
    part->count = pair->count;
    part->sketch.budget = HUGE_VAL;
    return part->type != NULL;
}

void contour_part_free(contour_part *part)
{
    free(part->storage);
    free(part->shifted_dd.storage);
    free(part->sketch.log_weight);
    pieces_free(part->pieces);
    contour_with_replacement_free(part);
    free(part->group);
    part->pieces = NULL;
    part->group = NULL;
    part->storage = NULL;
    part->shifted_dd.storage = NULL;
    part->sketch.log_weight = NULL;
}

void contour_nodes_minus_one(
    disc_row *out, const contour_part *self, phase_rows *rows, double u)
{
    phase_rows_at(out->re, out->im, out->rad, rows, u);
    for (size_t j = 0; j < DISC_ROW; j++) {
        double at = u + (double)j * rows->step;
        double off = contour_nodes_error(self, at, out->rad[j]);
        bool is_known = off < 1; /* else only |chi| <= 1 is known */
        out->re[j] = is_known ? -out->re[j] : -1;
        out->im[j] = is_known ? out->im[j] : 0;
        out->rad[j] = is_known ? off : 1;
    }
}
