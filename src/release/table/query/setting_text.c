/*
 * Readers of the texts of statistics and settings: names, lists as in a line of
 * CSV, ranges of numbers, decimals.
 */
#include "setting_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/decimal.h"

dosi_status text_refuse(dosi_error *err, const char *what, const char *rule,
    const char *text)
{
    return dosi_fail(
        err, DOSI_EINVAL, "%s: must be %s, got \"%.100s\"", what, rule, text);
}

char *text_copy(const char *bytes, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy == NULL)
        return NULL;
    if (n > 0)
        memcpy(copy, bytes, n);
    copy[n] = '\0';
    return copy;
}

void *text_more(void *array, size_t n, size_t size)
{
    /* the array has room for the next power of two */
    if (n != 0 && (n & (n - 1)) != 0)
        return array;
    size_t capacity = n == 0 ? 1 : 2 * n;
    if (capacity > SIZE_MAX / 2 / size)
        return NULL;
    return realloc(array, capacity * size);
}

/* The name in quotes that starts at *at. */
static dosi_status take_quoted(
    char **out, const char **at, const char *what, dosi_error *err)
{
    const char *from = *at + 1;
    char *name = text_copy(from, strlen(from));
    size_t n = 0;
    if (name == NULL)
        return dosi_fail_memory(err);
    for (; *from != '\0'; from++) {
        if (*from == '"' && *++from != '"') {
            name[n] = '\0';
            *out = name;
            *at = from;
            return DOSI_OK;
        }
        name[n++] = *from;
    }
    free(name);
    return text_refuse(err, what, "a name with its closing quote", *at);
}

dosi_status text_name(char **out, const char **at, const char *stops,
    const char *what, dosi_error *err)
{
    const char *start = *at;
    *out = NULL;
    if (**at == '"') {
        dosi_status status = take_quoted(out, at, what, err);
        if (status != DOSI_OK)
            return status;
        if (**at != '\0' && strchr(stops, **at) == NULL) {
            free(*out);
            *out = NULL;
            return text_refuse(err, what, "a name", start);
        }
    } else {
        size_t n = strcspn(*at, stops);
        if (memchr(*at, '"', n) != NULL)
            return text_refuse(err, what,
                "a name; one with a quote stands in quotes", start);
        *out = text_copy(*at, n);
        if (*out == NULL)
            return dosi_fail_memory(err);
        *at += n;
    }
    if (*out != NULL && **out != '\0')
        return DOSI_OK;
    free(*out);
    *out = NULL;
    return text_refuse(err, what, "a name that is not empty", start);
}

dosi_status text_column(
    char **out, const char **at, const char *what, dosi_error *err)
{
    const char *start = *at;
    dosi_status status = text_name(out, at, ":", what, err);
    if (status != DOSI_OK)
        return status;
    if (**at == ':') {
        ++*at;
        return DOSI_OK;
    }
    free(*out);
    *out = NULL;
    return text_refuse(err, what, "COLUMN:...", start);
}

dosi_status text_list(struct table_bytes **out, size_t *n, const char *text,
    const char *what, dosi_error *err)
{
    const char *at = text;
    *out = NULL;
    *n = 0;
    for (;;) {
        char *name = NULL;
        dosi_status status = text_name(&name, &at, ",", what, err);
        void *more =
            status == DOSI_OK ? text_more(*out, *n, sizeof **out) : NULL;
        if (more == NULL) {
            free(name);
            text_list_free(*out, *n);
            *out = NULL;
            *n = 0;
            return status != DOSI_OK ? status : dosi_fail_memory(err);
        }
        *out = more;
        (*out)[(*n)++] =
            (struct table_bytes){name, name != NULL ? strlen(name) : 0};
        if (*at == '\0')
            return DOSI_OK;
        at++; /* the comma */
    }
}

void text_list_free(struct table_bytes *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        union {
            const char *bytes;
            char *own;
        } name = {list[i].bytes};
        free(name.own);
    }
    free(list);
}

static int compare_bytes(const void *a, const void *b)
{
    const struct table_bytes *const *x = a, *const *y = b;
    size_t n = (*x)->n < (*y)->n ? (*x)->n : (*y)->n;
    int order = n > 0 ? memcmp((*x)->bytes, (*y)->bytes, n) : 0;
    if (order != 0)
        return order;
    if ((*x)->n != (*y)->n)
        return (*x)->n < (*y)->n ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

dosi_status text_list_twice(size_t *at, bool *is_twice,
    const struct table_bytes *list, size_t n, dosi_error *err)
{
    const struct table_bytes **sorted = malloc((n + 1) * sizeof(void *));
    if (sorted == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &list[i];
    qsort(sorted, n, sizeof(void *), compare_bytes);
    *is_twice = false;
    for (size_t i = 1; i < n && !*is_twice; i++) {
        *is_twice = sorted[i]->n == sorted[i - 1]->n &&
                    memcmp(sorted[i]->bytes, sorted[i - 1]->bytes,
                        sorted[i]->n) == 0;
        if (*is_twice)
            *at = (size_t)(sorted[i] - list);
    }
    free(sorted);
    return DOSI_OK;
}

static bool is_below(
    const struct exact_decimal *a, const struct exact_decimal *b)
{
    /* at most 36 digits before and after the point: compare the whole parts
     * first, then the rests over powers of ten of at most 10^36 */
    int128 x = a->num / a->den - (a->num % a->den < 0);
    int128 y = b->num / b->den - (b->num % b->den < 0);
    if (x != y)
        return x < y;
    int128 p = a->num - x * a->den, q = b->num - y * b->den;
    int128 d = a->den, e = b->den;
    /* p/d < q/e, both in [0, 1): digit by digit */
    for (int i = 0; i <= EXACT_MAX_DIGITS; i++) {
        p *= 10; /* < 10^37 */
        q *= 10;
        if (p / d != q / e)
            return p / d < q / e;
        p %= d;
        q %= e;
    }
    return false;
}

dosi_status text_range(struct exact_decimal *lo, struct exact_decimal *hi,
    const char **at, const char *what, dosi_error *err)
{
    const char *start = *at;
    size_t n = strcspn(start, ":");
    const char *dots = strstr(start, "..");
    if (dots == NULL || dots > start + n)
        return text_refuse(err, what, "followed by bounds LO..HI", start);
    if (!exact_parse(lo, start, (size_t)(dots - start)) ||
        !exact_parse(hi, dots + 2, (size_t)(start + n - dots - 2)))
        return text_refuse(
            err, what, "bounds LO..HI of two decimal numbers", start);
    if (!is_below(lo, hi))
        return text_refuse(err, what, "bounds LO..HI with LO < HI", start);
    *at = start + n;
    return DOSI_OK;
}

dosi_status text_decimal(struct exact_decimal *out, const char *text,
    const char *what, dosi_error *err)
{
    if (!exact_parse(out, text, strlen(text)))
        return text_refuse(err, what, "a decimal number", text);
    return DOSI_OK;
}

dosi_status text_number(
    double *out, const char *text, const char *what, dosi_error *err)
{
    size_t n = strlen(text), n_used;
    if (!decimal_read(out, text, n, &n_used) || n_used != n ||
        !isfinite(*out))
        return text_refuse(err, what, "a finite number", text);
    return DOSI_OK;
}
