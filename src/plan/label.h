/*
 * Labels: what people call the parts of a plan. They take no part in any
 * computation, comparison or hash.
 */
#ifndef DOSI_PLAN_LABEL_H
#define DOSI_PLAN_LABEL_H

#include "plan.h"

#define LABEL_MAX_BYTES 200

/*
 * Whether the n bytes are a label: 1 to LABEL_MAX_BYTES of UTF-8, without
 * control characters, line separators and marks of direction.
 *
 * fails  DOSI_EINVAL; the message does not repeat the bytes
 */
DOSI_CHECK dosi_status dosi_label_check(
    const char *label, size_t n, dosi_error *err);

/*
 * One label for parts that are merged: the different ones in the order given,
 * with a comma between them; of what does not fit the number. A part without
 * label (NULL) is called "unlabelled". NULL if none has a label.
 *
 * text  has LABEL_MAX_BYTES + 1
 */
const char *dosi_label_join(
    char *text, const char *const *labels, size_t n);

#endif
