/*
 * Construction of finite loss laws: from atoms, from a pair of lists, and
 * randomized response. Composition is in finite_compose.c, queries in
 * finite_query.c and finite_divergence.c. Derivation: docs/theory/finite.md.
 */
#include "finite_law.h"

#include "finite_law_impl.h"

#include <stdint.h>
#include <stdlib.h>

#include "special/binomial.h"
#include "num/exact_sum.h"

atom *finite_list(size_t n)
{
    if (n > SIZE_MAX / 4 / sizeof(atom))
        return NULL;
    return malloc((n > 0 ? n : 1) * sizeof(atom));
}

ball finite_ball(scaled x)
{
    if (x.e == 0 || ball_is_zero(x.m))
        return x.m;
    /* balls of mantissas stay below 2^300 */
    int64_t e = x.e < -1700 ? -1700 : x.e > 1700 ? 1700 : x.e;
    return ball_scale2(x.m, (int)e);
}

scaled finite_union(scaled a, scaled b)
{
    if (ball_is_zero(a.m))
        return b;
    ball not_a = ball_sub(ball_of(1), finite_ball(a));
    return scaled_add(a, scaled_mul_ball(b, not_a));
}

static int atom_compare(const void *a, const void *b)
{
    const ball *x = &((const atom *)a)->loss, *y = &((const atom *)b)->loss;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void finite_sort(atom *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (atom_compare(&list[i - 1], &list[i]) > 0) {
            qsort(list, n, sizeof *list, atom_compare);
            return;
        }
}

/* Adds b to a, whose loss then covers the losses of both. */
static void atom_merge(atom *a, const atom *b)
{
    ball x = {a->loss.hi, a->loss.lo, 0}, y = {b->loss.hi, b->loss.lo, 0};
    /* |x' - x| <= |x' - y| + |y - x| for every x' in the ball of b */
    double apart = ball_upper(ball_abs(ball_sub(y, x)));
    double reach = apart == 0 ? b->loss.rad : round_up(apart + b->loss.rad);
    a->loss.rad = fmax(a->loss.rad, reach);
    a->p = scaled_add(a->p, b->p);
    a->q = scaled_add(a->q, b->q);
}

/* Merges losses whose order is uncertain; returns the number left. */
static size_t finite_merge(atom *list, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        list[m++] = list[i];
        while (m > 1 && !ball_less(list[m - 2].loss, list[m - 1].loss)) {
            atom_merge(&list[m - 2], &list[m - 1]);
            m--;
        }
    }
    return m;
}

/* Drops atoms without mass; false if one is not an atom. */
static bool finite_check(atom *list, size_t *n)
{
    size_t m = 0;
    for (size_t i = 0; i < *n; i++) {
        const atom *a = &list[i];
        if (ball_is_unknown(a->p.m) || ball_is_unknown(a->q.m) ||
            isinf(a->p.m.hi) || isinf(a->q.m.hi))
            return false;
        if (ball_is_zero(a->p.m) && ball_is_zero(a->q.m))
            continue;
        if (ball_is_unknown(a->loss) || isinf(a->loss.hi))
            return false;
        list[m++] = *a;
    }
    *n = m;
    return true;
}

/* With t the midpoint of loss i and r its radius, the sum is its value at t,
 *     knot_i + p_i (1 - e^(t - L_i)), |t - L_i| <= r,
 * plus (e^t - e^eps) tail_q_i: terms >= 0 except the second, which only the
 * radius affects. */
scaled finite_excess_from(const finite_law *law, size_t i, ball eps)
{
    const atom *a = &law->atom[i];
    ball t = {a->loss.hi, a->loss.lo, 0}, off = {0, 0, a->loss.rad};
    scaled rise = scaled_mul(scaled_exp(t), law->tail_q[i]);
    rise = scaled_mul_ball(rise, ball_neg(ball_expm1(ball_sub(eps, t))));
    if (a->loss.rad > 0)
        rise = scaled_add(
            rise, scaled_mul_ball(a->p, ball_neg(ball_expm1(off))));
    return scaled_add(law->knot[i], rise);
}

static void finite_sum(finite_law *law)
{
    size_t n = law->n;
    law->tail_p[n] = law->tail_q[n] = law->head_p[0] = finite_zero();
    for (size_t i = n; i-- > 0;) {
        law->tail_p[i] = scaled_add(law->tail_p[i + 1], law->atom[i].p);
        law->tail_q[i] = scaled_add(law->tail_q[i + 1], law->atom[i].q);
    }
    for (size_t i = 0; i < n; i++)
        law->head_p[i + 1] = scaled_add(law->head_p[i], law->atom[i].p);
    for (size_t i = n; i-- > 0;) {
        ball t = {law->atom[i].loss.hi, law->atom[i].loss.lo, 0};
        law->knot[i] =
            i + 1 < n ? finite_excess_from(law, i + 1, t) : finite_zero();
    }
}

dosi_status finite_build(finite_law **out, atom *list, size_t n, scaled p_inf,
    scaled q_inf, dosi_error *err)
{
    *out = NULL;
    if (!finite_check(list, &n) || ball_is_unknown(p_inf.m) ||
        ball_is_unknown(q_inf.m)) {
        free(list);
        return dosi_fail(
            err, DOSI_EINVAL, "atoms: a loss or a mass is not a number");
    }
    finite_sort(list, n);
    n = finite_merge(list, n);
    finite_law *law = malloc(sizeof *law);
    scaled *sums = malloc(4 * (n + 1) * sizeof *sums);
    if (law == NULL || sums == NULL) {
        free(list);
        free(law);
        free(sums);
        return dosi_fail_memory(err);
    }
    *law = (finite_law){.n = n, .p_inf = p_inf, .q_inf = q_inf, .atom = list};
    law->tail_p = sums;
    law->tail_q = sums + (n + 1);
    law->head_p = sums + 2 * (n + 1);
    law->knot = sums + 3 * (n + 1);
    finite_sum(law);
    *out = law;
    return DOSI_OK;
}

void finite_free(finite_law *law)
{
    if (law == NULL)
        return;
    free(law->atom);
    free(law->tail_p); /* all sums share one block */
    free(law);
}

dosi_status finite_from_losses(finite_law **out, const ball *loss,
    const ball *log_mass, size_t n, ball p_inf, ball q_inf, dosi_error *err)
{
    *out = NULL;
    atom *list = finite_list(n);
    if (list == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        list[i] = (atom){loss[i], scaled_exp(log_mass[i]),
            scaled_exp(ball_sub(log_mass[i], loss[i]))};
    return finite_build(
        out, list, n, scaled_of(p_inf), scaled_of(q_inf), err);
}

/* A list with its exact sum. */
typedef struct weights {
    const double *w;
    exact_sum sum;
    ball mantissa; /* sum = mantissa 2^exponent */
    int exponent;
} weights;

static dosi_status weights_read(
    weights *out, const double *w, size_t n, const char *name, dosi_error *err)
{
    *out = (weights){.w = w};
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] >= 0 && w[i] <= DBL_MAX))
            return dosi_fail(err, DOSI_EINVAL,
                "%s[%zu] must be non-negative and finite, got %g", name, i,
                w[i]);
        total += w[i];
    }
    if (!(total > 0 && total <= DBL_MAX / 2))
        return dosi_fail(err, DOSI_EINVAL,
            "the sum of %s must be positive and finite, got %g", name, total);
    for (size_t i = 0; i < n; i++)
        exact_sum_add(&out->sum, w[i]);
    (void)frexp(total, &out->exponent);
    out->mantissa = exact_sum_ball(&out->sum, -out->exponent);
    return DOSI_OK;
}

/* The mass w_i / sum. */
static scaled weights_mass(const weights *x, size_t i)
{
    if (x->w[i] == 0)
        return finite_zero();
    int e = 0;
    double m = frexp(x->w[i], &e);
    return (scaled){ball_div(ball_of(m), x->mantissa), e - x->exponent};
}

/*
 * log(a / b) with a = p_i S_q, b = q_i S_p, S the sums. If a and b may be
 * close, it is log(1 + (a - b) / b) with
 *     a - b = p_i (S_q - S_p) + (p_i - q_i) S_p,
 * whose differences are exact: the loss keeps its digits however small, and is
 * exactly 0 if p_i = q_i and the sums are equal. gap is S_q - S_p over
 * 2^exponent of S_p.
 */
static ball weights_loss(const weights *p, const weights *q, size_t i, ball gap)
{
    int e_p = 0, e_q = 0;
    double m_p = frexp(p->w[i], &e_p), m_q = frexp(q->w[i], &e_q);
    int e = e_p - e_q + q->exponent - p->exponent;
    if (e >= -2 && e <= 2 && abs(e_p - e_q) < 100) {
        ball x = ball_of(ldexp(m_p, e_p - e_q)), y = ball_of(m_q);
        ball difference =
            ball_add(ball_mul(x, gap), ball_mul(ball_sub(x, y), p->mantissa));
        return ball_log1p(ball_div(difference, ball_mul(y, p->mantissa)));
    }
    ball a = ball_mul(ball_of(m_p), q->mantissa);
    ball b = ball_mul(ball_of(m_q), p->mantissa);
    return ball_add(ball_log(ball_div(a, b)), ball_mul_d(ball_ln2(), e));
}

dosi_status finite_from_pair(finite_law **out, const double *p, const double *q,
    size_t n, dosi_error *err)
{
    *out = NULL;
    weights of_p, of_q;
    dosi_status status = weights_read(&of_p, p, n, "p", err);
    if (status == DOSI_OK)
        status = weights_read(&of_q, q, n, "q", err);
    if (status != DOSI_OK)
        return status;
    exact_sum difference = of_q.sum;
    for (size_t i = 0; i < of_p.sum.n; i++)
        exact_sum_add(&difference, -of_p.sum.part[i]);
    ball gap = exact_sum_ball(&difference, -of_p.exponent);
    atom *list = finite_list(n);
    if (list == NULL)
        return dosi_fail_memory(err);
    scaled p_inf = finite_zero(), q_inf = finite_zero();
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        scaled mass_p = weights_mass(&of_p, i);
        scaled mass_q = weights_mass(&of_q, i);
        if (q[i] == 0)
            p_inf = scaled_add(p_inf, mass_p);
        else if (p[i] == 0)
            q_inf = scaled_add(q_inf, mass_q);
        else
            list[m++] =
                (atom){weights_loss(&of_p, &of_q, i, gap), mass_p, mass_q};
    }
    return finite_build(out, list, m, p_inf, q_inf, err);
}

dosi_status finite_leaky_response(
    finite_law **out, ball eps0, ball delta0, dosi_error *err)
{
    *out = NULL;
    if (!ball_is_nonnegative(eps0) || isinf(eps0.hi) ||
        !ball_is_nonnegative(delta0) || !(ball_upper(delta0) <= 1))
        return dosi_fail(err, DOSI_EINVAL,
            "response: epsilon must be non-negative and finite and delta "
            "in [0, 1], got %g and %g",
            ball_mid(eps0), ball_mid(delta0));
    atom *list = finite_list(2);
    if (list == NULL)
        return dosi_fail_memory(err);
    ball_coin coin = ball_coin_of_log_odds(eps0);
    ball stay = ball_log1p(ball_neg(delta0));
    scaled truth = scaled_exp(ball_add(stay, coin.log_p));
    scaled lie = scaled_exp(ball_add(stay, coin.log_q));
    list[0] = (atom){ball_neg(eps0), lie, truth};
    list[1] = (atom){eps0, truth, lie};
    scaled leak = scaled_of(delta0);
    return finite_build(out, list, 2, leak, leak, err);
}

dosi_status finite_randomized_response(
    finite_law **out, ball epsilon, double categories, dosi_error *err)
{
    *out = NULL;
    if (!ball_is_nonnegative(epsilon) || isinf(epsilon.hi) ||
        !(categories >= 2 && categories <= 0x1p53) ||
        floor(categories) != categories)
        return dosi_fail(err, DOSI_EINVAL,
            "rr: epsilon must be non-negative and finite and categories an "
            "integer in [2, 2^53], got %g and %g",
            ball_mid(epsilon), categories);
    atom *list = finite_list(3);
    if (list == NULL)
        return dosi_fail_memory(err);
    /* the true answer has mass 1 / (1 + (c-1) e^-eps), each other e^-eps of
     * that */
    ball lies = ball_mul_d(ball_exp(ball_neg(epsilon)), categories - 1);
    ball log_truth = ball_neg(ball_log1p(lies));
    scaled truth = scaled_exp(log_truth);
    scaled lie = scaled_exp(ball_sub(log_truth, epsilon));
    scaled others = scaled_mul_ball(lie, ball_of(categories - 2));
    list[0] = (atom){ball_neg(epsilon), lie, truth};
    list[1] = (atom){ball_of(0), others, others};
    list[2] = (atom){epsilon, truth, lie};
    return finite_build(out, list, 3, finite_zero(), finite_zero(), err);
}

size_t finite_count(const finite_law *law)
{
    return law->n;
}

ball finite_loss(const finite_law *law, size_t i)
{
    return law->atom[i].loss;
}

ball finite_log_mass(const finite_law *law, size_t i)
{
    return scaled_log(law->atom[i].p);
}

scaled finite_mass(const finite_law *law, size_t i)
{
    return law->atom[i].p;
}

ball finite_mass_from(const finite_law *law, size_t i)
{
    return finite_ball(law->tail_p[i]);
}

size_t finite_tail_start(const finite_law *law, double log_mass)
{
    size_t lo = 0, hi = law->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (ball_upper(scaled_log(law->tail_p[mid])) <= log_mass)
            hi = mid;
        else
            lo = mid + 1;
    }
    return hi;
}

ball finite_p_inf(const finite_law *law)
{
    return finite_ball(law->p_inf);
}

ball finite_q_inf(const finite_law *law)
{
    return finite_ball(law->q_inf);
}
