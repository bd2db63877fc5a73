/*
 * Truncation of laws for a given delta. Of samples with replacement, the
 * binomial number of draws of one record is truncated at a mass below delta.
 * The omitted mass lies at +inf and has to be small against delta; but the more
 * draws remain, the heavier are the tails. docs/theory/sampling.md, section 8.
 */
#include "loss/loss_with_replacement.h"
#include "engine_impl.h"

/* The omitted mass is at most e^-OMITTED_NATS of delta; laws that serve upper
 * ends alone need fewer nats. */
#define OMITTED_NATS 20.0
#define OMITTED_NATS_BOUND 12.0

static unsigned draws_for(
    const loss_law *pair, double log_delta, double n_parts)
{
    double spare = pair->composed == ATTAINED_BY_NONE ? OMITTED_NATS_BOUND
                                                      : OMITTED_NATS;
    return loss_with_replacement_terms(pair->draws, pair->population,
        log_delta - spare - log(pair->count * n_parts));
}

/* Atoms that are far rarer than delta are omitted, since a tilt would enlarge
 * them: so many nats below the requested width. */
#define OMITTED_NATS_ATOMS 8.0

static bool keep_atoms(
    loss_law *pair, double log_delta, double width, double n_parts)
{
    size_t n = finite_tail_start(pair->finite,
        log_delta + log(width) - OMITTED_NATS_ATOMS -
            log(pair->count * n_parts));
    if (n == 0 || n == contour_finite_count(pair))
        return false;
    pair->kept = n;
    return true;
}

bool contour_truncate_draws(contour_engine *s, double log_delta)
{
    bool changed = false;
    for (size_t i = 0; i < s->parts.n; i++) {
        loss_law *pair = &s->laws[i];
        if (pair->noise == LOSS_FINITE) {
            if (keep_atoms(pair, log_delta, work_width(s->limits),
                    (double)s->parts.n)) {
                contour_part_free(&s->parts.items[i]);
                (void)contour_part_init(&s->parts.items[i], pair);
                changed = true;
            }
            continue;
        }
        bool is_truncated = pair->map == LOSS_WITH_REPLACEMENT ||
                      (pair->map == LOSS_GROUP && pair->removed > 0);
        if (!is_truncated || !(pair->draws > 0))
            continue;
        unsigned n = draws_for(pair, log_delta, (double)s->parts.n);
        if (n == 0 || n == pair->removed)
            continue;
        contour_part_free(&s->parts.items[i]);
        pair->removed = n;
        (void)contour_part_init(&s->parts.items[i], pair);
        changed = true;
    }
    if (changed) {
        contour_release_last(s);
        contour_sum_parts(s);
    }
    return changed;
}
