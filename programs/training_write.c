/*
 * The answers about a training run, for people and as JSON, with what the
 * library cannot know of it.
 */
#include "training_answers.h"

#include <math.h>
#include <string.h>

#define MOST_ASSUMED 5

/* ---- What the library cannot know ------------------------------------------
 */

static size_t list_assumed(const char *out[MOST_ASSUMED],
    const struct training *run, enum training_sampler sampler)
{
    bool federated = run->words->command == COMMAND_FEDERATED;
    size_t n = 0;

    out[n++] = federated
                   ? "each client's update is clipped as a whole, and noise is "
                     "added once per round"
               : run->microbatching
                   ? "each microbatch's mean is clipped, and an example is in "
                     "one microbatch of a batch"
                   : "each example's gradient is clipped separately, and noise "
                     "is added once per step";
    if (run->added_to_mean)
        out[n++] = "the mean is the sum divided by the stated size of the "
                   "batch, not by the number drawn";
    if (sampler == SAMPLER_SHUFFLE &&
        training_neighbours(run, sampler) == DOSI_ADD_REMOVE)
        out[n++] = federated
                       ? "a removed client leaves its slot empty: no other "
                         "client changes rounds"
                       : "a removed example leaves its slot empty: no other "
                         "example changes batches";
    if (run->per_user > 1)
        out[n++] = "no user has more examples than stated";
    out[n++] = "nothing else was learned from the data: no other runs, tuning, "
               "statistics or checks";
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
        puts("             assumed, since --sampler is not given");
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
    printf("\n"
        "  noise      multiplier %s = standard deviation on the sum / clip%s\n",
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
    printf("             standard deviation %s on the %s", text,
        run->added_to_mean ? "mean" : "sum");
    dosi_print_exact(text, run->clip);
    printf(", clip %s\n", text);
}

static void write_heading(const struct training *run,
    const struct training_case *one)
{
    if (one->of_user)
        printf("\nFor users with at most %ld %s:\n", run->per_user,
            run->words->units);
    else if (one->is_comparison && one->sampler == SAMPLER_SHUFFLE)
        puts(run->words->command == COMMAND_FEDERATED
                 ? "\n"
                   "If clients take turns instead, for which no amplification "
                   "theorem is implemented here:"
                 : "\nMost data loaders shuffle instead. No amplification "
                   "theorem for shuffled batches is implemented here, so:");
    else if (one->is_comparison)
        puts("\n"
             "For comparison, not a guarantee for this run: if the batches had "
             "been Poisson samples,");
}

static void write_epsilon(const struct training_answers *a,
    const struct training_case *one, size_t i)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    struct cli_bound b = cli_bound_of(question, &one->answers[i], &a->how);
    char sampler[64];

    if (a->run.target >= 0 && !one->is_comparison)
        b.target = a->run.target;
    snprintf(sampler, sizeof sampler, ", sampler %s%s",
        training_rule_of(one->sampler)->name,
        one->is_comparison || a->run.sampler_given ? "" : " (assumed)");
    cli_write_headline(question, a->deltas[i], &b, sampler);
    cli_write_details(a->args, b.value, a->how.n_digits);
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
    if (!one->is_comparison && !one->of_user)
        cli_write_provenance(a->args, answer);
    if (one == a->cases) {
        write_run(run, run->target >= 0);
        write_deviation(run, run->target >= 0);
    }
    if (one == a->cases ||
        distance != training_distance(run, run->sampler))
        printf("  distance   %d clip%s between neighbours' sums\n", distance,
            distance == 2 ? "s" : "");
    if (one->sampler == SAMPLER_SHUFFLE)
        printf("  used       at most %ld time%s, once per pass\n", run->passes,
            run->passes > 1 ? "s" : "");
    printf("  plan       %s\n", one->plan);
    if (one->is_comparison || one->of_user) {
        printf("  neighbours %s\n", cli_neighbours_name(answer->neighbours));
        if (cli_has(a->args, OPTION_DETAILS))
            printf("  route      %s\n", cli_route_words(answer->route));
        if (answer->reason != NULL)
            printf("  reason     %s\n", answer->reason);
        return;
    }
    size_t n = list_assumed(assumed, run, one->sampler);
    for (size_t i = 0; i < n; i++)
        printf("  assumed    %s\n", assumed[i]);
}

/* The safe ends of the run's own epsilons, or the noise that was asked for. */
static void write_quiet(const struct training_answers *a)
{
    char text[DOSI_NUMBER_BYTES];

    if (a->run.target >= 0) {
        dosi_print_exact(text, a->run.multiplier);
        puts(text);
        return;
    }
    for (size_t i = 0; i < a->n_deltas; i++) {
        dosi_print_upper(text, a->cases[0].answers[i].value.hi, 17);
        puts(text);
    }
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
    json_flag("of_this_run", !one->is_comparison);
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

/* ---- All of it -------------------------------------------------------------
 */

int training_write(const struct training_answers *a)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    bool is_json = cli_has(a->args, OPTION_JSON);
    bool is_quiet = !is_json && cli_has(a->args, OPTION_QUIET);
    int status = CLI_YES;

    if (is_quiet)
        write_quiet(a);
    if (is_json)
        json_run(&a->run);
    for (size_t i = 0; i < a->n_cases; i++) {
        const struct training_case *one = &a->cases[i];
        if (!is_json && !is_quiet)
            write_case(a, one);
        for (size_t j = 0; j < a->n_deltas; j++) {
            if (is_json)
                json_case(a, one, j);
            if (!one->is_comparison &&
                cli_is_vacuous(question, &one->answers[j]))
                status = CLI_UNABLE;
        }
    }
    if (is_json)
        puts("]}");
    return status;
}
