/*
 * Readers of curves by family, of sampling rates and of bands.
 */
#include "family_args.h"

#include <string.h>

static const struct family {
    const char *name;
    bool has_eps, has_mu, has_rate;
} families[] = {
    {"gauss", false, true, false},
    {"pure", true, false, false},
    {"laplace", false, true, false},
    {"Cpure", true, false, true},
    {"CG", false, true, true},
};

static ball sampled_cube(const formula_args *args)
{
    fixed_sample s = {ARG("p"), ARG("mu")};
    return ball_is_zero(s.rate) || ball_is_zero(s.mu) ? ball_of(0)
                                                      : fixed_sample_cube(&s);
}

static loss_moments moments_of(size_t kind, const formula_args *args)
{
    switch (kind) {
    case 0:
        return moments_of_gauss(ARG("mu"));
    case 1:
        return moments_of_pure(ARG("eps"));
    case 2:
        return moments_of_laplace(ARG("mu"));
    case 3:
        return moments_of_sampled_pure(ARG("p"), ARG("eps"));
    default:
        return moments_of_sampled_gauss(ARG("p"), ARG("mu"), false);
    }
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
            formula_given(args, "mu") != f->has_mu ||
            formula_given(args, "p") != f->has_rate)
            return dosi_fail(err, DOSI_EINVAL, "f=%s takes %s%s", f->name,
                f->has_eps ? "eps" : "mu", f->has_rate ? " and p" : "");
        *out = moments_of(i, args);
        if (i == 4)
            out->cube = sampled_cube(args);
        return DOSI_OK;
    }
    return dosi_fail(
        err, DOSI_EINVAL, "f is gauss, pure, laplace, Cpure or CG");
}

dosi_status family_read_band(
    clt_band *out, const formula_args *args, dosi_error *err)
{
    loss_moments m;
    dosi_status status = family_read(&m, args, err);
    if (status != DOSI_OK)
        return status;
    if (ball_is_zero(m.variance))
        return formula_domain(err, "needs a loss that varies, f is perfect");
    *out = clt_band_of(&m, ARG("n"));
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
