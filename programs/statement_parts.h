/* How the sentences of a statement are made, and its parts. */
#ifndef DOSI_STATEMENT_PARTS_H
#define DOSI_STATEMENT_PARTS_H

#include <math.h>

#include "statement.h"

/* Starts a list of sentences. */
void say_section(
    struct statement *s, enum statement_topic topic, const char *title);

/* A sentence of the newest list. */
__attribute__((format(printf, 2, 3))) void say(
    struct statement *s, const char *format, ...);

struct said_number {
    char text[DOSI_NUMBER_BYTES];
};

struct said_number said_exact(double x);

/* The upper end as so many out of 100. */
struct said_number said_out_of_100(dosi_interval x);

/* What the guarantee means: in odds, to an attacker, and what delta is. In
 * statement_meaning.c. */
void say_odds(struct statement *s);
void say_attack(struct statement *s);
void say_delta(struct statement *s);

/* What must be true of the sampler, where there is one. In
 * statement_meaning.c. */
void say_sampler(struct statement *s);

/* What each part of the plan costs, where there are several and at most
 * most_parts. In statement_costs.c. */
void say_costs(struct statement *s, const dosi_plan *plan,
    size_t most_parts, const struct cli_asking *how);

#endif
