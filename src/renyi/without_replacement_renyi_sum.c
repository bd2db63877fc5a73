/*
 * The sums of T002-9 and P002-20 for laws whose successive moments differ by
 * known factors. The logarithm of a term is a concave function of j (binomial
 * coefficient, powers) plus a convex one (moments), so on a block it is at most
 * the concave one plus a chord; blocks that are negligible by that bound are
 * dropped and charged, the others halved and summed.
 * Derivation: docs/theory/without_replacement.md, section 3.
 */
#include "without_replacement_renyi.h"

#include "special/binomial.h"
#include "without_replacement_renyi_terms.h"

/* Orders up to MAX_WHOLE are summed as a whole. Above, blocks of up to MAX_RUN
 * terms are summed, and larger ones dropped if their bound is below the largest
 * term by these nats. */
#define MAX_WHOLE 256
#define MAX_RUN 64
#define DROPPED_NATS 40
#define DROPPED_NATS_LARGE 32 /* at orders above 2^16 */
#define MAX_TERMS 4194304.0
#define MAX_ORDER 0x1p40
#define HUGE_EXPONENT 0x1p58

typedef struct blocks {
    wr_terms terms;
    double negligible; /* blocks so many nats below reference are dropped */
    double reference;  /* about the logarithm of the largest term */
    double dropped;    /* in units of e^reference */
    double n_terms;
    scaled sum;
} blocks;

/* ---- Bounding blocks --------------------------------------------------- */

/* The convex part of the logarithm of a term: log m(j), times 2 for a cap that
 * rises. */
static ball log_convex_part(const blocks *b, double j)
{
    ball x = chi_log_moment(b->terms.law, ball_of(j));
    if (b->terms.is_lower) /* m(j) - 1 <= m(j) */
        return x;
    return b->terms.cap_rises ? ball_add(x, ball_ln2()) : x;
}

/* An upper bound of the logarithm of every term first .. last. With s the slope
 * of the chord and of the powers together, C(a,j) e^(s j) falls from the first
 * on, or rises to the last, or is at most (1 + e^s)^a. */
static double block_bound(const blocks *b, double first, double last)
{
    ball at_first = log_convex_part(b, first);
    ball rise = ball_sub(log_convex_part(b, last), at_first);
    ball chord = ball_div_d(rise, last - first);
    ball s = ball_add(b->terms.log_odds, chord);
    ball top = ball_sub(at_first, ball_mul_d(chord, first));
    top = ball_add(top, b->terms.log_rest);
    double a = b->terms.order;
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

static void add_block(blocks *b, wr_walk *w, double first, double last)
{
    double n = last - first + 1;
    if (!(n >= 1) || b->n_terms > MAX_TERMS)
        return;
    if (n > MAX_RUN && b->terms.order > MAX_WHOLE) {
        double most = round_up(block_bound(b, first, last) - b->reference);
        if (most + log(n) < -b->negligible) {
            double share = ball_upper(ball_exp(ball_of(most)));
            b->dropped = round_up(b->dropped + round_up(n * share));
            return;
        }
        double middle = first + floor(n / 2);
        add_block(b, w, first, middle - 1);
        add_block(b, w, middle, last);
        return;
    }
    wr_walk_to(w, &b->terms, first);
    wr_walk_add(&b->sum, w, &b->terms, last);
    b->n_terms += n;
}

/* ---- Steering ---------------------------------------------------------- */

static double log_term_approx(const blocks *b, double j)
{
    double x = ball_mid(ball_log_binomial(b->terms.order, j));
    x += ball_mid(chi_log_moment(b->terms.law, ball_of(j)));
    x += ball_mid(b->terms.log_rest) + j * ball_mid(b->terms.log_odds);
    return x;
}

/* An approximation of the logarithm of the largest term, from both ends by
 * doubling, then by thirds. Too small a value only costs time. */
static double steer_reference(const blocks *b, double first)
{
    double best = log_term_approx(b, first), at = first, a = b->terms.order;
    for (double step = 1; step < a; step *= 2)
        for (int end = 0; end < 2; end++) {
            double j = fmax(first, end == 0 ? fmin(first + step, a) : a - step);
            double x = log_term_approx(b, j);
            if (x > best) {
                best = x;
                at = j;
            }
        }
    best = fmax(best, log_term_approx(b, a));
    double near = fmin(at - first, a - at);
    double low = fmax(first, at - near), high = fmin(a, at + near + 1);
    while (high - low > 2) {
        double left = low + floor((high - low) / 3);
        double right = high - floor((high - low) / 3);
        double x = log_term_approx(b, left), y = log_term_approx(b, right);
        best = fmax(best, fmax(x, y));
        if (x < y)
            low = left;
        else
            high = right;
    }
    return best;
}

/* ---- The sums ---------------------------------------------------------- */

/* The sum of the terms from first on. */
static scaled sum_from(blocks *b, double first)
{
    b->sum = (scaled){ball_of(0), 0};
    if (b->terms.order < first)
        return b->sum;
    if (b->terms.order > MAX_WHOLE)
        b->reference = floor(steer_reference(b, first));
    wr_walk w = {.j = 0};
    add_block(b, &w, first, b->terms.order);
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
    const wr_terms *t = &b->terms;
    ball last = ball_add(
        log_convex_part(b, t->order), ball_mul_d(t->log_odds, t->order));
    last = ball_add(last, t->log_rest);
    double others = block_bound(b, 2, t->order - 1);
    double share = others + log(t->order) - ball_lower(last);
    bool is_cap_two = !t->cap_rises || t->log_cap.hi * t->order > 1;
    if (!(share < -DROPPED_NATS && ball_lower(last) > DROPPED_NATS &&
            is_cap_two))
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
    blocks b = {.terms = wr_terms_of(law, rate, is_lower, order)};
    b.negligible = order > 0x1p16 ? DROPPED_NATS_LARGE : DROPPED_NATS;
    if (chi_log_moment(law, ball_of(order)).hi > HUGE_EXPONENT && order > 4)
        return by_last_term(&b);
    if (is_lower)
        return scaled_log1p(sum_from(&b, 2));
    wr_base base = wr_base_of_law(law);
    ball pairs = ball_scale2(ball_mul(ball_of(order), ball_of(order - 1)), -1);
    scaled sum = scaled_of(ball_mul(pairs, ball_sqr(rate)));
    sum = scaled_mul(sum, scaled_exp(wr_log_zeta_general(&base, 2)));
    return scaled_log1p(scaled_add(sum, sum_from(&b, 3)));
}
