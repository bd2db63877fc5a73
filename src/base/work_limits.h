/*
 * The limits of the work on one question: the width that is wanted, the memory
 * that may be held, the operations that may be spent, and a callback that may
 * stop it. Stopped work returns what is certain so far, which is wider, never
 * wrong. Operations are counted, not timed: a question has the same answer on a
 * busy machine.
 */
#ifndef DOSI_BASE_WORK_LIMITS_H
#define DOSI_BASE_WORK_LIMITS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define WORK_WIDTH 1e-6
#define WORK_BYTES ((size_t)256 << 20)

/* The default budget. One operation takes about a nanosecond of one core. */
#define WORK_OPERATIONS 1e9

/* Budgets granted if a width below the default is wanted. */
#define WORK_NARROW_BUDGETS 4

/* Operations counted for each check of the limits if nothing else is
 * counted. */
#define WORK_PER_CHECK 1e4

/* Share of the spent operations that fast routes may spend after a stop. */
#define WORK_RESERVE (1.0 / 16)

typedef struct work_limits {
    double width;               /* wanted, (hi - lo) / max(|lo|, |hi|) */
    /* the width at which an answer is read from what earlier questions have
     * built; 0: each builds its own */
    double reuse;
    size_t max_bytes;           /* held at once by one route */
    int (*stop)(void *context); /* non-zero: end; NULL: never */
    void *stop_context;
    struct work_limits *whole; /* whose budget and stop apply; NULL: its own */
    double spent;  /* operations so far */
    double budget; /* operations after which the work stops; 0: none */
    /* operations at which the present route ends, so that others get their
     * turn; 0: none */
    double pause;
    bool stopped;      /* by stop or by the budget; permanent */
    bool is_spent;     /* the budget stopped it */
    bool memory_bound; /* a narrower answer needs more memory */
    bool time_bound;   /* a narrower answer takes too long */
} work_limits;

/* The default limits, for work outside of a question. */
static inline work_limits work_default(double width)
{
    return (work_limits){.width = width,
        .max_bytes = WORK_BYTES,
        .budget = WORK_OPERATIONS};
}

/* The functions below take NULL for the default width and memory and no other
 * limits. */

static inline double work_width(const work_limits *limits)
{
    return limits != NULL ? limits->width : WORK_WIDTH;
}

static inline size_t work_bytes(const work_limits *limits)
{
    return limits != NULL ? limits->max_bytes : WORK_BYTES;
}

/* The limits that hold the budget. */
static inline work_limits *work_whole(work_limits *limits)
{
    return limits != NULL && limits->whole != NULL ? limits->whole : limits;
}

/* Adds to the operations spent. */
static inline void work_spend(work_limits *limits, double operations)
{
    if (limits != NULL)
        work_whole(limits)->spent += operations;
}

/* Adds to the operations spent, and returns true if the work must stop. */
static inline bool work_spent(work_limits *limits, double operations)
{
    work_limits *w = work_whole(limits);
    if (w == NULL || w->stopped)
        return w != NULL;
    w->spent += operations;
    w->stopped = w->stop != NULL && w->stop(w->stop_context) != 0;
    w->is_spent = !w->stopped && w->budget > 0 && w->spent > w->budget;
    w->stopped = w->stopped || w->is_spent;
    return w->stopped || (w->pause > 0 && w->spent > w->pause);
}

/* Counts WORK_PER_CHECK operations and returns true if the work must stop; for
 * loops in which nothing else is counted, about every hundredth of a
 * millisecond. */
static inline bool work_stopped(work_limits *limits)
{
    return work_spent(limits, WORK_PER_CHECK);
}

/* Operations that may still be spent. */
static inline double work_left(const work_limits *limits)
{
    double left = HUGE_VAL;
    if (limits != NULL && limits->whole != NULL)
        limits = limits->whole;
    if (limits != NULL && limits->budget > 0)
        left = limits->budget - limits->spent;
    if (limits != NULL && limits->pause > 0)
        left = fmin(left, limits->pause - limits->spent);
    return fmax(left, 0);
}

/* Lets a part of the work spend a share of the remaining operations, portion in
 * (0, 1]. Returns the previous pause, for work_unshare. */
static inline double work_share(work_limits *limits, double portion)
{
    work_limits *w = work_whole(limits);
    if (w == NULL)
        return 0;
    double before = w->pause, left = work_left(w);
    if (left < HUGE_VAL && portion < 1)
        w->pause = w->spent + left * portion;
    return before;
}

static inline void work_unshare(work_limits *limits, double pause)
{
    if (limits != NULL)
        work_whole(limits)->pause = pause;
}

/* Lets fast routes continue after a stop, for a share of what was spent. */
static inline void work_resume(work_limits *limits)
{
    limits->stopped = false;
    limits->stop = NULL;
    limits->pause = 0;
    limits->budget = limits->spent * (1 + WORK_RESERVE) + 1e6;
}

/* Records that a narrower answer would take too long. */
static inline void work_note_time_bound(work_limits *limits)
{
    if (limits != NULL)
        limits->time_bound = true;
}

/* Records that max_bytes limits the width of the answer. */
static inline void work_note_memory_bound(work_limits *limits)
{
    if (limits != NULL)
        limits->memory_bound = true;
}

/* Why an answer is wide: memory or time; NULL for neither. */
static inline const char *work_reason(const work_limits *limits)
{
    if (limits != NULL && limits->memory_bound)
        return "the memory ceiling is too low for a narrower interval";
    if (limits == NULL || !limits->time_bound)
        return NULL;
    return limits->width < WORK_WIDTH
               ? "a narrower interval would take too long"
               : "a narrower interval would take too long; --width asks for "
                 "one";
}

#endif
