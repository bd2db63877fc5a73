/*
 * The C locale of one thread, by newlocale and uselocale of POSIX.2008.
 */
#define _POSIX_C_SOURCE 200809L
#include "c_locale.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>

c_locale dosi_c_locale_enter(void)
{
    int before = errno;
    c_locale l = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (l.own != NULL)
        l.callers = uselocale((locale_t)l.own);
    errno = before;
    return l;
}

void dosi_c_locale_leave(c_locale before)
{
    int number = errno;
    if (before.own != NULL) {
        (void)uselocale((locale_t)before.callers);
        freelocale((locale_t)before.own);
    }
    errno = number;
}

void dosi_format(char *out, size_t size, const char *format, va_list args)
{
    c_locale before = dosi_c_locale_enter();
    (void)vsnprintf(out, size, format, args);
    dosi_c_locale_leave(before);
}
