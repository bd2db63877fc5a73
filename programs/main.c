/* The program dosimeter: finds the command and runs it. */
#include "cli.h"
#include "suggestions.h"

#include <string.h>

#include "help_forms.h"

/* What people type where a command belongs. */
static const char *command_alias(const char *name)
{
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return "version";
    return name;
}

static int run(int argc, char **argv)
{
    struct cli_arguments args;
    enum cli_command_id command;

    if (argc < 2) { /* a script whose arguments are lost is not to go on */
        help_overview();
        return CLI_USAGE;
    }
    if (!cli_command_find(&command, command_alias(argv[1]))) {
        char text[HABIT_BYTES];
        const char *hint = habit_of_command(text, argv[1]);
        cli_say("unknown command \"%s\"%s%s \"dosimeter help\"", argv[1], hint,
            strchr(hint, '?') != NULL ? " See" : "; see");
        return CLI_USAGE;
    }
    int status = cli_arguments_read(&args, command, argc, argv);
    if (status == CLI_YES)
        status = cli_colors_read(&args);
    if (status == CLI_YES)
        status = cli_has(&args, OPTION_HELP) ? cli_help(&args)
                                             : cli_commands[command].run(&args);
    cli_arguments_free(&args);
    return status;
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (cli_interrupted()) {
        cli_say("interrupted");
        status = CLI_INTERRUPTED;
    }
    cli_progress_clear();
    int written = cli_flush();
    return written == CLI_YES ? status : written;
}
