/*
 * Mixtures of shifted Gaussian noise on the contour: the nodes x_i = i h of a
 * trapezoid rule in balls, the bounds of its error, and the table of functions.
 * Derivation: docs/theory/contour.md, section 9.
 */
#include "part_group.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static ball tilt_at(const contour_part *self, double a)
{
    return ball_add_d(ball_of(self->want.t), a);
}

/* Encloses log of phi A^(t+1) B^-t at x without 1/sqrt(2 pi). */
static ball log_density(const contour_part *self, ball t, double x)
{
    ball y = ball_mul_d(self->law->parameter, x);
    ball log_p = shifts_log(&self->group->p, y);
    ball log_q = shifts_log(&self->group->q, ball_neg(y));
    ball value = ball_add(ball_mul(t, ball_sub(log_p, log_q)), log_p);
    return ball_sub(value, ball_scale2(ball_sqr(ball_of(x)), -1));
}

/*
 * Bounds the nodes outside of (lo, hi): (log G)' = -x + mu ((t+1) E[i] + t
 * E[j]) for G = phi A^(t+1) B^-t, E[i] rising to n, E[j] falling, both >= 0:
 *   right of B:  G(B) (1 + 1/(h (B - mu ((t+1) n + t E[j|B])))),
 *   left of -A:  G(-A) (1 + 1/(h A)).
 * Both denominators must be positive, else the bound is infinite.
 */
double group_beyond(
    const contour_part *self, double a, double h, double lo, double hi)
{
    const group *g = self->group;
    ball t = tilt_at(self, a);
    double total = 0;
    for (int side = 0; side < 2; side++) {
        double x = side == 0 ? lo : hi;
        group_point rough = group_at(g, x);
        ball slope = ball_of(-x);
        if (side == 1) {
            ball added = ball_mul_d(t, rough.mean_q * (1 + 0x1p-40));
            ball pull = ball_add(ball_mul_d(ball_add_d(t, 1), g->p.n), added);
            slope = ball_sub(ball_of(x), ball_mul(self->law->parameter, pull));
        }
        if (!rough.is_sure || !ball_is_positive(slope))
            return HUGE_VAL;
        ball density =
            ball_exp(ball_sub_d(log_density(self, t, x), self->shift));
        ball steps = ball_div(ball_of(1), ball_mul_d(slope, h));
        ball sum = ball_mul(density, ball_add_d(steps, 1));
        total = round_up(total + ball_upper(sum));
    }
    return total;
}

/* Bounds the sum of all nodes that are not summed, dropped ones included. */
static double group_left_out(const contour_part *self, double a)
{
    const group *g = self->group;
    double skipped = contour_log_skipped(self, a);
    if (!(skipped < HUGE_VAL))
        return HUGE_VAL;
    ball left_out = ball_exp(ball_sub_d(ball_of(skipped), self->shift));
    double total = ball_upper(left_out);
    return round_up(total + group_beyond(self, a, g->h, (g->first - 1) * g->h,
                                (g->last + 1) * g->h));
}

#define CELL_RESERVE 6 /* nats, for the number of cells */

/* The error of the rule: a share of the integral, or a sum in the units of the
 * nodes' sum, e^shift and h. The other one is 0. */
typedef struct rule_error {
    double share, sum;
} rule_error;

static rule_error error_of_rule(const contour_part *self, double a,
    double outer, double alpha, group_strip strip)
{
    const group *g = self->group;
    double level = self->shift + log(g->h * ball_mid(self->moment));
    group_rule r = {self->want.t + a, outer, alpha, g->h, g->first * g->h,
        g->last * g->h, strip, level - strip.digits - CELL_RESERVE};
    ball log_error = ball_of(group_log_error(g, &r));
    if (strip.is_straight)
        return (rule_error){ball_upper(ball_exp(log_error)), 0};
    log_error = ball_sub(log_error, ball_log(ball_of(g->h)));
    return (rule_error){
        0, ball_upper(ball_exp(ball_sub_d(log_error, self->shift)))};
}

/* Marks the nodes that are significant at the tilt t or t + reach; *n
 * receives their number. The sums of the others, e^log_skipped, count as
 * beyond the range; the 1e-3 that is added covers the summation. */
static bool *choose_nodes(size_t *n, contour_part *self, size_t n_all)
{
    const group *of = self->group;
    const double t = self->want.t;
    const double tilts[2] = {t, t + self->want.reach};
    const double depth[2] = {
        self->want.digits + log((double)n_all) + 3, 16};
    double top[2] = {-HUGE_VAL, -HUGE_VAL}, sum[2] = {0, 0};
    double error[2] = {0, 0};
    bool *keep = malloc(n_all * sizeof *keep);
    double *g = malloc(2 * n_all * sizeof *g);
    *n = 0;
    for (size_t i = 0; keep != NULL && g != NULL && i < n_all; i++) {
        group_point p = group_at(of, (of->first + (double)i) * of->h);
        for (int j = 0; j < 2; j++) {
            double at = group_log_density(&p, tilts[j]);
            g[2 * i + (size_t)j] = at;
            top[j] = at > top[j] ? at : top[j];
            /* |x|, log A and log B are monotone */
            if (i == 0 || i == n_all - 1)
                error[j] =
                    fmax(error[j], group_density_error(of, &p, tilts[j]));
        }
    }
    for (size_t i = 0; keep != NULL && g != NULL && i < n_all; i++) {
        const double *at = g + 2 * i;
        keep[i] = false;
        for (int j = 0; j < 2; j++)
            keep[i] = keep[i] || !(at[j] <= top[j] - depth[j]);
        for (int j = 0; !keep[i] && j < 2; j++)
            sum[j] += exp(at[j] - top[j]);
        *n += keep[i] ? 1 : 0;
    }
    for (int j = 0; j < 2; j++) { /* DBL_MIN covers underflow */
        double log_sum = top[j] + log(sum[j] + DBL_MIN) + 1e-3 + 2 * error[j];
        self->log_skipped[j] = isnan(log_sum) ? HUGE_VAL : log_sum;
    }
    self->shift = top[0]; /* any scale is valid */
    if (g == NULL) {
        free(keep);
        keep = NULL;
    }
    free(g);
    return keep;
}

/* Encloses e^(t z + log A - x^2/2 - shift) at x, x + h, ..., which are
 * exact. */
static void tilted_weights(ball_row *weight, const ball_row *z,
    const ball_row *log_p, ball t, double x, double h, double shift)
{
    ball_row less;
    *weight = ball_row_of(t);
    ball_row_mul(weight, z);
    ball_row_add(weight, log_p);
    for (int i = 0; i < BALL_ROW; i++) {
        double at = x + i * h;
        dd half = dd_two_product(at, -at / 2);
        ball_row_put(&less, i, ball_from(half, 0));
    }
    ball_row_add(weight, &less);
    less = ball_row_of(ball_of(-shift));
    ball_row_add(weight, &less);
    ball_row_exp(weight);
}

/* Makes the nodes as balls: weights without h/sqrt(2 pi) and e^shift. */
static void make_nodes(
    contour_part *self, ball *weight, ball *z, const bool *keep, size_t n_all)
{
    const group *g = self->group;
    ball t = tilt_at(self, 0), mu = self->law->parameter;
    double first = g->first * g->h, last = g->last * g->h;
    shifts_rows p = shifts_rows_at(&g->p, mu, first, last, g->h);
    shifts_rows q = shifts_rows_at(&g->q, ball_neg(mu), first, last, g->h);
    size_t n = 0;
    for (size_t i = 0; i < n_all; i += BALL_ROW) {
        size_t in_row = n_all - i < BALL_ROW ? n_all - i : BALL_ROW;
        if (memchr(keep + i, 1, in_row) != NULL) {
            double x = (g->first + (double)i) * g->h; /* exact */
            ball_row log_p, log_q, own, w;
            shifts_rows_log(&log_p, &p, x);
            shifts_rows_log(&log_q, &q, x);
            own = ball_row_of(ball_of(-1));
            ball_row_mul(&own, &log_q);
            ball_row_add(&own, &log_p);
            tilted_weights(&w, &own, &log_p, t, x, g->h, self->shift);
            for (size_t j = 0; j < in_row; j++) {
                if (!keep[i + j])
                    continue;
                self->at[n] = x + (double)j * g->h;
                z[n] = ball_row_get(&own, (int)j);
                weight[n++] = ball_row_get(&w, (int)j);
            }
        }
        shifts_rows_step(&p);
        shifts_rows_step(&q);
    }
}

/* Charges the errors that all sums share, then encloses K(t). */
static bool charge_errors(contour_part *self)
{
    const group *g = self->group;
    double sum = ball_lower(self->moment), most = ball_upper(self->moment);
    rule_error e =
        error_of_rule(self, 0, contour_unshifted_outer(&self->want), 0,
        g->strip);
    /* M <= (sum + left out + e.sum)/(1 - e.share), which is at most 2 sum if
     * the error is at most half of the sum: a share of M is twice that of the
     * sum */
    double error =
        round_up((2 * e.share * most + e.sum + group_left_out(self, 0)) *
                 (1 + 0x1p-40));
    if (!(sum > 0 && most < 1.5 * sum && error < sum / 2))
        return false;
    /* the sums S err by at most error for all u, so that |S(u)/S(0) -
     * M(u)/M(0)| <= 2 error/S(0), as |M(u)| <= M(0) */
    self->error += 2 * error / sum * (1 + 0x1p-40);
    self->moment = ball_widen(self->moment, error);
    ball scale =
        ball_sub(ball_log(ball_of(g->h)), ball_scale2(ball_log_2pi(), -1));
    self->cumulant =
        ball_add(ball_log(self->moment), ball_add_d(scale, self->shift));
    return !ball_is_unknown(self->cumulant) && !ball_is_unknown(self->mean);
}

static dosi_status group_tilt(
    bool *found, contour_part *self, const part_request *w, dosi_error *err)
{
    *found = false;
    self->want = *w;
    self->error = 0;
    group *g = group_of(self);
    if (g == NULL)
        return DOSI_OK;
    group_choose(self, w);
    if (!(g->h > 0 && g->last >= g->first && g->last - g->first < 200000))
        return DOSI_OK;
    size_t n_all = (size_t)(g->last - g->first) + 1, n;
    bool *keep = choose_nodes(&n, self, n_all);
    ball *weight = malloc((2 * n + 1) * sizeof *weight);
    if (keep == NULL || weight == NULL ||
        !contour_nodes_resize(self, n, true)) {
        free(keep);
        free(weight);
        return dosi_fail_memory(err);
    }
    ball *z = weight + n;
    make_nodes(self, weight, z, keep, n_all);
    cumulant_guess r = contour_sketch_at(&self->sketch, w->t);
    contour_nodes_fill(
        self, weight, z, n, sqrt(self->count * fabs(r.k2)) / 2 + 1e-300);
    free(keep);
    free(weight);
    *found = charge_errors(self);
    if (!*found || !(w->shifted_from > 0))
        return DOSI_OK;
    return group_dd_tilt(found, self, err);
}

/* M(t+a) <= (S(t+a) + error)/(1 - share), and S(t+a) = S(t) e^{a mean} sum g
 * e^{a c}. */
static double group_cumulant_upper(const contour_part *self, double a)
{
    rule_error e = error_of_rule(self, a, 0, 0, self->group->strip_moment);
    double error = round_up(e.sum + group_left_out(self, a));
    if (!(error < HUGE_VAL && e.share < 0.5))
        return HUGE_VAL;
    ball inside =
        ball_add_d(ball_mul_d(self->mean, a), contour_nodes_log_sum(self, a));
    ball sum = ball_logaddexp(inside,
        ball_log(ball_div(ball_of(fmax(error, DBL_MIN)), self->moment)));
    ball k = ball_add(self->cumulant, sum);
    return ball_upper(ball_sub(k, ball_log1p(ball_of(-e.share))));
}

static double group_decay(const contour_part *self, double u)
{
    const group *g = self->group;
    double m = self->want.multiple, alpha = self->want.alpha;
    if (!(alpha > 0 && alpha + g->strip_alpha.b <= group_max_height(g)))
        return 0;
    /* errors of the nodes' sum: the rule on the shifted line, and what is
     * beyond the nodes, where the shift may cost something */
    double cost =
        group_shift_cost(g, alpha, self->want.t, (g->first - 1) * g->h);
    double most = ball_upper(ball_exp(ball_of(cost)));
    rule_error e = error_of_rule(self, 0, 0, alpha, g->strip_alpha);
    double error = e.sum + group_left_out(self, 0) * most;
    /* M is at least 1 - error/2 of the nodes' sum, and at most twice that
     * sum */
    double slack =
        (error / ball_lower(self->moment) + 2 * e.share + self->error) *
        (1 + 2 * self->error) * (1 + 0x1p-18);
    double raw = 0;
    if (slack < 1 && self->error < 0.25)
        raw = group_shifted_decay(self, m * u, slack);
    return raw < 0 ? contour_decay_from_multiple(raw, m) : 0;
}

static ball group_largest_loss(const loss_law *pair)
{
    if (contour_removed(pair) > 0)
        return ball_of(HUGE_VAL);
    /* B is at least its first term */
    double n = pair->draws > 0 ? pair->draws : contour_added(pair);
    return ball_neg(ball_mul_d(ball_log1p(ball_neg(pair->rate)), n));
}

const contour_type contour_group = {
    .guess_cumulant = group_guess_cumulant,
    .guess_decay = group_guess_decay,
    .guess_nodes = group_guess_nodes,
    .guess_shifted_nodes = group_guess_shifted_nodes,
    .tilt = group_tilt,
    .power = contour_nodes_power,
    .shifted_mean = group_shifted_mean,
    .cumulant_upper = group_cumulant_upper,
    .log_decay = group_decay,
    .largest_loss = group_largest_loss,
};
