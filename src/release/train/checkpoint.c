/* Checkpoints: files, locks, and the count of used steps. */
#define _DEFAULT_SOURCE /* flock, fsync, pwrite */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "train_run.h"

/* ---- Files -------------------------------------------------------------- */

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

static dosi_status lock_file(
    int file, const struct checkpoint *c, dosi_error *err)
{
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return DOSI_OK;
    return errno == EWOULDBLOCK
               ? dosi_fail(err, DOSI_EINVAL,
                     "the checkpoint %.150s is in use by another run",
                     c->path)
               : cannot("lock", c->path, err);
}

/* The lock of the name, which stays while versions of the file change. */
static dosi_status take_lock(struct checkpoint *c, dosi_error *err)
{
    char *name = path_with(c->path, ".lock");

    if (name == NULL)
        return dosi_fail_memory(err);
    c->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    dosi_status status = c->lock < 0 ? cannot("lock", name, err)
                                     : lock_file(c->lock, c, err);
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

/* All n bytes at an offset, on the disk; false with errno. */
static bool overwrite(int file, const char *bytes, size_t n, off_t at)
{
    errno = ENOSPC; /* if fewer are written */
    return pwrite(file, bytes, n, at) == (ssize_t)n && fsync(file) == 0;
}

/* ---- Writing ------------------------------------------------------------ */

static bool write_used(int file, double used, const char *checksum)
{
    char line[CHECKPOINT_USED_BYTES + 1];

    checkpoint_used_line(line, used, checksum);
    return overwrite(file, line, CHECKPOINT_USED_BYTES, CHECKPOINT_USED_AT);
}

/* All but the count. */
static bool write_text(
    int file, struct checkpoint *c, const struct train_state *state)
{
    int copy = dup(file);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "wb");
    struct stat about;

    if (stream == NULL) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    bool good = fstat(file, &about) == 0;
    if (good) {
        c->text.file = (uint64_t)about.st_ino;
        checkpoint_text_write(stream, &c->text, state, c->settings, c->plan);
        good = fflush(stream) == 0 && !ferror(stream);
    }
    return fclose(stream) == 0 && good;
}

/* A file next to the checkpoint with the state in it, flushed, locked and open
 * for writing; -1 with errno if that failed. */
static int write_new(const char *name, struct checkpoint *c,
    const struct train_state *state)
{
    (void)unlink(name); /* of a run that was killed; the lock is ours */
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (file < 0)
        return -1;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && write_text(file, c, state) &&
        write_used(file, state->used, c->text.checksum))
        return file;
    int error = errno;
    close(file);
    (void)unlink(name);
    errno = error;
    return -1;
}

/* Makes the version whose place was taken useless, if it is still there under
 * a second name: it would be continued, too. */
static bool retire(int file)
{
    static const char line[] = CHECKPOINT_OLD_LINE;
    struct stat about;

    return fstat(file, &about) == 0 &&
           (about.st_nlink == 0 ||
               overwrite(file, line, sizeof line - 1, 0));
}

/* Puts a new version in the place of the one that is there. */
static bool replace(struct checkpoint *c, int file, const char *name)
{
    int before = c->file;

    if (rename(name, c->path) != 0) {
        int error = errno;
        close(file);
        (void)unlink(name);
        errno = error;
        return false;
    }
    c->file = file;
    bool good = flush_folder(c->path) && (before < 0 || retire(before));
    int error = errno;
    if (before >= 0)
        close(before);
    errno = error;
    return good;
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
    struct checkpoint_text before = c->text;
    int file = write_new(name, c, state);
    if (file < 0)
        c->text = before;
    c->is_behind = file < 0 || !replace(c, file, name);
    free(name);
    return c->is_behind ? cannot("write", c->path, err) : DOSI_OK;
}

dosi_status checkpoint_reserve(
    struct checkpoint *checkpoint, double used, dosi_error *err)
{
    struct checkpoint *c = checkpoint;

    if (c->path == NULL)
        return DOSI_OK;
    /* A flush that failed may succeed the second time without having written
     * anything, so that only a new file helps. */
    if (c->is_behind)
        return dosi_fail(err, DOSI_EIO,
            "the checkpoint %.150s could not be written; save it first",
            c->path);
    c->is_behind = !write_used(c->file, used, c->text.checksum);
    return c->is_behind ? cannot("write", c->path, err) : DOSI_OK;
}

/* ---- Opening ------------------------------------------------------------ */

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

/* Whether the open file is the one that path names, and has no other name:
 * that one would have a lock of its own. */
static dosi_status check_name(
    const struct checkpoint *c, dosi_error *err)
{
    struct stat named, opened;

    if (lstat(c->path, &named) != 0 || fstat(c->file, &opened) != 0)
        return cannot("read", c->path, err);
    if (S_ISREG(named.st_mode) && named.st_nlink == 1 &&
        named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "the checkpoint %.150s is not a file, is a link, or has two names",
        c->path);
}

/* An inode number that is not the recorded one is that of a copy. */
static dosi_status check_original(
    const struct checkpoint *c, dosi_error *err)
{
    struct stat about;

    if (fstat(c->file, &about) != 0)
        return cannot("read", c->path, err);
    if ((uint64_t)about.st_ino == c->text.file)
        return DOSI_OK;
    return dosi_fail(err, DOSI_EINVAL,
        "the checkpoint %.150s is a copy of the file that was written; a copy "
        "is continued only with moved, which states that no other copy ever is",
        c->path);
}

static dosi_status read_old(struct checkpoint *c, bool is_moved,
    struct train_state *state, dosi_error *err)
{
    c->file = open(c->path, O_RDWR | O_CLOEXEC);
    if (c->file < 0 && errno == ENOENT)
        return dosi_fail(err, DOSI_EINVAL,
            "there is no checkpoint %.150s to resume", c->path);
    if (c->file < 0)
        return cannot("open", c->path, err);
    dosi_status status = lock_file(c->file, c, err);
    if (status == DOSI_OK)
        status = check_name(c, err);
    if (status != DOSI_OK)
        return status;
    int copy = dup(c->file);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "rb");
    if (stream == NULL) {
        status = cannot("read", c->path, err);
        if (copy >= 0)
            close(copy);
        return status;
    }
    status = checkpoint_text_read(
        &c->text, state, stream, c->path, c->settings, c->plan, err);
    fclose(stream);
    return status == DOSI_OK && !is_moved ? check_original(c, err) : status;
}

dosi_status checkpoint_open(struct checkpoint *checkpoint, const char *path,
    enum checkpoint_start how, const struct name_list *settings,
    const dosi_plan *plan, struct train_state *state, dosi_error *err)
{
    struct checkpoint *c = checkpoint;
    struct stat about;

    *c = (struct checkpoint){
        .path = path, .file = -1, .lock = -1, .settings = settings};
    dosi_status status = plan_text(&c->plan, plan, err);
    if (status == DOSI_OK)
        status = take_lock(c, err);
    if (status == DOSI_OK && how != CHECKPOINT_NEW)
        status = read_old(c, how == CHECKPOINT_MOVED, state, err);
    else if (status == DOSI_OK && lstat(path, &about) == 0)
        status = dosi_fail(err, DOSI_EINVAL,
            "the checkpoint %.150s exists already; resume continues it",
            path);
    if (status != DOSI_OK)
        return status;
    c->text.run++;
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
