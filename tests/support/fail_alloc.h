/*
 * Memory that runs out at the n-th allocation, and what is allocated. A test
 * that links the layer `fail_alloc` has malloc, calloc, realloc and free
 * wrapped in its own objects.
 */
#ifndef DOSI_TESTS_SUPPORT_FAIL_ALLOC_H
#define DOSI_TESTS_SUPPORT_FAIL_ALLOC_H

#include <stddef.h>

/* The allocation that fails, counted from 1; 0 once it has failed, -1: none. */
extern long fail_countdown;

extern long fail_live;    /* blocks that are allocated and not released */
extern size_t fail_bytes; /* of these blocks */
extern size_t fail_peak;  /* the most that fail_bytes was since it was set */

#endif
