/*
 * The objective of a trade-off at one epsilon, from the contours of either
 * pair, (P, Q) or (Q, P). docs/theory/account.md, "Trade-off curves".
 */
#include "engine_tradeoff_point.h"

/* Relative widths of g: the widest that ends the search for better contours,
 * and that of a poor contour, of which a search builds at most MAX_POOR. */
#define MAX_ACCEPTED_WIDTH 1e-3
#define POOR_WIDTH 1e-7
#define MAX_POOR 6

/* 1 - alpha - delta of (Q, P), or 1 - delta - alpha e^eps: g without its
 * factor. */
static ball bracketed(const objective *h, double alpha)
{
    dosi_interval l = h->log_delta;
    ball least = l.lo > -HUGE_VAL ? ball_exp(ball_of(l.lo)) : ball_of(0);
    ball most = l.hi > -HUGE_VAL ? ball_exp(ball_of(l.hi)) : ball_of(0);
    ball delta = ball_of_interval(
        (dosi_interval){fmax(ball_lower(least), 0), ball_upper(most)});
    ball rest = ball_sub(ball_of(1), delta);
    if (h->is_reversed)
        return ball_sub_d(rest, alpha);
    return ball_sub(
        rest, ball_mul_d(ball_exp(ball_of(h->epsilon)), alpha));
}

ball objective_scaled_x(const objective *h, double c)
{
    return ball_exp(ball_sub(ball_of(h->epsilon), ball_of(c)));
}

ball objective_scaled(const objective *h, double alpha, double c)
{
    ball scale =
        h->is_reversed ? objective_scaled_x(h, c) : ball_exp(ball_of(-c));
    return ball_mul(bracketed(h, alpha), scale);
}

/* The relative width of g, uncertified; infinite above 10 %. */
static double relative_width_of(const objective *h, double alpha)
{
    ball g = bracketed(h, alpha);
    double mid = fabs(ball_mid(g));
    return g.rad <= 0.1 * mid ? g.rad / mid : HUGE_VAL;
}

/* Whether kept contours give all of delta: no mass at +inf is to be added, and
 * no law is truncated. */
static bool can_read(const contour_engine *s)
{
    for (size_t i = 0; i < s->parts.n; i++)
        if (s->parts.items[i].law->draws > 0)
            return false;
    return ball_is_zero(s->log_keep);
}

static void take(objective *best, double *width, const tradeoff_search *q,
    bool is_reversed, dosi_interval log_delta)
{
    objective h = {best->epsilon, true, is_reversed, log_delta};
    double own = relative_width_of(&h, q->alpha);
    if (own < *width) {
        *width = own;
        *best = h;
    }
}

/* Takes log delta from the kept contours of one pair if that is narrower. */
static void read(objective *best, double *width, const tradeoff_search *q,
    bool is_reversed)
{
    const contour_engine *s = is_reversed ? q->reversed : q->forward;
    double x = is_reversed ? -best->epsilon : best->epsilon;
    if (s != NULL && can_read(s))
        take(best, width, q, is_reversed, engine_read_kept(s, x));
}

/* Takes log delta from a new contour of one pair if that is narrower. */
static dosi_status ask(objective *best, double *width, const tradeoff_search *q,
    bool is_reversed, dosi_error *err)
{
    contour_engine *s = is_reversed ? q->reversed : q->forward;
    double x = is_reversed ? -best->epsilon : best->epsilon;
    dosi_interval found;
    if (s == NULL || work_stopped(s->limits))
        return DOSI_OK;
    dosi_status status = engine_log_delta(&found, s, x, err);
    if (status == DOSI_OK)
        take(best, width, q, is_reversed, found);
    return status;
}

dosi_status objective_at(
    objective *out, tradeoff_search *q, double epsilon, dosi_error *err)
{
    double width = HUGE_VAL;
    *out = (objective){epsilon, false, false, {-HUGE_VAL, 0}};
    read(out, &width, q, false);
    read(out, &width, q, true);
    /* the side where epsilon is positive */
    bool first = epsilon < 0 && q->reversed != NULL;
    dosi_status status = DOSI_OK;
    bool was_poor = !(width <= q->min_width);
    for (int i = 0; i < 2 && status == DOSI_OK && !(width <= q->min_width) &&
                    q->n_poor < MAX_POOR; i++) {
        bool is_reversed = i == 0 ? first : !first;
        if (is_reversed && q->reversed == NULL)
            continue;
        status = ask(out, &width, q, is_reversed, err);
        q->n_poor += !(width <= fmax(POOR_WIDTH, q->min_width));
    }
    if (!out->is_known)
        return status;
    if (was_poor) /* no better contours are to be had nearby */
        q->min_width = fmax(q->min_width, fmin(4 * width, MAX_ACCEPTED_WIDTH));
    q->least =
        fmax(q->least, ball_lower(objective_scaled(out, q->alpha, 0)));
    return status;
}
