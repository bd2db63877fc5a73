/*
 * One part of a plan on a contour Re z = t: what the spectral route needs to
 * know of a loss law. Each kind of law ends in one table of functions.
 * Derivation: docs/theory/contour.md. Internal to the spectral files.
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

/* K and its first two derivatives, roughly. */
typedef struct cumulant_guess {
    double k0, k1, k2;
} cumulant_guess;

#define SKETCH_COLUMNS 4

/* A rule M(t) = sum e^(log_weight + t loss) in doubles: steers, never
 * certifies. Holds for tilts up to most. */
typedef struct cumulant_sketch {
    size_t n;
    double *log_weight;
    double *loss;
    size_t n_columns;
    double *column[SKETCH_COLUMNS]; /* what else a kind keeps of each */
    double *tilted; /* the weights at weights_at, summing to 1 */
    size_t n_heavy; /* of these, those that matter, and their columns */
    double *heavy, *heavy_column[SKETCH_COLUMNS];
    double weights_at;
    double tilted_at; /* where it was asked last, and what came out */
    cumulant_guess rough;
    double most;
    double budget;  /* nodes that may still be looked at */
    bool no_memory; /* for it, once */
} cumulant_sketch;

/* What steering asks of the certified rule. */
typedef struct part_request {
    double t;
    double reach;    /* of alias bounds: K(t + a) for a up to this */
    double outer;    /* chi(u) for u up to this */
    double far;      /* from which on the far rule serves, or 0 */
    double step;     /* between outer nodes, for the far rule */
    bool is_fine;    /* the far rule in double-doubles serves all u */
    double digits;   /* -log of the quadrature error of chi, in nats */
    double alpha;    /* rotation of the decay bound, or 0 */
    double multiple; /* at which multiple of u it is taken, >= 1 */
} part_request;

/* The shifted line of mixtures of shifts, and the terms that the far rule of
 * one record keeps: e^{log_size - u damp} e^{i(u turn + phase)}, with their
 * factors from one outer node to the next. */
typedef struct shifted_rule {
    double h, first, last, alpha; /* chosen */
    size_t n;
    double *storage;
    double *log_size, *damp, *turn, *phase;
    double *step_re, *step_im;
    double *re, *im;      /* at the node at hand */
    double *size, *angle; /* at the first of its row */
    double error;         /* of chi, at every u >= want.far */
} shifted_rule;

/* The same in double-doubles: of each node its term at the outer node at hand
 * and its factor, eight arrays of doubles. */
typedef struct dd_rule {
    size_t n, room;
    size_t n_slow; /* terms that are kept less what they are at u = 0 */
    double *storage;
    double least; /* smaller terms at the end are dropped */
    double sum;   /* of the moduli at u = 0 of terms that are not slow */
    double gains; /* of the moduli by which slow terms change */
    disc base;    /* 1 less the terms at u = 0 that are not slow */
    double fixed, moving, bending; /* chi at the n-th outer node errs by
                                      fixed + n moving + n^2 bending */
} dd_rule;

/* Outer nodes that one row of far powers holds. */
#define FAR_ROW 32

typedef struct contour_type {
    /* Roughly K at t; false where it knows nothing. */
    bool (*rough)(cumulant_guess *out, contour_part *self, double t);

    /* Roughly log of a bound of |chi| on [u, inf); w receives the alpha and
     * multiple that attain it. NULL: |chi| need not decay. */
    double (*rough_decay)(
        part_request *w, contour_part *self, double t, double u);

    /* Roughly how many nodes tilt will make; what it chose is kept. */
    double (*rough_nodes)(contour_part *self, const part_request *w);

    /* The same for the far rule. */
    double (*rough_far)(const contour_part *self);

    /* Everything below rests on it. *found is false when the bounds came
     * out useless. fails  DOSI_ENOMEM */
    dosi_status (*tilt)(bool *found, contour_part *self, const part_request *w,
        dosi_error *err);

    /* chi(u)^count e^{-i u count mean}, u <= want.outer. */
    disc (*power)(const contour_part *self, double u);

    /* The same, but centred by far_mean, at u, u + step, ...: n <= FAR_ROW
     * of them, u >= want.far. NULL: there is no far rule. */
    void (*far_powers)(
        disc out[FAR_ROW], const contour_part *self, double u, size_t n);
    ball (*far_mean)(const contour_part *self);

    /* >= K(t + a), -t <= a <= want.reach. */
    double (*cumulant_upper)(const contour_part *self, double a);

    /* >= log |chi(v)| for all v >= u; not above 0. NULL: 0. */
    double (*log_decay)(const contour_part *self, double u);

    /* The greatest finite loss of one run; +inf when there is none. */
    ball (*largest)(const loss_law *pair);

    /* A bound of its losses from below, of laws that leave nothing at +inf
     * and have the support of Q; NULL, or -inf, where there is none. */
    ball (*least)(const loss_law *pair);
} contour_type;

struct contour_part {
    const contour_type *type;
    const loss_law *law;
    double count;
    cumulant_sketch sketch;
    struct pieces *pieces;   /* of laws on pieces, else NULL */
    struct mixture *mixture; /* of mixtures, else NULL */
    struct group *group;     /* of mixtures of shifts, else NULL */
    bool has_far;            /* a far rule in doubles */

    /* Filled by tilt. */
    part_request want;
    ball cumulant;      /* K(t) */
    ball mean;          /* what power is centred by, for one run */
    phase_set nodes;    /* the tilted pair, centred */
    double *storage;    /* of nodes and at */
    double *at;         /* of mixtures of shifts: the noise */
    double error;       /* |chi of the nodes - chi| up to want.outer */
    double spread;      /* |point - its double| beyond rounding */
    double shift;       /* logarithm of the common scale of beyond's values */
    ball moment;        /* M(t) e^-shift */
    double kept, looks; /* of finite laws: nodes, and the share looked at */
    shifted_rule far;
    dd_rule fine;
    double log_skipped[3]; /* sums of nodes left out at 0, t, t + reach */
    double deviation;      /* of finite laws: E|c| */
};

extern const contour_type contour_gaussian, contour_group, contour_finite,
    contour_bounded, contour_pieces, contour_mixture;

/* Of LOSS_FINITE: how many atoms count, and the mass at +inf with that of the
 * others, which may be there. */
size_t contour_finite_count(const loss_law *pair);
ball contour_finite_lost(const loss_law *pair);

/* Frees what a mixture holds; accepts none. */
void contour_mixture_free(contour_part *self);

/* Records removed and added, of Gaussian noise on a Poisson sample: one record
 * is a group of one. */
static inline unsigned contour_removed(const loss_law *pair)
{
    return pair->map == LOSS_GROUP ? pair->removed
                                   : pair->map == LOSS_MIXTURE_FIRST;
}

static inline unsigned contour_added(const loss_law *pair)
{
    return pair->map == LOSS_GROUP ? pair->added : pair->map == LOSS_BASE_FIRST;
}

static inline bool contour_is_one_record(const loss_law *pair)
{
    return contour_removed(pair) + contour_added(pair) == 1 &&
           !(pair->draws > 0);
}

/* Fits a part to a law; false for laws without a cumulant here. */
bool contour_part_init(contour_part *part, const loss_law *pair);
void contour_part_free(contour_part *part);

/* ---- Shared by the kinds ----------------------------------------------- */

/* Room for a sketch of n nodes with some columns; false without memory. */
bool contour_sketch_resize(cumulant_sketch *s, size_t n, size_t n_columns);

/* K by the sketch. */
cumulant_guess contour_sketch_at(cumulant_sketch *s, double t);

/* The tilted weights where it was asked last. */
void contour_sketch_weights(cumulant_sketch *s);

/* The far rule: shifted_rule.c. */
DOSI_CHECK dosi_status shifted_rule_tilt(
    bool *found, contour_part *self, dosi_error *err);
void shifted_rule_powers(
    disc out[FAR_ROW], const contour_part *self, double u, size_t n);
ball shifted_rule_mean(const contour_part *self);

/* Up to where the near rule has to serve. */
static inline double contour_near(const part_request *w)
{
    return w->far > 0 ? fmin(w->far, w->outer) : w->outer;
}

/* Room for n nodes (and the noise), padded; false without memory. */
bool contour_nodes_resize(contour_part *part, size_t n, bool with_noise);

/* Fills nodes with g = e^log_weight / sum, c = loss - mean, and moment,
 * mean. The balls are of the n nodes. */
void contour_nodes_fill(contour_part *part, const ball *weight,
    const ball *losses, size_t n, double cut);

/* >= log of the sum of the nodes that were left out, at t + a: from
 * log_skipped; infinite where they say nothing. */
double contour_log_skipped(const contour_part *self, double a);

/* What chi errs by at u, where its sums over the nodes err by so much: 1 - cos
 * moves by at most the spread of its argument, sin a - a by twice as much; the
 * points' mean is 0 within their spread. */
static inline double contour_nodes_error(
    const contour_part *self, double u, double error)
{
    return (error + self->error + 4 * u * self->spread) * (1 + 0x1p-40);
}

/* chi^count of the nodes, with error and spread. */
disc contour_nodes_power(const contour_part *self, double u);

/* A disc in doubles, within the disc of radius 2. */
typedef struct contour_quick {
    double re, im, rad;
} contour_quick;

/* chi^n for an integer n >= 1, where |chi| <= 1. */
disc contour_quick_power(contour_quick chi, double n);

/* >= log sum g e^{a c}. */
double contour_nodes_log_sum(const contour_part *self, double a);

/* log of a bound on [u, inf) from one on [m u, inf): 1 - |chi(u)|^2 >=
 * (1 - |chi(mu)|^2)/m^2. */
double contour_multiple(double log_bound, double m);

/* chi - 1 at u, u + step, ... from the sums over the part's nodes. */
void contour_nodes_less_one(
    disc_row *out, const contour_part *self, phase_rows *rows, double u);

#endif
