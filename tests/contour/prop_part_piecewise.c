/*
 * Laws on pieces against Arb's adaptive quadrature: the cumulant, the
 * characteristic function on the contour with its error, the bounds of the
 * cumulant to both sides and of the decay, for random laws and contours.
 */
#include <acb_calc.h>
#include <arb_hypgeom.h>
#include <complex.h>

#include "support/random.h"
#include "contour/part/part_piecewise.h"

#define BITS 128

/* ---- The reference ----------------------------------------------------- */

typedef struct reference {
    loss_noise noise;
    loss_map map;
    double parameter, rate;
    acb_t z;
} reference;

static void set_ball(arb_t out, ball x)
{
    mag_t r;
    arb_t low;
    arb_init(low);
    mag_init(r);
    arb_set_d(out, x.hi);
    arb_set_d(low, x.lo);
    arb_add(out, out, low, 200);
    mag_set_d(r, x.rad);
    arb_add_error_mag(out, r);
    mag_clear(r);
    arb_clear(low);
}

/* log(1 - q + q e^y), analytic in |Im y| < pi. */
static void sampled(acb_t out, const acb_t y, double q, int order)
{
    acb_t e;
    acb_init(e);
    acb_expm1(e, y, BITS);
    arb_t rate;
    arb_init(rate);
    arb_set_d(rate, q);
    acb_mul_arb(e, e, rate, BITS);
    acb_add_ui(e, e, 1, BITS);
    acb_log_analytic(out, e, order != 0, BITS);
    arb_clear(rate);
    acb_clear(e);
}

/* out += e^{log_q + power l} */
static void add_power(acb_t out, const acb_t log_q, const acb_t power,
    const acb_t l)
{
    acb_t e;
    acb_init(e);
    acb_mul(e, power, l, BITS);
    acb_add(e, e, log_q, BITS);
    acb_exp(e, e, BITS);
    acb_add(out, out, e, BITS);
    acb_clear(e);
}

/* Both branches with Q-density e^{log_q}. */
static void branches(
    acb_t out, const reference *r, const acb_t log_q, const acb_t l)
{
    acb_t p;
    acb_init(p);
    acb_zero(out);
    if (r->map != LOSS_BASE_FIRST) {
        acb_add_ui(p, r->z, 1, BITS);
        add_power(out, log_q, p, l);
    }
    if (r->map != LOSS_MIXTURE_FIRST) {
        acb_neg(p, r->z);
        add_power(out, log_q, p, l);
    }
    acb_clear(p);
}

/* The moment's integrand in the noise coordinate, or in the loss. */
static int integrand(
    acb_ptr out, const acb_t x, void *context, slong order, slong bits)
{
    const reference *r = context;
    acb_t y, l, log_q;
    (void)bits;
    acb_init(y);
    acb_init(l);
    acb_init(log_q);
    arb_t a;
    arb_init(a);
    arb_set_d(a, r->parameter);
    if (r->noise == LOSS_GAUSSIAN) {
        acb_mul_arb(y, x, a, BITS); /* y = mu x - mu^2/2 */
        arb_mul(a, a, a, BITS);
        arb_mul_2exp_si(a, a, -1);
        acb_sub_arb(y, y, a, BITS);
        acb_mul(log_q, x, x, BITS);
        acb_mul_2exp_si(log_q, log_q, -1);
        acb_neg(log_q, log_q);
    } else {
        acb_set(y, x);
        acb_add_arb(log_q, x, a, BITS);
        acb_mul_2exp_si(log_q, log_q, -1);
        acb_neg(log_q, log_q);
    }
    sampled(l, y, r->rate, order > 0);
    branches(out, r, log_q, l);
    arb_clear(a);
    acb_clear(log_q);
    acb_clear(l);
    acb_clear(y);
    return 0;
}

/* Adds e^{log_q(y)} times the powers at the base loss y. */
static void add_atom(
    acb_t out, const reference *r, double y, const arb_t mass)
{
    acb_t l, at, sum;
    acb_init(l);
    acb_init(at);
    acb_init(sum);
    acb_set_d(at, y);
    sampled(l, at, r->rate, 0);
    arb_log(acb_realref(at), mass, BITS);
    branches(sum, r, at, l);
    acb_add(out, out, sum, BITS);
    acb_clear(sum);
    acb_clear(at);
    acb_clear(l);
}

/* The density's factor: 1/sqrt(2 pi), 1/4, 1/(2 (1 - e^-a)). */
static void density_factor(arb_t out, const reference *r)
{
    if (r->noise == LOSS_GAUSSIAN) {
        arb_const_pi(out, BITS);
        arb_mul_2exp_si(out, out, 1);
        arb_rsqrt(out, out, BITS);
    } else if (r->noise == LOSS_LAPLACE) {
        arb_set_d(out, 0.25);
    } else {
        arb_set_d(out, -r->parameter);
        arb_expm1(out, out, BITS);
        arb_mul_si(out, out, -2, BITS);
        arb_inv(out, out, BITS);
    }
}

/* delta(0) of the base: P[L > 0] - Q[L > 0]. */
static void base_gap(arb_t out, const reference *r)
{
    arb_set_d(out, r->parameter);
    if (r->noise == LOSS_GAUSSIAN) { /* erf(mu / sqrt 8) */
        arb_t root;
        arb_init(root);
        arb_sqrt_ui(root, 8, BITS);
        arb_div(out, out, root, BITS);
        arb_hypgeom_erf(out, out, BITS);
        arb_clear(root);
    } else if (r->noise == LOSS_LAPLACE) {
        arb_mul_2exp_si(out, out, -1);
        arb_neg(out, out);
        arb_expm1(out, out, BITS);
        arb_neg(out, out);
    } else { /* (1 - e^{-a/2})^2/(1 - e^-a) = tanh(a/4) */
        arb_mul_2exp_si(out, out, -2);
        arb_tanh(out, out, BITS);
    }
}

static void moment(acb_t out, reference *r, double t, double u)
{
    acb_t a, b;
    arb_t f, g;
    mag_t tolerance;
    acb_init(a);
    acb_init(b);
    arb_init(f);
    arb_init(g);
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -BITS);
    acb_set_d_d(r->z, t, u);
    double from = r->map == LOSS_WITHOUT_REPLACEMENT ? 0 : -r->parameter;
    double to = r->parameter;
    if (r->noise == LOSS_GAUSSIAN) {
        from = r->parameter / 2;
        to = (t + 1) * r->parameter + 40; /* e^-800 is left out */
    }
    acb_set_d(a, from);
    acb_set_d(b, to);
    acb_calc_integrate(out, integrand, r, a, b, BITS, tolerance, NULL, BITS);
    density_factor(f, r);
    acb_mul_arb(out, out, f, BITS);
    if (r->noise == LOSS_LAPLACE) {
        arb_set_d(f, -r->parameter); /* Q-mass e^-a/2 at a, 1/2 at -a */
        arb_exp(f, f, BITS);
        arb_mul_2exp_si(f, f, -1);
        add_atom(out, r, r->parameter, f);
        arb_set_d(f, 0.5);
        if (r->map != LOSS_WITHOUT_REPLACEMENT)
            add_atom(out, r, -r->parameter, f);
    }
    if (r->map == LOSS_WITHOUT_REPLACEMENT) {
        arb_set_d(f, r->rate);
        arb_sub_ui(f, f, 1, BITS);
        base_gap(g, r);
        arb_mul(f, f, g, BITS);
        acb_sub_arb(out, out, f, BITS);
    }
    mag_clear(tolerance);
    arb_clear(f);
    arb_clear(g);
    acb_clear(a);
    acb_clear(b);
}

/* ---- One contour ------------------------------------------------------- */

typedef struct contour {
    reference r;
    loss_law pair;
    contour_part part;
    part_request want;
    double range; /* 1/deviation */
    arb_t m;      /* M(t) */
} contour;

static int report(const contour *c, const char *what, double a, double b)
{
    printf("%s: noise %d map %d parameter %.17g rate %.17g t %.17g outer "
           "%.17g reach %.17g: %.17g, %.17g\n",
        what, (int)c->r.noise, (int)c->r.map, c->r.parameter, c->r.rate,
        c->want.t, c->want.outer, c->want.reach, a, b);
    return 1;
}

/* K(t) holds the logarithm of the reference, as near as was asked for. */
static int check_cumulant(contour *c)
{
    arb_t k, mine;
    arb_init(k);
    arb_init(mine);
    arb_log(k, c->m, BITS);
    set_ball(mine, c->part.cumulant);
    int bad = 0;
    if (!arb_overlaps(k, mine) || arb_rel_accuracy_bits(c->m) < 90)
        bad = report(c, "cumulant misses", ball_mid(c->part.cumulant),
            arf_get_d(arb_midref(k), ARF_RND_NEAR));
    if (!(c->part.cumulant.rad < 1e-16 + exp(-c->want.digits)))
        bad = report(c, "cumulant is wide", c->part.cumulant.rad, 0);
    arb_clear(mine);
    arb_clear(k);
    return bad;
}

/* chi(u) = M(t+iu)/M(t). */
static void exact_chi(acb_t out, contour *c, double u)
{
    moment(out, &c->r, c->want.t, u);
    acb_div_arb(out, out, c->m, BITS);
}

static int check_chi(contour *c, double u)
{
    acb_t chi, turn, mine;
    arb_t gap, mean;
    acb_init(chi);
    acb_init(turn);
    acb_init(mine);
    arb_init(gap);
    arb_init(mean);
    exact_chi(chi, c, u);
    set_ball(mean, c->part.mean);
    arb_set_d(gap, -u);
    arb_mul(mean, mean, gap, BITS);
    arb_sin_cos(acb_imagref(turn), acb_realref(turn), mean, BITS);
    acb_mul(chi, chi, turn, BITS);
    disc d = c->part.type->power(&c->part, u);
    set_ball(acb_realref(mine), (ball){d.re.hi, d.re.lo, 0});
    set_ball(acb_imagref(mine), (ball){d.im.hi, d.im.lo, 0});
    acb_sub(chi, chi, mine, BITS);
    acb_abs(gap, chi, BITS);
    arb_set_d(mean, d.rad);
    int bad = 0;
    if (arb_gt(gap, mean))
        bad = report(c, "chi misses", u,
            arf_get_d(arb_midref(gap), ARF_RND_NEAR) / d.rad);
    double turns = u / c->range;
    if (!(d.rad < 1e-12 * (1 + turns * turns * turns) +
                      4 * exp(-c->want.digits)))
        bad = report(c, "chi is wide", u, d.rad);
    arb_clear(mean);
    arb_clear(gap);
    acb_clear(mine);
    acb_clear(turn);
    acb_clear(chi);
    return bad;
}

/* The bound of K(t+a) holds, and is near. */
static int check_upper(contour *c, double a)
{
    acb_t m;
    arb_t k, mine;
    acb_init(m);
    arb_init(k);
    arb_init(mine);
    moment(m, &c->r, c->want.t + a, 0);
    arb_log(k, acb_realref(m), BITS);
    double upper = c->part.type->cumulant_upper(&c->part, a);
    arb_set_d(mine, upper);
    int bad = 0;
    if (!(upper < HUGE_VAL) || !arb_le(k, mine))
        bad = report(c, "upper bound misses", a, upper);
    arb_sub(k, mine, k, BITS);
    if (!(arf_get_d(arb_midref(k), ARF_RND_NEAR) <
            1e-3 + 8 * exp(-c->want.digits)))
        bad = report(c, "upper bound is wide", a,
            arf_get_d(arb_midref(k), ARF_RND_NEAR));
    arb_clear(mine);
    arb_clear(k);
    acb_clear(m);
    return bad;
}

/* |chi| from u on stays below the bound. */
static int check_decay(contour *c, double u)
{
    static const double factors[] = {1, 1.3, 2, 4.7};
    acb_t chi;
    arb_t size, bound;
    acb_init(chi);
    arb_init(size);
    arb_init(bound);
    double log_bound = c->part.type->log_decay(&c->part, u);
    int bad = 0;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        exact_chi(chi, c, u * factors[i]);
        acb_abs(size, chi, BITS);
        arb_log(size, size, BITS);
        arb_set_d(bound, log_bound);
        if (arb_gt(size, bound))
            bad = report(c, "decay misses", u * factors[i], log_bound);
    }
    arb_clear(bound);
    arb_clear(size);
    acb_clear(chi);
    return bad;
}

/* ---- Ellipses ---------------------------------------------------------- */

/* log |e^base (1+v)^(p + iu)| at a complex x, in doubles. */
static double log_size(
    const pieces *s, double complex x, double p, double u)
{
    double complex y = s->slope * x - s->offset;
    double complex l = clog(1 + s->rate * (cexp(y) - 1));
    double complex base = s->is_gaussian ? -x * x / 2 : -x / 2;
    return creal(base + (p + I * u) * l);
}

/* The bound of a panel's error rests on the integrand's size on an ellipse:
 * it is not below what points of the ellipse show, nor far above. */
static int check_ellipse(contour *c, prop_random *r)
{
    const pieces *s = c->part.pieces;
    double a = s->x_begin, t = c->want.t;
    double u = prop_below(r, 2) ? c->want.outer : 0;
    a += prop_uniform(r, 0, s->is_gaussian ? 4 : s->x_end - s->x_begin) * 0.9;
    if (prop_below(r, 2)) /* near the zeros of 1 + v */
        a = (log(1 / s->rate - 1) + s->offset) / s->slope;
    double b = a + prop_uniform(r, 0.02, 0.15) / s->slope;
    double rho = exp(prop_uniform(r, 0.3, 4.3)), half = (b - a) / 2;
    double mine = pieces_panel_error(s, a, b, rho, t, u);
    double wide = half * (rho + 1 / rho) / 2, best = -HUGE_VAL;
    double high = half * (rho - 1 / rho) / 2;
    if (s->slope * high > 3.1)
        return 0;
    for (int i = 0; i < 400; i++) {
        double angle = 6.283185307179586 * i / 400;
        double complex x =
            (a + b) / 2 + wide * cos(angle) + I * high * sin(angle);
        for (int j = 0; j < s->n_branches; j++) {
            double p = pieces_exponent(s->sign[j], t);
            best = fmax(best, log_size(s, x, p, u));
        }
    }
    /* (64/15) half rho^-2n/(1 - rho^-2) for each branch */
    best += log(64.0 / 15 * half * s->n_branches / (1 - 1 / (rho * rho))) -
            2 * PIECES_POINTS * log(rho);
    /* boxes of sixteenths lose a part of the swing over the ellipse */
    double swing = (wide + high) * (fabs(a) + wide +
        (fabs(t) + 2 + u) * s->slope);
    if (!(mine >= best && mine <= best + 1 + 0.4 * swing))
        return report(c, "ellipse", mine, best);
    return 0;
}

/* ---- Random contours --------------------------------------------------- */

static const loss_noise noises[] = {
    LOSS_GAUSSIAN, LOSS_LAPLACE, LOSS_EXPONENTIAL};

static void draw(contour *c, prop_random *r)
{
    memset(c, 0, sizeof *c);
    acb_init(c->r.z);
    arb_init(c->m);
    c->r.noise = noises[prop_below(r, 3)];
    c->r.map = LOSS_WITHOUT_REPLACEMENT;
    if (c->r.noise != LOSS_GAUSSIAN && prop_below(r, 3) > 0)
        c->r.map = prop_below(r, 2) ? LOSS_MIXTURE_FIRST : LOSS_BASE_FIRST;
    c->r.parameter = exp(prop_uniform(r, -3, 1.2));
    c->r.rate = prop_below(r, 4) ? exp(prop_uniform(r, -9, -0.1))
                                 : prop_uniform(r, 0.1, 0.95);
    c->pair = (loss_law){.noise = c->r.noise,
        .map = c->r.map,
        .parameter = ball_of(c->r.parameter),
        .rate = ball_of(c->r.rate),
        .count = 1};
    double t = exp(prop_uniform(r, -3, 3)); /* weights must not underflow */
    if (c->r.noise == LOSS_GAUSSIAN)
        t = fmin(t, 30 / c->r.parameter);
    c->want = (part_request){.t = t,
        .reach = t * prop_uniform(r, 0.05, 1),
        .outer = exp(prop_uniform(r, -1, 5)),
        .digits = prop_below(r, 2) ? 44 : prop_uniform(r, 3, 20),
        .multiple = 1};
}

static int check_one(contour *c, prop_random *r)
{
    cumulant_guess rough;
    bool found = false;
    if (!contour_part_init(&c->part, &c->pair) ||
        !c->part.type->guess_cumulant(&rough, &c->part, c->want.t))
        return report(c, "nothing known", 0, 0);
    c->range = 1 / sqrt(rough.k2);
    c->want.reach = fmin(c->want.reach, 8 * c->range);
    dosi_status status =
        c->part.type->tilt(&found, &c->part, &c->want, NULL);
    if (status != DOSI_OK || !found)
        return report(c, "not tilted", c->part.error, 0);
    acb_t m;
    acb_init(m);
    moment(m, &c->r, c->want.t, 0);
    arb_set(c->m, acb_realref(m));
    acb_clear(m);
    int bad = check_cumulant(c);
    if (!(fabs(rough.k0 - ball_mid(c->part.cumulant)) <
            1e-9 + exp(-c->want.digits)))
        bad += report(c, "rough is off", rough.k0,
            ball_mid(c->part.cumulant));
    bad += check_chi(c, c->want.outer);
    bad += check_chi(c, c->want.outer * prop_uniform(r, 0, 1));
    bad += check_upper(c, c->want.reach);
    bad += check_upper(c, c->want.reach * prop_uniform(r, 0, 0.99));
    for (int i = 0; i < 20; i++)
        bad += check_ellipse(c, r);
    bad += check_decay(c, c->range * exp(prop_uniform(r, -1, 3)));
    return bad;
}

int main(void)
{
    prop_random r = prop_start("prop_part_piecewise");
    long n = prop_count(60);
    int bad = 0;
    for (long i = 0; i < n; i++) {
        contour c;
        draw(&c, &r);
        bad += check_one(&c, &r);
        contour_part_free(&c.part);
        acb_clear(c.r.z);
        arb_clear(c.m);
    }
    printf("%ld contours, %d failures\n", n, bad);
    flint_cleanup();
    return bad != 0;
}
