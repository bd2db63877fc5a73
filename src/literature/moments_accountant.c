/*
 * Sums of cumulants and their conversion to epsilon and delta. Both objectives
 * are convex in a variable x: K - lambda eps in x = lambda, and (c + K)/lambda
 * = x (c + K(1/x)) in x = 1/lambda. Plain doubles taken from differences of
 * balls steer to the minimum; lines through values next to it, which lie below
 * a convex function outside of both points, bound it from below. Derivation:
 * docs/theory/without_replacement.md, section 4.
 */
#include "moments_accountant.h"

#include "num/minimum.h"

/* The range of the search. */
#define MIN_LAMBDA 0x1p-60
#define MAX_LAMBDA 0x1p60

/* The first relative spacing of the values that certify the minimum. */
#define PROBE_SPACING 0x1p-36

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

typedef struct totals {
    ball kl, pure, log_atom;
} totals;

/* A mechanism with count 0 adds nothing, even if its K is infinite. */
static totals totals_of(const moments_sum *sum)
{
    totals out = {ball_of(0), ball_of(0), ball_of(0)};
    for (size_t i = 0; i < sum->n_terms; i++) {
        const moments_term *t = &sum->terms[i];
        if (!(t->count > 0))
            continue;
        out.kl = ball_add(out.kl, ball_mul_d(t->kl, t->count));
        out.pure = ball_add(out.pure, ball_mul_d(t->pure, t->count));
        out.log_atom =
            ball_add(out.log_atom, ball_mul_d(t->log_atom, t->count));
    }
    return out;
}

ball moments_pure(const moments_sum *sum)
{
    return totals_of(sum).pure;
}

/* ---- The objective ----------------------------------------------------- */

typedef struct search {
    const moments_sum *sum;
    bool asks_epsilon;
    ball given; /* log(1/delta), or epsilon */
    double low, high;
    bool is_open; /* lambda takes all values > 0 */
} search;

typedef struct probe {
    double lambda;
    ball x;     /* in which the objective is convex */
    ball value; /* of the objective */
} probe;

static probe probe_at(const search *s, double lambda)
{
    lambda = fmin(fmax(lambda, s->low), s->high);
    ball at = ball_of(lambda), k = moments_at(s->sum, at);
    if (s->asks_epsilon)
        return (probe){lambda, ball_div(ball_of(1), at),
            ball_div(ball_add(s->given, k), at)};
    return (probe){lambda, at, ball_sub(k, ball_mul(at, s->given))};
}

static bool is_finite(const probe *p)
{
    return !ball_is_infinite(p->value) && !ball_is_unknown(p->value);
}

/* ---- Steering ---------------------------------------------------------- */

typedef struct descent {
    const search *search;
    probe from; /* values are differences to this one */
} descent;

/* The objective at lambda = 2^u, as a difference. */
static double descent_at(double u, const void *context)
{
    const descent *d = context;
    probe p = probe_at(d->search, exp2(u));
    return is_finite(&p) ? ball_mid(ball_sub(p.value, d->from.value))
                         : HUGE_VAL;
}

/* The minimum over log lambda, restarted from better points: differences to a
 * start with a large value lose the digits that order values near the
 * minimum. */
static probe descend(const search *s, double start)
{
    static const double steps[][2] = {
        {0.125, 1}, {0x1p-13, 0.25}, {0x1p-26, 0x1p-12}, {0x1p-39, 0x1p-25}};
    descent d = {s, probe_at(s, start)};
    while (!is_finite(&d.from) && d.from.lambda > s->low) /* K is +inf */
        d.from = probe_at(s, d.from.lambda / 2);
    for (int i = 0; i < 4; i++) {
        minimum_range range = {
            log2(s->low), log2(s->high), steps[i][0], steps[i][1]};
        double u = log2(d.from.lambda);
        probe p = probe_at(s, exp2(minimum_near(descent_at, &d, range, u).x));
        if (is_finite(&p))
            d.from = p;
    }
    return d.from;
}

/* ---- Certified ends ---------------------------------------------------- */

/* A lower bound of the objective at x outside of the two probes. */
static double line_at(const probe *a, const probe *b, ball x)
{
    if (!(a->lambda < b->lambda) || !is_finite(a) || !is_finite(b))
        return -HUGE_VAL;
    ball slope =
        ball_div(ball_sub(b->value, a->value), ball_sub(b->x, a->x));
    return ball_lower(
        ball_add(a->value, ball_mul(slope, ball_sub(x, a->x))));
}

/* A lower bound of the objective between p[1] and p[2], by the lines through
 * the probes on either side. */
static double cell_lower(const probe *p)
{
    if (!(p[1].lambda < p[2].lambda))
        return HUGE_VAL;
    double before = fmin(
        line_at(&p[0], &p[1], p[1].x), line_at(&p[0], &p[1], p[2].x));
    double after = fmin(
        line_at(&p[2], &p[3], p[1].x), line_at(&p[2], &p[3], p[2].x));
    return fmax(before, after);
}

/* A lower bound of the objective beyond all probes of an open search, on a side
 * where it does not certainly rise: there x tends to 0, or to infinity, where
 * epsilon is at least 0, as c > 0 and K >= 0, and log delta has no bound. */
static double open_lower(const search *s, bool to_left, const probe *p)
{
    if (to_left == s->asks_epsilon)
        return s->asks_epsilon ? 0 : -HUGE_VAL;
    const probe *end = to_left ? &p[1] : &p[3];
    const probe *a = to_left ? &p[2] : &p[1], *b = to_left ? &p[3] : &p[2];
    return fmin(line_at(a, b, ball_of(0)), line_at(a, b, end->x));
}

/* Places probes around the guess, further and further apart, until its
 * neighbours are certainly above it or at an end. */
static moments_optimum certify(const search *s, probe guess)
{
    probe p[5] = {[2] = guess};
    bool rises[2] = {false, false}, is_end[2] = {false, false};
    for (double h = 1 + PROBE_SPACING; !(rises[0] || is_end[0]) ||
                                 !(rises[1] || is_end[1]);
         h = 1 + 8 * (h - 1)) {
        p[1] = probe_at(s, guess.lambda / h);
        p[3] = probe_at(s, guess.lambda * h);
        p[0] = probe_at(s, p[1].lambda / h);
        p[4] = probe_at(s, p[3].lambda * h);
        for (int i = 0; i < 2; i++) {
            const probe *q = &p[1 + 2 * i];
            rises[i] = ball_less(guess.value, q->value);
            is_end[i] = i == 0 ? q->lambda <= s->low : q->lambda >= s->high;
        }
    }
    moments_optimum out = {.argument = {p[1].lambda, p[3].lambda}};
    double low = fmin(cell_lower(&p[0]), cell_lower(&p[1]));
    for (int i = 0; i < 2 && s->is_open; i++) {
        if (rises[i])
            continue;
        low = fmin(low, open_lower(s, i == 0, p));
        *(i == 0 ? &out.argument.lo : &out.argument.hi) =
            i == 0 ? 0 : HUGE_VAL;
    }
    double high = ball_upper(guess.value);
    out.least = (dosi_interval){fmin(low, high), high};
    return out;
}

static moments_optimum minimum(const search *s, double start)
{
    return certify(s, descend(s, start));
}

/* ---- Queries ----------------------------------------------------------- */

moments_optimum moments_epsilon_between(
    const moments_sum *sum, ball log_inverse_delta, double low, double high)
{
    search s = {sum, true, log_inverse_delta, low, high, false};
    if (high > low)
        return minimum(&s, sqrt(low) * sqrt(high));
    return (moments_optimum){
        ball_interval(probe_at(&s, low).value), iv_point(low)};
}

static moments_optimum at_infinity(ball value)
{
    return (moments_optimum){ball_interval(value), iv_point(HUGE_VAL)};
}

/* A start near the minimum for a Gaussian of this divergence. */
static double start_of(ball given, ball kl)
{
    double x = sqrt(ball_mid(given) / ball_mid(kl));
    return x > MIN_LAMBDA && x < MAX_LAMBDA ? x : 1;
}

moments_optimum moments_epsilon(const moments_sum *sum, ball log_inverse_delta)
{
    totals of = totals_of(sum);
    if (isinf(log_inverse_delta.hi) || ball_is_zero(of.pure))
        return at_infinity(of.pure);
    search s = {sum, true, log_inverse_delta, MIN_LAMBDA, MAX_LAMBDA, true};
    if (ball_is_infinite(of.pure))
        return minimum(&s, start_of(log_inverse_delta, of.kl));
    /* c + K(lambda) - lambda pure falls to c + sum count log_atom: if that
     * is >= 0, no lambda improves on the pure level */
    ball excess = ball_add(log_inverse_delta, of.log_atom);
    if (ball_is_nonnegative(excess))
        return at_infinity(of.pure);
    moments_optimum out = minimum(&s, start_of(log_inverse_delta, of.kl));
    if (!ball_is_negative(excess) || ball_mid(of.pure) <= out.least.hi)
        out.argument.hi = HUGE_VAL;
    out.least = iv_min(out.least, ball_interval(of.pure));
    return out;
}

moments_optimum moments_log_delta(const moments_sum *sum, ball eps)
{
    totals of = totals_of(sum);
    if (ball_less_equal(of.pure, eps))
        return at_infinity(ball_of(-HUGE_VAL));
    if (ball_less_equal(eps, of.kl)) /* K - lambda eps >= 0 */
        return (moments_optimum){iv_point(0), iv_point(0)};
    search s = {sum, false, eps, MIN_LAMBDA, MAX_LAMBDA, true};
    moments_optimum out = minimum(&s, start_of(eps, of.kl));
    out.least = iv_min(out.least, iv_point(0));
    return out;
}
