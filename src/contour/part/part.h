/*
 * One loss law of a plan on a contour Re z = t: guesses of its cumulant and
 * decay, and certified node rules for its characteristic function. Each kind of
 * law ends in one table of functions. Internal to the contour folders and to
 * literature. Derivation: docs/theory/contour.md.
 *
 * M(z) = E[e^{zZ}; Z < inf], K = log M, chi(u) = M(t+iu)/M(t).
 */
#ifndef DOSI_CONTOUR_PART_PART_H
#define DOSI_CONTOUR_PART_PART_H

#include "special/disc_row.h"
#include "loss/loss_law.h"
#include "special/phase_sums.h"
#include "num/trig.h"

typedef struct contour_part contour_part;

/* Approximate K and its first two derivatives. */
typedef struct cumulant_guess {
    double k0, k1, k2;
} cumulant_guess;

#define SKETCH_COLUMNS 4

/* A node rule M(t) = sum e^(log_weight + t loss) in doubles. It guides choices
 * and certifies nothing. */
typedef struct cumulant_sketch {
    size_t n;
    double *log_weight;
    double *loss;
    size_t n_columns;
    double *column[SKETCH_COLUMNS]; /* further values of each node, by kind */
    double *tilted;       /* weights tilted by weights_at, summing to 1 */
    size_t n_significant; /* nodes whose tilted weight is not negligible */
    double *significant, *significant_column[SKETCH_COLUMNS];
    double weights_at;
    double tilted_at;     /* the tilt of the last guess */
    cumulant_guess guess; /* its result */
    double max_tilt;      /* the nodes serve tilts up to this */
    double budget;        /* nodes that may still be evaluated */
    double uncounted;     /* operations that no limits have counted yet */
    bool no_memory;       /* an allocation failed */
} cumulant_sketch;

/* What the certified node rule of one law must deliver. */
typedef struct part_request {
    double t;            /* tilt */
    double reach;        /* bounds of K(t + a) for a up to this (aliasing) */
    double outer;        /* chi(u) for u up to this */
    double shifted_from; /* u from which the shifted rule serves, or 0 */
    double step;         /* D, between the u that the shifted rule serves */
    bool keep_balls;     /* of piecewise laws: also the rule in balls */
    double digits;       /* -log of the quadrature error of chi, in nats */
    double alpha;        /* shift of the line in the decay bound, or 0 */
    double multiple;     /* the multiple of u where that bound is taken, >= 1 */
} part_request;

/* The nodes i h, i from first to last, of the rule on a line of integration
 * that is shifted by alpha/mu. */
typedef struct shifted_line {
    double h, first, last, alpha;
} shifted_line;

/* The node rule on the shifted line in double-doubles: for each node its term
 * at the current u, its factor from u to u + D and a constant gain, in arrays
 * of room doubles. Slow terms are stored as their change since u = 0. */
typedef struct dd_rule {
    size_t n, room;
    size_t n_slow; /* terms stored as their change since u = 0 */
    double *storage;
    double min_term; /* smaller terms at the end are dropped */
    double sum;      /* of the moduli at u = 0 of terms that are not slow */
    double gains;    /* of the moduli of the gains of slow terms */
    disc base;       /* 1 less the terms at u = 0 that are not slow */

    /* chi(n D) errs by error_constant + n error_linear + n^2
     * error_quadratic. */
    double error_constant, error_linear, error_quadratic;
} dd_rule;

/*
 * One kind of loss law on the contour. Functions with guess_ in their name
 * compute in plain doubles and certify nothing; the others are certified after
 * a successful tilt.
 */
typedef struct contour_type {
    /* Guesses K and its derivatives at t; false without a guess. */
    bool (*guess_cumulant)(cumulant_guess *out, contour_part *self, double t);

    /* Guesses log of a bound of |chi| on [u, inf); w receives the alpha and the
     * multiple that attain it. NULL: |chi| need not decay. */
    double (*guess_decay)(
        part_request *w, contour_part *self, double t, double u);

    /* Guesses the number of nodes of tilt; the choices behind the guess are
     * kept for tilt. */
    double (*guess_nodes)(contour_part *self, const part_request *w);

    /* Guesses the number of nodes of the shifted rule, after guess_nodes. */
    double (*guess_shifted_nodes)(const contour_part *self);

    /*
     * Makes the certified node rules for a request; power, cumulant_upper and
     * log_decay rest on it. *found is false if the bounds
     * came out useless.
     *
     * fails  DOSI_ENOMEM
     */
    dosi_status (*tilt)(bool *found, contour_part *self, const part_request *w,
        dosi_error *err);

    /* Encloses chi(u)^count e^{-i u count mean}, 0 <= u <= request.outer, or
     * up to shifted_from if that is positive. */
    disc (*power)(const contour_part *self, double u);

    /* The centre of the powers of dd_rule_next_power. NULL: there is no shifted
     * rule. */
    ball (*shifted_mean)(const contour_part *self);

    /* >= K(t + a), 0 <= a <= request.reach. */
    double (*cumulant_upper)(const contour_part *self, double a);

    /* >= log |chi(v)| for all v >= u, and at most 0. NULL: 0. */
    double (*log_decay)(const contour_part *self, double u);

    /* Encloses the greatest finite loss of one run; +inf if there is none. */
    ball (*largest_loss)(const loss_law *pair);
} contour_type;

/* One loss law of a plan on the contour, with what guesses and tilt learn of
 * it. */
struct contour_part {
    const contour_type *type;
    const loss_law *law; /* borrowed */
    double count;        /* runs */
    cumulant_sketch sketch;
    struct pieces *pieces;   /* of piecewise laws, else NULL */
    struct mixture *mixture; /* of sampling with replacement, else NULL */
    struct group *group;     /* of mixtures of shifts, else NULL */

    /* Results of tilt. */
    part_request want;
    ball cumulant;   /* K(t) */
    ball mean;       /* the centre of power, for one run */
    phase_set nodes; /* the tilted pair, centred */
    double *storage; /* of nodes and at */
    double *at;      /* of mixtures of shifts: the noise at each node */
    double error;    /* |chi of the nodes - chi| up to want.outer */
    double spread;   /* |point - its double| beyond rounding */
    double shift;    /* log of the common scale of the nodes' weights */
    ball moment;     /* M(t) e^-shift */

    shifted_line shifted;
    dd_rule shifted_dd;
    double log_skipped[2]; /* log sums of dropped nodes at t and t + reach */

    /* Of Laplace noise and bounded range: e^{-(2t+1) parameter}, 1 less that,
     * and M(t) over the scale of the sum of both phases. */
    double fall, gap, scale;
};

extern const contour_type contour_gaussian, contour_group, contour_finite,
    contour_bounded, contour_piecewise, contour_with_replacement;

/* For LOSS_FINITE: the number of atoms that count, and the mass at +inf, an
 * interval that may hold the mass of the other atoms. */
size_t contour_finite_count(const loss_law *pair);
ball contour_finite_infinite_mass(const loss_law *pair);

/* The size of the work on a part: its laws, more than one for samples with
 * replacement, the nodes of their sketches and those of their certified
 * rules. */
typedef struct part_size {
    double laws, sketch, nodes;
} part_size;

part_size contour_part_size(const contour_part *self);

/* Frees the components of sampling with replacement; does nothing for other
 * laws. */
void contour_with_replacement_free(contour_part *self);

/* Numbers of records removed and added, for Gaussian noise on a Poisson sample:
 * one record is a group of one. */
static inline unsigned contour_removed(const loss_law *pair)
{
    return pair->map == LOSS_GROUP ? pair->removed
                                   : pair->map == LOSS_MIXTURE_FIRST;
}

static inline unsigned contour_added(const loss_law *pair)
{
    return pair->map == LOSS_GROUP ? pair->added : pair->map == LOSS_BASE_FIRST;
}

/*
 * Makes a part of a loss law; false for laws without a contour.
 *
 * owns      the part's storage, freed with contour_part_free; pair is borrowed
 */
bool contour_part_init(contour_part *part, const loss_law *pair);
void contour_part_free(contour_part *part);

/* Makes room for a sketch of n nodes with some columns; false without memory,
 * which s->no_memory records. */
bool contour_sketch_resize(cumulant_sketch *s, size_t n, size_t n_columns);

/* Guesses K at t by the sketch, in O(n). */
cumulant_guess contour_sketch_at(cumulant_sketch *s, double t);

/* Fills the tilted weights at the last tilt, and the significant ones. */
void contour_sketch_weights(cumulant_sketch *s);

/* The greatest u that the rule on the real line has to serve. */
static inline double contour_unshifted_outer(const part_request *w)
{
    return w->shifted_from > 0 ? fmin(w->shifted_from, w->outer) : w->outer;
}

/* Makes room for n nodes, padded, with an array for the noise if asked; false
 * without memory. */
bool contour_nodes_resize(contour_part *part, size_t n, bool with_noise);

/* Fills the nodes with g = weight / sum, c = loss - mean, and encloses moment
 * and mean. weight and losses have n balls; cut is that of phase_prepare. */
void contour_nodes_fill(contour_part *part, const ball *weight,
    const ball *losses, size_t n, double cut);

/* >= log of the sum of the dropped nodes at the tilt t + a, from log_skipped;
 * infinite outside of 0 <= a <= reach. */
double contour_log_skipped(const contour_part *self, double a);

/* Bounds the error of chi at u, given the error of its sums over the nodes: 1 -
 * cos changes by at most the spread of its argument, sin a - a by at most twice
 * as much; the mean of the points is 0 within their spread. */
static inline double contour_nodes_error(
    const contour_part *self, double u, double error)
{
    return (error + self->error + 4 * u * self->spread) * (1 + 0x1p-40);
}

/* Encloses chi^count from the nodes, with error and spread. */
disc contour_nodes_power(const contour_part *self, double u);

/* A disc in doubles, within the disc of radius 2. */
typedef struct disc_double {
    double re, im, rad;
} disc_double;

/*
 * Encloses chi^n.
 *
 * requires  n >= 1 an integer, |chi| <= 1
 * cost      O(log n)
 */
disc disc_double_power(disc_double chi, double n);

/* >= log sum g e^{a c}. */
double contour_nodes_log_sum(const contour_part *self, double a);

/* log of a bound of |chi| on [u, inf) from one on [m u, inf), m >= 1: 1 -
 * |chi(u)|^2 >= (1 - |chi(mu)|^2)/m^2. */
double contour_decay_from_multiple(double log_bound, double m);

/* Encloses chi - 1 at u, u + step, ... from the sums over the part's nodes. */
void contour_nodes_minus_one(
    disc_row *out, const contour_part *self, phase_rows *rows, double u);

#endif
