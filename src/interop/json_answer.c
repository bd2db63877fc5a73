/*
 * Answers one JSON question by one JSON object. A row for each query names its
 * key, the key of its argument and the function that answers.
 */
#include "dosimeter/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/c_locale.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "json_calibrate.h"
#include "json_plan.h"
#include "json_write.h"

typedef struct question {
    const dosi_plan *plan;
    dosi_options options;
    double (*now_us)(void); /* or NULL */
    double end_us;          /* of the time limit */
    dosi_answer answer;
    json_calibration calibration;
    bool is_risk;
    dosi_risk risk;
} question;

/* A query, the key of its argument, and the function that answers; NULL for
 * risk, whose answer has many numbers. */
static const struct query_row {
    const char *query;
    const char *argument;
    dosi_status (*ask)(dosi_answer *out, const dosi_plan *plan, double x,
        const dosi_options *options, dosi_error *err);
} query_rows[] = {
    {"epsilon", "delta", dosi_epsilon_at_delta},
    {"epsilon", "log_delta", dosi_epsilon_at_log_delta},
    {"delta", "epsilon", dosi_delta_at_epsilon},
    {"tradeoff", "alpha", dosi_tradeoff_at_alpha},
    {"renyi", "order", dosi_renyi_at_order},
    {"zcdp", "xi", dosi_zcdp_at_xi},
    {"gdp", "floor", dosi_gdp_at_floor},
    {"risk", "prior", NULL},
};
static const size_t n_query_rows = sizeof query_rows / sizeof *query_rows;

static dosi_status question_route(
    question *q, const cJSON *value, dosi_error *err)
{
    q->options.route = json_string(value);
    if (value != NULL && q->options.route == NULL)
        return dosi_fail(err, DOSI_EINVAL, "route must be a string");
    return DOSI_OK;
}

static int is_over(void *context)
{
    const question *q = context;
    return q->now_us() >= q->end_us;
}

/* Reads a positive finite number, or 0 if there is none. */
static dosi_status question_positive(
    double *out, const cJSON *object, const char *key, dosi_error *err)
{
    const cJSON *value = json_member(object, key);
    *out = 0;
    if (value == NULL)
        return DOSI_OK;
    *out = cJSON_IsNumber(value) ? value->valuedouble : 0;
    if (!(*out > 0 && *out < HUGE_VAL))
        return dosi_fail(
            err, DOSI_EINVAL, "%s must be a positive number", key);
    return DOSI_OK;
}

/* Reads the options width, max_bytes and time_limit. */
static dosi_status question_limits(
    question *q, const cJSON *object, dosi_error *err)
{
    double bytes, seconds;
    dosi_status status =
        question_positive(&q->options.width, object, "width", err);
    if (status == DOSI_OK)
        status = question_positive(&bytes, object, "max_bytes", err);
    if (status == DOSI_OK)
        status = question_positive(&seconds, object, "time_limit", err);
    if (status != DOSI_OK)
        return status;
    q->options.max_bytes = (size_t)fmin(ceil(bytes), 0x1p62);
    if (seconds == 0)
        return DOSI_OK;
    if (q->now_us == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "time_limit needs a clock, and there is none");
    q->end_us = q->now_us() + 1e6 * seconds;
    /* time in place of work */
    q->options.max_operations = seconds * DOSI_OPERATIONS_PER_SECOND;
    q->options.stop = is_over;
    q->options.stop_context = q;
    return DOSI_OK;
}

/* Refuses a key that no question has. */
static dosi_status question_keys(const cJSON *object, dosi_error *err)
{
    static const char *const known[] = {"id", "query", "plan", "delta",
        "log_delta", "epsilon", "alpha", "order", "xi", "floor",
        "prior", "targets", "neighbours", "neighbors", "route", "width",
        "max_bytes", "time_limit"};
    const cJSON *member;
    cJSON_ArrayForEach (member, object) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || strcmp(known[i], member->string) == 0;
        if (!found)
            return dosi_fail(err, DOSI_EINVAL,
                "a question has no key \"%.80s\"", member->string);
    }
    return DOSI_OK;
}

/* Refuses an argument of another query, which would be ignored. */
static dosi_status question_unused(const cJSON *object, const char *query,
    const char *used, dosi_error *err)
{
    const char *unused = NULL;
    for (size_t i = 0; i < n_query_rows; i++)
        if (strcmp(query_rows[i].argument, used) != 0 &&
            json_member(object, query_rows[i].argument) != NULL)
            unused = query_rows[i].argument;
    if (strcmp(used, "targets") != 0 && json_member(object, "targets") != NULL)
        unused = "targets";
    if (unused == NULL)
        return DOSI_OK;
    return dosi_fail(
        err, DOSI_EINVAL, "the query \"%s\" takes no %s", query, unused);
}

/* Finds the row of the question and reads the value of its argument. */
static dosi_status question_row(const struct query_row **row, double *x,
    const cJSON *object, dosi_error *err)
{
    const char *name = json_string(json_member(object, "query"));
    const char *argument = NULL;
    const struct query_row *found = NULL;
    for (size_t i = 0; i < n_query_rows; i++) {
        if (name == NULL || strcmp(query_rows[i].query, name) != 0)
            continue;
        const cJSON *value =
            json_member(object, query_rows[i].argument);
        argument = argument == NULL ? query_rows[i].argument : argument;
        if (value == NULL)
            continue;
        if (found != NULL)
            return dosi_fail(err, DOSI_EINVAL,
                "the query \"%s\" takes %s or %s, not both", name,
                found->argument, query_rows[i].argument);
        if (!cJSON_IsNumber(value))
            return dosi_fail(err, DOSI_EINVAL, "%s must be a number",
                query_rows[i].argument);
        found = &query_rows[i];
        *x = value->valuedouble;
    }
    if (found != NULL) {
        *row = found;
        return question_unused(object, name, found->argument, err);
    }
    if (argument != NULL)
        return dosi_fail(err, DOSI_EINVAL, "the query \"%s\" needs %s", name,
            argument);
    return dosi_fail(err, DOSI_EINVAL,
        "query must be \"epsilon\", \"delta\", \"tradeoff\", \"renyi\", "
        "\"zcdp\", \"gdp\", \"risk\" or \"calibrate\"%s%.40s",
        name != NULL ? ", got " : "", name != NULL ? name : "");
}

static bool is_calibration(const cJSON *object)
{
    const char *name = json_string(json_member(object, "query"));
    return name != NULL && strcmp(name, "calibrate") == 0;
}

static dosi_status question_ask(
    question *q, const cJSON *object, dosi_error *err)
{
    dosi_answer *answer = &q->answer;
    if (!cJSON_IsObject(object))
        return dosi_fail(
            err, DOSI_EINVAL, "a question must be a JSON object");
    const struct query_row *row = query_rows;
    double x = 0;
    dosi_status status = question_keys(object, err);
    if (status == DOSI_OK)
        status = is_calibration(object)
                     ? question_unused(object, "calibrate", "targets", err)
                     : question_row(&row, &x, object, err);
    if (status == DOSI_OK)
        status = json_relation_read(
            &q->options.neighbours, object, DOSI_NATURAL, err);
    if (status == DOSI_OK)
        status = question_route(q, json_member(object, "route"), err);
    if (status == DOSI_OK)
        status = question_limits(q, object, err);
    if (status == DOSI_OK)
        status = json_plan_member(
            &q->plan, object, q->options.neighbours, err);
    if (status != DOSI_OK)
        return status;
    if (is_calibration(object))
        return json_calibrate(&q->calibration, json_member(object, "targets"),
            q->plan, &q->options, err);
    q->is_risk = row->ask == NULL;
    if (q->is_risk) {
        status = dosi_risk_of_plan(&q->risk, q->plan, x, &q->options, err);
        answer = &q->risk.advantage;
    } else {
        status = row->ask(answer, q->plan, x, &q->options, err);
    }
    if (answer->reason != NULL && strcmp(answer->reason, DOSI_STOPPED) == 0)
        answer->reason = "stopped by the time limit";
    return status;
}

static void answer_error(dosi_buffer *b, const dosi_error *e)
{
    json_write_text(b, "\"error\":{\"status\":", dosi_status_name(e->status));
    json_write_text(b, ",\"message\":", e->message);
    dosi_buffer_text(b, ",\"offset\":");
    if (e->offset == DOSI_NO_OFFSET)
        dosi_buffer_text(b, "null");
    else
        json_write_number(b, "", (double)e->offset);
    dosi_buffer_text(b, "}");
}

static void answer_id(dosi_buffer *b, const cJSON *id)
{
    c_locale before = dosi_c_locale_enter();
    char *text = cJSON_PrintUnformatted(id);
    dosi_c_locale_leave(before);
    if (text == NULL) {
        b->failed = true;
        return;
    }
    dosi_buffer_text(b, "\"id\":");
    dosi_buffer_text(b, text);
    dosi_buffer_text(b, ",");
    cJSON_free(text);
}

dosi_status dosi_json_answer(char **out, const char *text, size_t n_bytes,
    double (*now_us)(void), dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    double start_us = now_us != NULL ? now_us() : 0;
    question q = {.options = DOSI_OPTIONS_INIT, .now_us = now_us};
    dosi_error fault = {.status = DOSI_OK, .offset = DOSI_NO_OFFSET};
    cJSON *object = NULL;
    dosi_status status = json_text_read(&object, text, n_bytes, &fault);
    if (status == DOSI_OK)
        status = question_ask(&q, object, &fault);
    dosi_buffer b = {0};
    dosi_buffer_text(&b, "{");
    const cJSON *id = json_member(object, "id");
    if (id != NULL)
        answer_id(&b, id);
    if (status == DOSI_OK && is_calibration(object))
        json_calibration_write(&b, &q.calibration);
    else if (status == DOSI_OK && q.is_risk)
        json_write_risk(&b, &q.risk);
    else if (status == DOSI_OK)
        json_write_answer(&b, &q.answer);
    else
        answer_error(&b, &fault);
    if (status == DOSI_OK && now_us != NULL)
        json_write_number(&b, ",\"elapsed_us\":", now_us() - start_us);
    dosi_buffer_text(&b, "}");
    cJSON_Delete(object);
    dosi_plan_free(q.plan);
    json_calibration_free(&q.calibration);
    if (status == DOSI_ENOMEM || b.failed) {
        dosi_buffer_free(&b);
        return dosi_fail_memory(err);
    }
    *out = b.text; /* moved to out */
    if (err != NULL)
        *err = fault;
    return DOSI_OK;
}
