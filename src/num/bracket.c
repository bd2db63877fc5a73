/*
 * Roots of monotone functions: a guess by secant steps in doubles, then a
 * bracket whose ends have certain signs.
 */
#include "bracket.h"

/* Halfway between two ordered doubles: in the exponent if they differ by more
 * than a factor 4, so that few steps cross 600 decades. */
static double bracket_middle(double a, double b)
{
    if (!(a < b))
        return a;
    if (a < 0 && b > 0)
        return 0;
    if (b <= 0)
        return -bracket_middle(-b, -a);
    double floor_a = a > DBL_MIN ? a : DBL_MIN; /* 0 <= a < b */
    if (b > DBL_MAX)
        b = DBL_MAX;
    if (b / 4 > floor_a)
        return sqrt(floor_a) * sqrt(b);
    return a / 2 + b / 2;
}

/* Narrows a certain negative end a and a certain positive end b. Stops if no
 * double lies between, or if the sign at the middle is uncertain: then the ends
 * move towards it from both sides as long as signs are certain. */
static dosi_interval bracket_close(
    bracket_sign sign, const void *context, double a, double b)
{
    double undecided_lo = HUGE_VAL, undecided_hi = -HUGE_VAL;
    for (int i = 0; i < 2200; i++) {
        /* work on the wider of [a, undecided_lo] and [undecided_hi, b] */
        double x;
        if (undecided_lo > undecided_hi) {
            x = bracket_middle(a, b);
        } else if (undecided_lo - a > b - undecided_hi) {
            x = bracket_middle(a, undecided_lo);
            if (x >= undecided_lo)
                x = a;
        } else {
            x = bracket_middle(undecided_hi, b);
            if (x <= undecided_hi)
                x = b;
        }
        if (!(x > a && x < b))
            break;
        int s = sign(x, context);
        if (s < 0) {
            a = x;
        } else if (s > 0) {
            b = x;
        } else {
            undecided_lo = fmin(undecided_lo, x);
            undecided_hi = fmax(undecided_hi, x);
        }
        double gap = undecided_hi - undecided_lo;
        if (gap > 0 && b - a <= 4 * gap)
            break; /* most of the rest is uncertain */
    }
    return (dosi_interval){a, b};
}

dosi_interval bracket_root(
    bracket_sign sign, const void *context, double lo, double hi, double guess)
{
    double a = lo, b = hi;
    if (lo == hi)
        return (dosi_interval){lo, hi};
    bool usable = guess >= lo && guess <= hi && fabs(guess) <= DBL_MAX;
    double x = usable ? guess : bracket_middle(lo, hi);
    double step = fmax(fabs(x) * 0x1p-53, DBL_MIN);
    int s = sign(x, context);
    if (s < 0)
        a = x;
    if (s > 0)
        b = x;
    /* move away from x in growing steps until the other sign is certain */
    if (s >= 0) {
        for (double d = step, f = 16; a < x; d *= f, f *= 2) {
            double y = fmin(x - d, nextafter(x, -HUGE_VAL));
            if (!(y > lo))
                break;
            int t = sign(y, context);
            if (t < 0) {
                a = y;
                break;
            }
            if (t > 0)
                b = y;
        }
    }
    if (s <= 0) {
        for (double d = step, f = 16; b > x; d *= f, f *= 2) {
            double y = fmax(x + d, nextafter(x, HUGE_VAL));
            if (!(y < hi))
                break;
            int t = sign(y, context);
            if (t > 0) {
                b = y;
                break;
            }
            if (t < 0)
                a = y;
        }
    }
    return bracket_close(sign, context, a, b);
}

/* The zero of the chord from (a, fa) to (b, fb), moved slightly inside [a, b]
 * so that both ends keep moving. */
static double bracket_chord(double a, double fa, double b, double fb)
{
    double hair = (b - a) * 0x1p-20;
    double x = a - fa * ((b - a) / (fb - fa));
    return fmin(fmax(x, a + hair), b - hair);
}

/* The next point between two ends: on the chord if that is useful, else in the
 * middle. */
static double bracket_next(double a, double fa, double b, double fb)
{
    if (fa < 0 && fb > 0 && b <= 2 * fabs(a) + DBL_MIN) {
        double chord = bracket_chord(a, fa, b, fb);
        if (chord > a && chord < b)
            return chord;
    }
    return bracket_middle(a, b);
}

double bracket_approx_from(double (*f)(double x, const void *context),
    const void *context, double a, double fa, double b, double fb)
{
    double x = bracket_next(a, fa, b, fb);
    int side = 0;
    for (int i = 0; i < 200 && x > a && x < b; i++) {
        double y = f(x, context);
        if (y == 0)
            return x;
        /* an end that stays twice counts half (Illinois rule) */
        if (y < 0) {
            a = x;
            fa = y;
            fb = side < 0 ? fb / 2 : fb;
            side = -1;
        } else { /* also for NaN: shrink from above */
            b = x;
            fb = y;
            fa = side > 0 ? fa / 2 : fa;
            side = 1;
        }
        if (b - a <= fmin(fabs(a), fabs(b)) * 0x1p-52)
            break;
        x = i % 4 != 3 ? bracket_next(a, fa, b, fb) : bracket_middle(a, b);
    }
    return bracket_middle(a, b);
}

double bracket_approx(double (*f)(double x, const void *context),
    const void *context, double lo, double hi)
{
    return bracket_approx_from(f, context, lo, 0, hi, 0);
}

typedef struct ball_function {
    bracket_map f;
    const void *context;
} ball_function;

static ball function_at(double x, const void *context)
{
    const ball_function *g = context;
    return g->f(ball_of(x), g->context);
}

static double function_mid(double x, const void *context)
{
    ball y = function_at(x, context);
    return ball_is_unknown(y) ? NAN : ball_mid(y);
}

static int function_sign(double x, const void *context)
{
    return bracket_sign_of(function_at(x, context));
}

double bracket_guess(bracket_map f, const void *context, double lo, double hi)
{
    const ball_function g = {f, context};
    return bracket_approx(function_mid, &g, lo, hi);
}

dosi_interval bracket_root_of(
    bracket_map f, const void *context, double lo, double hi)
{
    const ball_function g = {f, context};
    double guess = bracket_approx(function_mid, &g, lo, hi);
    return bracket_root(function_sign, &g, lo, hi, guess);
}
