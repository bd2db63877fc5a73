#include "range_store.h"

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
    for (size_t i = 0; i < s->n_sampled; i++)
        range_sampled_free(s->sampled[i].runs);
    *s = (range_store){0};
}

static bool is_same(ball a, ball b)
{
    return a.hi == b.hi && a.lo == b.lo && a.rad == b.rad;
}

static range_entry *find(range_store *s, ball e, double k)
{
    for (size_t i = 0; i < s->n; i++) {
        range_entry *x = &s->items[i];
        if (x->k == k && is_same(x->e, e))
            return x;
    }
    return NULL;
}

/* Of a parameter that is no number, or nothing, there are no runs. */
static bool is_range(ball e, double k)
{
    return ball_is_positive(e) && ball_magnitude(e) < HUGE_VAL && k >= 2 &&
           k <= RANGE_RUNS_MAX;
}

static range_entry *entry(ball e, double k, const lower_context *c)
{
    range_store *s = c->ranges;
    if (s == NULL || !is_range(e, k)) {
        (void)lower_decline(c, unable);
        return NULL;
    }
    range_entry *x = find(s, e, k);
    if (x != NULL)
        return x;
    if (s->n == RANGE_STORE) {
        (void)lower_decline(c, too_many);
        return NULL;
    }
    range_runs *runs = NULL;
    dosi_status status =
        range_runs_new(&runs, e, k, c->pool->limits, NULL);
    if (!law_made(c->pool, status)) {
        (void)lower_decline(c, unable);
        return NULL;
    }
    x = &s->items[s->n++];
    *x = (range_entry){e, k, runs, {NULL, NULL}};
    return x;
}

const range_runs *range_store_runs(
    ball e, double k, const lower_context *c)
{
    const range_entry *x = entry(e, k, c);
    return x != NULL ? x->runs : NULL;
}

const range_sampled *range_store_sampled(
    ball e, double rate, double k, const lower_context *c)
{
    range_store *s = c->ranges;
    for (size_t i = 0; s != NULL && i < s->n_sampled; i++) {
        const sampled_entry *x = &s->sampled[i];
        if (x->k == k && x->rate == rate && is_same(x->e, e))
            return x->runs;
    }
    range_sampled *runs = NULL;
    if (s == NULL || s->n_sampled == RANGE_STORE || !ball_is_positive(e)) {
        (void)lower_decline(c, s != NULL ? too_many : unable);
        return NULL;
    }
    dosi_status status =
        range_sampled_new(&runs, e, rate, k, c->pool->limits, NULL);
    if (law_made(c->pool, status))
        s->sampled[s->n_sampled++] = (sampled_entry){e, rate, k, runs};
    return runs;
}

const atoms *range_store_atoms(
    ball e, double k, dosi_side side, const lower_context *c)
{
    range_entry *x = entry(e, k, c);
    if (x == NULL)
        return NULL;
    atoms **own = &x->sides[side == DOSI_SIDE_LOWER];
    if (*own == NULL &&
        !law_made(c->pool, range_runs_atoms(own, x->runs, side, NULL)))
        (void)lower_decline(c, unable);
    return *own;
}
