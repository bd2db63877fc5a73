/* Reading a checkpoint, whoever wrote it. */
#ifndef DOSI_TRAIN_CHECKPOINT_READ_H
#define DOSI_TRAIN_CHECKPOINT_READ_H

#include <stdio.h>

#include "train_settings.h"

#define CHECKPOINT_FIRST_LINE "dosimeter checkpoint 1\n"
#define CHECKPOINT_USED "used "
#define CHECKPOINT_DIGITS 20

struct train_state;

/*
 * Fills state and run from the stream. requires  state with room for
 * n_parameters.
 * fails  DOSI_EINVAL for bytes that are no checkpoint, or one of other
 *        settings, another plan or another model; DOSI_EIO; DOSI_ENOMEM
 */
dosi_status checkpoint_read(double *run, struct train_state *state,
    FILE *stream, const struct name_list *settings, const char *plan,
    dosi_error *err);

#endif
