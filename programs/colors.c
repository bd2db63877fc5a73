/*
 * Colors on a terminal: --color, and NO_COLOR as https://no-color.org says.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool are_on;

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    const char *refused = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) != 0 &&
           (refused == NULL || refused[0] == '\0') &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

int cli_colors_read(const struct cli_arguments *args)
{
    const char *when = cli_value(args, OPTION_COLOR);

    if (when == NULL || strcmp(when, "auto") == 0)
        are_on = is_terminal();
    else if (strcmp(when, "always") == 0)
        are_on = true;
    else if (strcmp(when, "never") != 0)
        return cli_usage(
            args, "--color is auto, always or never, got \"%s\"", when);
    return CLI_YES;
}

const char *cli_style(enum cli_style style)
{
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\033[0m",
        [STYLE_STRONG] = "\033[1m",
        [STYLE_FAINT] = "\033[2m",
        [STYLE_WARNING] = "\033[33m",
        [STYLE_GOOD] = "\033[32m",
        [STYLE_BAD] = "\033[31m",
    };

    return are_on ? codes[style] : "";
}
