/*
 * A shared library for check_streams.py: the nasty query on any Arrow stream,
 * as lines "query,cell,value".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/nasty_layout.h"

__attribute__((visibility("default"))) int probe_stream(char *out, size_t n,
    struct ArrowArrayStream *stream, char *message, size_t n_message);

/* An integer of 128 bits in decimal; s has room for 48 bytes. */
static const char *written(char *s, int128 v)
{
    char *p = s + 47;
    uint128 m = v < 0 ? -(uint128)v : (uint128)v;
    *p = '\0';
    do {
        *--p = (char)('0' + (int)(m % 10));
        m /= 10;
    } while (m > 0);
    if (v < 0)
        *--p = '-';
    return p;
}

int probe_stream(char *out, size_t n, struct ArrowArrayStream *stream,
    char *message, size_t n_message)
{
    struct nasty_layout nasty;
    struct table_reader *reader = NULL;
    struct table_tally tally;
    dosi_error err = {.message = ""};
    char digits[48];
    size_t at = 0;
    nasty_layout_new(&nasty);
    dosi_status status = table_reader_new(&reader, &nasty.layout, &err);
    if (status == DOSI_OK)
        status = table_reader_arrow(reader, stream, &err);
    if (status == DOSI_OK)
        status = table_reader_finish(&tally, reader, &err);
    table_reader_free(reader);
    (void)snprintf(message, n_message, "%s", err.message);
    if (status != DOSI_OK)
        return (int)status;
    for (size_t i = 0; i < 131; i++)
        at += i < 10 ? (size_t)snprintf(out + at, n - at, "%s,,%s\n",
                           nasty_names[i], written(digits, tally.integers[i]))
                     : (size_t)snprintf(out + at, n - at, "level,%zu,%s\n",
                           i - 10, written(digits, tally.integers[i]));
    for (size_t i = 0; i < tally.unknown[0].n && at + 4096 < n; i++) {
        const struct table_cell_count *c = &tally.unknown[0].cells[i];
        at += (size_t)snprintf(out + at, n - at, "town,");
        for (size_t j = 0; j < c->name.n && j < 1000; j++)
            at += (size_t)snprintf(out + at, n - at, "%02x",
                (unsigned)(unsigned char)c->name.bytes[j]);
        at += (size_t)snprintf(
            out + at, n - at, ",%s\n", written(digits, c->count));
    }
    table_tally_free(&tally, &nasty.layout);
    return 0;
}
