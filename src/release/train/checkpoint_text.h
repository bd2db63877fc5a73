/*
 * The text of a checkpoint, with a checksum of every byte:
 *
 *     dosimeter checkpoint 2
 *     used 00000000000000000012 <checksum of the count and of the rest>
 *     run 1
 *     file 1835027
 *     updates 10
 *     plan poisson(0.1, gaussian(2)) * 100
 *     setting batch 256
 *     ...
 *     parameters 650
 *     0x1.8p-3 0x0p+0 0x0p+0
 *     ...
 *     end <checksum of the lines from run on>
 *
 * The first two lines are in one sector of a disk: the second one is
 * overwritten before every step. Checksums are BLAKE2b of 128 bits without a
 * key: they show damage, not forgery.
 */
#ifndef DOSI_RELEASE_TRAIN_CHECKPOINT_TEXT_H
#define DOSI_RELEASE_TRAIN_CHECKPOINT_TEXT_H

#include <stdio.h>

#include "train_settings.h"

#define CHECKPOINT_FIRST_LINE "dosimeter checkpoint 2\n"
/* The first line of a version that another one took the place of. */
#define CHECKPOINT_OLD_LINE "dosimeter superseded 2\n"
#define CHECKPOINT_USED_AT (sizeof CHECKPOINT_FIRST_LINE - 1)

#define CHECKSUM_DIGITS 32
#define CHECKPOINT_USED_BYTES (5 + 20 + 1 + CHECKSUM_DIGITS + 1)

struct train_state;

/* The contents of a checkpoint besides the state. */
struct checkpoint_text {
    double run;    /* how often it was started or continued */
    uint64_t file; /* inode of the file that it was written to */
    char checksum[CHECKSUM_DIGITS + 1]; /* of the lines from run on */
};

/* Writes all but the second line, which is left blank, and fills in the
 * checksum. Failures are those of the stream. */
void checkpoint_text_write(FILE *stream, struct checkpoint_text *text,
    const struct train_state *state, const struct name_list *settings,
    const char *plan);

/* The second line, of CHECKPOINT_USED_BYTES and a NUL. */
void checkpoint_used_line(char *line, double used, const char *checksum);

/*
 * Fills text and state from the stream. requires  state with room for
 * n_parameters
 * fails  DOSI_EINVAL for bytes that are no checkpoint or not as they were
 *        written, and for one of other settings, another plan or another
 *        model; DOSI_EIO; DOSI_ENOMEM. Messages name path.
 */
dosi_status checkpoint_text_read(struct checkpoint_text *out,
    struct train_state *state, FILE *stream, const char *path,
    const struct name_list *settings, const char *plan, dosi_error *err);

#endif
