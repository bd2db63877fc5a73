/*
 * Lists of what matters of runs of finite laws: their profiles, from either
 * side, against those of all atoms; masses; limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/round.h"
#include "repr/rare_atoms.h"

/* What a list says of delta, from above and from below. */
static dosi_interval delta_of(const rare_atoms *r, double eps)
{
    dosi_interval v = {r->inf[1], r->inf[0]};
    for (size_t i = 0; i < r->n; i++) {
        const rare_atom *a = &r->list[i];
        assert_true(a->lo > 0 && a->lo <= a->hi && a->rad >= 0);
        v.lo += a->lo * fmax(-expm1(eps - a->at + a->rad), 0);
        v.hi += a->hi * fmax(-expm1(eps - a->at - a->rad), 0);
    }
    return v;
}

static void check_list(
    const rare_atoms *r, const atoms *all, double level, double width)
{
    double lo = 0, hi = r->inf[0];
    for (size_t i = 0; i < r->n; i++) {
        lo += r->list[i].lo;
        hi += r->list[i].hi;
    }
    double most = ball_mid(atoms_loss(all, atoms_count(all) - 1));
    assert_true(lo <= 1 + 1e-12 && hi >= 1 - 1e-12);
    for (int j = -4; j < 40; j++) {
        double eps = most * j / 40.0;
        dosi_interval v = delta_of(r, eps);
        double truth = ball_mid(atoms_delta(all, ball_of(eps)));
        double off = 1e-12 * truth;
        if (!(v.lo <= truth + off && v.hi >= truth - off))
            fail_msg("eps %g: [%.17g, %.17g] misses %.17g", eps, v.lo, v.hi,
                truth);
        if (!(v.hi - v.lo <= width * truth + 1e5 * level))
            fail_msg("eps %g: [%.17g, %.17g]", eps, v.lo, v.hi);
    }
}

static const double first[] = {0.5, 0.3, 0.15, 0.05, 1e-6};
static const double second[] = {0.2, 0.3, 0.5, 0, 1e-5};

static void runs_are_listed(void **state)
{
    (void)state;
    const double levels[] = {1e-3, 1e-12, 1e-60, 1e-200};
    const double counts[] = {1, 2, 7, 60};
    const double rates[] = {1, 0.3, 1e-4};
    for (int i = 0; i < 48; i++) {
        double k = counts[i % 4], level = levels[i / 4 % 4];
        atoms *pair = NULL, *law = NULL, *all = NULL;
        rare_atoms r;
        assert_int_equal(
            atoms_from_pair(&pair, first, second, 5, NULL), DOSI_OK);
        assert_int_equal(atoms_poisson(&law, pair, ball_of(rates[i / 16]),
                             ATOMS_REMOVE, NULL), DOSI_OK);
        assert_int_equal(atoms_power(&all, law, k, 0, NULL), DOSI_OK);
        assert_int_equal(
            rare_atoms_power(&r, law, k, level, 1 << 18, NULL, NULL), DOSI_OK);
        check_list(&r, all, level, 1e-9);
        rare_atoms_free(&r);
        atoms_free(all);
        atoms_free(law);
        atoms_free(pair);
    }
}

static void lists_are_composed(void **state)
{
    (void)state;
    atoms *law = NULL, *leaky = NULL, *a = NULL, *b = NULL, *all = NULL;
    assert_int_equal(atoms_from_pair(&law, first, second, 3, NULL), DOSI_OK);
    assert_int_equal(atoms_leaky_response(
                         &leaky, ball_of(0.4), ball_of(1e-5), NULL), DOSI_OK);
    assert_int_equal(atoms_power(&a, law, 12, 0, NULL), DOSI_OK);
    assert_int_equal(atoms_power(&b, leaky, 9, 0, NULL), DOSI_OK);
    assert_int_equal(atoms_convolve(&all, a, b, 0, NULL), DOSI_OK);
    for (double level = 1e-3; level > 1e-100; level *= 1e-8) {
        rare_atoms x, y, both;
        assert_int_equal(
            rare_atoms_power(&x, law, 12, level, 1000, NULL, NULL), DOSI_OK);
        assert_int_equal(
            rare_atoms_power(&y, leaky, 9, level, 1000, NULL, NULL), DOSI_OK);
        assert_int_equal(
            rare_atoms_compose(&both, &x, &y, level, 4000, NULL), DOSI_OK);
        check_list(&both, all, level, 1e-9);
        size_t n = both.n;
        rare_atoms_free(&both);
        assert_int_equal(rare_atoms_compose(&both, &x, &y, level, n - 1, NULL),
            DOSI_EUNABLE);
        rare_atoms_free(&both);
        rare_atoms_free(&x);
        rare_atoms_free(&y);
    }
    atoms_free(all);
    atoms_free(a);
    atoms_free(b);
    atoms_free(leaky);
    atoms_free(law);
}

static void limits_are_kept(void **state)
{
    (void)state;
    atoms *law = NULL;
    rare_atoms r;
    assert_int_equal(atoms_from_pair(&law, first, second, 5, NULL), DOSI_OK);
    assert_int_equal(
        rare_atoms_power(&r, law, 1000, 1e-60, 100, NULL, NULL), DOSI_EUNABLE);
    rare_atoms_free(&r);
    assert_int_equal(rare_atoms_power(&r, law, 1, 1e-60, 2, NULL, NULL),
        DOSI_EUNABLE);
    rare_atoms_free(&r);
    atoms_free(law);
}

/* Walks rest on masses that are known to a unit: others count as lost. */
static void vague_masses_are_lost(void **state)
{
    (void)state;
    ball at[] = {ball_of(0), ball_of(0.1)};
    ball vague = ball_widen(ball_of(1e-13), 1e-16);
    ball log_mass[] = {ball_log1p(ball_of(-1e-13)), ball_log(vague)};
    atoms *law = NULL;
    rare_atoms r;
    assert_int_equal(atoms_from_losses(&law, at, log_mass, 2, ball_of(0),
                         ball_of(0), NULL), DOSI_OK);
    assert_int_equal(
        rare_atoms_power(&r, law, 5, 1e-30, 1000, NULL, NULL), DOSI_OK);
    double listed = 0;
    for (size_t i = 0; i < r.n; i++)
        if (r.list[i].at > 0.05 && r.list[i].at < 0.15)
            listed += r.list[i].hi;
    assert_true(listed + r.inf[0] >= 5.005e-13 * (1 - 1e-9));
    rare_atoms_free(&r);
    atoms_free(law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_listed),
        cmocka_unit_test(lists_are_composed),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(vague_masses_are_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
