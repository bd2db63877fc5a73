/*
 * Makes tests/oracles/heavy_tail_truth.csv: delta of sampled Gaussian noise with
 * rare jumps, mixture against base, to 25 digits by Arb. Shares no code with
 * the library.
 *
 *   jump_truth EPSILON T Q MU COUNT [PLAIN] >> heavy_tail_truth.csv
 *
 * PLAIN is mu of Gaussian noise beside it that is not sampled.
 * T > 0 is where the contour crosses the real axis: any will do that is left
 * of where M(T) explodes. The contour is half a hyperbola, the line of the
 * noise a curve beneath the branch point of w; both steps are halved until 29
 * digits stay. Two steps, and one beside Gaussian noise, are, besides, an
 * integral of the closed profile of one, which must agree.
 */
#include <acb.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const slong bits = 320;

typedef struct plan {
    double epsilon, t, q, mu;
    ulong count;
    double plain; /* or 0 */
} plan;

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

/* ---- The contour ------------------------------------------------------- */

/* A node of the noise: log of its weight, and log w. */
typedef struct node {
    acb_t weight, loss;
} node;

/* y = s + i (0.65 (1 + tanh(s - from)) + 0.6 log(1 + e^(s - far))) */
static void curve(acb_t y, acb_t speed, double s, double from, double far)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_d(a, s);
    acb_set_arb(y, a);
    arb_set_d(b, from);
    arb_sub(b, a, b, bits);
    arb_tanh(b, b, bits);
    arb_set_d(a, 0.65);
    arb_addmul(acb_imagref(y), a, b, bits);
    arb_add(acb_imagref(y), acb_imagref(y), a, bits);
    arb_sqr(b, b, bits);
    arb_sub_ui(b, b, 1, bits);
    arb_neg(b, b);
    acb_one(speed);
    arb_mul(acb_imagref(speed), a, b, bits);
    arb_set_d(a, s);
    arb_set_d(b, far);
    arb_sub(a, a, b, bits);
    arb_exp(a, a, bits);
    arb_log1p(b, a, bits);
    arb_set_d(acb_realref(y), 0.6);
    arb_addmul(acb_imagref(y), acb_realref(y), b, bits);
    arb_add_ui(b, a, 1, bits);
    arb_div(a, a, b, bits);
    arb_addmul(acb_imagref(speed), acb_realref(y), a, bits);
    arb_set_d(acb_realref(y), s);
    arb_clear(a);
    arb_clear(b);
}

/* log(1 - q + q e^y), past the branch point as y + log(q + (1-q) e^-y). */
static void log_w(acb_t out, const acb_t y, double q, double zero)
{
    arb_t a, b;
    acb_t e;
    arb_init(a);
    arb_init(b);
    acb_init(e);
    arb_set_d(a, q);
    arb_sub_ui(b, a, 1, bits);
    arb_neg(b, b);
    bool past = arf_get_d(arb_midref(acb_realref(y)), ARF_RND_NEAR) > zero;
    if (past)
        acb_neg(e, y);
    acb_exp(e, past ? e : y, bits);
    acb_mul_arb(e, e, past ? b : a, bits);
    acb_add_arb(e, e, past ? a : b, bits);
    acb_log(out, e, bits);
    if (past)
        acb_add(out, out, y, bits);
    arb_clear(a);
    arb_clear(b);
    acb_clear(e);
}

#define NODES 400000

static int make_nodes(node *nodes, const plan *p, double h)
{
    double zero = log1p(-p->q) - log(p->q), size = 300 / p->epsilon;
    double from = fmin(-log(p->q * size) - 0.7, zero - 1.5), mu = p->mu;
    double first = -mu * (mu / 2 + 16), end = 2.2 * (mu * (p->t + 1) + 16);
    double last = fmax(zero + 12, mu * end);
    int n = 0;
    acb_t y, v;
    arb_t a;
    acb_init(y);
    acb_init(v);
    arb_init(a);
    for (double i = floor(first / h); i * h < last; i++, n++) {
        if (n >= NODES)
            abort();
        acb_init(nodes[n].weight);
        acb_init(nodes[n].loss);
        curve(y, v, i * h, from, zero + 1);
        log_w(nodes[n].loss, y, p->q, zero);
        arb_set_d(a, mu); /* xi = y/mu + mu/2 */
        acb_div_arb(y, y, a, bits);
        acb_div_arb(v, v, a, bits);
        arb_mul_2exp_si(a, a, -1);
        acb_add_arb(y, y, a, bits);
        acb_sqr(y, y, bits);
        acb_mul_2exp_si(y, y, -1);
        arb_set_d(a, h);
        acb_mul_arb(v, v, a, bits);
        arb_const_pi(a, bits);
        arb_mul_2exp_si(a, a, 1);
        arb_rsqrt(a, a, bits);
        acb_mul_arb(v, v, a, bits);
        acb_log(v, v, bits);
        acb_sub(nodes[n].weight, v, y, bits);
        acb_add(nodes[n].weight, nodes[n].weight, nodes[n].loss, bits);
    }
    acb_clear(y);
    acb_clear(v);
    arb_clear(a);
    return n;
}

/* M^count e^(z (z+1) plain^2/2 - z eps)/(z (z+1)) */
static void integrand(acb_t out, const acb_t z, const node *nodes, int n,
    const plan *p)
{
    acb_t x;
    arb_t a;
    acb_init(x);
    arb_init(a);
    acb_zero(out);
    for (int i = 0; i < n; i++) {
        acb_mul(x, z, nodes[i].loss, bits);
        acb_add(x, x, nodes[i].weight, bits);
        if (arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR) < -160)
            continue;
        acb_exp(x, x, bits);
        acb_add(out, out, x, bits);
    }
    acb_pow_ui(out, out, p->count, bits);
    arb_set_d(a, -p->epsilon);
    acb_mul_arb(x, z, a, bits);
    acb_exp(x, x, bits);
    acb_mul(out, out, x, bits);
    acb_add_ui(x, z, 1, bits);
    acb_mul(x, x, z, bits);
    acb_div(out, out, x, bits);
    arb_set_d(a, p->plain);
    arb_sqr(a, a, bits);
    arb_mul_2exp_si(a, a, -1);
    acb_mul_arb(x, x, a, bits);
    acb_exp(x, x, bits);
    acb_mul(out, out, x, bits);
    acb_clear(x);
    arb_clear(a);
}

/* z = t + 0.3 t (cosh x - 1) + i t sinh x */
static void contour_sum(arb_t out, const plan *p, double step, double h)
{
    node *nodes = malloc(NODES * sizeof *nodes);
    int n = make_nodes(nodes, p, h);
    arb_t x, s, c, t;
    acb_t z, f, v;
    arb_init(x);
    arb_init(s);
    arb_init(c);
    arb_init(t);
    acb_init(z);
    acb_init(f);
    acb_init(v);
    arb_zero(out);
    arb_set_d(t, p->t);
    for (int j = 0, quiet = 0; quiet < 4; j++) {
        arb_set_d(x, step);
        arb_mul_si(x, x, j, bits);
        arb_sinh_cosh(s, c, x, bits);
        arb_set_d(x, 0.3);
        arb_mul(acb_imagref(v), x, s, bits); /* z'/(i t) */
        arb_neg(acb_imagref(v), acb_imagref(v));
        arb_set(acb_realref(v), c);
        arb_sub_ui(c, c, 1, bits);
        arb_mul(acb_realref(z), x, c, bits);
        arb_add_ui(acb_realref(z), acb_realref(z), 1, bits);
        arb_set(acb_imagref(z), s);
        acb_mul_arb(z, z, t, bits);
        integrand(f, z, nodes, n, p);
        acb_mul(f, f, v, bits);
        acb_mul_arb(f, f, t, bits);
        if (j == 0)
            acb_mul_2exp_si(f, f, -1);
        arb_add(out, out, acb_realref(f), bits);
        acb_abs(x, f, bits);
        arb_mul_2exp_si(x, x, 140);
        quiet = arf_cmpabs(arb_midref(x), arb_midref(out)) < 0 ? quiet + 1
                                                              : 0;
    }
    arb_set_d(x, step);
    arb_mul(out, out, x, bits);
    arb_const_pi(x, bits);
    arb_div(out, out, x, bits);
    for (int i = 0; i < n; i++) {
        acb_clear(nodes[i].weight);
        acb_clear(nodes[i].loss);
    }
    free(nodes);
    arb_clear(x);
    arb_clear(s);
    arb_clear(c);
    arb_clear(t);
    acb_clear(z);
    acb_clear(f);
    acb_clear(v);
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

/* (1-q) sf(x) + q sf(x - mu) */
static void mixture_sf(arb_t out, const arb_t x, const arb_t q, const arb_t mu)
{
    arb_t a;
    arb_init(a);
    arb_sub(a, x, mu, bits);
    normal_sf(a, a);
    normal_sf(out, x);
    arb_sub(a, a, out, bits);
    arb_addmul(out, a, q, bits);
    arb_clear(a);
}

/* x with w(x) = ratio: (log((ratio - (1-q))/q) + mu^2/2)/mu */
static void noise_at(
    arb_t out, const arb_t ratio, const arb_t q, const arb_t mu)
{
    arb_t a;
    arb_init(a);
    arb_sub_ui(out, ratio, 1, bits);
    arb_add(out, out, q, bits);
    arb_div(out, out, q, bits);
    arb_log(out, out, bits);
    arb_div(out, out, mu, bits);
    arb_mul_2exp_si(a, mu, -1);
    arb_add(out, out, a, bits);
    arb_clear(a);
}

/* E[(w w' - r)_+], r = e^eps: in full beyond x*, w(x*) (1-q) = r, and at x =
 * x* - e^v below it, phi (w P[xi' > b] - r Q[xi' > b]) e^v dv, w(b) = r/w. */
static void two_steps(arb_t out, const plan *p, double h)
{
    arb_t q, mu, r, top, x, w, b, f, a;
    arb_ptr all[] = {q, mu, r, top, x, w, b, f, a};
    for (int i = 0; i < 9; i++)
        arb_init(all[i]);
    arb_set_d(q, p->q);
    arb_set_d(mu, p->mu);
    arb_set_d(r, p->epsilon);
    arb_exp(r, r, bits);
    arb_sub_ui(a, q, 1, bits);
    arb_div(a, r, a, bits);
    arb_neg(a, a);
    noise_at(top, a, q, mu);
    arb_zero(out);
    for (double v = -100; v < 4.2; v += h) {
        arb_set_d(x, v);
        arb_exp(x, x, bits);
        arb_set(f, x);
        arb_sub(x, top, x, bits);
        arb_mul(w, x, mu, bits);
        arb_sqr(b, mu, bits);
        arb_mul_2exp_si(b, b, -1);
        arb_sub(w, w, b, bits);
        arb_expm1(w, w, bits);
        arb_mul(w, w, q, bits);
        arb_add_ui(w, w, 1, bits);
        arb_div(b, r, w, bits);
        noise_at(b, b, q, mu);
        mixture_sf(a, b, q, mu);
        arb_mul(a, a, w, bits);
        normal_sf(b, b);
        arb_submul(a, b, r, bits);
        arb_mul(f, f, a, bits);
        arb_sqr(a, x, bits);
        arb_mul_2exp_si(a, a, -1);
        arb_neg(a, a);
        arb_exp(a, a, bits);
        arb_addmul(out, f, a, bits);
    }
    arb_const_pi(a, bits);
    arb_mul_2exp_si(a, a, 1);
    arb_rsqrt(a, a, bits);
    arb_mul(out, out, a, bits);
    arb_set_d(a, h);
    arb_mul(out, out, a, bits);
    mixture_sf(a, top, q, mu);
    arb_add(out, out, a, bits);
    normal_sf(b, top);
    arb_submul(out, b, r, bits);
    for (int i = 0; i < 9; i++)
        arb_clear(all[i]);
}

/* ---- One step beside Gaussian noise ------------------------------------ */

/* Adds P[Y > c] to out, or takes r Q[Y > c] away, Y ~ N(+-m^2/2, m^2). */
static void add_tail(arb_t out, const arb_t c, const arb_t m, bool is_q,
    const arb_t r)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_div(a, c, m, bits);
    arb_mul_2exp_si(b, m, -1);
    if (is_q)
        arb_add(a, a, b, bits);
    else
        arb_sub(a, a, b, bits);
    normal_sf(b, a);
    if (is_q)
        arb_submul(out, b, r, bits);
    else
        arb_add(out, out, b, bits);
    arb_clear(a);
    arb_clear(b);
}

/* E[d(eps - Y)], Y ~ N(m^2/2, m^2), d(e) = P[Z > e] - e^e Q[Z > e], which is
 * 1 - e^e up to e* = log(1-q): in closed form for Y >= c = eps - e*, and at
 * Y = c - e^v below. */
static void beside_noise(arb_t out, const plan *p, double h)
{
    arb_t q, mu, r, c, x, w, b, f, a, m;
    arb_ptr all[] = {q, mu, r, c, x, w, b, f, a, m};
    for (int i = 0; i < 10; i++)
        arb_init(all[i]);
    arb_set_d(q, p->q);
    arb_set_d(mu, p->mu);
    arb_set_d(m, p->plain);
    arb_set_d(c, p->epsilon);
    arb_exp(r, c, bits);
    arb_neg(a, q);
    arb_log1p(a, a, bits);
    arb_sub(c, c, a, bits);
    arb_zero(out);
    for (double v = -100; v < 8; v += h) {
        arb_set_d(x, v);
        arb_exp(x, x, bits);
        arb_set(f, x);
        arb_exp(w, x, bits); /* e^e over 1 - q */
        arb_submul(w, w, q, bits);
        noise_at(b, w, q, mu);
        mixture_sf(a, b, q, mu);
        normal_sf(b, b);
        arb_submul(a, b, w, bits);
        arb_mul(f, f, a, bits);
        arb_sub(x, c, x, bits); /* Y */
        arb_div(x, x, m, bits);
        arb_mul_2exp_si(a, m, -1);
        arb_sub(x, x, a, bits);
        arb_sqr(a, x, bits);
        arb_mul_2exp_si(a, a, -1);
        arb_neg(a, a);
        arb_exp(a, a, bits);
        arb_addmul(out, f, a, bits);
    }
    arb_const_pi(a, bits);
    arb_mul_2exp_si(a, a, 1);
    arb_rsqrt(a, a, bits);
    arb_div(a, a, m, bits);
    arb_mul(out, out, a, bits);
    arb_set_d(a, h);
    arb_mul(out, out, a, bits);
    add_tail(out, c, m, false, r);
    add_tail(out, c, m, true, r);
    for (int i = 0; i < 10; i++)
        arb_clear(all[i]);
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 7)
        return 2;
    plan p = {strtod(argv[1], NULL), strtod(argv[2], NULL),
        strtod(argv[3], NULL), strtod(argv[4], NULL),
        (ulong)strtod(argv[5], NULL),
        argc == 7 ? strtod(argv[6], NULL) : 0};
    arb_t last, finer;
    arb_init(last);
    arb_init(finer);
    double step = 1.0 / 48, h = 1.0 / 32;
    bool found = false;
    contour_sum(last, &p, step, h);
    for (int i = 0; !found && i < 3; i++) {
        step /= 1.5;
        h /= 2; /* i h is exact */
        contour_sum(finer, &p, step, h);
        found = agreement(last, finer) < -96;
        fprintf(stderr, "%.1f bits\n", -agreement(last, finer));
        arb_swap(last, finer);
    }
    if (found && p.count == 1 && p.plain > 0) {
        beside_noise(finer, &p, 1.0 / 64);
        found = agreement(last, finer) < -90;
        fprintf(stderr, "in closed form: %.1f bits\n",
            -agreement(last, finer));
    }
    if (found && p.count == 2 && p.plain == 0) {
        two_steps(finer, &p, 1.0 / 64);
        found = agreement(last, finer) < -90;
        fprintf(stderr, "two steps: %.1f bits\n", -agreement(last, finer));
    }
    if (found) {
        printf("%s,", argv[1]);
        arb_printn(last, 26, ARB_STR_NO_RADIUS);
        printf(",%s,%s,%s,%s\n", argv[3], argv[4], argv[5],
            argc == 7 ? argv[6] : "0");
    }
    arb_clear(last);
    arb_clear(finer);
    flint_cleanup();
    return found ? 0 : 1;
}
