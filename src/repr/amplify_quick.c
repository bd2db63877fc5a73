/*
 * Epsilons that depend on k by a logarithm are taken from the one at the
 * start: what is added is small, and so is its error.
 */
#include "amplify_quick.h"

#include "binomial_quick.h"
#include "gaussian_quick.h"

static const scaled unknown = {{0, 0, HUGE_VAL}, 0};

/* theta k is within 2^-51, relatively, of the product in doubles. */
static bool is_quick(const amplified *a)
{
    const ball *theta = &a->base.x;
    return !a->is_full && a->base.kind == PROFILE_GAUSSIAN && theta->hi > 0 &&
           theta->rad <= 0x1p-53 * theta->hi;
}

/* Profiles are means of the sums and of smaller numbers: one less them keeps
 * its digits with one less the sum. */
static scaled narrow_sum(const quick_mix *q)
{
    scaled sum = quick_mix_sum(q, NULL);
    return quick_mix_is_narrow(sum) ? sum : unknown;
}

/* ---- With replacement -------------------------------------------------- */

typedef struct draw_terms {
    ball ratio; /* eps/theta */
    ball half;  /* theta/2 */
    double theta;
} draw_terms;

/* a = eps/(k theta) - k theta/2. log delta is concave in log mu and rises,
 * hence concave in k. */
DD_FUSED static dscaled draw_term(double k, const void *context)
{
    const draw_terms *d = context;
    dd rise = dd_div(ball_dd(d->ratio), (dd){k, 0});
    dd fall = dd_mul_d(ball_dd(d->half), k), a = dd_sub(rise, fall);
    double rad =
        (rise.hi + fall.hi) * BALL_UNIT + d->ratio.rad / k + d->half.rad * k;
    return gauss_quick_delta(ball_from(a, rad), d->theta * k);
}

scaled amplify_quick_draws(
    const amplified *a, const binomial_mix *mix, ball eps)
{
    if (!is_quick(a) || a->group != PROFILE_WHITE)
        return unknown;
    draw_terms d = {ball_div(eps, a->base.x), ball_scale2(a->base.x, -1),
        ball_mid(a->base.x)};
    quick_mix q = {.mix = mix,
        .first = 1,
        .start = fmax(binomial_mix_mode_approx(mix), 1),
        .term = draw_term,
        .context = &d,
        .is_concave = true};
    return narrow_sum(&q);
}

/* ---- Poisson under substitution ---------------------------------------- */

/* eps_k = eps_s + log(1 - share (k - s)/k), s the start. */
typedef struct size_terms {
    ball a; /* at s */
    ball over_theta;
    double theta;
    dball share;
    double s;
    double end; /* delta is 1 there */
} size_terms;

DD_FUSED static dscaled size_term(double j, const void *context)
{
    const size_terms *t = context;
    double k = j + 1, step = (t->s - k) / k;
    if (k == t->end)
        return (dscaled){{0, 0}, {1, 0}};
    dball x = {step, fabs(step) * DBALL_UNIT};
    dball more = dball_log(dball_add(dball_of(1), dball_mul(t->share, x)));
    ball over = t->over_theta;
    dd change = dd_mul_d(ball_dd(over), more.mid);
    dd a = dd_add(ball_dd(t->a), change);
    double rad = more.rad * (over.hi + over.rad) + fabs(more.mid) * over.rad +
                 (fabs(change.hi) + fabs(a.hi)) * BALL_UNIT + t->a.rad;
    return gauss_quick_delta(ball_from(a, rad), t->theta);
}

/* The sum from eps, that of the start, and the share. */
static scaled size_sum(const amplified *a, quick_mix q, ball eps, ball share)
{
    if (ball_is_unknown(eps) || ball_is_unknown(share))
        return unknown;
    ball theta = a->base.x, over = ball_div(ball_of(1), theta);
    size_terms t = {.a = ball_sub(ball_mul(eps, over), ball_scale2(theta, -1)),
        .over_theta = over,
        .theta = ball_mid(theta),
        .share = dball_of_ball(share),
        .s = q.start + 1,
        .end = q.is_concave ? HUGE_VAL : a->n};
    q.term = size_term;
    q.context = &t;
    return narrow_sum(&q);
}

/* With c = n growth: 1 + c/k is 1 + c/s times 1 - c/(s + c) (k - s)/k. It is
 * convex in k and so is its logarithm, of which log delta is a concave
 * function that falls. */
scaled amplify_quick_sharp(
    const amplified *a, const binomial_mix *mix, ball growth)
{
    if (!is_quick(a) || ball_is_unknown(growth))
        return unknown;
    quick_mix q = {
        .mix = mix, .start = binomial_mix_mode_approx(mix), .is_concave = true};
    double s = q.start + 1;
    ball c = ball_mul_d(growth, a->n);
    return size_sum(
        a, q, ball_log1p(ball_div_d(c, s)), ball_div(c, ball_add_d(c, s)));
}

/* n/k - 1 is n/s - 1 times 1 - n/(n - s) (k - s)/k. */
scaled amplify_quick_split(
    const amplified *a, const binomial_mix *mix, ball base)
{
    double n = a->n;
    quick_mix q = {.mix = mix, .start = binomial_mix_mode_approx(mix)};
    double s = q.start + 1;
    if (!is_quick(a) || !(s < n))
        return unknown;
    ball odds = ball_div_d(ball_of(n - s), s);
    return size_sum(
        a, q, ball_add(base, ball_log(odds)), ball_div_d(ball_of(n), n - s));
}
