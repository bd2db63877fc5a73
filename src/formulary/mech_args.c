/*
 * Readers of mechanisms by name. The largest loss of randomised response with
 * probability p is |log(p/(1-p))|, for p on both sides of 1/2.
 */
#include "mech_args.h"

#include <stdlib.h>
#include <string.h>

typedef struct mech_kind {
    const char *name;
    const char *parameter;
} mech_kind;

static const mech_kind kinds[] = {
    {"gauss", "sigma"},
    {"laplace", "b"},
    {"rr", "p"},
};

static const size_t n_kinds = sizeof kinds / sizeof *kinds;

static size_t find_kind(const char *name, size_t n)
{
    for (size_t i = 0; i < n_kinds; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, name, n) == 0)
            return i;
    return n_kinds;
}

static chi_law law_of(size_t kind, double x)
{
    ball one = ball_of(1);
    if (kind < 2) {
        ball size = ball_div(one, ball_of(x));
        return kind == 0 ? chi_gaussian(size) : chi_laplace(size);
    }
    ball odds = ball_div(ball_of(x), ball_sub(one, ball_of(x)));
    return chi_response(ball_abs(ball_log(odds)), 2);
}

static dosi_status no_kind(const char *name, size_t n, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "mech is one of gauss, laplace and rr, got '%.*s'",
        n > 40 ? 40 : (int)n, name);
}

dosi_status mech_named(chi_law *law, const char *name, size_t name_bytes,
    double parameter, dosi_error *err)
{
    size_t kind = find_kind(name, name_bytes);
    if (kind == n_kinds)
        return no_kind(name, name_bytes, err);
    if (!(parameter > 0 && parameter < (kind == 2 ? 1 : HUGE_VAL)))
        return formula_domain(err, "needs %s in (0, %s), got %.17g",
            kinds[kind].parameter, kind == 2 ? "1" : "inf", parameter);
    *law = law_of(kind, parameter);
    return DOSI_OK;
}

dosi_status mech_read(chi_law *law, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const char *name = formula_text(args, "mech", &n);
    size_t kind = find_kind(name, n);
    if (kind == n_kinds)
        return no_kind(name, n, err);
    for (size_t i = 0; i < n_kinds; i++)
        if (formula_given(args, kinds[i].parameter) != (i == kind))
            return dosi_fail(err, DOSI_EINVAL,
                "mech=%s takes %s and no other of sigma, b and p",
                kinds[kind].name, kinds[kind].parameter);
    *law = law_of(kind, formula_real(args, kinds[kind].parameter));
    return DOSI_OK;
}

dosi_status mech_read_pure(
    chi_law *law, const formula_args *args, dosi_error *err)
{
    dosi_status status = mech_read(law, args, err);
    if (status == DOSI_OK && law->kind == CHI_GAUSSIAN)
        return formula_domain(
            err, "needs eps(inf) < inf: mech=laplace or mech=rr");
    return status;
}

dosi_status mech_sampled(ball **out, const chi_law *law, ball rate,
    wr_rule rule, const double *exponents, size_t n_exponents, double last,
    dosi_error *err)
{
    wr_base base = wr_base_of_law(law);
    wr_table *table;
    *out = NULL;
    dosi_status status =
        wr_table_new(&table, &base, rule, exponents, n_exponents, last, err);
    if (status != DOSI_OK)
        return status;
    ball *k = calloc((size_t)last, sizeof *k);
    status = k == NULL ? dosi_fail_memory(err)
                       : wr_table_cumulants(k, table, rate, err);
    wr_table_free(table);
    if (status != DOSI_OK) {
        free(k);
        return status;
    }
    *out = k;
    return DOSI_OK;
}

ball mech_log_atom(const chi_law *law)
{
    if (law->kind == CHI_LAPLACE)
        return ball_neg(ball_ln2());
    if (law->kind == CHI_GAUSSIAN)
        return ball_of(-HUGE_VAL);
    /* 1/(1 + e^-eps) */
    return ball_neg(ball_log1pexp(ball_neg(law->parameter)));
}

ball mech_cumulant(ball lambda, const void *law)
{
    return chi_log_moment(law, ball_add_d(lambda, 1));
}
