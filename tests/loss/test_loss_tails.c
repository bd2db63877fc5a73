/*
 * Masses of loss laws against profiles that are known in closed form: with
 * the tails beyond s the profile is P[L > s] - e^s Q[L > s], and the same
 * from below; and against mixtures integrated by Arb.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <cmocka.h>

#include "profile/profile.h"
#include "loss/loss_tails.h"

static loss_law loss_of(
    loss_noise noise, double parameter, loss_map map, double rate)
{
    return (loss_law){.noise = noise,
        .map = map,
        .parameter = ball_of(parameter),
        .rate = ball_of(rate),
        .count = 1};
}

/* P[L > s] - e^s Q[L > s] of the whole law. */
static ball profile_above(loss_tails *c, double s)
{
    loss_tail t = loss_upper(c, ball_of(s));
    ball d = ball_add(ball_sub(t.p, t.xq), c->p_inf);
    for (size_t i = 0; i < loss_atom_count(c); i++) {
        loss_atom a = loss_atom_at(c, i);
        ball gap = ball_sub(ball_of(s), a.at);
        if (ball_is_negative(gap))
            d = ball_sub(d, ball_mul(a.p, ball_expm1(gap)));
    }
    return d;
}

/* 1 - e^s + e^s Q[L < s] - P[L < s], which is the same. */
static ball profile_below(loss_tails *c, double s)
{
    loss_tail t = loss_lower(c, ball_of(s));
    ball d = ball_sub(ball_sub(t.xq, t.p), ball_expm1(ball_of(s)));
    for (size_t i = 0; i < loss_atom_count(c); i++) {
        loss_atom a = loss_atom_at(c, i);
        ball gap = ball_sub(ball_of(s), a.at);
        if (ball_is_positive(gap))
            d = ball_add(d, ball_mul(a.p, ball_expm1(gap)));
    }
    return d;
}

static void check_profile(loss_law pair, const privacy_profile *known)
{
    static const double at[] = {0, 0.001, 0.04, 0.3, 0.62, 1, 2.5, 7};
    loss_tails c;
    loss_tails_init(&c, &pair);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double s = sign * at[i];
            dosi_interval want = profile_delta(known, ball_of(s));
            ball got = sign > 0 ? profile_above(&c, s) : profile_below(&c, s);
            if (!(ball_lower(got) <= want.hi && want.lo <= ball_upper(got)))
                fail_msg("noise %d map %d at %g: [%.17g, %.17g] and %.17g",
                    (int)pair.noise, (int)pair.map, s, want.lo, want.hi,
                    ball_mid(got));
            assert_true(got.rad <= 1e-26);
        }
}

static void profiles_are_the_closed_ones(void **state)
{
    (void)state;
    privacy_profile bases[3] = {
        profile_gaussian(ball_of(0.8), ATTAINED_BY_MECHANISM),
        profile_laplace(ball_of(0.8)), profile_exponential(ball_of(0.8))};
    for (int i = 0; i < 3; i++) {
        loss_noise noise = (loss_noise)i;
        check_profile(loss_of(noise, 0.8, LOSS_PLAIN, 1), &bases[i]);
        for (int j = 0; j < 3; j++) {
            double rate = j == 0 ? 0.01 : j == 1 ? 0.3 : 0.75;
            ball q = ball_of(rate);
            privacy_profile removed = profile_poisson(&bases[i], q, false);
            privacy_profile added = profile_poisson(&bases[i], q, true);
            privacy_profile fixed =
                profile_without_replacement(&bases[i], &bases[i], q);
            check_profile(
                loss_of(noise, 0.8, LOSS_MIXTURE_FIRST, rate), &removed);
            check_profile(loss_of(noise, 0.8, LOSS_BASE_FIRST, rate), &added);
            check_profile(
                loss_of(noise, 0.8, LOSS_WITHOUT_REPLACEMENT, rate), &fixed);
        }
    }
}

/* All of P, and all of Q, is somewhere. */
static void masses_sum_to_one(void **state)
{
    (void)state;
    for (int noise = LOSS_GAUSSIAN; noise <= LOSS_EXPONENTIAL; noise++)
        for (int map = LOSS_PLAIN; map <= LOSS_WITHOUT_REPLACEMENT; map++) {
            loss_law pair = loss_of((loss_noise)noise, 1.3, (loss_map)map, 0.2);
            loss_tails c;
            loss_tails_init(&c, &pair);
            loss_tail above = loss_upper(&c, ball_of(0));
            loss_tail below = loss_lower(&c, ball_of(0));
            ball p = ball_add(above.p, below.p);
            ball q = ball_add(above.xq, below.xq);
            for (size_t i = 0; i < loss_atom_count(&c); i++) {
                loss_atom a = loss_atom_at(&c, i);
                p = ball_add(p, a.p);
                q = ball_add(q, ball_mul(a.p, ball_exp(ball_neg(a.at))));
            }
            assert_true(ball_lower(p) <= 1 && ball_upper(p) >= 1);
            assert_true(ball_lower(q) <= 1 && ball_upper(q) >= 1);
            assert_true(p.rad < 1e-28 && q.rad < 1e-28);
        }
}

static void assert_same(ball a, ball b)
{
    ball gap = ball_sub(a, b);
    assert_true(fabs(gap.hi) <= gap.rad);
    assert_true(gap.rad <= 1e-24 * fabs(a.hi));
}

/* One record, removed or added, is Poisson sampling. */
static void single_splits_are_the_two_directions(void **state)
{
    (void)state;
    for (int added = 0; added <= 1; added++) {
        loss_law split = loss_of(LOSS_GAUSSIAN, 0.9, LOSS_GROUP, 0.1);
        split.added = (unsigned)added;
        split.removed = 1 - split.added;
        loss_law pair = loss_of(LOSS_GAUSSIAN, 0.9,
            added ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST, 0.1);
        loss_tails a, b;
        loss_tails_init(&a, &split);
        loss_tails_init(&b, &pair);
        assert_same(ball_of(0), ball_of(0));
        for (int i = 0; i <= 10; i++) {
            ball s = ball_of(0.01 * i);
            loss_tail x = loss_upper(&a, s), y = loss_upper(&b, s);
            assert_same(x.p, y.p);
            assert_same(x.xq, y.xq);
            x = loss_lower(&a, ball_neg(s));
            y = loss_lower(&b, ball_neg(s));
            assert_same(x.p, y.p);
            assert_same(x.xq, y.xq);
        }
    }
}

/* sum_i Bin(i; n, q) phi(y - i shift) at y. */
static void mixture(
    acb_t out, const acb_t y, int n, double q, double shift, slong bits)
{
    acb_t term, z;
    acb_init(term);
    acb_init(z);
    acb_zero(out);
    double choose = 1;
    for (int i = 0; i <= n; i++) {
        arb_t w, r;
        arb_init(w);
        arb_init(r);
        arb_set_d(w, q);
        arb_pow_ui(w, w, (ulong)i, bits);
        arb_set_d(r, q);
        arb_sub_ui(r, r, 1, bits);
        arb_neg(r, r);
        arb_pow_ui(r, r, (ulong)(n - i), bits);
        arb_mul(w, w, r, bits);
        arb_set_d(r, choose);
        arb_mul(w, w, r, bits);
        arb_set_d(r, shift);
        arb_mul_si(r, r, i, bits);
        acb_sub_arb(z, y, r, bits);
        acb_mul(z, z, z, bits);
        acb_mul_2exp_si(z, z, -1);
        acb_neg(z, z);
        acb_exp(z, z, bits);
        acb_mul_arb(term, z, w, bits);
        acb_add(out, out, term, bits);
        choose = choose * (n - i) / (i + 1);
        arb_clear(r);
        arb_clear(w);
    }
    acb_clear(z);
    acb_clear(term);
}

typedef struct pair_at {
    int removed, added;
    double q, mu, x;
} pair_at;

static int excess(
    acb_ptr out, const acb_t y, void *param, slong order, slong bits)
{
    (void)order;
    const pair_at *at = param;
    acb_t q;
    acb_init(q);
    mixture(out, y, at->removed, at->q, at->mu, bits);
    mixture(q, y, at->added, at->q, -at->mu, bits);
    arb_t x;
    arb_init(x);
    arb_set_d(x, at->x);
    acb_mul_arb(q, q, x, bits);
    acb_sub(out, out, q, bits);
    arb_clear(x);
    acb_clear(q);
    return 0;
}

/* The integral of P - x Q over y > edge, over sqrt(2 pi). */
static double excess_above(pair_at at, double edge)
{
    acb_t a, b, sum;
    mag_t tol;
    arb_t pi;
    acb_init(a);
    acb_init(b);
    acb_init(sum);
    mag_init(tol);
    arb_init(pi);
    mag_set_ui_2exp_si(tol, 1, -90);
    acb_set_d(a, edge);
    acb_set_d(b, edge + 20);
    acb_calc_integrate(sum, excess, &at, a, b, 90, tol, NULL, 120);
    arb_const_pi(pi, 120);
    arb_mul_2exp_si(pi, pi, 1);
    arb_sqrt(pi, pi, 120);
    acb_div_arb(sum, sum, pi, 120);
    double value = arf_get_d(arb_midref(acb_realref(sum)), ARF_RND_NEAR);
    arb_clear(pi);
    mag_clear(tol);
    acb_clear(sum);
    acb_clear(b);
    acb_clear(a);
    return value;
}

/* The hockey stick is the greatest excess over a half line, attained at the
 * threshold; near it the excess is flat, so that a grid of edges finds it to
 * twice their digits. */
static void splits_maximise_the_excess(void **state)
{
    (void)state;
    loss_law pair = loss_of(LOSS_GAUSSIAN, 0.7, LOSS_GROUP, 0.25);
    pair.removed = 2;
    pair.added = 1;
    loss_tails c;
    loss_tails_init(&c, &pair);
    for (int i = 0; i < 3; i++) {
        double s = 0.35 * i;
        loss_tail t = loss_upper(&c, ball_of(s));
        ball d = ball_sub(t.p, t.xq);
        assert_true(d.rad < 1e-24);
        pair_at at = {2, 1, 0.25, 0.7, exp(s)};
        double best = excess_above(at, c.last_threshold);
        assert_true(fabs(best - ball_mid(d)) <= 1e-15);
        assert_true(excess_above(at, c.last_threshold + 0.01) < best);
        assert_true(excess_above(at, c.last_threshold - 0.01) < best);
        /* below: 1 - x + x Q - P */
        loss_tail b = loss_lower(&c, ball_of(s));
        ball e = ball_sub(ball_sub(b.xq, b.p), ball_expm1(ball_of(s)));
        assert_same(d, e);
    }
}

/* The sketch is close: its masses sum to 1, its e^-L to 1. */
static void sketches_are_close(void **state)
{
    (void)state;
    static loss_sketch sketch;
    for (int noise = LOSS_GAUSSIAN; noise <= LOSS_EXPONENTIAL; noise++)
        for (int map = LOSS_PLAIN; map <= LOSS_GROUP; map++) {
            if (map == LOSS_GROUP && noise != LOSS_GAUSSIAN)
                continue;
            loss_law pair = loss_of((loss_noise)noise, 1.3, (loss_map)map, 0.2);
            pair.removed = 2;
            pair.added = 1;
            loss_tails c;
            loss_tails_init(&c, &pair);
            loss_sketch_fill(&sketch, &c);
            double p = 0, q = 0;
            for (size_t i = 0; i < sketch.n; i++) {
                p += exp(sketch.log_mass[i]);
                q += exp(sketch.log_mass[i] - sketch.at[i]);
            }
            assert_true(fabs(p - 1) < 0.05 && fabs(q - 1) < 0.05);
        }
}

/*
 * Odds of the base beyond the range of doubles: mu = 50 has losses of 1250 +-
 * 50, and s = 0.1 at the rate q is log(e^0.1 - 1) - log q, some 711, or 742, of
 * the base. Above it is all of q P except Phi(-10), and nothing of Q.
 */
static void odds_may_overflow(void **state)
{
    (void)state;
    static const double rates[] = {1e-310, 1e-316, 5e-324};
    for (int i = 0; i < 3; i++) {
        loss_tails c;
        loss_law pair =
            loss_of(LOSS_GAUSSIAN, 50, LOSS_MIXTURE_FIRST, rates[i]);
        loss_tails_init(&c, &pair);
        loss_tail t = loss_upper(&c, ball_of(0.1));
        assert_true(ball_lower(t.p) <= rates[i] * (1 - 0x1p-50));
        assert_true(ball_upper(t.p) >= rates[i]);
        assert_true(t.p.rad <= 0x1p-1050 && !ball_is_unknown(t.xq));
        assert_true(ball_lower(t.xq) <= 0 && ball_upper(t.xq) >= 0);
        pair.map = LOSS_BASE_FIRST; /* where nothing is above -log(1 - q) */
        loss_tails_init(&c, &pair);
        t = loss_lower(&c, ball_of(-0.1));
        assert_true(ball_upper(t.xq) >= rates[i] * 0.9);
        assert_true(t.xq.rad <= 0x1p-1050);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_the_closed_ones),
        cmocka_unit_test(masses_sum_to_one),
        cmocka_unit_test(single_splits_are_the_two_directions),
        cmocka_unit_test(splits_maximise_the_excess),
        cmocka_unit_test(odds_may_overflow),
        cmocka_unit_test(sketches_are_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
