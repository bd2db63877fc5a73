/*
 * Mixtures of shifted Gaussian noise on the contour: removed records against
 * added ones under Poisson sampling, and one record under sampling with
 * replacement. Derivation: docs/theory/spectral.md, section 9. Internal to
 * the spectral_split files.
 *
 * With y = mu x, P has the density phi(x) A(e^y) and Q has phi(x) B(e^-y),
 * A and B polynomials with coefficients Bin(i; n, q) e^(-i^2 mu^2/2), so that
 * Z = log A - log B and M(z) = E_phi[A^(z+1) B^-z].
 */
#ifndef DOSI_REPR_SPECTRAL_SPLIT_H
#define DOSI_REPR_SPECTRAL_SPLIT_H

#include "loss_cells.h"
#include "spectral_part.h"

/* One polynomial: term i at y is e^(log_term_i + i y). */
typedef struct shifts {
    unsigned n;       /* terms beside the first that are summed */
    double whole;     /* the weights are binomial, of so many trials */
    bool is_cut;      /* what lies beyond n is left out; else zeros are real */
    ball log_term[LOSS_MAX_SPLIT + 1];
    ball log_ratio[LOSS_MAX_SPLIT + 1]; /* log of term i+1 over term i */
    ball bend[LOSS_MAX_SPLIT + 1];      /* ratio i+1 over ratio i */

    /* The same in doubles. */
    double log_term_d[LOSS_MAX_SPLIT + 1];
    double log_ratio_d[LOSS_MAX_SPLIT + 1];
    double bend_d[LOSS_MAX_SPLIT + 1];
} shifts;

/* Where the line of integration may be moved to: by b in y, and by b most/m
 * where m = dZ/dy exceeds most. */
typedef struct split_strip {
    double b, most;
} split_strip;

struct split {
    shifts p, q; /* A and B */
    double mu;
    split_strip strip; /* for chi, and for its decay */
    split_strip strip_alpha;

    /* Beside the sketch: the noise, the variances of i and of j, and what
     * bounds that of j. */
    double *x, *var_p, *var_q, *most_var_q;
};

typedef struct split split;

/* The law's polynomials; NULL without memory, or where its parameters are too
 * vague. Owned by the part. */
split *split_of(spectral_part *part);

/* log of the polynomial at e^y. */
ball shifts_log(const shifts *s, ball y);

/* Sines and cosines of the multiples of an angle a. */
typedef struct shifts_turns {
    ball sine[LOSS_MAX_SPLIT + 1], cosine[LOSS_MAX_SPLIT + 1];
} shifts_turns;

/* The polynomial at e^(y + ia) is e^(log_top + i a top) (1 + re + i im). */
typedef struct shifts_value {
    ball log_top, re, im;
    unsigned top;
} shifts_value;

/* Turns may be NULL: a = 0. */
shifts_value shifts_turned(const shifts *s, ball y, const shifts_turns *w);

/* The same in doubles, with mean and variance of i under its terms, whose
 * sum beyond the last one is next to nothing where it is sure. The mean rises
 * with y. */
typedef struct shifts_point {
    double log_sum, mean, var;
    bool is_sure;
} shifts_point;
shifts_point shifts_at(const shifts *s, double y);

/* Both of them at x. */
typedef struct split_point {
    double x, log_p, log_q, mean_p, mean_q;
    bool is_sure;
} split_point;
split_point split_at(const split *s, double x);

/* log of phi A^(t+1) B^-t but for 1/sqrt(2 pi), and what it may err by. */
double split_log_density(const split_point *p, double t);
double split_density_error(const split *s, const split_point *p, double t);

/* Upper bound of what the sum over all nodes i h' outside (lo, hi) is for the
 * density tilted by t + a, over h' e^shift / sqrt(2 pi). */
double split_beyond(
    const spectral_part *self, double a, double h, double lo, double hi);

/* ---- A moved line in double-doubles (spectral_split_fine.c) ------------ */

/* The rule for the line that was chosen, at u = 0, want.step, ...
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status split_fine_tilt(
    bool *found, spectral_part *self, dosi_error *err);

/* ---- Bounds (spectral_split_bound.c) ----------------------------------- */

/* What a trapezoid rule of step h is asked for. */
typedef struct split_rule {
    double t;      /* tilt */
    double outer;  /* for all |u| up to this */
    double alpha;  /* the line is turned by so much already */
    double h;
    double lo, hi; /* where its nodes are */
    split_strip strip;
} split_rule;

/* log of a bound of |h sum - integral| of phi A^(t+1) B^-t e^(iuZ) sqrt(2 pi);
 * infinite where the strip is none. */
double split_log_error(const split *s, const split_rule *r);

/* Greatest cost of a rotation: log of |A|^(t+1)|B|^-t on the turned line over
 * that on the real one, right of lo; beyond it the bounds of the densities
 * still fall. */
double split_turn_cost(const split *s, double alpha, double t, double lo);

/* What alpha and the strip beside it may be together. */
double split_most_turn(const split *s);

/* log of a bound of |chi| on [u, inf) by the turn alpha: nodes and slack as
 * in the part. */
double split_rotated(const spectral_part *self, double u, double slack);

/* ---- Steering (spectral_split_steer.c) --------------------------------- */

bool split_rough(spectral_rough *out, spectral_part *self, double t);
double split_rough_decay(
    spectral_want *w, spectral_part *self, double t, double u);
double split_rough_nodes(spectral_part *self, const spectral_want *w);
double split_rough_far(const spectral_part *self);

/* Chooses h, first, last and the strips, and a moved line where one is
 * wanted, unless that has been done. */
void split_choose(spectral_part *self, const spectral_want *w);

#endif
