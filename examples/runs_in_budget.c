/*
 * How often may a survey be repeated? The largest number of runs that is
 * certified to stay within (epsilon, delta): the plan's count is the hole.
 */
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

int main(void)
{
    const char *plans[] = {
        "gaussian(10) * ?", "gaussian(50) * ?", "gaussian(200) * ?"};
    const dosi_target target = {DOSI_TARGET_EPSILON, 1, 1e-6};
    const dosi_plan *plan;
    dosi_calibration runs;
    dosi_error err;

    for (int i = 0; i < 3; i++) {
        if (dosi_plan_parse(&plan, plans[i], strlen(plans[i]), &err) !=
            DOSI_OK)
            return fprintf(stderr, "%s\n", err.message), 1;
        dosi_status status =
            dosi_calibrate(&runs, plan, &target, 1, NULL, &err);
        dosi_plan_free(plan);
        if (status != DOSI_OK)
            return fprintf(stderr, "%s\n", err.message), 1;
        printf("%s: %.0f runs within epsilon 1, delta 1e-6; with %.0f "
               "epsilon may be %.4f\n",
            plans[i], runs.value, runs.beyond, runs.beyond_answer.value.hi);
    }
    return 0;
}
