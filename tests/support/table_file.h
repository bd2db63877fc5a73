/* Files of tests/data/table107, whole, and their lines. */
#ifndef DOSI_TESTS_SUPPORT_TABLE_FILE_H
#define DOSI_TESTS_SUPPORT_TABLE_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file and a NUL; aborts without them. */
static inline char *table_file(const char *name, size_t *n)
{
    char path[1024];
    (void)snprintf(
        path, sizeof path, "%s/data/table107/%s", DOSI_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    size_t capacity = (size_t)1 << 20;
    char *bytes = malloc(capacity);
    if (file == NULL || bytes == NULL) {
        perror(path);
        abort();
    }
    *n = fread(bytes, 1, capacity - 1, file);
    bytes[*n] = '\0';
    (void)fclose(file);
    return bytes;
}

#endif
