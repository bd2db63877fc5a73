/* Texts are compared as strings of bytes, whatever their encoding. */
#ifndef DOSI_RELEASE_TABLE_READER_BYTES_H
#define DOSI_RELEASE_TABLE_READER_BYTES_H

#include <string.h>

#include "compiled_query.h"

static inline bool bytes_equal(struct table_bytes a, struct table_bytes b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.bytes, b.bytes, a.n) == 0);
}

/* By bytes as unsigned numbers; a beginning comes before the whole. */
static inline int bytes_compare(struct table_bytes a, struct table_bytes b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n > 0 ? memcmp(a.bytes, b.bytes, n) : 0;
    return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

#endif
