/*
 * Poisson-sampled Gaussian noise on a lattice, cut smoothly into classes by
 * how far a record's noise lies out: what spectral_jumps.c is made of.
 * Derivation: docs/theory/spectral.md, section 9. Internal to those files.
 *
 * Losses l(x) = log(1 - q + q e^y), y = mu x - mu^2/2, x standard normal under
 * Q. Below a cut at c: s_c(x) = Phi((c - x)/tau), and 0 from JUMP_REACH tau
 * beyond c on. A class between the cuts a < b has S(z) = E_Q[w^(z+1) s_a],
 * W(z) = E_Q[w^(z+1) (s_b - s_a)], w = e^l.
 *
 * Of several records l = log A - log B, with the polynomials A and B of
 * section 10 and y = mu x: x has the density phi B under Q.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_LINE_H
#define DOSI_REPR_SPECTRAL_JUMPS_LINE_H

#include "loss.h"
#include "normal_steps.h"
#include "spectral_split.h"

#define JUMP_PARTS 4
#define JUMP_CLASSES 32

/* Deviations of a cut that nodes go beyond it. */
#define JUMP_REACH 14.0

/* One part of a plan. */
typedef struct jump_part {
    const loss *pair;
    double count, mu, q;
    const split *split;    /* of several records, or NULL */
    double removed, added; /* of them */
    double keep; /* log(A/B) where noise is far left: nobody is sampled */
    double tau;  /* of its cuts: NORMAL_STEPS short numbers */
} jump_part;

/* At x: the loss, its slope dl/dy, log B, and of A and B the variance and the
 * mean of section 10. */
typedef struct jump_point {
    double loss, ratio, log_b, var_a, mean_b;
} jump_point;

/* Nodes (first + i) h of a part, in doubles. */
typedef struct jump_line {
    const jump_part *part;
    int per;  /* nodes of a tau, a divisor of NORMAL_STEPS */
    double h; /* tau/per; i h is exact */
    double first;
    size_t n;
    double *loss, *ratio;
    double *base; /* log(h phi(x)) */
    double *more; /* log of a cut, see jump_law */
    double *height; /* base + log B + more */
    double *log_b, *var_a, *mean_b; /* NULL for one record */
} jump_line;

/* S with a = cut, or W with a = low and b = cut, on nodes of its own. Cuts are
 * whole numbers of taus. */
typedef struct jump_law {
    jump_line line; /* more: log s_a or log(s_b - s_a) */
    bool is_jump;
    double low, cut;
} jump_law;

/* log(e^a + e^b), infinite where one of them is no number; log(e^x - 1). */
double jump_log_add(double a, double b);
double jump_log_expm1(double x);

/* prod (S + W)^k - prod S^k of parts that are added one by one, as sum k log S
 * and log of sum k log(1 + W/S): upper bounds from upper bounds, however small
 * W is. */
typedef struct jump_powers {
    double below, log_jumps;
} jump_powers;

jump_powers jump_powers_none(void);
void jump_powers_add(
    jump_powers *p, double count, double log_s, double log_w);
double jump_powers_log(const jump_powers *p);

/* log C(s) = s log s - (s+1) log(s+1): (1 - e^-x)_+ <= C(s) e^(sx). */
double jump_log_kernel(double s);

/* ---- Points: spectral_jumps_point.c ------------------------------------ */

/* Without a tau. */
jump_part jump_part_of(const spectral_part *from);

jump_point jump_point_at(const jump_part *part, double x);

/* The same of one record. */
static inline jump_point jump_point_of_one(const jump_part *part, double x)
{
    double y = part->mu * x - part->mu * part->mu / 2, q = part->q;
    double l = y < 300 ? log1p(q * expm1(y)) : y + log(q + (1 - q) * exp(-y));
    double r = y < 0 ? q * exp(y - l) : 1 / (1 + (1 - q) / q * exp(-y));
    return (jump_point){l, r, 0, r * (1 - r), 0};
}

/* l at x, and x at l. */
double jump_loss_at(const jump_part *part, double x);
double jump_where(const jump_part *part, double l);

/* Of the losses of all runs, roughly. */
double jump_rough_variance(const jump_part *part);

/* log of P[x > a] and Q[x > a], roughly, the noise having so much more
 * variance. */
double jump_rough_p(const jump_part *part, double a, double more);
double jump_rough_q(const jump_part *part, double a, double more);

/* Roughly where P-mass beyond, or Q-mass to the left, is so many nats small. */
double jump_last(const jump_part *part, double nats);
double jump_first(const jump_part *part, double nats);

/* >= Q[x < x_0]. */
double jump_left_q(const jump_part *part, double x);

/* >= 4 V, V the variance of B, at all points right of one with this mean of B;
 * 1/cos(a/2)^(4 V t), by which |B|^-t may grow at a turn of a, as a logarithm
 * over 4 V. */
double jump_four_var(const jump_part *part, double mean_b);
double jump_log_lift(double t, double turn);

/* >= log of e^(4 V lift) at all points left of one with this mean of B, where
 * A^(t+1) B^-t is taken for what it is there. */
double jump_most_lift(
    const jump_part *part, double t, double lift, double mean_b);

/* ---- Nodes -------------------------------------------------------------- */

/* Lays nodes from a number of taus to another, or as far as they may matter
 * where losses are not tilted, and at least that far; false without memory. A
 * line that is all 0 may be freed. */
bool jump_line_lay(jump_line *line, const jump_part *part, int per,
    double from, double to);
bool jump_lay_whole(
    jump_line *line, const jump_part *part, double from, double least);
void jump_line_free(jump_line *line);
double jump_line_x(const jump_line *line, size_t i);

/* The same with cuts: S from a number of taus on, W as far as it goes. */
bool jump_lay_below(jump_law *out, const jump_part *part, int per,
    double from, double cut);
bool jump_lay_between(jump_law *out, const jump_part *part, int per,
    double low, double cut);

/* From a cut to a node, in steps of the table: a whole number. */
double jump_steps_from(const jump_line *line, double cut, size_t i);

/* s_a, or s_b - s_a, at a node. */
ball jump_share(const jump_law *own, size_t i);

/* 1 - s_a at a node of S, within a unit, or more. */
double jump_mark(const jump_law *own, size_t i);

/* Probabilities that a run is marked beyond a cut, 1 - E[s_c]. */
ball jump_marked_p(const jump_part *part, double cut);
ball jump_marked_q(const jump_part *part, double cut);

/* log of e^(eta^2 (1 + tau^-2)/2): by how much phi and the cuts grow at the
 * height eta. */
double jump_log_growth(const jump_part *part, double eta);

/* log of the sum over the nodes at the exponent v + 1, good to jump_slack;
 * mean receives the mean loss. */
double jump_log_sum(double *mean, const jump_law *own, double v);
double jump_slack(const jump_line *line, double v);

/* How many taus below its cut no more than so many of all runs of S are. */
double jump_rare_gap(
    const jump_law *own, double t, double count, double rare);

#define JUMP_RARE 0.1 /* runs, of what has the digits of doubles */

/* ---- Bounds: spectral_jumps_bound.c ------------------------------------ */

/* >= log of what is beyond the range of the nodes, to the left and on the
 * sides of a strip of height eta around them. */
double jump_log_rest(const jump_law *own, double v, double eta);

/* s_a or s_b - s_a where it is greatest between a node and the next: its
 * log. */
double jump_log_most(const jump_law *own, size_t i);

/* >= log of int phi A^(v+1) |B|^-v s, with B turned by so much and s the cuts,
 * where records are added; and of that left of the nodes, or of nodes there:
 * spectral_jumps_added.c. */
double jump_log_lifted(const jump_law *own, double v, double turn);
double jump_log_left(const jump_law *own, double v, double turn);

/* >= log S or log W at v >= -1; where records are added at v >= 0. */
double jump_log_upper(const jump_law *own, double v);

/* >= log of what the sum over the nodes of S errs by, |Im z| <= outer; no
 * better bound is looked for than enough. */
double jump_log_error(
    const jump_law *own, double t, double outer, double enough);

/* Whether one with so many nodes to a tau, and its cut so many taus below that
 * of S, errs by more than enough in a single cell already: a look at some nodes
 * of S, which tells what need not be tried. */
bool jump_rules_out(const jump_law *below, double t, double outer, int per,
    double gap, double enough);

/* >= log |W(t + iu)| for all u >= outer, by the line turned by alpha. */
double jump_log_decay(
    const jump_law *own, double t, double alpha, double outer);

/* >= log |S(t + iu)| for all u >= outer, by the best of some moved lines. */
double jump_log_below(const jump_law *own, double t, double outer);

/* What the ratios of nodes err by, relatively, and 1 less them absolutely. */
double jump_ratio_error(const jump_line *line);

/* What the losses of n nodes from one on err by, but for units of themselves: y
 * by four units of mu |x| + mu^2. */
void jump_loss_errors(
    double *out, const jump_line *line, size_t at, size_t n);

/* ---- Without tilts and cuts: spectral_jumps_untilted.c ------------------ */

/* N(u) = int phi A^(1 + iu) B^(-t - iu), which is E_Q[w^(1 + iu)] for one
 * record: log |N(v)|/N(0) from above for all v >= u, and log N(0) from
 * below. */
typedef struct jump_fall {
    double log_fall, log_mass;
} jump_fall;

/* By the line turned by alpha. */
jump_fall jump_log_fall(
    const jump_line *line, double t, double alpha, double u);

/* >= log |S(t + iu)| where log S(t) <= log_s, and no more than so much of P is
 * marked beyond the cut. */
double jump_log_decayed(const jump_part *part, double marked, double t,
    double log_s, jump_fall fall);

/* >= log E_Q[w^(1 - a)], and >= log E_Q[w^(1 - a) (1 - s_c)], a >= 1; where
 * records are added, of what is right of the first node. */
double jump_log_moment(const jump_line *line, double a);
double jump_log_marked(const jump_line *line, double cut, double a);

#endif
