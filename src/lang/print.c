/*
 * The printers of the text and JSON forms, and the hash of the text. Walks
 * recurse at most as deep as PLAN_MAX_LEVELS allows trees to be.
 */
#include "print.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "events.h"

void dosi_sink_text(const sink *to, const char *text)
{
    to->write(to->context, text, strlen(text));
}

void dosi_sink_number(const sink *to, double x)
{
    char text[DOSI_NUMBER_BYTES];
    to->write(to->context, text, dosi_print_exact(text, x));
}

void dosi_sink_member(const sink *to, const char *name)
{
    dosi_sink_text(to, ",\"");
    dosi_sink_text(to, name);
    dosi_sink_text(to, "\":");
}

static void sink_list(
    const sink *to, const dosi_plan *plan, size_t which, bool is_json)
{
    size_t n;
    const double *x = dosi_plan_list(plan, which, &n);
    const char *separator = is_json ? "," : ", ";
    for (size_t i = 0; i < n; i++) {
        dosi_sink_text(to, i == 0 ? "[" : separator);
        bool quoted = is_json && x[i] == HUGE_VAL; /* JSON has no inf */
        dosi_sink_text(to, quoted ? "\"" : "");
        dosi_sink_number(to, x[i]);
        dosi_sink_text(to, quoted ? "\"" : "");
    }
    dosi_sink_text(to, "]");
}

static bool shows_label(const sink *to, const dosi_plan *plan)
{
    return plan->label != NULL && !to->omits_labels;
}

/* In quotes, as text and JSON have it: no control character is in a label. */
static void sink_label(const sink *to, const char *label)
{
    dosi_sink_text(to, "\"");
    for (; *label != '\0'; label++) {
        if (*label == '"' || *label == '\\')
            dosi_sink_text(to, "\\");
        to->write(to->context, label, 1);
    }
    dosi_sink_text(to, "\"");
}

/* ---- Text -------------------------------------------------------------- */

static void text_plan(const sink *to, const dosi_plan *plan);

/* How many parameters stand in the text: defaults at the end do not. */
static size_t text_parameter_count(const dosi_plan *plan, const kind_row *row)
{
    size_t n = row->n_parameters;
    while (n > 0 && row->parameters[n - 1].has_default &&
           (row->parameters[n - 1].is_list
                   ? plan->n_list[(n - 1) / 2] == 0
                   : plan->parameters[n - 1] ==
                         row->parameters[n - 1].default_value))
        n--;
    return n;
}

static void text_call(const sink *to, const dosi_plan *plan)
{
    const kind_row *row = dosi_kind_row(plan->kind);
    size_t n = text_parameter_count(plan, row);
    dosi_sink_text(to, row->name);
    dosi_sink_text(to, "(");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            dosi_sink_text(to, ", ");
        if (row->parameters[i].is_list)
            sink_list(to, plan, i, false);
        else if (i == plan->hole)
            dosi_sink_text(to, "?");
        else
            dosi_sink_number(to, plan->parameters[i]);
    }
    if (plan->n_children > 0) {
        dosi_sink_text(to, ", "); /* every wrapper has a parameter */
        text_plan(to, plan->children[0]);
    }
    dosi_sink_text(to, ")");
}

static void text_unlabelled(const sink *to, const dosi_plan *plan);

static void text_in_parentheses(const sink *to, const dosi_plan *plan)
{
    dosi_sink_text(to, "(");
    text_plan(to, plan);
    dosi_sink_text(to, ")");
}

/* A part of a sum: sums are put in parentheses, behind their label. */
static void text_part(const sink *to, const dosi_plan *plan)
{
    if (shows_label(to, plan)) {
        sink_label(to, plan->label);
        dosi_sink_text(to, ": ");
    }
    if (plan->kind != DOSI_COMPOSE) {
        text_unlabelled(to, plan);
        return;
    }
    dosi_sink_text(to, "(");
    text_unlabelled(to, plan);
    dosi_sink_text(to, ")");
}

static void text_plan(const sink *to, const dosi_plan *plan)
{
    if (shows_label(to, plan))
        text_part(to, plan);
    else
        text_unlabelled(to, plan);
}

static void text_unlabelled(const sink *to, const dosi_plan *plan)
{
    if (plan->kind == DOSI_COMPOSE) {
        for (size_t i = 0; i < plan->n_children; i++) {
            if (i > 0)
                dosi_sink_text(to, " + ");
            text_part(to, plan->children[i]);
        }
    } else if (plan->kind == DOSI_REPEAT) {
        const dosi_plan *base = plan->children[0];
        if (base->kind == DOSI_COMPOSE || shows_label(to, base))
            text_in_parentheses(to, base);
        else
            text_unlabelled(to, base);
        dosi_sink_text(to, " * ");
        if (plan->hole == 0)
            dosi_sink_text(to, "?");
        else
            dosi_sink_number(to, plan->parameters[0]);
    } else {
        text_call(to, plan);
    }
}

/* ---- JSON -------------------------------------------------------------- */

static void json_plan(const sink *to, const dosi_plan *plan)
{
    const kind_row *row = dosi_kind_row(plan->kind);
    dosi_sink_text(to, "{\"kind\":\"");
    dosi_sink_text(to, row->name);
    dosi_sink_text(to, "\"");
    if (shows_label(to, plan)) {
        dosi_sink_member(to, "label");
        sink_label(to, plan->label);
    }
    for (size_t i = 0; i < row->n_parameters; i++) {
        if (row->parameters[i].is_list && plan->n_list[i / 2] == 0)
            continue; /* a second law that is not there */
        dosi_sink_member(to, row->parameters[i].name);
        if (row->parameters[i].is_list)
            sink_list(to, plan, i, true);
        else if (i == plan->hole)
            dosi_sink_text(to, "\"?\"");
        else
            dosi_sink_number(to, plan->parameters[i]);
    }
    if (plan->kind == DOSI_COMPOSE) {
        dosi_sink_member(to, "parts");
        for (size_t i = 0; i < plan->n_children; i++) {
            dosi_sink_text(to, i == 0 ? "[" : ",");
            json_plan(to, plan->children[i]);
        }
        dosi_sink_text(to, "]");
    } else if (plan->n_children > 0) {
        dosi_sink_member(to, "of");
        json_plan(to, plan->children[0]);
    }
    dosi_sink_text(to, "}");
}

dosi_status dosi_sink_plan(
    const sink *to, const dosi_plan *plan, dosi_form form, dosi_error *err)
{
    switch (form) {
    case DOSI_FORM_TEXT:
        text_plan(to, plan);
        return DOSI_OK;
    case DOSI_FORM_JSON:
        json_plan(to, plan);
        return DOSI_OK;
    case DOSI_FORM_EVENTS:
        return dosi_sink_events(to, plan, err);
    }
    return dosi_fail(
        err, DOSI_EINVAL, "plan: there is no form number %d", (int)form);
}

/* ---- Sinks ------------------------------------------------------------- */

/* An array of the caller; what does not fit is counted only. */
typedef struct bounded {
    char *text;
    size_t size;
    size_t length;
} bounded;

static void bounded_write(void *context, const char *bytes, size_t n)
{
    bounded *b = context;
    if (b->length < b->size) {
        size_t room = b->size - b->length;
        memcpy(b->text + b->length, bytes, n < room ? n : room);
    }
    b->length += n;
}

dosi_status dosi_plan_print(char *text, size_t size, size_t *length,
    const dosi_plan *plan, dosi_form form, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    bounded b = {text, size, 0};
    const sink to = {.write = bounded_write, .context = &b};
    dosi_status status = dosi_sink_plan(&to, plan, form, err);
    if (status != DOSI_OK)
        b.length = 0;
    if (size > 0)
        text[b.length < size ? b.length : size - 1] = '\0';
    if (length != NULL)
        *length = b.length;
    return status;
}

/* FNV-1a, 64 bits: h = (h xor byte) * prime, from the offset basis. Labels
 * are no part of it. */
static void hash_write(void *context, const char *bytes, size_t n)
{
    uint64_t h = *(uint64_t *)context;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    *(uint64_t *)context = h;
}

uint64_t dosi_plan_hash(const dosi_plan *plan)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    const sink to = {
        .write = hash_write, .context = &h, .omits_labels = true};
    text_plan(&to, plan);
    return h;
}
