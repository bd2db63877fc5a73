/*
 * One claim and what was found out about it.
 */
#ifndef DOSI_CHECK_H
#define DOSI_CHECK_H

#include "claims.h"

enum verdict { HOLDS, UNDECIDED, REFUTED };

struct checked {
    const struct claim *claim;
    const struct cli_question *question; /* that was asked */
    double given;                        /* at this */
    double claimed;                      /* of its answer */
    bool answered;                       /* else err says why not */
    dosi_answer answer;
    dosi_error err;
    bool beyond; /* the end that is not safe is beyond the claim */
    enum verdict verdict;
    char *known; /* parts of the plan that refute it alone, or NULL */
    dosi_answer known_answer;
};

/* Whether the end of an answer that is not safe is beyond the claim. */
bool check_is_beyond(const struct checked *c, const dosi_answer *answer);

/* Whether that end is attained by the mechanism, not by a class member. */
bool check_is_attained(const dosi_answer *answer);

/*
 * Where the plan has parts of which guarantees alone are stated: whether the
 * others, whose laws are known, refute the claim. Who sees the output of the
 * plan sees theirs, so that no plan with these parts meets a claim that they
 * break (post-processing). The verdict is then REFUTED, and known, which the
 * caller frees, names them.
 */
void check_known_parts(struct checked *c, struct cli_asking *how);

/* The sentence to quote; in check_sentence.c. */
#define CHECK_SENTENCE_BYTES 1024
void check_sentence(char text[CHECK_SENTENCE_BYTES], const struct checked *c);

#endif
