/*
 * Texts of plans and the files they include. Each text is a frame; the frames
 * from the outermost one to the one at work are the chain by which a file was
 * reached.
 */
#define _POSIX_C_SOURCE 200809L
#include "plan_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dosimeter/json.h"
#include "plan_table.h"

#define MOST_LEVELS 16
#define MOST_FILES 1000

/* What all frames share. */
struct reading {
    dosi_neighbours neighbours;
    size_t n_files, n_bytes;
    struct plan_failure *failure;
};

struct frame {
    struct reading *reading;
    const struct frame *outer; /* NULL for the outermost text */
    const char *name;          /* NULL for the command line */
    dev_t device;              /* of a file, to know it again */
    ino_t inode;
    bool is_file;
};

__attribute__((format(printf, 3, 4))) static dosi_status fail(
    dosi_error *err, dosi_status status, const char *format, ...)
{
    va_list list;

    *err = (dosi_error){.status = status, .offset = DOSI_NO_OFFSET};
    va_start(list, format);
    vsnprintf(err->message, sizeof err->message, format, list);
    va_end(list);
    return status;
}

dosi_status plan_stream_read(char **text, size_t *n_bytes, FILE *stream,
    const char *name, size_t max_bytes, dosi_error *err)
{
    size_t capacity = 0;

    *text = NULL;
    *n_bytes = 0;
    for (size_t n = 1; n > 0; *n_bytes += n) {
        if (*n_bytes > max_bytes)
            return fail(err, DOSI_EINVAL,
                "the plan in %.100s exceeds %zu bytes", name, max_bytes);
        if (*n_bytes + 1 >= capacity) {
            capacity = capacity == 0 ? 4096 : 2 * capacity;
            char *more = realloc(*text, capacity);
            if (more == NULL)
                return fail(err, DOSI_ENOMEM, "out of memory");
            *text = more;
        }
        n = fread(*text + *n_bytes, 1, capacity - *n_bytes - 1, stream);
    }
    (*text)[*n_bytes] = '\0';
    if (ferror(stream))
        return fail(err, DOSI_EIO, "cannot read %.100s: %s", name,
            strerror(errno));
    return DOSI_OK;
}

/* ---- Files -----------------------------------------------------------------
 */

/* The name as seen from the text that it stands in; the caller frees it. */
static char *path_of(const char *name, const char *from)
{
    const char *slash = from != NULL ? strrchr(from, '/') : NULL;
    size_t n = slash != NULL && name[0] != '/' ? (size_t)(slash - from) + 1 : 0;
    char *path = malloc(n + strlen(name) + 1);

    if (path != NULL) {
        memcpy(path, from != NULL ? from : name, n);
        memcpy(path + n, name, strlen(name) + 1);
    }
    return path;
}

/* Appends "name > " to a chain, from the outermost frame on. */
static void write_chain(
    char *chain, size_t size, const struct frame *frame, size_t *used)
{
    if (frame == NULL)
        return;
    write_chain(chain, size, frame->outer, used);
    if (frame->name == NULL || *used >= size)
        return;
    int n = snprintf(chain + *used, size - *used, "%s > ", frame->name);
    *used += n > 0 ? (size_t)n : 0;
}

static dosi_status fail_chain(dosi_error *err, const struct frame *frame,
    const char *path, const char *what)
{
    char chain[160] = "";
    size_t used = 0;

    write_chain(chain, sizeof chain, frame, &used);
    return fail(err, DOSI_EINVAL, "%s: %s%s%.60s", what, chain,
        used >= sizeof chain ? "... > " : "", path);
}

static dosi_status check_chain(
    const struct frame *inner, const char *path, dosi_error *err)
{
    size_t n_levels = 0;

    for (const struct frame *f = inner->outer; f != NULL; f = f->outer) {
        n_levels += f->is_file;
        if (f->is_file && f->device == inner->device &&
            f->inode == inner->inode)
            return fail_chain(
                err, inner->outer, path, "a file must not include itself");
    }
    if (n_levels >= MOST_LEVELS)
        return fail_chain(err, inner->outer, path,
            "files must include each other at most 16 levels deep");
    if (inner->reading->n_files >= MOST_FILES)
        return fail(err, DOSI_EINVAL, "a plan must have at most %d files",
            MOST_FILES);
    return DOSI_OK;
}

static dosi_status read_frame(const dosi_plan **out, struct frame *frame,
    const char *text, size_t n_bytes, dosi_error *err);

static dosi_status read_file(const dosi_plan **out, struct frame *frame,
    FILE *stream, dosi_error *err)
{
    struct reading *reading = frame->reading;
    struct stat about;
    char *text = NULL;
    size_t n_bytes = 0;

    if (fstat(fileno(stream), &about) != 0)
        return fail(err, DOSI_EIO, "cannot read %.100s: %s", frame->name,
            strerror(errno));
    frame->device = about.st_dev;
    frame->inode = about.st_ino;
    dosi_status status = check_chain(frame, frame->name, err);
    if (status == DOSI_OK)
        status = plan_stream_read(&text, &n_bytes, stream, frame->name,
            PLAN_MAX_BYTES - reading->n_bytes, err);
    reading->n_files++;
    reading->n_bytes += n_bytes;
    if (status == DOSI_OK)
        status = read_frame(out, frame, text, n_bytes, err);
    free(text);
    return status;
}

/* What the library calls for "@NAME" in a text. */
static dosi_status include(const dosi_plan **out, const char *name,
    void *context, dosi_error *err)
{
    struct frame *outer = context;
    struct frame inner = {
        .reading = outer->reading, .outer = outer, .is_file = true};
    char *path = path_of(name, outer->is_file ? outer->name : NULL);
    dosi_status status;

    *out = NULL;
    if (path == NULL)
        return fail(err, DOSI_ENOMEM, "out of memory");
    inner.name = path;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        bool is_missing = errno == ENOENT || errno == ENOTDIR;
        status = fail(err, is_missing ? DOSI_EINVAL : DOSI_EIO,
            "cannot open %.100s: %s", path, strerror(errno));
    } else {
        status = read_file(out, &inner, stream, err);
        fclose(stream);
    }
    free(path);
    return status;
}

/* ---- Texts -----------------------------------------------------------------
 */

static void keep_failure(const struct frame *frame, const char *text,
    size_t n_bytes, const dosi_error *err)
{
    struct plan_failure *failure = frame->reading->failure;

    if (failure->err.status != DOSI_OK)
        return; /* a text inside of this one failed */
    failure->err = *err;
    failure->name = frame->name != NULL ? strdup(frame->name) : NULL;
    failure->text = malloc(n_bytes + 1);
    if (failure->text == NULL)
        return;
    memcpy(failure->text, text, n_bytes);
    failure->text[n_bytes] = '\0';
    failure->n_bytes = n_bytes;
}

static dosi_status read_frame(const dosi_plan **out, struct frame *frame,
    const char *text, size_t n_bytes, dosi_error *err)
{
    bool has_mark = n_bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    size_t start = has_mark ? 3 : 0;
    dosi_status status;

    *out = NULL;
    while (start < n_bytes && text[start] != '\0' &&
           strchr(" \t\r\n", text[start]) != NULL)
        start++;
    if (start < n_bytes && text[start] == '{') {
        status = dosi_json_read_plan_under(out, text + start, n_bytes - start,
            frame->reading->neighbours, err);
        if (status != DOSI_OK && err->offset != DOSI_NO_OFFSET)
            err->offset += start;
    } else if (plan_table_is(text, n_bytes)) {
        status = plan_table_read(out, text, n_bytes, err);
    } else {
        status = dosi_plan_parse_including(
            out, text, n_bytes, include, frame, err);
    }
    if (status != DOSI_OK)
        keep_failure(frame, text, n_bytes, err);
    return status;
}

dosi_status plan_text_read(const dosi_plan **out, const char *name,
    const char *text, size_t n_bytes, dosi_neighbours neighbours,
    struct plan_failure *failure)
{
    struct reading reading = {.neighbours = neighbours, .failure = failure};
    struct frame frame = {.reading = &reading, .name = name};
    struct stat about;
    dosi_error err;

    *failure = (struct plan_failure){0};
    if (name != NULL && stat(name, &about) == 0) {
        frame.is_file = true;
        frame.device = about.st_dev;
        frame.inode = about.st_ino;
    }
    return read_frame(out, &frame, text, n_bytes, &err);
}

void plan_failure_free(struct plan_failure *failure)
{
    free(failure->name);
    free(failure->text);
    *failure = (struct plan_failure){0};
}
