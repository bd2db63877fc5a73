/*
 * dosimeter formula: lists and evaluates the rows of the formulary, and shows
 * what is cited.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

void cli_json_formula(const dosi_formula_info *info)
{
    cli_json_text("id", info->id, true);
    cli_json_text("name", info->name, false);
    cli_json_text("parameters", info->parameters, false);
    cli_json_text("direction", info->direction, false);
    cli_json_text("validity", info->validity, false);
    cli_json_text("meaning", info->meaning, false);
}

static int formula_list(const struct cli_arguments *args)
{
    bool json = cli_has(args, OPTION_JSON);
    bool all = cli_has(args, OPTION_ALL);
    bool first = true;

    if (args->n_operands > 1)
        return cli_usage(args, "unexpected argument \"%s\"", args->operands[1]);
    if (json)
        putchar('[');
    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_formula_info info = dosi_formula_at(i);
        if (!all && strcmp(info.direction, "helper") == 0)
            continue;
        if (json) {
            fputs(first ? "{" : ",\n{", stdout);
            cli_json_formula(&info);
            putchar('}');
        } else {
            printf("%-28s %-11s %-32s %s\n", info.id, info.direction, info.name,
                info.meaning);
        }
        first = false;
    }
    if (json)
        puts("]");
    return CLI_YES;
}

/* The operands from the third on, joined with ";"; the caller frees. */
static char *join_parameters(const struct cli_arguments *args)
{
    size_t n_bytes = 1;

    for (size_t i = 2; i < args->n_operands; i++)
        n_bytes += strlen(args->operands[i]) + 1;
    char *text = malloc(n_bytes);
    if (text == NULL)
        return NULL;
    char *end = text;
    *end = '\0';
    for (size_t i = 2; i < args->n_operands; i++) {
        size_t n = strlen(args->operands[i]);
        if (i > 2)
            *end++ = ';';
        memcpy(end, args->operands[i], n + 1);
        end += n;
    }
    return text;
}

static void write_value(const struct cli_arguments *args,
    const dosi_formula_info *info, dosi_interval value, int n_digits)
{
    if (cli_has(args, OPTION_JSON)) {
        putchar('{');
        cli_json_text("id", info->id, true);
        cli_json_key("lower", false);
        cli_json_number(value.lo);
        cli_json_key("upper", false);
        cli_json_number(value.hi);
        cli_json_text("direction", info->direction, false);
        puts("}");
    } else {
        printf("%s ", info->id);
        cli_write_interval(value, n_digits);
        printf("   %s\n%s\n", info->direction, info->meaning);
    }
}

static int formula_eval(const struct cli_arguments *args)
{
    dosi_interval value;
    dosi_error err;
    size_t index;
    long n_digits;

    if (cli_has(args, OPTION_BATCH) && args->n_operands == 1)
        return cli_formula_batch(args);
    if (cli_has(args, OPTION_BATCH) || args->n_operands < 2)
        return cli_usage(args, "eval needs either an ID or --batch");
    int status = cli_whole(&n_digits, args, OPTION_DIGITS, 1, 17, 0);
    if (status != CLI_YES)
        return status;
    if (dosi_formula_find(&index, args->operands[1], &err) != DOSI_OK)
        return cli_fail(args, &err, NULL, 0);
    char *parameters = join_parameters(args);
    if (parameters == NULL)
        return cli_no_memory();
    if (dosi_formula_eval(&value, args->operands[1], parameters, &err) !=
        DOSI_OK) {
        status = cli_fail(args, &err, parameters, strlen(parameters));
    } else {
        dosi_formula_info info = dosi_formula_at(index);
        write_value(args, &info, value, (int)n_digits);
    }
    free(parameters);
    return status;
}

int cli_formula(const struct cli_arguments *args)
{
    /* The options that only some verbs take end with OPTION_COUNT. */
    static const struct {
        const char *name;
        int (*run)(const struct cli_arguments *args);
        enum cli_option_id options[5];
    } verbs[] = {{"list", formula_list, {OPTION_ALL, OPTION_COUNT}},
        {"show", cli_formula_show, {OPTION_COUNT}},
        {"eval", formula_eval,
            {OPTION_BATCH, OPTION_CHECK, OPTION_VERBOSE, OPTION_DIGITS,
                OPTION_COUNT}}};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(args->operands[0], verbs[i].name) != 0)
            continue;
        for (size_t j = 0; j < args->n_given; j++) {
            enum cli_option_id option = args->given[j].option;
            const enum cli_option_id *own = verbs[i].options;
            while (*own != option && *own != OPTION_COUNT)
                own++;
            if (*own == OPTION_COUNT && option != OPTION_JSON)
                return cli_usage(args, "%s does not apply to %s",
                    cli_options[option].name, verbs[i].name);
        }
        return verbs[i].run(args);
    }
    return cli_usage(
        args, "needs list, show or eval, got \"%s\"", args->operands[0]);
}
