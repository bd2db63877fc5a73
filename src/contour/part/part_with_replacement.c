/*
 * Sampling with replacement on the contour: the mixture over k of fixed-size
 * samples, each a piecewise law of its own, and an atom at 0 for draws without
 * an effect. Moments add with their shares; every bound of the mixture is the
 * sum of the components' bounds. Derivation: docs/theory/sampling.md, section
 * 8.
 */
#include "part.h"

#include <stdlib.h>

#include "base/error.h"
#include "loss/loss_with_replacement.h"
#include "num/ends.h"

/* Digits in nats that a component of negligible share still gets. */
#define MIN_COMPONENT_DIGITS 6

struct mixture {
    unsigned n;
    ball rest; /* mass of the atom at 0, besides those of the components */
    ball weight[LOSS_MAX_GROUP];    /* shares of the components */
    double log_weight[LOSS_MAX_GROUP]; /* approximate */
    double log_rest;
    loss_law laws[LOSS_MAX_GROUP];
    contour_part parts[LOSS_MAX_GROUP];

    /* Guesses at the last tilt. */
    bool has_guess;
    double guess_at, guess_total;
    cumulant_guess guess[LOSS_MAX_GROUP];

    /* Results of the last tilt: shares of M(t). */
    ball share[LOSS_MAX_GROUP];
    ball rest_share;
};

typedef struct mixture mixture;

/* False if a component has no contour. */
static bool mixture_init(mixture *m, const loss_law *pair)
{
    ball w[LOSS_MAX_GROUP + 1];
    ball lost = loss_with_replacement_weights(
        w, pair->removed, pair->draws, pair->population);
    ball rate = pair->rate;
    m->n = pair->removed;
    m->rest = ball_mul(
        ball_div(lost, rate), ball_sub(ball_of(1), rate));
    m->log_rest = log(ball_mid(m->rest));
    for (unsigned i = 0; i < m->n; i++) {
        m->weight[i] = ball_div(w[i + 1], rate);
        m->log_weight[i] = log(ball_mid(m->weight[i]));
        m->laws[i] = *pair;
        m->laws[i].map = LOSS_WITHOUT_REPLACEMENT;
        m->laws[i].parameter = ball_mul_d(pair->parameter, i + 1);
        m->laws[i].count = 1;
        if (!contour_part_init(&m->parts[i], &m->laws[i]) ||
            m->parts[i].type == NULL)
            return false;
    }
    return true;
}

void contour_with_replacement_free(contour_part *self)
{
    for (unsigned i = 0; self->mixture != NULL && i < self->mixture->n; i++)
        contour_part_free(&self->mixture->parts[i]);
    free(self->mixture);
    self->mixture = NULL;
}

part_size contour_part_size(const contour_part *self)
{
    part_size s = {1, (double)self->sketch.n, (double)self->nodes.n};
    for (unsigned i = 0; self->mixture != NULL && i < self->mixture->n; i++) {
        part_size one = contour_part_size(&self->mixture->parts[i]);
        s.laws += one.laws;
        s.sketch += one.sketch;
        s.nodes += one.nodes;
    }
    return s;
}

static mixture *mixture_of(contour_part *self)
{
    if (self->mixture != NULL)
        return self->mixture;
    self->mixture = calloc(1, sizeof *self->mixture);
    if (self->mixture == NULL)
        self->sketch.no_memory = true;
    else if (!mixture_init(self->mixture, self->law))
        contour_with_replacement_free(self);
    return self->mixture;
}

static double log_add(double a, double b)
{
    double most = fmax(a, b);
    return most > -HUGE_VAL ? most + log1p(exp(-fabs(a - b))) : most;
}

/* Guesses K of each component, and of the mixture. */
static bool guess_components(contour_part *self, double t)
{
    mixture *m = mixture_of(self);
    if (m == NULL)
        return false;
    if (m->has_guess && m->guess_at == t)
        return true;
    m->has_guess = false;
    m->guess_total = m->log_rest;
    for (unsigned i = 0; i < m->n; i++) {
        contour_part *p = &m->parts[i];
        bool found = p->type->guess_cumulant(&m->guess[i], p, t);
        self->sketch.no_memory =
            self->sketch.no_memory || p->sketch.no_memory;
        if (!found)
            return false;
        m->guess_total =
            log_add(m->guess_total, m->log_weight[i] + m->guess[i].k0);
    }
    m->has_guess = true;
    m->guess_at = t;
    return true;
}

/* log of the share of a component at the last tilt. */
static double log_share(const mixture *m, unsigned i)
{
    return m->log_weight[i] + m->guess[i].k0 - m->guess_total;
}

static bool mixture_guess_cumulant(cumulant_guess *out, contour_part *self,
    double t)
{
    double first = 0, second = 0;
    if (!guess_components(self, t))
        return false;
    const mixture *m = self->mixture;
    for (unsigned i = 0; i < m->n; i++) {
        const cumulant_guess *r = &m->guess[i];
        double g = exp(log_share(m, i));
        first += g * r->k1;
        second += g * (r->k2 + r->k1 * r->k1);
    }
    *out = (cumulant_guess){m->guess_total, first, second - first * first};
    return true;
}

static double mixture_guess_decay(
    part_request *w, contour_part *self, double t, double u)
{
    if (!guess_components(self, t))
        return 0;
    mixture *m = self->mixture;
    double sum = exp(m->log_rest - m->guess_total);
    for (unsigned i = 0; i < m->n; i++) {
        contour_part *p = &m->parts[i];
        sum += exp(log_share(m, i) + p->type->guess_decay(w, p, t, u));
    }
    return fmin(log(sum), 0);
}

/* Guesses log |chi| at FALL_POINTS multiples of step, from the first component,
 * which has the greatest share; the others count as 1. */
#define FALL_POINTS 24

static void guess_fall(
    double fall[FALL_POINTS], contour_part *self, double t, double step)
{
    const mixture *m = self->mixture;
    cumulant_sketch *k = &self->mixture->parts[0].sketch;
    double share = fmin(exp(log_share(m, 0)), 1);
    if (k->tilted_at != t)
        (void)contour_sketch_at(k, t);
    contour_sketch_weights(k);
    for (int j = 0; j < FALL_POINTS; j++) {
        double re = 0, im = 0, u = (j + 1) * step;
        for (size_t i = 0; i < k->n; i++) {
            if (k->tilted[i] < 1e-12)
                continue;
            re += k->tilted[i] * cos(u * k->loss[i]);
            im += k->tilted[i] * sin(u * k->loss[i]);
        }
        fall[j] = log(share * sqrt(re * re + im * im) + 1 - share);
    }
}

/* The greatest u up to which a component has to be known: beyond it |chi|^count
 * makes its share negligible. */
static double part_outer(const double fall[FALL_POINTS], double need,
    double step)
{
    int j = FALL_POINTS;
    while (j > 1 && fall[j - 2] < need)
        j--;
    return j * step;
}

/* The request to each component: digits according to its share. */
static bool component_requests(
    part_request *wants, contour_part *self, const part_request *w)
{
    if (!guess_components(self, w->t))
        return false;
    const mixture *m = self->mixture;
    double fall[FALL_POINTS], step = w->outer / FALL_POINTS;
    guess_fall(fall, self, w->t, step);
    for (unsigned i = 0; i < m->n; i++) {
        double share = fmin(log_share(m, i), 0);
        double need = (-w->digits - 2 - share) / self->count;
        wants[i] = *w;
        wants[i].digits = fmax(w->digits + share, MIN_COMPONENT_DIGITS);
        if (i > 0)
            wants[i].outer = part_outer(fall, need, step);
    }
    return true;
}

static double mixture_guess_nodes(
    contour_part *self, const part_request *w)
{
    part_request wants[LOSS_MAX_GROUP];
    double sum = 0;
    if (!component_requests(wants, self, w))
        return HUGE_VAL;
    for (unsigned i = 0; i < self->mixture->n; i++) {
        contour_part *p = &self->mixture->parts[i];
        sum += p->type->guess_nodes(p, &wants[i]);
    }
    return sum;
}

/* Encloses K(t), the shares and the mean from those of the components. */
static bool combine_components(contour_part *self)
{
    mixture *m = self->mixture;
    double top = m->log_rest;
    for (unsigned i = 0; i < m->n; i++)
        top = fmax(top, m->log_weight[i] + ball_mid(m->parts[i].cumulant));
    ball sum = ball_mul(m->rest, ball_exp(ball_of(-top)));
    m->rest_share = sum;
    for (unsigned i = 0; i < m->n; i++) {
        ball log_scale = ball_sub_d(m->parts[i].cumulant, top);
        m->share[i] = ball_mul(m->weight[i], ball_exp(log_scale));
        sum = ball_add(sum, m->share[i]);
    }
    ball inverse = ball_div(ball_of(1), sum);
    self->cumulant = ball_add_d(ball_log(sum), top);
    self->mean = ball_of(0);
    m->rest_share = ball_mul(m->rest_share, inverse);
    for (unsigned i = 0; i < m->n; i++) {
        m->share[i] = ball_mul(m->share[i], inverse);
        self->mean = ball_add(
            self->mean, ball_mul(m->share[i], m->parts[i].mean));
    }
    self->mean = ball_midpoint(self->mean); /* any centre is valid */
    return !ball_is_unknown(self->cumulant) && !ball_is_unknown(self->mean);
}

static dosi_status mixture_tilt(bool *found, contour_part *self,
    const part_request *w, dosi_error *err)
{
    part_request wants[LOSS_MAX_GROUP];
    *found = false;
    self->want = *w;
    self->error = 0;
    if (!component_requests(wants, self, w))
        return DOSI_OK;
    mixture *m = self->mixture;
    for (unsigned i = 0; i < m->n; i++) {
        bool one = false;
        contour_part *p = &m->parts[i];
        p->count = self->count; /* scale of the phases */
        dosi_status status = p->type->tilt(&one, p, &wants[i], err);
        p->count = 1; /* the power is that of the mixture */
        if (status != DOSI_OK || !one)
            return status;
    }
    *found = combine_components(self);
    return DOSI_OK;
}

static disc scaled_by(disc z, ball x)
{
    ball zero = ball_of(0);
    return disc_mul(z, disc_of(x, zero));
}

/* chi is the sum of shares times the components' own, each rotated to the
 * common mean; the atom at 0 is rotated by that mean alone. */
static disc mixture_power(const contour_part *self, double u)
{
    const mixture *m = self->mixture;
    ball turn = ball_neg(ball_mul_d(self->mean, u));
    disc sum = scaled_by(disc_phase(turn), m->rest_share);
    for (unsigned i = 0; i < m->n; i++) {
        const contour_part *p = &m->parts[i];
        disc one = {{0, 0}, {0, 0}, 1}; /* |chi| <= 1 */
        if (u <= p->want.outer) {
            ball by = ball_mul_d(ball_sub(p->mean, self->mean), u);
            one = disc_mul(p->type->power(p, u), disc_phase(by));
        }
        sum = disc_add(sum, scaled_by(one, m->share[i]));
    }
    return disc_power(sum, self->count);
}

static double mixture_cumulant_upper(const contour_part *self, double a)
{
    const mixture *m = self->mixture;
    ball sum = ball_log(ball_of(fmax(ball_upper(m->rest), DBL_MIN)));
    for (unsigned i = 0; i < m->n; i++) {
        const contour_part *p = &m->parts[i];
        double k = p->type->cumulant_upper(p, a);
        if (!(k < HUGE_VAL))
            return HUGE_VAL;
        sum = ball_logaddexp(
            sum, ball_add_d(ball_log(m->weight[i]), k));
    }
    return ball_upper(sum);
}

static double mixture_decay(const contour_part *self, double u)
{
    const mixture *m = self->mixture;
    double sum = fmax(ball_upper(m->rest_share), 0);
    for (unsigned i = 0; i < m->n; i++) {
        const contour_part *p = &m->parts[i];
        ball bound = ball_exp(ball_of(p->type->log_decay(p, u)));
        sum += ball_upper(ball_mul(m->share[i], bound));
    }
    ball log_sum = ball_log(ball_of(sum * (1 + 0x1p-40)));
    return fmin(ball_upper(log_sum), 0);
}

static ball mixture_largest_loss(const loss_law *pair)
{
    loss_law last = *pair;
    last.map = LOSS_WITHOUT_REPLACEMENT;
    last.parameter = ball_mul_d(pair->parameter, pair->removed);
    /* cppcheck-suppress returnDanglingLifetime ; a ball is a value */
    return contour_piecewise.largest_loss(&last);
}

const contour_type contour_with_replacement = {
    .guess_cumulant = mixture_guess_cumulant,
    .guess_decay = mixture_guess_decay,
    .guess_nodes = mixture_guess_nodes,
    .tilt = mixture_tilt,
    .power = mixture_power,
    .cumulant_upper = mixture_cumulant_upper,
    .log_decay = mixture_decay,
    .largest_loss = mixture_largest_loss,
};
