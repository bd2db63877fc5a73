/*
 * One run of bounded range more: the upper envelope of chords, whose ends are
 * points of the lattice; and from above one step of range e/m for what lies
 * between these. See range_table.h.
 */
#include "range_table.h"

#include <assert.h>

#include "num/phase_sums.h"

/* Above this delta is taken for 1: chords are hardly told apart there. */
#define NEARLY_ALL (1 - 0x1p-40)

void range_side_reflect(range_side *s, ptrdiff_t m, double rounding)
{
    for (ptrdiff_t i = 1; i <= m; i++) {
        double y = (s->drop[i] + s->factor[i] * s->value[i]) * rounding;
        double next = s->value[1 - i]; /* delta falls: no less than there */
        s->value[-i] = y > next ? y : next;
    }
}

/* ---- One run more ------------------------------------------------------ */

static inline double chord(const range_side *s, ptrdiff_t m, ptrdiff_t b,
    ptrdiff_t i)
{
    return s->left[i - b] * s->value[b] + s->right[i - b] * s->value[b + m];
}

/* Whether the chord from b + 1 is certainly above that from b at i, 1, or
 * below it, -1; 0 where rounding leaves it open. */
static inline int compare(
    const range_side *s, ptrdiff_t m, ptrdiff_t b, ptrdiff_t i)
{
    double x = chord(s, m, b + 1, i), y = chord(s, m, b, i);
    double slack = 0x1p-48 * (x + y);
    return x - y > slack ? 1 : y - x > slack ? -1 : 0;
}

/* The same for a block of pairs, each at as many steps above its first left
 * end; without branches, so that compilers vectorise it. */
PHASE_WIDE static void compare_all(double sign[BLOCK],
    const double *restrict from, const double *restrict to,
    const double *restrict left, const double *restrict right)
{
    for (size_t j = 0; j < BLOCK; j++) {
        double x = left[-1] * from[j + 1] + right[-1] * to[j + 1];
        double y = left[0] * from[j] + right[0] * to[j];
        double d = x - y, slack = 0x1p-48 * (x + y);
        sign[j] = (d > slack ? 1.0 : 0.0) - (-d > slack ? 1.0 : 0.0);
    }
}

/* Signs of a block at two neighbouring offsets from b, where the last crossing
 * was. */
typedef struct block {
    ptrdiff_t first, offset;
    double before[BLOCK], after[BLOCK];
} block;

static void block_make(
    block *k, const range_runs *r, ptrdiff_t b, ptrdiff_t offset)
{
    const range_side *s = &r->upper;
    ptrdiff_t m = r->m;
    const double *v = s->value + b;
    k->first = b;
    k->offset = offset;
    compare_all(k->before, v, v + m, s->left + offset - 1,
        s->right + offset - 1);
    compare_all(k->after, v, v + m, s->left + offset, s->right + offset);
}

/* Where the pair from b crosses, looked for from c on: the first point at which
 * it is not certainly before, and the first at which it is certainly behind. */
static void cross(const range_runs *r, ptrdiff_t b, ptrdiff_t *c, ptrdiff_t *d)
{
    const range_side *s = &r->upper;
    ptrdiff_t m = r->m, at = *c;
    ptrdiff_t least = b + 1 > r->start ? b + 1 : r->start, most = b + m;
    at = at < least ? least : at > most ? most : at;
    while (at > least && compare(s, m, b, at - 1) >= 0)
        at--;
    int sign = compare(s, m, b, at);
    while (sign < 0 && ++at <= most)
        sign = compare(s, m, b, at);
    *d = at;
    *c = at <= most ? at : least; /* nothing is said where none is behind */
    while (*d <= most && sign <= 0 && ++*d <= most)
        sign = compare(s, m, b, *d);
}

/*
 * Where chords b and b + 1 cross. They are lines, and the second is not below
 * the first at its end, b + m, as values fall: so where it is below at a point
 * it is before that one, too, and where it is above it is from there to the
 * end. As chords go on the crossing does, mostly, and where it does not less is
 * said: the least of before from b on, and the greatest of after up to b.
 */
static void find_crossings(range_runs *r)
{
    ptrdiff_t m = r->m, c = r->start, first = c - m;
    block k = {.first = first - BLOCK};
    for (ptrdiff_t b = first; b < r->top; b++) {
        ptrdiff_t j = b - k.first, d = ++c;
        /* two offsets that are at hand, of points from the first one on */
        if (j >= BLOCK && c > r->start && c - b > 1 && c - b <= m) {
            block_make(&k, r, b, c - b);
            j = 0;
        }
        if (j < BLOCK && k.before[j] < 0 && k.after[j] > 0)
            d = c = b + k.offset;
        else
            cross(r, b, &c, &d);
        r->before[b + m] = (int)c - 1;
        r->after[b + m] = (int)d;
    }
    for (ptrdiff_t b = first + 1; b < r->top; b++)
        if (r->after[b + m] < r->after[b + m - 1])
            r->after[b + m] = r->after[b + m - 1];
    for (ptrdiff_t b = r->top - 2; b >= first; b--)
        if (r->before[b + m] > r->before[b + m + 1])
            r->before[b + m] = r->before[b + m + 1];
}

/* The greatest chord at each point up to last: from above, and that one from
 * below. */
static void raise(range_runs *r, ptrdiff_t last)
{
    range_side *u = &r->upper, *l = &r->lower;
    ptrdiff_t m = r->m, from = r->start - m, to = from;
    for (ptrdiff_t i = 0; i < r->start; i++) {
        u->next[i] = 1;
        l->next[i] = chord(l, m, i - m / 2, i) * DOWN;
    }
    for (ptrdiff_t i = r->start; i <= last; i++) {
        while (from < r->top && r->after[from + m] <= i)
            from++;
        while (to < r->top && r->before[to + m] < i)
            to++;
        ptrdiff_t best = from < i - m ? i - m : from;
        ptrdiff_t end = to < i ? to : i;
        double most = chord(u, m, best, i);
        assert(best <= end); /* of a pair both signs are never certain */
        for (ptrdiff_t b = best + 1; b <= end; b++) {
            double y = chord(u, m, b, i);
            best = y > most ? b : best;
            most = y > most ? y : most;
        }
        u->next[i] = most * UP;
        double low = chord(l, m, best, i) * DOWN;
        l->next[i] = low > TINY ? low : 0;
    }
}

/* Ends of chords between points: one step of range h about the point. */
static void bend_all(range_runs *r, ptrdiff_t last)
{
    range_side *u = &r->upper;
    double *v = u->next;
    /* by symmetry, but for what values left of 0 were rounded up by */
    double before = (u->drop[1] + u->factor[1] * v[1]) * (1 + 0x1p-40);
    double least = 1;
    for (ptrdiff_t i = 0; i <= last; i++) {
        double here = v[i], after = i < last ? v[i + 1] : here;
        double bent = (r->bend[0] * before + r->bend[1] * here +
                          r->bend[2] * after) * UP;
        bent = bent > here ? bent : here;
        least = bent < least ? bent : least; /* delta falls */
        v[i] = least;
        before = here;
    }
}

/* Points from the last one on: nothing, or no more than there. */
static void end_at(range_runs *r, ptrdiff_t last, bool is_end)
{
    range_side *u = &r->upper, *l = &r->lower;
    if (is_end)
        u->next[last] = l->next[last] = 0;
    ptrdiff_t i = last;
    while (i > 0 && u->next[i - 1] < TINY)
        i--;
    if (i < last) {
        last = i;
        u->next[i] = TINY;
    }
    r->top = last;
    r->rest = u->next[last];
    for (i = last + 1; i <= last + r->m && i < r->room; i++) {
        u->next[i] = r->rest;
        l->next[i] = 0;
    }
}

static void swap(range_side *s)
{
    double *next = s->next;
    s->next = s->value;
    s->value = next;
}

void range_runs_add(range_runs *r, ptrdiff_t most)
{
    ptrdiff_t last = r->top + r->m;
    bool is_end = last <= most && !(r->rest > 0);
    last = last < most ? last : most;
    while (r->start < r->top && r->upper.value[r->start] >= NEARLY_ALL)
        r->start++;
    find_crossings(r);
    raise(r, last);
    bend_all(r, last);
    end_at(r, last, is_end);
    swap(&r->upper);
    swap(&r->lower);
    range_side_reflect(&r->upper, r->m, UP);
    range_side_reflect(&r->lower, r->m, DOWN);
}
