/*
 * Reading foreign bytes as JSON, and the access that readers of the parsed
 * value need. cJSON fails cleanly if memory runs out; what it accepts in error
 * (bytes that are not UTF-8, NUL, a number that is no double, a member given
 * twice, text after the value) is refused here.
 */
#ifndef DOSI_INTEROP_JSON_TEXT_H
#define DOSI_INTEROP_JSON_TEXT_H

#include <cjson/cJSON.h>

#include "dosimeter.h"

/*
 * Parses text that must hold one JSON value and nothing else.
 *
 * owns   *out, released with cJSON_Delete
 * fails  DOSI_ESYNTAX, or DOSI_EINVAL for a number, with the offset;
 *        DOSI_ENOMEM
 */
DOSI_CHECK dosi_status json_text_read(
    cJSON **out, const char *text, size_t n_bytes, dosi_error *err);

/* The member of an object, or NULL. */
static inline const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The text of a string, or NULL for anything else. */
static inline const char *json_string(const cJSON *value)
{
    return cJSON_IsString(value) ? value->valuestring : NULL;
}

#endif
