/*
 * Draws the noise of all integers of a tally and makes all choices. Derivation:
 * docs/theory/release_table.md.
 */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "release/choice.h"
#include "release/noise.h"

#define CHUNK 4096

/* s + k, at an end of 128 bits where it would pass it: after the noise, so
 * it is a function of the sum of both. */
static int128 add_noise(int128 s, int64_t k)
{
    const int128 most = (int128)(((uint128)1 << 127) - 1);
    int128 sum;
    if (__builtin_add_overflow(s, (int128)k, &sum))
        return k > 0 ? most : -most;
    return sum;
}

/* ---- Values ------------------------------------------------------------ */

static dosi_status draw_values(int128 *out, const int128 *integers, size_t n,
    const dosi_noise *noise, struct words *w, dosi_error *err)
{
    int64_t *k = calloc(CHUNK, sizeof *k);
    dosi_status status = DOSI_OK;
    if (k == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n && status == DOSI_OK; i += CHUNK) {
        size_t some = n - i < CHUNK ? n - i : CHUNK;
        status = noise_draw(k, some, noise, w, err);
        for (size_t j = 0; j < some && status == DOSI_OK; j++)
            out[i + j] = add_noise(integers[i + j], k[j]);
    }
    free(k);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    const struct table_cell_count *x = a, *y = b;
    size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
    int order = n > 0 ? memcmp(x->name.bytes, y->name.bytes, n) : 0;
    if (order != 0)
        return order;
    return x->name.n < y->name.n ? -1 : x->name.n > y->name.n;
}

/* Cells with at least the least count get noise, and stay from tau on. */
static dosi_status draw_unknown(struct table_cells *out,
    const struct table_cells *cells, const struct table_part *part,
    int64_t min_count, struct words *w, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    out->cells = calloc(cells->n + 1, sizeof *out->cells);
    if (out->cells == NULL)
        return dosi_fail_memory(err);
    out->capacity = cells->n + 1;
    for (size_t i = 0; i < cells->n && status == DOSI_OK; i++) {
        struct table_cell_count cell = cells->cells[i];
        int64_t k = 0;
        if (cell.count < min_count)
            continue;
        status = noise_draw(&k, 1, part->noise, w, err);
        cell.count = add_noise(cell.count, k);
        if (status == DOSI_OK && cell.count >= part->tau)
            out->cells[out->n++] = cell;
    }
    if (out->n > 0)
        qsort(out->cells, out->n, sizeof *out->cells, compare_names);
    return status;
}

/* ---- Choices ----------------------------------------------------------- */

/* A number of rows, clamped to 2^63: this is 1-Lipschitz. */
static int128 count_within(int128 count)
{
    const int128 most = (int128)1 << 63;
    return count < 0 ? 0 : count > most ? most : count;
}

static int64_t saturate(int128 distance)
{
    return distance > INT64_MAX ? INT64_MAX : (int64_t)distance;
}

/* |score| of grid point i, below 2^24 2^63 2^20. */
static int128 rank_error(
    int128 below, int128 above, int64_t a, int64_t b)
{
    int128 score = (b - a) * below - a * above;
    return score < 0 ? -score : score;
}

void draw_ranks(int64_t *out, const int128 *counts, size_t n, int64_t a,
    int64_t b)
{
    int128 total = 0, below = 0, least = -1;
    for (size_t i = 0; i < n; i++)
        total += count_within(counts[i]);
    for (size_t i = 0; i < n; i++) {
        int128 here = count_within(counts[i]);
        int128 e = rank_error(below, total - below - here, a, b);
        least = least < 0 || e < least ? e : least;
        below += here;
    }
    below = 0;
    for (size_t i = 0; i < n; i++) {
        int128 here = count_within(counts[i]);
        int128 e = rank_error(below, total - below - here, a, b);
        out[i] = saturate(e - least);
        below += here;
    }
}

void draw_fullest(int64_t *out, const int128 *counts, size_t n)
{
    int128 most = 0;
    for (size_t i = 0; i < n; i++) {
        int128 count = count_within(counts[i]);
        most = count > most ? count : most;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = saturate(most - count_within(counts[i]));
}

static dosi_status draw_choice(size_t *out, const dosi_table_query *q,
    const struct table_statistic *s, const int128 *integers, struct words *w,
    dosi_error *err)
{
    const struct table_part *part = &s->parts[0];
    const struct table_item *item = &q->layout.items[part->item];
    int64_t *distances = calloc(item->n_cells, sizeof *distances);
    if (distances == NULL)
        return dosi_fail_memory(err);
    if (s->whole > 0)
        draw_ranks(distances, integers + item->first, item->n_cells,
            s->below, s->whole);
    else
        draw_fullest(distances, integers + item->first, item->n_cells);
    dosi_status status = choice_draw(out, distances, item->n_cells,
        part->parameter, (int64_t)part->distance, part->is_monotone,
        q->settings.permute_and_flip, w, err);
    free(distances);
    return status;
}

/* ---- All --------------------------------------------------------------- */

static dosi_status draw_part(struct answer_integers *out,
    const dosi_table_query *q, size_t statistic, size_t part,
    const struct table_tally *tally, struct words *w, dosi_error *err)
{
    const struct table_statistic *s = &q->statistics[statistic];
    const struct table_part *p = &s->parts[part];
    const struct table_item *item = &q->layout.items[p->item];
    if (p->leaf == LEAF_CHOICE)
        return draw_choice(
            &out->chosen[statistic], q, s, tally->integers, w, err);
    if (p->has_threshold)
        return draw_unknown(&out->unknown[item->unknown],
            &tally->unknown[item->unknown], p, item->min_count, w, err);
    return draw_values(out->noisy + item->first,
        tally->integers + item->first, item->n_cells, p->noise, w, err);
}

dosi_status draw_all(struct answer_integers *out, const dosi_table_query *q,
    const struct table_tally *tally, dosi_error *err)
{
    struct words w;
    *out = (struct answer_integers){
        calloc(q->layout.n_integers + 1, sizeof *out->noisy),
        calloc(q->n_statistics, sizeof *out->chosen),
        calloc(q->layout.n_unknown + 1, sizeof *out->unknown)};
    if (out->noisy == NULL || out->chosen == NULL || out->unknown == NULL) {
        draw_free(out, q);
        return dosi_fail_memory(err);
    }
    dosi_status status = words_open(&w, err);
    if (status != DOSI_OK) {
        draw_free(out, q);
        return status;
    }
    for (size_t i = 0; i < q->n_statistics; i++)
        for (size_t j = 0; j < q->statistics[i].n_parts; j++)
            if (status == DOSI_OK)
                status = draw_part(out, q, i, j, tally, &w, err);
    if (status == DOSI_OK)
        status = words_check(&w, err);
    words_close(&w);
    if (status != DOSI_OK)
        draw_free(out, q);
    return status;
}

void draw_free(struct answer_integers *drawn, const dosi_table_query *q)
{
    free(drawn->noisy);
    free(drawn->chosen);
    for (size_t i = 0; drawn->unknown != NULL && i < q->layout.n_unknown; i++)
        free(drawn->unknown[i].cells);
    free(drawn->unknown);
    *drawn = (struct answer_integers){0};
}
