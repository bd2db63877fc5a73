/*
 * How far the work on one question goes: the width that is wanted, the
 * memory that may be held, and whom to ask whether to go on. Who stops gives
 * what is certain so far, which is wider, never wrong.
 */
#ifndef DOSI_BASE_WORK_LIMITS_H
#define DOSI_BASE_WORK_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#define WORK_WIDTH 1e-6
#define WORK_BYTES ((size_t)256 << 20)

typedef struct work_limits {
    double width;     /* wanted, (hi - lo) / max(|lo|, |hi|) */
    size_t max_bytes; /* held at once by one route */
    int (*stop)(void *context); /* non-zero: end; NULL: never */
    void *stop_context;
    bool stopped;  /* stop said so, once and for all */
    bool is_short; /* a narrower answer would have held more memory */
    bool is_long;  /* a narrower answer would have taken too long */
} work_limits;

/* The functions below take NULL for no limits but the defaults. */

static inline double work_width(const work_limits *limits)
{
    return limits != NULL ? limits->width : WORK_WIDTH;
}

static inline size_t work_bytes(const work_limits *limits)
{
    return limits != NULL ? limits->max_bytes : WORK_BYTES;
}

/* To be asked now and then, about every tenth of a millisecond. */
static inline bool work_stopped(work_limits *limits)
{
    if (limits == NULL || limits->stop == NULL)
        return false;
    if (!limits->stopped && limits->stop(limits->stop_context) != 0)
        limits->stopped = true;
    return limits->stopped;
}

/* Notes that it was not worth the time to make the answer narrower. */
static inline void work_is_long(work_limits *limits)
{
    if (limits != NULL)
        limits->is_long = true;
}

/* Notes that max_bytes is what keeps the answer wide. */
static inline void work_is_short(work_limits *limits)
{
    if (limits != NULL)
        limits->is_short = true;
}

/* Why an answer is wide: memory, or time; NULL where it is neither. */
static inline const char *work_reason(const work_limits *limits)
{
    if (limits != NULL && limits->is_short)
        return "the memory ceiling is too low for a narrower interval";
    if (limits == NULL || !limits->is_long)
        return NULL;
    return limits->width < WORK_WIDTH
               ? "a narrower interval would take too long"
               : "a narrower interval would take too long; --width asks for "
                 "one";
}

#endif
