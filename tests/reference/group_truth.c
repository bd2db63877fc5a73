/*
 * Makes tests/oracles/group_truth.csv: delta of mixtures of shifted Gaussian
 * noise, some records removed and some added under Poisson sampling, to 20
 * digits by Arb. Shares no code with the library.
 *
 *   split_truth EPSILON T STEP REMOVED ADDED Q MU COUNT >> group_truth.csv
 *
 * Two steps with both are an integral of the closed profile of one. Else T > 0
 * is where a straight contour crosses the real axis, STEP the distance of its
 * nodes, and the noise is on a straight line above the real one, beneath all
 * branch points. Steps are shortened until 21 digits stay.
 */
#include <acb.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const slong bits = 320;

#define MOST 16 /* records */

typedef struct plan {
    double epsilon, t, step;
    ulong removed, added;
    double q, mu;
    ulong count;
    arb_struct p[MOST], r[MOST]; /* Bin(i; n, q) of both */
} plan;

static void binomial(arb_ptr out, ulong n, double rate)
{
    arb_t q, rest, a;
    arb_init(q);
    arb_init(rest);
    arb_init(a);
    arb_set_d(q, rate);
    arb_sub_ui(rest, q, 1, bits);
    arb_neg(rest, rest);
    for (ulong i = 0; i <= n; i++) {
        arb_init(&out[i]);
        arb_bin_uiui(&out[i], n, i, bits);
        arb_pow_ui(a, q, i, bits);
        arb_mul(&out[i], &out[i], a, bits);
        arb_pow_ui(a, rest, n - i, bits);
        arb_mul(&out[i], &out[i], a, bits);
    }
    arb_clear(q);
    arb_clear(rest);
    arb_clear(a);
}

/* log2 of |a - b| / |b| */
static double agreement(const arb_t a, const arb_t b)
{
    arb_t x;
    arb_init(x);
    arb_sub(x, a, b, bits);
    arb_div(x, x, b, bits);
    double found = log2(fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR)) + 1e-300);
    arb_clear(x);
    return found;
}

/* log sum_i weight_i e^(i y - i^2 mu^2/2), whose argument stays below pi. */
static void log_shifts(acb_t out, arb_srcptr weight, ulong n, const acb_t y,
    const arb_t half)
{
    acb_t e;
    arb_t a;
    acb_init(e);
    arb_init(a);
    acb_zero(out);
    for (ulong i = 0; i <= n; i++) {
        acb_mul_ui(e, y, i, bits);
        arb_mul_ui(a, half, i * i, bits);
        acb_sub_arb(e, e, a, bits);
        acb_exp(e, e, bits);
        acb_mul_arb(e, e, &weight[i], bits);
        acb_add(out, out, e, bits);
    }
    acb_log(out, out, bits);
    acb_clear(e);
    arb_clear(a);
}

/* ---- The contour ------------------------------------------------------- */

/* A term of M at the node at hand, and its factor to the next. */
typedef struct node {
    acb_t term, factor;
} node;

/* At x = i h + i eta: phi A^(t+1) B^-t and e^(i step Z). */
static void make_node(node *v, const plan *p, double x, double h, double step)
{
    acb_t y, a, b;
    arb_t mu, half;
    acb_init(y);
    acb_init(a);
    acb_init(b);
    arb_init(mu);
    arb_init(half);
    acb_init(v->term);
    acb_init(v->factor);
    arb_set_d(mu, p->mu);
    arb_sqr(half, mu, bits);
    arb_mul_2exp_si(half, half, -1);
    double alpha = fmin(2.5 / (double)(p->removed + p->added), 2 * p->mu);
    arb_set_d(acb_realref(y), x);
    arb_set_d(acb_imagref(y), alpha);
    arb_div(acb_imagref(y), acb_imagref(y), mu, bits);
    acb_sqr(v->term, y, bits);
    acb_mul_2exp_si(v->term, v->term, -1);
    acb_neg(v->term, v->term);
    acb_mul_arb(y, y, mu, bits);
    log_shifts(a, p->p, p->removed, y, half);
    acb_neg(y, y);
    log_shifts(b, p->r, p->added, y, half);
    acb_sub(b, a, b, bits); /* Z */
    acb_add(v->term, v->term, a, bits);
    arb_set_d(half, p->t);
    acb_mul_arb(a, b, half, bits);
    acb_add(v->term, v->term, a, bits);
    acb_exp(v->term, v->term, bits);
    arb_const_pi(half, bits);
    arb_mul_2exp_si(half, half, 1);
    arb_rsqrt(half, half, bits);
    arb_set_d(mu, h);
    arb_mul(half, half, mu, bits);
    acb_mul_arb(v->term, v->term, half, bits);
    arb_set_d(half, step);
    acb_mul_arb(b, b, half, bits);
    acb_mul_onei(b, b);
    acb_exp(v->factor, b, bits);
    acb_clear(y);
    acb_clear(a);
    acb_clear(b);
    arb_clear(mu);
    arb_clear(half);
}

/* M(z)^count e^(-z eps)/(z (z+1)) from M(z). */
static void finish(acb_t m, const plan *p, double step, slong n)
{
    acb_t z, x;
    arb_t a;
    acb_init(z);
    acb_init(x);
    arb_init(a);
    arb_set_d(acb_realref(z), p->t);
    arb_set_d(acb_imagref(z), step);
    arb_mul_si(acb_imagref(z), acb_imagref(z), n, bits);
    acb_pow_ui(m, m, p->count, bits);
    arb_set_d(a, -p->epsilon);
    acb_mul_arb(x, z, a, bits);
    acb_exp(x, x, bits);
    acb_mul(m, m, x, bits);
    acb_add_ui(x, z, 1, bits);
    acb_mul(x, x, z, bits);
    acb_div(m, m, x, bits);
    acb_clear(z);
    acb_clear(x);
    arb_clear(a);
}

#define QUIET 40 /* terms in turn that no longer count */

static void contour_sum(arb_t out, const plan *p, double step, double h)
{
    double lo = -17.5, hi = 17.5 + p->mu * ((p->t + 1) * (double)p->removed +
                                               p->t * (double)p->added);
    slong first = (slong)floor(lo / h), last = (slong)ceil(hi / h);
    slong n = last - first + 1;
    node *nodes = malloc((size_t)n * sizeof *nodes);
    arb_t size, least;
    acb_t m;
    arb_init(size);
    arb_init(least);
    acb_init(m);
    for (slong i = 0; i < n; i++)
        make_node(&nodes[i], p, (double)(first + i) * h, h, step);
    arb_zero(out);
    for (slong j = 0, quiet = 0; quiet < QUIET; j++) {
        acb_zero(m);
        for (slong i = 0; i < n; i++) {
            acb_add(m, m, nodes[i].term, bits);
            acb_mul(nodes[i].term, nodes[i].term, nodes[i].factor, bits);
        }
        finish(m, p, step, j);
        if (j == 0)
            acb_mul_2exp_si(m, m, -1);
        arb_add(out, out, acb_realref(m), bits);
        acb_abs(size, m, bits);
        arb_abs(least, out);
        arb_mul_2exp_si(least, least, -80);
        quiet = arb_lt(size, least) ? quiet + 1 : 0;
    }
    arb_set_d(size, step);
    arb_mul(out, out, size, bits);
    arb_const_pi(size, bits);
    arb_div(out, out, size, bits);
    for (slong i = 0; i < n; i++) {
        acb_clear(nodes[i].term);
        acb_clear(nodes[i].factor);
    }
    free(nodes);
    arb_clear(size);
    arb_clear(least);
    acb_clear(m);
}

/* ---- Two steps --------------------------------------------------------- */

/* P[N(0, 1) > x] */
static void normal_sf(arb_t out, const arb_t x)
{
    arb_t r;
    arb_init(r);
    arb_set_ui(r, 2);
    arb_sqrt(r, r, bits);
    arb_div(out, x, r, bits);
    arb_hypgeom_erfc(out, out, bits);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(r);
}

/* sum_i weight_i sf(x - side i mu) */
static void mixture_sf(arb_t out, arb_srcptr weight, ulong n, const arb_t x,
    const arb_t mu, int side)
{
    arb_t a;
    arb_init(a);
    arb_zero(out);
    for (ulong i = 0; i <= n; i++) {
        arb_mul_si(a, mu, -side * (slong)i, bits);
        arb_add(a, a, x, bits);
        normal_sf(a, a);
        arb_addmul(out, a, &weight[i], bits);
    }
    arb_clear(a);
}

/* log A(e^(mu x)), and Z at x. */
static void loss_at(arb_t log_p, arb_t z, const plan *p, const arb_t x)
{
    acb_t y, a, b;
    arb_t mu, half;
    acb_init(y);
    acb_init(a);
    acb_init(b);
    arb_init(mu);
    arb_init(half);
    arb_set_d(mu, p->mu);
    arb_sqr(half, mu, bits);
    arb_mul_2exp_si(half, half, -1);
    arb_mul(acb_realref(y), mu, x, bits);
    log_shifts(a, p->p, p->removed, y, half);
    acb_neg(y, y);
    log_shifts(b, p->r, p->added, y, half);
    arb_set(log_p, acb_realref(a));
    arb_sub(z, acb_realref(a), acb_realref(b), bits);
    arb_clear(mu);
    arb_clear(half);
    acb_clear(y);
    acb_clear(a);
    acb_clear(b);
}

/* x with Z(x) = loss, by bisection from -60 and 90, then by secants. */
static void noise_at(arb_t out, const plan *p, const arb_t loss)
{
    arb_t a, b, fa, fb, g;
    arb_ptr all[] = {a, b, fa, fb, g};
    for (int i = 0; i < 5; i++)
        arb_init(all[i]);
    arb_set_d(a, -60);
    arb_set_d(b, 90);
    for (int i = 0; i < 60; i++) {
        arb_add(out, a, b, bits);
        arb_mul_2exp_si(out, out, -1);
        loss_at(g, fa, p, out);
        arb_sub(fa, fa, loss, bits);
        bool right = arf_sgn(arb_midref(fa)) > 0;
        arb_set(right ? b : a, out);
    }
    loss_at(g, fa, p, a);
    arb_sub(fa, fa, loss, bits);
    for (int i = 0; i < 12; i++) {
        loss_at(g, fb, p, b);
        arb_sub(fb, fb, loss, bits);
        arb_sub(g, fb, fa, bits);
        if (arb_contains_zero(g))
            break;
        arb_sub(out, b, a, bits);
        arb_mul(out, out, fb, bits);
        arb_div(out, out, g, bits);
        arb_sub(out, b, out, bits);
        arb_get_mid_arb(out, out);
        arb_set(a, b);
        arb_set(fa, fb);
        arb_set(b, out);
    }
    for (int i = 0; i < 5; i++)
        arb_clear(all[i]);
}

/* P[Z > l] - e^l Q[Z > l] of one step. */
static void profile(arb_t out, const plan *p, const arb_t loss)
{
    arb_t x, mu, a;
    arb_init(x);
    arb_init(mu);
    arb_init(a);
    arb_set_d(mu, p->mu);
    noise_at(x, p, loss);
    mixture_sf(out, p->p, p->removed, x, mu, 1);
    mixture_sf(a, p->r, p->added, x, mu, -1);
    arb_exp(x, loss, bits);
    arb_submul(out, a, x, bits);
    arb_clear(x);
    arb_clear(mu);
    arb_clear(a);
}

/* int phi A profile(eps - Z) dx, of laws whose losses are unbounded on both
 * sides. */
static void two_steps(arb_t out, const plan *p, double h)
{
    arb_t x, a, z, f;
    arb_init(x);
    arb_init(a);
    arb_init(z);
    arb_init(f);
    arb_zero(out);
    for (double i = floor(-18 / h); i * h < 22 + p->mu * (double)p->removed;
        i++) {
        arb_set_d(x, i * h);
        loss_at(a, z, p, x);
        arb_set_d(f, p->epsilon);
        arb_sub(z, f, z, bits);
        profile(f, p, z);
        arb_sqr(x, x, bits);
        arb_mul_2exp_si(x, x, -1);
        arb_sub(a, a, x, bits);
        arb_exp(a, a, bits);
        arb_addmul(out, a, f, bits);
    }
    arb_const_pi(a, bits);
    arb_mul_2exp_si(a, a, 1);
    arb_rsqrt(a, a, bits);
    arb_mul(out, out, a, bits);
    arb_set_d(a, h);
    arb_mul(out, out, a, bits);
    arb_clear(x);
    arb_clear(a);
    arb_clear(z);
    arb_clear(f);
}

int main(int argc, char **argv)
{
    if (argc != 9)
        return 2;
    plan p = {.epsilon = strtod(argv[1], NULL), .t = strtod(argv[2], NULL),
        .step = strtod(argv[3], NULL),
        .removed = strtoul(argv[4], NULL, 10),
        .added = strtoul(argv[5], NULL, 10), .q = strtod(argv[6], NULL),
        .mu = strtod(argv[7], NULL), .count = strtoul(argv[8], NULL, 10)};
    if (p.removed >= MOST || p.added >= MOST)
        return 2;
    binomial(p.p, p.removed, p.q);
    binomial(p.r, p.added, p.q);
    arb_t last, finer;
    arb_init(last);
    arb_init(finer);
    bool found = false, two = p.count == 2 && p.removed > 0 && p.added > 0;
    double step = p.step, h = two ? 1.0 / 256 : 1.0 / 8;
    for (int i = 0; !found && i < 4; i++) {
        two ? two_steps(finer, &p, h) : contour_sum(finer, &p, step, h);
        found = i > 0 && agreement(last, finer) < -72;
        fprintf(stderr, "%.1f bits\n", -agreement(last, finer));
        arb_swap(last, finer);
        step /= 1.5;
        h /= 2; /* i h is exact */
    }
    if (found) {
        printf("%s,", argv[1]);
        arb_printn(last, 21, ARB_STR_NO_RADIUS);
        printf(",%s,%s,%s,%s,%s\n", argv[4], argv[5], argv[6], argv[7],
            argv[8]);
    }
    arb_clear(last);
    arb_clear(finer);
    flint_cleanup();
    return found ? 0 : 1;
}
