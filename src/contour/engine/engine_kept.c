/*
 * The contours that earlier questions of a curve have built. A contour does not
 * depend on epsilon: each encloses delta at every epsilon, narrowly near the
 * one that it was chosen for, and all of these enclosures hold at once.
 */
#include "engine_impl.h"

#include <stdlib.h>

/* Contours that one engine keeps, and the terms of all of them together. */
#define MAX_KEPT 24
#define MAX_KEPT_TERMS 65536

struct contour_kept {
    size_t n, next; /* the one that is replaced when there is no room */
    size_t n_terms;
    contour items[MAX_KEPT];
};

double contour_reuse(const contour_engine *s)
{
    return s->limits != NULL ? s->limits->reuse : 0;
}

/* Whether no law changes: those of samples with replacement are truncated anew
 * for each question. */
static bool is_fixed(const contour_engine *s)
{
    for (size_t i = 0; i < s->parts.n; i++)
        if (s->parts.items[i].law->draws > 0)
            return false;
    return true;
}

bool contour_keep(contour_engine *s)
{
    size_t n_terms = s->contour.n;
    if (!(contour_reuse(s) > 0) || s->contour.choice.use_dd || !is_fixed(s))
        return false;
    if (s->kept == NULL)
        s->kept = calloc(1, sizeof *s->kept);
    struct contour_kept *k = s->kept;
    if (k == NULL) /* it is built again */
        return false;
    contour *place = &k->items[k->n < MAX_KEPT ? k->n : k->next];
    size_t freed = k->n < MAX_KEPT ? 0 : place->n;
    if (k->n_terms - freed + n_terms > MAX_KEPT_TERMS)
        return false;
    if (k->n < MAX_KEPT) {
        k->n++;
    } else {
        contour_free(place);
        k->next = (k->next + 1) % MAX_KEPT;
    }
    k->n_terms += n_terms - freed;
    *place = s->contour;
    return true;
}

void contour_free_kept(contour_engine *s)
{
    for (size_t i = 0; s->kept != NULL && i < s->kept->n; i++)
        contour_free(&s->kept->items[i]);
    free(s->kept);
    s->kept = NULL;
}

/* Operations of a term that is read. */
#define TERM_OPERATIONS 4

static dosi_interval read_one(
    const contour_engine *s, const contour *c, double epsilon)
{
    work_spend(s->limits, TERM_OPERATIONS * (double)c->n);
    return contour_read(c, epsilon);
}

/* The contour chosen for the epsilon that is nearest to this one, of those not
 * read yet; NULL where all are. */
static const contour *take_nearest(
    bool read[MAX_KEPT], const struct contour_kept *k, double epsilon)
{
    size_t found = MAX_KEPT;
    double least = HUGE_VAL;
    for (size_t i = 0; k != NULL && i < k->n; i++) {
        double apart = fabs(k->items[i].choice.epsilon - epsilon);
        if (!read[i] && apart < least) {
            found = i;
            least = apart;
        }
    }
    if (found == MAX_KEPT)
        return NULL;
    read[found] = true;
    return &k->items[found];
}

dosi_interval contour_read_kept(const contour_engine *s, double epsilon)
{
    dosi_interval out;
    bool read[MAX_KEPT] = {false};
    if (contour_beyond_largest(&out, s, epsilon))
        return out;
    if (s->has_contour)
        out = iv_meet(out, read_one(s, &s->contour, epsilon));
    while (s->kept != NULL && !(out.hi - out.lo <= contour_reuse(s))) {
        const contour *c = take_nearest(read, s->kept, epsilon);
        if (c == NULL)
            break;
        out = iv_meet(out, read_one(s, c, epsilon));
    }
    return out;
}
