/* The digest of a statement, which an answer to it must carry. */
#ifndef DOSI_TESTS_SUPPORT_STATEMENT_DIGEST_H
#define DOSI_TESTS_SUPPORT_STATEMENT_DIGEST_H

#include <stdlib.h>
#include <string.h>

#define STATEMENT_DIGEST_BYTES 65

/* It stands between quotes behind the last part, "query". */
static inline void statement_digest(
    char digest[STATEMENT_DIGEST_BYTES], const char *statement)
{
    static const char mark[] = "'query' AS part, '";
    const char *at = strstr(statement, mark);
    if (at == NULL || strlen(at) < sizeof mark + STATEMENT_DIGEST_BYTES)
        abort();
    memcpy(digest, at + sizeof mark - 1, STATEMENT_DIGEST_BYTES - 1);
    digest[STATEMENT_DIGEST_BYTES - 1] = '\0';
}

#endif
