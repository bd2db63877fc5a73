/*
 * The terms of T002-9 and P002-20 one after the other: each follows from the
 * last by a few multiplications, without logarithms. Internal to
 * without_replacement_sum.c.
 */
#ifndef DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_TERMS_H
#define DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_TERMS_H

#include "chi_divergence.h"

/* Most terms that wr_walk_add may be asked to add at once. */
#define WR_LEAF 256

/* Which terms: C(order,j) odds^j e^log_rest (m(j) min(2, cap^j), or
 * m(j) - 1). */
typedef struct wr_terms {
    const chi_law *law;
    bool is_lower; /* P002-20 */
    double order;
    ball log_odds; /* of rate, or rate/(1-rate), per step of j */
    ball odds;
    ball log_rest;  /* order log(1-rate) of P002-20, else 0 */
    ball log_cap;   /* log(e^pure - 1); +inf without a pure level */
    bool cap_rises; /* it is > 0; else its powers belong to the odds */
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
    scaled weight; /* kept for P002-20 alone */
    scaled top;
    scaled step, bend; /* of top without the weight; of step */
    ball tail, tail_step;
    ball flat, flat_step;
    scaled cap, cap_step; /* (e^pure - 1)^j where it rises */
    bool is_capped;       /* the cap is 2 from here on */
} wr_walk;

/* Stands at j; walks on from where it stands without a new start. */
void wr_walk_to(wr_walk *w, const wr_terms *t, double j);

/* Adds the terms from where w stands up to last, fewer than WR_LEAF + 1. */
void wr_walk_add(scaled *sum, wr_walk *w, const wr_terms *t, double last);

#endif
