/*
 * dosimeter explain: what a plan guarantees, in plain language, as text,
 * Markdown or JSON.
 */
#include "statement.h"

#include <string.h>

#define COLUMNS 78

/* One sentence, indented, its further lines further. */
static void write_wrapped(const char *sentence)
{
    size_t column = 2;

    fputs("- ", stdout);
    for (const char *word = sentence; *word != '\0';) {
        size_t n = strcspn(word, " ");
        if (column > 2 && column + 1 + n > COLUMNS) {
            fputs("\n  ", stdout);
            column = 2;
        } else if (column > 2) {
            putchar(' ');
            column++;
        }
        fwrite(word, 1, n, stdout);
        column += n;
        word += n + (word[n] == ' ');
    }
    putchar('\n');
}

static void write_text(const struct statement *s, bool markdown)
{
    if (markdown)
        printf("# Privacy of `%s`\n", s->plan);
    for (size_t i = 0; i < s->n_sections; i++) {
        const struct statement_section *at = &s->sections[i];
        if (markdown)
            printf("\n## %s\n\n", at->title);
        else
            printf("%s%s\n", i > 0 ? "\n" : "", at->title);
        for (size_t j = 0; j < at->n_sentences; j++)
            write_wrapped(at->sentences[j]);
    }
}

static void json_risk(const dosi_risk *risk)
{
    cli_json_interval("advantage", risk->advantage.value, false);
    cli_json_interval("accuracy", risk->accuracy, false);
    cli_json_key("prior", false);
    cli_json_number(risk->prior);
    cli_json_tests(risk);
}

static void write_json(const struct statement *s)
{
    putchar('{');
    cli_json_text("plan", s->plan, true);
    cli_json_key("delta", false);
    cli_json_number(s->delta);
    cli_json_interval("epsilon", s->epsilon.value, false);
    cli_json_provenance(&s->epsilon);
    json_risk(&s->risk);
    if (s->n_people > 0) {
        cli_json_key("people", false);
        cli_json_number(s->n_people);
    }
    cli_json_key("statement", false);
    putchar('[');
    for (size_t i = 0; i < s->n_sections; i++) {
        const struct statement_section *at = &s->sections[i];
        fputs(i > 0 ? ",\n{" : "\n{", stdout);
        cli_json_text("title", at->title, true);
        cli_json_key("text", false);
        putchar('[');
        for (size_t j = 0; j < at->n_sentences; j++) {
            fputs(j > 0 ? "," : "", stdout);
            cli_json_string(at->sentences[j], strlen(at->sentences[j]));
        }
        fputs("]}", stdout);
    }
    puts("]}");
}

int cli_explain(const struct cli_arguments *args)
{
    struct statement statement = {0};
    struct statement_wanted wanted;
    struct cli_plan plan = {0};
    struct cli_asking how;

    int status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        status = statement_read(&wanted, args);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    if (status == CLI_YES)
        status =
            statement_make(&statement, args, plan.plan, &wanted, NULL, &how);
    if (status == CLI_YES) {
        if (cli_has(args, OPTION_JSON))
            write_json(&statement);
        else
            write_text(&statement, cli_has(args, OPTION_MARKDOWN));
        if (cli_is_vacuous(cli_question_of(OPTION_DELTA), &statement.epsilon))
            status = CLI_UNABLE;
    }
    statement_free(&statement);
    cli_plan_free(&plan);
    return status;
}
