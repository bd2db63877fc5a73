/*
 * One part on a bent contour: the curve its noise is integrated along, with
 * bounds cell by cell, and its nodes in double-doubles. Internal to the bent
 * contours.
 *
 *     y(s) = s + i H(s),
 *     H(s) = rise/2 (1 + tanh(s - from)) + SLOPE log(1 + e^(s - far)),
 *
 * far = log((1-q)/q) + 1. Derivation: docs/theory/spectral.md, section 9.
 */
#ifndef DOSI_REPR_SPECTRAL_BENT_LINE_H
#define DOSI_REPR_SPECTRAL_BENT_LINE_H

#include "spectral_bent.h"

#define BENT_SLOPE 0.7

/* A box of z: Re z in [low, high], Im z in [height, top], height >= 0. */
typedef struct bent_box {
    double low, high, height, top;
} bent_box;

/* On a cell of a curve |phi w^(z+1) dxi| adds up to at most
 * e^(mass + (a+1) loss - b angle), z = a + ib. */
typedef struct bent_cell {
    double mass, loss, angle;
} bent_cell;

/* Beyond the cells of a curve. */
typedef struct bent_tail {
    double pull;  /* (Re xi - SLOPE Im xi)/mu at its end */
    double size;  /* |xi|/mu there */
    double ratio; /* >= |1 - r| from there on */
    double turn;  /* >= what y' is off 1 + i SLOPE */
    double left;  /* log |phi| grows by as much in s, up to its beginning */
    double loss;  /* >= log |w| there */
    double angle; /* <= arg w there, and not above 0 */
} bent_tail;

/* On a cell of the real line: mass of the noise, at least and at most, and
 * log w at its right end; upright: log of what a step from its left end up
 * to the curve adds, but for w^(a+1). */
typedef struct bent_real {
    double least, most, log_most, loss, upright, start;
} bent_real;

typedef struct bent_line {
    const loss *law;
    double count;
    double mu, q, odds, log_keep;
    double rise, from, far;
    double h;      /* between nodes and cells, in s; a multiple is exact */
    double first;  /* index of the first cell */
    double strip;  /* half-width of the strip of s */
    size_t n;      /* cells */
    bent_cell *cells[3]; /* s real, and at -strip and +strip */
    bent_tail tails[3];
    bent_real *real;
    double *sums; /* scratch, of bounds */

    /* nodes, n_first <= index < n_last among the cells */
    size_t n_first, n_last, room;
    double *storage;
    double scale; /* nodes are e^-scale times what they are */
    int degree;
    double errors[1 + BENT_DEGREE]; /* relative, of terms and factors */
} bent_line;

/* Chooses the curve for contours that reach |z| = size, and Re z = most near
 * the real axis, with so many digits, and bounds its cells. False where there
 * would be too many, *no_memory for lack of it; to be freed all the same. */
bool bent_line_init(bent_line *l, const spectral_part *part, double size,
    double most, double digits, bool *no_memory);
void bent_line_free(bent_line *l);

/* Of one integral of moduli N(a) >= |M(a + ib)| for all b >= height: log of
 * upper bounds at a = low and a = high. log N is convex. */
void bent_line_bound(double out[2], const bent_line *l, const bent_box *box);

/* >= what the rule errs by on a box: aliases of the trapezoid sum, and what is
 * beyond the nodes. */
double bent_line_alias(const bent_line *l, const bent_box *box);
double bent_line_beyond(const bent_line *l, const bent_box *box);

/* Widens the range of nodes to where those of a box matter. */
void bent_line_keep(bent_line *l, const bent_box *box, double digits);

/* Makes the nodes at z = t, in units of e^scale, and their factors; false
 * when they are out of range, *no_memory for lack of it. */
bool bent_line_start(bent_line *l, const bent_choice *choice,
    const bent_steps *steps, bool *no_memory);

/* M(z_n) but for the rule; to be called for n = 0, 1, ... in turn. */
disc bent_line_next(bent_line *l, double n);

#endif
