/*
 * Certifies the contour that spectral_steer.c chose:
 *
 *   delta = (D/pi) Re( F_0/2 + sum_{n=1}^N F_n ) - aliases + truncation,
 *   F_n = exp(K(z) - z eps) / (z (z+1)),   z = t + i n D.
 *
 * With a blur s > 0 the kernel 1/(z(z+1)) becomes e^{z(z+1)s^2/2}/(z(z+1))
 * for the upper end (one more Gaussian loses no less) and e^{z^2 s^2/2}/z -
 * e^{(z+1)^2 s^2/2}/(z+1) for the lower (a threshold with Gaussian noise is a
 * test). The bounds are the lemmas of docs/theory/spectral.md.
 */
#include "spectral_contour.h"

#include <stdlib.h>

#include "base/error.h"
#include "spectral_fine.h"

#define UNIT 0x1p-53
#define ROWS_BETWEEN_STOPS 16

/* ---- Bounds ------------------------------------------------------------ */

static ball half_square(double blur, ball x)
{
    return ball_scale2(ball_sqr(ball_mul_d(x, blur)), -1);
}

ball spectral_log_kernel(ball s)
{
    if (ball_is_zero(s))
        return s;
    return ball_neg(ball_add(ball_log1p(s),
        ball_mul(s, ball_log1p(ball_div(ball_of(1), s)))));
}

/* log of e^log_m C(u) e^{-|a| L} / (1 - e^{-|a| L}), u = t + a, or C(-u-1)
 * where that is negative, or e^{(u+1)^2 s^2/2} with a blur. */
ball spectral_log_alias(const spectral_choice *choice, double a, ball log_m)
{
    ball u = ball_add_d(ball_of(choice->t), a), kernel;
    if (choice->blur > 0)
        kernel = half_square(choice->blur, ball_add_d(u, 1));
    else
        kernel = spectral_log_kernel(
            ball_is_negative(u) ? ball_neg(ball_add_d(u, 1)) : u);
    ball period =
        ball_div(ball_scale2(ball_pi(), 1), ball_of(choice->step));
    ball decay = ball_mul_d(period, -fabs(a));
    ball value = ball_add(ball_add(log_m, kernel), decay);
    return ball_sub(value, ball_log1mexp(decay));
}

/* The same of the plan, with its cumulant. */
static ball log_alias(
    const spectral_contour *c, const spectral_parts *parts, double a)
{
    ball log_m = ball_of(0); /* M(0) <= 1 */
    for (size_t i = 0; i < parts->n && c->choice.t + a != 0; i++) {
        const spectral_part *p = &parts->items[i];
        ball k = ball_of(p->type->cumulant_upper(p, a));
        log_m = ball_add(log_m, ball_mul_d(k, p->count));
    }
    return spectral_log_alias(&c->choice, a, log_m);
}

/* atan(s/U)/s <= 1/U and <= pi/(2 s), s^2 = t (t+1). */
static ball tail_of(const spectral_choice *k)
{
    ball outer = ball_mul_d(ball_of(k->step), k->n_outer);
    ball t = ball_of(k->t);
    ball root = ball_sqrt(ball_mul(t, ball_add_d(t, 1)));
    return ball_min(ball_div(ball_of(1), outer),
        ball_div(ball_scale2(ball_pi(), -1), root));
}

ball spectral_log_tail(const spectral_choice *choice)
{
    return ball_log(ball_div(tail_of(choice), ball_pi()));
}

/* What is left out beyond U = N D, with |chi| <= B there: integrals of
 * 1/|z(z+1)| <= 1/(u^2 + t(t+1)), or of e^{-u^2 s^2/2}/u. */
static void cut_off(spectral_contour *c, const spectral_parts *parts)
{
    const spectral_choice *k = &c->choice;
    ball outer = ball_mul_d(ball_of(k->step), k->n_outer);
    ball t = ball_of(k->t), t1 = ball_add_d(t, 1), log_b = ball_of(0);
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        if (p->type->log_decay == NULL)
            continue;
        double one = fmin(p->type->log_decay(p, ball_lower(outer)), 0);
        log_b = ball_add(log_b, ball_mul_d(ball_of(one), p->count));
    }
    ball tail = tail_of(k);
    if (k->blur > 0) {
        log_b = ball_sub(log_b, half_square(k->blur, outer));
        ball both = ball_add(ball_exp(half_square(k->blur, t)),
            ball_exp(half_square(k->blur, t1)));
        ball u2s2 = ball_sqr(ball_mul_d(outer, k->blur));
        ball lower = ball_div(ball_div(both, u2s2), ball_pi());
        c->cut_lower = ball_upper(ball_mul(lower, ball_exp(log_b)));
        /* e^{t(t+1)s^2/2} <= e^{(t+1)^2 s^2/2} */
        tail = ball_mul(tail, ball_exp(half_square(k->blur, t1)));
    }
    ball upper = ball_div(ball_mul(tail, ball_exp(log_b)), ball_pi());
    c->cut_upper = ball_upper(upper);
    if (!(k->blur > 0))
        c->cut_lower = c->cut_upper;
}

double spectral_least_loss(const spectral_parts *parts)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        if (p->type->least == NULL)
            return -HUGE_VAL;
        sum = ball_add(sum, ball_mul_d(p->type->least(p->law), p->count));
    }
    return ball_lower(sum);
}

/* ---- Building ---------------------------------------------------------- */

static dosi_status tilt_all(bool *found, spectral_contour *c,
    const spectral_parts *parts, const spectral_want *wants, dosi_error *err)
{
    *found = true;
    c->cumulant = ball_of(0);
    for (size_t i = 0; i < parts->n && *found; i++) {
        spectral_part *p = &parts->items[i];
        spectral_want w = wants[i];
        w.step = c->choice.step; /* the far rule rests on these two */
        w.is_fine = c->choice.is_fine;
        bool has_far = p->type->far_powers != NULL || w.is_fine;
        w.far = has_far ? c->choice.n_far * w.step : 0;
        dosi_status status = p->type->tilt(found, p, &w, err);
        if (status != DOSI_OK)
            return status;
        c->cumulant = ball_add(
            c->cumulant, ball_mul_d(p->cumulant, p->count));
        if (p->nodes.n > 0 &&
            spectral_near(&w) > phase_reach(&p->nodes))
            *found = false;
    }
    return DOSI_OK;
}

/* ---- Kernels ----------------------------------------------------------- */

/* A complex number, and what it errs by in units of 2^-53. */
typedef struct factor {
    double re, im, error;
} factor;

/* 1/(z (z+1)), z (z+1) = (t (t+1) - u^2) + i u (2t+1); the parts of the
 * product err by 5 units of u^2 + t(t+1) <= |z (z+1)|. */
static factor plain_kernel(double t, double u)
{
    double re = t * (t + 1) - u * u, im = u * (2 * t + 1);
    double norm = re * re + im * im;
    bool is_safe = norm > 0x1p-900 && norm < 0x1p900;
    return (factor){
        re / norm, -im / norm, is_safe ? 24 / sqrt(norm) : HUGE_VAL};
}

/* e^{(a^2 - u^2) s^2/2 + i u a s^2} / (a + iu). */
static factor blurred_fraction(double a, double u, double s)
{
    double exponent = (a - u) * (a + u) * s * s / 2, angle = u * a * s * s;
    double norm = a * a + u * u, size = exp(exponent) / norm;
    double cosine = cos(angle), sine = sin(angle);
    return (factor){size * (a * cosine + u * sine),
        size * (a * sine - u * cosine),
        size * sqrt(norm) *
            (32 + 8 * fabs(angle) + 4 * norm * s * s)};
}

/* e^{z(z+1)s^2/2}/(z(z+1)). */
static factor upper_kernel(double t, double u, double s)
{
    factor k = plain_kernel(t, u);
    double exponent = (t * (t + 1) - u * u) * s * s / 2;
    double angle = u * (2 * t + 1) * s * s / 2, size = exp(exponent);
    double cosine = size * cos(angle), sine = size * sin(angle);
    double magnitude = size * (k.error / 24);
    return (factor){k.re * cosine - k.im * sine,
        k.re * sine + k.im * cosine,
        magnitude * (64 + 8 * fabs(angle) +
            8 * (t * (t + 1) + u * u) * s * s)};
}

/* V is N(0, s^2): E[e^{-zV}] = e^{z^2 s^2/2}. */
static factor lower_kernel(double t, double u, double s)
{
    factor a = blurred_fraction(t, u, s);
    factor b = blurred_fraction(t + 1, u, s);
    return (factor){a.re - b.re, a.im - b.im,
        a.error + b.error + 2 * (fabs(a.re) + fabs(a.im) + fabs(b.re) +
                                    fabs(b.im))};
}

/* ---- Terms ------------------------------------------------------------- */

/* Appends power times kernel. */
static void put_term(spectral_terms *t, size_t n, disc power, factor k)
{
    double re = power.re.hi, im = power.im.hi;
    double size = fabs(re) + fabs(im), reach = fabs(k.re) + fabs(k.im);
    t->re[n] = k.re * re - k.im * im;
    t->im[n] = k.re * im + k.im * re;
    t->size[n] = size * reach;
    /* the power is rounded by 2 units, the product by 4 */
    double error = size * (k.error + 8 * reach) * UNIT +
                   power.rad * (reach + k.error * UNIT);
    t->error += error < HUGE_VAL ? error * (1 + 0x1p-40) : HUGE_VAL;
}

/* chi^count of all parts at the nodes from first on, centred. */
static void row_of_powers(disc out[FAR_ROW], const spectral_contour *c,
    const spectral_parts *parts, size_t first, size_t n)
{
    double step = c->choice.step, u = (double)first * step; /* exact */
    disc row[FAR_ROW];
    for (size_t j = 0; j < n; j++)
        out[j] = (disc){{1, 0}, {0, 0}, 0};
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        bool far = c->choice.n_far > 0 && (double)first >= c->choice.n_far &&
                   p->type->far_powers != NULL;
        if (far)
            p->type->far_powers(row, p, u, n);
        for (size_t j = 0; j < n; j++)
            out[j] = disc_mul(out[j],
                far ? row[j]
                    : p->type->power(p, (double)(first + j) * step));
    }
}

/* What the powers are centred by, for the whole plan, less epsilon. */
static ball drift_of(
    const spectral_contour *c, const spectral_parts *parts, bool far)
{
    ball sum = ball_of(-c->choice.epsilon);
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        ball mean = far && p->type->far_mean != NULL ? p->type->far_mean(p)
                                                     : p->mean;
        sum = ball_add(sum, ball_mul_d(mean, p->count));
    }
    return sum;
}

void spectral_contour_put(spectral_contour *c, size_t n, disc power)
{
    const spectral_choice *k = &c->choice;
    double u = (double)n * k->step;
    if (k->blur > 0) {
        put_term(&c->upper, n, power, upper_kernel(k->t, u, k->blur));
        put_term(&c->lower, n, power, lower_kernel(k->t, u, k->blur));
    } else {
        put_term(&c->upper, n, power, plain_kernel(k->t, u));
    }
}

/* The greatest of a row of powers that are 0 but for their radii, or
 * infinity where they are not. */
static double nothing_but(const disc *row, size_t n)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        if (row[j].re.hi != 0 || row[j].im.hi != 0)
            return HUGE_VAL;
        most = fmax(most, row[j].rad);
    }
    return most;
}

/* Terms of powers of modulus at most rad from the n-th on, n >= 1: kernels
 * are at most e^{t(t+1)s^2/2}/u^2 and 2 e^{(t+1)^2 s^2/2}/u there. */
static void put_nothing(spectral_contour *c, size_t n, size_t many, double rad)
{
    const spectral_choice *k = &c->choice;
    double u = (double)n * k->step, s = k->blur * (k->t + 1);
    double most = (double)many * rad * exp(s * s / 2) * (1 + 0x1p-40);
    spectral_terms *terms[2] = {&c->upper, &c->lower};
    for (int i = 0; i < (k->blur > 0 ? 2 : 1); i++) {
        for (size_t j = n; j < n + many; j++)
            terms[i]->re[j] = terms[i]->im[j] = terms[i]->size[j] = 0;
        terms[i]->error += most * (i == 0 ? 1 / (u * u) : 2 / u);
    }
}

/* The terms from first to last - 1, all near or all far. */
static bool fill_range(spectral_contour *c, const spectral_parts *parts,
    size_t first, size_t last, work_limits *limits)
{
    double step = c->choice.step;
    bool far = c->choice.n_far > 0 && (double)first >= c->choice.n_far;
    if (first >= last)
        return true;
    ball drift = drift_of(c, parts, far);
    disc turn = disc_turn(ball_mul_d(drift, step)), row[FAR_ROW];
    disc phase = {{0, 0}, {0, 0}, 0};
    bool is_there = false; /* the phase at the row's first node */
    for (size_t n = first; n < last; n += FAR_ROW) {
        size_t many = last - n < FAR_ROW ? last - n : FAR_ROW;
        if (n / FAR_ROW % ROWS_BETWEEN_STOPS == ROWS_BETWEEN_STOPS - 1 &&
            work_stopped(limits))
            return false;
        row_of_powers(row, c, parts, n, many);
        double most = nothing_but(row, many);
        if (most < HUGE_VAL) {
            put_nothing(c, n, many, most);
            is_there = false;
            continue;
        }
        if (!is_there)
            phase = n == 1 ? turn
                           : disc_turn(ball_mul_d(drift, (double)n * step));
        is_there = true;
        for (size_t j = 0; j < many; j++) {
            spectral_contour_put(c, n + j, disc_mul(row[j], phase));
            phase = disc_mul(phase, turn);
        }
    }
    return true;
}

/* False when it was stopped. */
static bool fill_terms(
    spectral_contour *c, const spectral_parts *parts, work_limits *limits)
{
    size_t far = c->n;
    if (c->choice.n_far > 0 && c->choice.n_far < (double)c->n)
        far = (size_t)c->choice.n_far;
    spectral_contour_put(c, 0, (disc){{0.5, 0}, {0, 0}, 0});
    if (!fill_range(c, parts, 1, far, limits) ||
        !fill_range(c, parts, far, c->n, limits))
        return false;
    if (!(c->choice.blur > 0))
        c->lower = c->upper;
    return true;
}

static void place(spectral_terms *t, double *room, size_t n)
{
    *t = (spectral_terms){room, room + n, room + 2 * n, 0};
}

bool spectral_contour_make_room(spectral_contour *c)
{
    if (c->choice.is_fine) {
        c->fine = malloc(c->n * sizeof *c->fine);
        return c->fine != NULL;
    }
    size_t many = c->choice.blur > 0 ? 6 : 3;
    c->storage = malloc(many * c->n * sizeof *c->storage);
    if (c->storage == NULL)
        return false;
    place(&c->upper, c->storage, c->n);
    if (c->choice.blur > 0)
        place(&c->lower, c->storage + 3 * c->n, c->n);
    return true;
}

dosi_status spectral_contour_build(spectral_contour *c, bool *found,
    const spectral_parts *parts, const spectral_want *wants,
    const spectral_choice *choice, work_limits *limits, dosi_error *err)
{
    *c = (spectral_contour){.choice = *choice};
    dosi_status status = tilt_all(found, c, parts, wants, err);
    if (status != DOSI_OK || !*found)
        return status;
    c->n = (size_t)choice->n_outer + 1;
    if (!spectral_contour_make_room(c)) {
        *found = false;
        return dosi_fail_memory(err);
    }
    cut_off(c, parts);
    c->log_alias[0] = log_alias(c, parts, choice->alias_right);
    c->is_low = choice->is_low;
    c->least = spectral_least_loss(parts);
    if (choice->is_low)
        c->mass_p = c->mass_q = ball_of(1);
    else
        c->log_alias[1] = log_alias(c, parts, -choice->alias_left);
    *found = choice->is_fine
                 ? spectral_fine_fill(
                       c, parts, drift_of(c, parts, true), limits)
                 : fill_terms(c, parts, limits);
    if (!*found)
        spectral_contour_free(c);
    return DOSI_OK;
}

void spectral_contour_free(spectral_contour *c)
{
    free(c->storage);
    free(c->fine);
    spectral_jumps_free(c->jumps);
    c->storage = NULL;
    c->fine = NULL;
    c->jumps = NULL;
}
