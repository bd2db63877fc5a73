/*
 * A growing text buffer. Appending never fails visibly: a failed allocation
 * marks the buffer, later appends do nothing, and the writer tests failed once.
 */
#ifndef DOSI_BASE_BUFFER_H
#define DOSI_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dosi_buffer {
    char *text; /* NUL-terminated after the first append; NULL before */
    size_t length;
    size_t capacity;
    bool failed;
} dosi_buffer;

/* Append n bytes, or a NUL-terminated text; amortised O(n). */
void dosi_buffer_bytes(dosi_buffer *b, const char *bytes, size_t n);
void dosi_buffer_text(dosi_buffer *b, const char *text);

/* Frees the text and empties the buffer. */
void dosi_buffer_free(dosi_buffer *b);

/*
 * The length in bytes of the UTF-8 sequence at the start of text (RFC 3629), or
 * 0 if none starts there.
 *
 * requires  n > 0
 */
size_t dosi_utf8_length(const char *text, size_t n);

/*
 * Appends a JSON string, escaped; bytes that are not UTF-8 become U+FFFD.
 * Numbers are appended as their text (see num/decimal.h).
 */
void dosi_buffer_json_string(dosi_buffer *b, const char *s, size_t n);

#endif
