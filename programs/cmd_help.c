/*
 * dosimeter help: what the tables of commands and options say, for people on
 * a terminal. The other forms are in help_forms.c and help_completion.c.
 */
#include "cli.h"

#include <string.h>

#include "help_forms.h"

void help_lines(const char *text, const char *before, const char *after)
{
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, "\n");
        printf("%s%.*s%s", before, (int)n, text, after);
        text += n + (text[n] == '\n');
    }
}

/* A paragraph, broken at spaces before column 78, indented by two. */
static void write_paragraph(const char *text)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > 78) {
            putchar('\n');
            column = 0;
        }
        printf("%s%.*s", column > 0 ? " " : "  ", (int)n, text);
        column += n + (column > 0 ? 1 : 2);
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

static void write_option(const struct cli_option *option)
{
    char left[64];

    snprintf(left, sizeof left, "%s%s%s", option->name,
        option->argument != NULL ? " " : "",
        option->argument != NULL ? option->argument : "");
    printf("  %-22s %s\n", left, option->meaning);
}

static void help_command(enum cli_command_id id)
{
    const struct cli_command *command = &cli_commands[id];

    printf("dosimeter %s: %s\n\nUsage:\n", command->name, command->meaning);
    help_lines(command->usage, "  dosimeter ", "\n");
    if (command->details != NULL) {
        putchar('\n');
        write_paragraph(command->details);
    }
    if (strstr(command->usage, "PLAN") != NULL) {
        putchar('\n');
        write_paragraph(help_plan_text);
    }
    puts("\nOptions:");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (cli_options[i].commands & 1u << id)
            write_option(&cli_options[i]);
    if (id == COMMAND_COMPARE ||
        cli_options[OPTION_ROUTE].commands & 1u << id) {
        puts("\nRoutes, cheapest first:");
        for (size_t i = 0; i < dosi_route_count(); i++) {
            dosi_route_info route = dosi_route_at(i);
            printf("  %-22s %s\n", route.name, route.meaning);
        }
    }
    if (command->examples != NULL) {
        puts("\nExamples:");
        help_lines(command->examples, "  dosimeter ", "\n");
    }
}

void help_overview(void)
{
    puts("dosimeter: certified differential-privacy accounting\n\n"
         "Usage:\n  dosimeter COMMAND [ARGUMENT ...] [OPTION ...]\n\n"
         "Commands:");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-9s %s\n", cli_commands[i].name, cli_commands[i].meaning);
    putchar('\n');
    write_paragraph(help_plan_text);
    puts("\nExit status:");
    for (size_t i = 0; i < help_n_exits; i++)
        printf("  %3d  %s\n", help_exits[i].status, help_exits[i].meaning);
    puts("\n\"dosimeter help COMMAND\" describes one command.");
}

int cli_help(const struct cli_arguments *args)
{
    enum cli_command_id about = args->command;
    bool of_command = about != COMMAND_HELP || cli_has(args, OPTION_HELP);

    if (cli_has(args, OPTION_COMPLETION) && !cli_has(args, OPTION_HELP))
        return help_completion(args);
    if (!of_command && args->n_operands > 0) {
        if (!cli_command_find(&about, args->operands[0]))
            return cli_usage(args, "unknown command \"%s\"", args->operands[0]);
        of_command = true;
    }
    if (cli_has(args, OPTION_MAN))
        help_man();
    else if (cli_has(args, OPTION_MARKDOWN))
        help_markdown();
    else if (cli_has(args, OPTION_JSON))
        help_json();
    else if (of_command)
        help_command(about);
    else
        help_overview();
    return CLI_YES;
}
