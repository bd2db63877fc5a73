/*
 * Arrow arrays made by hand from texts, in every format that is read, and
 * streams of slices of them. NULL is null.
 */
#ifndef DOSI_TESTS_SUPPORT_ARROW_BUILD_H
#define DOSI_TESTS_SUPPORT_ARROW_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/release.h"
#include "release/int128.h"

struct built_column {
    struct ArrowSchema schema, dictionary_schema;
    struct ArrowArray array, dictionary;
    const void *buffers[4], *dictionary_buffers[4];
    char format[16], dictionary_format[8];
    void *owned[8];
    size_t n_owned;
};

static inline void *built_alloc(struct built_column *c, size_t n)
{
    void *p = calloc(n + 16, 1);
    if (p == NULL)
        abort();
    c->owned[c->n_owned++] = p;
    return p;
}

static inline void built_free(struct built_column *c)
{
    while (c->n_owned > 0)
        free(c->owned[--c->n_owned]);
}

/* The validity of n texts, NULL if none is null. */
static inline void *built_validity(
    struct built_column *c, const char *const *texts, size_t n)
{
    bool has_null = false;
    unsigned char *bits = built_alloc(c, n / 8 + 1);
    for (size_t i = 0; i < n; i++) {
        if (texts[i] != NULL)
            bits[i / 8] = (unsigned char)(bits[i / 8] | 1 << i % 8);
        else
            has_null = true;
    }
    return has_null ? bits : NULL;
}

/* Texts as u, z, U, Z, vu or vz: fills three or four buffers. */
static inline size_t built_texts(struct built_column *c, const void **buffers,
    const char *format, const char *const *texts, size_t n)
{
    size_t total = 0, at = 0;
    char kind = format[0] == 'v' ? 'v' : format[0];
    for (size_t i = 0; i < n; i++)
        total += texts[i] != NULL ? strlen(texts[i]) : 2;
    char *bytes = built_alloc(c, total), *ends = built_alloc(c, 16 * (n + 1));
    buffers[0] = built_validity(c, texts, n);
    buffers[1] = ends;
    buffers[2] = bytes;
    for (size_t i = 0; i <= n; i++) {
        int32_t narrow = (int32_t)at;
        int64_t wide = (int64_t)at;
        if (kind == 'u' || kind == 'z')
            memcpy(ends + 4 * i, &narrow, 4);
        else if (kind == 'U' || kind == 'Z')
            memcpy(ends + 8 * i, &wide, 8);
        if (i == n)
            continue;
        const char *text = texts[i] != NULL ? texts[i] : "?!"; /* not read */
        size_t length = strlen(text);
        memcpy(bytes + at, text, length);
        if (kind == 'v') {
            int32_t n32 = (int32_t)length, buffer = 0;
            memcpy(ends + 16 * i, &n32, 4);
            if (length <= 12) {
                memcpy(ends + 16 * i + 4, text, length);
            } else {
                memcpy(ends + 16 * i + 4, text, 4);
                memcpy(ends + 16 * i + 8, &buffer, 4);
                memcpy(ends + 16 * i + 12, &narrow, 4);
            }
        }
        at += length;
    }
    if (kind != 'v')
        return 3;
    int64_t *sizes = built_alloc(c, sizeof *sizes);
    *sizes = (int64_t)total;
    buffers[3] = sizes;
    return 4;
}

/* A decimal text without its point, as an integer. */
static inline int128 built_unscaled(const char *text)
{
    int128 v = 0;
    for (const char *s = text; *s != '\0'; s++) {
        if (*s >= '0' && *s <= '9')
            v = 10 * v + (*s - '0');
    }
    return text[0] == '-' ? -v : v;
}

static inline size_t built_width(const char *format)
{
    switch (format[0]) {
    case 'c':
    case 'C':
        return 1;
    case 's':
    case 'S':
        return 2;
    case 'i':
    case 'I':
    case 'f':
        return 4;
    case 'd':
        return 16;
    default: /* l L g td* ts* */
        return strcmp(format, "tdD") == 0 ? 4 : 8;
    }
}

/* Numbers: integers little end first, floats by strtod, decimals as they
 * are written. */
static inline void built_numbers(struct built_column *c, const char *format,
    const char *const *texts, size_t n)
{
    size_t width = built_width(format);
    char *data = built_alloc(c, n * width);
    c->buffers[0] = built_validity(c, texts, n);
    c->buffers[1] = data;
    for (size_t i = 0; i < n; i++) {
        char *p = data + i * width;
        if (texts[i] == NULL) {
            memset(p, 0x5a, width); /* whatever is there must not be read */
        } else if (format[0] == 'g') {
            double v = strtod(texts[i], NULL);
            memcpy(p, &v, 8);
        } else if (format[0] == 'f') {
            float v = strtof(texts[i], NULL);
            memcpy(p, &v, 4);
        } else if (format[0] == 'b') {
            data[i / 8] = (char)(data[i / 8] | (texts[i][0] == '1') << i % 8);
        } else {
            int128 v = built_unscaled(texts[i]);
            memcpy(p, &v, width);
        }
    }
}

/* Indices of format i to all texts, each its own entry, in reverse. */
static inline void built_dictionary(struct built_column *c, const char *format,
    const char *const *texts, size_t n)
{
    const char **reversed = built_alloc(c, (n + 1) * sizeof *reversed);
    int32_t *indices = built_alloc(c, n * sizeof *indices);
    for (size_t i = 0; i < n; i++) {
        reversed[n - 1 - i] = texts[i];
        indices[i] = (int32_t)(n - 1 - i);
    }
    c->buffers[0] = NULL; /* nulls are those of the dictionary */
    c->buffers[1] = indices;
    (void)strcpy(c->dictionary_format, format);
    c->dictionary = (struct ArrowArray){.length = (int64_t)n,
        .null_count = -1,
        .buffers = c->dictionary_buffers,
        .n_buffers = (int64_t)built_texts(
            c, c->dictionary_buffers, format, reversed, n)};
    c->dictionary_schema =
        (struct ArrowSchema){.format = c->dictionary_format, .name = ""};
    c->schema.dictionary = &c->dictionary_schema;
    c->array.dictionary = &c->dictionary;
}

/* A format with a * before it is a dictionary of that. */
static inline void built_column_new(struct built_column *c, const char *name,
    const char *format, const char *const *texts, size_t n)
{
    memset(c, 0, sizeof *c);
    bool is_dictionary = format[0] == '*';
    (void)strcpy(c->format, is_dictionary ? "i" : format);
    c->schema = (struct ArrowSchema){
        .format = c->format, .name = name, .flags = ARROW_FLAG_NULLABLE};
    c->array = (struct ArrowArray){.length = (int64_t)n,
        .null_count = -1,
        .n_buffers = 2,
        .buffers = c->buffers};
    if (is_dictionary)
        built_dictionary(c, format + 1, texts, n);
    else if (strchr("uUzZv", format[0]) != NULL)
        c->array.n_buffers =
            (int64_t)built_texts(c, c->buffers, format, texts, n);
    else
        built_numbers(c, format, texts, n);
}

/* A stream of slices of columns; the offsets are shared between batch and
 * columns as the slice says. */
struct built_stream {
    struct ArrowArrayStream stream;
    struct built_column *columns;
    size_t n_columns, n_rows, batch_rows, at;
    int fails_at;          /* the number of the batch that fails, or -1 */
    int n_batches, n_live; /* given out, and not yet released */
    struct ArrowSchema *schemas[16];
    struct ArrowArray slices[16], *children[16];
    const void *no_buffer[1];
};

static inline void built_schema_release(struct ArrowSchema *schema)
{
    --((struct built_stream *)schema->private_data)->n_live;
    schema->release = NULL;
}

static inline void built_batch_release(struct ArrowArray *batch)
{
    --((struct built_stream *)batch->private_data)->n_live;
    batch->release = NULL;
}

static inline int built_get_schema(
    struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct built_stream *s = stream->private_data;
    for (size_t i = 0; i < s->n_columns; i++)
        s->schemas[i] = &s->columns[i].schema;
    *out = (struct ArrowSchema){.format = "+s",
        .name = "",
        .n_children = (int64_t)s->n_columns,
        .children = s->schemas,
        .release = built_schema_release,
        .private_data = s};
    s->n_live++;
    return 0;
}

static inline int built_get_next(
    struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct built_stream *s = stream->private_data;
    memset(out, 0, sizeof *out);
    if (s->n_batches++ == s->fails_at)
        return 5;
    if (s->at == s->n_rows)
        return 0;
    size_t n = s->n_rows - s->at, parent = 0;
    if (n > s->batch_rows)
        n = s->batch_rows;
    if (s->n_batches % 3 == 0)
        n = 0; /* an empty batch */
    if (s->n_batches % 2 == 0)
        parent = s->at - s->at / 3;
    for (size_t i = 0; i < s->n_columns; i++) {
        s->slices[i] = s->columns[i].array;
        s->slices[i].offset = (int64_t)(s->at - parent);
        s->slices[i].length = (int64_t)(parent + n);
        s->children[i] = &s->slices[i];
    }
    *out = (struct ArrowArray){.length = (int64_t)n,
        .null_count = 0,
        .offset = (int64_t)parent,
        .n_buffers = 1,
        .n_children = (int64_t)s->n_columns,
        .buffers = s->no_buffer,
        .children = s->children,
        .release = built_batch_release,
        .private_data = s};
    s->n_live++;
    s->at += n;
    return 0;
}

static inline void built_stream_new(struct built_stream *s,
    struct built_column *columns, size_t n_columns, size_t n_rows,
    size_t batch_rows)
{
    memset(s, 0, sizeof *s);
    s->stream.get_schema = built_get_schema;
    s->stream.get_next = built_get_next;
    s->stream.private_data = s;
    s->columns = columns;
    s->n_columns = n_columns;
    s->n_rows = n_rows;
    s->batch_rows = batch_rows;
    s->fails_at = -1;
}

#endif
