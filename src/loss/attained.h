/*
 * What attains a bound: a pair of neighbouring data sets, some mechanism with
 * the stated guarantee, or perhaps nothing.
 */
#ifndef DOSI_LOSS_ATTAINED_H
#define DOSI_LOSS_ATTAINED_H

/* What the law's values are attained by. */
typedef enum attainment {
    ATTAINED_BY_MECHANISM, /* a neighbouring pair of the mechanism */
    ATTAINED_BY_CLASS, /* some mechanism with the stated guarantee */
    ATTAINED_BY_NONE  /* perhaps nothing: the law only dominates */
} attainment;

#endif
