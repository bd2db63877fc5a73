/*
 * The privacy profile of the composition of two finite laws, without listing
 * its atoms: one profile value of the second law for each significant atom of
 * the first. Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

static bool is_below(scaled x, scaled level)
{
    return ball_is_nonnegative(scaled_add(level, finite_neg(x)).m);
}

/* The first atom whose tail is certainly small; the tail beyond the last atom
 * is empty. */
static size_t range_end(const finite_law *law, scaled level)
{
    size_t low = 0, high = law->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_below(law->tail_p[middle], level))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

finite_range finite_range_above(const finite_law *law, scaled level)
{
    finite_range r = {0, range_end(law, level)};
    size_t high = r.to;
    while (r.from < high) { /* the last atom whose head is small */
        size_t middle = high - (high - r.from) / 2;
        if (is_below(law->head_p[middle], level))
            r.from = middle;
        else
            high = middle - 1;
    }
    return r;
}

/* F_b falls in its argument, and losses rise: the terms of the atoms below i
 * add up to at most head_p[i] F_b(eps - L_i). */
static scaled terms_below(
    const finite_law *a, const finite_law *b, ball eps, size_t i)
{
    scaled most = finite_profile(b, ball_sub(eps, a->atom[i].loss));
    return scaled_mul(a->head_p[i], most);
}

/* The last atom before the end whose terms below are certainly small. */
static size_t product_start(const finite_law *a, const finite_law *b, ball eps,
    scaled level, size_t end)
{
    size_t low = 0, high = end > 0 ? end - 1 : 0;
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (is_below(terms_below(a, b, eps, middle), level))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* sum, plus something between 0 and rest. */
static scaled with_rest(scaled sum, scaled rest)
{
    double most = ball_upper(rest.m);
    if (!(most > 0))
        return sum;
    ball any = ball_of_interval(iv_make(0, most));
    return scaled_add(sum, (scaled){any, rest.e});
}

scaled finite_product_above(
    const finite_law *a, const finite_law *b, ball eps, scaled level)
{
    if (a->n > b->n)
        return finite_product_above(b, a, eps, level);
    size_t end = range_end(a, level);
    size_t start = product_start(a, b, eps, level, end);
    scaled sum = finite_zero();
    for (size_t i = start; i < end; i++) {
        const atom *x = &a->atom[i];
        scaled f = finite_profile(b, ball_sub(eps, x->loss));
        sum = scaled_add(sum, scaled_mul(x->p, f));
    }
    /* F_b <= 1, so that the terms from the end on are at most their mass */
    sum = with_rest(sum, a->tail_p[end]);
    return start > 0 ? with_rest(sum, terms_below(a, b, eps, start)) : sum;
}

scaled finite_product_profile(
    const finite_law *a, const finite_law *b, ball eps)
{
    if (a->n > b->n)
        return finite_product_profile(b, a, eps);
    finite_range all = {0, a->n};
    double guess = finite_product_approx(a, b, ball_mid(eps), &all);
    if (guess > 0 && guess <= 2) {
        scaled level = finite_negligible(scaled_of(ball_of(guess)));
        scaled sum = finite_product_above(a, b, eps, level);
        if (sum.m.rad < sum.m.hi * 0x1p-64)
            return sum;
    }
    return finite_product_above(a, b, eps, finite_zero());
}

static double approx(scaled x)
{
    return ldexp(x.m.hi, x.e < -2000 ? -2000 : (int)x.e);
}

/* F of one law: see finite_excess_from. */
static double profile_approx(const finite_law *law, double eps)
{
    size_t low = 0, high = law->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (law->atom[middle].loss.hi > eps)
            high = middle;
        else
            low = middle + 1;
    }
    if (high == law->n)
        return 0;
    /* e^t tail_q <= 1 */
    const scaled *q = &law->tail_q[high];
    double t = law->atom[high].loss.hi;
    double log_q = log(q->m.hi) + (double)q->e * 0.6931471805599453;
    return approx(law->knot[high]) - exp(t + log_q) * expm1(eps - t);
}

double finite_product_approx(const finite_law *a, const finite_law *b,
    double eps, const finite_range *range)
{
    double f = 0;
    for (size_t i = range->from; i < range->to; i++)
        f += approx(a->atom[i].p) *
             profile_approx(b, eps - a->atom[i].loss.hi);
    return f;
}
