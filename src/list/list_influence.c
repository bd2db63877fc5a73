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

/* Influence more nats below delta than these does not matter. */
#define MAX_NATS_BELOW_DELTA 80

/* Between two outcomes whose influence differs by fewer nats it is interpolated
 * by a line, else by an exponential. */
#define MAX_LINEAR_NATS 0.18

/* The operations of one pair of outcomes. */
#define PULL_OPERATIONS 10

/* The influence right of an outcome of a composed law. */
typedef struct segment {
    double from;
    list_mass value;
    double slope;     /* of the line, over the value */
    double log_slope; /* of the exponential; 0: a line */
} segment;

static list_mass no_less(list_mass a, list_mass least)
{
    return list_mass_less(a, least) ? least : a;
}

static dosi_status segments_of(
    segment **out, const list_node *x, double log_delta, dosi_error *err)
{
    const list_law *own = &x->side[LIST_BELOW];
    const list_mass *g = x->influence;
    list_mass least = list_mass_exp(log_delta - MAX_NATS_BELOW_DELTA);
    segment *s = malloc((own->n + 1) * sizeof *s);
    *out = s;
    if (s == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < own->n; i++) {
        s[i] = (segment){own->loss[i], g[i], 0, 0};
        if (i + 1 == own->n)
            break;
        double h = own->loss[i + 1] - own->loss[i];
        list_mass here = no_less(g[i], least);
        double gain = list_mass_log(no_less(g[i + 1], least)) -
                      list_mass_log(here);
        s[i].value = here;
        if (fabs(gain) > MAX_LINEAR_NATS)
            s[i].log_slope = gain / h;
        else
            s[i].slope = expm1(gain) / h;
    }
    return DOSI_OK;
}

static list_mass value_in(const segment *s, double at)
{
    double t = at - s->from, by = s->log_slope * t;
    if (fabs(by) > LIST_UNIT_NATS)
        return list_mass_exp(list_mass_log(s->value) + by);
    return list_mass_mul(s->value,
        list_mass_of(by != 0 ? exp(by) : fmax(1 + s->slope * t, 0)));
}

/* Adds sum_j mass_j G(loss_i + loss_j) to the influence of a law's outcomes,
 * for the other law of a composition and the segments of the influence G of
 * the n outcomes of the composed. */
static void pull_back(
    list_node *to, const list_node *other, const segment *s, size_t n)
{
    const list_law *o = &other->side[LIST_BELOW];
    const list_law *own = &to->side[LIST_BELOW];
    for (size_t i = 0; i < own->n && n > 0; i++) {
        list_mass sum = list_mass_of(0);
        size_t m = 0;
        for (size_t j = 0; j < o->n; j++) {
            double at = own->loss[i] + o->loss[j];
            while (m < n && s[m].from <= at)
                m++;
            bool inside = m > 0 && m < n;
            list_mass value = inside ? value_in(&s[m - 1], at)
                                     : s[m == 0 ? 0 : m - 1].value;
            sum = list_mass_add(sum, list_mass_mul(o->mass[j], value));
        }
        to->influence[i] = list_mass_add(to->influence[i], sum);
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
                x->influence[i] =
                    list_mass_of(fmax(0, -expm1(epsilon - own->loss[i])));
            continue;
        }
        list_profile f;
        const list_node *other = &t->nodes[t->last[1 - k]];
        dosi_status status = list_profile_new(
            &f, &other->side[LIST_BELOW], NULL, LIST_BELOW, err);
        if (status != DOSI_OK)
            return status;
        for (size_t i = 0; i < own->n; i++)
            x->influence[i] = list_mass_add(x->influence[i],
                list_alone_at(&f, epsilon - own->loss[i]));
        list_profile_free(&f);
    }
    return DOSI_OK;
}

static dosi_status influence_of_parts(list_tree *t, size_t k, dosi_error *err)
{
    list_node *x = &t->nodes[k];
    segment *s;
    dosi_status status = segments_of(&s, x, t->log_delta, err);
    if (status != DOSI_OK)
        return status;
    list_node *a = &t->nodes[x->a], *b = &t->nodes[x->b];
    size_t n = x->side[LIST_BELOW].n;
    pull_back(a, b, s, n);
    pull_back(b, a, s, n);
    work_spend(t->limits, PULL_OPERATIONS * (double)a->side[LIST_BELOW].n *
                              (double)b->side[LIST_BELOW].n);
    free(s);
    return DOSI_OK;
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
            status = influence_of_parts(t, k, err);
    return status;
}

/* |G'' + G'| at the i-th outcome, by differences; 0 < i < n - 1. */
static list_mass bend_at(const list_law *own, const list_mass *g, size_t i)
{
    double h = own->loss[i] - own->loss[i - 1], v[3];
    double k = own->loss[i + 1] - own->loss[i];
    int scale = -1; /* of the largest */
    for (size_t j = 0; j < 3; j++)
        if (g[i - 1 + j].m > 0 && (scale < 0 || g[i - 1 + j].scale < scale))
            scale = g[i - 1 + j].scale;
    for (size_t j = 0; j < 3; j++)
        v[j] = list_mass_double((list_mass){g[i - 1 + j].m,
                                    g[i - 1 + j].scale - scale}, false);
    double left = (v[1] - v[0]) / h, right = (v[2] - v[1]) / k;
    double bend = fabs(2 * (right - left) / (h + k) + (left + right) / 2);
    return list_mass_in(fmin(bend, DBL_MAX), scale < 0 ? 0 : scale);
}

/* The influence at an outcome and its neighbours, if they have one. */
static list_mass smooth_bend(const list_law *own, const list_mass *g, size_t i)
{
    size_t last = own->n - 2; /* those at the ends are those next to them */
    list_mass sum = list_mass_of(0);
    for (size_t j = 0; j < 3; j++) {
        size_t k = i + j < 2 ? 1 : i + j - 1 > last ? last : i + j - 1;
        list_mass weight = list_mass_of(j == 1 ? 0.5 : 0.25);
        sum = list_mass_add(sum, list_mass_mul(weight, bend_at(own, g, k)));
    }
    return sum;
}

double list_shares(double *out, const list_node *x, double log_delta)
{
    const list_law *own = &x->side[LIST_BELOW];
    size_t n = own->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double right = own->loss[i + 1 < n ? i + 1 : i];
        double left = own->loss[i > 0 ? i - 1 : i];
        double length = (right - left) * (i > 0 && i + 1 < n ? 0.5 : 1);
        list_mass cost = list_mass_mul(
            own->mass[i], smooth_bend(own, x->influence, i));
        out[i] = cost.m > 0 ? exp((list_mass_log(cost) - log_delta -
                                      log(length)) / 3) * length
                            : 0;
        sum += out[i];
    }
    return sum;
}
