/*
 * The tilted law of one step on inner nodes, and the bounds that rest on it:
 * quadrature and range of the inner sums, aliases and truncation of the outer
 * one. Each is a lemma of docs/theory/reference_contour.md.
 */
#include "reference_contour_build.h"

#include <stdlib.h>

#include "base/error.h"

static ball noise_loss(const reference_contour_pair *pair, double xi, ball *y)
{
    *y =
        ball_sub(ball_mul_d(pair->mu, xi), ball_scale2(ball_sqr(pair->mu), -1));
    if (y->hi < 300)
        return ball_log1p(ball_mul_d(ball_expm1(*y), pair->rate));
    ball rest = ball_mul(
        ball_sub(ball_of(1), ball_of(pair->rate)), ball_exp(ball_neg(*y)));
    return ball_add(*y, ball_log(ball_add_d(rest, pair->rate)));
}

/* log of phi(xi) (1+v)^p without the constant 1/sqrt(2 pi) and the shift. */
static ball log_density(ball p, ball l, double xi)
{
    ball square = ball_sqr(ball_of(xi));
    return ball_sub(ball_mul(p, l), ball_scale2(square, -1));
}

static void reference_contour_nodes(reference_contour *c)
{
    double h = c->choice.h, top = -HUGE_VAL;
    for (size_t i = 0; i < c->n_nodes; i++) {
        double xi = (c->choice.first + (double)i) * h; /* exact */
        node *x = &c->nodes[i];
        ball y;
        ball l = noise_loss(c->pair, xi, &y);
        x->ratio = ball_mul_d(ball_exp(ball_sub(y, l)), c->pair->rate);
        x->loss = c->pair->add ? ball_neg(l) : l;
        x->log_weight = log_density(c->p, l, xi);
        top = fmax(top, x->log_weight.hi);
    }
    ball scale =
        ball_sub(ball_log(ball_of(h)), ball_scale2(ball_log_2pi(), -1));
    scale = ball_sub_d(scale, top);
    c->shift = ball_of(top);
    for (size_t i = 0; i < c->n_nodes; i++) {
        node *x = &c->nodes[i];
        x->log_weight = ball_add(x->log_weight, scale);
        x->weight = ball_exp(x->log_weight);
        x->turn = disc_phase(ball_mul_d(x->loss, c->choice.step));
        x->phase = disc_of(x->weight, ball_of(0));
    }
}

/*
 * Upper bound of what the sum over the whole line adds beyond the nodes, for
 * the density at exponent p' (the weights times e^{a Z}, p' = p +- a), in
 * units of e^shift. With G = phi (1+v)^p', (log G)' = -xi + p' mu r and r
 * in (0, 1) increasing:
 *   right of B:  G(B) (h + 1/(B - p'+ mu)),  p'+ = max(p', 0)
 *   left of -A:  G(-A) (h + 1/(A - |p'-| mu r(-A))),  p'- = min(p', 0)
 * both denominators must be positive, else the bound is infinite.
 */
static double adaptive_beyond(const reference_contour *c, ball p)
{
    const double h = c->choice.h;
    const double ends[] = {(c->choice.first - 1) * h, (c->choice.last + 1) * h};
    double total = 0;
    for (int side = 0; side < 2; side++) {
        double xi = ends[side];
        ball y;
        ball l = noise_loss(c->pair, xi, &y);
        ball r = side == 0 ? ball_mul_d(ball_exp(ball_sub(y, l)), c->pair->rate)
                           : ball_of(1);
        ball pull = ball_mul(ball_mul(p, c->pair->mu), r);
        /* outward slope of -log G at the first node left out */
        ball slope = side == 0
                         ? ball_add(ball_of(-xi), ball_min(pull, ball_of(0)))
                         : ball_sub(ball_of(xi), ball_max(pull, ball_of(0)));
        if (!ball_is_positive(slope))
            return HUGE_VAL;
        ball g = ball_sub(log_density(p, l, xi), c->shift);
        g = ball_sub(g, ball_scale2(ball_log_2pi(), -1));
        ball sum =
            ball_mul(ball_exp(g), ball_add_d(ball_div(ball_of(1), slope), h));
        total = round_up(total + ball_upper(sum));
    }
    return total;
}

/* 2 exp(shift_strip) c / (e^{2 pi b/(mu h)} - 1): the trapezoid error of an
 * integrand analytic in |Im y| <= b, relative to its integral; c = 1 for
 * p >= 0 and cos(angle/2)^-|p| for p < 0. */
static double strip_error(
    const reference_contour *c, ball p, ball log_growth, double b, double angle)
{
    if (ball_is_negative(p)) {
        ball s, cosine;
        ball_sin_cos(&s, &cosine, ball_of(angle / 2));
        log_growth = ball_add(log_growth, ball_mul(p, ball_log(cosine)));
    }
    ball period = ball_div(ball_mul_d(ball_scale2(ball_pi(), 1), b),
        ball_mul_d(c->pair->mu, c->choice.h));
    ball log_error =
        ball_sub(ball_add(log_growth, ball_ln2()), ball_logexpm1(period));
    return ball_upper(ball_exp(log_error));
}

/* b^2 / (2 mu^2): what |phi| grows by when xi moves by i b / mu. */
static ball strip_growth(const reference_contour *c, double b)
{
    return ball_scale2(ball_sqr(ball_div(ball_of(b), c->pair->mu)), -1);
}

/* M(t +- a) e^-shift from above: the weights times e^{+-a Z}. */
static ball moment_upper(const reference_contour *c, double a)
{
    ball p = c->pair->add ? ball_sub_d(c->p, a) : ball_add_d(c->p, a);
    ball sum = ball_of(adaptive_beyond(c, p));
    for (size_t i = 0; i < c->n_nodes; i++) {
        const node *x = &c->nodes[i];
        sum = ball_add(
            sum, ball_exp(ball_add(x->log_weight, ball_mul_d(x->loss, a))));
    }
    double b = c->choice.strip;
    double relative = strip_error(c, p, strip_growth(c, b), b, b);
    if (!(relative < 0.5))
        return ball_unknown();
    /* M_h >= M (1 - relative) */
    return ball_div(sum, ball_sub(ball_of(1), ball_of(relative)));
}

/* The errors shared by all sums, then M(t). */
static bool reference_contour_moment(reference_contour *c)
{
    double b = c->choice.strip;
    ball outer = ball_mul_d(ball_of(c->choice.step), c->choice.n_outer);
    ball growth = ball_add(strip_growth(c, b), ball_mul_d(outer, b));
    double relative = strip_error(c, c->p, growth, b, b);
    double beyond = adaptive_beyond(c, c->p);
    ball sum = ball_of(0);
    for (size_t i = 0; i < c->n_nodes; i++)
        sum = ball_add(sum, c->nodes[i].weight);
    if (!(relative < 0x1p-20 && beyond < ball_lower(sum) / 2))
        return false;
    double moment_most = 2 * ball_upper(sum); /* >= (sum + beyond) / (1-rel) */
    double error = round_up(round_up(relative * moment_most) + beyond);
    c->error = ball_of(error);
    c->moment = ball_widen(sum, error);
    c->k_cumulant =
        ball_mul_d(ball_add(ball_log(c->moment), c->shift), c->pair->count);
    return ball_is_positive(c->moment);
}

/* log of e^{k K(u)} C(u) e^{-|a| L} / (1 - e^{-|a| L}), u = t + a. */
static ball log_alias(const reference_contour *c, double a)
{
    ball u = ball_add_d(ball_of(c->choice.t), a);
    ball kernel = ball_of(0), log_m = ball_of(0); /* C(0) = M(0) = 1 */
    if (!ball_is_zero(u)) {                       /* C(u) = u^u / (u+1)^(u+1) */
        kernel = ball_neg(ball_add(
            ball_log1p(u), ball_mul(u, ball_log1p(ball_div(ball_of(1), u)))));
        log_m = ball_add(ball_log(moment_upper(c, a)), c->shift);
    }
    ball period = ball_div(ball_scale2(ball_pi(), 1), ball_of(c->choice.step));
    ball decay = ball_mul_d(period, -fabs(a));
    ball value = ball_add(ball_mul_d(log_m, c->pair->count), kernel);
    return ball_sub(ball_add(value, decay), ball_log1mexp(decay));
}

/* log of B with |chi(u)| <= B for all u >= U: rotation by alpha. */
static ball log_decay(const reference_contour *c, ball outer)
{
    double alpha = c->choice.alpha, b = c->choice.strip_alpha;
    ball sine, cosine, half_sine;
    ball_sin_cos(&half_sine, &cosine, ball_of(alpha / 2));
    ball_sin_cos(&sine, &cosine, ball_of(alpha));
    ball s2 = ball_scale2(ball_sqr(half_sine), 2);
    ball sum = ball_of(0);
    for (size_t i = 0; i < c->n_nodes; i++) {
        const node *x = &c->nodes[i];
        ball r = x->ratio;
        ball spread = ball_mul(r, ball_sub(ball_of(1), r));
        ball log_rho =
            ball_scale2(ball_log1p(ball_neg(ball_mul(spread, s2))), -1);
        /* theta >= sin theta = r sin(alpha) / rho */
        ball theta = ball_mul(ball_mul(r, sine), ball_exp(ball_neg(log_rho)));
        ball e = ball_sub(ball_mul(c->p, log_rho), ball_mul(outer, theta));
        sum = ball_add(sum, ball_mul(x->weight, ball_expm1(e)));
    }
    /* beyond the nodes rho^p e^{-U theta} <= cos(alpha/2)^-|p| (p < 0) or 1;
     * every term of the sum carries the quadrature error of its strip */
    ball most = ball_of(1);
    if (ball_is_negative(c->p)) {
        ball_sin_cos(&half_sine, &cosine, ball_of(alpha / 2));
        most = ball_pow(cosine, c->p);
    }
    ball growth = strip_growth(c, b);
    double relative = strip_error(c, c->p, growth, b, alpha + b);
    ball slack = ball_add(ball_mul(ball_of(adaptive_beyond(c, c->p)), most),
        ball_mul(ball_of(relative), c->moment));
    /* E_g[f] = 1 + E_g[f - 1]; the weights sum to the moment within error */
    ball mean = ball_div(ball_add(sum, ball_add(slack, c->error)), c->moment);
    return ball_add(ball_log1p(mean), strip_growth(c, alpha));
}

/* log of the truncated part over e^{k K - t eps}. */
static ball log_truncation(const reference_contour *c)
{
    ball outer = ball_mul_d(ball_of(c->choice.step), c->choice.n_outer);
    ball log_b = ball_min(log_decay(c, outer), ball_of(0));
    /* atan(x)/s <= x/s = 1/U and <= pi/(2 s) */
    ball root = ball_sqrt(
        ball_mul(ball_of(c->choice.t), ball_add_d(ball_of(c->choice.t), 1)));
    ball tail = ball_min(ball_div(ball_of(1), outer),
        ball_div(ball_scale2(ball_pi(), -1), root));
    tail = ball_div(tail, ball_pi());
    return ball_add(ball_mul_d(log_b, c->pair->count), ball_log(tail));
}

/* chi(n D)^k for every outer node. */
static void reference_contour_powers(reference_contour *c)
{
    double error = ball_upper(c->error);
    size_t n_outer = (size_t)c->choice.n_outer;
    for (size_t n = 0; n < n_outer; n++) {
        disc sum = {{0, 0}, {0, 0}, 0};
        for (size_t i = 0; i < c->n_nodes; i++) {
            node *x = &c->nodes[i];
            x->phase = disc_mul(x->phase, x->turn);
            sum = disc_add(sum, x->phase);
        }
        sum.rad = round_up(sum.rad + error);
        c->powers[n] = disc_power(disc_div(sum, c->moment), c->pair->count);
    }
}

void reference_contour_free(reference_contour *c)
{
    free(c->nodes);
    free(c->powers);
    c->nodes = NULL;
    c->powers = NULL;
}

dosi_status reference_contour_build(reference_contour *c, bool *found,
    const reference_contour_pair *pair, const reference_contour_choice *choice,
    dosi_error *err)
{
    *c = (reference_contour){.pair = pair, .choice = *choice};
    *found = false;
    c->p =
        pair->add ? ball_of(-c->choice.t) : ball_add_d(ball_of(c->choice.t), 1);
    c->n_nodes = (size_t)(c->choice.last - c->choice.first) + 1;
    c->nodes = malloc(c->n_nodes * sizeof *c->nodes);
    c->powers = malloc((size_t)c->choice.n_outer * sizeof *c->powers);
    if (c->nodes == NULL || c->powers == NULL) {
        reference_contour_free(c);
        return dosi_fail_memory(err);
    }
    reference_contour_nodes(c);
    if (!reference_contour_moment(c)) {
        reference_contour_free(c);
        return DOSI_OK;
    }
    c->log_truncation = log_truncation(c);
    c->log_alias[0] = log_alias(c, c->choice.alias_right);
    c->log_alias[1] = log_alias(c, -c->choice.alias_left);
    reference_contour_powers(c);
    *found = true;
    return DOSI_OK;
}
