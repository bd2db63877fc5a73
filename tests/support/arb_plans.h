/*
 * Random finite plans, as text and as pairs of laws in Arb: response, stated
 * guarantees by the pair that attains them, given laws with mass at
 * infinity, Poisson samples of all of these, nested ones among them, and
 * compositions.
 */
#ifndef DOSI_TESTS_SUPPORT_ARB_PLANS_H
#define DOSI_TESTS_SUPPORT_ARB_PLANS_H

#include "arb_law.h"
#include "random_plans.h"

#define MAX_OUTCOMES 1500

static prop_random rng;
static slong bits;

/* One direction each: the record is removed (p has it) or added (q has). */
typedef struct finite_pair {
    arb_law law[2];
    bool own_add; /* the second law is not the first one exchanged */
} finite_pair;

static void pair_clear(finite_pair *x)
{
    finite_clear(&x->law[0]);
    finite_clear(&x->law[1]);
}

static void pair_exchange(finite_pair *x)
{
    finite_copy(&x->law[1], &x->law[0]);
    finite_exchange(&x->law[1]);
    x->own_add = false;
}

/* ---- Random finite mechanisms, as text and as laws ----------------------- */

/* Random, of few digits, 0, or tiny. */
static double weight(bool extreme)
{
    switch (prop_below(&rng, extreme ? 6 : 5)) {
    case 0:
        return 0;
    case 1:
        return 1 + prop_below(&rng, 4);
    case 5:
        return fmin(plan_extreme_number(&rng), 1);
    default:
        return prop_scaled(&rng, -6, 3);
    }
}

static void normalise(arb_ptr x, slong n)
{
    arb_t sum;
    arb_init(sum);
    for (slong i = 0; i < n; i++)
        arb_add(sum, sum, x + i, bits);
    for (slong i = 0; i < n; i++)
        arb_div(x + i, x + i, sum, bits);
    arb_clear(sum);
}

static void make_pmf(char *text, finite_pair *out, bool extreme)
{
    slong n = 2 + prop_below(&rng, 3);
    finite_init(&out->law[0], n);
    size_t used = 0;
    for (int side = 0; side < 2; side++) {
        arb_ptr x = side == 0 ? out->law[0].p : out->law[0].q;
        double sum = 0;
        used += (size_t)snprintf(text + used, PART_BYTES - used, "%s",
            side == 0 ? "pmf([" : "], [");
        for (slong i = 0; i < n; i++) {
            double w = weight(extreme);
            if (i == n - 1 && sum == 0)
                w = 1;
            sum += w;
            arb_set_d(x + i, w);
            used += (size_t)snprintf(text + used, PART_BYTES - used,
                "%s%.17g", i > 0 ? ", " : "", w);
        }
        normalise(x, n);
    }
    snprintf(text + used, PART_BYTES - used, "])");
    pair_exchange(out);
}

/* P's masses and Q's, mass e^-loss, stay below 1; what is missing is one
 * more outcome, or two at the infinities. */
static void points(char *text, arb_law *out)
{
    double a = prop_uniform(&rng, 0.05, 0.9), at[2], mass[2];
    bool inf = prop_below(&rng, 2) != 0;
    at[0] = -prop_uniform(&rng, 0, 1.5);
    at[1] = prop_uniform(&rng, 0.01, 2);
    mass[1] = a;
    mass[0] = fmin(1 - a, (1 - a * exp(-at[1])) * exp(at[0])) *
              (prop_below(&rng, 3) ? 0.99 : 0.4);
    snprintf(text, 200, "[%.17g, %.17g%s], [%.17g, %.17g%s]", at[0], at[1],
        inf ? ", inf" : "", mass[0], mass[1], inf ? ", 0" : "");
    finite_init(out, inf ? 3 : 4);
    arb_one(out->p + 2);
    arb_one(out->q + (inf ? 2 : 3));
    for (int i = 0; i < 2; i++) {
        arb_set_d(out->p + i, mass[i]);
        arb_set_d(out->q + i, -at[i]);
        arb_exp(out->q + i, out->q + i, bits);
        arb_mul(out->q + i, out->q + i, out->p + i, bits);
        arb_sub(out->p + 2, out->p + 2, out->p + i, bits);
        arb_ptr rest = out->q + (inf ? 2 : 3);
        arb_sub(rest, rest, out->q + i, bits);
    }
}

static void make_loss(char *text, finite_pair *out)
{
    char first[200], second[200];
    points(first, &out->law[0]);
    if (prop_below(&rng, 3) > 0) {
        snprintf(text, PART_BYTES, "loss(%s)", first);
        pair_exchange(out);
        return;
    }
    points(second, &out->law[1]);
    out->own_add = true;
    snprintf(text, PART_BYTES, "loss(%s, %s)", first, second);
}

/* (1 - delta) times response among k categories, and delta at infinity. */
static void make_response(
    finite_pair *out, double eps, int categories, double delta)
{
    arb_law *x = &out->law[0];
    arb_t e, d;
    arb_init(e);
    arb_init(d);
    finite_init(x, 5);
    arb_set_d(e, eps);
    arb_exp(e, e, bits);
    arb_set_d(d, delta);
    arb_set(x->p, e);
    arb_one(x->q);
    arb_one(x->p + 1);
    arb_set(x->q + 1, e);
    arb_set_si(x->p + 2, categories - 2);
    arb_set_si(x->q + 2, categories - 2);
    normalise(x->p, 3);
    normalise(x->q, 3);
    arb_set(x->p + 3, d);
    arb_set(x->q + 4, d);
    arb_sub_ui(d, d, 1, bits);
    arb_neg(d, d);
    _arb_vec_scalar_mul(x->p, x->p, 3, d, bits);
    _arb_vec_scalar_mul(x->q, x->q, 3, d, bits);
    finite_trim(x);
    pair_exchange(out);
    arb_clear(e);
    arb_clear(d);
}

static void make_leaf(char *text, finite_pair *out, bool extreme)
{
    double eps = prop_scaled(&rng, -8, 3), delta = prop_scaled(&rng, -40, -1);
    int k = 2 + prop_below(&rng, 50);
    if (extreme && prop_below(&rng, 3) == 0)
        eps = fmin(plan_extreme_number(&rng), 800);
    if (extreme && prop_below(&rng, 3) == 0)
        delta = fmin(plan_extreme_number(&rng), 0.5);
    switch (prop_below(&rng, 6)) {
    case 0:
    case 1:
        make_pmf(text, out, extreme);
        return;
    case 2:
        make_loss(text, out);
        return;
    case 3:
        snprintf(text, PART_BYTES, "rr(%.17g, %d)", eps, k);
        make_response(out, eps, k, 0);
        return;
    case 4:
        snprintf(text, PART_BYTES, "pure(%.17g)", eps);
        make_response(out, eps, 2, 0);
        return;
    default:
        snprintf(text, PART_BYTES, "approx(%.17g, %.17g)", eps, delta);
        make_response(out, eps, 2, delta);
        return;
    }
}

static void pair_sample(finite_pair *x, double rate)
{
    finite_sample_p(&x->law[0], rate, bits);
    finite_exchange(&x->law[1]);
    finite_sample_p(&x->law[1], rate, bits);
    finite_exchange(&x->law[1]);
}

static void make_part(char *text, finite_pair *out, bool extreme)
{
    char inner[PART_BYTES];
    make_leaf(text, out, extreme);
    int depth = prop_below(&rng, 5) - 1;
    for (int i = 0; i < (depth > 2 ? 1 : depth); i++) {
        double rate = prop_uniform(&rng, 0, 1);
        if (extreme && prop_below(&rng, 2))
            rate = fmin(plan_extreme_number(&rng), 1);
        snprintf(inner, PART_BYTES, "%s", text);
        snprintf(text, PART_BYTES, "poisson(%.17g, %.600s)", rate, inner);
        pair_sample(out, rate);
    }
}

/* Up to three parts, each up to three times. */
static void make_plan(char *text, finite_pair *out, bool extreme)
{
    slong most = extreme ? 100 : MAX_OUTCOMES;
    size_t used = 0;
    int n = 1 + prop_below(&rng, 3);
    for (int i = 0; i < n; i++) {
        char part[PART_BYTES];
        finite_pair x = {.own_add = false};
        make_part(part, &x, extreme);
        int count = 0, wanted = 1 + prop_below(&rng, 3);
        for (; count < wanted; count++) {
            if (i == 0 && count == 0) {
                finite_copy(&out->law[0], &x.law[0]);
                finite_copy(&out->law[1], &x.law[1]);
                out->own_add = x.own_add;
                continue;
            }
            if (out->law[0].n * x.law[0].n > most)
                break;
            finite_compose(&out->law[0], &x.law[0], bits);
            finite_compose(&out->law[1], &x.law[1], bits);
            out->own_add = out->own_add || x.own_add;
        }
        pair_clear(&x);
        if (count > 0)
            used += (size_t)snprintf(text + used, PLAN_BYTES - used,
                "%s%s * %d", i > 0 ? " + " : "", part, count);
    }
}

#endif
