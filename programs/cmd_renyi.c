/*
 * dosimeter renyi: the Renyi divergence at an order.
 */
#include "cli.h"

#include <math.h>

int cli_renyi(const struct cli_arguments *args)
{
    static const struct cli_question question = {
        OPTION_ORDER, "renyi", "order", HUGE_VAL, false, dosi_renyi_at_order};
    return cli_ask(args, &question, 1);
}
