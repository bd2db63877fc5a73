/*
 * Sampling without replacement under the replace relation: upper and lower
 * bounds of the Rényi curve, at one order.
 */
#include "formula.h"

#include "mech_args.h"
#include "num/binomial.h"
#include "repr/sampled_law.h"
#include "repr/without_replacement.h"

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
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        return give_rule(out, args, rule, err);                                \
    }

RULE_ROW(general, WR_GENERAL)
RULE_ROW(consistent, WR_CONSISTENT)
RULE_ROW(least, WR_LEAST)
RULE_ROW(squares, WR_SQUARES)
RULE_ROW(lower, WR_LOWER)

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

static dosi_status hoelder(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status general_table(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status nested(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
    ball pure = wr_pure_cap(inner.rate, chi_pure(&law)), k;
    wr_base base = wr_base_of_curve(curve_of_sample, &inner, pure);
    status = wr_cumulant(&k, &base, ARG("gamma2"), WR_GENERAL, order, err);
    wr_table_free(table);
    return status == DOSI_OK ? formula_give(out, ball_div_d(k, order - 1), err)
                             : status;
}

/* ---- Real orders ------------------------------------------------------- */

static dosi_status interpolated(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
    pure_bound, wr_pure_bound(ARG("gamma"), ARG("alpha"),
                    chi_divergence(&law, ARG("alpha")), chi_pure(&law)))
MECH_PURE_BALL(pure_limit, wr_pure_bound(ARG("gamma"), ball_of(HUGE_VAL),
                               chi_pure(&law), chi_pure(&law)))
MECH_PURE_BALL(general_limit, wr_general_limit(ARG("gamma"), chi_pure(&law)))
MECH_PURE_BALL(cap, wr_pure_cap(ARG("gamma"), chi_pure(&law)))
MECH_BALL(cap_kl, ball_mul(ARG("gamma"), chi_divergence(&law, ball_of(1))))
FORMULA_BALL(gap, wr_gap(ARG("gamma"), ARG("alpha")))

static dosi_status phase(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status log_largest(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball x;
    dosi_status status = read_largest(&x, args, err);
    return status == DOSI_OK ? formula_give(out, ball_max(x, ball_of(0)), err)
                             : status;
}

static dosi_status log_sum_bound(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball x;
    double order = formula_real(args, "alpha");
    dosi_status status = read_largest(&x, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, ball_div_d(wr_bound_log_sum(x, order), order - 1), err);
}

static dosi_status log1p_sum_bound(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status log_sum_exp(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const double *x = formula_list(args, "x", &n);
    scaled sum = {ball_of(0), 0};
    for (size_t i = 0; i < n; i++)
        sum = scaled_add(sum, scaled_exp(ball_of(x[i])));
    return formula_give(out, scaled_log(sum), err);
}

#define RATE ", 0 < gamma <= 1"
#define WHOLE VALID_MECH RATE ", alpha >= 2, alpha whole"
#define REAL VALID_MECH RATE ", alpha > 1"

static const formula_row rows[] = {
    {"T002-9.eps", "sample.renyi", MECH ";gamma;alpha", "upper", WHOLE,
        "Rényi bound on a sample without replacement, any mechanism "
        "(Theorem 9).",
        general},
    {"X002-9.table.eps", "sample.renyi_of_curve",
        "gamma;alpha;eps_table_2_up[];eps_inf", "upper",
        "0 < gamma <= 1, alpha >= 2, alpha whole, 0 <= eps_table_2_up <= inf, "
        "0 <= eps_inf <= inf; given at 2 .. alpha",
        "The same from a Rényi curve at 2, 3, .., alpha and its pure level.",
        general_table},
    {"T002-19.eps", "sample.renyi_consistent", MECH ";gamma;alpha", "upper",
        WHOLE, "Bound for tight, self-consistent mechanisms (Theorem 19).",
        consistent},
    {"X002-min.eps", "sample.renyi_least", MECH ";gamma;alpha", "upper", WHOLE,
        "Theorems 9 and 19, the smaller term at each j.", least},
    {"X002-best30.eps", "sample.renyi_squares", MECH ";gamma;alpha", "upper",
        WHOLE, "Theorems 9 and 19 and Remark 30, the smallest term at each j.",
        squares},
    {"X002-L29.eps", "sample.renyi_hoelder", MECH ";gamma;alpha;ugrid[]",
        "upper", WHOLE ", ugrid > 1",
        "Theorem 9, 4 xi(j)^j and Lemma 29 at each u, the smallest at each j.",
        hoelder},
    {"P002-20.eps", "sample.renyi_lower", MECH ";gamma;alpha", "lower", WHOLE,
        "Below the Rényi divergence of the worst data sets.", lower},
    {"X002-20.frac.eps", "sample.renyi_lower_real", MECH ";gamma;alpha",
        "lower", REAL,
        "The same at a real order; on a Poisson sample exact, mixture first.",
        lower_real},
    {"X002-20.frac.eps_reverse", "sample.poisson_renyi_reverse",
        MECH ";gamma;alpha", "exact", REAL,
        "Rényi divergence on a Poisson sample, base against mixture.",
        poisson_reverse},
    {"R002-20.gap", "sample.gap", "gamma;alpha", "upper",
        "0 < gamma < 1, alpha > 1",
        "How far sample.renyi can be above sample.renyi_lower.", gap},
    {"C002-10.eps", "sample.renyi_real", MECH ";gamma;alpha", "upper", REAL,
        "sample.renyi at a real order, by convexity of the cumulant.",
        interpolated},
    {"A002-3.nested.eps", "sample.renyi_nested", MECH ";gamma1;gamma2;alpha",
        "upper",
        VALID_MECH
        ", 0 < gamma1 <= 1, 0 < gamma2 <= 1, alpha >= 2, alpha whole",
        "A sample of rate gamma2 of a sample of rate gamma1.", nested},
    {"X002-jensencap.eps", "sample.renyi_jensen", MECH ";gamma;alpha", "upper",
        REAL, "Bound by joint convexity, never above the base.", jensen},
    {"X002-cap.eps", "sample.renyi_cap", MECH ";gamma", "upper",
        VALID_MECH RATE "; eps(inf) finite",
        "Bound of every order by the pure level of the sample.", cap},
    {"X002-cap.kl", "sample.kl_cap", MECH ";gamma", "upper", VALID_MECH RATE,
        "Kullback-Leibler divergence on a sample: gamma times the base's.",
        cap_kl},
    {"R002-9.pure", "sample.renyi_pure", MECH ";gamma;alpha", "upper",
        REAL "; eps(inf) finite",
        "Closed bound for mechanisms with a pure level.", pure_bound},
    {"R002-9.pure_limit", "sample.renyi_pure_limit", MECH ";gamma", "upper",
        VALID_MECH RATE "; eps(inf) finite",
        "What sample.renyi_pure tends to for large orders.", pure_limit},
    {"X002-9.limit", "sample.renyi_limit", MECH ";gamma", "exact",
        VALID_MECH RATE "; eps(inf) finite",
        "What sample.renyi tends to for large orders.", general_limit},
    {"R002-9.phase", "sample.phase", MECH ";gamma", "exact",
        VALID_MECH RATE "; gamma e^eps(1) < 1",
        "The order where the sampled curve changes regime.", phase},
    {"X002-9.jump", "sample.jump", "sigma;gamma", "exact",
        "sigma > 0, 0 < gamma <= 1",
        "The order where a sampled Gaussian's bound explodes.", jump},
    {"R002-9.asymptotic", "sample.renyi_small_approx", MECH ";gamma;alpha",
        "approximate", REAL,
        "(alpha/2) gamma^2 c_2, for orders below sample.phase.", asymptotic},
    {"S002-4.max", "sample.log_largest", MECH ";gamma;alpha", "helper", WHOLE,
        "log of the largest term of Theorem 9, the leading 1 included.",
        log_largest},
    {"S002-4.upper_eps", "sample.renyi_by_largest", MECH ";gamma;alpha",
        "upper", WHOLE, "Theorem 9 by its largest term and log alpha.",
        log_sum_bound},
    {"X002-lse.upper_eps", "sample.renyi_by_largest_sharp", MECH ";gamma;alpha",
        "upper", WHOLE,
        "Theorem 9 by alpha - 1 times its largest term beside the 1.",
        log1p_sum_bound},
    {"S002-4.logbinom", "sample.log_binomial", "n;j", "helper",
        "n >= 0, n whole, j >= 0, j whole, j <= n",
        "log of the binomial coefficient C(n, j).", log_binomial},
    {"S002-4.lse", "sample.log_sum_exp", "x[]", "helper", "",
        "log of the sum of exponentials.", log_sum_exp},
};

FORMULA_TABLE(formula_002_sample, rows);
