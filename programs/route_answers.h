/*
 * What every route says of a plan, each asked alone, best first.
 */
#ifndef DOSI_ROUTE_ANSWERS_H
#define DOSI_ROUTE_ANSWERS_H

#include "cli.h"

struct route_said {
    const char *route;
    dosi_answer answer;
    dosi_error err; /* OK, or why the route failed */
    double width;   /* relative to the larger end */
    double elapsed_us;
    bool bounds; /* there is a guarantee */
};

struct routes {
    struct route_said *said;
    size_t n;
    dosi_interval all; /* what they say together */
};

/* Asks within the limits; the route of an answer that is known, unless NULL,
 * is not asked again. Returns an exit status, having said why; free in any
 * case. */
int routes_ask(struct routes *out, const struct cli_arguments *args,
    struct cli_asking *how, const dosi_plan *plan,
    const struct cli_question *question, double given,
    const dosi_answer *known);
void routes_free(struct routes *routes);

/* What a route rests on: its theorems and, where the clock ended it, that;
 * or why it has no bound. text has ROUTE_GROUND_BYTES. */
#define ROUTE_GROUND_BYTES (DOSI_CITATION_BYTES + DOSI_MESSAGE_BYTES + 16)
void route_ground(char *text, const struct route_said *said);

/* Why a route is wide or has no bound; "" for no reason. */
const char *route_reason(const struct route_said *said);

#endif
