/*
 * Writing plans: text, JSON and event trees, to anything that takes bytes.
 * Nothing here allocates.
 */
#ifndef DOSI_LANG_PRINT_H
#define DOSI_LANG_PRINT_H

#include "plan/plan.h"

/* Where the bytes go. */
typedef struct sink {
    void (*write)(void *context, const char *bytes, size_t n);
    void *context;
    bool omits_labels;
} sink;

void dosi_sink_text(const sink *to, const char *text);

/* A number that reads back as exactly x; also a number of JSON. */
void dosi_sink_number(const sink *to, double x);

/* ,"name": of a member that is not the first of its object. */
void dosi_sink_member(const sink *to, const char *name);

/* The plan in one of the forms; what was written before a failure stays. */
DOSI_CHECK dosi_status dosi_sink_plan(
    const sink *to, const dosi_plan *plan, dosi_form form, dosi_error *err);

#endif
