/*
 * From the numbers of a training run to its plan, without a rounding that
 * could make the answer too good: steps are counted in whole numbers, a rate
 * is rounded up, a noise that was computed is rounded down.
 */
#include "training.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LARGEST (1L << 53)

static const struct training_words all_words[] = {
    {COMMAND_SGD, "example", "examples", "step", "steps", OPTION_EXAMPLES,
        OPTION_BATCH_SIZE, OPTION_STEPS},
    {COMMAND_FEDERATED, "client", "clients", "round", "rounds",
        OPTION_CLIENTS, OPTION_PER_ROUND, OPTION_ROUNDS},
};

static const struct training_rule rules[SAMPLER_COUNT] = {
    [SAMPLER_POISSON] = {"poisson",
        "each record is in each batch independently with probability q",
        DOSI_ADD_REMOVE},
    [SAMPLER_WITHOUT_REPLACEMENT] = {"without_replacement",
        "each batch of fixed size is drawn uniformly without "
        "replacement", DOSI_REPLACE},
    [SAMPLER_WITH_REPLACEMENT] = {"with_replacement",
        "each batch of fixed size is drawn uniformly with replacement",
        DOSI_ADD_REMOVE},
    [SAMPLER_SHUFFLE] = {"shuffle",
        "each pass shuffles the order and cuts it into batches",
        DOSI_ADD_REMOVE},
};

const struct training_rule *training_rule_of(enum training_sampler sampler)
{
    return &rules[sampler];
}

/* ---- Numbers ---------------------------------------------------------------
 */

/* a / b and a b, rounded up or down; the sign of fma's result is that of the
 * exact one. */
static double quotient_up(double a, double b)
{
    double x = a / b;
    return fma(x, b, -a) < 0 ? nextafter(x, HUGE_VAL) : x;
}

static double quotient_down(double a, double b)
{
    double x = a / b;
    return fma(x, b, -a) > 0 ? nextafter(x, 0) : x;
}

static double product_down(double a, double b)
{
    double x = a * b;
    return fma(a, b, -x) < 0 ? nextafter(x, 0) : x;
}

static uint64_t greatest_common(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void reduce(uint64_t *a, uint64_t *b)
{
    uint64_t common = greatest_common(*a, *b);

    if (common > 1) {
        *a /= common;
        *b /= common;
    }
}

/* A positive decimal such as 60 or 1.25 as a fraction, exactly. */
static bool read_fraction(uint64_t *top, uint64_t *bottom, const char *text)
{
    bool point = false;
    bool any = false;

    *top = 0;
    *bottom = 1;
    for (; *text != '\0'; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9' || *top > UINT64_MAX / 10 - 1 ||
            *bottom > UINT64_MAX / 10)
            return false;
        *top = *top * 10 + (uint64_t)(*text - '0');
        *bottom *= point ? 10 : 1;
        any = true;
    }
    reduce(top, bottom);
    return any && *top > 0;
}

/* Whether a b is a uint64_t. */
static bool product_fits(uint64_t a, uint64_t b)
{
    return a == 0 || b <= UINT64_MAX / a;
}

/* ceil((top/bottom) n / lot), exactly; 0 when that is above 2^53. */
static long count_steps(
    uint64_t top, uint64_t bottom, uint64_t n, uint64_t lot, bool *rounded)
{
    reduce(&top, &lot);
    reduce(&n, &lot);
    reduce(&n, &bottom);
    if (!product_fits(top, n) || !product_fits(bottom, lot))
        return 0;
    uint64_t above = top * n;
    uint64_t below = bottom * lot;
    if (below == 0)
        return 0;
    uint64_t steps = above / below + (above % below != 0);
    *rounded = above % below != 0;
    return steps <= (uint64_t)LARGEST ? (long)steps : 0;
}

/* ---- Reading ---------------------------------------------------------------
 */

/* A whole number that must be there. */
static int read_whole(
    long *out, const struct cli_arguments *args, enum cli_option_id option)
{
    int status = cli_whole(out, args, option, 1, LARGEST, 0);
    if (status == CLI_YES && *out == 0)
        return cli_usage(args, "missing %s, %s", cli_options[option].name,
            cli_options[option].meaning);
    return status;
}

static int read_batch(struct training *run, const struct cli_arguments *args)
{
    const char *batch = cli_options[run->words->batch].name;

    int status = read_whole(&run->population, args, run->words->population);
    if (status == CLI_YES)
        status = read_whole(&run->batch, args, run->words->batch);
    if (status == CLI_YES)
        status = cli_whole(
            &run->accumulate, args, OPTION_ACCUMULATE, 1, LARGEST, 1);
    if (status != CLI_YES)
        return status;
    if (run->batch > run->population)
        return cli_usage(args, "%s %ld exceeds the %ld %s", batch, run->batch,
            run->population, run->words->units);
    if (run->accumulate > run->population / run->batch)
        return cli_usage(args,
            "%s %ld with --accumulate %ld exceeds the %ld %s", batch,
            run->batch, run->accumulate, run->population, run->words->units);
    run->lot = run->batch * run->accumulate;
    return CLI_YES;
}

/* The steps, and how often a unit may have been used without sampling. */
static int read_length(struct training *run, const struct cli_arguments *args)
{
    const char *name = cli_options[run->words->count].name;
    uint64_t top, bottom;
    long steps;

    int status = cli_whole(&steps, args, run->words->count, 1, LARGEST, 0);
    if (status != CLI_YES)
        return status;
    run->epochs = cli_value(args, OPTION_EPOCHS);
    if (steps > 0 && run->epochs != NULL)
        return cli_usage(args, "either --epochs or --steps");
    if (steps > 0) {
        /* A loader that drops the last short batch has the fewest steps a
         * pass, hence the most passes. */
        long in_pass = run->population / run->lot;
        run->steps = steps;
        run->passes = (steps - 1) / in_pass + 1;
        return CLI_YES;
    }
    if (run->epochs == NULL)
        return cli_usage(args, "missing %s%s",
            run->words->command == COMMAND_SGD ? "--epochs or " : "", name);
    if (!read_fraction(&top, &bottom, run->epochs))
        return cli_usage(args,
            "--epochs needs a positive decimal such as 60 or 1.5, got \"%s\"",
            run->epochs);
    run->steps = count_steps(top, bottom, (uint64_t)run->population,
        (uint64_t)run->lot, &run->steps_rounded);
    uint64_t passes = top / bottom + (top % bottom != 0);
    if (run->steps == 0 || passes > (uint64_t)LARGEST)
        return cli_usage(args,
            "--epochs %s makes more than 2^53 steps, or has too many digits; "
            "use --steps",
            run->epochs);
    run->passes = (long)passes;
    return CLI_YES;
}

static int read_added_to(
    struct training *run, const struct cli_arguments *args)
{
    const char *word = cli_value(args, OPTION_ADDED_TO);

    if (word == NULL || strcmp(word, "sum") == 0)
        return CLI_YES;
    if (strcmp(word, "mean") != 0)
        return cli_usage(
            args, "--added-to is sum or mean, got \"%s\"", word);
    run->added_to_mean = true;
    return CLI_YES;
}

static int read_noise(struct training *run, const struct cli_arguments *args)
{
    struct cli_given target = {OPTION_TARGET, cli_value(args, OPTION_TARGET)};
    int n_ways = cli_has(args, OPTION_NOISE) +
                 cli_has(args, OPTION_NOISE_STD) + (target.value != NULL);

    run->target = -1;
    int status = cli_positive(&run->multiplier, args, OPTION_NOISE);
    if (status == CLI_YES)
        status = cli_positive(&run->std, args, OPTION_NOISE_STD);
    if (status == CLI_YES)
        status = cli_positive(&run->clip, args, OPTION_CLIP);
    if (status == CLI_YES)
        status = read_added_to(run, args);
    if (status == CLI_YES && target.value != NULL)
        status = cli_number(&run->target, args, &target);
    if (status != CLI_YES)
        return status;
    if (n_ways != 1)
        return cli_usage(args,
            "needs one of --noise, --noise-std with --clip, or --epsilon to "
            "solve for it");
    if (target.value != NULL && !(run->target >= 0 && run->target < HUGE_VAL))
        return cli_usage(args,
            "--epsilon must be non-negative and finite, got \"%s\"",
            target.value);
    if (run->std > 0 && run->clip == 0)
        return cli_usage(args,
            "--noise-std needs --clip: what counts is the noise relative to "
            "the clipping norm");
    if (run->multiplier > 0 && run->added_to_mean)
        return cli_usage(args,
            "--noise is relative to the clipping norm of the sum; give "
            "--noise-std and --clip for noise on the mean");
    if (run->std == 0)
        return CLI_YES;
    double on_sum = run->added_to_mean
                        ? product_down(run->std, (double)run->lot)
                        : run->std;
    run->multiplier = quotient_down(on_sum, run->clip);
    if (!(run->multiplier > 0 && run->multiplier < HUGE_VAL))
        return cli_usage(args, "--noise-std / --clip is out of range");
    return CLI_YES;
}

static int read_sampler(struct training *run, const struct cli_arguments *args)
{
    const char *word = cli_value(args, OPTION_SAMPLER);

    run->sampler_given = word != NULL;
    if (word == NULL)
        return CLI_YES; /* SAMPLER_POISSON, and said to be assumed */
    for (int i = 0; i < SAMPLER_COUNT; i++)
        if (strcmp(word, rules[i].name) == 0) {
            run->sampler = (enum training_sampler)i;
            return CLI_YES;
        }
    return cli_usage(args,
        "--sampler is poisson, without_replacement, with_replacement or "
        "shuffle, got \"%s\"",
        word);
}

int training_read(struct training *out, const struct cli_arguments *args)
{
    *out = (struct training){.words = &all_words[0]};
    if (args->command == COMMAND_FEDERATED)
        out->words = &all_words[1];
    out->microbatching = cli_has(args, OPTION_MICROBATCHING);
    int status = read_batch(out, args);
    if (status == CLI_YES)
        status = read_length(out, args);
    if (status == CLI_YES)
        status = read_noise(out, args);
    if (status == CLI_YES)
        status = read_sampler(out, args);
    if (status == CLI_YES)
        status = cli_whole(
            &out->per_user, args, OPTION_PER_USER, 1, LARGEST, 1);
    if (status == CLI_YES && out->per_user > out->population)
        status = cli_usage(args, "--max-per-user %ld exceeds the %ld %s",
            out->per_user, out->population, out->words->units);
    if (status == CLI_YES && !cli_has(args, OPTION_DELTA))
        status = cli_usage(args,
            "missing --delta; it should be well below 1/%ld, one over the "
            "number of %s",
            out->population, out->words->units);
    return status;
}

/* ---- The plan --------------------------------------------------------------
 */

dosi_neighbours training_neighbours(
    const struct training *run, enum training_sampler sampler)
{
    /* A sampler that is shown for comparison has its own relation. */
    return run->relation_given && sampler == run->sampler
               ? run->neighbours
               : rules[sampler].neighbours;
}

int training_distance(
    const struct training *run, enum training_sampler sampler)
{
    /* What is added or removed has norm at most C. What is replaced moves
     * the sum by at most 2 C, and so does a microbatch whose mean changes.
     * Batches of fixed size only ever replace (T004-9 to T004-11); what is
     * sampled by Poisson is stated for one record added or removed, whatever
     * the relation of the whole. */
    bool replaces = sampler == SAMPLER_WITHOUT_REPLACEMENT ||
                    sampler == SAMPLER_WITH_REPLACEMENT ||
                    (sampler == SAMPLER_SHUFFLE &&
                        training_neighbours(run, sampler) == DOSI_REPLACE);
    return replaces || run->microbatching ? 2 : 1;
}

double training_rate(const struct training *run)
{
    return quotient_up((double)run->lot, (double)run->population);
}

void training_plan_text(char *text, const struct training *run,
    enum training_sampler sampler, bool of_user)
{
    char noise[DOSI_NUMBER_BYTES] = "?";
    char rate[DOSI_NUMBER_BYTES + 24];
    char step[TRAINING_PLAN_BYTES / 2];
    char many[24];
    long count = sampler == SAMPLER_SHUFFLE ? run->passes : run->steps;
    double up = training_rate(run);

    if (run->multiplier > 0)
        dosi_print_exact(noise,
            run->multiplier / training_distance(run, sampler));
    if (up == (double)run->lot / (double)run->population)
        snprintf(rate, sizeof rate, "%ld/%ld", run->lot, run->population);
    else
        dosi_print_exact(rate, up);
    if (sampler == SAMPLER_POISSON)
        snprintf(step, sizeof step, "poisson(%s, gaussian(%s))", rate, noise);
    else if (sampler == SAMPLER_SHUFFLE)
        snprintf(step, sizeof step, "gaussian(%s)", noise);
    else
        snprintf(step, sizeof step, "%s(%ld, %ld, gaussian(%s))",
            rules[sampler].name, run->lot, run->population, noise);
    snprintf(many, sizeof many, " * %ld", count);
    if (of_user)
        snprintf(text, TRAINING_PLAN_BYTES, "group(%ld, %s%s)",
            run->per_user, step, count > 1 ? many : "");
    else
        snprintf(text, TRAINING_PLAN_BYTES, "%s%s", step,
            count > 1 ? many : "");
}
