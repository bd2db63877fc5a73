/*
 * Who counts: the units that are sampled and clipped. Without a user a unit is
 * a row; with one it is a selected row of at most k a person, or a person.
 */
#ifndef DOSI_RELEASE_TRAIN_TRAIN_PEOPLE_H
#define DOSI_RELEASE_TRAIN_TRAIN_PEOPLE_H

#include "records.h"
#include "train_settings.h"

/* Unit i has the rows members[ends[i - 1]] .. members[ends[i] - 1]. */
struct train_people {
    size_t n_units;
    size_t *ends;
    size_t *members;
};

/*
 * A function of each person's rows alone (R105-10): rows without an id count
 * for nothing; of the others the k least in the order (key, values), missing
 * keys last, or all of them as one unit.
 * fails  DOSI_ENOMEM; freed in any case
 */
dosi_status train_people_of(struct train_people *out,
    const struct records *records, const struct train_settings *settings,
    dosi_error *err);
void train_people_free(struct train_people *people);

#endif
