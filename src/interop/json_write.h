/*
 * Members of JSON answers, written to a buffer. The key comes as it stands
 * in the text, with what separates it: ",\"lower\":".
 */
#ifndef DOSI_INTEROP_JSON_WRITE_H
#define DOSI_INTEROP_JSON_WRITE_H

#include "base/buffer.h"
#include "dosimeter.h"

/* A number that reads back exactly; infinities as strings. */
void json_write_number(dosi_buffer *b, const char *key, double x);

/* A string; "" for NULL. */
void json_write_text(dosi_buffer *b, const char *key, const char *value);

/* {"lower":...,"upper":...} */
void json_write_interval(dosi_buffer *b, const char *key, dosi_interval x);

/* The members of an answer, "lower" first. */
void json_write_answer(dosi_buffer *b, const dosi_answer *a);

/* The members of an answer in words of risk, "advantage" first. */
void json_write_risk(dosi_buffer *b, const dosi_risk *r);

#endif
