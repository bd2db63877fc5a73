/*
 * How often may a survey be repeated? The largest number of runs of a plan
 * that stays within (epsilon, delta), found by bisection over the upper ends
 * of the answers, which are safe to act on. The plan is built without text.
 */
#include <stdio.h>

#include <dosimeter.h>

/* Whether count runs of base stay within the budget; -1 after an error. */
static int fits(const dosi_plan *base, double count, double epsilon,
    double delta, dosi_error *err)
{
    const dosi_plan *plan;
    dosi_answer answer;
    int result = -1;

    if (dosi_plan_repeat(&plan, base, count, err) != DOSI_OK)
        return -1;
    if (dosi_epsilon_at_delta(&answer, plan, delta, NULL, err) == DOSI_OK)
        result = answer.value.hi <= epsilon;
    dosi_plan_free(plan);
    return result;
}

/* The largest count that fits, 0 when one run is too much; -1 on error. */
static double most_runs(
    const dosi_plan *base, double epsilon, double delta, dosi_error *err)
{
    double fit = 0;
    double excess = 1;
    int status;

    while ((status = fits(base, excess, epsilon, delta, err)) == 1) {
        fit = excess;
        excess *= 2;
    }
    while (status >= 0 && excess - fit > 1) {
        double middle = fit + (double)(long)((excess - fit) / 2);
        status = fits(base, middle, epsilon, delta, err);
        if (status == 1)
            fit = middle;
        else
            excess = middle;
    }
    return status < 0 ? -1 : fit;
}

int main(void)
{
    const double sigmas[] = {10, 50, 200};
    const dosi_plan *base;
    dosi_error err;

    for (int i = 0; i < 3; i++) {
        if (dosi_plan_gaussian(&base, sigmas[i], &err) != DOSI_OK)
            return fprintf(stderr, "%s\n", err.message), 1;
        double runs = most_runs(base, 1, 1e-6, &err);
        dosi_plan_free(base);
        if (runs < 0)
            return fprintf(stderr, "%s\n", err.message), 1;
        printf("gaussian(%g): %.0f runs within epsilon 1, delta 1e-6\n",
            sigmas[i], runs);
    }
    return 0;
}
