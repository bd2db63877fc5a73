/*
 * Means and variances: numbers of rows, sums of x = z - c and of x^2, each
 * with noise of its own. With n' = max(1, n) the mean is c + X / n', cut to
 * the bounds, and the variance Q / n' - (X / n')^2, cut to what it can be.
 * Intervals are those of the parts, which share the error, by interval
 * arithmetic. docs/theory/release_table.md, R105-12.
 */
#include "statistics.h"

#include "base/error.h"
#include "big_whole.h"
#include "layout_build.h"
#include "person_limits.h"

#define MORE_PLACES 6 /* of quotients, beyond the grid */

enum { PART_COUNT, PART_SUM, PART_SQUARES };
enum direction { DOWNWARD, NEAREST, UPWARD };

/* ---- Compiling --------------------------------------------------------- */

static int64_t floor_half(int64_t lo, int64_t hi)
{
    int128 sum = (int128)lo + hi;
    return (int64_t)(sum / 2 - (sum % 2 < 0));
}

static dosi_status add_part(struct table_statistic *s, dosi_table_query *q,
    enum table_term term, struct table_part part, dosi_error *err)
{
    struct table_item item = {.limit = TABLE_BY_ROWS,
        .term = term,
        .value = s->value,
        .centre = s->centre,
        .rules = {q->rules[0], q->rules[1]}};
    return statistic_part(s, q, item, part, err);
}

/* The parts of a mean, with shares 1 : 3, or the first two of a variance,
 * with 1 : 2 : 2. */
static dosi_status compile_moments(struct table_statistic *s,
    dosi_table_query *q, const char *argument, int64_t share_of_count,
    int64_t share_of_sum, dosi_error *err)
{
    dosi_neighbours relation = q->settings.neighbours;
    bool in_cells = q->rules[0] != TABLE_NONE;
    int64_t k = q->rows_of_person;
    dosi_status status = statistic_value(s, q, argument, NULL, err);
    if (status == DOSI_OK)
        status = limits_rows(q, true, s->name, err);
    if (status != DOSI_OK)
        return status;
    s->centre = floor_half(s->lo, s->hi);
    struct table_part count = {.leaf = LEAF_COUNT,
        .label = "count",
        .distance = (uint128)k,
        .copies = in_cells ? distance_copies(relation, 1) : 1,
        .share = share_of_count};
    status = add_part(s, q, TABLE_PRESENT, count, err);
    if (status != DOSI_OK)
        return status;
    struct table_part sum = {.leaf = LEAF_SUM,
        .label = "sum",
        .distance =
            distance_centred(relation, k, s->lo, s->hi, s->centre, in_cells),
        .copies = 1,
        .share = share_of_sum};
    return add_part(s, q, TABLE_CENTRED, sum, err);
}

static dosi_status compile_mean(struct table_statistic *s, dosi_table_query *q,
    const char *argument, dosi_error *err)
{
    return compile_moments(s, q, argument, 5, 15, err);
}

static dosi_status compile_variance(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    dosi_status status = compile_moments(s, q, argument, 4, 8, err);
    if (status != DOSI_OK)
        return status;
    if ((int128)s->hi - s->centre >= (int128)1 << 31)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: the bounds must be less than 2^32 units of the grid apart",
            s->name);
    struct table_part part = {.leaf = LEAF_SUM,
        .label = "squares",
        .distance = distance_square(q->settings.neighbours,
            q->rows_of_person, s->lo, s->hi, s->centre,
            q->rules[0] != TABLE_NONE),
        .copies = 1,
        .share = 8};
    return add_part(s, q, TABLE_SQUARE, part, err);
}

/* ---- Intervals of the parts -------------------------------------------- */

struct moments {
    int128 n[3], x[3]; /* lower end, value, upper end; n >= 1 */
    int128 squares[3]; /* >= 0 */
    struct exact_grid grid;
    uint64_t factor; /* 10^places / den, times num */
    int64_t lo, hi, centre;
};

static void moments_of_cell(struct moments *m, const dosi_table_query *q,
    const struct table_statistic *s, size_t cell,
    const struct answer_integers *noisy)
{
    int128 *parts[] = {m->n, m->x, m->squares};
    for (size_t i = 0; i < s->n_parts; i++) {
        const struct table_part *p = &s->parts[i];
        int128 at = noisy->noisy[q->layout.items[p->item].first + cell];
        /* beyond 2^62 rows or sums there is nothing to know */
        int128 value = i == PART_SQUARES && at > 0 ? at : answer_cut(at);
        const int128 most = (int128)1 << 124;
        value = value > most ? most : value;
        for (int j = 0; j < 3; j++) {
            int128 end = value + (j - 1) * (int128)p->half_width;
            int128 least = i == PART_COUNT ? 1 : 0;
            parts[i][j] = i != PART_SUM && end < least ? least : end;
        }
    }
}

static struct moments moments_start(
    const dosi_table_query *q, const struct table_statistic *s)
{
    struct moments m = {.grid = layout_grid(&q->layout, s->value),
        .lo = s->lo,
        .hi = s->hi,
        .centre = s->centre};
    int128 power = 1;
    for (int i = 0; i < m.grid.places; i++)
        power *= 10;
    m.factor = (uint64_t)(power / m.grid.den * m.grid.num);
    return m;
}

/* a / b in a direction. */
static struct big quotient(struct big a, uint128 b, enum direction direction)
{
    bool has_rest;
    if (direction == NEAREST)
        return big_divide(
            big_add(big_mul(a, 2), big_of(b)), 2 * b, &has_rest);
    struct big out = big_divide(a, b, &has_rest);
    return has_rest && direction == UPWARD ? big_add(out, big_of(1)) : out;
}

/* ---- Means ------------------------------------------------------------- */

/* centre + x / n, cut to the bounds. */
static size_t write_mean(struct answer_rows *rows, const struct moments *m,
    int128 x, int128 n, enum direction direction)
{
    size_t start = answer_start(rows);
    int128 sum = m->centre * n + x; /* below 2^125 */
    sum = sum < m->lo * n ? m->lo * n : sum > m->hi * n ? m->hi * n : sum;
    bool negative = sum < 0;
    if (negative && direction != NEAREST)
        direction = direction == DOWNWARD ? UPWARD : DOWNWARD;
    struct big a = big_mul(big_of((uint128)(negative ? -sum : sum)), m->factor);
    a = quotient(big_shift(a, MORE_PLACES), (uint128)n, direction);
    big_print(&rows->text, &a, m->grid.places + MORE_PLACES, negative, false);
    answer_end(rows);
    return start;
}

static void answer_mean(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, const struct answer_integers *noisy)
{
    const struct table_item *item = &q->layout.items[s->parts[0].item];
    struct exact_grid one = exact_grid_of_places(0);
    struct moments m = moments_start(q, s);
    for (size_t i = 0; i < item->n_cells; i++) {
        struct answer_row row = ANSWER_ROW;
        moments_of_cell(&m, q, s, i, noisy);
        row.cell = answer_cell(rows, q, item->rules, i);
        row.value = write_mean(rows, &m, m.x[1], m.n[1], NEAREST);
        /* x / n falls in n where x > 0, and rises where x < 0 */
        row.lower = write_mean(
            rows, &m, m.x[0], m.n[m.x[0] < 0 ? 0 : 2], DOWNWARD);
        row.upper =
            write_mean(rows, &m, m.x[2], m.n[m.x[2] < 0 ? 2 : 0], UPWARD);
        answer_add(rows, s, "", &row);
    }
    answer_part(rows, q, s, PART_COUNT, "count", &one, noisy);
    answer_part(rows, q, s, PART_SUM, "sum", &m.grid, noisy);
}

/* ---- Variances --------------------------------------------------------- */

static uint128 magnitude(int128 x)
{
    return (uint128)(x < 0 ? -x : x);
}

/* In units of the grid squared, times 10^more in those of its places. */
static struct big in_places(struct big a, const struct moments *m, int more)
{
    return big_shift(big_mul(big_mul(a, m->factor), m->factor), more);
}

/* a - b between 0 and the largest variance, ((hi - lo) / 2)^2. */
static struct big cut_variance(
    struct big a, struct big b, const struct moments *m, int more)
{
    struct big out = {{0}};
    bool has_rest;
    uint128 range = (uint128)((int128)m->hi - m->lo);
    struct big most = big_divide(
        in_places(big_mul_wide(range, range), m, more), 4, &has_rest);
    if (big_compare(&a, &b) > 0)
        out = big_sub(a, b);
    return big_compare(&out, &most) > 0 ? most : out;
}

/* The variance of the parts as they are: (Q n - X^2) / n^2. */
static struct big variance_value(const struct moments *m, int more)
{
    uint128 n = (uint128)m->n[1], x = magnitude(m->x[1]);
    struct big a =
        in_places(big_mul_wide((uint128)m->squares[1], n), m, more);
    struct big b = in_places(big_mul_wide(x, x), m, more);
    struct big difference = {{0}};
    if (big_compare(&a, &b) > 0)
        difference = big_sub(a, b);
    struct big zero = {{0}};
    return cut_variance(
        quotient(difference, n * n, NEAREST), zero, m, more);
}

/* Q / n - (X / n)^2 at the ends of its parts. */
static struct big variance_end(
    const struct moments *m, int more, enum direction direction)
{
    int q = direction == UPWARD ? 2 : 0, n = 2 - q;
    enum direction other = direction == UPWARD ? DOWNWARD : UPWARD;
    uint128 low = magnitude(m->x[0]), high = magnitude(m->x[2]);
    uint128 least = m->x[0] <= 0 && m->x[2] >= 0 ? 0 : low < high ? low : high;
    uint128 x = direction == UPWARD ? least : low > high ? low : high;
    uint128 below = (uint128)m->n[n], above = (uint128)m->n[2 - n];
    struct big a = quotient(
        in_places(big_of((uint128)m->squares[q]), m, more), below, direction);
    struct big b = quotient(
        in_places(big_mul_wide(x, x), m, more), above * above, other);
    return cut_variance(a, b, m, more);
}

static size_t write_variance(
    struct answer_rows *rows, const struct moments *m, struct big variance)
{
    size_t start = answer_start(rows);
    big_print(&rows->text, &variance, 2 * m->grid.places + MORE_PLACES, false,
        false);
    answer_end(rows);
    return start;
}

static size_t write_root(struct answer_rows *rows, const struct moments *m,
    struct big variance, enum direction direction)
{
    size_t start = answer_start(rows);
    bool has_rest;
    struct big root = big_root(variance, &has_rest);
    if (has_rest && direction == UPWARD)
        root = big_add(root, big_of(1));
    big_print(
        &rows->text, &root, m->grid.places + MORE_PLACES, false, false);
    answer_end(rows);
    return start;
}

static void answer_variance(struct answer_rows *rows,
    const dosi_table_query *q, const struct table_statistic *s,
    const struct answer_integers *noisy)
{
    const struct table_item *item = &q->layout.items[s->parts[0].item];
    struct exact_grid one = exact_grid_of_places(0);
    struct moments m = moments_start(q, s);
    struct exact_grid square = m.grid;
    square.power = 2;
    for (size_t i = 0; i < item->n_cells; i++) {
        struct answer_row row = ANSWER_ROW, root = ANSWER_ROW;
        moments_of_cell(&m, q, s, i, noisy);
        row.cell = root.cell = answer_cell(rows, q, item->rules, i);
        row.value =
            write_variance(rows, &m, variance_value(&m, MORE_PLACES));
        row.lower = write_variance(
            rows, &m, variance_end(&m, MORE_PLACES, DOWNWARD));
        row.upper =
            write_variance(rows, &m, variance_end(&m, MORE_PLACES, UPWARD));
        answer_add(rows, s, "", &row);
        root.value = write_root(
            rows, &m, variance_value(&m, 2 * MORE_PLACES), NEAREST);
        root.lower = write_root(
            rows, &m, variance_end(&m, 2 * MORE_PLACES, DOWNWARD), DOWNWARD);
        root.upper = write_root(
            rows, &m, variance_end(&m, 2 * MORE_PLACES, UPWARD), UPWARD);
        answer_add(rows, s, "deviation", &root);
    }
    answer_part(rows, q, s, PART_COUNT, "count", &one, noisy);
    answer_part(rows, q, s, PART_SUM, "sum", &m.grid, noisy);
    answer_part(rows, q, s, PART_SQUARES, "squares", &square, noisy);
}

const struct statistic_row statistic_mean = {
    "mean", true, 1, compile_mean, answer_mean};
const struct statistic_row statistic_variance = {
    "variance", true, 1, compile_variance, answer_variance};
