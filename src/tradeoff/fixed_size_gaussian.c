/*
 * Moments of the privacy loss of C_p(G_mu), integrated up to where the
 * bound of the tail is negligible.
 * Derivation: docs/theory/tradeoff.md, section 5.
 */
#include "fixed_size_gaussian.h"

#include "sampling/amplify.h"
#include "special/special.h"
#include "tradeoff.h"

#define INTEGRAL_ERROR 0x1p-62 /* relative */
#define MAX_PANELS 4096
#define FAR 40.0 /* deviations beyond mu/2 where all ranges end */

static ball half_mu(const fixed_sample *s)
{
    return ball_scale2(s->mu, -1);
}

ball fixed_sample_atom(const fixed_sample *s)
{
    return ball_mul(ball_sub(ball_of(1), s->rate), tradeoff_gauss_tv(s->mu));
}

/* ---- Jets of the parts -------------------------------------------------- */

typedef struct parts {
    jet w;    /* mu y */
    jet loss; /* Z */
    jet near; /* phi(x) = phi(y + mu/2) */
    jet far;  /* phi(x - mu) = phi(y - mu/2) */
} parts;

/* log phi(x + t) = log phi(x) - x t - t^2/2 */
static jet log_pdf(ball x)
{
    jet r = jet_line(ball_sub(ball_scale2(ball_sqr(x), -1),
                         ball_neg(ball_scale2(ball_log_2pi(), -1))),
        x);
    r.c[2] = ball_of(0.5);
    return jet_scale(&r, ball_of(-1));
}

jet jet_normal_pdf(ball x)
{
    jet r = log_pdf(x);
    return jet_exp(&r);
}

/*
 * With r = p e^w/(1-p + p e^w) and q = 1 - r: dZ/dw = r, dr/dw = r q. The
 * coefficients of r and of q follow from those of r q; written so, their
 * bounds over wide balls grow no faster than about (mu/2)^k.
 */
jet fixed_sample_loss(const fixed_sample *s, ball y)
{
    ball w = ball_mul(s->mu, y);
    ball odds = ball_div(ball_sub(ball_of(1), s->rate), s->rate);
    ball fall = ball_mul(odds, ball_exp(ball_neg(w)));
    jet r, q, z;
    r.c[0] = ball_div(ball_of(1), ball_add_d(fall, 1));
    if (ball_is_zero(odds))
        q.c[0] = odds;
    else if (w.hi < 300)
        q.c[0] =
            ball_div(ball_of(1), ball_add_d(ball_div(ball_exp(w), odds), 1));
    else
        q.c[0] = ball_mul(fall, r.c[0]);
    z.c[0] = w.hi < 300
                 ? ball_log1p(ball_mul(s->rate, ball_expm1(w)))
                 : ball_add(ball_add(w, ball_log(s->rate)), ball_log1p(fall));
    for (int k = 1; k < JET_TERMS; k++) {
        ball sum = ball_of(0);
        for (int i = 0; i < k; i++)
            sum = ball_add(sum, ball_mul(r.c[i], q.c[k - 1 - i]));
        ball step = ball_div_d(s->mu, k);
        z.c[k] = ball_mul(step, r.c[k - 1]);
        r.c[k] = ball_mul(step, sum);
        q.c[k] = ball_neg(r.c[k]);
    }
    return z;
}

static parts parts_at(const fixed_sample *s, ball y)
{
    parts r;
    r.w = jet_line(ball_mul(s->mu, y), s->mu);
    r.loss = fixed_sample_loss(s, y);
    r.near = jet_normal_pdf(ball_add(y, half_mu(s)));
    r.far = jet_normal_pdf(ball_sub(y, half_mu(s)));
    return r;
}

/* p phi(x-mu) + k phi(x) */
static jet weight_of(const fixed_sample *s, const parts *r, ball k)
{
    jet a = jet_scale(&r->far, s->rate), b = jet_scale(&r->near, k);
    return jet_add(&a, &b);
}

static jet cube(const jet *x)
{
    jet square = jet_mul(x, x);
    return jet_mul(&square, x);
}

/* ---- Moments of the loss ------------------------------------------------ */

typedef enum moment_kind {
    MOMENT_MEAN,    /* p Z (phi(x-mu) - phi(x)) */
    MOMENT_SQUARE,  /* Z^2 (p phi(x-mu) + (2-p) phi(x)) */
    MOMENT_CUBE,    /* Z^3 (p phi(x-mu) + (2-p) phi(x)) */
    MOMENT_CENTRAL, /* +-(Z-kl)^3 (p phi(x-mu) + (1-p) phi(x)) +
                       (Z+kl)^3 phi(x) */
} moment_kind;

typedef struct integrand {
    const fixed_sample *s;
    moment_kind kind;
    ball mean;     /* of MOMENT_CENTRAL */
    bool is_below; /* Z <= kl: the sign of Z - kl is - */
} integrand;

/* phi(x-mu) - phi(x) = phi(x) (e^w - 1) = phi(x-mu) (1 - e^-w) */
static jet density_gap(const parts *r)
{
    if (r->w.c[0].hi < 1) {
        jet grow = jet_expm1(&r->w);
        return jet_mul(&grow, &r->near);
    }
    jet back = jet_scale(&r->w, ball_of(-1));
    back = jet_expm1(&back);
    back = jet_scale(&back, ball_of(-1));
    return jet_mul(&back, &r->far);
}

static jet central_at(const integrand *f, const parts *r)
{
    jet above = jet_add_ball(&r->loss, ball_neg(f->mean));
    jet sum = jet_add_ball(&r->loss, f->mean);
    jet keep = weight_of(f->s, r, ball_sub(ball_of(1), f->s->rate));
    above = cube(&above);
    if (f->is_below)
        above = jet_scale(&above, ball_of(-1));
    above = jet_mul(&above, &keep);
    sum = cube(&sum);
    sum = jet_mul(&sum, &r->near);
    return jet_add(&above, &sum);
}

static jet moment_at(ball y, const void *context)
{
    const integrand *f = context;
    parts r = parts_at(f->s, y);
    if (f->kind == MOMENT_CENTRAL)
        return central_at(f, &r);
    if (f->kind == MOMENT_MEAN) {
        jet gap = density_gap(&r);
        gap = jet_scale(&gap, f->s->rate);
        return jet_mul(&gap, &r.loss);
    }
    jet weight = weight_of(f->s, &r, ball_sub(ball_of(2), f->s->rate));
    jet power =
        f->kind == MOMENT_CUBE ? cube(&r.loss) : jet_mul(&r.loss, &r.loss);
    return jet_mul(&power, &weight);
}

/*
 * An upper bound of the integral beyond y = mu/2 + d, d = FAR: with Z <= mu y
 * and t = y - mu/2 every integrand is at most 2 (b + mu t)^n phi(t),
 * b = kl + mu^2/2, n <= 3; with x = max(1, b + mu d),
 * (b + mu t)^n <= x^3 e^(c(t-d)), c = 3/d, and
 * int_d e^(c(t-d)) phi(t) dt <= phi(d)/(d - c) <= phi(d).
 */
static double beyond(const integrand *f)
{
    ball reach = ball_add(ball_mul_d(f->s->mu, FAR),
        ball_scale2(ball_sqr(f->s->mu), -1));
    reach = ball_max(ball_add(reach, f->mean), ball_of(1));
    ball power = ball_mul(reach, ball_sqr(reach));
    ball size = ball_mul(power, ball_normal_pdf(ball_of(FAR)));
    return 2 * ball_upper(size) * (1 + 0x1p-50);
}

/* The integral, split where Z = kl if `turn` is not 0. */
static ball integral(integrand *f, ball turn)
{
    jet_quadrature q = {.f = moment_at,
        .context = f,
        .tolerance = INTEGRAL_ERROR,
        .max_panels = MAX_PANELS,
        .step = 0.25 / (1 + ball_mid(f->s->mu))};
    f->is_below = true;
    ball sum = jet_integral(&q, ball_of(0), turn, 0);
    f->is_below = false;
    ball end = ball_add_d(half_mu(f->s), FAR);
    sum = ball_add(sum, jet_integral(&q, turn, end, ball_mid(sum)));
    return ball_widen(sum, beyond(f));
}

static ball moment_of(const fixed_sample *s, moment_kind kind)
{
    integrand f = {.s = s, .kind = kind, .mean = ball_of(0)};
    return integral(&f, ball_of(0));
}

/* k3bar without the atom. */
static ball central_of(const fixed_sample *s, ball mean)
{
    integrand f = {.s = s, .kind = MOMENT_CENTRAL, .mean = mean};
    return integral(&f, ball_div(amplify_base_epsilon(s->rate, mean), s->mu));
}

ball fixed_sample_mean(const fixed_sample *s)
{
    return moment_of(s, MOMENT_MEAN);
}

ball fixed_sample_square(const fixed_sample *s)
{
    return moment_of(s, MOMENT_SQUARE);
}

ball fixed_sample_cube(const fixed_sample *s)
{
    return moment_of(s, MOMENT_CUBE);
}

ball fixed_sample_central(const fixed_sample *s, ball mean, bool printed)
{
    ball sum = central_of(s, mean);
    if (printed)
        return sum;
    ball third = ball_mul(mean, ball_sqr(mean));
    return ball_add(sum, ball_mul(fixed_sample_atom(s), third));
}
