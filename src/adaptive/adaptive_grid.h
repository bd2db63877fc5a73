/*
 * Privacy profile of k adaptively chosen runs of bounded range, or of Poisson
 * samples of such runs: enclosures of the greatest delta on a lattice of
 * epsilon. Internal to adaptive_runs.h; derivation: docs/theory/adaptive.md.
 *
 * With X = e^epsilon and the profile H of a removed record, values are those of
 * the excess G(X) = H(X) - (1 - X)_+; the excess of an added record is X
 * G(1/X). Runs without sampling have a symmetric profile, G(1/X) = G(X)/X, and
 * are stored for epsilon >= 0.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_GRID_H
#define DOSI_ADAPTIVE_ADAPTIVE_GRID_H

#include "base/work_limits.h"
#include "adaptive_rows.h"
#include "adaptive_runs.h"

/* One end of the enclosure. */
typedef struct adaptive_side {
    double step;   /* short enough that its multiples are exact */
    double *value; /* G at i steps */
    double *next;  /* with one run more */
    /* Without sampling value[i] for i < 0 is H: weights of the ends of a chord
     * a steps above its left end, a = 0..m; and 1 - e^-x and e^-x at x = a
     * steps. */
    double *left, *right, *drop, *factor;
} adaptive_side;

typedef struct adaptive_grid adaptive_grid;

/* How one run is added: by crossings of neighbouring chords without sampling,
 * else by evaluating all choices. */
typedef struct adaptive_method {
    const char *refusal; /* message for e outside of the next two */
    double min_range, max_range;
    double max_cells;
    double order;      /* widths fall with this power of the cells */
    double max_work;   /* operations, whatever the budget is */
    double share;      /* of the operations left, for one lattice */
    bool is_symmetric; /* values begin at 0 */
    ptrdiff_t (*margin)(const adaptive_grid *r);  /* points beyond the ends */
    double (*operations)(const adaptive_grid *r); /* of all runs */
    double (*bytes)(const adaptive_grid *r);      /* without the values */
    /* Makes the tables and the values of the first runs; *runs receives the
     * number of those runs. */
    dosi_status (*start)(double *runs, adaptive_grid *r, dosi_error *err);
    double (*add)(adaptive_grid *r); /* adds one run; returns its operations */
    void (*clear)(adaptive_grid *r);
} adaptive_method;

extern const adaptive_method adaptive_by_crossings;
extern const adaptive_method adaptive_by_choices;

/* An object of zeros holds no lattice. */
struct adaptive_grid {
    const adaptive_method *method;
    adaptive_class of;
    double cells;    /* steps of the range of the middle choice */
    /* steps that a chord reaches to either side, at most */
    double reach_left, reach_right;
    double log_tail; /* delta is known to about e^-log_tail */
    bool is_finest;  /* the limits allow no more cells */
    ptrdiff_t last;  /* values are held up to here */
    ptrdiff_t end;   /* and read up to here; G is no greater beyond */
    adaptive_side upper, lower;
    double *storage;
    /* without sampling: */
    ptrdiff_t m;     /* steps of a range */
    ptrdiff_t start; /* the first point where delta is not nearly 1 */
    /* upper bounds of the weights of the points i - 1, i, i + 1 */
    double step_weights[3];
    double *tables;
    int *before; /* chord b is above chord b + 1 up to this point */
    int *after;  /* and below it from this point on */
    /* with sampling: */
    double *fall, *rise; /* 1 - e^-(ih) and e^(ih) - 1 */
    adaptive_rows above, below;
    size_t n_chunks;
    size_t *from, *to; /* groups evaluated last in each chunk */
};

/*
 * Makes a lattice that reaches a delta of about e^-log_tail, with the given
 * number of cells in a range, or as many as the limits allow.
 *
 * cost      O(k (last + margin)) without sampling; with sampling times the
 *           number of choices
 * owns      the arrays of *out, freed by adaptive_grid_clear; none after a
 *           failure
 * fails     DOSI_EUNABLE if the work needs too many operations, was stopped or
 *           needs too much memory, or if e or the rate is out of range;
 *           DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_grid_make(adaptive_grid *out,
    const adaptive_class *of, double log_tail, double cells,
    work_limits *limits, dosi_error *err);
void adaptive_grid_clear(adaptive_grid *r);

/* The range of losses of the middle choice, t = e/2: log w(t) - log w(-t) with
 * w(L) = 1 - q + q e^L; e itself without sampling. */
ball adaptive_middle_range(const adaptive_class *of);

/* The greatest total loss of all runs with a record removed or added, k log
 * w(e) or -k log w(-e): delta is 0 from there on. */
ball adaptive_max_loss(const adaptive_class *of, bool add);

/* Encloses log delta at any real epsilon; [-inf, -inf] if delta is 0. */
dosi_interval adaptive_grid_log_delta(
    const adaptive_grid *r, ball eps, bool add);

/* Encloses the smallest eps >= 0 with delta(eps) <= exp(log_delta). */
dosi_interval adaptive_grid_epsilon(
    const adaptive_grid *r, ball log_delta, bool add);

#endif
