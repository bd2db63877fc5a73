/*
 * The program dosimeter: a table of commands, a table of options, a loop.
 * Help, manual page, shell completion and docs/commands.md are printed from
 * these rows.
 */
#include "cli.h"

#include <string.h>

#define ON(command) (1u << COMMAND_##command)
#define QUESTIONS (ON(EPSILON) | ON(DELTA) | ON(TRADEOFF) | ON(RENYI) | \
                   ON(ZCDP) | ON(GDP) | ON(RISK))
#define LIMITED (ON(EPSILON) | ON(DELTA) | ON(TRADEOFF) | ON(COMPARE) | \
                 ON(GDP) | ON(RISK))
#define EVERYWHERE ((1u << COMMAND_COUNT) - 1)

const struct cli_command cli_commands[COMMAND_COUNT] = {
    [COMMAND_EPSILON] = {"epsilon",
        "epsilon PLAN --delta D ...\n"
        "epsilon PLAN --log-delta X ...",
        1, 1, "PLAN", cli_ask,
        "the smallest epsilon for which the plan is (epsilon, delta)-DP",
        "The answer is an interval that contains the exact value; its upper "
        "end is safe to report.",
        "epsilon 'gaussian(50) * 10000' --delta 1e-5\n"
        "epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-30\n"
        "epsilon 'gaussian(1)' --log-delta -2000"},
    [COMMAND_DELTA] = {"delta", "delta PLAN --epsilon E ...", 1, 1, "PLAN",
        cli_ask,
        "the smallest delta for which the plan is (epsilon, delta)-DP",
        "The answer is an interval that contains the exact value; its upper "
        "end is safe to report.",
        "delta 'laplace(10) * 3 + gaussian(4)' --epsilon 1\n"
        "delta 'rr(1, categories=4)' --epsilon 0 --epsilon 0.5"},
    [COMMAND_TRADEOFF] = {"tradeoff",
        "tradeoff PLAN --alpha A[,A...] ...\n"
        "tradeoff PLAN --points N [--csv]",
        1, 1, "PLAN", cli_ask,
        "the smallest type II error (beta) of any test at type I error alpha",
        "The test decides between two neighbouring data sets; the lower end "
        "is safe to report. --points asks for the whole curve, alpha 0 and 1 "
        "and equally spaced normal quantiles between them, which shows small "
        "errors of both kinds.",
        "tradeoff 'gaussian(1)' --alpha 0.05\n"
        "tradeoff 'laplace(1)' --points 11 --csv"},
    [COMMAND_RENYI] = {"renyi",
        "renyi PLAN --order A ... [--lower | --upper]", 1, 1, "PLAN",
        cli_ask, "the Renyi divergence between neighbours at an order",
        "The worse of both directions; the upper end is safe to report.",
        "renyi 'laplace(2)' --order 8"},
    [COMMAND_ZCDP] = {"zcdp", "zcdp PLAN [--xi X ...]", 1, 1, "PLAN",
        cli_ask, "the smallest rho for which the plan is (xi, rho)-zCDP",
        "That is, its Renyi divergence is at most xi + rho order at every "
        "order above 1. Without --xi at xi = 0; the upper end is safe to "
        "report.",
        "zcdp 'gaussian(5) * 20 + pure(0.1) * 3'\n"
        "zcdp 'pure(2)' --xi 0.5"},
    [COMMAND_GDP] = {"gdp", "gdp PLAN [--floor F ...]", 1, 1, "PLAN", cli_ask,
        "the smallest mu for which the plan is mu-GDP",
        "That is, no test between neighbours does better than one between "
        "N(0, 1) and N(mu, 1); the upper end is safe to report. First of all "
        "tests, then of those with both errors at least the floor: for "
        "sampled Gaussian noise the former is what it is without sampling, "
        "since tests of ever smaller errors find the runs in which a record "
        "was always sampled. Last the mu of the central limit theorem, an "
        "approximation, with the band of Berry and Esseen where there is "
        "one.",
        "gdp 'poisson(256/60000, gaussian(1.3)) * 14062'\n"
        "gdp 'pure(0.1) * 100' --floor 1e-9"},
    [COMMAND_RISK] = {"risk", "risk PLAN [--prior P]", 1, 1, "PLAN", cli_risk,
        "what an attacker who tells neighbours apart gains at best",
        "The attacker knows all but whether one record is in the data. "
        "Advantage is the largest difference of true and false positive "
        "rates, accuracy the share of right guesses, posterior the "
        "probability after a positive test. Upper ends are safe to report.",
        "risk 'poisson(256/60000, gaussian(1.3)) * 14062' --prior 0.01"},
    [COMMAND_COMPARE] = {"compare",
        "compare PLAN --delta D ...\n"
        "compare PLAN --log-delta X ...\n"
        "compare PLAN --epsilon E ...\n"
        "compare PLAN --alpha A ...",
        1, 1, "PLAN", cli_compare,
        "what every route says of a plan, best first",
        "Each route is asked alone: its interval, how wide that is relative "
        "to its larger end, how long it took, and the theorem behind it. "
        "Routes that bound nothing come last, with the reason. All "
        "intervals contain the exact value; the first line is what they say "
        "together.",
        "compare 'poisson(0.01, gaussian(1.1)) * 10000' --delta 1e-5\n"
        "compare 'laplace(10) * 3 + gaussian(4)' --epsilon 1 --csv"},
    [COMMAND_PLAN] = {"plan", "plan PLAN [--json | --events]", 1, 1, "PLAN",
        cli_plan, "the normal form of a plan and its hash",
        "Plans that mean the same have the same normal form and hash. "
        "--json prints the tree as JSON, --events as an event tree of "
        "Google's dp_accounting; both are accepted wherever a plan is.",
        "plan 'gaussian(2) + gaussian(sigma=2) * 3'\n"
        "plan 'poisson(256/60000, gaussian(1.1)) * 14063' --events"},
    [COMMAND_KINDS] = {"kinds", "kinds", 0, 0, "", cli_kinds,
        "the mechanisms that plans are made of", NULL, "kinds"},
    [COMMAND_FORMULA] = {"formula",
        "formula list [--all]\n"
        "formula show ID\n"
        "formula eval ID K=V ...\n"
        "formula eval --batch [--check]",
        1, 64, "list, show or eval", cli_formula,
        "the statements of the literature, one by one",
        "A list is written a|b|c. --batch reads lines id,params[,value] from "
        "standard input, params as k=v;k=v, and prints "
        "id,params,lower,upper or id,params,error,STATUS: message; --check "
        "compares with the value and ends with \"N passed, M failed\".",
        "formula list\n"
        "formula show T000-08.delta\n"
        "formula eval T000-08.delta eps=1 sigma=1 sens=1"},
    [COMMAND_BATCH] = {"batch", "batch", 0, 0, "", cli_batch,
        "one JSON question a line, one JSON answer a line",
        "Reads standard input. A question is an object with query (epsilon, "
        "delta, tradeoff, renyi or zcdp), plan (text or tree), delta, "
        "log_delta, epsilon, alpha, order or xi, and optionally neighbours, "
        "route, width, max_bytes, time_limit (seconds) and id. Order is "
        "kept, blank lines are skipped, and a bad line is answered with "
        "an error object.",
        NULL},
    [COMMAND_VERSION] = {"version", "version", 0, 0, "", cli_version,
        "the version of the program", NULL, "version"},
    [COMMAND_HELP] = {"help",
        "help [COMMAND]\n"
        "help --man | --completion | --markdown",
        0, 1, "", cli_help, "this text, or that of one command",
        "The manual page, the bash completion and docs/commands.md come "
        "from here, too.",
        "help epsilon"},
};

const struct cli_option cli_options[OPTION_COUNT] = {
    [OPTION_DELTA] = {ON(EPSILON) | ON(COMPARE), true, "--delta", "D", NULL,
        "at this delta, 0 < D < 1"},
    [OPTION_LOG_DELTA] = {ON(EPSILON) | ON(COMPARE), true, "--log-delta",
        "X", NULL,
        "at delta = exp(X), which may be below 1e-308"},
    [OPTION_EPSILON] = {ON(DELTA) | ON(COMPARE), true, "--epsilon", "E", NULL,
        "at this epsilon, E >= 0"},
    [OPTION_ALPHA] = {ON(TRADEOFF) | ON(COMPARE), true, "--alpha", "A", NULL,
        "at this type I error, 0 <= A <= 1"},
    [OPTION_POINTS] = {ON(TRADEOFF), false, "--points", "N", NULL,
        "at 0, 1, and type I errors between them, N in all"},
    [OPTION_ORDER] = {ON(RENYI), true, "--order", "A", NULL,
        "at this order, A > 1"},
    [OPTION_XI] = {ON(ZCDP), true, "--xi", "X", NULL,
        "at this intercept; default: 0"},
    [OPTION_FLOOR] = {ON(GDP), true, "--floor", "F", NULL,
        "of tests with both errors at least F, 0 <= F < 1/2; default: 1e-6"},
    [OPTION_PRIOR] = {ON(RISK), false, "--prior", "P", NULL,
        "probability that the record is there, 0 < P < 1; default: 1/2"},
    [OPTION_LOWER] = {ON(RENYI), false, "--lower", NULL, NULL,
        "print the lower end; with --upper, or neither, both"},
    [OPTION_UPPER] = {ON(RENYI), false, "--upper", NULL, NULL,
        "print the upper end"},
    [OPTION_NEIGHBOURS] = {QUESTIONS | ON(COMPARE), false, "--neighbours",
        "RELATION", "add_remove replace",
        "who counts as a neighbour: add_remove (default) or replace"},
    [OPTION_ROUTE] = {QUESTIONS, false, "--route", "NAME", NULL,
        "use this route alone, not the best of all"},
    [OPTION_WIDTH] = {LIMITED, false, "--width", "W", NULL,
        "reach this relative width or fail; default: try 1e-6"},
    [OPTION_MAX_MEMORY] = {LIMITED, false, "--max-memory", "BYTES", NULL,
        "working memory, in bytes or as 64MB; default: 256MB"},
    [OPTION_TIME_LIMIT] = {LIMITED, false, "--time-limit", "SECONDS", NULL,
        "stop each answer after so long, at the interval found"},
    [OPTION_DIGITS] = {QUESTIONS | ON(COMPARE) | ON(FORMULA), false,
        "--digits", "N", NULL,
        "significant digits shown, 1 to 17; default: what the width needs"},
    [OPTION_CSV] = {ON(TRADEOFF) | ON(COMPARE), false, "--csv", NULL, NULL,
        "print a table of comma-separated values"},
    [OPTION_EVENTS] = {ON(PLAN), false, "--events", NULL, NULL,
        "print an event tree of dp_accounting"},
    [OPTION_ALL] = {ON(FORMULA), false, "--all", NULL, NULL,
        "list also the steps of proofs and sanity checks"},
    [OPTION_BATCH] = {ON(FORMULA), false, "--batch", NULL, NULL,
        "evaluate every line of standard input"},
    [OPTION_CHECK] = {ON(FORMULA), false, "--check", NULL, NULL,
        "compare with the third field; status 1 when one is outside"},
    [OPTION_VERBOSE] = {ON(FORMULA), false, "--verbose", NULL, NULL,
        "with --check, tell the relative width of each line on stderr"},
    [OPTION_MAN] = {ON(HELP), false, "--man", NULL, NULL,
        "print the manual page"},
    [OPTION_COMPLETION] = {ON(HELP), false, "--completion", NULL, NULL,
        "print the completion for bash"},
    [OPTION_MARKDOWN] = {ON(HELP), false, "--markdown", NULL, NULL,
        "print the reference as Markdown"},
    [OPTION_JSON] = {EVERYWHERE, false, "--json", NULL, NULL,
        "print JSON, numbers reading back exactly"},
    [OPTION_HELP] = {EVERYWHERE, false, "--help", NULL, NULL,
        "print the help of the command"},
};

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

    if (argc < 2) {
        cli_say("no command; see \"dosimeter help\"");
        return CLI_USAGE;
    }
    if (!cli_command_find(&command, command_alias(argv[1]))) {
        cli_say("unknown command \"%s\"; see \"dosimeter help\"", argv[1]);
        return CLI_USAGE;
    }
    int status = cli_arguments_read(&args, command, argc, argv);
    if (status == CLI_YES)
        status = cli_has(&args, OPTION_HELP) ? cli_help(&args)
                                             : cli_commands[command].run(&args);
    cli_arguments_free(&args);
    return status;
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    int written = cli_flush();
    return written == CLI_YES ? status : written;
}
