/*
 * A verdict as one sentence that can be quoted: what the plan is or is not,
 * under which relation, and the certified end that decides.
 */
#include "check.h"

#include <stdlib.h>

#define PHRASE_BYTES 256

/* What the plan is claimed to be. */
static void property_text(char text[PHRASE_BYTES], const dosi_target *target)
{
    char value[DOSI_NUMBER_BYTES], at[DOSI_NUMBER_BYTES];
    bool at_zero = target->at == 0;

    dosi_print_exact(value, target->value);
    dosi_print_exact(at, target->at);
    switch (target->kind) {
    case DOSI_TARGET_EPSILON:
    case DOSI_TARGET_DELTA:
        snprintf(text, PHRASE_BYTES, "(%s, %s)-DP", value, at);
        break;
    case DOSI_TARGET_EPSILON_LOG:
        snprintf(text, PHRASE_BYTES, "(%s, exp(%s))-DP", value, at);
        break;
    case DOSI_TARGET_TRADEOFF:
        snprintf(text, PHRASE_BYTES,
            "safe from tests with type I error %s and type II error below %s",
            at, value);
        break;
    case DOSI_TARGET_RENYI:
        snprintf(text, PHRASE_BYTES, "(%s, %s)-Renyi DP", at, value);
        break;
    case DOSI_TARGET_ZCDP:
        snprintf(text, PHRASE_BYTES, at_zero ? "%.0s%s-zCDP" : "(%s, %s)-zCDP",
            at, value);
        break;
    case DOSI_TARGET_GDP:
        snprintf(text, PHRASE_BYTES, "%s-GDP%s%s", value,
            at_zero ? "" : " for tests with both errors at least ",
            at_zero ? "" : at);
        break;
    case DOSI_TARGET_ADVANTAGE:
        snprintf(text, PHRASE_BYTES,
            "safe from membership tests with an advantage above %s", value);
        break;
    }
}

/* An end of the interval with so many digits that it is seen to be within
 * the claim, or beyond it. */
static void end_text(char *text, double end, bool is_upper, double claimed)
{
    size_t (*print)(char *, double, int) =
        is_upper ? dosi_print_upper : dosi_print_lower;

    for (int n_digits = 6; n_digits <= 17; n_digits++) {
        print(text, end, n_digits);
        double shown = strtod(text, NULL);
        if ((shown > claimed) == (end > claimed) &&
            (shown < claimed) == (end < claimed))
            return;
    }
}

static void quantity_text(char text[PHRASE_BYTES], const struct checked *c)
{
    bool is_advantage = c->claim->target.kind == DOSI_TARGET_ADVANTAGE;
    char at[DOSI_NUMBER_BYTES];

    dosi_print_exact(at, c->given);
    if (is_advantage)
        snprintf(text, PHRASE_BYTES, "advantage");
    else
        snprintf(text, PHRASE_BYTES, "%s at %s %s", c->question->label,
            c->question->given, at);
}

/* The end that decides: the safe one, or the one that is beyond the claim;
 * "above 0" for a delta that no double holds. */
static void bound_text(char text[PHRASE_BYTES], const struct checked *c)
{
    bool is_upper = c->question->safe_is_lower != (c->verdict == HOLDS);
    dosi_interval x =
        c->known != NULL ? c->known_answer.value : c->answer.value;
    double end = is_upper ? x.hi : x.lo;
    char number[DOSI_NUMBER_BYTES];

    end_text(number, end, is_upper, c->claimed);
    if ((c->beyond || c->known != NULL) && end == c->claimed)
        snprintf(text, PHRASE_BYTES, "above %s", number);
    else
        snprintf(text, PHRASE_BYTES, "at %s %s", is_upper ? "most" : "least",
            number);
}

void check_sentence(char text[CHECK_SENTENCE_BYTES], const struct checked *c)
{
    char property[PHRASE_BYTES], quantity[PHRASE_BYTES], bound[PHRASE_BYTES];
    char interval[CLI_INTERVAL_BYTES];

    property_text(property, &c->claim->target);
    quantity_text(quantity, c);
    bound_text(bound, c);
    const char *relation = cli_neighbours_name(c->answer.neighbours);
    cli_interval_text(interval, c->answer.value, 0);
    if (!c->answered)
        snprintf(text, CHECK_SENTENCE_BYTES,
            "Whether the plan is %s is not decided: %s.", property,
            c->err.message);
    else if (c->verdict == HOLDS)
        snprintf(text, CHECK_SENTENCE_BYTES,
            "The plan is %s under %s: its %s is %s.", property, relation,
            quantity, bound);
    else if (c->known != NULL)
        snprintf(text, CHECK_SENTENCE_BYTES,
            "The plan is not %s under %s: of its parts with a known law "
            "alone, %s is %s.",
            property, relation, quantity, bound);
    else if (c->verdict == REFUTED)
        snprintf(text, CHECK_SENTENCE_BYTES,
            "The plan is not %s under %s: its %s is %s.", property, relation,
            quantity, bound);
    else if (c->beyond)
        snprintf(text, CHECK_SENTENCE_BYTES,
            "The guarantees that the plan states do not imply that it is %s "
            "under %s: a mechanism that meets them has %s %s; whether the "
            "one that was run does is not decided.",
            property, relation, quantity, bound);
    else
        snprintf(text, CHECK_SENTENCE_BYTES,
            "Whether the plan is %s under %s is not decided: its %s is known "
            "to be in %s only.",
            property, relation, quantity, interval);
}
