#include "spectral_single.h"

#include <stdlib.h>

#include "base/error.h"

#define MOST_PARTS 4
#define MOST_LEAVES 32
#define FEW_RUNS 12 /* which a list of all sums, or a grid, knows better */

/* Pairs of nodes of all contours that are rough, and of the last ones. */
#define SCOUT_COST 2e7
#define COST 1.6e8

/* Nats below the width that is wanted of what two marked runs have. */
#define SPARE 8.0

/* What one run has beyond the cut, or nothing: its probability over all runs,
 * and the plan of what is below, one run less. */
typedef struct leaf {
    ball log_weight, loss;
    spectral *plan;
} leaf;

typedef struct single {
    spectral *s;
    size_t n;
    leaf leaves[MOST_LEAVES];
    double log_pairs; /* of what has two marks, at most */
} single;

bool spectral_single_applies(const spectral *s)
{
    double runs = 0;
    for (size_t i = 0; i < s->parts.n; i++) {
        if (s->parts.items[i].type != &spectral_finite)
            return false;
        runs += s->parts.items[i].count;
    }
    return s->parts.n <= MOST_PARTS && runs > FEW_RUNS;
}

/* ---- Making ------------------------------------------------------------ */

/* Where the marks of a part begin. */
static size_t cut_of(const loss *pair, double log_level)
{
    size_t all = spectral_finite_count(pair);
    size_t n = atoms_first_rare(pair->finite, log_level - log(pair->count));
    return n > 0 && n < all ? n : all;
}

/* With one run less of part less, or none. */
static dosi_status add_leaf(single *t, const size_t *cuts, size_t less,
    ball log_weight, ball at, dosi_error *err)
{
    loss laws[MOST_PARTS];
    size_t n = 0;
    for (size_t i = 0; i < t->s->parts.n; i++) {
        laws[n] = t->s->laws[i];
        laws[n].kept = cuts[i];
        laws[n].count -= i == less ? 1 : 0;
        n += laws[n].count > 0 ? 1 : 0;
    }
    leaf *l = &t->leaves[t->n];
    *l = (leaf){log_weight, at, NULL};
    dosi_status status = spectral_new(&l->plan, laws, n, t->s->limits, err);
    t->n += l->plan != NULL ? 1 : 0;
    return status;
}

/* Marks of all parts; false where there are none, or too many. */
static dosi_status make(
    bool *found, single *t, double log_delta, dosi_error *err)
{
    double width = work_width(t->s->limits), parts = (double)t->s->parts.n;
    double level = (log_delta + log(width) - SPARE) / 2 - log(parts);
    size_t cuts[MOST_PARTS] = {0}, marks = 0;
    ball ever = ball_of(0);
    for (size_t i = 0; i < t->s->parts.n; i++) {
        const loss *pair = &t->s->laws[i];
        cuts[i] = cut_of(pair, level);
        marks += spectral_finite_count(pair) - cuts[i];
    }
    *found = marks > 0 && marks < MOST_LEAVES;
    if (!*found)
        return DOSI_OK;
    dosi_status status =
        add_leaf(t, cuts, MOST_PARTS, ball_of(0), ball_of(0), err);
    for (size_t i = 0; i < t->s->parts.n; i++) {
        const loss *pair = &t->s->laws[i];
        size_t last = spectral_finite_count(pair);
        for (size_t j = cuts[i]; j < last && status == DOSI_OK; j++) {
            ball log_weight = ball_add(atoms_log_mass(pair->finite, j),
                ball_log(ball_of(pair->count)));
            ever = ball_add(ever, ball_exp(log_weight));
            status = add_leaf(
                t, cuts, i, log_weight, atoms_loss(pair->finite, j), err);
        }
    }
    *found = t->n == marks + 1;
    /* the mean number of pairs of marked runs */
    t->log_pairs = ball_upper(ball_log(ball_scale2(ball_mul(ever, ever), -1)));
    return status;
}

/* ---- Asking ------------------------------------------------------------ */

/* Contours for all leaves near epsilon, where log delta is to be known to a
 * width, at some cost. */
static dosi_status build(
    single *t, double epsilon, double width, double cost, dosi_error *err)
{
    for (size_t i = 0; i < t->n; i++) {
        leaf *l = &t->leaves[i];
        double x = epsilon - ball_mid(l->loss);
        spectral_choice choice;
        dosi_interval known;
        spectral_grant_looks(l->plan);
        spectral_set_max_cost(l->plan, cost / (double)t->n);
        if (spectral_beyond_largest(&known, l->plan, x) ||
            !spectral_saddle_at_epsilon(&choice, &l->plan->parts, x))
            continue;
        dosi_status status = spectral_build(
            l->plan, &choice, (spectral_effort){.width = width}, err);
        status = spectral_whole(status, l->plan, err);
        if (status != DOSI_OK || work_stopped(t->s->limits))
            return status;
    }
    return DOSI_OK;
}

/* log of the sum of what all leaves say at epsilon. */
static dosi_interval sum_at(const single *t, double epsilon)
{
    ball lo = ball_of(-HUGE_VAL), hi = ball_of(t->log_pairs);
    for (size_t i = 0; i < t->n; i++) {
        const leaf *l = &t->leaves[i];
        dosi_interval x = ball_interval(ball_sub(ball_of(epsilon), l->loss));
        /* delta falls */
        double least = spectral_read_again(l->plan, x.hi).lo;
        double most = spectral_read_again(l->plan, x.lo).hi;
        lo = ball_logaddexp(lo, ball_add_d(l->log_weight, least));
        hi = ball_logaddexp(hi, ball_add_d(l->log_weight, most));
    }
    dosi_interval v = {ball_lower(lo), fmin(ball_upper(hi), 0)};
    return v.lo <= v.hi ? v : (dosi_interval){-HUGE_VAL, 0};
}

/* ---- Inversion --------------------------------------------------------- */

/* Rough contours on the way there, how well they are to know log delta, and
 * how much better where that says nothing; as far as the next may be, and as
 * far as one is read. */
#define SCOUTS 8
#define SCOUT_WIDTH 0.02
#define FINER 0.02
#define FAR 0.5
#define NEAR 0.01
#define STEPS 6
#define LAST 2 /* fine ones, the second where it may do */
#define WITHIN_REACH 4

/* Where the sum is the target, and how fast it falls there: steers. */
typedef struct place {
    double x, slope, slack;
} place;

/* By what contours say, a number of Newton's steps of no more than a share in
 * all; false where they say nothing, at the last of them. */
static bool look(
    place *p, const single *t, double target, double most, int steps)
{
    double from = p->x;
    for (int i = 0; i < steps; i++) {
        dosi_interval v = sum_at(t, p->x), w = sum_at(t, p->x * (1 + 1e-5));
        double y = (v.lo + v.hi) / 2 - target;
        double slope = ((v.lo + v.hi) - (w.lo + w.hi)) / (2e-5 * p->x);
        p->slack = v.hi - v.lo;
        if (!(p->slack < 1 && slope > 0 && slope < HUGE_VAL))
            return false;
        p->slope = slope;
        p->x =
            fmin(fmax(p->x + y / slope, from * (1 - most)), from * (1 + most));
    }
    return true;
}

/* An end that is certain, a little beyond the place; or what is known. */
static double end_at(const single *t, const place *p, dosi_interval target,
    bool up, double known)
{
    double step =
        (p->slack + (target.hi - target.lo)) / p->slope + 1e-14 * p->x;
    for (int i = 0; i < STEPS; i++, step *= 1.5) {
        double x = up ? p->x + step / 2 : p->x - step / 2;
        dosi_interval v = sum_at(t, x);
        if (up ? v.hi <= target.lo : v.lo >= target.hi)
            return up ? fmin(known, x) : fmax(known, x);
    }
    return known;
}

static dosi_status invert(
    dosi_interval *out, single *t, dosi_interval target, dosi_error *err)
{
    place p = {(out->lo + out->hi) / 2, 0, 0};
    bool found = false;
    double width = SCOUT_WIDTH;
    for (int i = 0; i < SCOUTS && !found; i++) {
        double last = p.x;
        dosi_status status = build(t, p.x, width, SCOUT_COST, err);
        if (status != DOSI_OK || work_stopped(t->s->limits))
            return status;
        if (look(&p, t, target.hi, FAR, 1))
            found = fabs(p.x - last) <= NEAR * last;
        else if (width < SCOUT_WIDTH)
            break;
        else
            width *= FINER;
    }
    double wanted = work_width(t->s->limits);
    /* a node takes 48 bytes and costs more than 100 */
    double cost = fmin(COST, 2 * (double)work_bytes(t->s->limits));
    for (int i = 0; i < LAST && found; i++) {
        double enough = wanted * p.x * p.slope / 4;
        /* a blur may have cost more than it was to */
        width = fmin(width, i == 0 ? enough : width * enough / p.slack);
        dosi_status status = build(t, p.x, width, cost, err);
        if (status != DOSI_OK || !look(&p, t, target.hi, NEAR, STEPS))
            return status;
        out->hi = end_at(t, &p, target, true, out->hi);
        out->lo = end_at(t, &p, target, false, out->lo);
        double got = (out->hi - out->lo) / out->hi;
        found = got > wanted && got < WITHIN_REACH * wanted &&
                !work_stopped(t->s->limits);
    }
    return DOSI_OK;
}

dosi_status spectral_single_epsilon(
    dosi_interval *out, spectral *s, dosi_interval target, dosi_error *err)
{
    single *t = calloc(1, sizeof *t);
    if (t == NULL)
        return dosi_fail_memory(err);
    t->s = s;
    bool found = false;
    dosi_status status = make(&found, t, target.hi, err);
    if (status == DOSI_OK && found && out->hi < HUGE_VAL)
        status = invert(out, t, target, err);
    for (size_t i = 0; i < t->n; i++)
        spectral_free(t->leaves[i].plan);
    free(t);
    return status;
}
