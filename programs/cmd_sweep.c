/*
 * dosimeter sweep: a plan with many values for some of its numbers, and the
 * answers of every combination as a table, worked out on several cores.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "jobs.h"

#define MOST_CELLS 1000000

struct sweeping {
    struct sweep *sweep;
    struct cli_asking how;
    const char *format;
};

/* ---- Reading ---------------------------------------------------------------
 */

/* Two names of one number would each be ignored half of the time. */
static int check_twice(const struct sweep *s)
{
    for (size_t i = 0; i < s->n_varied; i++)
        for (size_t j = 0; j < i; j++)
            if (s->varied[i].node == s->varied[j].node &&
                s->varied[i].parameter == s->varied[j].parameter)
                return cli_usage(s->args, "--vary %s and %s are one number",
                    s->varied[j].name, s->varied[i].name);
    return CLI_YES;
}

static int read_varied(struct sweep *s)
{
    const struct cli_arguments *args = s->args;
    int status = CLI_YES;

    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        if (args->given[i].option != OPTION_VARY)
            continue;
        if (s->n_varied == SWEEP_MOST_VARIED)
            return cli_usage(
                args, "at most %d times --vary", SWEEP_MOST_VARIED);
        status = vary_read(
            &s->varied[s->n_varied++], args, s->plan, args->given[i].value);
    }
    if (status == CLI_YES && s->n_varied == 0)
        status = cli_usage(args, "missing --vary, as sigma=0.8,1,1.2");
    if (status == CLI_YES)
        status = check_twice(s);
    if (status == CLI_YES)
        status = vary_check(s->varied, s->n_varied, args, s->plan);
    s->n_cells = 1;
    for (size_t i = 0; i < s->n_varied && status == CLI_YES; i++) {
        s->n_cells *= s->varied[i].n;
        if (s->n_cells > MOST_CELLS)
            status =
                cli_usage(args, "the table has more than %d cells", MOST_CELLS);
    }
    return status;
}

static int read_asked(struct sweep *s)
{
    const struct cli_arguments *args = s->args;

    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_question *question =
            cli_question_of(args->given[i].option);
        if (question == NULL)
            continue;
        if (s->n_asked == SWEEP_MOST_ASKED)
            return cli_usage(args, "at most %d questions", SWEEP_MOST_ASKED);
        struct sweep_asked *asked = &s->asked[s->n_asked++];
        asked->question = question;
        int status = cli_number(&asked->given, args, &args->given[i]);
        if (status != CLI_YES)
            return status;
    }
    return s->n_asked > 0 ? CLI_YES : cli_question_missing(args);
}

static int read_format(const char **format, const struct cli_arguments *args)
{
    const char *given = cli_value(args, OPTION_FORMAT);

    *format = cli_has(args, OPTION_JSON) ? "json"
              : given != NULL            ? given
                                         : "table";
    if (!sweep_is_format(*format))
        return cli_usage(
            args, "--format is table, csv, md or json, got \"%s\"", given);
    return CLI_YES;
}

/* ---- Cells -----------------------------------------------------------------
 */

void sweep_values(
    double values[SWEEP_MOST_VARIED], const struct sweep *s, size_t cell)
{
    for (size_t k = s->n_varied; k-- > 0;) {
        values[k] = s->varied[k].values[cell % s->varied[k].n];
        cell /= s->varied[k].n;
    }
}

static void keep_failure(
    struct sweep_answer *out, dosi_status status, const dosi_error *err)
{
    out->status = status;
    out->message = strdup(err->message); /* NULL is written as no message */
}

static void ask_cell(void *context, size_t cell)
{
    struct sweeping *w = context;
    const struct sweep *s = w->sweep;
    struct sweep_answer *answers = &s->answers[cell * s->n_asked];
    double values[SWEEP_MOST_VARIED];
    const dosi_plan *plan;
    struct cli_asking how;
    dosi_error err;

    cli_asking_quiet(&how, &w->how);
    sweep_values(values, s, cell);
    dosi_status made =
        vary_plan(&plan, s->plan, s->varied, values, s->n_varied, &err);
    for (size_t j = 0; j < s->n_asked; j++) {
        const struct cli_question *question = s->asked[j].question;
        dosi_answer answer;
        dosi_status status = made;
        if (made == DOSI_OK)
            status = cli_asking_at(
                &answer, &how, question, plan, s->asked[j].given, &err);
        if (status != DOSI_OK) {
            keep_failure(&answers[j], status, &err);
            continue;
        }
        answers[j].value = answer.value;
        answers[j].reason = answer.reason;
        answers[j].is_vacuous = cli_is_vacuous(question, &answer);
    }
    dosi_plan_free(plan);
}

/* The first cell alone: its failure for a value of the caller's is one of
 * the whole table, and it knows the relation. */
static int ask_first(struct sweeping *w)
{
    struct sweep *s = w->sweep;
    double values[SWEEP_MOST_VARIED];
    const dosi_plan *plan = NULL;
    dosi_error err;

    sweep_values(values, s, 0);
    dosi_status status =
        vary_plan(&plan, s->plan, s->varied, values, s->n_varied, &err);
    for (size_t j = 0; j < s->n_asked && status == DOSI_OK; j++) {
        dosi_answer answer;
        status = cli_asking_at(&answer, &w->how, s->asked[j].question, plan,
            s->asked[j].given, &err);
        if (status == DOSI_OK)
            s->neighbours = answer.neighbours;
        else if (cli_exit_of(status) == CLI_UNABLE && !cli_interrupted())
            status = DOSI_OK; /* the cell tells it */
    }
    dosi_plan_free(plan);
    return status == DOSI_OK ? CLI_YES : cli_fail(s->args, &err, NULL, 0);
}

static int ask_cells(struct sweeping *w, size_t n_jobs)
{
    struct sweep *s = w->sweep;
    int worst = CLI_YES;

    s->answers = calloc(s->n_cells * s->n_asked, sizeof *s->answers);
    if (s->answers == NULL)
        return cli_no_memory();
    int status = ask_first(w);
    if (status == CLI_YES)
        status = cli_jobs_run(n_jobs, s->n_cells, ask_cell, w, "cell");
    if (status != CLI_YES)
        return status;
    for (size_t i = 0; i < s->n_cells * s->n_asked; i++) {
        const struct sweep_answer *a = &s->answers[i];
        int one = a->is_vacuous ? CLI_UNABLE : cli_exit_of(a->status);
        if (one == CLI_SYSTEM)
            return cli_no_memory();
        worst = one > worst ? one : worst;
    }
    sweep_write(s, w->format);
    return worst;
}

/* ---- The command -----------------------------------------------------------
 */

static void free_sweep(struct sweep *s)
{
    for (size_t i = 0; s->answers != NULL && i < s->n_cells * s->n_asked; i++)
        free(s->answers[i].message);
    for (size_t i = 0; i < s->n_varied; i++)
        vary_free(&s->varied[i]);
    free(s->answers);
}

int cli_sweep(const struct cli_arguments *args)
{
    struct sweep sweep = {.args = args};
    struct sweeping w = {.sweep = &sweep};
    struct cli_plan plan = {0};
    size_t n_jobs = 1;

    int status = read_format(&w.format, args);
    if (status == CLI_YES)
        status = cli_asking_read(&w.how, args);
    if (status == CLI_YES)
        status = cli_jobs_read(&n_jobs, args, 0);
    if (status == CLI_YES)
        status = read_asked(&sweep);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    sweep.plan = plan.plan;
    sweep.n_digits = w.how.n_digits;
    if (status == CLI_YES)
        status = read_varied(&sweep);
    if (status == CLI_YES)
        status = ask_cells(&w, n_jobs);
    free_sweep(&sweep);
    cli_plan_free(&plan);
    return status;
}
