/*
 * dosimeter version: of the program, which is that of the library.
 */
#include "cli.h"

int cli_version(const struct cli_arguments *args)
{
    if (cli_has(args, OPTION_JSON)) {
        putchar('{');
        cli_json_text("version", dosi_version(), true);
        puts("}");
    } else {
        printf("dosimeter %s\n", dosi_version());
    }
    return CLI_YES;
}
