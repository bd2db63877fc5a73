/*
 * The completion for bash, zsh and fish, from the tables of commands and
 * options.
 */
#include <string.h>

#include "cli.h"
#include "help_forms.h"

/* ---- Shared ----------------------------------------------------------------
 */

/* The names of commands, of all or of those in the mask. */
static void write_commands(unsigned mask, const char *between)
{
    const char *before = "";

    for (int i = 0; i < COMMAND_COUNT; i++)
        if (mask & 1u << i) {
            printf("%s%s", before, cli_commands[i].name);
            before = between;
        }
}

/* What may stand behind the option, separated by blanks. */
static void write_choices(enum cli_option_id id)
{
    if (cli_options[id].choices != NULL)
        fputs(cli_options[id].choices, stdout);
    for (size_t j = 0; id == OPTION_ROUTE && j < dosi_route_count(); j++)
        printf("%s%s", j > 0 ? " " : "", dosi_route_at(j).name);
}

static bool has_choices(enum cli_option_id id)
{
    return cli_options[id].choices != NULL || id == OPTION_ROUTE;
}

static bool takes_file(enum cli_option_id id)
{
    const char *argument = cli_options[id].argument;

    return argument != NULL && strcmp(argument, "FILE") == 0;
}

/* A text as part of a word in single quotes; fish escapes within them. */
static void write_quoted(const char *text, const char *quote)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
}

/* ---- bash ------------------------------------------------------------------
 */

/* Whether the words behind the option are those of this row: commands may
 * share a name, and one of them may be a switch. */
static bool completes_value(int row)
{
    bool own = cli_options[row].argument != NULL;

    for (int i = 0; i < OPTION_COUNT; i++)
        if (i != row &&
            strcmp(cli_options[i].name, cli_options[row].name) == 0 &&
            (i < row || cli_options[i].argument == NULL))
            own = false;
    return own;
}

static void complete_bash(void)
{
    puts("# bash completion for dosimeter; printed by "
         "\"dosimeter help --completion\"\n"
         "_dosimeter()\n{\n"
         "    local word=${COMP_WORDS[COMP_CWORD]}\n"
         "    local before=${COMP_WORDS[COMP_CWORD-1]} words=");
    fputs("    local commands=\"", stdout);
    write_commands(~0u, " ");
    puts("\"\n    COMPREPLY=()\n    case $before in");
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!completes_value(i))
            continue;
        printf("    %s) COMPREPLY=($(compgen -W \"", cli_options[i].name);
        write_choices((enum cli_option_id)i);
        puts("\" -- \"$word\")); return;;");
    }
    puts("    --completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- "
         "\"$word\")); return;;\n"
         "    esac\n"
         "    case $COMP_CWORD:${COMP_WORDS[1]} in\n"
         "    1:*) words=$commands;;\n"
         "    2:help) words=\"$commands --man --completion --markdown\";;\n"
         "    2:formula) words=\"list show eval\";;\n"
         "    3:formula) words=\"$(dosimeter formula list 2>/dev/null |\n"
         "        cut -d ' ' -f 1)\";;&");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("    *:%s) words+=\"", cli_commands[i].name);
        for (int j = 0; j < OPTION_COUNT; j++)
            if (cli_options[j].commands & 1u << i)
                printf(" %s", cli_options[j].name);
        puts("\";;");
    }
    puts("    esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _dosimeter dosimeter");
}

/* ---- zsh -------------------------------------------------------------------
 */

/* What stands behind an option, for the commands it belongs to. */
static void zsh_values(void)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        enum cli_option_id id = (enum cli_option_id)i;
        if (cli_options[i].argument == NULL)
            continue;
        fputs("    (", stdout);
        write_commands(cli_options[i].commands, "|");
        printf("):%s) ", cli_options[i].name);
        if (has_choices(id)) {
            fputs("compadd -- ", stdout);
            write_choices(id);
            fputs("; ", stdout);
        } else if (takes_file(id)) {
            fputs("_files; ", stdout);
        }
        puts("return;;");
    }
}

static void zsh_options(void)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("    %s) options=(\n", cli_commands[i].name);
        for (int j = 0; j < OPTION_COUNT; j++) {
            if (!(cli_options[j].commands & 1u << i))
                continue;
            printf("        '%s:", cli_options[j].name);
            write_quoted(cli_options[j].meaning, "'\\''");
            puts("'");
        }
        puts("    );;");
    }
}

static void complete_zsh(void)
{
    puts("#compdef dosimeter\n"
         "# zsh completion for dosimeter; printed by "
         "\"dosimeter help --completion zsh\"\n"
         "_dosimeter()\n{\n"
         "    local -a commands options\n"
         "    commands=(");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("        '%s:", cli_commands[i].name);
        write_quoted(cli_commands[i].meaning, "'\\''");
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    case ${words[2]}:${words[CURRENT-1]} in");
    zsh_values();
    puts("    help:--completion) compadd -- bash zsh fish; return;;\n"
         "    esac\n"
         "    [[ ${words[CURRENT]} == -* ]] || case $CURRENT:${words[2]} in\n"
         "    3:formula) compadd -- list show eval; return;;\n"
         "    4:formula) compadd -- ${(f)\"$(dosimeter formula list "
         "2>/dev/null |\n"
         "        cut -d ' ' -f 1)\"}; return;;\n"
         "    esac\n"
         "    case ${words[2]} in");
    zsh_options();
    puts("    esac\n"
         "    if [[ ${words[CURRENT]} == -* ]]; then\n"
         "        _describe -o option options\n"
         "    elif [[ ${words[2]} == help ]]; then\n"
         "        _describe command commands\n"
         "    else\n"
         "        _files\n"
         "    fi\n"
         "}\n"
         "if [[ ${funcstack[1]} == _dosimeter ]]; then\n"
         "    _dosimeter \"$@\"\n"
         "else\n"
         "    compdef _dosimeter dosimeter\n"
         "fi");
}

/* ---- fish ------------------------------------------------------------------
 */

static void fish_meaning(const char *meaning)
{
    fputs(" -d '", stdout);
    write_quoted(meaning, "\\'");
    puts("'");
}

static void fish_option(enum cli_option_id id)
{
    fputs("complete -c dosimeter -n '__dosimeter_is ", stdout);
    write_commands(cli_options[id].commands, " ");
    printf("' -l %s", cli_options[id].name + 2);
    if (has_choices(id)) {
        fputs(" -x -a '", stdout);
        write_choices(id);
        putchar('\'');
    } else if (cli_options[id].argument != NULL) {
        fputs(takes_file(id) ? " -r -F" : " -x", stdout);
    }
    fish_meaning(cli_options[id].meaning);
}

static void complete_fish(void)
{
    puts("# fish completion for dosimeter; printed by "
         "\"dosimeter help --completion fish\"\n"
         "function __dosimeter_words -d 'words before the one at the cursor'\n"
         "    test (count (commandline -opc)) -eq $argv[1]\n"
         "end\n"
         "function __dosimeter_is -d 'the command is one of these'\n"
         "    set -l words (commandline -opc)\n"
         "    test (count $words) -gt 1; and contains -- $words[2] $argv\n"
         "end");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("complete -c dosimeter -n '__dosimeter_words 1' -f -a %s",
            cli_commands[i].name);
        fish_meaning(cli_commands[i].meaning);
    }
    puts("complete -c dosimeter -n '__dosimeter_words 2; and __dosimeter_is "
         "formula' -f -a 'list show eval'\n"
         "complete -c dosimeter -n '__dosimeter_words 3; and __dosimeter_is "
         "formula' -f -a '(dosimeter formula list 2>/dev/null | string split "
         "-f 1 \" \")'");
    fputs("complete -c dosimeter -n '__dosimeter_words 2; and __dosimeter_is "
          "help' -f -a '", stdout);
    write_commands(~0u, " ");
    puts("'\n"
         "complete -c dosimeter -n '__dosimeter_words 3; and __dosimeter_is "
         "help' -f -a 'bash zsh fish'");
    for (int i = 0; i < OPTION_COUNT; i++)
        fish_option((enum cli_option_id)i);
}

/* ---- All of them -----------------------------------------------------------
 */

int help_completion(const struct cli_arguments *args)
{
    static const struct {
        const char *shell;
        void (*complete)(void);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh},
        {"fish", complete_fish}};
    const char *shell = args->n_operands > 0 ? args->operands[0] : "bash";

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].shell, shell) == 0) {
            shells[i].complete();
            return CLI_YES;
        }
    return cli_usage(
        args, "--completion is for bash, zsh or fish, got \"%s\"", shell);
}
