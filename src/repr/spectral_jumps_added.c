/*
 * Where records are added, 1/B^t grows on lines that are turned, by at most
 * e^(4 V lift), V the variance of B (Lemma 7 of docs/theory/spectral.md): most
 * far to the left, where B^-t itself is next to nothing. So it is bounded cell
 * by cell, not by its greatest value.
 */
#include "spectral_jumps_strip.h"

#define LOG_ROOT 0.91893853320467274178 /* log(2 pi)/2 */

/* Cells left of the nodes. Those of nodes add up to no more than twice the
 * greatest value times the length. */
#define TWICE 0.6931471805599454

/* log phi where it is greatest on a cell that ends at x. */
static double log_phi(double x)
{
    double nearest = x < 0 ? x : fmax(x - JUMP_LEFT_CELL, 0);
    return -LOG_ROOT - nearest * nearest / 2;
}

/* log of the cut left of x: all of S, and s_b - s_a <= e^(-z^2/2)/2. */
static double log_cut(const jump_law *own, double x)
{
    double z = own->low - x / own->line.part->tau;
    return own->is_jump ? fmin(-z * fabs(z) / 2, 0) : 0;
}

/* A^(v+1) B^-v rises with x, the mean of B falls. */
double jump_log_left(const jump_law *own, double v, double turn)
{
    const jump_part *part = own->line.part;
    double x = jump_line_x(&own->line, 0), sum = -HUGE_VAL;
    double lift = jump_log_lift(v, turn);
    jump_point right = jump_point_at(part, x);
    for (; x > -JUMP_LEFT_END; x -= JUMP_LEFT_CELL) {
        jump_point left = jump_point_at(part, x - JUMP_LEFT_CELL);
        double e = (v + 1) * right.loss + right.log_b +
                   lift * jump_four_var(part, left.mean_b) + log_phi(x) +
                   log_cut(own, x) + log(JUMP_LEFT_CELL);
        sum = jump_log_add(sum, e);
        right = left;
    }
    /* phi integrates to at most phi/|x| */
    double end = (v + 1) * right.loss + right.log_b +
                 jump_most_lift(part, v, lift, right.mean_b) - LOG_ROOT -
                 x * x / 2;
    return jump_log_add(sum, x < -1 ? end : HUGE_VAL) + TWICE + JUMP_SAFE +
           2 * jump_slack(&own->line, v);
}

double jump_log_lifted(const jump_law *own, double v, double turn)
{
    const jump_line *line = &own->line;
    double lift = jump_log_lift(v, turn), top = -HUGE_VAL, sum = DBL_MIN;
    for (size_t i = 0; i + 1 < line->n; i++) {
        double e = fmax(line->base[i], line->base[i + 1]) +
                   jump_log_most(own, i) + (v + 1) * line->loss[i + 1] +
                   line->log_b[i + 1] +
                   lift * jump_four_var(line->part, line->mean_b[i]);
        if (e > top) {
            sum *= exp(top - e);
            top = e;
        }
        sum += exp(e - top);
    }
    double inner = top + log(sum) + JUMP_SAFE + 2 * jump_slack(line, v);
    return jump_log_add(inner, jump_log_left(own, v, turn));
}
