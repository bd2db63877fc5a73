/*
 * delta of plans whose laws are made of atoms and of densities e^{L/2}, by
 * residues. Part of contour_truth.c.
 */
#ifndef DOSI_TESTS_REFERENCE_TRUTH_RESIDUES_H
#define DOSI_TESTS_REFERENCE_TRUTH_RESIDUES_H

#include <arb.h>
#include <arb_poly.h>

#include "truth_finite.h"

/* coefficient e^{z loss} (z+1)^i z^j / (2z+1)^n */
typedef struct residue_term {
    arb_t coefficient, loss;
    int i, j, n;
} residue_term;

static void add_residues(arb_t sum, const residue_term *t, double epsilon)
{
    arb_t x, value, w;
    arb_init(x);
    arb_init(value);
    arb_init(w);
    arb_set_d(w, epsilon);
    arb_sub(x, t->loss, w, bits);
    if (arb_is_positive(x)) {
        if (t->j == 0)
            arb_one(value);
        if (t->i == 0) {
            arb_neg(w, x);
            arb_exp(w, w, bits);
            if ((t->j + t->n) % 2 == 0)
                arb_neg(w, w);
            arb_add(value, value, w, bits);
        }
        if (t->n > 0) {
            arb_poly_t e, f;
            arb_poly_init(e);
            arb_poly_init(f);
            arb_poly_set_coeff_arb(e, 1, x);
            arb_poly_exp_series(e, e, t->n, bits);
            const int power[2] = {t->i - 1, t->j - 1};
            for (int m = 0; m < 2; m++) { /* (w +- 1/2)^power */
                arb_poly_zero(f);
                arb_poly_set_coeff_si(f, 1, 1);
                arb_set_d(w, m == 0 ? 0.5 : -0.5);
                arb_poly_set_coeff_arb(f, 0, w);
                if (power[m] < 0)
                    arb_poly_inv_series(f, f, t->n, bits);
                else
                    arb_poly_pow_ui_trunc_binexp(
                        f, f, (ulong)power[m], t->n, bits);
                arb_poly_mullow(e, e, f, t->n, bits);
            }
            arb_t c;
            arb_init(c);
            arb_poly_get_coeff_arb(c, e, t->n - 1);
            arb_mul_2exp_si(w, x, -1);
            arb_neg(w, w);
            arb_exp(w, w, bits);
            arb_mul(c, c, w, bits);
            arb_mul_2exp_si(c, c, -t->n);
            arb_add(value, value, c, bits);
            arb_clear(c);
            arb_poly_clear(e);
            arb_poly_clear(f);
        }
        arb_addmul(sum, value, t->coefficient, bits);
    } else if (!arb_is_nonpositive(x)) {
        arb_indeterminate(sum);
    }
    arb_clear(x);
    arb_clear(value);
    arb_clear(w);
}

/* Expands the parts from the given one on. */
static void expand(arb_t sum, const plan_text *p, int at,
    const residue_term *so_far, double epsilon)
{
    if (at == p->n) {
        add_residues(sum, so_far, epsilon);
        return;
    }
    const plan_part *part = &p->part[at];
    int k = (int)part->count;
    residue_term t = *so_far;
    arb_init(t.coefficient);
    arb_init(t.loss);
    arb_t a, w;
    arb_init(a);
    arb_init(w);
    if (part->kind == 'f' || part->kind == 'p') {
        atom_list l = finite_of_many(part);
        for (int m = 0; m < l.n; m++) {
            arb_mul(t.coefficient, so_far->coefficient, l.mass + m, bits);
            arb_add(t.loss, so_far->loss, l.loss + m, bits);
            if (!arb_is_zero(t.coefficient))
                expand(sum, p, at + 1, &t, epsilon);
        }
        finite_clear(&l);
    } else {
        bool laplace = part->kind == 'l';
        arb_set_d(a, part->value[0]);
        for (int m = 0; m <= k; m++) {
            arb_bin_uiui(t.coefficient, (ulong)k, (ulong)m, bits);
            arb_mul(t.coefficient, t.coefficient, so_far->coefficient, bits);
            arb_mul_si(w, a, m - k, bits);
            arb_exp(w, w, bits);
            arb_mul(t.coefficient, t.coefficient, w, bits);
            if (!laplace) {
                arb_neg(w, a);
                arb_expm1(w, w, bits);
                arb_neg(w, w);
                arb_pow_ui(w, w, (ulong)k, bits);
                arb_div(t.coefficient, t.coefficient, w, bits);
                if ((k - m) % 2 != 0)
                    arb_neg(t.coefficient, t.coefficient);
            }
            arb_mul_si(w, a, 2 * m - k, bits);
            arb_add(t.loss, so_far->loss, w, bits);
            t.i = so_far->i + (laplace ? m : 0);
            t.j = so_far->j + (laplace ? k - m : 0);
            t.n = so_far->n + k;
            expand(sum, p, at + 1, &t, epsilon);
        }
    }
    arb_clear(a);
    arb_clear(w);
    arb_clear(t.coefficient);
    arb_clear(t.loss);
}

static void delta_by_residues(arb_t out, const plan_text *p, double epsilon)
{
    residue_term t = {.i = 0, .j = 0, .n = 0};
    arb_init(t.coefficient);
    arb_init(t.loss);
    arb_one(t.coefficient);
    arb_zero(out);
    expand(out, p, 0, &t, epsilon);
    arb_clear(t.coefficient);
    arb_clear(t.loss);
}

#endif
