/*
 * Runs a fuzz target over files and folders of files given as arguments, and
 * over every beginning of each file. Stands in for libFuzzer's main.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Beginnings of longer files are not tried. */
#define MAX_PREFIX 4096

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t n = 0, capacity = 0, got;
    if (file == NULL) {
        perror(path);
        return 1;
    }
    do {
        capacity = 2 * capacity + 4096;
        uint8_t *more = realloc(data, capacity);
        if (more == NULL)
            abort();
        data = more;
        got = fread(data + n, 1, capacity - n, file);
        n += got;
    } while (got > 0);
    (void)fclose(file);
    for (size_t i = n < MAX_PREFIX ? 0 : n; i <= n; i++) {
        /* a copy of its own size, so that the sanitizer sees its end */
        uint8_t *copy = malloc(i > 0 ? i : 1);
        if (copy == NULL)
            abort();
        for (size_t j = 0; j < i; j++)
            copy[j] = data[j];
        (void)LLVMFuzzerTestOneInput(copy, i);
        free(copy);
    }
    free(data);
    return 0;
}

static int replay(const char *path, int *n_files)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return 1;
    }
    if (!S_ISDIR(info.st_mode)) {
        ++*n_files;
        return replay_file(path);
    }
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        return 1;
    }
    int failed = 0;
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        char inner[4096];
        if (e->d_name[0] == '.')
            continue;
        (void)snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
        failed |= replay(inner, n_files);
    }
    (void)closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int n_files = 0, failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i], &n_files);
    printf("%d files replayed\n", n_files);
    return failed != 0 || n_files == 0;
}
