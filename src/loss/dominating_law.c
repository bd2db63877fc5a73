/*
 * A dominating pair from upper bounds of a symmetric privacy profile at points:
 * the lower convex hull of the points in e^eps, continued by symmetry.
 * Derivation: docs/theory/sampling.md, section 8.
 */
#include "dominating_law.h"

#include <stdlib.h>

/* The slope from a to b in x = e^eps, in doubles: it selects vertices and
 * certifies nothing. */
static double slope_approx(const profile_point *a, const profile_point *b)
{
    double run = exp(a->eps) * expm1(b->eps - a->eps);
    return (b->delta - a->delta) / run;
}

/* The chord from 1/x to x is (x - 1 + 2 h)/(x + 1) at 1; the profile, which is
 * convex, lies below it. */
static double chord_at_one(const profile_point *p)
{
    ball up = ball_expm1(ball_of(p->eps));
    ball h2 = ball_scale2(ball_of(p->delta), 1);
    return ball_upper(ball_div(ball_add(up, h2), ball_add_d(up, 2)));
}

/* Keeps certain vertices of the lower convex hull. Every selection of points
 * that has the first one gives a valid bound: a convex profile lies below the
 * chords of any points above it. */
static size_t hull(profile_point *p, size_t n)
{
    size_t m = 0;
    for (size_t i = 1; i < n; i++)
        p[0].delta = fmin(p[0].delta, chord_at_one(&p[i]));
    for (size_t i = 0; i < n; i++) {
        while (m >= 2 && !(slope_approx(&p[m - 1], &p[i]) * (1 + 1e-13) >
                             slope_approx(&p[m - 2], &p[m - 1])))
            m--;
        p[m++] = p[i];
    }
    while (m > 2 && p[m - 1].delta >= p[m - 2].delta)
        m--; /* beyond, the last value holds: delta never rises */
    return m;
}

/* The slope (h_j - h_(j-1))/(x_j - x_(j-1)). */
static ball slope(const profile_point *from, const profile_point *to)
{
    ball length = ball_expm1(ball_sub(ball_of(to->eps), ball_of(from->eps)));
    ball run = ball_mul(ball_exp(ball_of(from->eps)), length);
    return ball_div(
        ball_sub(ball_of(to->delta), ball_of(from->delta)), run);
}

/*
 * At x = 1 the slope jumps from ((h_0 - 1) x_1 + 1 - h_1)/(x_1 - 1), that of
 * the mirrored chord, to (h_1 - h_0)/(x_1 - 1): by
 *
 *     1 - (h_0 (x_1 + 1) - 2 h_1)/(x_1 - 1).
 */
static ball jump_at_one(const profile_point *p)
{
    ball up = ball_expm1(ball_of(p[1].eps));
    ball h0 = ball_of(p[0].delta), h1 = ball_of(p[1].delta);
    ball more = ball_sub(
        ball_mul(h0, ball_add_d(up, 2)), ball_scale2(h1, 1));
    return ball_sub(ball_of(1), ball_div(more, up));
}

/* Raises a bound until the jump at 1 is certainly positive: after hull it is at
 * least 0 up to rounding. */
static void raise_until_positive(profile_point *p)
{
    double up = expm1(p[1].eps);
    for (int i = 0; i < 60 && !ball_is_positive(jump_at_one(p)); i++)
        p[1].delta += ldexp(up + p[1].delta, i - 53);
}

typedef struct atom_list {
    size_t n;
    ball *at, *log_mass;
    ball lost; /* mass at +inf */
} atom_list;

/* Adds an atom. The hull is strict and the jump at 1 positive, so that masses
 * are positive or exactly 0. Near underflow the sign is uncertain: then the
 * upper bound of the mass counts at +inf, which lowers no delta. */
static void list_add(atom_list *l, ball at, ball mass)
{
    if (!ball_is_positive(mass)) {
        l->lost = ball_add_d(l->lost, fmax(ball_upper(mass), 0));
        return;
    }
    l->at[l->n] = at;
    l->log_mass[l->n++] = ball_log(mass);
}

/*
 * Makes the atoms of H(x) = h_last + sum q_j (x_j - x)_+ with q_j the jump of
 * the slope at x_j: Q has q_j there and P x_j q_j; the mirror image has P-mass
 * q_j at -eps_j.
 */
static void fill(atom_list *l, const profile_point *p, size_t m)
{
    ball right = ball_of(0);
    for (size_t j = m - 1; j > 0; j--) {
        ball left = slope(&p[j - 1], &p[j]);
        ball q = ball_sub(right, left), eps = ball_of(p[j].eps);
        list_add(l, eps, ball_mul(q, ball_exp(eps)));
        list_add(l, ball_neg(eps), q);
        right = left;
    }
    list_add(l, ball_of(0), jump_at_one(p));
}

dosi_status dominating_law_make(
    finite_law **out, profile_point *points, size_t n, dosi_error *err)
{
    *out = NULL;
    size_t m = hull(points, n);
    atom_list l = {.at = malloc((4 * m + 1) * sizeof(ball))};
    if (l.at == NULL)
        return dosi_fail_memory(err);
    l.log_mass = l.at + 2 * m;
    l.lost = ball_of(points[m - 1].delta);
    raise_until_positive(points);
    fill(&l, points, m);
    dosi_status status =
        finite_from_losses(out, l.at, l.log_mass, l.n, l.lost, l.lost, err);
    free(l.at);
    return status;
}
