/*
 * The texts of statistics and settings: names, lists of names as in a line of
 * CSV, ranges of numbers. What is wrong is said in one line that names the
 * setting, the rule and the text.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_SETTING_TEXT_H
#define DOSI_RELEASE_TABLE_QUERY_SETTING_TEXT_H

#include "exact_decimal.h"
#include "release/table/reader/compiled_query.h"

/* DOSI_EINVAL: "what: must be rule, got "text"". */
dosi_status text_refuse(dosi_error *err, const char *what, const char *rule,
    const char *text);

/* The n bytes as a text of its own; NULL is no memory. */
char *text_copy(const char *bytes, size_t n);

/* Room for one more element after n; NULL is no memory. */
void *text_more(void *array, size_t n, size_t size);

/*
 * A name at *at, which moves past it: in quotes, where "" is a quote, or up
 * to one of the stops or the end.
 */
dosi_status text_name(char **out, const char **at, const char *stops,
    const char *what, dosi_error *err);

/* A name and the colon after it. */
dosi_status text_column(
    char **out, const char **at, const char *what, dosi_error *err);

/* Names with commas between them, up to the end; at least one. */
dosi_status text_list(struct table_bytes **out, size_t *n, const char *text,
    const char *what, dosi_error *err);
void text_list_free(struct table_bytes *list, size_t n);

/* Whether two names of a list are equal; then *at is the second one. */
dosi_status text_list_twice(size_t *at, bool *is_twice,
    const struct table_bytes *list, size_t n, dosi_error *err);

/* LO..HI at *at, up to a colon or the end; LO < HI. */
dosi_status text_range(struct exact_decimal *lo, struct exact_decimal *hi,
    const char **at, const char *what, dosi_error *err);

/* One number that is all of the text. */
dosi_status text_decimal(struct exact_decimal *out, const char *text,
    const char *what, dosi_error *err);
dosi_status text_number(
    double *out, const char *text, const char *what, dosi_error *err);

#endif
