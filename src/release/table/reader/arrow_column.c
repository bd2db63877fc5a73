/* Columns of an Arrow stream. */
#include "arrow_column.h"

#include <stdlib.h>
#include <string.h>

/* ---- Formats ----------------------------------------------------------- */

struct format_row {
    const char *format;
    enum arrow_form form;
    size_t width;
};

static const struct format_row formats[] = {
    {"c", ARROW_SIGNED, 1},
    {"C", ARROW_UNSIGNED, 1},
    {"s", ARROW_SIGNED, 2},
    {"S", ARROW_UNSIGNED, 2},
    {"i", ARROW_SIGNED, 4},
    {"I", ARROW_UNSIGNED, 4},
    {"l", ARROW_SIGNED, 8},
    {"L", ARROW_UNSIGNED, 8},
    {"f", ARROW_FLOAT, 4},
    {"g", ARROW_FLOAT, 8},
    {"b", ARROW_BOOL, 1},
    {"u", ARROW_TEXT, 4},
    {"z", ARROW_TEXT, 4},
    {"U", ARROW_LARGE_TEXT, 8},
    {"Z", ARROW_LARGE_TEXT, 8},
    {"vu", ARROW_VIEW, 16},
    {"vz", ARROW_VIEW, 16},
    {"tdD", ARROW_TIME, 4},
    {"tdm", ARROW_TIME, 8},
};

/* d:precision,scale with at most 128 bits' worth of digits */
static bool decimal_format(struct arrow_type *out, const char *format)
{
    char *end;
    if (strncmp(format, "d:", 2) != 0)
        return false;
    long precision = strtol(format + 2, &end, 10);
    if (*end != ',')
        return false;
    long scale = strtol(end + 1, &end, 10);
    if ((*end != '\0' && strcmp(end, ",128") != 0) || precision < 1 ||
        precision > 38 || scale < -76 || scale > 76)
        return false;
    *out = (struct arrow_type){
        .form = ARROW_DECIMAL, .width = 16, .scale = (int)scale};
    return true;
}

static bool plain_format(struct arrow_type *out, const char *format)
{
    if (format == NULL)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].format, format) == 0) {
            *out = (struct arrow_type){
                .form = formats[i].form, .width = formats[i].width};
            return true;
        }
    }
    if (format[0] == 't' && format[1] == 's' && format[2] != '\0' &&
        strchr("smun", format[2]) != NULL && format[3] == ':') {
        *out = (struct arrow_type){.form = ARROW_TIME, .width = 8};
        return true;
    }
    return decimal_format(out, format);
}

bool arrow_type_read(struct arrow_type *out, const struct ArrowSchema *schema)
{
    struct arrow_type values;
    if (!plain_format(out, schema->format))
        return false;
    if (schema->dictionary == NULL)
        return true;
    if (!arrow_is_integer(out) ||
        !plain_format(&values, schema->dictionary->format) ||
        schema->dictionary->dictionary != NULL || values.form < ARROW_TEXT)
        return false;
    out->has_dictionary = true;
    out->dictionary_form = values.form;
    return true;
}

/* ---- Values ------------------------------------------------------------ */

static bool bit_at(const void *bits, int64_t i)
{
    const unsigned char *bytes = bits;
    return (bytes[i >> 3] >> (i & 7) & 1) != 0;
}

static bool array_is_null(const struct ArrowArray *array, int64_t i)
{
    return array->buffers[0] != NULL && !bit_at(array->buffers[0], i);
}

/* The position of row i of the batch in the buffers of the column. */
static int64_t place_of(const struct arrow_column *c, int64_t i)
{
    return i + c->batch->offset + c->array->offset;
}

static int128 integer_at(
    const struct arrow_type *type, const void *data, int64_t i)
{
    const char *p = (const char *)data + (size_t)i * type->width;
    bool is_unsigned = type->form == ARROW_UNSIGNED;
    uint64_t word = 0;
    int8_t a;
    int16_t b;
    int32_t d;
    int64_t e;
    switch (type->width) {
    case 1:
        memcpy(&a, p, sizeof a);
        return is_unsigned ? (int128)(uint8_t)a : (int128)a;
    case 2:
        memcpy(&b, p, sizeof b);
        return is_unsigned ? (int128)(uint16_t)b : (int128)b;
    case 4:
        memcpy(&d, p, sizeof d);
        return is_unsigned ? (int128)(uint32_t)d : (int128)d;
    default:
        memcpy(&e, p, sizeof e);
        memcpy(&word, p, sizeof word);
        return is_unsigned ? (int128)word : (int128)e;
    }
}

/* The position in the dictionary, or -1. */
static int64_t dictionary_place(const struct arrow_column *c, int64_t place)
{
    const struct ArrowArray *dictionary = c->array->dictionary;
    int128 index = integer_at(&c->type, c->array->buffers[1], place);
    if (index < 0 || index >= dictionary->length)
        return -1;
    int64_t at = (int64_t)index + dictionary->offset;
    return array_is_null(dictionary, at) ? -1 : at;
}

bool arrow_is_null(const struct arrow_column *c, int64_t i)
{
    const struct ArrowArray *batch = c->batch;
    if (batch->n_buffers > 0 && array_is_null(batch, i + batch->offset))
        return true;
    int64_t place = place_of(c, i);
    return array_is_null(c->array, place) ||
           (c->type.has_dictionary && dictionary_place(c, place) < 0);
}

int128 arrow_integer(const struct arrow_column *c, int64_t i)
{
    const void *data = c->array->buffers[1];
    if (c->type.form == ARROW_BOOL)
        return bit_at(data, place_of(c, i));
    return integer_at(&c->type, data, place_of(c, i));
}

int128 arrow_decimal(const struct arrow_column *c, int64_t i)
{
    int128 v;
    memcpy(&v,
        (const char *)c->array->buffers[1] + (size_t)place_of(c, i) * sizeof v,
        sizeof v);
    return v;
}

double arrow_double(const struct arrow_column *c, int64_t i)
{
    const char *p = (const char *)c->array->buffers[1] +
                    (size_t)place_of(c, i) * c->type.width;
    double v;
    float f;
    if (c->type.width == sizeof f) {
        memcpy(&f, p, sizeof f);
        return f;
    }
    memcpy(&v, p, sizeof v);
    return v;
}

/* A view is 16 bytes: length; then up to 12 bytes, or four, the number of a
 * buffer and a position in it. */
static struct table_bytes view_at(const struct ArrowArray *array, int64_t i)
{
    const char *view = (const char *)array->buffers[1] + 16 * (size_t)i;
    int32_t n, buffer, at;
    memcpy(&n, view, sizeof n);
    if (n <= 12)
        return (struct table_bytes){view + 4, (size_t)n};
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&at, view + 12, sizeof at);
    return (struct table_bytes){
        (const char *)array->buffers[2 + buffer] + at, (size_t)n};
}

static struct table_bytes text_at(
    const struct ArrowArray *array, enum arrow_form form, int64_t i)
{
    if (form == ARROW_VIEW)
        return view_at(array, i);
    const char *offsets = array->buffers[1], *bytes = array->buffers[2];
    int64_t from, to;
    if (form == ARROW_TEXT) {
        int32_t ends[2];
        memcpy(ends, offsets + (size_t)i * sizeof ends[0], sizeof ends);
        from = ends[0];
        to = ends[1];
    } else {
        int64_t ends[2];
        memcpy(ends, offsets + (size_t)i * sizeof ends[0], sizeof ends);
        from = ends[0];
        to = ends[1];
    }
    if (to <= from)
        return (struct table_bytes){NULL, 0};
    return (struct table_bytes){bytes + from, (size_t)(to - from)};
}

struct table_bytes arrow_text(const struct arrow_column *c, int64_t i)
{
    int64_t place = place_of(c, i);
    if (!c->type.has_dictionary)
        return text_at(c->array, c->type.form, place);
    return text_at(c->array->dictionary, c->type.dictionary_form,
        dictionary_place(c, place));
}
