/*
 * Random plans of every shape as text, for tests that ask questions about
 * them. One draw in a few is a corner: a denormal or huge parameter, a rate
 * next to 0 or 1, a count of 2^53, samplers and groups inside each other.
 */
#ifndef DOSI_TESTS_SUPPORT_RANDOM_PLANS_H
#define DOSI_TESTS_SUPPORT_RANDOM_PLANS_H

#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "random.h"

#define PART_BYTES 700
#define PLAN_BYTES 2300

/* Parameters are made worse by this much, while the plan is the same. */
typedef struct plan_worse {
    double noise;  /* scales are multiplied by */
    double losses; /* and losses */
    double rate;
    double count;  /* and this is added to counts */
} plan_worse;

#define PLAN_AS_IT_IS {1, 1, 1, 0}

/* How often a parameter is extreme: one in so many; 0 is never. */
typedef struct plan_source {
    prop_random *rng;
    int extreme_one_in;
    plan_worse worse;
} plan_source;

static inline bool plan_extreme(const plan_source *s)
{
    return s->extreme_one_in > 0 &&
           prop_below(s->rng, s->extreme_one_in) == 0;
}

/* A positive double from the ends of the range. */
static inline double plan_extreme_number(prop_random *r)
{
    static const double ends[] = {0x1p-1074, 1e-320, 1e-310, 0x1p-1022,
        1e-300, 1e-200, 0x1p-511, 1e-100, 1e-30, 0x1p-53, 1e30, 1e100,
        0x1p511, 1e300, DBL_MAX};
    return ends[prop_below(r, (int)(sizeof ends / sizeof *ends))];
}

static inline double plan_corner(
    const plan_source *s, double usual, double rare)
{
    return prop_below(s->rng, 12) == 0 ? rare : usual;
}

/* x times a factor, kept within the positive doubles. */
static inline double plan_times(double x, double factor)
{
    return fmin(fmax(x * factor, 0x1p-1074), DBL_MAX);
}

static inline double plan_same_scale(const plan_source *s)
{
    double usual = prop_scaled(s->rng, -2, 5);
    double rare = prop_scaled(s->rng, -4, -2);
    double x = plan_corner(s, usual, rare);
    return plan_extreme(s) ? plan_extreme_number(s->rng) : x;
}

static inline double plan_scale(const plan_source *s)
{
    return plan_times(plan_same_scale(s), s->worse.noise);
}

static inline double plan_loss(const plan_source *s)
{
    double x = prop_scaled(s->rng, -8, 2);
    if (plan_extreme(s))
        x = plan_extreme_number(s->rng);
    return plan_times(x, s->worse.losses);
}

static inline double plan_small(const plan_source *s)
{
    double x = prop_scaled(s->rng, -40, -4);
    return plan_extreme(s) ? fmin(plan_extreme_number(s->rng), 0.5) : x;
}

static inline double plan_weight(const plan_source *s)
{
    double x = prop_scaled(s->rng, -8, 2);
    return plan_extreme(s) ? fmin(plan_extreme_number(s->rng), 1e300) : x;
}

/* Points of a law: two losses far from each other, with some mass left. */
static inline void plan_leaf_loss(char *text, const plan_source *s)
{
    prop_random *r = s->rng;
    double a = prop_uniform(r, 0.05, 0.9);
    double most = prop_uniform(r, 0.01, 1);
    /* a e^-most + b e^least <= 1 */
    double least = prop_uniform(r, 0, 0.5);
    double b = fmin(1 - a, (1 - a * exp(-most)) * exp(-least)) * 0.99;
    bool inf = prop_below(r, 2) != 0;
    snprintf(text, PART_BYTES, "loss([%.17g, %.17g%s], [%.17g, %.17g%s])",
        -least, most, inf ? ", inf" : "", b, a, inf ? ", 0" : "");
}

static inline void plan_leaf(char *text, const plan_source *s)
{
    prop_random *r = s->rng;
    double x = 0, y = 0, z = 0;
    switch (prop_below(r, 16)) {
    case 0:
    case 1:
        snprintf(text, PART_BYTES, "gaussian(%.17g)", plan_scale(s));
        break;
    case 2:
    case 3:
        snprintf(text, PART_BYTES, "laplace(%.17g)", plan_scale(s));
        break;
    case 4:
        /* on a lattice delta at one epsilon may grow with the noise */
        snprintf(text, PART_BYTES, "discrete_gaussian(%.17g)",
            plan_same_scale(s));
        break;
    case 5:
        snprintf(text, PART_BYTES, "discrete_laplace(%.17g)", plan_scale(s));
        break;
    case 6:
    case 7:
        x = plan_loss(s);
        snprintf(text, PART_BYTES, "rr(%.17g, %d)", x, 2 + prop_below(r, 4));
        break;
    case 8:
        snprintf(text, PART_BYTES, "exponential(%.17g)", plan_loss(s));
        break;
    case 9:
        snprintf(text, PART_BYTES, "pure(%.17g)", plan_loss(s));
        break;
    case 10:
        x = plan_loss(s), y = plan_small(s);
        snprintf(text, PART_BYTES, "approx(%.17g, %.17g)", x, y);
        break;
    case 11:
        x = plan_loss(s), y = plan_small(s);
        snprintf(text, PART_BYTES, "zcdp(%.17g, 0, %.17g)", x,
            prop_below(r, 2) ? 0 : y);
        break;
    case 12:
        snprintf(text, PART_BYTES, "gdp(%.17g)", plan_loss(s));
        break;
    case 13:
        x = 1 + prop_scaled(r, -2, 6), y = plan_loss(s);
        snprintf(text, PART_BYTES, "renyi(%.17g, %.17g)", x, y);
        break;
    case 14:
        plan_leaf_loss(text, s);
        break;
    default:
        x = plan_weight(s), y = plan_weight(s), z = plan_weight(s);
        snprintf(text, PART_BYTES, "pmf(p=[%.17g, %.17g, 1], q=[1, %.17g, %d])",
            x, y, z, prop_below(r, 3));
        break;
    }
}

static inline double plan_rate(const plan_source *s)
{
    double x = prop_below(s->rng, 2) ? prop_uniform(s->rng, 0, 1)
                                     : prop_scaled(s->rng, -12, -1);
    x = plan_corner(s, x, 1e-9);
    if (plan_extreme(s))
        x = prop_below(s->rng, 3) ? fmin(plan_extreme_number(s->rng), 1)
                                  : 1 - 0x1p-53;
    return fmin(plan_times(x, s->worse.rate), 1);
}

/* A sampler that has a theorem under the relation. */
static inline void plan_sampler(char *text, const char *inner,
    const plan_source *s, dosi_neighbours neighbours)
{
    bool replace = neighbours == DOSI_REPLACE;
    double rate = plan_rate(s);
    int which = prop_below(s->rng, replace ? 3 : 6);
    const char *name =
        which == 1 ? "with_replacement" : "without_replacement";
    double most = which == 1 ? 64 : 4096;
    if (replace ? which == 0 : which != 1)
        snprintf(text, PART_BYTES, "poisson(%.17g, %.600s)", rate, inner);
    else
        snprintf(text, PART_BYTES, "%s(%.0f, 4096, %.600s)", name,
            fmin(fmax(floor(4096 * rate), 1), most), inner);
}

/* A mechanism, one in a few sampled, a group, or both, one in ten twice. */
static inline void plan_part(
    char *text, const plan_source *s, dosi_neighbours neighbours)
{
    char inner[PART_BYTES], sampled[PART_BYTES];
    plan_leaf(inner, s);
    int wrap = prop_below(s->rng, 20);
    int size = 2 + prop_below(s->rng, 3);
    plan_sampler(sampled, inner, s, neighbours);
    if (wrap <= 3) {
        snprintf(text, PART_BYTES, "group(%d, %.600s)", size,
            wrap <= 1 ? inner : sampled);
    } else if (wrap == 4) { /* as nested as anybody writes */
        snprintf(inner, PART_BYTES, "%.600s", sampled);
        plan_sampler(text, inner, s,
            strncmp(inner, "poisson", 7) == 0 ? DOSI_ADD_REMOVE : neighbours);
    } else if (wrap == 5) {
        snprintf(text, PART_BYTES, "group(%d, group(2, %.600s))", size,
            inner);
    } else {
        snprintf(text, PART_BYTES, "%.690s", wrap <= 9 ? sampled : inner);
    }
}

static inline double plan_count(const plan_source *s)
{
    prop_random *r = s->rng;
    double k = 1 + prop_below(r, prop_below(r, 4) ? 3 : 40);
    if (prop_below(r, 8) == 0)
        k = floor(prop_scaled(r, 0, 31));
    if (plan_extreme(s))
        k = prop_below(r, 2) ? 0x1p53 - 1 : floor(prop_scaled(r, 31, 53));
    return k + s->worse.count;
}

static inline void plan_random(
    char *text, const plan_source *s, dosi_neighbours neighbours)
{
    int n = 1 + prop_below(s->rng, 3);
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        char p[PART_BYTES];
        plan_part(p, s, neighbours);
        used += (size_t)snprintf(text + used, PLAN_BYTES - used,
            "%s%.690s * %.0f", i > 0 ? " + " : "", p, plan_count(s));
    }
}

#endif
