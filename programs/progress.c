/*
 * What a person sees of work that takes time: one line on a terminal's
 * stderr, from a fifth of a second on, taken away before anything else is
 * said. Nothing is written where stderr is not a terminal.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_US 200e3
#define EVERY_US 100e3

static struct {
    bool known, shows; /* whether there is a terminal that can be erased */
    bool drawn;
    double start_us, last_us;
    const char *what;
    size_t done, total;
} progress;

static bool is_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) != 0 &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

void cli_progress_of(const char *what, size_t done, size_t total)
{
    progress.what = what;
    progress.done = done;
    progress.total = total;
}

static void draw(double elapsed_us)
{
    static const char spinner[] = "|/-\\";
    int turn = (int)(elapsed_us / EVERY_US) % 4;

    fprintf(stderr, "\r\033[K%c %s", spinner[turn],
        progress.what != NULL ? progress.what : "working");
    if (progress.total > 1)
        fprintf(stderr, " %zu of %zu", progress.done + 1, progress.total);
    fprintf(stderr, ", %.1f s", elapsed_us / 1e6);
    fflush(stderr);
}

void cli_progress_tick(double now_us)
{
    if (!progress.known) {
        progress.known = true;
        progress.shows = is_terminal();
        progress.start_us = now_us;
    }
    if (!progress.shows || now_us - progress.start_us < FIRST_US ||
        now_us - progress.last_us < EVERY_US)
        return;
    progress.last_us = now_us;
    progress.drawn = true;
    draw(now_us - progress.start_us);
}

void cli_progress_clear(void)
{
    if (!progress.drawn)
        return;
    progress.drawn = false;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
