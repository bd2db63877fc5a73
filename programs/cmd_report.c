/*
 * dosimeter report: what a plan guarantees, for people: a page, an entry of
 * the registry of deployments, or a checklist.
 */
#include "report_page.h"

#include <stdlib.h>

/* One row a form. */
static const struct form {
    enum cli_option_id option; /* OPTION_COUNT: the form without an option */
    const char *suffixes, *formats;
    void (*write)(FILE *out, const struct report *report);
} forms[] = {
    {OPTION_REGISTRY, "yaml yml", "a .yaml file with --registry",
        report_registry_write},
    {OPTION_CHECKLIST, "md txt", "a .md file with --checklist",
        report_checklist_write},
    {OPTION_COUNT, "html htm", "a .html file", report_page_write},
};

static const struct form *form_of(const struct cli_arguments *args)
{
    const struct form *at = forms;

    while (at->option != OPTION_COUNT && !cli_has(args, at->option))
        at++;
    return at;
}

static int write_report(const struct report *report, const struct form *form)
{
    struct cli_output output;

    int status =
        cli_output_open(&output, cli_value(report->args, OPTION_OUTPUT));
    if (status != CLI_YES)
        return status;
    form->write(output.stream, report);
    status = cli_output_close(&output, CLI_YES);
    if (status == CLI_YES && cli_has(report->args, OPTION_JSON)) {
        putchar('{');
        cli_json_text("output", output.path, true);
        cli_json_key("delta", false);
        cli_json_number(report->statement.delta);
        cli_json_interval("epsilon", report->statement.epsilon.value, false);
        puts("}");
    }
    if (status == CLI_YES && cli_is_vacuous(cli_question_of(OPTION_DELTA),
                                 &report->statement.epsilon))
        status = CLI_UNABLE;
    return status;
}

static int read_options(struct report *report, struct cli_asking *how,
    struct statement_wanted *wanted, const struct form *form)
{
    const struct cli_arguments *args = report->args;

    if (cli_has(args, OPTION_JSON) && !cli_has(args, OPTION_OUTPUT))
        return cli_usage(args, "--json describes a file; --output is missing");
    if (cli_has(args, OPTION_REGISTRY) && cli_has(args, OPTION_CHECKLIST))
        return cli_usage(args, "one form at a time: --registry or --checklist");
    int status = cli_output_check(args, form->suffixes, form->formats);
    if (status == CLI_YES)
        status = report_fields_read(&report->fields, args);
    if (status == CLI_YES)
        status = cli_asking_read(how, args);
    if (status == CLI_YES)
        cli_asking_keep(how);
    if (status == CLI_YES)
        status = statement_read(wanted, args);
    return status;
}

int cli_report(const struct cli_arguments *args)
{
    const struct form *form = form_of(args);
    struct cli_plan plan = {0};
    struct cli_asking how = {.options = DOSI_OPTIONS_INIT};
    struct statement_wanted wanted;
    char *label = NULL;

    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return cli_no_memory();
    report->args = args;
    int status = read_options(report, &how, &wanted, form);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    if (status == CLI_YES) {
        label = cli_plan_label(&plan, args->operands[0]);
        status = label != NULL ? CLI_YES : cli_no_memory();
    }
    report->label = label;
    if (status == CLI_YES)
        status = report_ask(report, &how, plan.plan, &wanted,
            form->option == OPTION_COUNT);
    if (status == CLI_YES)
        status = write_report(report, form);
    report_free(report);
    cli_plan_free(&plan);
    cli_asking_free(&how);
    free(label);
    free(report);
    return status;
}
