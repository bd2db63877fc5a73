/*
 * Mixtures of shifted Gaussian noise on the contour: one Poisson-sampled
 * record, groups of records removed and added, and one record under sampling
 * with replacement. Derivation: docs/theory/contour.md, section 9. Internal
 * to the contour_group files.
 *
 * With y = mu x, P has the density phi(x) A(e^y) and Q has phi(x) B(e^-y),
 * A and B polynomials with coefficients Bin(i; n, q) e^(-i^2 mu^2/2), so that
 * Z = log A - log B and M(z) = E_phi[A^(z+1) B^-z]. One record that is removed
 * has A(w) = 1 - q + q e^(-mu^2/2) w and B = 1, one that is added A = 1.
 */
#ifndef DOSI_CONTOUR_PART_PART_GROUP_H
#define DOSI_CONTOUR_PART_PART_GROUP_H

#include "loss/loss_tails.h"
#include "num/ball_row.h"
#include "part.h"

/* One polynomial: term i at y is e^(log_term_i + i y). */
typedef struct shifts {
    unsigned n;   /* degree of the sum: terms after the first */
    double whole; /* the weights are binomial, of so many trials */
    bool is_cut;  /* what lies beyond n is left out; else zeros are real */
    ball log_term[LOSS_MAX_GROUP + 1];
    ball log_ratio[LOSS_MAX_GROUP + 1]; /* log of term i+1 over term i */
    ball bend[LOSS_MAX_GROUP + 1];      /* ratio i+1 over ratio i */

    /* log_term, log_ratio and bend in doubles. */
    double log_term_d[LOSS_MAX_GROUP + 1];
    double log_ratio_d[LOSS_MAX_GROUP + 1];
    double bend_d[LOSS_MAX_GROUP + 1];
} shifts;

/* A strip around the line of integration: its height in y is b, or b most/m
 * where m = dZ/dy exceeds most. Its bound is relative to M where it is
 * straight, and a sum over cells else. */
typedef struct group_strip {
    double b, most;
    double digits; /* nats that cells have to be below M by */
    bool is_straight;
} group_strip;

struct group {
    shifts p, q; /* A and B */
    double mu;

    /* The nodes i h of the trapezoid rule, i from first to last, the strips for
     * chi, for moments and for the decay, and what all of that was chosen for.
     */
    double h, first, last;
    group_strip strip, strip_moment, strip_alpha;
    part_request chosen;

    bool is_straight; /* the bound of the shifted line */
    double spacing;   /* of the sketch, from -GROUP_LEFT on */
};

typedef struct group group;

#define GROUP_LEFT 11.0

/* The law's polynomials; NULL without memory, or where its parameters are too
 * vague. Owned by the part. */
group *group_of(contour_part *part);

/* log of the polynomial at e^y. */
ball shifts_log(const shifts *s, ball y);

/* log of the polynomial at y = slope x for rows of x from first to last by h;
 * two terms have their ratio by one factor a row as long as it is a plain
 * number. */
typedef struct shifts_rows {
    const shifts *s;
    ball slope;
    double h;
    bool is_ladder;
    ball_row value, factor; /* e^(log_ratio + y), e^(BALL_ROW slope h) */
} shifts_rows;
shifts_rows shifts_rows_at(
    const shifts *s, ball slope, double first, double last, double h);
void shifts_rows_step(shifts_rows *g); /* to the next row */
void shifts_rows_log(ball_row *out, const shifts_rows *g, double x);

/* Sines and cosines of the multiples of an angle a. */
typedef struct shifts_turns {
    ball sine[LOSS_MAX_GROUP + 1], cosine[LOSS_MAX_GROUP + 1];
} shifts_turns;

/* The polynomial at e^(y + ia) is e^(log_top + i a top) (1 + re + i im). */
typedef struct shifts_value {
    ball log_top, re, im;
    unsigned top;
} shifts_value;

/* Turns may be NULL: a = 0. */
shifts_value shifts_turned(const shifts *s, ball y, const shifts_turns *w);

/* In doubles: log of the polynomial at e^y, mean and variance of i under its
 * terms, whose sum beyond the last one is next to nothing where it is sure. The
 * mean rises with y. */
typedef struct shifts_point {
    double log_sum, mean, var;
    bool is_sure;
} shifts_point;
shifts_point shifts_at(const shifts *s, double y);

/* Both of them at x. */
typedef struct group_point {
    double x, log_p, log_q, mean_p, mean_q;
    bool is_sure;
} group_point;
group_point group_at(const group *g, double x);

/* log of phi A^(t+1) B^-t but for 1/sqrt(2 pi), and what it may err by. */
double group_log_density(const group_point *p, double t);
double group_density_error(const group *g, const group_point *p, double t);

/* Upper bound of what the sum over all nodes i h' outside (lo, hi) is for the
 * density tilted by t + a, over h' e^shift / sqrt(2 pi). */
double group_beyond(
    const contour_part *self, double a, double h, double lo, double hi);

/* ---- The shifted line (contour_group_line.c) -------------------------- */

/* What its rule errs by at every u >= 0 but for rounding, over M(t). */
double group_line_error(const contour_part *self);

/* In double-doubles, for the line that was chosen, at u = 0, want.step, ...
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status group_fine_tilt(
    bool *found, contour_part *self, dosi_error *err);

/* ---- Bounds (contour_group_bound.c) ----------------------------------- */

/* What a trapezoid rule of step h is asked for. */
typedef struct group_rule {
    double t;     /* tilt */
    double outer; /* for all |u| up to this */
    double alpha; /* the line is shifted by alpha/mu already */
    double h;
    double lo, hi; /* where its nodes are */
    group_strip strip;
    double enough; /* a cell below e^enough need not be cut into shorter ones */
} group_rule;

/* log of a bound of |h sum - integral| of phi A^(t+1) B^-t e^(iuZ), over the
 * integral at u = 0 on a straight strip, and times sqrt(2 pi) else; infinite
 * where the strip is none. */
double group_log_error(const group *g, const group_rule *r);
#define GROUP_LEAST_CELL 0.03125 /* in x, where it sums over cells */

/* What a straight strip costs, in nats: the logarithm of the integrand's
 * growth on its edges. */
double group_straight_cost(const group *g, const group_rule *r);

/* Upper bounds at the height a: of arg A - arg B where dZ/dy = m, and of
 * -log |B(e^(y + ia))|/B(e^y) where the variance of j is at most v. */
double group_most_angle(const group *g, double m, double a);
double group_shrink_cost(double v, double a);

/* Greatest cost of a shift: log of |A|^(t+1)|B|^-t on the shifted line over
 * that on the real one, right of lo; beyond it the bounds of the densities
 * still fall. */
double group_turn_cost(const group *g, double alpha, double t, double lo);

/* The greatest sum of alpha and the height of a strip. */
double group_most_turn(const group *g);

/* log of a bound of |chi| on [u, inf) by the turn alpha: nodes and slack as
 * in the part. */
double group_rotated(const contour_part *self, double u, double slack);

/* ---- Steering (contour_group_sketch.c, contour_group_steer.c) -------- */

/* Columns of the sketch: of either polynomial the mean, and the variance as
 * of one of so many equal zeros. */
enum { GROUP_MEAN_P, GROUP_VAR_P, GROUP_MEAN_Q, GROUP_VAR_Q, GROUP_COLUMNS };

static inline double group_sketch_x(const group *g, size_t i)
{
    return -GROUP_LEFT + (double)i * g->spacing;
}

bool group_rough(cumulant_guess *out, contour_part *self, double t);
double group_rough_decay(
    part_request *w, contour_part *self, double t, double u);
double group_rough_nodes(contour_part *self, const part_request *w);
double group_rough_far(const contour_part *self);

/* Chooses h, first, last and the strips, and a shifted line where one is
 * wanted, unless that has been done. */
void group_choose(contour_part *self, const part_request *w);

#endif
