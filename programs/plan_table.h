/*
 * Plans as tables: CSV with the columns kind, parameters, count and label, of
 * which kind is needed; one part a line. A field with a comma is in double
 * quotes; a line that starts with "#" is a comment.
 *
 *     kind,parameters,count,label
 *     gaussian,20,3,population by county
 *     poisson,"0.01, gaussian(1)",500,
 */
#ifndef DOSI_PLAN_TABLE_H
#define DOSI_PLAN_TABLE_H

#include "cli.h"

/* Whether the first line of a text that is no comment has a field "kind". */
bool plan_table_is(const char *text, size_t n_bytes);

/* owns   *out, released with dosi_plan_free
 * fails  DOSI_EINVAL, DOSI_ESYNTAX with the offset of the field; DOSI_ENOMEM */
DOSI_CHECK dosi_status plan_table_read(const dosi_plan **out, const char *text,
    size_t n_bytes, dosi_error *err);

#endif
