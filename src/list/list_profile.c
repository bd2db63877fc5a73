/*
 * The profile of a composition that is not formed: sums from the right of one
 * list, and one pass over the other. docs/theory/list.md, section 4.
 */
#include "list_profile.h"

#include <stdlib.h>

#include "num/elem.h"
#include "num/round.h"

void list_profile_free(list_profile *f)
{
    free(f->mass);
    free(f->delta);
    free(f->xq);
}

/* The sums over finite losses at e^epsilon, rounded to nearest. */
typedef struct value {
    double delta; /* H */
    double xq;    /* e^epsilon Q[L > epsilon] */
} value;

/* At a loss by h below the j-th. */
static value moved_left(const list_profile *f, size_t j, double h)
{
    double down = exp(-h), gap = -expm1(-h);
    return (value){
        f->delta[j] * down + f->mass[j] * gap, f->xq[j] * down};
}

dosi_status list_profile_new(list_profile *out, const list_law *of,
    const list_law *with, list_side side, dosi_error *err)
{
    size_t n = of->n;
    *out = (list_profile){.of = of,
        .with = with,
        .side = side,
        .mass = malloc((n + 1) * sizeof(double)),
        .delta = malloc((n + 1) * sizeof(double)),
        .xq = malloc((n + 1) * sizeof(double)),
        .at_infinity =
            with == NULL ? of->at_infinity : list_infinity(of, with)};
    if (out->mass == NULL || out->delta == NULL || out->xq == NULL) {
        list_profile_free(out);
        *out = (list_profile){0};
        return dosi_fail_memory(err);
    }
    out->mass[n] = out->delta[n] = out->xq[n] = 0;
    for (size_t i = n; i-- > 0;) {
        double h = i + 1 < n ? of->loss[i + 1] - of->loss[i] : 0;
        value right = moved_left(out, i + 1, h);
        out->mass[i] = out->mass[i + 1] + of->mass[i];
        out->delta[i] = right.delta;
        out->xq[i] = right.xq + of->mass[i];
    }
    return DOSI_OK;
}

/* The sums of one list above e; j is an outcome not left of the first above
 * it, and becomes that. */
static value above(const list_profile *f, size_t *j, double e)
{
    const list_law *x = f->of;
    while (*j > 0 && x->loss[*j - 1] > e)
        --*j;
    return moved_left(f, *j, *j < x->n ? x->loss[*j] - e : 0);
}

double list_alone_at(const list_profile *f, double epsilon)
{
    size_t lo = 0, hi = f->of->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (f->of->loss[mid] > epsilon)
            hi = mid;
        else
            lo = mid + 1;
    }
    return above(f, &lo, epsilon).delta;
}

static value finite_at(const list_profile *f, double epsilon)
{
    size_t j = f->of->n;
    if (f->with == NULL)
        return above(f, &j, epsilon);
    value sum = {0, 0};
    const list_law *a = f->with;
    for (size_t i = 0; i < a->n; i++) {
        value v = above(f, &j, epsilon - a->loss[i]);
        sum.delta += list_product(a->mass[i], v.delta, a->scale);
        sum.xq += list_product(a->mass[i], v.xq, a->scale);
    }
    return sum;
}

/* ---- Ends -------------------------------------------------------------- */

/* Relative error of one step of the sums from the right, and of reading one
 * value, in units of LIST_ROUND: two library functions, their argument, two
 * products, one sum. */
#define PROFILE_ERROR_ROUNDS (2 * ELEM_ULPS + 6)

static double error_of(const list_profile *f)
{
    double steps = (double)f->of->n + 4;
    double terms = f->with != NULL ? (double)f->with->n + 4 : 1;
    return (steps * PROFILE_ERROR_ROUNDS + terms) * LIST_ROUND * (1 + 0x1p-20);
}

static double greatest_loss(const list_law *x)
{
    return x->n > 0 ? fmax(fabs(x->loss[0]), fabs(x->loss[x->n - 1])) : 0;
}

/* Both slacks, the rounding of epsilon - loss, and that of the lengths which
 * masses of Q are summed by. */
static double slack_of(const list_profile *f, double epsilon)
{
    double slack = f->of->slack;
    double most = fabs(epsilon) + 2 * greatest_loss(f->of);
    if (f->with != NULL) {
        slack += f->with->slack;
        most += greatest_loss(f->with);
    }
    return (slack + 0x1p-51 * most) * (1 + 0x1p-40) + LIST_MIN_SLACK;
}

/* Where the list is read for an epsilon: losses raised by slack are those of
 * a smaller epsilon. */
static double moved(const list_profile *f, double epsilon)
{
    double slack = slack_of(f, epsilon);
    return f->side == LIST_ABOVE ? epsilon - slack : epsilon + slack;
}

/* As masses are stored. */
static double stored_delta_end(const list_profile *f, double epsilon)
{
    double sum = finite_at(f, moved(f, epsilon)).delta + f->at_infinity;
    double end = list_end(sum, error_of(f), f->side);
    return fmin(end, ldexp(1, f->of->scale));
}

/* A stored sum as it is; what underflows is rounded outward. */
static double unstored(double x, int scale, list_side side)
{
    if (scale == 0 || x == 0)
        return x;
    double mass = ldexp(x, -scale);
    return side == LIST_ABOVE ? round_up(mass) : fmax(round_down(mass), 0);
}

double list_delta_end(const list_profile *f, double epsilon)
{
    return unstored(stored_delta_end(f, epsilon), f->of->scale, f->side);
}

double list_log_delta_end(const list_profile *f, double epsilon)
{
    double delta = stored_delta_end(f, epsilon);
    if (!(delta > 0))
        return -HUGE_VAL;
    dosi_interval v = iv_log(iv_point(delta));
    if (f->of->scale > 0)
        v = iv_sub(v, iv_log(iv_point(ldexp(1, f->of->scale))));
    return fmin(f->side == LIST_ABOVE ? v.hi : v.lo, 0);
}

dosi_interval list_q_above(const list_profile *f, double epsilon)
{
    double slack = slack_of(f, epsilon);
    if (!(slack < 0.5)) /* e^(2 slack) <= 1 + 4 slack, else */
        return (dosi_interval){0, HUGE_VAL};
    double most = finite_at(f, epsilon - slack).xq;
    double least = finite_at(f, epsilon + slack).xq;
    double error = error_of(f) + 4 * slack;
    dosi_interval down = iv_exp((dosi_interval){-epsilon, -epsilon});
    least = fmax(round_down(least * (1 - error) - LIST_UNDERFLOW), 0);
    most = round_up(most * (1 + error) + LIST_UNDERFLOW);
    least = unstored(least, f->of->scale, LIST_BELOW);
    most = unstored(most, f->of->scale, LIST_ABOVE);
    return (dosi_interval){
        fmax(round_down(least * down.lo), 0), round_up(most * down.hi)};
}
