/*
 * Clipping to the grid, docs/theory/release_training.md 2. Loops run over
 * coordinates of one row; their results do not depend on the width of
 * registers, for reductions have eight lanes of their own. Functions with
 * clones are static: gcc exports the dispatcher of any other one, whatever
 * its visibility.
 */
#include "clip.h"

#include <math.h>

#include "release/int128.h"

#define LANES 8

struct clip_grid clip_grid_of(double clip, int bits)
{
    return (struct clip_grid){clip, bits, ldexp(1, bits)};
}

CLIP_WIDE static double wide_squares(const double *g, size_t n)
{
    double lanes[LANES] = {0};
    size_t j = 0;

    for (; j + LANES <= n; j += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += g[j + k] * g[j + k];
    for (size_t k = 0; j + k < n; k++)
        lanes[k] += g[j + k] * g[j + k];
    double a = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    double b = (lanes[4] + lanes[5]) + (lanes[6] + lanes[7]);
    return a + b;
}

double clip_factor(const struct clip_grid *grid, double squares)
{
    double norm = sqrt(squares);

    if (!(norm < HUGE_VAL)) /* also NaN */
        return 0;
    double shrink = norm > grid->clip ? grid->clip / norm : 1;
    return shrink * (grid->radius / grid->clip) * (1 - 0x1p-40);
}

/* trunc(v), or OUTSIDE if |v| <= R fails, as with NaN. */
#define OUTSIDE INT32_MAX
#define TO_GRID(v, radius) \
    ((int32_t)(fabs(v) <= (radius) ? (v) : (double)OUTSIDE))

CLIP_WIDE static bool wide_scale(int32_t *restrict z, const double *restrict g,
    size_t n, double f, double radius)
{
    int32_t outside = 0;

    for (size_t j = 0; j < n; j++) {
        double v = f * g[j];
        int32_t k = TO_GRID(v, radius);
        outside |= k == OUTSIDE;
        z[j] = k;
    }
    return outside == 0;
}

CLIP_WIDE static bool wide_outer(int32_t *restrict z, const double *restrict a,
    size_t m, const double *restrict b, size_t n, double squares, double f,
    double radius)
{
    /* A sum of squares, none of them NaN, is rounded to no less than the
     * rounding of each: b_j^2 (1 - 2^-53) <= squares, so |b_j| <= most. */
    double most = sqrt(squares) * (1 + 0x1p-50);
    bool is_within = squares < HUGE_VAL;

    for (size_t i = 0; i < m; i++, z += n) {
        double scale = f * a[i];
        /* Rounding is monotone: |fl(scale b_j)| <= fl(|scale| most). */
        if (!is_within || !(fabs(scale) * most <= radius)) {
            is_within = false; /* also for NaN */
            break;
        }
        for (size_t j = 0; j < n; j++)
            z[j] = (int32_t)(scale * b[j]);
    }
    return is_within;
}

/* z_j^2 <= 4^bits, so that 2^(63 - 2 bits) of them stay below 2^64. */
static size_t block_of(int bits)
{
    return (size_t)1 << (63 - 2 * bits);
}

CLIP_WIDE static bool wide_is_within(const int32_t *z, size_t n, int bits)
{
    size_t block = block_of(bits);
    uint128 total = 0;

    for (size_t begin = 0; begin < n; begin += block) {
        size_t end = n - begin < block ? n : begin + block;
        uint64_t part = 0;
        for (size_t j = begin; j < end; j++)
            part += (uint64_t)((int64_t)z[j] * z[j]);
        total += part;
    }
    return total <= (uint128)1 << 2 * bits;
}

bool clip_row(int32_t *z, const double *g, size_t n,
    const struct clip_grid *grid)
{
    double f = clip_factor(grid, clip_squares(g, n));

    return clip_scale(z, g, n, f, grid->radius);
}

bool clip_integers(int32_t *z, double *row, const uint64_t *sum, size_t n,
    const struct clip_grid *grid)
{
    struct clip_grid whole = {grid->radius, grid->bits, grid->radius};

    for (size_t j = 0; j < n; j++)
        row[j] = (double)(int64_t)sum[j];
    return clip_row(z, row, n, &whole);
}

CLIP_WIDE static void subtract(
    uint64_t *restrict sum, const int32_t *restrict z, size_t n)
{
    for (size_t j = 0; j < n; j++)
        sum[j] -= (uint64_t)(int64_t)z[j];
}

CLIP_WIDE static bool wide_add(
    uint64_t *restrict sum, const int32_t *restrict z, size_t n, int bits)
{
    size_t block = block_of(bits);
    uint128 total = 0;

    for (size_t begin = 0; begin < n; begin += block) {
        size_t end = n - begin < block ? n : begin + block;
        uint64_t part = 0;
        for (size_t j = begin; j < end; j++) {
            part += (uint64_t)((int64_t)z[j] * z[j]);
            sum[j] += (uint64_t)(int64_t)z[j];
        }
        total += part;
    }
    if (total <= (uint128)1 << 2 * bits)
        return true;
    subtract(sum, z, n); /* exact, modulo 2^64: z counts for nothing */
    return false;
}

double clip_squares(const double *g, size_t n)
{
    return wide_squares(g, n);
}

bool clip_scale(int32_t *restrict z, const double *restrict g, size_t n,
    double f, double radius)
{
    return wide_scale(z, g, n, f, radius);
}

bool clip_outer(int32_t *restrict z, const double *restrict a, size_t m,
    const double *restrict b, size_t n, double squares, double f,
    double radius)
{
    return wide_outer(z, a, m, b, n, squares, f, radius);
}

bool clip_is_within(const int32_t *z, size_t n, int bits)
{
    return wide_is_within(z, n, bits);
}

bool clip_add(
    uint64_t *restrict sum, const int32_t *restrict z, size_t n, int bits)
{
    return wide_add(sum, z, n, bits);
}
