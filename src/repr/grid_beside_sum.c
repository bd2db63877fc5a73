/*
 * Sums over atoms and points of the profile that a table knows, with their
 * errors.
 */
#include "grid_beside.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "grid_sums.h"

#define U 0x1p-53

/* Of exponents of the weights, so that no product of them overflows. */
#define MAX_EXPONENT 650.0

/* Of atoms and points, some 25 ms a sum. */
#define MAX_PAIRS 1e6

/* Points serve epsilons from this share of the last one on. */
#define NEARBY 0.9

/* ---- What lies on the lattice ------------------------------------------ */

static bool make_room(beside_points *p, size_t n, bool with_q)
{
    double *at = realloc(p->weight, (with_q ? 7 : 4) * n * sizeof *at);
    if (at == NULL)
        return false;
    p->n = n;
    p->with_q = with_q;
    p->weight = at;
    p->masses[0] = at + n;
    p->masses[1] = at + 2 * n;
    p->sums = at + 3 * n;
    if (with_q) {
        p->masses[2] = at + 4 * n;
        p->paid[0] = at + 5 * n;
        p->paid[1] = at + 6 * n;
    }
    return true;
}

static void load_nothing(beside_points *p)
{
    p->first = p->h = p->slack = 0;
    p->weight[0] = p->masses[0][0] = p->masses[1][0] = 1;
    for (int i = 0; i < 2; i++) {
        p->log_unit[i] = ball_of(0);
        p->error[i] = p->tail_lo[i] = p->tail_hi[i] = p->inf[i] = 0;
    }
}

static void load_masses(beside_points *p, int i, const grid_total *t,
    const double *y, double ratio)
{
    size_t mask = t->n - 1;
    int64_t first = t->first + (int64_t)p->from;
    for (size_t j = 0; j < p->n; j++) {
        size_t k = (size_t)(uint64_t)(first + (int64_t)j) & mask;
        p->masses[i][j] = ratio * y[k] * p->weight[j];
    }
}

static void load_side(beside_points *p, int i, const grid_total *t,
    const grid_side *side, double centre)
{
    p->log_unit[i] =
        ball_sub(side->log_scale, ball_mul_d(ball_of(t->tilt), centre));
    p->error[i] = side->error;
    p->tail_lo[i] = side->tail_lo;
    p->tail_hi[i] = side->tail_hi;
    p->inf[i] = side->inf;
    load_masses(p, i, t, side->y, 1);
}

/* In the unit of the side from below. Where units are too far apart nothing is
 * known of what tests pay. */
static void load_q(beside_points *p, const grid_total *t)
{
    double ratio = ball_upper(
        ball_exp(ball_sub(t->lo_q.log_scale, t->lo.log_scale)));
    bool is_known = ratio > DBL_MIN && ratio < HUGE_VAL;
    p->error[2] =
        is_known ? t->lo_q.error * ratio * (1 + 0x1p-40) : HUGE_VAL;
    load_masses(p, 2, t, t->lo_q.y, is_known ? ratio : 0);
}

/* Points that may have mass and matter: what was wrapped to others, from below
 * the window, does not belong there, and what is far below does not count at
 * epsilons near the last one. */
static size_t choose_points(beside_points *p, const grid_beside *b,
    const grid_total *t)
{
    double n = fmin(t->last - (double)t->first + 1, (double)t->n);
    double least = grid_beside_least(b, NEARBY * b->epsilon);
    double from = (least - ball_mid(t->offset)) / ball_mid(t->h) -
                  (double)t->first;
    p->from = (size_t)fmax(fmin(floor(from), n - 1), 0);
    return (size_t)fmax(n - (double)p->from, 1);
}

dosi_status grid_beside_load(
    grid_beside *b, const grid_total *total, dosi_error *err)
{
    beside_points *p = &b->points;
    p->from = 0;
    size_t n = total != NULL ? choose_points(p, b, total) : 1;
    if (!make_room(p, n, total != NULL && total->lo_q.y != NULL))
        return dosi_fail_memory(err);
    if (total == NULL) {
        load_nothing(p);
        return DOSI_OK;
    }
    double half = floor((double)n / 2);
    double first = (double)total->first + (double)p->from;
    if (!(total->tilt * half < MAX_EXPONENT) ||
        (double)n * (double)b->finite.n > MAX_PAIRS)
        return dosi_fail(err, DOSI_EUNABLE, "grid: not beside others");
    for (size_t i = 0; i < n; i++)
        p->weight[i] = exp(total->tilt * (half - (double)i));
    load_side(p, 0, total, &total->up, first + half);
    load_side(p, 1, total, &total->lo, first + half);
    if (p->with_q)
        load_q(p, total);
    ball at = ball_add(total->offset, ball_mul_d(total->h, first));
    p->first = ball_mid(at);
    p->h = ball_mid(total->h);
    p->slack = total->slack + at.rad + total->h.rad * (double)n +
               U * (fabs(p->first) + p->h * (double)n);
    return DOSI_OK;
}

/* ---- Sums -------------------------------------------------------------- */

/* What tests pay of one atom at a point, added up, and by what that is not
 * known. */
static double add_paid(const grid_beside *b, const rare_atom *a, size_t i,
    size_t interval, double x)
{
    const beside_points *p = &b->points;
    dosi_interval paid = profile_table_paid(b->table, interval, x);
    p->paid[0][i] += a->lo * paid.lo;
    p->paid[1][i] += a->hi * paid.hi;
    return a->hi * (paid.hi - paid.lo) *
           fabs(p->masses[1][i] - p->masses[2][i]);
}

/* Values of one atom at all points, added up. The threshold is moved by as
 * much as losses, and sums of them, may be off. */
static void add_atom(const grid_beside *b, const rare_atom *a,
    double epsilon, bool up, double *fall, double *share, size_t *near)
{
    const beside_points *p = &b->points;
    double top = p->h * (double)p->n;
    double off = a->rad + p->slack +
                 16 * U * (fabs(epsilon) + fabs(a->at) + fabs(p->first) + top);
    double start = epsilon - a->at - p->first + (up ? -off : off);
    double mass = up ? a->hi : a->lo;
    const double *masses = p->masses[up ? 0 : 1];
    double noise = p->error[up ? 0 : 1];
    size_t interval = *near;
    for (size_t i = 0; i < p->n; i++) {
        double x = start - p->h * (double)i;
        interval = profile_table_find(b->table, interval, x);
        profile_value v = profile_table_at(b->table, interval, x);
        p->sums[i] += mass * (up ? v.hi : v.lo);
        *fall += mass * masses[i] * v.fall;
        if (i == 0)
            *near = interval;
        double open = p->with_q ? add_paid(b, a, i, interval, x) : 0;
        if (share != NULL) /* of what is there, and of what may be */
            share[interval] += open +
                               mass * (v.hi - v.lo) *
                                   (fabs(masses[i]) + noise * p->weight[i]);
    }
}

typedef struct beside_sum {
    double value; /* in the unit: a certain end */
    double fall;  /* roughly -d value/d epsilon */
    double below; /* besides, by itself: mass below the window */
    double most;  /* the greatest weight */
    double error; /* that is in value */
} beside_sum;

/* With Q's masses apart the best tests of the profile reject: what they gain
 * by it at point i, at least, beside y_i delta_B; adds to the size of all
 * terms. */
static double gain_by_test(const beside_points *p, size_t i, double *size)
{
    double y = p->masses[1][i], z = p->masses[2][i];
    *size += (fabs(y) + fabs(z)) * p->paid[1][i];
    return fmin((y - z) * p->paid[0][i], (y - z) * p->paid[1][i]);
}

/*
 * sum of masses times sums, and what they err by: each product by less than
 * 2^-36 of its size, all exponentials being good to 2^-40, and their sum by a
 * unit for each; what underflows by 2^-900; the transform by its error times
 * the l2-norm of the weights; what lies outside the window may have been added
 * where it does not belong, or is missing.
 */
static beside_sum sum_up(
    const grid_beside *b, double epsilon, bool up, double *share)
{
    const beside_points *p = &b->points;
    int side = up ? 0 : 1;
    beside_sum s = {0, 0, 0, 0, 0};
    bool tested = !up && p->with_q;
    double size = 0, square = 0, all = 0; /* square: over most^2 */
    size_t near = profile_table_intervals(b->table) - 1;
    memset(p->sums, 0, p->n * sizeof *p->sums);
    for (int j = 0; j < 2 && p->with_q; j++)
        memset(p->paid[j], 0, p->n * sizeof *p->paid[j]);
    for (size_t i = 0; i < b->finite.n; i++) {
        add_atom(
            b, &b->finite.list[i], epsilon, up, &s.fall, share, &near);
        all += b->finite.list[i].hi;
    }
    for (size_t i = 0; i < p->n; i++) {
        s.value += p->masses[side][i] * p->sums[i];
        size += fabs(p->masses[side][i]) * p->sums[i];
        if (tested) {
            s.value += gain_by_test(p, i, &size);
            p->sums[i] += p->paid[1][i]; /* what a mass may count for */
        }
        s.most = fmax(s.most, p->weight[i] * p->sums[i]);
    }
    for (size_t i = 0; i < p->n && s.most > 0; i++) {
        double w = p->weight[i] * p->sums[i] / s.most;
        square += w * w;
    }
    double e = (0x1p-36 + 2 * U * (double)(p->n + b->finite.n)) * size;
    double error = p->error[side] + (tested ? p->error[2] : 0);
    e += error * s.most * sqrt(square) * (1 + 0x1p-20) + 0x1p-900;
    if (up) {
        /* above the window delta_B is at most 1; below, what it is at its
         * first point, and the mass there at most 1 */
        e += p->tail_hi[side] * p->weight[p->n - 1] * all;
        if (p->tail_lo[side] > 0 || p->from > 0)
            s.below = p->sums[0] * (1 + 0x1p-30);
    } else {
        e += (p->tail_lo[side] + p->tail_hi[side]) * s.most;
    }
    e *= 1 + 0x1p-20;
    s.error = e;
    s.value = up ? s.value + e : s.value - e;
    return s;
}

/* Of masses at +inf, at most their sum, and no less than the greater. */
static double either(double a, double b, bool up)
{
    return up ? round_up(a + b) : fmax(a, b);
}

static ball log_end(const grid_beside *b, const beside_sum *s, bool up)
{
    int side = up ? 0 : 1;
    double inf = either(b->finite.inf[side], b->points.inf[side], up);
    if (s->below > 0)
        inf = round_up(inf + s->below);
    return grid_log_with_inf(inf, b->points.log_unit[side], s->value);
}

double grid_beside_end(
    const void *of, double epsilon, bool up, double *slope)
{
    const grid_beside *b = of;
    beside_sum s = sum_up(b, epsilon, up, NULL);
    ball v = log_end(b, &s, up);
    double unit = ball_mid(b->points.log_unit[up ? 0 : 1]);
    *slope = s.fall > 0 ? exp(log(s.fall) + unit - ball_mid(v)) : 0;
    if (up)
        return s.value <= DBL_MAX ? fmin(ball_upper(v), 0) : 0;
    return isnan(s.value) ? -HUGE_VAL : ball_lower(v);
}

/* ---- Knots ------------------------------------------------------------- */

/* Parts of an interval; fewer where it is that share of the value, and most of
 * it will not matter. */
#define MAX_PARTS 8
#define COARSE 0.1
#define COARSE_PARTS 3
#define ROUNDS 24

static bool make_shares(grid_beside *b)
{
    size_t n = profile_table_intervals(b->table);
    if (n > b->room) {
        free(b->share);
        free(b->parts);
        b->room = 2 * n;
        b->share = malloc(b->room * sizeof *b->share);
        b->parts = malloc(b->room * sizeof *b->parts);
    }
    if (b->share == NULL || b->parts == NULL) {
        b->room = 0;
        return false;
    }
    memset(b->share, 0, n * sizeof *b->share);
    return true;
}

/* Of what the transform may err by, in delta. */
#define POOR 0.2

/* Roughly delta, and how fast it falls. */
static void look_back(grid_beside *b, const beside_sum *s, double epsilon)
{
    b->epsilon = epsilon;
    b->is_poor = !(s->error < POOR * s->value);
    b->log_delta = log(s->value) + ball_mid(b->points.log_unit[0]);
    if (!b->is_poor)
        b->slope = s->fall / s->value;
}

void grid_beside_look(grid_beside *b, double epsilon)
{
    beside_sum s = sum_up(b, epsilon, true, NULL);
    look_back(b, &s, epsilon);
}

double grid_beside_log_most(const grid_beside *b, double t)
{
    const beside_points *p = &b->points;
    double most = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        double z = p->first + p->h * (double)i;
        most = fmax(most, log(p->sums[i]) - t * z);
    }
    return most - b->log_delta;
}

dosi_status grid_beside_settle(
    grid_beside *b, double epsilon, double share, dosi_error *err)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (!make_shares(b))
            return dosi_fail_memory(err);
        beside_sum s = sum_up(b, epsilon, true, b->share);
        look_back(b, &s, epsilon);
        size_t n = profile_table_intervals(b->table);
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += b->share[j];
        if (!(sum > share * s.value) || work_stopped(b->limits))
            break;
        /* an interval cut into m parts adds 1/m^2 of what it did */
        double each = share * s.value / (double)n;
        for (size_t j = 0; j < n; j++) {
            bool coarse = b->share[j] > COARSE * s.value;
            double m = ceil(sqrt(b->share[j] / each));
            m = fmin(m, coarse ? COARSE_PARTS : MAX_PARTS);
            b->parts[j] = m >= 2 ? (unsigned)m : 1;
        }
        bool added;
        dosi_status status =
            profile_table_split(b->table, b->parts, &added, err);
        if (status != DOSI_OK)
            return status;
        if (!added)
            break;
    }
    return DOSI_OK;
}
