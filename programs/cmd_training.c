/*
 * dosimeter sgd and dosimeter federated: epsilon of a training run, or the
 * noise for an epsilon, from the whole numbers people have. What is derived
 * is echoed, the sampler always said, and a shuffled loader gets its honest
 * answer beside that of a Poisson sample.
 */
#include "training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DELTAS 16
#define MOST_CASES 4
#define MOST_ASSUMED 5

/* One plan of the run, and what it is an answer to. */
struct training_case {
    enum training_sampler sampler;
    bool of_user;
    bool is_beside; /* it is shown for comparison only */
    char plan[TRAINING_PLAN_BYTES];
    dosi_answer answers[MOST_DELTAS];
};

struct training_answers {
    const struct cli_arguments *args;
    struct training run;
    struct cli_asking how;
    size_t n_deltas;
    double deltas[MOST_DELTAS];
    size_t n_cases;
    struct training_case cases[MOST_CASES];
    dosi_calibration solved; /* where noise was asked for */
};

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

    for (int beside = 0; beside < 2; beside++) {
        enum training_sampler sampler = beside ? other : run->sampler;
        if (beside && !shuffles && run->sampler_given)
            return;
        for (int of_user = 0; of_user < n_units; of_user++)
            a->cases[a->n_cases++] = (struct training_case){
                .sampler = sampler,
                .of_user = of_user == 1,
                .is_beside = beside == 1};
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
    cli_asking_start(&a->how);
    dosi_status status = dosi_calibrate(&a->solved, plan, targets, a->n_deltas,
        &a->how.options, &err);
    status = cli_asking_end(&a->how, NULL, 0, status, &err);
    dosi_plan_free(plan);
    if (status != DOSI_OK)
        return cli_fail(a->args, &err, NULL, 0);
    a->run.multiplier =
        a->solved.value * training_distance(&a->run, of->sampler);
    return CLI_YES;
}

/* ---- What the library cannot know ------------------------------------------
 */

static size_t list_assumed(const char *out[MOST_ASSUMED],
    const struct training *run, enum training_sampler sampler)
{
    bool federated = run->words->command == COMMAND_FEDERATED;
    size_t n = 0;

    out[n++] = federated
                   ? "each client's update is clipped as a whole, and noise "
                     "is added once a round"
               : run->microbatching
                   ? "each microbatch's mean is clipped, and an example is in "
                     "one microbatch of a batch"
                   : "each example's gradient is clipped by itself, and noise "
                     "is added once a step";
    if (run->added_to_mean)
        out[n++] = "the mean is the sum divided by the stated size of the "
                   "batch, not by the number drawn";
    if (sampler == SAMPLER_SHUFFLE &&
        training_neighbours(run, sampler) == DOSI_ADD_REMOVE)
        out[n++] = federated
                       ? "a client that is removed leaves its place empty: no "
                         "other changes its round"
                       : "an example that is removed leaves its place empty: "
                         "no other changes its batch";
    if (run->per_user > 1)
        out[n++] = "no user has more examples than stated";
    out[n++] = "nothing else was learned from the data: no other runs, "
               "tuning, statistics or checks on it";
    return n;
}

/* ---- For people ------------------------------------------------------------
 */

static void write_run(const struct training *run, bool solved)
{
    const struct training_words *words = run->words;
    const struct training_rule *rule = training_rule_of(run->sampler);
    char text[DOSI_NUMBER_BYTES];

    printf("  unit       one %s; all checkpoints are covered\n", words->unit);
    printf("  sampler    %s: %s\n", rule->name, rule->meaning);
    if (!run->sampler_given)
        puts("             assumed, since --sampler does not say");
    dosi_print_exact(text, training_rate(run));
    printf("  rate       %ld/%ld = %s", run->lot, run->population, text);
    if (run->accumulate > 1)
        printf(", batches of %ld x %ld", run->batch, run->accumulate);
    printf("\n  %-10s %ld", words->steps, run->steps);
    if (run->epochs != NULL)
        printf(" = %s epoch%s x %ld / %ld%s", run->epochs,
            strcmp(run->epochs, "1") == 0 ? "" : "s", run->population,
            run->lot, run->steps_rounded ? ", rounded up" : "");
    dosi_print_exact(text, run->multiplier);
    printf("\n  noise      multiplier %s = deviation on the sum / clip%s\n",
        text, solved ? ", solved for" : "");
}

/* The deviation that a multiplier means, rounded up where it was solved. */
static void write_deviation(const struct training *run, bool solved)
{
    char text[DOSI_NUMBER_BYTES];
    double std = run->std;

    if (run->clip == 0)
        return;
    if (solved)
        std = nextafter(run->multiplier * run->clip, HUGE_VAL);
    if (solved && run->added_to_mean)
        std = nextafter(std / (double)run->lot, HUGE_VAL);
    dosi_print_exact(text, std);
    printf("             deviation %s on the %s", text,
        run->added_to_mean ? "mean" : "sum");
    dosi_print_exact(text, run->clip);
    printf(", clip %s\n", text);
}

static void write_heading(const struct training *run,
    const struct training_case *one)
{
    if (one->of_user)
        printf("\nFor users of at most %ld %s:\n", run->per_user,
            run->words->units);
    else if (one->is_beside && one->sampler == SAMPLER_SHUFFLE)
        puts(run->words->command == COMMAND_FEDERATED
                 ? "\nIf clients take turns instead, no theorem amplifies:"
                 : "\nIf the loader shuffles instead, as most do, no theorem "
                   "amplifies:");
    else if (one->is_beside)
        puts("\nFor comparison, no guarantee of this run: had the batches "
             "been Poisson samples,");
}

static void write_epsilon(const struct training_answers *a,
    const struct training_case *one, size_t i)
{
    const dosi_answer *answer = &one->answers[i];
    char text[DOSI_NUMBER_BYTES];

    fputs("epsilon ", stdout);
    cli_write_interval(answer->value, a->how.n_digits);
    dosi_print_exact(text, a->deltas[i]);
    printf("   delta %s, neighbours %s, sampler %s%s\n", text,
        cli_neighbours_name(answer->neighbours),
        training_rule_of(one->sampler)->name,
        one->is_beside || a->run.sampler_given ? "" : " (assumed)");
}

static void write_case(const struct training_answers *a,
    const struct training_case *one)
{
    const struct training *run = &a->run;
    const dosi_answer *answer = &one->answers[a->n_deltas - 1];
    const char *assumed[MOST_ASSUMED];
    int distance = training_distance(run, one->sampler);

    write_heading(run, one);
    for (size_t i = 0; i < a->n_deltas; i++)
        write_epsilon(a, one, i);
    if (one == a->cases) {
        write_run(run, run->target >= 0);
        write_deviation(run, run->target >= 0);
    }
    if (one == a->cases ||
        distance != training_distance(run, run->sampler))
        printf("  distance   %d clip%s between neighbours' sums\n", distance,
            distance == 2 ? "s" : "");
    if (one->sampler == SAMPLER_SHUFFLE)
        printf("  used       at most %ld time%s, once a pass\n", run->passes,
            run->passes > 1 ? "s" : "");
    printf("  plan       %s\n", one->plan);
    if (one->is_beside || one->of_user) {
        printf("  route      %s\n", answer->route);
        if (answer->reason != NULL)
            printf("  reason     %s\n", answer->reason);
        return;
    }
    cli_write_provenance(answer);
    size_t n = list_assumed(assumed, run, one->sampler);
    for (size_t i = 0; i < n; i++)
        printf("  assumed    %s\n", assumed[i]);
}

/* ---- JSON ------------------------------------------------------------------
 */

static void json_number(const char *name, double x)
{
    cli_json_key(name, false);
    cli_json_number(x);
}

static void json_flag(const char *name, bool x)
{
    cli_json_key(name, false);
    fputs(x ? "true" : "false", stdout);
}

static void json_run(const struct training *run)
{
    putchar('{');
    cli_json_text("template", cli_commands[run->words->command].name, true);
    cli_json_text("unit", run->words->unit, false);
    json_number(run->words->units, (double)run->population);
    json_number("batch", (double)run->batch);
    json_number("accumulate", (double)run->accumulate);
    cli_json_text("sampler", training_rule_of(run->sampler)->name, false);
    json_flag("sampler_assumed", !run->sampler_given);
    cli_json_key("rate_ratio", false);
    printf("[%ld,%ld]", run->lot, run->population);
    json_number("rate", training_rate(run));
    if (run->epochs != NULL)
        cli_json_text("epochs", run->epochs, false);
    json_number(run->words->steps, (double)run->steps);
    json_number("noise_multiplier", run->multiplier);
    json_flag("noise_solved", run->target >= 0);
    if (run->clip > 0)
        json_number("clip", run->clip);
    json_flag("microbatching", run->microbatching);
    json_number("max_per_user", (double)run->per_user);
    cli_json_key("answers", false);
    putchar('[');
}

static void json_case(const struct training_answers *a,
    const struct training_case *one, size_t at)
{
    const dosi_answer *answer = &one->answers[at];
    const char *assumed[MOST_ASSUMED];

    fputs(one == a->cases && at == 0 ? "\n{" : ",\n{", stdout);
    cli_json_text("unit", one->of_user ? "user" : a->run.words->unit, true);
    cli_json_text("sampler", training_rule_of(one->sampler)->name, false);
    json_flag("of_this_run", !one->is_beside);
    cli_json_text("plan", one->plan, false);
    json_number("distance", training_distance(&a->run, one->sampler));
    json_number("delta", a->deltas[at]);
    json_number("lower", answer->value.lo);
    json_number("upper", answer->value.hi);
    cli_json_provenance(answer);
    cli_json_key("run_assumptions", false);
    putchar('[');
    size_t n = list_assumed(assumed, &a->run, one->sampler);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? "," : "", stdout);
        cli_json_string(assumed[i], strlen(assumed[i]));
    }
    fputs("]}", stdout);
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
                "an order that is known; one that is kept secret may lose less";
    }
    dosi_plan_free(plan);
    return status == DOSI_OK ? CLI_YES : cli_fail(a->args, &err, NULL, 0);
}

/* All that was asked. The status is that of the run's own answers. */
static int write_all(const struct training_answers *a)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    bool is_json = cli_has(a->args, OPTION_JSON);
    int status = CLI_YES;

    if (is_json)
        json_run(&a->run);
    for (size_t i = 0; i < a->n_cases; i++) {
        const struct training_case *one = &a->cases[i];
        if (!is_json)
            write_case(a, one);
        for (size_t j = 0; j < a->n_deltas; j++) {
            if (is_json)
                json_case(a, one, j);
            if (!one->is_beside && cli_is_vacuous(question, &one->answers[j]))
                status = CLI_UNABLE;
        }
    }
    if (is_json)
        puts("]}");
    return status;
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
        status = write_all(a);
    free(a);
    return status;
}
