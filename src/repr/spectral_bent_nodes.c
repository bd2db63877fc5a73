/*
 * The nodes of a part on a bent contour, in double-doubles. The contour is a
 * polynomial: from one outer node to the next a term goes by a factor, the
 * factor by another, and so on. Derivation: docs/theory/spectral.md, section
 * 9.
 */
#include "spectral_bent_line.h"

#include <stdlib.h>

#include "num/phase_sums.h"

#define EACH 4 /* arrays, of a complex double-double */

/* See spectral_fine.c. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define BENT_WIDE \
    __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define BENT_WIDE
#endif

/* ---- Making ------------------------------------------------------------ */

/* What is the same for all nodes. */
typedef struct bent_law {
    ball mu, log_odds, log_keep, rise;
    ball constant; /* log of a term's scale */
} bent_law;

/* A node: log w, log of its weight, and y'. */
typedef struct bent_node {
    ball loss, angle;
    ball size, phase; /* of the weight without y' */
    ball steep;       /* H' */
} bent_node;

/* log(1 + k e^(ix)): with b in the argument's place, sin(B - b) =
 * (top cos b - side sin b)/modulus, and an arc differs from its sine s by at
 * most |s|^3 for |s| <= 1/2. */
static void log1p_turned(ball *re, ball *im, ball k, ball x)
{
    ball sine, cosine, s, c;
    ball_sin_cos(&sine, &cosine, x);
    ball square = ball_mul(k, ball_add(ball_scale2(cosine, 1), k));
    ball top = ball_mul(k, sine), side = ball_add_d(ball_mul(k, cosine), 1);
    ball b = ball_of(atan2(ball_mid(top), ball_mid(side)));
    ball_sin_cos(&s, &c, b);
    ball modulus = ball_sqrt(ball_add_d(square, 1));
    ball off =
        ball_div(ball_sub(ball_mul(top, c), ball_mul(side, s)), modulus);
    ball along = ball_add(ball_mul(side, c), ball_mul(top, s));
    double most = ball_magnitude(off);
    *re = ball_scale2(ball_log1p(square), -1);
    *im = most < 0.5 && ball_is_positive(along)
              ? ball_widen(
                    ball_add(b, off), most * most * most * (1 + 0x1p-40))
              : ball_unknown();
}

/* H and H' at s. */
static void height(
    ball *h, ball *steep, const bent_line *l, const bent_law *k, double s)
{
    ball th = ball_tanh(ball_sub_d(ball_of(s), l->from));
    ball x = ball_sub_d(ball_of(s), l->far), slope = ball_of(BENT_SLOPE);
    ball half = ball_scale2(k->rise, -1);
    *h = ball_add(ball_mul(half, ball_add_d(th, 1)),
        ball_mul(slope, ball_log1pexp(x)));
    ball sech2 = ball_mul(
        ball_add_d(th, 1), ball_sub(ball_of(1), th));
    ball share = ball_exp(ball_neg(ball_log1pexp(ball_neg(x))));
    *steep = ball_add(ball_mul(half, sech2), ball_mul(slope, share));
}

static bent_node node_at(const bent_line *l, const bent_law *k, double s)
{
    bent_node v;
    ball h, re, im, at = ball_add_d(k->log_odds, s);
    height(&h, &v.steep, l, k, s);
    if (ball_mid(at) < 0) {
        log1p_turned(&re, &im, ball_exp(at), h);
        v.loss = re;
        v.angle = im;
    } else {
        log1p_turned(&re, &im, ball_exp(ball_neg(at)), ball_neg(h));
        v.loss = ball_add(at, re);
        v.angle = ball_add(h, im);
    }
    v.loss = ball_add(v.loss, k->log_keep);
    ball x = ball_add(ball_div(ball_of(s), k->mu), ball_scale2(k->mu, -1));
    ball y = ball_div(h, k->mu);
    v.size = ball_add(k->constant,
        ball_scale2(ball_sub(ball_sqr(y), ball_sqr(x)), -1));
    v.phase = ball_neg(ball_mul(x, y));
    return v;
}

static disc scaled_turn(ball log_size, ball angle)
{
    ball size = ball_exp(log_size), sine, cosine;
    ball_sin_cos(&sine, &cosine, angle);
    return disc_of(ball_mul(size, cosine), ball_mul(size, sine));
}

/* e^{(re + i im) (loss + i angle)} */
static disc power_of(const bent_node *v, ball re, ball im)
{
    return scaled_turn(
        ball_sub(ball_mul(re, v->loss), ball_mul(im, v->angle)),
        ball_add(ball_mul(re, v->angle), ball_mul(im, v->loss)));
}

static void put(bent_line *l, int which, size_t i, disc z)
{
    const double v[EACH] = {z.re.hi, z.re.lo, z.im.hi, z.im.lo};
    for (int j = 0; j < EACH; j++)
        l->storage[(size_t)(EACH * which + j) * l->room + i] = v[j];
    /* the radius over the size, raised to the most so far */
    double size = hypot(z.re.hi, z.im.hi) * (1 - 0x1p-40);
    double found = z.rad / (size - z.rad);
    l->errors[which] = found >= 0 && found < HUGE_VAL
                           ? fmax(l->errors[which], found)
                           : HUGE_VAL;
}

/* Whether a term, e^start at first, can be followed: once below e^-300 it has
 * to stay below e^-200, and need not be right. */
static bool is_followed(const bent_node *v, const bent_choice *c,
    const bent_steps *s, double start)
{
    double log_w = ball_mid(v->loss), angle = ball_mid(v->angle);
    bool is_low = false;
    for (double n = 0; n <= c->n_outer; n++) {
        double a = (s->d2 + s->d4 * n * n) * n * n;
        double b = (s->d1 + s->d3 * n * n) * n;
        double size = start + a * log_w - b * angle;
        is_low = is_low || size < -300;
        if (!(size < (is_low ? -200 : 600)))
            return false;
    }
    return true;
}

static bool start_node(bent_line *l, const bent_law *k,
    const bent_choice *c, const bent_steps *s, size_t i)
{
    bent_node v = node_at(l, k, (l->first + (double)i) * l->h); /* exact */
    ball p = ball_add_d(ball_of(c->t), 1);
    disc power = scaled_turn(ball_add(v.size, ball_mul(p, v.loss)),
        ball_add(v.phase, ball_mul(p, v.angle)));
    double start = ball_mid(v.size) + ball_mid(p) * ball_mid(v.loss);
    if (!is_followed(&v, c, s, start))
        return false;
    if (start < -300) /* it stays 0 */
        return true;
    size_t at = i - l->n_first;
    put(l, 0, at, disc_mul(power, disc_of(ball_of(1), v.steep)));
    for (int j = 1; j <= s->degree; j++) {
        ball re, im;
        bent_difference(&re, &im, s, j);
        put(l, j, at, power_of(&v, re, im));
    }
    return true;
}

bool bent_line_start(bent_line *l, const bent_choice *choice,
    const bent_steps *steps, bool *no_memory)
{
    ball q = l->law->rate, mu = l->law->parameter;
    bent_law k = {.mu = mu, .log_keep = ball_log1p(ball_neg(q)),
        .rise = ball_of(l->rise)};
    k.log_odds = ball_sub(ball_log(q), k.log_keep);
    k.constant = ball_sub(ball_sub(ball_log(ball_of(l->h)), ball_log(mu)),
        ball_add_d(ball_scale2(ball_log_2pi(), -1), l->scale));
    if (l->n_first >= l->n_last)
        return false;
    size_t n = l->n_last - l->n_first;
    l->degree = steps->degree;
    l->room = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    l->storage = calloc(
        EACH * (1 + (size_t)l->degree) * l->room, sizeof *l->storage);
    *no_memory = l->storage == NULL;
    if (*no_memory)
        return false;
    for (size_t i = l->n_first; i < l->n_last; i++)
        if (!start_node(l, &k, choice, steps, i))
            return false;
    for (int j = 0; j <= l->degree; j++)
        if (!(l->errors[j] < 1e-20))
            return false;
    return true;
}

/* ---- Sums -------------------------------------------------------------- */

/* z[i] *= f[i], in arrays of the parts' high and low ends. */
BENT_WIDE static void multiply(double *restrict z, const double *restrict f,
    size_t room)
{
    for (size_t i = 0; i < room; i++) {
        dd x = {z[i], z[room + i]};
        dd y = {z[2 * room + i], z[3 * room + i]};
        dd c = {f[i], f[room + i]};
        dd d = {f[2 * room + i], f[3 * room + i]};
        dd re = dd_sub(dd_mul(x, c), dd_mul(y, d));
        dd im = dd_add(dd_mul(x, d), dd_mul(y, c));
        z[i] = re.hi;
        z[room + i] = re.lo;
        z[2 * room + i] = im.hi;
        z[3 * room + i] = im.lo;
    }
}

/* The sum of n double-doubles, and that of moduli; n a multiple of
 * PHASE_LANES. */
BENT_WIDE static dd sum_of(
    double *size, const double *hi, const double *lo, size_t n)
{
    double s_hi[PHASE_LANES] = {0}, s_lo[PHASE_LANES] = {0};
    double moduli[PHASE_LANES] = {0};
    for (size_t i = 0; i < n; i += PHASE_LANES)
        for (size_t l = 0; l < PHASE_LANES; l++) {
            dd s = dd_add(
                (dd){s_hi[l], s_lo[l]}, (dd){hi[i + l], lo[i + l]});
            s_hi[l] = s.hi;
            s_lo[l] = s.lo;
            moduli[l] += fabs(hi[i + l]);
        }
    dd sum = {0, 0};
    for (size_t l = 0; l < PHASE_LANES; l++) {
        sum = dd_add(sum, (dd){s_hi[l], s_lo[l]});
        *size += moduli[l];
    }
    return sum;
}

disc bent_line_next(bent_line *l, double n)
{
    size_t room = l->room;
    double *x = l->storage, size = 0, error = 0, times = 1;
    dd re = sum_of(&size, x, x + room, room);
    dd im = sum_of(&size, x + 2 * room, x + 3 * room, room);
    /* the j-th factor enters n^j/j! times at most, each a product */
    for (int j = 0; j <= l->degree; j++) {
        error += times * (l->errors[j] + BALL_UNIT);
        times *= n / (j + 1);
    }
    error += ((double)room + 1) * BALL_UNIT; /* of the sum */
    for (int j = 0; j < l->degree; j++)
        multiply(x + EACH * (size_t)j * room,
            x + EACH * (size_t)(j + 1) * room, room);
    return (disc){re, im, size * error * (1 + 1e-6) + 1e-80};
}
