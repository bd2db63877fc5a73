/*
 * Fuzz target of the text reader. What it accepts must survive printing and
 * reading, labels too, its normal form must be a fixed point, and an error
 * must have a one-line message with an offset inside the text. The name of an
 * included file is read as its text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_error(const dosi_error *err, size_t size)
{
    size_t length = strlen(err->message);
    require(length > 0 && length < sizeof err->message);
    for (size_t i = 0; i < length; i++)
        require(err->message[i] >= 0x20 && err->message[i] < 0x7f);
    require(err->offset <= size);
}

/* Labels are the same in both trees, which are otherwise equal. */
static void check_labels(const dosi_plan *a, const dosi_plan *b)
{
    const char *x = dosi_plan_label(a), *y = dosi_plan_label(b);
    require((x == NULL) == (y == NULL));
    require(x == NULL || (strcmp(x, y) == 0 && strlen(x) <= 200));
    for (size_t i = 0; i < dosi_plan_child_count(a); i++)
        check_labels(dosi_plan_child(a, i), dosi_plan_child(b, i));
}

/* The plan is what its text says. */
static void check_text(const dosi_plan *plan)
{
    size_t length = 0, same = 0;
    require(dosi_plan_print(NULL, 0, &length, plan, DOSI_FORM_TEXT, NULL) ==
            DOSI_OK);
    char *text = malloc(length + 1);
    if (text == NULL)
        return;
    require(dosi_plan_print(text, length + 1, &same, plan, DOSI_FORM_TEXT,
                NULL) == DOSI_OK);
    require(same == length && strlen(text) == length);
    const dosi_plan *again = NULL;
    require(dosi_plan_parse(&again, text, length, NULL) == DOSI_OK);
    require(dosi_plan_equal(plan, again));
    require(dosi_plan_hash(plan) == dosi_plan_hash(again));
    check_labels(plan, again);
    dosi_plan_free(again);
    free(text);
}

static void check_forms(const dosi_plan *plan)
{
    size_t length = 0;
    dosi_error err;
    require(dosi_plan_print(NULL, 0, &length, plan, DOSI_FORM_JSON, &err) ==
            DOSI_OK);
    dosi_status status =
        dosi_plan_print(NULL, 0, &length, plan, DOSI_FORM_EVENTS, &err);
    require(status == DOSI_OK || status == DOSI_EUNSUPPORTED);
}

static void check_normal(const dosi_plan *plan)
{
    const dosi_plan *normal = NULL, *again = NULL;
    dosi_error err;
    dosi_status status = dosi_plan_normal(&normal, plan, &err);
    if (status != DOSI_OK) {
        require(status == DOSI_EINVAL); /* counts above 2^53 */
        return;
    }
    require(dosi_plan_has_hole(normal) == dosi_plan_has_hole(plan));
    require(dosi_plan_normal(&again, normal, &err) == DOSI_OK);
    require(dosi_plan_equal(normal, again));
    check_labels(normal, again);
    check_text(normal);
    dosi_plan_free(again);
    dosi_plan_free(normal);
}

/* The parts by label are the plan in another order. */
static void check_parts(const dosi_plan *plan)
{
    const dosi_plan *parts = NULL, *a = NULL, *b = NULL;
    dosi_error err;
    if (dosi_plan_parts(&parts, plan, &err) != DOSI_OK)
        return; /* as the normal form */
    check_text(parts);
    if (dosi_plan_normal(&a, plan, &err) == DOSI_OK &&
        dosi_plan_normal(&b, parts, &err) == DOSI_OK)
        require(dosi_plan_equal(a, b));
    dosi_plan_free(a);
    dosi_plan_free(b);
    dosi_plan_free(parts);
}

/* Names are ever shorter than the text they stand in. */
static dosi_status include(const dosi_plan **out, const char *name,
    void *context, dosi_error *err)
{
    return dosi_plan_parse_including(
        out, name, strlen(name), include, context, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {.offset = DOSI_NO_OFFSET};
    if (dosi_plan_parse_including(&plan, (const char *)data, size, include,
            NULL, &err) != DOSI_OK) {
        require(plan == NULL);
        check_error(&err, size);
        return 0;
    }
    check_text(plan);
    check_forms(plan);
    check_normal(plan);
    check_parts(plan);
    dosi_plan_free(plan);
    return 0;
}
