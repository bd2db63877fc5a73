/*
 * Subsampling by brute force: random mechanisms on every sample of up to
 * three records, in high precision, never exceed the bounds, and the
 * membership mechanism attains them.
 */
#include <arb.h>
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "num/interval.h"
#include "support/random.h"
#include "sampling/amplify_profile.h"
#include "sampling/finite_sampler.h"

#define BITS 256
#define RECORDS 4   /* 0 and 1 shared, 2 is v, 3 is v' */
#define SAMPLES 256 /* multiplicities 0 to 3 of each, two bits a record */
#define OUTPUTS 8

static int failures = 0;

/* ---- Mechanisms and samplers, in Arb ----------------------------------- */

typedef struct kernel {
    arb_t out[SAMPLES][OUTPUTS];
} kernel;

static arb_t law_x[SAMPLES], law_y[SAMPLES];
static kernel machine;

static int count_of(int sample, int record)
{
    return sample >> (2 * record) & 3;
}

static int size_of(int sample)
{
    int size = 0;
    for (int i = 0; i < RECORDS; i++)
        size += count_of(sample, i);
    return size;
}

static int distance(int a, int b, bool substitute)
{
    int apart = 0;
    for (int i = 0; i < RECORDS; i++)
        apart += abs(count_of(a, i) - count_of(b, i));
    if (!substitute)
        return apart;
    return size_of(a) == size_of(b) ? apart / 2 : 1000;
}

static int bits_of(int mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

static int sample_of_mask(int mask)
{
    int sample = 0;
    for (int i = 0; i < RECORDS; i++)
        sample |= (mask >> i & 1) << (2 * i);
    return sample;
}

/* Poisson: gamma^size (1-gamma)^(n-size); without: 1/C(n, m). */
static void set_law(
    arb_t *law, sampler_kind kind, int mask, int m, double gamma)
{
    arb_t w, g;
    arb_init(w);
    arb_init(g);
    int n = bits_of(mask), n_sets = 0;
    for (int i = 0; i < SAMPLES; i++)
        arb_zero(law[i]);
    for (int s = 0; s < 1 << RECORDS; s++)
        n_sets += (s & ~mask) == 0 && bits_of(s) == m;
    for (int s = 0; kind != SAMPLER_WITH && s < 1 << RECORDS; s++) {
        int size = bits_of(s);
        if ((s & ~mask) != 0 || (kind == SAMPLER_WITHOUT && size != m))
            continue;
        arb_one(w);
        if (kind == SAMPLER_WITHOUT)
            arb_div_si(w, w, n_sets, BITS);
        for (int i = 0; kind == SAMPLER_POISSON && i < n; i++) {
            arb_set_d(g, gamma);
            if (i >= size)
                arb_sub_si(g, g, 1, BITS), arb_neg(g, g);
            arb_mul(w, w, g, BITS);
        }
        arb_set(law[sample_of_mask(s)], w);
    }
    int n_tuples = 1;
    for (int i = 0; i < m; i++)
        n_tuples *= RECORDS;
    arb_one(w);
    for (int i = 0; i < m; i++)
        arb_div_si(w, w, n, BITS);
    for (int t = 0; kind == SAMPLER_WITH && t < n_tuples; t++) {
        int sample = 0;
        bool inside = true;
        for (int i = 0, rest = t; i < m; i++, rest /= RECORDS) {
            inside = inside && (mask >> (rest % RECORDS) & 1);
            sample += 1 << (2 * (rest % RECORDS));
        }
        if (inside)
            arb_add(law[sample], law[sample], w, BITS);
    }
    arb_clear(w);
    arb_clear(g);
}

/* sum_o [ (P K)(o) - alpha (Q K)(o) ]_+ */
static void divergence(arb_t d, arb_t *p, arb_t *q, const arb_t alpha)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_zero(d);
    for (int o = 0; o < OUTPUTS; o++) {
        arb_zero(a);
        arb_zero(b);
        for (int y = 0; y < SAMPLES; y++) {
            if (!arb_is_zero(p[y]))
                arb_addmul(a, p[y], machine.out[y][o], BITS);
            if (!arb_is_zero(q[y]))
                arb_addmul(b, q[y], machine.out[y][o], BITS);
        }
        arb_submul(a, b, alpha, BITS);
        if (!arb_is_negative(a))
            arb_add(d, d, a, BITS);
    }
    arb_clear(a);
    arb_clear(b);
}

/* Some outcomes are rare, and some impossible. */
static void random_kernel(prop_random *r)
{
    int n_outputs = 2 + prop_below(r, 3);
    for (int y = 0; y < SAMPLES; y++) {
        long weight[OUTPUTS] = {0}, total = 0;
        for (int o = 0; o < n_outputs; o++) {
            weight[o] = prop_below(r, 5) == 0 ? prop_below(r, 2)
                                              : 1 + prop_below(r, 60);
            total += weight[o];
        }
        weight[0] += total == 0;
        total += total == 0;
        for (int o = 0; o < OUTPUTS; o++) {
            arb_set_si(machine.out[y][o], weight[o]);
            arb_div_si(machine.out[y][o], machine.out[y][o], total, BITS);
        }
    }
}

/* R_p of whether v = 2 is in the sample; also says the size if asked. */
static void membership_kernel(double p, bool says_size)
{
    for (int y = 0; y < SAMPLES; y++) {
        for (int o = 0; o < OUTPUTS; o++)
            arb_zero(machine.out[y][o]);
        int base = says_size ? 2 * (size_of(y) & 3) : 0;
        int truth = count_of(y, 2) > 0;
        arb_set_d(machine.out[y][base + truth], p);
        arb_set_d(machine.out[y][base + 1 - truth], p);
        arb_sub_si(machine.out[y][base + 1 - truth],
            machine.out[y][base + 1 - truth], 1, BITS);
        arb_neg(
            machine.out[y][base + 1 - truth], machine.out[y][base + 1 - truth]);
    }
}

/* A double >= the largest divergence at alpha of samples within reach. */
static double kernel_delta(
    sampler_kind kind, int m, bool substitute, int reach, double log_alpha)
{
    arb_t d, most, alpha, t;
    arb_init(d);
    arb_init(most);
    arb_init(alpha);
    arb_init(t);
    arb_set_d(alpha, log_alpha);
    arb_exp(alpha, alpha, BITS);
    for (int a = 0; a < SAMPLES; a++)
        for (int b = 0; b < SAMPLES; b++) {
            bool fits = kind == SAMPLER_WITH
                            ? size_of(a) == m && size_of(b) == m
                            : ((a | b) & 0xaa) == 0 &&
                                  (kind == SAMPLER_POISSON ||
                                      (size_of(a) == m && size_of(b) == m));
            if (!fits || distance(a, b, substitute) > reach)
                continue;
            arb_zero(d);
            for (int o = 0; o < OUTPUTS; o++) {
                arb_mul(t, alpha, machine.out[b][o], BITS);
                arb_sub(t, machine.out[a][o], t, BITS);
                if (!arb_is_negative(t))
                    arb_add(d, d, t, BITS);
            }
            if (arb_gt(d, most))
                arb_set(most, d);
        }
    double up = arf_get_d(arb_midref(most), ARF_RND_UP) * (1 + 0x1p-50);
    arb_clear(d);
    arb_clear(most);
    arb_clear(alpha);
    arb_clear(t);
    return fmin(up, 1);
}

/* ---- Bounds ------------------------------------------------------------ */

static void complain(const char *what, const amplified *a, double eps_out,
    dosi_interval bound, const arb_t exact)
{
    printf("%s: theorem %d, n %g, m %g, gamma %.17g, group %d, eps' %.17g: "
           "[%.17g, %.17g], exact ",
        what, (int)a->theorem, a->n, a->m, a->gamma.hi, (int)a->group, eps_out,
        bound.lo, bound.hi);
    arb_printd(exact, 20);
    printf("\n");
    failures++;
}

/* The exact divergence at e^eps' of what was sampled. */
static void sampled_divergence(arb_t d, double eps_out, bool backward)
{
    arb_t alpha;
    arb_init(alpha);
    arb_set_d(alpha, eps_out);
    arb_exp(alpha, alpha, BITS);
    divergence(d, backward ? law_y : law_x, backward ? law_x : law_y, alpha);
    arb_clear(alpha);
}

static dosi_interval bound_of(const amplified *a, double eps_out)
{
    return ball_interval(
        scaled_ball(amplified_delta(a, ball_of(eps_out), -HUGE_VAL)));
}

typedef struct setting {
    amplify_theorem theorem;
    sampler_kind kind;
    bool base_substitute;
    int mask_x, mask_y;
} setting;

/* x and its neighbour, of which n records are in x. */
static const setting settings[] = {
    {AMPLIFY_POISSON, SAMPLER_POISSON, false, 7, 3},
    {AMPLIFY_POISSON, SAMPLER_POISSON, false, 5, 1},
    {AMPLIFY_WITHOUT, SAMPLER_WITHOUT, true, 7, 11},
    {AMPLIFY_WITHOUT, SAMPLER_WITHOUT, true, 5, 9},
    {AMPLIFY_WITH, SAMPLER_WITH, true, 7, 11},
    {AMPLIFY_WITH, SAMPLER_WITH, true, 5, 9},
    {AMPLIFY_WITH, SAMPLER_WITH, true, 4, 8},
    {AMPLIFY_WITH, SAMPLER_WITH, true, 7, 3},  /* one removed */
    {AMPLIFY_WITH, SAMPLER_WITH, true, 7, 15}, /* one added */
    {AMPLIFY_SHARP, SAMPLER_POISSON, true, 7, 11},
    {AMPLIFY_SPLIT, SAMPLER_POISSON, true, 7, 11},
    {AMPLIFY_SPLIT, SAMPLER_POISSON, true, 5, 9},
    {AMPLIFY_HYBRID, SAMPLER_POISSON, false, 7, 11},
    {AMPLIFY_HYBRID, SAMPLER_POISSON, false, 4, 8},
};

static const size_t n_settings = sizeof settings / sizeof *settings;

static amplified draw_setting(prop_random *r, const setting **s)
{
    *s = &settings[prop_below(r, (int)n_settings)];
    int n = bits_of((*s)->mask_x);
    amplified a = {.theorem = (*s)->theorem, .n = n};
    a.m = 1 + prop_below(r, (*s)->kind == SAMPLER_WITHOUT ? n : 3);
    a.gamma = ball_of(prop_below(r, 8) == 0 ? ldexp(1, -prop_below(r, 30) - 1)
                                            : prop_uniform(r, 0.01, 0.99));
    a.group = prop_below(r, 2) ? BASE_PROFILE_WHITE : BASE_PROFILE_BLACK;
    set_law(law_x, (*s)->kind, (*s)->mask_x, (int)a.m, a.gamma.hi);
    set_law(law_y, (*s)->kind, (*s)->mask_y, (int)a.m, a.gamma.hi);
    return a;
}

static double draw_eps(prop_random *r)
{
    return prop_below(r, 10) == 0 ? 0 : prop_scaled(r, -6, 2);
}

/* Random mechanisms stay below, in both directions. */
static void prop_bounds(prop_random *r)
{
    const setting *s;
    amplified a = draw_setting(r, &s);
    random_kernel(r);
    double eps0 = draw_eps(r), eps_out = draw_eps(r);
    double delta0 =
        kernel_delta(s->kind, (int)a.m, s->base_substitute, 1, eps0);
    a.base =
        (base_profile){BASE_PROFILE_APPROX, ball_of(eps0), ball_of(delta0)};
    dosi_interval bound = bound_of(&a, eps_out);
    arb_t d, end;
    arb_init(d);
    arb_init(end);
    for (int backward = 0; backward < 2; backward++) {
        sampled_divergence(d, eps_out, backward);
        arb_set_d(end, bound.hi);
        if (!(bound.lo <= bound.hi) || arb_gt(d, end))
            complain("bound", &a, eps_out, bound, d);
    }
    arb_clear(d);
    arb_clear(end);
}

static bool holds(dosi_interval x, const arb_t exact)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, x.lo);
    bool inside = !arb_gt(end, exact);
    arb_set_d(end, x.hi);
    inside = inside && !arb_lt(end, exact);
    arb_clear(end);
    return inside;
}

/* The membership mechanism attains the bounds; the split bound and the
 * hybrid are not attained, and the black box is not that of this base. */
static void prop_attained(prop_random *r)
{
    const setting *s;
    amplified a = draw_setting(r, &s);
    if (a.theorem == AMPLIFY_SPLIT || a.theorem == AMPLIFY_HYBRID ||
        s->mask_y == 15)
        return;
    double p = prop_uniform(r, 0.5, 1), eps_out = draw_eps(r) / 4;
    a.group = BASE_PROFILE_WHITE;
    a.base = (base_profile){BASE_PROFILE_RESPONSE, ball_of(p), ball_of(0)};
    membership_kernel(p, a.theorem == AMPLIFY_SHARP);
    arb_t d;
    arb_init(d);
    sampled_divergence(d, eps_out, false);
    dosi_interval bound = bound_of(&a, eps_out);
    if (!holds(bound, d) || bound.hi - bound.lo > 1e-14 * bound.hi + 1e-28)
        complain("attained", &a, eps_out, bound, d);
    if (a.theorem == AMPLIFY_POISSON) {
        a.theorem = AMPLIFY_ADD;
        sampled_divergence(d, eps_out, true);
        bound = bound_of(&a, eps_out);
        if (!holds(bound, d))
            complain("attained", &a, eps_out, bound, d);
    }
    arb_clear(d);
}

/* The general method, with the mechanism's own group profile. */
static void prop_pipeline(prop_random *r)
{
    const setting *s;
    amplified a = draw_setting(r, &s);
    if (s->mask_y == 15)
        return;
    random_kernel(r);
    bool substitute = prop_below(r, 2) && s->kind != SAMPLER_POISSON;
    double log_alpha = draw_eps(r), deltas[8];
    for (int k = 1; k <= 8; k++)
        deltas[k - 1] =
            kernel_delta(s->kind, (int)a.m, substitute, k, log_alpha);
    sampler how = {.kind = s->kind,
        .n = (int)a.n,
        .m = (int)a.m,
        .gamma = a.gamma,
        .is_substitute = bits_of(s->mask_x) == bits_of(s->mask_y)};
    sampler_table *table;
    dosi_interval bound = iv_unknown();
    dosi_error err = {.message = ""};
    if (sampler_table_new(&table, &how, &err) == DOSI_OK) {
        if (sampler_bound(&bound, table,
                substitute ? SAMPLER_METRIC_S : SAMPLER_METRIC_R,
                ball_exp(ball_of(log_alpha)), (sampler_deltas){deltas, 8},
                &err) != DOSI_OK)
            bound = iv_unknown();
    }
    arb_t d, alpha, end;
    arb_init(d);
    arb_init(alpha);
    arb_init(end);
    /* 1 + eta (e^eps - 1), eta the sum of [P - Q]_+ */
    for (int y = 0; y < SAMPLES; y++) {
        arb_sub(end, law_x[y], law_y[y], BITS);
        if (arb_is_positive(end))
            arb_add(d, d, end, BITS);
    }
    arb_set_d(alpha, log_alpha);
    arb_expm1(alpha, alpha, BITS);
    arb_mul(alpha, alpha, d, BITS);
    arb_add_si(alpha, alpha, 1, BITS);
    divergence(d, law_x, law_y, alpha);
    arb_set_d(end, bound.hi);
    if (bound.lo == -HUGE_VAL || arb_gt(d, end) ||
        bound.hi - bound.lo > 1e-14 * bound.hi + 1e-24)
        complain(err.message, &a, log_alpha, bound, d);
    sampler_table_free(table);
    arb_clear(d);
    arb_clear(alpha);
    arb_clear(end);
}

static const prop_property properties[] = {
    {prop_bounds, 300},
    {prop_attained, 1000},
    {prop_pipeline, 60},
};

int main(void)
{
    prop_random r = prop_start("prop_subsampling");
    for (int y = 0; y < SAMPLES; y++) {
        arb_init(law_x[y]);
        arb_init(law_y[y]);
        for (int o = 0; o < OUTPUTS; o++)
            arb_init(machine.out[y][o]);
    }
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    for (int y = 0; y < SAMPLES; y++) {
        arb_clear(law_x[y]);
        arb_clear(law_y[y]);
        for (int o = 0; o < OUTPUTS; o++)
            arb_clear(machine.out[y][o]);
    }
    flint_cleanup();
    printf("%d failures\n", failures);
    return failures != 0;
}
