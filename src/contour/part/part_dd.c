/*
 * The characteristic function of one loss law on a shifted line in
 * double-doubles, from u = 0 on. As chi(0) = 1, only the change of each term
 * since u = 0 is summed: most terms change slowly, and their errors are
 * relative to that change. The term of a node at u + D is its term at u times
 * one factor. Derivation: docs/theory/contour.md, section 4.
 */
#include "part_dd.h"

#include <stdlib.h>

#include "base/error.h"

#define DD_ARRAYS 12
/* target_clones runs the same operations in the same order in wider registers;
 * see PHASE_WIDE. Double-doubles need fused products to be fast. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define DD_WIDE \
    __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define DD_WIDE
#endif

/* nats: terms so far below the error that is allowed are dropped */
#define DROP_RESERVE 8

/* With b near the argument B, sin(B - b) = (top cos b - side sin b)/modulus,
 * and an arc differs from its sine s by at most |s|^3 for |s| <= 1/2. */
ball dd_rule_argument(ball top, ball side, ball modulus)
{
    ball b = ball_of(atan2(ball_mid(top), ball_mid(side))), sine, cosine;
    ball_sin_cos(&sine, &cosine, b);
    ball off = ball_div(
        ball_sub(ball_mul(top, cosine), ball_mul(side, sine)), modulus);
    double most = fmax(ball_upper(off), -ball_lower(off));
    if (!(most < 0.5))
        return ball_unknown();
    return ball_widen(ball_add(b, off), most * most * most * (1 + 0x1p-40));
}

disc dd_rule_exp(ball log_size, ball angle)
{
    ball size = ball_exp(log_size), sine, cosine;
    ball_sin_cos(&sine, &cosine, angle);
    return disc_of(ball_mul(size, cosine), ball_mul(size, sine));
}

#define SMALL_ANGLE 0x1p-6

/* sin x with relative accuracy near 0: the series alternates, and its first
 * omitted term is x^13/13! <= 2^-104 |x|. */
static ball sine_of(ball x)
{
    ball square = ball_sqr(x), sum = ball_of(1), sine, cosine;
    double most = fabs(x.hi) + fabs(x.lo) + x.rad;
    if (!(most < SMALL_ANGLE)) {
        ball_sin_cos(&sine, &cosine, x);
        return sine;
    }
    for (double k = 10; k >= 2; k -= 2)
        sum = ball_sub(ball_of(1),
            ball_div_d(ball_mul(square, sum), k * (k + 1)));
    return ball_widen(ball_mul(x, sum), most * 0x1p-103);
}

/* e^(a + ib) - 1 = (e^a - 1)(1 - v) - v + i e^a sin b, v = 2 sin(b/2)^2 */
disc dd_rule_expm1(ball log_size, ball angle)
{
    ball grown = ball_expm1(log_size);
    ball v = ball_scale2(ball_sqr(sine_of(ball_scale2(angle, -1))), 1);
    ball re = ball_sub(ball_sub(grown, ball_mul(grown, v)), v);
    return disc_of(re, ball_mul(ball_add_d(grown, 1), sine_of(angle)));
}

bool dd_rule_begin(dd_rule *rule, size_t most, double digits)
{
    size_t room = (most + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    free(rule->storage);
    *rule = (dd_rule){.room = room,
        .storage = calloc(DD_ARRAYS * room, sizeof *rule->storage),
        .min_term = exp(-digits - DROP_RESERVE)};
    return rule->storage != NULL;
}

static void store(dd_rule *rule, disc start, disc change, disc gain)
{
    const double v[DD_ARRAYS] = {start.re.hi, start.re.lo, start.im.hi,
        start.im.lo, change.re.hi, change.re.lo, change.im.hi, change.im.lo,
        gain.re.hi, gain.re.lo, gain.im.hi, gain.im.lo};
    for (size_t j = 0; j < DD_ARRAYS; j++)
        rule->storage[j * rule->room + rule->n] = v[j];
    rule->n++;
}

/* A term whose factor differs from 1 by less than SLOW_CHANGE is slow. A factor
 * of a greater radius than MAX_FACTOR_RADIUS makes the rule useless: its powers
 * would not stay near 1. */
#define SLOW_CHANGE 0x1p-8
#define MAX_FACTOR_RADIUS 0x1p-40

/*
 * Adds a node. Its term x(n) at u = n D obeys x(n+1) = x(n) + (x(n) change +
 * gain): a slow term is stored less its value at u = 0, with x(0) = 0, and
 * |x(n)| <= n |gain| as |1 + change| <= 1; any other term is stored whole, with
 * gain 0, and its value at u = 0 is subtracted from the base. With u0 = 2^-53
 * the product errs by 13 u0^2 of its modulus, each sum by 3 u0^2.
 */
void dd_rule_add_node(dd_rule *rule, disc start, disc change)
{
    const disc none = {{0, 0}, {0, 0}, 0};
    double size = disc_size(start) + start.rad, turn = disc_size(change);
    if (size < rule->min_term) {
        rule->error_constant += size;
        return;
    }
    double error = change.rad + turn * 0x1p-101 + 0x1p-104;
    if (!(change.rad < MAX_FACTOR_RADIUS))
        rule->error_constant = HUGE_VAL;
    if (rule->n == rule->n_slow && turn < SLOW_CHANGE) {
        disc gain = disc_mul(start, change);
        double most = disc_size(gain) + gain.rad;
        rule->n_slow++;
        rule->gains += most;
        rule->error_linear += gain.rad + most * 0x1p-103;
        /* the sum of k < n is below n^2/2 */
        rule->error_quadratic += most * error / 2;
        store(rule, none, change, gain);
        return;
    }
    rule->sum += size;
    rule->error_constant += start.rad;
    rule->error_linear += size * error;
    start.rad = 0; /* charged */
    rule->base = disc_add(rule->base, start);
    store(rule, start, change, none);
}

bool dd_rule_end(dd_rule *rule, double error)
{
    /* additions: within lanes, of the lanes, and with the base */
    double n = (double)rule->n, additions = n / PHASE_LANES + PHASE_LANES + 4;
    ball one = ball_of(1);
    rule->base = disc_of(ball_sub(one, disc_re(rule->base)),
        ball_neg(disc_im(rule->base)));
    /* terms that are dropped later; all of it counts at u = 0 and at u */
    rule->error_constant += additions * rule->sum * 0x1p-103 + rule->base.rad +
                   0x1p-103 + (n + 1) * rule->min_term + error;
    rule->error_constant *= 2 * (1 + 1e-6);
    rule->error_linear += additions * rule->gains * 0x1p-103;
    rule->error_linear = rule->error_linear * (1 + 1e-6) + 0x1p-1000;
    rule->error_quadratic *= 1 + 1e-6;
    /* false for NaN */
    return rule->error_constant < 1 && rule->error_linear < 1;
}

/* Advances n terms x + iy by their factors 1 + c + id and gains v + iw. */
DD_WIDE static void advance(double *restrict x_hi, double *restrict x_lo,
    double *restrict y_hi, double *restrict y_lo, const double *changes,
    size_t room, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dd x = {x_hi[i], x_lo[i]}, y = {y_hi[i], y_lo[i]};
        dd c = {changes[i], changes[room + i]};
        dd d = {changes[2 * room + i], changes[3 * room + i]};
        dd v = {changes[4 * room + i], changes[5 * room + i]};
        dd w = {changes[6 * room + i], changes[7 * room + i]};
        dd by = dd_add(dd_sub(dd_mul(x, c), dd_mul(y, d)), v);
        dd re = dd_add(x, by);
        by = dd_add(dd_add(dd_mul(x, d), dd_mul(y, c)), w);
        dd im = dd_add(y, by);
        x_hi[i] = re.hi;
        x_lo[i] = re.lo;
        y_hi[i] = im.hi;
        y_lo[i] = im.lo;
    }
}

/* The sum of n double-doubles, n a multiple of PHASE_LANES. */
DD_WIDE static dd sum_of(const double *hi, const double *lo, size_t n)
{
    double s_hi[PHASE_LANES] = {0}, s_lo[PHASE_LANES] = {0};
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            dd s = dd_add(
                (dd){s_hi[l], s_lo[l]}, (dd){hi[i + l], lo[i + l]});
            s_hi[l] = s.hi;
            s_lo[l] = s.lo;
        }
    dd sum = {0, 0};
    for (size_t l = 0; l < PHASE_LANES; l++)
        sum = dd_add(sum, (dd){s_hi[l], s_lo[l]});
    return sum;
}

/* The number of nodes whose terms count, padded; smaller terms at the end are
 * dropped. */
static size_t nodes_on(dd_rule *rule)
{
    const double *x = rule->storage, *y = x + 2 * rule->room;
    size_t n = rule->n;
    while (n > rule->n_slow &&
           fabs(x[n - 1]) + fabs(y[n - 1]) < rule->min_term / 2)
        n--;
    rule->n = n;
    return (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
}

static void advance_all(dd_rule *rule, size_t n_on)
{
    size_t room = rule->room;
    double *x = rule->storage;
    advance(x, x + room, x + 2 * room, x + 3 * room, x + 4 * room, room, n_on);
}

void dd_rule_skip(contour_part *self, double n)
{
    for (double i = 0; i < n; i++)
        advance_all(&self->shifted_dd, nodes_on(&self->shifted_dd));
}

disc dd_rule_next_power(contour_part *self, double n)
{
    dd_rule *rule = &self->shifted_dd;
    if (self->type == &contour_gaussian) /* closed form */
        return self->type->power(self, n * self->want.step);
    size_t n_on = nodes_on(rule), room = rule->room;
    const double *x = rule->storage, *y = x + 2 * room;
    disc chi = {dd_add(rule->base.re, sum_of(x, x + room, n_on)),
        dd_add(rule->base.im, sum_of(y, y + room, n_on)),
        (rule->error_constant + n *
        (rule->error_linear + n * rule->error_quadratic)) *
            (1 + 0x1p-40)};
    advance_all(rule, n_on);
    if (!(chi.rad < 1)) /* |chi| <= 1 */
        return (disc){{0, 0}, {0, 0}, 1};
    return disc_power(chi, self->count);
}
