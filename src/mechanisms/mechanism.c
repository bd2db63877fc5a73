/*
 * The list of all mechanisms, and pieces of representations that several of
 * them share: group guarantees, responses and lattices as loss laws.
 */
#include "mechanism.h"

#include <stdlib.h>

#include "renyi/renyi.h"

#define MECHANISM(number, table, ...) [DOSI_##number] = &table,
#define CONNECTIVE(number, ...)
static const mechanism_type *const tables[DOSI_KIND_COUNT] = {
#include "plan/kinds.def"
};

const mechanism_type *mechanism_of_kind(dosi_kind kind)
{
    return tables[kind];
}

const mechanism_type *mechanism_of_node(const dosi_plan *node)
{
    return mechanism_of_kind(dosi_plan_kind(node));
}

const mechanism_type *mechanism_of(const part *p)
{
    return mechanism_of_node(p->node);
}

bool mechanism_decline(const mechanism_context *c, const char *reason)
{
    c->pool->reason = reason;
    return false;
}

mechanism_product mechanism_product_nothing(void)
{
    return (mechanism_product){.mu = ball_of(0),
        .eps0 = ball_of(0),
        .delta0 = ball_of(0),
        .exact = true};
}

bool mechanism_loss_noise(
    loss_law *out, loss_noise noise, ball parameter, attainment flag)
{
    *out = (loss_law){.noise = noise,
        .flag = flag,
        .composed = noise == LOSS_EXPONENTIAL ? ATTAINED_BY_NONE : flag,
        .parameter = parameter,
        .rate = ball_of(1)};
    return !ball_is_unknown(parameter);
}

bool mechanism_loss_of_class(loss_law *law)
{
    if (law->flag == ATTAINED_BY_MECHANISM)
        law->flag = ATTAINED_BY_CLASS;
    if (law->composed == ATTAINED_BY_MECHANISM)
        law->composed = ATTAINED_BY_CLASS;
    return true;
}

/* A parameter up to this may be squared and added up. */
#define MAX_PARAMETER 0x1p400

bool mechanism_limit(
    ball *x, bool *exact, mechanism_side side, const mechanism_context *c)
{
    if (ball_upper(*x) <= MAX_PARAMETER) /* not if it is unknown */
        return true;
    if (side == MECHANISM_UPPER)
        return ball_upper(*x) < HUGE_VAL ||
               mechanism_decline(c, "there is almost no noise");
    *x = ball_of(MAX_PARAMETER);
    *exact = false;
    return true;
}

bool mechanism_loss_member(loss_law *out, ball mu, const mechanism_context *c)
{
    return ball_is_positive(mu)
               ? mechanism_loss_noise(out, LOSS_GAUSSIAN, mu, ATTAINED_BY_CLASS)
               : mechanism_decline(c, "no member of the class is known");
}

bool mechanism_loss_finite(
    loss_law *out, const finite_law *finite, attainment flag)
{
    *out = (loss_law){.noise = LOSS_FINITE,
        .flag = flag,
        .composed = flag,
        .parameter = ball_of(1),
        .finite = finite,
        .rate = ball_of(1)};
    return finite != NULL;
}

bool mechanism_loss_response(loss_law *out, ball eps, ball delta,
    attainment flag, const mechanism_context *c)
{
    finite_law *made = NULL;
    dosi_status status = finite_leaky_response(&made, eps, delta, NULL);
    return mechanism_loss_finite(out,
        profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL,
        flag);
}

void mechanism_group_guarantee(ball *eps, ball *delta, double k)
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
        ball log_factor = ball_sub(ball_logexpm1(*eps), ball_logexpm1(step));
        factor = ball_exp(log_factor); /* unknown beyond the range */
    }
    *delta = ball_mul(*delta, factor);
    if (!(ball_upper(*delta) < 1))
        *delta = ball_of(1);
}

const finite_law *mechanism_lattice_law(mechanism_lattice fill, size_t m,
    size_t n, ball parameter, const mechanism_context *c)
{
    ball *at = malloc(2 * n * sizeof *at);
    if (at == NULL) {
        c->pool->no_memory = true;
        return NULL;
    }
    fill(at, at + n, m, parameter);
    finite_law *made = NULL;
    dosi_status status =
        finite_from_losses(&made, at, at + n, n, ball_of(0), ball_of(0), NULL);
    free(at);
    return profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL;
}

/* Cells of a lattice law: of one run, of all runs together, and so few that
 * two atoms are as good. */
#define MAX_CELLS 64
#define MAX_CELLS_OF_RUNS 192
#define MIN_CELLS 4

size_t mechanism_lattice_cells(const part *p, const mechanism_context *c)
{
    double cells = fmin(MAX_CELLS, floor(MAX_CELLS_OF_RUNS / p->count));
    return c->allow_lattices && cells >= MIN_CELLS ? (size_t)cells : 0;
}

bool mechanism_renyi_response(
    mechanism_renyi_bound *out, ball order, ball eps, ball leak)
{
    out->upper = out->lower = renyi_rr(order, eps, 2);
    out->leak = leak;
    out->is_smooth = true;
    return true;
}
