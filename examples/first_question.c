/*
 * How much privacy do 10000 noisy counts cost? One plan, one question.
 */
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

int main(void)
{
    const char *text = "gaussian(50) * 10000";
    const dosi_plan *plan;
    dosi_answer answer;
    dosi_error err;

    if (dosi_plan_parse(&plan, text, strlen(text), &err) ||
        dosi_epsilon_at_delta(&answer, plan, 1e-5, NULL, &err))
        return fprintf(stderr, "%s\n", err.message), 1;
    printf("epsilon <= %.17g\n", answer.value.hi);
    dosi_plan_free(plan);
    return 0;
}
