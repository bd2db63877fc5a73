/*
 * Powers of rows of discs in doubles, by repeated squaring of 1 + v: the
 * difference v from 1 is stored as long as 1 + v is not small, so that it keeps
 * its digits. Derivation: docs/theory/contour.md, "Powers in rows".
 */
#include "disc_row.h"

#include <math.h>

#define UNIT 0x1p-53
#define BOUND_SLACK (1 + 0x1p-45)
#define UNDERFLOW_CHARGE 0x1p-500  /* underflow of moduli and products */
#define MAX_PLAIN_MODULUS 0.7      /* modulus below which A itself is squared */
#define PRODUCT_ERROR (2.5 * UNIT) /* more than sqrt(5) units */

/* A = 1 + v, known by v or, once it was small, by itself, within rad. */
typedef struct power_row {
    double re[DISC_ROW], im[DISC_ROW]; /* A */
    double less_re[DISC_ROW], less_im[DISC_ROW], rad[DISC_ROW];
    double was_small[DISC_ROW]; /* 1 once A was small, else 0 */
} power_row;

static inline double size_of(double re, double im)
{
    return sqrt(re * re + im * im) * (1 + 0x1p-50) + UNDERFLOW_CHARGE;
}

/* Squares: v (2 + v), or A^2 once it was small. */
PHASE_WIDE static void square_row(power_row *p)
{
    for (size_t j = 0; j < DISC_ROW; j++) {
        double a = p->re[j], b = p->im[j], v = p->less_re[j];
        double w = p->less_im[j], off = p->rad[j];
        double size = size_of(a, b), less = size_of(v, w);
        double was_small = p->was_small[j];
        double small = size < MAX_PLAIN_MODULUS ? 1 : was_small;
        /* A is 1 + v, rounded, unless it is known by itself */
        double of_a = off + (was_small > 0 ? 0 : UNIT * size);
        double new_v = v * (2 + v) - w * w, new_w = w * (2 + 2 * v);
        double new_a = a * a - b * b, new_b = 2 * a * b;
        p->was_small[j] = small;
        p->re[j] = small > 0 ? new_a : 1 + new_v;
        p->im[j] = small > 0 ? new_b : new_w;
        p->less_re[j] = new_v;
        p->less_im[j] = new_w;
        double of_v = (2 * size + off + 4 * UNIT) * off +
                      4 * UNIT * less * size_of(2 + v, w);
        double of_square =
            (2 * size + of_a) * of_a + PRODUCT_ERROR * size * size;
        p->rad[j] =
            (small > 0 ? of_square : of_v) * BOUND_SLACK + UNDERFLOW_CHARGE;
    }
}

/* Multiplies by 1 + z: v + z + v z, or A (1 + z) once it was small. */
PHASE_WIDE static void times_row(
    power_row *restrict p, const disc_row *restrict z)
{
    for (size_t j = 0; j < DISC_ROW; j++) {
        double a = p->re[j], b = p->im[j], x = z->re[j], y = z->im[j];
        double v = p->less_re[j], q = p->less_im[j], off = p->rad[j];
        double size = size_of(a, b), less = size_of(v, q);
        double of_z = z->rad[j], base = size_of(1 + x, y);
        double step = size_of(x, y), small = p->was_small[j];
        double of_a = off + (small > 0 ? 0 : UNIT * size);
        double of_b = of_z + UNIT * base;
        double new_v = v + (x + (v * x - q * y));
        double new_q = q + (y + (v * y + q * x));
        double new_a = a * (1 + x) - b * y, new_b = a * y + b * (1 + x);
        p->re[j] = small > 0 ? new_a : 1 + new_v;
        p->im[j] = small > 0 ? new_b : new_q;
        p->less_re[j] = new_v;
        p->less_im[j] = new_q;
        double of_v = (base + 2 * UNIT + of_z) * off +
                      (size + 2 * UNIT) * of_z +
                      UNIT * (less * (1.25 + 4 * step) + 2.5 * step * size);
        double of_product = (base + of_b) * of_a + size * of_b +
                            PRODUCT_ERROR * size * base;
        p->rad[j] =
            (small > 0 ? of_product : of_v) * BOUND_SLACK + UNDERFLOW_CHARGE;
    }
}

/* Forms the power from the first binary digit of n to the last. */
static void power_of(power_row *out, const disc_row *z, double n)
{
    for (size_t j = 0; j < DISC_ROW; j++) {
        out->re[j] = 1 + z->re[j];
        out->im[j] = out->less_im[j] = z->im[j];
        out->less_re[j] = z->re[j];
        out->rad[j] = z->rad[j];
        out->was_small[j] = 0;
    }
    double digit = 1;
    while (2 * digit <= n)
        digit *= 2;
    for (double rest = n - digit; digit > 1; digit /= 2) {
        square_row(out);
        if (rest >= digit / 2) {
            rest -= digit / 2;
            times_row(out, z);
        }
    }
}

void disc_row_powers(disc *out, const disc_row *z, double count, size_t n)
{
    power_row p;
    power_of(&p, z, count);
    for (size_t j = 0; j < n; j++) {
        double rad =
            (p.rad[j] + UNIT * size_of(p.re[j], p.im[j])) * BOUND_SLACK;
        bool is_known = rad < 1; /* false for NaN */
        out[j] = is_known ? (disc){{p.re[j], 0}, {p.im[j], 0}, rad}
                          : (disc){{0, 0}, {0, 0}, 1};
    }
}
