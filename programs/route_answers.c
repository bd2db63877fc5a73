/*
 * Asks the routes one by one and keeps them in order: those with a bound
 * first, the best of them at the top, equals as in the table.
 */
#include "route_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double relative_width(dosi_interval x)
{
    double scale = fmax(fabs(x.lo), fabs(x.hi));

    if (x.lo == x.hi)
        return 0;
    return scale < HUGE_VAL ? (x.hi - x.lo) / scale : HUGE_VAL;
}

const char *route_reason(const struct route_said *said)
{
    if (said->err.status != DOSI_OK)
        return said->err.message;
    return said->answer.reason != NULL ? said->answer.reason : "";
}

void route_ground(char *text, const struct route_said *said)
{
    char citation[DOSI_CITATION_BYTES];
    const char *reason = route_reason(said);
    size_t n = dosi_citation(citation, said->answer.theorem);

    if (!said->bounds)
        snprintf(text, ROUTE_GROUND_BYTES, "no bound: %s", reason);
    else if (n == 0 || cli_is_out_of_time(&said->answer))
        snprintf(text, ROUTE_GROUND_BYTES, "%s%s%s", citation,
            n > 0 ? "; " : "", reason);
    else
        snprintf(text, ROUTE_GROUND_BYTES, "%s", citation);
}

/* A width that is not reached is reported, not a failure: the answer is valid. */
static bool is_answer(dosi_status status, const dosi_answer *answer)
{
    return status == DOSI_OK ||
           (status == DOSI_EUNABLE && answer->value.lo > -HUGE_VAL);
}

static dosi_status ask_route(struct route_said *out, struct cli_asking *how,
    const dosi_plan *plan, const struct cli_question *question, double given,
    const dosi_answer *known)
{
    dosi_answer *answer = &out->answer;

    if (known != NULL && strcmp(known->route, out->route) == 0) {
        *answer = *known;
    } else {
        dosi_status status =
            cli_asking_at(answer, how, question, plan, given, &out->err);
        if (is_answer(status, answer))
            out->err.status = DOSI_OK;
        out->elapsed_us = how->elapsed_us;
    }
    out->width = relative_width(answer->value);
    out->bounds =
        out->err.status == DOSI_OK && !cli_is_vacuous(question, answer);
    return out->err.status;
}

/* Whether a belongs before b. */
static bool is_better(const struct route_said *a, const struct route_said *b,
    const struct cli_question *question)
{
    double safe_a =
        question->safe_is_lower ? -a->answer.value.lo : a->answer.value.hi;
    double safe_b =
        question->safe_is_lower ? -b->answer.value.lo : b->answer.value.hi;

    if (a->bounds != b->bounds)
        return a->bounds;
    if (a->bounds && safe_a != safe_b)
        return safe_a < safe_b;
    return a->width < b->width;
}

static void keep(struct routes *out, size_t n, const struct route_said *said,
    const struct cli_question *question)
{
    size_t at = n;

    for (; at > 0 && is_better(said, &out->said[at - 1], question); at--)
        out->said[at] = out->said[at - 1];
    out->said[at] = *said;
    if (said->err.status == DOSI_OK) {
        out->all.lo = fmax(out->all.lo, said->answer.value.lo);
        out->all.hi = fmin(out->all.hi, said->answer.value.hi);
    }
}

int routes_ask(struct routes *out, const struct cli_arguments *args,
    struct cli_asking *how, const dosi_plan *plan,
    const struct cli_question *question, double given,
    const dosi_answer *known)
{
    const char *wanted = how->options.route;
    int status = CLI_YES;

    *out = (struct routes){.n = dosi_route_count(), .all = {0, HUGE_VAL}};
    out->said = calloc(out->n, sizeof *out->said);
    if (out->said == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < out->n && status == CLI_YES; i++) {
        struct route_said said = {.route = dosi_route_at(i).name};
        how->options.route = said.route;
        cli_progress_of("route", i, out->n);
        dosi_status found = ask_route(&said, how, plan, question, given, known);
        bool failed = found != DOSI_OK && found != DOSI_EUNABLE;
        if (failed || cli_interrupted())
            status = cli_fail(args, &said.err, NULL, 0);
        else
            keep(out, i, &said, question);
    }
    how->options.route = wanted;
    if (status == CLI_YES && !(out->all.lo <= out->all.hi)) {
        cli_say("the routes contradict each other; please report this plan");
        status = CLI_UNABLE;
    }
    return status;
}

void routes_free(struct routes *routes)
{
    free(routes->said);
    *routes = (struct routes){0};
}
