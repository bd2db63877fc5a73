/*
 * Runs of several records, for the tests of classes of jumps: the profile of
 * one run in closed form.
 */
#ifndef DOSI_TESTS_SUPPORT_JUMP_MANY_H
#define DOSI_TESTS_SUPPORT_JUMP_MANY_H

#include "num/special.h"
#include "repr/loss_split.h"
#include "support/jump_plans.h"

static inline loss many_of(
    unsigned removed, unsigned added, double q, double mu, double count)
{
    loss pair = jumps_of(q, mu, count);
    pair.map = LOSS_SPLIT;
    pair.removed = removed;
    pair.added = added;
    return pair;
}

/* P[noise > x] of n records, each sampled, which move it by mu or -mu. */
static inline ball many_tail(
    const loss *pair, unsigned n, double sign, double x)
{
    ball weight[LOSS_MAX_SPLIT + 1], sum = ball_of(0);
    loss_split_weights(weight, n, pair->rate);
    for (unsigned i = 0; i <= n; i++) {
        ball mean = ball_mul_d(pair->parameter, sign * i);
        ball beyond = ball_normal_sf(ball_sub(ball_of(x), mean));
        sum = ball_add(sum, ball_mul(weight[i], beyond));
    }
    return sum;
}

/* log of P[Z > eps] - e^eps Q[Z > eps], Z > eps right of x: greatest there, so
 * that x may be off a little. */
static inline double many_one_run(const loss *pair, double x, double epsilon)
{
    ball q = ball_mul(
        ball_exp(ball_of(epsilon)), many_tail(pair, pair->added, -1, x));
    return ball_mid(
        ball_log(ball_sub(many_tail(pair, pair->removed, 1, x), q)));
}

#endif
