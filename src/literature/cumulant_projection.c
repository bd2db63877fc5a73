/*
 * The lower convex hull of the midpoints at one point, which is the least chord
 * over two given points around it. The ends of the chord are improved in turn:
 * when neither can be, no point lies below its line, so that it supports the
 * hull. Any chord is an upper bound, even if a sign was decided wrongly; moving
 * each point by at most r moves the hull by at most r, which is the radius of
 * every value, with an allowance for signs hidden by rounding. Derivation:
 * docs/theory/without_replacement.md, section 5.
 */
#include "cumulant_projection.h"

#include "num/ends.h"

typedef struct vertex {
    double x;
    ball k;
} vertex;

static ball chord_at(vertex a, vertex b, ball at)
{
    ball run = ball_sub(ball_of(b.x), ball_of(a.x));
    ball share = ball_div(ball_sub(at, ball_of(a.x)), run);
    return ball_add(a.k, ball_mul(share, ball_sub(b.k, a.k)));
}

/* The least chord over `at`, a double in (0, the last point]. A point that is
 * not certainly below a line moves the value by its error at most, as it does
 * along the line to the point. */
static ball least_chord(const double *x, const ball *k, size_t n, ball at)
{
    vertex left = {0, ball_of(0)}, right = {0, ball_of(0)};
    double size = 0, radius = 0;
    for (bool closer = true; closer;) {
        closer = false;
        for (size_t i = 0; i < n; i++) {
            vertex v = {x[i], ball_midpoint(k[i])};
            bool is_left = v.x < at.hi, has_chord = right.x > 0;
            if (v.x == 0 || ball_is_infinite(k[i]) || (is_left && !has_chord))
                continue;
            size = fmax(size, ball_magnitude(k[i]));
            radius = fmax(radius, k[i].rad);
            if (has_chord &&
                !ball_less(v.k, chord_at(left, right, ball_of(v.x))))
                continue;
            *(is_left ? &left : &right) = v;
            closer = true;
        }
    }
    return ball_widen(
        chord_at(left, right, at), round_up(radius + 0x1p-90 * size));
}

dosi_status projection_at(ball *out, const double *x, const ball *k, size_t n,
    ball at, dosi_error *err)
{
    double last = 0;
    *out = ball_unknown();
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0 && x[i] < HUGE_VAL && (i == 0 || x[i] > x[i - 1])) ||
            ball_is_unknown(k[i]) || !(k[i].hi >= 0))
            return dosi_fail(err, DOSI_EINVAL,
                "projection: points must be in increasing order, bounds >= 0");
        if (!ball_is_infinite(k[i]))
            last = x[i];
    }
    double low = ball_lower(at), high = ball_upper(at);
    if (!(low >= 0 && high <= last))
        return DOSI_OK;
    ball first =
        low == 0 ? ball_of(0) : least_chord(x, k, n, ball_of(low));
    /* the hull is convex from 0 up, and 0 at 0: it does not fall */
    *out = low == high ? first
                       : ball_hull(first, least_chord(x, k, n, ball_of(high)));
    return DOSI_OK;
}

size_t projection_first_dent(const ball *k, size_t n)
{
    ball before = ball_of(0);
    for (size_t i = 0; i + 1 < n; i++) {
        ball bend = ball_sub(ball_add(before, k[i + 1]), ball_scale2(k[i], 1));
        if (ball_is_negative(bend))
            return i;
        before = k[i];
    }
    return n;
}
