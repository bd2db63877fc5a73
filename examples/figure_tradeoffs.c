/*
 * Figures 14 to 19: trade-off curves of compositions, of samples and of noisy
 * training. The type II error is a guarantee, so lower ends are shown; what
 * is an approximation says so.
 */
#include "figure_curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

#define N_KINDS(kinds) (sizeof(kinds) / sizeof *(kinds))

static const struct kind first_kinds[] = {
    {"exact", "exact (a), certified (b)", true},
    {"gdp", "Gaussian limit", true},
    {"pair", "one (ε, δ) pair", true},
};

static const struct kind order_kinds[] = {
    {"bound", "1-GDP, the bound", true},
    {"gdp_half", "0.5-GDP: above it everywhere", true},
    {"laplace", "Laplace, θ = 0.9: above it", true},
    {"pure", "1-DP: below it in the middle", true},
    {"approx", "(0.5, 0.1)-DP: below it at the ends", true},
};

static const struct kind family_kinds[] = {
    {"pure", "(1, 0)-DP", true},
    {"approx", "(1, 0.1)-DP", true},
    {"mu_half", "0.5-GDP", true},
    {"mu_1", "1-GDP", true},
    {"mu_3", "3-GDP", true},
    {"mu_6", "6-GDP", true},
};

static const struct kind limit_kinds[] = {
    {"gdp", "1-GDP", true},
    {"n1", "n = 1", true},
    {"n2", "n = 2", true},
    {"n5", "n = 5", true},
    {"n10", "n = 10", true},
    {"n50", "n = 50", true},
};

static const struct kind sample_kinds[] = {
    {"base", "f, without a sample", true},
    {"mixture", "base against mixture", true},
    {"inverse", "mixture against base", true},
    {"sampled", "the sample's curve, Cₚ(f)", true},
    {"lemma", "by (ε′, δ′) alone", true},
};

static const struct kind training_kinds[] = {
    {"certified", "certified", true},
    {"limit", "Gaussian limit, an approximation", true},
    {"tight", "exact ε at δ = 10⁻⁵ alone", true},
    {"renyi", "ε by Rényi moments at δ = 10⁻⁵ alone", true},
};

/* ---- Curves ------------------------------------------------------------- */

/* 0, a few small errors, and hundredths up to 1. */
static void set_alphas(struct curve *c)
{
    static const double small[] = {0, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 7e-3};
    for (size_t i = 0; i < N_KINDS(small); i++)
        c->x[c->n++] = small[i];
    for (int i = 1; i <= 100; i++)
        c->x[c->n++] = i / 100.0;
}

static void insert_alpha(struct curve *c, double alpha)
{
    size_t i = c->n++;
    for (; i > 0 && c->x[i - 1] > alpha; i--)
        c->x[i] = c->x[i - 1];
    c->x[i] = alpha;
}

/* The row at the usual errors, and at corners between them, if above 0. */
static bool by_row_with(struct picture *picture, int style, const char *row,
    const char *parameters, const double corners[2])
{
    struct curve *c = new_curve(picture, style);
    set_alphas(c);
    for (int i = 0; i < 2; i++)
        if (corners[i] > 0)
            insert_alpha(c, corners[i]);
    for (size_t i = 0; i < c->n; i++) {
        if (!evaluate(&c->y[i], true, row, "%s;alpha=%.17g", parameters,
                c->x[i]))
            return false;
    }
    return true;
}

static bool by_row(struct picture *picture, int style, const char *row,
    const char *parameters)
{
    static const double none[2] = {0, 0};
    return by_row_with(picture, style, row, parameters, none);
}

/* n steps of randomised response, mu = 1 in the limit; less that limit if
 * is_gap. The gap is shown, not certified. */
static bool by_steps(struct picture *picture, int style, int n, bool is_gap)
{
    char text[64];
    snprintf(text, sizeof text, "eps0=%.17g;n=%d", 1 / sqrt(n), n);
    if (!by_row(picture, style, "T001-S33.f", text))
        return false;
    struct panel *panel = &picture->panels[picture->n_panels - 1];
    struct curve *c = &panel->curves[panel->n_curves - 1];
    for (size_t i = 0; i < c->n && is_gap; i++) {
        double limit;
        if (!evaluate(
                &limit, true, "T001-E5.G", "mu=1;alpha=%.17g", c->x[i]))
            return false;
        c->y[i] -= limit;
    }
    return true;
}

/* ---- Composition and families ------------------------------------------- */

static bool make_pair(
    struct picture *picture, int style, double eps, double delta)
{
    const double corners[2] = {(1 - delta) / (1 + exp(eps)), 1 - delta};
    char text[64];
    snprintf(text, sizeof text, "eps=%.17g;delta=%.17g", eps, delta);
    return by_row_with(picture, style, "T001-E4.f", text, corners);
}

static bool make_ten(struct picture *picture)
{
    double eps;
    return evaluate(&eps, false, "T001-F5.eps", "n=10;mu=1;delta=0.001") &&
           by_steps(picture, 0, 10, false) &&
           by_row(picture, 1, "T001-E5.G", "mu=1") &&
           make_pair(picture, 2, eps, 0.001);
}

static bool make_order(struct picture *picture)
{
    return by_row(picture, 0, "T001-E5.G", "mu=1") &&
           by_row(picture, 1, "T001-E5.G", "mu=0.5") &&
           by_row(picture, 2, "T001-P7.laplace", "mu=0.9") &&
           make_pair(picture, 3, 1, 0) && make_pair(picture, 4, 0.5, 0.1);
}

static bool make_family(struct picture *picture, char letter)
{
    if (letter == 'a')
        return make_pair(picture, 0, 1, 0) && make_pair(picture, 1, 1, 0.1);
    return by_row(picture, 2, "T001-E5.G", "mu=0.5") &&
           by_row(picture, 3, "T001-E5.G", "mu=1") &&
           by_row(picture, 4, "T001-E5.G", "mu=3") &&
           by_row(picture, 5, "T001-E5.G", "mu=6");
}

static bool make_limit(struct picture *picture, char letter)
{
    if (letter == 'a')
        return by_row(picture, 0, "T001-E5.G", "mu=1") &&
               by_steps(picture, 1, 1, false) &&
               by_steps(picture, 2, 2, false) &&
               by_steps(picture, 3, 5, false) &&
               by_steps(picture, 4, 10, false);
    return by_steps(picture, 3, 5, true) && by_steps(picture, 4, 10, true) &&
           by_steps(picture, 5, 50, true);
}

/* ---- Samples ------------------------------------------------------------ */

/* p f + (1-p)(1-alpha), rounded down by more than its four roundings. */
static bool make_mixture(struct picture *picture, int style, double p)
{
    if (!by_row(picture, style, "T001-E5.G", "mu=1.8"))
        return false;
    struct panel *panel = &picture->panels[picture->n_panels - 1];
    struct curve *c = &panel->curves[panel->n_curves - 1];
    for (size_t i = 0; i < c->n; i++)
        c->y[i] = (p * c->y[i] + (1 - p) * (1 - c->x[i])) * (1 - 0x1p-48);
    return true;
}

static bool make_sample(struct picture *picture, char letter)
{
    double eps, delta;
    if (letter == 'a')
        return by_row(picture, 0, "T001-E5.G", "mu=1.8") &&
               make_mixture(picture, 1, 0.35) &&
               by_row(picture, 2, "T001-E3.fp_inv", "p=0.35;mu=1.8") &&
               by_row(picture, 3, "T001-E13.CG", "p=0.35;mu=1.8");
    return evaluate(&eps, false, "T001-L2.eps", "p=0.2;eps=3;delta=0.1") &&
           evaluate(&delta, false, "T001-L2.delta", "p=0.2;eps=3;delta=0.1") &&
           make_pair(picture, 0, 3, 0.1) &&
           by_row(picture, 3, "T001-E14.C", "p=0.2;eps=3;delta=0.1") &&
           make_pair(picture, 4, eps, delta);
}

/* ---- Training ----------------------------------------------------------- */

static const struct run {
    double sigma;
    int epochs;
} runs[] = {{1.3, 15}, {1.1, 60}, {0.7, 45}};

/* The certified curve of batches of 256 among 60000, one record replaced. */
static bool certified(
    struct curve *c, const dosi_plan *plan, const dosi_options *options)
{
    static dosi_answer answers[MAX_POINTS];
    dosi_error err;
    set_alphas(c);
    if (dosi_tradeoff_curve(answers, plan, c->x, c->n, options, &err) !=
        DOSI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    for (size_t i = 0; i < c->n; i++)
        c->y[i] = answers[i].value.lo;
    return true;
}

/* What is known when one epsilon at delta = 1e-5 is all that is told. */
static bool by_epsilon(struct picture *picture, int style, const char *route,
    const dosi_plan *plan, const dosi_options *options)
{
    dosi_options one = *options;
    dosi_answer answer;
    dosi_error err;
    one.route = route;
    if (dosi_epsilon_at_delta(&answer, plan, 1e-5, &one, &err) != DOSI_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    return make_pair(picture, style, answer.value.hi, 1e-5);
}

/* styles: of the certified curve, its limit, and two pairs or -1. */
static bool make_training(
    struct picture *picture, const struct run *run, const int styles[4])
{
    dosi_options options = DOSI_OPTIONS_INIT;
    const dosi_plan *plan = NULL;
    char text[96];
    double mu = 0;
    int steps = 234 * run->epochs;
    options.neighbours = DOSI_REPLACE;
    snprintf(text, sizeof text,
        "without_replacement(256, 60000, gaussian(%.17g)) * %d", run->sigma,
        steps);
    if (dosi_plan_parse(&plan, text, strlen(text), NULL) != DOSI_OK)
        return false;
    bool ok = certified(new_curve(picture, styles[0]), plan, &options);
    if (ok && styles[2] >= 0)
        ok = by_epsilon(picture, styles[2], "contour", plan, &options);
    if (ok && styles[3] >= 0)
        ok = by_epsilon(picture, styles[3], "renyi", plan, &options);
    dosi_plan_free(plan);
    ok = ok && evaluate(&mu, true, "T001-C4.mu_pT",
                   "p=%.17g;T=%d;sigma=%.17g", 256.0 / 60000, steps,
                   run->sigma);
    snprintf(text, sizeof text, "mu=%.17g", mu);
    return ok && by_row(picture, styles[1], "T001-E5.G", text);
}

static bool make_trained(struct picture *picture, char letter)
{
    static const int styles[] = {0, 1, 2, 3};
    return make_training(picture, &runs[letter - 'a'], styles);
}

static bool make_first(struct picture *picture, char letter)
{
    static const int styles[] = {0, 1, -1, 2};
    return letter == 'a' ? make_ten(picture)
                         : make_training(picture, &runs[0], styles);
}

/* ---- One figure --------------------------------------------------------- */

static const struct drawing {
    const char *title;
    const char *panels[3];
    const struct kind *kinds;
    size_t n_kinds;
    bool (*make)(struct picture *picture, char letter);
} drawings[] = {
    {"Composition as a test between neighbours",
        {"ten steps of ε = 1/√10", "noisy training, σ = 1.3, 15 epochs"},
        first_kinds, N_KINDS(first_kinds), make_first},
    {"Which of these are 1-GDP?", {NULL}, order_kinds, N_KINDS(order_kinds),
        NULL},
    {"Two families of guarantees", {"(ε, δ)-DP", "μ-GDP"}, family_kinds,
        N_KINDS(family_kinds), make_family},
    {"n steps of ε = 1/√n", {"their curves", "less the limit's"}, limit_kinds,
        N_KINDS(limit_kinds), make_limit},
    {"A sample of a share p",
        {"f of 1.8-GDP, p = 0.35", "f of (3, 0.1)-DP, p = 0.2"}, sample_kinds,
        N_KINDS(sample_kinds), make_sample},
    {"Noisy training, batches of 256 of 60 000",
        {"σ = 1.3, 15 epochs", "σ = 1.1, 60 epochs", "σ = 0.7, 45 epochs"},
        training_kinds, N_KINDS(training_kinds), make_trained},
};

bool make_tradeoffs(struct picture *picture, int number, char only)
{
    const struct drawing *d = &drawings[number - 14];
    picture->title = d->title;
    picture->x = (svg_axis){"type I error α", false};
    picture->y = (svg_axis){"type II error β", false};
    picture->kinds = d->kinds;
    picture->n_kinds = d->n_kinds;
    if (d->make == NULL) {
        new_panel(picture, number, 0, "");
        return !only && make_order(picture);
    }
    for (int i = 0; i < 3; i++) {
        char letter = (char)('a' + i);
        const char *title = d->panels[i];
        if (title == NULL || (only && letter != only))
            continue;
        new_panel(picture, number, letter, title);
        if (!d->make(picture, letter))
            return false;
    }
    return picture->n_panels > 0;
}
