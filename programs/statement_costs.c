/*
 * What the parts of a plan cost, in a few sentences: those with the greatest
 * shares, each with its cost alone and the plan's without it.
 */
#include "breakdown.h"
#include "statement_parts.h"

/* Plans of more parts are left to breakdown, which takes its time. */
#define MOST_PARTS 16
#define MOST_SAID 5

/* Operations, where no time limit is set, of a question and of all of them: a
 * statement has others to ask. */
#define OPERATIONS 5e7
#define ALL_OPERATIONS 2e9

static void say_part(struct statement *s, const struct breakdown_part *part)
{
    char share[16], alone[DOSI_NUMBER_BYTES], without[DOSI_NUMBER_BYTES];

    snprintf(share, sizeof share, "%.1f", 100 * part->share);
    dosi_print_upper(alone, part->alone.value.hi, s->n_digits);
    dosi_print_upper(without, part->without.value.hi, s->n_digits);
    say(s,
        "%s: %s %% of it. Alone it has epsilon %s, and the plan without it "
        "%s.",
        part->text, share, alone, without);
}

static void say_shares(struct statement *s)
{
    size_t n = s->parts.n;
    double rest = 0;

    say_section(s, STATEMENT_COSTS, "What the parts cost");
    for (size_t i = 0; i < n && i < MOST_SAID; i++)
        say_part(s, &s->parts.parts[i]);
    for (size_t i = MOST_SAID; i < n; i++)
        rest += s->parts.parts[i].share;
    if (n > MOST_SAID)
        say(s, "The other %zu: %.1f %% together.", n - MOST_SAID, 100 * rest);
}

void say_costs(struct statement *s, const dosi_plan *plan,
    size_t most_parts, const struct cli_asking *how)
{
    struct cli_asking brief = *how;
    size_t n = breakdown_count(plan);
    dosi_error err;

    if (n < 2 || statement_is_unprotected(s))
        return;
    if (n > (most_parts > 0 ? most_parts : MOST_PARTS)) {
        say_section(s, STATEMENT_COSTS, "What the parts cost");
        say(s,
            "The plan has %zu parts; \"dosimeter breakdown\" tells what "
            "each of them costs.",
            n);
        return;
    }
    if (!(how->limit_us > 0))
        brief.options.max_operations =
            fmin(OPERATIONS, ALL_OPERATIONS / (2 * (double)n + 1));
    dosi_status status = breakdown_make(&s->parts, plan,
        cli_question_of(OPTION_DELTA), s->delta, &brief, 1, &err);
    if (status == DOSI_OK && s->parts.has_shares)
        say_shares(s);
    else
        breakdown_free(&s->parts);
}
