/*
 * Limits of one person's contribution, and the distances of neighbouring
 * integers under them. Derivation: docs/theory/release_table.md, section 1.
 */
#include "person_limits.h"

#include <string.h>

#include "base/error.h"

/* ---- Limits ------------------------------------------------------------ */

dosi_status limits_check(const dosi_table_query *q, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    const char *limit = NULL;
    if (s->is_file_order && s->n_order > 0)
        return dosi_fail(err, DOSI_EINVAL,
            "file-order: replaces order, got both");
    if (s->user != NULL)
        return DOSI_OK;
    for (size_t i = 0; i < s->n_columns; i++)
        if (s->columns[i].has_user_bounds)
            limit = "user-bounds";
    if (s->is_file_order)
        limit = "file-order";
    if (s->n_order > 0)
        limit = "order";
    if (s->n_max_per_cell > 0)
        limit = "max-per-cell";
    if (s->n_max_cells > 0)
        limit = "max-cells";
    if (s->max_rows > 0)
        limit = "max-rows";
    if (limit != NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: needs user C; without it every row is a person", limit);
    return DOSI_OK;
}

static dosi_status check_order(
    const struct table_settings *s, const char *what, dosi_error *err)
{
    if (s->n_order > 0 || s->is_file_order)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "%s: order C or file-order must say which rows of a person count",
        what);
}

dosi_status limits_rows(const dosi_table_query *q, bool needs_order,
    const char *what, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    if (s->user == NULL)
        return DOSI_OK;
    if (s->max_rows == 0)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: user %.60s needs max-rows K, the largest number of rows of a "
            "person", what,
            s->user);
    return needs_order ? check_order(s, what, err) : DOSI_OK;
}

/* The limit of the columns, or that of all; 0 where there is none. */
static int64_t find_limit(
    struct cell_limit *list, size_t n, const char *columns)
{
    struct cell_limit *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (list[i].name == NULL && found == NULL)
            found = &list[i];
        if (list[i].name != NULL && strcmp(list[i].name, columns) == 0)
            found = &list[i];
    }
    if (found == NULL)
        return 0;
    found->is_used = true;
    return found->limit;
}

dosi_status limits_cells(bool *by_cells, int64_t *max_cells,
    int64_t *max_per_cell, dosi_table_query *q, const char *columns,
    const char *what, dosi_error *err)
{
    struct table_settings *s = &q->settings;
    *max_cells = find_limit(s->max_cells, s->n_max_cells, columns);
    *max_per_cell = find_limit(s->max_per_cell, s->n_max_per_cell, columns);
    *by_cells = *max_cells > 0;
    if ((*max_cells > 0) != (*max_per_cell > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: max-cells and max-per-cell go together, got only %s", what,
            *by_cells ? "max-cells" : "max-per-cell");
    return *by_cells ? check_order(s, what, err) : DOSI_OK;
}

int64_t limits_min_count(dosi_table_query *q, const char *columns)
{
    struct table_settings *s = &q->settings;
    int64_t least = find_limit(s->min_count, s->n_min_count, columns);
    return least > 0 ? least : 1;
}

static dosi_status check_used(const char *what, const struct cell_limit *list,
    size_t n, dosi_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!list[i].is_used)
            return dosi_fail(err, DOSI_EINVAL,
                "%s%s%.100s: no statistic is limited by it", what,
                list[i].name != NULL ? " " : "",
                list[i].name != NULL ? list[i].name : "");
    return DOSI_OK;
}

dosi_status limits_used(const dosi_table_query *q, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    dosi_status status =
        check_used("max-cells", s->max_cells, s->n_max_cells, err);
    if (status == DOSI_OK)
        status = check_used(
            "max-per-cell", s->max_per_cell, s->n_max_per_cell, err);
    if (status == DOSI_OK)
        status = check_used("min-count", s->min_count, s->n_min_count, err);
    return status;
}

/* ---- Distances --------------------------------------------------------- */

static uint128 magnitude(int128 x)
{
    return (uint128)(x < 0 ? -x : x);
}

static uint128 larger(uint128 a, uint128 b)
{
    return a > b ? a : b;
}

/* max(hi, 0) - min(lo, 0): the most that x moves within lo .. hi and 0. */
static uint128 spread(int128 lo, int128 hi)
{
    return (uint128)((hi > 0 ? hi : 0) - (lo < 0 ? lo : 0));
}

int64_t distance_copies(dosi_neighbours neighbours, int64_t max_cells)
{
    return neighbours == DOSI_REPLACE ? 2 * max_cells : max_cells;
}

/* k rows of x in lo .. hi, or 0: k max|x|; replaced, x - x' in one integer,
 * but two rows in two cells move the vector by 2 max|x|. R105-11 (b). */
static uint128 of_rows(dosi_neighbours neighbours, int64_t k, int128 lo,
    int128 hi, bool in_cells)
{
    uint128 most = larger(magnitude(lo), magnitude(hi));
    if (neighbours != DOSI_REPLACE)
        return (uint128)k * most;
    return (uint128)k * (in_cells ? 2 * most : spread(lo, hi));
}

uint128 distance_sum(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, bool in_cells)
{
    return of_rows(neighbours, k, lo, hi, in_cells);
}

uint128 distance_centred(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, int64_t centre, bool in_cells)
{
    return of_rows(neighbours, k, (int128)lo - centre, (int128)hi - centre,
        in_cells);
}

uint128 distance_square(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, int64_t centre, bool in_cells)
{
    uint128 h = larger(
        magnitude((int128)lo - centre), magnitude((int128)hi - centre));
    return of_rows(neighbours, k, 0, (int128)(h * h), in_cells);
}

uint128 distance_total(dosi_neighbours neighbours, int64_t lo, int64_t hi)
{
    return of_rows(neighbours, 1, lo, hi, false);
}

/* A row below the point moves the score by b - a, one above by a; a row that
 * crosses it by b. */
int64_t distance_rank(
    dosi_neighbours neighbours, int64_t k, int64_t a, int64_t b)
{
    if (neighbours == DOSI_REPLACE)
        return k * b;
    return k * (a > b - a ? a : b - a);
}
