/* An answer, or what a query will cost, as text, JSON or CSV. */
#ifndef DOSI_RELEASE_TABLE_QUERY_REPORT_PRINT_H
#define DOSI_RELEASE_TABLE_QUERY_REPORT_PRINT_H

#include "answer.h"
#include "report_facts.h"

/* rows is NULL before the noise is drawn. */
dosi_status report_print(char *text, size_t size, size_t *length,
    const struct report_facts *facts, const struct answer_rows *rows,
    dosi_release_form form, dosi_error *err);

/* Copies a buffer as snprintf does, and frees it. */
dosi_status report_copy(char *text, size_t size, size_t *length,
    dosi_buffer *b, dosi_error *err);

#endif
