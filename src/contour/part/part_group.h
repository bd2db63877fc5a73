/*
 * Mixtures of shifted Gaussian noise on the contour: one Poisson-sampled
 * record, groups of records removed and added, and one record under sampling
 * with replacement. Internal to the part_group files. Derivation:
 * docs/theory/contour.md, section 9.
 *
 * With y = mu x, P has the density phi(x) A(e^y) and Q has phi(x) B(e^-y), A
 * and B polynomials with coefficients Bin(i; n, q) e^(-i^2 mu^2/2), so that Z =
 * log A - log B and M(z) = E_phi[A^(z+1) B^-z]. One record that is removed has
 * A(w) = 1 - q + q e^(-mu^2/2) w and B = 1, one that is added A = 1.
 */
#ifndef DOSI_CONTOUR_PART_PART_GROUP_H
#define DOSI_CONTOUR_PART_PART_GROUP_H

#include "loss/loss_tails.h"
#include "num/ball_row.h"
#include "part.h"

/* One polynomial, A or B: term i at y is e^(log_term_i + i y). */
typedef struct shifts {
    unsigned n;    /* degree of the sum */
    double trials; /* number of trials of the binomial weights */
    /* terms beyond n are left out; otherwise all zeros of the polynomial are
     * real */
    bool is_truncated;
    ball log_term[LOSS_MAX_GROUP + 1];
    ball log_ratio[LOSS_MAX_GROUP + 1]; /* log of term i+1 over term i */
    ball bend[LOSS_MAX_GROUP + 1];      /* ratio i+1 over ratio i */

    /* log_term, log_ratio and bend in doubles. */
    double log_term_d[LOSS_MAX_GROUP + 1];
    double log_ratio_d[LOSS_MAX_GROUP + 1];
    double bend_d[LOSS_MAX_GROUP + 1];
} shifts;

/* A strip around the line of integration. Its height in y is b, or b
 * max_slope/m if m = dZ/dy exceeds max_slope. Its error bound is relative to M
 * if it is straight, and a sum over cells otherwise. */
typedef struct group_strip {
    double b, max_slope;
    double digits; /* nats by which cells have to be below M */
    bool is_straight;
} group_strip;

struct group {
    shifts p, q; /* A and B */
    double mu;

    /* The nodes i h of the trapezoid rule, i from first to last; the strips for
     * chi, for moments and for the decay; and the request that all of these
     * were chosen for. */
    double h, first, last;
    group_strip strip, strip_moment, strip_alpha;
    part_request chosen;

    bool is_straight; /* the strip of the shifted line is straight */
    double spacing;   /* of the sketch's nodes, from -GROUP_LEFT on */
};

typedef struct group group;

#define GROUP_LEFT 11.0

/*
 * The polynomials of a part's law; NULL without memory, or if the law's
 * parameters are too imprecise.
 *
 * owns      the part owns the result
 */
group *group_of(contour_part *part);

/* Encloses log of the polynomial at e^y. */
ball shifts_log(const shifts *s, ball y);

/* log of the polynomial at y = slope x for rows of x from first to last by h.
 * The ratio of two terms is a geometric sequence of plain numbers if
 * is_geometric, which costs one product a row. */
typedef struct shifts_rows {
    const shifts *s;
    ball slope;
    double h;
    bool is_geometric;
    ball_row value, factor; /* e^(log_ratio + y), e^(BALL_ROW slope h) */
} shifts_rows;
shifts_rows shifts_rows_at(
    const shifts *s, ball slope, double first, double last, double h);
void shifts_rows_step(shifts_rows *g); /* advances to the next row */
void shifts_rows_log(ball_row *out, const shifts_rows *g, double x);

/* Sines and cosines of the multiples of an angle a. */
typedef struct shifts_angles {
    ball sine[LOSS_MAX_GROUP + 1], cosine[LOSS_MAX_GROUP + 1];
} shifts_angles;

/* The polynomial at e^(y + ia) is e^(log_top + i a top) (1 + re + i im). */
typedef struct shifts_value {
    ball log_top, re, im;
    unsigned top;
} shifts_value;

/* Encloses the polynomial at e^(y + ia); w may be NULL for a = 0. */
shifts_value shifts_at_angle(const shifts *s, ball y, const shifts_angles *w);

/* log of the polynomial at e^y in doubles, and the mean and variance of i under
 * its terms. If is_sure, the terms beyond the last one are negligible. The mean
 * rises with y. */
typedef struct shifts_point {
    double log_sum, mean, var;
    bool is_sure;
} shifts_point;
shifts_point shifts_at(const shifts *s, double y);

/* Both polynomials at x. */
typedef struct group_point {
    double x, log_p, log_q, mean_p, mean_q;
    bool is_sure;
} group_point;
group_point group_at(const group *g, double x);

/* log of phi A^(t+1) B^-t without 1/sqrt(2 pi), and a bound of its error. */
double group_log_density(const group_point *p, double t);
double group_density_error(const group *g, const group_point *p, double t);

/* Upper bound of the sum over all nodes i h outside (lo, hi) of the density
 * tilted by t + a, in units of h e^shift / sqrt(2 pi). */
double group_beyond(
    const contour_part *self, double a, double h, double lo, double hi);

ball group_shifted_mean(const contour_part *self);

/*
 * Makes the rule on the chosen shifted line in double-doubles, at u = 0, D, ...
 *
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status group_dd_tilt(
    bool *found, contour_part *self, dosi_error *err);

/* A trapezoid rule of step h whose error is to be bounded. */
typedef struct group_rule {
    double t;     /* tilt */
    double outer; /* for all |u| up to this */
    double alpha; /* the line is shifted by alpha/mu already */
    double h;
    double lo, hi; /* ends of the nodes */
    group_strip strip;
    double enough; /* cells below e^enough are not refined */
} group_rule;

/* log of a bound of |h sum - integral| of phi A^(t+1) B^-t e^(iuZ): relative to
 * the integral at u = 0 on a straight strip, times sqrt(2 pi) otherwise;
 * infinite if the strip is not valid. */
double group_log_error(const group *g, const group_rule *r);
#define GROUP_MIN_CELL 0.03125 /* least width of a cell in x */

/* The cost of a straight strip, in nats: log of the growth of the integrand on
 * its edges. */
double group_straight_cost(const group *g, const group_rule *r);

/* Upper bounds at the height a: of arg A - arg B if dZ/dy = m, and of -log
 * |B(e^(y + ia))|/B(e^y) if the variance of j is at most v. */
double group_max_angle(const group *g, double m, double a);
double group_shrink_cost(double v, double a);

/* The greatest cost of a shift right of lo: log of |A|^(t+1)|B|^-t on the
 * shifted line over that on the real one. Left of lo the bounds of the
 * densities still fall. */
double group_shift_cost(const group *g, double alpha, double t, double lo);

/* The greatest admissible sum of alpha and the height of a strip. */
double group_max_height(const group *g);

/* log of a bound of |chi| on [u, inf) by the shifted line; nodes and alpha are
 * those of the part. */
double group_shifted_decay(const contour_part *self, double u, double slack);

/* Columns of the sketch: for either polynomial the mean, and the variance as
 * that of one of n equal zeros. */
enum { GROUP_MEAN_P, GROUP_VAR_P, GROUP_MEAN_Q, GROUP_VAR_Q, GROUP_COLUMNS };

static inline double group_sketch_x(const group *g, size_t i)
{
    return -GROUP_LEFT + (double)i * g->spacing;
}

/* The guess_ functions of contour_group; see contour_type. cost O(n) in the
 * nodes of the sketch for a new tilt. */
bool group_guess_cumulant(cumulant_guess *out, contour_part *self, double t);
double group_guess_decay(
    part_request *w, contour_part *self, double t, double u);
double group_guess_nodes(contour_part *self, const part_request *w);
double group_guess_shifted_nodes(const contour_part *self);

/* Chooses h, first, last and the strips, and a shifted line if one is
 * requested; does nothing if the same request was the last one. */
void group_choose(contour_part *self, const part_request *w);

#endif
