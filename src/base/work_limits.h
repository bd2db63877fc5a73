/*
 * How far the work on one question goes: the width that is wanted, the
 * memory that may be held, the operations that may be spent, and whom to ask
 * whether to go on. Work that is stopped gives what is certain so far, which
 * is wider, never wrong. Operations are counted, not timed: the same question
 * has the same answer on a busy machine.
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

/* Where more than the default width is asked for, so many budgets. */
#define WORK_PATIENCE 4

/* What comes between two looks at the limits takes about this many, where
 * nothing else is counted. */
#define WORK_LOOK 1e4

/* After the budget is spent, quick routes may spend this share of it. */
#define WORK_RESERVE (1.0 / 16)

typedef struct work_limits {
    double width;     /* wanted, (hi - lo) / max(|lo|, |hi|) */
    size_t max_bytes; /* held at once by one route */
    int (*stop)(void *context); /* non-zero: end; NULL: never */
    void *stop_context;
    struct work_limits *whole; /* whose budget and stop count; NULL: own */
    double spent;  /* operations so far */
    double budget; /* operations after which the work stops; 0: none */
    double pause;  /* operations at which the route that works ends, for
                      others to be asked; 0: none */
    bool stopped;  /* by stop or by the budget, once and for all */
    bool is_spent; /* it was the budget */
    bool is_short; /* a narrower answer would have held more memory */
    bool is_long;  /* a narrower answer would have taken too long */
} work_limits;

/* The defaults, for work that no question stands behind. */
static inline work_limits work_default(double width)
{
    return (work_limits){.width = width,
        .max_bytes = WORK_BYTES,
        .budget = WORK_OPERATIONS};
}

/* The functions below take NULL for no limits but the defaults. */

static inline double work_width(const work_limits *limits)
{
    return limits != NULL ? limits->width : WORK_WIDTH;
}

static inline size_t work_bytes(const work_limits *limits)
{
    return limits != NULL ? limits->max_bytes : WORK_BYTES;
}

/* Whose budget is spent. */
static inline work_limits *work_whole(work_limits *limits)
{
    return limits != NULL && limits->whole != NULL ? limits->whole : limits;
}

/* Counts operations. */
static inline void work_spend(work_limits *limits, double operations)
{
    if (limits != NULL)
        work_whole(limits)->spent += operations;
}

/* Counts operations that were done, and tells whether to stop. */
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

/* To be asked now and then, about every hundredth of a millisecond, where
 * nothing else is counted. */
static inline bool work_stopped(work_limits *limits)
{
    return work_spent(limits, WORK_LOOK);
}

/* Operations that may still be spent, now. */
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

/* Lets a piece of work spend a share of what is left, in (0, 1]. Returns what
 * pause was, for whoever gives it back. */
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

/* Lets quick routes go on after a stop, for a share of what was spent. */
static inline void work_resume(work_limits *limits)
{
    limits->stopped = false;
    limits->stop = NULL;
    limits->pause = 0;
    limits->budget = limits->spent * (1 + WORK_RESERVE) + 1e6;
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
