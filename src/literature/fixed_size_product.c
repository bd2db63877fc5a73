/*
 * Profiles of compositions of C_p(G_mu) with another law g, by
 *
 *     delta(eps) = E_Q delta_g(eps - L)
 *         = a delta_g(eps) + int (e^Z delta_g(eps - Z) + delta_g(eps + Z))
 *                                phi(y + mu/2) dy,
 *
 * a the atom at 0. The profile of C_p(G) has a kink at 0, so its integral is
 * split where Z = eps. Declared in tradeoff/fixed_size_gaussian.h; derivation:
 * docs/theory/tradeoff.md, section 7.
 */
#include "tradeoff/fixed_size_gaussian.h"

#include "sampling/amplify.h"
#include "noise/gaussian.h"
#include "special/special.h"
#include "sampling/poisson_gaussian.h"
#include "tradeoff/tradeoff.h"

#define INTEGRAL_ERROR 0x1p-62 /* relative */
#define MAX_PANELS 1024
#define FAR 40.0 /* deviations beyond mu/2 where the range ends */

/* The jet of the Gaussian profile delta_mu(s), with T = e^s sf(s/mu + mu/2) =
 * -d delta/ds and T' = T - phi(s/mu - mu/2)/mu. */
jet jet_gauss_delta(ball mu, const jet *eps)
{
    ball h = ball_scale2(mu, -1), inverse = ball_div(ball_of(1), mu);
    jet a = jet_scale(eps, inverse);
    a = jet_add_ball(&a, ball_neg(h));
    jet exponent = jet_mul(&a, &a);
    exponent = jet_scale(&exponent, ball_of(-0.5));
    exponent =
        jet_add_ball(&exponent, ball_neg(ball_scale2(ball_log_2pi(), -1)));
    jet phi = jet_exp(&exponent);
    phi = jet_scale(&phi, inverse);
    ball s = eps->c[0];
    jet tail = jet_line(
        ball_exp(
            ball_add(s, ball_log_normal_sf(ball_add(ball_mul(s, inverse), h)))),
        ball_of(0));
    jet slope = tail;
    slope.c[0] = ball_sub(tail.c[0], phi.c[0]);
    for (int k = 1; k < JET_TERMS; k++) {
        tail.c[k] = jet_chain(&slope, eps, k);
        slope.c[k] = ball_sub(tail.c[k], phi.c[k]);
    }
    tail = jet_scale(&tail, ball_of(-1));
    return jet_primitive(gauss_delta(mu, s), &tail, eps);
}

typedef struct product {
    const fixed_sample *s;
    ball eps;
    ball mu2;    /* of a Gaussian partner; 0: a second copy */
    bool is_far; /* Z >= eps */
} product;

/* log(1 + (e^s - 1)/p) = s - log p + log(1 - (1-p) e^-s). */
static jet base_level(const fixed_sample *s, const jet *eps)
{
    if (eps->c[0].hi < 30) {
        jet v = jet_expm1(eps);
        v = jet_scale(&v, ball_div(ball_of(1), s->rate));
        return jet_log1p(&v);
    }
    jet back = jet_scale(eps, ball_of(-1));
    back = jet_exp(&back);
    back = jet_scale(&back, ball_sub_d(s->rate, 1));
    back = jet_log1p(&back);
    back = jet_add(&back, eps);
    return jet_add_ball(&back, ball_neg(ball_log(s->rate)));
}

/* The profile of C_p(G) at s >= 0: p delta_mu(level). */
static jet sampled_profile(const fixed_sample *s, const jet *eps)
{
    jet v = base_level(s, eps);
    v = jet_gauss_delta(s->mu, &v);
    return jet_scale(&v, s->rate);
}

static jet partner(const product *f, const jet *eps, bool is_negative)
{
    if (!ball_is_zero(f->mu2))
        return jet_gauss_delta(f->mu2, eps);
    if (!is_negative)
        return sampled_profile(f->s, eps);
    /* 1 - e^s (1 - delta(-s)) */
    jet back = jet_scale(eps, ball_of(-1));
    jet delta = sampled_profile(f->s, &back);
    jet grow = jet_exp(eps), short_of = jet_expm1(eps);
    delta = jet_mul(&delta, &grow);
    return jet_sub(&delta, &short_of);
}

static jet product_at(ball y, const void *context)
{
    const product *f = context;
    ball h = ball_scale2(f->s->mu, -1);
    jet loss = fixed_sample_loss(f->s, y);
    jet near = jet_normal_pdf(ball_add(y, h)),
        far = jet_normal_pdf(ball_sub(y, h));
    far = jet_scale(&far, f->s->rate);
    jet keep = jet_scale(&near, ball_sub(ball_of(1), f->s->rate));
    jet grown = jet_add(&far, &keep); /* e^Z phi(x) */
    jet up = jet_add_ball(&loss, f->eps);
    jet down = jet_scale(&loss, ball_of(-1));
    down = jet_add_ball(&down, f->eps);
    down = partner(f, &down, f->is_far);
    up = partner(f, &up, false);
    down = jet_mul(&down, &grown);
    up = jet_mul(&up, &near);
    return jet_add(&down, &up);
}

/* delta_g <= 1, so that the part beyond y is at most
 * p sf(y - mu/2) + (2-p) sf(y + mu/2) <= 2 sf(y - mu/2). */
static double product_beyond(const product *f, double y)
{
    ball x = ball_sub(ball_of(y), ball_scale2(f->s->mu, -1));
    return 2 * ball_upper(ball_normal_sf(x)) * (1 + 0x1p-50);
}

/* `least` is an approximate lower bound of delta, for steering. */
static ball product_delta(product *f, ball at_atom, ball turn, double least)
{
    double mu = ball_mid(f->s->mu);
    double other = ball_is_zero(f->mu2) ? mu : ball_mid(f->mu2);
    jet_quadrature q = {.f = product_at,
        .context = f,
        .tolerance = INTEGRAL_ERROR,
        .max_panels = MAX_PANELS,
        .step = 0.25 / (1 + mu + 1 / other)};
    ball sum = ball_mul(fixed_sample_atom(f->s), at_atom);
    ball end = ball_of(mu / 2 + FAR);
    turn = ball_min(turn, end);
    f->is_far = false;
    ball near =
        jet_integral(&q, ball_of(0), turn, fmax(least, ball_mid(sum)));
    sum = ball_add(sum, near);
    f->is_far = true;
    ball far = jet_integral(&q, turn, end, fmax(least, ball_mid(sum)));
    return ball_widen(ball_add(sum, far), product_beyond(f, end.hi));
}

/* An upper bound that shows whether delta underflows: delta <= Q[L > eps/2] +
 * delta_g(eps/2), as delta_g falls and is at most 1. */
static ball least_and_most(const product *f, ball delta_half)
{
    ball level = amplify_base_epsilon(f->s->rate, ball_scale2(f->eps, -1));
    ball tail = ball_add(ball_mul(f->s->rate, gauss_tail_p(f->s->mu, level)),
        ball_mul(
            ball_sub(ball_of(1), f->s->rate), gauss_tail_q(f->s->mu, level)));
    return ball_of_interval(iv_make(0, ball_upper(ball_add(tail, delta_half))));
}

ball fixed_sample_pair_delta(const fixed_sample *s, ball eps)
{
    product f = {.s = s, .eps = eps, .mu2 = ball_of(0)};
    ball half = ball_scale2(eps, -1);
    ball bound = least_and_most(&f,
        sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST, s->rate, s->mu, half));
    if (ball_upper(bound) < 1e-290)
        return bound;
    ball at_atom =
        sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST, s->rate, s->mu, eps);
    ball turn = ball_div(amplify_base_epsilon(s->rate, eps), s->mu);
    return product_delta(&f, at_atom, turn, ball_mid(at_atom));
}

ball fixed_sample_gauss_delta(const fixed_sample *s, ball mu2, ball eps)
{
    product f = {.s = s, .eps = eps, .mu2 = mu2};
    ball bound = least_and_most(&f, gauss_delta(mu2, ball_scale2(eps, -1)));
    if (ball_upper(bound) < 1e-290)
        return bound;
    ball at_atom = gauss_delta(mu2, eps);
    ball alone =
        sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST, s->rate, s->mu, eps);
    /* the integrand is analytic: no split is needed */
    return product_delta(
        &f, at_atom, ball_of(0), fmax(ball_mid(at_atom), ball_mid(alone)));
}
