/*
 * dosimeter epsilon: the smallest epsilon at a delta.
 */
#include "cli.h"

#include <math.h>

int cli_epsilon(const struct cli_arguments *args)
{
    static const struct cli_question questions[] = {
        {OPTION_DELTA, "epsilon", "delta", HUGE_VAL, false,
            dosi_epsilon_at_delta},
        {OPTION_LOG_DELTA, "epsilon", "log_delta", HUGE_VAL, false,
            dosi_epsilon_at_log_delta},
    };
    return cli_ask(args, questions, 2);
}
