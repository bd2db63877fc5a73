/*
 * The ways of `dosimeter release` through a database: the statement that adds
 * up the integers there, the noise on what it answered, and the test of an
 * engine.
 */
#include "release_input.h"

#include <stdlib.h>
#include <string.h>

static int dialect_read(dosi_dialect *out, const struct cli_arguments *args,
    enum cli_option_id option)
{
    const char *name = cli_value(args, option);
    const char *known;

    *out = DOSI_SQL_DUCKDB;
    while ((known = dosi_sql_name(*out)) != NULL) {
        if (strcmp(known, name) == 0)
            return CLI_YES;
        *out = (dosi_dialect)((int)*out + 1);
    }
    return cli_usage(args,
        "%s must be duckdb, postgres, spark or generic, got \"%s\"",
        cli_options[option].name, name);
}

/* The settings of the session and the statement, each with a semicolon. */
static void statement_write(dosi_dialect dialect, const char *text)
{
    const char *settings = dosi_sql_settings(dialect);

    if (settings != NULL && settings[0] != '\0')
        printf("%s;\n", settings);
    printf("%s;\n", text);
    if (dialect == DOSI_SQL_GENERIC)
        cli_say("generic SQL is not tested with your engine: run "
                "--self-test-sql generic in it first");
}

int release_sql_print(
    const struct cli_arguments *args, dosi_table_query *query)
{
    const char *table = cli_value(args, OPTION_TABLE);
    dosi_dialect dialect;
    dosi_error err;
    char *text = NULL;

    int status = dialect_read(&dialect, args, OPTION_SQL);
    if (status != CLI_YES)
        return status;
    if (table == NULL)
        return cli_usage(args, "--sql needs --table NAME");
    if (dosi_table_query_sql(&text, query, dialect, table, &err) != DOSI_OK)
        return cli_fail(args, &err, NULL, 0);
    statement_write(dialect, text);
    dosi_sql_free(text);
    return CLI_YES;
}

int release_statement_read(dosi_table_query **out,
    const struct cli_arguments *args, struct cli_asking *how)
{
    struct cli_plan statement = {0};
    dosi_error err;

    *out = NULL;
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option >= OPTION_COUNT_ROWS &&
            args->given[i].option < OPTION_PLAN_ONLY)
            return cli_usage(args,
                "the statement contains the query; leave out %s",
                cli_options[args->given[i].option].name);
    int status = cli_file_read(&statement, cli_value(args, OPTION_STATEMENT));
    if (status == CLI_YES) {
        dosi_status made = dosi_table_query_from_sql(out, statement.text,
            statement.n_bytes, cli_asking_start(how), &err);
        made = cli_asking_end(how, NULL, 0, made, &err);
        if (made != DOSI_OK)
            status = cli_fail(args, &err, NULL, 0);
    }
    cli_plan_free(&statement);
    return status;
}

int release_tally_read(
    const struct cli_arguments *args, dosi_table_query *query)
{
    struct cli_plan tally = {0};
    dosi_error err;
    int status = cli_file_read(&tally, cli_value(args, OPTION_TALLY));

    if (status == CLI_YES && dosi_table_query_read_tally(query, tally.text,
                                 tally.n_bytes, &err) != DOSI_OK)
        status = cli_fail(args, &err, NULL, 0);
    cli_plan_free(&tally);
    return status;
}

int release_self_test(const struct cli_arguments *args)
{
    struct cli_plan tally = {0};
    dosi_dialect dialect;
    dosi_error err;
    char *text = NULL;

    int status = dialect_read(&dialect, args, OPTION_SELF_TEST_SQL);
    if (status != CLI_YES)
        return status;
    if (cli_value(args, OPTION_TALLY) == NULL) {
        if (dosi_sql_self_test(&text, dialect, &err) != DOSI_OK)
            return cli_fail(args, &err, NULL, 0);
        statement_write(dialect, text);
        dosi_sql_free(text);
        return CLI_YES;
    }
    status = cli_file_read(&tally, cli_value(args, OPTION_TALLY));
    if (status == CLI_YES) {
        dosi_status found = dosi_sql_self_check(
            dialect, tally.text, tally.n_bytes, &err);
        if (found == DOSI_OK)
            puts("all integers agree");
        else
            status = cli_fail(args, &err, NULL, 0);
        if (found == DOSI_EUNABLE)
            status = CLI_NO;
    }
    cli_plan_free(&tally);
    return status;
}
