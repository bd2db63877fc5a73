/*
 * The C locale for a short time, in the calling thread alone: what the C
 * library then reads and writes has the decimal point, whatever locale the
 * caller has chosen.
 */
#ifndef DOSI_BASE_C_LOCALE_H
#define DOSI_BASE_C_LOCALE_H

#include <stdarg.h>
#include <stddef.h>

typedef struct c_locale {
    void *own, *callers; /* locale_t, which strict C17 does not know */
} c_locale;

/* Each call of enter needs one of leave, in the same thread. Neither changes
 * errno, and with the common C libraries neither allocates. */
c_locale dosi_c_locale_enter(void);
void dosi_c_locale_leave(c_locale before);

/* vsnprintf in the C locale. */
__attribute__((format(printf, 3, 0))) void dosi_format(
    char *out, size_t size, const char *format, va_list args);

#endif
