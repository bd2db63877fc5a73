/*
 * The command release: statistics of a table with exact noise. All of it is
 * printed at the end, or nothing.
 */
#include "release_input.h"

#include <stdlib.h>
#include <string.h>

/* What is asked: a release, its plan, a statement, or a check of the file. */
struct release_job {
    bool is_check, is_plan_only, is_sql, is_tally;
    const char *path;
    dosi_release_form form;
};

/* Which options and operands go together. */
static int job_check(
    const struct release_job *job, const struct cli_arguments *args)
{
    bool has_not_private = cli_has(args, OPTION_NOT_PRIVATE);
    bool has_statement = cli_has(args, OPTION_STATEMENT);

    if (job->is_sql + job->is_tally + job->is_plan_only + job->is_check > 1)
        return cli_usage(args,
            "check, --plan-only, --sql and --tally do not go together");
    if (job->path != NULL && (job->is_sql || job->is_tally))
        return cli_usage(args, "unexpected argument \"%s\"", job->path);
    if (job->path == NULL && !job->is_plan_only && !job->is_sql &&
        !job->is_tally)
        return cli_usage(args, "missing FILE");
    if (job->is_tally != has_statement)
        return cli_usage(args, "--tally and --statement go together");
    if (cli_has(args, OPTION_TABLE) && !job->is_sql)
        return cli_usage(args, "--table belongs to --sql");
    if (job->is_check && !has_not_private)
        return cli_usage(args,
            "check prints exact counts, for the owner of the file alone; say "
            "so with --not-private");
    if (!job->is_check && has_not_private)
        return cli_usage(args, "--not-private belongs to release check FILE");
    if (cli_has(args, OPTION_JSON) && cli_has(args, OPTION_CSV))
        return cli_usage(args, "--json and --csv do not go together");
    if (job->form != DOSI_RELEASE_TEXT && job->is_sql)
        return cli_usage(args, "--sql prints a statement alone");
    if (job->form == DOSI_RELEASE_CSV && (job->is_plan_only || job->is_check))
        return cli_usage(args, "--csv is for releases; use --json");
    return CLI_YES;
}

static int job_read(struct release_job *job, const struct cli_arguments *args)
{
    size_t first = 0;

    *job = (struct release_job){
        .is_plan_only = cli_has(args, OPTION_PLAN_ONLY),
        .is_sql = cli_has(args, OPTION_SQL),
        .is_tally = cli_has(args, OPTION_TALLY)};
    job->is_check =
        args->n_operands > 0 && strcmp(args->operands[0], "check") == 0;
    first = job->is_check;
    if (args->n_operands > first + 1)
        return cli_usage(args, "unexpected argument \"%s\"",
            args->operands[first + 1]);
    if (args->n_operands > first)
        job->path = args->operands[first];
    job->form = cli_has(args, OPTION_JSON)  ? DOSI_RELEASE_JSON
                : cli_has(args, OPTION_CSV) ? DOSI_RELEASE_CSV
                                            : DOSI_RELEASE_TEXT;
    return job_check(job, args);
}

/* Which of the three texts of a job is printed. */
struct printed {
    const struct release_job *job;
    dosi_table_query *query;
    const dosi_release *release;
};

static dosi_status print_part(const struct printed *p, char *text,
    size_t size, size_t *length, dosi_error *err)
{
    if (p->release != NULL)
        return dosi_release_print(
            text, size, length, p->release, p->job->form, err);
    if (p->job->is_check)
        return dosi_table_query_check(
            text, size, length, p->query, p->job->form, err);
    return dosi_table_query_print(
        text, size, length, p->query, p->job->form, err);
}

static int write_all(const struct cli_arguments *args, const struct printed *p)
{
    dosi_error err;
    size_t length;
    char *text = NULL;

    dosi_status status = print_part(p, NULL, 0, &length, &err);
    if (status == DOSI_OK) {
        text = malloc(length + 1);
        if (text == NULL)
            return cli_no_memory();
        status = print_part(p, text, length + 1, &length, &err);
    }
    int code = CLI_YES;
    if (status != DOSI_OK)
        code = cli_fail(args, &err, NULL, 0);
    else if (cli_interrupted())
        code = CLI_INTERRUPTED;
    else
        fwrite(text, 1, length, stdout);
    free(text);
    return code;
}

static int run_job(const struct cli_arguments *args,
    const struct release_job *job, dosi_table_query *query)
{
    struct printed printed = {job, query, NULL};
    dosi_release *release = NULL;
    dosi_error err;
    int status = CLI_YES;

    if (job->is_sql)
        return release_sql_print(args, query);
    if (job->is_tally)
        status = release_tally_read(args, query);
    else if (!job->is_plan_only)
        status = release_data_read(args, query, job->path);
    if (status == CLI_YES && !job->is_plan_only && !job->is_check &&
        dosi_table_query_finish(&release, query, &err) != DOSI_OK)
        status = cli_fail(args, &err, NULL, 0);
    printed.release = release;
    if (status == CLI_YES)
        status = write_all(args, &printed);
    dosi_release_free(release);
    return status;
}

/* The query of the options. */
static int query_read(dosi_table_query **out, const struct cli_arguments *args,
    struct cli_asking *how)
{
    struct release_texts texts = {0};
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    const char *plan = cli_value(args, OPTION_GIVEN_PLAN);
    dosi_error err;
    int status = release_texts_read(&texts, args);

    options.settings = (const char *const *)texts.settings.texts;
    options.n_settings = texts.settings.n;
    if (status == CLI_YES) {
        options.accounting = cli_asking_start(how);
        dosi_status made = dosi_table_query_new(out,
            (const char *const *)texts.statistics.texts, texts.statistics.n,
            &options, &err);
        made = cli_asking_end(how, NULL, 0, made, &err);
        if (made != DOSI_OK)
            status =
                cli_fail(args, &err, plan, plan != NULL ? strlen(plan) : 0);
    }
    release_texts_free(&texts);
    return status;
}

int cli_release(const struct cli_arguments *args)
{
    struct release_job job;
    struct cli_asking how;
    dosi_table_query *query = NULL;

    if (cli_has(args, OPTION_SELF_TEST_SQL))
        return release_self_test(args);
    int status = job_read(&job, args);
    if (status == CLI_YES)
        status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        status = job.is_tally ? release_statement_read(&query, args, &how)
                              : query_read(&query, args, &how);
    if (status == CLI_YES)
        status = run_job(args, &job, query);
    dosi_table_query_free(query);
    return status;
}
