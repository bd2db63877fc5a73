/*
 * Curves of plans, for plots and reports: which there are, over which range
 * they show what matters, and their points as enclosures.
 */
#ifndef DOSI_CURVES_H
#define DOSI_CURVES_H

#include "cli.h"
#include "svg_plot.h"

enum curve_kind {
    CURVE_PROFILE,  /* delta over epsilon */
    CURVE_TRADEOFF, /* beta over alpha */
    CURVE_ROC,      /* true over false positive rates, 1 - beta over alpha */
    CURVE_RENYI,    /* divergence over the order */
    CURVE_STEPS,    /* epsilon over the number of steps */
    CURVE_NOISE,    /* epsilon over the noise, or over the hole */
    CURVE_KINDS
};

/* What is known of a kind: one row of a table. */
struct curve_kind_info {
    const char *name;
    const char *title;
    const char *x_name, *y_name; /* in CSV and JSON; x NULL: by the plan */
    const char *x_label, *y_label;
    bool x_is_log, y_is_log;
    bool safe_is_lower;
    bool needs_delta;
};

extern const struct curve_kind_info curve_kinds[CURVE_KINDS];

/* One plan, and how it changes along the curve. */
struct curve_source {
    const dosi_plan *plan; /* borrowed */
    const char *label;
    const char *route;     /* the one to ask alone; NULL: that of how */
    const dosi_plan *base; /* steps: what one step runs, borrowed */
    double count;          /* steps: how many the plan has; 0: a hole */
    const char *parameter; /* noise: what is varied */
    double value;          /* noise: of it in the plan; 0: a hole */
    bool is_factor;        /* noise: all of it is multiplied */
    bool is_whole;         /* it is a whole number */
    int direction; /* of epsilon in x where it is proven: 1 rises, -1 falls */
};

struct curve {
    struct curve_source source;
    dosi_neighbours neighbours;
    size_t n;
    double *x, *low, *high;
    double mark_x, mark_y; /* a point worth a dot; mark_x NaN: none */
    bool is_spent; /* its work is: fewer points, or wider ones */
};

struct curve_plot {
    enum curve_kind kind;
    double delta;    /* 0: none */
    double from, to; /* of x; 0: chosen by curves_make */
    double floor;    /* profile: the smallest delta shown; likewise */
    size_t n_points; /* of a curve, at most */
    bool x_is_log, y_is_log;
    const char *title; /* NULL: that of the kind */
    const dosi_answer *epsilon; /* of the one plan at delta, if known */
    bool leaves_out; /* wide points that the clock ended are left out */
    bool is_cut;     /* the clock ended it: it has fewer points */
    bool is_spent;   /* the work of some curve was spent, likewise */
    bool is_bounded; /* then: the others are there, with wider bounds */
    struct curve curves[SVG_STYLES];
    size_t n_curves;
    size_t n_overlays; /* the last of them are curves of others */
};

/* A plot of the kind with the scales that suit it. */
struct curve_plot curves_init(enum curve_kind kind);

/* Adds a plan, which stays the caller's, as the label. Returns an exit
 * status, having said why. */
int curves_add(struct curve_plot *plot, const struct cli_arguments *args,
    const dosi_plan *plan, const char *label);

/* Finds range and points. Returns an exit status, having said why. */
int curves_make(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how);

/*
 * Adds the curves of a CSV in the columns that plot writes, whose text must
 * outlive the plot and is changed; nothing about them is certified. Returns an
 * exit status, having said why.
 *
 * requires  that curves_make has been called
 */
int curves_overlay(
    struct curve_plot *plot, const struct cli_arguments *args, char *text);

/* Whether some curve has a point that says something. */
bool curves_say_something(const struct curve_plot *plot);

void curves_free(struct curve_plot *plot);

/* Fills in what was left to it of the range, in curve_ranges.c. Returns an
 * exit status, having said why. */
int curves_find_range(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how);

/* What the axes are called in CSV and JSON. */
const char *curves_x_name(const struct curve_plot *plot);

/* As SVG, in curve_figure.c; id as in svg_figure. */
bool curves_write_svg(FILE *out, const struct curve_plot *plot, const char *id);

/* ---- Points, in curve_points.c ------------------------------------------- */

struct curve_making {
    struct curve_plot *plot;
    const struct cli_arguments *args;
    struct cli_asking *how;
    size_t done; /* points, of all curves */
    double spent; /* operations, on one curve */
};

/* Finds the points of one curve. Returns an exit status, having said why. */
int curve_sample(struct curve_making *m, struct curve *c);

/* Whether the clock ended the answer while its interval was wide enough to be
 * seen in a picture. */
bool curve_leaves_out(const struct curve_plot *plot, const dosi_answer *answer);

/* ---- Bounds from neighbouring points, in curve_monotone.c ---------------- */

/* Where x belongs among the points. */
size_t curve_place_of(const struct curve *c, double x);

/* The ends at x become a point, for which there is room; those behind it move
 * up. */
void curve_put(struct curve *c, double x, dosi_interval ends);

/* Encloses epsilon at x by the points to the left and right of it; [0, inf]
 * unless epsilon is monotone along the curve. */
dosi_interval curve_monotone_ends(const struct curve *c, double x);

/* Gives every point the ends of others that hold for it as well; false: they
 * contradict each other. */
bool curve_tighten(struct curve *c);

/* Up to n numbers in the widest gaps, as if the curve were straight between its
 * points; how many there are. In curve_gaps.c. */
size_t curve_gaps(double *x, const struct curve_plot *plot,
    const struct curve *c, size_t n);

/* ---- Plans along a curve, in curve_plans.c ------------------------------- */

/* How many mechanisms and guarantees the plan lists. */
double curve_part_count(const dosi_plan *plan);

/* How the plan changes along a curve of the kind. */
dosi_status curve_source_of(struct curve_source *out, enum curve_kind kind,
    const dosi_plan *plan, dosi_error *err);

/* The plan of that many steps, with that noise, or with x in its hole. */
dosi_status curve_source_at(const dosi_plan **out, enum curve_kind kind,
    const struct curve_source *source, double x, dosi_error *err);

#endif
