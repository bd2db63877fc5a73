/*
 * Tail masses of mixtures of shifted normal laws (LOSS_GROUP): the threshold of
 * a loss in the coordinate of the noise, then normal tails. Derivation:
 * docs/theory/loss.md.
 */
#include "loss_group.h"

#include "num/ends.h"
#include "num/newton.h"
#include "special/special.h"

void loss_group_weights(ball *weight, unsigned n, ball q)
{
    ball choose = ball_of(1), rest = ball_sub(ball_of(1), q);
    for (unsigned i = 0; i <= n; i++) {
        ball w = choose;
        for (unsigned j = 0; j < n; j++)
            w = ball_mul(w, j < i ? q : rest);
        weight[i] = w;
        choose = ball_div_d(ball_mul_d(choose, n - i), i + 1);
    }
}

/* The log-ratio of a mixture of shifts to N(0, 1) at t = mu y, log of sum_i w_i
 * e^(i t - i^2 mu^2/2), and the mean of i under its terms. */
typedef struct shifts {
    ball log_sum, mean;
} shifts;

static shifts shifts_at(const ball *weight, unsigned n, ball t, ball half)
{
    ball most = ball_of(-HUGE_VAL), exponent[LOSS_MAX_GROUP + 1];
    for (unsigned i = 0; i <= n; i++) {
        exponent[i] = ball_sub(
            ball_mul_d(t, i), ball_mul_d(half, (double)i * i));
        if (exponent[i].hi > most.hi)
            most = ball_midpoint(exponent[i]);
    }
    ball sum = ball_of(0), first = ball_of(0);
    for (unsigned i = 0; i <= n; i++) {
        ball term = ball_mul(
            weight[i], ball_exp(ball_sub(exponent[i], most)));
        sum = ball_add(sum, term);
        first = ball_add(first, ball_mul_d(term, i));
    }
    return (shifts){
        ball_add(ball_log(sum), most), ball_div(first, sum)};
}

typedef struct threshold_search {
    const loss_tails *c;
    ball s;
} threshold_search;

/* L(y) - s = log dP/dN - log dQ/dN - s, rising in y: its slope is mu (E[i | y]
 * + E[j | y]). */
static ball log_ratio_gap(ball y, const void *context)
{
    const threshold_search *at = context;
    const loss_law *pair = &at->c->pair;
    ball half = ball_scale2(ball_sqr(pair->parameter), -1);
    ball t = ball_mul(pair->parameter, y);
    shifts p = shifts_at(at->c->removed, pair->removed, t, half);
    shifts q = shifts_at(at->c->added, pair->added, ball_neg(t), half);
    return ball_sub(ball_sub(p.log_sum, q.log_sum), at->s);
}

static ball log_ratio_slope(ball y, const void *context)
{
    const threshold_search *at = context;
    const loss_law *pair = &at->c->pair;
    ball half = ball_scale2(ball_sqr(pair->parameter), -1);
    ball t = ball_mul(pair->parameter, y);
    shifts p = shifts_at(at->c->removed, pair->removed, t, half);
    shifts q = shifts_at(at->c->added, pair->added, ball_neg(t), half);
    return ball_mul(pair->parameter, ball_add(p.mean, q.mean));
}

/* The log-ratio in doubles, for the guess: log sum, and the mean of i. */
static double shifts_approx(
    double *mean, const ball *weight, unsigned n, double t, double half)
{
    double most = -HUGE_VAL, sum = 0, first = 0;
    for (unsigned i = 0; i <= n; i++)
        most = fmax(most, i * t - half * i * i);
    for (unsigned i = 0; i <= n; i++) {
        double w = weight[i].hi * exp(i * t - half * i * i - most);
        sum += w;
        first += i * w;
    }
    *mean = first / sum;
    return log(sum) + most;
}

/* Finds the y with L(y) = s, by Newton's method from the last threshold. */
static ball find_threshold(loss_tails *c, ball s)
{
    threshold_search at = {c, s};
    const loss_law *pair = &c->pair;
    double mu = pair->parameter.hi, half = mu * mu / 2, slope = 1;
    double y = c->last_threshold, lo = -HUGE_VAL, hi = HUGE_VAL;
    for (int i = 0; i < 80; i++) {
        double up, down;
        double gap = shifts_approx(
            &up, c->removed, pair->removed, mu * y, half);
        gap -= shifts_approx(&down, c->added, pair->added, -mu * y, half);
        gap -= s.hi;
        slope = mu * (up + down);
        if (gap > 0)
            hi = y;
        else
            lo = y;
        double step = -gap / slope;
        if (!(fabs(step) <= 2))
            step = gap > 0 ? -2 : 2;
        double next = y + step;
        if (!(next > lo && next < hi))
            next = (lo + hi) / 2;
        if (!(fabs(next) < 1e6) || fabs(next - y) < 1e-13 * (1 + fabs(y)))
            break;
        y = next;
    }
    c->last_threshold = y;
    return newton_root(log_ratio_gap, log_ratio_slope, &at, y, slope, 1e-28);
}

static loss_tail group_tail_inside(loss_tails *c, ball s, bool upper)
{
    const loss_law *pair = &c->pair;
    ball y = find_threshold(c, s), mu = pair->parameter;
    ball p = ball_of(0), q = ball_of(0);
    for (unsigned i = 0; i <= pair->removed; i++) {
        ball z = ball_sub(y, ball_mul_d(mu, i));
        p = ball_add(p, ball_mul(c->removed[i],
                            upper ? ball_normal_sf(z) : ball_normal_cdf(z)));
    }
    for (unsigned j = 0; j <= pair->added; j++) {
        ball z = ball_add(y, ball_mul_d(mu, j));
        q = ball_add(q, ball_mul(c->added[j],
                            upper ? ball_normal_sf(z) : ball_normal_cdf(z)));
    }
    return (loss_tail){p, ball_mul(q, ball_exp(s))};
}

/* Next to an end of the density the threshold is very large: the mass beyond s
 * is then enclosed between 0 and the mass beyond a point 2e-20 inside; e^s is
 * at most twice as large at s as at that point. */
loss_tail loss_group_tail(loss_tails *c, ball s, bool upper)
{
    ball edge = upper ? c->largest : c->smallest;
    double margin = 1e-20 * (1 + fabs(edge.hi));
    ball room = upper ? ball_sub(edge, s) : ball_sub(s, edge);
    if (ball_is_infinite(edge) || ball_lower(room) > margin)
        return group_tail_inside(c, s, upper);
    loss_tail t = group_tail_inside(
        c, ball_add_d(edge, upper ? -2 * margin : 2 * margin), upper);
    return (loss_tail){ball_hull(t.p, ball_of(0)),
        ball_hull(ball_scale2(t.xq, 1), ball_of(0))};
}
