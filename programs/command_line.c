/*
 * Reads the arguments of one call by the tables of main.c: which option
 * belongs to which command, which takes a value, which may be repeated.
 */
#include "cli.h"
#include "suggestions.h"

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

/* Other words for options: those of TF Privacy's commands among them. A row
 * with a value speaks of that value alone; OPTION_COUNT asks for nothing. */
static const struct alias {
    const char *word, *value;
    enum cli_option_id option;
    const char *meant; /* the value in our words, or NULL */
} aliases[] = {
    {"--neighbors", NULL, OPTION_NEIGHBOURS, NULL},
    {"-h", NULL, OPTION_HELP, NULL},
    {"-o", NULL, OPTION_OUTPUT, NULL},
    {"-v", NULL, OPTION_VERBOSE, NULL},
    {"-q", NULL, OPTION_QUIET, NULL},
    {"--colour", NULL, OPTION_COLOR, NULL},
    {"--N", NULL, OPTION_EXAMPLES, NULL},
    {"--batch_size", NULL, OPTION_BATCH_SIZE, NULL},
    {"--noise_multiplier", NULL, OPTION_NOISE, NULL},
    {"--max_examples_per_user", NULL, OPTION_PER_USER, NULL},
    {"--used_microbatching", "true", OPTION_MICROBATCHING, NULL},
    {"--used_microbatching", "false", OPTION_COUNT, NULL},
    {"--used_microbatching", NULL, OPTION_MICROBATCHING, NULL},
    {"--noused_microbatching", NULL, OPTION_COUNT, NULL},
    {"--accountant_type", "RDP", OPTION_ROUTE, "renyi"},
    {"--accountant_type", "PLD", OPTION_COUNT, NULL},
};

static bool is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* The row of a word with the value behind its "=" or in the next word. */
static const struct alias *alias_find(
    const char *word, size_t length, const char *value)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (is_word(aliases[i].word, word, length) &&
            (aliases[i].value == NULL ||
                (value != NULL && strcmp(aliases[i].value, value) == 0)))
            return &aliases[i];
    return NULL;
}

static bool applies(enum cli_option_id id, enum cli_command_id command)
{
    return cli_options[id].commands & 1u << command;
}

/* The option of that name, the command's own before others', or
 * OPTION_COUNT. */
static enum cli_option_id option_find(
    const char *word, size_t length, enum cli_command_id command)
{
    enum cli_option_id found = OPTION_COUNT;

    for (int i = 0; i < OPTION_COUNT; i++)
        if (is_word(cli_options[i].name, word, length) &&
            (found == OPTION_COUNT || applies((enum cli_option_id)i, command)))
            found = (enum cli_option_id)i;
    return found;
}

/* Keeps an option and its value, which may be the word behind argv[*at]. */
static int option_keep(struct cli_arguments *args, enum cli_option_id id,
    const char *value, int argc, char **argv, int *at)
{
    const struct cli_option *option = &cli_options[id];
    char hint[HABIT_BYTES];

    if (!applies(id, args->command))
        return cli_usage(args, "%s does not apply here%s", option->name,
            habit_of_option(hint, args->command, option->name));
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

/* Takes the option argv[*at], or what it is another word for. */
static int option_take(
    struct cli_arguments *args, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const struct alias *alias = alias_find(
        word, length, value != NULL || *at + 1 >= argc ? value : argv[*at + 1]);
    enum cli_option_id id = alias != NULL
                                ? alias->option
                                : option_find(word, length, args->command);
    char hint[HABIT_BYTES];

    if (alias != NULL && id != OPTION_COUNT)
        id = option_find(cli_options[id].name, strlen(cli_options[id].name),
            args->command);
    if (id == OPTION_COUNT &&
        (alias == NULL || !applies(OPTION_EXAMPLES, args->command)))
        return cli_usage(args, "unknown option \"%s\"%s", word,
            habit_of_option(hint, args->command, word));
    if (alias != NULL && alias->value != NULL) {
        *at += value == NULL;
        value = alias->meant;
    }
    if (id == OPTION_COUNT)
        return CLI_YES;
    return option_keep(args, id, value, argc, argv, at);
}

static int operands_check(const struct cli_arguments *args)
{
    const struct cli_command *command = &cli_commands[args->command];

    if (cli_has(args, OPTION_HELP))
        return CLI_YES;
    if (args->n_operands < command->min_operands)
        return cli_usage(args, "missing %s", command->missing);
    if (args->n_operands > command->max_operands)
        return cli_usage(args, "unexpected argument \"%s\"%s",
            args->operands[command->max_operands],
            habit_of_operand(args->operands[command->max_operands]));
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

/* A number or a ratio of two, and nothing behind it. */
static bool number_read(double *out, const char *text, bool *vanished)
{
    double divisor = 1;

    bool good = number_take(out, &text, vanished);
    if (good && *text == '/') {
        text++;
        good = number_take(&divisor, &text, vanished);
    }
    *out /= divisor;
    return good && *text == '\0';
}

bool cli_number_parse(double *out, const char *text)
{
    bool vanished = false;

    return number_read(out, text, &vanished) && !vanished;
}

int cli_number(double *out, const struct cli_arguments *args,
    const struct cli_given *given)
{
    const char *name = cli_options[given->option].name;
    bool vanished = false;

    if (!number_read(out, given->value, &vanished))
        return cli_usage(
            args, "%s needs a number, got \"%s\"%s", name, given->value,
            habit_of_number(given->value));
    if (given->value[0] == '0' && given->value[1] >= '0' &&
        given->value[1] <= '9')
        return cli_usage(args,
            "%s needs a number, got \"%s\"; the decimal sign is a point, and a "
            "comma is between numbers",
            name, given->value);
    if (vanished)
        return cli_usage(args, "%s %s is smaller than any double%s", name,
            given->value,
            given->option == OPTION_DELTA ? "; use --log-delta" : "");
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
