/*
 * A question about a plan: its options and the plan are checked, and it is
 * answered by laws that are made for it, or that an earlier question about an
 * equal plan has left in the cache.
 */
#include "prepared_plan.h"

#include <stdlib.h>

#include "base/error.h"

/* Atoms of all finite laws together, some 512 bytes each, above which the cache
 * begins anew. */
#define CACHE_ATOMS ((size_t)1 << 17)

/* The plan that was asked about last, and what its laws were made with. */
struct dosi_cache {
    const dosi_plan *normal; /* NULL: none */
    dosi_options made_with;
    prepared_plan d;
    finite_store finite_laws;
};

dosi_status dosi_cache_new(dosi_cache **out, dosi_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? DOSI_OK : dosi_fail_memory(err);
}

static void empty(dosi_cache *cache)
{
    if (cache->normal == NULL)
        return;
    prepared_close(&cache->d);
    dosi_plan_free(cache->normal);
    cache->normal = NULL;
}

void dosi_cache_free(dosi_cache *cache)
{
    if (cache == NULL)
        return;
    empty(cache);
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
static bool serves(const dosi_cache *cache, const dosi_plan *normal,
    const dosi_options *opt)
{
    const dosi_options *with = &cache->made_with;
    return cache->normal != NULL && is_whole(&cache->d) &&
           with->neighbours == opt->neighbours &&
           with->max_terms == opt->max_terms && with->width == opt->width &&
           with->max_bytes == opt->max_bytes &&
           with->max_operations >= opt->max_operations &&
           dosi_plan_equal(cache->normal, normal);
}

/* The prepared plan, ready for a question. */
static prepared_plan *cache_find(
    dosi_cache *cache, const dosi_plan *normal, const dosi_options *opt)
{
    bool is_full = cache->finite_laws.n_atoms > CACHE_ATOMS;
    if (!is_full && serves(cache, normal, opt)) {
        prepared_resume(&cache->d, opt);
        return &cache->d;
    }
    empty(cache);
    if (is_full)
        finite_store_free(&cache->finite_laws);
    cache->normal = dosi_plan_retain(normal);
    cache->made_with = *opt;
    prepared_open(&cache->d, cache->normal, opt, &cache->finite_laws);
    return &cache->d;
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
