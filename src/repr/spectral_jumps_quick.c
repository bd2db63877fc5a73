/*
 * Powers of discs, in rows for machines with wide registers. Derivation:
 * docs/theory/spectral.md, section 9, "Powers in rows".
 */
#include "spectral_jumps_quick.h"

#include <math.h>

#define UNIT 0x1p-53
#define UP (1 + 0x1p-45)
#define TINY 0x1p-500 /* what sizes and products lose by underflow */
#define SMALL 0.7     /* modulus below which A is squared as it stands */
#define PRODUCT (2.5 * UNIT) /* more than sqrt(5) */

static inline double size_of(double re, double im)
{
    return sqrt(re * re + im * im) * (1 + 0x1p-50) + TINY;
}

PHASE_WIDE static void turn_row(
    jump_row *restrict z, const jump_row *restrict turn)
{
    for (size_t j = 0; j < JUMP_ROW; j++) {
        double a = z->re[j], b = z->im[j];
        double c = turn->re[j], d = turn->im[j];
        double size = size_of(a, b), of_turn = size_of(c, d);
        z->re[j] = a * c - b * d;
        z->im[j] = a * d + b * c;
        z->rad[j] = (size * (turn->rad[j] + PRODUCT * of_turn) +
                        (of_turn + turn->rad[j]) * z->rad[j]) * UP + TINY;
    }
}

void jump_row_turn(jump_row *z, const jump_row *turn)
{
    turn_row(z, turn);
}

/* v (2 + v) or A^2, and D (2 A + D). */
PHASE_WIDE static void square_row(jump_powers_row *p)
{
    for (size_t j = 0; j < JUMP_ROW; j++) {
        double a = p->re[j], b = p->im[j], v = p->less_re[j];
        double w = p->less_im[j], off = p->rad[j];
        double size = size_of(a, b), less = size_of(v, w);
        double was_small = p->was_small[j];
        double small = size < SMALL ? 1 : was_small;
        /* A is 1 + v, rounded, unless it is known as it stands */
        double of_a = off + (was_small > 0 ? 0 : UNIT * size);
        double new_v = v * (2 + v) - w * w, new_w = w * (2 + 2 * v);
        double new_a = a * a - b * b, new_b = 2 * a * b;
        double c = p->more.re[j], d = p->more.im[j];
        double e = 2 * a + c, f = 2 * b + d;
        double of_d = p->more.rad[j], many = size_of(c, d);
        double both = size_of(e, f);
        double of_both = 2 * of_a + of_d + UNIT * both;
        p->more.re[j] = c * e - d * f;
        p->more.im[j] = c * f + d * e;
        p->more.rad[j] = ((many + of_d) * of_both + both * of_d +
                             PRODUCT * many * both) * UP + TINY;
        p->was_small[j] = small;
        p->re[j] = small > 0 ? new_a : 1 + new_v;
        p->im[j] = small > 0 ? new_b : new_w;
        p->less_re[j] = new_v;
        p->less_im[j] = new_w;
        double of_v = (2 * size + off + 4 * UNIT) * off +
                      4 * UNIT * less * size_of(2 + v, w);
        double of_square = (2 * size + of_a) * of_a + PRODUCT * size * size;
        p->rad[j] = (small > 0 ? of_square : of_v) * UP + TINY;
    }
}

/* v + z + v z or A (1 + z), and D (1 + z + w) + A w. */
PHASE_WIDE static void times_row(jump_powers_row *restrict p,
    const jump_row *restrict z, const jump_row *restrict w)
{
    for (size_t j = 0; j < JUMP_ROW; j++) {
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
        double c = p->more.re[j], d = p->more.im[j], of_d = p->more.rad[j];
        double e = 1 + (x + w->re[j]), f = y + w->im[j];
        double many = size_of(c, d), both = size_of(e, f);
        double rare = size_of(w->re[j], w->im[j]), of_w = w->rad[j];
        double of_both = of_z + of_w + UNIT * (both + step + rare);
        p->more.re[j] = (c * e - d * f) + (a * w->re[j] - b * w->im[j]);
        p->more.im[j] = (c * f + d * e) + (a * w->im[j] + b * w->re[j]);
        p->more.rad[j] =
            ((many + of_d) * of_both + both * of_d + (size + of_a) * of_w +
                rare * of_a + 4 * UNIT * (many * both + size * rare)) * UP +
            TINY;
        p->re[j] = small > 0 ? new_a : 1 + new_v;
        p->im[j] = small > 0 ? new_b : new_q;
        p->less_re[j] = new_v;
        p->less_im[j] = new_q;
        double of_v = (base + 2 * UNIT + of_z) * off +
                      (size + 2 * UNIT) * of_z +
                      UNIT * (less * (1.25 + 4 * step) + 2.5 * step * size);
        double of_product = (base + of_b) * of_a + size * of_b +
                            PRODUCT * size * base;
        p->rad[j] = (small > 0 ? of_product : of_v) * UP + TINY;
    }
}

/* From the first binary digit of n to the last. */
void jump_row_power(jump_powers_row *out, const jump_row *z,
    const jump_row *w, double n)
{
    for (size_t j = 0; j < JUMP_ROW; j++) {
        out->re[j] = 1 + z->re[j];
        out->im[j] = out->less_im[j] = z->im[j];
        out->less_re[j] = z->re[j];
        out->rad[j] = z->rad[j];
        out->was_small[j] = 0;
    }
    out->more = *w;
    double digit = 1;
    while (2 * digit <= n)
        digit *= 2;
    for (double rest = n - digit; digit > 1; digit /= 2) {
        square_row(out);
        if (rest >= digit / 2) {
            rest -= digit / 2;
            times_row(out, z, w);
        }
    }
}

void jump_row_whole(jump_row *out, const jump_powers_row *p)
{
    for (size_t j = 0; j < JUMP_ROW; j++) {
        out->re[j] = p->re[j];
        out->im[j] = p->im[j];
        out->rad[j] =
            (p->rad[j] + UNIT * size_of(p->re[j], p->im[j])) * UP;
    }
}

void jump_row_join(jump_powers_row *p, const jump_powers_row *other)
{
    jump_row z;
    jump_row_whole(&z, other);
    for (size_t j = 0; j < JUMP_ROW; j++) {
        p->rad[j] = (p->rad[j] + UNIT * size_of(p->re[j], p->im[j])) * UP;
        p->was_small[j] = 1;
        z.rad[j] += 4 * UNIT;
        z.re[j] -= 1;
    }
    times_row(p, &z, &other->more);
}

void jump_row_discs(disc *out, const jump_row *z, double count, size_t n)
{
    jump_row none = {.re = {0}}, whole;
    jump_powers_row power;
    jump_row_power(&power, z, &none, count);
    jump_row_whole(&whole, &power);
    for (size_t j = 0; j < n; j++) {
        disc own = {{whole.re[j], 0}, {whole.im[j], 0}, whole.rad[j]};
        bool is_known = own.rad < 1; /* not NaN */
        out[j] = is_known ? own : (disc){{0, 0}, {0, 0}, 1};
    }
}

void spectral_nodes_less_one(jump_row *out, const spectral_part *self,
    phase_rows *rows, double u)
{
    phase_rows_at(out->re, out->im, out->rad, rows, u);
    for (size_t j = 0; j < JUMP_ROW; j++) {
        double at = u + (double)j * rows->step;
        double off = spectral_nodes_error(self, at, out->rad[j]);
        bool is_known = off < 1; /* else |chi| <= 1 */
        out->re[j] = is_known ? -out->re[j] : -1;
        out->im[j] = is_known ? out->im[j] : 0;
        out->rad[j] = is_known ? off : 1;
    }
}
