/*
 * Random tables and queries: the reader agrees with the plain reference from
 * CSV in any chunks, from permuted CSV and from Arrow, and from parts of the
 * table that are merged in any order; neighbours differ by
 * one person's contribution and by no more than the distances of spec 105,
 * section 5.1, under both relations. Controls that are known to be wrong
 * break these properties.
 */
#include "support/random.h"
#include "support/arrow_build.h"
#include "support/random_tables.h"
#include "support/table_reference.h"

static void fail(const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static void require(bool condition, const char *what)
{
    if (!condition)
        fail(what);
}

/* ---- Reading ----------------------------------------------------------- */

static void tally_note(struct reference *out, struct table_reader *reader,
    const struct test_query *q)
{
    struct table_tally tally;
    require(table_reader_finish(&tally, reader, NULL) == DOSI_OK, "finish");
    memset(out, 0, sizeof *out);
    memcpy(out->integers, tally.integers,
        q->layout.n_integers * sizeof *out->integers);
    for (size_t u = 0; u < q->layout.n_unknown; u++) {
        for (size_t i = 0; i < tally.unknown[u].n; i++) {
            const struct table_cell_count *cell = &tally.unknown[u].cells[i];
            size_t t = 0;
            while (t < MAX_TEST_NAMES &&
                   (strlen(reference_towns[t]) != cell->name.n ||
                       memcmp(reference_towns[t], cell->name.bytes,
                           cell->name.n) != 0))
                t++;
            if (t >= 6)
                t = 6; /* the name of an arbitrary line, one at most */
            require(cell->count > 0 && !out->exists[u][t], "a town, once");
            out->unknown[u][t] = (int64_t)cell->count;
            out->exists[u][t] = true;
        }
    }
    table_tally_free(&tally, &q->layout);
    table_reader_free(reader);
}

/* A reader of lines in random chunks, with an arbitrary one before line `at`;
 * the last line may have no end. */
static struct table_reader *reader_of(prop_random *r,
    const struct test_query *q, const struct test_table *t, const char *extra,
    size_t n_extra, size_t at)
{
    char text[MAX_TEST_ROWS * 320];
    size_t n = (size_t)snprintf(text, sizeof text, "id,t,u,a,b,c,d\n");
    for (size_t i = 0; i <= t->n; i++) {
        if (i == at && extra != NULL) {
            memcpy(text + n, extra, n_extra);
            n += n_extra;
            text[n++] = '\n';
        }
        if (i == t->n)
            break;
        n += test_line(text + n, r, &t->rows[i]);
        if (prop_below(r, 4) == 0)
            text[n++] = '\r';
        text[n++] = '\n';
    }
    if (t->n > 0 && at < t->n && prop_below(r, 4) == 0)
        n--; /* the last line without its end */
    struct table_reader *reader;
    require(table_reader_new(&reader, &q->layout, NULL) == DOSI_OK, "new");
    for (size_t from = 0; from < n;) {
        size_t step = 1 + prop_bits(r) % (prop_below(r, 4) == 0 ? 8 : n);
        if (step > n - from)
            step = n - from;
        require(table_reader_csv(reader, text + from, step, NULL) == DOSI_OK,
            "csv");
        from += step;
    }
    return reader;
}

static void read_csv(struct reference *out, prop_random *r,
    const struct test_query *q, const struct test_table *t, const char *extra,
    size_t n_extra, size_t at)
{
    tally_note(out, reader_of(r, q, t, extra, n_extra, at), q);
}

static void read_arrow(struct reference *out, prop_random *r,
    const struct test_query *q, const struct test_table *t)
{
    static const char *const names[] = {"id", "t", "u", "a", "b", "c", "d"};
    static const char *const words[] = {
        "u", "U", "vu", "z", "Z", "vz", "*u", "*U", "*vu"};
    static const char *const wholes[] = {"c", "s", "i", "l"};
    static char room[N_COLS][MAX_TEST_ROWS][64];
    const char *texts[N_COLS][MAX_TEST_ROWS];
    const char *formats[N_COLS];
    for (size_t c = 0; c < N_COLS; c++)
        formats[c] = words[prop_below(r, 9)];
    formats[COL_T] = "l";
    bool is_text = prop_below(r, 3) == 0;
    if (!is_text)
        formats[COL_A] = formats[COL_B] = "d:20,3";
    if (!is_text && q->is_integral)
        formats[COL_B] = wholes[prop_below(r, 4)];
    for (size_t i = 0; i < t->n; i++) {
        const struct test_row *row = &t->rows[i];
        (void)strcpy(room[COL_ID][i], row->id);
        (void)snprintf(room[COL_T][i], 48, "%lld", (long long)row->t);
        (void)strcpy(room[COL_U][i], row->u);
        (void)strcpy(room[COL_C][i], row->c);
        (void)strcpy(room[COL_D][i], row->d);
        for (size_t v = 0; v < 2; v++) {
            int64_t m = row->milli[v], a = m < 0 ? -m : m;
            char *s = room[COL_A + v][i];
            if (v == 1 && formats[COL_B][1] == '\0' && !is_text)
                (void)snprintf(s, 48, "%lld", (long long)m / 1000);
            else
                (void)snprintf(s, 48, "%s%lld.%03lld", m < 0 ? "-" : "",
                    (long long)a / 1000, (long long)a % 1000);
        }
        for (size_t c = 0; c < N_COLS; c++) {
            bool is_missing = (c == COL_T && !row->has_t) ||
                              (c == COL_A && !row->has[0]) ||
                              (c == COL_B && !row->has[1]) ||
                              (room[c][i][0] == '\0' && prop_below(r, 2) == 0);
            texts[c][i] = is_missing ? NULL : room[c][i];
        }
    }
    struct built_column columns[N_COLS];
    struct built_stream stream;
    struct table_reader *reader;
    for (size_t c = 0; c < N_COLS; c++)
        built_column_new(&columns[c], names[c], formats[c], texts[c], t->n);
    built_stream_new(
        &stream, columns, N_COLS, t->n, 1 + (size_t)prop_below(r, 20));
    require(table_reader_new(&reader, &q->layout, NULL) == DOSI_OK, "new");
    require(
        table_reader_arrow(reader, &stream.stream, NULL) == DOSI_OK, "arrow");
    tally_note(out, reader, q);
    for (size_t c = 0; c < N_COLS; c++)
        built_free(&columns[c]);
}

static bool is_same(const struct reference *a, const struct reference *b)
{
    return memcmp(a->integers, b->integers, sizeof a->integers) == 0 &&
           memcmp(a->unknown, b->unknown, sizeof a->unknown) == 0 &&
           memcmp(a->exists, b->exists, sizeof a->exists) == 0;
}

/* ---- Distances --------------------------------------------------------- */

static int128 magnitude(int128 x)
{
    return x < 0 ? -x : x;
}

static int128 larger(int128 a, int128 b)
{
    return a > b ? a : b;
}

/* The largest |term| of a row, or the range of terms and 0. */
static int128 term_size(
    const struct test_query *q, const struct table_item *item, bool is_range)
{
    if (item->term == TABLE_ONE || item->term == TABLE_PRESENT)
        return 1;
    const struct table_value *v = &q->values[item->value];
    int64_t c = item->term == TABLE_SUM ? 0 : item->centre;
    int128 lo = v->lo - c, hi = v->hi - c;
    int128 size = larger(magnitude(lo), magnitude(hi));
    if (item->term == TABLE_SQUARE)
        return size * size;
    return is_range ? larger(hi, 0) - (lo < 0 ? lo : 0) : size;
}

/* Whether two tallies may be neighbours, as far as one item goes. */
static bool is_within(const struct test_query *q, const struct table_item *item,
    const struct reference *a, const struct reference *b, bool is_replace)
{
    int128 k = q->layout.user == TABLE_NONE ? 1 : q->layout.max_rows;
    int128 sum = 0, most = 0;
    int64_t n_different = 0;
    for (size_t i = 0; i < item->n_cells; i++) {
        int128 d = magnitude(
            a->integers[item->first + i] - b->integers[item->first + i]);
        sum += d;
        most = larger(most, d);
        n_different += d > 0;
    }
    for (size_t i = 0; i < MAX_TEST_NAMES && item->unknown != TABLE_NONE; i++) {
        int128 d = magnitude((int128)a->unknown[item->unknown][i] -
                             b->unknown[item->unknown][i]);
        most = larger(most, d);
        n_different +=
            a->exists[item->unknown][i] != b->exists[item->unknown][i] || d > 0;
    }
    if (item->limit == TABLE_BY_CELLS)
        return most <= item->max_per_cell &&
               n_different <= (is_replace ? 2 : 1) * item->max_cells;
    if (item->limit == TABLE_BY_PERSON && item->term != TABLE_TOTAL)
        return sum <= 1;
    if (item->limit == TABLE_BY_PERSON) {
        int128 lo = item->total_lo, hi = item->total_hi;
        return sum <= (is_replace ? larger(hi, 0) - (lo < 0 ? lo : 0)
                                  : larger(magnitude(lo), magnitude(hi)));
    }
    if (item->rules[0] != TABLE_NONE)
        return sum <= (is_replace ? 2 : 1) * k * term_size(q, item, false);
    return sum <= k * term_size(q, item, is_replace);
}

static bool all_within(const struct test_query *q, const struct reference *a,
    const struct reference *b, bool is_replace)
{
    for (size_t i = 0; i < q->layout.n_items; i++) {
        if (!is_within(q, &q->items[i], a, b, is_replace))
            return false;
    }
    return true;
}

/* ---- Properties -------------------------------------------------------- */

static void permute(struct test_table *t, prop_random *r)
{
    for (size_t i = 0; i + 1 < t->n; i++) {
        size_t j = i + prop_bits(r) % (t->n - i);
        struct test_row row = t->rows[i];
        t->rows[i] = t->rows[j];
        t->rows[j] = row;
    }
}

static long n_without_z, n_early_names, n_bucket,
    n_limits_early; /* controls that broke */

static void agree(prop_random *r)
{
    static struct test_query q;
    static struct test_table t;
    static struct reference expected, got, control, again;
    test_query_new(&q, r);
    test_table_new(&t, r, &q);
    reference_table(&expected, &q, &t, REFERENCE_RIGHT);
    read_csv(&got, r, &q, &t, NULL, 0, 0);
    require(is_same(&expected, &got), "CSV as the reference");
    if (q.layout.is_file_order && q.layout.user != TABLE_NONE)
        return;
    reference_table(&control, &q, &t, REFERENCE_WITHOUT_Z);
    permute(&t, r);
    read_csv(&got, r, &q, &t, NULL, 0, 0);
    require(is_same(&expected, &got), "permuted CSV");
    reference_table(&again, &q, &t, REFERENCE_WITHOUT_Z);
    n_without_z += !is_same(&control, &again);
    if (!q.layout.is_file_order) {
        read_arrow(&got, r, &q, &t);
        require(is_same(&expected, &got), "Arrow");
    }
}

#define MOST_PARTS 4

/* Every row in one of the parts: of a file of its own, by chance, so that the
 * rows of a person are in several. */
static size_t parts_new(
    struct test_table *parts, prop_random *r, const struct test_table *t)
{
    size_t n_parts = 1 + (size_t)prop_below(r, MOST_PARTS);
    for (size_t p = 0; p < n_parts; p++)
        parts[p].n = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct test_table *part = &parts[prop_bits(r) % n_parts];
        part->rows[part->n++] = t->rows[i];
    }
    return n_parts;
}

/* Parts that are merged in random order are the table. The control adds up
 * tallies of parts, where everybody has limits in each. */
static void parts(prop_random *r)
{
    static struct test_query q;
    static struct test_table t, some[MOST_PARTS];
    static struct reference expected, got, own, sum;
    struct table_reader *readers[MOST_PARTS];
    do
        test_query_new(&q, r);
    while (q.layout.is_file_order);
    test_table_new(&t, r, &q);
    reference_table(&expected, &q, &t, REFERENCE_RIGHT);
    size_t n = parts_new(some, r, &t);
    memset(&sum, 0, sizeof sum);
    for (size_t p = 0; p < n; p++) {
        readers[p] = reader_of(r, &q, &some[p], NULL, 0, 0);
        reference_table(&own, &q, &some[p], REFERENCE_RIGHT);
        for (size_t i = 0; i < MAX_TEST_INTEGERS; i++)
            sum.integers[i] += own.integers[i];
    }
    n_limits_early += memcmp(sum.integers, expected.integers,
                          sizeof sum.integers) != 0;
    while (n > 1) {
        size_t into = prop_bits(r) % n, other = prop_bits(r) % n;
        if (into == other)
            continue;
        require(table_reader_merge(readers[into], readers[other], NULL) ==
                    DOSI_OK,
            "merge");
        require(table_reader_merge(readers[into], readers[other], NULL) ==
                    DOSI_EINVAL,
            "nothing is merged twice");
        table_reader_free(readers[other]);
        readers[other] = readers[--n];
    }
    tally_note(&got, readers[0], &q);
    require(is_same(&expected, &got), "merged parts");
}

/* The rows of everybody but one person, and those of that person alone. */
static void split(struct test_table *others, struct test_table *alone,
    const struct test_table *t, int owner)
{
    others->n = alone->n = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct test_table *to = t->rows[i].owner == owner ? alone : others;
        to->rows[to->n++] = t->rows[i];
    }
}

static bool is_sum(const struct reference *a, const struct reference *b,
    const struct reference *sum)
{
    for (size_t i = 0; i < MAX_TEST_INTEGERS; i++) {
        if (a->integers[i] + b->integers[i] != sum->integers[i])
            return false;
    }
    for (size_t u = 0; u < 4; u++) {
        for (size_t i = 0; i < MAX_TEST_NAMES; i++) {
            if (a->unknown[u][i] + b->unknown[u][i] != sum->unknown[u][i])
                return false;
        }
    }
    return true;
}

/* One bucket for all unreadable ids: a control. */
static void bucket(struct test_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->rows[i].id[0] == '\0')
            (void)strcpy(t->rows[i].id, "?");
    }
}

static void neighbours(prop_random *r)
{
    static struct test_query q;
    static struct test_table t, others, alone, with;
    static struct reference whole, less, own, changed;
    test_query_new(&q, r);
    test_table_new(&t, r, &q);
    int owner = q.layout.user == TABLE_NONE && t.n > 0 ? prop_below(r, (int)t.n)
                                                       : prop_below(r, 6);
    split(&others, &alone, &t, owner);
    read_csv(&whole, r, &q, &t, NULL, 0, 0);
    read_csv(&less, r, &q, &others, NULL, 0, 0);
    read_csv(&own, r, &q, &alone, NULL, 0, 0);
    require(is_sum(&less, &own, &whole), "nobody else changes");
    require(all_within(&q, &whole, &less, false), "distance of add_remove");
    /* other rows of the same person, or of somebody new */
    with = others;
    int other = prop_below(r, 2) == 0 ? owner : 99;
    for (int n = q.layout.user == TABLE_NONE ? 1 : prop_below(r, 12);
         n > 0 && with.n < MAX_TEST_ROWS; n--) {
        size_t at = prop_bits(r) % (with.n + 1);
        memmove(with.rows + at + 1, with.rows + at,
            (with.n - at) * sizeof with.rows[0]);
        with.rows[at] = test_row_new(r, &q, other);
        with.n++;
    }
    read_csv(&changed, r, &q, &with, NULL, 0, 0);
    require(all_within(&q, &whole, &changed, true), "distance of replace");
    reference_table(&own, &q, &t, REFERENCE_EARLY_NAMES);
    reference_table(&less, &q, &others, REFERENCE_EARLY_NAMES);
    n_early_names += !all_within(&q, &own, &less, false);
    if (q.layout.user == TABLE_NONE)
        return;
    bucket(&t);
    bucket(&others);
    reference_table(&whole, &q, &t, REFERENCE_RIGHT);
    reference_table(&less, &q, &others, REFERENCE_RIGHT);
    n_bucket += !all_within(&q, &whole, &less, false);
}

/* An arbitrary line more: it is one person's row, or nobody's. */
static void lines(prop_random *r)
{
    static struct test_query q;
    static struct test_table t;
    static struct reference without, with;
    static const char alphabet[] = {'"', '"', ',', ',', ',', 'p', '1', '2', '-',
        '.', 'e', 'x', 'y', '\r', '\0', ' ', '\t', (char)0xff, '9', '\\'};
    char line[256];
    size_t n;
    test_query_new(&q, r);
    test_table_new(&t, r, &q);
    struct test_row row = test_row_new(r, &q, prop_below(r, 6));
    n = test_line(line, r, &row);
    for (int i = prop_below(r, 4); i > 0 && n > 0; i--) /* a broken row */
        line[prop_bits(r) % n] = alphabet[prop_below(r, 20)];
    if (prop_below(r, 3) == 0) {
        n = (size_t)prop_below(r, 40);
        for (size_t i = 0; i < n; i++)
            line[i] = alphabet[prop_below(r, 20)];
    }
    read_csv(&without, r, &q, &t, NULL, 0, 0);
    read_csv(&with, r, &q, &t, line, n, prop_bits(r) % (t.n + 1));
    require(all_within(&q, &without, &with, q.layout.user != TABLE_NONE),
        "distance of a line");
}

int main(void)
{
    prop_random r = prop_start("prop_table_people");
    const prop_property properties[] = {
        {agree, 2500}, {parts, 2500}, {neighbours, 2500}, {lines, 2000}};
    prop_run(&r, properties, sizeof properties / sizeof properties[0]);
    printf("controls that broke: order without z %ld, names before the limits "
           "%ld, one bucket %ld, limits before the merge %ld\n",
        n_without_z, n_early_names, n_bucket, n_limits_early);
    require(n_without_z > 0 && n_early_names > 0 && n_bucket > 0 &&
                n_limits_early > 0,
        "every control breaks");
    return 0;
}
