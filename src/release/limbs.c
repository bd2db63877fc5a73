/*
 * Unsigned fixed point of any width with directed rounding: sums, products,
 * quotients, shifts and exp(-y). Derivation: docs/theory/release_choices.md,
 * section 2.
 */
#include "limbs.h"

#include <string.h>

/* ---- Sums -------------------------------------------------------------- */

void limbs_set(uint64_t *r, uint64_t whole, size_t n)
{
    memset(r, 0, n * sizeof *r);
    r[n - 1] = whole;
}

int limbs_compare(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

bool limbs_is_zero(const uint64_t *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != 0)
            return false;
    return true;
}

uint64_t limbs_add(
    uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    uint128 sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (uint128)a[i] + b[i];
        r[i] = (uint64_t)sum;
        sum >>= 64;
    }
    return (uint64_t)sum;
}

uint64_t limbs_sub(
    uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++) {
        uint128 difference = (uint128)a[i] - b[i] - borrow;
        r[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return borrow;
}

bool limbs_step(uint64_t *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (++r[i] != 0)
            return true;
    return false;
}

/* ---- Products and quotients -------------------------------------------- */

/* all = a b, of 2 n limbs */
static void product_all(
    uint64_t *all, const uint64_t *a, const uint64_t *b, size_t n)
{
    memset(all, 0, 2 * n * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        if (a[i] == 0)
            continue;
        uint64_t carry = 0;
        for (size_t j = 0; j < n; j++) {
            /* (2^64 - 1)^2 + 2 (2^64 - 1) < 2^128 */
            uint128 t = (uint128)a[i] * b[j] + all[i + j] + carry;
            all[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        all[i + n] = carry;
    }
}

bool limbs_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n,
    bool is_upper, uint64_t *work)
{
    product_all(work, a, b, n);
    bool is_exact = limbs_is_zero(work, n - 1);
    bool is_small = work[2 * n - 1] == 0;
    memcpy(r, work + n - 1, n * sizeof *r);
    if (is_upper && !is_exact)
        is_small = limbs_step(r, n) && is_small;
    return is_small;
}

bool limbs_div(uint64_t *r, const uint64_t *a, uint64_t divisor, size_t n,
    bool is_upper)
{
    uint64_t rest = 0;
    for (size_t i = n; i-- > 0;) {
        uint128 t = (uint128)rest << 64 | a[i];
        r[i] = (uint64_t)(t / divisor);
        rest = (uint64_t)(t % divisor);
    }
    return !(is_upper && rest != 0) || limbs_step(r, n);
}

bool limbs_shift(
    uint64_t *r, const uint64_t *a, int bits, size_t n, bool is_upper)
{
    size_t count = (size_t)(bits < 0 ? -bits : bits);
    size_t whole = count / 64;
    unsigned part = (unsigned)(count % 64);
    bool is_exact = true, is_small = true;

    for (size_t i = 0; i < n; i++) {
        /* the two limbs of a whose bits come to r[i]: high part, low part */
        size_t from = bits < 0 ? i + whole : i - whole;
        size_t beside = bits < 0 ? from + 1 : from - 1;
        uint64_t main = from < n ? a[from] : 0; /* i < whole wraps: >= n */
        uint64_t next = part != 0 && beside < n ? a[beside] : 0;
        if (part == 0)
            r[i] = main;
        else if (bits < 0)
            r[i] = main >> part | next << (64 - part);
        else
            r[i] = main << part | next >> (64 - part);
    }
    for (size_t i = 0; i < n; i++) {
        if (bits < 0 && a[i] != 0 &&
            (i < whole || (i == whole && part != 0 &&
                              a[i] << (64 - part) != 0)))
            is_exact = false;
        if (bits > 0 && a[i] != 0 &&
            (i + whole >= n || (i + whole == n - 1 && part != 0 &&
                                   a[i] >> (64 - part) != 0)))
            is_small = false;
    }
    if (is_upper && !is_exact)
        is_small = limbs_step(r, n) && is_small;
    return is_small;
}

static int length_of(uint128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high != 0)
        return 128 - __builtin_clzll(high);
    return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* Long division, bit by bit: the quotient is that of the integer
 * numerator 2^(shift + 64 (n - 1)), whose last bits are cut off if that
 * exponent is negative. */
bool limbs_ratio(uint64_t *r, uint128 numerator, int shift,
    uint128 denominator, size_t n, bool is_upper)
{
    int length = length_of(numerator);
    long total = (long)length + shift + 64 * ((long)n - 1);
    uint128 rest = 0;
    bool is_exact = true;

    limbs_set(r, 0, n);
    for (long i = 0; i < total; i++) {
        bool carry = rest >> 127 != 0;
        uint128 bit = i < length ? numerator >> (length - 1 - i) & 1 : 0;
        rest = rest << 1 | bit;
        if (!carry && rest < denominator)
            continue;
        rest -= denominator; /* modulo 2^128 if there is a carry */
        size_t place = (size_t)(total - 1 - i);
        if (place >= 64 * n)
            return false;
        r[place / 64] |= (uint64_t)1 << place % 64;
    }
    if (total < length)
        is_exact = total <= 0
                       ? numerator == 0
                       : numerator << (128 - (length - total)) == 0;
    if (is_upper && !(is_exact && rest == 0))
        return limbs_step(r, n);
    return true;
}

/* ---- exp(-y) ----------------------------------------------------------- */

/*
 * exp(-x) for x < 2^-16 and m limbs by s_(k-1) = 1 - x s_k / k, s_0 =
 * exp(-x): s_k = k! sum_i (-x)^i/(k+i)! alternates and falls, hence is in
 * [0, 1], where this starts; x^k/k! < 2^(-16 k) is below the unit at
 * k = 4 (m - 1). Each step errs by at most 2 units more than x/k of the last
 * one's error: less than 3 units in all.
 */
static void exp_series(uint64_t *lo, uint64_t *hi, const uint64_t *x, size_t m,
    uint64_t *one, uint64_t *work)
{
    limbs_set(one, 1, m);
    limbs_set(lo, 0, m);
    limbs_set(hi, 1, m);
    for (uint64_t k = 4 * (m - 1); k > 0; k--) {
        /* the products are at most x (1 + 2 units) < 1: nothing overflows */
        (void)limbs_mul(hi, x, hi, m, true, work);
        (void)limbs_div(hi, hi, k, m, true);
        (void)limbs_mul(lo, x, lo, m, false, work);
        (void)limbs_div(lo, lo, k, m, false);
        (void)limbs_sub(lo, one, lo, m);
        (void)limbs_sub(hi, one, hi, m);
        for (size_t i = 0; i < m; i++) { /* 1 - upper is the lower end */
            uint64_t kept = lo[i];
            lo[i] = hi[i];
            hi[i] = kept;
        }
    }
}

/*
 * With one limb more within, so m = n + 1: y 2^-j < 2^-16 is exact, because
 * j <= 64. The j squarings double the error of exp_series and add a unit
 * each: 2^(j+2) units of m limbs, j <= 22 + log2(n), less than one of n.
 */
void limbs_exp_neg(uint64_t *lo, uint64_t *hi, const uint64_t *y, size_t n,
    uint64_t *work)
{
    size_t m = n + 1;
    uint64_t *x = work, *low = work + m, *high = work + 2 * m;
    uint64_t *scratch = work + 3 * m, *one = work + 5 * m;

    limbs_set(lo, 0, n);
    limbs_set(hi, 0, n);
    if (y[n - 1] >= 64 * (uint64_t)(n - 1)) { /* e^-y < 2^-y <= unit */
        hi[0] = 1;
        return;
    }
    int j = 0;
    if (y[n - 1] != 0)
        j = 80 - __builtin_clzll(y[n - 1]);
    else if (n > 1 && y[n - 2] != 0 && __builtin_clzll(y[n - 2]) < 16)
        j = 16 - __builtin_clzll(y[n - 2]);

    low[0] = 0;
    memcpy(low + 1, y, n * sizeof *y);
    (void)limbs_shift(x, low, -j, m, false);
    exp_series(low, high, x, m, one, scratch);
    for (int i = 0; i < j; i++) { /* both are at most 1 */
        (void)limbs_mul(low, low, low, m, false, scratch);
        (void)limbs_mul(high, high, high, m, true, scratch);
    }
    memcpy(lo, low + 1, n * sizeof *lo);
    memcpy(hi, high + 1, n * sizeof *hi);
    if (high[0] != 0)
        (void)limbs_step(hi, n);
    if (hi[n - 1] > 0) /* exp(-y) <= 1 */
        limbs_set(hi, 1, n);
}
