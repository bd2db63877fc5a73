/*
 * Plans as JSON trees are written as text by the rows of the kind table, and
 * the text is parsed, so that both forms follow the same rules. A tree of
 * dp_accounting events is written as text by json_event.c.
 */
#include "json_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "dosimeter/json.h"
#include "json_event.h"

/* Writes a number, or the hole, as text. */
static dosi_status tree_number(dosi_buffer *text, const cJSON *value,
    const char *kind, const char *name, dosi_error *err)
{
    const char *s = json_string(value);
    if (s != NULL && (strcmp(s, "?") == 0 || strcmp(s, "inf") == 0)) {
        dosi_buffer_text(text, s);
        return DOSI_OK;
    }
    if (!cJSON_IsNumber(value))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: %s must be a number or \"?\"", kind, name);
    char exact[DOSI_NUMBER_BYTES];
    dosi_buffer_bytes(
        text, exact, dosi_print_exact(exact, value->valuedouble));
    return DOSI_OK;
}

static dosi_status tree_value(dosi_buffer *text, const cJSON *value,
    const char *kind, const char *name, dosi_error *err)
{
    if (!cJSON_IsArray(value))
        return tree_number(text, value, kind, name, err);
    dosi_buffer_text(text, "[");
    const cJSON *item;
    cJSON_ArrayForEach (item, value) {
        if (item != value->child)
            dosi_buffer_text(text, ", ");
        dosi_status status = tree_number(text, item, kind, name, err);
        if (status != DOSI_OK)
            return status;
    }
    dosi_buffer_text(text, "]");
    return DOSI_OK;
}

static dosi_status tree_write(dosi_buffer *text, const cJSON *tree,
    unsigned level, dosi_error *err);

static int has_label(const cJSON *tree)
{
    return json_member(tree, "label") != NULL;
}

/* Writes "label": before a part; the reader of the text checks the
 * characters. */
static dosi_status tree_label(
    dosi_buffer *text, const cJSON *tree, const char *kind, dosi_error *err)
{
    const char *label = json_string(json_member(tree, "label"));
    if (!has_label(tree))
        return DOSI_OK;
    if (label == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "%.80s: label must be a text", kind);
    dosi_buffer_text(text, "\"");
    for (; *label != '\0'; label++) {
        if (*label == '"' || *label == '\\')
            dosi_buffer_text(text, "\\");
        dosi_buffer_bytes(text, label, 1);
    }
    dosi_buffer_text(text, "\": ");
    return DOSI_OK;
}

static dosi_status tree_compose(dosi_buffer *text, const cJSON *tree,
    unsigned level, dosi_error *err)
{
    const cJSON *parts = json_member(tree, "parts");
    if (!cJSON_IsArray(parts))
        return dosi_fail(
            err, DOSI_EINVAL, "compose: parts must be a list of plans");
    if (cJSON_GetArraySize(tree) != 2 + has_label(tree))
        return dosi_fail(
            err, DOSI_EINVAL, "compose: takes kind, label and parts alone");
    if (parts->child == NULL)
        dosi_buffer_text(text, "(pure(0)");
    const cJSON *part;
    cJSON_ArrayForEach (part, parts) {
        dosi_buffer_text(text, part == parts->child ? "(" : " + ");
        dosi_status status = tree_write(text, part, level + 1, err);
        if (status != DOSI_OK)
            return status;
    }
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

static dosi_status tree_repeat(dosi_buffer *text, const cJSON *tree,
    unsigned level, dosi_error *err)
{
    if (cJSON_GetArraySize(tree) != 3 + has_label(tree))
        return dosi_fail(
            err, DOSI_EINVAL, "repeat: takes kind, label, count and of alone");
    dosi_buffer_text(text, "(");
    dosi_status status =
        tree_write(text, json_member(tree, "of"), level + 1, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(text, ") * ");
    return tree_number(
        text, json_member(tree, "count"), "repeat", "count", err);
}

/* Finds a kind by its name; false for none. */
static bool tree_kind(dosi_kind *out, const char *name)
{
    for (int i = 0; i < DOSI_KIND_COUNT; i++)
        if (strcmp(dosi_kind_at((dosi_kind)i).name, name) == 0) {
            *out = (dosi_kind)i;
            return true;
        }
    return false;
}

/* As the text form answers a name that is no kind, with what was meant. */
static dosi_status tree_fail_kind(const char *name, dosi_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const dosi_plan *none = NULL;
    size_t n = strspn(name, letters);
    if (n == 0 || n > 80 || name[n] != '\0' || strspn(name, letters + 52) > 0)
        return dosi_fail(err, DOSI_EINVAL, "unknown kind '%.80s'", name);
    dosi_status status = dosi_plan_parse(&none, name, n, err);
    dosi_plan_free(none);
    err->offset = DOSI_NO_OFFSET;
    return status != DOSI_OK
               ? status
               : dosi_fail(err, DOSI_EINVAL, "unknown kind '%s'", name);
}

static bool tree_takes(
    dosi_kind kind, const dosi_kind_info *info, const char *key)
{
    if (strcmp(key, "kind") == 0 || strcmp(key, "label") == 0)
        return true;
    if (strcmp(key, "about") == 0) /* where a law comes from */
        return kind == DOSI_LOSS;
    if (strcmp(key, "of") == 0)
        return info->n_children == 1;
    for (size_t i = 0; i < info->n_parameters; i++)
        if (strcmp(key, info->parameters[i].name) == 0)
            return true;
    return false;
}

/* Writes kind(value, ..., plan) by its row, with names after a parameter that
 * is missing. The reader of the text reports that parameter. */
static dosi_status tree_call(dosi_buffer *text, const cJSON *tree,
    dosi_kind kind, unsigned level, dosi_error *err)
{
    const dosi_kind_info row = dosi_kind_at(kind), *info = &row;
    const cJSON *member;
    cJSON_ArrayForEach (member, tree)
        if (!tree_takes(kind, info, member->string))
            return dosi_fail(err, DOSI_EINVAL, "%s: takes no %.80s",
                info->name, member->string);
    dosi_buffer_text(text, info->name);
    dosi_buffer_text(text, "(");
    const char *separator = "";
    bool gap = false;
    for (size_t i = 0; i < info->n_parameters; i++) {
        const char *name = info->parameters[i].name;
        const cJSON *value = json_member(tree, name);
        if (value == NULL) {
            gap = true;
            continue;
        }
        dosi_buffer_text(text, separator);
        if (gap) {
            dosi_buffer_text(text, name);
            dosi_buffer_text(text, "=");
        }
        dosi_status status = tree_value(text, value, info->name, name, err);
        if (status != DOSI_OK)
            return status;
        separator = ", ";
    }
    if (info->n_children == 1) {
        dosi_buffer_text(text, separator);
        dosi_status status =
            tree_write(text, json_member(tree, "of"), level + 1, err);
        if (status != DOSI_OK)
            return status;
    }
    dosi_buffer_text(text, ")");
    return DOSI_OK;
}

static dosi_status tree_write(dosi_buffer *text, const cJSON *tree,
    unsigned level, dosi_error *err)
{
    if (level > JSON_MAX_LEVELS)
        return dosi_fail(err, DOSI_EINVAL,
            "the tree is nested deeper than %d levels", JSON_MAX_LEVELS);
    const char *name = json_string(json_member(tree, "kind"));
    if (name == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "a plan must be an object with a kind or a class_name");
    dosi_status status = tree_label(text, tree, name, err);
    if (status != DOSI_OK)
        return status;
    dosi_kind kind;
    if (!tree_kind(&kind, name))
        return tree_fail_kind(name, err);
    if (kind == DOSI_COMPOSE)
        return tree_compose(text, tree, level, err);
    if (kind == DOSI_REPEAT)
        return tree_repeat(text, tree, level, err);
    return tree_call(text, tree, kind, level, err);
}

static dosi_status event_write(dosi_buffer *text, const cJSON *event,
    dosi_neighbours neighbours, dosi_error *err)
{
    bool replaces =
        neighbours == DOSI_REPLACE ||
        (neighbours == DOSI_NATURAL && json_event_replaces(event));
    json_event_place at = {.replaces = replaces, .is_replaced = replaces};
    return json_event_write(text, event, at, err);
}

dosi_status json_plan_read(const dosi_plan **out, const cJSON *value,
    dosi_neighbours neighbours, dosi_error *err)
{
    *out = NULL;
    dosi_buffer text = {0};
    bool is_event = json_member(value, "class_name") != NULL;
    dosi_status status = is_event
                             ? event_write(&text, value, neighbours, err)
                             : tree_write(&text, value, 0, err);
    if (status == DOSI_OK && text.failed)
        status = dosi_fail_memory(err);
    if (status == DOSI_OK)
        status = dosi_plan_parse(out, text.text, text.length, err);
    /* an offset into the intermediate text would mislead */
    if (status != DOSI_OK && err != NULL)
        err->offset = DOSI_NO_OFFSET;
    dosi_buffer_free(&text);
    return status;
}

dosi_status dosi_json_read_plan(const dosi_plan **out, const char *text,
    size_t n_bytes, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_json_read_plan_under(out, text, n_bytes, DOSI_NATURAL, err);
}

dosi_status dosi_json_read_plan_under(const dosi_plan **out,
    const char *text, size_t n_bytes, dosi_neighbours neighbours,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    cJSON *value = NULL;
    dosi_status status = json_text_read(&value, text, n_bytes, err);
    if (status == DOSI_OK)
        status = json_plan_read(out, value, neighbours, err);
    cJSON_Delete(value);
    return status;
}

void dosi_json_free(char *text)
{
    free(text);
}

dosi_status json_plan_member(const dosi_plan **out, const cJSON *object,
    dosi_neighbours neighbours, dosi_error *err)
{
    const cJSON *value = json_member(object, "plan");
    if (value == NULL)
        return dosi_fail(err, DOSI_EINVAL, "the member \"plan\" is missing");
    const char *text = json_string(value);
    if (text != NULL)
        return dosi_plan_parse(out, text, strlen(text), err);
    return json_plan_read(out, value, neighbours, err);
}

dosi_status json_relation_read(dosi_neighbours *out, const cJSON *object,
    dosi_neighbours fallback, dosi_error *err)
{
    const cJSON *value = json_member(object, "neighbours");
    const cJSON *american = json_member(object, "neighbors");
    if (value != NULL && american != NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "a question has neighbours or neighbors, not both");
    value = value != NULL ? value : american;
    const char *name = json_string(value);
    *out = fallback;
    if (value == NULL)
        return DOSI_OK;
    if (name != NULL && strcmp(name, "add_remove") == 0)
        *out = DOSI_ADD_REMOVE;
    else if (name != NULL && strcmp(name, "replace") == 0)
        *out = DOSI_REPLACE;
    else
        return dosi_fail(err, DOSI_EINVAL,
            "neighbours must be \"add_remove\" or \"replace\"%s%.40s",
            name != NULL ? ", got " : "", name != NULL ? name : "");
    return DOSI_OK;
}
