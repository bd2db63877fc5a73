/* Included before src/release/noise_constant.c: what may decide a branch or an
 * address is marked as defined for valgrind, what was read by a secret address
 * as undefined. */
#ifndef DOSI_TESTS_TIMING_MARKS_H
#define DOSI_TESTS_TIMING_MARKS_H

#include <valgrind/memcheck.h>

#define DECLASSIFY(variable) \
    (void)VALGRIND_MAKE_MEM_DEFINED(&(variable), sizeof(variable))
#define CLASSIFY(variable) \
    (void)VALGRIND_MAKE_MEM_UNDEFINED(&(variable), sizeof(variable))

#endif
