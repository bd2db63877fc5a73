/*
 * Loss laws that are analytic on pieces, with atoms between them: samples of
 * fixed size over Gaussian noise, and all samples over Laplace noise and over
 * mechanisms of bounded range. Internal to the part_piecewise files.
 * Derivation: docs/theory/contour_piecewise.md.
 *
 * In the natural variable x the base loss is y = slope x - offset, with density
 * e^{base(x)} under Q up to a constant. With v = q (e^y - 1) and l = log(1 + v)
 * a branch of sign + has the losses Z = l and the tilted density e^base
 * (1+v)^p, p = t + 1; one of sign - has Z = -l and p = -t.
 */
#ifndef DOSI_CONTOUR_PART_PART_PIECEWISE_H
#define DOSI_CONTOUR_PART_PART_PIECEWISE_H

#include "special/gauss_legendre.h"
#include "part.h"

#define PIECES_POINTS 20 /* nodes of the rule on a panel */
#define PIECES_MAX 2048  /* panels */
#define PIECES_ATOMS 4

static_assert(PIECES_POINTS == 2 * GAUSS_HALF, "one rule");

/* One law in doubles, exact to 2^-50, with its panels. */
struct pieces {
    bool is_gaussian; /* base = -x^2/2, else -x/2 */
    bool is_joined;   /* two branches that meet at the loss 0 */
    int n_branches;
    double sign[2];
    double slope, offset, rate;
    double log_scale;      /* factor of e^base in the density */
    double x_begin, x_end; /* x_end = inf for Gaussian noise */

    /* Results of the last tilt. */
    size_t n_panels;
    double edge[PIECES_MAX + 1];
    /* of the Bernstein ellipse that bounds the error of a panel */
    double rho[PIECES_MAX];
    double atoms;     /* >= the tilted mass of the atoms */
    double variation; /* >= the total variation of the tilted density */
    double error;     /* of chi by the rule in balls */

    /* That rule, if request.keep_balls: weights that add up to the moment. */
    size_t n_balls;
    ball *ball_weight, *ball_loss;

    /* Guesses of these at another t. */
    double guess_at, guess_k, guess_atoms, guess_variation;
};

typedef struct pieces pieces;

/*
 * The law of a part in doubles; NULL without memory, or if its parameters are
 * too imprecise.
 *
 * owns      the part owns the result
 */
pieces *pieces_of(contour_part *part);
void pieces_free(pieces *s); /* accepts NULL */

static inline double pieces_exponent(double sign, double t)
{
    return sign > 0 ? t + 1 : -t;
}

/* l and r = q e^y/(1+v) at x, within 2^-46 (1 + |l|) and 2^-46 r. */
typedef struct pieces_point {
    double l, r;
} pieces_point;
pieces_point pieces_at(const pieces *s, double x);

/* An atom of the law tilted by t: it has the weight e^log_weight in P. */
typedef struct pieces_atom {
    ball loss;
    ball log_weight;
} pieces_atom;
size_t pieces_atoms(pieces_atom *out, const loss_law *pair, ball t);

/* The scale of the density: P has e^(log_scale + base) (1+v)^... dx. */
ball pieces_log_scale(const loss_law *pair);

/* Gauss-Legendre nodes and weights on [-1, 1] in rising order, 0 <= i <
 * PIECES_POINTS. */
static inline ball pieces_node(int i)
{
    double sign = i < GAUSS_HALF ? -1 : 1;
    const double *row =
        gauss_table[i < GAUSS_HALF ? GAUSS_HALF - 1 - i : i - GAUSS_HALF];
    return (ball){sign * row[0], sign * row[1], 0x1p-106};
}
static inline ball pieces_weight(int i)
{
    const double *row =
        gauss_table[i < GAUSS_HALF ? GAUSS_HALF - 1 - i : i - GAUSS_HALF];
    return (ball){row[2], row[3], 0x1p-106};
}

/*
 * log of a bound on the error of the rule on the panel from a to b, for all
 * branches at tilt t and all |u| <= reach, by the Bernstein ellipse rho; in
 * units of e^log_scale. Infinite if the ellipse leaves the strip of
 * analyticity.
 */
double pieces_panel_error(const pieces *s, double a, double b,
    double rho, double t, double reach);

/* log of a bound on the error over all panels, and on the integral beyond
 * them. */
double pieces_log_error(const pieces *s, double t, double reach);

/* log of a bound of the integral beyond x; infinite if the density need not
 * fall from there. */
double pieces_log_beyond(const pieces *s, double x, double t);

/* >= the total variation over all reals of the density of Z tilted by t,
 * divided by e^log_moment. */
double pieces_variation(
    const pieces *s, double t, double log_moment);

/* log of a bound of |chi| on [u, inf). */
double pieces_log_decay(double mass, double variation, double u);

/* The guess_ functions of contour_piecewise; see contour_type. */
bool pieces_guess_cumulant(cumulant_guess *out, contour_part *self, double t);
double pieces_guess_decay(
    part_request *w, contour_part *self, double t, double u);
double pieces_guess_nodes(contour_part *self, const part_request *w);

/* Chooses the panels and their ellipses; false if there are too many. */
bool pieces_choose(contour_part *self, const part_request *w);

#endif
