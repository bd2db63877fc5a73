/*
 * Reads the arguments of one call by the tables of main.c: which option
 * belongs to which command, which takes a value, which may be repeated.
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_command_find(enum cli_command_id *out, const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(cli_commands[i].name, name) == 0) {
            *out = (enum cli_command_id)i;
            return true;
        }
    return false;
}

/* The option that a word names up to its "=", or OPTION_COUNT. */
static enum cli_option_id option_find(const char *word, size_t length)
{
    static const char american[] = "--neighbors";

    if (length == sizeof american - 1 && memcmp(word, american, length) == 0)
        return OPTION_NEIGHBOURS;
    if (length == 2 && memcmp(word, "-h", 2) == 0)
        return OPTION_HELP;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(cli_options[i].name) == length &&
            memcmp(cli_options[i].name, word, length) == 0)
            return (enum cli_option_id)i;
    return OPTION_COUNT;
}

/* Takes the option argv[*at], and its value, which may be the next word. */
static int option_take(
    struct cli_arguments *args, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    enum cli_option_id id = option_find(word, length);

    if (id == OPTION_COUNT)
        return cli_usage(args, "unknown option \"%s\"", word);
    const struct cli_option *option = &cli_options[id];
    if (!(option->commands & 1u << args->command))
        return cli_usage(args, "%s does not apply here", option->name);
    if (option->argument == NULL && value != NULL)
        return cli_usage(args, "%s takes no value", option->name);
    if (!option->repeats && cli_has(args, id))
        return cli_usage(args, "%s is given twice", option->name);
    if (option->argument != NULL && value == NULL) {
        if (*at + 1 >= argc)
            return cli_usage(
                args, "%s needs a value, %s", option->name, option->argument);
        value = argv[++*at];
    }
    args->given[args->n_given++] = (struct cli_given){id, value};
    return CLI_YES;
}

static int operands_check(const struct cli_arguments *args)
{
    const struct cli_command *command = &cli_commands[args->command];

    if (cli_has(args, OPTION_HELP))
        return CLI_YES;
    if (args->n_operands < command->min_operands)
        return cli_usage(args, "missing %s", command->missing);
    if (args->n_operands > command->max_operands)
        return cli_usage(args, "unexpected argument \"%s\"",
            args->operands[command->max_operands]);
    return CLI_YES;
}

int cli_arguments_read(struct cli_arguments *out, enum cli_command_id command,
    int argc, char **argv)
{
    bool options_end = false;

    *out = (struct cli_arguments){.command = command};
    out->operands = calloc((size_t)argc, sizeof *out->operands);
    out->given = calloc((size_t)argc, sizeof *out->given);
    if (out->operands == NULL || out->given == NULL)
        return cli_no_memory();
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (options_end || word[0] != '-' || word[1] == '\0') {
            out->operands[out->n_operands++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_end = true;
        } else {
            int status = option_take(out, argc, argv, &i);
            if (status != CLI_YES)
                return status;
        }
    }
    return operands_check(out);
}

void cli_arguments_free(struct cli_arguments *args)
{
    free(args->operands);
    free(args->given);
}

bool cli_has(const struct cli_arguments *args, enum cli_option_id option)
{
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option == option)
            return true;
    return false;
}

const char *cli_value(
    const struct cli_arguments *args, enum cli_option_id option)
{
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option == option)
            return args->given[i].value;
    return NULL;
}

/* One number at *text, which moves behind it; false when there is none. */
static bool number_take(double *out, const char **text, bool *vanished)
{
    char *end;

    errno = 0;
    *out = strtod(*text, &end); /* the program keeps the C locale */
    if (end == *text)
        return false;
    if (errno == ERANGE && *out == 0)
        *vanished = true;
    *text = end;
    return true;
}

int cli_number(double *out, const struct cli_arguments *args,
    const struct cli_given *given)
{
    const char *name = cli_options[given->option].name;
    const char *text = given->value;
    bool vanished = false;
    double divisor = 1;

    bool good = number_take(out, &text, &vanished);
    if (good && *text == '/') {
        text++;
        good = number_take(&divisor, &text, &vanished);
    }
    if (!good || *text != '\0')
        return cli_usage(
            args, "%s needs a number, got \"%s\"", name, given->value);
    if (vanished)
        return cli_usage(args, "%s %s is smaller than any double%s", name,
            given->value,
            given->option == OPTION_DELTA ? "; use --log-delta" : "");
    *out /= divisor;
    return CLI_YES;
}

int cli_whole(long *out, const struct cli_arguments *args,
    enum cli_option_id option, long low, long high, long fallback)
{
    const char *text = cli_value(args, option);
    char *end;

    *out = fallback;
    if (text == NULL)
        return CLI_YES;
    errno = 0;
    *out = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || *out < low || *out > high)
        return cli_usage(args,
            "%s needs a whole number from %ld to %ld, "
            "got \"%s\"",
            cli_options[option].name, low, high, text);
    return CLI_YES;
}
