/*
 * The words for what a plan guarantees. Every number in them is an end of a
 * certified interval, rounded outward; "about" marks the others.
 */
#include "statement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statement_parts.h"

/* ---- What was run ----------------------------------------------------------
 */

static void say_kinds(
    struct statement *s, const dosi_plan *node, bool *seen)
{
    dosi_kind kind = dosi_plan_kind(node);

    if (kind != DOSI_REPEAT && kind != DOSI_COMPOSE && !seen[kind]) {
        dosi_kind_info info = dosi_kind_at(kind);
        seen[kind] = true;
        say(s, "%s: %s.", info.name, info.meaning);
    }
    size_t n = dosi_plan_child_count(node);
    for (size_t i = 0; i < n; i++)
        say_kinds(s, dosi_plan_child(node, i), seen);
}

static void say_part(struct statement *s, const dosi_plan *part)
{
    bool repeats = dosi_plan_kind(part) == DOSI_REPEAT;
    double count = repeats ? dosi_plan_parameter(part, 0) : 1;
    const char *label = dosi_plan_label(part);
    const dosi_plan *plain = NULL;
    char times[40] = "once ";
    dosi_error err;

    char *text = NULL;
    if (repeats)
        text = cli_plan_text(dosi_plan_child(part, 0), DOSI_FORM_TEXT, &err);
    else if (dosi_plan_labelled(&plain, part, NULL, &err) == DOSI_OK)
        text = cli_plan_text(plain, DOSI_FORM_TEXT, &err);
    dosi_plan_free(plain);
    if (text == NULL) {
        s->failed = true;
        return;
    }
    if (count > 1)
        snprintf(times, sizeof times, "%.0f times ", count);
    times[0] = label == NULL && count <= 1 ? 'O' : times[0];
    say(s, "%s%s%s%.200s%s", label != NULL ? label : "",
        label != NULL ? ": " : "", times, text,
        strlen(text) > 200 ? " ..." : "");
    free(text);
}

static void say_run(struct statement *s, const dosi_plan *normal)
{
    const size_t most = 6;
    bool seen[DOSI_KIND_COUNT] = {false};
    bool is_sum = dosi_plan_kind(normal) == DOSI_COMPOSE;
    size_t n = is_sum ? dosi_plan_child_count(normal) : 1;

    say_section(s, STATEMENT_RUN, "What was run");
    for (size_t i = 0; i < n && i < most; i++)
        say_part(s, is_sum ? dosi_plan_child(normal, i) : normal);
    if (n > most)
        say(s, "And %zu more parts.", n - most);
    s->n_run = s->sections[s->n_sections - 1].n_sentences;
    say_kinds(s, normal, seen);
}

/* ---- What is guaranteed ----------------------------------------------------
 */

static void say_nothing(struct statement *s, const char *interval)
{
    bool is_class = strcmp(s->epsilon.lower_meaning, "the class") == 0;

    say(s, "Nothing: no finite epsilon is certified at delta %s.",
        said_exact(s->delta).text);
    if (!statement_gives_away(s))
        say(s,
            "That does not prove that there is none: epsilon lies between %s, "
            "and the reason is given below.",
            interval);
    else if (is_class)
        say(s,
            "From the stated guarantees alone no other method can find one "
            "either: some mechanism with these guarantees has an infinite "
            "epsilon.");
    else
        say(s,
            "No other method can find one either: epsilon is certainly "
            "infinite.");
}

static void say_guarantee(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;
    char interval[CLI_INTERVAL_BYTES];
    dosi_interval x = answer->value;

    say_section(s, STATEMENT_GUARANTEE, "What is guaranteed");
    cli_interval_text(interval, x, s->n_digits);
    const char *upper = strstr(interval, " .. ") + 4;
    if (statement_is_unprotected(s)) {
        say_nothing(s, interval);
    } else {
        if (s->delta == 0)
            say(s, "Pure differential privacy with epsilon %s.", upper);
        else
            say(s,
                "(epsilon, delta)-differential privacy with epsilon %s and "
                "delta %s.",
                upper, said_exact(s->delta).text);
        say(s, "The exact epsilon lies in %s; the upper end is the one to "
               "report.",
            interval);
        say(s, "Any later processing of the output keeps the guarantee.");
    }
    if (statement_is_blind(s))
        say(s,
            "Epsilon 0 is not a mistake: the output does not depend on one "
            "record, at any delta.");
    else if (x.hi == 0 && s->delta > 0)
        say(s,
            "Epsilon 0 is not a mistake: with probability at least 1 - delta, "
            "the output is one that the other data would have given as well. A "
            "smaller delta asks for more and may have a larger epsilon.");
    if (x.hi > 20 && x.hi < HUGE_VAL)
        say(s,
            "An epsilon this large protects very little by itself; judge it "
            "by the attacker's gain below.");
    if (answer->reason != NULL)
        say(s, "Why: %s.", answer->reason);
}

double statement_group(const dosi_plan *node)
{
    size_t n = dosi_plan_child_count(node);
    double least = n > 0 ? statement_group(dosi_plan_child(node, 0)) : 1;

    for (size_t i = 1; i < n; i++)
        least = fmin(least, statement_group(dosi_plan_child(node, i)));
    return dosi_plan_kind(node) == DOSI_GROUP
               ? least * dosi_plan_parameter(node, 0)
               : least;
}

static void say_unit(struct statement *s, const dosi_plan *normal)
{
    double group = statement_group(normal);
    bool replaces = s->epsilon.neighbours == DOSI_REPLACE;
    const char *kept = replaces ? ": the content is protected, the number of "
                                  "records is public"
                                : ": participation itself is protected, and so "
                                  "is the content of the record";

    say_section(s, STATEMENT_UNIT, "Who is protected");
    if (statement_is_unprotected(s))
        say(s, "Nobody: without an epsilon no one is protected.");
    else if (group > 1)
        say(s, "Everyone with at most %.0f records.", group);
    else
        say(s,
            "Everyone with one record in the data. People with several records "
            "are protected less: group(k, PLAN) tells how much.");
    say(s, "Neighbouring data sets differ in %s%s %s (relation %s)%s.",
        replaces ? "what " : "whether ",
        group > 1 ? "such a group" : "one record",
        replaces ? "says" : "is there",
        cli_neighbours_name(s->epsilon.neighbours),
        statement_is_unprotected(s) ? "" : kept);
}

/* ---- Why it may be believed ------------------------------------------------
 */

static void say_proof(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;
    size_t n = dosi_route_count();
    char lower[DOSI_NUMBER_BYTES], citation[DOSI_CITATION_BYTES];

    say_section(s, STATEMENT_PROOF, "How it is known");
    for (size_t i = 0; i < n; i++)
        if (strcmp(dosi_route_at(i).name, answer->route) == 0)
            say(s, "Route %s: %s.", cli_route_words(answer->route),
                dosi_route_at(i).meaning);
    dosi_citation(citation, answer->theorem);
    if (citation[0] != '\0')
        say(s, "Theorems: %s.", citation);
    dosi_print_lower(lower, answer->value.lo, s->n_digits);
    if (answer->value.lo > 0 && answer->value.lo < HUGE_VAL)
        say(s,
            "The lower end refers to %s: from this plan alone no method can "
            "report an epsilon below %s.",
            answer->lower_meaning, lower);
}

static void say_assumed(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;

    say_section(s, STATEMENT_ASSUMED, "Assumed, not checked");
    for (size_t i = 0; i < answer->n_assumptions; i++)
        say(s, "That %s.", answer->assumptions[i]);
    say(s,
        "That the plan covers everything that was learned from the data: every "
        "run, including discarded ones.");
    say(s,
        "That the noise has exactly the stated law: floating-point samplers "
        "leak in ways no accountant sees.");
}

/* ---- The whole -------------------------------------------------------------
 */

/* Epsilon unless it is known, and the risk. */
static dosi_status ask(struct statement *s, const dosi_plan *plan,
    const dosi_answer *epsilon, double prior, struct cli_asking *how,
    dosi_error *err)
{
    dosi_status status = DOSI_OK;

    if (epsilon != NULL)
        s->epsilon = *epsilon;
    else
        status = cli_asking_at(&s->epsilon, how, cli_question_of(OPTION_DELTA),
            plan, s->delta, err);
    if (status != DOSI_OK)
        return status;
    if (s->delta == 0 && statement_is_unprotected(s)) {
        const char *reason = s->epsilon.reason;
        *err = (dosi_error){
            .status = DOSI_EUNABLE, .offset = DOSI_NO_OFFSET};
        snprintf(err->message, sizeof err->message,
            "no finite epsilon is certified at delta 0%s%s",
            reason != NULL ? ": " : "", reason != NULL ? reason : "");
        return DOSI_EUNABLE;
    }
    status =
        dosi_risk_of_plan(&s->risk, plan, prior, cli_asking_start(how), err);
    return cli_asking_end(how, &s->risk.advantage, 1, status, err);
}

int statement_make(struct statement *out, const struct cli_arguments *args,
    const dosi_plan *plan, const struct statement_wanted *wanted,
    const dosi_answer *epsilon, struct cli_asking *how)
{
    const dosi_plan *normal = NULL;
    dosi_error err;
    long n_digits;

    *out = (struct statement){
        .delta = wanted->delta, .n_people = wanted->n_people};
    int status = cli_whole(&n_digits, args, OPTION_DIGITS, 1, 17, 6);
    if (status != CLI_YES)
        return status;
    out->n_digits = (int)n_digits;
    if (dosi_plan_normal(&normal, plan, &err) != DOSI_OK ||
        ask(out, plan, epsilon, wanted->prior, how, &err) != DOSI_OK ||
        (out->plan = cli_plan_text(normal, DOSI_FORM_TEXT, &err)) == NULL) {
        dosi_plan_free(normal);
        return cli_fail(args, &err, NULL, 0);
    }
    say_guarantee(out);
    say_sampler(out);
    say_unit(out, normal);
    say_odds(out);
    say_attack(out);
    say_delta(out);
    say_run(out, normal);
    say_costs(out, plan, wanted->most_parts, how);
    say_proof(out);
    say_assumed(out);
    dosi_plan_free(normal);
    return out->failed ? cli_no_memory() : CLI_YES;
}

void statement_free(struct statement *statement)
{
    for (size_t i = 0; i < statement->n_sections; i++) {
        for (size_t j = 0; j < statement->sections[i].n_sentences; j++)
            free(statement->sections[i].sentences[j]);
        free(statement->sections[i].sentences);
    }
    breakdown_free(&statement->parts);
    free(statement->plan);
    *statement = (struct statement){0};
}
