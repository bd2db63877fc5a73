#include "grid_sums.h"

#include "num/ends.h"

#define U 0x1p-53
#define BLOCK 64

/* All losses as if at their points moved by slack toward the bad side: the
 * threshold moves the other way. */
ball grid_moved_threshold(const grid_total *t, double threshold, bool up)
{
    double most = fmax(fabs((double)t->first),
        fabs((double)t->first + (double)t->n));
    double slack = t->slack + t->offset.rad + t->h.rad * most +
                   0x1p-95 * (fabs(t->offset.hi) + most * t->h.hi);
    slack *= 1 + 0x1p-40;
    return ball_add_d(ball_of(threshold), up ? -slack : slack);
}

static ball gap_at(const grid_total *t, ball threshold, double index)
{
    ball at = ball_add(ball_midpoint(t->offset),
        ball_mul_d(ball_midpoint(t->h), index));
    return ball_midpoint(ball_sub(at, ball_midpoint(threshold)));
}

/* The first index certainly above the threshold, up to what rounds away. */
double grid_index_above(const grid_total *t, ball threshold)
{
    ball x = ball_div(ball_sub(threshold, t->offset), t->h);
    double i = floor(ball_mid(x)) + 1;
    if (gap_at(t, threshold, i - 1).hi > 0)
        i -= 1;
    if (!(gap_at(t, threshold, i).hi > 0))
        i += 1;
    return i;
}

/* What rounds away is summed by itself: n sums err by 2u and n u^2 of the
 * moduli. */
static void add_up(double *sum, double *rest, double x)
{
    dd s = dd_two_sum(*sum, x);
    *sum = s.hi;
    *rest += s.lo;
}

/* One block of at most BLOCK points; e1 and e2 hold good to 130 u. */
static void block_sum(grid_sums *s, const double *y, const double *z, size_t n,
    double e1, double e2, double r1, double r2)
{
    grid_sums b = {0};
    for (size_t j = 0; j < n; j++) {
        double x = e1 * e2, w = e1 - x;
        b.p += y[j] * e1;
        b.q += z[j] * x;
        b.gain += y[j] * w;
        b.size += fabs(y[j]) * e1;
        b.q_size += fabs(z[j]) * x;
        b.p2 += e1 * e1;
        b.q2 += x * x;
        b.gain2 += w * w;
        e1 *= r1;
        e2 *= r2;
    }
    add_up(&s->p, &s->p_rest, b.p);
    add_up(&s->q, &s->q_rest, b.q);
    add_up(&s->gain, &s->gain_rest, b.gain);
    s->size += b.size;
    s->q_size += b.q_size;
    s->p2 += b.p2;
    s->q2 += b.q2;
    s->gain2 += b.gain2;
}

/* From an index on, within the window, against a threshold. */
static grid_sums sums_from(const grid_total *t, const grid_side *side,
    const double *z, double at, ball threshold)
{
    double first = (double)t->first;
    grid_sums s = {0};
    s.is_cut = at < first && side->tail_lo > 0;
    at = fmax(at, first);
    s.log_unit =
        ball_sub(side->log_scale, ball_mul_d(ball_of(t->tilt), at));
    double r1 = ball_mid(ball_exp(ball_of(-t->tilt)));
    double r2 = ball_mid(ball_exp(ball_neg(ball_midpoint(t->h))));
    size_t mask = t->n - 1, begin = (size_t)(uint64_t)(int64_t)at & mask;
    double left = first + (double)t->n - at;
    for (double n = 0; n < left;) {
        double e1 = ball_mid(ball_exp(ball_of(-t->tilt * n)));
        double e2 =
            ball_mid(ball_exp(ball_neg(gap_at(t, threshold, at + n))));
        if (!(e1 > 0x1p-300))
            break;
        size_t from = (begin + (size_t)n) & mask;
        size_t len = (size_t)fmin(BLOCK, left - n);
        len = len < t->n - from ? len : t->n - from;
        block_sum(&s, side->y + from, z + from, len, e1, e2, r1, r2);
        n += (double)len;
    }
    s.p += s.p_rest;
    s.q += s.q_rest;
    s.gain += s.gain_rest;
    return s;
}

grid_sums grid_sums_above(
    const grid_total *t, const grid_side *side, double threshold, bool up)
{
    ball moved = grid_moved_threshold(t, threshold, up);
    return sums_from(t, side, side->y, grid_index_above(t, moved), moved);
}

/* The sum with its errors, from above or from below: rounding of weights and
 * sums (of weights 400 u at most, of 64 terms 64 u, of the blocks 3 u; there
 * are fewer than 2^24, whose sum errs by 2^-29 in size^ alone), the transform,
 * and what was wrapped:
 * what lies above the window is missing, what lies on either side may have
 * been added where it does not belong. */
double grid_sum_end(const grid_sums *s, const grid_side *side, double value,
    double square, bool up)
{
    double e = 512 * U * s->size + 0x1p-250;
    e += side->error * sqrt(square) * (1 + 0x1p-20);
    e += side->tail_hi + (up ? 0 : side->tail_lo);
    e *= 1 + 0x1p-20;
    return up ? round_up(value + e) : round_down(value - e);
}

/* log of mass at +inf plus unit times sum. */
ball grid_log_with_inf(double inf, ball log_unit, double sum)
{
    ball log_sum = sum > 0 ? ball_add(ball_log(ball_of(sum)), log_unit)
                           : ball_of(-HUGE_VAL);
    ball log_inf = inf > 0 ? ball_log(ball_of(inf)) : ball_of(-HUGE_VAL);
    if (!(sum > 0))
        return log_inf;
    return inf > 0 ? ball_logaddexp(log_inf, log_sum) : log_sum;
}

/* ---- A test ------------------------------------------------------------ */

/* Points about a threshold among which a test begins. */
#define NEAR 256

double grid_test_start(const grid_total *t, ball threshold)
{
    double ratio = ball_mid(
        ball_exp(ball_sub(t->lo_q.log_scale, t->lo.log_scale)));
    double first = (double)t->first, last = first + (double)t->n - 1;
    double centre = grid_index_above(t, threshold), sum = 0, most = 0;
    double top = fmin(centre + NEAR, last), best = fmax(centre, first);
    size_t mask = t->n - 1;
    for (double i = top; i >= fmax(centre - NEAR, first); i -= 1) {
        size_t j = (size_t)(uint64_t)(int64_t)i & mask;
        double x = exp(-ball_mid(gap_at(t, threshold, i)));
        sum += exp(t->tilt * (top - i)) *
               (t->lo.y[j] - ratio * x * t->lo_q.y[j]);
        if (sum >= most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

/* Rounding of weights and sums, as in grid_sum_end, and the transform. */
static double sums_error(double size, double error, double square)
{
    return (512 * U * size + 0x1p-250 +
               error * sqrt(square) * (1 + 0x1p-20)) *
           (1 + 0x1p-20);
}

grid_tested grid_test_from(const grid_total *t, double at, ball threshold)
{
    grid_tested v;
    v.ratio = ball_exp(ball_sub(t->lo_q.log_scale, t->lo.log_scale));
    v.s = sums_from(t, &t->lo, t->lo_q.y, at, threshold);
    v.p = v.s.p - sums_error(v.s.size, t->lo.error, v.s.p2);
    v.p = round_down(round_down(v.p - t->lo.tail_hi) - t->lo.tail_lo);
    v.q = round_up(
        v.s.q + sums_error(v.s.q_size, t->lo_q.error, v.s.q2));
    return v;
}
