/*
 * Loss laws whose moment function has a closed form, on the contour: Gaussian
 * noise, Laplace noise and mechanisms of bounded range. Discs carry the
 * rounding, so that nothing needs centring. Derivation: docs/theory/contour.md,
 * section 2.
 *
 *   Gaussian     M = exp(mu^2 z (z+1)/2)
 *   Laplace      M = ((z+1) e^{za} + z e^{-(z+1)a}) / (2z+1)
 *   exponential  M = sinh((z + 1/2) e) / ((2z+1) sinh(e/2))
 */
#include "part.h"

/* The cost of one value, in nodes. */
static double gaussian_guess_nodes(contour_part *self, const part_request *w)
{
    (void)self;
    (void)w;
    return 250;
}

static double gaussian_guess_shifted_nodes(const contour_part *self)
{
    (void)self;
    return 60;
}

static double bounded_guess_nodes(contour_part *self, const part_request *w)
{
    (void)self;
    (void)w;
    return 60;
}

static ball unbounded(const loss_law *pair)
{
    (void)pair;
    return ball_of(HUGE_VAL);
}

static ball parameter(const loss_law *pair)
{
    return pair->parameter;
}

static bool gaussian_guess(
    cumulant_guess *out, contour_part *self, double t)
{
    double mu = ball_mid(self->law->parameter), v = mu * mu;
    *out = (cumulant_guess){v * t * (t + 1) / 2, v * (t + 0.5), v};
    return true;
}

static double gaussian_guess_decay(
    part_request *w, contour_part *self, double t, double u)
{
    (void)w;
    (void)t;
    double mu = ball_mid(self->law->parameter);
    return -mu * mu * u * u / 2;
}

/* Encloses K(x) for real x. */
static ball gaussian_cumulant(const loss_law *pair, ball x)
{
    ball half = ball_scale2(ball_sqr(pair->parameter), -1);
    return ball_mul(half, ball_mul(x, ball_add_d(x, 1)));
}

/* Encloses chi^count: |chi| = exp(-mu^2 u^2 / 2), centred by mu^2 (t + 1/2). */
static disc gaussian_power(const contour_part *self, double u)
{
    ball v = ball_mul_d(ball_sqr(self->law->parameter), self->count / 2);
    ball size = ball_exp(ball_neg(ball_mul(v, ball_sqr(ball_of(u)))));
    return disc_of(size, ball_of(0));
}

static double gaussian_decay(const contour_part *self, double u)
{
    ball v = ball_scale2(ball_sqr(self->law->parameter), -1);
    return ball_upper(ball_neg(ball_mul(v, ball_sqr(ball_of(u)))));
}

static bool laplace_guess(cumulant_guess *out, contour_part *self, double t)
{
    double a = ball_mid(self->law->parameter), s = 2 * t + 1;
    double e = exp(-s * a); /* M e^{-ta} = (t + 1 + t e) / s */
    double n = t + 1 + t * e, n1 = 1 + e - 2 * a * t * e;
    double n2 = -4 * a * e + 4 * a * a * t * e;
    double slope = n1 / n - 2 / s;
    *out = (cumulant_guess){t * a + log(n / s), a + slope,
        n2 / n - (n1 / n) * (n1 / n) + 4 / (s * s)};
    return true;
}

static ball laplace_cumulant(const loss_law *pair, ball x)
{
    ball a = pair->parameter;
    ball s = ball_add_d(ball_scale2(x, 1), 1);
    ball e = ball_exp(ball_neg(ball_mul(s, a)));
    ball n = ball_add(ball_add_d(x, 1), ball_mul(x, e));
    return ball_add(ball_mul(x, a), ball_log(ball_div(n, s)));
}

/* Bounds |M(t+iu)| e^{-ta}, falling in u: |z+1|/|2z+1| falls to 1/2 and
 * |z|/|2z+1| rises to it. */
static ball laplace_bound(ball a, ball t, ball u)
{
    ball s = ball_add_d(ball_scale2(t, 1), 1), u2 = ball_sqr(u);
    ball e = ball_exp(ball_neg(ball_mul(s, a)));
    ball ratio = ball_div(ball_add(ball_sqr(ball_add_d(t, 1)), u2),
        ball_add(ball_sqr(s), ball_scale2(u2, 2)));
    return ball_add(ball_sqrt(ratio), ball_scale2(e, -1));
}

static bool exponential_guess(
    cumulant_guess *out, contour_part *self, double t)
{
    double e = ball_mid(self->law->parameter), s = 2 * t + 1;
    double x = s * e / 2, sh = -expm1(-2 * x) / 2; /* sinh(x) e^-x */
    double small = -expm1(-e) / 2;                 /* sinh(e/2) e^-e/2 */
    double coth = (1 + exp(-2 * x)) / (2 * sh), over = exp(-x) / sh;
    *out = (cumulant_guess){t * e + log(sh / (s * small)),
        e * coth - 2 / s, 4 / (s * s) - e * e * over * over};
    return true;
}

static ball exponential_cumulant(const loss_law *pair, ball x)
{
    ball e = pair->parameter, s = ball_add_d(ball_scale2(x, 1), 1);
    /* sinh(se/2) e^{-se/2} = (1 - e^{-se})/2, and likewise with e/2 */
    ball top = ball_neg(ball_expm1(ball_neg(ball_mul(s, e))));
    ball low = ball_mul(s, ball_neg(ball_expm1(ball_neg(e))));
    return ball_add(ball_mul(x, e), ball_log(ball_div(top, low)));
}

/* Bounds |M(t+iu)| e^{-te}, falling in u: |e^{iue} - e^{-se} e^{-iue}| <= 1 +
 * e^{-se}. */
static ball exponential_bound(ball e, ball t, ball u)
{
    ball s = ball_add_d(ball_scale2(t, 1), 1);
    ball top = ball_add_d(ball_exp(ball_neg(ball_mul(s, e))), 1);
    ball norm = ball_add(ball_sqr(s), ball_scale2(ball_sqr(u), 2));
    ball low = ball_mul(
        ball_sqrt(norm), ball_neg(ball_expm1(ball_neg(e))));
    return ball_div(top, low);
}

static ball cumulant_of(const loss_law *pair, ball x)
{
    if (pair->noise == LOSS_GAUSSIAN)
        return gaussian_cumulant(pair, x);
    return pair->noise == LOSS_LAPLACE ? laplace_cumulant(pair, x)
                                      : exponential_cumulant(pair, x);
}

static dosi_status gaussian_tilt(bool *found, contour_part *self,
    const part_request *w, dosi_error *err)
{
    (void)err;
    ball t = ball_of(w->t), v = ball_sqr(self->law->parameter);
    self->want = *w;
    self->cumulant = gaussian_cumulant(self->law, t);
    self->mean = ball_mul(v, ball_add_d(t, 0.5));
    *found = !ball_is_unknown(self->cumulant);
    return DOSI_OK;
}

static dosi_status bounded_tilt(bool *found, contour_part *self,
    const part_request *w, dosi_error *err)
{
    (void)err;
    ball t = ball_of(w->t), a = self->law->parameter;
    ball s = ball_add_d(ball_scale2(t, 1), 1);
    self->want = *w;
    self->cumulant = cumulant_of(self->law, t);
    self->mean = ball_of(0);
    ball power = ball_neg(ball_mul(s, a));
    self->fall = ball_mid(ball_exp(power));
    self->gap = -ball_mid(ball_expm1(power));
    ball scale = ball_exp(ball_sub(self->cumulant, ball_mul(a, t)));
    if (self->law->noise == LOSS_EXPONENTIAL)
        scale = ball_mul(scale, ball_neg(ball_expm1(ball_neg(a))));
    self->scale = ball_mid(scale);
    *found = !ball_is_unknown(self->cumulant);
    return DOSI_OK;
}

static double closed_cumulant_upper(const contour_part *self, double a)
{
    ball x = ball_add_d(ball_of(self->want.t), a);
    return ball_upper(cumulant_of(self->law, x));
}

/*
 * Encloses chi in doubles. Of the angle u a two doubles are kept, so that its
 * cosine and sine err by 8 units of themselves, and by its error, off. With x =
 * e^{-(2t+1) a}, M e^{-ta} is
 *
 *   Laplace      ((z+1) e^{iua} + x z e^{-iua}) / (2z+1)
 *   exponential  (e^{iua} - x e^{-iua}) / ((2z+1) (1 - e^-a)),
 *
 * the latter with a numerator of (1-x) cos ua + i (1+x) sin ua. The parts of a
 * product err by 16 units of its modulus, their sum and quotient by less than
 * 32 of the sum of both moduli, size, and 64 are charged; steep bounds the
 * derivative by the angle.
 */
static disc_double bounded_chi(const contour_part *self, double u)
{
    ball a = self->law->parameter;
    double t = self->want.t, s = 2 * t + 1, x = self->fall;
    dd angle = dd_two_product(u, a.hi);
    double rest = angle.lo + u * a.lo, off = u * a.rad + rest * rest;
    double c0 = cos(angle.hi), s0 = sin(angle.hi);
    double c = c0 - rest * s0, d = s0 + rest * c0;
    double re = self->gap * c, im = (1 + x) * d, steep = 2;
    double size = self->gap + (1 + x) * fmin(fabs(angle.hi), 1);
    if (self->law->noise == LOSS_LAPLACE) {
        /* (t+1+iu)(c+id) + x (t+iu)(c-id) */
        re = (t + 1) * c - u * d + x * (t * c + u * d);
        im = (t + 1) * d + u * c + x * (u * c - t * d);
        size = steep = (t + 1 + u) * (1 + x);
    }
    double norm = (s * s + 4 * u * u) * self->scale;
    return (disc_double){(re * s + 2 * im * u) / norm,
        (im * s - 2 * re * u) / norm,
        sqrt(s * s + 4 * u * u) / norm *
            (64 * 0x1p-53 * size + (1 + 0x1p-40) * steep * off)};
}

/* Encloses chi^count. */
static disc bounded_power(const contour_part *self, double u)
{
    return disc_double_power(bounded_chi(self, u), self->count);
}

/* log of the bound of |M(t+iu)| over M(t). */
static double bounded_log_bound(const contour_part *self, double t, double u)
{
    const loss_law *pair = self->law;
    ball at = ball_of(t), far = ball_of(u);
    ball b = pair->noise == LOSS_LAPLACE
                 ? laplace_bound(pair->parameter, at, far)
                 : exponential_bound(pair->parameter, at, far);
    ball scale = ball_sub(
        cumulant_of(pair, at), ball_mul(pair->parameter, at));
    return ball_upper(ball_sub(ball_log(b), scale));
}

/* The best bound on [u, inf) among those at multiples of u. */
static double bounded_best_decay(const contour_part *self, double t, double u)
{
    double best = 0;
    for (double m = 1; m <= 128; m *= 2) {
        double raw = bounded_log_bound(self, t, m * u);
        if (raw < 0)
            best = fmin(best, contour_decay_from_multiple(raw, m));
    }
    return best;
}

static bool bounded_guess(cumulant_guess *out, contour_part *self, double t)
{
    return self->law->noise == LOSS_LAPLACE
               ? laplace_guess(out, self, t)
               : exponential_guess(out, self, t);
}

static double bounded_guess_decay(
    part_request *w, contour_part *self, double t, double u)
{
    (void)w;
    return bounded_best_decay(self, t, u);
}

static double bounded_decay(const contour_part *self, double u)
{
    return bounded_best_decay(self, self->want.t, u);
}

const contour_type contour_gaussian = {
    .guess_cumulant = gaussian_guess,
    .guess_decay = gaussian_guess_decay,
    .guess_nodes = gaussian_guess_nodes,
    .guess_shifted_nodes = gaussian_guess_shifted_nodes,
    .tilt = gaussian_tilt,
    .power = gaussian_power,
    .cumulant_upper = closed_cumulant_upper,
    .log_decay = gaussian_decay,
    .largest_loss = unbounded,
};

const contour_type contour_bounded = {
    .guess_cumulant = bounded_guess,
    .guess_decay = bounded_guess_decay,
    .guess_nodes = bounded_guess_nodes,
    .tilt = bounded_tilt,
    .power = bounded_power,
    .cumulant_upper = closed_cumulant_upper,
    .log_decay = bounded_decay,
    .largest_loss = parameter,
};
