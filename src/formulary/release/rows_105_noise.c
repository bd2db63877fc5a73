/*
 * Integer noise (spec 105): masses, tails and variances of the four laws,
 * half widths of intervals and thresholds for cells, and the envelope of the
 * sampler.
 */
#include "formulary/formula.h"
#include "formulary/line_args.h"
#include "release_laws/integer_law.h"
#include "formulary/noise_args.h"

/* ---- The laws ---------------------------------------------------------- */

static dosi_status law_scale(
    double *out, const formula_args *args, const char *name, dosi_error *err)
{
    *out = formula_real(args, name);
    if (*out >= INTEGER_LAW_MIN_SCALE && *out <= INTEGER_LAW_MAX_SCALE)
        return DOSI_OK;
    return formula_domain(
        err, "needs a scale from 2^-60 to 2^60, got %s = %.17g", name, *out);
}

/* Defines a row of one expression >= 0 in scale, which has its law's name. */
#define LAW_ROW(function, name, expression)                                    \
    FORMULA(function)                                                          \
    {                                                                          \
        double scale = 0;                                                      \
        dosi_status status = law_scale(&scale, args, name, err);               \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        dosi_interval value = within((expression), 0, HUGE_VAL);               \
        return formula_give_interval(out, value, err);                         \
    }
#define INDEX ((int64_t)formula_real(args, "k"))
#define LAW_ROWS(prefix, law, name)                                            \
    LAW_ROW(prefix##_mass, name, integer_law_pmf(law, scale, INDEX))           \
    LAW_ROW(prefix##_tail, name, integer_law_tail(law, scale, INDEX))          \
    LAW_ROW(prefix##_variance, name, integer_law_variance(law, scale))

LAW_ROWS(discrete_gaussian, DOSI_NOISE_DISCRETE_GAUSSIAN, "sigma")
LAW_ROWS(discrete_laplace, DOSI_NOISE_DISCRETE_LAPLACE, "b")
LAW_ROWS(round_gaussian, DOSI_NOISE_ROUND_GAUSSIAN, "s")
LAW_ROWS(round_laplace, DOSI_NOISE_ROUND_LAPLACE, "s")

/* ---- Intervals and thresholds ------------------------------------------ */

FORMULA(half_width)
{
    dosi_noise_law law;
    int64_t a = 0;
    dosi_status status = noise_law_read(&law, args, err);
    if (status == DOSI_OK)
        status = integer_law_half_width(&a, law, formula_real(args, "scale"),
            formula_real(args, "beta"), err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, ball_of_int(a), err);
}

FORMULA(threshold_delta)
{
    dosi_noise_law law;
    double scale = 0;
    dosi_status status = noise_law_read(&law, args, err);
    if (status == DOSI_OK)
        status = law_scale(&scale, args, "scale", err);
    if (status != DOSI_OK)
        return status;
    int64_t k =
        (int64_t)formula_real(args, "tau") - (int64_t)formula_real(args, "m");
    return formula_give(out, integer_law_tail(law, scale, k), err);
}

/* ---- The envelope ------------------------------------------------------ */

/* The scale under the name that its law has, or as "scale". */
static dosi_status scale_read(
    double *out, const formula_args *args, dosi_error *err)
{
    static const char *const names[] = {"sigma", "b", "s", "scale"};
    size_t n_given = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (formula_given(args, names[i])) {
            *out = formula_real(args, names[i]);
            n_given++;
        }
    if (n_given == 1)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "a discrete law has one scale: sigma, b, s or scale");
}

/* Lengths of a discrete law are whole numbers W, those of a rounded law
 * ratios w of its scale; either may be left out. */
static dosi_status envelope_read(
    envelope *e, const formula_args *args, dosi_error *err)
{
    dosi_noise_law law;
    double scale = 1;
    dosi_status status = noise_law_read(&law, args, err);
    bool is_discrete = status == DOSI_OK &&
                       (law == DOSI_NOISE_DISCRETE_GAUSSIAN ||
                           law == DOSI_NOISE_DISCRETE_LAPLACE);
    if (status == DOSI_OK && is_discrete)
        status = scale_read(&scale, args, err);
    if (status != DOSI_OK)
        return status;
    if (formula_given(args, is_discrete ? "w" : "W"))
        return dosi_fail(err, DOSI_EINVAL,
            "a discrete law takes W, a rounded one w");
    *e = envelope_of(law, scale);
    e->columns = (int64_t)formula_real(args, "columns");
    if (formula_given(args, "W"))
        e->width = (envelope_ratio){(int64_t)formula_real(args, "W"), 1};
    else if (formula_given(args, "w"))
        status = noise_ratio_read(&e->width, args, "w", err);
    if (status == DOSI_OK)
        status = noise_ratio_read(&e->brick, args, "u", err);
    return status;
}

FORMULA(pieces)
{
    envelope e;
    int64_t n = 0;
    dosi_status status = envelope_read(&e, args, err);
    if (status == DOSI_OK)
        status = envelope_pieces(&n, &e, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, ball_of_int(n), err);
}

FORMULA(proposals)
{
    envelope e;
    int64_t n = 0;
    dosi_status status = envelope_read(&e, args, err);
    if (status == DOSI_OK)
        status = envelope_pieces(&n, &e, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, envelope_proposals(&e, n), err);
}
