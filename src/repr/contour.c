/*
 * Certifies the contour that contour_steer.c chose. With P against Q the
 * ordered pair, M(z) = E_P[e^{zZ}] and K = log M of one step, k steps:
 *
 *   delta = (D/pi) Re( F_0/2 + sum_{n=1}^N F_n ) - aliases + truncation,
 *   F_n = exp(k K(z) - z eps) / (z (z+1)),   z = t + i n D.
 *
 * The four errors (aliases >= 0, truncation, inner quadrature, inner range)
 * are the lemmas of docs/theory/contour.md.
 */
#include "contour.h"

#include <stdlib.h>

#include "base/error.h"
#include "num/bracket.h"
#include "num/trig.h"

/* The tilted law of one step on inner nodes. */
typedef struct node {
    ball loss;   /* Z = +-l, l = log(1 - q + q e^y) */
    ball ratio;  /* r = q e^y / (1 - q + q e^y) */
    ball log_weight;
    ball weight; /* h phi(xi) (1+v)^p e^-shift */
    disc turn;   /* e^{i D Z} */
    disc phase;  /* weight e^{i n D Z}, advanced n by n */
} node;

/* Everything that does not depend on epsilon: one contour serves all the
 * epsilons near the one it was chosen for. */
typedef struct contour {
    const contour_pair *pair;
    contour_choice choice;
    ball p;      /* exponent of (1+v) on the real contour */
    ball shift;  /* logarithm of the common scale of the weights */
    ball moment; /* M(t) e^-shift, enclosed */
    ball error;  /* of every sum over the nodes: quadrature and range */
    ball k_cumulant;     /* k K(t) */
    ball log_truncation; /* of the part left out, over e^{k K(t) - t eps} */
    ball log_alias[2];   /* right and left, but for e^{-u eps} */
    size_t n_nodes;
    node *nodes;
    disc *powers; /* chi(n D)^k, n = 1..N */
} contour;

static ball noise_loss(const contour_pair *pair, double xi, ball *y)
{
    *y = ball_sub(ball_mul_d(pair->mu, xi),
        ball_scale2(ball_sqr(pair->mu), -1));
    if (y->hi < 300)
        return ball_log1p(ball_mul_d(ball_expm1(*y), pair->rate));
    ball rest = ball_mul(ball_sub(ball_of(1), ball_of(pair->rate)),
        ball_exp(ball_neg(*y)));
    return ball_add(*y, ball_log(ball_add_d(rest, pair->rate)));
}

/* log of phi(xi) (1+v)^p without the constant 1/sqrt(2 pi) and the shift. */
static ball log_density(ball p, ball l, double xi)
{
    ball square = ball_sqr(ball_of(xi));
    return ball_sub(ball_mul(p, l), ball_scale2(square, -1));
}

static void contour_nodes(contour *c)
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
    ball scale = ball_sub(
        ball_log(ball_of(h)), ball_scale2(ball_log_2pi(), -1));
    scale = ball_sub_d(scale, top);
    c->shift = ball_of(top);
    for (size_t i = 0; i < c->n_nodes; i++) {
        node *x = &c->nodes[i];
        x->log_weight = ball_add(x->log_weight, scale);
        x->weight = ball_exp(x->log_weight);
        x->turn = disc_turn(ball_mul_d(x->loss, c->choice.step));
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
static double range_beyond(const contour *c, ball p)
{
    const double h = c->choice.h;
    const double ends[] = {
        (c->choice.first - 1) * h, (c->choice.last + 1) * h};
    double total = 0;
    for (int side = 0; side < 2; side++) {
        double xi = ends[side];
        ball y;
        ball l = noise_loss(c->pair, xi, &y);
        ball r = side == 0
                     ? ball_mul_d(ball_exp(ball_sub(y, l)), c->pair->rate)
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
        ball sum = ball_mul(ball_exp(g),
            ball_add_d(ball_div(ball_of(1), slope), h));
        total = round_up(total + ball_upper(sum));
    }
    return total;
}

/* 2 exp(shift_strip) c / (e^{2 pi b/(mu h)} - 1): the trapezoid error of an
 * integrand analytic in |Im y| <= b, relative to its integral; c = 1 for
 * p >= 0 and cos(angle/2)^-|p| for p < 0. */
static double strip_error(const contour *c, ball p, ball log_growth,
    double b, double angle)
{
    if (ball_is_negative(p)) {
        ball s, cosine;
        ball_sin_cos(&s, &cosine, ball_of(angle / 2));
        log_growth = ball_add(log_growth, ball_mul(p, ball_log(cosine)));
    }
    ball period = ball_div(ball_mul_d(ball_scale2(ball_pi(), 1), b),
        ball_mul_d(c->pair->mu, c->choice.h));
    ball log_error = ball_sub(ball_add(log_growth, ball_ln2()),
        ball_logexpm1(period));
    return ball_upper(ball_exp(log_error));
}

/* b^2 / (2 mu^2): what |phi| grows by when xi moves by i b / mu. */
static ball strip_growth(const contour *c, double b)
{
    return ball_scale2(ball_sqr(ball_div(ball_of(b), c->pair->mu)), -1);
}

/* M(t +- a) e^-shift from above: the weights times e^{+-a Z}. */
static ball moment_upper(const contour *c, double a)
{
    ball p = c->pair->add ? ball_sub_d(c->p, a) : ball_add_d(c->p, a);
    ball sum = ball_of(range_beyond(c, p));
    for (size_t i = 0; i < c->n_nodes; i++) {
        const node *x = &c->nodes[i];
        sum = ball_add(sum, ball_exp(ball_add(x->log_weight,
                                ball_mul_d(x->loss, a))));
    }
    double b = c->choice.strip;
    double relative = strip_error(c, p, strip_growth(c, b), b, b);
    if (!(relative < 0.5))
        return ball_unknown();
    /* M_h >= M (1 - relative) */
    return ball_div(sum, ball_sub(ball_of(1), ball_of(relative)));
}

/* The errors shared by all sums, then M(t). */
static bool contour_moment(contour *c)
{
    double b = c->choice.strip;
    ball outer = ball_mul_d(ball_of(c->choice.step), c->choice.n_outer);
    ball growth = ball_add(strip_growth(c, b), ball_mul_d(outer, b));
    double relative = strip_error(c, c->p, growth, b, b);
    double beyond = range_beyond(c, c->p);
    ball sum = ball_of(0);
    for (size_t i = 0; i < c->n_nodes; i++)
        sum = ball_add(sum, c->nodes[i].weight);
    if (!(relative < 0x1p-20 && beyond < ball_lower(sum) / 2))
        return false;
    double moment_most = 2 * ball_upper(sum); /* >= (sum + beyond) / (1-rel) */
    double error = round_up(round_up(relative * moment_most) + beyond);
    c->error = ball_of(error);
    c->moment = ball_widen(sum, error);
    c->k_cumulant = ball_mul_d(
        ball_add(ball_log(c->moment), c->shift), c->pair->count);
    return ball_is_positive(c->moment);
}

/* log of e^{k K(u)} C(u) e^{-|a| L} / (1 - e^{-|a| L}), u = t + a. */
static ball log_alias(const contour *c, double a)
{
    ball u = ball_add_d(ball_of(c->choice.t), a);
    ball kernel = ball_of(0), log_m = ball_of(0); /* C(0) = M(0) = 1 */
    if (!ball_is_zero(u)) { /* C(u) = u^u / (u+1)^(u+1) */
        kernel = ball_neg(ball_add(ball_log1p(u),
            ball_mul(u, ball_log1p(ball_div(ball_of(1), u)))));
        log_m = ball_add(ball_log(moment_upper(c, a)), c->shift);
    }
    ball period = ball_div(ball_scale2(ball_pi(), 1), ball_of(c->choice.step));
    ball decay = ball_mul_d(period, -fabs(a));
    ball value = ball_add(ball_mul_d(log_m, c->pair->count), kernel);
    return ball_sub(ball_add(value, decay), ball_log1mexp(decay));
}

/* log of B with |chi(u)| <= B for all u >= U: rotation by alpha. */
static ball log_decay(const contour *c, ball outer)
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
        ball log_rho = ball_scale2(
            ball_log1p(ball_neg(ball_mul(spread, s2))), -1);
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
    ball slack = ball_add(ball_mul(ball_of(range_beyond(c, c->p)), most),
        ball_mul(ball_of(relative), c->moment));
    /* E_g[f] = 1 + E_g[f - 1]; the weights sum to the moment within error */
    ball mean = ball_div(
        ball_add(sum, ball_add(slack, c->error)), c->moment);
    return ball_add(ball_log1p(mean), strip_growth(c, alpha));
}

/* log of the truncated part over e^{k K - t eps}. */
static ball log_truncation(const contour *c)
{
    ball outer = ball_mul_d(ball_of(c->choice.step), c->choice.n_outer);
    ball log_b = ball_min(log_decay(c, outer), ball_of(0));
    /* atan(x)/s <= x/s = 1/U and <= pi/(2 s) */
    ball root = ball_sqrt(ball_mul(ball_of(c->choice.t),
        ball_add_d(ball_of(c->choice.t), 1)));
    ball tail = ball_min(ball_div(ball_of(1), outer),
        ball_div(ball_scale2(ball_pi(), -1), root));
    tail = ball_div(tail, ball_pi());
    return ball_add(ball_mul_d(log_b, c->pair->count), ball_log(tail));
}

/* chi(n D)^k for every outer node. */
static void contour_powers(contour *c)
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
        c->powers[n] =
            disc_power(disc_div(sum, c->moment), c->pair->count);
    }
}

static void contour_free(contour *c)
{
    free(c->nodes);
    free(c->powers);
    c->nodes = NULL;
    c->powers = NULL;
}

/* Builds a chosen contour; *found is false, and nothing is held, when its
 * bounds came out useless. */
static dosi_status contour_build(contour *c, bool *found,
    const contour_pair *pair, const contour_choice *choice, dosi_error *err)
{
    *c = (contour){.pair = pair, .choice = *choice};
    *found = false;
    c->p = pair->add ? ball_of(-c->choice.t)
                     : ball_add_d(ball_of(c->choice.t), 1);
    c->n_nodes = (size_t)(c->choice.last - c->choice.first) + 1;
    c->nodes = malloc(c->n_nodes * sizeof *c->nodes);
    c->powers = malloc((size_t)c->choice.n_outer * sizeof *c->powers);
    if (c->nodes == NULL || c->powers == NULL) {
        contour_free(c);
        return dosi_fail_memory(err);
    }
    contour_nodes(c);
    if (!contour_moment(c)) {
        contour_free(c);
        return DOSI_OK;
    }
    c->log_truncation = log_truncation(c);
    c->log_alias[0] = log_alias(c, c->choice.alias_right);
    c->log_alias[1] = log_alias(c, -c->choice.alias_left);
    contour_powers(c);
    *found = true;
    return DOSI_OK;
}

/* (D/pi) Re( F_0/2 + sum F_n ) over e^{k K(t) - t eps}. */
static ball contour_sum(const contour *c, ball epsilon)
{
    double step = c->choice.step;
    ball t = ball_of(c->choice.t), t1 = ball_add_d(t, 1);
    ball total = ball_scale2(ball_div(ball_of(1), ball_mul(t, t1)), -1);
    disc turn = disc_turn(ball_mul_d(epsilon, -step));
    disc phase = {{1, 0}, {0, 0}, 0};
    for (double n = 1; n <= c->choice.n_outer; n++) {
        phase = disc_mul(phase, turn);
        disc f = disc_mul(c->powers[(size_t)n - 1], phase);
        /* Re f / (z (z+1)), z (z+1) = (t t1 - u^2) + i u (t + t1) */
        ball u = ball_mul_d(ball_of(step), n);
        ball re = ball_sub(ball_mul(t, t1), ball_sqr(u));
        ball im = ball_mul(u, ball_add(t, t1));
        ball norm = ball_add(ball_sqr(re), ball_sqr(im));
        ball term = ball_add(
            ball_mul(disc_re(f), re), ball_mul(disc_im(f), im));
        total = ball_add(total, ball_div(term, norm));
    }
    return ball_div(ball_mul_d(total, step), ball_pi());
}

/* log delta = base + log(sum - aliases +- truncation), in any case <= 0. */
static dosi_interval contour_read(const contour *c, double at_epsilon)
{
    ball epsilon = ball_of(at_epsilon), t = ball_of(c->choice.t);
    ball base = ball_sub(c->k_cumulant, ball_mul(epsilon, t));
    double cut = ball_upper(ball_exp(c->log_truncation));
    const double shifts[] = {c->choice.alias_right, -c->choice.alias_left};
    double alias = 0;
    for (int i = 0; i < 2; i++) {
        ball u = ball_add_d(t, shifts[i]);
        ball log_a = ball_sub(c->log_alias[i], ball_mul(u, epsilon));
        alias = round_up(
            alias + ball_upper(ball_exp(ball_sub(log_a, base))));
    }
    ball sum = contour_sum(c, epsilon);
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
static ball largest_loss(const contour_pair *pair)
{
    return ball_mul_d(
        ball_neg(ball_log1p(ball_of(-pair->rate))), pair->count);
}

static contour_shape shape_at(const contour_pair *pair, double epsilon)
{
    return (contour_shape){ball_mid(pair->mu), pair->rate, pair->count,
        pair->add, epsilon};
}

dosi_status contour_log_delta_chosen(dosi_interval *out,
    const contour_pair *pair, double epsilon, const contour_choice *choice,
    dosi_error *err)
{
    contour c;
    bool found;
    *out = (dosi_interval){-HUGE_VAL, 0};
    dosi_status status = contour_build(&c, &found, pair, choice, err);
    if (status != DOSI_OK || !found)
        return status;
    *out = contour_read(&c, epsilon);
    contour_free(&c);
    return DOSI_OK;
}

/* What bounded losses say without a contour; true when that is all. */
static bool contour_bounded(
    dosi_interval *out, const contour_pair *pair, double epsilon)
{
    *out = (dosi_interval){-HUGE_VAL, 0};
    if (!pair->add || ball_lower(largest_loss(pair)) > epsilon)
        return false;
    if (ball_upper(largest_loss(pair)) <= epsilon)
        out->hi = -HUGE_VAL; /* the loss never exceeds epsilon */
    return true;
}

dosi_status contour_log_delta(dosi_interval *out, const contour_pair *pair,
    double epsilon, dosi_error *err)
{
    if (contour_bounded(out, pair, epsilon))
        return DOSI_OK;
    contour_shape shape = shape_at(pair, epsilon);
    double tolerance = 0x1p-58;
    for (int attempt = 0; attempt < 2; attempt++, tolerance *= 0x1p-20) {
        contour_choice choice;
        dosi_interval found;
        if (!contour_steer(&choice, &shape, tolerance))
            break;
        dosi_status status =
            contour_log_delta_chosen(&found, pair, epsilon, &choice, err);
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
    const contour *contour;
    const contour_pair *pair;
    dosi_interval target; /* log delta */
} inversion;

/* Increasing in epsilon: target - log delta(epsilon). */
static int inversion_sign(double epsilon, const void *context)
{
    const inversion *in = context;
    dosi_interval found;
    if (!contour_bounded(&found, in->pair, epsilon))
        found = contour_read(in->contour, epsilon);
    return found.hi < in->target.lo ? 1 : found.lo > in->target.hi ? -1 : 0;
}

static double guess_gap(double epsilon, const void *context)
{
    const inversion *in = context;
    contour_shape shape = shape_at(in->pair, epsilon);
    return in->target.hi - contour_guess(&shape);
}

/* Newton steps with the slope -t of the saddle, then secants: steers. */
static double inversion_polish(const inversion *in, double guess)
{
    double x = guess, slope = in->contour->choice.t, y_last = 0, x_last = 0;
    for (int i = 0; i < 12; i++) {
        dosi_interval f = contour_read(in->contour, x);
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

dosi_status contour_epsilon(dosi_interval *out, const contour_pair *pair,
    ball log_delta, dosi_error *err)
{
    *out = (dosi_interval){0, HUGE_VAL};
    inversion in = {NULL, pair, ball_interval(log_delta)};
    dosi_interval at_zero;
    dosi_status status = contour_log_delta(&at_zero, pair, 0, err);
    if (status != DOSI_OK)
        return status;
    if (at_zero.hi <= in.target.lo) {
        out->hi = 0;
        return DOSI_OK;
    }
    double most = pair->add ? ball_upper(largest_loss(pair)) : 1;
    for (int i = 0; !pair->add && i < 60 && guess_gap(most, &in) < 0; i++)
        most *= 2;
    double guess = bracket_steer(guess_gap, &in, 0, most);
    contour_shape shape = shape_at(pair, guess);
    contour_choice choice;
    if (!contour_steer(&choice, &shape, 0x1p-60))
        return DOSI_OK;
    contour c;
    bool found;
    status = contour_build(&c, &found, pair, &choice, err);
    if (status != DOSI_OK || !found)
        return status;
    in.contour = &c;
    guess = inversion_polish(&in, guess);
    double hi = pair->add ? most : HUGE_VAL;
    *out = bracket_root(inversion_sign, &in, 0, hi, guess);
    contour_free(&c);
    return DOSI_OK;
}
