/*
 * The privacy profile of finite laws, its inverse, tails and trade-off
 * function. Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

#include "num/bracket.h"

/* Atoms below out have losses certainly <= eps, atoms from in on certainly
 * > eps: the order of the atoms is certain, so one comparison each proves it
 * for all beyond. Between out and in the order is uncertain. */
typedef struct cut {
    size_t out;
    size_t in;
} cut;

static cut finite_cut(const finite_law *law, ball eps)
{
    size_t low = 0, high = law->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ball_less(eps, law->atom[middle].loss))
            high = middle;
        else
            low = middle + 1;
    }
    cut c = {high, high};
    low = 0;
    while (low < c.out) {
        size_t middle = low + (c.out - low) / 2;
        if (ball_less_equal(law->atom[middle].loss, eps))
            low = middle + 1;
        else
            c.out = middle;
    }
    return c;
}

/* p max(0, 1 - e^(eps - loss)): what one atom adds to the profile. */
static scaled atom_excess(const atom *a, ball eps)
{
    ball share = ball_neg(ball_expm1(ball_sub(eps, a->loss)));
    if (!ball_is_positive(share)) {
        if (ball_is_unknown(share)) /* eps far above the loss */
            share = ball_of_interval(iv_make(0, 1));
        share = ball_max(share, ball_of(0));
    }
    return scaled_mul_ball(a->p, share);
}

/*
 * F(eps) = sum_i max(0, p_i - e^eps q_i) over the finite losses, as A - e^eps B
 * by the sums from c.in on, plus the atoms whose order is uncertain. If that
 * difference cancels, the knot above gives the sum in O(1): a product of laws
 * needs as many values as one law has atoms.
 */
scaled finite_profile(const finite_law *law, ball eps)
{
    if (ball_is_unknown(eps))
        return scaled_of(ball_of_interval(iv_make(0, 1)));
    if (isinf(eps.hi))
        return eps.hi > 0 ? finite_zero() : law->tail_p[0];
    cut c = finite_cut(law, eps);
    scaled sum = finite_zero();
    if (c.in < law->n) {
        scaled b = scaled_mul(scaled_exp(eps), law->tail_q[c.in]);
        sum = scaled_add(law->tail_p[c.in], finite_neg(b));
        if (!(sum.m.rad < sum.m.hi * 0x1p-64))
            sum = finite_excess_from(law, c.in, eps);
    }
    for (size_t i = c.out; i < c.in; i++)
        sum = scaled_add(sum, atom_excess(&law->atom[i], eps));
    return sum;
}

/* Encloses the logarithm of a number that may be 0. */
static dosi_interval log_interval(scaled x)
{
    if (ball_is_zero(x.m))
        return iv_point(-HUGE_VAL);
    if (ball_is_positive(x.m))
        return ball_interval(scaled_log(x));
    double most = ball_upper(x.m);
    if (!(most > 0))
        return iv_point(-HUGE_VAL);
    return iv_make(
        -HUGE_VAL, ball_upper(scaled_log((scaled){ball_of(most), x.e})));
}

static ball profile_ball(scaled p_inf, scaled finite)
{
    return ball_clamp(finite_ball(scaled_add(p_inf, finite)), 0, 1);
}

static dosi_interval profile_log(scaled p_inf, scaled finite)
{
    dosi_interval x = log_interval(scaled_add(p_inf, finite));
    return iv_meet(iv_make(-HUGE_VAL, 0), x);
}

ball finite_delta(const finite_law *law, ball eps)
{
    return profile_ball(law->p_inf, finite_profile(law, eps));
}

dosi_interval finite_log_delta(const finite_law *law, ball eps)
{
    return profile_log(law->p_inf, finite_profile(law, eps));
}

ball finite_product_delta(const finite_law *a, const finite_law *b, ball eps)
{
    return profile_ball(
        finite_union(a->p_inf, b->p_inf), finite_product_profile(a, b, eps));
}

dosi_interval finite_product_log_delta(
    const finite_law *a, const finite_law *b, ball eps)
{
    return profile_log(
        finite_union(a->p_inf, b->p_inf), finite_product_profile(a, b, eps));
}

/* An inverse problem: F(eps) = tau for one law or, if b is not NULL, for the
 * composition of two. */
typedef struct target {
    const finite_law *a;
    const finite_law *b;
    scaled tau;
    finite_range range; /* of a, for the guess */
} target;

static scaled target_profile(const target *t, ball eps)
{
    return t->b == NULL ? finite_profile(t->a, eps)
                        : finite_product_above(
                              t->a, t->b, eps, finite_negligible(t->tau));
}

static ball max_finite_loss(const finite_law *law)
{
    return law->n > 0 ? law->atom[law->n - 1].loss : ball_of(-HUGE_VAL);
}

/* tau - F(eps), which increases with eps. */
static int target_sign(double eps, const void *context)
{
    const target *t = context;
    scaled f = target_profile(t, ball_of(eps));
    return bracket_sign_of(scaled_add(t->tau, finite_neg(f)).m);
}

/* log tau - log F(eps) in doubles, of which the guess is a root. */
static double target_gap(double eps, const void *context)
{
    const target *t = context;
    scaled f = scaled_of(ball_of(0));
    if (t->b == NULL)
        f = finite_profile(t->a, ball_of(eps));
    else
        f.m.hi = finite_product_approx(t->a, t->b, eps, &t->range);
    double octaves = (double)(t->tau.e - f.e);
    return f.m.hi > 0 ? log(t->tau.m.hi / f.m.hi) + octaves * 0.6931471805599453
                      : HUGE_VAL;
}

/* Encloses the smallest eps >= 0 with F(eps) <= tau, tau > 0. */
static dosi_interval target_root(target *t)
{
    if (t->a->n == 0 || (t->b != NULL && t->b->n == 0))
        return iv_point(0);
    ball most = max_finite_loss(t->a);
    if (t->b != NULL)
        most = ball_add(most, max_finite_loss(t->b));
    double high = ball_upper(most); /* F = 0 < tau from there on */
    if (!(high > 0))
        return iv_point(0);
    scaled at_0 = target_profile(t, ball_of(0));
    if (ball_is_nonnegative(scaled_add(t->tau, finite_neg(at_0)).m))
        return iv_point(0);
    t->range = finite_range_above(t->a, finite_negligible(t->tau));
    double guess = bracket_approx(target_gap, t, high / 256, high);
    return bracket_root(target_sign, t, 0, high, guess);
}

static dosi_interval inverse(const finite_law *a, const finite_law *b,
    scaled p_inf, ball delta, ball log_delta)
{
    if (ball_is_nonnegative(log_delta))
        return iv_point(0);
    scaled level =
        delta.hi > 0x1p-900 ? scaled_of(delta) : scaled_exp(log_delta);
    target t = {a, b, scaled_add(level, finite_neg(p_inf)), {0, 0}};
    if (ball_is_negative(t.tau.m))
        return iv_point(HUGE_VAL);
    if (ball_is_zero(t.tau.m)) { /* no finite loss may be exceeded */
        ball most = max_finite_loss(a);
        if (b != NULL)
            most = ball_add(most, max_finite_loss(b));
        return iv_max(ball_interval(most), iv_point(0));
    }
    if (ball_is_positive(t.tau.m))
        return target_root(&t);
    /* delta may be below the mass at +inf: the answer may be inf */
    double excess = ball_upper(t.tau.m);
    if (!(excess > 0 && excess <= DBL_MAX))
        return iv_make(0, HUGE_VAL);
    t.tau.m = ball_of(excess);
    return iv_make(target_root(&t).lo, HUGE_VAL);
}

dosi_interval finite_epsilon(const finite_law *law, ball delta, ball log_delta)
{
    return inverse(law, NULL, law->p_inf, delta, log_delta);
}

dosi_interval finite_product_epsilon(
    const finite_law *a, const finite_law *b, ball delta, ball log_delta)
{
    bool swap = a->n > b->n; /* the outer sum over the shorter list */
    return inverse(swap ? b : a, swap ? a : b,
        finite_union(a->p_inf, b->p_inf), delta, log_delta);
}

/* Encloses sum plus any part of rest. */
static ball with_part(ball sum, ball rest)
{
    dosi_interval x = {0, fmax(0, ball_upper(rest))};
    return x.hi == 0 ? sum : ball_add(sum, ball_of_interval(x));
}

ball finite_tail_p(const finite_law *law, ball eps)
{
    cut c = finite_cut(law, eps);
    ball rest = ball_of(0);
    for (size_t i = c.out; i < c.in; i++)
        rest = ball_add(rest, finite_ball(law->atom[i].p));
    ball sum = finite_ball(scaled_add(law->p_inf, law->tail_p[c.in]));
    return ball_clamp(with_part(sum, rest), 0, 1);
}

ball finite_tail_q(const finite_law *law, ball eps)
{
    cut c = finite_cut(law, eps);
    ball rest = ball_of(0);
    for (size_t i = c.out; i < c.in; i++)
        rest = ball_add(rest, finite_ball(law->atom[i].q));
    return ball_clamp(with_part(finite_ball(law->tail_q[c.in]), rest), 0, 1);
}

/* Encloses alpha - head_p[i] = alpha - (1 - p_inf - tail_p[i]), by the form
 * with the smaller radius. */
static scaled level_above(const finite_law *law, double alpha, size_t i)
{
    scaled low =
        scaled_add(scaled_of(ball_of(alpha)), finite_neg(law->head_p[i]));
    ball rest = ball_sub(ball_of(1), ball_of(alpha)); /* exact */
    scaled high = scaled_add(
        scaled_add(law->tail_p[i], law->p_inf), scaled_of(ball_neg(rest)));
    return finite_ball(low).rad <= finite_ball(high).rad ? low : high;
}

/*
 * f(alpha) is the Q-mass accepted by the test that rejects P on the atoms of
 * smallest loss, as many as alpha allows: with head_p[i] <= alpha, atoms below
 * i are rejected, those above i accepted, and of atom i the part
 * s = (head_p[i+1] - alpha) / p_i.
 *
 * Upper: that test exists, f <= tail_q[i+1] + s q_i for s cut to [0, 1].
 * Lower: for every x >= 0, f >= sum_j min(q_j, x p_j) - x alpha. With
 * x = e^-m, m the midpoint of loss i and r its radius, atom i contributes at
 * least q_i (1 - (e^r - 1)), and |q_i - x p_i| <= q_i (e^r - 1), so that
 * f >= tail_q[i+1] + x (head_p[i+1] - alpha) - 2 q_i (e^r - 1).
 */
dosi_interval finite_tradeoff(const finite_law *law, double alpha)
{
    if (!(alpha >= 0 && alpha <= 1))
        return iv_make(0, 1);
    size_t low = 0, high = law->n;
    while (low < high) { /* the last i with head_p[i] certainly <= alpha */
        size_t middle = high - (high - low) / 2;
        if (ball_is_nonnegative(level_above(law, alpha, middle).m))
            low = middle;
        else
            high = middle - 1;
    }
    if (low == law->n)
        return iv_point(0);
    const atom *a = &law->atom[low];
    scaled left = finite_neg(level_above(law, alpha, low + 1));
    scaled above = law->tail_q[low + 1];
    /* left / p_i, both within range of one another */
    ball share = ball_div(left.m, a->p.m);
    share = finite_ball((scaled){share, left.e - a->p.e});
    dosi_interval ends = ball_interval(share);
    if (!(ends.lo >= 0 && ends.hi <= 1)) /* only its upper end is used */
        share = ball_of(fmin(1, fmax(0, ends.hi)));
    ball most = finite_ball(scaled_add(above, scaled_mul_ball(a->q, share)));
    scaled x = scaled_exp((ball){-a->loss.hi, -a->loss.lo, 0});
    ball slack = ball_expm1(ball_of(a->loss.rad));
    ball least = finite_ball(scaled_add(above, scaled_mul(x, left)));
    least = ball_sub(least, ball_mul(ball_scale2(slack, 1), finite_ball(a->q)));
    dosi_interval f = {fmax(0, ball_lower(least)), fmin(1, ball_upper(most))};
    return iv_make(fmin(f.lo, f.hi), f.hi);
}
