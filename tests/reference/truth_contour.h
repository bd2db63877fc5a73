/*
 * delta of plans with a density, by the contour integral: trapezoid rules
 * inside and outside. Part of contour_truth.c.
 */
#ifndef DOSI_TESTS_REFERENCE_TRUTH_CONTOUR_H
#define DOSI_TESTS_REFERENCE_TRUTH_CONTOUR_H

#include <acb.h>
#include <arb.h>
#include <math.h>
#include <stdlib.h>

#include "truth_finite.h"

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
            l = finite_of(p);
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
            finite_clear(&l);
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
        atom_list l = finite_of(p);
        acb_zero(a);
        for (int i = 0; i < l.n; i++) {
            acb_mul_arb(b, z, l.loss + i, bits);
            acb_exp(b, b, bits);
            acb_mul_arb(b, b, l.mass + i, bits);
            acb_add(a, a, b, bits);
        }
        finite_clear(&l);
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

#endif
