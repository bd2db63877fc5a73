/*
 * What lists of outcomes say, by Arb: the profile H, and the mass of Q above
 * a loss, of one list or of the composition of two, with all losses moved.
 */
#ifndef DOSI_TESTS_SUPPORT_EXACT_LIST_H
#define DOSI_TESTS_SUPPORT_EXACT_LIST_H

#include <arb.h>

#include "list/list_law.h"

#define EXACT_BITS 200

/* One or two lists; NULL: the other alone. */
typedef struct exact_pair {
    const list_law *a, *b;
} exact_pair;

/* A mass that a list stores. */
static inline void exact_stored(arb_t out, double mass, const list_law *x)
{
    arb_set_d(out, mass);
    arb_mul_2exp_si(out, out, -x->scale);
}

/* loss_i + loss_j + moved - epsilon, and mass_i mass_j. */
static inline void exact_term(arb_t gap, arb_t mass, exact_pair x, size_t i,
    size_t j, double epsilon, double moved)
{
    arb_set_d(gap, x.a->loss[i]);
    exact_stored(mass, x.a->mass[i], x.a);
    arb_t one;
    arb_init(one);
    if (x.b != NULL) {
        arb_set_d(one, x.b->loss[j]);
        arb_add(gap, gap, one, 4 * EXACT_BITS);
        exact_stored(one, x.b->mass[j], x.b);
        arb_mul(mass, mass, one, EXACT_BITS);
    }
    arb_set_d(one, moved);
    arb_add(gap, gap, one, 4 * EXACT_BITS);
    arb_set_d(one, epsilon);
    arb_sub(gap, gap, one, 4 * EXACT_BITS);
    arb_clear(one);
}

static inline void exact_mass(arb_t out, const list_law *x)
{
    arb_t one;
    arb_init(one);
    arb_zero(out);
    for (size_t i = 0; i < x->n; i++) {
        exact_stored(one, x->mass[i], x);
        arb_add(out, out, one, EXACT_BITS);
    }
    arb_clear(one);
}

/* The mass at +inf. */
static inline void exact_infinity(arb_t out, exact_pair x)
{
    exact_stored(out, x.a->at_infinity, x.a);
    if (x.b == NULL)
        return;
    arb_t mass, inf;
    arb_init(mass);
    arb_init(inf);
    exact_mass(mass, x.b);
    exact_stored(inf, x.b->at_infinity, x.b);
    arb_add(mass, mass, inf, EXACT_BITS);
    arb_mul(out, out, mass, EXACT_BITS);
    exact_mass(mass, x.a);
    arb_addmul(out, mass, inf, EXACT_BITS);
    arb_clear(mass);
    arb_clear(inf);
}

/* Sums f(gap) mass over the outcomes above epsilon. */
static inline void exact_sum(arb_t out, exact_pair x, double epsilon,
    double moved, void (*f)(arb_t gap))
{
    arb_t gap, mass;
    arb_init(gap);
    arb_init(mass);
    arb_zero(out);
    size_t n = x.b != NULL ? x.b->n : 1;
    for (size_t i = 0; i < x.a->n; i++)
        for (size_t j = 0; j < n; j++) {
            exact_term(gap, mass, x, i, j, epsilon, moved);
            if (!arb_is_positive(gap))
                continue;
            f(gap);
            arb_addmul(out, mass, gap, EXACT_BITS);
        }
    arb_clear(gap);
    arb_clear(mass);
}

static inline void exact_one_less(arb_t gap)
{
    arb_neg(gap, gap);
    arb_expm1(gap, gap, EXACT_BITS);
    arb_neg(gap, gap);
}

static inline void exact_exp_minus(arb_t gap)
{
    arb_neg(gap, gap);
    arb_exp(gap, gap, EXACT_BITS);
}

/* H at e^epsilon. */
static inline void exact_h(
    arb_t out, exact_pair x, double epsilon, double moved)
{
    arb_t inf;
    arb_init(inf);
    exact_sum(out, x, epsilon, moved, exact_one_less);
    exact_infinity(inf, x);
    arb_add(out, out, inf, EXACT_BITS);
    arb_clear(inf);
}

/* Q[L > epsilon]. */
static inline void exact_q(
    arb_t out, exact_pair x, double epsilon, double moved)
{
    arb_t scale;
    arb_init(scale);
    exact_sum(out, x, epsilon, moved, exact_exp_minus);
    arb_set_d(scale, -epsilon);
    arb_exp(scale, scale, EXACT_BITS);
    arb_mul(out, out, scale, EXACT_BITS);
    arb_clear(scale);
}

/* Whether a double is certainly no less, or no more, but for what Arb does
 * not know of the value. */
static inline bool exact_is_above(double x, const arb_t value)
{
    return arf_cmp_d(arb_midref(value), x) <= 0;
}

static inline bool exact_is_below(double x, const arb_t value)
{
    return arf_cmp_d(arb_midref(value), x) >= 0;
}

/* x -= share value; of NULL, 1. */
static inline void exact_less(arb_t x, const arb_struct *value, double share)
{
    arb_t part;
    arb_init(part);
    arb_set_d(part, share);
    if (value != NULL)
        arb_mul(part, part, value, EXACT_BITS);
    arb_sub(x, x, part, EXACT_BITS);
    arb_clear(part);
}

/* x -= value 2^-scale. */
static inline void exact_less_stored(arb_t x, double value, int scale)
{
    arb_t part;
    arb_init(part);
    arb_set_d(part, value);
    arb_mul_2exp_si(part, part, -scale);
    arb_sub(x, x, part, EXACT_BITS);
    arb_clear(part);
}

static inline double exact_double(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

#endif
