/*
 * Growing text buffers and the writing of JSON strings.
 */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool buffer_reserve(dosi_buffer *b, size_t more)
{
    if (b->failed)
        return false;
    if (more >= SIZE_MAX / 2 - b->length) {
        b->failed = true;
        return false;
    }
    size_t need = b->length + more + 1;
    if (need <= b->capacity)
        return true;
    size_t capacity = need < 64 ? 64 : need + need / 2;
    char *text = realloc(b->text, capacity);
    if (text == NULL) {
        b->failed = true;
        return false;
    }
    b->text = text;
    b->capacity = capacity;
    return true;
}

void dosi_buffer_bytes(dosi_buffer *b, const char *bytes, size_t n)
{
    if (!buffer_reserve(b, n))
        return;
    if (n > 0)
        memcpy(b->text + b->length, bytes, n);
    b->length += n;
    b->text[b->length] = '\0';
}

void dosi_buffer_text(dosi_buffer *b, const char *text)
{
    dosi_buffer_bytes(b, text, strlen(text));
}

void dosi_buffer_free(dosi_buffer *b)
{
    free(b->text);
    *b = (dosi_buffer){0};
}

size_t dosi_utf8_length(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

void dosi_buffer_json_string(dosi_buffer *b, const char *s, size_t n)
{
    static const char hex[] = "0123456789abcdef";

    dosi_buffer_bytes(b, "\"", 1);
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        size_t length = dosi_utf8_length(s + i, n - i);
        if (length == 0) {
            dosi_buffer_text(b, "\\ufffd");
            i++;
        } else if (c == '"' || c == '\\') {
            const char escape[] = {'\\', (char)c};
            dosi_buffer_bytes(b, escape, sizeof escape);
            i++;
        } else if (c < 0x20 || c == 0x7f) {
            const char escape[] = {'\\', 'u', '0', '0', hex[c >> 4],
                hex[c & 15]};
            dosi_buffer_bytes(b, escape, sizeof escape);
            i++;
        } else {
            dosi_buffer_bytes(b, s + i, length);
            i += length;
        }
    }
    dosi_buffer_bytes(b, "\"", 1);
}
