/*
 * dosimeter zcdp: the smallest rho of zero-concentrated privacy.
 */
#include "cli.h"

#include <math.h>

int cli_zcdp(const struct cli_arguments *args)
{
    static const struct cli_question question = {
        OPTION_XI, "rho", "xi", HUGE_VAL, false, dosi_zcdp_at_xi};
    return cli_ask(args, &question, 1);
}
