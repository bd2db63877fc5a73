/*
 * One gradient to integers on a grid, within an exact L2 ball.
 * docs/theory/release_training.md 2. Floating-point errors are harmless: the
 * bound is checked in integers, and what fails it counts for nothing.
 */
#ifndef DOSI_RELEASE_TRAIN_CLIP_H
#define DOSI_RELEASE_TRAIN_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks functions that are compiled a second time for wider registers, with the
 * operations in the order of the source. Not under sanitizers, whose resolvers
 * run too late. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define CLIP_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CLIP_WIDE
#endif

#define CLIP_MIN_BITS 12
#define CLIP_DEFAULT_BITS 24
#define CLIP_MAX_BITS 30

/* Norm clip becomes radius = 2^bits. */
struct clip_grid {
    double clip;
    int bits;
    double radius;
};

/* requires  clip positive and finite, bits 12 to 30 */
struct clip_grid clip_grid_of(double clip, int bits);

/* Sum of squares in eight lanes by index, added in a fixed order. */
double clip_squares(const double *g, size_t n);

/* f = min(1, C / norm) (R / C) (1 - 2^-40), norm^2 = squares; 0 when squares
 * is NaN or infinite. */
double clip_factor(const struct clip_grid *grid, double squares);

/* z_j = trunc(f g_j); false when some |f g_j| <= R fails, as with NaN: z is
 * then of no use. */
bool clip_scale(int32_t *restrict z, const double *restrict g, size_t n,
    double f, double radius);

/* z[i * n + j] = trunc(f a_i b_j), i < m, j < n: the gradient of a layer.
 * squares is clip_squares(b, n). Returns false as clip_scale does. */
bool clip_outer(int32_t *restrict z, const double *restrict a, size_t m,
    const double *restrict b, size_t n, double squares, double f,
    double radius);

/* Whether sum z_j^2 <= 4^bits, exactly. requires  |z_j| <= 2^bits */
bool clip_is_within(const int32_t *z, size_t n, int bits);

/* z of a whole row, by clip_scale. */
bool clip_row(int32_t *z, const double *g, size_t n,
    const struct clip_grid *grid);

/* z of integers, as the sum of a person's rows, within the same ball; row is
 * working memory for n numbers. */
bool clip_integers(int32_t *z, double *row, const uint64_t *sum, size_t n,
    const struct clip_grid *grid);

/*
 * sum_j += z_j modulo 2^64 if sum z_j^2 <= 4^bits, exactly; else the sum is as
 * it was, and false is returned (never seen, by the factor 1 - 2^-40).
 * requires  |z_j| <= 2^bits
 */
bool clip_add(
    uint64_t *restrict sum, const int32_t *restrict z, size_t n, int bits);

#endif
