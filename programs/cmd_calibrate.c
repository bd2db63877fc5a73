/*
 * dosimeter calibrate: the cheapest value for the hole of a plan that is
 * certified to meet every target. It prints that value, the adjacent one that
 * is not safe, and one with few digits on the safe side, each with its
 * certified answer.
 */
#include "targets.h"

#include <stdlib.h>
#include <string.h>

struct calibrating {
    const struct cli_arguments *args;
    struct cli_asking how;
    struct cli_plan plan;
    struct cli_targets targets;
    dosi_calibration found;
    char *filled; /* the plan with the number */
};

/* ---- Writing ---------------------------------------------------------------
 */

/* Digits that were asked for, or as many as show which target is met. */
static void write_row(const struct calibrating *c, double x,
    const dosi_answer *answer, const char *meaning)
{
    const dosi_target *target = &c->targets.all[c->found.binding];
    char number[DOSI_NUMBER_BYTES], interval[CLI_INTERVAL_BYTES];

    dosi_print_exact(number, x);
    if (c->how.n_digits > 0)
        cli_interval_text(interval, answer->value, c->how.n_digits);
    else
        cli_interval_against(interval, answer->value, 12, target->value,
            target->kind == DOSI_TARGET_TRADEOFF);
    printf("  %-22s %-31s %s\n", number, interval, meaning);
}

static void write_people(const struct calibrating *c)
{
    const dosi_calibration *found = &c->found;
    dosi_kind_info kind = dosi_kind_at(found->kind);
    const char *name = kind.parameters[found->parameter].name;
    bool is_up =
        kind.parameters[found->parameter].safer == DOSI_SAFER_GREATER;
    char text[CLI_TARGET_BYTES];

    dosi_print_exact(text, found->value);
    printf("%s%s %s%s   ", cli_style(STYLE_STRONG), name, text,
        cli_style(STYLE_PLAIN));
    cli_target_text(text, &c->targets.all[found->binding]);
    fputs(text, stdout);
    putchar('\n');
    printf("  %-22s %s\n", name,
        cli_target_row(c->targets.all[found->binding].kind)->label);
    if (found->rounded != found->value)
        write_row(c, found->rounded, &found->rounded_answer,
            is_up ? "rounded up" : "rounded down");
    write_row(c, found->value, &found->answer,
        is_up ? "the smallest safe value" : "the largest safe value");
    if (found->beyond != found->value)
        write_row(c, found->beyond, &found->beyond_answer,
            "the next value, not safe");
    for (size_t i = 0; i < c->targets.n && c->targets.n > 1; i++) {
        fputs("  target     ", stdout);
        cli_target_text(text, &c->targets.all[i]);
        printf("%s%s\n", text, i == found->binding ? ", binding" : "");
    }
    if (found->reason != NULL)
        printf("  ends       %s\n", found->reason);
    printf("  plan       %s\n", c->filled);
    cli_write_provenance(c->args, &found->answer);
}

static void write_quiet(const struct calibrating *c)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, c->found.value);
    puts(text);
}

static void json_answer(const dosi_answer *answer)
{
    cli_json_key("answer", false);
    putchar('{');
    cli_json_key("lower", true);
    cli_json_number(answer->value.lo);
    cli_json_key("upper", false);
    cli_json_number(answer->value.hi);
    cli_json_provenance(answer);
    putchar('}');
}

static void json_number(const char *name, double x)
{
    cli_json_key(name, false);
    cli_json_number(x);
}

static void write_json(const struct calibrating *c)
{
    const dosi_calibration *found = &c->found;
    dosi_kind_info kind = dosi_kind_at(found->kind);

    putchar('{');
    cli_json_text("kind", kind.name, true);
    cli_json_text("parameter", kind.parameters[found->parameter].name, false);
    json_number("value", found->value);
    json_number("beyond", found->beyond);
    json_number("rounded", found->rounded);
    json_number("binding", (double)found->binding);
    json_answer(&found->answer);
    cli_json_interval("beyond_answer", found->beyond_answer.value, false);
    cli_json_interval("rounded_answer", found->rounded_answer.value, false);
    if (found->reason != NULL)
        cli_json_text("reason", found->reason, false);
    cli_json_text("plan", c->filled, false);
    json_number("elapsed_us", c->how.elapsed_us);
    puts("}");
}

/* ---- The command -----------------------------------------------------------
 */

static int solve(struct calibrating *c)
{
    const dosi_plan *filled = NULL;
    dosi_error err;

    dosi_status status = dosi_calibrate(&c->found, c->plan.plan, c->targets.all,
        c->targets.n, cli_asking_start(&c->how), &err);
    status = cli_asking_end(&c->how, NULL, 0, status, &err);
    if (status == DOSI_OK)
        status = dosi_plan_fill(&filled, c->plan.plan, c->found.value, &err);
    if (status == DOSI_OK) {
        c->filled = cli_plan_text(filled, DOSI_FORM_TEXT, &err);
        status = c->filled != NULL ? DOSI_OK : err.status;
    }
    dosi_plan_free(filled);
    return status == DOSI_OK ? CLI_YES : cli_fail(c->args, &err, NULL, 0);
}

int cli_calibrate(const struct cli_arguments *args)
{
    struct calibrating c = {.args = args};

    int status = cli_asking_read(&c.how, args);
    if (status == CLI_YES)
        status = cli_targets_read(&c.targets, args);
    if (status == CLI_YES)
        status = cli_plan_read(&c.plan, args, args->operands[0]);
    if (status == CLI_YES)
        status = solve(&c);
    if (status == CLI_YES && cli_has(args, OPTION_JSON))
        write_json(&c);
    else if (status == CLI_YES && cli_has(args, OPTION_QUIET))
        write_quiet(&c);
    else if (status == CLI_YES)
        write_people(&c);
    cli_plan_free(&c.plan);
    free(c.filled);
    cli_targets_free(&c.targets);
    return status;
}
