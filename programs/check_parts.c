/*
 * What the ends of an answer say of a claim, and what is known of a plan in
 * part: its mechanisms whose laws are known, without the stated guarantees.
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A delta that underflows is above 0 if its logarithm is above -inf. */
bool check_is_beyond(const struct checked *c, const dosi_answer *answer)
{
    bool is_delta = c->question->option == OPTION_EPSILON;

    if (c->question->safe_is_lower)
        return answer->value.hi < c->claimed;
    return answer->value.lo > c->claimed ||
           (c->claimed == 0 && is_delta && answer->log_value.lo > -HUGE_VAL);
}

bool check_is_attained(const dosi_answer *answer)
{
    return strcmp(answer->lower_meaning, "the mechanism") == 0;
}

/* Whether the law of a part is known: its own lower end is attained. */
static bool is_known(
    const dosi_plan *part, const struct checked *c, struct cli_asking *how)
{
    const struct cli_question *question = cli_question_of(OPTION_EPSILON);
    dosi_answer answer;
    dosi_error err;

    how->options.neighbours = c->answer.neighbours;
    return cli_asking_at(&answer, how, question, part, 0, &err) == DOSI_OK &&
           check_is_attained(&answer);
}

/* The known parts as one plan; NULL where they are none or all. */
static const dosi_plan *known_parts(
    const struct checked *c, struct cli_asking *how)
{
    const dosi_plan *normal = NULL, *out = NULL;
    const dosi_plan **parts = NULL;
    size_t n = 0, n_known = 0;
    dosi_error err;

    if (dosi_plan_normal(&normal, c->claim->plan, &err) != DOSI_OK)
        return NULL;
    if (dosi_plan_kind(normal) == DOSI_COMPOSE) {
        n = dosi_plan_child_count(normal);
        parts = calloc(n, sizeof(const dosi_plan *));
    }
    for (size_t i = 0; parts != NULL && i < n; i++)
        if (is_known(dosi_plan_child(normal, i), c, how))
            parts[n_known++] = dosi_plan_child(normal, i);
    if (n_known == 1)
        out = dosi_plan_retain(parts[0]);
    else if (n_known > 1 && n_known < n &&
             dosi_plan_compose(&out, parts, n_known, &err) != DOSI_OK)
        out = NULL;
    free(parts);
    dosi_plan_free(normal);
    return out;
}

void check_known_parts(struct checked *c, struct cli_asking *how)
{
    dosi_error err;

    how->options.width = 0;
    const dosi_plan *known = known_parts(c, how);
    if (known == NULL)
        return;
    how->options.neighbours = c->answer.neighbours;
    if (cli_asking_at(&c->known_answer, how, c->question, known, c->given,
            &err) == DOSI_OK &&
        check_is_beyond(c, &c->known_answer) &&
        check_is_attained(&c->known_answer))
        c->known = cli_plan_text(known, DOSI_FORM_TEXT, &err);
    if (c->known != NULL)
        c->verdict = REFUTED;
    dosi_plan_free(known);
}
