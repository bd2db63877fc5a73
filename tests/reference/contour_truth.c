/*
 * Makes tests/oracles/contour_truth.csv: random plans with their delta of
 * the finite part, to 25 digits, by Arb. Shares no code with the library.
 *
 *   contour_truth SEED COUNT >> contour_truth.csv
 *   contour_truth SEED COUNT few >> contour_truth.csv
 *
 *   contour_truth of EPSILON PLAN >> contour_truth.csv
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
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_contour.h"
#include "truth_profiles.h"
#include "truth_random.h"
#include "truth_residues.h"

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
