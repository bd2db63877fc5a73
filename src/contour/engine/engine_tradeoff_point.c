/*
 * The objective of a trade-off at one epsilon, from the contours of either
 * side.
 */
#include "engine_tradeoff_point.h"

/* Relative errors of g: the greatest that is taken as it is, and one that is of
 * little use. */
#define MOST_NOISE 1e-3
#define POOR 1e-7
#define MOST_POOR 6

/* 1 - alpha - delta of (Q, P), or 1 - delta - alpha e^eps: g without its
 * factor. */
static ball bracketed(const height *h, double alpha)
{
    dosi_interval l = h->log_delta;
    ball least = l.lo > -HUGE_VAL ? ball_exp(ball_of(l.lo)) : ball_of(0);
    ball most = l.hi > -HUGE_VAL ? ball_exp(ball_of(l.hi)) : ball_of(0);
    ball delta = ball_of_interval(
        (dosi_interval){fmax(ball_lower(least), 0), ball_upper(most)});
    ball rest = ball_sub(ball_of(1), delta);
    if (h->is_back)
        return ball_sub_d(rest, alpha);
    return ball_sub(
        rest, ball_mul_d(ball_exp(ball_of(h->epsilon)), alpha));
}

ball height_place(const height *h, double c)
{
    return ball_exp(ball_sub(ball_of(h->epsilon), ball_of(c)));
}

ball height_scaled(const height *h, double alpha, double c)
{
    ball scale =
        h->is_back ? height_place(h, c) : ball_exp(ball_of(-c));
    return ball_mul(bracketed(h, alpha), scale);
}

/* Relative width of g: steers. */
static double noise_of(const height *h, double alpha)
{
    ball g = bracketed(h, alpha);
    double mid = fabs(ball_mid(g));
    return g.rad <= 0.1 * mid ? g.rad / mid : HUGE_VAL;
}

/* Mass at infinity, and hits that are told apart, are added elsewhere. */
static bool can_read(const contour_engine *s)
{
    for (size_t i = 0; i < s->parts.n; i++)
        if (s->parts.items[i].law->draws > 0)
            return false;
    return ball_is_zero(s->log_keep);
}

static void take(height *best, double *noise, const height_quest *q,
    bool is_back, dosi_interval log_delta)
{
    height h = {best->epsilon, true, is_back, log_delta};
    double own = noise_of(&h, q->alpha);
    if (own < *noise) {
        *noise = own;
        *best = h;
    }
}

/* Reads the contours of one side. */
static void read(height *best, double *noise, const height_quest *q,
    bool is_back)
{
    const contour_engine *s = is_back ? q->back : q->ahead;
    double x = is_back ? -best->epsilon : best->epsilon;
    if (s != NULL && can_read(s))
        take(best, noise, q, is_back, engine_read_again(s, x));
}

/* A new contour of one side. */
static dosi_status ask(height *best, double *noise, const height_quest *q,
    bool is_back, dosi_error *err)
{
    contour_engine *s = is_back ? q->back : q->ahead;
    double x = is_back ? -best->epsilon : best->epsilon;
    dosi_interval found;
    if (s == NULL || work_stopped(s->limits))
        return DOSI_OK;
    dosi_status status = engine_log_delta(&found, s, x, err);
    if (status == DOSI_OK)
        take(best, noise, q, is_back, found);
    return status;
}

dosi_status height_at(
    height *out, height_quest *q, double epsilon, dosi_error *err)
{
    double noise = HUGE_VAL;
    *out = (height){epsilon, false, false, {-HUGE_VAL, 0}};
    read(out, &noise, q, false);
    read(out, &noise, q, true);
    /* the side where epsilon is positive */
    bool first = epsilon < 0 && q->back != NULL;
    dosi_status status = DOSI_OK;
    bool was_poor = !(noise <= q->noise);
    for (int i = 0; i < 2 && status == DOSI_OK && !(noise <= q->noise) &&
                    q->n_poor < MOST_POOR; i++) {
        bool is_back = i == 0 ? first : !first;
        if (is_back && q->back == NULL)
            continue;
        status = ask(out, &noise, q, is_back, err);
        q->n_poor += !(noise <= fmax(POOR, q->noise));
    }
    if (!out->is_known)
        return status;
    if (was_poor) /* no better contours are to be had nearby */
        q->noise = fmax(q->noise, fmin(4 * noise, MOST_NOISE));
    q->least =
        fmax(q->least, ball_lower(height_scaled(out, q->alpha, 0)));
    return status;
}
