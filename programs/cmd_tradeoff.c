/*
 * dosimeter tradeoff: the smallest type II error at a type I error, or at
 * many of them.
 */
#include "cli.h"

int cli_tradeoff(const struct cli_arguments *args)
{
    static const struct cli_question question = {
        OPTION_ALPHA, "beta", "alpha", 0, true, dosi_tradeoff_at_alpha};

    if (cli_has(args, OPTION_ALPHA) && cli_has(args, OPTION_POINTS))
        return cli_usage(args, "either --alpha or --points");
    return cli_ask(args, &question, 1);
}
