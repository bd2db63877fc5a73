/*
 * What attains a bound: a pair of neighbouring data sets, some mechanism with
 * the stated guarantee, or perhaps nothing.
 */
#ifndef DOSI_LOSS_ATTAINED_H
#define DOSI_LOSS_ATTAINED_H

/* What the law's values are attained by. */
typedef enum law_flag {
    LAW_EXACT, /* a neighbouring pair of the mechanism */
    LAW_CLASS, /* some mechanism with the stated guarantee */
    LAW_BOUND  /* perhaps nothing: the law only dominates */
} law_flag;

#endif
