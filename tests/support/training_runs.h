/*
 * Training runs of tests: settings from a list, and words that are the same
 * in every public call, so that two runs have the same noise. A test that
 * includes this links the layer `tape` in place of `entropy`.
 */
#ifndef DOSI_TESTS_SUPPORT_TRAINING_RUNS_H
#define DOSI_TESTS_SUPPORT_TRAINING_RUNS_H

#include <stdio.h>
#include <string.h>

#include "dosimeter/release.h"
#include "tape.h"

static uint64_t run_key = 7; /* of the words of the next call */

dosi_status words_open(struct words *w, dosi_error *err)
{
    (void)err;
    tape_of_key(w, run_key);
    return DOSI_OK;
}

const char *words_warning(void)
{
    return "INSECURE TEST NOISE";
}

#define RUN_MOST_SETTINGS 64

/* A run from settings that end with NULL; NULL with *err if it is refused. */
static inline dosi_training *run_new(
    const char *const *settings, dosi_error *err)
{
    dosi_training_options options = DOSI_TRAINING_OPTIONS_INIT;
    dosi_training *t = NULL;

    options.settings = settings;
    while (settings[options.n_settings] != NULL)
        options.n_settings++;
    return dosi_training_new(&t, &options, err) == DOSI_OK ? t : NULL;
}

/* All of a CSV text, then the start. */
static inline dosi_status run_start(
    dosi_training *t, const char *csv, dosi_error *err)
{
    dosi_status status = dosi_training_read_csv(t, csv, strlen(csv), err);
    return status == DOSI_OK ? dosi_training_start(t, err) : status;
}

#endif
