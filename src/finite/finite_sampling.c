/*
 * Finite laws from one finite law: copies, the reversed pair and Poisson
 * sampling. Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

#include <stdlib.h>

#include "sampling/amplify.h"

dosi_status finite_copy(
    finite_law **out, const finite_law *law, dosi_error *err)
{
    atom *list = finite_list(law->n);
    if (list == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < law->n; i++)
        list[i] = law->atom[i];
    return finite_build(out, list, law->n, law->p_inf, law->q_inf, err);
}

dosi_status finite_identity(finite_law **out, dosi_error *err)
{
    return finite_from_losses(out, (ball[]){{0, 0, 0}}, (ball[]){{0, 0, 0}}, 1,
        ball_of(0), ball_of(0), err);
}

static atom atom_swap(const atom *a)
{
    return (atom){ball_neg(a->loss), a->q, a->p};
}

dosi_status finite_reverse(
    finite_law **out, const finite_law *law, dosi_error *err)
{
    *out = NULL;
    size_t n = law->n;
    atom *list = finite_list(n);
    if (list == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        list[i] = atom_swap(&law->atom[n - 1 - i]);
    return finite_build(out, list, n, law->q_inf, law->p_inf, err);
}

/* The pair ((1 - rate) Q + rate P, Q) on one atom. */
static atom sampled_atom(const atom *a, ball rate, ball rest)
{
    return (atom){amplify_epsilon(rate, a->loss),
        scaled_add(scaled_mul_ball(a->q, rest), scaled_mul_ball(a->p, rate)),
        a->q};
}

dosi_status finite_poisson(finite_law **out, const finite_law *law, ball rate,
    finite_direction direction, dosi_error *err)
{
    *out = NULL;
    if (!ball_is_nonnegative(rate) || !(ball_upper(rate) <= 1))
        return dosi_fail(err, DOSI_EINVAL,
            "poisson: the rate must be in [0, 1], got %g", ball_mid(rate));
    if (ball_is_zero(rate))
        return finite_identity(out, err);
    ball rest = ball_sub(ball_of(1), rate);
    if (ball_is_zero(rest))
        return finite_copy(out, law, err);
    /* adding a record is removing it for the reversed pair (Q, P) */
    bool add = direction == FINITE_BASE_FIRST;
    scaled p_inf = add ? law->q_inf : law->p_inf;
    scaled q_inf = add ? law->p_inf : law->q_inf;
    atom *list = finite_list(law->n + 1);
    if (list == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < law->n; i++) {
        atom a = add ? atom_swap(&law->atom[i]) : law->atom[i];
        list[i] = sampled_atom(&a, rate, rest);
    }
    /* where P has no mass the ratio is 1 - rate */
    list[law->n] =
        (atom){ball_log1p(ball_neg(rate)), scaled_mul_ball(q_inf, rest), q_inf};
    for (size_t i = 0; add && i <= law->n; i++)
        list[i] = atom_swap(&list[i]);
    p_inf = scaled_mul_ball(p_inf, rate);
    return finite_build(out, list, law->n + 1, add ? finite_zero() : p_inf,
        add ? p_inf : finite_zero(), err);
}
