/*
 * The laws of a plan as a tree: one run of each part, powers by squaring,
 * different parts pairwise, those of least variance first. The two laws that
 * are left are never composed: list_profile.h reads them. Each law has knots;
 * where they lie proves nothing and decides how narrow the answer is.
 * docs/theory/list.md, section 5.
 */
#ifndef DOSI_LIST_LIST_TREE_H
#define DOSI_LIST_LIST_TREE_H

#include "list_law.h"
#include "loss/loss_tails.h"

#define LIST_NONE SIZE_MAX

/* Masses so many nats below delta, all of them together, do not matter. */
#define LIST_NEGLIGIBLE 27.6

/* One run of a part, or the composition of two other laws. */
typedef struct list_node {
    size_t a, b;     /* which, before this one; LIST_NONE: one run */
    loss_tails *run; /* borrowed; of one run */
    double variance; /* an estimate, which orders compositions */
    bool is_exact;   /* it has few losses, each at a knot of the skeleton */
    double *skeleton; /* the first knots, which all later ones include */
    size_t n_skeleton;
    double *knots;
    size_t n_knots;
    list_law side[2];
    double *influence; /* on delta, of the outcomes of side[LIST_BELOW] */
} list_node;

typedef struct list_tree {
    size_t n, room;
    list_node *nodes;
    size_t last[2]; /* whose composition is asked; the first may be none */
    double log_delta; /* masses far below delta do not matter */
    int scale;        /* of all lists */
    double step; /* nats of mass between two knots of the skeleton, or more */
    double max_knots; /* if the skeleton would have more knots than these */
    work_limits *limits;
} list_tree;

/*
 * Grows the tree with its skeleton and coarse lists from below.
 *
 * requires  n >= 1 laws, made ready, that outlive the tree
 * owns      *out, freed with list_tree_free in any case
 * fails     DOSI_ENOMEM; DOSI_EUNABLE when limits say stop
 */
DOSI_CHECK dosi_status list_tree_new(list_tree *out, loss_tails *runs,
    size_t n, double log_delta, work_limits *limits, dosi_error *err);
void list_tree_free(list_tree *t);

/* Places the knots anew by their influence on delta at epsilon, for a round of
 * about this many products on each side. */
DOSI_CHECK dosi_status list_tree_refine(
    list_tree *t, double epsilon, double products, dosi_error *err);

/* Makes the lists of all laws, on both sides. */
DOSI_CHECK dosi_status list_tree_fill(list_tree *t, dosi_error *err);

/* ---- Knots, list_skeleton.c and list_influence.c ------------------------ */

/* The number of losses of one law at which the pairs of two laws still fit into
 * memory. */
double list_max_losses(const work_limits *limits);

/* Knots of a law from outcomes of its coarse list, or of its sketch. */
DOSI_CHECK dosi_status list_skeleton_of_run(
    list_node *x, const list_tree *t, dosi_error *err);
DOSI_CHECK dosi_status list_skeleton_of_pair(
    list_node *x, const list_tree *t, dosi_error *err);

/* Makes 0 a knot if it lies between two: tails are known from there. */
DOSI_CHECK dosi_status list_knots_with_zero(list_node *x, dosi_error *err);

/* The influence of every law's outcomes on delta at epsilon. */
DOSI_CHECK dosi_status list_influences(
    list_tree *t, double epsilon, dosi_error *err);

/* Sets the number of knots that each outcome of a law deserves, up to a factor:
 * the cube root of the share of delta that a cell of unit length costs there,
 * times the length of the outcome's cell. Returns the sum; 0 of a law with less
 * than three outcomes. */
double list_shares(double *out, const list_node *x, const list_tree *t);

/* The logarithm of a mass as lists store it. */
double list_log_stored(const list_tree *t, double log_mass);

#endif
