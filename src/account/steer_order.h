/*
 * Which Renyi order promises the least bound: a search in plain doubles. It
 * certifies nothing; the curve is certified at the order found.
 */
#ifndef DOSI_ACCOUNT_STEER_ORDER_H
#define DOSI_ACCOUNT_STEER_ORDER_H

#include <stdbool.h>

#include "num/minimum.h"

/* Orders are 1 + 2^u. */
typedef struct steer_problem {
    /* log of (order - 1) D at order 1 + 2^u; +inf or NaN: no curve there */
    minimum_function log_cumulant;
    const void *context;
    double lowest;    /* u */
    double most;      /* greatest order with a curve */
    bool for_epsilon; /* a bound on epsilon, else on log delta */
    double argument;  /* log delta, else epsilon */
} steer_problem;

typedef struct steer_result {
    double order;
    double promised; /* the bound there, roughly */
} steer_result;

/* About the bound at order 1 + 2^u with that log cumulant; T000-33.8. */
double steer_bound(const steer_problem *p, double u, double log_cumulant);

/* Starts at the order 1 + 2^start with steps of first in u; a NaN starts
 * anywhere. */
steer_result steer_order(const steer_problem *p, double start, double first);

#endif
