/*
 * Certifies the contour that reference_contour_guess.c chose. With P against Q the
 * ordered pair, M(z) = E_P[e^{zZ}] and K = log M of one step, k steps:
 *
 *   delta = (D/pi) Re( F_0/2 + sum_{n=1}^N F_n ) - aliases + truncation,
 *   F_n = exp(k K(z) - z eps) / (z (z+1)),   z = t + i n D.
 *
 * The four errors (aliases >= 0, truncation, inner quadrature, inner range)
 * are the lemmas of docs/theory/reference_contour.md.
 */
#include "reference_contour.h"

#include "reference_contour_build.h"
#include "num/bracket.h"

/* (D/pi) Re( F_0/2 + sum F_n ) over e^{k K(t) - t eps}. */
static ball reference_contour_sum(const reference_contour *c, ball epsilon)
{
    double step = c->choice.step;
    ball t = ball_of(c->choice.t), t1 = ball_add_d(t, 1);
    ball total = ball_scale2(ball_div(ball_of(1), ball_mul(t, t1)), -1);
    disc turn = disc_phase(ball_mul_d(epsilon, -step));
    disc phase = {{1, 0}, {0, 0}, 0};
    for (double n = 1; n <= c->choice.n_outer; n++) {
        phase = disc_mul(phase, turn);
        disc f = disc_mul(c->powers[(size_t)n - 1], phase);
        /* Re f / (z (z+1)), z (z+1) = (t t1 - u^2) + i u (t + t1) */
        ball u = ball_mul_d(ball_of(step), n);
        ball re = ball_sub(ball_mul(t, t1), ball_sqr(u));
        ball im = ball_mul(u, ball_add(t, t1));
        ball norm = ball_add(ball_sqr(re), ball_sqr(im));
        ball term =
            ball_add(ball_mul(disc_re(f), re), ball_mul(disc_im(f), im));
        total = ball_add(total, ball_div(term, norm));
    }
    return ball_div(ball_mul_d(total, step), ball_pi());
}

/* log delta = base + log(sum - aliases +- truncation), in any case <= 0. */
static dosi_interval reference_contour_read(
    const reference_contour *c, double at_epsilon)
{
    ball epsilon = ball_of(at_epsilon), t = ball_of(c->choice.t);
    ball base = ball_sub(c->k_cumulant, ball_mul(epsilon, t));
    double cut = ball_upper(ball_exp(c->log_truncation));
    const double shifts[] = {c->choice.alias_right, -c->choice.alias_left};
    double alias = 0;
    for (int i = 0; i < 2; i++) {
        ball u = ball_add_d(t, shifts[i]);
        ball log_a = ball_sub(c->log_alias[i], ball_mul(u, epsilon));
        alias = round_up(alias + ball_upper(ball_exp(ball_sub(log_a, base))));
    }
    ball sum = reference_contour_sum(c, epsilon);
    double lo = round_down(round_down(ball_lower(sum) - cut) - alias);
    double hi = round_up(ball_upper(sum) + cut);
    dosi_interval out = {-HUGE_VAL, 0};
    if (hi > 0 && hi < HUGE_VAL)
        out.hi = fmin(0, ball_upper(ball_add(base, ball_log(ball_of(hi)))));
    if (lo > 0)
        out.lo = ball_lower(ball_add(base, ball_log(ball_of(lo))));
    return out.lo <= out.hi ? out : (dosi_interval){-HUGE_VAL, 0};
}

/* k log(1/(1-q)), the largest loss of the add direction. */
static ball largest_loss(const reference_contour_pair *pair)
{
    return ball_mul_d(ball_neg(ball_log1p(ball_of(-pair->rate))), pair->count);
}

static reference_contour_shape shape_at(
    const reference_contour_pair *pair, double epsilon)
{
    return (reference_contour_shape){
        ball_mid(pair->mu), pair->rate, pair->count, pair->add, epsilon};
}

dosi_status reference_contour_log_delta_chosen(dosi_interval *out,
    const reference_contour_pair *pair, double epsilon,
    const reference_contour_choice *choice, dosi_error *err)
{
    reference_contour c;
    bool found;
    *out = (dosi_interval){-HUGE_VAL, 0};
    dosi_status status = reference_contour_build(&c, &found, pair, choice, err);
    if (status != DOSI_OK || !found)
        return status;
    *out = reference_contour_read(&c, epsilon);
    reference_contour_free(&c);
    return DOSI_OK;
}

/* What bounded losses say without a contour; true when that is all. */
static bool reference_contour_bounded(
    dosi_interval *out, const reference_contour_pair *pair, double epsilon)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (!pair->add || ball_lower(largest_loss(pair)) > epsilon)
        return false;
    if (ball_upper(largest_loss(pair)) <= epsilon)
        out->hi = -HUGE_VAL; /* the loss never exceeds epsilon */
    return true;
}

dosi_status reference_contour_log_delta(dosi_interval *out,
    const reference_contour_pair *pair, double epsilon, dosi_error *err)
{
    if (reference_contour_bounded(out, pair, epsilon))
        return DOSI_OK;
    reference_contour_shape shape = shape_at(pair, epsilon);
    double tolerance = 0x1p-58;
    for (int attempt = 0; attempt < 2; attempt++, tolerance *= 0x1p-20) {
        reference_contour_choice choice;
        dosi_interval found;
        if (!reference_contour_steer(&choice, &shape, tolerance))
            break;
        dosi_status status = reference_contour_log_delta_chosen(
            &found, pair, epsilon, &choice, err);
        if (status != DOSI_OK)
            return status;
        *out = iv_meet(*out, found);
        if (out->hi - out->lo < 0x1p-44)
            break;
    }
    return DOSI_OK;
}

/* ---- Inversion --------------------------------------------------------- */

typedef struct inversion {
    const reference_contour *reference_contour;
    const reference_contour_pair *pair;
    dosi_interval target; /* log delta */
} inversion;

/* Increasing in epsilon: target - log delta(epsilon). */
static int inversion_sign(double epsilon, const void *context)
{
    const inversion *in = context;
    dosi_interval found;
    if (!reference_contour_bounded(&found, in->pair, epsilon))
        found = reference_contour_read(in->reference_contour, epsilon);
    return found.hi < in->target.lo ? 1 : found.lo > in->target.hi ? -1 : 0;
}

static double guess_gap(double epsilon, const void *context)
{
    const inversion *in = context;
    reference_contour_shape shape = shape_at(in->pair, epsilon);
    return in->target.hi - reference_contour_guess(&shape);
}

/* Newton steps with the slope -t of the saddle, then secants: steers. */
static double inversion_polish(const inversion *in, double guess)
{
    double x = guess, slope = in->reference_contour->choice.t, y_last = 0,
           x_last = 0;
    for (int i = 0; i < 12; i++) {
        dosi_interval f = reference_contour_read(in->reference_contour, x);
        if (f.lo == -HUGE_VAL)
            break;
        double y = in->target.hi - (f.lo + f.hi) / 2;
        if (i > 0 && x != x_last && (y - y_last) / (x - x_last) > 0)
            slope = (y - y_last) / (x - x_last);
        x_last = x;
        y_last = y;
        x = fmax(x - y / slope, 0);
        if (fabs(x - x_last) <= fabs(x) * 0x1p-52)
            break;
    }
    return x;
}

dosi_status reference_contour_epsilon(dosi_interval *out,
    const reference_contour_pair *pair, ball log_delta, dosi_error *err)
{
    *out = (dosi_interval){0, HUGE_VAL};
    inversion in = {NULL, pair, ball_interval(log_delta)};
    dosi_interval at_zero;
    dosi_status status = reference_contour_log_delta(&at_zero, pair, 0, err);
    if (status != DOSI_OK)
        return status;
    if (at_zero.hi <= in.target.lo) {
        out->hi = 0;
        return DOSI_OK;
    }
    double most = pair->add ? ball_upper(largest_loss(pair)) : 1;
    for (int i = 0; !pair->add && i < 60 && guess_gap(most, &in) < 0; i++)
        most *= 2;
    double guess = bracket_approx(guess_gap, &in, 0, most);
    reference_contour_shape shape = shape_at(pair, guess);
    reference_contour_choice choice;
    if (!reference_contour_steer(&choice, &shape, 0x1p-60))
        return DOSI_OK;
    reference_contour c;
    bool found;
    status = reference_contour_build(&c, &found, pair, &choice, err);
    if (status != DOSI_OK || !found)
        return status;
    in.reference_contour = &c;
    guess = inversion_polish(&in, guess);
    double hi = pair->add ? most : HUGE_VAL;
    *out = bracket_root(inversion_sign, &in, 0, hi, guess);
    reference_contour_free(&c);
    return DOSI_OK;
}
