/*
 * Files that exist completely or not at all: written under another name in the
 * folder of the target, synced to disk, then renamed. Devices and pipes are written as
 * they are.
 */
#define _XOPEN_SOURCE 700
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name at work, for the handler of signals. */
static char *volatile pending;

void cli_output_drop(void)
{
    if (pending != NULL)
        unlink(pending);
}

/* The suffix of a file's name, up to five letters and digits of which the
 * first is a letter, in lower case; "" for none. */
static void find_suffix(char out[6], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t n = dot != NULL && dot != name ? strlen(dot + 1) : 0;

    out[0] = '\0';
    if (n == 0 || n > 5 || !isalpha((unsigned char)dot[1]))
        return;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)dot[i + 1]))
            return;
    for (size_t i = 0; i <= n; i++)
        out[i] = (char)tolower((unsigned char)dot[i + 1]);
}

int cli_output_check(const struct cli_arguments *args, const char *suffixes,
    const char *formats)
{
    const char *path = cli_value(args, OPTION_OUTPUT);
    char suffix[6] = "";

    if (path != NULL)
        find_suffix(suffix, path);
    for (const char *at = suffixes; suffix[0] != '\0';) {
        size_t n = strcspn(at, " ");
        if (n == strlen(suffix) && strncmp(at, suffix, n) == 0)
            break;
        if (at[n] == '\0')
            return cli_usage(args, "--output is %s, got \"%s\"", formats, path);
        at += n + 1;
    }
    return CLI_YES;
}

static int say_failed(const char *path)
{
    cli_say("cannot write %s: %s", path, strerror(errno));
    return CLI_SYSTEM;
}

/* Where the bytes belong: the file that a link points to. */
static char *target_of(const char *path, bool *in_place)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;

    *in_place = exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
    return exists ? realpath(path, NULL) : strdup(path);
}

/* A new file beside the target, with the rights that a new file has. */
static FILE *open_beside(char **temporary, const char *target)
{
    static const char ending[] = ".XXXXXX";
    size_t n = strlen(target);
    char *name = malloc(n + sizeof ending);

    if (name == NULL)
        return NULL;
    snprintf(name, n + sizeof ending, "%s%s", target, ending);
    int file = mkstemp(name);
    if (file < 0) {
        free(name);
        return NULL;
    }
    *temporary = name;
    pending = name;
    mode_t mask = umask(0);
    umask(mask);
    FILE *stream = fchmod(file, 0666 & ~mask) == 0 ? fdopen(file, "wb") : NULL;
    if (stream == NULL) {
        int error = errno;
        close(file);
        cli_output_drop();
        errno = error;
    }
    return stream;
}

int cli_output_open(struct cli_output *out, const char *path)
{
    bool in_place;

    *out = (struct cli_output){.path = path};
    if (path == NULL || strcmp(path, "-") == 0) {
        out->stream = stdout;
        return CLI_YES;
    }
    out->target = target_of(path, &in_place);
    if (out->target != NULL)
        out->stream = in_place ? fopen(path, "wb")
                               : open_beside(&out->temporary, out->target);
    if (out->stream != NULL)
        return CLI_YES;
    int status = say_failed(path);
    pending = NULL;
    free(out->temporary);
    free(out->target);
    return status;
}

/* Whether all of it is on the disk, under its name. */
static bool put_in_place(struct cli_output *out)
{
    bool good = fflush(out->stream) == 0 && !ferror(out->stream);

    if (out->temporary == NULL)
        return fclose(out->stream) == 0 && good;
    good = good && fsync(fileno(out->stream)) == 0;
    good = fclose(out->stream) == 0 && good;
    return good && rename(out->temporary, out->target) == 0;
}

int cli_output_close(struct cli_output *out, int status)
{
    if (out->stream == stdout)
        return status;
    bool keeps = status == CLI_YES || status == CLI_UNABLE;
    if (!keeps || cli_interrupted()) {
        fclose(out->stream);
        cli_output_drop();
    } else if (!put_in_place(out)) {
        status = say_failed(out->path);
        cli_output_drop();
    }
    pending = NULL;
    free(out->temporary);
    free(out->target);
    return status;
}
