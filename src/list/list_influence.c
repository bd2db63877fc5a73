/*
 * Where knots matter. The influence G of an outcome of a law is what delta
 * gains by its mass: the profile of all other laws at epsilon less its loss,
 * made from the top of the tree downward, the adjoint of the products. A cell
 * of length h with the mass p costs p h^2 (G'' + G')/4 at the most, so that
 * knots of density (p (G'' + G'))^(1/3) are the best. It steers; nothing here
 * is certified.
 */
#include "list_tree.h"

#include <float.h>
#include <stdlib.h>

#include "list_profile.h"

/* The operations of one pair of outcomes. */
#define PULL_OPERATIONS 6

/* Adds sum_j mass_j G(loss_i + loss_j) to the influence of a law's outcomes,
 * for the other law of a composition. G is that of the composed, by lines
 * between its outcomes. */
static void pull_back(
    list_node *to, const list_node *other, const list_node *composed)
{
    int scale = other->side[LIST_BELOW].scale;
    const list_law *o = &other->side[LIST_BELOW];
    const list_law *own = &to->side[LIST_BELOW];
    const double *at = composed->side[LIST_BELOW].loss;
    const double *g = composed->influence;
    size_t n = composed->side[LIST_BELOW].n;
    for (size_t i = 0; i < own->n && n > 0; i++) {
        double sum = 0;
        size_t m = 0;
        for (size_t j = 0; j < o->n; j++) {
            double loss = own->loss[i] + o->loss[j];
            while (m < n && at[m] <= loss)
                m++;
            double value = g[m == 0 ? 0 : m - 1];
            if (m > 0 && m < n)
                value += (g[m] - value) * (loss - at[m - 1]) /
                         (at[m] - at[m - 1]);
            sum += list_product(o->mass[j], value, scale);
        }
        to->influence[i] += sum;
    }
}

/* The influence of the two laws that are not composed, or of the only one. */
static dosi_status influence_of_last(
    list_tree *t, double epsilon, dosi_error *err)
{
    for (int k = 0; k < 2; k++) {
        if (t->last[k] == LIST_NONE)
            continue;
        list_node *x = &t->nodes[t->last[k]];
        const list_law *own = &x->side[LIST_BELOW];
        if (t->last[1 - k] == LIST_NONE) {
            for (size_t i = 0; i < own->n; i++)
                x->influence[i] = ldexp(
                    fmax(0, -expm1(epsilon - own->loss[i])), t->scale);
            continue;
        }
        list_profile f;
        const list_node *other = &t->nodes[t->last[1 - k]];
        dosi_status status = list_profile_new(
            &f, &other->side[LIST_BELOW], NULL, LIST_BELOW, err);
        if (status != DOSI_OK)
            return status;
        for (size_t i = 0; i < own->n; i++)
            x->influence[i] += list_alone_at(&f, epsilon - own->loss[i]);
        list_profile_free(&f);
    }
    return DOSI_OK;
}

static void influence_of_parts(list_tree *t, const list_node *x)
{
    list_node *a = &t->nodes[x->a], *b = &t->nodes[x->b];
    pull_back(a, b, x);
    pull_back(b, a, x);
    work_spend(t->limits, PULL_OPERATIONS * (double)a->side[LIST_BELOW].n *
                              (double)b->side[LIST_BELOW].n);
}

dosi_status list_influences(list_tree *t, double epsilon, dosi_error *err)
{
    for (size_t k = 0; k < t->n; k++) {
        list_node *x = &t->nodes[k];
        free(x->influence);
        x->influence = calloc(x->side[LIST_BELOW].n + 1, sizeof *x->influence);
        if (x->influence == NULL)
            return dosi_fail_memory(err);
    }
    dosi_status status = influence_of_last(t, epsilon, err);
    for (size_t k = t->n; k-- > 0 && status == DOSI_OK;)
        if (t->nodes[k].a != LIST_NONE)
            influence_of_parts(t, &t->nodes[k]);
    return status;
}

/* |G'' + G'| at the i-th outcome, by differences; 0 < i < n - 1. */
static double bend_at(const list_law *own, const double *g, size_t i)
{
    double h = own->loss[i] - own->loss[i - 1];
    double k = own->loss[i + 1] - own->loss[i];
    double left = (g[i] - g[i - 1]) / h, right = (g[i + 1] - g[i]) / k;
    double bend = fabs(2 * (right - left) / (h + k) + (left + right) / 2);
    return fmin(bend, DBL_MAX);
}

/* The influence at an outcome and its neighbours, if they have one. */
static double smooth_bend(const list_law *own, const double *g, size_t i)
{
    size_t last = own->n - 2; /* those at the ends are those next to them */
    double sum = 0;
    for (size_t j = 0; j < 3; j++) {
        size_t k = i + j < 2 ? 1 : i + j - 1 > last ? last : i + j - 1;
        sum += (j == 1 ? 0.5 : 0.25) * bend_at(own, g, k);
    }
    return sum;
}

double list_shares(double *out, const list_node *x, const list_tree *t)
{
    /* of masses and influences, which are both stored with the factor */
    double log_delta = list_log_stored(t, list_log_stored(t, t->log_delta));
    const list_law *own = &x->side[LIST_BELOW];
    size_t n = own->n;
    double sum = 0;
    for (size_t i = 0; i < n && n > 2; i++) {
        double right = own->loss[i + 1 < n ? i + 1 : i];
        double left = own->loss[i > 0 ? i - 1 : i];
        double length = (right - left) * (i > 0 && i + 1 < n ? 0.5 : 1);
        double bend = smooth_bend(own, x->influence, i);
        double log_cost = log(own->mass[i]) + log(bend) - log_delta;
        out[i] = bend > 0 ? exp((log_cost - log(length)) / 3) * length : 0;
        sum += out[i];
    }
    return sum;
}
