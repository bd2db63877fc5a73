#define _POSIX_C_SOURCE 200809L
#include <Python.h>

#include "ask.h"

#include <time.h>

/* How often Python looks at its signals. */
#define LOOK_S 0.05

/* Seconds of the monotonic clock. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * For dosi_options.stop. Says stop after the deadline, and lets Python look
 * at its signals some times a second; only its main thread has any. The
 * first call but notes the time, so that a short question never waits for
 * Python's lock.
 */
static int ask_stop(void *context)
{
    ask_context *ctx = context;
    if (ctx->interrupted)
        return 1;
    double now = now_s();
    if (ctx->deadline_s > 0 && now >= ctx->deadline_s)
        return 1;
    if (now < ctx->next_look_s)
        return 0;
    int is_first = ctx->next_look_s == 0;
    ctx->next_look_s = now + LOOK_S;
    if (is_first)
        return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0) {
        PyErr_Clear(); /* the caller raises KeyboardInterrupt */
        ctx->interrupted = 1;
    }
    PyGILState_Release(state);
    return ctx->interrupted;
}

static void set_deadline(ask_context *ctx)
{
    if (ctx->time_limit_s > 0)
        ctx->deadline_s = now_s() + ctx->time_limit_s;
}

void ask_begin(ask_call *call, double time_limit_s)
{
    call->options.size = sizeof call->options;
    call->options.stop = ask_stop;
    call->options.stop_context = &call->context;
    call->context.time_limit_s = time_limit_s;
    call->options.max_operations =
        fmax(time_limit_s, 0) * DOSI_OPERATIONS_PER_SECOND;
    set_deadline(&call->context);
}

static dosi_status ask(dosi_answer *out, ask_call *call,
    const dosi_plan *plan, ask_question question, double at)
{
    const dosi_options *options = &call->options;
    dosi_error *err = &call->error;
    set_deadline(&call->context);
    switch (question) {
    case ASK_EPSILON:
        return dosi_epsilon_at_delta(out, plan, at, options, err);
    case ASK_EPSILON_LOG:
        return dosi_epsilon_at_log_delta(out, plan, at, options, err);
    case ASK_DELTA:
        return dosi_delta_at_epsilon(out, plan, at, options, err);
    case ASK_TRADEOFF:
        return dosi_tradeoff_at_alpha(out, plan, at, options, err);
    case ASK_RENYI:
        return dosi_renyi_at_order(out, plan, at, options, err);
    case ASK_ZCDP:
        return dosi_zcdp_at_xi(out, plan, at, options, err);
    case ASK_GDP:
        return dosi_gdp_at_floor(out, plan, at, options, err);
    }
    return DOSI_EINVAL;
}

dosi_status ask_one(ask_call *call, const dosi_plan *plan,
    ask_question question, double at)
{
    return ask(&call->answer, call, plan, question, at);
}

dosi_status ask_many(ask_call *call, dosi_answer *out, size_t *n_done,
    const dosi_plan *const *plans, ask_question question, const double *at,
    size_t n)
{
    *n_done = 0;
    while (*n_done < n && !call->context.interrupted) {
        size_t i = *n_done;
        dosi_status status = ask(&out[i], call, plans[i], question, at[i]);
        if (status != DOSI_OK)
            return status;
        ++*n_done;
    }
    return DOSI_OK;
}
