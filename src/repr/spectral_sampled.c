/*
 * Poisson-sampled Gaussian noise on the contour: nodes xi_i = i h of a
 * trapezoid rule, with the bounds of docs/theory/spectral.md on quadrature,
 * range, aliases and decay. y = mu xi - mu^2/2, v = q (e^y - 1),
 * l = log(1 + v), M(z) = E[(1+v)^s] with s = z + 1 (mixture against base, Z =
 * l) or s = -z (base against mixture, Z = -l).
 */
#include "spectral_fine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spectral_ladder.h"

/* e^x for the midpoint of a ball, within 2^-50 relatively. */
static double exp_mid(ball x)
{
    return exp(x.hi) * (1 + x.lo);
}

ball spectral_sampled_loss(const loss *pair, double xi, double *ratio)
{
    ball y = ball_sub(ball_mul_d(pair->parameter, xi),
        ball_scale2(ball_sqr(pair->parameter), -1));
    if (y.hi < 300) {
        ball l = ball_log1p(ball_mul(ball_expm1(y), pair->rate));
        if (ratio != NULL) /* 0 rather than a number without its bits */
            *ratio = y.hi < -600 ? 0
                                 : ball_mid(pair->rate) * exp_mid(y) /
                                       exp_mid(l);
        return l;
    }
    ball rest = ball_mul(ball_sub(ball_of(1), pair->rate),
        ball_exp(ball_neg(y)));
    ball sum = ball_add(rest, pair->rate);
    if (ratio != NULL)
        *ratio = ball_mid(pair->rate) / ball_mid(sum);
    return ball_add(y, ball_log(sum));
}

/* log of phi(xi) (1+v)^p without 1/sqrt(2 pi). xi = i h has the six bits of h
 * and the 20 of i at most, so that its square is exact. */
static ball log_density(ball p, ball l, double xi)
{
    return ball_sub_d(ball_mul(p, l), xi * xi / 2);
}

static ball exponent(const spectral_part *self, double a)
{
    ball t = ball_add_d(ball_of(self->want.t), a);
    return self->law->map == LOSS_ADD ? ball_neg(t) : ball_add_d(t, 1);
}

/*
 * With G = phi (1+v)^p, (log G)' = -xi + p mu r and r in (0, 1) increasing:
 *   right of B:  G(B) (1 + 1/(h (B - p+ mu))),  p+ = max(p, 0)
 *   left of -A:  G(-A) (1 + 1/(h (A - |p-| mu r(-A)))),  p- = min(p, 0)
 * both denominators must be positive, else the bound is infinite.
 */
double spectral_sampled_beyond(const spectral_part *self, double a, double h,
    double lo, double hi)
{
    const loss *pair = self->law;
    ball p = exponent(self, a);
    const double ends[] = {lo, hi};
    double total = 0;
    for (int side = 0; side < 2; side++) {
        double xi = ends[side], ratio;
        ball l = spectral_sampled_loss(pair, xi, &ratio);
        ratio = side == 0 ? fmin(ratio * (1 + 0x1p-48) + DBL_MIN, 1) : 1;
        ball pull = ball_mul_d(ball_mul(p, pair->parameter), ratio);
        /* outward slope of -log G at the first node left out */
        ball slope = side == 0
                         ? ball_add(ball_of(-xi), ball_min(pull, ball_of(0)))
                         : ball_sub(ball_of(xi), ball_max(pull, ball_of(0)));
        if (!ball_is_positive(slope))
            return HUGE_VAL;
        ball g = ball_sub_d(log_density(p, l, xi), self->shift);
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
    return round_up(total + spectral_sampled_beyond(self, a, self->h,
                                (self->first - 1) * self->h,
                                (self->last + 1) * self->h));
}

/* 2 e^growth c / (e^{2 pi b/(mu h)} - 1): the trapezoid error of an
 * integrand analytic in |Im y| <= b, relative to its integral; c = 1 for
 * p >= 0 and cos(angle/2)^-|p| for p < 0. */
static double strip_error(const spectral_part *self, ball p, ball log_growth,
    double b, double angle)
{
    if (ball_is_negative(p)) {
        ball s, cosine;
        ball_sin_cos(&s, &cosine, ball_of(angle / 2));
        log_growth = ball_add(log_growth, ball_mul(p, ball_log(cosine)));
    }
    ball period = ball_div(ball_mul_d(ball_scale2(ball_pi(), 1), b),
        ball_mul_d(self->law->parameter, self->h));
    ball log_error = ball_sub(ball_add(log_growth, ball_ln2()),
        ball_logexpm1(period));
    return ball_upper(ball_exp(log_error));
}

/* b^2 / (2 mu^2): what |phi| grows by when xi moves by i b / mu. */
static ball strip_growth(const spectral_part *self, double b)
{
    return ball_scale2(
        ball_sqr(ball_div(ball_of(b), self->law->parameter)), -1);
}

/* log of e^shift h / sqrt(2 pi). */
static ball log_scale(const spectral_part *self)
{
    ball scale = ball_sub(
        ball_log(ball_of(self->h)), ball_scale2(ball_log_2pi(), -1));
    return ball_add_d(scale, self->shift);
}

/* Of every sum over the nodes for |u| <= outer at the tilt t + a, relative
 * to M(t + a). */
static double quadrature_error(
    const spectral_part *self, double a, double outer)
{
    ball p = exponent(self, a);
    double b = self->strip;
    if (self->strip_ratio > 0) {
        spectral_strip s = {self->law, ball_mid(p), outer,
            self->want.digits, b, self->strip_ratio};
        double log_error = spectral_strip_log_error(&s, self->h, 0.125);
        return ball_upper(ball_exp(ball_of(log_error)));
    }
    ball growth =
        ball_add(strip_growth(self, b), ball_mul_d(ball_of(outer), b));
    return strip_error(self, p, growth, b, b);
}

/* The errors shared by all sums, then K(t). */
static bool sampled_moment(spectral_part *self)
{
    double relative =
        quadrature_error(self, 0, spectral_near(&self->want));
    double beyond = range_beyond(self, 0);
    double sum = ball_lower(self->moment);
    if (!(relative < 0x1p-20 && beyond < sum / 2))
        return false;
    /* M <= (sum + beyond)/(1 - relative) <= 2 sum, so that the sum over the
     * nodes errs by error = 2 sum relative + beyond at every u, and its
     * quotient with the sum at 0 by 2 error / (sum - error) */
    double share = round_up(2 * relative + beyond / sum) * (1 + 0x1p-40);
    self->error += 2 * share / (1 - share) * (1 + 0x1p-40);
    ball moment = ball_widen(
        self->moment, share * ball_upper(self->moment) * (1 + 0x1p-40));
    self->moment = moment;
    self->cumulant = ball_add(ball_log(moment), log_scale(self));
    return ball_is_positive(moment) && !ball_is_unknown(self->mean);
}

/* Exponents of (1+v) at t = 0, at t and at t + reach. */
static void three_exponents(double p[3], const spectral_part *self)
{
    const double shifts[3] = {-self->want.t, 0, self->want.reach};
    for (int j = 0; j < 3; j++)
        p[j] = ball_mid(exponent(self, shifts[j]));
}

/* Roughly l. */
static double rough_loss(const loss *pair, double xi)
{
    double mu = ball_mid(pair->parameter), q = ball_mid(pair->rate);
    double y = mu * xi - mu * mu / 2;
    return y < 300 ? log1p(q * expm1(y))
                   : y + log(q + (1 - q) * exp(-y));
}

/* Roughly log of phi (1+v)^p for the three exponents. */
static void three_densities(
    double g[3], const double p[3], double l, double xi)
{
    for (int j = 0; j < 3; j++)
        g[j] = p[j] * l - xi * xi / 2;
}

/* What three_densities errs by, at most: l by 8 units of |mu xi| + mu^2 +
 * |log q| + 1/(1-q), the rest by 4 of its size. */
static double density_error(const spectral_part *self, double p)
{
    double mu = ball_mid(self->law->parameter);
    double q = ball_mid(self->law->rate);
    double far = fmax(fabs(self->first), fabs(self->last)) * self->h;
    double l = mu * far + mu * mu + fabs(log(q)) + 1 / (1 - q);
    return 0x1p-48 * (far * far + fabs(p) * l);
}

/* Keeps the nodes that matter at one of the exponents; *n receives their
 * number. The sums of the others, e^log_skipped, count as beyond the range;
 * the 1e-3 that is added covers the summation. */
static bool *choose_nodes(size_t *n, spectral_part *self, size_t n_all)
{
    double p[3], g[3], top[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double depth[3] = {16, self->want.digits + log((double)n_all) + 3, 16};
    double *l = malloc(n_all * sizeof *l);
    bool *keep = l != NULL ? malloc(n_all * sizeof *keep) : NULL;
    *n = 0;
    three_exponents(p, self);
    for (size_t i = 0; keep != NULL && i < n_all; i++) {
        double xi = (self->first + (double)i) * self->h;
        l[i] = rough_loss(self->law, xi);
        three_densities(g, p, l[i], xi);
        for (int j = 0; j < 3; j++)
            top[j] = fmax(top[j], g[j]);
    }
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; keep != NULL && i < n_all; i++) {
        double xi = (self->first + (double)i) * self->h;
        three_densities(g, p, l[i], xi);
        keep[i] = false;
        for (int j = 0; j < 3; j++)
            keep[i] = keep[i] || g[j] > top[j] - depth[j];
        for (int j = 0; !keep[i] && j < 3; j++)
            sum[j] += exp(g[j] - top[j]);
        *n += keep[i] ? 1 : 0;
    }
    for (int j = 0; j < 3; j++) { /* DBL_MIN: what underflow takes away */
        double log_sum = top[j] + log(sum[j] + DBL_MIN) + 1e-3 +
                         2 * density_error(self, p[j]);
        self->log_skipped[j] = isnan(log_sum) ? HUGE_VAL : log_sum;
    }
    self->shift = top[1]; /* steers */
    free(l);
    return keep;
}

/* The nodes as balls: weights without h/sqrt(2 pi) and e^shift. */
static void make_nodes(spectral_part *self, ball *weight, ball *z,
    const bool *keep, size_t n_all)
{
    ball p = exponent(self, 0);
    spectral_ladder g = spectral_ladder_at(self->law,
        self->first * self->h, self->last * self->h, self->h);
    size_t n = 0;
    for (size_t i = 0; i < n_all;
        i += BALL_ROW, spectral_ladder_step(&g)) {
        size_t in_row = n_all - i < BALL_ROW ? n_all - i : BALL_ROW;
        if (memchr(keep + i, 1, in_row) == NULL)
            continue;
        double xi = (self->first + (double)i) * self->h; /* exact */
        double ratio[BALL_ROW];
        ball_row l, w;
        spectral_ladder_losses(&l, &g, xi, ratio);
        spectral_tilted_weights(&w, &l, p, xi, self->h, NULL, self->shift);
        for (size_t j = 0; j < in_row; j++) {
            if (!keep[i + j])
                continue;
            ball own = ball_row_get(&l, (int)j);
            z[n] = self->law->map == LOSS_ADD ? ball_neg(own) : own;
            weight[n] = ball_row_get(&w, (int)j);
            self->ratio[n++] = ratio[j];
        }
    }
}

static dosi_status sampled_tilt(bool *found, spectral_part *self,
    const spectral_want *w, dosi_error *err)
{
    *found = false;
    self->want = *w;
    self->error = 0;
    spectral_sampled_choose(self, w);
    if (!(self->last - self->first < 200000))
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
    *found = sampled_moment(self);
    if (!*found || !(w->far > 0))
        return DOSI_OK;
    return w->is_fine ? spectral_fine_tilt(found, self, err)
                      : spectral_far_tilt(found, self, err);
}

/* M_h >= M (1 - relative): K(t+a) <= K_h(t+a) - log(1 - relative), where the
 * nodes' sum is M_h(t) e^{a mean} sum g e^{a c}. */
static double sampled_cumulant_upper(const spectral_part *self, double a)
{
    double relative = quadrature_error(self, a, 0);
    double beyond = range_beyond(self, a);
    if (!(relative < 0.5 && beyond < HUGE_VAL))
        return HUGE_VAL;
    /* beyond is in units of the nodes' sum at t times e^{-a mean} */
    ball inside = ball_add_d(ball_mul_d(self->mean, a),
        spectral_nodes_log_sum(self, a));
    ball sum = ball_logaddexp(
        inside, ball_log(ball_div(ball_of(beyond), self->moment)));
    ball k = ball_add(self->cumulant, sum);
    return ball_upper(ball_sub(k, ball_log1p(ball_of(-relative))));
}

/* What quadrature, range and the division by M add to E_g[f]: beyond the
 * nodes f <= 1, or cos(alpha/2)^-|p| for p < 0. */
static double rotated_slack(const spectral_part *self)
{
    double alpha = self->want.alpha, b = self->strip_alpha;
    ball p = exponent(self, 0), most = ball_of(1);
    if (ball_is_negative(p)) {
        ball half, cosine;
        ball_sin_cos(&half, &cosine, ball_of(alpha / 2));
        most = ball_pow(cosine, p);
    }
    double relative =
        strip_error(self, p, strip_growth(self, b), b, alpha + b);
    double share = range_beyond(self, 0) / ball_lower(self->moment);
    return (share * ball_upper(most) + relative * 2 + self->error) *
           (1 + 0x1p-18);
}

/*
 * log of E_alpha(u) >= |chi| on [u, inf), by doubles rounded upwards: with
 * 4 s^2 r (1-r) = 1 - rho^2 and theta >= sin theta = r sin(alpha)/rho,
 * E_g[f] = 1 + E_g[f - 1], f = rho^p e^{-u theta}.
 */
static double rotated_bound(const spectral_part *self, double u)
{
    double alpha = self->want.alpha;
    double pd = ball_mid(exponent(self, 0));
    double sine = sin(alpha / 2), s2 = 4 * sine * sine;
    double turn = u * sin(alpha), sum = 0, size = 0, direct = 0;
    for (size_t i = 0; i < self->nodes.n; i++) {
        double r = self->ratio[i], gap = s2 * r * fmax(1 - r, 0);
        double log_rho = log1p(-gap) / 2;
        double pull = turn * r / sqrt(1 - gap);
        /* all factors are good to 2^-47, 1 - r to 2^-47 absolutely, which
         * moves log rho by at most 2^-47 s2 / (1 - gap) */
        double slack = 0x1p-45 * (fabs(pd * log_rho) + pull) +
                       0x1p-46 * fabs(pd) * s2 / (1 - gap);
        double e = pd * log_rho - pull + slack, f = expm1(e);
        sum += self->nodes.weight[i] * f;
        size += self->nodes.weight[i] * fabs(f);
        direct += self->nodes.weight[i] * exp(e);
    }
    double round = 0x1p-52 * ((double)self->nodes.n + 32);
    sum += size * round;
    double slack = rotated_slack(self);
    ball log_mean = direct < 0.5
                        ? ball_log(ball_of(direct * (1 + round) + slack))
                        : ball_log1p(ball_of(sum + slack));
    return ball_upper(ball_add(log_mean, strip_growth(self, alpha)));
}

static double sampled_decay(const spectral_part *self, double u)
{
    double m = self->want.multiple;
    /* the strip was chosen so that alpha and it are below pi/2 together */
    if (!(self->want.alpha > 0 &&
            self->want.alpha + self->strip_alpha < 1.5707))
        return 0;
    double raw = rotated_bound(self, m * u);
    return raw < 0 ? spectral_multiple(raw, m) : 0;
}

static ball sampled_largest(const loss *pair)
{
    return pair->map == LOSS_ADD ? ball_neg(ball_log1p(ball_neg(pair->rate)))
                                : ball_of(HUGE_VAL);
}

static ball sampled_least(const loss *pair)
{
    return pair->map == LOSS_REMOVE ? ball_log1p(ball_neg(pair->rate))
                                    : ball_of(-HUGE_VAL);
}

const spectral_type spectral_sampled = {
    .rough = spectral_sampled_rough,
    .rough_decay = spectral_sampled_rough_decay,
    .rough_nodes = spectral_sampled_rough_nodes,
    .rough_far = spectral_sampled_rough_far,
    .tilt = sampled_tilt,
    .power = spectral_nodes_power,
    .far_powers = spectral_far_powers,
    .far_mean = spectral_far_mean,
    .cumulant_upper = sampled_cumulant_upper,
    .log_decay = sampled_decay,
    .largest = sampled_largest,
    .least = sampled_least,
};
