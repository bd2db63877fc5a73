/*
 * Constant mode with one mistake, as a control of bench_timing: words become
 * doubles from unsigned integers, which is a branch on the top bit on x86.
 */
#define noise_propose_constant control_propose_constant
#define noise_draw_constant control_draw_constant

#include "release/noise_modes.h"

static inline double unsigned_unit(uint64_t word)
{
    return (double)word * 0x1p-64;
}
#define word_unit unsigned_unit

#include "release/noise_constant.c"
