/*
 * Delta, epsilon and the trade-off from profiles of lists, with the rounding
 * charged. docs/theory/list.md, section 4.
 */
#include "list_read.h"

#include "num/elem.h"
#include "num/round.h"

/* ---- Epsilon ----------------------------------------------------------- */

#define MAX_EPSILON 1e6
#define MAX_STEPS 200

/* log delta falls: secants within a bracket, halved where they do not help. */
double list_epsilon_end(
    const list_profile *f, double log_delta, double guess)
{
    bool up = f->side == LIST_ABOVE;
    double lo = 0, hi = HUGE_VAL, over_lo, over_hi = 0;
    over_lo = list_log_delta_end(f, 0) - log_delta;
    if (!(over_lo > 0))
        return 0;
    double x = guess > 0 && guess < MAX_EPSILON ? guess : 1;
    for (int i = 0; i < MAX_STEPS; i++) {
        if (hi < HUGE_VAL && hi - lo <= 4 * LIST_ROUND * hi)
            break;
        double over = list_log_delta_end(f, x) - log_delta;
        if (over > 0) {
            lo = x;
            over_lo = over;
        } else {
            hi = x;
            over_hi = over;
        }
        if (hi == HUGE_VAL) {
            if (x >= MAX_EPSILON)
                break;
            x = 2 * x;
            continue;
        }
        double mid = lo + (hi - lo) / 2;
        double cut = lo + (hi - lo) * over_lo / (over_lo - over_hi);
        /* next to an end secants stall: step over the root */
        double shift = fmax(1e-3 * (hi - lo), 2 * LIST_ROUND * hi);
        if (i % 3 == 1)
            cut += over > 0 ? shift : -shift;
        x = i % 3 == 2 || !(cut > lo && cut < hi) ? mid : cut;
        if (lo == 0 && i % 3 == 2)
            x = hi / 16;
    }
    return up ? hi : lo;
}

/* ---- Trade-off --------------------------------------------------------- */

/* Where Q[L > s] falls to alpha, between two losses. */
typedef struct crossing {
    double lo, hi;
} crossing;

static crossing crossing_of(const list_profile *f, double alpha)
{
    crossing c = {-700, -log(alpha) + 1};
    for (int i = 0; i < MAX_STEPS && c.hi - c.lo > 1e-14; i++) {
        double s = (c.lo + c.hi) / 2;
        dosi_interval q = list_q_above(f, s);
        if (q.lo > alpha)
            c.lo = s;
        else if (q.hi < alpha)
            c.hi = s;
        else
            break; /* no more can be told: both ends are certain */
    }
    return c;
}

/* 1 - H(e^s) - e^s alpha, on the side of 1 - H that the list gives. */
static double error_at(const list_profile *f, double alpha, double s)
{
    dosi_interval cost = iv_exp(iv_point(s));
    double h = list_delta_end(f, s);
    return f->side == LIST_ABOVE
               ? round_down(round_down(1 - h) - round_up(cost.hi * alpha))
               : round_up(round_up(1 - h) - round_down(cost.lo * alpha));
}

/* The curve lies above each of its tangents: the greatest of them by the list
 * from above, near the crossing. */
static double guaranteed(const list_profile *f, double alpha, crossing at)
{
    double best = 0;
    for (int i = 0; i <= 4; i++)
        best = fmax(best,
            error_at(f, alpha, at.lo + (at.hi - at.lo) * i / 4));
    return best;
}

/*
 * 1 - H - x alpha is concave in x with the slope Q[L > log x] - alpha: right
 * of the crossing it is no more than there, between its ends no more than the
 * tangent from the left. Left of it, it is no more than there either, if the
 * slope is certainly no less than 0; else no more than 1 - H, which rises.
 */
static double attained(const list_profile *f, double alpha, crossing at)
{
    dosi_interval q = list_q_above(f, at.lo);
    double left = q.lo >= alpha
                      ? error_at(f, alpha, at.lo)
                      : round_up(1 - list_delta_end(f, at.lo));
    dosi_interval length = iv_sub(
        iv_exp(iv_point(at.hi)), iv_exp(iv_point(at.lo)));
    double rise = round_up(fmax(round_up(q.hi - alpha), 0) * length.hi);
    return fmin(round_up(fmax(left, 0) + rise), 1);
}

double list_crossing(const list_profile *f, double alpha)
{
    crossing c = crossing_of(f, alpha);
    return (c.lo + c.hi) / 2;
}

dosi_interval list_tradeoff_of(
    const list_profile side[2], double alpha, double *epsilon)
{
    crossing low = crossing_of(&side[LIST_BELOW], alpha);
    crossing high = crossing_of(&side[LIST_ABOVE], alpha);
    *epsilon = (low.lo + low.hi) / 2;
    dosi_interval v = {guaranteed(&side[LIST_ABOVE], alpha, high),
        attained(&side[LIST_BELOW], alpha, low)};
    v.hi = fmin(v.hi, round_up(1 - alpha));
    v.lo = fmin(v.lo, v.hi);
    return v;
}
