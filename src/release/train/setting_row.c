/* Values of settings that a row of the table describes. */
#include "setting_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

dosi_status take_malformed(enum value_read read, const struct setting_row *row,
    const char *value, dosi_error *err)
{
    if (read == VALUE_NO_MEMORY)
        return dosi_fail_memory(err);
    return dosi_fail(err, DOSI_EINVAL, "%s needs %s, got \"%.100s\"",
        row->name, row->rule, value);
}

dosi_status take_number(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    double x;

    if (!value_number(&x, value, strlen(value)) ||
        !(x >= row->lo && x <= row->hi))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    memcpy((char *)s + row->offset, &x, sizeof x);
    return DOSI_OK;
}

dosi_status take_whole(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    double x;

    if (!value_number(&x, value, strlen(value)) || x != floor(x))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    return take_number(s, row, value, err);
}

dosi_status take_text(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    size_t n = strlen(value) + 1;
    char *copy = malloc(n);

    if (copy == NULL)
        return dosi_fail_memory(err);
    memcpy(copy, value, n);
    *(char **)(void *)((char *)s + row->offset) = copy;
    return n > 1 ? DOSI_OK : take_malformed(VALUE_MALFORMED, row, value, err);
}

dosi_status take_switch(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    bool yes = true;

    (void)value;
    (void)err;
    memcpy((char *)s + row->offset, &yes, sizeof yes);
    return DOSI_OK;
}

/* The index of value among the words of the row. */
static dosi_status find_word(int *out, const struct setting_row *row,
    const char *value, dosi_error *err)
{
    for (*out = 0; row->words[*out] != NULL; ++*out)
        if (strcmp(row->words[*out], value) == 0)
            return DOSI_OK;
    return take_malformed(VALUE_MALFORMED, row, value, err);
}

dosi_status take_word(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    int index;
    dosi_status status = find_word(&index, row, value, err);

    if (status == DOSI_OK)
        memcpy((char *)s + row->offset, &index, sizeof index);
    return status;
}
