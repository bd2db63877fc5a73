/*
 * Choices among candidates, by the exponential mechanism or by
 * permute-and-flip, from integer distances. Derivation:
 * docs/theory/release_choices.md, section 4.
 */
#include "choice.h"

#include "candidates.h"

dosi_status choice_of_distances(size_t *out, const uint64_t *distances,
    size_t n, double epsilon, uint64_t denominator, bool permute_and_flip,
    struct words *w, dosi_error *err)
{
    struct candidates x = {
        .e = exponent_of(epsilon, denominator),
        .distances = distances,
        .n = n,
    };
    return permute_and_flip ? candidates_flip(out, &x, w, err)
                            : candidates_choose(out, &x, TIER_WEIGHTS, w, err);
}

/* A distance is the same number in either type, as none is negative. */
dosi_status choice_draw(size_t *out, const int64_t *distances, size_t n,
    double epsilon, int64_t sensitivity, bool is_monotone,
    bool permute_and_flip, struct words *w, dosi_error *err)
{
    uint64_t denominator = (uint64_t)sensitivity * (is_monotone ? 1 : 2);
    return choice_of_distances(out, (const uint64_t *)distances, n, epsilon,
        denominator, permute_and_flip, w, err);
}
