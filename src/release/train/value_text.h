/*
 * The values of settings: numbers, ranges LO..HI, lists with quoted names as
 * in CSV, and columns C:REST.
 */
#ifndef DOSI_RELEASE_TRAIN_VALUE_TEXT_H
#define DOSI_RELEASE_TRAIN_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Names, each a text of its own. */
struct name_list {
    char **names;
    size_t n;
};

void name_list_free(struct name_list *list);

/* The index of a name of n bytes, or list->n. */
size_t name_list_find(
    const struct name_list *list, const char *name, size_t n);

/* Appends a copy; false if memory is missing. */
bool name_list_add(struct name_list *list, const char *name, size_t n);

/* A finite number and nothing else. */
bool value_number(double *out, const char *text, size_t n);

/* LO..HI, both finite and LO < HI. */
bool value_range(double *lo, double *hi, const char *text);

enum value_read {
    VALUE_READ,
    VALUE_MALFORMED,
    VALUE_NO_MEMORY
};

/* a,b,"c,d" to the end of the text; no name is empty or given twice. */
enum value_read value_list(struct name_list *out, const char *text);

/* The name at the front, up to the first colon or in quotes; *rest is after
 * the colon, or NULL without one. */
enum value_read value_column(
    char **name, const char **rest, const char *text);

#endif
