#include "fail_alloc.h"

#include <malloc.h>
#include <stdbool.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

long fail_countdown = -1;
long fail_live;
size_t fail_bytes, fail_peak;

static bool fails(void)
{
    return fail_countdown > 0 && --fail_countdown == 0;
}

static void *gained(void *p)
{
    if (p == NULL)
        return NULL;
    fail_live++;
    fail_bytes += malloc_usable_size(p);
    fail_peak = fail_bytes > fail_peak ? fail_bytes : fail_peak;
    return p;
}

static void lost(size_t n_bytes)
{
    fail_live--;
    fail_bytes -= n_bytes;
}

void *__wrap_malloc(size_t n)
{
    return gained(fails() ? NULL : __real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return gained(fails() ? NULL : __real_calloc(n, size));
}

/* Giving memory back never fails: code may go on with the old block. */
void *__wrap_realloc(void *old, size_t n)
{
    size_t before = old != NULL ? malloc_usable_size(old) : 0;
    void *p = before < n && fails() ? NULL : __real_realloc(old, n);
    if (p != NULL && old != NULL)
        lost(before);
    return gained(p);
}

void __wrap_free(void *p)
{
    if (p != NULL)
        lost(malloc_usable_size(p));
    __real_free(p);
}
