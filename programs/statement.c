/*
 * The words for what a plan guarantees. Every number in them is an end of a
 * certified interval, rounded outward; "about" marks the others.
 */
#include "statement.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sentences -------------------------------------------------------------
 */

static void section(struct statement *s, const char *title)
{
    s->sections[s->n_sections++] = (struct statement_section){.title = title};
}

__attribute__((format(printf, 2, 3))) static void say(
    struct statement *s, const char *format, ...)
{
    struct statement_section *at = &s->sections[s->n_sections - 1];
    va_list list;

    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char **grown =
        realloc(at->sentences, (at->n_sentences + 1) * sizeof *grown);
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    at->sentences = grown;
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text == NULL) {
        s->failed = true;
        return;
    }
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    at->sentences[at->n_sentences++] = text;
}

struct number {
    char text[DOSI_NUMBER_BYTES];
};

static struct number exact(double x)
{
    struct number out = {""};
    dosi_print_exact(out.text, x);
    return out;
}

/* The upper end as so many out of 100. */
static struct number out_of_100(dosi_interval x)
{
    struct number out = {""};
    double up = nextafter(100 * x.hi, HUGE_VAL); /* the product rounds */
    dosi_print_upper(out.text, x.hi == 0 ? 0 : fmin(100, up), 3);
    return out;
}

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
    dosi_error err;

    char *text = cli_plan_text(
        repeats ? dosi_plan_child(part, 0) : part, DOSI_FORM_TEXT, &err);
    if (text == NULL) {
        s->failed = true;
        return;
    }
    if (count > 1)
        say(s, "%.0f times %.200s%s", count, text,
            strlen(text) > 200 ? " ..." : "");
    else
        say(s, "Once %.200s%s", text, strlen(text) > 200 ? " ..." : "");
    free(text);
}

static void say_run(struct statement *s, const dosi_plan *normal)
{
    const size_t most = 6;
    bool seen[DOSI_KIND_COUNT] = {false};
    bool is_sum = dosi_plan_kind(normal) == DOSI_COMPOSE;
    size_t n = is_sum ? dosi_plan_child_count(normal) : 1;

    section(s, "What was run");
    for (size_t i = 0; i < n && i < most; i++)
        say_part(s, is_sum ? dosi_plan_child(normal, i) : normal);
    if (n > most)
        say(s, "And %zu more parts.", n - most);
    say_kinds(s, normal, seen);
}

/* ---- What is guaranteed ----------------------------------------------------
 */

/* Whether there is no epsilon to report. */
static bool is_unprotected(const struct statement *s)
{
    return !(s->epsilon.value.hi < HUGE_VAL);
}

/* Whether there certainly is none: infinite losses are likelier than delta. */
static bool gives_away(const struct statement *s)
{
    return s->epsilon.value.lo == HUGE_VAL;
}

/* Whether the output is the same for all that is known of neighbours. */
static bool is_blind(const struct statement *s)
{
    return s->risk.advantage.value.hi == 0;
}

static void say_nothing(struct statement *s, const char *interval)
{
    bool is_class = strcmp(s->epsilon.lower_meaning, "the class") == 0;

    say(s, "Nothing: no finite epsilon is certified at delta %s.",
        exact(s->delta).text);
    if (!gives_away(s))
        say(s,
            "That is no proof that there is none: epsilon lies between %s, "
            "and what is missing is named below.",
            interval);
    else if (is_class)
        say(s,
            "Knowing no more, no other method can find one either: some "
            "mechanism with the stated guarantees has an infinite epsilon.");
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

    section(s, "What is guaranteed");
    cli_interval_text(interval, x, s->n_digits);
    const char *upper = strstr(interval, " .. ") + 4;
    if (is_unprotected(s)) {
        say_nothing(s, interval);
    } else {
        say(s,
            "(epsilon, delta)-differential privacy with epsilon %s and delta "
            "%s.",
            upper, exact(s->delta).text);
        say(s, "The exact epsilon lies in %s; the upper end is the one to "
               "report.",
            interval);
        say(s, "Whatever is made of the output later keeps the guarantee.");
    }
    if (is_blind(s))
        say(s,
            "Epsilon 0 is no mistake: the output does not depend on one "
            "record, at any delta.");
    else if (x.hi == 0)
        say(s,
            "Epsilon 0 is no mistake: with probability 1 - delta at least, "
            "the output is one that the other data would have given as "
            "well. A smaller delta asks for more and may have a larger "
            "epsilon.");
    if (x.hi > 20 && x.hi < HUGE_VAL)
        say(s,
            "An epsilon this large protects very little by itself; judge it "
            "by the attacker's gain below.");
    if (answer->reason != NULL)
        say(s, "Why: %s.", answer->reason);
}

/* The largest group that every part of the plan speaks of. */
static double group_of(const dosi_plan *node)
{
    size_t n = dosi_plan_child_count(node);
    double least = n > 0 ? group_of(dosi_plan_child(node, 0)) : 1;

    for (size_t i = 1; i < n; i++)
        least = fmin(least, group_of(dosi_plan_child(node, i)));
    return dosi_plan_kind(node) == DOSI_GROUP
               ? least * dosi_plan_parameter(node, 0)
               : least;
}

static void say_unit(struct statement *s, const dosi_plan *normal)
{
    double group = group_of(normal);
    bool replaces = s->epsilon.neighbours == DOSI_REPLACE;
    const char *kept = replaces ? ": the content is protected, the number of "
                                  "records is public"
                                : ": taking part at all is protected, and so "
                                  "is all that is said";

    section(s, "To whom");
    if (is_unprotected(s))
        say(s, "To nobody: without an epsilon no one is protected.");
    else if (group > 1)
        say(s, "To everyone with at most %.0f records.", group);
    else
        say(s,
            "To everyone with one record in the data. Who has several is "
            "protected less: group(k, PLAN) tells how much.");
    say(s, "Neighbouring data sets differ in %s%s %s (relation %s)%s.",
        replaces ? "what " : "whether ",
        group > 1 ? "such a group" : "one record",
        replaces ? "says" : "is there",
        cli_neighbours_name(s->epsilon.neighbours),
        is_unprotected(s) ? "" : kept);
}

/* ---- What it means ---------------------------------------------------------
 */

/* Wording of odds: arXiv 2303.00738. */
static void say_odds(struct statement *s)
{
    bool replaces = s->epsilon.neighbours == DOSI_REPLACE;

    section(s, "In odds");
    say(s,
        "Suppose somebody concludes from the output that %s, and the test "
        "is as good as any can be.",
        replaces ? "your record says one thing rather than another"
                 : "you took part");
    say(s,
        "If %s, the conclusion is drawn wrongly in, say, 1 out of 100 cases.",
        replaces ? "it says the other" : "you do not take part");
    if (s->risk.true_positive[1].hi < 1)
        say(s, "If %s, it is drawn in at most %s out of 100.",
            replaces ? "it does" : "you do",
            out_of_100(s->risk.true_positive[1]).text);
    else
        say(s, "If %s, it may be drawn every time: nothing better is known.",
            replaces ? "it does" : "you do");
    if (is_blind(s))
        say(s, "No conclusion becomes more likely.");
    else if (s->epsilon.value.hi < 700)
        say(s,
            "No conclusion becomes more than about %.3g times as likely, "
            "but for a chance of delta.",
            exp(s->epsilon.value.hi));
}

/* What a positive test does to a belief. */
static void say_belief(struct statement *s)
{
    char prior[DOSI_NUMBER_BYTES];

    statement_percent(prior, s->risk.prior);
    if (gives_away(s))
        say(s,
            "With a probability above delta the output leaves no doubt: a "
            "belief of %s %% becomes 100 %%.",
            prior);
    else
        say(s,
            "A belief of %s %% becomes at most %s %% after a positive test "
            "of a false positive rate of 1 %%.",
            prior, out_of_100(s->risk.posterior[1]).text);
}

static void say_attack(struct statement *s)
{
    const dosi_risk *risk = &s->risk;

    section(s, "What an attacker gains");
    say(s,
        "The attacker knows everything but this, and chooses between two "
        "neighbouring data sets.");
    if (is_blind(s)) {
        say(s, "No attacker does better than one who does not see the output.");
        return;
    }
    say(s, "Guesses %s %s out of 100 times; a coin is right 50 out of 100 "
           "times.",
        risk->accuracy.hi < 1 ? "are right at most" : "may be right",
        out_of_100(risk->accuracy).text);
    for (int i = 1; i >= 0; i--)
        say(s, "At a false positive rate of %g %% the true positive rate %s "
               "%s %%.",
            100 * risk->false_positive[i],
            risk->true_positive[i].hi < 1 ? "is at most" : "may be",
            out_of_100(risk->true_positive[i]).text);
    say_belief(s);
}

static void say_delta(struct statement *s)
{
    double expected = s->delta * s->n_people;

    section(s, "What delta means");
    if (is_unprotected(s)) {
        say(s,
            gives_away(s) ? "Nothing here: the output gives a record away "
                            "with a probability above delta %s."
                          : "Nothing here: no epsilon is known that holds but "
                            "for delta %s.",
            exact(s->delta).text);
        return;
    }
    say(s,
        "Delta %s is the share of outcomes that epsilon does not speak "
        "of; in the worst case a record is laid open with that probability.",
        exact(s->delta).text);
    if (s->n_people == 0) {
        say(s,
            "It should be far below one over the number of people in the "
            "data; --people N judges it.");
        return;
    }
    say(s, "For %.0f people that adds up to about %.3g of them.", s->n_people,
        expected);
    if (expected >= 1)
        say(s,
            "That is too large: publishing the record of one person, picked "
            "at random, would pass. Choose delta below %.3g.",
            0.1 / s->n_people);
    else if (expected > 0.1)
        say(s,
            "That is barely below one person. Below %.3g would be better.",
            0.1 / s->n_people);
    else
        say(s, "That is well below one person.");
}

/* ---- Why it may be believed ------------------------------------------------
 */

static void say_proof(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;
    size_t n = dosi_route_count();
    char lower[DOSI_NUMBER_BYTES];

    section(s, "How it is known");
    for (size_t i = 0; i < n; i++)
        if (strcmp(dosi_route_at(i).name, answer->route) == 0)
            say(s, "Route %s: %s.", answer->route, dosi_route_at(i).meaning);
    if (answer->theorem[0] != '\0')
        say(s, "Theorems: %s.", answer->theorem);
    dosi_print_lower(lower, answer->value.lo, s->n_digits);
    if (answer->value.lo > 0 && answer->value.lo < HUGE_VAL)
        say(s,
            "The lower end is that of %s: knowing no more, no method can "
            "report an epsilon below %s.",
            answer->lower_meaning, lower);
}

static void say_assumed(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;

    section(s, "Assumed, not checked");
    for (size_t i = 0; i < answer->n_assumptions; i++)
        say(s, "That %s.", answer->assumptions[i]);
    say(s,
        "That the plan holds everything that was learned from the data: "
        "every run, also those that were thrown away.");
    say(s,
        "That the noise is what it is said to be: floating-point samplers "
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
    say_unit(out, normal);
    say_odds(out);
    say_attack(out);
    say_delta(out);
    say_run(out, normal);
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
    free(statement->plan);
    *statement = (struct statement){0};
}
