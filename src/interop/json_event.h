/*
 * Event trees of Google's dp_accounting, written in the text form of plans.
 */
#ifndef DOSI_INTEROP_JSON_EVENT_H
#define DOSI_INTEROP_JSON_EVENT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "json_text.h"

/* The greatest depth of a tree: any plan fits, and recursion stays short. */
#define JSON_MAX_LEVELS 400

/* The place of an event in its tree. */
typedef struct json_event_place {
    unsigned level;
    bool replaces;    /* neighbours are those of replace, not of add_remove */
    bool is_replaced; /* the plan's distance here is that of a record that is
                         replaced, not of one that is added or removed */
} json_event_place;

/*
 * Appends the text of an event's plan, of an object with "class_name".
 *
 * fails  DOSI_EINVAL for a class or member that is unknown, missing or of
 *        another type, DOSI_EUNSUPPORTED for an event without a plan
 */
DOSI_CHECK dosi_status json_event_write(dosi_buffer *text,
    const cJSON *event, json_event_place at, dosi_error *err);

/* Whether the tree has an event that makes replace the default relation of a
 * question. */
bool json_event_replaces(const cJSON *event);

#endif
