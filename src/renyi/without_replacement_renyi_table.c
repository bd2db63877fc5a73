/*
 * Bounds of K' at many orders: the factors Z_j of one base are computed once,
 * and each order takes one pass over them. Derivation:
 * docs/theory/without_replacement.md, sections 1 and 3.
 */
#include "without_replacement_renyi.h"

#include <stdlib.h>

struct wr_table {
    wr_rule rule;
    double max_order;
    scaled *factor; /* Z_j at index j - 2 */
};

/* log B(2), log B(4), .. in even[0], even[1], ..; n of them. */
static void fill_even(ball *even, const wr_base *base, size_t n)
{
    for (size_t i = 0; i < n; i++)
        even[i] = wr_log_difference(base, 2 * ((double)i + 1));
}

typedef struct table_input {
    const wr_base *base;
    const double *exponents;
    size_t n_exponents;
    const ball *even;
} table_input;

static ball log_factor_at(const table_input *in, wr_rule rule, size_t j)
{
    double order = (double)j;
    ball general = wr_log_zeta_general(in->base, order);
    if (rule == WR_GENERAL)
        return general;
    if (rule == WR_HOELDER) {
        const chi_law *law = in->base->law;
        general = ball_min(general, wr_log_zeta_chi(law, order));
        for (size_t i = 0; i < in->n_exponents; i++)
            general = ball_min(general,
                wr_log_zeta_hoelder(law, order, ball_of(in->exponents[i])));
        return general;
    }
    ball own = general;
    if (j > 2) {
        own = wr_mean_log(in->even[j / 2 - 1], in->even[(j + 1) / 2 - 1]);
        own = ball_add(own, ball_scale2(ball_ln2(), 1)); /* log 4 */
    }
    if (rule == WR_CONSISTENT)
        return isinf(own.hi) && own.hi > 0 ? general : own;
    own = ball_min(own, general);
    if (rule == WR_LEAST)
        return own;
    /* sqrt(m(2j-1) B(2j)) */
    ball squares =
        wr_mean_log(wr_log_moment(in->base, 2 * order - 1), in->even[j - 1]);
    return ball_min(own, squares);
}

static bool needs_even(wr_rule rule)
{
    return rule == WR_CONSISTENT || rule == WR_LEAST || rule == WR_SQUARES;
}

static dosi_status fill_table(wr_table *t, const wr_base *base,
    const double *exponents, size_t n_exponents, dosi_error *err)
{
    size_t last = (size_t)t->max_order;
    size_t n = t->rule == WR_SQUARES ? last : (last + 1) / 2;
    ball *even = calloc(n + 1, sizeof *even);
    if (even == NULL)
        return dosi_fail_memory(err);
    if (needs_even(t->rule))
        fill_even(even, base, n);
    table_input in = {base, exponents, n_exponents, even};
    for (size_t j = 2; j <= last; j++) {
        scaled *factor = &t->factor[j - 2];
        if (t->rule == WR_LOWER) {
            *factor = scaled_expm1(wr_log_moment(base, (double)j));
            continue;
        }
        *factor = scaled_exp(log_factor_at(&in, t->rule, j));
    }
    free(even);
    return DOSI_OK;
}

static dosi_status check_rule(
    const wr_base *base, wr_rule rule, double max_order, dosi_error *err)
{
    if (needs_even(rule) && !base->is_consistent)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "this bound needs a base one pair of which attains every order");
    if (rule == WR_HOELDER && base->law == NULL)
        return dosi_fail(
            err, DOSI_EUNSUPPORTED, "this bound needs the law of the base");
    bool cheap = rule == WR_LOWER && base->law == NULL;
    if (!cheap && !(max_order <= WR_TABLE_MAX_ORDER))
        return dosi_fail(err, DOSI_EUNABLE,
            "chi-divergences are not tabulated above alpha = %g, got %g",
            WR_TABLE_MAX_ORDER, max_order);
    return DOSI_OK;
}

dosi_status wr_table_new(wr_table **out, const wr_base *base, wr_rule rule,
    const double *exponents, size_t n_exponents, double max_order,
    dosi_error *err)
{
    *out = NULL;
    dosi_status status = check_rule(base, rule, max_order, err);
    if (status != DOSI_OK)
        return status;
    size_t n = max_order < 2 ? 1 : (size_t)max_order - 1;
    wr_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return dosi_fail_memory(err);
    t->rule = rule;
    t->max_order = max_order;
    t->factor = calloc(n, sizeof *t->factor);
    status = t->factor == NULL
                 ? dosi_fail_memory(err)
                 : fill_table(t, base, exponents, n_exponents, err);
    if (status != DOSI_OK) {
        wr_table_free(t);
        return status;
    }
    *out = t;
    return DOSI_OK;
}

void wr_table_free(wr_table *table)
{
    if (table == NULL)
        return;
    free(table->factor);
    free(table);
}

/* C(order,2) rate^2, times (1-rate)^(order-2) for the lower bound. */
static scaled first_weight(wr_rule rule, ball rate, double order)
{
    ball pairs = ball_scale2(ball_mul(ball_of(order), ball_of(order - 1)), -1);
    scaled w = scaled_of(ball_mul(pairs, ball_sqr(rate)));
    if (rule != WR_LOWER)
        return w;
    ball keep = ball_mul_d(ball_log1p(ball_neg(rate)), order - 2);
    return scaled_mul(w, scaled_exp(keep));
}

/* The sum over j, and the largest term unless its pointer is NULL. */
static scaled table_sum(
    scaled *largest, const wr_table *t, ball rate, double order)
{
    scaled sum = {ball_of(0), 0}, w = first_weight(t->rule, rate, order);
    ball odds =
        t->rule == WR_LOWER ? ball_div(rate, ball_sub(ball_of(1), rate)) : rate;
    double best = -HUGE_VAL;
    for (double j = 2; j <= order; j++) {
        scaled term = scaled_mul(w, t->factor[(size_t)j - 2]);
        sum = scaled_add(sum, term);
        double size = largest == NULL ? best : ball_mid(scaled_log(term));
        if (size > best) {
            best = size;
            *largest = term;
        }
        ball ratio = ball_div_d(ball_mul_d(odds, order - j), j + 1);
        w = scaled_mul_ball(w, ratio);
    }
    return sum;
}

ball wr_table_cumulant(const wr_table *table, ball rate, double order)
{
    if (ball_is_zero(rate))
        return ball_of(0);
    if (table->rule == WR_LOWER && ball_is_zero(ball_sub_d(rate, 1)))
        return scaled_log1p(table->factor[(size_t)order - 2]);
    const scaled *last = &table->factor[(size_t)order - 2];
    if (isinf(last->m.hi))
        return last->m;
    scaled sum = table_sum(NULL, table, rate, order);
    return ball_is_zero(sum.m) ? sum.m : scaled_log1p(sum);
}

/*
 * With x_j = odds^j Z_j the sums over C(a,j) x_j for a = 0, 1, .. are the
 * first entries of rows that start with x and follow by t_j + t_(j+1): the
 * rule of Pascal's triangle.
 */
dosi_status wr_table_cumulants(
    ball *out, const wr_table *table, ball rate, dosi_error *err)
{
    bool is_lower = table->rule == WR_LOWER;
    size_t last = (size_t)table->max_order;
    ball keep = ball_sub(ball_of(1), rate);
    if (ball_is_zero(rate) || (is_lower && ball_is_zero(keep))) {
        for (size_t i = 0; i + 2 <= last; i++)
            out[i] = wr_table_cumulant(table, rate, (double)i + 2);
        return DOSI_OK;
    }
    scaled *row = calloc(last + 1, sizeof *row);
    if (row == NULL)
        return dosi_fail_memory(err);
    ball odds = is_lower ? ball_div(rate, keep) : rate;
    ball log_keep = is_lower ? ball_log1p(ball_neg(rate)) : ball_of(0);
    scaled power = scaled_of(odds);
    row[0] = row[1] = (scaled){ball_of(0), 0};
    for (size_t j = 2; j <= last; j++) {
        power = scaled_mul_ball(power, odds);
        row[j] = scaled_mul(power, table->factor[j - 2]);
    }
    for (size_t order = 1; order <= last; order++) {
        for (size_t j = 0; j + order <= last; j++)
            row[j] = scaled_add(row[j], row[j + 1]);
        if (order < 2)
            continue;
        scaled sum = row[0];
        if (is_lower)
            sum = scaled_mul(
                sum, scaled_exp(ball_mul_d(log_keep, (double)order)));
        out[order - 2] = ball_is_zero(sum.m) ? sum.m : scaled_log1p(sum);
    }
    free(row);
    return DOSI_OK;
}

ball wr_table_log_largest(const wr_table *table, ball rate, double order)
{
    scaled largest = {ball_of(0), 0};
    (void)table_sum(&largest, table, rate, order);
    return scaled_log(largest);
}

ball wr_bound_log_sum(ball log_largest, double order)
{
    return ball_add(
        ball_max(log_largest, ball_of(0)), ball_log(ball_of(order)));
}

ball wr_bound_log1p_sum(ball log_largest, double order)
{
    scaled most = scaled_exp(log_largest);
    return scaled_log1p(scaled_mul_ball(most, ball_of(order - 1)));
}
