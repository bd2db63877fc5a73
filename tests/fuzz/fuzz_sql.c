/*
 * Fuzz target of statements. The bytes are read as a statement, and as the
 * first line of one: "{"statistics":[...],...}". The query of a first line
 * that is accepted prints a statement that reads back and prints again as the
 * same text, and in which nothing of the line is outside of quotes. Budgets
 * are left out of the settings: searching them is not reading.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/release.h"
#include "release/table/sql/sql_origin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_refusal(dosi_status status, const dosi_error *err)
{
    size_t length = strlen(err->message);
    require(status == DOSI_EINVAL || status == DOSI_ESYNTAX ||
        status == DOSI_EUNABLE || status == DOSI_EUNSUPPORTED ||
        status == DOSI_EDOMAIN);
    require(length > 0 && length < sizeof err->message);
    for (size_t i = 0; i < length; i++)
        require((unsigned char)err->message[i] >= 0x20);
}

/* Behind the first line: what is in quotes is skipped; the rest is letters,
 * digits, blanks and signs that no foreign text gets into. */
static void check_quoted(const char *text, char quote)
{
    const char *s = strchr(text, '\n');
    require(s != NULL);
    for (; *s != '\0'; s++) {
        if (*s != quote && *s != '\'') {
            require(strchr(";\\$`{}[]#@&", *s) == NULL);
            require(strncmp(s, "--", 2) != 0 && strncmp(s, "/*", 2) != 0);
            require((*s >= ' ' && *s <= '~') || *s == '\n');
            continue;
        }
        char end = *s;
        for (s++; *s != end || s[1] == end; s++) {
            require(*s != '\0');
            s += *s == end;
        }
    }
}

/* The statement of a query in one dialect reads back as itself. */
static void check_statement(
    dosi_table_query *query, dosi_dialect dialect, const char *table)
{
    char *text = NULL, *again = NULL;
    dosi_error err = {.status = DOSI_OK};
    dosi_table_query *back = NULL;
    dosi_status status =
        dosi_table_query_sql(&text, query, dialect, table, &err);
    if (status != DOSI_OK) {
        require(text == NULL);
        check_refusal(status, &err);
        return;
    }
    check_quoted(text, dialect == DOSI_SQL_SPARK ? '`' : '"');
    require(dosi_table_query_from_sql(&back, text, strlen(text), NULL, &err) ==
        DOSI_OK);
    require(dosi_table_query_sql(&again, back, dialect, table, &err) ==
        DOSI_OK);
    require(strcmp(text, again) == 0);
    dosi_sql_free(again);
    dosi_sql_free(text);
    dosi_table_query_free(back);
}

static bool is_budget(const char *setting)
{
    static const char *const names[] = {
        "epsilon", "delta", "plan", "weight", "not-private"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(setting, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void check_origin(const struct sql_origin *origin)
{
    const struct table_lines *lines = &origin->lines;
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_error err = {.status = DOSI_OK};
    const char **settings =
        calloc(lines->n_settings + 1, sizeof *settings);
    require(settings != NULL);
    for (size_t i = 0; i < lines->n_settings; i++)
        if (!is_budget(lines->settings[i]))
            settings[options.n_settings++] = lines->settings[i];
    settings[options.n_settings++] = "not-private";
    options.settings = settings;
    dosi_status status =
        dosi_table_query_new(&query, (const char *const *)lines->statistics,
            lines->n_statistics, &options, &err);
    if (status != DOSI_OK)
        check_refusal(status, &err);
    for (int d = 0; status == DOSI_OK && dosi_sql_name((dosi_dialect)d); d++)
        check_statement(query, (dosi_dialect)d, origin->table);
    dosi_table_query_free(query);
    free(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    dosi_error err = {.status = DOSI_OK};
    struct sql_origin origin;
    if (size >= 2 && text[0] == '{') {
        if (sql_origin_read(&origin, text, size, &err) == DOSI_OK)
            check_origin(&origin);
        sql_origin_free(&origin);
        return 0;
    }
    dosi_table_query *query = NULL;
    dosi_status status = dosi_table_query_from_sql(&query, text, size, NULL, &err);
    if (status != DOSI_OK)
        check_refusal(status, &err);
    require((status == DOSI_OK) == (query != NULL));
    dosi_table_query_free(query);
    return 0;
}
