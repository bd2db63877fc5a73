/*
 * The sums of T002-9 and P002-20 at one order. The logarithm of a term is a concave function of j (binomial
 * coefficient, powers) plus a convex one (moments), so on a block it is at most
 * the concave one plus a chord; blocks that are negligible by that bound are
 * dropped and charged, the others halved and summed.
 * Derivation: docs/theory/without_replacement.md, section 3.
 */
#include "without_replacement_renyi.h"

#include "num/minimum.h"
#include "special/binomial.h"

/* Orders up to MAX_WHOLE are summed as a whole. Above, blocks of up to MAX_RUN
 * terms are summed, and larger ones dropped if their bound is below the largest
 * term by these nats. */
#define MAX_WHOLE 256
#define MAX_RUN 32
#define DROPPED_NATS 40
#define DROPPED_NATS_LARGE 32 /* at orders above 2^16 */
#define MAX_TERMS 4194304.0
#define MAX_ORDER 0x1p40
#define HUGE_EXPONENT 0x1p58

typedef struct blocks {
    wr_base base;
    bool is_lower; /* P002-20 */
    double order;
    ball odds, log_odds; /* rate, or rate/(1-rate), for each step of j */
    ball log_rest;       /* order log(1-rate) of P002-20, else 0 */
    ball log_slope;      /* log_odds, with min(1, e^pure - 1) of T002-9 */
    double negligible; /* blocks so many nats below reference are dropped */
    double reference;  /* about the logarithm of the largest term */
    double dropped;    /* in units of e^reference */
    double n_terms;
    scaled sum;
} blocks;

static blocks blocks_of(
    const wr_base *base, ball rate, bool is_lower, double order)
{
    blocks b = {.base = *base,
        .is_lower = is_lower,
        .order = order,
        .odds = rate,
        .log_odds = ball_log(rate),
        .log_rest = ball_of(0)};
    b.negligible = order > 0x1p16 ? DROPPED_NATS_LARGE : DROPPED_NATS;
    if (is_lower) {
        ball log_keep = ball_log1p(ball_neg(rate));
        b.odds = ball_div(rate, ball_sub(ball_of(1), rate));
        b.log_odds = ball_sub(b.log_odds, log_keep);
        b.log_rest = ball_mul_d(log_keep, order);
    }
    b.log_slope = b.log_odds;
    if (!is_lower)
        b.log_slope =
            ball_add(b.log_odds, ball_min(base->log_cap, ball_of(0)));
    return b;
}

/* ---- Terms ------------------------------------------------------------- */

/* The factor Z_j, or m(j) - 1 of P002-20. */
static scaled factor_at(const blocks *b, double j)
{
    return b->is_lower ? scaled_expm1(wr_log_moment(&b->base, j))
                       : scaled_exp(wr_log_zeta_general(&b->base, j));
}

/* Adds the terms first .. last; C(a,j+1)/C(a,j) is (a-j)/(j+1). */
static void add_terms(blocks *b, double first, double last)
{
    ball log_weight = ball_add(ball_log_binomial(b->order, first),
        ball_mul_d(b->log_odds, first));
    scaled weight = scaled_exp(ball_add(log_weight, b->log_rest));
    for (double j = first; j <= last; j++) {
        b->sum = scaled_add(b->sum, scaled_mul(weight, factor_at(b, j)));
        ball ratio = ball_div_d(ball_mul_d(b->odds, b->order - j), j + 1);
        weight = scaled_mul_ball(weight, ratio);
    }
    b->n_terms += last - first + 1;
}

/* ---- Bounding blocks --------------------------------------------------- */

/* An upper bound of the logarithm of every term first .. last, with
 * Z_j <= 2 min(1, e^pure - 1)^j m(j). With s the slope of the chord and of the
 * powers together, C(a,j) e^(s j) falls from the first on, or rises to the
 * last, or is at most (1 + e^s)^a. */
static double block_bound(const blocks *b, double first, double last)
{
    ball at_first = wr_log_moment(&b->base, first);
    ball rise = ball_sub(wr_log_moment(&b->base, last), at_first);
    ball chord = ball_div_d(rise, last - first);
    ball s = ball_add(b->log_slope, chord);
    ball top = ball_sub(at_first, ball_mul_d(chord, first));
    top = ball_add(top, b->log_rest);
    if (!b->is_lower)
        top = ball_add(top, ball_ln2());
    double a = b->order;
    ball out =
        ball_add(s, ball_log(ball_div(ball_of(a - first), ball_of(first + 1))));
    ball in =
        ball_add(s, ball_log(ball_div(ball_of(a - last + 1), ball_of(last))));
    if (ball_upper(out) <= 0)
        top = ball_add(
            top, ball_add(ball_log_binomial(a, first), ball_mul_d(s, first)));
    else if (ball_lower(in) >= 0)
        top = ball_add(
            top, ball_add(ball_log_binomial(a, last), ball_mul_d(s, last)));
    else
        top = ball_add(top, ball_mul_d(ball_log1pexp(s), a));
    return ball_upper(top);
}

static void add_block(blocks *b, double first, double last)
{
    double n = last - first + 1;
    if (!(n >= 1) || b->n_terms > MAX_TERMS)
        return;
    if (n <= MAX_RUN || b->order <= MAX_WHOLE) {
        add_terms(b, first, last);
        return;
    }
    double most = round_up(block_bound(b, first, last) - b->reference);
    if (most + log(n) < -b->negligible) {
        double share = ball_upper(ball_exp(ball_of(most)));
        b->dropped = round_up(b->dropped + round_up(n * share));
        return;
    }
    double middle = first + floor(n / 2);
    add_block(b, first, middle - 1);
    add_block(b, middle, last);
}

/* ---- Steering ---------------------------------------------------------- */

/* Minus the logarithm of a term. */
static double minus_log_approx(double j, const void *context)
{
    const blocks *b = context;
    j = floor(j);
    double x = ball_mid(ball_log_binomial(b->order, j));
    x += ball_mid(wr_log_moment(&b->base, j));
    return -(x + ball_mid(b->log_rest) + j * ball_mid(b->log_slope));
}

/* An approximation of the logarithm of the largest term, from both ends by
 * doubling, then near the best. Too small a value only costs time. */
static double steer_reference(const blocks *b, double first)
{
    double a = b->order, at = a, least = minus_log_approx(a, b);
    for (double step = 1; step < a; step *= 2)
        for (int end = 0; end < 2; end++) {
            double j = fmax(first, end == 0 ? fmin(first + step, a) : a - step);
            double x = minus_log_approx(j, b);
            at = x < least ? j : at;
            least = fmin(least, x);
        }
    minimum_range range = {first, a, 1, fmax(fmin(at, a - at) / 8, 1)};
    return -minimum_near(minus_log_approx, b, range, at).value;
}

/* ---- The sums ---------------------------------------------------------- */

/* The sum of the terms from first on. */
static scaled sum_from(blocks *b, double first)
{
    b->sum = (scaled){ball_of(0), 0};
    if (b->order < first)
        return b->sum;
    if (b->order > MAX_WHOLE)
        b->reference = floor(steer_reference(b, first));
    add_block(b, first, b->order);
    if (b->n_terms > MAX_TERMS || !(b->dropped < HUGE_VAL))
        return (scaled){ball_unknown(), 0};
    if (b->dropped == 0)
        return b->sum;
    ball rest = ball_of_interval((dosi_interval){0, b->dropped});
    scaled unit = scaled_exp(ball_of(b->reference));
    return scaled_add(b->sum, scaled_mul_ball(unit, rest));
}

/* The sum if exponents exceed the range of scaled numbers: the last term, with
 * a bound of all the others; log(1 + S) - log S <= 1/S. */
static ball by_last_term(const blocks *b)
{
    double a = b->order; /* m(a) - 1 is m(a) to all digits */
    ball last = b->is_lower ? wr_log_moment(&b->base, a)
                            : wr_log_zeta_general(&b->base, a);
    last = ball_add(last, ball_mul_d(b->log_odds, a));
    last = ball_add(last, b->log_rest);
    double share = block_bound(b, 2, a - 1) + log(a) - ball_lower(last);
    if (!(share < -DROPPED_NATS && ball_lower(last) > DROPPED_NATS))
        return ball_unknown();
    return ball_widen(last, 0x1p-56); /* > 2 e^-40 */
}

ball wr_cumulant_at(const chi_law *law, ball rate, wr_rule rule, double order)
{
    if (ball_is_zero(rate) || ball_is_zero(law->parameter))
        return ball_of(0);
    if (!(order >= 2 && order <= MAX_ORDER))
        return ball_unknown();
    bool is_lower = rule == WR_LOWER;
    if (is_lower && ball_is_zero(ball_sub_d(rate, 1)))
        return chi_log_moment(law, ball_of(order));
    wr_base base = wr_base_of_law(law);
    blocks b = blocks_of(&base, rate, is_lower, order);
    if (chi_log_moment(law, ball_of(order)).hi > HUGE_EXPONENT && order > 4)
        return by_last_term(&b);
    return scaled_log1p(sum_from(&b, 2));
}
