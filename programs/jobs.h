/*
 * Work on several cores: questions about immutable plans, which threads may
 * ask at the same time.
 */
#ifndef DOSI_JOBS_H
#define DOSI_JOBS_H

#include "cli.h"

/* --jobs, else the fallback; 0 stands for the cores that are online. Returns
 * an exit status. */
int cli_jobs_read(
    size_t *out, const struct cli_arguments *args, size_t fallback);

/*
 * Calls work(context, i) once for every i < n, on up to n_jobs threads, and
 * shows how many are done, as "what 3 of 8". The order is not fixed; work
 * writes to places of its own alone, and asks by cli_asking_quiet. Whoever
 * asks to end is heard between two calls. Returns an exit status.
 */
int cli_jobs_run(size_t n_jobs, size_t n,
    void (*work)(void *context, size_t i), void *context, const char *what);

/* A way of asking for one thread: as the other, but silent; it must not
 * move. In question.c. */
void cli_asking_quiet(struct cli_asking *out, const struct cli_asking *from);

/* The threads themselves: run(context) on n of them until all return; with
 * n = 1 in the caller's. tick, if any, is called now and then meanwhile. */
int cli_threads_run(size_t n, void (*run)(void *context), void *context,
    void (*tick)(void *context));

#endif
