/*
 * Finite laws from finite laws: composition, and k-fold composition by
 * multinomial masses or by squaring. Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

#include <stdlib.h>

#include "special/binomial.h"

/* Greatest number of atoms of laws whose powers are composed by multinomial
 * masses; others are composed by convolution. */
#define MULTINOMIAL_ATOMS 8

static dosi_status fail_terms(double n, size_t most, dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE,
        "composing needs %.3g terms, more than the limit of %zu", n, most);
}

dosi_status finite_convolve(finite_law **out, const finite_law *a,
    const finite_law *b, size_t max_terms, dosi_error *err)
{
    *out = NULL;
    if (max_terms == 0)
        max_terms = FINITE_MAX_TERMS;
    if (a->n > 0 && b->n > max_terms / a->n)
        return fail_terms((double)a->n * (double)b->n, max_terms, err);
    atom *list = finite_list(a->n * b->n);
    if (list == NULL)
        return dosi_fail_memory(err);
    size_t m = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            const atom *x = &a->atom[i], *y = &b->atom[j];
            list[m++] = (atom){ball_add(x->loss, y->loss),
                scaled_mul(x->p, y->p), scaled_mul(x->q, y->q)};
        }
    return finite_build(out, list, m, finite_union(a->p_inf, b->p_inf),
        finite_union(a->q_inf, b->q_inf), err);
}

dosi_status finite_add_response(
    finite_law **law, ball epsilon, ball delta, dosi_error *err)
{
    finite_law *one = NULL, *both = NULL;
    dosi_status status = finite_leaky_response(&one, epsilon, delta, err);
    if (status == DOSI_OK && *law == NULL) {
        *law = one;
        return DOSI_OK;
    }
    if (status == DOSI_OK)
        status = finite_convolve(&both, *law, one, 0, err);
    finite_free(one);
    if (status == DOSI_OK) {
        finite_free(*law);
        *law = both;
    }
    return status;
}

/* The probability 1 - (1 - x)^k of an event of probability x in k runs. */
static scaled probability_of_any(scaled x, double k)
{
    if (ball_is_zero(x.m) || k == 1)
        return x;
    if (x.e < -600) {
        /* k x (1 - k x / 2) < the probability < k x, where k x < 2^53 2^200
         * 2^-600 */
        scaled sum = scaled_mul_ball(x, ball_of(k));
        sum.m = ball_widen(sum.m, fabs(sum.m.hi) * 0x1p-340);
        return sum;
    }
    ball once = ball_sub(ball_of(1), finite_ball(x));
    if (!ball_is_positive(once)) { /* 0 <= (1 - x)^k <= 1 - x */
        double most = fmin(1, fmax(0, ball_upper(once)));
        return scaled_of(
            ball_of_interval(iv_make(most == 0 ? 1 : round_down(1 - most), 1)));
    }
    ball log_never = ball_mul_d(ball_log1p(ball_neg(finite_ball(x))), k);
    return scaled_of(ball_neg(ball_expm1(log_never)));
}

/* Enumerates all (n_1, ..., n_m) with sum k. */
typedef struct multinomial {
    const finite_law *law;
    const ball *log_factorial;
    ball log_p[MULTINOMIAL_ATOMS];
    ball log_q[MULTINOMIAL_ATOMS];
    atom *list;
    size_t n;
} multinomial;

/* Partial sums over the atoms below the level; weight is log k! minus the
 * logarithms of the factorials so far. */
typedef struct partial {
    ball loss;
    ball weight;
    ball log_p;
    ball log_q;
} partial;

static partial partial_add(
    const multinomial *w, partial x, size_t level, size_t n)
{
    if (n == 0)
        return x;
    double m = (double)n;
    x.loss = ball_add(x.loss, ball_mul_d(w->law->atom[level].loss, m));
    x.weight = ball_sub(x.weight, w->log_factorial[n]);
    x.log_p = ball_add(x.log_p, ball_mul_d(w->log_p[level], m));
    x.log_q = ball_add(x.log_q, ball_mul_d(w->log_q[level], m));
    return x;
}

static void multinomial_walk(
    multinomial *w, size_t level, size_t left, partial x)
{
    if (left == 0 || level + 1 == w->law->n) {
        x = partial_add(w, x, level, left);
        w->list[w->n++] =
            (atom){x.loss, scaled_exp(ball_add(x.weight, x.log_p)),
                scaled_exp(ball_add(x.weight, x.log_q))};
        return;
    }
    /* the lowest atom first: losses come in order when there are two */
    for (size_t rest = 0; rest <= left; rest++)
        multinomial_walk(
            w, level + 1, rest, partial_add(w, x, level, left - rest));
}

/* C(k + m - 1, m - 1), the number of terms, or something above the limit. */
static double multinomial_count(double k, size_t m, double limit)
{
    double count = 1;
    for (size_t i = 1; i < m && count <= 2 * limit; i++)
        count *= (k + (double)i) / (double)i;
    return count;
}

/* Encloses log n! for n = 0..k: sums of logarithms, begun anew every 64 terms
 * so that their radii stay small. */
static ball *log_factorials(size_t k)
{
    ball *table = malloc((k + 1) * sizeof *table);
    if (table == NULL)
        return NULL;
    table[0] = ball_of(0);
    for (size_t n = 1; n <= k; n++)
        table[n] = n % 64 == 0
                       ? ball_log_factorial((double)n)
                       : ball_add(table[n - 1], ball_log(ball_of((double)n)));
    return table;
}

static dosi_status power_multinomial(finite_law **out, const finite_law *law,
    double k, size_t count, dosi_error *err)
{
    multinomial w = {.law = law};
    ball *table = log_factorials((size_t)k);
    w.log_factorial = table;
    w.list = finite_list(count);
    if (table == NULL || w.list == NULL) {
        free(table);
        free(w.list);
        return dosi_fail_memory(err);
    }
    for (size_t i = 0; i < law->n; i++) {
        w.log_p[i] = scaled_log(law->atom[i].p);
        w.log_q[i] = scaled_log(law->atom[i].q);
    }
    partial start = {{0, 0, 0}, table[(size_t)k], {0, 0, 0}, {0, 0, 0}};
    multinomial_walk(&w, 0, (size_t)k, start);
    free(table);
    return finite_build(out, w.list, w.n, probability_of_any(law->p_inf, k),
        probability_of_any(law->q_inf, k), err);
}

/* The power of a law with at most one finite loss. */
static dosi_status power_single(
    finite_law **out, const finite_law *law, double k, dosi_error *err)
{
    atom *list = finite_list(1);
    if (list == NULL)
        return dosi_fail_memory(err);
    if (law->n == 1) {
        const atom *a = &law->atom[0];
        list[0] = (atom){ball_mul_d(a->loss, k),
            scaled_exp(ball_mul_d(scaled_log(a->p), k)),
            scaled_exp(ball_mul_d(scaled_log(a->q), k))};
    }
    return finite_build(out, list, law->n, probability_of_any(law->p_inf, k),
        probability_of_any(law->q_inf, k), err);
}

#define GROWTH_SAMPLE 64

static int by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

/* Estimates how many times as many losses two runs have as one, from
 * neighbouring losses in doubles; 2 on a lattice. */
static double growth_of(const finite_law *law)
{
    double sums[GROWTH_SAMPLE * (GROWTH_SAMPLE + 1) / 2] = {0};
    size_t n = law->n < GROWTH_SAMPLE ? law->n : GROWTH_SAMPLE, from =
        (law->n - n) / 2;
    size_t m = 0, distinct = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            sums[m++] = law->atom[from + i].loss.hi +
                        law->atom[from + j].loss.hi;
    qsort(sums, m, sizeof *sums, by_size);
    double near = 1e-13 * fmax(fabs(sums[0]), fabs(sums[m - 1]));
    for (size_t i = 1; i < m; i++)
        distinct += sums[i] - sums[i - 1] > near ? 1 : 0;
    return (double)distinct / (double)n;
}

/* A lower bound of the terms of the largest product on the way to a power, if
 * the number of losses grows as it does in the first product. m and n losses
 * have at least m + n - 1 sums. */
static double squaring_terms(const finite_law *law, double k)
{
    double growth = growth_of(law), base = (double)law->n;
    double result = 0, most = 0;
    while (k > 0 && most < 0x1p60) {
        if (fmod(k, 2) == 1) {
            most = fmax(most, result * base);
            result = result > 0 ? result + base - 1 : base;
        }
        k = floor(k / 2);
        if (k > 0)
            most = fmax(most, base * base);
        base = fmax(growth * base, 2 * base - 1);
    }
    return most;
}

/* Composes by repeated squaring; losses on a lattice merge on the way. */
static dosi_status power_squaring(finite_law **out, const finite_law *law,
    double k, size_t max_terms, dosi_error *err)
{
    finite_law *result = NULL, *base = NULL, *next = NULL;
    dosi_status status = finite_copy(&base, law, err);
    while (status == DOSI_OK && base != NULL) {
        if (fmod(k, 2) == 1) {
            status = result == NULL
                         ? finite_copy(&next, base, err)
                         : finite_convolve(&next, result, base, max_terms, err);
            if (status != DOSI_OK)
                break;
            finite_free(result);
            result = next;
        }
        k = floor(k / 2);
        if (k == 0)
            break;
        status = finite_convolve(&next, base, base, max_terms, err);
        if (status != DOSI_OK)
            break;
        finite_free(base);
        base = next;
    }
    finite_free(base);
    if (status != DOSI_OK) {
        finite_free(result);
        result = NULL;
    }
    *out = result;
    return status;
}

/* The number of terms of the chosen method: multinomial masses, or products of
 * squares, for which a number above the limit is returned if they would exceed
 * it. */
static double power_terms(
    const finite_law *law, double k, double limit, bool *by_masses)
{
    *by_masses = false;
    if (k <= 1 || law->n <= 1)
        return 1;
    double count = multinomial_count(k, law->n, limit);
    *by_masses = law->n <= MULTINOMIAL_ATOMS && count <= limit;
    if (*by_masses)
        return count;
    /* distinct losses of a power: at least k (n - 1) + 1 */
    double least = k * (double)(law->n - 1) + 1;
    if (least > limit)
        return least;
    /* decline before the first products, which take long */
    double terms = squaring_terms(law, k);
    return terms > 2 * limit ? terms : least;
}

size_t finite_power_min_atoms(const finite_law *law, double k, size_t max_terms)
{
    if (k == 0 || law->n == 0)
        return 1;
    bool by_masses = false;
    double limit = (double)(max_terms > 0 ? max_terms : FINITE_MAX_TERMS);
    if (power_terms(law, k, limit, &by_masses) > limit)
        return 0;
    double least = k * (double)(law->n - 1) + 1;
    return least <= limit ? (size_t)least : (size_t)limit;
}

dosi_status finite_power(finite_law **out, const finite_law *law, double k,
    size_t max_terms, dosi_error *err)
{
    *out = NULL;
    if (max_terms == 0)
        max_terms = FINITE_MAX_TERMS;
    if (!(k >= 0 && k <= 0x1p53 && floor(k) == k))
        return dosi_fail(err, DOSI_EINVAL,
            "power: the count must be an integer in [0, 2^53], got %g", k);
    if (k == 0)
        return finite_identity(out, err);
    if (k == 1)
        return finite_copy(out, law, err);
    if (law->n <= 1)
        return power_single(out, law, k, err);
    bool by_masses = false;
    double terms = power_terms(law, k, (double)max_terms, &by_masses);
    if (by_masses)
        return power_multinomial(out, law, k, (size_t)(terms + 0.5), err);
    if (terms > (double)max_terms)
        return fail_terms(terms, max_terms, err);
    return power_squaring(out, law, k, max_terms, err);
}
