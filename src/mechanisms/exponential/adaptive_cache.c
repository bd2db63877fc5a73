#include "adaptive_cache.h"

static const char too_many[] =
    "the plan holds too many kinds of exponential mechanisms";
static const char unable[] =
    "runs of bounded range are not composed within the limits";

void range_store_free(range_store *s)
{
    for (size_t i = 0; i < s->n; i++) {
        range_runs_free(s->items[i].runs);
        atoms_free(s->items[i].sides[0]);
        atoms_free(s->items[i].sides[1]);
    }
    *s = (range_store){0};
}

static bool is_same(const range_class *a, const range_class *b)
{
    return a->k == b->k && a->rate == b->rate && a->e.hi == b->e.hi &&
           a->e.lo == b->e.lo && a->e.rad == b->e.rad;
}

static range_entry *find(range_store *s, const range_class *of)
{
    for (size_t i = 0; i < s->n; i++)
        if (is_same(range_runs_class(s->items[i].runs), of))
            return &s->items[i];
    return NULL;
}

/* Of a parameter that is no number, or nothing, there are no runs. */
static bool is_range(const range_class *of)
{
    return ball_is_positive(of->e) && ball_magnitude(of->e) < HUGE_VAL &&
           of->k >= 2 && (of->rate < 1 || of->k <= RANGE_RUNS_MAX);
}

static range_entry *entry(const range_class *of, const lower_context *c)
{
    range_store *s = c->ranges;
    range_entry *x = s != NULL ? find(s, of) : NULL;
    if (x != NULL)
        return x;
    const char *reason = unable;
    range_runs *runs = NULL;
    if (s != NULL && s->n == RANGE_STORE)
        reason = too_many;
    else if (s != NULL && is_range(of) &&
             law_made(
                 c->pool, range_runs_new(&runs, of, c->pool->limits, NULL)))
        reason = NULL;
    if (reason != NULL) {
        (void)lower_decline(c, reason);
        return NULL;
    }
    x = &s->items[s->n++];
    *x = (range_entry){runs, {NULL, NULL}};
    return x;
}

const range_runs *range_store_runs(
    const range_class *of, const lower_context *c)
{
    const range_entry *x = entry(of, c);
    return x != NULL ? x->runs : NULL;
}

const atoms *range_store_atoms(
    const range_class *of, dosi_side side, const lower_context *c)
{
    range_entry *x = entry(of, c);
    if (x == NULL)
        return NULL;
    atoms **own = &x->sides[side == DOSI_SIDE_LOWER];
    if (*own == NULL &&
        !law_made(c->pool, range_runs_atoms(own, x->runs, side, NULL)))
        (void)lower_decline(c, unable);
    return *own;
}
