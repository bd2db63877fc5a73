/* Settings of columns and of how a file is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "setting_row.h"

dosi_status take_label(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    struct schema *schema = &s->schema;
    const char *rest = NULL;
    enum value_read read = value_column(&schema->label, &rest, value);

    if (read != VALUE_READ)
        return take_malformed(read, row, value, err);
    if (rest == NULL)
        return DOSI_OK;
    schema->label_is_number = true;
    if (!value_range(&schema->label_lo, &schema->label_hi, rest))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

dosi_status take_bounds(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    s->schema.has_bounds = true;
    if (!value_range(&s->schema.lo, &s->schema.hi, value))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

/* The feature named in front of a value, and what is after the colon; NULL
 * with *status. */
static struct schema_feature *take_feature_name(const char **rest,
    dosi_status *status, struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    struct schema_feature *feature = NULL;
    char *name = NULL;
    enum value_read read = value_column(&name, rest, value);

    if (read != VALUE_READ || *rest == NULL) {
        *status = take_malformed(read, row, value, err);
    } else {
        feature = schema_feature_of(&s->schema, name);
        *status = feature == NULL ? dosi_fail_memory(err) : DOSI_OK;
    }
    free(name);
    return feature;
}

static dosi_status twice(
    const struct setting_row *row, const char *name, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL, "%s of \"%.100s\" is given twice",
        row->name, name);
}

dosi_status take_feature(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->lo < feature->hi)
        return twice(row, feature->name, err);
    if (!value_range(&feature->lo, &feature->hi, rest))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

dosi_status take_categories(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->categories.n > 0)
        return twice(row, feature->name, err);
    enum value_read read = value_list(&feature->categories, rest);
    return read == VALUE_READ ? DOSI_OK : take_malformed(read, row, value, err);
}

dosi_status take_missing(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    const char *rest = NULL;
    dosi_status status;
    struct schema_feature *feature =
        take_feature_name(&rest, &status, s, row, value, err);

    if (feature == NULL)
        return status;
    if (feature->has_missing)
        return twice(row, feature->name, err);
    feature->has_missing = true;
    if (!value_number(&feature->missing, rest, strlen(rest)))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    return DOSI_OK;
}

dosi_status take_order(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    enum value_read read = value_list(&s->schema.orders, value);

    return read == VALUE_READ ? DOSI_OK : take_malformed(read, row, value, err);
}

dosi_status take_delimiter(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    const char *byte =
        strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0 ? "\t" : value;

    if (strlen(byte) != 1 || (unsigned char)byte[0] >= 0x80 ||
        strchr("\"\r\n", byte[0]) != NULL)
        return take_malformed(VALUE_MALFORMED, row, value, err);
    s->schema.delimiter = byte[0];
    return DOSI_OK;
}

dosi_status take_decimal(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    if (strcmp(value, ".") != 0 && strcmp(value, ",") != 0)
        return take_malformed(VALUE_MALFORMED, row, value, err);
    s->schema.decimal = value[0];
    return DOSI_OK;
}

dosi_status take_columns(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    double n;

    if (!value_number(&n, value, strlen(value)) || n != floor(n) ||
        !(n >= 1 && n <= 1e6))
        return take_malformed(VALUE_MALFORMED, row, value, err);
    s->schema.n_columns = (size_t)n;
    return DOSI_OK;
}

dosi_status take_no_header(struct train_settings *s,
    const struct setting_row *row, const char *value, dosi_error *err)
{
    (void)row;
    (void)value;
    (void)err;
    s->schema.has_header = false;
    return DOSI_OK;
}
