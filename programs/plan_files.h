/*
 * Plans out of texts that may include files. The library opens none; these
 * functions read what it asks for.
 */
#ifndef DOSI_PLAN_FILES_H
#define DOSI_PLAN_FILES_H

#include "cli.h"

/* Where reading failed: the innermost text. */
struct plan_failure {
    dosi_error err;
    char *name; /* of the file, or NULL for the outermost text */
    char *text;
    size_t n_bytes;
};

/*
 * Reads a plan from a text, a tree of JSON or a table. name is that of the
 * file, "standard input", or NULL; files are relative to its folder. Free the
 * failure in any case.
 *
 * owns   *out, released with dosi_plan_free
 * fails  like dosi_plan_parse, with *failure filled; DOSI_EINVAL for a file
 *        that is not there, includes itself, or too many files or levels of
 *        them; DOSI_EIO
 */
DOSI_CHECK dosi_status plan_text_read(const dosi_plan **out, const char *name,
    const char *text, size_t n_bytes, dosi_neighbours neighbours,
    struct plan_failure *failure);
void plan_failure_free(struct plan_failure *failure);

/* Longer than any plan; stops at what never ends, such as /dev/zero. */
#define PLAN_MAX_BYTES ((size_t)64 << 20)

/* All bytes of a stream, NUL-terminated, at most so many; the caller frees
 * *text. fails  DOSI_EINVAL, DOSI_EIO, DOSI_ENOMEM */
DOSI_CHECK dosi_status plan_stream_read(char **text, size_t *n_bytes,
    FILE *stream, const char *name, size_t max_bytes, dosi_error *err);

#endif
