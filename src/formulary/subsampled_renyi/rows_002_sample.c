/*
 * Sampling without replacement under the replace relation: upper and lower
 * bounds of the Rényi curve, at one order.
 */
#include "formulary/formula.h"

#include "formulary/mech_args.h"
#include "special/binomial.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/without_replacement_renyi.h"
#include "sampling/amplify.h"

/* K'(alpha - 1)/(alpha - 1) by a rule. */
static dosi_status give_rule(
    dosi_interval *out, const formula_args *args, wr_rule rule, dosi_error *err)
{
    chi_law law;
    ball k;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    wr_base base = wr_base_of_law(&law);
    double order = formula_real(args, "alpha");
    status = wr_cumulant(&k, &base, ARG("gamma"), rule, order, err);
    return status == DOSI_OK ? formula_give(out, ball_div_d(k, order - 1), err)
                             : status;
}

#define RULE_ROW(function, rule)                                               \
    FORMULA(function)                                                          \
    {                                                                          \
        return give_rule(out, args, rule, err);                                \
    }

RULE_ROW(general, WR_GENERAL)
RULE_ROW(consistent, WR_CONSISTENT)
RULE_ROW(least, WR_LEAST)
RULE_ROW(squares, WR_SQUARES)
RULE_ROW(sample_renyi_lower, WR_LOWER)

/* A table of one rule for the mechanism, up to alpha. */
static dosi_status read_table(wr_table **table, const formula_args *args,
    wr_rule rule, const double *exponents, size_t n, dosi_error *err)
{
    chi_law law;
    *table = NULL;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    wr_base base = wr_base_of_law(&law);
    return wr_table_new(
        table, &base, rule, exponents, n, formula_real(args, "alpha"), err);
}

FORMULA(hoelder)
{
    size_t n = 0;
    const double *u = formula_list(args, "ugrid", &n);
    double order = formula_real(args, "alpha");
    wr_table *table;
    dosi_status status = read_table(&table, args, WR_HOELDER, u, n, err);
    if (status != DOSI_OK)
        return status;
    ball k = wr_table_cumulant(table, ARG("gamma"), order);
    wr_table_free(table);
    return formula_give(out, ball_div_d(k, order - 1), err);
}

/* ---- A base known by its curve ----------------------------------------- */

FORMULA(general_table)
{
    const double *eps = NULL;
    double order = formula_real(args, "alpha");
    dosi_status status = formula_orders(&eps, args, err);
    if (status != DOSI_OK)
        return status;
    wr_base base = wr_base_of_curve(formula_orders_curve, eps, ARG("eps_inf"));
    ball k;
    status = wr_cumulant(&k, &base, ARG("gamma"), WR_GENERAL, order, err);
    return status == DOSI_OK ? formula_give(out, ball_div_d(k, order - 1), err)
                             : status;
}

/* The curve of the mechanism on a sample; context is a table and a rate. */
typedef struct sampled_curve {
    const wr_table *table;
    ball rate;
} sampled_curve;

static ball curve_of_sample(double order, const void *context)
{
    const sampled_curve *c = context;
    ball k = wr_table_cumulant(c->table, c->rate, order);
    return ball_div_d(k, order - 1);
}

FORMULA(nested)
{
    chi_law law;
    wr_table *table;
    double order = formula_real(args, "alpha");
    dosi_status status = mech_read(&law, args, err);
    if (status == DOSI_OK)
        status = read_table(&table, args, WR_GENERAL, NULL, 0, err);
    if (status != DOSI_OK)
        return status;
    sampled_curve inner = {table, ARG("gamma1")};
    ball pure = amplify_epsilon(inner.rate, chi_pure(&law)), k;
    wr_base base = wr_base_of_curve(curve_of_sample, &inner, pure);
    status = wr_cumulant(&k, &base, ARG("gamma2"), WR_GENERAL, order, err);
    wr_table_free(table);
    return status == DOSI_OK ? formula_give(out, ball_div_d(k, order - 1), err)
                             : status;
}

/* ---- Real orders ------------------------------------------------------- */

FORMULA(interpolated)
{
    chi_law law;
    ball k, t = ball_sub_d(ARG("alpha"), 1);
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    wr_base base = wr_base_of_law(&law);
    status = wr_cumulant_real(&k, &base, ARG("gamma"), WR_GENERAL, t, err);
    return status == DOSI_OK ? formula_give(out, ball_div(k, t), err) : status;
}

/* The mixture against the base, exactly, and the reverse. */
MECH_BALL(lower_real,
    sampled_law_renyi(SAMPLED_MIXTURE_FIRST, &law, ARG("gamma"), ARG("alpha")))
MECH_BALL(poisson_reverse,
    sampled_law_renyi(SAMPLED_BASE_FIRST, &law, ARG("gamma"), ARG("alpha")))

/* ---- Closed bounds ----------------------------------------------------- */

static ball jensen_of(const chi_law *law, const formula_args *args)
{
    ball order = ARG("alpha");
    ball k = wr_jensen(ARG("gamma"), chi_log_moment(law, order));
    return ball_div(k, ball_sub_d(order, 1));
}

MECH_BALL(jensen, jensen_of(&law, args))
MECH_PURE_BALL(
    sample_renyi_pure, wr_pure_bound(ARG("gamma"), ARG("alpha"),
                    chi_divergence(&law, ARG("alpha")), chi_pure(&law)))
MECH_PURE_BALL(pure_limit, wr_pure_bound(ARG("gamma"), ball_of(HUGE_VAL),
                               chi_pure(&law), chi_pure(&law)))
MECH_PURE_BALL(general_limit, wr_general_limit(ARG("gamma"), chi_pure(&law)))
MECH_PURE_BALL(cap, amplify_epsilon(ARG("gamma"), chi_pure(&law)))
MECH_BALL(cap_kl, ball_mul(ARG("gamma"), chi_divergence(&law, ball_of(1))))
FORMULA_BALL(gap, wr_gap(ARG("gamma"), ARG("alpha")))

FORMULA(phase)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    dosi_interval order = wr_phase_order(&law, ARG("gamma"));
    if (order.hi == HUGE_VAL)
        return formula_domain(
            err, "needs gamma e^eps(1) < 1, else there is no such order");
    return formula_give_interval(out, order, err);
}

/* 1 + 2 sigma^2 log(1/gamma) */
FORMULA_BALL(
    jump, ball_sub(ball_of(1), ball_mul(ball_scale2(ball_sqr(ARG("sigma")), 1),
                                   ball_log(ARG("gamma")))))

/* (alpha/2) gamma^2 c_2 */
static ball small_order(const chi_law *law, const formula_args *args)
{
    wr_base base = wr_base_of_law(law);
    ball c2 = ball_exp(wr_log_zeta_general(&base, 2));
    ball front =
        ball_mul(ball_scale2(ARG("alpha"), -1), ball_sqr(ARG("gamma")));
    return ball_mul(front, c2);
}

MECH_BALL(asymptotic, small_order(&law, args))

/* ---- Large orders ------------------------------------------------------ */

/* The largest term of the sum of Theorem 9. */
static dosi_status read_largest(
    ball *largest, const formula_args *args, dosi_error *err)
{
    wr_table *table;
    dosi_status status = read_table(&table, args, WR_GENERAL, NULL, 0, err);
    if (status != DOSI_OK)
        return status;
    *largest =
        wr_table_log_largest(table, ARG("gamma"), formula_real(args, "alpha"));
    wr_table_free(table);
    return DOSI_OK;
}

FORMULA(log_largest)
{
    ball x;
    dosi_status status = read_largest(&x, args, err);
    return status == DOSI_OK ? formula_give(out, ball_max(x, ball_of(0)), err)
                             : status;
}

FORMULA(log_sum_bound)
{
    ball x;
    double order = formula_real(args, "alpha");
    dosi_status status = read_largest(&x, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, ball_div_d(wr_bound_log_sum(x, order), order - 1), err);
}

FORMULA(log1p_sum_bound)
{
    ball x;
    double order = formula_real(args, "alpha");
    dosi_status status = read_largest(&x, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, ball_div_d(wr_bound_log1p_sum(x, order), order - 1), err);
}

FORMULA_BALL(log_binomial,
    ball_log_binomial(formula_real(args, "n"), formula_real(args, "j")))

FORMULA(log_sum_exp)
{
    size_t n = 0;
    const double *x = formula_list(args, "x", &n);
    scaled sum = {ball_of(0), 0};
    for (size_t i = 0; i < n; i++)
        sum = scaled_add(sum, scaled_exp(ball_of(x[i])));
    return formula_give(out, scaled_log(sum), err);
}
