/*
 * Tail masses of a loss law in closed form: noise, then Poisson samples and
 * samples of fixed size of it, in balls. Derivation: docs/theory/loss.md.
 */
#include "loss_tails.h"

#include "sampling/amplify.h"
#include "noise/bounded_range.h"
#include "noise/gaussian.h"
#include "noise/laplace.h"
#include "loss_with_replacement.h"
#include "loss_group.h"
#include "num/ends.h"
#include "num/scaled.h"
#include "special/special.h"

/*
 * Masses of Gaussian noise beyond l. With z = l/mu - mu/2 the masses above l
 * are sf(z) and sf(z + mu), and e^l phi(z + mu) = phi(z): e^l sf(z + mu) =
 * phi(z) R(z + mu).
 */
static loss_tail gaussian_tail(ball mu, ball l, bool upper)
{
    ball z = ball_sub(ball_div(l, mu), ball_scale2(mu, -1));
    ball other = ball_add(z, mu);
    ball density = ball_normal_pdf(z);
    if (!upper) {
        z = ball_neg(z);
        other = ball_neg(other);
    }
    return (loss_tail){
        ball_mul(density, ball_mills(z)), ball_mul(density, ball_mills(other))};
}

/*
 * Masses of the density e^((l-a)/2)/4 of P on (-a, a), times scale. Above l:
 *     P: (1 - e^((l-a)/2))/2,     e^l Q: (e^((l-a)/2) - e^(l-a))/2;
 * below, by symmetry of the pair (L under P is -L under Q), e^l times the
 * masses of Q and P above -l.
 */
static loss_tail laplace_tail(ball a, ball scale, ball l, bool upper)
{
    ball half = ball_scale2(ball_sub(upper ? l : ball_neg(l), a), -1);
    ball gap = ball_neg(ball_expm1(half)); /* 1 - e^((l-a)/2) */
    ball p = ball_scale2(ball_mul(gap, scale), -1);
    ball xq = ball_mul(p, ball_exp(half));
    if (upper)
        return (loss_tail){p, xq};
    ball x = ball_exp(l);
    return (loss_tail){ball_mul(xq, x), ball_mul(p, x)};
}

/* Masses of the noise without sampling, beyond a finite l. */
static loss_tail noise_tail(const loss_law *pair, ball l, bool upper)
{
    ball a = pair->parameter;
    switch (pair->noise) {
    case LOSS_GAUSSIAN:
        return gaussian_tail(a, l, upper);
    case LOSS_LAPLACE:
        return laplace_tail(a, ball_of(1), l, upper);
    case LOSS_EXPONENTIAL: /* the density of Laplace noise, of mass 1 */
        return laplace_tail(a,
            ball_div(ball_of(2), ball_neg(ball_expm1(ball_neg(a)))), l, upper);
    case LOSS_FINITE:
        break;
    }
    return (loss_tail){ball_of(0), ball_of(0)};
}

/*
 * The base beyond l with E = e^l = 1 + (e^s - 1)/q: its mass under the mixture
 * (1-q) Q + q P, and its mass under Q. E and its products may leave the range
 * of doubles if q is tiny.
 */
typedef struct mixed_tail {
    scaled mixture, base;
} mixed_tail;

/* Encloses any part of a mass. */
static scaled at_most(scaled mass)
{
    return (scaled){ball_hull(mass.m, ball_of(0)), mass.e};
}

static mixed_tail mixed(const loss_law *pair, ball s, bool upper)
{
    ball q = pair->rate;
    scaled growth = scaled_div(scaled_expm1(s), scaled_of(q));
    scaled odds = scaled_add(growth, scaled_of(ball_of(1)));
    /* the base's threshold may be -inf: s may be log(1 - q) */
    bool edge = !ball_is_positive(odds.m);
    if (edge)
        odds.m = upper ? ball_unknown() : ball_top(odds.m);
    if (ball_upper(odds.m) <= 0) /* no mass below */
        return (mixed_tail){scaled_of(ball_of(0)), scaled_of(ball_of(0))};
    loss_tail t = noise_tail(pair, scaled_log(odds), upper);
    mixed_tail m;
    m.base = scaled_div(scaled_of(t.xq), odds);
    m.mixture = scaled_add(scaled_mul_ball(m.base, ball_sub(ball_of(1), q)),
        scaled_mul_ball(scaled_of(t.p), q));
    if (edge) /* the mass lies below the top of the ball */
        return (mixed_tail){at_most(m.mixture), at_most(m.base)};
    return m;
}

/* Masses of mixture against base beyond s. */
static loss_tail remove_tail(const loss_law *pair, ball s, bool upper)
{
    mixed_tail m = mixed(pair, s, upper);
    return (loss_tail){
        scaled_ball(m.mixture), scaled_ball(scaled_mul(scaled_exp(s), m.base))};
}

/* Masses of base against mixture beyond s: those of the reversed pair, whose
 * losses have the other sign, on the other side of -s. */
static loss_tail reverse_tail(const loss_law *pair, ball s, bool upper)
{
    mixed_tail m = mixed(pair, ball_neg(s), upper);
    return (loss_tail){
        scaled_ball(m.base), scaled_ball(scaled_mul(scaled_exp(s), m.mixture))};
}

/* Two mirrored halves, each from the losses of the base above 0. */
loss_tail loss_without_replacement_tail(
    const loss_law *pair, ball parameter, ball s, bool upper)
{
    loss_law fixed = *pair;
    fixed.parameter = parameter;
    return upper ? remove_tail(&fixed, s, true) : reverse_tail(&fixed, s, true);
}

static loss_tail tail_at(loss_tails *c, ball s, bool upper)
{
    switch (c->pair.map) {
    case LOSS_PLAIN:
        return noise_tail(&c->pair, s, upper);
    case LOSS_MIXTURE_FIRST:
        return remove_tail(&c->pair, s, upper);
    case LOSS_BASE_FIRST:
        return reverse_tail(&c->pair, s, !upper);
    case LOSS_WITHOUT_REPLACEMENT:
        return loss_without_replacement_tail(
            &c->pair, c->pair.parameter, s, upper);
    case LOSS_GROUP:
        return loss_group_tail(c, s, upper);
    case LOSS_WITH_REPLACEMENT:
        return loss_with_replacement_tail(c, s, upper);
    }
    return (loss_tail){ball_unknown(), ball_unknown()};
}

loss_tail loss_upper(loss_tails *c, ball s)
{
    if (!c->has_density || ball_less_equal(c->largest, s))
        return (loss_tail){ball_of(0), ball_of(0)};
    return tail_at(c, s, true);
}

loss_tail loss_lower(loss_tails *c, ball s)
{
    if (!c->has_density || ball_less_equal(s, c->smallest))
        return (loss_tail){ball_of(0), ball_of(0)};
    return tail_at(c, s, false);
}

size_t loss_atom_count(const loss_tails *c)
{
    if (c->pair.noise == LOSS_FINITE)
        return finite_count(c->pair.finite);
    size_t n = c->pair.noise == LOSS_LAPLACE ? 2 : 0;
    if (c->pair.map == LOSS_WITH_REPLACEMENT)
        return n * c->pair.removed + 1;
    return c->pair.map == LOSS_WITHOUT_REPLACEMENT ? n + 1 : n;
}

/* The atoms of Laplace noise under the law's map: the base's atom at a has mass
 * 1/2 under P and e^-a/2 under Q, that at -a conversely. */
static loss_atom laplace_atom(const loss_law *pair, bool upper)
{
    ball a = pair->parameter, q = pair->rate;
    ball half = ball_of(0.5);
    ball less = ball_scale2(ball_exp(ball_neg(a)), -1);
    if (pair->map == LOSS_PLAIN)
        return upper ? (loss_atom){a, half} : (loss_atom){ball_neg(a), less};
    bool top = upper;
    if (pair->map == LOSS_BASE_FIRST)
        top = !upper;
    if (pair->map == LOSS_WITHOUT_REPLACEMENT)
        top = true;
    ball l = amplify_epsilon(q, top ? a : ball_neg(a));
    ball base = top ? less : half, other = top ? half : less;
    ball mixture = ball_add(base, ball_mul(q, ball_sub(other, base)));
    bool reversed = pair->map == LOSS_BASE_FIRST ||
                    (pair->map == LOSS_WITHOUT_REPLACEMENT && !upper);
    return reversed ? (loss_atom){ball_neg(l), base} : (loss_atom){l, mixture};
}

/* Two atoms for each k, times its share. */
static loss_atom drawn_atom(const loss_tails *c, size_t i)
{
    loss_law fixed = c->pair;
    size_t k = i / 2 + 1;
    fixed.map = LOSS_WITHOUT_REPLACEMENT;
    fixed.parameter = ball_mul_d(fixed.parameter, (double)k);
    loss_atom a = laplace_atom(&fixed, i % 2 == 1);
    a.p = ball_mul(a.p, c->removed[k]);
    return a;
}

loss_atom loss_atom_at(const loss_tails *c, size_t i)
{
    const loss_law *pair = &c->pair;
    if (pair->noise == LOSS_FINITE)
        return (loss_atom){finite_loss(pair->finite, i),
            scaled_ball(finite_mass(pair->finite, i))};
    bool fixed = pair->map == LOSS_WITHOUT_REPLACEMENT ||
                 pair->map == LOSS_WITH_REPLACEMENT;
    if (fixed && i + 1 == loss_atom_count(c)) {
        ball rest = ball_sub(ball_of(1), pair->rate);
        return (loss_atom){ball_of(0), ball_mul(rest, c->base_delta)};
    }
    if (pair->map == LOSS_WITH_REPLACEMENT)
        return drawn_atom(c, i);
    return laplace_atom(pair, i == 1);
}

ball loss_smallest(const loss_tails *c)
{
    if (c->pair.noise == LOSS_FINITE) /* all of it may be at +inf */
        return loss_atom_count(c) > 0 ? loss_atom_at(c, 0).at : ball_of(0);
    return c->smallest; /* atoms lie at the ends of the density, or inside */
}

ball loss_largest(const loss_tails *c)
{
    size_t n = loss_atom_count(c);
    if (c->pair.noise == LOSS_FINITE)
        return n > 0 ? loss_atom_at(c, n - 1).at : ball_of(0);
    return c->largest;
}

static void range_init(loss_tails *c)
{
    const loss_law *pair = &c->pair;
    ball q = pair->rate, a = pair->parameter;
    ball top = pair->noise == LOSS_GAUSSIAN ? ball_of(HUGE_VAL) : a;
    bool bounded = pair->noise != LOSS_GAUSSIAN;
    ball high = bounded ? amplify_epsilon(q, a) : ball_of(HUGE_VAL);
    ball low =
        bounded ? amplify_epsilon(q, ball_neg(a)) : ball_log1p(ball_neg(q));
    c->largest = top;
    c->smallest = ball_neg(top);
    switch (pair->map) {
    case LOSS_PLAIN:
        break;
    case LOSS_MIXTURE_FIRST:
        c->largest = high;
        c->smallest = low;
        break;
    case LOSS_BASE_FIRST:
        c->largest = ball_neg(low);
        c->smallest = ball_neg(high);
        break;
    case LOSS_WITHOUT_REPLACEMENT:
        c->largest = high;
        c->smallest = ball_neg(high);
        break;
    case LOSS_GROUP: /* nobody added: at least a log(1 - q) */
        if (pair->added == 0)
            c->smallest = ball_mul_d(low, fmax(pair->removed, pair->draws));
        if (pair->removed == 0)
            c->largest =
                ball_neg(ball_mul_d(low, fmax(pair->added, pair->draws)));
        break;
    case LOSS_WITH_REPLACEMENT:
        if (bounded)
            high = amplify_epsilon(q, ball_mul_d(a, pair->removed));
        c->largest = high;
        c->smallest = ball_neg(high);
        break;
    }
}

ball loss_noise_delta(loss_noise noise, ball parameter)
{
    ball zero = ball_of(0);
    switch (noise) {
    case LOSS_GAUSSIAN:
        return gauss_delta(parameter, zero);
    case LOSS_LAPLACE:
        return ball_exp(laplace_log_delta(parameter, zero));
    case LOSS_EXPONENTIAL:
        return ball_exp(exponential_log_delta(parameter, zero));
    case LOSS_FINITE:
        break;
    }
    return ball_of(0);
}

void loss_tails_init(loss_tails *out, const loss_law *pair)
{
    out->pair = *pair;
    out->has_density = pair->noise != LOSS_FINITE;
    out->p_inf = ball_of(0);
    out->base_delta = ball_of(0);
    out->last_threshold = 0;
    if (pair->noise == LOSS_FINITE) {
        out->p_inf = finite_p_inf(pair->finite);
        out->smallest = out->largest = ball_of(0);
        return;
    }
    range_init(out);
    if (pair->map == LOSS_WITHOUT_REPLACEMENT)
        out->base_delta = loss_noise_delta(pair->noise, pair->parameter);
    if (pair->map == LOSS_WITH_REPLACEMENT ||
        (pair->map == LOSS_GROUP && pair->draws > 0))
        loss_with_replacement_init(out);
    else if (pair->map == LOSS_GROUP) {
        loss_group_weights(out->removed, pair->removed, pair->rate);
        loss_group_weights(out->added, pair->added, pair->rate);
    }
}
