/*
 * The trade-off curve of a law from its profile alone. With Q as the null
 * hypothesis and y = e^eps alpha,
 *
 *     f(alpha) = max over y in [0, 1] of g(y) = 1 - delta(eps) - y,
 *
 * and g is concave, since delta is convex in e^eps. So chords of g, extended
 * beyond their ends, bound it from above: the maximum is found by cutting
 * planes, which are exact at a kink. Derivation:
 * docs/theory/account.md, "Trade-off curves".
 */
#include "profile.h"

#define MAX_POINTS 64

typedef struct point {
    dosi_interval y;
    dosi_interval g;
} point;

/* Points of g, by increasing y. */
typedef struct curve {
    const privacy_profile *self;
    double alpha;
    size_t n;
    point at[MAX_POINTS];
} curve;

static double middle(dosi_interval x)
{
    return x.lo / 2 + x.hi / 2;
}

/* Adds the point at the double eps nearest to log(y/alpha), and returns g
 * there. */
static double curve_add(curve *c, double y)
{
    double eps = log(y) - log(c->alpha);
    /* e^eps alone may overflow */
    ball exact = ball_exp(ball_add_d(ball_log(ball_of(c->alpha)), eps));
    point p = {.y = ball_interval(exact)};
    size_t i = 0;
    if (ball_is_unknown(exact))
        return -1;
    while (i < c->n && c->at[i].y.hi < p.y.lo)
        i++;
    if (c->n == MAX_POINTS || (i < c->n && c->at[i].y.lo <= p.y.hi))
        return i < c->n ? middle(c->at[i].g) : -1; /* it exists already */
    p.g =
        iv_sub(iv_sub(iv_point(1), profile_delta(c->self, ball_of(eps))), p.y);
    for (size_t j = c->n; j > i; j--)
        c->at[j] = c->at[j - 1];
    c->at[i] = p;
    c->n++;
    return middle(p.g);
}

/* An upper bound of the slope of g from point i towards its neighbour j, per
 * unit of y. */
static double chord_slope(const curve *c, size_t i, size_t j)
{
    const point *a = &c->at[i], *b = &c->at[j];
    dosi_interval step =
        i < j ? iv_sub(b->y, a->y) : iv_sub(a->y, b->y);
    double rise = round_up(b->g.hi - a->g.lo);
    return round_up(rise / (rise > 0 ? step.lo : step.hi));
}

/*
 * An upper bound of g between points i and i + 1, and a good next point. Two
 * lines lie above g there, a + s (t - y_i) and b + r (y_(i+1) - t); their mean
 * with weights r/(s+r) and s/(s+r) does not depend on t.
 */
static double segment_bound(const curve *c, size_t i, double *where)
{
    double a = c->at[i].g.hi, b = c->at[i + 1].g.hi;
    double from = c->at[i].y.lo, to = c->at[i + 1].y.hi;
    dosi_interval width = iv_sub(iv_point(to), iv_point(from));
    /* delta >= 1 - e^eps, so g(y) <= y (1/alpha - 1) on the first segment */
    double s = i > 0 ? chord_slope(c, i - 1, i) : round_up(1 / c->alpha);
    double r = chord_slope(c, i + 2, i + 1);
    *where = from + (to - from) / 2;
    if (s <= 0)
        return a;
    if (r <= 0)
        return b;
    dosi_interval left = iv_mul(iv_point(a), iv_point(r));
    dosi_interval right = iv_mul(iv_point(b), iv_point(s));
    dosi_interval rise = iv_mul(iv_mul(iv_point(s), iv_point(r)), width);
    dosi_interval total = iv_add(iv_point(s), iv_point(r));
    double meet = from + (b - a + r * (to - from)) / (s + r);
    if (meet > from && meet < to)
        *where = meet;
    return iv_div(iv_add(iv_add(left, right), rise), total).hi;
}

/* The largest bound over all segments except the last, which lies above y = 1
 * where g < 0. */
static double curve_bound(const curve *c, double *where)
{
    double bound = -HUGE_VAL;
    if (c->n < 3 || !(c->at[c->n - 2].y.lo >= 1))
        return HUGE_VAL; /* the points do not cover [0, 1] */
    for (size_t i = 0; i + 2 < c->n; i++) {
        double at = 0, segment = segment_bound(c, i, &at);
        if (!(segment <= bound)) {
            bound = isnan(segment) ? HUGE_VAL : segment;
            *where = at;
        }
    }
    return bound;
}

/* Points at powers of two around the maximum, found by galloping. */
static void curve_start(curve *c)
{
    c->at[0] = (point){{0, 0}, {0, 0}}; /* delta(-inf) = 1 */
    c->n = 1;
    curve_add(c, 2.5);
    double best = curve_add(c, 1.25);
    int near = 0, far = 1;
    for (; far < 1024; far *= 2) {
        double next = curve_add(c, ldexp(1, -far));
        if (next < best)
            break;
        best = next;
        near = far / 2;
    }
    while (far - near > 2) {
        int i = near + (far - near) / 3, j = far - (far - near) / 3;
        if (curve_add(c, ldexp(1, -i)) < curve_add(c, ldexp(1, -j)))
            near = i;
        else
            far = j;
    }
    curve_add(c, ldexp(1, -near - 1));
}

static dosi_interval tradeoff_by_profile(
    const privacy_profile *self, double alpha)
{
    curve c = {.self = self, .alpha = alpha};
    curve_start(&c);
    double most = 1, least = 0;
    double enough = self->type->is_slow ? 1e-6 : 0x1p-51;
    for (int i = 0; i < (self->type->is_slow ? 8 : 40); i++) {
        double where = 0;
        most = fmin(most, curve_bound(&c, &where));
        for (size_t j = 0; j < c.n; j++)
            least = fmax(least, c.at[j].g.lo);
        size_t before = c.n;
        if (most - least > enough)
            curve_add(&c, where);
        if (c.n == before)
            break;
    }
    return iv_make(least, fmax(most, least));
}

/* 1 - e^x, a probability. */
static dosi_interval one_less(dosi_interval x)
{
    return (dosi_interval){
        fmax(0, ball_lower(ball_neg(ball_expm1(ball_of(x.hi))))),
        fmin(1, ball_upper(ball_neg(ball_expm1(ball_of(x.lo)))))};
}

/* A test of level 0 may reject only outcomes that Q never has:
 * f(0) = 1 - P[L = +inf]. If the type does not know that mass, the profile
 * bounds it: P[L = +inf] <= delta(eps) for every eps. */
static dosi_interval tradeoff_at_zero(const privacy_profile *self)
{
    static const double far[] = {0x1p12, 0x1p40, 0x1p400};
    dosi_interval mass = profile_log_floor(self);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        if (mass.hi - mass.lo > 1e-9) /* not where both are -inf */
            mass.hi =
                fmin(mass.hi, profile_log_delta(self, ball_of(far[i])).hi);
    return one_less(mass);
}

dosi_interval profile_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    if (alpha == 0)
        return tradeoff_at_zero(self);
    if (alpha == 1)
        return iv_point(0);
    /* f is convex and f(1) = 0, so that f(alpha) <= (1 - alpha) f(0) */
    double most = one_less(profile_log_floor(self)).hi;
    dosi_interval range = {
        0, fmin(round_up(round_up(1 - alpha) * most), 1)};
    if (self->pool != NULL && work_stopped(self->pool->limits))
        return range;
    if (self->type->tradeoff != NULL)
        return iv_meet(range, self->type->tradeoff(self, alpha, enough));
    return iv_meet(range, tradeoff_by_profile(self, alpha));
}
