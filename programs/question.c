/*
 * The questions that may be asked of a plan, the options they share, and
 * how one is asked: within a time limit if there is one, on a clock that
 * never goes back.
 */
#define _POSIX_C_SOURCE 200809L
#include "jobs.h"
#include "suggestions.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct cli_question questions[] = {
    {COMMAND_EPSILON, OPTION_DELTA, "epsilon", "delta", HUGE_VAL, false, false,
        dosi_epsilon_at_delta, " at delta "},
    {COMMAND_EPSILON, OPTION_LOG_DELTA, "epsilon", "log_delta", HUGE_VAL,
        false, false, dosi_epsilon_at_log_delta, " at log delta "},
    {COMMAND_DELTA, OPTION_EPSILON, "delta", "epsilon", 1, false, false,
        dosi_delta_at_epsilon, " at epsilon "},
    {COMMAND_TRADEOFF, OPTION_ALPHA, "beta", "alpha", 0, true, false,
        dosi_tradeoff_at_alpha, " at alpha "},
    {COMMAND_RENYI, OPTION_ORDER, "renyi", "order", HUGE_VAL, false, false,
        dosi_renyi_at_order, " at order "},
    {COMMAND_ZCDP, OPTION_XI, "rho", "xi", HUGE_VAL, false, true,
        dosi_zcdp_at_xi, " at xi "},
    {COMMAND_GDP, OPTION_FLOOR, "mu", "floor", HUGE_VAL, false, true,
        dosi_gdp_at_floor, " for tests with both errors at least "},
};

const struct cli_question *cli_question_of(enum cli_option_id option)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (questions[i].option == option)
            return &questions[i];
    return NULL;
}

int cli_question_missing(const struct cli_arguments *args)
{
    char names[96] = "";
    size_t used = 0;

    for (int i = 0; i < OPTION_COUNT && used < sizeof names; i++) {
        bool asks = i == OPTION_POINTS ||
                    cli_question_of((enum cli_option_id)i) != NULL;
        if (asks && cli_options[i].commands & 1u << args->command)
            used += (size_t)snprintf(names + used, sizeof names - used,
                "%s%s", used > 0 ? " or " : "", cli_options[i].name);
    }
    return cli_usage(args, "missing %s", names);
}

const char *cli_neighbours_name(dosi_neighbours neighbours)
{
    return neighbours == DOSI_REPLACE ? "replace" : "add_remove";
}

bool cli_is_vacuous(
    const struct cli_question *question, const dosi_answer *answer)
{
    double lo = answer->value.lo;
    double hi = answer->value.hi;

    if (answer->reason == NULL)
        return false;
    if (strcmp(answer->route, "none") == 0) /* unbounded, as at delta 0 */
        return question->safe_is_lower ? lo <= question->trivial
                                       : hi >= question->trivial;
    return question->safe_is_lower
               ? lo <= question->trivial && hi > question->trivial
               : hi >= question->trivial && lo < question->trivial;
}

/* ---- Options ---------------------------------------------------------------
 */

/* Whether a and b are equal up to case and "-" for "_". */
static bool same_word(const char *a, const char *b)
{
    for (;; a++, b++) {
        char c = *a == '-' ? '_' : *a;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != *b)
            return false;
        if (c == '\0')
            return true;
    }
}

bool cli_neighbours_find(dosi_neighbours *out, const char *word)
{
    /* The second words are those of dp_accounting. */
    static const struct {
        const char *word;
        dosi_neighbours neighbours;
    } relations[] = {{"add_remove", DOSI_ADD_REMOVE},
        {"add_or_remove_one", DOSI_ADD_REMOVE}, {"replace", DOSI_REPLACE},
        {"replace_one", DOSI_REPLACE}};

    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (same_word(word, relations[i].word)) {
            *out = relations[i].neighbours;
            return true;
        }
    return false;
}

int cli_neighbours_read(
    dosi_neighbours *out, const struct cli_arguments *args)
{
    const char *word = cli_value(args, OPTION_NEIGHBOURS);

    *out = DOSI_NATURAL;
    if (word == NULL || cli_neighbours_find(out, word))
        return CLI_YES;
    return cli_usage(
        args, "--neighbours is add_remove or replace, got \"%s\"%s", word,
        habit_of_neighbours(word));
}

int cli_positive(double *out, const struct cli_arguments *args,
    enum cli_option_id option)
{
    struct cli_given given = {option, cli_value(args, option)};

    *out = 0;
    if (given.value == NULL)
        return CLI_YES;
    int status = cli_number(out, args, &given);
    if (status == CLI_YES && !(*out > 0 && *out < HUGE_VAL))
        status = cli_usage(args, "%s must be positive and finite, got \"%s\"",
            cli_options[option].name, given.value);
    return status;
}

/* Bytes, or kB, MB or GB of 1024 each. */
static int read_bytes(size_t *out, const struct cli_arguments *args)
{
    static const char *const units[] = {
        "", "b", "k", "kb", "m", "mb", "g", "gb"};
    const char *text = cli_value(args, OPTION_MAX_MEMORY);
    char *unit;

    *out = 0;
    if (text == NULL)
        return CLI_YES;
    double bytes = strtod(text, &unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double total = ldexp(bytes, (int)(i / 2) * 10);
        if (unit != text && same_word(unit, units[i]) && total >= 1 &&
            total < (double)(SIZE_MAX / 2)) {
            *out = (size_t)total;
            return CLI_YES;
        }
    }
    return cli_usage(args,
        "--max-memory needs bytes, or a number with kB, MB or GB, got \"%s\"",
        text);
}

/* ---- The clock -------------------------------------------------------------
 */

double cli_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + floor((double)now.tv_nsec / 1e3);
}

/* Asked by the library now and then. */
static int is_over(void *context)
{
    const struct cli_asking *asking = context;
    double now_us = cli_now_us();

    if (!asking->is_quiet)
        cli_progress_tick(now_us);
    return cli_interrupted() ||
           (asking->limit_us > 0 && now_us >= asking->end_us);
}

const dosi_options *cli_asking_start(struct cli_asking *asking)
{
    asking->start_us = cli_now_us();
    if (!asking->is_quiet)
        cli_progress_tick(asking->start_us);
    if (!asking->is_whole)
        asking->end_us = asking->start_us + asking->limit_us;
    return &asking->options;
}

void cli_asking_quiet(struct cli_asking *out, const struct cli_asking *from)
{
    *out = *from;
    out->is_quiet = true;
    out->options.stop_context = out;
}

void cli_asking_until(struct cli_asking *asking, double share)
{
    asking->is_whole = true;
    asking->end_us = asking->begin_us + share * asking->limit_us;
}

static const char out_of_time[] = "stopped by the time limit";

bool cli_is_out_of_time(const dosi_answer *answer)
{
    return answer->reason == out_of_time;
}

dosi_status cli_asking_end(struct cli_asking *asking, dosi_answer *answers,
    size_t n, dosi_status status, dosi_error *err)
{
    asking->elapsed_us = cli_now_us() - asking->start_us;
    if (!asking->is_whole && !asking->is_quiet)
        cli_progress_clear();
    if (cli_interrupted()) {
        *err = (dosi_error){.status = DOSI_EUNABLE,
            .offset = DOSI_NO_OFFSET,
            .message = "interrupted"};
        return DOSI_EUNABLE;
    }
    char *stopped =
        status != DOSI_OK ? strstr(err->message, DOSI_STOPPED) : NULL;
    if (stopped != NULL)
        memcpy(stopped, out_of_time, sizeof out_of_time);
    for (size_t i = 0; i < n; i++)
        if (answers[i].reason != NULL &&
            strcmp(answers[i].reason, DOSI_STOPPED) == 0)
            answers[i].reason = out_of_time;
    return status;
}

/* Digits that were asked for; else enough to show a width that was, where
 * that is more than is shown by itself. */
static int read_digits(struct cli_asking *out, const struct cli_arguments *args)
{
    long n;
    int status = cli_whole(&n, args, OPTION_DIGITS, 1, 17, 0);
    double width = out->options.width;
    out->n_shown = (int)n;
    if (status == CLI_YES && n == 0 && width > 0 && width < 1e-10)
        n = (long)fmin(17, ceil(2 - log10(width)));
    out->n_digits = (int)n;
    return status;
}

int cli_asking_read(struct cli_asking *out, const struct cli_arguments *args)
{
    double seconds;

    *out = (struct cli_asking){.options = DOSI_OPTIONS_INIT};
    out->options.route = cli_value(args, OPTION_ROUTE);
    int status = cli_neighbours_read(&out->options.neighbours, args);
    if (status == CLI_YES)
        status = cli_positive(&out->options.width, args, OPTION_WIDTH);
    if (status == CLI_YES)
        status = read_digits(out, args);
    if (status == CLI_YES)
        status = read_bytes(&out->options.max_bytes, args);
    if (status == CLI_YES)
        status = cli_positive(&seconds, args, OPTION_TIME_LIMIT);
    if (status != CLI_YES)
        return status;
    out->limit_us = seconds * 1e6;
    if (seconds > 0) /* in place of the default bound */
        out->options.max_operations = seconds * DOSI_OPERATIONS_PER_SECOND;
    out->options.stop = is_over;
    out->options.stop_context = out;
    out->begin_us = cli_now_us();
    out->end_us = out->begin_us + out->limit_us;
    cli_progress_of(cli_commands[args->command].name, 0, 0);
    cli_interrupt_watch();
    return CLI_YES;
}

void cli_asking_keep(struct cli_asking *asking)
{
    dosi_error err;

    /* without memory for it every question is asked for itself */
    if (dosi_cache_new(&asking->options.cache, &err) != DOSI_OK)
        asking->options.cache = NULL;
}

void cli_asking_free(struct cli_asking *asking)
{
    dosi_cache_free(asking->options.cache);
    asking->options.cache = NULL;
}

dosi_status cli_asking_at(dosi_answer *out, struct cli_asking *asking,
    const struct cli_question *question, const dosi_plan *plan, double given,
    dosi_error *err)
{
    dosi_status status =
        question->at(out, plan, given, cli_asking_start(asking), err);
    return cli_asking_end(asking, out, 1, status, err);
}

dosi_status cli_asking_curve(dosi_answer *out, struct cli_asking *asking,
    const dosi_plan *plan, const double *alphas, size_t n, dosi_error *err)
{
    const size_t most = 4096; /* at once, to notice a request to end */
    dosi_status status = DOSI_OK;

    const dosi_options *options = cli_asking_start(asking);
    for (size_t i = 0; i < n && status == DOSI_OK && !cli_interrupted();
         i += most) {
        if (n > most)
            cli_progress_of("point", i, n);
        status = dosi_tradeoff_curve(out + i, plan, alphas + i,
            n - i < most ? n - i : most, options, err);
    }
    return cli_asking_end(asking, out, n, status, err);
}

dosi_status cli_asking_deltas(dosi_answer *out, struct cli_asking *asking,
    const dosi_plan *plan, const double *epsilons, size_t n, dosi_error *err)
{
    dosi_status status = dosi_delta_curve(
        out, plan, epsilons, n, cli_asking_start(asking), err);
    return cli_asking_end(asking, out, n, status, err);
}
