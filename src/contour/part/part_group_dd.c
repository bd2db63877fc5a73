/*
 * Mixtures of shifted Gaussian noise on a line of integration that is shifted
 * to the side where e^{iuZ} decays: what the rule there errs by at every
 * u >= 0, and its nodes in double-doubles. Derivation:
 * docs/theory/contour.md, section 4.
 */
#include "part_group.h"

#include "base/error.h"
#include "part_dd.h"

/* ---- Errors ------------------------------------------------------------ */

static double log_turn_cost(const contour_part *self)
{
    return group_turn_cost(self->group, self->far.alpha, self->want.t,
        (self->far.first - 1) * self->far.h);
}

/* The rule's, over M(t): its edges are the real line and that at 2 alpha, as
 * those of a strip of twice the height for twice the step; of a straight one
 * the edges have e^cost each, and the real line has 1. */
static double rule_error(const contour_part *self)
{
    const shifted_rule *far = &self->far;
    const group *g = self->group;
    group_rule r = {.t = self->want.t,
        .h = 2 * far->h,
        .lo = far->first * far->h,
        .hi = far->last * far->h,
        .strip = {2 * far->alpha, HUGE_VAL, 0, g->is_straight},
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
    const shifted_rule *far = &self->far;
    double beyond = group_beyond(
        self, 0, far->h, (far->first - 1) * far->h, (far->last + 1) * far->h);
    ball eta = ball_div(ball_of(far->alpha), self->law->parameter);
    ball grown = ball_exp(
        ball_add_d(ball_scale2(ball_sqr(eta), -1), log_turn_cost(self)));
    double units = far->h / (self->group->h * ball_lower(self->moment));
    return ball_upper(ball_mul_d(grown, beyond * units)) * (1 + 0x1p-40);
}

double group_line_error(const contour_part *self)
{
    const group *g = self->group;
    if (!(self->far.alpha > 0) ||
        (g->p.is_cut && !(2 * self->far.alpha <= group_most_turn(g))))
        return HUGE_VAL;
    return rule_error(self) + range_error(self);
}

/* What all powers on the line are centred by: the loss of those of whom
 * nobody was sampled. */
ball shifted_rule_mean(const contour_part *self)
{
    const group *g = self->group;
    return ball_sub(g->p.log_term[0], g->q.log_term[0]);
}

/* ---- Nodes in double-doubles ------------------------------------------- */

/* One law on its line. */
typedef struct moved_line {
    const contour_part *part;
    ball t, mean;
    ball sway;     /* eta = alpha/mu */
    ball constant; /* log of a term, but for -x^2/2 + (t+1) log |A| - .. */
    shifts_turns turns;
    double alpha;
    double rough; /* constant, and what terms on the real line may grow by */
} moved_line;

static void line_init(moved_line *f, const contour_part *self)
{
    const group *g = self->group;
    double alpha = self->far.alpha;
    f->part = self;
    f->alpha = alpha;
    f->t = ball_of(self->want.t);
    f->mean = shifted_rule_mean(self);
    f->sway = ball_div(ball_of(alpha), self->law->parameter);
    ball scale = ball_sub(
        ball_log(ball_of(self->far.h)), ball_scale2(ball_log_2pi(), -1));
    scale = ball_sub(scale, self->cumulant);
    f->constant = ball_add(scale, ball_scale2(ball_sqr(f->sway), -1));
    f->rough = ball_upper(f->constant) + log_turn_cost(self) + 1e-6;
    unsigned n = g->p.n > g->q.n ? g->p.n : g->q.n;
    for (unsigned i = 0; i <= n; i++)
        ball_sin_cos(&f->turns.sine[i], &f->turns.cosine[i],
            ball_mul_d(ball_of(alpha), i));
}

/* log of a polynomial at e^(y + i alpha). */
typedef struct turned_log {
    ball size, angle;
} turned_log;

/* Of all the arguments, which are 2 pi apart, the one that is continuous in
 * alpha lies in [sin(alpha) E, 2 tan(alpha/2) E], or with a cut in [0, n
 * alpha]: unknown where that is less than 2 pi from another. */
static ball right_turn(ball angle, const shifts *s, double alpha, double y)
{
    shifts_point p = shifts_at(s, y);
    double lo = s->is_cut ? 0 : sin(alpha) * p.mean;
    double hi = s->is_cut ? s->n * alpha : 2 * tan(alpha / 2) * p.mean;
    double mid = (lo + hi) / 2, pi = 3.14159265358979323846;
    double turns = round((mid - ball_mid(angle)) / (2 * pi));
    angle = ball_add(angle, ball_mul_d(ball_pi(), 2 * turns));
    double off = fabs(ball_mid(angle) - mid) + (hi - lo) / 2;
    bool is_sure = p.is_sure && off < 6 && angle.rad < 0.1;
    return is_sure ? angle : ball_unknown();
}

static turned_log turned_at(const moved_line *f, const shifts *s, ball y)
{
    if (s->n == 0)
        return (turned_log){ball_of(0), ball_of(0)};
    shifts_value v = shifts_turned(s, y, &f->turns);
    /* |1 + re + i im|^2 - 1 */
    ball x = ball_add(ball_mul(v.re, ball_add_d(v.re, 2)), ball_sqr(v.im));
    ball angle = dd_rule_argument(
        v.im, ball_add_d(v.re, 1), ball_sqrt(ball_add_d(x, 1)));
    angle = ball_add(angle, ball_mul_d(ball_of(f->alpha), v.top));
    return (turned_log){ball_add(v.log_top, ball_scale2(ball_log1p(x), -1)),
        right_turn(angle, s, f->alpha, ball_mid(y))};
}

/* A term at u = 0, and its factor from one outer node to the next less 1; the
 * argument of B(e^(-y - i alpha)) is the negative of that at alpha. */
static void node_at(disc *start, disc *step, const moved_line *f, double x)
{
    const contour_part *self = f->part;
    ball y = ball_mul_d(self->law->parameter, x), t1 = ball_add_d(f->t, 1);
    turned_log p = turned_at(f, &self->group->p, y);
    turned_log q = turned_at(f, &self->group->q, ball_neg(y));
    ball log_size = ball_sub(ball_mul(t1, p.size), ball_mul(f->t, q.size));
    log_size = ball_add(
        log_size, ball_sub(f->constant, ball_scale2(ball_sqr(ball_of(x)), -1)));
    ball phase = ball_add(ball_mul(t1, p.angle), ball_mul(f->t, q.angle));
    ball z = ball_sub(ball_sub(p.size, q.size), f->mean);
    ball damp = ball_add(p.angle, q.angle);
    *start =
        dd_rule_turn(log_size, ball_sub(phase, ball_mul_d(f->sway, x)));
    *step = dd_rule_change(
        ball_mul_d(damp, -self->want.step), ball_mul_d(z, self->want.step));
}

/* The i-th of n nodes: those whose losses are greatest in modulus come last,
 * since they are damped most. */
static double place(const contour_part *self, size_t i, size_t n)
{
    size_t at = self->group->p.n > 0 ? i : n - 1 - i;
    return (self->far.first + (double)at) * self->far.h;
}

dosi_status group_fine_tilt(bool *found, contour_part *self, dosi_error *err)
{
    const shifted_rule *far = &self->far;
    const group *g = self->group;
    dd_rule *fine = &self->fine;
    double error = group_line_error(self);
    *found = false;
    if (!(error < 1 && far->last >= far->first &&
            far->last - far->first < FINE_MOST_NODES))
        return DOSI_OK;
    size_t n = (size_t)(far->last - far->first) + 1;
    if (!dd_rule_begin(fine, n, self->want.digits))
        return dosi_fail_memory(err);
    moved_line f;
    line_init(&f, self);
    double least = log(fine->least) - 1;
    for (size_t i = 0; i < n; i++) {
        double x = place(self, i, n);
        group_point p = group_at(g, x);
        double bound = f.rough + group_log_density(&p, self->want.t) +
                       group_density_error(g, &p, self->want.t);
        if (p.is_sure && bound < least) {
            fine->fixed += exp(bound);
            continue;
        }
        disc start, step;
        node_at(&start, &step, &f, x);
        dd_rule_keep(fine, start, step);
    }
    *found = dd_rule_end(fine, error);
    return DOSI_OK;
}
