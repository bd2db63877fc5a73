/*
 * dosimeter delta: the smallest delta at an epsilon.
 */
#include "cli.h"

int cli_delta(const struct cli_arguments *args)
{
    static const struct cli_question question = {
        OPTION_EPSILON, "delta", "epsilon", 1, false, dosi_delta_at_epsilon};
    return cli_ask(args, &question, 1);
}
