/*
 * Reads foreign bytes as JSON by cJSON, and refuses what cJSON accepts but the
 * text form of plans does not: bytes that are not UTF-8, NUL, numbers that are
 * no double, members given twice.
 */
#include "json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/c_locale.h"
#include "base/error.h"

/*
 * Refuses bytes that are not UTF-8, and NUL, as a byte or as \u0000: cJSON
 * ends its strings with a NUL, so that the rest of a string would be lost. A
 * backslash outside a string is refused by cJSON, so that there is no need
 * to know where strings begin.
 */
static dosi_status text_bytes(const char *text, size_t n, dosi_error *err)
{
    for (size_t i = 0; i < n;) {
        size_t length = dosi_utf8_length(text + i, n - i);
        if (length == 0)
            return dosi_fail_at(
                err, DOSI_ESYNTAX, i, "not JSON: bytes that are not UTF-8");
        if (text[i] == '\0')
            return dosi_fail_at(
                err, DOSI_ESYNTAX, i, "not JSON: a NUL byte");
        if (n - i >= 6 && memcmp(text + i, "\\u0000", 6) == 0)
            return dosi_fail_at(err, DOSI_ESYNTAX, i,
                "a string must not hold a NUL: \\u0000");
        i += text[i] == '\\' && i + 1 < n && text[i + 1] == '\\' ? 2 : length;
    }
    return DOSI_OK;
}

/* Longer than any number that cJSON reads. */
#define NUMBER_BYTES 64

/*
 * Refuses a number that no double represents, by the rules of the text form:
 * one beyond the doubles, one too small for them, or a count with more digits
 * than the nearest double has. cJSON would read inf, 0 or that double.
 */
static dosi_status text_number(
    const char *number, size_t length, size_t at, dosi_error *err)
{
    char digits[NUMBER_BYTES] = "";
    char *end;
    memcpy(digits, number, length < NUMBER_BYTES ? length : NUMBER_BYTES - 1);
    c_locale before = dosi_c_locale_enter();
    double value = strtod(digits, NULL);
    dosi_c_locale_leave(before);
    unsigned long long whole = strtoull(digits, &end, 10);
    bool is_zero =
        strcspn(digits, "123456789") >= strcspn(digits, "eE");
    const char *wrong = NULL;
    if (value == HUGE_VAL)
        wrong = "greater than the largest double";
    else if (value == 0 && !is_zero)
        wrong = "smaller than the smallest positive double";
    else if (*end == '\0' && value < 0x1p63 &&
             whole > (unsigned long long)value)
        wrong = "greater than the double nearest to it";
    if (wrong == NULL)
        return DOSI_OK;
    return dosi_fail_at(err, DOSI_EINVAL, at, "%s is %s", digits, wrong);
}

/* Checks every number of a text that is known to be JSON. */
static dosi_status text_numbers(const char *text, size_t n, dosi_error *err)
{
    static const char characters[] = "0123456789.eE+-";
    bool is_quoted = false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted)
            i += text[i] == '\\' ? 1 : 0;
        else if (text[i] >= '0' && text[i] <= '9') {
            size_t length = 1;
            while (i + length < n && text[i + length] != '\0' &&
                   strchr(characters, text[i + length]) != NULL)
                length++;
            dosi_status status = text_number(text + i, length, i, err);
            if (status != DOSI_OK)
                return status;
            i += length - 1;
        }
    }
    return DOSI_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The largest number of members that an object may have. */
#define MAX_MEMBERS 64

/* Refuses an object with a member given twice, or with very many. cJSON's
 * nesting limit keeps the recursion short. */
static dosi_status text_members(const cJSON *value, dosi_error *err)
{
    const cJSON *a, *b;
    int n = 0;
    cJSON_ArrayForEach (a, value) {
        if (a->string != NULL && ++n > MAX_MEMBERS)
            return dosi_fail(err, DOSI_ESYNTAX,
                "an object must have at most %d members", MAX_MEMBERS);
        for (b = value->child; a->string != NULL && b != a; b = b->next)
            if (b->string != NULL && strcmp(a->string, b->string) == 0)
                return dosi_fail(err, DOSI_ESYNTAX,
                    "not JSON: \"%.80s\" is given twice", a->string);
        dosi_status status = text_members(a, err);
        if (status != DOSI_OK)
            return status;
    }
    return DOSI_OK;
}

/*
 * Reports where and how text is not JSON. cJSON points at the last byte both if
 * that is wrong and if something is missing after it; one more blank separates
 * the two cases. cJSON does not say why it stopped: if memory ran out, the
 * message is about the value that it could not hold.
 */
static dosi_status text_fault(
    const char *text, size_t n_bytes, dosi_error *err)
{
    char *longer = malloc(n_bytes + 1);
    if (longer == NULL)
        return dosi_fail_memory(err);
    if (n_bytes > 0)
        memcpy(longer, text, n_bytes);
    longer[n_bytes] = ' ';
    const char *end = NULL;
    cJSON_Delete(cJSON_ParseWithLengthOpts(longer, n_bytes + 1, &end, 0));
    size_t at = end != NULL ? (size_t)(end - longer) : n_bytes;
    free(longer);
    if (at >= n_bytes)
        return dosi_fail_at(err, DOSI_ESYNTAX, n_bytes,
            "not JSON: the text ends too early");
    return dosi_fail_at(err, DOSI_ESYNTAX, at, "not JSON: unexpected '%c'",
        text[at] > ' ' && text[at] < 0x7f ? text[at] : '?');
}

dosi_status json_text_read(
    cJSON **out, const char *text, size_t n_bytes, dosi_error *err)
{
    const char *end = NULL;
    *out = NULL;
    dosi_status status = text_bytes(text, n_bytes, err);
    if (status != DOSI_OK)
        return status;
    /* cJSON knows locales whose decimal point is one byte, and no others */
    c_locale before = dosi_c_locale_enter();
    cJSON *value = cJSON_ParseWithLengthOpts(text, n_bytes, &end, 0);
    if (value == NULL)
        status = text_fault(text, n_bytes, err);
    dosi_c_locale_leave(before);
    if (value == NULL)
        return status;
    size_t i = (size_t)(end - text);
    while (i < n_bytes && is_space(text[i]))
        i++;
    status = text_members(value, err);
    if (status == DOSI_OK)
        status = text_numbers(text, i, err);
    if (i < n_bytes)
        status = dosi_fail_at(err, DOSI_ESYNTAX, i,
            "not JSON: there is text after the value");
    if (status != DOSI_OK) {
        cJSON_Delete(value);
        return status;
    }
    *out = value;
    return DOSI_OK;
}
