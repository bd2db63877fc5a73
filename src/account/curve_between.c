#include "curve_between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* (e^b - e^e)/(e^b - e^a) for a <= e <= b: the weight of a in e; of b it is
 * e^(e-b) (1 - e^(a-e))/(1 - e^(a-b)). No exponential is above 1. */
static ball weight_of_left(double a, double b, double e)
{
    return ball_div(ball_expm1(ball_sub_d(ball_of(e), b)),
        ball_expm1(ball_sub_d(ball_of(a), b)));
}

static ball weight_of_right(double a, double b, double e)
{
    ball share = ball_div(ball_expm1(ball_sub_d(ball_of(a), e)),
        ball_expm1(ball_sub_d(ball_of(a), b)));
    return ball_mul(share, ball_exp(ball_sub_d(ball_of(e), b)));
}

/* log(w e^log_x), [-inf] where either is 0. */
static ball log_term(ball w, double log_x)
{
    if (log_x == -HUGE_VAL)
        return ball_of(-HUGE_VAL);
    return ball_add_d(ball_log(w), log_x);
}

double curve_log_chord(
    double a, double log_a, double b, double log_b, double e)
{
    ball left = log_term(weight_of_left(a, b, e), log_a);
    ball right = log_term(weight_of_right(a, b, e), log_b);
    if (log_a == -HUGE_VAL || log_b == -HUGE_VAL) {
        ball one = log_b == -HUGE_VAL ? left : right;
        double end = log_a == log_b ? -HUGE_VAL : ball_upper(one);
        return isnan(end) ? 0 : fmin(end, 0);
    }
    double end = ball_upper(ball_logaddexp(left, right));
    return isnan(end) ? 0 : fmin(end, 0); /* at most 1 whatever is known */
}

/* near = (1 - w) far + w here with here >= 0 unknown and w its weight, by
 * convexity at most: here >= (near - (1 - w) far)/w. */
double curve_line(
    double far_at, double far, double near_at, double near, double e)
{
    bool right = e > near_at;
    ball w = right ? weight_of_right(far_at, e, near_at)
                   : weight_of_left(e, far_at, near_at);
    ball rest = right ? weight_of_left(far_at, e, near_at)
                      : weight_of_right(e, far_at, near_at);
    ball here = ball_div(
        ball_sub(ball_of(near), ball_mul(rest, ball_of(far))), w);
    double end = ball_lower(here);
    return end > 0 ? fmin(end, 1) : 0; /* 0 for a NaN */
}

/* ---- Curves ------------------------------------------------------------ */

/* A relative width at which what is beside a point tells no more of it. */
#define NARROW 1e-5

/* Whether the question of a point was stopped before its answer was narrow. */
static bool is_open(const dosi_answer *a)
{
    return a->reason != NULL &&
           (strcmp(a->reason, DOSI_SPENT) == 0 ||
               strcmp(a->reason, DOSI_STOPPED) == 0) &&
           !(a->value.hi - a->value.lo <= NARROW * a->value.hi);
}

/* A point whose question was not stopped. */
typedef struct source {
    double at;
    dosi_answer answer;
} source;

/* Of a point: the sources left and right of it, nearest first, or NULL. */
typedef struct neighbours {
    const source *left[2], *right[2];
} neighbours;

/* Sources in rising order, n_left of which are left of the point. */
static neighbours neighbours_of(const source *s, size_t n, size_t n_left)
{
    neighbours k = {{NULL, NULL}, {NULL, NULL}};
    for (size_t j = 0; j < 2; j++) {
        if (n_left > j)
            k.left[j] = &s[n_left - 1 - j];
        if (n_left + j < n)
            k.right[j] = &s[n_left + j];
    }
    return k;
}

static void take_guarantee(dosi_answer *a, const dosi_answer *from)
{
    a->route = from->route;
    a->theorem = from->theorem;
    a->order = from->order;
}

static void take_delta_upper(
    dosi_answer *a, const dosi_answer *from, double log_end)
{
    if (!(log_end < a->log_value.hi))
        return;
    a->log_value.hi = log_end;
    a->value.hi =
        fmin(a->value.hi, ball_upper(ball_exp(ball_of(log_end))));
    take_guarantee(a, from);
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

/* By a line through two sources on one side. */
static void take_line(dosi_answer *a, const source *const side[2], double e)
{
    const source *near = side[0], *far = side[1];
    if (near == NULL || far == NULL)
        return;
    double end = curve_line(far->at, far->answer.value.hi, near->at,
        near->answer.value.lo, e);
    if (end > 0)
        take_delta_lower(
            a, &near->answer, end, ball_lower(ball_log(ball_of(end))));
}

/* delta falls, lies below chords and above their extensions. */
static void between_deltas(dosi_answer *a, const neighbours *k, double e)
{
    const source *left = k->left[0], *right = k->right[0];
    if (left != NULL)
        take_delta_upper(a, &left->answer, left->answer.log_value.hi);
    if (right != NULL)
        take_delta_lower(a, &right->answer, right->answer.value.lo,
            right->answer.log_value.lo);
    if (left != NULL && right != NULL)
        take_delta_upper(a, &left->answer,
            curve_log_chord(left->at, left->answer.log_value.hi, right->at,
                right->answer.log_value.hi, e));
    take_line(a, k->left, e);
    take_line(a, k->right, e);
}

/* beta falls. The lesser of two directions need not be convex. */
static void between_errors(dosi_answer *a, const neighbours *k)
{
    const source *left = k->left[0], *right = k->right[0];
    if (right != NULL && right->answer.value.lo > a->value.lo) {
        a->value.lo = right->answer.value.lo;
        take_guarantee(a, &right->answer);
    }
    if (left != NULL && left->answer.value.hi < a->value.hi) {
        a->value.hi = left->answer.value.hi;
        a->lower_meaning = left->answer.lower_meaning;
    }
}

dosi_status curve_tighten(dosi_answer *answers, const curve_point *sorted,
    size_t n, account_kind kind, dosi_error *err)
{
    source *s = malloc((n + 1) * sizeof *s);
    size_t n_sources = 0, n_left = 0;
    bool is_sound = true;
    if (s == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const dosi_answer *a = &answers[sorted[i].index];
        if (!is_open(a))
            s[n_sources++] = (source){sorted[i].at, *a};
    }
    for (size_t i = 0; i < n && n_sources < n; i++) {
        dosi_answer *a = &answers[sorted[i].index];
        double at = sorted[i].at;
        while (n_left < n_sources && s[n_left].at < at)
            n_left++;
        if (!is_open(a) || (n_left < n_sources && s[n_left].at == at))
            continue;
        neighbours k = neighbours_of(s, n_sources, n_left);
        if (kind == ACCOUNT_DELTA)
            between_deltas(a, &k, at);
        else
            between_errors(a, &k);
        is_sound = is_sound && a->value.lo <= a->value.hi;
    }
    free(s);
    return is_sound ? DOSI_OK
                    : dosi_fail(err, DOSI_EUNABLE,
                          "points of a curve contradict each other; please "
                          "report this plan");
}
