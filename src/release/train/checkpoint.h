/*
 * The checkpoint of a run on the disk: settings, plan, state in hexadecimal
 * numbers, and how many steps are used up. The last of these is written and
 * flushed before the noise of a step is drawn, so that whatever ends a run,
 * continuing the file never draws the noise of more than the planned steps:
 * steps that were used and lost are not repeated.
 *
 *     dosimeter checkpoint 1
 *     used 00000000000000000012
 *     run 1
 *     updates 10
 *     plan poisson(0.1, gaussian(2)) * 100
 *     setting batch 256
 *     ...
 *     parameters 650
 *     0x1.8p-3 0x0p+0 0x0p+0
 *     ...
 *     end
 */
#ifndef DOSI_TRAIN_CHECKPOINT_H
#define DOSI_TRAIN_CHECKPOINT_H

#include "train_settings.h"

struct train_state;

struct checkpoint {
    const char *path; /* NULL: there is none; all calls then do nothing */
    int file;         /* open on the newest version, or -1 */
    int lock;         /* path.lock, locked while the run lives, or -1 */
    double run;       /* counts how often it was started or continued */
    const struct name_list *settings; /* that may not change */
    char *plan;
};

/*
 * Takes the lock; then writes a new file, or reads the one that is there into
 * the state and writes it with the next run number. Borrows path and
 * settings.
 *
 * fails  DOSI_EINVAL for a file that is there and not continued, one of other
 *        settings or another plan, one that is no checkpoint, or one that is
 *        in use; DOSI_EIO; DOSI_ENOMEM
 */
dosi_status checkpoint_open(struct checkpoint *checkpoint, const char *path,
    bool resumes, const struct name_list *settings, const dosi_plan *plan,
    struct train_state *state, dosi_error *err);

/* The number of used steps, on the disk. fails  DOSI_EIO */
dosi_status checkpoint_reserve(
    struct checkpoint *checkpoint, double used, dosi_error *err);

/* The whole state under a new file that takes the place of the old one.
 * fails  DOSI_EIO, DOSI_ENOMEM; the old one is then as it was */
dosi_status checkpoint_write(struct checkpoint *checkpoint,
    const struct train_state *state, dosi_error *err);

void checkpoint_close(struct checkpoint *checkpoint);

#endif
