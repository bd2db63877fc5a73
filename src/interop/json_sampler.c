/*
 * Reads samplers that are given by a table from JSON. Samples may be lists of
 * records; the number of steps between two follows from the relation.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "dosimeter/json.h"
#include "json_text.h"

typedef struct table {
    size_t n;
    double *first, *second; /* n each */
    double *distance;       /* n x n */
} table;

/* ---- Probabilities ----------------------------------------------------- */

/* Reads a number, or two numbers as a ratio. */
static bool read_ratio(double *out, const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        *out = value->valuedouble;
        return true;
    }
    const cJSON *above = cJSON_GetArrayItem(value, 0);
    const cJSON *below = cJSON_GetArrayItem(value, 1);
    if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 2 ||
        !cJSON_IsNumber(above) || !cJSON_IsNumber(below))
        return false;
    *out = above->valuedouble / below->valuedouble;
    return true; /* what is no probability is refused later */
}

static dosi_status read_law(double **out, size_t *n, const cJSON *object,
    const char *name, dosi_error *err)
{
    const cJSON *list = json_member(object, name), *item;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) < 1)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: %s must be a list of probabilities", name);
    size_t size = (size_t)cJSON_GetArraySize(list), i = 0;
    if (size > DOSI_SAMPLER_MAX_OUTCOMES)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: at most %d samples, got %zu",
            DOSI_SAMPLER_MAX_OUTCOMES, size);
    if (*n != 0 && *n != size)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: %s must have %zu entries like first, got %zu", name,
            *n, size);
    *n = size;
    *out = malloc(size * sizeof **out);
    if (*out == NULL)
        return dosi_fail_memory(err);
    cJSON_ArrayForEach (item, list) {
        if (!read_ratio(&(*out)[i], item))
            return dosi_fail(err, DOSI_EINVAL,
                "sampler: %s[%zu] must be a number or a ratio as [1,3]",
                name, i);
        i++;
    }
    return DOSI_OK;
}

/* ---- Distances --------------------------------------------------------- */

static dosi_status read_distances(
    table *t, const cJSON *rows, dosi_error *err)
{
    size_t i = 0;
    const cJSON *row, *item;
    if (!cJSON_IsArray(rows) || (size_t)cJSON_GetArraySize(rows) != t->n)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: distance must be a list of %zu rows", t->n);
    cJSON_ArrayForEach (row, rows) {
        size_t j = 0;
        if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != t->n)
            return dosi_fail(err, DOSI_EINVAL,
                "sampler: distance[%zu] must have %zu entries", i, t->n);
        cJSON_ArrayForEach (item, row) {
            if (!cJSON_IsNumber(item) && !cJSON_IsNull(item))
                return dosi_fail(err, DOSI_EINVAL,
                    "sampler: distance[%zu][%zu] must be a number or null",
                    i, j);
            t->distance[i * t->n + j++] =
                cJSON_IsNull(item) ? HUGE_VAL : item->valuedouble;
        }
        i++;
    }
    return DOSI_OK;
}

static size_t occurrences(const cJSON *sample, const char *record)
{
    size_t n = 0;
    const cJSON *item;
    cJSON_ArrayForEach (item, sample)
        n += strcmp(item->valuestring, record) == 0;
    return n;
}

/* Counts the records of a that b lacks, with multiplicity. */
static size_t surplus(const cJSON *a, const cJSON *b)
{
    size_t sum = 0;
    const cJSON *item, *before;
    cJSON_ArrayForEach (item, a) {
        bool is_first = true;
        for (before = a->child; before != item; before = before->next)
            is_first =
                is_first &&
                strcmp(before->valuestring, item->valuestring) != 0;
        size_t here = occurrences(a, item->valuestring);
        size_t there = occurrences(b, item->valuestring);
        if (is_first && here > there)
            sum += here - there;
    }
    return sum;
}

/* Counts the records to add and remove, or, between samples of one size, those
 * to replace. */
static double steps(
    const cJSON *a, const cJSON *b, dosi_neighbours neighbours)
{
    size_t more = surplus(a, b), less = surplus(b, a);
    if (neighbours != DOSI_REPLACE)
        return (double)(more + less);
    return more == less ? (double)more : HUGE_VAL;
}

static dosi_status check_samples(
    const cJSON *samples, size_t n, dosi_error *err)
{
    const cJSON *sample, *record;
    if (!cJSON_IsArray(samples) || (size_t)cJSON_GetArraySize(samples) != n)
        return dosi_fail(err, DOSI_EINVAL,
            "sampler: samples must be a list of %zu lists of records", n);
    cJSON_ArrayForEach (sample, samples) {
        if (!cJSON_IsArray(sample))
            return dosi_fail(err, DOSI_EINVAL,
                "sampler: every sample must be a list of records");
        cJSON_ArrayForEach (record, sample)
            if (!cJSON_IsString(record))
                return dosi_fail(err, DOSI_EINVAL,
                    "sampler: every record must be a string");
    }
    return DOSI_OK;
}

static dosi_status read_samples(table *t, const cJSON *samples,
    dosi_neighbours neighbours, dosi_error *err)
{
    dosi_status status = check_samples(samples, t->n, err);
    size_t i = 0;
    const cJSON *a, *b;
    if (status != DOSI_OK)
        return status;
    cJSON_ArrayForEach (a, samples) {
        size_t j = 0;
        cJSON_ArrayForEach (b, samples) {
            t->distance[i * t->n + j] = j < i ? t->distance[j * t->n + i]
                                              : steps(a, b, neighbours);
            j++;
        }
        i++;
    }
    return DOSI_OK;
}

/* ---- The table --------------------------------------------------------- */

static dosi_status check_members(const cJSON *object, dosi_error *err)
{
    static const char *const names[] = {
        "first", "second", "samples", "distance"};
    const cJSON *member;
    if (!cJSON_IsObject(object))
        return dosi_fail(err, DOSI_EINVAL, "a sampler must be an object");
    cJSON_ArrayForEach (member, object) {
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            known = known || strcmp(member->string, names[i]) == 0;
        if (!known)
            return dosi_fail(err, DOSI_EINVAL,
                "a sampler has no member \"%s\"; it has first, second, and "
                "samples or distance", member->string);
    }
    bool samples = json_member(object, "samples") != NULL;
    if (samples == (json_member(object, "distance") != NULL))
        return dosi_fail(err, DOSI_EINVAL,
            "a sampler has either samples or distance, %s",
            samples ? "not both" : "got none");
    return DOSI_OK;
}

static dosi_status read_table(table *t, const cJSON *object,
    dosi_neighbours neighbours, dosi_error *err)
{
    dosi_status status = check_members(object, err);
    if (status == DOSI_OK)
        status = read_law(&t->first, &t->n, object, "first", err);
    if (status == DOSI_OK)
        status = read_law(&t->second, &t->n, object, "second", err);
    if (status != DOSI_OK)
        return status;
    t->distance = malloc((t->n * t->n + 1) * sizeof *t->distance);
    if (t->distance == NULL)
        return dosi_fail_memory(err);
    const cJSON *samples = json_member(object, "samples");
    return samples != NULL
               ? read_samples(t, samples, neighbours, err)
               : read_distances(t, json_member(object, "distance"), err);
}

dosi_status dosi_json_read_sampler(dosi_sampler **out, const char *text,
    size_t n_bytes, dosi_neighbours neighbours, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    table t = {0};
    cJSON *object = NULL;
    *out = NULL;
    dosi_status status = json_text_read(&object, text, n_bytes, err);
    if (status == DOSI_OK)
        status = read_table(&t, object, neighbours, err);
    if (status == DOSI_OK)
        status = dosi_sampler_new(
            out, t.first, t.second, t.distance, t.n, err);
    free(t.first);
    free(t.second);
    free(t.distance);
    cJSON_Delete(object);
    return status;
}
