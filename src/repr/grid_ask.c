#include "grid_ask.h"

#include "num/ends.h"

#define U 0x1p-53
#define BLOCK 64

/*
 * Sums over the points above a threshold, of index at and more:
 *
 *     p = sum y e1,   q = sum y e1 e2,   e1 = e^(-tilt n), e2 = e^(-gap-n h)
 *
 * n counting from at, gap > 0 the distance of that point to the threshold.
 * In units of exp(log_scale - tilt at) they are the P-mass above it, and
 * e^threshold times the Q-mass.
 */
typedef struct sums {
    double p, q, gain; /* gain = sum y e1 (1 - e2) */
    double size;       /* >= sum |y| e1 */
    double p2, gain2;  /* >= sums of e1^2 and (e1 (1 - e2))^2 */
    ball log_unit;
    bool is_cut; /* points below the window would count as well */
} sums;

/* All losses as if at their points moved by slack toward the bad side: the
 * threshold moves the other way. */
static ball moved_threshold(const grid_total *t, double threshold, bool up)
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
static double index_above(const grid_total *t, ball threshold)
{
    ball x = ball_div(ball_sub(threshold, t->offset), t->h);
    double i = floor(ball_mid(x)) + 1;
    if (gap_at(t, threshold, i - 1).hi > 0)
        i -= 1;
    if (!(gap_at(t, threshold, i).hi > 0))
        i += 1;
    return i;
}

/* One block of at most BLOCK points; e1 and e2 hold good to 130 u. */
static void block_sum(sums *s, const double *y, size_t n, double e1,
    double e2, double r1, double r2)
{
    double p = 0, q = 0, gain = 0, size = 0, p2 = 0, gain2 = 0;
    for (size_t j = 0; j < n; j++) {
        double w = e1 - e1 * e2;
        p += y[j] * e1;
        q += y[j] * (e1 * e2);
        gain += y[j] * w;
        size += fabs(y[j]) * e1;
        p2 += e1 * e1;
        gain2 += w * w;
        e1 *= r1;
        e2 *= r2;
    }
    s->p += p;
    s->q += q;
    s->gain += gain;
    s->size += size;
    s->p2 += p2;
    s->gain2 += gain2;
}

static sums sums_above(
    const grid_total *t, const grid_side *side, double threshold, bool up)
{
    ball moved = moved_threshold(t, threshold, up);
    double at = index_above(t, moved), first = (double)t->first;
    sums s = {0};
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
            ball_mid(ball_exp(ball_neg(gap_at(t, moved, at + n))));
        if (!(e1 > 0x1p-300))
            break;
        size_t from = (begin + (size_t)n) & mask;
        size_t len = (size_t)fmin(BLOCK, left - n);
        len = len < t->n - from ? len : t->n - from;
        block_sum(&s, side->y + from, len, e1, e2, r1, r2);
        n += (double)len;
    }
    return s;
}

/* The sum with its errors, from above or from below: rounding of weights and
 * sums (each block sums 64 terms; there are fewer than 2^24 blocks, whose
 * sum errs by 2^-29 in size^ alone), the transform, and what was wrapped:
 * what lies above the window is missing, what lies on either side may have
 * been added where it does not belong. */
static double sum_end(const sums *s, const grid_side *side, double value,
    double square, size_t n, bool up)
{
    double blocks = (double)n / BLOCK + 4;
    double e = (512 + blocks) * U * s->size + 0x1p-250;
    e += side->error * sqrt(square) * (1 + 0x1p-20);
    e += side->tail_hi + (up ? 0 : side->tail_lo);
    e *= 1 + 0x1p-20;
    return up ? round_up(value + e) : round_down(value - e);
}

/* log of mass at +inf plus unit times sum. */
static ball log_with_inf(double inf, ball log_unit, double sum)
{
    ball log_sum = sum > 0 ? ball_add(ball_log(ball_of(sum)), log_unit)
                           : ball_of(-HUGE_VAL);
    ball log_inf = inf > 0 ? ball_log(ball_of(inf)) : ball_of(-HUGE_VAL);
    if (!(sum > 0))
        return log_inf;
    return inf > 0 ? ball_logaddexp(log_inf, log_sum) : log_sum;
}

/* A certain end of log delta, and roughly how fast it falls in epsilon. */
static double delta_end(
    const grid_total *t, double epsilon, bool up, double *slope)
{
    const grid_side *side = up ? &t->up : &t->lo;
    sums s = sums_above(t, side, epsilon, up);
    double sum = sum_end(&s, side, s.gain, s.gain2, t->n, up);
    ball v = log_with_inf(side->inf, s.log_unit, sum);
    *slope = s.q > 0 ? exp(log(s.q) + ball_mid(s.log_unit) - ball_mid(v)) : 0;
    if (!up) /* at least 1 - e^epsilon, which counts below 0 */
        return epsilon < 0
                   ? fmax(ball_lower(v),
                         ball_lower(ball_log1mexp(ball_of(epsilon))))
                   : ball_lower(v);
    return s.is_cut ? 0 : fmin(ball_upper(v), 0);
}

dosi_interval grid_ask_log_delta(const grid_total *total, double epsilon)
{
    double slope;
    dosi_interval v;
    v.hi = delta_end(total, epsilon, true, &slope);
    double lo = delta_end(total, epsilon, false, &slope);
    /* more than rounding above the other end: nothing is certain below */
    v.lo = lo <= v.hi + 1e-9 ? fmin(lo, v.hi) : -HUGE_VAL;
    return v;
}

/* ---- Epsilon ----------------------------------------------------------- */

/*
 * Newton's steps on delta as a function of x = e^epsilon, which is convex and
 * falls: from any point they lead to the left of the root, and from there
 * rise toward it. The aim is a value just on the certain side of the target;
 * an epsilon counts when its delta is certainly small (large) enough,
 * whatever led to it.
 */
static double epsilon_end(
    const grid_total *t, double target, double guess, bool up)
{
    double best = up ? HUGE_VAL : 0, slope = 0;
    double margin = 4e-14 * (1 + fabs(target));
    double x = fmax(guess, 0), left = 0, right = HUGE_VAL;
    for (int i = 0; i < 60; i++) {
        double over = delta_end(t, x, up, &slope) - target;
        bool counts = up ? over <= 0 : over > 0;
        if (counts)
            best = up ? fmin(best, x) : fmax(best, x);
        if (counts && (fabs(over) <= 4 * margin || (up && x == 0)))
            break;
        if (over > 0)
            left = fmax(left, x);
        else
            right = fmin(right, x);
        if ((!counts && !up && x == 0) ||
            (right < HUGE_VAL && right - left <= 1e-15 * right))
            break;
        double aim = over + (up ? margin : -margin);
        double next = x + log1p(-expm1(-aim) / slope);
        if (!(next >= left && next <= right) || next == x)
            next = right < HUGE_VAL ? (left + right) / 2 : 2 * x + t->h.hi;
        x = next;
        if (!(x < 1e6))
            break;
    }
    return best;
}

dosi_interval grid_ask_epsilon(
    const grid_total *total, ball log_delta, double guess)
{
    dosi_interval target = ball_interval(log_delta);
    double log_inf = total->lo.inf > 0
                         ? ball_lower(ball_log(ball_of(total->lo.inf)))
                         : -HUGE_VAL;
    if (log_inf > target.hi)
        return (dosi_interval){HUGE_VAL, HUGE_VAL};
    dosi_interval v;
    v.hi = epsilon_end(total, target.lo, guess, true);
    v.lo = epsilon_end(total, target.hi, guess, false);
    return (dosi_interval){fmin(v.lo, v.hi), v.hi};
}

/* ---- Trade-off --------------------------------------------------------- */

/* P[S > s] + P[+inf] and Q[S > s] of the law from below, their safe ends. */
typedef struct test_point {
    double p_lower, q_upper;
} test_point;

static test_point test_at(const grid_total *t, double s)
{
    const grid_side *side = &t->lo;
    sums above = sums_above(t, side, s, false);
    double p = sum_end(&above, side, above.p, above.p2, t->n, false);
    double q = sum_end(&above, side, above.q, above.p2, t->n, false);
    q = above.q + (above.q - q); /* the same errors upward */
    ball log_p = log_with_inf(side->inf, above.log_unit, p);
    ball log_q = ball_of(-HUGE_VAL);
    if (q > 0)
        log_q = ball_sub_d(
            ball_add(ball_log(ball_of(q * (1 + 0x1p-50))), above.log_unit),
            s);
    double most = ball_upper(ball_exp(log_q));
    /* moved losses: Q-masses grow by as much */
    double slack = ball_upper(ball_exp(ball_of(4 * t->slack + 0x1p-60)));
    return (test_point){fmax(ball_lower(ball_exp(log_p)), 0),
        above.is_cut ? 1 : fmin(round_up(most * slack), 1)};
}

/* Tests change between points alone: thresholds in the middle. */
static double between_points(const grid_total *t, double index)
{
    return ball_mid(ball_add(
        t->offset, ball_mul_d(t->h, index + 0.5)));
}

/* By the threshold tests next to the one with Q[reject] = alpha, mixed:
 * accept with 1 - (share p + (1 - share) p'). */
static double attained(const grid_total *t, double alpha)
{
    double best = round_up(1 - alpha);
    double lo = (double)t->first - 1, hi = lo + (double)t->n + 1;
    test_point inside = test_at(t, between_points(t, hi));
    test_point outside = test_at(t, between_points(t, lo));
    if (inside.q_upper > alpha)
        return best;
    while (hi - lo > 1) {
        double mid = floor((lo + hi) / 2);
        test_point at = test_at(t, between_points(t, mid));
        if (at.q_upper <= alpha) {
            hi = mid;
            inside = at;
        } else {
            lo = mid;
            outside = at;
        }
    }
    ball gain = ball_of(inside.p_lower);
    if (outside.q_upper > alpha && outside.q_upper > inside.q_upper) {
        double share = (alpha - inside.q_upper) /
                       (outside.q_upper - inside.q_upper) * (1 - 0x1p-48);
        ball more = ball_sub_d(ball_of(outside.p_lower), inside.p_lower);
        gain = ball_add(gain, ball_mul_d(more, fmax(share, 0)));
    }
    return fmin(best, ball_upper(ball_sub(ball_of(1), gain)));
}

/* 1 - delta(eps) - e^eps alpha, from the law from above. */
static double guaranteed(const grid_total *t, double alpha, double s)
{
    double slope;
    ball delta = ball_exp(ball_of(delta_end(t, s, true, &slope)));
    ball cost = ball_mul_d(ball_exp(ball_of(s)), alpha);
    ball v = ball_sub(ball_sub(ball_of(1), delta), cost);
    return fmax(ball_lower(v), 0);
}

/* The loss of a point, toward the side where its own atom still counts as
 * not above it. */
static double point_loss(const grid_total *t, double index)
{
    return ball_mid(ball_add(t->offset, ball_mul_d(t->h, index)));
}

dosi_interval grid_ask_tradeoff(
    const grid_total *total, double alpha, double guess)
{
    /* concave in e^s, with its maximum at a point: any s is valid */
    double h = ball_mid(total->h);
    double at = round((guess - ball_mid(total->offset)) / h);
    double best = guaranteed(total, alpha, point_loss(total, at));
    double step = exp2(ceil(log2((double)total->n / 8)));
    for (int i = 0; i < 400 && step >= 1; i++) {
        double right =
            guaranteed(total, alpha, point_loss(total, at + step));
        if (right > best) {
            best = right;
            at += step;
            continue;
        }
        double left =
            guaranteed(total, alpha, point_loss(total, at - step));
        if (left > best) {
            best = left;
            at -= step;
        } else {
            step /= 2;
        }
    }
    double most = attained(total, alpha);
    return (dosi_interval){fmin(best, most), most};
}
