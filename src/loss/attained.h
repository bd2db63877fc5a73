/*
 * What attains the values of a law's profile: a pair of neighbouring data sets,
 * some mechanism with the stated guarantee, or perhaps nothing.
 */
#ifndef DOSI_LOSS_ATTAINED_H
#define DOSI_LOSS_ATTAINED_H

typedef enum attainment {
    ATTAINED_BY_MECHANISM, /* a neighbouring pair of the mechanism */
    ATTAINED_BY_CLASS,     /* some mechanism with the stated guarantee */
    ATTAINED_BY_NONE       /* perhaps nothing: the law only dominates */
} attainment;

#endif
