/*
 * The table behind sampling/finite_sampler.h: a sample is a vector of
 * multiplicities of the n - 1 shared records, of v and of v', or a row of a
 * table given by the caller. Internal to this folder.
 */
#ifndef DOSI_SAMPLING_FINITE_SAMPLER_IMPL_H
#define DOSI_SAMPLING_FINITE_SAMPLER_IMPL_H

#include "finite_sampler.h"

struct sampler_table {
    sampler s;
    size_t n;     /* outcomes */
    size_t width; /* of an outcome: n + 1 records */
    int *counts;  /* n x width */
    double *distance; /* n x n of a given table, else NULL */
    bool *equal;      /* of a given table: equal under both, exactly */
    ball *p;
    ball *q;
    ball *shared; /* normalised parts of the maximal coupling */
    ball *first;
    ball *second;
    ball eta;
};

#endif
