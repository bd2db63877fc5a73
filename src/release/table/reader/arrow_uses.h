/* The use of an Arrow column, and whether its type allows it. */
#ifndef DOSI_RELEASE_TABLE_READER_ARROW_USES_H
#define DOSI_RELEASE_TABLE_READER_ARROW_USES_H

#include "arrow_column.h"
#include "reader_state.h"

/*
 * Finds the columns of the layout in a schema and checks every use of them.
 * columns has room for all of the layout; kinds of the id and of the keys are
 * as a reader keeps them. fails  DOSI_EINVAL
 */
dosi_status arrow_uses_check(struct arrow_column *columns, int *id_kind,
    int *key_kinds, const struct table_layout *layout,
    const struct ArrowSchema *schema, dosi_error *err);

#endif
