/* Conditions on rows, as they are written: C OP VALUE. */
#ifndef DOSI_RELEASE_TABLE_QUERY_WHERE_TEXT_H
#define DOSI_RELEASE_TABLE_QUERY_WHERE_TEXT_H

#include "settings.h"

/* C OP VALUE: OP one of = != < <= > >=, VALUE a number or a text in quotes,
 * '...' or "...", where a quote is doubled. *out is owned when it succeeds. */
dosi_status where_parse(struct condition *out, const char *text,
    const char *what, dosi_error *err);

#endif
