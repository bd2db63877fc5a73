/*
 * Projection of cumulant bounds that are not convex, or not 0 at 0, to the
 * largest cumulant below them.
 */
#include "formulary/formula.h"

#include <stdlib.h>

#include "formulary/mech_args.h"
#include "num/decimal.h"
#include "literature/cumulant_projection.h"
#include "renyi/without_replacement_renyi.h"

typedef struct points {
    double *x;
    ball *k;
    size_t n;
} points;

static dosi_status points_new(points *p, size_t n, dosi_error *err)
{
    *p = (points){calloc(n, sizeof(double)), calloc(n, sizeof(ball)), n};
    return p->x == NULL || p->k == NULL ? dosi_fail_memory(err) : DOSI_OK;
}

static void points_free(points *p)
{
    free(p->x);
    free(p->k);
}

/* The sampled bound at lambda = 1 .. lambda_max. */
static dosi_status points_of_mech(
    points *p, const formula_args *args, dosi_error *err)
{
    chi_law law;
    *p = (points){NULL, NULL, 0};
    if (!formula_given(args, "mech") || !formula_given(args, "gamma") ||
        !formula_given(args, "lambda_max"))
        return dosi_fail(err, DOSI_EINVAL,
            "takes a mechanism with gamma and lambda_max, or pts");
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    double last = formula_real(args, "lambda_max");
    p->n = (size_t)last;
    status = mech_sampled(
        &p->k, &law, ARG("gamma"), WR_GENERAL, NULL, 0, last + 1, err);
    p->x = calloc(p->n, sizeof *p->x);
    if (status == DOSI_OK && p->x == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; status == DOSI_OK && i < p->n; i++)
        p->x[i] = (double)i + 1;
    return status;
}

/* "x:k|x:k|.." */
static dosi_status points_of_text(
    points *p, const char *text, size_t n, dosi_error *err)
{
    size_t count = 1;
    for (size_t i = 0; i < n; i++)
        count += text[i] == '|';
    dosi_status status = points_new(p, count, err);
    const char *end = text + n;
    for (size_t i = 0; status == DOSI_OK && i < count; i++) {
        double value[2] = {0, 0};
        for (int j = 0; j < 2; j++) {
            size_t used = 0;
            const char *mark = j == 0 ? ":" : "|";
            if (!decimal_read(&value[j], text, (size_t)(end - text), &used) ||
                !isfinite(value[j]))
                return dosi_fail(
                    err, DOSI_EINVAL, "pts is written like 0:0.5|1:1|2:1.2");
            text += used;
            if (text < end && *text++ != *mark)
                return dosi_fail(
                    err, DOSI_EINVAL, "pts is written like 0:0.5|1:1|2:1.2");
        }
        p->x[i] = value[0];
        p->k[i] = ball_of(value[1]);
    }
    return status;
}

FORMULA(projected)
{
    points p = {NULL, NULL, 0};
    dosi_status status;
    if (formula_given(args, "pts")) {
        size_t n = 0;
        const char *text = formula_text(args, "pts", &n);
        status = points_of_text(&p, text, n, err);
    } else {
        status = points_of_mech(&p, args, err);
    }
    ball hull = ball_unknown();
    if (status == DOSI_OK)
        status = projection_at(&hull, p.x, p.k, p.n, ARG("lambda"), err);
    if (status == DOSI_OK && formula_real(args, "lambda") > p.x[p.n - 1])
        status = formula_domain(
            err, "needs lambda <= %.17g, the last point", p.x[p.n - 1]);
    if (status == DOSI_OK)
        status = formula_give(out, hull, err);
    points_free(&p);
    return status;
}

FORMULA(unprojected)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    ball k = wr_cumulant_at(
        &law, ARG("gamma"), WR_GENERAL, formula_real(args, "lambda") + 1);
    return formula_give(out, k, err);
}

FORMULA(first_dent)
{
    points p;
    dosi_status status = points_of_mech(&p, args, err);
    if (status == DOSI_OK) {
        size_t i = projection_first_dent(p.k, p.n);
        status =
            i < p.n
                ? formula_give_interval(out, iv_point((double)i + 1), err)
                : formula_domain(err, "needs a dent: the bound is convex up to "
                                      "lambda_max");
    }
    points_free(&p);
    return status;
}
