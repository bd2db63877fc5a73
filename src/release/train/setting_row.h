/* A row of the table of settings, and how their values are read. */
#ifndef DOSI_RELEASE_TRAIN_SETTING_ROW_H
#define DOSI_RELEASE_TRAIN_SETTING_ROW_H

#include "train_settings.h"

struct setting_row;
typedef dosi_status setting_take(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err);

struct setting_row {
    const char *name;
    unsigned uses; /* of enum train_use */
    unsigned is;   /* of enum setting_is */
    setting_take *take;
    const char *rule;         /* what the value has to be */
    size_t offset;            /* of a number, a text, a switch or a word */
    double lo, hi;            /* of a number */
    const char *const *words; /* that may be given, up to NULL; their index is
                                 the value */
};

enum setting_is {
    SETTING_LIST = 1,      /* may be given several times */
    SETTING_SWITCH = 2,    /* has no value */
    SETTING_CHANGEABLE = 4 /* when a checkpoint is continued */
};

/* The error for a value that breaks the rule, or for missing memory. */
dosi_status take_malformed(enum value_read read,
    const struct setting_row *row, const char *value, dosi_error *err);

/* Values by the row alone, in setting_row.c. */
setting_take take_number, take_whole, take_text, take_switch, take_word;

/* Columns and files, in setting_columns.c. */
setting_take take_label, take_bounds, take_feature, take_categories,
    take_missing, take_order, take_delimiter, take_decimal, take_columns,
    take_no_header;

#endif
