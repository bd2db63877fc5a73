/*
 * What release and train read: options as settings of the library, names of
 * categories from files, and files of data.
 */
#ifndef DOSI_SETTING_TEXTS_H
#define DOSI_SETTING_TEXTS_H

#include "cli.h"

/* Settings as the library reads them, each "name value" or "name". */
struct setting_texts {
    char **texts;
    size_t n;
};

void setting_texts_free(struct setting_texts *texts);

/* value NULL: a switch. Returns an exit status, having said why. */
int setting_texts_put(
    struct setting_texts *out, const char *name, const char *value);

/* An option under its name; the lines of FILE take the place of @FILE in
 * --categories and --plan. */
int setting_texts_add(struct setting_texts *out,
    const struct cli_arguments *args, const struct cli_given *given);

/* Hands a file, or standard input for "-", to a reader in chunks, showing how
 * much of it was read. Returns an exit status, having said why. */
int data_file_read(const struct cli_arguments *args, const char *path,
    dosi_status (*take)(
        void *reader, const char *bytes, size_t n, dosi_error *err),
    void *reader);

#endif
