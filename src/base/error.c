/*
 * Messages of failures, in one line and in the C locale.
 */
#include "error.h"

#include <stdarg.h>

#include "c_locale.h"

__attribute__((format(printf, 4, 0))) static dosi_status error_fill(
    dosi_error *err, dosi_status status, size_t offset, const char *format,
    va_list args)
{
    if (err != NULL) {
        err->status = status;
        err->offset = offset;
        dosi_format(err->message, sizeof err->message, format, args);
        /* one line, whatever names from outside it quotes */
        for (char *c = err->message; *c != '\0'; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                *c = '?';
    }
    return status;
}

dosi_status dosi_fail(
    dosi_error *err, dosi_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = error_fill(err, status, DOSI_NO_OFFSET, format, args);
    va_end(args);
    return status;
}

dosi_status dosi_fail_at(dosi_error *err, dosi_status status, size_t offset,
    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = error_fill(err, status, offset, format, args);
    va_end(args);
    return status;
}

dosi_status dosi_fail_memory(dosi_error *err)
{
    return dosi_fail(err, DOSI_ENOMEM, "out of memory");
}
