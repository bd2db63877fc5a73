/* One row as a reader hands it on: what is read of it, and nothing else. */
#ifndef DOSI_RELEASE_TABLE_READER_ROW_H
#define DOSI_RELEASE_TABLE_READER_ROW_H

#include "compiled_query.h"

struct row_key { /* of --order: a number or a text */
    bool is_missing;
    int64_t number;
    struct table_bytes text;
};

struct row {
    struct table_bytes user; /* not empty, if there are users */
    struct row_key *keys;
    int64_t *z;
    struct table_bytes *texts; /* empty: missing */
    uint64_t line;             /* key of --file-order */
    bool is_bad;               /* a number that is read is missing */
};

#endif
