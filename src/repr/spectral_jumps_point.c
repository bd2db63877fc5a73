/*
 * One part of a plan at a point: its loss, and what of its noise lies beyond.
 */
#include "spectral_jumps_line.h"

#include "loss_split.h"
#include "num/special.h"

jump_part jump_part_of(const spectral_part *from)
{
    const loss *pair = from->law;
    double q = ball_mid(pair->rate), removed = 1, added = 0;
    if (from->split != NULL) {
        removed = pair->removed;
        added = pair->added;
    }
    return (jump_part){.pair = pair, .count = from->count,
        .mu = ball_mid(pair->parameter), .q = q, .split = from->split,
        .removed = removed, .added = added,
        .keep = (removed - added) * log1p(-q)};
}

/* ---- Losses ------------------------------------------------------------ */

static double loss_of_one(const jump_part *part, double x)
{
    double y = part->mu * x - part->mu * part->mu / 2, q = part->q;
    return y < 300 ? log1p(q * expm1(y)) : y + log(q + (1 - q) * exp(-y));
}

jump_point jump_point_at(const jump_part *part, double x)
{
    if (part->split == NULL)
        return jump_point_of_one(part, x);
    shifts_point a = shifts_at(&part->split->p, part->mu * x);
    shifts_point b = shifts_at(&part->split->q, -part->mu * x);
    return (jump_point){a.log_sum - b.log_sum, a.mean + b.mean, b.log_sum,
        a.var, b.mean};
}

double jump_loss_at(const jump_part *part, double x)
{
    return part->split == NULL ? loss_of_one(part, x)
                               : jump_point_at(part, x).loss;
}

#define FARTHEST 1e6
#define STEPS 100

/* Newton's steps within a bracket; l rises with x. */
static double where_of_many(const jump_part *part, double l)
{
    double a = -1, b = 1, x = 0;
    while (jump_loss_at(part, a) > l && a > -FARTHEST)
        a *= 2;
    while (jump_loss_at(part, b) < l && b < FARTHEST)
        b *= 2;
    for (int i = 0; i < STEPS && b - a > 1e-9 * (1 + fabs(x)); i++) {
        jump_point p = jump_point_at(part, x);
        *(p.loss < l ? &a : &b) = x;
        double last = x;
        x -= (p.loss - l) / (part->mu * p.ratio);
        if (!(x > a && x < b))
            x = (a + b) / 2;
        if (fabs(x - last) < 1e-10 * (1 + fabs(x)))
            break;
    }
    return x;
}

double jump_where(const jump_part *part, double l)
{
    if (part->split != NULL)
        return where_of_many(part, l);
    double y = l < 30 ? log1p(expm1(l) / part->q) : l - log(part->q);
    return y / part->mu + part->mu / 2;
}

double jump_rough_variance(const jump_part *part)
{
    double q = (part->removed + part->added) * part->q;
    return part->count * q * q * expm1(fmin(part->mu * part->mu, 9));
}

/* ---- Masses ------------------------------------------------------------ */

/* log Bin(i; n, q), roughly. */
static double log_chance(const jump_part *part, double n, double i)
{
    return lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) +
           i * log(part->q) + (n - i) * log1p(-part->q);
}

static double rough_tail(const jump_part *part, double n, double shift,
    double a, double more)
{
    double sum = -HUGE_VAL, root = sqrt(1 + more);
    for (double i = 0; i <= n; i++)
        sum = jump_log_add(sum,
            log_chance(part, n, i) +
                log_normal_sf_approx((a - i * shift) / root));
    return sum;
}

double jump_rough_p(const jump_part *part, double a, double more)
{
    return rough_tail(part, part->removed, part->mu, a, more);
}

double jump_rough_q(const jump_part *part, double a, double more)
{
    return rough_tail(part, part->added, -part->mu, a, more);
}

static double end_of(const jump_part *part, double n, double nats)
{
    double end = 0;
    for (double i = 0; i <= n; i++) {
        double left = nats + log_chance(part, n, i);
        if (left > 0)
            end = fmax(end, i * part->mu + sqrt(2 * left));
    }
    return end;
}

double jump_last(const jump_part *part, double nats)
{
    return end_of(part, part->removed, nats);
}

double jump_first(const jump_part *part, double nats)
{
    return -end_of(part, part->added, nats);
}

double jump_left_q(const jump_part *part, double x)
{
    ball weight[LOSS_MAX_SPLIT + 1], sum = ball_of(0);
    unsigned n = (unsigned)part->added;
    loss_split_weights(weight, n, part->pair->rate);
    for (unsigned j = 0; j <= n; j++) {
        ball moved =
            ball_add_d(ball_mul_d(part->pair->parameter, j), x);
        sum = ball_add(sum, ball_mul(weight[j], ball_normal_cdf(moved)));
    }
    return ball_upper(sum);
}

/* V <= E (1 - E/N), which rises up to E = N/2. */
double jump_four_var(const jump_part *part, double mean_b)
{
    double n = part->added, e = mean_b * (1 + 1e-9);
    if (n == 0)
        return 0;
    return e < n / 2 ? 4 * e * (1 - e / n) : n;
}

double jump_most_lift(
    const jump_part *part, double t, double lift, double mean_b)
{
    double most = part->added;
    if (4 * lift <= t)
        most = fmin(most, 4 * mean_b * (1 + 1e-9));
    return most > 0 ? most * lift : 0;
}

double jump_log_lift(double t, double turn)
{
    if (!(t > 0 && turn > 0))
        return 0;
    return turn < 3.1 ? -t * log(cos(turn / 2)) * (1 + 1e-9) : HUGE_VAL;
}
