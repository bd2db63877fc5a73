/*
 * Makes tests/oracles/spectral_truth.csv: random plans with their delta of
 * the finite part, to 25 digits, by Arb. Shares no code with the library.
 *
 *   spectral_truth SEED COUNT >> spectral_truth.csv
 *   spectral_truth SEED COUNT few >> spectral_truth.csv
 *
 *   spectral_truth of EPSILON PLAN >> spectral_truth.csv
 *
 * The second makes plans of few sampled steps, whose moment functions decay
 * slowly. The third takes one part r:q:mu:count with a heavy tail.
 *
 * Where the law has a density without atoms: the contour integral with a
 * trapezoid rule inside and outside, both halved until 30 digits stay. Where
 * it is made of atoms and of densities e^{L/2}: residues. With Gaussian noise
 * and atoms alone: the closed profile at every atom, and the contour too,
 * which must agree. One sampled step with atoms: the closed profile.
 */
#include <acb.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "spectral_plan.h"

static slong bits = 384;

/* ---- Random plans ------------------------------------------------------ */

static uint64_t state;

static uint64_t next_bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double uniform(double a, double b)
{
    return a + (b - a) * ((double)(next_bits() >> 11) * 0x1p-53);
}

/* Log-uniform, of few decimal digits. */
static double some(double a, double b)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g", exp(uniform(log(a), log(b))));
    return strtod(text, NULL);
}

static double whole(double a, double b)
{
    return fmax(floor(exp(uniform(log(a), log(b + 1)))), 1);
}

static void print_plan(const plan_text *p)
{
    for (int i = 0; i < p->n; i++) {
        printf("%s%c", i == 0 ? "" : " ", p->part[i].kind);
        for (int j = 0; j < plan_arity(p->part[i].kind); j++)
            printf(":%.10g", p->part[i].value[j]);
        printf(":%.10g", p->part[i].count);
    }
}

static plan_part random_part(char kind, double most)
{
    plan_part p = {.kind = kind, .count = whole(1, most)};
    double root = sqrt(p.count);
    switch (kind) {
    case 'g':
        p.value[0] = some(0.05, 3) / root;
        break;
    case 'r':
    case 'a': {
        double mu = some(0.1, 2);
        p.value[1] = mu;
        double q = some(0.1, 3) / (root * sqrt(expm1(mu * mu)));
        p.value[0] = q < 0.9 ? q : some(0.1, 0.9);
        break;
    }
    case 'l':
    case 'e':
        p.value[0] = some(0.1, 2) / pow(p.count, 0.4);
        break;
    case 'f':
        p.value[0] = some(0.1, 2) / pow(p.count, 0.4);
        p.value[1] = next_bits() & 1 ? 0 : some(1e-12, 1e-3);
        break;
    default:
        for (int i = 0; i < 6; i++)
            p.value[i] = some(0.2, 1);
        if (next_bits() & 1)
            p.value[5] = 0; /* some mass of P at +inf */
        if (next_bits() & 1)
            p.value[0] = 0; /* some mass of Q at -inf */
        break;
    }
    char text[40];
    for (int i = 0; i < plan_arity(kind); i++) {
        snprintf(text, sizeof text, "%.5g", p.value[i]);
        p.value[i] = strtod(text, NULL);
    }
    return p;
}

static plan_text random_plan(void)
{
    plan_text p = {0};
    int family = (int)(next_bits() % 10);
    char way = next_bits() & 1 ? 'r' : 'a'; /* one direction for all */
    if (family < 4) { /* samples alone, many steps */
        p.part[p.n++] = random_part(way, 1e9);
        p.part[0].count = fmax(p.part[0].count, 60);
        if (next_bits() & 1)
            p.part[p.n++] = random_part(way, 1e6);
    } else if (family < 6) { /* everything, with a Gaussian that decays */
        p.part[p.n++] = random_part('g', 1e6);
        for (const char *k = "lef"; *k != '\0'; k++)
            if (next_bits() & 1)
                p.part[p.n++] = random_part(*k, 200);
        if (next_bits() & 1)
            p.part[p.n++] = random_part(way, 1e4);
    } else if (family < 7) { /* Gaussian noise and atoms */
        p.part[p.n++] = random_part('g', 1e9);
        p.part[p.n++] = random_part(next_bits() & 1 ? 'f' : 'p', 12);
    } else if (family < 9) { /* no Gaussian at all */
        for (const char *k = "lef"; *k != '\0'; k++)
            if (next_bits() & 1)
                p.part[p.n++] = random_part(*k, 14);
        if (p.n == 0)
            p.part[p.n++] = random_part('p', 30);
    } else { /* one sampled step, with atoms */
        p.part[p.n++] = random_part(way, 1);
        if (next_bits() & 1)
            p.part[p.n++] = random_part('f', 6);
    }
    return p;
}

/* Two to sixty sampled steps; sometimes a second training. */
static plan_text random_few(void)
{
    plan_text p = {0};
    char way = next_bits() & 1 ? 'r' : 'a';
    do {
        plan_part *part = &p.part[p.n++];
        part->kind = way;
        part->count = whole(2, 60);
        part->value[0] = some(0.005, 0.7);
        part->value[1] = some(0.15, 1.5);
    } while (p.n < 2 && next_bits() % 4 == 0);
    return p;
}

/* ---- Atoms ------------------------------------------------------------- */

typedef struct atom_list {
    int n;
    arb_ptr loss, mass; /* of P */
} atom_list;

static atom_list atoms_make(int n)
{
    return (atom_list){n, _arb_vec_init(n), _arb_vec_init(n)};
}

static void atoms_clear(atom_list *l)
{
    _arb_vec_clear(l->loss, l->n);
    _arb_vec_clear(l->mass, l->n);
}

/* Of one run; only finite losses. */
static atom_list atoms_of(const plan_part *p)
{
    atom_list l;
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    if (p->kind == 'f') {
        l = atoms_make(2);
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
        l = atoms_make(3);
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
static atom_list atoms_of_many(const plan_part *p)
{
    int k = (int)p->count;
    atom_list one = atoms_of(p);
    int n = one.n == 2 ? k + 1 : (k + 1) * (k + 2) / 2, at = 0;
    atom_list l = atoms_make(n);
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
    atoms_clear(&one);
    return l;
}

/* ---- Residues ---------------------------------------------------------- */

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
        atom_list l = atoms_of_many(part);
        for (int m = 0; m < l.n; m++) {
            arb_mul(t.coefficient, so_far->coefficient, l.mass + m, bits);
            arb_add(t.loss, so_far->loss, l.loss + m, bits);
            if (!arb_is_zero(t.coefficient))
                expand(sum, p, at + 1, &t, epsilon);
        }
        atoms_clear(&l);
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

/* ---- Closed profiles --------------------------------------------------- */

/* Of Gaussian noise: Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu). */
static void gaussian_delta(arb_t out, const arb_t mu, const arb_t eps)
{
    arb_t a, b, x, y;
    arb_init(a);
    arb_init(b);
    arb_init(x);
    arb_init(y);
    arb_div(a, eps, mu, bits);
    arb_mul_2exp_si(b, mu, -1);
    arb_sub(x, a, b, bits); /* Phi(-x) */
    arb_add(y, a, b, bits);
    arb_sqrt_ui(a, 2, bits);
    arb_div(x, x, a, bits);
    arb_div(y, y, a, bits);
    arb_hypgeom_erfc(x, x, bits);
    arb_hypgeom_erfc(y, y, bits);
    arb_exp(a, eps, bits);
    arb_submul(x, y, a, bits);
    arb_mul_2exp_si(out, x, -1);
    arb_clear(a);
    arb_clear(b);
    arb_clear(x);
    arb_clear(y);
}

/* One sampled step at ratio x = e^eps. Mixture against base: 1 - x below
 * 1 - q, else q delta(log(1 + (x-1)/q)). Base against mixture: with
 * c = 1 - x (1-q), c delta(log(x q/c)), or 0 for c <= 0. */
static void sampled_delta(arb_t out, const plan_part *p, const arb_t eps)
{
    arb_t x, q, mu, c;
    arb_init(x);
    arb_init(q);
    arb_init(mu);
    arb_init(c);
    arb_exp(x, eps, bits);
    arb_set_d(q, p->value[0]);
    arb_set_d(mu, p->value[1]);
    if (p->kind == 'r') {
        arb_sub_ui(c, x, 1, bits);
        arb_div(c, c, q, bits);
        arb_add_ui(c, c, 1, bits);
        if (arb_is_positive(c)) {
            arb_log(c, c, bits);
            gaussian_delta(out, mu, c);
            arb_mul(out, out, q, bits);
        } else {
            arb_sub_ui(out, x, 1, bits);
            arb_neg(out, out);
        }
    } else {
        arb_sub_ui(c, q, 1, bits);
        arb_mul(c, c, x, bits);
        arb_add_ui(c, c, 1, bits);
        arb_zero(out);
        if (arb_is_positive(c)) {
            arb_mul(x, x, q, bits);
            arb_div(x, x, c, bits);
            arb_log(x, x, bits);
            gaussian_delta(out, mu, x);
            arb_mul(out, out, c, bits);
        }
    }
    arb_clear(x);
    arb_clear(q);
    arb_clear(mu);
    arb_clear(c);
}

/* The first part's profile at every atom of the second, if there is one. */
static void delta_by_profile(arb_t out, const plan_text *p, double epsilon)
{
    arb_t eps, mu, d;
    arb_init(eps);
    arb_init(mu);
    arb_init(d);
    atom_list l = atoms_make(1);
    arb_one(l.mass);
    if (p->n > 1) {
        atoms_clear(&l);
        l = atoms_of_many(&p->part[1]);
    }
    arb_set_d(mu, p->part[0].count);
    arb_sqrt(mu, mu, bits);
    arb_set_d(d, p->part[0].value[0]);
    arb_mul(mu, mu, d, bits);
    arb_zero(out);
    for (int i = 0; i < l.n; i++) {
        arb_set_d(eps, epsilon);
        arb_sub(eps, eps, l.loss + i, bits);
        if (p->part[0].kind == 'g')
            gaussian_delta(d, mu, eps);
        else
            sampled_delta(d, &p->part[0], eps);
        arb_addmul(out, d, l.mass + i, bits);
    }
    atoms_clear(&l);
    arb_clear(eps);
    arb_clear(mu);
    arb_clear(d);
}

/* ---- The contour ------------------------------------------------------- */

/* Noise coordinates of a sampled part, with losses and log densities. */
typedef struct rule {
    int n;
    double h;
    arb_ptr loss, log_density; /* of P, without the tilt */
    double *loss_d, *log_density_d;
    acb_ptr now, turn;
} rule;

static void rule_free(rule *r)
{
    if (r->n == 0)
        return;
    _arb_vec_clear(r->loss, r->n);
    _arb_vec_clear(r->log_density, r->n);
    _acb_vec_clear(r->now, r->n);
    _acb_vec_clear(r->turn, r->n);
    free(r->loss_d);
    free(r->log_density_d);
    r->n = 0;
}

static rule rule_make(const plan_part *p, double lo, double hi, double h)
{
    rule r = {.h = h, .n = (int)((hi - lo) / h) + 1};
    r.loss = _arb_vec_init(r.n);
    r.log_density = _arb_vec_init(r.n);
    r.now = _acb_vec_init(r.n);
    r.turn = _acb_vec_init(r.n);
    r.loss_d = malloc((size_t)r.n * sizeof(double));
    r.log_density_d = malloc((size_t)r.n * sizeof(double));
    arb_t y, mu, w;
    arb_init(y);
    arb_init(mu);
    arb_init(w);
    arb_set_d(mu, p->value[1]);
    for (int i = 0; i < r.n; i++) {
        double xi = floor(lo / h) * h + i * h;
        arb_set_d(w, xi);
        arb_mul(y, mu, w, bits);
        arb_sqr(w, mu, bits);
        arb_mul_2exp_si(w, w, -1);
        arb_sub(y, y, w, bits);
        arb_expm1(y, y, bits);
        arb_set_d(w, p->value[0]);
        arb_mul(y, y, w, bits);
        arb_log1p(r.loss + i, y, bits);
        arb_set_d(w, xi);
        arb_sqr(w, w, bits);
        arb_mul_2exp_si(w, w, -1);
        if (p->kind == 'a') {
            arb_neg(r.loss + i, r.loss + i);
            arb_neg(r.log_density + i, w);
        } else {
            arb_sub(r.log_density + i, r.loss + i, w, bits);
        }
        r.loss_d[i] = arf_get_d(arb_midref(r.loss + i), ARF_RND_NEAR);
        r.log_density_d[i] =
            arf_get_d(arb_midref(r.log_density + i), ARF_RND_NEAR);
    }
    arb_clear(y);
    arb_clear(mu);
    arb_clear(w);
    return r;
}

/* K, K' of one run, in doubles: chooses contours, nothing else. */
static void steer_part(
    double k[2], const plan_part *p, const rule *r, double t)
{
    double a = p->value[0], s = 2 * t + 1;
    if (p->kind == 'g') {
        k[0] = a * a * t * (t + 1) / 2;
        k[1] = a * a * (t + 0.5);
    } else if (p->kind == 'l' || p->kind == 'e') {
        double h = 1e-4 * (1 + t), v[3];
        for (int i = 0; i < 3; i++) {
            double x = t + (i - 1) * h, z = 2 * x + 1;
            v[i] = p->kind == 'l'
                       ? x * a + log((x + 1 + x * exp(-z * a)) / z)
                       : x * a + log(-expm1(-z * a) / (z * -expm1(-a)));
        }
        k[0] = v[1];
        k[1] = (v[2] - v[0]) / (2 * h);
        (void)s;
    } else {
        atom_list l = {0};
        int n = r->n;
        if (n == 0) {
            l = atoms_of(p);
            n = l.n;
        }
        double top = -HUGE_VAL, sum = 0, first = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < n; i++) {
                double z, g;
                if (r->n > 0) {
                    z = r->loss_d[i];
                    g = r->log_density_d[i] + log(r->h) - 0.918938533;
                } else {
                    z = arf_get_d(arb_midref(l.loss + i), ARF_RND_NEAR);
                    g = log(arf_get_d(arb_midref(l.mass + i), ARF_RND_NEAR));
                }
                g += t * z;
                if (pass == 0) {
                    top = fmax(top, g);
                } else {
                    sum += exp(g - top);
                    first += exp(g - top) * z;
                }
            }
        k[0] = top + log(sum);
        k[1] = first / sum;
        if (r->n == 0)
            atoms_clear(&l);
    }
}

static void steer(double k[2], const plan_text *p, const rule *r, double t)
{
    k[0] = k[1] = 0;
    for (int i = 0; i < p->n; i++) {
        double one[2];
        steer_part(one, &p->part[i], &r[i], t);
        k[0] += p->part[i].count * one[0];
        k[1] += p->part[i].count * one[1];
    }
}

static double variance(const plan_text *p, const rule *r, double t)
{
    double a[2], b[2], h = 1e-3 * t;
    steer(a, p, r, t - h);
    steer(b, p, r, t + h);
    return (b[1] - a[1]) / (2 * h);
}

/* exp(k log M) of parts without a rule. */
static void closed_power(acb_t out, const plan_part *p, const acb_t z)
{
    acb_t a, b, s;
    acb_init(a);
    acb_init(b);
    acb_init(s);
    arb_t c;
    arb_init(c);
    arb_set_d(c, p->value[0]);
    if (p->kind == 'g') {
        acb_add_ui(a, z, 1, bits);
        acb_mul(a, a, z, bits);
        arb_sqr(c, c, bits);
        acb_mul_arb(a, a, c, bits);
        acb_mul_2exp_si(a, a, -1);
        arb_set_d(c, p->count);
        acb_mul_arb(a, a, c, bits);
        acb_exp(out, a, bits);
    } else if (p->kind == 'l' || p->kind == 'e') {
        acb_mul_arb(a, z, c, bits);
        acb_exp(a, a, bits); /* e^{za} */
        acb_add_ui(b, z, 1, bits);
        acb_mul_arb(b, b, c, bits);
        acb_neg(b, b);
        acb_exp(b, b, bits); /* e^{-(z+1)a} */
        acb_mul_2exp_si(s, z, 1);
        acb_add_ui(s, s, 1, bits);
        if (p->kind == 'l') {
            acb_mul(b, b, z, bits);
            acb_t z1;
            acb_init(z1);
            acb_add_ui(z1, z, 1, bits);
            acb_mul(a, a, z1, bits);
            acb_clear(z1);
            acb_add(a, a, b, bits);
        } else {
            acb_sub(a, a, b, bits);
            arb_neg(c, c);
            arb_expm1(c, c, bits);
            arb_neg(c, c);
            acb_mul_arb(s, s, c, bits);
        }
        acb_div(a, a, s, bits);
        acb_pow_ui(out, a, (ulong)p->count, bits);
    } else {
        atom_list l = atoms_of(p);
        acb_zero(a);
        for (int i = 0; i < l.n; i++) {
            acb_mul_arb(b, z, l.loss + i, bits);
            acb_exp(b, b, bits);
            acb_mul_arb(b, b, l.mass + i, bits);
            acb_add(a, a, b, bits);
        }
        atoms_clear(&l);
        acb_pow_ui(out, a, (ulong)p->count, bits);
    }
    acb_clear(a);
    acb_clear(b);
    acb_clear(s);
    arb_clear(c);
}

/* Starts the running values e^{log density + t loss} and their turns. */
static void rule_start(rule *r, double t, double step)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (int i = 0; i < r->n; i++) {
        arb_set_d(b, t);
        arb_mul(a, r->loss + i, b, bits);
        arb_add(a, a, r->log_density + i, bits);
        arb_exp(a, a, bits);
        arb_set_d(b, r->h);
        arb_mul(a, a, b, bits);
        arb_const_pi(b, bits);
        arb_mul_2exp_si(b, b, 1);
        arb_rsqrt(b, b, bits);
        arb_mul(a, a, b, bits);
        acb_set_arb(r->now + i, a);
        arb_set_d(b, step);
        arb_mul(a, r->loss + i, b, bits);
        arb_sin_cos(acb_imagref(r->turn + i), acb_realref(r->turn + i), a,
            bits);
    }
    arb_clear(a);
    arb_clear(b);
}

static void rule_power(acb_t out, rule *r, double count)
{
    acb_zero(out);
    for (int i = 0; i < r->n; i++) {
        acb_add(out, out, r->now + i, bits);
        acb_mul(r->now + i, r->now + i, r->turn + i, bits);
    }
    acb_pow_ui(out, out, (ulong)count, bits);
}

/* The trapezoid sum with the given step; false when it does not end. */
static bool contour_once(arb_t out, const plan_text *p, rule *r,
    double epsilon, double t, double step)
{
    acb_t z, f, m;
    acb_init(z);
    acb_init(f);
    acb_init(m);
    arb_t w;
    arb_init(w);
    for (int i = 0; i < p->n; i++)
        rule_start(&r[i], t, step);
    double log_first = 0;
    int quiet = 0, n = 0;
    arb_zero(out);
    for (; n < 20000 && quiet < 12; n++) {
        arb_set_d(acb_realref(z), t);
        arb_set_d(acb_imagref(z), step);
        arb_mul_si(acb_imagref(z), acb_imagref(z), n, bits);
        arb_set_d(w, -epsilon);
        acb_mul_arb(f, z, w, bits);
        acb_exp(f, f, bits);
        for (int i = 0; i < p->n; i++) {
            if (r[i].n > 0)
                rule_power(m, &r[i], p->part[i].count);
            else
                closed_power(m, &p->part[i], z);
            acb_mul(f, f, m, bits);
        }
        acb_add_ui(m, z, 1, bits);
        acb_mul(m, m, z, bits);
        acb_div(f, f, m, bits);
        if (n == 0)
            acb_mul_2exp_si(f, f, -1);
        arb_add(out, out, acb_realref(f), bits);
        mag_t size;
        mag_init(size);
        acb_get_mag(size, f);
        double log_size = mag_get_d_log2_approx(size);
        mag_clear(size);
        if (n == 0)
            log_first = log_size;
        quiet = log_size < log_first - 125 ? quiet + 1 : 0;
    }
    arb_set_d(w, step);
    arb_mul(out, out, w, bits);
    arb_const_pi(w, bits);
    arb_div(out, out, w, bits);
    acb_clear(z);
    acb_clear(f);
    acb_clear(m);
    arb_clear(w);
    return quiet >= 12;
}

/* log2 of |a - b| / |b|. */
static double agreement(const arb_t a, const arb_t b)
{
    arb_t d;
    arb_init(d);
    arb_sub(d, a, b, bits);
    arb_div(d, d, b, bits);
    arb_abs(d, d);
    mag_t m;
    mag_init(m);
    arb_get_mag(m, d);
    double v = mag_get_d_log2_approx(m);
    mag_clear(m);
    arb_clear(d);
    return v;
}

/* Rules wide and fine enough for t; the fineness is told by the step. */
static void make_rules(rule *r, const plan_text *p, double t, int fine)
{
    for (int i = 0; i < p->n; i++) {
        rule_free(&r[i]);
        const plan_part *part = &p->part[i];
        if (part->kind != 'r' && part->kind != 'a')
            continue;
        double mu = part->value[1], far = 15;
        double hi = far + (part->kind == 'r' ? mu * (t + 1) : 0);
        double lo = -far - (part->kind == 'a' ? mu * t : 0);
        double h = ldexp(1, (int)floor(log2(fmin(0.25, 0.25 / mu)))) /
                   ldexp(1, fine);
        r[i] = rule_make(part, lo, hi, h);
    }
}

static double choose_t(const plan_text *p, rule *r, double epsilon)
{
    double lo = 1e-6, hi = 1e6, k[2];
    for (int i = 0; i < 80; i++) {
        double t = sqrt(lo * hi);
        steer(k, p, r, t);
        if (k[1] - 1 / t - 1 / (t + 1) < epsilon)
            lo = t;
        else
            hi = t;
    }
    return lo;
}

static bool delta_by_contour(arb_t out, const plan_text *p, double epsilon)
{
    rule r[PLAN_PARTS] = {{0}};
    make_rules(r, p, 60, 0);
    double t = choose_t(p, r, epsilon);
    if (!(t > 1e-5 && t < 55)) {
        for (int i = 0; i < p->n; i++)
            rule_free(&r[i]);
        return false;
    }
    t = floor(t * 64 + 1) / 64 * 0.95;
    double step = 0.75 / sqrt(variance(p, r, t) + 1 / (t * t));
    arb_t last, finer;
    arb_init(last);
    arb_init(finer);
    bool found = false, going = true;
    int fine = 0;
    make_rules(r, p, t, fine);
    going = contour_once(last, p, r, epsilon, t, step);
    /* aliases: the step; then the inner rule */
    for (int i = 0; going && !found && i < 6; i++) {
        step /= 2;
        going = contour_once(finer, p, r, epsilon, t, step);
        found = agreement(last, finer) < -96;
        arb_set(last, finer);
    }
    if (found && plan_has(p, "ra")) {
        found = false;
        for (int i = 0; going && !found && i < 5; i++) {
            make_rules(r, p, t, ++fine);
            going = contour_once(finer, p, r, epsilon, t, step);
            found = agreement(last, finer) < -96;
            arb_set(last, finer);
        }
    }
    arb_set(out, last);
    for (int i = 0; i < p->n; i++)
        rule_free(&r[i]);
    arb_clear(last);
    arb_clear(finer);
    return found && going;
}

/* ---- Epsilon ----------------------------------------------------------- */

/* Where delta is about e^log_delta, by the saddle; NaN when nowhere. */
static double epsilon_for(const plan_text *p, double log_delta)
{
    rule r[PLAN_PARTS] = {{0}};
    make_rules(r, p, 60, 0);
    double lo = 1e-3, hi = 40, k[2], epsilon = 0;
    for (int i = 0; i < 60; i++) {
        double t = sqrt(lo * hi);
        steer(k, p, r, t);
        epsilon = k[1] - 1 / t - 1 / (t + 1);
        double v = variance(p, r, t) + 1 / (t * t) +
                   1 / ((t + 1) * (t + 1));
        double guess = k[0] - t * epsilon - log(t * (t + 1)) -
                       log(6.2831853 * v) / 2;
        if (guess > log_delta)
            lo = t;
        else
            hi = t;
    }
    for (int i = 0; i < p->n; i++)
        rule_free(&r[i]);
    char text[40];
    snprintf(text, sizeof text, "%.6g", epsilon);
    return strtod(text, NULL);
}

/* What the plan allows; both where two ways apply. */
static const char *truth(arb_t out, const plan_text *p, double epsilon)
{
    bool atoms = plan_has(p, "fp"), boxes = plan_has(p, "le");
    bool first_only = p->n == 1 || (p->n == 2 && atoms && !boxes);
    char kind = p->part[0].kind;
    if (!plan_has(p, "gra")) {
        for (bits = 512; bits < 20000; bits *= 2) {
            delta_by_residues(out, p, epsilon);
            if (arb_is_positive(out) && arb_rel_accuracy_bits(out) > 100)
                break;
        }
        bits = 384;
        return "atomic";
    }
    if (first_only && (kind == 'r' || kind == 'a') &&
        p->part[0].count == 1) {
        bits = 1024;
        delta_by_profile(out, p, epsilon);
        bits = 384;
        return "step";
    }
    if (!delta_by_contour(out, p, epsilon))
        return NULL;
    if (first_only && kind == 'g') {
        arb_t other;
        arb_init(other);
        bits = 1024;
        delta_by_profile(other, p, epsilon);
        bits = 384;
        double same = agreement(out, other);
        arb_clear(other);
        if (same > -90) {
            fprintf(stderr, "two ways disagree by 2^%g\n", same);
            exit(1);
        }
    }
    return "smooth";
}

static void print_row(
    const char *kind, const plan_text *p, double epsilon, const arb_t delta)
{
    printf("%s,%.10g,", kind, epsilon);
    arb_printn(delta, 26, ARB_STR_NO_RADIUS);
    printf(",");
    print_plan(p);
    printf("\n");
    fflush(stdout);
}

/* ---- One part with a heavy tail ---------------------------------------- */

/* Nodes of E[w^(t+1)], w = 1 + q (e^y - 1), on a line where arg w > 0: their
 * terms at u = 0, and their factors w^(i step). */
static int moved_line(acb_ptr now, acb_ptr turn, const plan_part *part,
    double t, double step, double h)
{
    double mu = part->value[1], up = fmin(1.5, 1 / mu);
    int first = (int)(-16 / h), last = (int)((16 + mu * (t + 1)) / h);
    acb_t xi, w, f;
    arb_t x;
    acb_init(xi);
    acb_init(w);
    acb_init(f);
    arb_init(x);
    for (int i = first; i <= last; i++) {
        acb_ptr out = now + (i - first), to = turn + (i - first);
        acb_set_d_d(xi, i * h, up);
        arb_set_d(x, mu);
        acb_mul_arb(w, xi, x, bits);
        arb_sqr(x, x, bits);
        arb_mul_2exp_si(x, x, -1);
        acb_sub_arb(w, w, x, bits);
        acb_expm1(w, w, bits);
        arb_set_d(x, part->value[0]);
        acb_mul_arb(w, w, x, bits);
        acb_log1p(w, w, bits);
        acb_sqr(f, xi, bits);
        acb_mul_2exp_si(f, f, -1);
        arb_set_d(x, t);
        arb_add_ui(x, x, 1, bits);
        acb_mul_arb(out, w, x, bits);
        acb_sub(out, out, f, bits);
        acb_exp(out, out, bits);
        arb_const_pi(x, bits);
        arb_mul_2exp_si(x, x, 1);
        arb_rsqrt(x, x, bits);
        acb_mul_arb(out, out, x, bits);
        arb_set_d(x, h);
        acb_mul_arb(out, out, x, bits);
        arb_set_d(x, step);
        acb_mul_arb(to, w, x, bits);
        acb_mul_onei(to, to);
        acb_exp(to, to, bits);
    }
    acb_clear(xi);
    acb_clear(w);
    acb_clear(f);
    arb_clear(x);
    return last - first + 1;
}

#define LINE 20000

/* The contour's sum by that rule, as far as its terms exceed 1e-45. */
static void line_sum(arb_t out, const plan_part *part, double epsilon,
    double t, double step, double h)
{
    acb_ptr now = _acb_vec_init(LINE), turn = _acb_vec_init(LINE);
    int n = moved_line(now, turn, part, t, step, h), quiet = 0;
    acb_t z, f, m;
    arb_t x;
    acb_init(z);
    acb_init(f);
    acb_init(m);
    arb_init(x);
    arb_zero(out);
    for (long j = 0; quiet < 12; j++) {
        acb_zero(m);
        for (int i = 0; i < n; i++) {
            acb_add(m, m, now + i, bits);
            acb_mul(now + i, now + i, turn + i, bits);
        }
        acb_pow_ui(m, m, (ulong)part->count, bits);
        acb_set_d_d(z, t, step);
        arb_mul_si(acb_imagref(z), acb_imagref(z), j, bits);
        arb_set_d(x, -epsilon);
        acb_mul_arb(f, z, x, bits);
        acb_exp(f, f, bits);
        acb_mul(f, f, m, bits);
        acb_add_ui(m, z, 1, bits);
        acb_mul(m, m, z, bits);
        acb_div(f, f, m, bits);
        if (j == 0)
            acb_mul_2exp_si(f, f, -1);
        arb_add(out, out, acb_realref(f), bits);
        acb_abs(x, f, bits);
        quiet = arf_cmpabs_2exp_si(arb_midref(x), -150) < 0 ? quiet + 1 : 0;
    }
    arb_set_d(x, step);
    arb_mul(out, out, x, bits);
    arb_const_pi(x, bits);
    arb_div(out, out, x, bits);
    _acb_vec_clear(now, LINE);
    _acb_vec_clear(turn, LINE);
    acb_clear(z);
    acb_clear(f);
    acb_clear(m);
    arb_clear(x);
}

/* Both steps are halved until 29 digits stay; false when they do not. */
static bool given(double epsilon, const char *text)
{
    plan_text p;
    rule r[PLAN_PARTS] = {{0}};
    if (!plan_read(&p, text) || p.n != 1 || p.part[0].kind != 'r')
        return false;
    bits = 256;
    make_rules(r, &p, 60, 0);
    double t = floor(choose_t(&p, r, epsilon) * 0.6 * 64) / 64;
    rule_free(&r[0]);
    arb_t last, finer;
    arb_init(last);
    arb_init(finer);
    double step = 2 * 3.14159 * t / 100, h = 1.0 / 16;
    bool found = false;
    line_sum(last, &p.part[0], epsilon, t, step, h);
    for (int i = 0; !found && i < 3; i++) {
        step /= 1.5;
        h /= 2;
        line_sum(finer, &p.part[0], epsilon, t, step, h);
        found = agreement(last, finer) < -96;
        arb_swap(last, finer);
    }
    if (found)
        print_row("smooth", &p, epsilon, last);
    arb_clear(last);
    arb_clear(finer);
    flint_cleanup();
    return found;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "of") == 0)
        return given(strtod(argv[2], NULL), argv[3]) ? 0 : 1;
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    long count = argc > 2 ? strtol(argv[2], NULL, 0) : 10;
    bool few = argc > 3 && strcmp(argv[3], "few") == 0;
    arb_t delta;
    arb_init(delta);
    for (long done = 0; done < count;) {
        plan_text p = few ? random_few() : random_plan();
        double target = uniform(log(1e-2), log(1e-100));
        if (next_bits() % 3 != 0)
            target = uniform(log(1e-2), log(1e-15));
        double epsilon = epsilon_for(&p, target);
        const char *kind = NULL;
        if (epsilon > -2 && epsilon < 1000)
            kind = truth(delta, &p, epsilon);
        if (kind == NULL || !arb_is_positive(delta) ||
            arb_rel_accuracy_bits(delta) < 88)
            continue;
        print_row(kind, &p, epsilon, delta);
        done++;
    }
    arb_clear(delta);
    flint_cleanup();
    return 0;
}
