/*
 * The parameters of one evaluation: read from text, matched with the
 * declaration of the row, and checked against its validity.
 */
#ifndef DOSI_FORMULARY_ARGUMENTS_H
#define DOSI_FORMULARY_ARGUMENTS_H

#include <stdbool.h>

#include "formula.h"

#define FORMULA_MAX_PARAMETERS 12
/* The longest list, with ranges expanded. */
#define FORMULA_MAX_ELEMENTS ((size_t)1 << 20)

typedef struct formula_arg {
    const char *name; /* name_bytes long, in the row's declaration */
    size_t name_bytes;
    bool is_list;
    bool is_text; /* read by the row itself: no values */
    bool is_optional;
    bool is_given;
    const char *text; /* the value as written, text_bytes long */
    size_t text_bytes;
    size_t offset; /* of the value in the whole text */
    double *values;
    size_t n_values;
} formula_arg;

struct formula_args {
    formula_arg args[FORMULA_MAX_PARAMETERS];
    size_t n_args;
    double *storage; /* of all values */
};

/*
 * Reads "k=v;k=v" as the row declares it, and checks the row's validity.
 *
 * owns   *out, released with formula_args_free also after a failure
 * fails  DOSI_EINVAL with the offset of an unknown, repeated, missing or
 *        malformed parameter; DOSI_EDOMAIN with the clause that failed;
 *        DOSI_ENOMEM
 */
dosi_status formula_args_read(formula_args *out, const formula_row *row,
    const char *text, dosi_error *err);

void formula_args_free(formula_args *a);

#endif
