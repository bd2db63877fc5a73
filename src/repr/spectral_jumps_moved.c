/*
 * W of a class on a line that is moved up by NORMAL_TURN of its cuts'
 * deviations. There one rule of a few nodes to a tau serves all u, because
 * e^{iuZ} decays where it turns fast. Derivation: docs/theory/spectral.md,
 * section 9.
 */
#include "spectral_jumps_moved.h"

#include <assert.h>

#include "normal_turned.h"

static const double pi = 3.14159265358979323846;

#define UNIT 0x1p-53
#define MOST_SIZE 1e4 /* of mu x */

static_assert(JUMP_MOVED_EDGE == 2 * NORMAL_TURN, "both edges are as far");

typedef struct complex_cut {
    double re, im, error;
} complex_cut;

/* Phi(-k/NORMAL_STEPS - i NORMAL_TURN), of any whole k, and what it errs by:
 * |Phi(-z - 2i)| <= e^2 Phi(-z), Phi(z) = 1 - Phi(-z). */
static complex_cut cut_at(double k)
{
    double size = fabs(k), z = size / NORMAL_STEPS;
    complex_cut c = {0, 0, exp(2 - z * z / 2)};
    if (size <= NORMAL_LAST) {
        const double *v = normal_turned[(size_t)size];
        c = (complex_cut){v[0], v[1], 2 * UNIT * (fabs(v[0]) + fabs(v[1]))};
    }
    if (k < 0)
        c = (complex_cut){1 - c.re, c.im, c.error + 2 * UNIT};
    return c;
}

/* s_b - s_a at a node of the moved line, by the smaller tails. */
static complex_cut between_at(const jump_law *own, size_t i)
{
    double a = jump_steps_from(&own->line, own->low, i);
    double b = jump_steps_from(&own->line, own->cut, i);
    bool is_left = a + b < 0;
    complex_cut x = cut_at(is_left ? -a : b), y = cut_at(is_left ? -b : a);
    complex_cut out = {x.re - y.re, x.im - y.im, x.error + y.error};
    out.error += 2 * UNIT * (fabs(out.re) + fabs(out.im));
    if (is_left) /* the mirror image */
        out.im = -out.im;
    return out;
}

/* Puts the cuts into a node. Its angle is what the library says, and twice
 * the sine of what it is off by is charged. */
static void put_cut(far_node *v, complex_cut c)
{
    double size = sqrt(c.re * c.re + c.im * c.im);
    double angle = atan2(c.im, c.re);
    double miss = fabs(c.re * sin(angle) - c.im * cos(angle)) / size;
    double log_size = log(size);
    v->log_size += log_size;
    v->phase += angle;
    v->fixed += 2 * miss + c.error / size + 16 * UNIT +
                8 * UNIT * (fabs(log_size) + fabs(v->log_size) +
                               fabs(angle) + fabs(v->phase));
}

/* log of what the rule and the range leave out: its edges are the real line
 * and the line moved twice as far. */
static double log_left_out(const jump_law *own, double t)
{
    const jump_line *line = &own->line;
    double eta = NORMAL_TURN * line->part->tau;
    double growth = jump_log_growth(line->part, 2 * eta);
    double rule = jump_log_upper(own, t) + jump_log_add(growth, 0) -
                  jump_log_expm1(2 * pi * eta / line->h);
    return jump_log_add(rule, jump_log_rest(own, t, 2 * eta)) + 1e-6;
}

bool jump_moved_make(jump_moved *out, const jump_law *own, double t,
    double step, double scale, double depth)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    double alpha = NORMAL_TURN * part->tau * part->mu, top = -HUGE_VAL;
    far_line f =
        spectral_far_line(part->pair, t + 1, alpha, line->h, ball_of(scale));
    spectral_far *far = &out->far;
    if (!spectral_far_room(far, line->n))
        return false;
    far_node v;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < line->n; i++) {
            double rough = line->height[i] + (t + 1) * line->loss[i];
            top = fmax(top, rough);
            if (pass == 0)
                continue;
            v = spectral_far_node(&f, jump_line_x(line, i));
            put_cut(&v, between_at(own, i));
            if (rough < top - depth) {
                far->error += exp(v.log_size) * (1 + v.fixed);
                continue;
            }
            far->error += spectral_far_node_error(&v, 0, line->n);
            spectral_far_keep(far, &v, step);
        }
    out->least = top - depth - scale;
    far->error += exp(log_left_out(own, t) - scale) +
                  (double)far->n * exp(out->least);
    far->error *= 1 + 1e-6 + 2 * jump_slack(line, t);
    /* alpha < pi/2, and numbers of a moderate size */
    double ends = fmax(fabs(jump_line_x(line, 0)),
        fabs(jump_line_x(line, line->n - 1)));
    if (!(alpha < 1.5 && part->mu * ends + part->mu * part->mu < MOST_SIZE))
        far->error = HUGE_VAL;
    return true;
}
