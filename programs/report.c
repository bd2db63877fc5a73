/*
 * Messages on stderr: one line per error and, if a text was read, its line
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

/* Where in a text an offset is. */
struct spot {
    size_t start, end; /* of its line */
    unsigned long line, column; /* from 1, in characters */
};

/* The first byte of the sequence that byte i of s is part of. */
static size_t sequence_start(const char *s, size_t i)
{
    for (size_t back = 0; back < 4 && back <= i; back++)
        if (((unsigned char)s[i - back] & 0xc0) != 0x80)
            return i - back;
    return i;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static struct spot spot_of(const char *text, size_t n_bytes, size_t offset)
{
    struct spot spot = {.line = 1, .column = 1};

    for (size_t i = 0; i < offset; i++) {
        bool is_pair = text[i] == '\r' && i + 1 < n_bytes &&
                       text[i + 1] == '\n';
        if (is_line_end(text[i]) && !is_pair) {
            spot.line++;
            spot.start = i + 1;
        }
    }
    if (spot.start == 0 && n_bytes >= 3 && offset >= 3 &&
        memcmp(text, "\xef\xbb\xbf", 3) == 0)
        spot.start = 3; /* a byte order mark */
    spot.end = offset > spot.start ? offset : spot.start;
    while (spot.end < n_bytes && !is_line_end(text[spot.end]))
        spot.end++;
    for (size_t i = spot.start; i < offset; i++)
        spot.column += i == sequence_start(text, i);
    return spot;
}

static void json_error(const dosi_error *err, const char *name,
    const struct spot *spot)
{
    fputs("{\"error\":{", stdout);
    cli_json_text("status", dosi_status_name(err->status), true);
    cli_json_text("message", err->message, false);
    if (err->offset == DOSI_NO_OFFSET)
        fputs(",\"offset\":null", stdout);
    else
        printf(",\"offset\":%zu", err->offset);
    if (name != NULL)
        cli_json_text("file", name, false);
    if (name != NULL && spot != NULL)
        printf(",\"line\":%lu,\"column\":%lu", spot->line, spot->column);
    puts("}}");
}

int cli_usage(const struct cli_arguments *args, const char *format, ...)
{
    const char *name = cli_commands[args->command].name;
    dosi_error err = {.status = DOSI_EINVAL, .offset = DOSI_NO_OFFSET};
    va_list list;

    va_start(list, format);
    vsnprintf(err.message, sizeof err.message, format, list);
    va_end(list);
    size_t n = strlen(err.message);
    bool is_asking = n > 0 && err.message[n - 1] == '?';
    cli_say("%s: %s%s \"dosimeter help %s\"", name, err.message,
        is_asking ? " See" : "; see", name);
    if (cli_has(args, OPTION_JSON))
        json_error(&err, NULL, NULL);
    return CLI_USAGE;
}

/* The part of the line around the offset, and a caret under the offset. */
static void say_caret(const char *text, const struct spot *spot, size_t offset)
{
    size_t start = spot->start, end = spot->end;

    while (end > offset && strchr(" \t", text[end - 1]) != NULL)
        end--;
    size_t line_end = end;
    if (offset > start + WINDOW_COLUMNS / 2 && end > start + WINDOW_COLUMNS)
        start = sequence_start(text, offset - WINDOW_COLUMNS / 2);
    if (end - start > WINDOW_COLUMNS)
        end = sequence_start(text, start + WINDOW_COLUMNS);
    fputs(start > spot->start ? "  ..." : "  ", stderr);
    size_t column = start > spot->start ? 5 : 2;
    column += say_masked(text + start, offset - start);
    say_masked(text + offset, end - offset);
    fputs(line_end > end + 2 ? "...\n" : "\n", stderr);
    fprintf(stderr, "%*s^\n", (int)column, "");
}

int cli_fail_in(const struct cli_arguments *args, const dosi_error *err,
    const char *name, const char *text, size_t n_bytes)
{
    size_t offset = err->offset;
    bool has_spot = text != NULL && n_bytes > 0 && offset <= n_bytes;
    struct spot spot = {0};

    if (cli_interrupted())
        return CLI_INTERRUPTED; /* which main tells, once */
    /* the line ends behind the last word are not worth showing */
    if (has_spot && offset == n_bytes)
        while (offset > 0 && is_line_end(text[offset - 1]))
            offset--;
    if (has_spot)
        spot = spot_of(text, n_bytes, offset);
    if (name == NULL)
        cli_say("%s", err->message);
    else if (has_spot)
        cli_say("%s:%lu:%lu: %s", name, spot.line, spot.column, err->message);
    else
        cli_say("%s: %s", name, err->message);
    if (has_spot)
        say_caret(text, &spot, offset);
    if (cli_has(args, OPTION_JSON))
        json_error(err, name, has_spot ? &spot : NULL);
    return cli_exit_of(err->status);
}

int cli_fail(const struct cli_arguments *args, const dosi_error *err,
    const char *text, size_t n_bytes)
{
    return cli_fail_in(args, err, NULL, text, n_bytes);
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
