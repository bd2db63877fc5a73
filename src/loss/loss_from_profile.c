/*
 * Loss laws by points from a privacy profile: vertices of a convex polygon, the
 * masses of its kinks in doubles, and a proof that the polygon lies above, or
 * below, the profile: the law's own delta is evaluated at every point that the
 * proof needs. Derivation: docs/theory/loss.md, section 2.
 */
#include "loss_from_profile.h"

#include <math.h>
#include <stdlib.h>

#include "finite/finite_law.h"
#include "num/exact_sum.h"

/* The relative amount by which vertices are moved to cover rounding, that of
 * the logarithms above all. */
static double slack_of(double log_value)
{
    return 0x1p-44 + 0x1p-49 * fabs(log_value);
}

/* Greatest number of entries that one loss may take so that all masses sum to 1
 * exactly. */
#define MAX_SHARES 40

/* A kink at the loss z: v is H there for z >= 0; for z < 0 it is that of the
 * reversed pair at -z, H_back(y) = 1 - y + y H(1/y), which does not cancel. */
typedef struct vertex {
    double z;
    double v;
} vertex;

static ball value_near(const vertex *a, bool back)
{
    double z = back ? -a->z : a->z;
    if (back ? a->z < 0 : a->z >= 0)
        return ball_of(a->v);
    /* 1 - e^z + e^z v, z the loss of the pair asked for */
    ball e = ball_exp(ball_of(z));
    return ball_add(ball_neg(ball_expm1(ball_of(z))), ball_mul_d(e, a->v));
}

/*
 * The P-mass of the kink b between a and c, either of which may be missing: x_b
 * times the jump of the slope, or e^z times that of the reversed pair. Beyond
 * the last vertex H is constant, before the first it runs to H(0) = 1;
 * reversing the pair exchanges these.
 */
static ball mass_at(const vertex *a, const vertex *b, const vertex *c)
{
    bool back = b->z < 0;
    const vertex *left = back ? c : a, *right = back ? a : c;
    ball here = value_near(b, back), rise = ball_of(0), fall;
    if (right != NULL) {
        double gap = fabs(right->z - b->z);
        ball l = ball_abs(ball_sub(ball_of(right->z), ball_of(b->z)));
        /* beyond the range of exp the slope counts as 0 */
        if (gap < 700)
            rise = ball_div(
                ball_sub(value_near(right, back), here), ball_expm1(l));
    }
    if (left != NULL) {
        ball l = ball_abs(ball_sub(ball_of(b->z), ball_of(left->z)));
        fall = ball_div(ball_sub(here, value_near(left, back)),
            ball_neg(ball_expm1(ball_neg(l))));
    } else {
        fall = ball_sub_d(here, 1);
    }
    ball mass = ball_sub(rise, fall);
    return back ? ball_mul(mass, ball_exp(ball_of(b->z))) : mass;
}

/* Leaves out vertices that are no kinks; returns the number left. */
static size_t keep_kinks(vertex *x, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (m > 0 && !(x[i].z > x[m - 1].z))
            continue;
        while (m > 1 && !(ball_mid(mass_at(&x[m - 2], &x[m - 1], &x[i])) > 0))
            m--;
        x[m++] = x[i];
    }
    return m;
}

static ball kink_mass(const vertex *x, size_t n, size_t i)
{
    return mass_at(
        i > 0 ? &x[i - 1] : NULL, &x[i], i + 1 < n ? &x[i + 1] : NULL);
}

static dosi_status make_room(loss_from_profile *out, size_t n, dosi_error *err)
{
    *out = (loss_from_profile){.at = calloc(2 * n, sizeof *out->at)};
    if (out->at == NULL)
        return dosi_fail_memory(err);
    out->mass = out->at + n;
    return DOSI_OK;
}

static void append_point(loss_from_profile *out, double at, double mass)
{
    out->at[out->n] = at;
    out->mass[out->n++] = mass;
}

void loss_from_profile_free(loss_from_profile *x)
{
    free(x->at);
    *x = (loss_from_profile){0};
}

/* The reversed pair has at least this delta, so that the sum of mass e^-loss is
 * certainly below 1. */
#define MIN_REVERSED_INF 0x1p-90

static size_t vertices_above(vertex *x, const loss_curve *c)
{
    size_t m = 0;
    for (size_t i = c->back.n; i-- > 1;) {
        double l = c->back.log_delta[i].hi;
        double v = l > -HUGE_VAL ? exp(l) * (1 + slack_of(l)) : 0;
        x[m++] = (vertex){-c->back.at[i], fmin(fmax(v, MIN_REVERSED_INF), 1)};
    }
    for (size_t i = 0; i < c->own.n; i++) {
        double l = c->own.log_delta[i].hi;
        double v = l > -HUGE_VAL ? exp(l) * (1 + slack_of(l)) : 0;
        x[m++] = (vertex){c->own.at[i], fmin(v, 1)};
    }
    return keep_kinks(x, m);
}

/*
 * Masses above the largest one are rounded up and those below it down; the
 * largest takes the rest. Mass moves up only: the law still dominates, and the
 * sum of mass e^-loss only falls. The largest takes as many entries as it needs
 * for 1 minus the sum to be the mass at +inf.
 */
static void masses_above(loss_from_profile *out, const vertex *x, size_t n)
{
    size_t top = 0;
    double most = -1, inf = x[n - 1].v;
    for (size_t i = 0; i < n; i++) {
        double p = ball_mid(kink_mass(x, n, i));
        top = p > most ? i : top;
        most = fmax(most, p);
    }
    exact_sum rest = {0};
    exact_sum_add(&rest, 1);
    exact_sum_add(&rest, -inf);
    double *mass = out->mass + MAX_SHARES; /* read before it is append_point */
    for (size_t i = 0; i < n; i++) {
        ball p = kink_mass(x, n, i);
        mass[i] = fmax(i > top ? ball_upper(p) : ball_lower(p), 0);
        if (i != top)
            exact_sum_add(&rest, -mass[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (i != top) {
            append_point(out, x[i].z, mass[i]);
            continue;
        }
        for (int k = 0; k < MAX_SHARES && rest.n > 0; k++) {
            double share = rest.n == 1 ? rest.part[0]
                                       : ball_lower(exact_sum_ball(&rest, 0));
            if (!(share > 0 && share > 0x1p-50 * inf))
                break;
            append_point(out, x[i].z, share);
            exact_sum_add(&rest, -share);
        }
    }
}

static int by_loss(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* True if the law's delta is at least the given value at its kinks and at the
 * ends: then it is above the chords between them, and so above H. */
static bool holds_above(const finite_law *a, const loss_values *x,
    const loss_from_profile *points, double sign)
{
    for (size_t i = 0; i < x->n; i++) {
        double z = sign * x->at[i];
        if (i + 1 < x->n &&
            bsearch(&z, points->at, points->n, sizeof z, by_loss) == NULL)
            continue;
        if (!(finite_log_delta(a, ball_of(x->at[i])).lo >= x->log_delta[i].hi))
            return false;
    }
    return true;
}

/* The share of every outcome that goes to the outcome of the remaining mass. */
#define REST_SHARE 0x1p-50

/*
 * A cell [z_i, z_i+1] of the profile or of the reversed one. H is at least the
 * line through the values at i - 1 (upper end) and i (lower end) prolonged
 * upward, and at least the one through i + 1 (lower) and i + 2 (upper)
 * prolonged downward, being convex. With y = e^(z - z_i) they are low + a (y -
 * 1), next + b (y - e^h).
 */
typedef struct cell {
    ball low, a;
    ball next, b;
    bool is_last; /* [z_i, inf): H >= 0 in place of the second line */
    double z;
    ball h;
} cell;

static ball exp_of(double x)
{
    return ball_exp(ball_of(x));
}

static ball gap(double a, double b)
{
    return ball_sub(ball_of(b), ball_of(a));
}

static cell cell_of(const loss_curve *c, size_t i)
{
    const loss_values *v = &c->own;
    cell x = {.z = v->at[i], .is_last = i + 1 >= v->n};
    x.low = exp_of(v->log_delta[i].lo);
    ball before = ball_of(1), step = ball_of(1); /* H(0) = 1 */
    if (i > 0) {
        before = exp_of(v->log_delta[i - 1].hi);
        step = ball_neg(ball_expm1(gap(x.z, v->at[i - 1])));
    } else if (c->back.n > 1) {
        double at = c->back.at[1];
        step = ball_neg(ball_expm1(ball_of(-at)));
        before = ball_add(
            step, ball_mul(exp_of(-at), exp_of(c->back.log_delta[1].hi)));
    }
    x.a = ball_div(ball_sub(x.low, before), step);
    x.next = x.b = x.h = ball_of(0);
    if (x.is_last)
        return x;
    x.h = gap(x.z, v->at[i + 1]);
    x.next = exp_of(v->log_delta[i + 1].lo);
    if (i + 2 < v->n) { /* else H is at least its next value: b = 0 */
        ball run = ball_sub(ball_exp(gap(x.z, v->at[i + 2])), ball_exp(x.h));
        x.b = ball_div(ball_sub(exp_of(v->log_delta[i + 2].hi), x.next), run);
    }
    return x;
}

/* The lesser of both lines at z, which bounds H at z from below, on either side
 * of z. */
static ball cell_value(const cell *c, double z)
{
    ball l = ball_sub(ball_of(z), ball_of(c->z));
    ball first = ball_add(c->low, ball_mul(c->a, ball_expm1(l)));
    if (c->is_last)
        return ball_min(first, ball_of(0));
    ball y = ball_sub(ball_exp(l), ball_exp(c->h));
    return ball_min(first, ball_add(c->next, ball_mul(c->b, y)));
}

/* Approximate intersection of the lines of a cell. */
static double cell_bottom(const cell *c)
{
    double low = ball_mid(c->low), a = ball_mid(c->a);
    if (c->is_last) {
        double y = a < 0 ? 1 - low / a : 1;
        return c->z + fmin(log(fmax(y, 1)), 40) * (1 - 0x1p-50);
    }
    double b = ball_mid(c->b), top = exp(ball_mid(c->h));
    double y = (ball_mid(c->next) - b * top - low + a) / (a - b);
    if (!(y > 1 && y < top))
        y = y <= 1 ? 1 : y >= top ? top : sqrt(top);
    return fmin(c->z + log(y), c->z + ball_mid(c->h));
}

static vertex cell_vertex(const loss_curve *curve, size_t i)
{
    cell c = cell_of(curve, i);
    vertex x = {.z = cell_bottom(&c)};
    if (c.is_last)
        return x;
    double v = fmax(ball_lower(cell_value(&c, x.z)), 0);
    x.v = v > 0 ? v * (1 - slack_of(log(v))) : 0;
    return x;
}

static loss_curve exchanged(const loss_curve *c)
{
    return (loss_curve){c->back, c->own};
}

static size_t vertices_below(vertex *x, const loss_curve *c)
{
    loss_curve back = exchanged(c);
    size_t m = 0;
    for (size_t i = back.own.n; i-- > 0;) {
        vertex one = cell_vertex(&back, i);
        one.z = -one.z;
        if (one.z < 0)
            x[m++] = one;
    }
    for (size_t i = 0; i < c->own.n; i++)
        x[m++] = cell_vertex(c, i);
    return keep_kinks(x, m);
}

/* Shares of all outcomes are merged into one, which is post-processing; +inf is
 * listed, so that the reader of the list finds it. */
static void masses_below(loss_from_profile *out, const vertex *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ball p = ball_mul_d(kink_mass(x, n, i), 1 - REST_SHARE);
        append_point(out, x[i].z, fmax(ball_lower(p), 0));
    }
    append_point(out, HUGE_VAL, 0);
}

/* The law is convex, so it is below the lines of a cell if it is below them at
 * the ends of the cell and at their intersection. */
static bool holds_below(const finite_law *a, const loss_curve *c)
{
    for (size_t i = 0; i < c->own.n; i++) {
        cell x = cell_of(c, i);
        double z = cell_bottom(&x);
        ball bound = cell_value(&x, z);
        double log_value = finite_log_delta(a, ball_of(z)).hi;
        if (!(finite_log_delta(a, ball_of(x.z)).hi <= c->own.log_delta[i].lo))
            return false;
        if (log_value > -HUGE_VAL && !ball_less_equal(exp_of(log_value), bound))
            return false;
    }
    return true;
}

static bool holds(const finite_law *a, const loss_curve *c,
    const loss_from_profile *points, double sign, dosi_side side)
{
    return side == DOSI_SIDE_UPPER ? holds_above(a, &c->own, points, sign)
                                   : holds_below(a, c);
}

static dosi_status check(const loss_from_profile *x, const loss_curve *c,
    dosi_side side, dosi_error *err)
{
    finite_law *law = NULL, *back = NULL;
    loss_curve other = exchanged(c);
    dosi_status status = finite_from_points(&law, x->at, x->mass, x->n, err);
    if (status == DOSI_OK)
        status = finite_reverse(&back, law, err);
    if (status == DOSI_OK &&
        !(holds(law, c, x, 1, side) && holds(back, &other, x, -1, side)))
        status = dosi_fail(err, DOSI_EUNABLE,
            "loss: the plan's delta is not known well enough for a law at "
            "these points");
    finite_free(back);
    finite_free(law);
    return status;
}

dosi_status loss_from_profile_make(loss_from_profile *out,
    const loss_curve *curve, dosi_side side, dosi_error *err)
{
    size_t n = curve->own.n + curve->back.n;
    vertex *x = calloc(n, sizeof *x);
    dosi_status status = make_room(out, n + MAX_SHARES, err);
    if (x == NULL || status != DOSI_OK) {
        free(x);
        return dosi_fail_memory(err);
    }
    if (side == DOSI_SIDE_UPPER) {
        size_t m = vertices_above(x, curve);
        masses_above(out, x, m);
    } else {
        size_t m = vertices_below(x, curve);
        masses_below(out, x, m);
    }
    free(x);
    return check(out, curve, side, err);
}
