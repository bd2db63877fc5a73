/*
 * Evaluates a contour at one epsilon: the terms are rotated and summed, then
 * aliasing and truncation are charged. Derivation: docs/theory/contour.md,
 * section 1.
 */
#include "contour.h"

#include "contour_dd.h"

#define UNIT 0x1p-53
#define PHASES_PER_ROW 32 /* terms that share a table of phases */

/* Encloses (D/pi) Re sum of the terms, rotated from eps_0 to epsilon, over
 * e^{K(t) - t eps}. */
static dosi_interval contour_sum(const contour *c,
    const contour_terms *terms, double epsilon)
{
    double step = c->choice.step, shift = epsilon - c->choice.epsilon;
    double cosine[PHASES_PER_ROW], sine[PHASES_PER_ROW];
    for (size_t j = 0; j < PHASES_PER_ROW; j++) {
        cosine[j] = cos((double)j * step * shift);
        sine[j] = sin((double)j * step * shift);
    }
    dd total = {0, 0};
    double error = 0, size = 0;
    for (size_t n = 0; n < c->n; n += PHASES_PER_ROW) {
        double angle = (double)n * step * shift, row_size = 0;
        double to_x = cos(angle), to_y = sin(angle);
        for (size_t j = 0; j < PHASES_PER_ROW && n + j < c->n; j++) {
            double x = to_x * cosine[j] - to_y * sine[j];
            double y = to_y * cosine[j] + to_x * sine[j];
            /* Re of the term times e^{-i angle} */
            double term = terms->re[n + j] * x + terms->im[n + j] * y;
            dd sum = dd_two_sum(total.hi, term);
            total = (dd){sum.hi, total.lo + sum.lo};
            row_size += terms->size[n + j];
        }
        /* each of the two sines and cosines errs by 4 steps, 8 units; their
         * arguments by 3 units of their own, below 2 (|angle| + the row's) */
        size += row_size;
        error += row_size * fabs(angle);
    }
    error += size * fabs(PHASES_PER_ROW * step * shift);
    /* total.lo was summed with N roundings of terms below 2^-53 size */
    error = (48 + (double)c->n * 0x1p-50) * size + 4 * error;
    error = (error * UNIT + terms->error) * (1 + 0x1p-30);
    double mid = total.hi + total.lo;
    double lo = mid - error, hi = mid + error;
    lo -= 8 * UNIT * fabs(lo);
    hi += 8 * UNIT * fabs(hi);
    double scale = step / 3.14159265358979323846;
    return (dosi_interval){round_down(scale * lo), round_up(scale * hi)};
}

dosi_interval contour_read(
    const contour *c, double epsilon)
{
    const contour_choice *k = &c->choice;
    ball t = ball_of(k->t), eps = ball_of(epsilon);
    ball base = ball_sub(c->cumulant, ball_mul(eps, t));
    const double shifts[] = {k->alias_right, -k->t};
    double alias = 0;
    for (int i = 0; i < 2; i++) {
        ball u = ball_add_d(t, shifts[i]);
        ball log_a = ball_sub(c->log_alias[i], ball_mul(u, eps));
        alias = round_up(
            alias + ball_upper(ball_exp(ball_sub(log_a, base))));
    }
    dosi_interval sum = k->use_dd ? dd_rule_sum(c, epsilon)
                                   : contour_sum(c, &c->upper, epsilon);
    double hi = round_up(sum.hi + c->truncation_upper);
    if (k->smoothing_sigma > 0)
        sum = contour_sum(c, &c->lower, epsilon);
    double lo = round_down(round_down(sum.lo - c->truncation_lower) - alias);
    dosi_interval out = {-HUGE_VAL, 0};
    if (hi > 0 && hi < HUGE_VAL)
        out.hi = fmin(0, ball_upper(ball_add(base, ball_log(ball_of(hi)))));
    if (lo > 0 && lo < HUGE_VAL)
        out.lo = ball_lower(ball_add(base, ball_log(ball_of(lo))));
    if (c->has_floor && epsilon <= c->floor_at) /* delta falls in epsilon */
        out.lo = fmax(out.lo, c->log_floor);
    return out.lo <= out.hi ? out : (dosi_interval){-HUGE_VAL, 0};
}
