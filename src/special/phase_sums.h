/*
 * Characteristic function of a weighted set of points, in doubles: for weights
 * g_i that sum to 1 and points c_i with mean 0,
 *
 *     chi(u) = sum g_i e^{i u c_i} = 1 - X + i Y,
 *     X = sum g_i (1 - cos u c_i),    Y = sum g_i (sin u c_i - u c_i).
 *
 * Every term is formed to relative accuracy in u c_i, so that chi^k keeps its
 * digits for k in the billions. Error bound: docs/theory/contour.md, section 3.
 */
#ifndef DOSI_SPECIAL_PHASE_SUMS_H
#define DOSI_SPECIAL_PHASE_SUMS_H

#include <stdbool.h>
#include <stddef.h>

/* Arrays are padded with weight 0 to whole groups of this many. */
#define PHASE_LANES 8

/* Clones run the same operations in the same order, in the widest registers of
 * the machine. Their resolvers run before a sanitizer's. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define PHASE_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PHASE_WIDE
#endif

typedef struct phase_set {
    size_t n; /* a multiple of PHASE_LANES */
    const double *weight;
    const double *point;

    /* Upper bounds, filled by phase_prepare: moments of the points up to the
     * cut, mass and first moment of those beyond. */
    double near2, near3, far0, far1;
    double largest; /* |point| */
} phase_set;

/*
 * Fills the bounds, splitting at |point| = cut.
 *
 * requires  cut > 0
 */
void phase_prepare(phase_set *s, double cut);

/* The largest u for which phase_sums is proven. */
double phase_reach(const phase_set *s);

/*
 * Computes X and Y at u. *error bounds |X^ - X| + |Y^ - Y| if weights and
 * points are the given doubles with a relative error of at most 2^-52 each.
 *
 * requires  0 <= u <= phase_reach(s)
 * cost      some 5 ns a point
 */
void phase_sums(
    double *x, double *y, double *error, const phase_set *s, double u);

/*
 * Computes cos a and sin a of n angles: both together err by at most 14 units
 * of 2^-53.
 *
 * requires  |a| <= 2^25; n a multiple of PHASE_LANES
 */
void phase_cos_sin(
    double *cosine, double *sine, const double *angle, size_t n);

/* Number of nodes u, u + step, ... that are summed at once. */
#define PHASE_ROW 32
#define PHASE_TERMS 12

/* The sums in rows, from u = 0 on: points with |c| <= 2/reach by their moments,
 * the others by rotations from one node of a row to the next. */
typedef struct phase_rows {
    double step, outer;
    double reach; /* the moments serve u up to this */
    double even[PHASE_TERMS], odd[PHASE_TERMS]; /* of X/v^2 and Y/v^3 in v^2,
                                                   v = u/reach */
    double near2, near3; /* upper bounds for the points c reach */
    double mass, first;  /* over the far points: sums of g and g c */
    double far0, far1;   /* upper bounds of sums of g and g |c| */
    const phase_set *set;
    double *storage;
    size_t n_near;
    double *near_weight, *near_point;
    size_t n; /* points that are far at outer, padded */
    double *weight, *point;
    double *far_weight;      /* 0 for points that are near at present */
    double *angle, *re, *im; /* of the present row */
    /* e^(i j step c) for each point: all real parts, then all imaginary ones */
    double *phases;
} phase_rows;

/*
 * Prepares rows for u up to outer; false without memory.
 *
 * owns      r->storage, to be freed; s is borrowed
 */
bool phase_rows_make(
    phase_rows *r, const phase_set *s, double step, double outer);

/*
 * Computes X, Y and the error of both at u + j step, j < PHASE_ROW, as
 * phase_sums defines them.
 *
 * requires  u does not fall from call to call; 0 <= u + j step <= outer and <=
 *           phase_reach(s) for all results that are used
 */
void phase_rows_at(double x[PHASE_ROW], double y[PHASE_ROW],
    double error[PHASE_ROW], phase_rows *r, double u);

#endif
