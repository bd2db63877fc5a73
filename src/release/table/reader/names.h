/*
 * Texts of a table, each kept once under a number for as long as somebody
 * holds it; and the declared categories of a rule, found by their bytes.
 * Hashes are SipHash under a key of the reader's own: a table cannot be
 * written to make searches slow.
 */
#ifndef DOSI_RELEASE_TABLE_READER_NAMES_H
#define DOSI_RELEASE_TABLE_READER_NAMES_H

#include "compiled_query.h"
#include "slots.h"

#define NAMES_MISSING 0U /* the number of no text */

struct hash_key {
    unsigned char bytes[16];
};

uint64_t hash_bytes(struct table_bytes text, const struct hash_key *key);

struct name {
    uint32_t n, hash;
    uint64_t n_holds;
    char bytes[];
};

struct names {
    const struct hash_key *key;
    struct slots slots;
    struct name **names; /* by number; NULL: free. names[0] is never used */
    uint32_t *unused;    /* numbers to be given out again */
    size_t n, n_unused, capacity;
};

/* The number of a text, held once more; the empty text is NAMES_MISSING.
 * False without memory. */
bool names_hold(uint32_t *out, struct names *names, struct table_bytes text);

/* Holds a number once more, or once less; accepts NAMES_MISSING. */
void names_keep(struct names *names, uint32_t id);
void names_drop(struct names *names, uint32_t id);

struct table_bytes names_text(const struct names *names, uint32_t id);

/* By bytes, a missing text last. */
int names_compare(const struct names *names, uint32_t a, uint32_t b);

void names_free(struct names *names);

/* The categories of a rule. */
struct categories {
    const struct hash_key *key;
    const struct table_rule *rule;
    struct slots slots;
};

/* False without memory. */
bool categories_new(struct categories *out, const struct table_rule *rule,
    const struct hash_key *key);

/* The index of a declared name, or -1. */
int64_t categories_find(const struct categories *c, struct table_bytes text);

#endif
