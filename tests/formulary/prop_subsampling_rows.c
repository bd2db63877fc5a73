/*
 * The formulary's subsampling rows on random parameters: they answer or
 * refuse, and stand in the order in which they were proved.
 */
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "num/interval.h"
#include "support/random.h"
#include "sampling/with_replacement_gaussian.h"

static int failures = 0;

static dosi_interval ask(const char *id, const char *at)
{
    dosi_interval x;
    dosi_error err = {.message = ""};
    dosi_status status = dosi_formula_eval(&x, id, at, &err);
    double size = fmax(fabs(x.lo), fabs(x.hi));
    bool narrow = x.lo == x.hi || x.hi - x.lo <= fmax(1e-11 * size, 1e-20);
    /* logarithms of delta are followed down to -2^59 */
    bool is_log = strstr(id, "log") != NULL;
    if ((status == DOSI_EUNABLE && is_log) || status == DOSI_EDOMAIN ||
        (status == DOSI_OK && narrow))
        return status == DOSI_OK ? x : iv_unknown();
    printf("%s,%s: %s [%.17g, %.17g] %s\n", id, at, dosi_status_name(status),
        x.lo, x.hi, err.message);
    failures++;
    return iv_unknown();
}

/* a <= b is not refuted; unknown ends refute nothing. */
static void order(
    const char *law, dosi_interval a, dosi_interval b, const char *at)
{
    if (a.lo <= b.hi)
        return;
    printf("%s fails at %s: [%.17g, %.17g] > [%.17g, %.17g]\n", law, at, a.lo,
        a.hi, b.lo, b.hi);
    failures++;
}

static int put_mech(char *text, size_t n, prop_random *r)
{
    double theta = prop_scaled(r, prop_below(r, 5) == 0 ? -40 : -8, 4);
    switch (prop_below(r, 5)) {
    case 0:
        return snprintf(text, n, "mech=laplace;theta=%.17g", theta);
    case 1:
        return snprintf(text, n, "mech=rr;p=%.17g", prop_uniform(r, 0.5, 1));
    case 2:
        return snprintf(text, n, "mech=dp;eps0=%.17g;delta0=%.17g",
            prop_scaled(r, -20, 4),
            prop_below(r, 3) == 0 ? 0 : prop_scaled(r, -900, 0));
    default:
        return snprintf(text, n, "mech=gauss;theta=%.17g", theta);
    }
}

static double draw_out(prop_random *r)
{
    switch (prop_below(r, 6)) {
    case 0:
        return 0;
    case 1:
        return prop_scaled(r, -40, 9);
    default:
        return prop_scaled(r, -10, 3);
    }
}

static double draw_rate(prop_random *r)
{
    switch (prop_below(r, 8)) {
    case 0:
        return 1;
    case 1:
        return prop_scaled(r, -300, 0);
    default:
        return prop_scaled(r, -14, 0);
    }
}

static double draw_many(prop_random *r, int bits)
{
    return floor(prop_scaled(r, 0, 1 + prop_below(r, bits)));
}

/* With and without replacement; the logarithms agree. */
static void prop_with_replacement(prop_random *r)
{
    char mech[160], at[400];
    (void)put_mech(mech, sizeof mech, r);
    double n = draw_many(r, 20), m = draw_many(r, 20), out = draw_out(r);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;m=%.17g;group=white;epsp=%.17g",
        mech, n, m, out);
    dosi_interval white = ask("T004-10.delta_at", at);
    dosi_interval log_white = ask("T004-10.log_delta_at", at);
    if (white.lo > 1e-290 && white.hi < 1)
        order("log", log_white,
            iv_point(log(white.hi) + 1e-12 * fabs(log(white.hi)) + 1e-15), at);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;m=%.17g;group=black;epsp=%.17g",
        mech, n, m, out);
    dosi_interval black = ask("T004-10.delta_at", at);
    if (strncmp(mech, "mech=rr", 7) != 0)
        order("white <= black", white, black, at);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;m=%.17g;epsp=%.17g", mech, n,
        fmin(n, m), out);
    (void)ask("T004-9.delta_at", at);
    order("two steps", ask("F004-3.wr_white", at),
        ask("X004-RtoS.wr_delta_at", at), at);
}

static void prop_poisson(prop_random *r)
{
    char mech[160], at[400];
    (void)put_mech(mech, sizeof mech, r);
    double gamma = draw_rate(r), out = draw_out(r);
    double n = draw_many(r, 13);
    (void)snprintf(
        at, sizeof at, "%s;gamma=%.17g;epsp=%.17g", mech, gamma, out);
    dosi_interval plain = ask("T004-8.delta_at", at);
    order("add <= remove", ask("X004-8.add_delta_at", at), plain, at);
    order("plain <= hybrid", plain, ask("X004-PS.ra_delta_at", at), at);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;gamma=%.17g;epsp=%.17g", mech, n,
        gamma, out);
    dosi_interval sharp = ask("X004-PS.sharp_delta_at", at);
    /* the sum is convex in the size of the sample (Jensen) */
    order("plain <= sharp", plain, sharp, at);
    if (gamma < 1)
        order("sharp <= split", sharp, ask("X004-PS.split_delta_at", at), at);
    (void)ask("X004-PS.sharp_log_delta_at", at);
}

static void prop_groups(prop_random *r)
{
    char mech[160], at[400];
    (void)put_mech(mech, sizeof mech, r);
    double k = draw_many(r, 10), eps_of_group = draw_out(r);
    (void)snprintf(
        at, sizeof at, "%s;k=%.17g;eps=%.17g", mech, k, eps_of_group);
    dosi_interval white = ask("T004-GW.delta", at);
    dosi_interval black = ask("T004-GB.delta", at);
    dosi_interval least = ask("X004-GB.mono", at);
    order("white <= black", white, black, at);
    order("white <= least", white, least, at);
    order("least <= black", least, black, at);
    (void)snprintf(at, sizeof at, "%s;k=%.17g;eps=%.17g", mech, k,
        eps_of_group * prop_uniform(r, 0, 1));
    order("least <= before", least, ask("T004-GB.delta", at), at);
    double gamma = draw_rate(r), delta = prop_scaled(r, -990, 0);
    (void)snprintf(
        at, sizeof at, "%s;gamma=%.17g;deltap=%.17g", mech, gamma, delta);
    dosi_interval eps = ask("T004-8.eps_at", at);
    if (!(eps.hi < HUGE_VAL))
        return;
    (void)snprintf(
        at, sizeof at, "%s;gamma=%.17g;epsp=%.17g", mech, gamma, eps.hi);
    order("delta at eps", ask("T004-8.delta_at", at), iv_point(delta), at);
    (void)snprintf(at, sizeof at, "%s;epsp=%.17g;deltap=%.17g", mech,
        prop_scaled(r, -8, 3), delta);
    (void)ask("T004-8.calib_gamma", at);
}

/* Inverses of sums, and the largest number of draws. */
static void prop_plans(prop_random *r)
{
    char mech[160], at[400];
    (void)put_mech(mech, sizeof mech, r);
    double n = draw_many(r, 20), m = draw_many(r, 12);
    double delta = prop_scaled(r, -990, 0), out = prop_scaled(r, -8, 3);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;m=%.17g;group=white;deltap=%.17g",
        mech, n, m, delta);
    dosi_interval eps = ask("T004-10.eps_at", at);
    if (eps.hi < HUGE_VAL) {
        (void)snprintf(at, sizeof at,
            "%s;n=%.17g;m=%.17g;group=white;epsp=%.17g", mech, n, m, eps.hi);
        order("delta at eps", ask("T004-10.delta_at", at), iv_point(delta), at);
    }
    (void)snprintf(at, sizeof at, "%s;n=%.17g;epsp=%.17g;deltap=%.17g", mech, n,
        out, delta);
    dosi_interval most = ask("T004-9.calib_m", at);
    if (!(most.lo >= 1 && most.hi < n))
        return;
    (void)snprintf(
        at, sizeof at, "%s;n=%.17g;m=%.17g;epsp=%.17g", mech, n, most.lo, out);
    order("most", ask("T004-9.delta_at", at), iv_point(delta), at);
    (void)snprintf(at, sizeof at, "%s;n=%.17g;m=%.17g;epsp=%.17g", mech, n,
        most.hi + 1, out);
    order("one more", iv_point(delta), ask("T004-9.delta_at", at), at);
}

/* The exact Gaussian mixture is below the theorem, and m = 1 is Poisson. */
static void prop_mixture(prop_random *r)
{
    char at[400];
    double theta = prop_scaled(r, -8, 3), out = draw_out(r);
    double n = 1 + draw_many(r, 20), m = draw_many(r, 10);
    (void)snprintf(at, sizeof at,
        "mech=gauss;theta=%.17g;n=%.17g;m=%.17g;group=white;epsp=%.17g", theta,
        n, m, out);
    dosi_interval bound = ask("T004-11.delta_at", at);
    for (int add = 0; add < 2; add++) {
        (void)snprintf(at, sizeof at,
            "theta=%.17g;n=%.17g;m=%.17g;dir=%s;epsp=%.17g", theta, n, m,
            add ? "add" : "remove", out);
        order("mixture <= bound", ask("X004-11.gauss_delta_at", at), bound, at);
    }
    ball rate = ball_div(ball_of(1), ball_of(n));
    for (int side = 0; side < 2; side++) {
        sampled_side first =
            side == 0 ? SAMPLED_MIXTURE_FIRST : SAMPLED_BASE_FIRST;
        dosi_interval one =
            ball_interval(scaled_ball(with_replacement_gaussian_delta(
                first, n, 1, ball_of(theta), ball_of(out), NULL)));
        dosi_interval same = ball_interval(
            sampled_gaussian_delta(first, rate, ball_of(theta), ball_of(out)));
        order("one draw", one, same, at);
        order("one draw", same, one, at);
    }
}

static const prop_property properties[] = {
    {prop_with_replacement, 400},
    {prop_poisson, 400},
    {prop_groups, 1000},
    {prop_plans, 100},
    {prop_mixture, 100},
};

int main(void)
{
    prop_random r = prop_start("prop_subsampling_rows");
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    printf("%d failures\n", failures);
    return failures != 0;
}
