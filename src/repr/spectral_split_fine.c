/*
 * Mixtures of shifted Gaussian noise on a line that is moved to the side
 * where e^{iuZ} decays, in double-doubles: one rule for every u >= 0.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_split.h"

#include "base/error.h"
#include "spectral_fine.h"

/* One law on its line. */
typedef struct moved_line {
    const spectral_part *part;
    ball t;
    ball sway;        /* eta = alpha/mu */
    ball constant;    /* log of a term, but for -x^2/2 + (t+1) log |A| - .. */
    shifts_turns turns;
    double alpha;
    double rough; /* constant, and what terms on the real line may grow by */
} moved_line;

static double log_growth(const spectral_part *self)
{
    ball eta = ball_div(ball_of(self->far.alpha), self->law->parameter);
    return ball_upper(ball_scale2(ball_sqr(eta), -1));
}

static double log_turn_cost(const spectral_part *self)
{
    return split_turn_cost(self->split, self->far.alpha, self->want.t,
        (self->far.first - 1) * self->far.h);
}

static void line_init(moved_line *f, const spectral_part *self)
{
    double alpha = self->far.alpha;
    f->part = self;
    f->alpha = alpha;
    f->t = ball_of(self->want.t);
    f->sway = ball_div(ball_of(alpha), self->law->parameter);
    ball scale = ball_sub(ball_log(ball_of(self->far.h)),
        ball_scale2(ball_log_2pi(), -1));
    scale = ball_sub(scale, self->cumulant);
    f->constant = ball_add(scale, ball_scale2(ball_sqr(f->sway), -1));
    f->rough = ball_upper(f->constant) + log_turn_cost(self) + 1e-6;
    unsigned n = self->split->p.n > self->split->q.n ? self->split->p.n
                                                     : self->split->q.n;
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
    ball angle = spectral_fine_argument(
        v.im, ball_add_d(v.re, 1), ball_sqrt(ball_add_d(x, 1)));
    angle = ball_add(angle, ball_mul_d(ball_of(f->alpha), v.top));
    return (turned_log){
        ball_add(v.log_top, ball_scale2(ball_log1p(x), -1)),
        right_turn(angle, s, f->alpha, ball_mid(y))};
}

/* A term at u = 0, and its factor from one outer node to the next less 1; the
 * argument of B(e^(-y - i alpha)) is the negative of that at alpha. */
static void node_at(disc *start, disc *step, const moved_line *f, double x)
{
    const spectral_part *self = f->part;
    ball y = ball_mul_d(self->law->parameter, x), t1 = ball_add_d(f->t, 1);
    turned_log p = turned_at(f, &self->split->p, y);
    turned_log q = turned_at(f, &self->split->q, ball_neg(y));
    ball log_size =
        ball_sub(ball_mul(t1, p.size), ball_mul(f->t, q.size));
    log_size = ball_add(log_size,
        ball_sub(f->constant, ball_scale2(ball_sqr(ball_of(x)), -1)));
    ball phase =
        ball_add(ball_mul(t1, p.angle), ball_mul(f->t, q.angle));
    ball z = ball_sub(ball_sub(p.size, q.size), self->mean);
    ball damp = ball_add(p.angle, q.angle);
    *start = spectral_fine_turn(
        log_size, ball_sub(phase, ball_mul_d(f->sway, x)));
    *step = spectral_fine_change(ball_mul_d(damp, -self->want.step),
        ball_mul_d(z, self->want.step));
}

/* What the rule errs by at every u >= 0, over M(t): its edges are the real
 * line and that at 2 alpha, as those of a strip of twice the height for twice
 * the step. */
static double rule_error(const spectral_part *self)
{
    const spectral_far *far = &self->far;
    split_rule r = {.t = self->want.t, .h = 2 * far->h,
        .lo = far->first * far->h, .hi = far->last * far->h,
        .strip = {2 * far->alpha, HUGE_VAL}};
    ball log_error = ball_sub(ball_of(split_log_error(self->split, &r)),
        ball_scale2(ball_log_2pi(), -1));
    return ball_upper(ball_exp(ball_sub(log_error, self->cumulant)));
}

/* The nodes beyond the range, over M(t). */
static double range_error(const spectral_part *self)
{
    const spectral_far *far = &self->far;
    double beyond = split_beyond(self, 0, far->h,
        (far->first - 1) * far->h, (far->last + 1) * far->h);
    ball grown = ball_exp(
        ball_add_d(ball_of(log_growth(self)), log_turn_cost(self)));
    double units = far->h / (self->h * ball_lower(self->moment));
    return ball_upper(ball_mul_d(grown, beyond * units)) * (1 + 0x1p-40);
}

/* The i-th of n nodes: those whose losses are greatest in modulus come last,
 * since they are damped most. */
static double place(const spectral_part *self, size_t i, size_t n)
{
    size_t at = self->split->p.n > 0 ? i : n - 1 - i;
    return (self->far.first + (double)at) * self->far.h;
}

dosi_status split_fine_tilt(
    bool *found, spectral_part *self, dosi_error *err)
{
    const spectral_far *far = &self->far;
    const split *s = self->split;
    spectral_fine *fine = &self->fine;
    *found = false;
    if (!(far->alpha > 0 && far->last >= far->first &&
            far->last - far->first < FINE_MOST_NODES) ||
        (s->p.is_cut && !(2 * far->alpha <= split_most_turn(s))))
        return DOSI_OK;
    size_t n = (size_t)(far->last - far->first) + 1;
    if (!spectral_fine_begin(fine, n, self->want.digits))
        return dosi_fail_memory(err);
    moved_line f;
    self->mean.rad = 0; /* any centre will do */
    line_init(&f, self);
    double least = log(fine->least) - 1;
    for (size_t i = 0; i < n; i++) {
        double x = place(self, i, n);
        split_point p = split_at(s, x);
        double bound = f.rough + split_log_density(&p, self->want.t) +
                       split_density_error(s, &p, self->want.t);
        if (p.is_sure && bound < least) {
            fine->fixed += exp(bound);
            continue;
        }
        disc start, step;
        node_at(&start, &step, &f, x);
        spectral_fine_keep(fine, start, step);
    }
    *found = spectral_fine_end(fine, rule_error(self) + range_error(self));
    return DOSI_OK;
}
