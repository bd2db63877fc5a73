/*
 * A growing text. Appending never fails visibly: an allocation that fails
 * marks the buffer, later appends do nothing, and the writer checks once.
 */
#ifndef DOSI_BASE_BUFFER_H
#define DOSI_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dosi_buffer {
    char *text; /* NUL-terminated once anything was appended; else NULL */
    size_t length;
    size_t capacity;
    bool failed;
} dosi_buffer;

void dosi_buffer_bytes(dosi_buffer *b, const char *bytes, size_t n);
void dosi_buffer_text(dosi_buffer *b, const char *text);
void dosi_buffer_free(dosi_buffer *b);

/* Bytes of the UTF-8 sequence that starts text (RFC 3629), or 0 when none
 * does. requires  n > 0 */
size_t dosi_utf8_length(const char *text, size_t n);

/*
 * JSON values. Strings are escaped; bytes that are not UTF-8 become U+FFFD.
 * A number is given as its text (see num/decimal.h).
 */
void dosi_buffer_json_string(dosi_buffer *b, const char *s, size_t n);

#endif
