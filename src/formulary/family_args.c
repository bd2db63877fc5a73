/*
 * Readers of named curves by their moments, of sampling rates and of bands.
 */
#include "family_args.h"

#include <string.h>

#include "curve_args.h"
#include "num/decimal.h"

static const struct family {
    const char *name;
    curve_family kind;
    bool has_eps, has_rate;
} families[] = {
    {"gauss", CURVE_GAUSS, false, false},
    {"pure", CURVE_APPROX, true, false},
    {"laplace", CURVE_LAPLACE, false, false},
    {"Cpure", CURVE_APPROX, true, true},
    {"CG", CURVE_GAUSS, false, true},
    {"Cgauss", CURVE_GAUSS, false, true},
};

/* The cube of a sampled Gaussian is not computed: 0. */
static loss_moments moments_of(curve c, bool is_sampled)
{
    ball parameter = ball_of(c.parameter), rate = ball_of(c.rate);
    if (c.family == CURVE_LAPLACE)
        return moments_of_laplace(parameter);
    if (c.family == CURVE_APPROX)
        return is_sampled ? moments_of_sampled_pure(rate, parameter)
                          : moments_of_pure(parameter);
    return is_sampled ? moments_of_sampled_gauss(rate, parameter, false)
                      : moments_of_gauss(parameter);
}

static ball sampled_cube(const formula_args *args)
{
    fixed_sample s = {ARG("p"), ARG("mu")};
    return ball_is_zero(s.rate) || ball_is_zero(s.mu) ? ball_of(0)
                                                      : fixed_sample_cube(&s);
}

dosi_status family_read(
    loss_moments *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *text = formula_text(args, "f", &n);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const struct family *f = &families[i];
        if (strlen(f->name) != n || memcmp(f->name, text, n) != 0)
            continue;
        if (formula_given(args, "eps") != f->has_eps ||
            formula_given(args, "mu") == f->has_eps ||
            formula_given(args, "p") != f->has_rate)
            return dosi_fail(err, DOSI_EINVAL, "f=%s takes %s%s", f->name,
                f->has_eps ? "eps" : "mu", f->has_rate ? " and p" : "");
        curve c = {f->kind, formula_real(args, f->has_eps ? "eps" : "mu"), 0,
            f->has_rate ? formula_real(args, "p") : 1};
        *out = moments_of(c, f->has_rate);
        if (f->has_rate && f->kind == CURVE_GAUSS)
            out->cube = sampled_cube(args);
        return DOSI_OK;
    }
    return dosi_fail(
        err, DOSI_EINVAL, "f is gauss, pure, laplace, Cpure or Cgauss");
}

/* ---- Ledgers ------------------------------------------------------------- */

/* Reads one entry of n bytes, COUNT*CURVE or CURVE. */
static dosi_status read_entry(
    loss_moments *sum, const char *text, size_t n, dosi_error *err)
{
    double count = 1, number = 0;
    size_t used = 0;
    if (n > 0 && decimal_read(&number, text, n, &used)) {
        count = number;
        if (used == n || text[used] != '*')
            return dosi_fail(err, DOSI_EINVAL,
                "ledger is a list COUNT*CURVE|COUNT*CURVE, got '%.*s'",
                n > 40 ? 40 : (int)n, text);
        text += used + 1;
        n -= used + 1;
    }
    if (!(count >= 0 && count <= 0x1p53 && floor(count) == count))
        return formula_domain(
            err, "needs whole counts >= 0 in ledger, got %.17g", count);
    curve c;
    dosi_status status = curve_parse(&c, text, n, "ledger", err);
    if (status != DOSI_OK)
        return status;
    bool is_sampled = n > 0 && text[0] == 'C';
    if (c.delta > 0)
        return formula_domain(err,
            "needs E|L|^3 < inf in ledger, got delta = %.17g", c.delta);
    if (is_sampled && c.family == CURVE_LAPLACE)
        return dosi_fail(err, DOSI_EUNABLE,
            "the moments of a sampled Laplace mechanism are not known");
    loss_moments m = moments_of(c, is_sampled);
    moments_add(sum, &m, count);
    return DOSI_OK;
}

static dosi_status ledger_read(
    loss_moments *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *text = formula_text(args, "ledger", &n), *end = text + n;
    ball zero = ball_of(0);
    *out = (loss_moments){zero, zero, zero, zero, zero};
    for (;;) {
        const char *bar = memchr(text, '|', (size_t)(end - text));
        const char *next = bar == NULL ? end : bar;
        dosi_status status = read_entry(out, text, (size_t)(next - text), err);
        if (status != DOSI_OK || bar == NULL)
            return status;
        text = bar + 1;
    }
}

dosi_status family_read_band(
    clt_band *out, const formula_args *args, dosi_error *err)
{
    loss_moments m;
    bool has_ledger = formula_given(args, "ledger");
    bool has_one = formula_given(args, "f") && formula_given(args, "n");
    bool has_part = formula_given(args, "f") || formula_given(args, "n") ||
                    formula_given(args, "eps") || formula_given(args, "mu") ||
                    formula_given(args, "p");
    if (has_ledger ? has_part : !has_one)
        return dosi_fail(err, DOSI_EINVAL,
            "the steps are f, its parameters and n, or else ledger");
    dosi_status status = has_ledger ? ledger_read(&m, args, err)
                                    : family_read(&m, args, err);
    if (status != DOSI_OK)
        return status;
    if (ball_is_zero(m.variance))
        return formula_domain(err, "needs a loss that varies, %s is perfect",
            has_ledger ? "ledger" : "f");
    *out = clt_band_of(&m, has_ledger ? ball_of(1) : ARG("n"));
    return DOSI_OK;
}

dosi_status rate_read(ball *out, const formula_args *args, dosi_error *err)
{
    bool by_size = formula_given(args, "m") && formula_given(args, "n");
    if (by_size == formula_given(args, "p") ||
        formula_given(args, "m") != formula_given(args, "n"))
        return formula_domain(
            err, "needs the sampling rate as p, or as m and n");
    if (!by_size) {
        *out = ARG("p");
        return DOSI_OK;
    }
    if (formula_real(args, "m") > formula_real(args, "n"))
        return formula_domain(err, "needs m <= n, got m = %.17g, n = %.17g",
            formula_real(args, "m"), formula_real(args, "n"));
    *out = ball_div(ARG("m"), ARG("n"));
    return DOSI_OK;
}

dosi_status band_require(
    const clt_band *b, ball limit, const char *words, dosi_error *err)
{
    if (ball_less(b->gamma, limit))
        return DOSI_OK;
    if (ball_is_unknown(b->gamma))
        return dosi_fail(err, DOSI_EUNABLE,
            "the moments could not be certified in double range");
    return formula_domain(
        err, "needs %s, got gamma = %.17g", words, ball_mid(b->gamma));
}
