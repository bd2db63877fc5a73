/*
 * Where knots matter. The influence G of an outcome of a law is what delta
 * gains by its mass: the profile of all other laws at epsilon less its loss,
 * made from the top of the tree downward, the adjoint of the products. A cell
 * of length h with the mass p costs p h^2 (G'' + G')/4 at the most, so that
 * knots of density (p (G'' + G'))^(1/3) are the best. It steers; nothing here
 * is certified.
 */
#include "list_tree.h"

#include <stdlib.h>

#include "list_profile.h"

#define LEAST_INFLUENCE 1e-305

/* Between two outcomes whose influence differs by less than this factor a
 * line stands for it, else an exponential. */
#define CURVED 1.2

/* What one pair of outcomes takes. */
#define PULL_OPERATIONS 10

/* The influence right of an outcome of a composed law. */
typedef struct segment {
    double from, value;
    double slope;     /* of the line */
    double log_slope; /* of the exponential; 0: a line */
} segment;

static dosi_status segments_of(
    segment **out, const list_node *x, dosi_error *err)
{
    const list_law *own = &x->side[LIST_BELOW];
    const double *g = x->influence;
    segment *s = malloc((own->n + 1) * sizeof *s);
    *out = s;
    if (s == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < own->n; i++) {
        s[i] = (segment){own->loss[i], g[i], 0, 0};
        if (i + 1 == own->n)
            break;
        double h = own->loss[i + 1] - own->loss[i];
        double here = fmax(g[i], LEAST_INFLUENCE);
        double next = fmax(g[i + 1], LEAST_INFLUENCE);
        if (next > CURVED * here || here > CURVED * next) {
            s[i].value = here;
            s[i].log_slope = log(next / here) / h;
        } else {
            s[i].slope = (next - here) / h;
        }
    }
    return DOSI_OK;
}

static double value_in(const segment *s, double at)
{
    double t = at - s->from;
    return s->log_slope != 0 ? s->value * exp(s->log_slope * t)
                             : s->value + s->slope * t;
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
        double sum = 0;
        size_t m = 0;
        for (size_t j = 0; j < o->n; j++) {
            double at = own->loss[i] + o->loss[j];
            while (m < n && s[m].from <= at)
                m++;
            bool inside = m > 0 && m < n;
            sum += o->mass[j] *
                   (inside ? value_in(&s[m - 1], at)
                           : s[m == 0 ? 0 : m - 1].value);
        }
        to->influence[i] += sum;
    }
}

/* Of the two laws that are not composed, or of the one there is. */
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
                x->influence[i] = fmax(0, -expm1(epsilon - own->loss[i]));
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

static dosi_status influence_of_parts(list_tree *t, size_t k, dosi_error *err)
{
    list_node *x = &t->nodes[k];
    segment *s;
    dosi_status status = segments_of(&s, x, err);
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
        x->influence = calloc(x->side[LIST_BELOW].n + 1, sizeof(double));
        if (x->influence == NULL)
            return dosi_fail_memory(err);
    }
    dosi_status status = influence_of_last(t, epsilon, err);
    for (size_t k = t->n; k-- > 0 && status == DOSI_OK;)
        if (t->nodes[k].a != LIST_NONE)
            status = influence_of_parts(t, k, err);
    return status;
}

/* |G'' + G'| at the outcomes, by differences. */
static void bends(double *out, const list_law *own, const double *g)
{
    size_t n = own->n;
    for (size_t i = 1; i + 1 < n; i++) {
        double h = own->loss[i] - own->loss[i - 1];
        double k = own->loss[i + 1] - own->loss[i];
        double u = (g[i] - g[i - 1]) / h, v = (g[i + 1] - g[i]) / k;
        out[i] = fabs(2 * (v - u) / (h + k) + (u + v) / 2);
    }
    out[0] = out[1];
    out[n - 1] = out[n - 2];
}

double list_shares(double *out, const list_node *x)
{
    const list_law *own = &x->side[LIST_BELOW];
    size_t n = own->n;
    double sum = 0, before;
    bends(out, own, x->influence);
    before = out[0];
    for (size_t i = 0; i < n; i++) {
        double here = out[i], next = out[i + 1 < n ? i + 1 : i];
        double bend = before / 4 + here / 2 + next / 4;
        double right = own->loss[i + 1 < n ? i + 1 : i];
        double left = own->loss[i > 0 ? i - 1 : i];
        double length = (right - left) * (i > 0 && i + 1 < n ? 0.5 : 1);
        before = here;
        out[i] = cbrt(own->mass[i] / length * bend) * length;
        sum += out[i];
    }
    return sum;
}
