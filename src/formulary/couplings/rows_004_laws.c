/*
 * Finite laws given outcome by outcome: divergence, total variation, the
 * maximal coupling, advanced joint convexity; and with replacement the
 * Gaussian mixture in closed form.
 */
#include <stdlib.h>

#include "formulary/line_args.h"
#include "formulary/profile_args.h"
#include "sampling/couplings.h"
#include "sampling/with_replacement_gaussian.h"

/* ---- Reading ------------------------------------------------------------- */

#define MAX_LAWS 3

/* Up to three laws on the same outcomes; released with laws_free. */
typedef struct laws {
    ball *mass[MAX_LAWS];
    size_t n;
} laws;

static void laws_free(laws *x)
{
    for (size_t i = 0; i < MAX_LAWS; i++)
        free(x->mass[i]);
}

/* The lists, of one length; false if memory is missing. */
static bool laws_copy(laws *out, const formula_args *args,
    const char *const *names, size_t n_names)
{
    for (size_t i = 0; i < n_names; i++) {
        const double *p = formula_list(args, names[i], &out->n);
        out->mass[i] = malloc(out->n * sizeof(ball));
        if (out->mass[i] == NULL)
            return false;
        for (size_t j = 0; j < out->n; j++)
            out->mass[i][j] = ball_of(p[j]);
    }
    return true;
}

/* Released with laws_free also after a failure. */
static dosi_status laws_read(laws *out, const formula_args *args,
    const char *const *names, size_t n_names, dosi_error *err)
{
    *out = (laws){.n = 0};
    for (size_t i = 0; i < n_names; i++) {
        dosi_status status = same_length(args, names[0], names[i], err);
        if (status == DOSI_OK)
            status = formula_check_sum(args, names[i], 1e-9, err);
        if (status != DOSI_OK)
            return status;
    }
    return laws_copy(out, args, names, n_names) ? DOSI_OK
                                                : dosi_fail_memory(err);
}

static const char *const pair_names[] = {"P", "Q"};
static const char *const mixture_names[] = {"mu0", "mu1", "mu1p"};

/* Defines a row of one expression in p, q and n. */
#define PAIR_BALL(function, expression)                                        \
    FORMULA(function)                                                          \
    {                                                                          \
        laws x;                                                                \
        dosi_status status = laws_read(&x, args, pair_names, 2, err);          \
        const ball *p = x.mass[0], *q = x.mass[1];                             \
        if (status == DOSI_OK)                                                 \
            status = formula_give(out, (expression), err);                     \
        laws_free(&x);                                                         \
        return status;                                                         \
    }

PAIR_BALL(laws_divergence, coupling_divergence(p, q, x.n, ARG("alpha")))
PAIR_BALL(total_variation, coupling_divergence(p, q, x.n, ball_of(1)))
PAIR_BALL(singular, coupling_singular(p, q, x.n))

FORMULA(check)
{
    laws x;
    dosi_status status = laws_read(&x, args, pair_names, 2, err);
    if (status == DOSI_OK) {
        ball d = coupling_divergence(
            x.mass[0], x.mass[1], x.n, ball_exp(ARG("eps")));
        status = give_verdict(out, d, ARG("delta"), err);
    }
    laws_free(&x);
    return status;
}

/* ---- The maximal coupling ------------------------------------------------ */

typedef enum part { PART_COMMON, PART_FIRST, PART_SECOND, PART_JOINT } part;

static ball part_of(const laws *x, part which, size_t i, size_t j)
{
    const ball *p = x->mass[0], *q = x->mass[1];
    ball eta = coupling_divergence(p, q, x->n, ball_of(1));
    switch (which) {
    case PART_COMMON:
        return coupling_common(p, q, eta, i);
    case PART_FIRST:
        return coupling_own(p, q, eta, i);
    case PART_SECOND:
        return coupling_own(q, p, eta, i);
    case PART_JOINT:
        return coupling_joint(p, q, eta, i, j);
    }
    return ball_unknown();
}

static dosi_status give_value(dosi_interval *out, const laws *x, part which,
    double i, double j, dosi_error *err)
{
    if (!(fmax(i, j) < (double)x->n))
        return formula_domain(
            err, "needs an outcome below %zu, got %.17g", x->n, fmax(i, j));
    ball value = part_of(x, which, (size_t)i, (size_t)j);
    if (ball_is_unknown(value))
        return formula_domain(err, "needs %s",
            which == PART_COMMON ? "eta < 1: disjoint laws share nothing"
                                 : "eta > 0: equal laws have no own part");
    return formula_give_interval(out, within(value, 0, 1), err);
}

static dosi_status give_part(
    dosi_interval *out, const formula_args *args, part which, dosi_error *err)
{
    laws x;
    double j = which == PART_JOINT ? formula_real(args, "j") : 0;
    dosi_status status = laws_read(&x, args, pair_names, 2, err);
    if (status == DOSI_OK)
        status = give_value(out, &x, which, formula_real(args, "i"), j, err);
    laws_free(&x);
    return status;
}

#define PART_ROW(function, which)                                              \
    FORMULA(function)                                                          \
    {                                                                          \
        return give_part(out, args, which, err);                               \
    }

PART_ROW(common, PART_COMMON)
PART_ROW(first_part, PART_FIRST)
PART_ROW(second_part, PART_SECOND)
PART_ROW(joint, PART_JOINT)

/* ---- Advanced joint convexity -------------------------------------------- */

/* Defines a row of one expression in x, the mixture, and alpha. */
#define MIXTURE_BALL(function, expression)                                     \
    FORMULA(function)                                                          \
    {                                                                          \
        laws read;                                                             \
        dosi_status status = laws_read(&read, args, mixture_names, 3, err);    \
        coupling_mixture x = {                                                 \
            read.mass[0], read.mass[1], read.mass[2], read.n, ARG("eta")};     \
        ball alpha = ARG("alpha");                                             \
        if (status == DOSI_OK)                                                 \
            status = formula_give(out, (expression), err);                     \
        laws_free(&read);                                                      \
        return status;                                                         \
    }

MIXTURE_BALL(alpha_out, coupling_alpha_out(x.eta, alpha))
MIXTURE_BALL(mixture_exact, coupling_exact(&x, alpha))
MIXTURE_BALL(mixture_upper, coupling_upper(&x, alpha))
MIXTURE_BALL(mixture_naive, coupling_naive(&x, alpha))

/* ---- With replacement, X004-11 ------------------------------------------- */

static dosi_status wr_gauss(
    scaled *out, const formula_args *args, dosi_error *err)
{
    sampled_side side = SAMPLED_MIXTURE_FIRST;
    if (formula_text_is(args, "dir", "add"))
        side = SAMPLED_BASE_FIRST;
    else if (!formula_text_is(args, "dir", "remove"))
        return dosi_fail(err, DOSI_EINVAL, "dir is remove or add");
    *out = with_replacement_gaussian_delta(side, formula_real(args, "n"),
        formula_real(args, "m"), ARG("theta"), ARG("epsp"), NULL);
    return DOSI_OK;
}

FORMULA(wr_gauss_delta)
{
    scaled d = {ball_unknown(), 0};
    dosi_status status = wr_gauss(&d, args, err);
    return status == DOSI_OK ? give_probability(out, d, err) : status;
}

FORMULA(wr_gauss_log_delta)
{
    scaled d = {ball_unknown(), 0};
    dosi_status status = wr_gauss(&d, args, err);
    return status == DOSI_OK ? give_log_probability(out, d, err) : status;
}

/* ---- Distances, T004-DIST ------------------------------------------------ */

FORMULA(distance)
{
    size_t n = 0;
    dosi_status status = same_length(args, "x", "y", err);
    if (status != DOSI_OK)
        return status;
    const double *x = formula_list(args, "x", &n);
    const double *y = formula_list(args, "y", &n);
    ball apart = ball_of(0), gap = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        ball d = ball_sub_d(ball_of(x[i]), y[i]);
        apart = ball_add(apart, ball_abs(d));
        gap = ball_add(gap, d);
    }
    if (formula_text_is(args, "metric", "R"))
        return formula_give(out, apart, err);
    if (!formula_text_is(args, "metric", "S"))
        return dosi_fail(err, DOSI_EINVAL, "metric is R or S");
    return formula_give(out,
        ball_is_zero(gap) ? ball_scale2(apart, -1) : ball_of(HUGE_VAL), err);
}
