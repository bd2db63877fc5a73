/*
 * Mixtures of shifted Gaussian noise on a line of integration that is shifted
 * to the side on which e^{iuZ} decays: the error of the node rule there at
 * every u >= 0, and its nodes in double-doubles. Derivation:
 * docs/theory/contour.md, section 4.
 */
#include "part_group.h"

#include "base/error.h"
#include "part_dd.h"

static double log_shift_cost(const contour_part *self)
{
    return group_shift_cost(self->group, self->shifted.alpha, self->want.t,
        (self->shifted.first - 1) * self->shifted.h);
}

/* The error of the rule, over M(t): its edges are the real line and that at 2
 * alpha, as those of a strip of twice the height for twice the step. The edges
 * of a straight strip have e^cost each, and the real line has 1. */
static double rule_error(const contour_part *self)
{
    const shifted_line *shifted = &self->shifted;
    const group *g = self->group;
    group_rule r = {.t = self->want.t,
        .h = 2 * shifted->h,
        .lo = shifted->first * shifted->h,
        .hi = shifted->last * shifted->h,
        .strip = {2 * shifted->alpha, HUGE_VAL, 0, g->is_straight},
        .enough = HUGE_VAL};
    ball log_error = ball_of(group_log_error(g, &r));
    if (g->is_straight) {
        double share = (1 + exp(-group_straight_cost(g, &r))) / 2;
        return ball_upper(ball_exp(log_error)) * share * (1 + 1e-9);
    }
    log_error = ball_sub(log_error, ball_scale2(ball_log_2pi(), -1));
    return ball_upper(ball_exp(ball_sub(log_error, self->cumulant)));
}

/* The nodes beyond the range, over M(t). */
static double range_error(const contour_part *self)
{
    const shifted_line *shifted = &self->shifted;
    double beyond = group_beyond(
        self, 0, shifted->h, (shifted->first - 1) * shifted->h,
        (shifted->last + 1) * shifted->h);
    ball eta = ball_div(ball_of(shifted->alpha), self->law->parameter);
    ball grown = ball_exp(
        ball_add_d(ball_scale2(ball_sqr(eta), -1), log_shift_cost(self)));
    double units = shifted->h / (self->group->h * ball_lower(self->moment));
    return ball_upper(ball_mul_d(grown, beyond * units)) * (1 + 0x1p-40);
}

/* Bounds the error of the rule on the shifted line at every u >= 0, without
 * rounding, relative to M(t). */
static double line_error(const contour_part *self)
{
    const group *g = self->group;
    if (!(self->shifted.alpha > 0) ||
        (g->p.is_truncated &&
        !(2 * self->shifted.alpha <= group_max_height(g))))
        return HUGE_VAL;
    return rule_error(self) + range_error(self);
}

/* The centre of all powers on the shifted line: the loss if nobody is
 * sampled. */
ball group_shifted_mean(const contour_part *self)
{
    const group *g = self->group;
    return ball_sub(g->p.log_term[0], g->q.log_term[0]);
}

/* One law on its shifted line. */
typedef struct line_law {
    const contour_part *part;
    ball t, mean;
    ball eta; /* alpha/mu */
    /* log of a term without -x^2/2 + (t+1) log |A| - t log |B| */
    ball constant;
    shifts_angles turns;
    double alpha;
    /* upper bound of constant plus the growth of terms from the real line */
    double rough;
} line_law;

static void line_init(line_law *f, const contour_part *self)
{
    const group *g = self->group;
    double alpha = self->shifted.alpha;
    f->part = self;
    f->alpha = alpha;
    f->t = ball_of(self->want.t);
    f->mean = group_shifted_mean(self);
    f->eta = ball_div(ball_of(alpha), self->law->parameter);
    ball scale = ball_sub(
        ball_log(ball_of(self->shifted.h)), ball_scale2(ball_log_2pi(), -1));
    scale = ball_sub(scale, self->cumulant);
    f->constant = ball_add(scale, ball_scale2(ball_sqr(f->eta), -1));
    f->rough = ball_upper(f->constant) + log_shift_cost(self) + 1e-6;
    unsigned n = g->p.n > g->q.n ? g->p.n : g->q.n;
    for (unsigned i = 0; i <= n; i++)
        ball_sin_cos(&f->turns.sine[i], &f->turns.cosine[i],
            ball_mul_d(ball_of(alpha), i));
}

/* log of a polynomial at e^(y + i alpha). */
typedef struct complex_log {
    ball size, angle;
} complex_log;

/* Adds the multiple of 2 pi that makes the argument continuous in alpha, which
 * lies in [sin(alpha) E, 2 tan(alpha/2) E], or in [0, n alpha] for a truncated
 * polynomial. Unknown if that interval does not decide. */
static ball continuous_argument(ball angle, const shifts *s, double alpha,
    double y)
{
    shifts_point p = shifts_at(s, y);
    double lo = s->is_truncated ? 0 : sin(alpha) * p.mean;
    double hi = s->is_truncated ? s->n * alpha : 2 * tan(alpha / 2) * p.mean;
    double mid = (lo + hi) / 2, pi = 3.14159265358979323846;
    double turns = round((mid - ball_mid(angle)) / (2 * pi));
    angle = ball_add(angle, ball_mul_d(ball_pi(), 2 * turns));
    double off = fabs(ball_mid(angle) - mid) + (hi - lo) / 2;
    bool is_sure = p.is_sure && off < 6 && angle.rad < 0.1;
    return is_sure ? angle : ball_unknown();
}

static complex_log log_at_angle(const line_law *f, const shifts *s, ball y)
{
    if (s->n == 0)
        return (complex_log){ball_of(0), ball_of(0)};
    shifts_value v = shifts_at_angle(s, y, &f->turns);
    /* |1 + re + i im|^2 - 1 */
    ball x = ball_add(ball_mul(v.re, ball_add_d(v.re, 2)), ball_sqr(v.im));
    ball angle = dd_rule_argument(
        v.im, ball_add_d(v.re, 1), ball_sqrt(ball_add_d(x, 1)));
    angle = ball_add(angle, ball_mul_d(ball_of(f->alpha), v.top));
    return (complex_log){ball_add(v.log_top, ball_scale2(ball_log1p(x), -1)),
        continuous_argument(angle, s, f->alpha, ball_mid(y))};
}

/* Encloses a term at u = 0, and its factor from u to u + D less 1. The argument
 * of B(e^(-y - i alpha)) is the negative of that at alpha. */
static void node_at(disc *start, disc *step, const line_law *f, double x)
{
    const contour_part *self = f->part;
    ball y = ball_mul_d(self->law->parameter, x), t1 = ball_add_d(f->t, 1);
    complex_log p = log_at_angle(f, &self->group->p, y);
    complex_log q = log_at_angle(f, &self->group->q, ball_neg(y));
    ball log_size = ball_sub(ball_mul(t1, p.size), ball_mul(f->t, q.size));
    log_size = ball_add(
        log_size, ball_sub(f->constant, ball_scale2(ball_sqr(ball_of(x)), -1)));
    ball phase = ball_add(ball_mul(t1, p.angle), ball_mul(f->t, q.angle));
    ball z = ball_sub(ball_sub(p.size, q.size), f->mean);
    ball damp = ball_add(p.angle, q.angle);
    *start =
        dd_rule_exp(log_size, ball_sub(phase, ball_mul_d(f->eta, x)));
    *step = dd_rule_expm1(
        ball_mul_d(damp, -self->want.step), ball_mul_d(z, self->want.step));
}

/* The position of the i-th of n nodes. Nodes with the greatest |loss| come
 * last, as they decay fastest. */
static double node_position(const contour_part *self, size_t i, size_t n)
{
    size_t at = self->group->p.n > 0 ? i : n - 1 - i;
    return (self->shifted.first + (double)at) * self->shifted.h;
}

dosi_status group_dd_tilt(bool *found, contour_part *self, dosi_error *err)
{
    const shifted_line *shifted = &self->shifted;
    const group *g = self->group;
    dd_rule *rule = &self->shifted_dd;
    double error = line_error(self);
    *found = false;
    if (!(error < 1 && shifted->last >= shifted->first &&
            shifted->last - shifted->first < DD_MAX_NODES))
        return DOSI_OK;
    size_t n = (size_t)(shifted->last - shifted->first) + 1;
    if (!dd_rule_begin(rule, n, self->want.digits))
        return dosi_fail_memory(err);
    line_law f;
    line_init(&f, self);
    double min_term = log(rule->min_term) - 1;
    for (size_t i = 0; i < n; i++) {
        double x = node_position(self, i, n);
        group_point p = group_at(g, x);
        double bound = f.rough + group_log_density(&p, self->want.t) +
                       group_density_error(g, &p, self->want.t);
        if (p.is_sure && bound < min_term) {
            rule->error_constant += exp(bound);
            continue;
        }
        disc start, step;
        node_at(&start, &step, &f, x);
        dd_rule_add_node(rule, start, step);
    }
    *found = dd_rule_end(rule, error);
    return DOSI_OK;
}
