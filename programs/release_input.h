/*
 * What `dosimeter release` reads: its options as statistics and settings of
 * the library, names of cells from files, and the data.
 */
#ifndef DOSI_RELEASE_INPUT_H
#define DOSI_RELEASE_INPUT_H

#include "dosimeter/release.h"
#include "setting_texts.h"

/* Texts that the library reads, each "name value". */
struct release_texts {
    struct setting_texts statistics, settings;
};

/* From the options. Returns an exit status, having said why; freed in any
 * case. */
int release_texts_read(
    struct release_texts *out, const struct cli_arguments *args);
void release_texts_free(struct release_texts *texts);

/* Feeds a file, "-" being standard input, to the query. Returns an exit
 * status, having said why. */
int release_data_read(const struct cli_arguments *args,
    dosi_table_query *query, const char *path);

/* ---- Through a database, in release_sql.c ------------------------------- */

/* Each returns an exit status, having said why. */
int release_sql_print(
    const struct cli_arguments *args, dosi_table_query *query);
int release_statement_read(dosi_table_query **out,
    const struct cli_arguments *args, struct cli_asking *how);
int release_tally_read(
    const struct cli_arguments *args, dosi_table_query *query);
int release_self_test(const struct cli_arguments *args);

#endif
