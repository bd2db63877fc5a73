/*
 * The inverse of a profile given by enclosures: two searches by secants in a
 * bracket, one for each end, where every value narrows both. Certain signs
 * decide; the secants only steer.
 */
#include "profile_inverse.h"

#include "num/bracket.h"

/* No finite epsilon beyond this is searched. */
#define MAX_EPSILON 0x1p1000

/* Each end may be wider than the enclosures require by this share of the width
 * that they leave. */
#define WIDTH_SHARE 0x1p-7

/* Secants use differences of log delta clipped to these sizes: 0 would end
 * them. */
#define MAX_GAP 256.0
#define MIN_GAP 0x1p-1000

typedef struct search {
    profile_enclosure enclosure;
    const void *context;
    dosi_interval target;    /* the requested log delta */
    dosi_interval known;     /* encloses the root, by all values so far */
    dosi_interval at_lo;     /* the enclosures of log delta at its ends */
    dosi_interval at_hi;
    dosi_interval undecided; /* hull of the epsilons that were not decided */
} search;

static dosi_interval evaluate(search *s, double eps)
{
    dosi_interval v = s->enclosure(eps, s->context);
    bool is_above = v.lo > s->target.hi, is_below = v.hi <= s->target.lo;
    if (is_below && eps <= s->known.hi) { /* the root is not above eps */
        s->known.hi = eps;
        s->at_hi = v;
    }
    if (is_above && eps >= s->known.lo) { /* the root is not below eps */
        s->known.lo = eps;
        s->at_lo = v;
    }
    if (!is_above && !is_below)
        s->undecided = (dosi_interval){
            fmin(s->undecided.lo, eps), fmax(s->undecided.hi, eps)};
    return v;
}

/* Whether an end of `known` at this distance from the undecided epsilons is
 * near enough to end the search for it. */
static bool is_near(const search *s, double distance)
{
    double open = s->undecided.hi - s->undecided.lo;
    return s->known.hi < HUGE_VAL && distance <= WIDTH_SHARE * open;
}

/* Positive if the enclosure certainly is not above the target, otherwise
 * negative. */
static double upper_gap(const search *s, dosi_interval v)
{
    double gap = s->target.lo - v.hi;
    return v.hi <= s->target.lo ? fmax(fmin(gap, MAX_GAP), MIN_GAP)
                                : fmin(gap, -MIN_GAP);
}

/* Negative if the enclosure certainly is above the target, otherwise
 * positive. */
static double lower_gap(const search *s, dosi_interval v)
{
    double gap = s->target.hi - v.lo;
    return v.lo > s->target.hi ? fmin(gap, -MIN_GAP)
                               : fmax(fmin(gap, MAX_GAP), MIN_GAP);
}

/* Functions for the root finder, 0 once their end is found. Their context is
 * the address of a pointer to the search, whose state every value changes. */
static double steer_upper(double eps, const void *context)
{
    search *s = *(search *const *)context;
    dosi_interval v = evaluate(s, eps);
    bool is_found = is_near(s, s->known.hi - s->undecided.hi);
    return is_found ? 0 : upper_gap(s, v);
}

static double steer_lower(double eps, const void *context)
{
    search *s = *(search *const *)context;
    dosi_interval v = evaluate(s, eps);
    bool is_found = is_near(s, s->undecided.lo - s->known.lo);
    return is_found ? 0 : lower_gap(s, v);
}

/* The first of a sequence of growing epsilons that certainly is not below the
 * root, or MAX_EPSILON. */
static double find_end(search *s)
{
    double eps = fmax(s->known.lo, 0x1p-20);
    while (eps < MAX_EPSILON && eps < s->known.hi &&
           !(evaluate(s, eps).hi <= s->target.lo))
        eps *= eps < 0x1p10 ? 4 : 64;
    return fmin(eps, s->known.hi);
}

dosi_interval profile_inverse(profile_enclosure enclosure,
    const void *context, ball log_delta, dosi_interval within)
{
    const dosi_interval none = {-HUGE_VAL, 0};
    search own = {enclosure, context, ball_interval(log_delta), within, none,
        none, {HUGE_VAL, -HUGE_VAL}};
    search *s = &own;
    if (within.lo == 0 && evaluate(s, 0).hi <= s->target.lo)
        return iv_point(0);
    double end = find_end(s);
    /* every value narrows both ends: if enclosures are as narrow as rounding
     * the second search ends at once */
    if (s->known.hi < HUGE_VAL)
        (void)bracket_approx_from(steer_upper, &s, s->known.lo,
            fmin(upper_gap(s, s->at_lo), 0), s->known.hi,
            fmax(upper_gap(s, s->at_hi), 0));
    (void)bracket_approx_from(steer_lower, &s, s->known.lo,
        fmin(lower_gap(s, s->at_lo), 0), fmin(end, s->known.hi),
        fmax(lower_gap(s, s->at_hi), 0));
    return s->known;
}
