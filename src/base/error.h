/*
 * Filling a caller's dosi_error. Reporting never allocates, and numbers are
 * written in the C locale.
 */
#ifndef DOSI_BASE_ERROR_H
#define DOSI_BASE_ERROR_H

#include "dosimeter.h"

/* Fills *err (which may be NULL) without an offset and returns status. */
__attribute__((format(printf, 3, 4))) dosi_status dosi_fail(
    dosi_error *err, dosi_status status, const char *format, ...);

/* Fills *err with the byte offset of the error in the text being read, too. */
__attribute__((format(printf, 4, 5))) dosi_status dosi_fail_at(
    dosi_error *err, dosi_status status, size_t offset, const char *format,
    ...);

/* Fills *err for DOSI_ENOMEM, with the message used everywhere. */
dosi_status dosi_fail_memory(dosi_error *err);

#endif
