/*
 * The lower convex hull of the midpoints by Andrew's algorithm. A chord between
 * two given points is never below the hull, so the result is an upper bound
 * even if a sign was decided wrongly; moving each point by at most r moves the
 * hull by at most r, which is the radius of every value, with an allowance for
 * cross products whose sign is hidden by rounding. Derivation:
 * docs/theory/without_replacement.md, section 5.
 */
#include "cumulant_projection.h"

#include <stdlib.h>

#include "num/ends.h"

struct projection {
    double *x;
    ball *k; /* midpoints */
    size_t n;
    double slack; /* the largest radius, and 2^-90 of the largest size */
};

/* Whether b lies on or above the chord from a to c. */
static bool is_above(double xa, ball ka, double xb, ball kb, double xc, ball kc)
{
    ball left = ball_mul(ball_sub(kb, ka), ball_sub(ball_of(xc), ball_of(xb)));
    ball right = ball_mul(ball_sub(kc, kb), ball_sub(ball_of(xb), ball_of(xa)));
    return !ball_less(left, right);
}

static void add_point(projection *p, double x, ball k)
{
    while (p->n > 1 && is_above(p->x[p->n - 2], p->k[p->n - 2], p->x[p->n - 1],
                           p->k[p->n - 1], x, k))
        p->n--;
    p->x[p->n] = x;
    p->k[p->n] = k;
    p->n++;
}

dosi_status projection_new(
    projection **out, const double *x, const ball *k, size_t n, dosi_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < n; i++)
        if (!(x[i] >= 0 && x[i] < HUGE_VAL && (i == 0 || x[i] > x[i - 1])) ||
            ball_is_unknown(k[i]) || !(k[i].hi >= 0))
            return dosi_fail(err, DOSI_EINVAL,
                "projection: points must be in increasing order, bounds >= 0");
    projection *p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->x = calloc(n + 1, sizeof *p->x);
        p->k = calloc(n + 1, sizeof *p->k);
    }
    if (p == NULL || p->x == NULL || p->k == NULL) {
        projection_free(p);
        return dosi_fail_memory(err);
    }
    double size = 0, radius = 0;
    add_point(p, 0, ball_of(0));
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0 || ball_is_infinite(k[i]))
            continue;
        size = fmax(size, ball_magnitude(k[i]));
        radius = fmax(radius, k[i].rad);
        add_point(p, x[i], ball_midpoint(k[i]));
    }
    p->slack = round_up(radius + 0x1p-90 * size);
    *out = p;
    return DOSI_OK;
}

void projection_free(projection *p)
{
    if (p == NULL)
        return;
    free(p->x);
    free(p->k);
    free(p);
}

ball projection_at(const projection *p, ball x)
{
    double last = p->x[p->n - 1], at = ball_mid(x);
    if (ball_is_zero(x))
        return x;
    if (!(ball_lower(x) >= 0 && ball_upper(x) <= last))
        return ball_unknown();
    size_t low = 0, high = p->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->x[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    /* a ball x may contain a vertex, where the hull exceeds the chord of
     * the ends */
    if (x.rad > 0 &&
        (ball_lower(x) < p->x[low] || ball_upper(x) > p->x[high])) {
        ball left = projection_at(p, ball_bottom(x));
        ball right = projection_at(p, ball_top(x));
        return ball_hull(left, right); /* convex from 0 up: monotone */
    }
    ball run = ball_sub(ball_of(p->x[high]), ball_of(p->x[low]));
    ball share = ball_div(ball_sub(x, ball_of(p->x[low])), run);
    ball rise = ball_sub(p->k[high], p->k[low]);
    ball value = ball_add(p->k[low], ball_mul(share, rise));
    return ball_widen(value, p->slack);
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
