/*
 * The characteristic function of one law on a shifted line in double-doubles,
 * from u = 0 on. As chi(0) = 1, only the change of each term since u = 0 is
 * summed: most terms hardly turn, and their errors are relative to that change.
 * A term goes from one outer node to the next by one complex product.
 * Derivation: docs/theory/contour.md, section 4.
 */
#include "part_dd.h"

#include <stdlib.h>

#include "base/error.h"

#define ARRAYS 12
/* The same operations in the same order, in wider registers; see PHASE_WIDE.
 * Fused products are what double-doubles live by. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define FINE_WIDE \
    __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define FINE_WIDE
#endif

#define SPARE 8 /* nats below what is wanted: where a node is dropped */

/* With b in its place, sin(B - b) = (top cos b - side sin b)/modulus, and an
 * arc differs from its sine s by at most |s|^3 for |s| <= 1/2. */
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

disc dd_rule_turn(ball log_size, ball angle)
{
    ball size = ball_exp(log_size), sine, cosine;
    ball_sin_cos(&sine, &cosine, angle);
    return disc_of(ball_mul(size, cosine), ball_mul(size, sine));
}

#define SMALL_ANGLE 0x1p-6

/* sin x, with relative accuracy near 0: the series alternates, and its first
 * term left out is x^13/13! <= 2^-104 |x|. */
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
disc dd_rule_change(ball log_size, ball angle)
{
    ball grown = ball_expm1(log_size);
    ball v = ball_scale2(ball_sqr(sine_of(ball_scale2(angle, -1))), 1);
    ball re = ball_sub(ball_sub(grown, ball_mul(grown, v)), v);
    return disc_of(re, ball_mul(ball_add_d(grown, 1), sine_of(angle)));
}

bool dd_rule_begin(dd_rule *fine, size_t most, double digits)
{
    size_t room = (most + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    free(fine->storage);
    *fine = (dd_rule){.room = room,
        .storage = calloc(ARRAYS * room, sizeof *fine->storage),
        .least = exp(-digits - SPARE)};
    return fine->storage != NULL;
}

static void store(dd_rule *fine, disc start, disc change, disc gain)
{
    const double v[ARRAYS] = {start.re.hi, start.re.lo, start.im.hi,
        start.im.lo, change.re.hi, change.re.lo, change.im.hi, change.im.lo,
        gain.re.hi, gain.re.lo, gain.im.hi, gain.im.lo};
    for (size_t j = 0; j < ARRAYS; j++)
        fine->storage[j * fine->room + fine->n] = v[j];
    fine->n++;
}

/* Terms that change by a smaller share from one outer node to the next are
 * slow; and the greatest radius of a factor whose powers stay near 1. */
#define SLOW 0x1p-8
#define MOST_RADIUS 0x1p-40

/*
 * x(n+1) = x(n) + (x(n) change + gain): a slow term is kept less what it is at
 * u = 0, with x(0) = 0, and |x(n)| <= n |gain| as |1 + change| <= 1; any other
 * is kept whole, with gain 0, and what it is at u = 0 is taken out of the base.
 * With u0 = 2^-53 the product errs by 13 u0^2 of its size, each sum by 3 u0^2.
 */
void dd_rule_keep(dd_rule *fine, disc start, disc change)
{
    const disc none = {{0, 0}, {0, 0}, 0};
    double size = disc_size(start) + start.rad, turn = disc_size(change);
    if (size < fine->least) {
        fine->fixed += size;
        return;
    }
    double error = change.rad + turn * 0x1p-101 + 0x1p-104;
    if (!(change.rad < MOST_RADIUS))
        fine->fixed = HUGE_VAL;
    if (fine->n == fine->n_slow && turn < SLOW) {
        disc gain = disc_mul(start, change);
        double most = disc_size(gain) + gain.rad;
        fine->n_slow++;
        fine->gains += most;
        fine->moving += gain.rad + most * 0x1p-103;
        fine->bending += most * error / 2; /* sum of k < n is below n^2/2 */
        store(fine, none, change, gain);
        return;
    }
    fine->sum += size;
    fine->fixed += start.rad;
    fine->moving += size * error;
    start.rad = 0; /* charged */
    fine->base = disc_add(fine->base, start);
    store(fine, start, change, none);
}

bool dd_rule_end(dd_rule *fine, double error)
{
    /* sums in lanes, of the lanes, and with the base */
    double n = (double)fine->n, additions = n / PHASE_LANES + PHASE_LANES + 4;
    ball one = ball_of(1);
    fine->base = disc_of(ball_sub(one, disc_re(fine->base)),
        ball_neg(disc_im(fine->base)));
    /* nodes that are dropped later; all of it at u = 0 and at u */
    fine->fixed += additions * fine->sum * 0x1p-103 + fine->base.rad +
                   0x1p-103 + (n + 1) * fine->least + error;
    fine->fixed *= 2 * (1 + 1e-6);
    fine->moving += additions * fine->gains * 0x1p-103;
    fine->moving = fine->moving * (1 + 1e-6) + 0x1p-1000;
    fine->bending *= 1 + 1e-6;
    return fine->fixed < 1 && fine->moving < 1; /* not NaN */
}

/* Moves n terms x + iy on, by c + id times each and the gains v + iw. */
FINE_WIDE static void advance(double *restrict x_hi, double *restrict x_lo,
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
FINE_WIDE static dd sum_of(const double *hi, const double *lo, size_t n)
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

disc dd_rule_next_power(contour_part *self, double n)
{
    dd_rule *fine = &self->fine;
    if (self->type == &contour_gaussian) /* exact */
        return self->type->power(self, n * self->want.step);
    size_t n_on = fine->n, room = fine->room;
    double *x = fine->storage, *y = x + 2 * room;
    while (n_on > fine->n_slow && fabs(x[n_on - 1]) + fabs(y[n_on - 1]) <
                           fine->least / 2)
        n_on--;
    fine->n = n_on;
    n_on = (n_on + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    disc chi = {dd_add(fine->base.re, sum_of(x, x + room, n_on)),
        dd_add(fine->base.im, sum_of(y, y + room, n_on)),
        (fine->fixed + n * (fine->moving + n * fine->bending)) *
            (1 + 0x1p-40)};
    advance(x, x + room, y, y + room, x + 4 * room, room, n_on);
    if (!(chi.rad < 1)) /* |chi| <= 1 */
        return (disc){{0, 0}, {0, 0}, 1};
    return disc_power(chi, self->count);
}
