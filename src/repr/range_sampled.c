#include "range_sampled.h"

#include <math.h>
#include <stdlib.h>

#include "num/round.h"
#include "range_sampled_lattice.h"
#include "range_tail.h"

/* ---- Reading ----------------------------------------------------------- */

/* The point before x, or at it, and how far x is behind it: e^(x - point) - 1
 * over e^h - 1. */
static ptrdiff_t point_before(ball *share, double h, double x)
{
    ptrdiff_t i = (ptrdiff_t)floor(x / h);
    if (x < (double)i * h)
        i--;
    ball behind = ball_sub(ball_of(x), ball_of((double)i * h));
    *share = ball_div(ball_expm1(behind), ball_expm1(ball_of(h)));
    return i;
}

static bool is_within(const sampled_lattice *r, double x)
{
    return fabs(x) < (double)(r->last - 2) * r->choice.h;
}

static double upper_at(const sampled_lattice *r, double x)
{
    if (!is_within(r, x))
        return r->upper[x > 0 ? r->last - 2 : 2 - r->last];
    ball share;
    ptrdiff_t i = point_before(&share, r->choice.h, x);
    ball a = ball_of(r->upper[i]), b = ball_of(r->upper[i + 1]);
    return ball_upper(ball_add(a, ball_mul(share, ball_sub(b, a))));
}

/* G at a point, or what is beside the line that (1 - X)_+ is on one side of
 * 0: H on the right, H - (1 - X) on the left. */
static ball beside(
    const sampled_lattice *r, const double *v, ptrdiff_t i, bool right)
{
    ball x = ball_of((double)i * r->choice.h), g = ball_of(v[i]);
    if (right ? i < 0 : i > 0)
        g = ball_add(g, ball_abs(ball_expm1(x)));
    return g;
}

/* H is above its chords, prolonged: those that end at either point. */
static double lower_at(const sampled_lattice *r, double x)
{
    if (!is_within(r, x))
        return 0;
    ball share, e_h = ball_exp(ball_of(r->choice.h));
    bool right = x >= 0;
    ptrdiff_t i = point_before(&share, r->choice.h, x);
    ball here = beside(r, r->lower, i, right);
    ball next = beside(r, r->lower, i + 1, right);
    ball before = beside(r, r->upper, i - 1, right);
    ball behind = beside(r, r->upper, i + 2, right);
    ball back = ball_div(ball_sub(ball_of(1), share), e_h);
    ball one = ball_add(here,
        ball_mul(ball_mul(ball_sub(here, before), e_h), share));
    ball other = ball_add(next, ball_mul(ball_sub(next, behind), back));
    return fmax(fmax(ball_lower(one), ball_lower(other)), 0);
}

/* log delta from either side at a double: of (1 - e^x)_+ + G, or, where a
 * record is added, of (1 - e^x)_+ + e^x G(1/X). */
static double log_at(const sampled_lattice *r, double x, bool add, bool up)
{
    double at = add ? -x : x;
    double g = up ? upper_at(r, at) : lower_at(r, at);
    if (x >= 0 && !(g > 0))
        return -HUGE_VAL;
    ball y = ball_of(g);
    if (x < 0)
        y = ball_log(ball_add(ball_neg(ball_expm1(ball_of(x))),
            add ? ball_mul(ball_exp(ball_of(x)), y) : y));
    else
        y = add ? ball_add_d(ball_log(y), x) : ball_log(y);
    return up ? fmin(ball_upper(y), 0) : ball_lower(y);
}

/* Whether delta at x is certainly at most that, or certainly above it. */
static bool is_beyond(const sampled_lattice *r, double x, dosi_interval target,
    bool add, bool up)
{
    double y = log_at(r, x, add, up);
    return up ? y <= target.lo : y > target.hi;
}

static dosi_interval epsilon_at(
    const sampled_lattice *r, ball log_delta, bool add)
{
    dosi_interval target = ball_interval(log_delta), out = {0, HUGE_VAL};
    double end = (double)(r->last - 2) * r->choice.h;
    if (is_beyond(r, 0, target, add, true))
        return iv_point(0);
    for (int up = 0; up < 2; up++) {
        /* at first it does not hold at from, but holds at to */
        double from = up ? 0 : end, to = up ? end : 0;
        if (!is_beyond(r, to, target, add, up))
            continue;
        for (double mid = from + (to - from) / 2; mid != from && mid != to;
             mid = from + (to - from) / 2) {
            if (is_beyond(r, mid, target, add, up))
                to = mid;
            else
                from = mid;
        }
        *(up ? &out.hi : &out.lo) = to;
    }
    return out;
}

/* ---- All runs ---------------------------------------------------------- */

struct range_sampled {
    ball e;
    double rate, k;
    work_limits *limits;
    sampled_lattice *lattice; /* nothing until it is asked for */
};

dosi_status range_sampled_new(range_sampled **out, ball e, double rate,
    double k, work_limits *limits, dosi_error *err)
{
    range_sampled *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return dosi_fail_memory(err);
    r->lattice = calloc(1, sizeof *r->lattice);
    if (r->lattice == NULL) {
        free(r);
        return dosi_fail_memory(err);
    }
    r->e = e;
    r->rate = rate;
    r->k = k;
    r->limits = limits;
    *out = r;
    return DOSI_OK;
}

void range_sampled_free(range_sampled *r)
{
    if (r == NULL)
        return;
    sampled_lattice_clear(r->lattice);
    free(r->lattice);
    free(r);
}

static dosi_status lay(
    const range_sampled *r, double log_tail, dosi_error *err)
{
    double wanted = range_tail_for(log_tail);
    if (r->lattice->log_tail >= wanted)
        return DOSI_OK;
    sampled_lattice_clear(r->lattice);
    return sampled_lattice_make(r->lattice, r->e, r->rate, r->k, wanted,
        r->limits, err);
}

/* About -log delta at eps, as for zCDP. */
static double guess_tail(const range_sampled *r, double eps)
{
    double t = ball_mid(r->e) / 2;
    double e = log1p(r->rate * expm1(t)) - log1p(r->rate * expm1(-t));
    double z = eps / e - r->k * e / 8;
    return z > 0 ? 2 * z * z / r->k : 0;
}

dosi_status range_sampled_log_delta(dosi_interval *out,
    const range_sampled *r, ball eps, bool add, dosi_error *err)
{
    dosi_interval x = ball_interval(eps);
    *out = (dosi_interval){-HUGE_VAL, 0};
    dosi_status status = lay(r, guess_tail(r, fabs(x.hi)), err);
    if (status == DOSI_OK)
        *out = (dosi_interval){log_at(r->lattice, x.hi, add, false),
            log_at(r->lattice, x.lo, add, true)};
    return status;
}

dosi_status range_sampled_epsilon(dosi_interval *out, const range_sampled *r,
    ball log_delta, bool add, dosi_error *err)
{
    *out = (dosi_interval){0, HUGE_VAL};
    dosi_status status = lay(r, -ball_lower(log_delta), err);
    if (status == DOSI_OK)
        *out = epsilon_at(r->lattice, log_delta, add);
    return status;
}
