/*
 * S and W of docs/theory/spectral.md, section 9, by Arb: as integrals, by
 * Gauss's rule on panels up to where the cuts end, and as sums over a lattice.
 * Nothing here is taken from the library but the nodes' places.
 */
#ifndef DOSI_TESTS_SUPPORT_JUMP_INTEGRALS_H
#define DOSI_TESTS_SUPPORT_JUMP_INTEGRALS_H

#include <acb.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <math.h>
#include <stdlib.h>

#include "repr/spectral_jumps_line.h"

#define JUMP_BITS 128
#define JUMP_ORDER 24 /* of Gauss's rule: some 1e-35 on these panels */
#define JUMP_FAR 22   /* deviations from a cut where it is 0 or 1 */

typedef enum { JUMP_ALL, JUMP_BELOW, JUMP_BETWEEN, JUMP_ABOVE } jump_side;

/* Cuts at a and b in taus; what is below b, between them, or above b. */
typedef struct jump_weight {
    const jump_part *part;
    jump_side side;
    double a, b;
    double end_a, end_b; /* where they are 0 from on */
    double power; /* of B that is beside all */
} jump_weight;

/* Points with logarithms of their weights, as functions of the loss. */
typedef struct jump_points {
    slong n, room;
    arb_ptr log_weight, loss;
} jump_points;

static inline jump_weight jump_weight_of(const jump_law *own)
{
    const jump_part *part = own->line.part;
    double reach = JUMP_REACH * part->tau + own->line.h / 2;
    return (jump_weight){part, own->is_jump ? JUMP_BETWEEN : JUMP_BELOW,
        own->low, own->cut, own->low * part->tau + reach,
        own->cut * part->tau + reach, 0};
}

/* Phi(z), or of the mirror image. */
static inline void jump_phi(arb_t out, const arb_t z, bool mirror)
{
    arb_t root;
    arb_init(root);
    arb_set_ui(root, 2);
    arb_rsqrt(root, root, JUMP_BITS);
    arb_mul(out, z, root, JUMP_BITS);
    if (!mirror)
        arb_neg(out, out);
    arb_hypgeom_erfc(out, out, JUMP_BITS);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(root);
}

/* (c - x)/tau */
static inline void jump_distance(
    arb_t out, const jump_part *part, double c, const arb_t x)
{
    arb_t tau;
    arb_init(tau);
    arb_set_d(tau, part->tau);
    arb_div(out, x, tau, JUMP_BITS);
    arb_set_d(tau, c);
    arb_sub(out, tau, out, JUMP_BITS);
    arb_clear(tau);
}

/* The weight of the cuts at x. */
static inline void jump_cuts(arb_t out, const jump_weight *w, const arb_t x)
{
    double at = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_t a, b, other;
    arb_init(a);
    arb_init(b);
    arb_init(other);
    jump_distance(a, w->part, w->a, x);
    jump_distance(b, w->part, w->b, x);
    arb_one(out);
    if (w->side == JUMP_BELOW)
        jump_phi(out, b, false);
    else if (w->side == JUMP_ABOVE && at < w->end_b)
        jump_phi(out, b, true);
    else if (w->side == JUMP_BETWEEN) {
        arb_add(other, a, b, JUMP_BITS);
        bool mirror = arb_is_positive(other) && at < w->end_a;
        jump_phi(out, b, mirror);
        jump_phi(other, a, mirror);
        if (at < w->end_a)
            arb_sub(out, mirror ? other : out, mirror ? out : other,
                JUMP_BITS);
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(other);
}

/* log of sum_i Bin(i; n, q) e^(i y - i^2 mu^2/2), less by a log of 1 - q for
 * each of n, so that small rates keep their digits. */
static inline void jump_log_shifts(
    arb_t out, const jump_part *part, unsigned n, const arb_t y)
{
    arb_t odds, term, e;
    arb_init(odds);
    arb_init(term);
    arb_init(e);
    arb_set_d(odds, part->q);
    arb_sub_ui(term, odds, 1, JUMP_BITS);
    arb_neg(term, term);
    arb_div(odds, odds, term, JUMP_BITS);
    arb_zero(out);
    for (unsigned i = 1; i <= n; i++) {
        arb_set_d(e, part->mu);
        arb_sqr(e, e, JUMP_BITS);
        arb_mul_ui(e, e, i * i, JUMP_BITS);
        arb_mul_2exp_si(e, e, -1);
        arb_mul_ui(term, y, i, JUMP_BITS);
        arb_sub(e, term, e, JUMP_BITS);
        arb_exp(e, e, JUMP_BITS);
        arb_pow_ui(term, odds, i, JUMP_BITS);
        arb_mul(e, e, term, JUMP_BITS);
        arb_bin_uiui(term, n, i, JUMP_BITS);
        arb_addmul(out, e, term, JUMP_BITS);
    }
    arb_log1p(out, out, JUMP_BITS);
    arb_clear(odds);
    arb_clear(term);
    arb_clear(e);
}

/* log(1-q), n times. */
static inline void jump_log_keep(arb_t out, const jump_part *part, unsigned n)
{
    arb_set_d(out, -part->q);
    arb_log1p(out, out, JUMP_BITS);
    arb_mul_ui(out, out, n, JUMP_BITS);
}

/* log A - log B, and log B. */
static inline void jump_losses(
    arb_t out, arb_t log_b, const jump_part *part, const arb_t x)
{
    unsigned a = (unsigned)part->removed, b = (unsigned)part->added;
    arb_t y, keep;
    arb_init(y);
    arb_init(keep);
    arb_set_d(y, part->mu);
    arb_mul(y, y, x, JUMP_BITS);
    jump_log_shifts(out, part, a, y);
    jump_log_keep(keep, part, a);
    arb_add(out, out, keep, JUMP_BITS);
    arb_neg(y, y);
    jump_log_shifts(log_b, part, b, y);
    jump_log_keep(keep, part, b);
    arb_add(log_b, log_b, keep, JUMP_BITS);
    arb_sub(out, out, log_b, JUMP_BITS);
    arb_clear(y);
    arb_clear(keep);
}

/* log(1 - q + q e^(mu x - mu^2/2)) */
static inline void jump_loss(arb_t out, const jump_part *part, const arb_t x)
{
    arb_t mu;
    arb_init(mu);
    arb_set_d(mu, part->mu);
    arb_mul_2exp_si(out, mu, -1);
    arb_sub(out, x, out, JUMP_BITS);
    arb_mul(out, out, mu, JUMP_BITS);
    arb_expm1(out, out, JUMP_BITS);
    arb_set_d(mu, part->q);
    arb_mul(out, out, mu, JUMP_BITS);
    arb_log1p(out, out, JUMP_BITS);
    arb_clear(mu);
}

/* Adds a point of so much weight, times phi, B and the cuts. */
static inline void jump_points_add(
    jump_points *p, const jump_weight *w, const arb_t x, const arb_t weight)
{
    if (p->n == p->room) {
        slong more = p->room < 1000 ? 1000 : p->room;
        p->log_weight = realloc(p->log_weight,
            (size_t)(p->room + more) * sizeof *p->log_weight);
        p->loss = realloc(
            p->loss, (size_t)(p->room + more) * sizeof *p->loss);
        for (slong i = p->room; i < p->room + more; i++) {
            arb_init(p->log_weight + i);
            arb_init(p->loss + i);
        }
        p->room += more;
    }
    arb_ptr to = p->log_weight + p->n;
    arb_t a, log_b;
    arb_init(a);
    arb_init(log_b);
    if (w->part->split == NULL)
        jump_loss(p->loss + p->n, w->part, x);
    else
        jump_losses(p->loss + p->n, log_b, w->part, x);
    jump_cuts(to, w, x);
    arb_mul(to, to, weight, JUMP_BITS);
    arb_const_pi(a, JUMP_BITS);
    arb_mul_2exp_si(a, a, 1);
    arb_rsqrt(a, a, JUMP_BITS);
    arb_mul(to, to, a, JUMP_BITS);
    arb_log(to, to, JUMP_BITS);
    arb_sqr(a, x, JUMP_BITS);
    arb_mul_2exp_si(a, a, -1);
    arb_sub(to, to, a, JUMP_BITS);
    arb_set_d(a, 1 + w->power);
    arb_addmul(to, log_b, a, JUMP_BITS);
    arb_clear(a);
    arb_clear(log_b);
    p->n++;
}

static inline void jump_points_free(jump_points *p)
{
    for (slong i = 0; i < p->room; i++) {
        arb_clear(p->log_weight + i);
        arb_clear(p->loss + i);
    }
    free(p->log_weight);
    free(p->loss);
    *p = (jump_points){.n = 0};
}

/* The nodes of a law. */
static inline jump_points jump_lattice(const jump_law *own)
{
    jump_points p = {.n = 0};
    jump_weight w = jump_weight_of(own);
    arb_t x, h;
    arb_init(x);
    arb_init(h);
    arb_set_d(h, own->line.h);
    for (size_t i = 0; i < own->line.n; i++) {
        arb_set_d(x, own->line.first + (double)i);
        arb_mul(x, x, h, JUMP_BITS);
        jump_points_add(&p, &w, x, h);
    }
    arb_clear(x);
    arb_clear(h);
    return p;
}

/* How long a panel from x on may be: for exponents of at most this size. */
static inline double jump_panel(const jump_weight *w, double x, double size)
{
    const jump_part *part = w->part;
    double at = x / part->tau, len = 0.25;
    bool near_a = w->side == JUMP_BETWEEN && fabs(at - w->a) < JUMP_FAR + 1;
    bool near_b = w->side != JUMP_ALL && fabs(at - w->b) < JUMP_FAR + 1;
    if (near_a || near_b)
        len = part->tau;
    double ratio = fmax(jump_point_at(part, x).ratio,
        jump_point_at(part, x + len).ratio);
    return fmin(len, 10 / (size * part->mu * ratio));
}

/* Gauss's rule from x to the end, or to where the next cut ends. */
static inline jump_points jump_integral_over(
    const jump_weight *w, double x, double end, double size)
{
    jump_points p = {.n = 0};
    arb_t place[JUMP_ORDER], weight[JUMP_ORDER], a, half, v;
    arb_init(a);
    arb_init(half);
    arb_init(v);
    for (ulong i = 0; i < JUMP_ORDER; i++) {
        arb_init(place[i]);
        arb_init(weight[i]);
        arb_hypgeom_legendre_p_ui_root(
            place[i], weight[i], JUMP_ORDER, i, JUMP_BITS);
    }
    while (x < end) {
        double to = fmin(x + jump_panel(w, x, size), end);
        if (x < w->end_a && to > w->end_a)
            to = w->end_a;
        if (x < w->end_b && to > w->end_b)
            to = w->end_b;
        arb_set_d(a, x);
        arb_set_d(half, to);
        arb_sub(half, half, a, JUMP_BITS);
        arb_mul_2exp_si(half, half, -1);
        arb_add(a, a, half, JUMP_BITS);
        for (int i = 0; i < JUMP_ORDER; i++) {
            arb_mul(v, place[i], half, JUMP_BITS);
            arb_add(v, v, a, JUMP_BITS);
            arb_t by;
            arb_init(by);
            arb_mul(by, weight[i], half, JUMP_BITS);
            jump_points_add(&p, w, v, by);
            arb_clear(by);
        }
        x = to;
    }
    for (int i = 0; i < JUMP_ORDER; i++) {
        arb_clear(place[i]);
        arb_clear(weight[i]);
    }
    arb_clear(a);
    arb_clear(half);
    arb_clear(v);
    return p;
}

/* Without cuts, between two places. */
static inline jump_points jump_integral_all(
    const jump_part *part, double from, double to, double size)
{
    jump_weight w = {part, JUMP_ALL, 0, 0, 0, 0, 0};
    return jump_integral_over(&w, from, to, size);
}

/* S or W of a law; exponents of at most this size will be asked for. */
static inline jump_points jump_integral(const jump_law *own, double size)
{
    jump_weight w = jump_weight_of(own);
    double x = -22;
    if (w.part->added > 0) /* losses turn fast there */
        x = fmin(jump_line_x(&own->line, 0), -9) - 2;
    if (own->is_jump)
        x = fmax(x, (own->low - JUMP_FAR) * w.part->tau);
    return jump_integral_over(&w, x, w.end_b, size);
}

/* The sum of e^((1 + t + iu) l). */
static inline void jump_points_at(
    acb_t out, const jump_points *p, double t, double u)
{
    double top = -HUGE_VAL;
    acb_zero(out);
    for (int pass = 0; pass < 2; pass++)
        for (slong i = 0; i < p->n; i++) {
            double e =
                arf_get_d(arb_midref(p->log_weight + i), ARF_RND_NEAR) +
                (1 + t) *
                    arf_get_d(arb_midref(p->loss + i), ARF_RND_NEAR);
            if (pass == 0 && e > top)
                top = e;
            if (pass == 0 || !(e > top - 90))
                continue;
            acb_t f;
            acb_init(f);
            acb_set_d_d(f, t, u);
            acb_add_ui(f, f, 1, JUMP_BITS);
            acb_mul_arb(f, f, p->loss + i, JUMP_BITS);
            acb_add_arb(f, f, p->log_weight + i, JUMP_BITS);
            acb_exp(f, f, JUMP_BITS);
            acb_add(out, out, f, JUMP_BITS);
            acb_clear(f);
        }
}

/* x - log |z|, x - log |a - b|, with as little of |z| as there may be. */
static inline double jump_above(double x, const acb_t z)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    acb_get_abs_lbound_arf(arb_midref(a), z, JUMP_BITS);
    arb_log(a, a, JUMP_BITS);
    arb_set_d(b, x);
    arb_sub(a, b, a, JUMP_BITS);
    double found = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    arb_clear(a);
    arb_clear(b);
    return acb_contains_zero(z) ? HUGE_VAL : found;
}

static inline double jump_above_gap(double x, const acb_t a, const acb_t b)
{
    acb_t gap;
    acb_init(gap);
    acb_sub(gap, a, b, JUMP_BITS);
    double found = jump_above(x, gap);
    acb_clear(gap);
    return found;
}

/* x - log |sum e^((1 + t + iu) l)| */
static inline double jump_points_above(
    double x, const jump_points *p, double t, double u)
{
    acb_t z;
    acb_init(z);
    jump_points_at(z, p, t, u);
    double found = jump_above(x, z);
    acb_clear(z);
    return found;
}

/* Its logarithm. */
static inline double jump_points_log(const jump_points *p, double t, double u)
{
    return -jump_points_above(0, p, t, u);
}

#endif
