/* The options and data of release. */
#include "release_input.h"

int release_texts_read(
    struct release_texts *out, const struct cli_arguments *args)
{
    dosi_neighbours neighbours;
    int status = cli_neighbours_read(&neighbours, args);

    *out = (struct release_texts){0};
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        enum cli_option_id option = args->given[i].option;
        if (option >= OPTION_COUNT_ROWS && option < OPTION_PLAN_ONLY)
            status = setting_texts_add(option <= OPTION_COUNT_BAD
                                           ? &out->statistics
                                           : &out->settings,
                args, &args->given[i]);
    }
    if (status == CLI_YES && neighbours != DOSI_NATURAL)
        status = setting_texts_put(&out->settings, "neighbours",
            cli_neighbours_name(neighbours));
    return status;
}

void release_texts_free(struct release_texts *texts)
{
    setting_texts_free(&texts->statistics);
    setting_texts_free(&texts->settings);
}

static dosi_status take(
    void *reader, const char *bytes, size_t n, dosi_error *err)
{
    return dosi_table_query_read_csv(reader, bytes, n, err);
}

int release_data_read(const struct cli_arguments *args,
    dosi_table_query *query, const char *path)
{
    return data_file_read(args, path, take, query);
}
