/* How the sentences of a statement are made, and its parts. */
#ifndef DOSI_STATEMENT_PARTS_H
#define DOSI_STATEMENT_PARTS_H

#include <math.h>

#include "statement.h"

/* Starts a list of sentences. */
void say_section(struct statement *s, const char *title);

/* A sentence of the newest list. */
__attribute__((format(printf, 2, 3))) void say(
    struct statement *s, const char *format, ...);

struct said_number {
    char text[DOSI_NUMBER_BYTES];
};

struct said_number said_exact(double x);

/* The upper end as so many out of 100. */
struct said_number said_out_of_100(dosi_interval x);

/* Whether there is no epsilon to report. */
static inline bool said_is_unprotected(const struct statement *s)
{
    return !(s->epsilon.value.hi < HUGE_VAL);
}

/* Whether there certainly is none: infinite losses are likelier than delta. */
static inline bool said_gives_away(const struct statement *s)
{
    return s->epsilon.value.lo == HUGE_VAL;
}

/* Whether the output is the same for all that is known of neighbours. */
static inline bool said_is_blind(const struct statement *s)
{
    return s->risk.advantage.value.hi == 0;
}

/* What the guarantee means: in odds, to an attacker, and what delta is. In
 * statement_meaning.c. */
void say_odds(struct statement *s);
void say_attack(struct statement *s);
void say_delta(struct statement *s);

/* What each part of the plan costs, where there are several. In
 * statement_costs.c. */
void say_costs(struct statement *s, const dosi_plan *plan,
    const struct cli_asking *how);

#endif
