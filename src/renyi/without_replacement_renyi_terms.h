/*
 * The successive terms of T002-9 and P002-20, each computed from the last by a
 * few multiplications, without logarithms. Internal to
 * without_replacement_renyi_sum.c. Derivation:
 * docs/theory/without_replacement.md, section 3.
 */
#ifndef DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_TERMS_H
#define DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_TERMS_H

#include "chi_divergence.h"

/* The terms C(order,j) odds^j e^log_rest m(j) min(2, cap^j), or with m(j) - 1
 * in place of m(j) min(2, cap^j). */
typedef struct wr_terms {
    const chi_law *law;
    bool is_lower; /* P002-20 */
    double order;
    ball log_odds; /* of rate, or rate/(1-rate), per step of j */
    ball odds;
    ball log_rest;  /* order log(1-rate) of P002-20, else 0 */
    ball log_cap;   /* log(e^pure - 1); +inf without a pure level */
    bool cap_rises; /* log_cap > 0; otherwise odds include the cap */
} wr_terms;

wr_terms wr_terms_of(
    const chi_law *law, ball rate, bool is_lower, double order);

/*
 * weight m(j) = top shape(j), where
 *
 *     Gaussian  top = weight e^(j (j-1) mu^2/2), shape = 1,
 *     Laplace   top = weight e^((j-1) a), shape = (j + (j-1) tail)/(2j-1),
 *     response  top = weight e^(j eps)/Z, shape = 1 + tail + flat,
 *
 * tail = e^(-(2j-1) a) and flat = (categories - 2) e^(-j eps).
 */
typedef struct wr_walk {
    double j;      /* 0: not started */
    scaled weight; /* used by P002-20 only */
    scaled top;
    scaled step, bend; /* of top without the weight; of step */
    ball tail, tail_step;
    ball flat, flat_step;
    scaled cap, cap_step; /* (e^pure - 1)^j if it rises */
    bool is_capped;       /* the cap is 2 from here on */
} wr_walk;

/* Moves to the term j; nothing is computed if it is the current one. */
void wr_walk_to(wr_walk *w, const wr_terms *t, double j);

/* Adds the terms from the current one up to last. */
void wr_walk_add(scaled *sum, wr_walk *w, const wr_terms *t, double last);

#endif
