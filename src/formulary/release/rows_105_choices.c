/*
 * Choices (spec 105): the exponential mechanism, permute-and-flip, quantiles
 * over a grid, randomized response, and the coins of Poisson samples.
 */
#include "formulary/formula.h"

#include <stdlib.h>

#include "release_laws/choice_law.h"
#include "formulary/noise_args.h"

/* epsilon/(2 sensitivity), or epsilon/sensitivity if one record moves all
 * scores one way. */
static ball rate_of(const formula_args *args)
{
    bool is_monotone = formula_given(args, "monotone") &&
                       formula_real(args, "monotone") > 0;
    ball rate = ball_div(ARG("epsilon"), ARG("sensitivity"));
    return is_monotone ? rate : ball_scale2(rate, -1);
}

static dosi_status check_index(
    const formula_args *args, size_t n, dosi_error *err)
{
    double i = formula_real(args, "i");
    if (i < (double)n)
        return DOSI_OK;
    return formula_domain(err, "needs i < %zu candidates, got i = %.17g", n, i);
}

/* The list of distances, of which one must be 0. */
static dosi_status distances_read(
    const double **out, size_t *n, const formula_args *args, dosi_error *err)
{
    double least = HUGE_VAL;
    *out = formula_list(args, "distances", n);
    for (size_t i = 0; i < *n; i++)
        least = fmin(least, (*out)[i]);
    if (least > 0)
        return formula_domain(
            err, "needs a distance of 0, the best score's, got %.17g", least);
    return check_index(args, *n, err);
}

FORMULA(exponential)
{
    const double *distance = NULL;
    size_t n = 0;
    dosi_status status = distances_read(&distance, &n, args, err);
    if (status != DOSI_OK)
        return status;
    ball p = choice_exponential(
        distance, n, rate_of(args), (size_t)formula_real(args, "i"));
    return formula_give(out, p, err);
}

FORMULA(permute_and_flip)
{
    const double *distance = NULL;
    size_t n = 0;
    ball p = ball_unknown();
    dosi_status status = distances_read(&distance, &n, args, err);
    if (status == DOSI_OK && n > CHOICE_MAX_FLIPS)
        status = dosi_fail(err, DOSI_EUNABLE,
            "at most %d candidates are counted, got %zu", CHOICE_MAX_FLIPS, n);
    if (status == DOSI_OK)
        status = choice_permute_and_flip(&p, distance, n, rate_of(args),
            (size_t)formula_real(args, "i"), err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, p, err);
}

/* The score of a/b moves by max(a, b - a) with one record more or less. */
static dosi_status quantile_of(
    ball *out, double *distance, const formula_args *args, dosi_error *err)
{
    size_t n = 0, n_data = 0;
    envelope_ratio q;
    const double *candidate = formula_list(args, "candidates", &n);
    const double *data = formula_list(args, "data", &n_data);
    dosi_status status = noise_ratio_read(&q, args, "q", err);
    if (status != DOSI_OK)
        return status;
    if (q.over > q.under || q.under > (int64_t)1 << 32)
        return formula_domain(
            err, "needs q <= 1 with a denominator up to 2^32");
    double a = (double)q.over, b = (double)q.under;
    status = choice_quantile_distances(
        distance, candidate, n, data, n_data, a, b, err);
    if (status != DOSI_OK)
        return status;
    ball rate = ball_div_d(ARG("epsilon"), 2 * fmax(a, b - a));
    *out = choice_exponential(
        distance, n, rate, (size_t)formula_real(args, "i"));
    return DOSI_OK;
}

FORMULA(choice_quantile)
{
    size_t n = 0;
    ball p = ball_unknown();
    (void)formula_list(args, "candidates", &n);
    dosi_status status = check_index(args, n, err);
    if (status != DOSI_OK)
        return status;
    double *distance = malloc(n * sizeof *distance);
    if (distance == NULL)
        return dosi_fail_memory(err);
    status = quantile_of(&p, distance, args, err);
    free(distance);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, p, err);
}

FORMULA_BALL(choice_response_keep,
    choice_response_keep(ARG("epsilon"), formula_real(args, "categories")))

FORMULA(rate_digit)
{
    double rate = 0;
    dosi_status status = noise_rate_read(&rate, args, "rate", err);
    if (status != DOSI_OK)
        return status;
    if (!(rate <= 1))
        return formula_domain(err, "needs rate <= 1, got %.17g", rate);
    int digit = choice_rate_digit(rate, (size_t)formula_real(args, "i"));
    return formula_give(out, ball_of(digit), err);
}
