/*
 * Filling a caller's dosi_error. Reporting never allocates, and numbers are
 * written as in the C locale.
 */
#ifndef DOSI_BASE_ERROR_H
#define DOSI_BASE_ERROR_H

#include "dosimeter.h"

/* Fills *err (which may be NULL) without an offset and returns status. */
__attribute__((format(printf, 3, 4))) dosi_status dosi_fail(
    dosi_error *err, dosi_status status, const char *format, ...);

/* The same with the byte offset of the culprit in the text being read. */
__attribute__((format(printf, 4, 5))) dosi_status dosi_fail_at(
    dosi_error *err, dosi_status status, size_t offset, const char *format,
    ...);

/* DOSI_ENOMEM in the words used everywhere. */
dosi_status dosi_fail_memory(dosi_error *err);

#endif
