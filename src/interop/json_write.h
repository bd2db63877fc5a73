/*
 * Members of JSON answers, appended to a buffer. A key is passed as it is
 * written, with quotes and separators: ",\"lower\":".
 */
#ifndef DOSI_INTEROP_JSON_WRITE_H
#define DOSI_INTEROP_JSON_WRITE_H

#include "base/buffer.h"
#include "dosimeter.h"

/* Appends a number that reads back exactly; infinities are strings. */
void json_write_number(dosi_buffer *b, const char *key, double x);

/* Appends a string; "" for NULL. */
void json_write_text(dosi_buffer *b, const char *key, const char *value);

/* Appends {"lower":...,"upper":...}. */
void json_write_interval(dosi_buffer *b, const char *key, dosi_interval x);

/* Appends the members of an answer, "lower" first. */
void json_write_answer(dosi_buffer *b, const dosi_answer *a);

/* Appends the members of an answer about risk, "advantage" first. */
void json_write_risk(dosi_buffer *b, const dosi_risk *r);

#endif
