#include "spectral_ladder.h"

#include "spectral_part.h"

spectral_ladder spectral_ladder_at(
    const loss *pair, double first, double last, double h)
{
    ball mu = pair->parameter, half = ball_scale2(ball_sqr(mu), -1);
    ball y = ball_sub(ball_mul_d(mu, first), half);
    double end = ball_mid(mu) * last - ball_mid(half);
    spectral_ladder g = {
        .pair = pair, .h = h, .is_used = y.hi > -600 && end < 300};
    if (!g.is_used)
        return g;
    ball value = ball_exp(y), factor = ball_exp(ball_mul_d(mu, h));
    for (int i = 0; i < BALL_ROW; i++) {
        ball_row_put(&g.value, i, value);
        value = ball_mul(value, factor);
    }
    for (int i = 1; i < BALL_ROW; i *= 2)
        factor = ball_sqr(factor);
    g.factor = ball_row_of(factor);
    return g;
}

void spectral_ladder_step(spectral_ladder *g)
{
    if (g->is_used)
        ball_row_mul(&g->value, &g->factor);
}

void spectral_ladder_losses(
    ball_row *l, const spectral_ladder *g, double x, double ratio[BALL_ROW])
{
    if (!g->is_used) {
        for (int i = 0; i < BALL_ROW; i++)
            ball_row_put(l, i,
                spectral_sampled_loss(
                    g->pair, x + i * g->h, ratio != NULL ? &ratio[i] : NULL));
        return;
    }
    ball_row rate = ball_row_of(g->pair->rate);
    ball_row one = ball_row_of(ball_of(-1));
    *l = g->value;
    ball_row_add(l, &one);
    ball_row_mul(l, &rate);
    if (ratio != NULL) { /* 1 + v >= 1 - q has all its digits in a ball */
        ball_row sum = ball_row_of(ball_of(1));
        ball_row_add(&sum, l);
        for (int i = 0; i < BALL_ROW; i++)
            ratio[i] = rate.hi[i] * g->value.hi[i] / sum.hi[i];
    }
    ball_row_log1p(l);
}

void spectral_tilted_weights(ball_row *weight, const ball_row *l, ball p,
    double x, double h, const ball_row *log_b, double shift)
{
    ball_row exponent = ball_row_of(p), less;
    for (int i = 0; i < BALL_ROW; i++) {
        double at = x + i * h;
        dd half = dd_two_product(at, -at / 2);
        ball_row_put(&less, i, ball_from(half, 0));
    }
    ball_row_mul(&exponent, l);
    if (log_b != NULL)
        ball_row_add(&exponent, log_b);
    ball_row_add(&exponent, &less);
    less = ball_row_of(ball_of(-shift));
    ball_row_add(&exponent, &less);
    ball_row_exp(&exponent);
    *weight = exponent;
}
