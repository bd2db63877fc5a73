/*
 * Ctrl-C and the signal that asks a program to end, as a request that the
 * work at hand answers by stopping. The second one ends the program at once,
 * as the signal does by itself. Signals that were ignored when the program
 * started stay ignored.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <signal.h>

static volatile sig_atomic_t asked_to_end;

static void on_signal(int number)
{
    if (asked_to_end) {
        cli_output_drop();
        (void)signal(number, SIG_DFL);
        (void)raise(number); /* it is blocked until the handler returns */
    }
    asked_to_end = 1;
}

static void watch(int number)
{
    struct sigaction now;
    struct sigaction before;

    if (sigaction(number, NULL, &before) != 0 || before.sa_handler == SIG_IGN)
        return;
    /* Without SA_RESTART, so that reading from a terminal ends as well. */
    now = (struct sigaction){.sa_handler = on_signal};
    sigemptyset(&now.sa_mask);
    sigaction(number, &now, NULL);
}

void cli_interrupt_watch(void)
{
    watch(SIGINT);
    watch(SIGTERM);
}

bool cli_interrupted(void)
{
    return asked_to_end != 0;
}
