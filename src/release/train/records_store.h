/* Storing rows as records, shared by the readers. */
#ifndef DOSI_RELEASE_TRAIN_RECORDS_STORE_H
#define DOSI_RELEASE_TRAIN_RECORDS_STORE_H

#include "records.h"

/* Finds the columns of the schema. */
dosi_status records_resolve(struct records *records,
    const struct name_list *header, dosi_error *err);

/* The inputs of a new row, to be filled in like *label and *is_good; NULL: no
 * memory. Pointers are good until the next one. */
double *records_row_new(
    double **label, uint8_t **is_good, struct records *records);

/* The next key of the newest row; keys are added in their order. */
dosi_status records_key_add(struct records *records, size_t key,
    const char *bytes, size_t n, dosi_error *err);

#endif
