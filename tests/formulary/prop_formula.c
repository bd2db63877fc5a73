/*
 * The formulary by its own theorems: on random parameters every row answers
 * or refuses, bounds stand in the order in which they were proved, and the
 * steps of the proofs hold.
 */
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "num/interval.h"
#include "support/random.h"

static int failures = 0;

static dosi_status eval(
    dosi_interval *out, const char *id, const char *parameters)
{
    dosi_error err;
    return dosi_formula_eval(out, id, parameters, &err);
}

/* A row that must answer; unknown after a failure. */
static dosi_interval value(const char *id, const char *parameters)
{
    dosi_interval x;
    dosi_error err;
    if (dosi_formula_eval(&x, id, parameters, &err) == DOSI_OK)
        return x;
    printf("%s,%s: %s: %s\n", id, parameters, dosi_status_name(err.status),
        err.message);
    failures++;
    return iv_unknown();
}

/* a <= b is not refuted; slack covers b's own width where they are equal. */
static void check_order(
    const char *law, dosi_interval a, dosi_interval b, const char *parameters)
{
    if (a.lo <= b.hi)
        return;
    printf("%s fails at %s: [%.17g, %.17g] > [%.17g, %.17g]\n", law, parameters,
        a.lo, a.hi, b.lo, b.hi);
    failures++;
}

static void check_equal(
    const char *law, dosi_interval a, dosi_interval b, const char *parameters)
{
    check_order(law, a, b, parameters);
    check_order(law, b, a, parameters);
}

/* ---- Random parameters ------------------------------------------------- */

typedef struct text {
    char bytes[4096];
    size_t n;
} text;

/* Appends x, behind a bar when it is not the first of its list. */
static void put(text *t, int index, double x)
{
    if (t->n + 64 < sizeof t->bytes)
        t->n += (size_t)snprintf(
            t->bytes + t->n, 64, "%s%.17g", index == 0 ? "" : "|", x);
}

static void put_name(text *t, const char *name, size_t n)
{
    if (t->n + n + 2 >= sizeof t->bytes)
        return;
    if (t->n > 0)
        t->bytes[t->n++] = ';';
    memcpy(t->bytes + t->n, name, n);
    t->n += n;
    t->bytes[t->n++] = '=';
    t->bytes[t->n] = '\0';
}

static bool starts(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

static double draw_eps(prop_random *r)
{
    switch (prop_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return prop_scaled(r, -27, 9); /* e^eps is a double */
    default:
        return prop_scaled(r, -10, 4);
    }
}

static double draw_delta(prop_random *r)
{
    switch (prop_below(r, 6)) {
    case 0:
        return prop_scaled(r, -997, -1);
    case 1:
        return prop_uniform(r, 0, 1);
    default:
        return prop_scaled(r, -60, -3);
    }
}

static double draw_count(prop_random *r)
{
    return floor(prop_scaled(r, 0, prop_below(r, 4) == 0 ? 20 : 8));
}

/* Whether parameters were drawn for which a value may be out of range. */
static bool is_wild;

/* Plausible by the first letters of its name, and sometimes not. */
static double draw(prop_random *r, const char *name)
{
    if (prop_below(r, 200) == 0) {
        is_wild = true;
        return prop_sign(r, prop_scaled(r, -1070, 1020));
    }
    if (starts(name, "eps_alpha"))
        return prop_scaled(r, -10, 6);
    if (starts(name, "eps") || starts(name, "target_eps"))
        return draw_eps(r);
    if (starts(name, "delta"))
        return prop_below(r, 20) == 0 ? 0 : draw_delta(r);
    if (starts(name, "alpha") || starts(name, "omega"))
        return prop_below(r, 2) ? (double)(2 + prop_below(r, 60))
                                : 1 + prop_scaled(r, -30, 6);
    if (starts(name, "rho") || starts(name, "t") || starts(name, "x"))
        return prop_scaled(r, -34, 10);
    if (starts(name, "sigma"))
        return prop_scaled(r, -5, 12);
    if (starts(name, "sens"))
        return prop_scaled(r, -4, 2);
    if (starts(name, "fpr") || starts(name, "P") || starts(name, "Q") ||
        starts(name, "f") || starts(name, "s"))
        return prop_uniform(r, 0, 1);
    if (starts(name, "p"))
        return prop_below(r, 20) == 0 ? (double)prop_below(r, 2)
                                      : prop_scaled(r, -20, 0) / 2;
    if (starts(name, "k") || starts(name, "n") || starts(name, "T") ||
        starts(name, "l"))
        return draw_count(r);
    return prop_scaled(r, -10, 6);
}

/* Parameters for a row as it declares them; lists of one length. */
static void draw_parameters(
    text *t, prop_random *r, const char *declared, int n_list)
{
    t->n = 0;
    t->bytes[0] = '\0';
    while (*declared != '\0') {
        size_t n = strcspn(declared, ";");
        size_t n_name = n - (declared[n - 1] == '?'); /* always given */
        bool is_list = n > 2 && declared[n - 1] == ']';
        put_name(t, declared, is_list ? n - 2 : n_name);
        if (is_list && starts(declared, "alphas")) {
            t->n += (size_t)snprintf(
                t->bytes + t->n, 16, "2..%d", 2 + prop_below(r, 100));
        } else if (starts(declared, "n;f[]")) {
            put(t, 0, 2); /* f has 2^n values */
        } else {
            for (int i = 0; i < (is_list ? n_list : 1); i++)
                put(t, i, draw(r, declared));
        }
        declared += n + (declared[n] == ';');
    }
}

/* ---- Every row answers or refuses -------------------------------------- */

static bool is_narrow(dosi_interval x)
{
    double size = fmax(fabs(x.lo), fabs(x.hi));
    return x.lo == x.hi || x.hi - x.lo <= fmax(1e-9 * size, 1e-20);
}

/* Rows whose value may exceed doubles, or whose whole number 2^53. */
static bool may_be_unable(const char *id)
{
    return is_wild || starts(id, "T000-41.") || starts(id, "F000-1.first_k") ||
           starts(id, "T001-T8.") || starts(id, "T001-F5.supdist") ||
           starts(id, "T001-D5.");
}

/* Delta next to 1 is not followed to its last digits over long sums. */
static bool is_saturated(const char *id, dosi_interval x)
{
    return (strcmp(id, "S000-7.kov_delta") == 0 && x.lo > 0.999) ||
           (starts(id, "T001-S33.delta") && x.lo > 0.999) ||
           (strcmp(id, "S000-7.kov_logdelta") == 0 && x.lo > -0.001);
}

/* Rows by quadrature, or over thousands of cells: drawn less often. */
static bool is_slow(const char *id)
{
    static const char *const slow[] = {"T001-C5.", "T001-D5.", "T001-F5.",
        "T001-L4.", "T001-T3.group_CG", "T001-T8.", "T001-X1.renyi_CG"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (starts(id, slow[i]))
            return true;
    return false;
}

static void prop_rows(prop_random *r)
{
    size_t n = dosi_formula_count();
    for (size_t i = 0; i < n; i++) {
        dosi_formula_info row = dosi_formula_at(i);
        if (starts(row.id, "S000-7.tight")) /* wide where steps are few */
            continue;
        if (strchr(row.parameters, '{') != NULL) /* text, not numbers */
            continue;
        if (is_slow(row.id) && prop_below(r, 40) != 0)
            continue;
        text t;
        is_wild = false;
        draw_parameters(&t, r, row.parameters, 2 + prop_below(r, 3));
        dosi_interval x;
        dosi_error err = {.message = ""};
        dosi_status status = dosi_formula_eval(&x, row.id, t.bytes, &err);
        bool sound = status == DOSI_EDOMAIN;
        if (status == DOSI_OK)
            sound = x.lo <= x.hi &&
                    (is_wild || is_narrow(x) || is_saturated(row.id, x));
        if (status == DOSI_EUNABLE)
            sound = may_be_unable(row.id);
        if (sound && getenv("DOSI_VERBOSE") == NULL)
            continue;
        printf("%s,%s: %s [%.17g, %.17g] %s\n", row.id, t.bytes,
            dosi_status_name(status), x.lo, x.hi, err.message);
        failures += !sound;
    }
}

/* ---- Order of the bounds ----------------------------------------------- */

static void prop_zcdp(prop_random *r)
{
    char at[256];
    double rho = prop_scaled(r, -34, 10), delta = draw_delta(r);
    double eps = draw_eps(r), t = prop_scaled(r, -10, 10);
    (void)snprintf(at, sizeof at, "rho=%.17g;delta=%.17g", rho, delta);
    check_order("T000-14.eps <= T000-15.eps", value("T000-14.eps", at),
        value("T000-15.eps", at), at);
    (void)snprintf(at, sizeof at, "eps=%.17g;delta=%.17g", eps, delta);
    dosi_interval simple = value("T000-15.rho", at);
    check_order("T000-15.rho_lower <= T000-15.rho",
        value("T000-15.rho_lower", at), simple, at);
    check_order("T000-15.rho <= T000-15.rho_upper", simple,
        value("T000-15.rho_upper", at), at);
    check_order(
        "T000-15.rho <= T000-14.rho", simple, value("T000-14.rho", at), at);
    (void)snprintf(at, sizeof at, "rho=%.17g;eps=%.17g", rho, eps);
    dosi_interval best = value("T000-14.logdelta", at);
    if (eps >= rho)
        check_order("T000-14.logdelta <= T000-14.logdelta_simple", best,
            value("T000-14.logdelta_simple", at), at);
    /* zCDP's own example: the Gaussian is no worse than its bound */
    dosi_interval exact = value("T000-08.delta_rho", at);
    if (exact.lo > 1e-290)
        check_order("log T000-08.delta <= T000-14.logdelta",
            iv_point(log(exact.lo) * (1 + 1e-12) - 1e-12), best, at);
    (void)snprintf(at, sizeof at, "rho=%.17g;eps=%.17g;t=%.17g", rho, eps, t);
    dosi_interval at_t = value("T000-14.logdelta_t", at);
    check_order("T000-14.logdelta is least", best, at_t, at);
    check_order("T000-14.logdelta_t <= T000-14.logdelta_t_simple", at_t,
        value("T000-14.logdelta_t_simple", at), at);
}

static void prop_gaussian(prop_random *r)
{
    char at[256];
    double rho = prop_scaled(r, -34, 10), eps = draw_eps(r);
    (void)snprintf(at, sizeof at, "rho=%.17g;eps=%.17g", rho, eps);
    dosi_interval delta = value("T000-08.delta_rho", at);
    check_order("T000-08.delta <= T000-08.tail_bound", delta,
        value("T000-08.tail_bound", at), at);
    if (eps >= rho)
        check_order("T000-08.delta <= T000-08.mills_bound", delta,
            value("T000-08.mills_bound", at), at);
}

static void prop_composition(prop_random *r)
{
    char at[256];
    double k = draw_count(r), eps = prop_scaled(r, -12, 2);
    double delta = draw_delta(r);
    double delta0 = prop_below(r, 2) ? 0 : delta / k * prop_uniform(r, 0, 0.9);
    (void)snprintf(at, sizeof at, "k=%.17g;eps=%.17g;delta0=%.17g;delta=%.17g",
        k, eps, delta0, delta);
    dosi_interval linear = value("T000-22.k_eps", at);
    dosi_interval product = value("T000-22.k_eps_product", at);
    dosi_interval cdp = value("T000-22.k_eps_cdp", at);
    dosi_interval optimal = value("S000-7.kov_eps", at);
    check_order("optimal <= cdp", optimal, cdp, at);
    check_order("cdp <= product", cdp, product, at);
    check_order("product <= linear", product, linear, at);
    check_order("linear <= branch", linear,
        value("T000-22.k_eps_advanced_branch", at), at);
    (void)snprintf(at, sizeof at, "k=%.17g;eps=%.17g;delta_prime=%.17g", k, eps,
        delta - k * delta0 > 0 ? (delta - k * delta0) * (1 - 1e-12) : delta);
    if (delta0 > 0)
        check_order("T000-22 <= N000-15", linear, value("N000-15.eps", at), at);
    /* delta at the optimal epsilon is delta */
    if (!(optimal.lo > 0 && optimal.hi < HUGE_VAL))
        return;
    (void)snprintf(at, sizeof at,
        "k=%.17g;eps=%.17g;delta0=%.17g;target_eps=%.17g", k, eps, delta0,
        optimal.hi);
    check_order("kov_delta(kov_eps) <= delta", value("S000-7.kov_delta", at),
        iv_point(delta), at);
}

/* Equal guarantees, listed one by one. */
static void prop_unequal(prop_random *r)
{
    text t = {.n = 0};
    char at[256];
    int k = 1 + prop_below(r, 12);
    double eps = prop_scaled(r, -10, 2), delta0 = prop_scaled(r, -40, -6);
    double target = prop_uniform(r, 0, 1.1) * k * eps;
    put_name(&t, "eps", 3);
    for (int i = 0; i < k; i++)
        put(&t, i, eps);
    put_name(&t, "delta0", 6);
    for (int i = 0; i < k; i++)
        put(&t, i, delta0);
    put_name(&t, "target_eps", 10);
    put(&t, 0, target);
    (void)snprintf(at, sizeof at,
        "k=%d;eps=%.17g;delta0=%.17g;target_eps=%.17g", k, eps, delta0, target);
    check_equal("hetero_delta = kov_delta",
        value("S000-7.hetero_delta", t.bytes), value("S000-7.kov_delta", at),
        at);
}

/* ---- Pairs ------------------------------------------------------------- */

static void put_weights(text *t, const char *name, const double *w, int n)
{
    put_name(t, name, 1);
    for (int i = 0; i < n; i++)
        put(t, i, w[i]);
}

static double mean_of(const double *weight, const double *x, int n)
{
    double sum = 0, total = 0;
    for (int i = 0; i < n; i++) {
        sum += weight[i] * x[i];
        total += weight[i];
    }
    return sum / total;
}

static void prop_pair(prop_random *r)
{
    text t = {.n = 0};
    double p[5], q[5], x[5], size[5];
    int n = 2 + prop_below(r, 4);
    double eps = draw_eps(r);
    for (int i = 0; i < n; i++) {
        p[i] = prop_uniform(r, 0.01, 1);
        q[i] = prop_below(r, 4) == 0 ? p[i] : prop_uniform(r, 0.01, 1);
        x[i] = prop_uniform(r, -1, 1);
        size[i] = fabs(x[i]);
    }
    put_name(&t, "eps", 3);
    put(&t, 0, eps);
    put_weights(&t, "P", p, n);
    put_weights(&t, "Q", q, n);
    dosi_interval delta = value("T000-07.delta", t.bytes);
    dosi_interval both = value("T000-23.delta", t.bytes);
    check_order(
        "delta <= tail", delta, value("T000-07.tail", t.bytes), t.bytes);
    check_order("delta <= split", delta, both, t.bytes);
    check_order("reverse <= split", value("T000-07.delta_reverse", t.bytes),
        both, t.bytes);
    check_order(
        "eps1 <= eps", value("T000-23.eps1", t.bytes), iv_point(eps), t.bytes);
    check_order(
        "eps2 <= eps", value("T000-23.eps2", t.bytes), iv_point(eps), t.bytes);
    /* T000-27 for X ~ P, Y ~ Q on points of [-1, 1] */
    char at[256];
    (void)snprintf(at, sizeof at,
        "eps=%.17g;delta=%.17g;Delta=1;EY=%.17g;EabsY=%.17g", eps, both.hi,
        mean_of(q, x, n), mean_of(q, size, n) * (1 + 1e-12));
    check_order("mean shift", iv_point(mean_of(p, x, n) - 1e-12),
        value("T000-27.bound", at), at);
}

/* ---- Steps of proofs --------------------------------------------------- */

/* Randomised response within the bounds on any eps-DP loss. */
static void prop_response(prop_random *r)
{
    char at[256];
    double eps = prop_scaled(r, -20, 5), t = prop_scaled(r, -8, 5);
    (void)snprintf(at, sizeof at, "eps=%.17g", eps);
    dosi_interval mean = value("D000-rr.mean_loss", at);
    dosi_interval variance = value("D000-rr.var_loss", at);
    (void)snprintf(at, sizeof at, "k=1;eps=%.17g", eps);
    check_order("mean", mean, value("S000-4.mean_bound", at), at);
    check_order("variance", variance, value("S000-4.var_bound", at), at);
    /* log E[exp(t Z)] = t D_(1+t) */
    double order = 1 + t;
    (void)snprintf(at, sizeof at, "eps=%.17g;alpha=%.17g", eps, order);
    dosi_interval moment =
        iv_mul(iv_point(order - 1), value("D000-rr.rdp", at));
    (void)snprintf(at, sizeof at, "k=1;eps=%.17g;t=%.17g", eps, order - 1);
    check_order("moment", moment, value("S000-4.log_mgf_bound", at), at);
    (void)snprintf(at, sizeof at, "t=%.17g;mean=%.17g;eps=%.17g", order - 1,
        fmin(mean.hi, eps), eps);
    check_order("Hoeffding", moment, value("T000-17.log_mgf_bound", at), at);
    /* Laplace noise is no worse than randomised response */
    (void)snprintf(at, sizeof at, "eps=%.17g;alpha=%.17g", eps, order);
    check_order(
        "Laplace", value("D000-laplace.rdp", at), value("D000-rr.rdp", at), at);
}

/* The correlation lemma, and the bound it gives. */
static void prop_limits(prop_random *r)
{
    text t = {.n = 0};
    int n = 1 + prop_below(r, 4);
    put_name(&t, "n", 1);
    put(&t, 0, n);
    put_name(&t, "f", 1);
    for (int i = 0; i < 1 << n; i++)
        put(&t, i,
            prop_below(r, 3) == 0 ? prop_below(r, 2) : prop_uniform(r, 0, 1));
    check_order("1/12 <= correlation", iv_point(0.083333333333333),
        value("T000-26.lhs", t.bytes), t.bytes);
    char at[256];
    double rows = floor(prop_scaled(r, 0, 20));
    (void)snprintf(at, sizeof at, "n=%.17g;k=%.17g;eps=%.17g;delta=%.17g", rows,
        floor(prop_scaled(r, 0, 40)), prop_scaled(r, -10, 1),
        prop_uniform(r, 0, 0.02) / rows);
    dosi_interval x;
    dosi_interval applies = value("T000-25.applies", at);
    dosi_status status = eval(&x, "T000-25.rmse_lower", at);
    if ((applies.lo == 1) != (status == DOSI_OK)) {
        printf("applies and rmse_lower disagree at %s\n", at);
        failures++;
    }
    if (status == DOSI_OK)
        check_order("explicit <= implicit", x,
            value("T000-25.rmse_lower_implicit", at), at);
}

static const prop_property properties[] = {
    {prop_rows, 300},
    {prop_zcdp, 3000},
    {prop_gaussian, 3000},
    {prop_composition, 1000},
    {prop_unequal, 300},
    {prop_pair, 2000},
    {prop_response, 3000},
    {prop_limits, 2000},
};

int main(void)
{
    prop_random r = prop_start("prop_formula");
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    printf("%d failures\n", failures);
    return failures != 0;
}
