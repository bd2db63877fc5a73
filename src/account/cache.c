/*
 * A question about a plan: its options and the plan are checked, and it is
 * answered by laws that are made for it, or that an earlier question about an
 * equal plan has left in the cache.
 */
#include "prepared_plan.h"

#include <stdlib.h>

#include "base/error.h"

/* Plans that are kept: one, and the same plan without some of its parts. */
#define CACHE_PLANS 2

/* Atoms of all finite laws together, some 512 bytes each, above which the cache
 * begins anew. */
#define CACHE_ATOMS ((size_t)1 << 17)

/* A plan in normal form and what its laws were made with. */
typedef struct cache_slot {
    const dosi_plan *normal; /* NULL: empty */
    dosi_options made_with;
    size_t last_used;
    prepared_plan d;
} cache_slot;

struct dosi_cache {
    cache_slot *slots[CACHE_PLANS]; /* allocated when first needed */
    finite_store finite_laws;
    size_t n_used;
};

static void empty(cache_slot *slot)
{
    if (slot == NULL || slot->normal == NULL)
        return;
    prepared_close(&slot->d);
    dosi_plan_free(slot->normal);
    slot->normal = NULL;
}

dosi_status dosi_cache_new(dosi_cache **out, dosi_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? DOSI_OK : dosi_fail_memory(err);
}

void dosi_cache_free(dosi_cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < CACHE_PLANS; i++) {
        empty(cache->slots[i]);
        free(cache->slots[i]);
    }
    finite_store_free(&cache->finite_laws);
    free(cache);
}

/* Whether no law is incomplete because work or memory ran out. */
static bool is_whole(const prepared_plan *d)
{
    for (int i = 0; i < d->n_directions; i++)
        if (d->directions[i].made_after_stop || d->directions[i].pool.no_memory)
            return false;
    return true;
}

/* Whether its laws are what a question with these options would make, or
 * better: laws that depend on the remaining operations had no fewer. */
static bool serves(
    const cache_slot *slot, const dosi_plan *normal, const dosi_options *opt)
{
    const dosi_options *with = &slot->made_with;
    return slot->normal != NULL && is_whole(&slot->d) &&
           with->neighbours == opt->neighbours &&
           with->max_terms == opt->max_terms && with->width == opt->width &&
           with->max_bytes == opt->max_bytes &&
           with->max_operations >= opt->max_operations &&
           dosi_plan_equal(slot->normal, normal);
}

/* The slot of the plan, or that which was used longest ago, empty; NULL
 * without memory. */
static cache_slot *slot_for(
    dosi_cache *cache, const dosi_plan *normal, const dosi_options *opt)
{
    cache_slot **oldest = &cache->slots[0];
    for (int i = 0; i < CACHE_PLANS; i++) {
        cache_slot **at = &cache->slots[i];
        if (*at != NULL && serves(*at, normal, opt))
            return *at;
        if (*oldest != NULL &&
            (*at == NULL || (*at)->last_used < (*oldest)->last_used))
            oldest = at;
    }
    if (*oldest == NULL)
        *oldest = calloc(1, sizeof **oldest);
    empty(*oldest);
    return *oldest;
}

/* The prepared plan, ready for a question; NULL without memory. */
static prepared_plan *cache_find(
    dosi_cache *cache, const dosi_plan *normal, const dosi_options *opt)
{
    if (cache->finite_laws.n_atoms > CACHE_ATOMS) {
        for (int i = 0; i < CACHE_PLANS; i++)
            empty(cache->slots[i]);
        finite_store_free(&cache->finite_laws);
    }
    cache_slot *slot = slot_for(cache, normal, opt);
    if (slot == NULL)
        return NULL;
    slot->last_used = ++cache->n_used;
    if (slot->normal != NULL) {
        prepared_resume(&slot->d, opt);
        return &slot->d;
    }
    slot->normal = dosi_plan_retain(normal);
    slot->made_with = *opt;
    prepared_open(&slot->d, slot->normal, opt, &cache->finite_laws);
    return &slot->d;
}

static dosi_status use(prepared_work work, void *context,
    const dosi_plan *normal, const dosi_options *opt, dosi_error *err)
{
    prepared_plan own, *d = &own;
    finite_store finite_laws = {0};
    if (opt->cache != NULL)
        d = cache_find(opt->cache, normal, opt);
    else
        prepared_open(d, normal, opt, &finite_laws);
    if (d == NULL)
        return dosi_fail_memory(err);
    dosi_status status = work(d, context, err);
    if (opt->operations != NULL)
        *opt->operations += d->limits.spent;
    if (opt->cache == NULL)
        prepared_close(d);
    finite_store_free(&finite_laws);
    return status;
}

dosi_status prepared_use(prepared_work work, void *context,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err)
{
    dosi_options opt;
    dosi_status status = account_options(&opt, options, err);
    if (status != DOSI_OK)
        return status;
    if (dosi_plan_has_hole(plan))
        return dosi_fail(err, DOSI_EINVAL,
            "the plan holds a hole \"?\"; only calibration fills it");
    opt.neighbours = account_relation(plan, opt.neighbours);
    const dosi_plan *normal = NULL;
    status = plan_normal_under(&normal, plan, opt.neighbours, err);
    if (status == DOSI_OK)
        status = account_refuse(normal, opt.neighbours, err);
    if (status == DOSI_OK)
        status = use(work, context, normal, &opt, err);
    dosi_plan_free(normal);
    return status;
}
