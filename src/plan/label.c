/*
 * Labels of plans.
 */
#include "label.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/float_environment.h"

/* The bytes of a character that may stand in a label, or 0. */
static size_t shown_length(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = dosi_utf8_length(text, n);
    if (length == 1 && (s[0] < 0x20 || s[0] == 0x7f))
        return 0; /* C0 and DEL */
    if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0)
        return 0; /* C1 */
    if (length == 3 && s[0] == 0xe2 &&
        ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
            (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9)))
        return 0; /* U+2028..202E, U+2066..2069: lines, direction */
    return length;
}

dosi_status dosi_label_check(const char *label, size_t n, dosi_error *err)
{
    if (n == 0 || n > LABEL_MAX_BYTES)
        return dosi_fail(err, DOSI_EINVAL,
            "a label must have 1 to %d bytes, got %zu", LABEL_MAX_BYTES, n);
    for (size_t i = 0, length; i < n; i += length) {
        length = shown_length(label + i, n - i);
        if (length == 0)
            return dosi_fail(err, DOSI_EINVAL,
                "a label must be UTF-8 without control characters, got byte "
                "0x%02x",
                (unsigned char)label[i]);
    }
    return DOSI_OK;
}

const char *dosi_label_join(char *text, const char *const *labels, size_t n)
{
    static const size_t room_for_rest = sizeof ", and 16777216 more" - 1;
    size_t length = 0, i = 0;
    while (i < n && labels[i] == NULL)
        i++;
    if (i == n)
        return NULL;
    for (i = 0; i < n; i++) {
        const char *label = labels[i] != NULL ? labels[i] : "unlabelled";
        size_t more = strlen(label) + (i > 0 ? 2 : 0);
        size_t keeps = i + 1 < n ? room_for_rest : 0;
        if (length + more + keeps > LABEL_MAX_BYTES && i > 0)
            break;
        length += (size_t)snprintf(text + length,
            LABEL_MAX_BYTES + 1 - length, "%s%s", i > 0 ? ", " : "", label);
    }
    if (i == n || length + room_for_rest > LABEL_MAX_BYTES)
        return text; /* the first label alone may leave no room */
    snprintf(text + length, LABEL_MAX_BYTES + 1 - length, ", and %zu more",
        n - i);
    return text;
}

const char *dosi_plan_label(const dosi_plan *plan)
{
    return plan->label;
}

dosi_status dosi_plan_labelled(const dosi_plan **out, const dosi_plan *plan,
    const char *label, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    if (label != NULL) {
        dosi_status status = dosi_label_check(label, strlen(label), err);
        if (status != DOSI_OK)
            return status;
    }
    if (label == NULL && plan->label == NULL) {
        *out = dosi_plan_retain(plan);
        return DOSI_OK;
    }
    plan_spec spec = {.kind = plan->kind,
        .hole = plan->hole,
        .label = label,
        .children = plan->children,
        .n_children = plan->n_children};
    memcpy(spec.parameters, plan->parameters, sizeof spec.parameters);
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        spec.lists[i] = dosi_plan_list(plan, i, &spec.n_lists[i]);
    return dosi_plan_make(out, &spec, NULL, err);
}
