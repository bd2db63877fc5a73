/*
 * The checkpoint of a run on the disk: settings, plan, state, and how many
 * steps are used up. The last of these is written and flushed before the noise
 * of a step is drawn, so that whatever ends a run, continuing the file never
 * draws the noise of more than the planned steps: steps that were used and
 * lost are not repeated. A new version of the file takes the place of the old
 * one by a rename; a run that continues writes one before its first step.
 *
 * Noticed and refused: a file in use, also one that was moved meanwhile or
 * whose lock file was removed; a damaged file; an old version that is still
 * there under another name; a copy, whose inode is not that of the file it was
 * written to. What is not noticed stays an assumption: a copy that was declared
 * to be the only one, or was written over its original.
 */
#ifndef DOSI_RELEASE_TRAIN_CHECKPOINT_H
#define DOSI_RELEASE_TRAIN_CHECKPOINT_H

#include "checkpoint_text.h"

struct checkpoint {
    const char *path; /* NULL: there is none; all calls then do nothing */
    int file;         /* open on the newest version, and locked; or -1 */
    int lock;         /* path.lock, locked while the run lives, or -1 */
    bool is_behind;   /* a count may not be on the disk: a write failed */
    struct checkpoint_text text;
    const struct name_list *settings; /* that may not change */
    char *plan;
};

enum checkpoint_start {
    CHECKPOINT_NEW,
    CHECKPOINT_RESUMED, /* refused if the file is a copy */
    CHECKPOINT_MOVED    /* resumed, and declared to be the only copy */
};

/*
 * Takes the lock; then writes a new file, or reads the one that is there into
 * the state and writes it with the next run number. Borrows path and
 * settings.
 *
 * fails  DOSI_EINVAL for a file that is there and not continued, one of other
 *        settings or another plan, one that is damaged, a copy or no
 *        checkpoint, or one that is in use; DOSI_EIO; DOSI_ENOMEM
 */
dosi_status checkpoint_open(struct checkpoint *checkpoint, const char *path,
    enum checkpoint_start how, const struct name_list *settings,
    const dosi_plan *plan, struct train_state *state, dosi_error *err);

/* The number of used steps, on the disk. fails  DOSI_EIO; then and after any
 * other failure until checkpoint_write succeeds */
dosi_status checkpoint_reserve(
    struct checkpoint *checkpoint, double used, dosi_error *err);

/* The whole state under a new file that takes the place of the old one.
 * fails  DOSI_EIO, DOSI_ENOMEM; the old one is then as it was */
dosi_status checkpoint_write(struct checkpoint *checkpoint,
    const struct train_state *state, dosi_error *err);

void checkpoint_close(struct checkpoint *checkpoint);

#endif
