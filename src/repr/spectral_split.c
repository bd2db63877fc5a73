/*
 * Mixtures of shifted Gaussian noise on the contour: the nodes x_i = i h of a
 * trapezoid rule in balls, what they leave out, and the table of functions.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_split.h"

#include <stdlib.h>

#include "base/error.h"

/* ---- The density ------------------------------------------------------- */

typedef struct noise_point {
    ball log_p, log_q; /* of A and B */
} noise_point;

static noise_point noise_at(const spectral_part *self, double x)
{
    ball y = ball_mul_d(self->law->parameter, x);
    return (noise_point){shifts_log(&self->split->p, y),
        shifts_log(&self->split->q, ball_neg(y))};
}

/* log of phi A^(t+1) B^-t without 1/sqrt(2 pi). */
static ball log_density(const noise_point *n, ball t, double x)
{
    ball z = ball_sub(n->log_p, n->log_q);
    ball g = ball_add(ball_mul(t, z), n->log_p);
    return ball_sub(g, ball_scale2(ball_sqr(ball_of(x)), -1));
}

static ball tilt_at(const spectral_part *self, double a)
{
    return ball_add_d(ball_of(self->want.t), a);
}

/*
 * The nodes outside of (lo, hi): (log G)' = -x + mu ((t+1) E[i] + t E[j]) for
 * G = phi A^(t+1) B^-t, E[i] rising to n, E[j] falling, both >= 0:
 *   right of B:  G(B) (1 + 1/(h (B - mu ((t+1) n + t E[j|B])))),
 *   left of -A:  G(-A) (1 + 1/(h A)),
 * both denominators must be positive, else the bound is infinite.
 */
double split_beyond(
    const spectral_part *self, double a, double h, double lo, double hi)
{
    const split *s = self->split;
    ball t = tilt_at(self, a);
    double total = 0;
    for (int side = 0; side < 2; side++) {
        double x = side == 0 ? lo : hi;
        noise_point n = noise_at(self, x);
        split_point rough = split_at(s, x);
        ball slope = ball_of(-x);
        if (side == 1) {
            ball added = ball_mul_d(t, rough.mean_q * (1 + 0x1p-40));
            ball pull = ball_add(
                ball_mul_d(ball_add_d(t, 1), s->p.n), added);
            slope = ball_sub(
                ball_of(x), ball_mul(self->law->parameter, pull));
        }
        if (!rough.is_sure || !ball_is_positive(slope))
            return HUGE_VAL;
        ball g = ball_sub_d(log_density(&n, t, x), self->shift);
        ball steps = ball_div(ball_of(1), ball_mul_d(slope, h));
        ball sum = ball_mul(ball_exp(g), ball_add_d(steps, 1));
        total = round_up(total + ball_upper(sum));
    }
    return total;
}

/* The same for the nodes at hand, and for those left out among them. */
static double range_beyond(const spectral_part *self, double a)
{
    double skipped = spectral_log_skipped(self, a);
    if (!(skipped < HUGE_VAL))
        return HUGE_VAL;
    ball left_out = ball_exp(ball_sub_d(ball_of(skipped), self->shift));
    double total = ball_upper(left_out);
    return round_up(total + split_beyond(self, a, self->h,
                                (self->first - 1) * self->h,
                                (self->last + 1) * self->h));
}

/* What the rule errs by, in the units of the nodes' sum: e^shift and h. */
static double rule_error(const spectral_part *self, double a, double outer,
    double alpha, split_strip strip)
{
    split_rule r = {self->want.t + a, outer, alpha, self->h,
        self->first * self->h, self->last * self->h, strip};
    ball log_error = ball_sub(ball_of(split_log_error(self->split, &r)),
        ball_log(ball_of(self->h)));
    return ball_upper(ball_exp(ball_sub_d(log_error, self->shift)));
}

/* ---- Nodes ------------------------------------------------------------- */

/* Keeps the nodes that matter at one of the tilts 0, t and t + reach; *n
 * receives their number. The sums of the others, e^log_skipped, count as
 * beyond the range; the 1e-3 that is added covers the summation. */
static bool *choose_nodes(size_t *n, spectral_part *self, size_t n_all)
{
    const double t = self->want.t;
    const double tilts[3] = {0, t, t + self->want.reach};
    const double depth[3] = {
        16, self->want.digits + log((double)n_all) + 3, 16};
    double top[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, sum[3] = {0, 0, 0};
    double worst[3] = {0, 0, 0};
    bool *keep = malloc(n_all * sizeof *keep);
    double *g = malloc(3 * n_all * sizeof *g);
    *n = 0;
    for (size_t i = 0; keep != NULL && g != NULL && i < n_all; i++) {
        double x = (self->first + (double)i) * self->h;
        split_point p = split_at(self->split, x);
        for (int j = 0; j < 3; j++) {
            g[3 * i + (size_t)j] = split_log_density(&p, tilts[j]);
            top[j] = fmax(top[j], g[3 * i + (size_t)j]);
            worst[j] = fmax(
                worst[j], split_density_error(self->split, &p, tilts[j]));
        }
    }
    for (size_t i = 0; keep != NULL && g != NULL && i < n_all; i++) {
        const double *at = g + 3 * i;
        keep[i] = false;
        for (int j = 0; j < 3; j++)
            keep[i] = keep[i] || !(at[j] <= top[j] - depth[j]);
        for (int j = 0; !keep[i] && j < 3; j++)
            sum[j] += exp(at[j] - top[j]);
        *n += keep[i] ? 1 : 0;
    }
    for (int j = 0; j < 3; j++) { /* DBL_MIN: what underflow takes away */
        double log_sum =
            top[j] + log(sum[j] + DBL_MIN) + 1e-3 + 2 * worst[j];
        self->log_skipped[j] = isnan(log_sum) ? HUGE_VAL : log_sum;
    }
    if (g == NULL) {
        free(keep);
        keep = NULL;
    }
    free(g);
    return keep;
}

/* The nodes as balls: weights without h/sqrt(2 pi) and e^shift. */
static void make_nodes(spectral_part *self, ball *weight, ball *z,
    const bool *keep, size_t n_all)
{
    ball t = tilt_at(self, 0);
    double top = -HUGE_VAL;
    size_t n = 0;
    for (size_t i = 0; i < n_all; i++) {
        if (!keep[i])
            continue;
        double x = (self->first + (double)i) * self->h; /* exact */
        noise_point p = noise_at(self, x);
        self->ratio[n] = x;
        z[n] = ball_sub(p.log_p, p.log_q);
        weight[n] = log_density(&p, t, x);
        top = fmax(top, weight[n].hi);
        n++;
    }
    for (size_t i = 0; i < n; i++)
        weight[i] = ball_exp(ball_sub_d(weight[i], top));
    self->shift = top;
}

/* The errors shared by all sums, then K(t). */
static bool charge_errors(spectral_part *self)
{
    double sum = ball_lower(self->moment);
    double error = rule_error(
        self, 0, spectral_near(&self->want), 0, self->split->strip);
    error = round_up(error + range_beyond(self, 0));
    if (!(sum > 0 && error < sum / 2))
        return false;
    /* the sums S err by at most error for all u, so that |S(u)/S(0) -
     * M(u)/M(0)| <= 2 error/S(0), as |M(u)| <= M(0) */
    self->error += 2 * error / sum * (1 + 0x1p-40);
    self->moment = ball_widen(self->moment, error);
    ball scale = ball_sub(
        ball_log(ball_of(self->h)), ball_scale2(ball_log_2pi(), -1));
    self->cumulant = ball_add(
        ball_log(self->moment), ball_add_d(scale, self->shift));
    return !ball_is_unknown(self->cumulant) && !ball_is_unknown(self->mean);
}

static dosi_status split_tilt(bool *found, spectral_part *self,
    const spectral_want *w, dosi_error *err)
{
    *found = false;
    self->want = *w;
    self->error = 0;
    if (split_of(self) == NULL)
        return DOSI_OK;
    split_choose(self, w);
    double n_nodes = self->last - self->first;
    if (!(self->h > 0 && n_nodes >= 0 && n_nodes < 200000))
        return DOSI_OK;
    size_t n_all = (size_t)(self->last - self->first) + 1, n;
    bool *keep = choose_nodes(&n, self, n_all);
    ball *weight = malloc((2 * n + 1) * sizeof *weight);
    if (keep == NULL || weight == NULL ||
        !spectral_nodes_resize(self, n, true)) {
        free(keep);
        free(weight);
        return dosi_fail_memory(err);
    }
    ball *z = weight + n;
    make_nodes(self, weight, z, keep, n_all);
    spectral_rough r = spectral_sketch_at(&self->sketch, w->t);
    spectral_nodes_fill(
        self, weight, z, n, sqrt(self->count * fabs(r.k2)) / 2 + 1e-300);
    free(keep);
    free(weight);
    *found = charge_errors(self);
    if (!*found || !w->is_fine)
        return DOSI_OK;
    return split_fine_tilt(found, self, err);
}

/* ---- What rests on it -------------------------------------------------- */

/* M(t+a) <= S(t+a) + error, and S(t+a) = S(t) e^{a mean} sum g e^{a c}. */
static double split_cumulant_upper(const spectral_part *self, double a)
{
    double error = rule_error(self, a, 0, 0, self->split->strip);
    error = round_up(error + range_beyond(self, a));
    if (!(error < HUGE_VAL))
        return HUGE_VAL;
    ball inside = ball_add_d(ball_mul_d(self->mean, a),
        spectral_nodes_log_sum(self, a));
    ball sum = ball_logaddexp(inside,
        ball_log(ball_div(ball_of(fmax(error, DBL_MIN)), self->moment)));
    return ball_upper(ball_add(self->cumulant, sum));
}

static double split_decay(const spectral_part *self, double u)
{
    const split *s = self->split;
    double m = self->want.multiple, alpha = self->want.alpha;
    if (!(alpha > 0 && alpha + s->strip_alpha.b <= split_most_turn(s)))
        return 0;
    /* of the nodes' sum: the rule on the turned line, and what is beyond the
     * nodes, where the turn may cost something */
    double cost = split_turn_cost(
        s, alpha, self->want.t, (self->first - 1) * self->h);
    double most = ball_upper(ball_exp(ball_of(cost)));
    double error = rule_error(self, 0, 0, alpha, s->strip_alpha) +
                   range_beyond(self, 0) * most;
    /* M is at least 1 - error/2 of the nodes' sum */
    double slack = (error / ball_lower(self->moment) + self->error) *
                   (1 + 2 * self->error) * (1 + 0x1p-18);
    double raw = 0;
    if (slack < 1 && self->error < 0.25)
        raw = split_rotated(self, m * u, slack);
    return raw < 0 ? spectral_multiple(raw, m) : 0;
}

static ball split_largest(const loss *pair)
{
    if (pair->removed > 0)
        return ball_of(HUGE_VAL);
    /* B is at least its first term */
    double n = pair->draws > 0 ? pair->draws : pair->added;
    return ball_neg(ball_mul_d(ball_log1p(ball_neg(pair->rate)), n));
}

/* A is at least its first term, and B is 1. */
static ball split_least(const loss *pair)
{
    if (pair->added > 0 || pair->draws > 0)
        return ball_of(-HUGE_VAL);
    return ball_mul_d(ball_log1p(ball_neg(pair->rate)), pair->removed);
}

const spectral_type spectral_split = {
    .rough = split_rough,
    .rough_decay = split_rough_decay,
    .rough_nodes = split_rough_nodes,
    .rough_far = split_rough_far,
    .tilt = split_tilt,
    .power = spectral_nodes_power,
    .cumulant_upper = split_cumulant_upper,
    .log_decay = split_decay,
    .largest = split_largest,
    .least = split_least,
};
