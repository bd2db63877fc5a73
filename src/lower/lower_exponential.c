/*
 * exponential(epsilon): the class of bounded range e = epsilon, times the
 * group size. Two of its members enclose compositions: response at e/2 is
 * one (the interval [-e/2, e/2]), and the class is e-DP.
 */
#include "lower.h"

#include "repr/exponential.h"
#include "repr/renyi.h"

static ball exponential_range(const part *p)
{
    return ball_mul_d(ball_of(p->group), part_parameter(p, 0));
}

static const law *exponential_one(const part *p, const lower_context *c)
{
    return law_keep(c->pool, law_exponential(exponential_range(p)));
}

static bool exponential_mix(
    lower_mix *out, lower_side side, const part *p, const lower_context *c)
{
    ball e = exponential_range(p);
    size_t m = lower_lattice_cells(p, c);
    out->exact = false;
    if (m > 0 && side == LOWER_ABOVE) {
        out->finite = lower_lattice_atoms(
            exponential_lattice_above, m, m + 1, e, c);
        return out->finite != NULL;
    }
    out->eps0 = side == LOWER_ABOVE ? e : ball_scale2(e, -1);
    return true;
}

/* Each value of its profile is attained by a member, another one each. */
static bool exponential_loss(
    loss *out, const part *p, const lower_context *c)
{
    (void)c;
    return lower_loss_noise(
        out, LOSS_EXPONENTIAL, exponential_range(p), LAW_CLASS);
}

static bool exponential_box(
    ball *eps, ball *delta, const part *p, const lower_context *c)
{
    (void)c;
    *eps = exponential_range(p);
    *delta = ball_of(0);
    return true;
}

static bool exponential_zcdp(
    lower_zcdp *out, const part *p, const lower_context *c)
{
    (void)c;
    out->rho = ball_scale2(ball_sqr(exponential_range(p)), -3);
    return true;
}

static bool exponential_renyi(
    lower_renyi *out, ball order, const part *p, const lower_context *c)
{
    (void)c;
    out->upper = out->lower =
        renyi_bounded_range(order, exponential_range(p));
    return true;
}

const lowering lower_exponential = {
    .flag = LAW_CLASS,
    .assumption = "epsilon bounds the range of the exponential mechanism's "
                  "loss",
    .one = exponential_one,
    .loss = exponential_loss,
    .mix = exponential_mix,
    .box = exponential_box,
    .zcdp = exponential_zcdp,
    .renyi = exponential_renyi,
};
