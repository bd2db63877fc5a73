/*
 * The manual page, docs/commands.md and the JSON form of the help, from the
 * tables of commands and options.
 */
#include "help_forms.h"

#include <string.h>

#include "cli.h"

const char help_plan_text[] =
    "PLAN is a text such as 'poisson(256/60000, gaussian(1.1)) * 14063', the "
    "plan as JSON, an event tree of dp_accounting as JSON, @FILE, or - for "
    "standard input. @FILE may also be a part of a text; a file has one part "
    "a line, comments behind #, and labels as in \"by county\": gaussian(20) * "
    "3, or is CSV with the columns kind, parameters, count and label.";

const struct help_exit help_exits[] = {
    {CLI_YES, "answered"},
    {CLI_NO, "a check failed"},
    {CLI_USAGE, "bad usage or bad input"},
    {CLI_UNABLE, "unsupported, or nothing could be certified"},
    {CLI_SYSTEM, "system error: memory, reading, writing"},
    {CLI_INTERRUPTED, "interrupted: nothing is left half-written"},
};
const size_t help_n_exits = sizeof help_exits / sizeof *help_exits;

/* ---- Manual page --------------------------------------------------------- */

/* n bytes with what roff would take for itself escaped. */
static void roff_bytes(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 && (s[i] == '.' || s[i] == '\''))
            fputs("\\&", stdout);
        if (s[i] == '\\')
            fputs("\\e", stdout);
        else if (s[i] == '-')
            fputs("\\-", stdout);
        else if (s[i] == '\'')
            fputs("\\(aq", stdout);
        else if (s[i] == '^')
            fputs("\\(ha", stdout);
        else if (s[i] == '~')
            fputs("\\(ti", stdout);
        else if (s[i] == '`')
            fputs("\\(ga", stdout);
        else
            putchar(s[i]);
    }
}

static void roff(const char *s)
{
    roff_bytes(s, strlen(s));
}

/* Every line of text in bold behind the program's name. */
static void roff_commands(const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, "\n");
        fputs(".br\n.B dosimeter\n", stdout);
        roff_bytes(text, n);
        putchar('\n');
        text += n + (text[n] == '\n');
    }
}

/* How many of n bytes fit into a line beside the program's name and margins,
 * cut before an option or a quoted word, if they can be. */
static size_t example_cut(const char *line, size_t n)
{
    enum { FIT = 60 };
    bool is_quoted = false;
    size_t cut = n;

    for (size_t i = 0; n > FIT && i < FIT; i++) {
        is_quoted = is_quoted != (line[i] == '\'');
        if (i > 0 && !is_quoted && line[i] == ' ' &&
            (line[i + 1] == '-' || line[i + 1] == '\''))
            cut = i;
    }
    return cut;
}

/* Examples as they are typed: not filled, for a shell takes them as they
 * stand, and a long one goes on behind a backslash. */
static void man_examples(const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t n = strcspn(text, "\n");
        fputs("dosimeter ", stdout);
        for (size_t cut = 0; n > 0; text += cut, n -= cut) {
            if (cut > 0)
                fputs(" \\e\n\\&   ", stdout);
            cut = example_cut(text, n);
            roff_bytes(text, cut);
        }
        putchar('\n');
        text += *text == '\n';
    }
}

static void man_options(unsigned commands, bool exactly)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct cli_option *option = &cli_options[i];
        bool everywhere = option->commands == (1u << COMMAND_COUNT) - 1;
        if (everywhere != exactly || !(option->commands & commands))
            continue;
        fputs(".TP\n.B ", stdout);
        roff(option->name);
        if (option->argument != NULL)
            printf(" \\fI%s\\fR", option->argument);
        putchar('\n');
        roff(option->meaning);
        fputs(".\n", stdout);
    }
}

void help_man(void)
{
    printf(".TH DOSIMETER 1 \"\" \"dosimeter %s\" \"User Commands\"\n",
        dosi_version());
    fputs(".SH NAME\ndosimeter \\- certified differential\\-privacy "
          "accounting\n.SH SYNOPSIS\n.B dosimeter\n.I COMMAND\n"
          "[\\fIARGUMENT\\fR ...] [\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n"
          "From a description of what was run on people\\(aqs data to how "
          "much privacy was lost, as an interval that contains the exact "
          "value.\n.PP\n",
        stdout);
    roff(help_plan_text);
    fputs("\n.SH COMMANDS\n", stdout);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf(".SS %s\n", cli_commands[i].name);
        roff(cli_commands[i].meaning);
        fputs(".\n", stdout);
        if (cli_commands[i].details != NULL) {
            fputs(".PP\n", stdout);
            roff(cli_commands[i].details);
            putchar('\n');
        }
        fputs(".PP\n", stdout);
        roff_commands(cli_commands[i].usage);
        man_options(1u << i, false);
    }
    fputs(".SH COMMON OPTIONS\n", stdout);
    man_options(~0u, true);
    fputs(".SH ROUTES\n", stdout);
    for (size_t i = 0; i < dosi_route_count(); i++) {
        dosi_route_info route = dosi_route_at(i);
        printf(".TP\n.B %s\n", route.name);
        roff(route.meaning);
        fputs(".\n", stdout);
    }
    fputs(".SH EXIT STATUS\n", stdout);
    for (size_t i = 0; i < help_n_exits; i++) {
        printf(".TP\n.B %d\n", help_exits[i].status);
        roff(help_exits[i].meaning);
        fputs(".\n", stdout);
    }
    fputs(".SH EXAMPLES\n.nf\n", stdout);
    for (int i = 0; i < COMMAND_COUNT; i++)
        man_examples(cli_commands[i].examples);
    fputs(".fi\n", stdout);
}

/* ---- Markdown --------------------------------------------------------------
 */

void help_markdown(void)
{
    printf("# Commands\n\n%s\n\nThis page is printed by `dosimeter help "
           "--markdown`; a test compares them.\n",
        help_plan_text);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const struct cli_command *command = &cli_commands[i];
        printf(
            "\n## %s\n\nGives %s.\n\n```\n", command->name, command->meaning);
        help_lines(command->usage, "dosimeter ", "\n");
        puts("```\n");
        if (command->details != NULL)
            printf("%s\n\n", command->details);
        puts("| option | meaning |\n| --- | --- |");
        for (int j = 0; j < OPTION_COUNT; j++)
            if (cli_options[j].commands & 1u << i)
                printf("| `%s%s%s` | %s |\n", cli_options[j].name,
                    cli_options[j].argument != NULL ? " " : "",
                    cli_options[j].argument != NULL ? cli_options[j].argument
                                                    : "",
                    cli_options[j].meaning);
        if (command->examples != NULL) {
            puts("\nExamples:\n\n```");
            help_lines(command->examples, "dosimeter ", "\n");
            puts("```");
        }
    }
    puts("\n"
         "## Routes\n"
         "\n"
         "An answer combines the bounds of these routes, cheapest first; "
         "`--route` selects one of them.\n"
         "\n"
         "| route | meaning |\n"
         "| --- | --- |");
    for (size_t i = 0; i < dosi_route_count(); i++) {
        dosi_route_info route = dosi_route_at(i);
        printf("| `%s` | %s |\n", route.name, route.meaning);
    }
    puts("\n## Exit status\n\n| status | meaning |\n| --- | --- |");
    for (size_t i = 0; i < help_n_exits; i++)
        printf("| %d | %s |\n", help_exits[i].status, help_exits[i].meaning);
}

/* ---- JSON ------------------------------------------------------------------
 */

static void json_lines(const char *name, const char *text)
{
    cli_json_key(name, false);
    putchar('[');
    for (bool first = true; text != NULL && *text != '\0'; first = false) {
        size_t n = strcspn(text, "\n");
        fputs(first ? "" : ",", stdout);
        cli_json_string(text, n);
        text += n + (text[n] == '\n');
    }
    putchar(']');
}

static void json_option(const struct cli_option *option, bool first)
{
    fputs(first ? "{" : ",{", stdout);
    cli_json_text("name", option->name, true);
    if (option->argument != NULL)
        cli_json_text("argument", option->argument, false);
    cli_json_text("meaning", option->meaning, false);
    putchar('}');
}

void help_json(void)
{
    fputs("{\"commands\":[", stdout);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fputs(i > 0 ? ",\n{" : "{", stdout);
        cli_json_text("name", cli_commands[i].name, true);
        cli_json_text("meaning", cli_commands[i].meaning, false);
        json_lines("usage", cli_commands[i].usage);
        json_lines("examples", cli_commands[i].examples);
        cli_json_key("options", false);
        putchar('[');
        for (int j = 0, n = 0; j < OPTION_COUNT; j++)
            if (cli_options[j].commands & 1u << i)
                json_option(&cli_options[j], n++ == 0);
        fputs("]}", stdout);
    }
    puts("]}");
}
