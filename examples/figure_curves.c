/*
 * Figures 1 and 2: composition and Poisson sampling. Figures 3 to 10: three
 * mechanisms on samples without replacement, each with much and with little
 * noise, against the Rényi order and against the number of runs.
 */
#include "figure_curves.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <dosimeter.h>

/* ---- Curves ------------------------------------------------------------- */

bool evaluate(
    double *out, bool is_lower, const char *row, const char *format, ...)
{
    char parameters[256];
    va_list list;
    va_start(list, format);
    vsnprintf(parameters, sizeof parameters, format, list);
    va_end(list);

    dosi_interval value;
    dosi_error err;
    if (dosi_formula_eval(&value, row, parameters, &err) != DOSI_OK) {
        fprintf(stderr, "%s %s: %s\n", row, parameters, err.message);
        return false;
    }
    *out = is_lower ? value.lo : value.hi;
    return true;
}

struct curve *new_curve(struct picture *picture, int style)
{
    struct panel *panel = &picture->panels[picture->n_panels - 1];
    struct curve *curve = &panel->curves[panel->n_curves++];
    curve->kind = &picture->kinds[style];
    curve->style = style;
    curve->n = 0;
    return curve;
}

/* Whole numbers from first to last, n to a factor of base where there are
 * so many; powers of base times first are among them. */
static void set_grid(
    struct curve *curve, double first, double last, double base, int n)
{
    double v = first;
    for (int i = 0; v < last; i++) {
        v = round(first * pow(base, (double)i / n));
        if (v < last && (curve->n == 0 || v > curve->x[curve->n - 1]))
            curve->x[curve->n++] = v;
    }
    curve->x[curve->n++] = last;
}

/* ---- Figures 1 and 2 ---------------------------------------------------- */

static const struct kind composition_kinds[] = {
    {"optimal", "optimal composition", false},
    {"cdp", "concentrated DP", false},
    {"basic", "basic composition", false},
    {"advanced", "advanced composition", false},
    {"gaussian", "Gaussian noise of the same variance", false},
};

static const struct kind sampling_kinds[] = {
    {"exact", "exact", false},
    {"lower", "lower bound", true},
    {"unamplified", "without sampling", false},
    {"analytic", "analytic bound", false},
    {"limit", "bound for large orders", false},
};

static bool make_composition(struct picture *picture)
{
    static const char *rows[] = {"F000-1.optimal", "F000-1.cdp", "F000-1.basic",
        "F000-1.advanced", "F000-1.gaussian"};
    picture->title = "k queries of 0.1-DP at δ = 10⁻⁶";
    picture->x = (svg_axis){"k", true};
    picture->y = (svg_axis){"ε", true};
    picture->kinds = composition_kinds;
    picture->n_kinds = sizeof composition_kinds / sizeof *composition_kinds;
    for (int i = 0; i < (int)picture->n_kinds; i++) {
        struct curve *c = new_curve(picture, i);
        set_grid(c, 1, 1000, 10, 40);
        for (size_t j = 0; j < c->n; j++) {
            if (!evaluate(&c->y[j], false, rows[i], "k=%.17g", c->x[j]))
                return false;
        }
    }
    return true;
}

static bool make_sampling(struct picture *picture)
{
    static const char *rows[] = {"F000-2.exact_real", "F000-2.lower",
        "F000-2.unamplified", "F000-2.analytic", "F000-2.limit"};
    picture->title = "Poisson sample of rate 0.05, base 0.5-zCDP";
    picture->x = (svg_axis){"Rényi order α", false};
    picture->y = (svg_axis){"Rényi divergence", true};
    picture->kinds = sampling_kinds;
    picture->n_kinds = sizeof sampling_kinds / sizeof *sampling_kinds;
    for (int i = 0; i < (int)picture->n_kinds; i++) {
        struct curve *c = new_curve(picture, i);
        for (int quarters = 5; quarters <= 200; quarters++)
            c->x[c->n++] = quarters / 4.0;
        for (size_t j = 0; j < c->n; j++) {
            if (!evaluate(&c->y[j], c->kind->is_lower, rows[i], "alpha=%.17g",
                    c->x[j]))
                return false;
        }
    }
    return true;
}

/* ---- Figures 3 to 10: samples without replacement ----------------------- */

enum { UPPER, LOWER, NAIVE, STRONG, BAD, GOOD };

static const struct kind order_kinds[] = {
    {"T9", "upper bound (Theorem 9)", false},
    {"P20", "lower bound (Proposition 20)", true},
    {"", NULL, false},
    {"", NULL, false},
    {"E21", "bad data, in the limit", false},
    {"E22", "good data, in the limit", false},
};

static const struct kind runs_kinds[] = {
    {"T9", "Rényi upper bound (Theorem 9)", false},
    {"P20", "Rényi lower bound (Proposition 20)", true},
    {"naive", "naive composition", false},
    {"strong", "optimal composition", false},
    {"E21", "bad data, in the limit", false},
    {"E22", "good data, in the limit", false},
};

struct base {
    const char *title;
    const char *parameters;
    double sigma; /* 0: not Gaussian, and pure */
};

static const struct base bases[MAX_PANELS] = {
    {"Gaussian, σ = 5", "mech=gauss;sigma=5", 5},
    {"Laplace, b = 2", "mech=laplace;b=2", 0},
    {"randomized response, p = 0.6", "mech=rr;p=0.6", 0},
    {"Gaussian, σ = 1", "mech=gauss;sigma=1", 1},
    {"Laplace, b = 0.5", "mech=laplace;b=0.5", 0},
    {"randomized response, p = 0.9", "mech=rr;p=0.9", 0},
};

static const double delta = 1e-8;
#define MAX_ORDER 1024

static bool order_curve(
    struct picture *picture, int kind, const char *row, const char *parameters)
{
    struct curve *c = new_curve(picture, kind);
    set_grid(c, 2, 4096, 2, 16);
    for (size_t i = 0; i < c->n; i++) {
        if (!evaluate(&c->y[i], c->kind->is_lower, row, "%s;alpha=%.17g",
                parameters, c->x[i]))
            return false;
    }
    return true;
}

static bool make_orders(
    struct picture *picture, const struct base *base, double rate)
{
    char text[96];
    snprintf(text, sizeof text, "%s;gamma=%g", base->parameters, rate);
    bool ok = order_curve(picture, UPPER, "T002-9.eps", text) &&
              order_curve(picture, LOWER, "P002-20.eps", text);
    if (ok && base->sigma > 0) {
        snprintf(text, sizeof text, "sigma=%g;gamma=%g;n=%g", base->sigma, rate,
            100 / rate);
        ok = order_curve(picture, BAD, "E002-21.eps", text) &&
             order_curve(picture, GOOD, "E002-22.eps", text);
    }
    return ok;
}

/*
 * min over whole orders of k eps(alpha) + log(1/delta)/(alpha - 1). All terms
 * are positive and few, so a relative 2^-48 covers the rounding.
 */
static bool runs_by_orders(
    struct picture *picture, int kind, const char *row, const char *parameters)
{
    static double renyi[MAX_ORDER + 1];
    struct curve *c = new_curve(picture, kind);
    bool is_lower = c->kind->is_lower;
    double target;
    if (!evaluate(
            &target, is_lower, "L002-6.eps", "alpha=2;rdp=0;delta=%g", delta))
        return false;
    for (int order = 2; order <= MAX_ORDER; order++) {
        if (!evaluate(
                &renyi[order], is_lower, row, "%s;alpha=%d", parameters, order))
            return false;
    }
    set_grid(c, 1, 600000, 10, 12);
    for (size_t i = 0; i < c->n; i++) {
        double least = HUGE_VAL;
        for (int order = 2; order <= MAX_ORDER; order++)
            least = fmin(least, c->x[i] * renyi[order] + target / (order - 1));
        c->y[i] = least * (is_lower ? 1 - 0x1p-48 : 1 + 0x1p-48);
    }
    return true;
}

/* A share 1/(1 + e^-logit) of delta is spent on the rounds themselves. */
static bool strong_at(
    double *out, const char *parameters, double rate, double k, double logit)
{
    double each = delta / (1 + exp(-logit)) / (k * rate);
    return evaluate(out, false, "F002.strong.eps",
        "%s;delta=%g;k=%.17g;dtilde=%.17g", parameters, delta, k, each);
}

/* The best share of a scan, refined by ternary search: any is a bound. */
static bool strong_best(
    double *out, const char *parameters, double rate, double k)
{
    double best = 0, value, left, right;
    *out = HUGE_VAL;
    for (double logit = -6; logit <= 18; logit += 2) {
        if (!strong_at(&value, parameters, rate, k, logit))
            return false;
        if (value < *out)
            best = logit;
        *out = fmin(*out, value);
    }
    for (double half = 2; half > 0.01; half *= 2.0 / 3) {
        if (!strong_at(&left, parameters, rate, k, best - half / 3) ||
            !strong_at(&right, parameters, rate, k, best + half / 3))
            return false;
        best += left < right ? -half / 3 : half / 3;
        *out = fmin(*out, fmin(left, right));
    }
    return true;
}

static bool runs_strong(struct picture *picture, const struct base *base,
    const char *parameters, double rate)
{
    struct curve *c = new_curve(picture, STRONG);
    set_grid(c, 1, 600000, 10, 12);
    for (size_t i = 0; i < c->n; i++) {
        bool ok = base->sigma > 0
                      ? strong_best(&c->y[i], parameters, rate, c->x[i])
                      : evaluate(&c->y[i], false, "F002.strong.eps",
                            "%s;delta=%g;k=%.17g;dtilde=0", parameters, delta,
                            c->x[i]);
        if (!ok)
            return false;
    }
    return true;
}

static bool runs_closed(
    struct picture *picture, int kind, const char *row, const char *parameters)
{
    struct curve *c = new_curve(picture, kind);
    set_grid(c, 1, 600000, 10, 12);
    for (size_t i = 0; i < c->n; i++) {
        if (!evaluate(&c->y[i], false, row, "%s;delta=%g;k=%.17g", parameters,
                delta, c->x[i]))
            return false;
    }
    return true;
}

static bool make_runs(
    struct picture *picture, const struct base *base, double rate)
{
    char text[96];
    snprintf(text, sizeof text, "%s;gamma=%g", base->parameters, rate);
    bool ok = runs_by_orders(picture, UPPER, "T002-9.eps", text) &&
              runs_by_orders(picture, LOWER, "P002-20.eps", text) &&
              runs_closed(picture, NAIVE, "F002.naive.eps", text) &&
              runs_strong(picture, base, text, rate);
    if (ok && base->sigma > 0) {
        snprintf(text, sizeof text, "sigma=%g;gamma=%g;n=%g", base->sigma, rate,
            100 / rate);
        ok = runs_closed(picture, BAD, "F002.E21.eps", text) &&
             runs_closed(picture, GOOD, "F002.E22.eps", text);
    }
    return ok;
}

/* ---- One figure --------------------------------------------------------- */

static const struct {
    const char *title;
    double rate;
    bool is_runs;
} sampled[] = {
    {"Rényi divergence on a sample, γ = 0.001", 0.001, false},
    {"k runs on samples at δ = 10⁻⁸, γ = 0.001", 0.001, true},
    {"Rényi divergence on a sample, γ = 0.01", 0.01, false},
    {"Rényi divergence on a sample, γ = 0.1", 0.1, false},
    {"Rényi divergence on a sample, γ = 0.5", 0.5, false},
    {"k runs on samples at δ = 10⁻⁸, γ = 0.01", 0.01, true},
    {"k runs on samples at δ = 10⁻⁸, γ = 0.1", 0.1, true},
    {"k runs on samples at δ = 10⁻⁸, γ = 0.5", 0.5, true},
};

/* "4a", or "4" without a letter. */
static void set_name(char name[16], int number, char letter)
{
    const char text[] = {letter, 0};
    snprintf(name, 16, "%d%s", number, text);
}

void new_panel(
    struct picture *picture, int number, char letter, const char *title)
{
    struct panel *panel = &picture->panels[picture->n_panels++];
    set_name(panel->name, number, letter);
    if (letter)
        snprintf(panel->title, sizeof panel->title, "%c: %s", letter, title);
}

static bool make_sampled(struct picture *picture, int number, char only)
{
    bool is_runs = sampled[number - 3].is_runs;
    double rate = sampled[number - 3].rate;
    picture->title = sampled[number - 3].title;
    picture->x = (svg_axis){is_runs ? "k" : "Rényi order α", true};
    picture->y = (svg_axis){is_runs ? "ε" : "Rényi divergence", true};
    picture->kinds = is_runs ? runs_kinds : order_kinds;
    picture->n_kinds = SVG_STYLES;
    for (char letter = 'a'; letter <= 'f'; letter++) {
        const struct base *base = &bases[letter - 'a'];
        if (only && letter != only)
            continue;
        new_panel(picture, number, letter, base->title);
        if (!(is_runs ? make_runs : make_orders)(picture, base, rate))
            return false;
    }
    return true;
}

bool make_figure(struct picture *picture, int number, char panel)
{
    set_name(picture->name, number, panel);
    if (number > 13)
        return make_tradeoffs(picture, number, panel);
    if (number > 10)
        return make_profiles(picture, number, panel);
    if (number > 2)
        return make_sampled(picture, number, panel);
    new_panel(picture, number, 0, "");
    return number == 1 ? make_composition(picture) : make_sampling(picture);
}
