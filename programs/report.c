/*
 * Messages on stderr: one line per error and, if a text was read, that text
 * below it with a caret at the error. Bytes that could disturb a terminal
 * are masked.
 */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#define SAID_BYTES 1024
#define WINDOW_COLUMNS 72

/* Writes n bytes to stderr, masked, and returns the columns they take. */
static size_t say_masked(const char *s, size_t n)
{
    size_t n_columns = 0;

    for (size_t i = 0; i < n; n_columns++) {
        size_t length = cli_utf8_length(s + i, n - i);
        if (length > 0) {
            fwrite(s + i, 1, length, stderr);
            i += length;
        } else {
            fputc(s[i] == '\n' || s[i] == '\t' ? ' ' : '?', stderr);
            i++;
        }
    }
    return n_columns;
}

void cli_say(const char *format, ...)
{
    char line[SAID_BYTES];
    va_list list;

    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    cli_progress_clear();
    if (n < 0)
        n = 0;
    bool cut = (size_t)n >= sizeof line;
    fputs("dosimeter: ", stderr);
    say_masked(line, cut ? sizeof line - 1 : (size_t)n);
    fputs(cut ? "...\n" : "\n", stderr);
}

static void json_error(const dosi_error *err)
{
    fputs("{\"error\":{", stdout);
    cli_json_text("status", dosi_status_name(err->status), true);
    cli_json_text("message", err->message, false);
    if (err->offset == DOSI_NO_OFFSET)
        puts(",\"offset\":null}}");
    else
        printf(",\"offset\":%zu}}\n", err->offset);
}

int cli_usage(const struct cli_arguments *args, const char *format, ...)
{
    const char *name = cli_commands[args->command].name;
    dosi_error err = {.status = DOSI_EINVAL, .offset = DOSI_NO_OFFSET};
    va_list list;

    va_start(list, format);
    vsnprintf(err.message, sizeof err.message, format, list);
    va_end(list);
    cli_say("%s: %s; see \"dosimeter help %s\"", name, err.message, name);
    if (cli_has(args, OPTION_JSON))
        json_error(&err);
    return CLI_USAGE;
}

/* The first byte of the sequence that byte i of s is part of. */
static size_t sequence_start(const char *s, size_t i)
{
    for (size_t back = 0; back < 4 && back <= i; back++)
        if (((unsigned char)s[i - back] & 0xc0) != 0x80)
            return i - back;
    return i;
}

/* The part of text around the offset, and a caret under the offset. */
static void say_caret(const char *text, size_t n_bytes, size_t offset)
{
    size_t start = 0;
    size_t end = n_bytes;

    while (end > offset && strchr(" \t\r\n", text[end - 1]) != NULL)
        end--; /* the newline that ends a file is not worth showing */
    if (offset > WINDOW_COLUMNS / 2 && end > WINDOW_COLUMNS)
        start = sequence_start(text, offset - WINDOW_COLUMNS / 2);
    if (end - start > WINDOW_COLUMNS)
        end = sequence_start(text, start + WINDOW_COLUMNS);
    fputs(start > 0 ? "  ..." : "  ", stderr);
    size_t column = start > 0 ? 5 : 2;
    column += say_masked(text + start, offset - start);
    say_masked(text + offset, end - offset);
    fputs(end < n_bytes && n_bytes - end > 2 ? "...\n" : "\n", stderr);
    fprintf(stderr, "%*s^\n", (int)column, "");
}

int cli_fail(const struct cli_arguments *args, const dosi_error *err,
    const char *text, size_t n_bytes)
{
    if (cli_interrupted())
        return CLI_INTERRUPTED; /* which main tells, once */
    cli_say("%s", err->message);
    if (text != NULL && n_bytes > 0 && err->offset <= n_bytes)
        say_caret(text, n_bytes, err->offset);
    if (cli_has(args, OPTION_JSON))
        json_error(err);
    return cli_exit_of(err->status);
}

int cli_no_memory(void)
{
    cli_say("out of memory");
    return CLI_SYSTEM;
}

int cli_flush(void)
{
    static bool said;

    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_YES;
    if (!said)
        cli_say("cannot write to standard output%s%s", errno ? ": " : "",
            errno ? strerror(errno) : "");
    said = true;
    return CLI_SYSTEM;
}

int cli_exit_of(dosi_status status)
{
    switch (status) {
    case DOSI_OK:
        return CLI_YES;
    case DOSI_EINVAL:
    case DOSI_ESYNTAX:
    case DOSI_EDOMAIN:
        return CLI_USAGE;
    case DOSI_EUNSUPPORTED:
    case DOSI_EUNABLE:
        return CLI_UNABLE;
    case DOSI_ENOMEM:
    case DOSI_EENTROPY:
    case DOSI_EIO:
        return CLI_SYSTEM;
    }
    return CLI_SYSTEM;
}
