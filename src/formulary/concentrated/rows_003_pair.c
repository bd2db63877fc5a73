/*
 * Auditing finite mechanisms: two laws on the same outcomes, their Renyi
 * divergences, privacy profile and least line, verdicts, and inequalities of
 * divergences on the user's own numbers.
 */
#include <string.h>

#include "formulary/line_args.h"
#include "num/decimal.h"
#include "finite/finite_law.h"
#include "renyi/zcdp_slope_search.h"
#include "literature/zcdp_group.h"

/* ---- Reading ------------------------------------------------------------- */

/* What the weights of a law may miss 1 by. */
#define LAW_SUM 1e-12

/* The law of the loss of p against q, by the names of the two lists. */
static dosi_status law_read(finite_law **out, const formula_args *args,
    const char *p, const char *q, dosi_error *err)
{
    *out = NULL;
    dosi_status status = same_length(args, p, q, err);
    if (status == DOSI_OK)
        status = formula_check_sum(args, p, LAW_SUM, err);
    if (status == DOSI_OK)
        status = formula_check_sum(args, q, LAW_SUM, err);
    if (status != DOSI_OK)
        return status;
    size_t n = 0;
    const double *from = formula_list(args, p, &n);
    const double *to = formula_list(args, q, &n);
    return finite_from_pair(out, from, to, n, err);
}

/* Both directions; NULL after a failure. */
typedef struct both {
    finite_law *forward;
    finite_law *reverse;
} both;

static void both_free(both *x)
{
    finite_free(x->forward);
    finite_free(x->reverse);
}

static dosi_status both_read(
    both *out, const formula_args *args, dosi_error *err)
{
    *out = (both){NULL, NULL};
    dosi_status status = law_read(&out->forward, args, "P", "Q", err);
    if (status == DOSI_OK)
        status = law_read(&out->reverse, args, "Q", "P", err);
    if (status != DOSI_OK) {
        both_free(out);
        *out = (both){NULL, NULL};
    }
    return status;
}

/* ---- Values -------------------------------------------------------------- */

FORMULA(audit_renyi)
{
    finite_law *law;
    dosi_status status = law_read(&law, args, "P", "Q", err);
    if (status != DOSI_OK)
        return status;
    status = formula_give(out, finite_renyi(law, ARG("alpha")), err);
    finite_free(law);
    return status;
}

FORMULA(delta_exact)
{
    finite_law *law;
    dosi_status status = law_read(&law, args, "P", "Q", err);
    if (status != DOSI_OK)
        return status;
    status = formula_give(out, finite_delta(law, ARG("eps")), err);
    finite_free(law);
    return status;
}

static ball divergence_of_law(ball order, const void *context)
{
    return finite_renyi(context, order);
}

static dosi_status least_rho_of(
    dosi_interval *out, const finite_law *law, ball xi, dosi_error *err)
{
    size_t n = finite_count(law) + 1;
    const order_curve curve = {.divergence = divergence_of_law,
        .context = law,
        .limit = finite_max_loss(law),
        .range = ball_upper(ball_scale2(finite_pure_epsilon(law), 1)),
        .max_evaluations = 128 + ((size_t)1 << 20) / n};
    return order_least_rho(out, &curve, xi, err);
}

FORMULA(least_rho)
{
    both x;
    dosi_status status = both_read(&x, args, err);
    if (status != DOSI_OK)
        return status;
    dosi_interval one_way, other_way;
    if (!ball_is_zero(finite_p_inf(x.forward)) ||
        !ball_is_zero(finite_q_inf(x.forward)))
        status =
            formula_domain(err, "needs P and Q positive at the same places");
    if (status == DOSI_OK)
        status = least_rho_of(&one_way, x.forward, ARG("xi"), err);
    if (status == DOSI_OK)
        status = least_rho_of(&other_way, x.reverse, ARG("xi"), err);
    if (status == DOSI_OK)
        status = formula_give_interval(out, iv_max(one_way, other_way), err);
    both_free(&x);
    return status;
}

/* ---- Verdicts ------------------------------------------------------------ */

FORMULA(is_approx)
{
    both x;
    dosi_status status = both_read(&x, args, err);
    if (status != DOSI_OK)
        return status;
    ball worst = ball_max(finite_delta(x.forward, ARG("eps")),
        finite_delta(x.reverse, ARG("eps")));
    status = give_verdict(out, worst, ARG("delta"), err);
    both_free(&x);
    return status;
}

FORMULA(is_pure)
{
    finite_law *law;
    dosi_status status = law_read(&law, args, "P", "Q", err);
    if (status != DOSI_OK)
        return status;
    status = give_verdict(out, finite_pure_epsilon(law), ARG("eps"), err);
    finite_free(law);
    return status;
}

/* ---- Inequalities -------------------------------------------------------- */

FORMULA(mixture_bound)
{
    finite_law *first = NULL, *second = NULL;
    dosi_status status = law_read(&first, args, "P0", "Q0", err);
    if (status == DOSI_OK)
        status = law_read(&second, args, "P1", "Q1", err);
    if (status == DOSI_OK)
        status = formula_give(out,
            ball_max(finite_renyi(first, ARG("alpha")),
                finite_renyi(second, ARG("alpha"))),
            err);
    finite_free(first);
    finite_free(second);
    return status;
}

/* The triangle inequality of Renyi divergences with a split k > 1:
 *     D_alpha(P||Q) <= s/(s - 1) D_f(P||R) + D_s(R||Q),
 * s = k alpha, f = (s - 1)/(k - 1). */
static ball second_order(const formula_args *args)
{
    return ball_mul(ARG("k"), ARG("alpha"));
}

static ball triangle_of(const formula_args *args)
{
    ball s = second_order(args), factor = ball_div(s, ball_sub_d(s, 1));
    return ball_add(ball_mul(factor, ARG("DPR")), ARG("DRQ"));
}

FORMULA_BALL(triangle_first,
    ball_div(
        ball_sub_d(second_order(args), 1), ball_sub_d(ARG("k"), 1)))
FORMULA_BALL(triangle_second, second_order(args))
FORMULA_BALL(triangle, triangle_of(args))

/* E[f(X - shift)] of a law P on the values X, f = exp(scale x). */
static ball moment_of(const formula_args *args, double scale, ball shift)
{
    size_t n = 0;
    const double *x = formula_list(args, "X", &n);
    const double *p = formula_list(args, "P", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        ball y = ball_mul_d(ball_sub(ball_of(x[i]), shift), scale);
        sum = ball_add(sum, ball_mul_d(ball_exp(y), p[i]));
    }
    return sum;
}

static dosi_status check_values(const formula_args *args, dosi_error *err)
{
    dosi_status status = same_length(args, "X", "P", err);
    return status == DOSI_OK ? formula_check_sum(args, "P", LAW_SUM, err)
                             : status;
}

FORMULA(centred_moment)
{
    dosi_status status = check_values(args, err);
    if (status != DOSI_OK)
        return status;
    size_t n = 0;
    const double *x = formula_list(args, "X", &n);
    const double *p = formula_list(args, "P", &n);
    ball mean = ball_of(0);
    for (size_t i = 0; i < n; i++)
        mean = ball_add(mean, ball_mul_d(ball_of(p[i]), x[i]));
    return formula_give(out, moment_of(args, 1, mean), err);
}

FORMULA(centred_moment_bound)
{
    dosi_status status = check_values(args, err);
    if (status != DOSI_OK)
        return status;
    ball sum = ball_add(
        moment_of(args, 2, ball_of(0)), moment_of(args, -2, ball_of(0)));
    return formula_give(out, ball_scale2(sum, -1), err);
}

/* ---- A counterexample ---------------------------------------------------- */

/* "x" or "x*exp(y)". */
static bool read_scaled_exp(ball *out, const char *text, size_t n)
{
    double x = 0, y = 0;
    size_t used = 0, more = 0;
    if (!decimal_read(&x, text, n, &used))
        return false;
    *out = ball_of(x);
    if (used == n)
        return true;
    static const char open[] = "*exp(";
    const size_t n_open = sizeof open - 1;
    if (n - used <= n_open || memcmp(text + used, open, n_open) != 0)
        return false;
    used += n_open;
    if (!decimal_read(&y, text + used, n - used, &more) ||
        used + more + 1 != n || text[n - 1] != ')')
        return false;
    *out = ball_mul(*out, ball_exp(ball_of(y)));
    return true;
}

/* delta of P = (p, 1 - p) against Q = (q1, 1 - q1) at eps. */
FORMULA(pair_by_first)
{
    size_t n = 0, n_text = 0;
    const double *p = formula_list(args, "P", &n);
    const char *text = formula_text(args, "q1", &n_text);
    ball q1;
    dosi_status status = formula_check_sum(args, "P", LAW_SUM, err);
    if (status != DOSI_OK)
        return status;
    if (n != 2)
        return formula_domain(err, "needs P of 2 elements, got %zu", n);
    if (!read_scaled_exp(&q1, text, n_text))
        return dosi_fail(err, DOSI_EINVAL,
            "q1 is a number or NUMBER*exp(NUMBER), got '%.*s'",
            n_text > 40 ? 40 : (int)n_text, text);
    ball q2 = ball_sub(ball_of(1), q1), grown = ball_exp(ARG("eps"));
    if (!ball_is_nonnegative(q1) || !ball_is_nonnegative(q2))
        return formula_domain(
            err, "needs 0 <= q1 <= 1, got q1 = %.17g", ball_mid(q1));
    ball first = ball_sub(ball_of(p[0]), ball_mul(grown, q1));
    ball second = ball_sub(ball_of(p[1]), ball_mul(grown, q2));
    ball sum =
        ball_add(ball_max(first, ball_of(0)), ball_max(second, ball_of(0)));
    return formula_give(out, sum, err);
}
