/*
 * The greatest delta that adaptively chosen runs of bounded range have
 * together, or Poisson samples of such runs, on a lattice of epsilon and from
 * both sides. Internal to adaptive_runs.h; docs/theory/adaptive.md derives
 * it.
 *
 * With X = e^epsilon and the profile H of a removed record, values are those
 * of the excess G(X) = H(X) - (1 - X)_+; that of an added record is G(1/X) X.
 * Runs that are not sampled have a symmetric profile, G(1/X) = G(X)/X, and
 * know it by epsilon >= 0.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_GRID_H
#define DOSI_ADAPTIVE_ADAPTIVE_GRID_H

#include "base/work_limits.h"
#include "adaptive_rows.h"
#include "adaptive_runs.h"

/* One end of the enclosure. */
typedef struct adaptive_side {
    double step;   /* of few bits: its multiples are exact */
    double *value; /* G at i steps */
    double *next;  /* with one run more */
    /* Without sampling, where value[i] for i < 0 is H: weights of the ends of
     * a chord a steps above its left end, a = 0..m; and 1 - e^-x and e^-x at
     * x = a steps. */
    double *left, *right, *drop, *factor;
} adaptive_side;

typedef struct adaptive_grid adaptive_grid;

/* How one run more is found: by crossings of neighbouring chords where none is
 * sampled, else by trying all choices. */
typedef struct adaptive_method {
    const char *refusal; /* where e is not within the next two */
    double min_range, max_range;
    double max_cells;
    double order;      /* widths fall with this power of the cells */
    double max_work;   /* operations, whatever the budget is */
    double share;      /* of the operations left, for one lattice */
    bool is_symmetric; /* values begin at 0 */
    ptrdiff_t (*margin)(const adaptive_grid *r);  /* points beyond the ends */
    double (*operations)(const adaptive_grid *r); /* of all runs */
    double (*bytes)(const adaptive_grid *r);      /* but for the values */
    /* Makes the tables, and values of the first runs; returns their number
     * as *runs. */
    dosi_status (*start)(double *runs, adaptive_grid *r, dosi_error *err);
    double (*add)(adaptive_grid *r); /* one run more; its operations */
    void (*clear)(adaptive_grid *r);
} adaptive_method;

extern const adaptive_method adaptive_by_crossings;
extern const adaptive_method adaptive_by_choices;

/* All zeros: none. */
struct adaptive_grid {
    const adaptive_method *method;
    adaptive_class of;
    double cells;    /* steps of the range of the middle choice */
    double back, on; /* steps that a chord goes back and on, at most */
    double log_tail; /* delta is known to about e^-log_tail */
    bool is_finest;  /* the limits allow no more cells */
    ptrdiff_t last;  /* values are held up to here */
    ptrdiff_t end;   /* and read up to here; beyond, G is no more */
    adaptive_side upper, lower;
    double *storage;
    /* without sampling */
    ptrdiff_t m;     /* steps of a range */
    ptrdiff_t start; /* the first point where delta is not nearly 1 */
    double bend[3];  /* weights of the points i - 1, i, i + 1, from above */
    double *tables;
    int *before; /* of chord b and the next: up to where b is above it */
    int *after;  /* and from where on it is below */
    /* of samples */
    double *fall, *rise; /* 1 - e^-(ih) and e^(ih) - 1 */
    adaptive_rows above, below;
    size_t n_chunks;
    size_t *from, *to; /* of each: the groups that were looked into last */
};

/*
 * A lattice known to about e^-log_tail, with so many cells a range, or as many
 * as the limits allow.
 *
 * owns   what *out holds, until adaptive_grid_clear; nothing after a failure
 * fails  DOSI_EUNABLE where there are too many runs, it was stopped, the memory
 *        is too little or e too great or too small; DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_grid_make(adaptive_grid *out,
    const adaptive_class *of, double log_tail, double cells,
    work_limits *limits, dosi_error *err);
void adaptive_grid_clear(adaptive_grid *r);

/* The range of the middle choice, t = e/2: log w(t) - log w(-t) with
 * w(L) = 1 - q + q e^L; e itself without sampling. */
ball range_middle(const adaptive_class *of);

/* The greatest loss of all runs, where a record is removed or added: delta is 0
 * from there on. k log w(e), or -k log w(-e). */
ball adaptive_greatest(const adaptive_class *of, bool add);

/* log delta at any real epsilon; [-inf, -inf] where delta is 0. */
dosi_interval adaptive_grid_log_delta(
    const adaptive_grid *r, ball eps, bool add);

/* Smallest eps >= 0 with delta(eps) <= exp(log_delta). */
dosi_interval adaptive_grid_epsilon(
    const adaptive_grid *r, ball log_delta, bool add);

#endif
