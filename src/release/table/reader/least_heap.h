/*
 * The k least of any number of records of a fixed width in words, as a heap
 * with the greatest of them in front. Which records are kept does not depend
 * on the order in which they come, except among equal ones.
 */
#ifndef DOSI_RELEASE_TABLE_READER_LEAST_HEAP_H
#define DOSI_RELEASE_TABLE_READER_LEAST_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct least_order {
    int (*compare)(const void *context, const int64_t *a, const int64_t *b);
    const void *context;
    size_t width; /* of a record */
};

/* Puts a record after n others. requires  room for n + 1 */
void least_push(int64_t *records, size_t n, const int64_t *record,
    const struct least_order *order);

/* Puts a record in the place of the first, the greatest of n. */
void least_replace(int64_t *records, size_t n, const int64_t *record,
    const struct least_order *order);

#endif
