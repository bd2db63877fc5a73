/*
 * Reads the targets of a calibration from JSON and writes the calibrated number
 * and its answers. A row for each kind of target names its keys.
 */
#include "json_calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "json_write.h"

/* The key of a target's value and that of its argument. */
static const struct target_row {
    const char *value, *at;
    dosi_target_kind kind;
    bool at_defaults; /* to 0 */
} rows[] = {
    {"epsilon", "delta", DOSI_TARGET_EPSILON, false},
    {"epsilon", "log_delta", DOSI_TARGET_EPSILON_LOG, false},
    {"beta", "alpha", DOSI_TARGET_TRADEOFF, false},
    {"renyi", "order", DOSI_TARGET_RENYI, false},
    {"rho", "xi", DOSI_TARGET_ZCDP, true},
    {"mu", "floor", DOSI_TARGET_GDP, true},
    {"advantage", NULL, DOSI_TARGET_ADVANTAGE, true},
};

#define N_ROWS (sizeof rows / sizeof *rows)

static dosi_status read_number(
    double *out, const cJSON *object, const char *key, dosi_error *err)
{
    const cJSON *value = json_member(object, key);
    *out = 0;
    if (cJSON_IsNumber(value))
        *out = value->valuedouble;
    else if (value != NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "%s of a target must be a number", key);
    return DOSI_OK;
}

/* Finds the row whose keys are exactly those of the object, except for n_own
 * members of another meaning. */
static const struct target_row *row_of(const cJSON *object, int n_own)
{
    int n = cJSON_GetArraySize(object) - n_own;
    for (size_t i = 0; i < N_ROWS; i++) {
        bool has_at =
            rows[i].at != NULL && json_member(object, rows[i].at) != NULL;
        if (json_member(object, rows[i].value) != NULL &&
            (has_at || rows[i].at_defaults) && n == 1 + has_at)
            return &rows[i];
    }
    return NULL;
}

bool json_target_has(const char *key)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (strcmp(key, rows[i].value) == 0 ||
            (rows[i].at != NULL && strcmp(key, rows[i].at) == 0))
            return true;
    return false;
}

dosi_status json_target_read(
    dosi_target *out, const cJSON *object, int n_own, dosi_error *err)
{
    const struct target_row *row =
        cJSON_IsObject(object) ? row_of(object, n_own) : NULL;
    if (row == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "a target must be an object with epsilon and delta or log_delta, "
            "beta and alpha, renyi and order, rho, rho and xi, mu, mu and "
            "floor, or advantage");
    *out = (dosi_target){.kind = row->kind};
    dosi_status status = read_number(&out->value, object, row->value, err);
    if (status == DOSI_OK && row->at != NULL)
        status = read_number(&out->at, object, row->at, err);
    return status;
}

static dosi_status print_filled(
    char **out, const dosi_plan *plan, double value, dosi_error *err)
{
    const dosi_plan *filled = NULL;
    size_t length = 0;
    dosi_status status = dosi_plan_fill(&filled, plan, value, err);
    if (status == DOSI_OK)
        status =
            dosi_plan_print(NULL, 0, &length, filled, DOSI_FORM_TEXT, err);
    if (status == DOSI_OK) {
        *out = malloc(length + 1);
        status = *out == NULL ? dosi_fail_memory(err)
                              : dosi_plan_print(*out, length + 1, &length,
                                    filled, DOSI_FORM_TEXT, err);
    }
    dosi_plan_free(filled);
    return status;
}

dosi_status json_calibrate(json_calibration *out, const cJSON *targets,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err)
{
    int n = cJSON_IsArray(targets) ? cJSON_GetArraySize(targets) : 0;
    size_t n_read = 0;
    *out = (json_calibration){.plan = NULL};
    if (n == 0)
        return dosi_fail(err, DOSI_EINVAL,
            "the query \"calibrate\" needs targets, a list of objects");
    dosi_target *all = calloc((size_t)n, sizeof *all);
    if (all == NULL)
        return dosi_fail_memory(err);
    dosi_status status = DOSI_OK;
    const cJSON *one;
    cJSON_ArrayForEach (one, targets)
        if (status == DOSI_OK)
            status = json_target_read(&all[n_read++], one, 0, err);
    if (status == DOSI_OK)
        status =
            dosi_calibrate(&out->found, plan, all, n_read, options, err);
    if (status == DOSI_OK)
        status = print_filled(&out->plan, plan, out->found.value, err);
    free(all);
    return status;
}

void json_calibration_free(json_calibration *c)
{
    free(c->plan);
}

static void write_ends(
    dosi_buffer *b, const char *key, const dosi_answer *a)
{
    dosi_buffer_text(b, key);
    json_write_number(b, "{\"lower\":", a->value.lo);
    json_write_number(b, ",\"upper\":", a->value.hi);
    dosi_buffer_text(b, "}");
}

void json_calibration_write(dosi_buffer *b, const json_calibration *c)
{
    const dosi_calibration *f = &c->found;
    dosi_kind_info kind = dosi_kind_at(f->kind);
    json_write_text(b, "\"kind\":", kind.name);
    json_write_text(
        b, ",\"parameter\":", kind.parameters[f->parameter].name);
    json_write_number(b, ",\"value\":", f->value);
    json_write_number(b, ",\"beyond\":", f->beyond);
    json_write_number(b, ",\"rounded\":", f->rounded);
    json_write_number(b, ",\"binding\":", (double)f->binding);
    dosi_buffer_text(b, ",\"answer\":{");
    json_write_answer(b, &f->answer);
    dosi_buffer_text(b, "}");
    write_ends(b, ",\"beyond_answer\":", &f->beyond_answer);
    write_ends(b, ",\"rounded_answer\":", &f->rounded_answer);
    if (f->reason != NULL)
        json_write_text(b, ",\"reason\":", f->reason);
    json_write_text(b, ",\"plan\":", c->plan);
}
