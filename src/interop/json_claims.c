/*
 * Reads claims about plans from JSON: a list of objects, each with a plan, one
 * target as in a calibration, and optionally a label and a relation.
 */
#include "dosimeter/json.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "json_calibrate.h"
#include "json_plan.h"

static bool is_own(const char *key)
{
    static const char *const keys[] = {
        "label", "plan", "neighbours", "neighbors"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Reads the target from the members that a claim has no other use for. */
static dosi_status read_target(
    dosi_target *out, const cJSON *object, dosi_error *err)
{
    const cJSON *member;
    int n_own = 0;
    cJSON_ArrayForEach (member, object) {
        if (!is_own(member->string) && !json_target_has(member->string))
            return dosi_fail(err, DOSI_EINVAL,
                "a claim has no member \"%.80s\"", member->string);
        n_own += is_own(member->string);
    }
    return json_target_read(out, object, n_own, err);
}

static dosi_status read_label(
    dosi_json_claim *out, const cJSON *value, dosi_error *err)
{
    const char *label = json_string(value);
    if (value == NULL)
        return DOSI_OK;
    if (label == NULL)
        return dosi_fail(err, DOSI_EINVAL, "label must be a string");
    size_t n = strlen(label) + 1;
    out->label = malloc(n);
    if (out->label == NULL)
        return dosi_fail_memory(err);
    memcpy(out->label, label, n);
    return DOSI_OK;
}

static dosi_status read_claim(dosi_json_claim *out, const cJSON *object,
    dosi_neighbours neighbours, dosi_error *err)
{
    if (!cJSON_IsObject(object))
        return dosi_fail(err, DOSI_EINVAL,
            "a claim must be an object with plan and one target, as epsilon "
            "and delta");
    dosi_status status = read_target(&out->target, object, err);
    if (status == DOSI_OK)
        status = read_label(out, json_member(object, "label"), err);
    if (status == DOSI_OK)
        status = json_relation_read(
            &out->neighbours, object, neighbours, err);
    if (status == DOSI_OK)
        status = json_plan_member(
            &out->plan, object, out->neighbours, err);
    return status;
}

/* Puts the rank of the claim, from 1, before the message. */
static dosi_status fail_at(size_t rank, dosi_error *err)
{
    char message[DOSI_MESSAGE_BYTES];
    if (err->status == DOSI_ENOMEM)
        return err->status;
    memcpy(message, err->message, sizeof message);
    snprintf(err->message, sizeof err->message, "claim %zu: %.*s", rank,
        (int)sizeof message - 32, message);
    err->offset = DOSI_NO_OFFSET; /* it counted in the text of a plan */
    return err->status;
}

static dosi_status read_list(dosi_json_claims *out, const cJSON *list,
    dosi_neighbours neighbours, dosi_error *err)
{
    dosi_error fault = {.status = DOSI_OK};
    const cJSON *one;
    cJSON_ArrayForEach (one, list) {
        size_t rank = ++out->n; /* counted first, so that it is freed */
        if (read_claim(&out->claims[rank - 1], one, neighbours, &fault) ==
            DOSI_OK)
            continue;
        dosi_status status = fail_at(rank, &fault);
        if (err != NULL)
            *err = fault;
        return status;
    }
    return DOSI_OK;
}

dosi_status dosi_json_read_claims(dosi_json_claims **out, const char *text,
    size_t n_bytes, dosi_neighbours neighbours, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_json_claims *claims = NULL;
    cJSON *list = NULL;
    *out = NULL;
    dosi_status status = json_text_read(&list, text, n_bytes, err);
    if (status == DOSI_OK && !(cJSON_IsArray(list) && list->child != NULL))
        status = dosi_fail(err, DOSI_EINVAL,
            "claims must be a list of at least one object");
    if (status == DOSI_OK) {
        size_t n = (size_t)cJSON_GetArraySize(list);
        claims = calloc(1, sizeof *claims);
        if (claims != NULL)
            claims->claims = calloc(n, sizeof *claims->claims);
        status = claims == NULL || claims->claims == NULL
                     ? dosi_fail_memory(err)
                     : read_list(claims, list, neighbours, err);
    }
    cJSON_Delete(list);
    if (status != DOSI_OK)
        dosi_json_claims_free(claims);
    else
        *out = claims;
    return status;
}

void dosi_json_claims_free(dosi_json_claims *claims)
{
    if (claims == NULL)
        return;
    for (size_t i = 0; i < claims->n; i++) {
        free(claims->claims[i].label);
        dosi_plan_free(claims->claims[i].plan);
    }
    free(claims->claims);
    free(claims);
}
