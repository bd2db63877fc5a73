/*
 * dosimeter sgd and dosimeter federated: epsilon of a training run, or the
 * noise for an epsilon, from the numbers of a training script. Derived numbers
 * are printed, the sampler is always named, and the answer for a shuffled
 * loader is printed with that for Poisson samples.
 */
#include "training_answers.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading ---------------------------------------------------------------
 */

static int read_deltas(struct training_answers *a)
{
    for (size_t i = 0; i < a->args->n_given; i++) {
        const struct cli_given *given = &a->args->given[i];
        if (given->option != OPTION_DELTA)
            continue;
        if (a->n_deltas == MOST_DELTAS)
            return cli_usage(
                a->args, "at most %d times --delta", MOST_DELTAS);
        int status = cli_number(&a->deltas[a->n_deltas++], a->args, given);
        if (status != CLI_YES)
            return status;
    }
    return CLI_YES;
}

static void list_cases(struct training_answers *a)
{
    const struct training *run = &a->run;
    bool shuffles = run->sampler == SAMPLER_SHUFFLE;
    enum training_sampler other = shuffles ? SAMPLER_POISSON : SAMPLER_SHUFFLE;
    int n_units = run->per_user > 1 ? 2 : 1;

    for (int i = 0; i < 2; i++) { /* this run, then its comparison */
        bool is_comparison = i == 1;
        enum training_sampler sampler = is_comparison ? other : run->sampler;
        if (is_comparison && !shuffles && run->sampler_given)
            return;
        for (int of_user = 0; of_user < n_units; of_user++)
            a->cases[a->n_cases++] = (struct training_case){
                .sampler = sampler,
                .of_user = of_user == 1,
                .is_comparison = is_comparison};
    }
}

static int read_all(struct training_answers *a)
{
    int status = training_read(&a->run, a->args);
    if (status == CLI_YES)
        status = cli_asking_read(&a->how, a->args);
    if (status == CLI_YES)
        status = read_deltas(a);
    if (status != CLI_YES)
        return status;
    a->run.relation_given = cli_has(a->args, OPTION_NEIGHBOURS);
    a->run.neighbours = a->how.options.neighbours;
    list_cases(a);
    return CLI_YES;
}

/* The plan of a case; the questions that follow are about it. */
static dosi_status parse_case(const dosi_plan **out,
    struct training_answers *a, struct training_case *one, dosi_error *err)
{
    a->how.options.neighbours = training_neighbours(&a->run, one->sampler);
    training_plan_text(one->plan, &a->run, one->sampler, one->of_user);
    return dosi_plan_parse(out, one->plan, strlen(one->plan), err);
}

/* ---- Solving for the noise -------------------------------------------------
 */

/* The least multiplier with which the sampler in use, and users where they
 * are asked about, stay within the target at every delta. */
static int solve(struct training_answers *a)
{
    struct training_case *of = &a->cases[a->run.per_user > 1 ? 1 : 0];
    dosi_target targets[MOST_DELTAS];
    const dosi_plan *plan;
    dosi_error err;

    if (a->run.target < 0)
        return CLI_YES;
    for (size_t i = 0; i < a->n_deltas; i++)
        targets[i] = (dosi_target){
            DOSI_TARGET_EPSILON, a->run.target, a->deltas[i]};
    if (parse_case(&plan, a, of, &err) != DOSI_OK)
        return cli_fail(a->args, &err, NULL, 0);
    dosi_status status = dosi_calibrate(&a->solved, plan, targets, a->n_deltas,
        cli_asking_start(&a->how), &err);
    status = cli_asking_end(&a->how, NULL, 0, status, &err);
    dosi_plan_free(plan);
    if (status != DOSI_OK)
        return cli_fail(a->args, &err, NULL, 0);
    a->run.multiplier =
        a->solved.value * training_distance(&a->run, of->sampler);
    return CLI_YES;
}

/* ---- The command -----------------------------------------------------------
 */

/* Asks about one plan at every delta. */
static int ask_case(struct training_answers *a, struct training_case *one)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    const dosi_plan *plan;
    dosi_error err;

    dosi_status status = parse_case(&plan, a, one, &err);
    for (size_t i = 0; i < a->n_deltas && status == DOSI_OK; i++) {
        status = cli_asking_at(&one->answers[i], &a->how, question, plan,
            a->deltas[i], &err);
        if (one->sampler == SAMPLER_SHUFFLE)
            one->answers[i].lower_meaning =
                "a known order; one that is kept secret may lose less";
    }
    dosi_plan_free(plan);
    return status == DOSI_OK ? CLI_YES : cli_fail(a->args, &err, NULL, 0);
}

int cli_training(const struct cli_arguments *args)
{
    struct training_answers *a = calloc(1, sizeof *a);

    if (a == NULL)
        return cli_no_memory();
    a->args = args;
    int status = read_all(a);
    if (status == CLI_YES)
        status = solve(a);
    for (size_t i = 0; i < a->n_cases && status == CLI_YES; i++)
        status = ask_case(a, &a->cases[i]);
    if (status == CLI_YES)
        status = training_write(a);
    free(a);
    return status;
}
