#include "mechanism.h"

#include <stdlib.h>

#include "renyi/renyi.h"

static const lowering *const table[DOSI_KIND_COUNT] = {
    [DOSI_GAUSSIAN] = &lower_gaussian,
    [DOSI_LAPLACE] = &lower_laplace,
    [DOSI_DISCRETE_GAUSSIAN] = &lower_discrete_gaussian,
    [DOSI_DISCRETE_LAPLACE] = &lower_discrete_laplace,
    [DOSI_RANDOMIZED_RESPONSE] = &lower_randomized_response,
    [DOSI_EXPONENTIAL] = &lower_exponential,
    [DOSI_PURE] = &lower_pure,
    [DOSI_APPROX] = &lower_approx,
    [DOSI_ZCDP] = &lower_zcdp_box,
    [DOSI_RENYI] = &lower_renyi_box,
    [DOSI_GDP] = &lower_gdp,
    [DOSI_PMF] = &lower_pmf,
    [DOSI_LOSS] = &lower_loss,
    [DOSI_NONPRIVATE] = &lower_nonprivate,
    [DOSI_POISSON] = &lower_poisson,
    [DOSI_WITHOUT_REPLACEMENT] = &lower_without_replacement,
    [DOSI_WITH_REPLACEMENT] = &lower_with_replacement,
};

const lowering *lower_of(const part *p)
{
    return table[dosi_plan_kind(p->node)];
}

bool lower_decline(const lower_context *c, const char *reason)
{
    c->pool->reason = reason;
    return false;
}

lower_mix lower_mix_nothing(void)
{
    return (lower_mix){.mu = ball_of(0),
        .eps0 = ball_of(0),
        .delta0 = ball_of(0),
        .exact = true};
}

bool lower_loss_noise(loss *out, loss_noise noise, ball parameter,
    law_flag flag)
{
    *out = (loss){.noise = noise,
        .flag = flag,
        .composed = noise == LOSS_EXPONENTIAL ? LAW_BOUND : flag,
        .parameter = parameter,
        .rate = ball_of(1)};
    return !ball_is_unknown(parameter);
}

#define LARGEST 0x1p400

bool lower_within(
    ball *x, bool *exact, lower_side side, const lower_context *c)
{
    if (ball_upper(*x) <= LARGEST) /* not if it is unknown */
        return true;
    if (side == LOWER_ABOVE)
        return ball_upper(*x) < HUGE_VAL ||
               lower_decline(c, "there is almost no noise");
    *x = ball_of(LARGEST);
    *exact = false;
    return true;
}

bool lower_loss_member(loss *out, ball mu, const lower_context *c)
{
    return ball_is_positive(mu)
               ? lower_loss_noise(out, LOSS_GAUSSIAN, mu, LAW_CLASS)
               : lower_decline(c, "no member of the class is known");
}

bool lower_loss_finite(loss *out, const atoms *finite, law_flag flag)
{
    *out = (loss){.noise = LOSS_FINITE,
        .flag = flag,
        .composed = flag,
        .parameter = ball_of(1),
        .finite = finite,
        .rate = ball_of(1)};
    return finite != NULL;
}

bool lower_loss_response(loss *out, ball eps, ball delta, law_flag flag,
    const lower_context *c)
{
    atoms *made = NULL;
    dosi_status status = atoms_leaky_response(&made, eps, delta, NULL);
    return lower_loss_finite(out,
        law_made(c->pool, status) ? law_own(c->pool, made) : NULL, flag);
}

void lower_group_box(ball *eps, ball *delta, double k)
{
    if (k == 1)
        return;
    ball step = *eps;
    *eps = ball_mul_d(step, k);
    if (ball_is_zero(*delta))
        return;
    /* (e^(k eps) - 1)/(e^eps - 1) = 1 + e^eps + ... + e^((k-1) eps) */
    ball factor = ball_of(k);
    if (!ball_is_zero(step)) {
        ball log_factor =
            ball_sub(ball_logexpm1(*eps), ball_logexpm1(step));
        factor = ball_exp(log_factor); /* unknown beyond the range */
    }
    *delta = ball_mul(*delta, factor);
    if (!(ball_upper(*delta) < 1))
        *delta = ball_of(1);
}

const atoms *lower_lattice_atoms(lower_lattice fill, size_t m, size_t n,
    ball parameter, const lower_context *c)
{
    ball *at = malloc(2 * n * sizeof *at);
    if (at == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    fill(at, at + n, m, parameter);
    atoms *made = NULL;
    dosi_status status = atoms_from_losses(
        &made, at, at + n, n, ball_of(0), ball_of(0), NULL);
    free(at);
    return law_made(c->pool, status) ? law_own(c->pool, made) : NULL;
}

size_t lower_lattice_cells(const part *p, const lower_context *c)
{
    double cells = fmin(64, floor(192 / p->count));
    return c->fine && cells >= 4 ? (size_t)cells : 0;
}

bool lower_renyi_response(lower_renyi *out, ball order, ball eps, ball leak)
{
    out->upper = out->lower = renyi_rr(order, eps, 2);
    out->leak = leak;
    return true;
}
