/*
 * The grid against what is known otherwise: finite laws listed atom by atom,
 * a finite law followed by any other (a sum of closed profiles), Laplace
 * noise k times (Irwin-Hall sums by Arb), sampled Gaussian noise by contour
 * integrals, one run of every law. Each answer must hold the truth, and must
 * be as narrow as was asked.
 */
#include <arb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid_losses.h"
#include "prop/random.h"
#include "reference/contour.h"
#include "repr/grid.h"

static int failures;

static work_limits limits_of(double width)
{
    return (work_limits){.width = width, .max_bytes = (size_t)2 << 20};
}

static void say(const char *what, const loss *parts, size_t n, double at,
    dosi_interval got, dosi_interval want)
{
    failures++;
    printf("%s at %.17g: got [%.17g, %.17g], true [%.17g, %.17g]\n", what, at,
        got.lo, got.hi, want.lo, want.hi);
    for (size_t i = 0; i < n; i++) {
        const loss *one = &parts[i];
        printf("    noise %d map %d parameter %.17g rate %.17g count %g\n",
            (int)one->noise, (int)one->map, one->parameter.hi, one->rate.hi,
            one->count);
        for (size_t k = 0;
             one->finite != NULL && k < atoms_count(one->finite); k++)
            printf("        atom at %.17g, log mass %.17g\n",
                atoms_loss(one->finite, k).hi,
                atoms_log_mass(one->finite, k).hi);
    }
}

/* want encloses the truth narrowly; got must meet it. */
static void check(const loss *parts, size_t n, double at, dosi_interval got,
    dosi_interval want, double width)
{
    bool meets = got.lo <= want.hi && want.lo <= got.hi && got.lo <= got.hi;
    bool narrow = got.hi - got.lo <= width || got.lo == got.hi;
    if (!meets || !narrow)
        say(meets ? "wide" : "wrong", parts, n, at, got, want);
}

/* Wider than asked only where memory is said to be short. */
static void check_delta(const loss *parts, size_t n, double eps,
    dosi_interval want, double width, double allowed)
{
    work_limits limits = limits_of(width);
    dosi_interval got = {1, 0};
    dosi_error err;
    if (grid_log_delta(&got, parts, n, eps, &limits, &err) != DOSI_OK) {
        printf("%s\n", err.message);
        say("unable", parts, n, eps, got, want);
        return;
    }
    check(parts, n, eps, got, want,
        limits.is_short ? 100 * allowed : allowed);
}

/* ---- Finite laws ------------------------------------------------------- */

static atoms *random_atoms(prop_random *r, bool lattice)
{
    double p[5], q[5], step = prop_uniform(r, 0.05, 0.6);
    size_t n = 2 + (size_t)prop_below(r, 4);
    for (size_t i = 0; i < n; i++) {
        p[i] = prop_uniform(r, 0.05, 1);
        q[i] = lattice ? p[i] * exp(step * prop_below(r, 4))
                       : prop_uniform(r, 0.05, 1);
    }
    if (!lattice && prop_below(r, 6) == 0)
        q[0] = 0;
    if (!lattice && prop_below(r, 6) == 0)
        p[1] = 0;
    atoms *made = NULL;
    return atoms_from_pair(&made, p, q, n, NULL) == DOSI_OK ? made : NULL;
}

static double random_epsilon(prop_random *r, double scale)
{
    return prop_below(r, 8) == 0 ? 0
                                 : prop_uniform(r, -0.3 * scale, 1.2 * scale);
}

/* k runs of one law and j of another, listed. */
static void finite_plans(prop_random *r)
{
    long n = prop_count(24);
    for (long i = 0; i < n; i++) {
        bool lattice = prop_below(r, 2) == 0;
        atoms *a = random_atoms(r, lattice), *b = random_atoms(r, lattice);
        double k = 1 + prop_below(r, 6), j = prop_below(r, 3);
        atoms *ak = NULL, *bj = NULL, *total = NULL;
        dosi_status status = atoms_power(&ak, a, k, 0, NULL);
        if (status == DOSI_OK)
            status = atoms_power(&bj, b, j, 0, NULL);
        if (status == DOSI_OK)
            status = atoms_convolve(&total, ak, bj, 0, NULL);
        if (status == DOSI_OK) {
            loss parts[2] = {loss_of_atoms(a, k), loss_of_atoms(b, j)};
            size_t m = j > 0 ? 2 : 1;
            double eps =
                random_epsilon(r, ball_mid(atoms_max_loss(total)));
            dosi_interval want = atoms_log_delta(total, ball_of(eps));
            /* atoms off the lattice cost from below what they are off by */
            if (fabs(eps) < 1e3)
                check_delta(parts, m, eps, want, 1e-3, HUGE_VAL);
            work_limits limits = limits_of(1e-3);
            dosi_interval got = {0, 0};
            ball log_delta = ball_of(prop_uniform(r, -12, -0.5));
            if (grid_epsilon(&got, parts, m, log_delta, &limits, NULL) ==
                DOSI_OK)
                check(parts, m, log_delta.hi, got,
                    atoms_epsilon(total, ball_exp(log_delta), log_delta),
                    HUGE_VAL);
            double alpha = prop_uniform(r, 0.001, 0.999);
            atoms *back = NULL; /* Q is the null hypothesis here */
            if (atoms_reverse(&back, total, NULL) == DOSI_OK &&
                grid_tradeoff(&got, parts, m, alpha, &limits, NULL) ==
                    DOSI_OK)
                check(parts, m, alpha, got,
                    atoms_tradeoff(back, alpha), HUGE_VAL);
            atoms_free(back);
        }
        atoms_free(total);
        atoms_free(bj);
        atoms_free(ak);
        atoms_free(b);
        atoms_free(a);
    }
}

/* Randomized response is on its lattice: as narrow as rounding. */
static void response_plans(prop_random *r)
{
    long n = prop_count(20);
    for (long i = 0; i < n; i++) {
        double e = prop_uniform(r, 0.01, 1.5);
        double k = 1 + prop_below(r, 300), categories = 2 + prop_below(r, 3);
        atoms *one = NULL, *total = NULL;
        if (atoms_randomized_response(&one, ball_of(e), categories, NULL) ==
                DOSI_OK &&
            atoms_power(&total, one, categories > 2 ? fmin(k, 40) : k, 0,
                NULL) == DOSI_OK) {
            loss part = loss_of_atoms(one, categories > 2 ? fmin(k, 40) : k);
            double eps = prop_uniform(r, 0, 0.9) * e * part.count;
            check_delta(&part, 1, eps,
                atoms_log_delta(total, ball_of(eps)), 1e-9, 1e-9);
        }
        atoms_free(total);
        atoms_free(one);
    }
}

/* ---- A finite law, then any other -------------------------------------- */

static law base_law(loss_noise noise, double parameter)
{
    switch (noise) {
    case LOSS_GAUSSIAN:
        return law_gaussian(ball_of(parameter), LAW_EXACT);
    case LOSS_LAPLACE:
        return law_laplace(ball_of(parameter));
    case LOSS_EXPONENTIAL:
    case LOSS_FINITE:
        break;
    }
    return law_exponential(ball_of(parameter));
}

/* delta(eps) = sum over the atoms of p delta_2(eps - l), plus +inf. */
static dosi_interval followed(const atoms *a, const law *second, double eps)
{
    ball sum = atoms_p_inf(a);
    for (size_t i = 0; i < atoms_count(a); i++) {
        ball at = ball_sub(ball_of(eps), atoms_loss(a, i));
        dosi_interval d = law_delta(second, at);
        ball p = ball_exp(atoms_log_mass(a, i));
        sum = ball_add(sum, ball_mul(p, ball_of_interval(d)));
    }
    return law_log_mass(sum);
}

static void followed_plans(prop_random *r)
{
    long n = prop_count(40);
    for (long i = 0; i < n; i++) {
        loss_noise noise = (loss_noise)prop_below(r, 3);
        loss_map map = (loss_map)prop_below(r, 4);
        double parameter = prop_uniform(r, 0.2, 2.5);
        double rate = prop_uniform(r, 0.02, 0.9);
        law base = base_law(noise, parameter), second = base;
        if (map == LOSS_REMOVE || map == LOSS_ADD)
            second = law_poisson(&base, ball_of(rate), map == LOSS_ADD);
        if (map == LOSS_FIXED)
            second = law_without_replacement(&base, &base, ball_of(rate));
        atoms *a = random_atoms(r, false), *ak = NULL;
        double k = prop_below(r, 4);
        if (atoms_power(&ak, a, k, 0, NULL) == DOSI_OK) {
            loss parts[2] = {loss_of(noise, parameter, map, rate, 1),
                loss_of_atoms(a, k)};
            double most = k > 0 ? ball_mid(atoms_max_loss(ak)) : 0;
            double eps = random_epsilon(r, most + parameter);
            dosi_interval want = {-HUGE_VAL, 0};
            if (fabs(eps) < 1e3)
                want = followed(ak, &second, eps);
            if (want.hi > -60 && want.hi < 0)
                check_delta(parts, k > 0 ? 2 : 1, eps, want,
                    1e-4, k > 0 ? HUGE_VAL : 2e-4);
        }
        atoms_free(ak);
        atoms_free(a);
    }
}

/* ---- Laplace noise k times --------------------------------------------- */

#define BITS 1024

/* int_lo^hi (s - c)^n / n! e^(b s) ds, b = +-1/2, by its antiderivative
 * e^(b s) sum_r (-1)^r (s - c)^(n-r) / ((n-r)! b^(r+1)). */
static void antiderivative(
    arb_t out, const arb_t s, const arb_t c, ulong n, slong sign)
{
    arb_t x, term, e;
    arb_init(x);
    arb_init(term);
    arb_init(e);
    arb_sub(x, s, c, BITS);
    arb_zero(out);
    for (ulong r = 0; r <= n; r++) {
        arb_pow_ui(term, x, n - r, BITS);
        arb_fac_ui(e, n - r, BITS);
        arb_div(term, term, e, BITS);
        arb_mul_2exp_si(term, term, (slong)(r + 1));
        /* (-1)^r / sign^(r+1) */
        if ((r % 2 == 1) != (sign < 0 && r % 2 == 0))
            arb_neg(term, term);
        arb_add(out, out, term, BITS);
    }
    arb_mul_2exp_si(e, s, -1);
    if (sign < 0)
        arb_neg(e, e);
    arb_exp(e, e, BITS);
    arb_mul(out, out, e, BITS);
    arb_clear(e);
    arb_clear(term);
    arb_clear(x);
}

/* int over s in (tau, m a) of the m-fold convolution of 1 on (-a, a), times
 * e^(s/2) - e^(tau - s/2). */
static void uniform_part(arb_t out, ulong m, const arb_t a, const arb_t tau)
{
    arb_t lo, hi, c, x, y, choose, e;
    arb_init(lo);
    arb_init(hi);
    arb_init(c);
    arb_init(x);
    arb_init(y);
    arb_init(choose);
    arb_init(e);
    arb_zero(out);
    arb_exp(e, tau, BITS);
    arb_mul_ui(hi, a, m, BITS);
    for (ulong j = 0; j <= m; j++) {
        arb_mul_si(c, a, 2 * (slong)j - (slong)m, BITS);
        arb_max(lo, c, tau, BITS);
        if (!arb_lt(lo, hi))
            continue;
        arb_bin_uiui(choose, m, j, BITS);
        if (j % 2 == 1)
            arb_neg(choose, choose);
        for (slong sign = 1; sign >= -1; sign -= 2) {
            antiderivative(x, hi, c, m - 1, sign);
            antiderivative(y, lo, c, m - 1, sign);
            arb_sub(x, x, y, BITS);
            if (sign < 0) {
                arb_mul(x, x, e, BITS);
                arb_neg(x, x);
            }
            arb_addmul(out, x, choose, BITS);
        }
    }
    arb_clear(e);
    arb_clear(choose);
    arb_clear(y);
    arb_clear(x);
    arb_clear(c);
    arb_clear(hi);
    arb_clear(lo);
}

static double laplace_truth(ulong k, double parameter, double eps)
{
    arb_t a, tau, term, sum, w;
    arb_init(a);
    arb_init(tau);
    arb_init(term);
    arb_init(sum);
    arb_init(w);
    arb_set_d(a, parameter);
    for (ulong i = 0; i <= k; i++)
        for (ulong j = 0; i + j <= k; j++) {
            ulong m = k - i - j;
            arb_set_d(tau, eps);
            arb_mul_si(w, a, (slong)i - (slong)j, BITS);
            arb_sub(tau, tau, w, BITS);
            if (m == 0) { /* 1 - e^tau where tau < 0 */
                arb_expm1(term, tau, BITS);
                arb_neg(term, term);
                if (!arb_is_positive(term))
                    continue;
            } else {
                uniform_part(term, m, a, tau);
            }
            /* C(k; i, j, m) 2^-i (e^-a/2)^j (e^(-a/2)/4)^m */
            arb_bin_uiui(w, k, i, BITS);
            arb_mul(term, term, w, BITS);
            arb_bin_uiui(w, k - i, j, BITS);
            arb_mul(term, term, w, BITS);
            arb_mul_2exp_si(term, term, -(slong)(i + j + 2 * m));
            arb_mul_si(w, a, -(slong)(2 * j + m), BITS);
            arb_mul_2exp_si(w, w, -1);
            arb_exp(w, w, BITS);
            arb_addmul(sum, term, w, BITS);
        }
    arb_log(sum, sum, BITS);
    double value = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
    arb_clear(w);
    arb_clear(sum);
    arb_clear(term);
    arb_clear(tau);
    arb_clear(a);
    return value;
}

static void laplace_plans(prop_random *r)
{
    long n = prop_count(12);
    for (long i = 0; i < n; i++) {
        double a = prop_uniform(r, 0.05, 1.2), k = 1 + prop_below(r, 20);
        double eps = prop_uniform(r, 0, 0.95) * a * k;
        loss part = loss_of(LOSS_LAPLACE, a, LOSS_PLAIN, 1, k);
        double truth = laplace_truth((ulong)k, a, eps);
        double slop = 1e-14 * fabs(truth);
        dosi_interval want = {truth - slop, truth + slop};
        double width = k <= 2 ? 1e-3 : 1e-5;
        check_delta(&part, 1, eps, want, width, width);
    }
}

/* ---- Sampled Gaussian noise -------------------------------------------- */

static void gaussian_plans(prop_random *r)
{
    long n = prop_count(16);
    for (long i = 0; i < n; i++) {
        double mu = prop_uniform(r, 0.3, 2), rate = prop_uniform(r, 0.01, 0.6);
        double k = 2 + prop_below(r, i % 4 == 0 ? 3000 : 60);
        bool add = prop_below(r, 2) == 0;
        double eps = prop_uniform(r, 0, 1.5) * sqrt(k) * mu * rate + 0.05;
        contour_pair pair = {ball_of(mu), rate, k, add};
        dosi_interval want = {-HUGE_VAL, 0};
        if (contour_log_delta(&want, &pair, eps, NULL) != DOSI_OK ||
            want.hi - want.lo > 1e-8 || want.lo < -80)
            continue;
        loss part = loss_of(LOSS_GAUSSIAN, mu,
            add ? LOSS_ADD : LOSS_REMOVE, rate, k);
        check_delta(&part, 1, eps, want, 1e-3, 1e-3);
        /* and through the laws of groups */
        part.map = LOSS_SPLIT;
        part.removed = add ? 0 : 1;
        part.added = add ? 1 : 0;
        if (i % 4 == 1)
            check_delta(&part, 1, eps, want, 1e-2, 1e-2);
    }
}

int main(void)
{
    prop_random r = prop_start("prop_grid");
    finite_plans(&r);
    response_plans(&r);
    followed_plans(&r);
    laplace_plans(&r);
    gaussian_plans(&r);
    if (failures > 0)
        printf("prop_grid: %d failures\n", failures);
    return failures > 0;
}
