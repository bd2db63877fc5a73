/*
 * Lines, quotes, headers and faults of CSV; cells above 16 a person; merging
 * of tallies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "release/table/reader/reader.h"

/* count, sum of v on a grid of 1 within -1000 .. 1000, bad, a histogram of c
 * with names x and y, and all that occur in c. */
struct small {
    struct table_layout layout;
    struct table_column columns[4];
    struct table_value values[1];
    struct table_rule rules[2];
    struct table_item items[5];
    struct table_bytes names[2];
    size_t keys[1], texts[1];
};

enum { COUNT, SUM, BAD, X, Y, N_INTEGERS };

static struct table_item item_of(enum table_limit limit, enum table_term term,
    size_t rule, size_t first, size_t n_cells)
{
    return (struct table_item){.limit = limit,
        .term = term,
        .value = 0,
        .rules = {rule, TABLE_NONE},
        .max_cells = 1,
        .max_per_cell = 1,
        .first = first,
        .n_cells = n_cells,
        .unknown = n_cells == 0 ? 0 : TABLE_NONE};
}

/* Columns v and c; with a user also id and t, which is the order. */
static void small_new(struct small *s, bool has_user)
{
    static char names[4][4] = {"v", "c", "id", "t"};
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < 4; i++)
        s->columns[i].name = names[i];
    s->values[0] = (struct table_value){0, 1, 1, -1000, 1000, TABLE_MISSING};
    s->names[0] = (struct table_bytes){"x", 1};
    s->names[1] = (struct table_bytes){"y", 1};
    s->rules[0] = (struct table_rule){
        .kind = TABLE_CATEGORIES, .n_cells = 2, .names = s->names};
    s->rules[1] = (struct table_rule){.kind = TABLE_UNKNOWN};
    s->items[0] = item_of(TABLE_BY_ROWS, TABLE_ONE, TABLE_NONE, COUNT, 1);
    s->items[1] = item_of(TABLE_BY_ROWS, TABLE_SUM, TABLE_NONE, SUM, 1);
    s->items[2] = item_of(TABLE_BY_PERSON, TABLE_BAD, TABLE_NONE, BAD, 1);
    s->items[3] = item_of(TABLE_BY_CELLS, TABLE_ONE, 0, X, 2);
    s->items[4] = item_of(TABLE_BY_CELLS, TABLE_ONE, 1, N_INTEGERS, 0);
    s->keys[0] = 3;
    s->texts[0] = 1;
    s->layout = (struct table_layout){.columns = s->columns,
        .n_columns = has_user ? 4 : 2,
        .user = has_user ? 2 : TABLE_NONE,
        .keys = s->keys,
        .n_keys = has_user,
        .values = s->values,
        .n_values = 1,
        .texts = s->texts,
        .n_texts = 1,
        .rules = s->rules,
        .n_rules = 2,
        .items = s->items,
        .n_items = 5,
        .n_integers = N_INTEGERS,
        .n_unknown = 1,
        .max_rows = has_user ? 2 : INT64_MAX,
        .delimiter = ',',
        .decimal = '.',
        .has_header = true};
}

static dosi_status read_text(struct table_tally *out, const struct small *s,
    const char *text, size_t n, dosi_error *err)
{
    struct table_reader *reader;
    assert_int_equal(table_reader_new(&reader, &s->layout, err), DOSI_OK);
    dosi_status status = table_reader_csv(reader, text, n, err);
    if (status == DOSI_OK)
        status = table_reader_finish(out, reader, err);
    table_reader_free(reader);
    return status;
}

static void check(
    const struct small *s, const char *text, size_t n, const int *expected)
{
    struct table_tally tally;
    assert_int_equal(read_text(&tally, s, text, n, NULL), DOSI_OK);
    for (size_t i = 0; i < N_INTEGERS; i++)
        assert_int_equal((int)tally.integers[i], expected[i]);
    table_tally_free(&tally, &s->layout);
}

#define CHECK(s, text, ...)                                                    \
    check(s, text, sizeof(text) - 1, (const int[]){__VA_ARGS__})

static void test_lines(void **state)
{
    (void)state;
    struct small s;
    small_new(&s, false);
    /* count, sum, bad, x, y */
    CHECK(&s, "v,c\n1,x\n2,y\n", 2, 3, 0, 1, 1);
    CHECK(&s, "v,c\r\n1,x\r\n2,y\r\n", 2, 3, 0, 1, 1);
    CHECK(&s, "v,c\n1,x\n2,y", 2, 3, 0, 1, 1);
    CHECK(&s, "v,c\n1,x\r\r\n2,y\r", 2, 3, 0, 0, 1); /* one CR is dropped */
    CHECK(&s, "v,c\n", 0, 0, 0, 0, 0);
    CHECK(&s, "v,c", 0, 0, 0, 0, 0);
    CHECK(&s, "v,c\n\n\r\n1,x\n\n", 1, 1, 3, 1, 0);     /* empty lines */
    CHECK(&s, "v,c\n1\n1,x,\n1,x\n", 1, 1, 2, 1, 0);    /* fields */
    CHECK(&s, "v,c\n,x\nnan,x\n1,\n", 3, 1, 2, 2, 0);   /* missing values */
    CHECK(&s, "v,c\n1001,x\n-1e99,x\n", 2, 0, 0, 2, 0); /* clamped */
    CHECK(&s,
        "\xef\xbb\xbf"
        "v,c\n1,x\n",
        1, 1, 0, 1, 0);
    CHECK(&s, "c,w,v\nx,,1\n", 1, 1, 0, 1, 0); /* other columns */
    CHECK(&s, "v,c\n1,x\0\n1,\0\n", 2, 2, 0, 0, 0);
}

static void test_quotes(void **state)
{
    (void)state;
    struct small s;
    small_new(&s, false);
    CHECK(&s, "\"v\",\"c\"\n\"1\",\"x\"\n", 1, 1, 0, 1, 0);
    /* an open quote swallows its own line only */
    CHECK(&s, "v,c\n1,\"x\n2,y\n3,x\"\n", 2, 5, 1, 0, 1);
    CHECK(&s, "v,c\n\"1,x\n\"2,y\n3,x\n", 1, 3, 2, 1, 0);
    CHECK(&s, "v,c\n1,\"x\"y\n1,\"x\" \n", 0, 0, 2, 0, 0);
    CHECK(&s, "v,c\n1,a\"b\n1,x\"\n", 2, 2, 0, 0, 0); /* bytes like others */
    CHECK(&s, "v,c\n1,\"\"\n1,\"\"\"\"\n1,\"\"\"\n", 2, 2, 1, 0, 0);
    struct table_tally tally;
    const char text[] = "v,c\n1,\"a\"\"b,c\"\n1,\"\"\"\"\n1,\"a\"\"b,c\"\n";
    assert_int_equal(
        read_text(&tally, &s, text, sizeof text - 1, NULL), DOSI_OK);
    assert_int_equal(tally.unknown[0].n, 2);
    assert_int_equal(tally.unknown[0].cells[0].name.n, 5);
    assert_memory_equal(tally.unknown[0].cells[0].name.bytes, "a\"b,c", 5);
    assert_int_equal((int)tally.unknown[0].cells[0].count, 2);
    assert_int_equal(tally.unknown[0].cells[1].name.n, 1);
    table_tally_free(&tally, &s.layout);
}

static void test_signs(void **state)
{
    (void)state;
    struct small s;
    small_new(&s, false);
    s.layout.delimiter = ';';
    s.layout.decimal = ',';
    CHECK(&s, "v;c\n1,5;x\n1.5;y\n", 2, 2, 1, 1, 1);
    s.layout.delimiter = '\t';
    CHECK(&s, "v\tc\n1,4\tx\n", 1, 1, 0, 1, 0);
}

static void test_header(void **state)
{
    (void)state;
    struct small s;
    struct table_tally tally;
    dosi_error err;
    small_new(&s, false);
    const char *const wrong[] = {"v,d\n1,secret\n", "v\n", "\n1,x\n", "",
        "v,c,v\n1,2,3\n", "V,C\n", " v,c\n", "\"v,c\n1,2\n", "v,\"c\"d\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        err.message[0] = '\0';
        assert_int_equal(
            read_text(&tally, &s, wrong[i], strlen(wrong[i]), &err),
            DOSI_EINVAL);
        assert_null(strstr(err.message, "secret"));
        assert_true(strlen(err.message) > 10);
    }
    assert_int_equal(read_text(&tally, &s, "v,d\n", 4, &err), DOSI_EINVAL);
    assert_string_equal(err.message, "column c is not in the header");
    /* a failure stays */
    struct table_reader *reader;
    assert_int_equal(table_reader_new(&reader, &s.layout, NULL), DOSI_OK);
    assert_int_equal(table_reader_csv(reader, "x\n", 2, NULL), DOSI_EINVAL);
    assert_int_equal(table_reader_csv(reader, "v,c\n", 4, NULL), DOSI_EINVAL);
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_EINVAL);
    table_reader_free(reader);
    /* without a header: rows have at least the fields that are read */
    char first[] = "3", second[] = "1";
    s.layout.has_header = false;
    s.columns[0].name = first;
    s.columns[1].name = second;
    CHECK(&s, "x,,1\ny,,2,more\nx,3\n", 2, 3, 1, 1, 1);
    CHECK(&s, "", 0, 0, 0, 0, 0);
    const char *const numbers[] = {
        "0", "a", "", "01", "-1", "1x", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char name[32];
        (void)strcpy(name, numbers[i]);
        s.columns[0].name = name;
        assert_int_equal(read_text(&tally, &s, "1,2\n", 4, &err), DOSI_EINVAL);
    }
}

/* Lines of 10^6 bytes are rows, longer ones are none, in chunks of any
 * size. */
static void test_long(void **state)
{
    (void)state;
    struct small s;
    small_new(&s, false);
    const size_t limit = 1000000, sizes[] = {1000, 333333, 4000000};
    char *text = malloc(4 * limit);
    assert_non_null(text);
    for (size_t extra = 0; extra < 3; extra++) {
        for (size_t cr = 0; cr < 2; cr++) {
            size_t n = (size_t)sprintf(text, "v,c\n1,x\n");
            memset(text + n, '0', limit + extra);
            memcpy(text + n + limit + extra - 3, "2,y", 3);
            n += limit + extra;
            if (cr)
                text[n++] = '\r';
            n += (size_t)sprintf(text + n, "\n3,x\n");
            for (size_t i = 0; i < 3; i++) {
                struct table_reader *reader;
                struct table_tally tally;
                assert_int_equal(
                    table_reader_new(&reader, &s.layout, NULL), DOSI_OK);
                for (size_t at = 0; at < n; at += sizes[i])
                    assert_int_equal(
                        table_reader_csv(reader, text + at,
                            n - at < sizes[i] ? n - at : sizes[i], NULL),
                        DOSI_OK);
                assert_int_equal(
                    table_reader_finish(&tally, reader, NULL), DOSI_OK);
                assert_int_equal((int)tally.integers[COUNT], 2 + !extra);
                assert_int_equal((int)tally.integers[SUM], extra ? 4 : 6);
                assert_int_equal((int)tally.integers[BAD], extra > 0);
                table_tally_free(&tally, &s.layout);
                table_reader_free(reader);
            }
        }
    }
    free(text);
}

/* Bad lines have no id, rows without one are no rows. */
static void test_people(void **state)
{
    (void)state;
    struct small s;
    small_new(&s, true);
    CHECK(&s, "id,t,v,c\na,2,5,x\na,1,7,y\na,3,9,x\n,1,9,x\n\nb\n\"\n", 2, 12,
        0, 0, 1);
    CHECK(&s, "id,t,v,c\na,2,,x\na,1,z,y\nb,1,1,x\n", 3, 1, 1, 1, 1);
    /* text keys by bytes: 10 comes before 9; missing last */
    CHECK(&s, "id,t,v,c\na,9,1,x\na,,5,x\na,10,2,y\n", 2, 3, 0, 0, 1);
    s.columns[3].type = TABLE_INT64;
    CHECK(&s, "id,t,v,c\na,9,1,x\na,,5,x\na,10,2,y\n", 2, 3, 0, 1, 0);
    /* the undeclared cell takes the place */
    CHECK(&s, "id,t,v,c\na,1,1,q\na,2,1,x\n", 2, 2, 0, 0, 0);
    s.layout.n_keys = 0;
    s.layout.is_file_order = true;
    CHECK(&s, "id,t,v,c\na,3,1,x\na,2,2,y\na,1,4,q\n", 2, 3, 0, 1, 0);
}

/* A person with 300 cells: the first ones by key, then by name. */
static void test_many_cells(void **state)
{
    (void)state;
    struct small s;
    struct table_tally tally;
    char text[16384];
    small_new(&s, true);
    s.columns[3].type = TABLE_INT64;
    s.items[4].max_cells = 5;
    s.items[4].max_per_cell = 3;
    int n = sprintf(text, "id,t,v,c\n");
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 300; i++)
            n += sprintf(text + n, "p,%d,1,n%03d\n",
                (i == 250 || i == 77) && round == 1 ? 0 : 5 + i / 100,
                (i * 7) % 300);
    }
    n += sprintf(
        text + n, "p,99,1,n%03d\np,99,1,n%03d\n", 77 * 7 % 300, 77 * 7 % 300);
    assert_int_equal(read_text(&tally, &s, text, (size_t)n, NULL), DOSI_OK);
    /* keys 0: the names of i = 250 and 77; then key 5, i < 100: by name */
    assert_int_equal(tally.unknown[0].n, 5);
    const char *const names[] = {"n250", "n239", "n000", "n001", "n002"};
    const int counts[] = {2, 3, 2, 2, 2};
    for (size_t i = 0; i < 5; i++) {
        size_t j = 0;
        while (j < 5 &&
               memcmp(tally.unknown[0].cells[j].name.bytes, names[i], 4) != 0)
            j++;
        assert_true(j < 5);
        assert_int_equal((int)tally.unknown[0].cells[j].count, counts[i]);
    }
    table_tally_free(&tally, &s.layout);
}

static void test_faults(void **state)
{
    (void)state;
    struct small s;
    struct table_reader *reader;
    struct table_tally tally;
    const char text[] = "id,t,v,c\n\n\"\na\na,1,2000,x\na,2,-2000,x\n"
                        "a,3,z,y\n,1,1,x\nb,1,1,x\n";
    small_new(&s, true);
    assert_int_equal(table_reader_new(&reader, &s.layout, NULL), DOSI_OK);
    assert_int_equal(table_reader_watch(reader, NULL), DOSI_OK);
    assert_int_equal(
        table_reader_csv(reader, text, sizeof text - 1, NULL), DOSI_OK);
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_OK);
    const struct table_faults *f = table_reader_faults(reader);
    assert_int_equal(f->n_lines, 8);
    assert_int_equal(f->n_rows, 4);
    assert_int_equal(f->n_people, 2);
    assert_int_equal(f->n_empty, 1);
    assert_int_equal(f->n_quote, 1);
    assert_int_equal(f->n_fields, 1);
    assert_int_equal(f->n_no_user, 1);
    assert_int_equal(f->n_bad_rows, 1);
    assert_int_equal(f->n_missing[0], 1);
    assert_int_equal(f->n_below[0], 1);
    assert_int_equal(f->n_above[0], 1);
    assert_int_equal(f->n_over_rows, 1);
    assert_int_equal(f->n_over_cells, 1);
    table_tally_free(&tally, &s.layout);
    table_reader_free(reader);
}

static void test_merge(void **state)
{
    (void)state;
    struct small s;
    struct table_tally a, b, both;
    const char first[] = "id,t,v,c\na,1,2,x\na,2,3,q\nb,1,4,w\n";
    const char second[] = "id,t,v,c\nc,1,5,x\nd,1,6,w\ne,1,7,y\n";
    const char all[] = "id,t,v,c\na,1,2,x\na,2,3,q\nb,1,4,w\n"
                       "c,1,5,x\nd,1,6,w\ne,1,7,y\n";
    small_new(&s, true);
    assert_int_equal(read_text(&a, &s, first, sizeof first - 1, NULL), DOSI_OK);
    assert_int_equal(
        read_text(&b, &s, second, sizeof second - 1, NULL), DOSI_OK);
    assert_int_equal(read_text(&both, &s, all, sizeof all - 1, NULL), DOSI_OK);
    assert_int_equal(table_tally_add(&a, &b, &s.layout, NULL), DOSI_OK);
    for (size_t i = 0; i < N_INTEGERS; i++)
        assert_true(a.integers[i] == both.integers[i]);
    assert_int_equal(a.unknown[0].n, both.unknown[0].n);
    for (size_t i = 0; i < a.unknown[0].n; i++) {
        const struct table_cell_count *cell = &a.unknown[0].cells[i];
        size_t j = 0;
        while (j < both.unknown[0].n &&
               both.unknown[0].cells[j].name.bytes[0] != cell->name.bytes[0])
            j++;
        assert_true(j < both.unknown[0].n);
        assert_true(cell->count == both.unknown[0].cells[j].count);
    }
    table_tally_free(&a, &s.layout);
    table_tally_free(&b, &s.layout);
    table_tally_free(&both, &s.layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_people),
        cmocka_unit_test(test_many_cells),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
