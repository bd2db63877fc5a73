/*
 * The trade-off curve of a total on a lattice: tests of the law from below,
 * and what delta from above guarantees. Derivation: docs/theory/grid.md,
 * section 6.
 */
#include "grid_ask.h"

#include "grid_sums.h"

/* P[S > s] + P[+inf] and Q[S > s] of the law from below, their safe ends. */
typedef struct test_point {
    double p_lower, q_upper;
} test_point;

/* Of masses of P and e^s Q above s: their safe ends. */
static test_point point_of(const grid_total *t, double s,
    const grid_sums *above, double p, double q, ball ratio)
{
    ball log_p = grid_log_with_inf(t->lo.inf, above->log_unit, p);
    ball log_q = ball_of(-HUGE_VAL);
    if (q > 0)
        log_q = ball_sub_d(
            ball_add(ball_log(ball_mul_d(ratio, q * (1 + 0x1p-50))),
                above->log_unit),
            s);
    double most = ball_upper(ball_exp(log_q));
    /* moved losses: Q-masses grow by as much */
    double slack = ball_upper(ball_exp(ball_of(4 * t->slack + 0x1p-60)));
    return (test_point){fmax(ball_lower(ball_exp(log_p)), 0),
        fmin(round_up(most * slack), 1)};
}

static test_point test_at(const grid_total *t, double s)
{
    const grid_side *side = &t->lo;
    if (t->lo_q.y != NULL) {
        ball moved = grid_moved_threshold(t, s, false);
        grid_tested v = grid_test_from(t, grid_index_above(t, moved), moved);
        return point_of(t, s, &v.s, v.p, v.q, v.ratio);
    }
    grid_sums above = grid_sums_above(t, side, s, false);
    double p = grid_sum_end(&above, side, above.p, above.p2, false);
    double q = grid_sum_end(&above, side, above.q, above.p2, false);
    q = above.q + (above.q - q); /* the same errors upward */
    test_point v = point_of(t, s, &above, p, q, ball_of(1));
    if (above.is_cut)
        v.q_upper = 1;
    return v;
}

/* Tests change between points alone: thresholds in the middle. */
static double between_points(const grid_total *t, double index)
{
    return ball_mid(ball_add(
        t->offset, ball_mul_d(t->h, index + 0.5)));
}

/* By the threshold tests next to the one with Q[reject] = alpha, mixed:
 * accept with 1 - (share p + (1 - share) p'). */
static double attained(const grid_total *t, double alpha)
{
    double best = round_up(1 - alpha);
    double lo = (double)t->first - 1, hi = lo + (double)t->n + 1;
    test_point inside = test_at(t, between_points(t, hi));
    test_point outside = test_at(t, between_points(t, lo));
    if (inside.q_upper > alpha)
        return best;
    while (hi - lo > 1) {
        double mid = floor((lo + hi) / 2);
        test_point at = test_at(t, between_points(t, mid));
        if (at.q_upper <= alpha) {
            hi = mid;
            inside = at;
        } else {
            lo = mid;
            outside = at;
        }
    }
    ball gain = ball_of(inside.p_lower);
    if (outside.q_upper > alpha && outside.q_upper > inside.q_upper) {
        double share = (alpha - inside.q_upper) /
                       (outside.q_upper - inside.q_upper) * (1 - 0x1p-48);
        ball more = ball_sub_d(ball_of(outside.p_lower), inside.p_lower);
        gain = ball_add(gain, ball_mul_d(more, fmax(share, 0)));
    }
    return fmin(best, ball_upper(ball_sub(ball_of(1), gain)));
}

/* 1 - delta(eps) - e^eps alpha, from the law from above. */
static double guaranteed(const grid_total *t, double alpha, double s)
{
    double slope;
    ball delta = ball_exp(ball_of(grid_delta_end(t, s, true, &slope)));
    ball cost = ball_mul_d(ball_exp(ball_of(s)), alpha);
    ball v = ball_sub(ball_sub(ball_of(1), delta), cost);
    return fmax(ball_lower(v), 0);
}

/* The loss of a point, toward the side where its own atom still counts as
 * not above it. */
static double point_loss(const grid_total *t, double index)
{
    return ball_mid(ball_add(t->offset, ball_mul_d(t->h, index)));
}

#define SCANNED 64
#define LOWEST -40.0

/* Where that is above 0, if anywhere: a guess may be far off. */
static double start_of(const grid_total *t, double alpha, double guess)
{
    double most = -log(alpha), best = guess;
    double value = guaranteed(t, alpha, guess);
    for (int i = 1; i < SCANNED && !(value > 0); i++) {
        double s = most - i * (most - LOWEST) / SCANNED;
        double there = guaranteed(t, alpha, s);
        best = there > value ? s : best;
        value = fmax(there, value);
    }
    return best;
}

dosi_interval grid_ask_tradeoff(
    const grid_total *total, double alpha, double guess)
{
    /* concave in e^s, with its maximum at a point: any s is valid */
    double h = ball_mid(total->h), start = start_of(total, alpha, guess);
    double at = round((start - ball_mid(total->offset)) / h);
    double best = guaranteed(total, alpha, point_loss(total, at));
    double step = exp2(ceil(log2((double)total->n / 8)));
    for (int i = 0; i < 400 && step >= 1; i++) {
        double right =
            guaranteed(total, alpha, point_loss(total, at + step));
        if (right > best) {
            best = right;
            at += step;
            continue;
        }
        double left =
            guaranteed(total, alpha, point_loss(total, at - step));
        if (left > best) {
            best = left;
            at -= step;
        } else {
            step /= 2;
        }
    }
    double most = attained(total, alpha);
    return (dosi_interval){fmin(best, most), most};
}
