/*
 * Gaussian noise beside what is sampled.
 */
#include "spectral_jumps_plain.h"

bool jump_is_plain(const spectral_part *part)
{
    return part->type == &spectral_gaussian;
}

jump_plain jump_plain_of(const spectral_parts *parts)
{
    jump_plain out = {ball_of(0), 0};
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        if (jump_is_plain(p))
            out.variance = ball_add(out.variance,
                ball_mul_d(ball_sqr(p->law->parameter), p->count));
    }
    out.rough = ball_mid(out.variance);
    return out;
}

ball jump_plain_cumulant(const jump_plain *p, ball x)
{
    ball half = ball_scale2(p->variance, -1);
    return ball_mul(half, ball_mul(x, ball_add_d(x, 1)));
}

ball jump_plain_mean(const jump_plain *p, double t)
{
    return ball_mul(p->variance, ball_add_d(ball_of(t), 0.5));
}

double jump_plain_log_upper(const jump_plain *p, double x)
{
    return ball_upper(jump_plain_cumulant(p, ball_of(x)));
}

ball jump_plain_log_fall(const jump_plain *p, double u)
{
    ball half = ball_scale2(p->variance, -1);
    return ball_neg(ball_mul(half, ball_sqr(ball_of(u))));
}

double jump_plain_rough(const jump_plain *p, double x)
{
    return p->rough * x * (x + 1) / 2;
}

double jump_plain_slope(const jump_plain *p, double x)
{
    return p->rough * (x + 0.5);
}

double jump_plain_rough_fall(const jump_plain *p, double u)
{
    return -p->rough * u * u / 2;
}
