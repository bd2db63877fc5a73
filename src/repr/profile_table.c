#include "profile_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile_values.h"

/* Knots, and what share of the memory they may take. */
#define MAX_KNOTS ((size_t)1 << 15)
#define KNOTS_SHARE 16

/* Places where a knot is tried, on the way to the next. */
#define NUDGES 2

/* Relative widths of what is known of a knot at the least. */
#define KNOWN 0.5

/* Below the first knot delta is 1 - e^x, but for this. */
#define LOG_SMALL (-25)

/* Exponentials are good to 2^-40, and so are quotients of them. */
#define LESS (1 - 0x1p-37)
#define MORE (1 + 0x1p-37)

/* delta at x is in [lo, hi]; what follows is of the interval to the next. */
typedef struct knot {
    double x, lo, hi;
    double up, down; /* e^d - 1 and 1 - e^-d, d its length */
    bool is_vain;    /* nothing was found in it */
} knot;

struct profile_table {
    profile_values *values;
    work_limits *limits;
    knot *knots; /* at rising x */
    size_t n, room;
};

bool profile_table_takes(const loss *part)
{
    return part->noise == LOSS_GAUSSIAN &&
           (part->map == LOSS_PLAIN || part->map == LOSS_REMOVE ||
               part->map == LOSS_ADD);
}

/* At x, or a little farther where next to nothing is known there; false where
 * nothing is. a and a[1] are the knots that it lies between, if not NULL. */
static dosi_status make_knot(knot *out, bool *found, profile_table *t,
    const knot *a, double x, double next, dosi_error *err)
{
    dosi_interval known = {0, 1}, v;
    if (a != NULL) /* delta falls */
        known = (dosi_interval){a[1].lo, a[0].hi};
    dosi_status status = DOSI_OK;
    *found = false;
    for (int i = 0; i < NUDGES && status == DOSI_OK && !*found; i++) {
        double at = x + (next - x) * i / NUDGES;
        status = profile_values_at(&v, t->values, at, known, err);
        *out = (knot){.x = at, .lo = v.lo, .hi = v.hi};
        *found = v.hi - v.lo < KNOWN * v.hi || v.hi == 0;
    }
    return status;
}

/* delta falls; and lengths. */
static void tidy(profile_table *t)
{
    knot *k = t->knots;
    for (size_t i = 1; i < t->n; i++)
        k[i].hi = fmin(k[i].hi, k[i - 1].hi);
    for (size_t i = t->n - 1; i > 0; i--)
        k[i - 1].lo = fmax(k[i - 1].lo, k[i].lo);
    for (size_t i = 0; i + 1 < t->n; i++) {
        k[i].up = expm1(k[i + 1].x - k[i].x);
        k[i].down = -expm1(k[i].x - k[i + 1].x);
    }
}

/* ---- Making ------------------------------------------------------------ */

/* For one more knot, at least. */
static bool make_room(profile_table *t)
{
    if (t->n < t->room)
        return true;
    size_t room = t->room > 0 ? 2 * t->room : 64;
    knot *knots = realloc(t->knots, room * sizeof *knots);
    if (knots == NULL)
        return false;
    t->knots = knots;
    t->room = room;
    return true;
}

static size_t most_knots(const profile_table *t)
{
    size_t most = work_bytes(t->limits) / (KNOTS_SHARE * sizeof(knot));
    return most < MAX_KNOTS ? most : MAX_KNOTS;
}

/* The knots to begin with. */
static dosi_status lay(profile_table *t, double log_least, bool *found,
    dosi_error *err)
{
    double unit = NAN, right = 0, left = 0;
    *found = false;
    dosi_status status = profile_values_deviation(&unit, t->values, err);
    if (status != DOSI_OK || !(unit > 0 && unit < PROFILE_FARTHEST))
        return status;
    status = profile_values_reach(
        &right, t->values, false, 4 * unit, log_least, err);
    if (status == DOSI_OK && right > 0)
        status = profile_values_reach(
            &left, t->values, true, 4 * unit, LOG_SMALL, err);
    if (status != DOSI_OK || !(left > 0))
        return status;
    ball last = ball_exp(ball_of(log_least));
    ball first = ball_add(ball_of(LOG_SMALL),
        ball_log(ball_neg(ball_expm1(ball_of(-left)))));
    dosi_interval v = profile_mirrored(
        -left, (dosi_interval){-HUGE_VAL, ball_upper(first)});
    t->knots[0] = (knot){.x = -left, .lo = v.lo, .hi = v.hi};
    t->knots[3] = (knot){.x = right, .hi = ball_upper(last)};
    bool near[2] = {false, false};
    status = make_knot(
        &t->knots[2], &near[0], t, NULL, unit / 16, unit / 8, err);
    if (status == DOSI_OK)
        status = make_knot(
            &t->knots[1], &near[1], t, NULL, -unit / 16, -unit / 32, err);
    t->n = 4;
    tidy(t);
    *found = near[0] && near[1];
    return status;
}

dosi_status profile_table_new(profile_table **out, const loss *laws,
    size_t n, double log_least, work_limits *limits, dosi_error *err)
{
    *out = NULL;
    profile_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return dosi_fail_memory(err);
    t->limits = limits;
    bool found = n == 0;
    dosi_status status = DOSI_OK;
    if (!make_room(t))
        status = dosi_fail_memory(err);
    else if (n == 0)
        t->knots[t->n++] = (knot){.x = 0}; /* (1 - e^x)_+ */
    else
        status = profile_values_new(&t->values, laws, n, limits, err);
    if (status == DOSI_OK && n > 0)
        status = lay(t, log_least, &found, err);
    if (status == DOSI_OK && found)
        *out = t;
    else
        profile_table_free(t);
    return status;
}

void profile_table_free(profile_table *t)
{
    if (t == NULL)
        return;
    profile_values_free(t->values);
    free(t->knots);
    free(t);
}

/* ---- Reading ----------------------------------------------------------- */

double profile_table_last(const profile_table *t)
{
    return t->knots[t->n - 1].x;
}

size_t profile_table_intervals(const profile_table *t)
{
    return t->n + 1;
}

static bool is_in(const profile_table *t, size_t interval, double x)
{
    return !(interval > 0 && x < t->knots[interval - 1].x) &&
           !(interval < t->n && x >= t->knots[interval].x);
}

size_t profile_table_find(const profile_table *t, size_t near, double x)
{
    if (is_in(t, near, x))
        return near;
    if (near > 0 && is_in(t, near - 1, x))
        return near - 1;
    size_t lo = 0, hi = t->n; /* how many knots are at most x */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x >= t->knots[mid].x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Below the first knot: under the chord from e^x = 0, where delta is 1, and
 * above 1 - e^x. */
static profile_value value_below(const knot *first, double x)
{
    double d = x - first->x;
    double hi = (first->hi * exp(d) - expm1(d)) * MORE;
    return (profile_value){
        fmax(-expm1(x) * LESS, first->lo), fmin(hi, 1), exp(x)};
}

/*
 * Between knots, with X = e^x: below the chord, above the two chords next to
 * it prolonged, and above the value at the right end. With b the left knot, a
 * the one before it, c and d those to the right, and r = (X - X_b)/(X_b - X_a):
 *
 *     H(X) >= H(X_b) (1 + r) - H(X_a) r,
 *
 * and the mirror image with r = (X_c - X)/(X_d - X_c), where the greater r is,
 * the greater the bound, if H(X_c) is certainly more than H(X_d).
 */
profile_value profile_table_at(
    const profile_table *t, size_t interval, double x)
{
    if (interval == 0)
        return value_below(&t->knots[0], x);
    const knot *b = &t->knots[interval - 1];
    if (interval == t->n)
        return (profile_value){0, b->hi, 0};
    const knot *c = b + 1;
    double e = fmax(expm1(x - b->x), 0), drop = b->hi - c->hi;
    /* no more than 1 less the share of the way */
    double left = 1 - fmin(e / b->up, 1) * LESS;
    double chord = (c->hi + drop * left) * (1 + 0x1p-50);
    profile_value v = {
        c->lo, fmin(chord, b->hi), drop * (1 + e) / b->up};
    if (interval > 1) {
        double r = e / (b - 1)->down * MORE;
        double lo = b->lo - ((b - 1)->hi - b->lo) * r;
        v.lo = fmax(v.lo, lo - 0x1p-50 * b->lo);
    }
    if (interval + 1 < t->n && c->lo > (c + 1)->hi) {
        /* 1 - e^(x - x_c); in short intervals by terms that are good to
         * 2^-39 of the first */
        double r = b->down < 0.5
                       ? b->down - e * (1 - b->down) - 0x1p-37 * b->down
                       : -expm1(x - c->x);
        r = fmax(r, 0) / c->up * LESS;
        v.lo = fmax(v.lo, c->lo + (c->lo - (c + 1)->hi) * r);
    }
    v.lo *= 1 - 0x1p-50;
    return v;
}

/*
 * The best test at X = e^x has -b as a slope of H there: no steeper than the
 * chord that ends left of X, nor flatter than the one that begins right of it,
 * and b <= 1.
 */
dosi_interval profile_table_paid(
    const profile_table *t, size_t interval, double x)
{
    if (interval == t->n)
        return iv_point(0);
    const knot *c = &t->knots[interval];
    dosi_interval v = {0, exp(x) * MORE};
    if (interval + 1 < t->n) {
        double least = (c->lo - (c + 1)->hi) / c->up * exp(x - c->x);
        v.lo = fmax(least * LESS, 0);
    }
    if (interval > 1) {
        const knot *a = c - 2, *b = c - 1;
        double most = (a->hi - b->lo) / a->down * exp(x - b->x);
        v.hi = fmin(v.hi, most * MORE);
    }
    return v;
}

/* ---- Splitting --------------------------------------------------------- */

/* The i-th of n points between a and b, never 0. */
static double between(double a, double b, unsigned i, unsigned n)
{
    double s = (double)i / n, x = a + (b - a) * s;
    if (a > 0 && b > 2 * a)
        x = a * pow(b / a, s);
    else if (b < 0 && a < 2 * b)
        x = b * pow(a / b, 1 - s);
    return fabs(x) > 1e-3 * (b - a) || a > 0 || b < 0 ? x : 1e-3 * (b - a);
}

static int by_place(const void *x, const void *y)
{
    const knot *a = x, *b = y;
    return a->x < b->x ? -1 : a->x > b->x;
}

/* Of knots at one place. */
static void leave_one(profile_table *t)
{
    size_t n = 1;
    for (size_t i = 1; i < t->n; i++)
        if (t->knots[i].x > t->knots[n - 1].x)
            t->knots[n++] = t->knots[i];
    t->n = n;
}

/* What lies between two knots that are hardly known would not be either. */
static bool is_in_vain(const knot *k)
{
    double known = k[0].hi - k[0].lo + (k[1].hi - k[1].lo);
    return k->is_vain || known > 0.5 * (k[0].hi - k[1].lo);
}

/* Between the knots at j and the next. */
static dosi_status split_one(profile_table *t, size_t j, unsigned parts,
    bool *added, dosi_error *err)
{
    double a = t->knots[j].x, b = t->knots[j + 1].x;
    dosi_status status = DOSI_OK;
    bool some = false;
    for (unsigned i = 1; i < parts && t->n < most_knots(t); i++) {
        double x = between(a, b, i, parts);
        double next = fmin(between(a, b, i + 1, parts), b);
        knot made;
        bool found;
        if (!(x > a && x < b) || work_stopped(t->limits))
            continue;
        status = make_knot(&made, &found, t, &t->knots[j], x, next, err);
        if (status == DOSI_OK && !make_room(t))
            status = dosi_fail_memory(err);
        if (status != DOSI_OK)
            return status;
        if (found)
            t->knots[t->n++] = made;
        some = some || found;
    }
    t->knots[j].is_vain = !some;
    *added = *added || some;
    return DOSI_OK;
}

dosi_status profile_table_split(profile_table *t, const unsigned *parts,
    bool *added, dosi_error *err)
{
    size_t n = t->n;
    dosi_status status = DOSI_OK;
    *added = false;
    for (size_t j = 1; j < n && status == DOSI_OK; j++)
        if (parts[j] > 1 && !is_in_vain(&t->knots[j - 1]))
            status = split_one(t, j - 1, parts[j], added, err);
    qsort(t->knots, t->n, sizeof *t->knots, by_place);
    leave_one(t);
    tidy(t);
    return status;
}
