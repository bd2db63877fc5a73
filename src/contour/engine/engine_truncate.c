/*
 * Samples with replacement: how often one record is met is told apart as far
 * as the delta that is asked for needs it. What is left lies at +inf, so it
 * has to be small against delta; but the more is told apart the heavier are
 * the tails. docs/theory/sampling.md, section 8.
 */
#include "loss/loss_with_replacement.h"
#include "engine_impl.h"

/* The mass that is left is at most e^-SPARE of delta: of laws that serve upper
 * ends alone less is enough. */
#define SPARE 20.0
#define SPARE_BOUND 12.0

static unsigned hits_for(const loss_law *pair, double log_delta, double n_parts)
{
    double spare = pair->composed == ATTAINED_BY_NONE ? SPARE_BOUND : SPARE;
    return loss_with_replacement_terms(pair->draws, pair->population,
        log_delta - spare - log(pair->count * n_parts));
}

/* Atoms that are far rarer than delta: a tilt would make much of them. Nats
 * below the width that is wanted. */
#define SPARE_ATOMS 8.0

static bool keep_atoms(
    loss_law *pair, double log_delta, double width, double n_parts)
{
    size_t n = finite_tail_start(pair->finite,
        log_delta + log(width) - SPARE_ATOMS - log(pair->count * n_parts));
    if (n == 0 || n == contour_finite_count(pair))
        return false;
    pair->kept = n;
    return true;
}

bool contour_tell_hits(contour_engine *s, double log_delta)
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
        bool is_cut = pair->map == LOSS_WITH_REPLACEMENT ||
                      (pair->map == LOSS_GROUP && pair->removed > 0);
        if (!is_cut || !(pair->draws > 0))
            continue;
        unsigned n = hits_for(pair, log_delta, (double)s->parts.n);
        if (n == 0 || n == pair->removed)
            continue;
        contour_part_free(&s->parts.items[i]);
        pair->removed = n;
        (void)contour_part_init(&s->parts.items[i], pair);
        changed = true;
    }
    if (changed) {
        contour_drop_contour(s);
        contour_gather(s);
    }
    return changed;
}
