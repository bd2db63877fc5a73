/*
 * Every ball operation against Arb at 240 bits, on 10^5 balls each that are
 * biased to corners: huge and tiny, cancelling, exact, wide, subnormal. The
 * exact result at random points of the balls lies in the ball that comes
 * back; for exact inputs in the ordinary range that ball is as narrow as
 * declared here, and for inputs of moderate radius it is not much wider than
 * the image.
 */
#include <arb.h>

#include "num/ball_row.h"
#include "support/random.h"

#define PRECISION 240

/* So that Arb need not allocate again and again. */
static arb_t scratch_t, scratch_d;

/* ---- Drawing balls and points ------------------------------------------ */

static double draw_middle(prop_random *r)
{
    switch (prop_below(r, 10)) {
    case 0:
        return prop_sign(r, prop_scaled(r, -1074, 1024));
    case 1:
        return prop_sign(r, prop_scaled(r, -1074, -960));
    case 2: /* the range of exp */
        return prop_uniform(r, -750, 715);
    case 3:
        return prop_sign(r, prop_scaled(r, -120, 0));
    case 4: /* near 1 */
        return 1 + prop_sign(r, prop_scaled(r, -53, -2));
    case 5:
        return (double)(prop_below(r, 41) - 20);
    default:
        return prop_sign(r, prop_scaled(r, -6, 8));
    }
}

/* A double-double: hi with a lo that rounds away. */
static ball draw_exact(prop_random *r)
{
    ball x = ball_of(draw_middle(r));
    if (prop_bits(r) & 1)
        return x;
    double lo = x.hi * prop_uniform(r, -0x1p-54, 0x1p-54);
    if (prop_below(r, 4) == 0)
        lo *= prop_scaled(r, -100, 0);
    if (x.hi + lo == x.hi)
        x.lo = lo;
    return x;
}

static ball draw_ball(prop_random *r)
{
    ball x = draw_exact(r);
    switch (prop_below(r, 8)) {
    case 0: /* narrow to wide */
        x.rad = fabs(x.hi) * prop_scaled(r, -110, 3);
        break;
    case 1:
        x.rad = prop_scaled(r, -1074, 60);
        break;
    case 2: /* one that just misses, meets or passes 0 */
        x.rad = fabs(prop_near(r, x.hi));
        break;
    case 3:
        x.rad = prop_scaled(r, -30, 10);
        break;
    default:
        break;
    }
    if (!(x.rad <= DBL_MAX))
        x.rad = 0;
    return x;
}

/* An exact point of the ball. */
static void draw_point(arb_t x, ball b, prop_random *r)
{
    double theta = prop_uniform(r, -1, 1);
    int choice = prop_below(r, 4);
    theta = choice == 0 ? 1 : choice == 1 ? -1 : theta;
    arb_set_d(x, b.rad);
    arb_set_d(scratch_t, theta);
    arb_mul(x, x, scratch_t, ARF_PREC_EXACT);
    arb_set_d(scratch_t, b.lo);
    arb_add(x, x, scratch_t, 5000);
    arb_set_d(scratch_t, b.hi);
    arb_add(x, x, scratch_t, 5000);
}

/* ---- Verdicts ---------------------------------------------------------- */

/* How far y is from the midpoint, in radii, for a b that has some. */
static double radii_used(ball b, const arb_t y)
{
    arb_set_d(scratch_t, b.hi);
    arb_sub(scratch_d, y, scratch_t, PRECISION);
    arb_set_d(scratch_t, b.lo);
    arb_sub(scratch_d, scratch_d, scratch_t, PRECISION);
    arb_set_d(scratch_t, b.rad);
    arb_div(scratch_d, scratch_d, scratch_t, 53);
    double used = fabs(arf_get_d(arb_midref(scratch_d), ARF_RND_NEAR));
    return used;
}

/* y, known to far more bits than a ball, is certainly not in it. */
static int is_outside(ball b, const arb_t y)
{
    if (ball_is_unknown(b) || !arb_is_finite(y))
        return 0;
    if (ball_is_infinite(b))
        return 1;
    arb_set_d(scratch_t, b.hi);
    arb_sub(scratch_d, y, scratch_t, 3000);
    arb_set_d(scratch_t, b.lo);
    arb_sub(scratch_d, scratch_d, scratch_t, 3000);
    arb_abs(scratch_d, scratch_d);
    arb_set_d(scratch_t, b.rad);
    int outside = arb_gt(scratch_d, scratch_t);
    return outside;
}

/* hi = fl(hi + lo), rad >= 0, no NaN. */
static int is_malformed(ball b)
{
    if (ball_is_infinite(b))
        return b.lo != 0 || b.rad != 0;
    return !(b.hi + b.lo == b.hi && b.rad >= 0);
}

static int fail(const char *what, const char *name, ball a, ball b, ball c)
{
    printf("FAILED %s: %s({%a, %a, %a}, {%a, %a, %a}) = {%a, %a, %a}\n", what,
        name, a.hi, a.lo, a.rad, b.hi, b.lo, b.rad, c.hi, c.lo, c.rad);
    return 1;
}

/* ---- Functions of one ball --------------------------------------------- */

typedef struct unary {
    const char *name;
    ball (*f)(ball);
    void (*exact)(arb_t, const arb_t, slong);
    double low, high;    /* exact inputs between these have ... */
    double max_relative; /* ... a result this narrow, */
    double max_absolute; /* or that */
    int is_even;
} unary;

static void exact_sqrt(arb_t y, const arb_t x, slong precision)
{
    if (arb_is_negative(x))
        arb_zero(y);
    else
        arb_sqrt(y, x, precision);
}

static void exact_sqr(arb_t y, const arb_t x, slong precision)
{
    arb_mul(y, x, x, precision);
}

static void exact_neg(arb_t y, const arb_t x, slong precision)
{
    arb_neg_round(y, x, 10 * precision);
}

static void exact_abs(arb_t y, const arb_t x, slong precision)
{
    arb_abs(y, x);
    arb_set_round(y, y, 10 * precision);
}

static void exact_log1mexp(arb_t y, const arb_t x, slong precision)
{
    arb_expm1(y, x, precision);
    arb_neg(y, y);
    if (arf_cmp_d(arb_midref(x), -1) > 0) {
        arb_log(y, y, precision);
        return;
    }
    arb_exp(y, x, precision);
    arb_neg(y, y);
    arb_log1p(y, y, precision);
}

static void exact_log1pexp(arb_t y, const arb_t x, slong precision)
{
    arb_t t;
    arb_init(t);
    arb_abs(t, x);
    arb_neg(t, t);
    arb_exp(t, t, precision);
    arb_log1p(t, t, precision);
    if (arb_is_positive(x))
        arb_add(y, x, t, precision);
    else
        arb_set(y, t);
    arb_clear(t);
}

static void exact_logexpm1(arb_t y, const arb_t x, slong precision)
{
    arb_t t;
    arb_init(t);
    if (arf_cmp_d(arb_midref(x), 1) > 0) {
        arb_neg(t, x);
        exact_log1mexp(t, t, precision);
        arb_add(y, x, t, precision);
    } else {
        arb_expm1(t, x, precision);
        arb_log(y, t, precision);
    }
    arb_clear(t);
}

#define TINY (64 * BALL_TINY)

/* ---- Rows --------------------------------------------------------------- */

/* A ball at any place of a row, among others. */
static int put_somewhere(ball_row *row, ball x, ball other)
{
    static int place;
    *row = ball_row_of(other);
    place = (place + 1) % BALL_ROW;
    ball_row_put(row, place, x);
    return place;
}

static ball row_exp(ball x)
{
    ball_row row;
    int place = put_somewhere(&row, x, ball_of(-1.5));
    ball_row_exp(&row);
    return ball_row_get(&row, place);
}

static ball row_log1p(ball x)
{
    ball_row row;
    int place = put_somewhere(&row, x, ball_of(-0.75));
    ball_row_log1p(&row);
    return ball_row_get(&row, place);
}

static ball row_add(ball x, ball y)
{
    ball_row row, other;
    int place = put_somewhere(&row, x, ball_of(1));
    other = ball_row_of(y);
    ball_row_add(&row, &other);
    return ball_row_get(&row, place);
}

static ball row_mul(ball x, ball y)
{
    ball_row row, other;
    int place = put_somewhere(&row, x, ball_of(1));
    other = ball_row_of(y);
    ball_row_mul(&row, &other);
    return ball_row_get(&row, place);
}


static const unary unaries[] = {
    {"neg", ball_neg, exact_neg, -DBL_MAX, DBL_MAX, 0, 0, 0},
    {"abs", ball_abs, exact_abs, -DBL_MAX, DBL_MAX, 0, 0, 1},
    {"sqr", ball_sqr, exact_sqr, -0x1p511, 0x1p511, 0x1.1p-101, TINY, 1},
    {"sqrt", ball_sqrt, exact_sqrt, 0, DBL_MAX, 0x1.1p-101, TINY, 0},
    {"exp", ball_exp, arb_exp, -DBL_MAX, 709.78, 0x1.1p-101, TINY, 0},
    {"expm1", ball_expm1, arb_expm1, -DBL_MAX, 709.78, 0x1p-98, TINY, 0},
    {"log", ball_log, arb_log, 0x1p-1074, DBL_MAX, 0x1p-98, TINY, 0},
    {"log1p", ball_log1p, arb_log1p, -1 + 0x1p-53, DBL_MAX, 0x1p-97, TINY, 0},
    {"log1mexp", ball_log1mexp, exact_log1mexp, -DBL_MAX, -0x1p-950, 0x1p-97,
        TINY, 0},
    {"logexpm1", ball_logexpm1, exact_logexpm1, 0x1p-950, DBL_MAX, 0x1p-97,
        0x1p-98, 0},
    {"log1pexp", ball_log1pexp, exact_log1pexp, -DBL_MAX, DBL_MAX, 0x1p-97,
        TINY, 0},
    {"sinh", ball_sinh, arb_sinh, -709, 709, 0x1p-97, TINY, 0},
    {"cosh", ball_cosh, arb_cosh, -709, 709, 0x1p-98, TINY, 1},
    {"tanh", ball_tanh, arb_tanh, -DBL_MAX, DBL_MAX, 0x1p-97, TINY, 0},
    {"row exp", row_exp, arb_exp, -DBL_MAX, 700, 0x1.1p-101, 0x1p-1007, 0},
    {"row log1p", row_log1p, arb_log1p, -1 + 0x1p-53, 0x1p900, 0x1p-98, TINY,
        0},
};

/* 2^-80 of the value and four times what the image of x needs. */
static int is_too_wide(const unary *f, ball x, ball y, arb_t s, arb_t t)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, x.rad);
    arb_set_d(t, x.hi);
    arb_sub(s, t, end, PRECISION);
    arb_add(t, t, end, PRECISION);
    f->exact(s, s, PRECISION);
    f->exact(t, t, PRECISION);
    arb_sub(s, t, s, PRECISION);
    arb_mul_2exp_si(s, s, 1); /* four half widths */
    arb_set_d(t, fabs(y.hi) * 0x1p-80 + TINY);
    arb_abs(s, s);
    arb_add(s, s, t, PRECISION);
    arb_set_d(t, y.rad);
    int too_wide = arb_is_finite(s) && arb_gt(t, s);
    arb_clear(end);
    return too_wide;
}

static int check_unary(const unary *f, prop_random *r)
{
    arb_t x, y, s, t;
    arb_init(x);
    arb_init(y);
    arb_init(s);
    arb_init(t);
    int failed = 0;
    double worst = 0, used = 0;
    for (long i = prop_count(100000); i > 0 && failed < 5; i--) {
        ball a = draw_ball(r), z = f->f(a);
        for (int j = a.rad == 0 ? 1 : 2; j > 0; j--) {
            draw_point(x, a, r);
            f->exact(y, x, PRECISION);
            if (is_outside(z, y))
                failed += fail("outside", f->name, a, a, z);
        }
        if (is_malformed(z))
            failed += fail("malformed", f->name, a, a, z);
        if (a.rad == 0 && a.hi >= f->low && a.hi <= f->high) {
            if (!(z.rad <= f->max_relative * fabs(z.hi) ||
                    z.rad <= f->max_absolute))
                failed += fail("too wide", f->name, a, a, z);
            else if (fabs(z.hi) > 0x1p-900) {
                worst = fmax(worst, z.rad / fabs(z.hi));
                if (z.rad > fabs(z.hi) * 0x1p-150 && arb_is_finite(y))
                    used = fmax(used, radii_used(z, y));
            }
        }
        /* moderate: inside the domain, and off 0, with a margin */
        double margin = fmin(a.hi - f->low, f->high - a.hi);
        if (f->is_even)
            margin = fabs(a.hi);
        if (a.rad > 0 && a.rad < 0x1p-10 * margin && fabs(a.hi) < 600 &&
            a.rad < 0.25 && is_too_wide(f, a, z, s, t))
            failed += fail("too wide for its radius", f->name, a, a, z);
    }
    printf("%-9s relative radius up to %.3g u^2, %.0f%% of it used\n", f->name,
        worst * 0x1p106, 100 * used);
    arb_clear(x);
    arb_clear(y);
    arb_clear(s);
    arb_clear(t);
    return failed > 0;
}

/* ---- Functions of two balls -------------------------------------------- */

typedef struct binary {
    const char *name;
    ball (*f)(ball, ball);
    void (*exact)(arb_t, const arb_t, const arb_t, slong);
    double max_relative; /* of ordinary exact inputs; 0: not declared */
} binary;

static void exact_max(arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_max(z, x, y, 10 * precision);
}

static void exact_min(arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_min(z, x, y, 10 * precision);
}

static void exact_pow(arb_t z, const arb_t x, const arb_t y, slong precision)
{
    if (!arb_is_positive(x)) {
        arb_indeterminate(z);
        return;
    }
    arb_log(z, x, precision);
    arb_mul(z, z, y, precision);
    arb_exp(z, z, precision);
}

static void exact_logaddexp(
    arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_sub(z, y, x, 10 * precision);
    exact_log1pexp(z, z, precision);
    arb_add(z, z, x, 10 * precision);
}

static void exact_logsubexp(
    arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_sub(z, y, x, 10 * precision);
    exact_log1mexp(z, z, precision);
    arb_add(z, z, x, 10 * precision);
}

static void exact_sub(arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_sub(z, x, y, 10 * precision);
}

static void exact_add(arb_t z, const arb_t x, const arb_t y, slong precision)
{
    arb_add(z, x, y, 10 * precision);
}

static const binary binaries[] = {
    {"add", ball_add, exact_add, 0x1.1p-101},
    {"sub", ball_sub, exact_sub, 0x1.1p-101},
    {"mul", ball_mul, arb_mul, 0x1.1p-101},
    {"div", ball_div, arb_div, 0x1.1p-101},
    {"max", ball_max, exact_max, 0x1p-1000},
    {"min", ball_min, exact_min, 0x1p-1000},
    {"pow", ball_pow, exact_pow, 0},
    {"logaddexp", ball_logaddexp, exact_logaddexp, 0},
    {"logsubexp", ball_logsubexp, exact_logsubexp, 0},
    {"row add", row_add, exact_add, 0x1.1p-101},
    {"row mul", row_mul, arb_mul, 0x1.1p-101},
};

/* Unrelated, or so close to the first that a difference cancels. */
static ball draw_second(ball a, prop_random *r)
{
    ball b = draw_ball(r);
    switch (prop_below(r, 8)) {
    case 0:
        return (ball){a.hi, b.hi == a.hi ? b.lo : 0, a.rad};
    case 1:
        return ball_of(prop_near(r, prop_sign(r, a.hi)));
    case 2:
        return ball_sub(a, ball_of(a.hi * 0x1p-60));
    default:
        return b;
    }
}

static int is_ordinary(ball x)
{
    return x.rad == 0 && fabs(x.hi) > 0x1p-400 && fabs(x.hi) < 0x1p400;
}

static int check_binary(const binary *f, prop_random *r)
{
    arb_t x, y, z;
    arb_init(x);
    arb_init(y);
    arb_init(z);
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && failed < 5; i--) {
        ball a = draw_ball(r), b = draw_second(a, r);
        ball c = f->f(a, b);
        for (int j = a.rad == 0 && b.rad == 0 ? 1 : 2; j > 0; j--) {
            draw_point(x, a, r);
            draw_point(y, b, r);
            f->exact(z, x, y, PRECISION);
            if (!ball_is_unknown(a) && !ball_is_unknown(b) && is_outside(c, z))
                failed += fail("outside", f->name, a, b, c);
        }
        if (is_malformed(c))
            failed += fail("malformed", f->name, a, b, c);
        if (f->max_relative > 0 && is_ordinary(a) && is_ordinary(b) &&
            !(c.rad <= f->max_relative * fabs(c.hi)))
            failed += fail("too wide", f->name, a, b, c);
        if (f->f == ball_pow && is_ordinary(a) && is_ordinary(b) &&
            a.hi > 0x1p-20 && a.hi < 0x1p20 && fabs(b.hi) < 16 &&
            !(c.rad <= fabs(c.hi) * 0x1p-90))
            failed += fail("too wide", f->name, a, b, c);
        if (f->f == ball_logaddexp && is_ordinary(a) && is_ordinary(b) &&
            !(c.rad <= fmax(fabs(a.hi), fabs(b.hi)) * 0x1p-97 + 0x1p-97))
            failed += fail("too wide", f->name, a, b, c);
    }
    printf("%-9s done\n", f->name);
    arb_clear(x);
    arb_clear(y);
    arb_clear(z);
    return failed > 0;
}

/* ---- The rest ---------------------------------------------------------- */

static int check_scale2(prop_random *r)
{
    arb_t x;
    arb_init(x);
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && failed < 5; i--) {
        ball a = draw_ball(r);
        int n = prop_below(r, 5) == 0 ? prop_below(r, 4601) - 2300
                                      : prop_below(r, 201) - 100;
        ball b = ball_scale2(a, n);
        draw_point(x, a, r);
        arb_mul_2exp_si(x, x, n);
        if (is_outside(b, x) || is_malformed(b))
            failed += fail("outside", "scale2", a, ball_of(n), b);
        double least = fabs(a.lo) > 0 ? fabs(a.lo) : fabs(a.hi);
        if (a.rad == 0 && ldexp(least, n) > 0x1p-960 && !ball_is_unknown(b) &&
            b.rad != 0)
            failed += fail("not exact", "scale2", a, ball_of(n), b);
    }
    arb_clear(x);
    return failed > 0;
}

/* Ends of the interval contain the ball, and are as near as doubles can. */
static int check_interval(prop_random *r)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && failed < 5; i--) {
        ball a = draw_ball(r);
        dosi_interval v = ball_interval(a);
        arb_set_d(x, a.hi);
        arb_set_d(y, a.lo);
        arb_add(x, x, y, ARF_PREC_EXACT);
        arb_set_d(y, a.rad);
        arb_sub(x, x, y, ARF_PREC_EXACT); /* the lower end exactly */
        double slack = a.rad * 0x1p-50;   /* where hi - rad cancels */
        if (arf_cmp_d(arb_midref(x), v.lo) < 0 ||
            arf_cmp_d(arb_midref(x), round_steps(v.lo + slack, 2)) > 0)
            failed += fail("lower", "interval", a, a, ball_of(v.lo));
        arb_mul_2exp_si(y, y, 1);
        arb_add(x, x, y, ARF_PREC_EXACT);
        if (arf_cmp_d(arb_midref(x), v.hi) > 0 ||
            arf_cmp_d(arb_midref(x), round_steps(v.hi - slack, -2)) < 0)
            failed += fail("upper", "interval", a, a, ball_of(v.hi));
        if (a.rad == 0 && a.lo == 0 && !(v.lo == a.hi && v.hi == a.hi))
            failed += fail("not exact", "interval", a, a, ball_of(v.lo));
        /* back: a ball that contains the interval, at most a bit wider */
        ball b = ball_of_interval(v);
        arb_set_d(x, v.lo);
        arb_set_d(y, v.hi);
        if (is_outside(b, x) || is_outside(b, y))
            failed += fail("outside", "of_interval", a, a, b);
        double half = v.hi / 2 - v.lo / 2;
        if (half < DBL_MAX / 4 &&
            !(b.rad <= half * (1 + 0x1p-40) + fabs(v.hi) * 0x1p-52 + 0x1p-1073))
            failed += fail("too wide", "of_interval", a, a, b);
    }
    arb_clear(x);
    arb_clear(y);
    return failed > 0;
}

/* Certain comparisons are true; a clamped ball keeps what lies inside. */
static int check_certain(prop_random *r)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    int failed = 0;
    for (long i = prop_count(100000); i > 0 && failed < 5; i--) {
        ball a = draw_ball(r), b = draw_second(a, r);
        if (ball_is_unknown(b))
            continue;
        draw_point(x, a, r);
        draw_point(y, b, r);
        if ((ball_less(a, b) && !arb_lt(x, y)) ||
            (ball_less_equal(a, b) && !arb_le(x, y)) ||
            (ball_is_positive(a) && !arb_is_positive(x)) ||
            (ball_is_negative(a) && !arb_is_negative(x)) ||
            (ball_is_nonnegative(a) && arb_is_negative(x)))
            failed += fail("untrue", "comparison", a, b, a);
        if (a.rad == 0 && b.rad == 0 && fabs(a.hi - b.hi) > 0x1p-900 &&
            ball_less(a, b) == ball_less(b, a))
            failed += fail("undecided", "comparison", a, b, a);
        double lo = prop_uniform(r, -2, 2), hi = lo + prop_uniform(r, 0, 3);
        ball c = ball_clamp(a, lo, hi);
        arb_set_d(y, lo);
        int inside = arb_ge(x, y);
        arb_set_d(y, hi);
        inside = inside && arb_le(x, y);
        if ((inside && is_outside(c, x)) || c.rad > a.rad)
            failed += fail("outside", "clamp", a, ball_of(lo), c);
        double extra = prop_scaled(r, -200, 3);
        ball d = ball_widen(a, extra);
        arb_set_d(y, prop_sign(r, extra));
        arb_add(x, x, y, ARF_PREC_EXACT);
        if (is_outside(d, x))
            failed += fail("outside", "widen", a, ball_of(extra), d);
    }
    arb_clear(x);
    arb_clear(y);
    return failed > 0;
}

int main(void)
{
    prop_random r = prop_start("prop_ball");
    int failed = 0;
    arb_init(scratch_t);
    arb_init(scratch_d);
    for (size_t i = 0; i < sizeof unaries / sizeof unaries[0]; i++)
        failed |= check_unary(&unaries[i], &r);
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        failed |= check_binary(&binaries[i], &r);
    failed |= check_scale2(&r);
    failed |= check_interval(&r);
    failed |= check_certain(&r);
    arb_clear(scratch_t);
    arb_clear(scratch_d);
    flint_cleanup();
    return failed;
}
