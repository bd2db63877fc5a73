/*
 * A privacy profile and a trade-off curve as CSV, every number rounded to
 * its safe side: delta upwards, the type II error downwards.
 */
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

static int curve(const dosi_plan *plan, dosi_error *err)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_answer answer;

    puts("epsilon,delta_upper");
    for (int i = 0; i <= 4; i++) {
        double epsilon = i * 0.25;
        if (dosi_delta_at_epsilon(&answer, plan, epsilon, NULL, err))
            return 1;
        dosi_print_upper(text, answer.value.hi, 6);
        printf("%g,%s\n", epsilon, text);
    }
    puts("alpha,beta_lower");
    for (int i = 0; i <= 4; i++) {
        double alpha = i * 0.25;
        if (dosi_tradeoff_at_alpha(&answer, plan, alpha, NULL, err))
            return 1;
        dosi_print_lower(text, answer.value.lo, 6);
        printf("%g,%s\n", alpha, text);
    }
    return 0;
}

int main(void)
{
    const char *text = "gaussian(2) * 4";
    const dosi_plan *plan = NULL;
    dosi_error err;

    int failed = dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
                 curve(plan, &err) != 0;
    if (failed)
        fprintf(stderr, "%s\n", err.message);
    dosi_plan_free(plan);
    return failed;
}
