/*
 * Sums of cumulants and their two questions. Derivation:
 * docs/theory/without_replacement.md, section 4.
 */
#include "moments.h"

#include "moments_search.h"

/* Range of lambda that is searched. */
#define LOWEST 0x1p-60
#define HIGHEST 0x1p60

/* ---- The sum ----------------------------------------------------------- */

ball moments_at(const moments_sum *sum, ball lambda)
{
    ball k = ball_of(0);
    for (size_t i = 0; i < sum->n_terms; i++) {
        const moments_term *t = &sum->terms[i];
        if (t->count > 0)
            k = ball_add(
                k, ball_mul_d(t->cumulant(lambda, t->context), t->count));
    }
    return k;
}

/* sum_i count_i x_i; an absent mechanism adds nothing, whatever its x. */
static ball weighted(const moments_sum *sum, ball (*of)(const moments_term *))
{
    ball x = ball_of(0);
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0)
            x = ball_add(
                x, ball_mul_d(of(&sum->terms[i]), sum->terms[i].count));
    return x;
}

static ball kl_of(const moments_term *t)
{
    return t->kl;
}

static ball pure_of(const moments_term *t)
{
    return t->pure;
}

static ball log_atom_of(const moments_term *t)
{
    return t->log_atom;
}

ball moments_kl(const moments_sum *sum)
{
    return weighted(sum, kl_of);
}

ball moments_pure(const moments_sum *sum)
{
    return weighted(sum, pure_of);
}

static bool has_bound(const moments_sum *sum)
{
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0 && sum->terms[i].is_bound)
            return true;
    return false;
}

static bool has_law(const moments_sum *sum)
{
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0 && !sum->terms[i].is_bound)
            return true;
    return false;
}

/* ---- Queries ----------------------------------------------------------- */

moments_optimum moments_epsilon_between(
    const moments_sum *sum, ball log_inverse_delta, double low, double high)
{
    moments_search s = {sum, true, log_inverse_delta, low, high, false, 0};
    if (high > low)
        return moments_minimum(&s, sqrt(low) * sqrt(high));
    moments_probe p = moments_probe_at(&s, low);
    return (moments_optimum){
        p.value, p.lambda, ball_interval(p.value), iv_point(p.lambda), 1};
}

static void keep_better(moments_probe *best, const moments_probe *p)
{
    if (moments_difference(p, best) < 0)
        *best = *p;
}

/* The best whole lambda in [low, high], by thirds. */
static void refine_whole(
    moments_search *s, moments_probe *best, double low, double high)
{
    while (high - low > 2) {
        double third = floor((high - low) / 3);
        moments_probe a = moments_probe_at(s, low + third);
        moments_probe b = moments_probe_at(s, high - third);
        keep_better(best, &a);
        keep_better(best, &b);
        if (moments_difference(&b, &a) < 0)
            low = a.lambda;
        else
            high = b.lambda;
    }
    if (high - low == 2) {
        moments_probe middle = moments_probe_at(s, low + 1);
        keep_better(best, &middle);
    }
}

/* The best lambda in [low, high], where the sum is convex. */
static void refine_real(
    moments_search *s, moments_probe *best, double low, double high)
{
    s->low = low;
    s->high = high;
    s->is_open = false;
    double at = moments_minimum(s, best->lambda).lambda;
    moments_probe p = moments_probe_at(s, at);
    keep_better(best, &p);
}

#define N_OCTAVES 55
#define FIRST_OCTAVE (-30)

/*
 * With bounds among the terms there may be several local minima: whole
 * lambda around each octave that is lower than its neighbours, then the
 * intervals next to the best one, when laws bend there. On (0, 1] bounds are
 * linear, too.
 */
static moments_optimum bounded_minimum(moments_search *s)
{
    moments_probe octaves[N_OCTAVES];
    for (int i = 0; i < N_OCTAVES; i++)
        octaves[i] = moments_probe_at(s, ldexp(1, FIRST_OCTAVE + i));
    moments_probe best = octaves[-FIRST_OCTAVE];
    for (int i = 0; i < N_OCTAVES; i++) {
        int left = i > 0 ? i - 1 : i, right = i + 1 < N_OCTAVES ? i + 1 : i;
        keep_better(&best, &octaves[i]);
        if (moments_difference(&octaves[i], &octaves[left]) > 0 ||
            moments_difference(&octaves[i], &octaves[right]) > 0)
            continue;
        double low = octaves[left].lambda, high = octaves[right].lambda;
        if (low < 1)
            refine_real(s, &best, low, fmin(high, 1));
        if (high > 1)
            refine_whole(s, &best, fmax(low, 1), high);
    }
    double whole = best.lambda;
    if (has_law(s->sum) && whole >= 1) {
        refine_real(s, &best, fmax(whole - 1, 0x1p-30), whole);
        refine_real(s, &best, whole, whole + 1);
    }
    return (moments_optimum){best.value, best.lambda,
        {-HUGE_VAL, ball_upper(best.value)}, {0, HUGE_VAL}, s->n_evaluations};
}

static moments_optimum at_infinity(ball value)
{
    return (moments_optimum){
        value, HUGE_VAL, ball_interval(value), iv_point(HUGE_VAL), 0};
}

/* A start near the minimum for a Gaussian of this divergence. */
static double start_of(double given, double kl)
{
    double x = sqrt(given / kl);
    return x > LOWEST && x < HIGHEST ? x : 1;
}

moments_optimum moments_epsilon(const moments_sum *sum, ball log_inverse_delta)
{
    ball pure = moments_pure(sum);
    if (isinf(log_inverse_delta.hi) || ball_is_zero(pure))
        return at_infinity(pure);
    moments_search s = {sum, true, log_inverse_delta, LOWEST, HIGHEST, true, 0};
    bool is_bound = has_bound(sum), finite = !ball_is_infinite(pure);
    ball excess = ball_of(-HUGE_VAL);
    if (finite && !is_bound) {
        /* c + K(lambda) - lambda pure falls to c + sum count log_atom: while
         * that is >= 0, no lambda beats the pure level */
        ball atoms = weighted(sum, log_atom_of);
        excess = ball_add(log_inverse_delta, atoms);
        if (ball_is_nonnegative(excess))
            return at_infinity(pure);
    }
    double start =
        start_of(ball_mid(log_inverse_delta), ball_mid(moments_kl(sum)));
    moments_optimum out =
        is_bound ? bounded_minimum(&s) : moments_minimum(&s, start);
    if (!finite)
        return out;
    if (!ball_is_negative(excess))
        out.argument.hi = HUGE_VAL;
    if (ball_mid(pure) <= ball_mid(out.value)) {
        out.value = pure;
        out.lambda = HUGE_VAL;
        out.argument.hi = HUGE_VAL;
    }
    out.least = iv_min(out.least, ball_interval(pure));
    return out;
}

moments_optimum moments_log_delta(const moments_sum *sum, ball eps)
{
    ball pure = moments_pure(sum);
    if (ball_less_equal(pure, eps))
        return at_infinity(ball_of(-HUGE_VAL));
    bool is_bound = has_bound(sum);
    ball kl = moments_kl(sum);
    if (!is_bound && ball_less_equal(eps, kl))
        return (moments_optimum){ball_of(0), 0, iv_point(0), iv_point(0), 0};
    moments_search s = {sum, false, eps, LOWEST, HIGHEST, true, 0};
    moments_optimum out =
        is_bound ? bounded_minimum(&s)
                 : moments_minimum(&s, start_of(ball_mid(eps), ball_mid(kl)));
    if (ball_mid(out.value) >= 0) {
        out.value = ball_of(0);
        out.lambda = 0;
    }
    /* below the range that was searched K >= 0 */
    out.least.lo = fmin(out.least.lo, -2 * LOWEST * ball_upper(eps));
    out.least = iv_min(out.least, iv_point(0));
    return out;
}
