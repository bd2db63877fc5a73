/*
 * Samples without replacement by their own theorems: lower bounds stand
 * below every upper one, the sharper below the weaker, curves grow with rate
 * and order, and every row of the formulary that takes a mechanism answers
 * or refuses.
 */
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "num/interval.h"
#include "support/random.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/without_replacement_renyi.h"
#include "sampling/amplify.h"

static int failures = 0;

/* What is being looked at, for messages. */
typedef struct point {
    chi_law law;
    double parameter;
    double rate;
    double order;
} point;

static void check(bool holds, const char *law, const point *p)
{
    if (holds)
        return;
    printf("%s fails: kind %d parameter %.17g categories %g rate %.17g "
           "order %.17g\n",
        law, (int)p->law.kind, p->parameter, p->law.categories, p->rate,
        p->order);
    failures++;
}

/* a <= b is not refuted. */
static bool at_most(ball a, ball b)
{
    return !ball_is_unknown(a) && !ball_is_unknown(b) &&
           ball_lower(a) <= ball_upper(b);
}

static point draw_point(prop_random *r)
{
    point p;
    int kind = prop_below(r, 3);
    p.parameter = prop_scaled(r, -12, kind == 0 ? 4 : 3);
    ball x = ball_of(p.parameter);
    p.law = kind == 0   ? chi_gaussian(x)
            : kind == 1 ? chi_laplace(x)
                        : chi_response(x, 2 + prop_below(r, 4));
    p.rate = prop_below(r, 8) == 0 ? 1 : prop_scaled(r, -30, 0);
    p.order = 2 + prop_below(r, prop_below(r, 3) == 0 ? 200 : 12);
    return p;
}

/* ---- Order of the bounds ----------------------------------------------- */

static ball bound(const point *p, wr_rule rule)
{
    wr_base base = wr_base_of_law(&p->law);
    ball k = ball_unknown();
    dosi_error err;
    if (wr_cumulant(&k, &base, ball_of(p->rate), rule, p->order, &err) !=
        DOSI_OK)
        return ball_unknown();
    return k;
}

static void prop_order(prop_random *r)
{
    point p = draw_point(r);
    p.order = fmin(p.order, 40);
    ball rate = ball_of(p.rate);
    ball lower = bound(&p, WR_LOWER), general = bound(&p, WR_GENERAL);
    ball consistent = bound(&p, WR_CONSISTENT), least = bound(&p, WR_LEAST);
    ball squares = bound(&p, WR_SQUARES);
    check(at_most(lower, general), "P20 <= T9", &p);
    check(at_most(lower, consistent), "P20 <= T19", &p);
    check(at_most(lower, squares), "P20 <= best30", &p);
    check(at_most(squares, least), "best30 <= min", &p);
    check(at_most(least, general), "min <= T9", &p);
    check(at_most(least, consistent), "min <= T19", &p);
    ball base = chi_log_moment(&p.law, ball_of(p.order));
    check(at_most(lower, base), "P20 <= base", &p);
    ball jensen = wr_jensen(rate, base);
    check(at_most(lower, jensen), "P20 <= jensen", &p);
    check(at_most(jensen, base), "jensen <= base", &p);
    ball cap = ball_mul_d(amplify_epsilon(rate, chi_pure(&p.law)), p.order - 1);
    check(ball_is_infinite(cap) || at_most(lower, cap), "P20 <= cap", &p);
    if (p.rate < 1) {
        ball gap = ball_mul_d(wr_gap(rate, ball_of(p.order)), p.order - 1);
        check(at_most(ball_sub(general, lower), gap), "T9 - P20 <= gap", &p);
    }
    if (!isinf(chi_pure(&p.law).hi)) {
        ball remark = wr_pure_bound(rate, ball_of(p.order),
            chi_divergence(&p.law, ball_of(p.order)), chi_pure(&p.law));
        remark = ball_mul_d(remark, p.order - 1);
        check(at_most(general, remark), "T9 <= remark", &p);
    }
}

/* ---- Growth ------------------------------------------------------------ */

static void prop_growth(prop_random *r)
{
    point p = draw_point(r), q = p;
    q.rate = fmin(1, p.rate * prop_uniform(r, 1, 3));
    check(at_most(bound(&p, WR_GENERAL), bound(&q, WR_GENERAL)),
        "T9 grows with the rate", &p);
    check(at_most(bound(&p, WR_LOWER), bound(&q, WR_LOWER)),
        "P20 grows with the rate", &p);
    q = p;
    q.order = p.order + 1;
    ball low = ball_div_d(bound(&p, WR_LOWER), p.order - 1);
    ball high = ball_div_d(bound(&q, WR_LOWER), p.order);
    check(at_most(low, high), "P20 grows with the order", &p);
    /* a real order between */
    if (p.order > 60 || p.parameter > 4)
        return;
    double t = prop_uniform(r, 0, 1);
    ball middle = sampled_law_renyi(
        SAMPLED_MIXTURE_FIRST, &p.law, ball_of(p.rate), ball_of(p.order + t));
    check(at_most(low, middle) && at_most(middle, high), "real order", &p);
    ball back = sampled_law_renyi(
        SAMPLED_BASE_FIRST, &p.law, ball_of(p.rate), ball_of(p.order));
    check(at_most(back, low), "mixture first is the worse", &p);
}

/* xi is log-convex in its order (Cauchy-Schwarz). */
static void prop_chi(prop_random *r)
{
    point p = draw_point(r);
    double s = 1 + prop_scaled(r, -6, 5), t = s + prop_scaled(r, -3, 5);
    ball a = chi_log_xi(&p.law, ball_of(s));
    ball b = chi_log_xi(&p.law, ball_of(t));
    ball middle = ball_scale2(ball_add(ball_of(s), ball_of(t)), -1);
    ball c = chi_log_xi(&p.law, middle);
    p.order = s;
    check(at_most(c, ball_scale2(ball_add(a, b), -1)), "log-convex", &p);
    /* |x - 1|^s <= x^s + 1 */
    ball most = ball_log1pexp(chi_log_moment(&p.law, ball_of(s)));
    check(at_most(a, most), "xi(s)^s <= m(s) + 1", &p);
    check(
        !ball_is_unknown(a) && a.rad <= 1e-15 * (1 + fabs(a.hi)), "narrow", &p);
}

/* Large orders: between the largest term and order times it. */
static void prop_large(prop_random *r)
{
    point p = draw_point(r);
    p.order = floor(prop_scaled(r, 9, 22));
    ball k = bound(&p, WR_GENERAL), low = bound(&p, WR_LOWER);
    check(!ball_is_unknown(k) && k.rad <= 1e-16 * k.hi, "T9 is narrow", &p);
    check(at_most(low, k), "P20 <= T9", &p);
    /* the last term alone */
    ball last = ball_mul_d(ball_log(ball_of(p.rate)), p.order);
    last = ball_add(last, chi_log_moment(&p.law, ball_of(p.order)));
    check(at_most(last, low), "last term <= P20", &p);
    ball jensen =
        wr_jensen(ball_of(p.rate), chi_log_moment(&p.law, ball_of(p.order)));
    check(at_most(low, jensen), "P20 <= jensen", &p);
}

/* ---- Rows -------------------------------------------------------------- */

typedef struct text {
    char bytes[512];
    size_t n;
} text;

static void put(text *t, const char *name, size_t n, double x)
{
    t->n += (size_t)snprintf(t->bytes + t->n, sizeof t->bytes - t->n,
        "%s%.*s=%.17g", t->n > 0 ? ";" : "", (int)n, name, x);
}

static bool is_named(const char *name, size_t n, const char *word)
{
    return strlen(word) == n && strncmp(name, word, n) == 0;
}

static double draw_value(prop_random *r, const char *name, size_t n)
{
    if (is_named(name, n, "gamma") || is_named(name, n, "gamma1") ||
        is_named(name, n, "gamma2"))
        return prop_scaled(r, -20, 0);
    if (is_named(name, n, "delta") || is_named(name, n, "dtilde"))
        return prop_scaled(r, -60, -1);
    if (is_named(name, n, "eps") || is_named(name, n, "xi"))
        return prop_scaled(r, -8, 4);
    if (is_named(name, n, "u") || is_named(name, n, "ugrid"))
        return 1 + prop_scaled(r, -4, 3);
    if (is_named(name, n, "k"))
        return floor(prop_scaled(r, 0, 20));
    if (is_named(name, n, "l"))
        return 2 * (1 + prop_below(r, 60));
    if (is_named(name, n, "alpha") && prop_below(r, 3) == 0)
        return 1 + prop_scaled(r, -10, 5);
    return 2 + prop_below(r, 60);
}

static void draw_row(text *t, prop_random *r, const char *declared)
{
    int kind = prop_below(r, 3);
    const char *const names[] = {"gauss", "laplace", "rr"};
    const char *const own[] = {"sigma", "b", "p"};
    t->n = (size_t)snprintf(t->bytes, sizeof t->bytes, "mech=%s", names[kind]);
    while (*declared != '\0') {
        size_t n = strcspn(declared, ";"), n_name = strcspn(declared, ";[{?");
        bool is_own = is_named(declared, n_name, own[kind]);
        if (is_own)
            put(t, declared, n_name,
                kind == 2 ? prop_uniform(r, 0.01, 0.999)
                          : prop_scaled(r, -2, 8));
        else if (declared[n - 1] != '?' && declared[n - 1] != '}')
            put(t, declared, n_name, draw_value(r, declared, n_name));
        declared += n + (declared[n] == ';');
    }
}

static bool is_sound(
    const dosi_formula_info *row, dosi_status status, dosi_interval x)
{
    if (status == DOSI_EDOMAIN)
        return true;
    if (status != DOSI_OK) /* E|p/q - 1|^s may exceed doubles */
        return status == DOSI_EUNABLE && (strstr(row->id, ".diff") != NULL ||
                                             strstr(row->id, "_delta") != NULL);
    if (strcmp(row->id, "Q002-2.2.lambda") == 0) /* may be flat */
        return x.lo <= x.hi;
    double size = fmax(fabs(x.lo), fabs(x.hi));
    return x.lo <= x.hi &&
           (x.lo == x.hi || x.hi - x.lo <= fmax(1e-9 * size, 1e-25));
}

static void prop_rows(prop_random *r)
{
    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_formula_info row = dosi_formula_at(i);
        if (strstr(row.id, "002-") == NULL ||
            (strncmp(row.parameters, "mech{}", 6) != 0 &&
                strncmp(row.parameters, "fig{}?;mech{}", 13) != 0))
            continue;
        if (strcmp(row.id, "D002-11.logtern") == 0 ||
            strcmp(row.id, "P002-24.F") == 0) /* they take more */
            continue;
        text t;
        draw_row(&t, r, row.parameters);
        dosi_interval x = iv_unknown();
        dosi_error err = {.message = ""};
        dosi_status status = dosi_formula_eval(&x, row.id, t.bytes, &err);
        if (is_sound(&row, status, x))
            continue;
        printf("%s,%s: %s [%.17g, %.17g] %s\n", row.id, t.bytes,
            dosi_status_name(status), x.lo, x.hi, err.message);
        failures++;
    }
}

int main(void)
{
    prop_random r = prop_start("prop_without_replacement_renyi");
    for (long i = prop_count(100); i > 0; i--)
        prop_order(&r);
    for (long i = prop_count(400); i > 0; i--)
        prop_growth(&r);
    for (long i = prop_count(500); i > 0; i--)
        prop_chi(&r);
    for (long i = prop_count(200); i > 0; i--)
        prop_large(&r);
    for (long i = prop_count(25); i > 0; i--)
        prop_rows(&r);
    printf("%d failures\n", failures);
    return failures != 0;
}
