/* The values of settings as texts. */
#include "value_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/decimal.h"

/* ---- Lists of names ----------------------------------------------------- */

void name_list_free(struct name_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free(list->names);
    *list = (struct name_list){0};
}

size_t name_list_find(const struct name_list *list, const char *name, size_t n)
{
    size_t i = 0;

    while (i < list->n && (strlen(list->names[i]) != n ||
                              memcmp(list->names[i], name, n) != 0))
        i++;
    return i;
}

static char *copy_of(const char *text, size_t n)
{
    char *copy = malloc(n + 1);

    if (copy == NULL)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* Takes the name over. */
static bool name_list_move(struct name_list *list, char *name)
{
    char **names = NULL;

    if (name != NULL)
        names = realloc(list->names, (list->n + 1) * sizeof *names);
    if (names == NULL) {
        free(name);
        return false;
    }
    list->names = names;
    list->names[list->n++] = name;
    return true;
}

bool name_list_add(struct name_list *list, const char *name, size_t n)
{
    return name_list_move(list, copy_of(name, n));
}

/* ---- Values ------------------------------------------------------------- */

bool value_number(double *out, const char *text, size_t n)
{
    size_t n_used;

    return decimal_read(out, text, n, &n_used) && n_used == n &&
           fabs(*out) < HUGE_VAL;
}

bool value_range(double *lo, double *hi, const char *text)
{
    const char *dots = strstr(text, "..");

    return dots != NULL && value_number(lo, text, (size_t)(dots - text)) &&
           value_number(hi, dots + 2, strlen(dots + 2)) && *lo < *hi;
}

/* The name at *text, up to one of the ends or in quotes; *text moves past
 * it. */
static enum value_read take_name(
    char **out, const char **text, const char *ends)
{
    const char *at = *text;
    bool is_closed = false;
    size_t n = 0;

    if (*at != '"') {
        n = strcspn(at, ends);
        if (memchr(at, '"', n) != NULL)
            return VALUE_MALFORMED;
        *out = copy_of(at, n);
        *text = at + n;
        return *out == NULL ? VALUE_NO_MEMORY : VALUE_READ;
    }
    *out = malloc(strlen(at));
    if (*out == NULL)
        return VALUE_NO_MEMORY;
    for (at++; *at != '\0' && !is_closed; at++) {
        is_closed = *at == '"' && at[1] != '"';
        at += *at == '"' && !is_closed;
        if (!is_closed)
            (*out)[n++] = *at;
    }
    (*out)[n] = '\0';
    *text = at;
    if (is_closed && (*at == '\0' || strchr(ends, *at) != NULL))
        return VALUE_READ;
    free(*out);
    *out = NULL;
    return VALUE_MALFORMED;
}

enum value_read value_list(struct name_list *out, const char *text)
{
    for (;; text++) {
        char *name = NULL;
        enum value_read read = take_name(&name, &text, ",");
        if (read != VALUE_READ)
            return read;
        if (name[0] == '\0' ||
            name_list_find(out, name, strlen(name)) < out->n) {
            free(name);
            return VALUE_MALFORMED;
        }
        if (!name_list_move(out, name))
            return VALUE_NO_MEMORY;
        if (*text == '\0')
            return VALUE_READ;
    }
}

enum value_read value_column(
    char **name, const char **rest, const char *text)
{
    enum value_read read = take_name(name, &text, ":");

    if (read != VALUE_READ)
        return read;
    *rest = *text == ':' ? text + 1 : NULL;
    if ((*name)[0] != '\0')
        return VALUE_READ;
    free(*name);
    *name = NULL;
    return VALUE_MALFORMED;
}
