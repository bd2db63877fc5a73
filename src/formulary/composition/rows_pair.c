/*
 * An explicit pair of finite laws: its privacy loss distribution, profile,
 * and the split of an (eps, delta)-close pair.
 */
#include "formulary/formula.h"

#include "finite/finite_law.h"

/* The laws of (P, Q) and of (Q, P); released with pair_free. */
typedef struct pair {
    finite_law *forward;
    finite_law *reverse;
} pair;

static void pair_free(pair *x)
{
    finite_free(x->forward);
    finite_free(x->reverse);
}

static dosi_status pair_read(
    pair *out, const formula_args *args, dosi_error *err)
{
    *out = (pair){NULL, NULL};
    size_t n_p = 0, n_q = 0;
    const double *p = formula_list(args, "P", &n_p);
    const double *q = formula_list(args, "Q", &n_q);
    if (n_p != n_q)
        return dosi_fail(
            err, DOSI_EINVAL, "P has %zu elements, Q has %zu", n_p, n_q);
    dosi_status status = finite_from_pair(&out->forward, p, q, n_p, err);
    if (status == DOSI_OK)
        status = finite_from_pair(&out->reverse, q, p, n_p, err);
    if (status != DOSI_OK)
        pair_free(out);
    return status;
}

/* Defines a row of one expression in x, the pair. */
#define PAIR_BALL(function, expression)                                        \
    FORMULA(function)                                                          \
    {                                                                          \
        pair x;                                                                \
        dosi_status status = pair_read(&x, args, err);                         \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        status = formula_give(out, (expression), err);                         \
        pair_free(&x);                                                         \
        return status;                                                         \
    }

PAIR_BALL(pair_kl, finite_kl(x.forward))
PAIR_BALL(pair_tv, finite_tv(x.forward))
PAIR_BALL(pair_accuracy, ball_scale2(ball_add_d(finite_tv(x.forward), 1), -1))
PAIR_BALL(pair_pure, finite_pure_epsilon(x.forward))
PAIR_BALL(pair_q_tail, ball_clamp(finite_tail_q(x.forward, ARG("eps")), 0, 1))
PAIR_BALL(pair_p_tail, ball_clamp(finite_tail_p(x.forward, ARG("eps")), 0, 1))
PAIR_BALL(pair_delta, finite_delta(x.forward, ARG("eps")))
PAIR_BALL(pair_delta_reverse, finite_delta(x.reverse, ARG("eps")))

/* ---- T000-23 ----------------------------------------------------------- */

PAIR_BALL(split_delta, ball_max(finite_delta(x.forward, ARG("eps")),
                           finite_delta(x.reverse, ARG("eps"))))

/* The level in [0, eps] at which the hockey stick of one direction comes
 * down to the larger of both at eps. */
static dosi_interval split_level(
    const finite_law *law, const finite_law *other, ball eps)
{
    ball own = finite_delta(law, eps), delta = finite_delta(other, eps);
    if (ball_less(delta, own))
        return ball_interval(eps);
    delta = ball_max(own, delta);
    dosi_interval level = finite_epsilon(law, delta, ball_log(delta));
    return iv_min(level, ball_interval(eps));
}

static dosi_status split_eps(
    dosi_interval *out, const formula_args *args, bool forward, dosi_error *err)
{
    pair x;
    dosi_status status = pair_read(&x, args, err);
    if (status != DOSI_OK)
        return status;
    const finite_law *law = forward ? x.forward : x.reverse;
    const finite_law *other = forward ? x.reverse : x.forward;
    status =
        formula_give_interval(out, split_level(law, other, ARG("eps")), err);
    pair_free(&x);
    return status;
}

FORMULA(split_eps1)
{
    return split_eps(out, args, true, err);
}

FORMULA(split_eps2)
{
    return split_eps(out, args, false, err);
}
