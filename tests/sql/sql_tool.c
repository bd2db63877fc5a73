/*
 * For the tests of SQL: reads a layout from a plain description, prints its
 * statement, and reads an engine's answer back into integers. The layout is
 * built by hand, so nothing of the language of statistics is needed.
 *
 * usage: sql_tool print DIALECT TABLE < layout
 *        sql_tool read LAYOUT DIGEST < answer
 *        sql_tool self-test DIALECT
 *        sql_tool self-check DIALECT < answer
 *
 * Lines of a description; texts are hexadecimal, - is none:
 *   column NAME TYPE PRECISION SCALE     types as enum table_type
 *   user COLUMN          key COLUMN          text COLUMN          max_rows K
 *   value COLUMN NUM DEN LO HI MISSING
 *   rule KIND TEXT-OR-VALUE WIDTH N_CELLS [NAME ...]
 *   where COLUMN OP IS_TEXT OPERAND
 *   item LIMIT TERM VALUE CENTRE LO HI RULE RULE L M MIN_COUNT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "release/table/sql/sql_self_test.h"
#include "release/table/sql/tally_read.h"

#define MAX_PARTS 64
#define MAX_WORDS 4096

static struct table_column columns[MAX_PARTS];
static size_t keys[MAX_PARTS], texts[MAX_PARTS];
static struct table_value values[MAX_PARTS];
static struct table_rule rules[MAX_PARTS];
static struct table_where where[MAX_PARTS];
static struct table_item items[MAX_PARTS];
static struct table_layout layout = {.columns = columns,
    .user = TABLE_NONE,
    .keys = keys,
    .values = values,
    .texts = texts,
    .rules = rules,
    .where = where,
    .items = items,
    .max_rows = INT64_MAX};

static char *words[MAX_WORDS];
static struct table_tally tally; /* lives to the end, as the layout does */
static struct tally_reader *reader;

static int64_t number(size_t i)
{
    return strtoll(words[i], NULL, 10);
}

static size_t place(size_t i)
{
    return strcmp(words[i], "-") == 0 ? TABLE_NONE
                                      : (size_t)strtoull(words[i], NULL, 10);
}

static struct table_bytes bytes(size_t i)
{
    const char *s = words[i];
    size_t n = strcmp(s, "-") == 0 ? 0 : strlen(s) / 2;
    char *out = calloc(n + 1, 1);
    for (size_t j = 0; out != NULL && j < n; j++) {
        char pair[] = {s[2 * j], s[2 * j + 1], '\0'};
        out[j] = (char)strtoul(pair, NULL, 16);
    }
    return (struct table_bytes){out, n};
}

static void add_rule(size_t n_words)
{
    struct table_rule *rule = &rules[layout.n_rules++];
    rule->kind = (enum table_rule_kind)number(1);
    rule->text = rule->value = place(2);
    rule->width = number(3);
    rule->n_cells = place(4);
    rule->names = calloc(n_words, sizeof *rule->names);
    for (size_t i = 5; i < n_words; i++)
        rule->names[i - 5] = bytes(i);
}

static size_t cells_of(size_t rule)
{
    return rule == TABLE_NONE ? 1 : rules[rule].n_cells;
}

static void add_item(void)
{
    struct table_item *item = &items[layout.n_items++];
    *item = (struct table_item){.limit = (enum table_limit)number(1),
        .term = (enum table_term)number(2),
        .value = place(3),
        .centre = number(4),
        .total_lo = number(5),
        .total_hi = number(6),
        .rules = {place(7), place(8)},
        .max_cells = number(9),
        .max_per_cell = number(10),
        .min_count = number(11),
        .first = layout.n_integers,
        .unknown = TABLE_NONE};
    if (item->rules[0] != TABLE_NONE &&
        rules[item->rules[0]].kind == TABLE_UNKNOWN)
        item->unknown = layout.n_unknown++;
    else
        item->n_cells = cells_of(item->rules[0]) * cells_of(item->rules[1]);
    layout.n_integers += item->n_cells;
}

static void add_line(size_t n_words)
{
    const char *what = words[0];
    if (strcmp(what, "column") == 0) {
        const char *name = bytes(1).bytes;
        columns[layout.n_columns++] = (struct table_column){
            (char *)(uintptr_t)name, (enum table_type)number(2),
            (int)number(3), (int)number(4)};
    } else if (strcmp(what, "user") == 0) {
        layout.user = place(1);
    } else if (strcmp(what, "key") == 0) {
        keys[layout.n_keys++] = place(1);
    } else if (strcmp(what, "text") == 0) {
        texts[layout.n_texts++] = place(1);
    } else if (strcmp(what, "max_rows") == 0) {
        layout.max_rows = number(1);
    } else if (strcmp(what, "file_order") == 0) {
        layout.is_file_order = true;
    } else if (strcmp(what, "value") == 0) {
        values[layout.n_values++] = (struct table_value){place(1), number(2),
            number(3), number(4), number(5),
            strcmp(words[6], "-") == 0 ? TABLE_MISSING : number(6)};
    } else if (strcmp(what, "rule") == 0) {
        add_rule(n_words);
    } else if (strcmp(what, "where") == 0) {
        where[layout.n_where++] = (struct table_where){place(1),
            (enum table_operator)number(2), number(3) != 0, bytes(4)};
    } else if (strcmp(what, "item") == 0) {
        add_item();
    }
}

static void read_layout(FILE *in)
{
    static char line[1 << 20];
    while (fgets(line, sizeof line, in) != NULL) {
        size_t n = 0;
        for (char *w = strtok(line, " \n"); w != NULL && n < MAX_WORDS;
             w = strtok(NULL, " \n"))
            words[n++] = w;
        if (n > 0)
            add_line(n);
    }
}

static int fail(const dosi_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    return 2;
}

static const struct sql_dialect *dialect_of(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(sql_dialect_at((dosi_dialect)i)->name, name) == 0)
            return sql_dialect_at((dosi_dialect)i);
    exit(2);
}

static void read_all(dosi_buffer *out)
{
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, stdin)) > 0;)
        dosi_buffer_bytes(out, part, n);
}

static int self_test(const char *dialect)
{
    char digest[SQL_DIGEST_BYTES];
    dosi_buffer text = {0};
    dosi_error err = {0};
    if (sql_self_test(&text, digest, dialect_of(dialect), &err) != DOSI_OK)
        return fail(&err);
    puts(text.text);
    dosi_buffer_free(&text);
    return 0;
}

static int self_check(const char *dialect)
{
    dosi_buffer answer = {0};
    dosi_error err = {0};
    read_all(&answer);
    dosi_status status = sql_self_check(
        dialect_of(dialect), answer.text, answer.length, &err);
    dosi_buffer_free(&answer);
    return status == DOSI_OK ? 0 : fail(&err);
}

static int print_statement(const char *dialect, const char *table)
{
    struct sql_source source = {.dialect = dialect_of(dialect),
        .table = table,
        .origin = "{}",
        .prelude = ""};
    char digest[SQL_DIGEST_BYTES];
    dosi_buffer text = {0};
    dosi_error err = {0};
    read_layout(stdin);
    if (sql_statement(&text, digest, &layout, &source, &err) != DOSI_OK)
        return fail(&err);
    puts(text.text);
    dosi_buffer_free(&text);
    return 0;
}

static void print_integer(size_t item, const char *cell, int128 n)
{
    dosi_buffer text = {0};
    sql_digits(&text, n);
    printf("%zu %s %s\n", item, cell, text.text);
    dosi_buffer_free(&text);
}

static void print_tally(void)
{
    for (size_t i = 0; i < layout.n_items; i++) {
        char cell[32];
        for (size_t c = 0; c < items[i].n_cells; c++) {
            snprintf(cell, sizeof cell, "%zu", c);
            if (tally.integers[items[i].first + c] != 0)
                print_integer(i, cell, tally.integers[items[i].first + c]);
        }
        if (items[i].unknown == TABLE_NONE)
            continue;
        const struct table_cells *cells = &tally.unknown[items[i].unknown];
        for (size_t c = 0; c < cells->n; c++) {
            dosi_buffer name = {0};
            dosi_buffer_text(&name, "x");
            for (size_t b = 0; b < cells->cells[c].name.n; b++)
                sql_print(&name, "%02x",
                    (unsigned)(unsigned char)cells->cells[c].name.bytes[b]);
            print_integer(i, name.text, cells->cells[c].count);
            dosi_buffer_free(&name);
        }
    }
}

static int read_answer(const char *path, const char *digest)
{
    dosi_buffer answer = {0};
    dosi_error err = {0};
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return 4;
    read_layout(in);
    fclose(in);
    read_all(&answer);
    tally.integers = calloc(layout.n_integers + 1, sizeof *tally.integers);
    tally.unknown = calloc(layout.n_unknown + 1, sizeof *tally.unknown);
    if (tally_reader_new(&reader, &layout, &err) != DOSI_OK ||
        tally_read(&tally, reader, digest, answer.text, answer.length,
            &err) != DOSI_OK)
        return fail(&err);
    print_tally();
    tally_reader_free(reader);
    dosi_buffer_free(&answer);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "print") == 0)
        return print_statement(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "read") == 0)
        return read_answer(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "self-test") == 0)
        return self_test(argv[2]);
    if (argc == 3 && strcmp(argv[1], "self-check") == 0)
        return self_check(argv[2]);
    return 2;
}
