/*
 * Event trees of Google's dp_accounting, written out in the text form.
 */
#ifndef DOSI_INTEROP_JSON_EVENT_H
#define DOSI_INTEROP_JSON_EVENT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "json_text.h"

/* Deeper than any plan may be; keeps the recursion of readers short. */
#define JSON_MAX_LEVELS 400

/* Where an event stands. */
typedef struct json_event_place {
    unsigned level;
    bool replaces;    /* neighbours are those of replace, not of add_remove */
    bool is_replaced; /* the plan's distance here is that of a record that is
                         replaced, not of one that is added or removed */
} json_event_place;

/* Appends the plan of an event (an object with "class_name"). */
DOSI_CHECK dosi_status json_event_write(dosi_buffer *text,
    const cJSON *event, json_event_place at, dosi_error *err);

/* Whether DOSI_NATURAL means replace, for a sampler in the tree. */
bool json_event_replaces(const cJSON *event);

#endif
