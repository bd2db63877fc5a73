/*
 * The finite laws of a plan, by Arb. Part of contour_truth.c.
 */
#ifndef DOSI_TESTS_REFERENCE_TRUTH_FINITE_H
#define DOSI_TESTS_REFERENCE_TRUTH_FINITE_H

#include <arb.h>

#include "contour_plan.h"

static slong bits = 384;

typedef struct atom_list {
    int n;
    arb_ptr loss, mass; /* of P */
} atom_list;

static atom_list finite_make(int n)
{
    return (atom_list){n, _arb_vec_init(n), _arb_vec_init(n)};
}

static void finite_clear(atom_list *l)
{
    _arb_vec_clear(l->loss, l->n);
    _arb_vec_clear(l->mass, l->n);
}

/* Of one run; only finite losses. */
static atom_list finite_of(const plan_part *p)
{
    atom_list l;
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    if (p->kind == 'f') {
        l = finite_make(2);
        arb_set_d(l.loss, p->value[0]);
        arb_neg(l.loss + 1, l.loss);
        arb_set_d(b, p->value[1]);
        arb_sub_ui(b, b, 1, bits);
        arb_neg(b, b); /* 1 - delta0 */
        for (int i = 0; i < 2; i++) { /* 1/(1 + e^-loss) */
            arb_neg(a, l.loss + i);
            arb_exp(a, a, bits);
            arb_add_ui(a, a, 1, bits);
            arb_div(l.mass + i, b, a, bits);
        }
    } else {
        l = finite_make(3);
        arb_t sum_p, sum_q;
        arb_init(sum_p);
        arb_init(sum_q);
        for (int i = 0; i < 3; i++) {
            arb_set_d(a, p->value[i]);
            arb_add(sum_p, sum_p, a, bits);
            arb_set_d(a, p->value[3 + i]);
            arb_add(sum_q, sum_q, a, bits);
        }
        int n = 0;
        for (int i = 0; i < 3; i++) {
            if (!(p->value[i] > 0 && p->value[3 + i] > 0))
                continue;
            arb_set_d(a, p->value[i]);
            arb_div(l.mass + n, a, sum_p, bits);
            arb_set_d(b, p->value[3 + i]);
            arb_div(b, b, sum_q, bits);
            arb_div(b, l.mass + n, b, bits);
            arb_log(l.loss + n++, b, bits);
        }
        for (int i = n; i < 3; i++) /* weightless */
            arb_set(l.loss + i, l.loss);
        arb_clear(sum_p);
        arb_clear(sum_q);
    }
    arb_clear(a);
    arb_clear(b);
    return l;
}

/* k runs: all multisets. */
static atom_list finite_of_many(const plan_part *p)
{
    int k = (int)p->count;
    atom_list one = finite_of(p);
    int n = one.n == 2 ? k + 1 : (k + 1) * (k + 2) / 2, at = 0;
    atom_list l = finite_make(n);
    arb_t c, w;
    arb_init(c);
    arb_init(w);
    for (int i = 0; i <= k; i++)
        for (int j = one.n == 2 ? k - i : 0; j <= k - i; j++, at++) {
            const int of[3] = {i, j, k - i - j};
            arb_bin_uiui(l.mass + at, (ulong)k, (ulong)i, bits);
            arb_bin_uiui(c, (ulong)(k - i), (ulong)j, bits);
            arb_mul(l.mass + at, l.mass + at, c, bits);
            for (int m = 0; m < one.n; m++) {
                arb_pow_ui(w, one.mass + m, (ulong)of[m], bits);
                arb_mul(l.mass + at, l.mass + at, w, bits);
                arb_addmul_ui(
                    l.loss + at, one.loss + m, (ulong)of[m], bits);
            }
        }
    arb_clear(c);
    arb_clear(w);
    finite_clear(&one);
    return l;
}

#endif
