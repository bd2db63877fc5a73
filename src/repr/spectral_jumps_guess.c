/*
 * Roughly epsilon, where rare jumps share in it: a bulk that is nearly
 * Gaussian, and one jump at most beyond it. Where delta is so small, or mu so
 * large, that several jumps may make it, classes of jumps know better.
 */
#include "gaussian.h"
#include "num/special.h"
#include "sampled_gaussian.h"
#include "spectral_jumps.h"
#include "spectral_jumps_plain.h"
#include "spectral_jumps_steer.h"

#define GRID 0.25   /* between nodes */
#define REACH 12    /* of nodes, in deviations */
#define OFTEN 0.3   /* jumps beyond the bulk */
#define SMALL -40.0 /* log delta */
#define LARGE 1.5   /* mu */
#define LEAST_WEIGHT 1e-20
#define NODES 512

/* Z is about N(mean, spread^2) but for a jump. */
typedef struct rough_plan {
    double mean, spread;
    size_t n;
    double loss[NODES], chance[NODES]; /* of jumps */
} rough_plan;

static double normal_sf(double x)
{
    return exp(log_normal_sf_approx(x));
}

/* E[(1 - e^(eps - Z))_+] without a jump. */
static double bulk_delta(const rough_plan *r, double epsilon)
{
    double s = fmax(r->spread, 1e-300), x = (epsilon - r->mean) / s;
    double lost = exp(fmin(epsilon - r->mean + s * s / 2, 700.0));
    return fmax(normal_sf(x) - lost * normal_sf(x + s), 0);
}

static double rough_delta(const rough_plan *r, double epsilon)
{
    double sum = bulk_delta(r, epsilon);
    for (size_t i = 0; i < r->n; i++)
        sum += r->chance[i] * bulk_delta(r, epsilon - r->loss[i]);
    return sum;
}

/* From the far end down, until jumps are no longer rare. */
static void add_part(rough_plan *r, const spectral_part *from, double often)
{
    jump_part p = jump_part_of(from);
    double chance = 0, first = 0, second = 0, mass = 0;
    for (double x = p.removed * p.mu + REACH; x > -REACH; x -= GRID) {
        jump_point at = jump_point_at(&p, x);
        double l = at.loss;
        double weight =
            GRID * 0.3989422804 * exp(l + at.log_b - x * x / 2);
        chance += p.count * weight;
        if (weight < LEAST_WEIGHT)
            continue;
        if (chance < often && r->n < NODES) {
            r->loss[r->n] = l;
            r->chance[r->n++] = p.count * weight;
        } else {
            mass += weight;
            first += weight * l;
            second += weight * l * l;
        }
    }
    double mean = first / mass;
    r->mean += p.count * mean;
    r->spread += p.count * fmax(second / mass - mean * mean, 0);
}

static void make_rough(rough_plan *r, const spectral_parts *parts)
{
    double plain = jump_plain_of(parts).rough;
    *r = (rough_plan){.mean = plain / 2, .spread = plain};
    for (size_t i = 0; i < parts->n; i++)
        if (!jump_is_plain(&parts->items[i]))
            add_part(r, &parts->items[i], OFTEN / (double)parts->n);
    r->spread = sqrt(r->spread);
}

/* Where a record is sampled less often than this in all, one contour is longer
 * than those of jumps; and more often where mu is large. */
#define FEW 0.15
#define FEW_LARGE 0.35
#define MU_LARGE 1.6
#define MUCH_NOISE 0.25 /* beside them, whose contour is short */
#define FEW_HUGE 6
#define MU_HUGE 2.9
#define FEW_TINY 15 /* at a rate that is tiny */
#define RATE_TINY 5e-5

/* And where losses deviate by less at smaller rates. */
static bool is_narrow(double mu, double rate, double variance)
{
    if (mu > 1.1)
        return (rate < 0.0005 && variance < (mu > 1.5 ? 0.008 : 0.03)) ||
               (rate < 0.0025 && variance < 0.003 && mu < 1.3);
    return (rate < 0.006 && variance < 0.006) ||
           (rate < 0.0025 && variance < 0.02);
}

bool spectral_jumps_are_rare(const spectral_parts *parts)
{
    double sampled = 0, mu = 0, rate = 0;
    double variance = jump_plain_of(parts).rough;
    if (!spectral_can_jump(parts) || variance > MUCH_NOISE)
        return false;
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        if (jump_is_plain(p))
            continue;
        jump_part one = jump_part_of(p);
        double q = (one.removed + one.added) * one.q, m = one.mu;
        sampled += p->count * q;
        variance += jump_rough_variance(&one);
        mu = fmax(mu, m);
        rate = fmax(rate, q);
    }
    double few = mu > MU_LARGE ? FEW_LARGE : FEW;
    if (mu > MU_HUGE)
        few = rate < RATE_TINY ? FEW_TINY : FEW_HUGE;
    return sampled < few || is_narrow(mu, rate, variance);
}

/* log delta of one run. */
static double log_one(const spectral_part *p, double epsilon)
{
    if (p->split == NULL)
        return ball_mid(sampled_gaussian_log_delta(SAMPLED_MIXTURE_FIRST,
            p->law->rate, p->law->parameter, ball_of(epsilon)));
    jump_part part = jump_part_of(p);
    double x = jump_where(&part, epsilon);
    double log_p = jump_rough_p(&part, x, 0);
    return log_p +
           log(-expm1(epsilon + jump_rough_q(&part, x, 0) - log_p));
}

/* Of the rough plan where it is not small, or of the sum of all runs'
 * profiles, or of what is not sampled. */
static double log_delta_of(
    const rough_plan *r, const spectral_parts *parts, double epsilon)
{
    double sum = log(rough_delta(r, epsilon));
    double plain = jump_plain_of(parts).rough;
    if (!(sum > SMALL))
        sum = -HUGE_VAL;
    if (plain > 0)
        sum = fmax(sum, ball_mid(gauss_log_delta(
                            ball_of(sqrt(plain)), ball_of(epsilon))));
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        if (jump_is_plain(p))
            continue;
        sum = fmax(sum, log(p->count) + log_one(p, epsilon)); /* not NaN */
    }
    return sum;
}

#define NEAR 1.05

double spectral_jumps_fall(
    double *fall, const spectral_parts *parts, double epsilon)
{
    rough_plan r;
    make_rough(&r, parts);
    double at = log_delta_of(&r, parts, epsilon);
    *fall = (at - log_delta_of(&r, parts, NEAR * epsilon)) / log(NEAR);
    return at;
}

double spectral_jumps_log_delta(const spectral_parts *parts, double epsilon)
{
    rough_plan r;
    make_rough(&r, parts);
    return log_delta_of(&r, parts, epsilon);
}

/* Whoever asks is told in the end: spectral_whole. */
static void note(const spectral_parts *parts, bool no_memory)
{
    if (no_memory)
        parts->items[0].sketch.no_memory = true;
}

double spectral_jumps_estimate(const spectral_parts *parts, double epsilon)
{
    bool no_memory;
    double bulk = jump_estimate_log_delta(parts, epsilon, &no_memory);
    note(parts, no_memory);
    return fmin(fmax(bulk, spectral_jumps_log_delta(parts, epsilon)), 0);
}

#define LEAST 0.05 /* of the spread */
#define BULK_SHARE 0.7
#define NEAR_ZERO 0.3 /* of a deviation: saddles say little of such */

/* By bisection of log eps. */
double spectral_jumps_guess(const spectral_parts *parts, double log_delta)
{
    rough_plan r;
    bool no_memory;
    make_rough(&r, parts);
    double a = fmax(log(LEAST * r.spread), -40), b = 8; /* no NaN */
    double plain = jump_plain_of(parts).rough;
    double variance = plain;
    bool is_small = log_delta < SMALL, is_large = false, is_far = plain == 0;
    if (plain > 0)
        b = fmax(b, log(plain - 2 * log_delta) + 1);
    for (size_t i = 0; i < parts->n; i++) {
        if (jump_is_plain(&parts->items[i]))
            continue;
        jump_part one = jump_part_of(&parts->items[i]);
        double mu = one.mu;
        variance += jump_rough_variance(&one);
        is_large = is_large || mu > LARGE;
        is_far = is_far && mu > JUMP_FAR_MU;
    }
    while (b - a > (is_small ? 0.2 : 0.04)) {
        double x = (a + b) / 2, epsilon = exp(x);
        double there = is_small ? log_delta_of(&r, parts, epsilon)
                                : log(rough_delta(&r, epsilon));
        *(there > log_delta ? &a : &b) = x;
    }
    is_large = is_large && exp(b) > NEAR_ZERO * sqrt(variance);
    if (!is_small && !is_large)
        return exp((a + b) / 2);
    double bulk = 0;
    if (!is_far)
        bulk = gauss_epsilon(ball_of(r.spread), ball_of(log_delta)).hi;
    double epsilon = jump_estimate_epsilon(
        parts, fmax(exp(a), BULK_SHARE * bulk), log_delta, &no_memory);
    note(parts, no_memory);
    return epsilon;
}
