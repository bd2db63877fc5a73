/*
 * A finite law from two lists of doubles, taken as exact: 1 minus their sums is
 * known without rounding, however small. The rules are those of dosi_plan_loss.
 * Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

#include <stdlib.h>

#include "num/exact_sum.h"

typedef struct points {
    const double *loss, *mass;
    size_t n;
    ball rest_p; /* 1 - sum of the masses */
    ball rest_q; /* 1 - sum of mass e^-loss */
    ball listed; /* mass of the losses +inf in the list */
    bool lists_inf;
    ball scale; /* all masses are divided by it: max(1, sums) */
} points;

static void points_sum(points *x)
{
    exact_sum rest = {0};
    ball q = ball_of(0);
    x->listed = ball_of(0);
    exact_sum_add(&rest, 1);
    for (size_t i = 0; i < x->n; i++) {
        exact_sum_add(&rest, -x->mass[i]);
        if (x->loss[i] == HUGE_VAL) {
            x->lists_inf = true;
            x->listed = ball_add_d(x->listed, x->mass[i]);
        } else if (x->mass[i] > 0) {
            scaled one = scaled_mul_ball(
                scaled_exp(ball_of(-x->loss[i])), ball_of(x->mass[i]));
            q = ball_add(q, scaled_ball(one));
        }
    }
    x->rest_p = exact_sum_ball(&rest, 0);
    x->rest_q = ball_sub(ball_of(1), q);
    /* max(1, sums) = 1 - min(0, rests) */
    ball least = ball_min(ball_of(0), ball_min(x->rest_p, x->rest_q));
    x->scale = ball_sub(ball_of(1), least);
    if (ball_is_zero(least))
        return;
    /* 1 - sum/s = ((s - 1) + (1 - sum))/s */
    x->rest_p = ball_div(ball_sub(x->rest_p, least), x->scale);
    x->rest_q = ball_div(ball_sub(x->rest_q, least), x->scale);
    x->listed = ball_div(x->listed, x->scale);
}

/* Makes one outcome of loss log(d/e) from the remaining masses d of P and e of
 * Q. If its loss is uncertain, its mass counts as anything between nothing and
 * all at +inf. */
static bool points_rest(atom *out, points *x)
{
    if (!x->lists_inf || ball_is_zero(x->rest_p))
        return false;
    if (!ball_is_positive(x->rest_p) || !ball_is_positive(x->rest_q) ||
        !(x->rest_q.rad <= 0x1p-40 * x->rest_q.hi) ||
        !(x->rest_p.rad <= 0x1p-40 * x->rest_p.hi)) {
        x->rest_p = ball_of_interval(
            (dosi_interval){0, fmax(ball_upper(x->rest_p), 0)});
        return false;
    }
    *out = (atom){ball_log(ball_div(x->rest_p, x->rest_q)),
        scaled_of(x->rest_p), scaled_of(x->rest_q)};
    x->rest_p = x->rest_q = ball_of(0);
    return true;
}

static ball nonnegative(ball x)
{
    return ball_is_zero(x) ? x : ball_clamp(x, 0, 1);
}

dosi_status finite_from_points(finite_law **out, const double *loss,
    const double *mass, size_t n, dosi_error *err)
{
    *out = NULL;
    atom *list = finite_list(n + 1);
    if (list == NULL)
        return dosi_fail_memory(err);
    points x = {.loss = loss, .mass = mass, .n = n};
    points_sum(&x);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(mass[i] > 0 && loss[i] < HUGE_VAL))
            continue;
        scaled p = scaled_of(ball_div(ball_of(mass[i]), x.scale));
        list[m++] = (atom){ball_of(loss[i]), p,
            scaled_mul(p, scaled_exp(ball_of(-loss[i])))};
    }
    if (points_rest(&list[m], &x))
        m++;
    ball p_inf = nonnegative(ball_add(x.listed, x.rest_p));
    return finite_build(
        out, list, m, scaled_of(p_inf), scaled_of(nonnegative(x.rest_q)), err);
}
