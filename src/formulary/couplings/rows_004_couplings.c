/*
 * The general method on small tables: distance-compatible couplings, optimal
 * transport on a line or between the samples of a finite sampler, and the
 * bound that they give for it.
 */
#include <stdlib.h>
#include <string.h>

#include "formulary/law_args.h"
#include "formulary/line_args.h"
#include "formulary/profile_args.h"
#include "special/binomial_mean.h"
#include "sampling/couplings.h"
#include "sampling/finite_sampler.h"

/* ---- Samplers ------------------------------------------------------------ */

#define MOST_RECORDS 64
#define MOST_DRAWS 1024

static dosi_status sampler_read(
    sampler *out, const formula_args *args, dosi_error *err)
{
    *out = (sampler){.gamma = ball_of(1), .is_substitute = true};
    const char *takes = "m";
    if (formula_text_is(args, "sampler", "poisson")) {
        out->kind = SAMPLER_POISSON;
        takes = "gamma";
    } else if (formula_text_is(args, "sampler", "wor")) {
        out->kind = SAMPLER_WITHOUT;
    } else if (formula_text_is(args, "sampler", "wr")) {
        out->kind = SAMPLER_WITH;
    } else {
        return dosi_fail(
            err, DOSI_EINVAL, "sampler is one of poisson, wor and wr");
    }
    bool draws = out->kind != SAMPLER_POISSON;
    if (formula_given(args, "m") != draws ||
        formula_given(args, "gamma") == draws)
        return dosi_fail(
            err, DOSI_EINVAL, "this sampler takes n and %s", takes);
    if (formula_text_is(args, "neigh", "R"))
        out->is_substitute = false;
    else if (formula_given(args, "neigh") &&
             !formula_text_is(args, "neigh", "S"))
        return dosi_fail(err, DOSI_EINVAL, "neigh is R or S");
    double n = formula_real(args, "n");
    double m = draws ? formula_real(args, "m") : 1;
    if (n > MOST_RECORDS || m > MOST_DRAWS)
        return dosi_fail(err, DOSI_EUNABLE,
            "every sample is listed: n is at most %d and m %d", MOST_RECORDS,
            MOST_DRAWS);
    out->n = (int)n;
    out->m = (int)m;
    if (!draws)
        out->gamma = ARG("gamma");
    return DOSI_OK;
}

static dosi_status metric_read(
    sampler_metric *out, const formula_args *args, dosi_error *err)
{
    *out = SAMPLER_METRIC_R;
    if (formula_text_is(args, "metric", "R"))
        return DOSI_OK;
    *out = SAMPLER_METRIC_S;
    if (!formula_given(args, "metric") || formula_text_is(args, "metric", "S"))
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL, "metric is R or S");
}

static dosi_status table_read(sampler_table **out, sampler_metric *metric,
    const formula_args *args, dosi_error *err)
{
    sampler s;
    *out = NULL;
    dosi_status status = sampler_read(&s, args, err);
    if (status == DOSI_OK)
        status = metric_read(metric, args, err);
    return status == DOSI_OK ? sampler_table_new(out, &s, err) : status;
}

/* "w1~w0", "w1~w1p", and "w1~mix" for both, mixed by beta. */
static dosi_status pair_read(
    sampler_part *out, const formula_args *args, dosi_error *err)
{
    static const struct {
        const char *name;
        sampler_part part;
    } pairs[] = {
        {"w1~w0", SAMPLER_SHARED},
        {"w1~w1p", SAMPLER_SECOND},
        {"w1~mix", SAMPLER_MIXED},
        {"w1~mixture", SAMPLER_MIXED},
        {"w1~w0+w1p", SAMPLER_MIXED},
        {"w1~(1-beta)w0+beta*w1p", SAMPLER_MIXED},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (formula_text_is(args, "pair", pairs[i].name)) {
            *out = pairs[i].part;
            return DOSI_OK;
        }
    return dosi_fail(
        err, DOSI_EINVAL, "pair is one of w1~w0, w1~w1p and w1~mix");
}

/* The share of w1p in the mixture: given, or that of alpha. */
static ball mixture_beta(const formula_args *args, ball eta)
{
    if (formula_given(args, "beta"))
        return ARG("beta");
    ball alpha = formula_given(args, "alpha") ? ARG("alpha") : ball_of(2);
    return coupling_beta(eta, alpha);
}

static dosi_status sampler_parts_compatible(
    bool *yes, const formula_args *args, dosi_error *err)
{
    sampler_part part = SAMPLER_SECOND;
    sampler_metric metric;
    sampler_table *table;
    dosi_status status = pair_read(&part, args, err);
    if (status == DOSI_OK)
        status = table_read(&table, &metric, args, err);
    if (status != DOSI_OK)
        return status;
    ball eta = sampler_table_eta(table);
    ball beta = mixture_beta(args, eta);
    if (part != SAMPLER_SECOND && ball_is_zero(ball_sub_d(eta, 1)))
        status = formula_domain(err, "needs eta < 1: nothing is shared");
    else
        status = sampler_compatible(yes, table, part, metric, beta, err);
    sampler_table_free(table);
    return status;
}

static dosi_status given_laws_compatible(
    bool *yes, const formula_args *args, dosi_error *err)
{
    law_pair x;
    dosi_status status = law_pair_read(&x, args, err);
    if (status == DOSI_OK)
        status = transport_compatible(yes, &x.t, x.distance, err);
    law_pair_free(&x);
    return status;
}

/* Of the parts of a sampler, or of two laws that are given. */
FORMULA(compatible)
{
    static const char *const of_sampler[] = {"sampler", "n", "m", "gamma",
        "neigh", "metric", "pair", "alpha", "beta"};
    static const char *const of_laws[] = {"nu", "nup", "dist"};
    const size_t n_sampler = sizeof of_sampler / sizeof *of_sampler;
    size_t n_given = 0, n_laws = 0;
    for (size_t i = 0; i < n_sampler; i++)
        n_given += formula_given(args, of_sampler[i]);
    for (size_t i = 0; i < 3; i++)
        n_laws += formula_given(args, of_laws[i]);
    bool by_laws = formula_given(args, "nu") && formula_given(args, "nup");
    bool by_sampler = formula_given(args, "sampler") &&
                      formula_given(args, "n") && formula_given(args, "pair");
    if (by_laws ? n_given > 0 : !by_sampler || n_laws > 0)
        return dosi_fail(err, DOSI_EINVAL,
            "takes sampler, n and pair, or else nu, nup and dist");
    bool yes = false;
    dosi_status status = by_laws ? given_laws_compatible(&yes, args, err)
                                 : sampler_parts_compatible(&yes, args, err);
    return status == DOSI_OK ? formula_give(out, ball_of(yes), err) : status;
}

FORMULA(pipeline)
{
    sampler_metric metric;
    sampler_table *table;
    dosi_status status = table_read(&table, &metric, args, err);
    if (status != DOSI_OK)
        return status;
    sampler_deltas deltas;
    deltas.delta = formula_list(args, "deltas", &deltas.n);
    dosi_interval bound;
    status = sampler_bound(&bound, table, metric, ARG("alpha"), deltas, err);
    sampler_table_free(table);
    return status == DOSI_OK ? formula_give_interval(out, bound, err) : status;
}

/* ---- With replacement in closed form, T004-7 ----------------------------- */

/* omega1(Y_k) = Bin(k; m, 1/n)/eta */
static ball draws_mass(double n, double m, double k)
{
    if (n == 1) /* every draw is the record */
        return ball_of(k == m);
    binomial_mix mix = binomial_mix_of_size(m, n);
    ball log_eta = ball_log(amplify_rate_with_replacement(n, m));
    return ball_exp(ball_sub(binomial_mix_log_weight(&mix, k), log_eta));
}

static dosi_status only_with_replacement(
    const formula_args *args, dosi_error *err)
{
    if (formula_text_is(args, "sampler", "wr"))
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "the closed form is that of sampler=wr; see T004-E3.pipeline");
}

FORMULA(wr_mass)
{
    dosi_status status = only_with_replacement(args, err);
    if (status != DOSI_OK)
        return status;
    ball mass = draws_mass(formula_real(args, "n"), formula_real(args, "m"),
        formula_real(args, "k"));
    return formula_give_interval(out, within(mass, 0, 1), err);
}

/* sum_k omega1(Y_k) delta_k; distances beyond the list cost 1 */
FORMULA(wr_cost)
{
    dosi_status status = only_with_replacement(args, err);
    if (status != DOSI_OK)
        return status;
    size_t n_deltas = 0;
    const double *delta = formula_list(args, "deltas", &n_deltas);
    double n = formula_real(args, "n"), m = formula_real(args, "m");
    for (size_t i = 1; i < n_deltas; i++)
        if (delta[i] < delta[i - 1])
            return formula_domain(err,
                "needs deltas that do not fall, got %.17g after %.17g",
                delta[i], delta[i - 1]);
    ball sum = ball_of(0), rest = ball_of(1);
    for (size_t i = 0; i < n_deltas && (double)i < m; i++) {
        ball mass = draws_mass(n, m, (double)(i + 1));
        sum = ball_add(sum, ball_mul_d(mass, delta[i]));
        rest = ball_sub(rest, mass);
    }
    if ((double)n_deltas < m)
        sum = ball_add(sum, ball_clamp(rest, 0, 1));
    return formula_give_interval(out, within(sum, 0, 1), err);
}

/* ---- Laws point by point ------------------------------------------------- */

static dosi_status line_costs(ball *cost, const law_pair *x, const points *d,
    dosi_error *err)
{
    for (size_t i = 0; i < x->t.n_from * x->t.n_to; i++) {
        size_t k = 0;
        while (k < d->n && d->x[k] != x->distance[i])
            k++;
        if (x->distance[i] != 0 && k == d->n)
            return formula_domain(err,
                "needs a delta for every distance, none for %.17g",
                x->distance[i]);
        cost[i] = ball_of(x->distance[i] == 0 ? 0 : d->value[k]);
    }
    return DOSI_OK;
}

typedef struct line_problem {
    law_pair pair;
    points deltas;
    ball *cost;
} line_problem;

static void line_free(line_problem *x)
{
    law_pair_free(&x->pair);
    points_free(&x->deltas);
    free(x->cost);
}

/* Released with line_free also after a failure. */
static dosi_status line_problem_read(
    line_problem *x, const formula_args *args, dosi_error *err)
{
    *x = (line_problem){.cost = NULL};
    dosi_status status = points_read(&x->deltas, args, "deltas", err);
    if (status == DOSI_OK)
        status = law_pair_read(&x->pair, args, err);
    if (status != DOSI_OK)
        return status;
    x->cost = calloc(x->pair.t.n_from * x->pair.t.n_to, sizeof *x->cost);
    if (x->cost == NULL)
        return dosi_fail_memory(err);
    x->pair.t.cost = x->cost;
    return line_costs(x->cost, &x->pair, &x->deltas, err);
}

FORMULA(line_least)
{
    line_problem x;
    dosi_status status = line_problem_read(&x, args, err);
    dosi_interval least = {0, 0};
    if (status == DOSI_OK)
        status = transport_least(&least, &x.pair.t, err);
    line_free(&x);
    return status == DOSI_OK ? formula_give_interval(out, least, err) : status;
}

FORMULA(line_nearest)
{
    line_problem x;
    dosi_status status = line_problem_read(&x, args, err);
    if (status == DOSI_OK)
        status = formula_give(out, transport_nearest(&x.pair.t), err);
    line_free(&x);
    return status;
}
