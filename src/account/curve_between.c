/*
 * Bounds between the points of a curve: chords and their extensions for delta,
 * which is convex in e^epsilon, and that both curves fall. Derivation:
 * docs/theory/account.md, "Between the points of a curve".
 */
#include "curve_between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* log(1 - e^-(b - a)), a < b. */
static ball log_gap(double a, double b)
{
    return ball_log1mexp(ball_sub_d(ball_of(a), b));
}

/* The logarithms of the weights of a and b in e, in e^epsilon: of
 * (e^b - e^e)/(e^b - e^a) and (e^e - e^a)/(e^b - e^a). No exponential is above
 * 1, and no weight underflows. */
static ball log_weight_of_left(double a, double b, double e)
{
    return ball_sub(log_gap(e, b), log_gap(a, b));
}

static ball log_weight_of_right(double a, double b, double e)
{
    ball apart = ball_sub_d(ball_of(e), b);
    return ball_add(apart, ball_sub(log_gap(a, e), log_gap(a, b)));
}

double curve_log_chord(
    double a, double log_a, double b, double log_b, double e)
{
    bool has_left = log_a > -HUGE_VAL, has_right = log_b > -HUGE_VAL;
    ball left = ball_add_d(log_weight_of_left(a, b, e), log_a);
    ball right = ball_add_d(log_weight_of_right(a, b, e), log_b);
    double end = -HUGE_VAL;
    if (has_left && has_right)
        end = ball_upper(ball_logaddexp(left, right));
    else if (has_left || has_right)
        end = ball_upper(has_left ? left : right);
    return isnan(end) ? 0 : fmin(end, 0); /* 1 is a bound anyway */
}

/* near = (1 - w) far + w here with here >= 0 unknown and w its weight, by
 * convexity at most: here >= (near - (1 - w) far)/w. */
double curve_line(
    double far_at, double far, double near_at, double near, double e)
{
    bool right = e > near_at;
    ball w = ball_exp(right ? log_weight_of_right(far_at, e, near_at)
                            : log_weight_of_left(e, far_at, near_at));
    ball rest = ball_exp(right ? log_weight_of_left(far_at, e, near_at)
                               : log_weight_of_right(e, far_at, near_at));
    ball here = ball_div(
        ball_sub(ball_of(near), ball_mul(rest, ball_of(far))), w);
    double end = ball_lower(here);
    return end > 0 ? fmin(end, 1) : 0; /* 0 for a NaN */
}

/* ---- Curves ------------------------------------------------------------ */

/* An answer this narrow takes nothing from the points next to it. */
#define NARROW 1e-5

/* Whether the question of a point was stopped before its answer was narrow, or
 * came to nothing. */
static bool is_open(const dosi_answer *a)
{
    return a->reason != NULL &&
           (account_is_cut_short(a) || strcmp(a->route, "none") == 0) &&
           !(a->value.hi - a->value.lo <= NARROW * a->value.hi);
}

/* Points in rising order. */
typedef struct curve_points {
    dosi_answer *answers;
    const curve_point *sorted;
    size_t n;
} curve_points;

static dosi_answer *answer_at(const curve_points *c, size_t i)
{
    return &c->answers[c->sorted[i].index];
}

static void take_delta_upper(
    dosi_answer *a, const dosi_answer *from, double log_end)
{
    if (!(log_end < a->log_value.hi))
        return;
    a->log_value.hi = log_end;
    a->value.hi =
        fmin(a->value.hi, ball_upper(ball_exp(ball_of(log_end))));
    a->route = from->route;
    a->theorem = from->theorem;
    a->order = from->order;
}

static void take_delta_lower(
    dosi_answer *a, const dosi_answer *from, double end, double log_end)
{
    if (!(end > a->value.lo) && !(log_end > a->log_value.lo))
        return;
    a->value.lo = fmax(a->value.lo, end);
    a->log_value.lo = fmax(a->log_value.lo, log_end);
    a->lower_meaning = from->lower_meaning;
}

/* The last two points that were not open, on one side. */
typedef struct two_points {
    double near_at, far_at;
    const dosi_answer *near, *far;
} two_points;

static void move_on(two_points *two, double at, const dosi_answer *a)
{
    two->far = two->near;
    two->far_at = two->near_at;
    two->near = a;
    two->near_at = at;
}

static void take_line(dosi_answer *a, const two_points *two, double e)
{
    if (two->near == NULL || two->far == NULL || two->near_at == e)
        return;
    double end = curve_line(two->far_at, two->far->value.hi, two->near_at,
        two->near->value.lo, e);
    if (end > 0)
        take_delta_lower(
            a, two->near, end, ball_lower(ball_log(ball_of(end))));
}

static double chord_at(
    const curve_points *c, size_t left, size_t right, size_t i)
{
    return curve_log_chord(c->sorted[left].at,
        answer_at(c, left)->log_value.hi, c->sorted[right].at,
        answer_at(c, right)->log_value.hi, c->sorted[i].at);
}

/* Open points take the chords of the lower convex hull of all upper ends. Any
 * two points have a valid chord; which are taken proves nothing. */
static dosi_status tighten_by_chords(const curve_points *c, dosi_error *err)
{
    size_t *hull = malloc((c->n + 1) * sizeof *hull), m = 0;
    if (hull == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < c->n; i++) {
        if (m > 0 && c->sorted[hull[m - 1]].at == c->sorted[i].at)
            continue;
        while (m > 1 && answer_at(c, hull[m - 1])->log_value.hi >=
                            chord_at(c, hull[m - 2], i, hull[m - 1]))
            m--;
        hull[m++] = i;
    }
    for (size_t j = 0; j + 1 < m; j++)
        for (size_t i = hull[j] + 1; i < hull[j + 1]; i++)
            if (is_open(answer_at(c, i)) &&
                c->sorted[i].at > c->sorted[hull[j]].at)
                take_delta_upper(answer_at(c, i), answer_at(c, hull[j]),
                    chord_at(c, hull[j], hull[j + 1], i));
    free(hull);
    return DOSI_OK;
}

/* beta falls: it is no more than further left, no less than further right. */
static void take_error(dosi_answer *a, const dosi_answer *from, bool upper)
{
    if (upper && from->value.hi < a->value.hi) {
        a->value.hi = from->value.hi;
        a->lower_meaning = from->lower_meaning;
    } else if (!upper && from->value.lo > a->value.lo) {
        a->value.lo = from->value.lo;
        a->route = from->route;
        a->theorem = from->theorem;
    }
}

/* What falls is no more than further left, no less than further right: takes
 * the upper ends from the left, or the lower ones from the right. delta takes
 * the line of the last two points as well; the lesser error of two directions
 * need not be convex. */
static void tighten_from_side(
    const curve_points *c, account_kind kind, bool upper)
{
    bool is_delta = kind == ACCOUNT_DELTA;
    two_points two = {0};
    const dosi_answer *best = NULL;
    for (size_t j = 0; j < c->n; j++) {
        size_t i = upper ? j : c->n - 1 - j;
        dosi_answer *a = answer_at(c, i);
        if (is_open(a) && best != NULL) {
            if (!is_delta)
                take_error(a, best, upper);
            else if (upper)
                take_delta_upper(a, best, best->log_value.hi);
            else
                take_delta_lower(a, best, best->value.lo, best->log_value.lo);
        }
        if (is_delta && is_open(a))
            take_line(a, &two, c->sorted[i].at);
        else
            move_on(&two, c->sorted[i].at, a);
        dosi_interval own = is_delta ? a->log_value : a->value;
        dosi_interval most = best == NULL ? own
                             : is_delta   ? best->log_value
                                          : best->value;
        if (best == NULL || (upper ? own.hi < most.hi : own.lo > most.lo))
            best = a;
    }
}

dosi_status curve_tighten(dosi_answer *answers, const curve_point *sorted,
    size_t n, account_kind kind, dosi_error *err)
{
    const curve_points c = {answers, sorted, n};
    size_t n_open = 0;
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n; i++)
        n_open += is_open(&answers[i]) ? 1 : 0;
    if (n_open == 0)
        return DOSI_OK;
    tighten_from_side(&c, kind, true);
    tighten_from_side(&c, kind, false);
    if (kind == ACCOUNT_DELTA)
        status = tighten_by_chords(&c, err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        if (!(answers[i].value.lo <= answers[i].value.hi))
            status = dosi_fail(err, DOSI_EUNABLE,
                "points of a curve contradict each other; please report this "
                "plan");
    return status;
}
