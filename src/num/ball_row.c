/*
 * Arithmetic, exponentials and logarithms of rows of balls, in loops without
 * branches that compilers vectorise. Derivation of the error bounds:
 * docs/theory/num.md, section 7.
 */
#include "ball_row.h"

#include "ball_kernel.h"

#define MAX_EXP_ARGUMENT 700.0
#define MIN_LOG_ARGUMENT 0x1p-900
#define MAX_LOG_ARGUMENT 0x1p900

ball_row ball_row_of(ball x)
{
    ball_row out;
    for (int i = 0; i < BALL_ROW; i++)
        ball_row_put(&out, i, x);
    return out;
}

/* The bounds are those of ball_add and ball_mul, charged to exact results too.
 * An infinite or NaN midpoint makes the radius infinite or NaN. */
DD_FUSED static void add_row(ball_row *restrict a, const ball_row *restrict b)
{
    for (int i = 0; i < BALL_ROW; i++) {
        dd s = dd_add((dd){a->hi[i], a->lo[i]}, (dd){b->hi[i], b->lo[i]});
        a->rad[i] =
            (a->rad[i] + b->rad[i] + fabs(s.hi) * BALL_UNIT) * BALL_SLACK;
        a->hi[i] = s.hi;
        a->lo[i] = s.lo;
    }
}

DD_FUSED static void mul_row(ball_row *restrict a, const ball_row *restrict b)
{
    for (int i = 0; i < BALL_ROW; i++) {
        double size_a = fabs(a->hi[i]) + fabs(a->lo[i]), of_a = a->rad[i];
        double size_b = fabs(b->hi[i]) + fabs(b->lo[i]), of_b = b->rad[i];
        dd p = dd_mul((dd){a->hi[i], a->lo[i]}, (dd){b->hi[i], b->lo[i]});
        a->rad[i] = (size_a * of_b + size_b * of_a + of_a * of_b +
                        fabs(p.hi) * BALL_UNIT + 2 * BALL_TINY) *
                    BALL_SLACK;
        a->hi[i] = p.hi;
        a->lo[i] = p.lo;
    }
}

void ball_row_add(ball_row *a, const ball_row *b)
{
    add_row(a, b);
}

void ball_row_mul(ball_row *a, const ball_row *b)
{
    mul_row(a, b);
}

/* e^r - 1 of a row; table entries are looked up one by one between the
 * loops. */
typedef struct expm1_row {
    double hi[BALL_ROW], lo[BALL_ROW];             /* r, then e^r - 1 */
    double number[BALL_ROW];                       /* index into the table */
    double entry_hi[BALL_ROW], entry_lo[BALL_ROW]; /* entries of the table */
} expm1_row;

static void look_up(expm1_row *r)
{
    for (int i = 0; i < BALL_ROW; i++) {
        dd b = expm1_entry(r->number[i]);
        r->entry_hi[i] = b.hi;
        r->entry_lo[i] = b.lo;
    }
}

DD_FUSED static void finish_expm1(expm1_row *r)
{
    for (int i = 0; i < BALL_ROW; i++) {
        dd s = expm1_from((dd){r->hi[i], r->lo[i]}, r->number[i],
            (dd){r->entry_hi[i], r->entry_lo[i]});
        r->hi[i] = s.hi;
        r->lo[i] = s.lo;
    }
}

/* 2^n for whole n, |n| <= 1020. */
static inline double two_to(double n)
{
    uint64_t bits = (uint64_t)(int64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Unknown numbers count as 0 until finish_exp marks them. */
DD_FUSED static void reduce_row(
    expm1_row *restrict out, double *restrict k, const ball_row *restrict x)
{
    for (int i = 0; i < BALL_ROW; i++) {
        double is_known = fabs(x->hi[i]) <= MAX_EXP_ARGUMENT ? 1 : 0;
        dd own = {is_known > 0 ? x->hi[i] : 0, is_known > 0 ? x->lo[i] : 0};
        dd r = exp_reduce(own, &k[i]);
        out->hi[i] = r.hi;
        out->lo[i] = r.lo;
        out->number[i] = expm1_number(r);
    }
}

/* Scaling loses at most 2^-1074, as |x| <= 700; below -700, with a radius of at
 * most 1/2, e^x < e^-699.5 < 2^-1008. */
DD_FUSED static void finish_exp(ball_row *restrict x,
    const expm1_row *restrict less, const double *restrict scale)
{
    for (int i = 0; i < BALL_ROW; i++) {
        double rad = x->rad[i];
        double is_low = x->hi[i] < -MAX_EXP_ARGUMENT ? 1 : 0;
        /* also for NaN */
        double off = x->hi[i] <= MAX_EXP_ARGUMENT ? 0 : HUGE_VAL;
        dd e = dd_add_small((dd){1, 0}, (dd){less->hi[i], less->lo[i]});
        double size = is_low > 0 ? 0 : e.hi * scale[i];
        /* |e^x - e^m| <= e^m (e^rad - 1) <= e^m rad (1 + rad), rad <= 1/2; e^m
         * is at most 1 + 2^-50 of e.hi */
        double spread = rad * (1 + rad) * (1 + 0x1p-50);
        off += is_low > 0 ? 0x1p-1008 : BALL_TINY;
        off += rad <= 0.5 ? 0 : HUGE_VAL;
        x->hi[i] = size;
        x->lo[i] = is_low > 0 ? 0 : e.lo * scale[i];
        x->rad[i] = ((BALL_UNIT + spread) * size + off) * BALL_SLACK;
    }
}

void ball_row_exp(ball_row *x)
{
    expm1_row less;
    double k[BALL_ROW];
    reduce_row(&less, k, x);
    look_up(&less);
    for (int i = 0; i < BALL_ROW; i++)
        k[i] = two_to(k[i]);
    finish_expm1(&less);
    finish_exp(x, &less, k);
}

/* 1 + x = 2^k m, m within [0.707, 1.415]. */
typedef struct log_row {
    double hi[BALL_ROW], lo[BALL_ROW]; /* m */
    double power[BALL_ROW];            /* k */
    double scale[BALL_ROW];            /* 2^-k */
    double log_approx[BALL_ROW];       /* approximation of log m */
} log_row;

DD_FUSED static void add_one(log_row *restrict m, const ball_row *restrict x)
{
    for (int i = 0; i < BALL_ROW; i++) {
        dd s = dd_add((dd){1, 0}, (dd){x->hi[i], x->lo[i]});
        double is_known =
            s.hi >= MIN_LOG_ARGUMENT && s.hi <= MAX_LOG_ARGUMENT ? 1 : 0;
        m->hi[i] = is_known > 0 ? s.hi : NAN;
        m->lo[i] = s.lo;
    }
}

static void find_powers(log_row *m)
{
    for (int i = 0; i < BALL_ROW; i++) {
        uint64_t bits;
        memcpy(&bits, &m->hi[i], sizeof bits);
        int k = isnan(m->hi[i]) ? 0 : (int)(bits >> 52) - 1023;
        double scale = two_to(-k);
        bool is_next = m->hi[i] * scale > 1.41421356;
        m->power[i] = is_next ? k + 1 : k;
        m->scale[i] = is_next ? scale / 2 : scale;
    }
}

/* Approximates log(1 + f), |f| <= 0.42, by s = f/(2 + f), |s| < 0.174: 2 s + 2
 * s^3/3 + ... to s^13 omits less than 2^-36 of it. */
static inline double log1p_approx(double f)
{
    double s = f / (2 + f), z = s * s;
    double p = 2 / 13.0;
    p = p * z + 2 / 11.0;
    p = p * z + 2 / 9.0;
    p = p * z + 2 / 7.0;
    p = p * z + 2 / 5.0;
    p = p * z + 2 / 3.0;
    return 2 * s + s * (p * z);
}

/* Starts from m - 1, or from x itself for k = 0, which has more digits. */
DD_FUSED static void start_log(
    ball_row *restrict x, log_row *restrict m, expm1_row *restrict less)
{
    for (int i = 0; i < BALL_ROW; i++) {
        m->hi[i] *= m->scale[i];
        m->lo[i] *= m->scale[i];
        dd f = dd_two_sum(m->hi[i] - 1, m->lo[i]);
        f.hi = m->power[i] == 0 ? x->hi[i] : f.hi;
        f.lo = m->power[i] == 0 ? x->lo[i] : f.lo;
        double y = fabs(f.hi) <= 0.42 ? log1p_approx(f.hi) : 0;
        x->hi[i] = f.hi;
        x->lo[i] = f.lo;
        x->rad[i] *= m->scale[i];
        m->log_approx[i] = y;
        less->hi[i] = -y;
        less->lo[i] = 0;
        less->number[i] = expm1_number((dd){-y, 0});
    }
}

/* The correction of log1p_kernel: log m = y + log(1 + z), z = (m - 1) + m (e^-y
 * - 1). */
DD_FUSED static void finish_log(ball_row *restrict x, const log_row *restrict m,
    const expm1_row *restrict less)
{
    static const dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    for (int i = 0; i < BALL_ROW; i++) {
        dd product =
            dd_mul((dd){m->hi[i], m->lo[i]}, (dd){less->hi[i], less->lo[i]});
        dd z = dd_add((dd){x->hi[i], x->lo[i]}, product);
        /* |log(1 + z) - z + z^2/2| <= |z|^3 for |z| <= 2^-30; z.hi^2/2 rounded
         * errs by 2 u z^2 */
        double a = fabs(z.hi), rad = x->rad[i];
        z = dd_add(z, (dd){-z.hi * z.hi / 2, 0});
        dd r =
            dd_add(dd_mul_d(ln2, m->power[i]),
            dd_add((dd){m->log_approx[i], 0}, z));
        double off = a <= 0x1p-30 ? 0 : HUGE_VAL; /* also if m is NaN */
        off += rad <= 0x1p-9 ? 0 : HUGE_VAL;
        x->hi[i] = r.hi;
        x->lo[i] = r.lo;
        /* |log x - log m| <= rad/(m - rad), m > 0.707 */
        x->rad[i] = (fabs(r.hi) * LOG1P_UNIT + a * a * (a + 0x1p-52) +
                        1.5 * rad + BALL_TINY) *
                        BALL_SLACK +
                    off;
    }
}

void ball_row_log1p(ball_row *x)
{
    log_row m;
    expm1_row less;
    add_one(&m, x);
    find_powers(&m);
    start_log(x, &m, &less);
    look_up(&less);
    finish_expm1(&less);
    finish_log(x, &m, &less);
}
