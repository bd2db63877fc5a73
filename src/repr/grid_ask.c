#include "grid_ask.h"

#include "grid_sums.h"

/* ---- Delta ------------------------------------------------------------- */

/* P - e^epsilon Q of the best of them, slack moving all losses down. */
static ball tested_delta(
    const grid_total *t, double epsilon, double *slope)
{
    ball moved = grid_moved_threshold(t, epsilon, false);
    grid_tested v = grid_test_from(t, grid_test_start(t, moved), moved);
    ball paid = ball_mul_d(v.ratio, fmax(v.q, 0));
    double gain = ball_lower(ball_sub(ball_of(v.p), paid));
    ball sum = grid_log_with_inf(t->lo.inf, v.s.log_unit, gain);
    *slope = gain > 0 ? exp(log(fmax(v.q, 0) * ball_mid(v.ratio)) +
                            ball_mid(v.s.log_unit) - ball_mid(sum))
                      : 0;
    return sum;
}

/* From the masses of one side on its points. */
static ball summed_delta(
    const grid_total *t, double epsilon, bool up, double *slope, bool *is_cut)
{
    const grid_side *side = up ? &t->up : &t->lo;
    grid_sums s = grid_sums_above(t, side, epsilon, up);
    double sum = grid_sum_end(&s, side, s.gain, s.gain2, up);
    ball v = grid_log_with_inf(side->inf, s.log_unit, sum);
    *slope = s.q > 0 ? exp(log(s.q) + ball_mid(s.log_unit) - ball_mid(v)) : 0;
    *is_cut = s.is_cut;
    return v;
}

double grid_delta_end(
    const grid_total *t, double epsilon, bool up, double *slope)
{
    bool is_cut = false;
    ball v = !up && t->lo_q.y != NULL
                 ? tested_delta(t, epsilon, slope)
                 : summed_delta(t, epsilon, up, slope, &is_cut);
    if (!up) /* at least 1 - e^epsilon, which counts below 0 */
        return epsilon < 0
                   ? fmax(ball_lower(v),
                         ball_lower(ball_log1mexp(ball_of(epsilon))))
                   : ball_lower(v);
    return is_cut ? 0 : fmin(ball_upper(v), 0);
}

dosi_interval grid_ask_log_delta(const grid_total *total, double epsilon)
{
    double slope;
    dosi_interval v;
    v.hi = grid_delta_end(total, epsilon, true, &slope);
    double lo = grid_delta_end(total, epsilon, false, &slope);
    /* more than rounding above the other end: nothing is certain below */
    v.lo = lo <= v.hi + 1e-9 ? fmin(lo, v.hi) : -HUGE_VAL;
    return v;
}

/* ---- Epsilon ----------------------------------------------------------- */

/* The first step right of 0. */
#define SHORT 1e-4

/*
 * Newton's steps on delta as a function of x = e^epsilon, which is convex and
 * falls: from any point they lead to the left of the root, and from there
 * rise toward it. The aim is a value just on the certain side of the target;
 * an epsilon counts when its delta is certainly small (large) enough,
 * whatever led to it.
 */
static double epsilon_end(
    grid_end end, const void *of, double target, double guess, bool up)
{
    double best = up ? HUGE_VAL : 0, slope = 0;
    double margin = 4e-14 * (1 + fabs(target));
    double x = fmax(guess, 0), left = 0, right = HUGE_VAL;
    bool at_zero = false;
    for (int i = 0; i < 60; i++) {
        at_zero = at_zero || x == 0;
        double over = end(of, x, up, &slope) - target;
        bool counts = up ? over <= 0 : over > 0;
        if (counts)
            best = up ? fmin(best, x) : fmax(best, x);
        /* what a unit of x in the last place makes */
        double near = fmax(margin, 1e-15 * slope * x);
        if (counts && (fabs(over) <= 4 * near || (up && x == 0)))
            break;
        if (over > 0)
            left = fmax(left, x);
        else
            right = fmin(right, x);
        if ((!counts && !up && x == 0) ||
            (right < HUGE_VAL && right - left <= 1e-15 * right))
            break;
        double aim = over + (up ? near : -near);
        /* far off, delta falls exponentially */
        double next = x + (fabs(aim) > 1 ? aim / slope
                                         : log1p(-expm1(-aim) / slope));
        if (next < 0 && !at_zero)
            next = 0; /* where the root may be left of it */
        else if (!(next >= left && next <= right) || next == x)
            next = right < HUGE_VAL ? (left + right) / 2 : 2 * x + SHORT;
        x = next;
        if (!(x < 1e6))
            break;
    }
    return best;
}

dosi_interval grid_ask_epsilon_by(
    grid_end end, const void *of, double inf, ball log_delta, double guess)
{
    dosi_interval target = ball_interval(log_delta);
    double log_inf =
        inf > 0 ? ball_lower(ball_log(ball_of(inf))) : -HUGE_VAL;
    if (log_inf > target.hi)
        return (dosi_interval){HUGE_VAL, HUGE_VAL};
    dosi_interval v;
    v.hi = epsilon_end(end, of, target.lo, guess, true);
    /* the other end is near it, if it is any good: steps from afar may end
     * where nothing is known from below */
    bool near = v.hi > 0.5 * guess && v.hi < 2 * guess;
    v.lo = epsilon_end(end, of, target.hi, near ? v.hi : guess, false);
    /* as above: more than rounding over the other end is nothing */
    v.lo = v.lo <= v.hi * (1 + 1e-9) ? fmin(v.lo, v.hi) : 0;
    return v;
}

static double total_end(
    const void *of, double epsilon, bool up, double *slope)
{
    return grid_delta_end(of, epsilon, up, slope);
}

dosi_interval grid_ask_epsilon(
    const grid_total *total, ball log_delta, double guess)
{
    return grid_ask_epsilon_by(
        total_end, total, total->lo.inf, log_delta, guess);
}
