/*
 * dosimeter kinds: the table of kinds, from the library's rows.
 */
#include "cli.h"

#include <string.h>

/* "name(a, b=2, M)", or how composition is written. */
static void write_form(dosi_kind kind, const dosi_kind_info *info)
{
    if (kind == DOSI_REPEAT || kind == DOSI_COMPOSE) {
        fputs(kind == DOSI_REPEAT ? "M * count" : "A + B", stdout);
        return;
    }
    printf("%s(", info->name);
    for (size_t i = 0; i < info->n_parameters; i++) {
        printf("%s%s", i > 0 ? ", " : "", info->parameters[i].name);
        if (info->parameters[i].is_list)
            fputs("=[...]", stdout);
        else if (info->parameters[i].has_default)
            printf("=%g", info->parameters[i].default_value);
    }
    if (info->n_children > 0)
        fputs(info->n_parameters > 0 ? ", M" : "M", stdout);
    putchar(')');
}

static void write_parameter(const dosi_kind_info *info, size_t i)
{
    static const char *const safer[] = {"greater", "smaller", "neither"};

    printf("%s{", i > 0 ? "," : "");
    cli_json_text("name", info->parameters[i].name, true);
    cli_json_text("rule", info->parameters[i].rule, false);
    cli_json_text("safer", safer[info->parameters[i].safer], false);
    cli_json_key("list", false);
    fputs(info->parameters[i].is_list ? "true" : "false", stdout);
    if (info->parameters[i].has_default && !info->parameters[i].is_list) {
        cli_json_key("default", false);
        cli_json_number(info->parameters[i].default_value);
    }
    putchar('}');
}

static void write_units_json(dosi_kind kind)
{
    const char *name;

    cli_json_key("units", false);
    putchar('[');
    for (size_t i = 0; (name = dosi_kind_unit_at(kind, i)) != NULL; i++) {
        fputs(i > 0 ? "," : "", stdout);
        cli_json_string(name, strlen(name));
    }
    putchar(']');
}

/* "or std, sensitivity: positive and finite". */
static void write_units(dosi_kind kind)
{
    const char *name;
    size_t i = 0;

    for (; (name = dosi_kind_unit_at(kind, i)) != NULL; i++)
        printf("%s%s", i > 0 ? ", " : "    or ", name);
    if (i > 0)
        puts(": positive and finite");
}

static void write_json(void)
{
    for (int k = 0; k < DOSI_KIND_COUNT; k++) {
        dosi_kind_info info = dosi_kind_at((dosi_kind)k);
        fputs(k == 0 ? "[{" : ",\n{", stdout);
        cli_json_text("name", info.name, true);
        cli_json_text("meaning", info.meaning, false);
        cli_json_key("parameters", false);
        putchar('[');
        for (size_t i = 0; i < info.n_parameters; i++)
            write_parameter(&info, i);
        printf("],\"children\":%zu", info.n_children);
        write_units_json((dosi_kind)k);
        putchar('}');
    }
    puts("]");
}

int cli_kinds(const struct cli_arguments *args)
{
    if (cli_has(args, OPTION_JSON)) {
        write_json();
        return CLI_YES;
    }
    for (int k = 0; k < DOSI_KIND_COUNT; k++) {
        dosi_kind_info info = dosi_kind_at((dosi_kind)k);
        write_form((dosi_kind)k, &info);
        printf("\n    %s\n", info.meaning);
        for (size_t i = 0; i < info.n_parameters; i++)
            printf("    %s: %s\n", info.parameters[i].name,
                info.parameters[i].rule);
        write_units((dosi_kind)k);
    }
    return CLI_YES;
}
