/*
 * Fuzz target of the CSV reader. The first two bytes choose the query and
 * the size of chunks, the rest is the file. No record changes a status, the
 * size of chunks changes no integer, and neither does the last line change
 * what the others contribute by more than the distances of its query.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/nasty_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char header[] = "uid,at,town,amount,price,level,big\n";

static void require(int condition)
{
    if (!condition)
        abort();
}

static void layout_new(struct nasty_layout *nasty, unsigned choice)
{
    nasty_layout_new(nasty);
    if (choice & 1) {
        nasty->layout.user = TABLE_NONE;
        nasty->layout.n_keys = 0;
        nasty->layout.max_rows = INT64_MAX;
        nasty->items[NASTY_TOWNS].max_cells = 1;
        nasty->items[NASTY_TOWNS].max_per_cell = 1;
    } else if (choice & 2) {
        nasty->layout.n_keys = 0;
        nasty->layout.is_file_order = true;
    } else if (choice & 4) {
        nasty->columns[NASTY_AT].type = TABLE_TEXT;
    }
    if (choice & 8) {
        nasty->layout.delimiter = ';';
        nasty->layout.decimal = ',';
    }
    nasty->items[NASTY_USERS].term = choice & 16 ? TABLE_BAD : TABLE_ONE;
}

/* The tally of a file behind a good header, in chunks of a size. */
static void read_file(struct table_tally *out, const struct nasty_layout *nasty,
    const char *bytes, size_t n, size_t chunk)
{
    struct table_reader *reader;
    char first[sizeof header];
    (void)strcpy(first, header);
    for (char *s = first; *s != '\0'; s++)
        *s = *s == ',' ? nasty->layout.delimiter : *s;
    require(table_reader_new(&reader, &nasty->layout, NULL) == DOSI_OK);
    require(table_reader_csv(reader, first, strlen(first), NULL) == DOSI_OK);
    for (size_t at = 0; at < n; at += chunk)
        require(table_reader_csv(reader, bytes + at,
                    n - at < chunk ? n - at : chunk, NULL) == DOSI_OK);
    require(table_reader_finish(out, reader, NULL) == DOSI_OK);
    table_reader_free(reader);
}

static int128 distance(
    const struct table_tally *a, const struct table_tally *b, size_t i)
{
    int128 d = a->integers[i] - b->integers[i];
    return d < 0 ? -d : d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nasty_layout nasty;
    struct table_tally whole, parts, less;
    if (size < 2)
        return 0;
    const char *bytes = (const char *)data + 2;
    size_t n = size - 2, chunk = 1 + data[1] % 64, last = n;
    layout_new(&nasty, data[0]);
    read_file(&whole, &nasty, bytes, n, n + 1);
    read_file(&parts, &nasty, bytes, n, chunk);
    for (size_t i = 0; i < nasty.layout.n_integers; i++)
        require(whole.integers[i] == parts.integers[i]);
    require(whole.unknown[0].n == parts.unknown[0].n);
    while (last > 0 && bytes[last - 1] != '\n')
        last--;
    read_file(&less, &nasty, bytes, last, n + 1);
    require(distance(&whole, &less, 0) <= 3);      /* count */
    require(distance(&whole, &less, 1) <= 300000); /* k M */
    require(distance(&whole, &less, 8) <= 1);      /* users, or bad */
    require(distance(&whole, &less, 9) <= 300000); /* total */
    table_tally_free(&whole, &nasty.layout);
    table_tally_free(&parts, &nasty.layout);
    table_tally_free(&less, &nasty.layout);
    return 0;
}
