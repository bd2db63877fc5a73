/*
 * Questions as the Python package asks them: any of them by number, one plan
 * or many in a call, ended by Ctrl-C or after a time. Calls run without
 * Python's lock, so that threads share the work.
 */
#ifndef DOSI_PYTHON_ASK_H
#define DOSI_PYTHON_ASK_H

#include "dosimeter.h"

typedef enum ask_question {
    ASK_EPSILON = 0,
    ASK_EPSILON_LOG = 1,
    ASK_DELTA = 2,
    ASK_TRADEOFF = 3,
    ASK_RENYI = 4,
    ASK_ZCDP = 5,
    ASK_GDP = 6
} ask_question;

/* What ask_stop looks at; all starts at 0. */
typedef struct ask_context {
    double time_limit_s; /* of each question; 0: none */
    double deadline_s;   /* of the monotonic clock; 0: none */
    double next_look_s;
    /* end: a Python signal handler raised, or another thread wants no more */
    volatile int interrupted;
} ask_context;

/* All that a call needs, in one allocation of the caller's. */
typedef struct ask_call {
    dosi_options options;
    ask_context context;
    dosi_answer answer;
    dosi_error error;
} ask_call;

/* Completes the options: their size, and the stop function with a deadline,
 * time_limit_s from now and anew from each question asked below; 0: none. */
void ask_begin(ask_call *call, double time_limit_s);

/* The question at a value, the answer going into the call. */
dosi_status ask_one(ask_call *call, const dosi_plan *plan,
    ask_question question, double at);

/*
 * The question of n plans at n values, one after the other, up to the first
 * failure or interruption; *n_done receives how many were answered.
 */
dosi_status ask_many(ask_call *call, dosi_answer *out, size_t *n_done,
    const dosi_plan *const *plans, ask_question question, const double *at,
    size_t n);

#endif
