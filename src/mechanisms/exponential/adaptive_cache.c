/*
 * Runs of bounded range are found by their class, and made when they are
 * asked for the first time.
 */
#include "adaptive_cache.h"

static const char too_many[] =
    "the plan holds too many kinds of exponential mechanisms";
static const char unable[] =
    "runs of bounded range are not composed within the limits";

void adaptive_cache_free(adaptive_cache *s)
{
    for (size_t i = 0; i < s->n; i++) {
        adaptive_runs_free(s->items[i].runs);
        finite_free(s->items[i].sides[0]);
        finite_free(s->items[i].sides[1]);
    }
    *s = (adaptive_cache){0};
}

static bool is_same(const adaptive_class *a, const adaptive_class *b)
{
    return a->k == b->k && a->rate == b->rate && a->e.hi == b->e.hi &&
           a->e.lo == b->e.lo && a->e.rad == b->e.rad;
}

static range_entry *find(adaptive_cache *s, const adaptive_class *of)
{
    for (size_t i = 0; i < s->n; i++)
        if (is_same(adaptive_runs_class(s->items[i].runs), of))
            return &s->items[i];
    return NULL;
}

/* Whether the class has runs: of a positive, finite range, and not too many. */
static bool is_range(const adaptive_class *of)
{
    return ball_is_positive(of->e) && ball_magnitude(of->e) < HUGE_VAL &&
           of->k >= 2 && (of->rate < 1 || of->k <= ADAPTIVE_RUNS_MAX);
}

static range_entry *entry(const adaptive_class *of, const mechanism_context *c)
{
    adaptive_cache *s = c->ranges;
    range_entry *x = s != NULL ? find(s, of) : NULL;
    if (x != NULL)
        return x;
    const char *reason = unable;
    adaptive_runs *runs = NULL;
    if (s != NULL && s->n == ADAPTIVE_CACHE)
        reason = too_many;
    else if (s != NULL && is_range(of) &&
             profile_made(
                 c->pool, adaptive_runs_new(&runs, of, c->pool->limits, NULL)))
        reason = NULL;
    if (reason != NULL) {
        (void)mechanism_decline(c, reason);
        return NULL;
    }
    x = &s->items[s->n++];
    *x = (range_entry){runs, {NULL, NULL}};
    return x;
}

const adaptive_runs *adaptive_cache_runs(
    const adaptive_class *of, const mechanism_context *c)
{
    const range_entry *x = entry(of, c);
    return x != NULL ? x->runs : NULL;
}

const finite_law *adaptive_cache_atoms(
    const adaptive_class *of, dosi_side side, const mechanism_context *c)
{
    range_entry *x = entry(of, c);
    if (x == NULL)
        return NULL;
    finite_law **own = &x->sides[side == DOSI_SIDE_LOWER];
    if (*own == NULL &&
        !profile_made(c->pool, adaptive_runs_atoms(own, x->runs, side, NULL)))
        (void)mechanism_decline(c, unable);
    return *own;
}
