/* Checkpoints: writing, reserving steps, and the lock. */
#define _DEFAULT_SOURCE /* flock, fsync, mkstemp */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/error.h"
#include "checkpoint_read.h"
#include "train_run.h"

static const char first_line[] = CHECKPOINT_FIRST_LINE;

/* ---- Files -----------------------------------------------------------------
 */

static dosi_status cannot(
    const char *what, const char *path, dosi_error *err)
{
    return dosi_fail(err, DOSI_EIO, "cannot %s %.150s: %s", what, path,
        strerror(errno));
}

/* path with an ending; NULL: no memory. */
static char *path_with(const char *path, const char *ending)
{
    size_t size = strlen(path) + strlen(ending) + 1;
    char *name = malloc(size);

    if (name != NULL)
        snprintf(name, size, "%s%s", path, ending);
    return name;
}

static dosi_status take_lock(struct checkpoint *c, dosi_error *err)
{
    char *name = path_with(c->path, ".lock");
    dosi_status status = DOSI_OK;

    if (name == NULL)
        return dosi_fail_memory(err);
    c->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (c->lock < 0)
        status = cannot("lock", name, err);
    else if (flock(c->lock, LOCK_EX | LOCK_NB) != 0)
        status = errno == EWOULDBLOCK
                     ? dosi_fail(err, DOSI_EINVAL,
                           "the checkpoint %.150s is in use by another run",
                           c->path)
                     : cannot("lock", name, err);
    free(name);
    return status;
}

/* Flushes the folder, so that the new name survives a loss of power. */
static bool flush_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = malloc(n + 2);

    if (folder == NULL)
        return false;
    memcpy(folder, path, n);
    memcpy(folder + n, n == 0 ? "." : "", n == 0 ? 2 : 1);
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    free(folder);
    return good;
}

/* ---- Writing ---------------------------------------------------------------
 */

static void write_numbers(FILE *stream, const char *name, const double *x,
    size_t n)
{
    fprintf(stream, "%s %zu\n", name, n);
    for (size_t j = 0; j < n; j++)
        fprintf(stream, "%a%c", x[j], j % 4 == 3 || j + 1 == n ? '\n' : ' ');
}

static void write_state(FILE *stream, const struct checkpoint *c,
    const struct train_state *state)
{
    c_locale before = dosi_c_locale_enter();

    fprintf(stream, "%s%s%020" PRIu64 "\n", first_line, CHECKPOINT_USED,
        (uint64_t)state->used);
    fprintf(stream, "run %.0f\nupdates %.0f\nplan %s\n", c->run,
        state->n_updates, c->plan);
    for (size_t i = 0; i < c->settings->n; i++)
        fprintf(stream, "setting %s\n", c->settings->names[i]);
    write_numbers(stream, "parameters", state->parameters,
        state->n_parameters);
    write_numbers(stream, "first", state->first, state->n_parameters);
    write_numbers(stream, "second", state->second, state->n_parameters);
    fputs("end\n", stream);
    dosi_c_locale_leave(before);
}

/* A file beside the checkpoint with the state in it, flushed and open for
 * writing; -1 with errno if that failed. */
static int write_beside(const char *name, const struct checkpoint *c,
    const struct train_state *state)
{
    (void)unlink(name); /* of a run that was killed; the lock is ours */
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int copy = file < 0 ? -1 : dup(file);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "wb");
    bool good = stream != NULL;

    if (good) {
        write_state(stream, c, state);
        good = fflush(stream) == 0 && !ferror(stream) && fsync(file) == 0;
    } else if (copy >= 0) {
        close(copy);
    }
    if (stream != NULL)
        good = fclose(stream) == 0 && good;
    if (!good && file >= 0) {
        int error = errno;
        close(file);
        (void)unlink(name);
        errno = error;
        return -1;
    }
    return file;
}

dosi_status checkpoint_write(struct checkpoint *checkpoint,
    const struct train_state *state, dosi_error *err)
{
    struct checkpoint *c = checkpoint;

    if (c->path == NULL)
        return DOSI_OK;
    char *name = path_with(c->path, ".new");
    if (name == NULL)
        return dosi_fail_memory(err);
    dosi_status status = DOSI_OK;
    int file = write_beside(name, c, state);
    if (file < 0) {
        status = cannot("write", c->path, err);
    } else if (rename(name, c->path) != 0) {
        status = cannot("write", c->path, err);
        close(file);
        (void)unlink(name);
    } else {
        if (c->file >= 0)
            close(c->file);
        c->file = file;
        if (!flush_folder(c->path))
            status = cannot("write", c->path, err);
    }
    free(name);
    return status;
}

dosi_status checkpoint_reserve(
    struct checkpoint *checkpoint, double used, dosi_error *err)
{
    char text[CHECKPOINT_DIGITS + 1];
    off_t at = (off_t)(strlen(first_line) + strlen(CHECKPOINT_USED));

    if (checkpoint->path == NULL)
        return DOSI_OK;
    snprintf(text, sizeof text, "%020" PRIu64, (uint64_t)used);
    if (pwrite(checkpoint->file, text, CHECKPOINT_DIGITS, at) !=
            CHECKPOINT_DIGITS ||
        fsync(checkpoint->file) != 0)
        return cannot("write", checkpoint->path, err);
    return DOSI_OK;
}

/* ---- Opening ---------------------------------------------------------------
 */

static dosi_status plan_text(
    char **out, const dosi_plan *plan, dosi_error *err)
{
    size_t length;
    dosi_status status =
        dosi_plan_print(NULL, 0, &length, plan, DOSI_FORM_TEXT, err);

    if (status != DOSI_OK)
        return status;
    *out = malloc(length + 1);
    if (*out == NULL)
        return dosi_fail_memory(err);
    return dosi_plan_print(
        *out, length + 1, &length, plan, DOSI_FORM_TEXT, err);
}

static dosi_status read_old(
    struct checkpoint *c, struct train_state *state, dosi_error *err)
{
    FILE *stream = fopen(c->path, "rb");
    struct stat about;

    if (stream == NULL && errno == ENOENT)
        return dosi_fail(err, DOSI_EINVAL,
            "there is no checkpoint %.150s to resume", c->path);
    if (stream == NULL)
        return cannot("open", c->path, err);
    /* A second name would have a lock and a count of its own. */
    if (lstat(c->path, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_nlink != 1) {
        fclose(stream);
        return dosi_fail(err, DOSI_EINVAL,
            "the checkpoint %.150s is no file, a link, or has two names",
            c->path);
    }
    dosi_status status =
        checkpoint_read(&c->run, state, stream, c->settings, c->plan, err);
    fclose(stream);
    return status;
}

dosi_status checkpoint_open(struct checkpoint *checkpoint, const char *path,
    bool resumes, const struct name_list *settings, const dosi_plan *plan,
    struct train_state *state, dosi_error *err)
{
    struct checkpoint *c = checkpoint;
    struct stat about;

    *c = (struct checkpoint){
        .path = path, .file = -1, .lock = -1, .settings = settings};
    dosi_status status = plan_text(&c->plan, plan, err);
    if (status == DOSI_OK)
        status = take_lock(c, err);
    if (status == DOSI_OK && resumes)
        status = read_old(c, state, err);
    else if (status == DOSI_OK && lstat(path, &about) == 0)
        status = dosi_fail(err, DOSI_EINVAL,
            "the checkpoint %.150s is there already; resume continues it",
            path);
    if (status != DOSI_OK)
        return status;
    c->run++;
    return checkpoint_write(c, state, err);
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (checkpoint->path == NULL)
        return;
    if (checkpoint->file >= 0)
        close(checkpoint->file);
    if (checkpoint->lock >= 0)
        close(checkpoint->lock);
    free(checkpoint->plan);
    checkpoint->path = NULL;
}
