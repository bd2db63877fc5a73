/*
 * What the grid holds while it answers one question, for the files that do.
 * Internal to them.
 */
#ifndef DOSI_REPR_GRID_ENGINE_H
#define DOSI_REPR_GRID_ENGINE_H

#include "grid_steer.h"

/* Points of a transform, at most. */
#define GRID_MAX_POINTS 0x1p22

typedef enum grid_ask_kind {
    GRID_ASK_DELTA,
    GRID_ASK_EPSILON,
    GRID_ASK_TRADEOFF
} grid_ask_kind;

typedef struct grid_question {
    grid_ask_kind kind;
    double argument; /* epsilon or alpha */
    ball log_delta;
} grid_question;

/* Parts that are not on the lattice: grid_beside.h. */
typedef struct grid_beside grid_beside;

/* Classes of jumps, each with a tilt: grid_classes.h. */
typedef struct grid_classes grid_classes;

typedef struct grid_engine {
    const grid_question *q;
    size_t n;
    loss_cells *parts;
    grid_sketch whole;  /* the laws */
    grid_sketch sketch; /* but for what is too rare to matter */
    work_limits *limits;
    double count;  /* runs in all */
    grid_place at;
    dosi_interval best;
    bool is_full;  /* memory or time keep the spacing coarse */
    bool is_short; /* and it is memory */
    double cells;  /* that may still be built */
    double points; /* that a window may have */
    double transformed; /* points, by all rounds */
    double spacing;     /* of the last round */
    bool is_exact; /* all is on points */
    bool is_loose; /* some atoms have no lattice */
    grid_beside *beside; /* NULL: all parts are on the lattice */
    const grid_classes *classes; /* NULL: one tilt for all */
} grid_engine;

/* Makes the laws ready; e->best and e->at are the caller's to set. Freed with
 * grid_engine_free in any case.
 *
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status grid_engine_start(grid_engine *e,
    const grid_question *q, const loss *parts, size_t n, work_limits *limits,
    dosi_error *err);
void grid_engine_free(grid_engine *e);

/* Leaves out of the sketch what is too rare to matter at e->at.log_delta: such
 * jumps would decide on the tilt, and make the window long. */
void grid_cut_sketch(grid_engine *e);

/* Of the best so far, as the question counts it. */
double grid_width_of(const grid_engine *e);

/* The width wanted, of log delta. */
double grid_wanted_log_width(const grid_engine *e);

/* Whether a part is cut off where it has next to no mass, compared with
 * delta; and above which loss that is. */
bool grid_part_is_cut(const loss_cells *c);
double grid_part_right(const grid_engine *e, size_t i);

/* Puts all laws on a lattice of spacing h, or of the least that fits the
 * limits, composes them, asks, and meets e->best with the answer. */
DOSI_CHECK dosi_status grid_round(grid_engine *e, double h, dosi_error *err);

#endif
