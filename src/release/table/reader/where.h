/*
 * Conditions of --where on one value. The caller has checked that the value
 * is not missing; a missing one fails every condition, also !=.
 */
#ifndef DOSI_RELEASE_TABLE_READER_WHERE_H
#define DOSI_RELEASE_TABLE_READER_WHERE_H

#include "number.h"

/* A table_where with its operand read. */
struct condition {
    size_t column;
    enum table_operator op;
    bool is_text;
    struct table_bytes text;
    struct number number;
    int128 floor; /* of the number */
    bool is_integer;
    double nearest; /* to the number */
};

/* fails  DOSI_EINVAL if an operand that is no text is no number */
dosi_status condition_new(
    struct condition *out, const struct table_where *where, dosi_error *err);

bool condition_holds_text(const struct condition *c, struct table_bytes text);
bool condition_holds_number(const struct condition *c, const struct number *x);
bool condition_holds_integer(const struct condition *c, int128 v);
bool condition_holds_double(const struct condition *c, double v); /* finite */

#endif
