/*
 * Many questions about one plan. They are asked from coarse to fine, so that
 * work that ends early leaves points from one end of the curve to the other,
 * and every point takes what those next to it say: delta is convex in e^epsilon
 * and falls, beta falls in alpha. Derivation: docs/theory/account.md, "Between
 * the points of a curve".
 */
#include "prepared_plan.h"

#include <stdlib.h>

#include "base/error.h"
#include "curve_between.h"

/* A curve may spend as much as so many questions. */
#define CURVE_BUDGETS 2

typedef struct answers {
    dosi_answer *out;
    const account_question *questions;
    size_t n;
} answers;

static int by_argument(const void *a, const void *b)
{
    const curve_point *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static dosi_status ask_point(
    prepared_plan *d, const answers *a, const curve_point *p, dosi_error *err)
{
    return account_answer_on(
        &a->out[p->index], d, &a->questions[p->index], err);
}

/* Both ends, then every 2^k-th point, then those between. Tests without an
 * error of type I come last: they ask for delta at epsilons far from all
 * others, which steering of contours does not forget. */
static dosi_status ask_coarse_to_fine(prepared_plan *d, const answers *a,
    const curve_point *sorted, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    bool is_test = a->questions[0].kind == ACCOUNT_TRADEOFF;
    size_t stride = 1, n_last = 0;
    while (n_last < a->n && is_test && sorted[n_last].at == 0)
        n_last++;
    while (stride < a->n)
        stride *= 2;
    if (n_last < a->n)
        status = ask_point(d, a, &sorted[a->n - 1], err);
    for (size_t first = 0; stride > 0; first = stride /= 2)
        for (size_t i = first; i + 1 < a->n && status == DOSI_OK;
             i += first > 0 ? 2 * stride : stride)
            if (i >= n_last)
                status = ask_point(d, a, &sorted[i], err);
    for (size_t i = 0; i < n_last && status == DOSI_OK; i++)
        status = ask_point(d, a, &sorted[i], err);
    return status;
}

static dosi_status answer_curve(
    prepared_plan *d, const answers *a, dosi_error *err)
{
    curve_point *sorted = malloc(a->n * sizeof *sorted);
    if (sorted == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < a->n; i++)
        sorted[i] = (curve_point){a->questions[i].argument, i};
    qsort(sorted, a->n, sizeof *sorted, by_argument);
    d->is_curve = true;
    d->limits.budget *= CURVE_BUDGETS;
    prepared_expect(d, (double)a->n);
    dosi_status status = ask_coarse_to_fine(d, a, sorted, err);
    if (status == DOSI_OK)
        status = curve_tighten(
            a->out, sorted, a->n, a->questions[0].kind, err);
    free(sorted);
    return status;
}

static dosi_status answer_each(prepared_plan *d, void *context, dosi_error *err)
{
    const answers *a = context;
    if (a->n > 1)
        return answer_curve(d, a, err);
    return a->n == 1 ? account_answer_on(a->out, d, a->questions, err)
                     : DOSI_OK;
}

dosi_status account_answers(dosi_answer *out, size_t n, const dosi_plan *plan,
    const account_question *questions, const dosi_options *options,
    dosi_error *err)
{
    answers a = {out, questions, n};
    return prepared_use(answer_each, &a, plan, options, err);
}
