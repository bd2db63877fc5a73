/*
 * Event trees of Google's dp_accounting, written out in the text form.
 */
#ifndef DOSI_INTEROP_JSON_EVENT_H
#define DOSI_INTEROP_JSON_EVENT_H

#include "base/buffer.h"
#include "json_text.h"

/* Deeper than any plan may be; keeps the recursion of readers short. */
#define JSON_MAX_LEVELS 400

/* Appends the plan of an event (an object with "class_name"). */
DOSI_CHECK dosi_status json_event_write(dosi_buffer *text,
    const cJSON *event, unsigned level, dosi_error *err);

#endif
