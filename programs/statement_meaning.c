/* What a guarantee means: in odds, to an attacker, and what delta is. */
#include "statement_parts.h"

/* ---- The sampler -----------------------------------------------------------
 */

void say_sampler(struct statement *s)
{
    const dosi_answer *answer = &s->epsilon;
    bool any = false;

    for (size_t i = 0; i < answer->n_assumptions; i++) {
        if (!cli_is_on_sampler(answer->assumptions[i]))
            continue;
        if (!any)
            say_section(s, STATEMENT_SAMPLER, "Only with this sampler");
        any = true;
        say(s, "All of this holds only if %s.", answer->assumptions[i]);
    }
    if (any)
        say(s, "Many data loaders shuffle the records and cut them into "
               "batches instead. Then this epsilon is too small, and "
               "\"dosimeter sgd --sampler shuffle\" gives the one to report.");
}

/* ---- Odds ------------------------------------------------------------------
 */

/* Wording of odds: arXiv 2303.00738. */
void say_odds(struct statement *s)
{
    bool replaces = s->epsilon.neighbours == DOSI_REPLACE;

    say_section(s, STATEMENT_ODDS, "In odds");
    say(s,
        "Suppose somebody concludes from the output that %s, by the best "
        "possible test.",
        replaces ? "your record says one thing rather than another"
                 : "you took part");
    say(s,
        "If %s, the conclusion is drawn wrongly in, say, 1 out of 100 cases.",
        replaces ? "it says the other" : "you do not take part");
    if (s->risk.true_positive[1].hi < 1)
        say(s, "If %s, it is drawn in at most %s out of 100.",
            replaces ? "it does" : "you do",
            said_out_of_100(s->risk.true_positive[1]).text);
    else
        say(s, "If %s, it may be drawn every time: nothing better is known.",
            replaces ? "it does" : "you do");
    if (statement_is_blind(s))
        say(s, "No conclusion becomes more likely.");
    else if (s->epsilon.value.hi < 700)
        say(s,
            "No conclusion becomes more than about %.3g times as likely%s.",
            exp(s->epsilon.value.hi),
            s->delta > 0 ? ", except with probability delta" : "");
}

/* What a positive test does to a belief. */
static void say_belief(struct statement *s)
{
    char prior[DOSI_NUMBER_BYTES];

    statement_percent(prior, s->risk.prior);
    if (statement_gives_away(s))
        say(s,
            "With a probability above delta the output leaves no doubt: a "
            "belief of %s %% becomes 100 %%.",
            prior);
    else
        say(s,
            "A belief of %s %% becomes at most %s %% after a positive test "
            "of a false positive rate of 1 %%.",
            prior, said_out_of_100(s->risk.posterior[1]).text);
}

void say_attack(struct statement *s)
{
    const dosi_risk *risk = &s->risk;

    say_section(s, STATEMENT_ATTACK, "What an attacker gains");
    say(s,
        "The attacker knows everything else, and decides between two "
        "neighbouring data sets.");
    if (statement_is_blind(s)) {
        say(s, "No attacker does better than one who does not see the output.");
        return;
    }
    say(s, "Guesses %s %s out of 100 times; a coin is right 50 out of 100 "
           "times.",
        risk->accuracy.hi < 1 ? "are right at most" : "may be right",
        said_out_of_100(risk->accuracy).text);
    for (int i = 1; i >= 0; i--)
        say(s, "At a false positive rate of %g %% the true positive rate %s "
               "%s %%.",
            100 * risk->false_positive[i],
            risk->true_positive[i].hi < 1 ? "is at most" : "may be",
            said_out_of_100(risk->true_positive[i]).text);
    say_belief(s);
}

void say_delta(struct statement *s)
{
    double expected = s->delta * s->n_people;

    say_section(s, STATEMENT_DELTA, "What delta means");
    if (statement_is_unprotected(s)) {
        say(s,
            statement_gives_away(s)
                ? "Nothing here: the output discloses a record with a "
                  "probability above delta %s."
                : "Nothing here: no epsilon is known that holds except with "
                  "probability delta %s.",
            said_exact(s->delta).text);
        return;
    }
    if (s->delta == 0) {
        say(s, "Delta is 0: the guarantee holds for every outcome, without "
               "exception.");
        return;
    }
    say(s,
        "Delta %s bounds the probability of outcomes for which the epsilon "
        "guarantee may fail; in the worst case a record is disclosed with that "
        "probability.",
        said_exact(s->delta).text);
    if (s->n_people == 0) {
        say(s,
            "It should be far below one over the number of people in the data; "
            "--people N checks it.");
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
