/*
 * How far a lattice of runs of bounded range goes: to where delta is about
 * e^-RANGE_LOG_TAIL, or a half of that, and so on, as long as that is
 * RANGE_LOG_MARGIN more than is asked for. What lies beyond its end counts as
 * if it were there.
 */
#ifndef DOSI_REPR_RANGE_TAIL_H
#define DOSI_REPR_RANGE_TAIL_H

#define RANGE_LOG_TAIL 330.0
#define RANGE_LOG_MARGIN 24.0
#define RANGE_HALVES 3

static inline double range_tail_for(double log_tail)
{
    double wanted = RANGE_LOG_TAIL;
    for (int i = 0;
         i < RANGE_HALVES && wanted / 2 > log_tail + RANGE_LOG_MARGIN; i++)
        wanted /= 2;
    return wanted;
}

#endif
