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
#define LEAST_MODULUS 0.25 /* of a sum over its greatest term */

static_assert(JUMP_MOVED_EDGE == 2 * NORMAL_TURN, "both edges are as far");

typedef struct complex_cut {
    double re, im, error;
} complex_cut;

/* Phi(-k/NORMAL_STEPS - i NORMAL_TURN), of any whole k, and what it errs by:
 * |Phi(-z - 2i)| <= e^2 Phi(-z), Phi(z) = 1 - Phi(-z). */
static complex_cut cut_at(double k)
{
    double size = fabs(k), z = size / NORMAL_STEPS;
    complex_cut c = {0, 0, 0};
    if (size <= NORMAL_LAST) {
        const double *v = normal_turned[(size_t)size];
        c = (complex_cut){v[0], v[1], 2 * UNIT * (fabs(v[0]) + fabs(v[1]))};
    } else {
        c.error = exp(2 - z * z / 2);
    }
    if (k < 0)
        c = (complex_cut){1 - c.re, c.im, c.error + 2 * UNIT};
    return c;
}

/* s_a or s_b - s_a at a node of the moved line, by the smaller tails. */
static complex_cut between_at(const jump_law *own, size_t i)
{
    double a = jump_steps_from(&own->line, own->low, i);
    double b = jump_steps_from(&own->line, own->cut, i);
    if (!own->is_jump)
        return cut_at(b);
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

/* ---- Several records ---------------------------------------------------- */

/* One polynomial over its first term, at e^(y + i alpha): log of its modulus,
 * its argument, and what both err by. */
typedef struct turned_sum {
    double size, angle, error;
} turned_sum;

/* A term at a distance from the greatest one, which errs by as many units of
 * what the logarithms of ratios are made of, is turned. */
static void add_turned(double sum[2], double *far, double term, double alpha,
    double distance)
{
    sum[0] += term * cos(distance * alpha);
    sum[1] += term * sin(distance * alpha);
    *far += fabs(distance) * term;
}

/* The argument that is continuous in alpha lies in [sin(alpha) E,
 * 2 tan(alpha/2) E] (section 10); others are multiples of 2 pi away. */
static turned_sum turned_at(const shifts *s, double y, double alpha)
{
    if (s->n == 0)
        return (turned_sum){0, 0, 0};
    shifts_point p = shifts_at(s, y);
    unsigned top = 0;
    while (top < s->n && s->log_ratio_d[top] + y > 0)
        top++;
    double sum[2] = {0, 0}, far = 0, most = fabs(s->log_ratio_d[0]);
    double term = 1;
    for (unsigned i = top; i < s->n; i++) {
        term *= exp(s->log_ratio_d[i] + y);
        add_turned(sum, &far, term, alpha, i + 1 - (double)top);
    }
    term = 1;
    for (unsigned i = top; i > 0; i--) {
        term *= exp(-s->log_ratio_d[i - 1] - y);
        add_turned(sum, &far, term, alpha, i - 1 - (double)top);
    }
    for (unsigned i = 0; i < s->n; i++)
        most = fmax(most, fabs(s->log_ratio_d[i]));
    double x = sum[0] * (2 + sum[0]) + sum[1] * sum[1];
    double modulus = sqrt(1 + x), b = atan2(sum[1], 1 + sum[0]);
    double miss =
        fabs(sum[1] * cos(b) - (1 + sum[0]) * sin(b)) / modulus;
    double lo = sin(alpha) * p.mean, hi = 2 * tan(alpha / 2) * p.mean;
    double mid = (lo + hi) / 2, angle = b + top * alpha;
    angle += 2 * pi * round((mid - angle) / (2 * pi));
    double above = s->log_term_d[top] - s->log_term_d[0] + top * y;
    /* each exponential errs by 2 units of what it is made of and 4 more, sines
     * and cosines by those of their angles */
    double each = 8 + fabs(y) + most + (double)s->n;
    turned_sum out = {above + log1p(x) / 2, angle,
        UNIT * (16 * each * far / modulus + 32 * fabs(log1p(x)) +
                   8 * top * each + 64 * fabs(angle)) + 2 * miss};
    if (!(p.is_sure && modulus > LEAST_MODULUS &&
            fabs(angle - mid) + (hi - lo) / 2 < 3))
        out.error = HUGE_VAL;
    return out;
}

/* A node of a line that is moved by alpha: see spectral_far_node, and section
 * 10 for the terms. */
static far_node node_of_many(const far_line *f, const jump_part *part, double x)
{
    turned_sum a = turned_at(&part->split->p, f->mu * x, f->alpha);
    turned_sum b = turned_at(&part->split->q, -f->mu * x, f->alpha);
    double p = f->p, t = p - 1, sway = x * f->alpha / f->mu;
    double reach = fabs(p) * (fabs(a.size) + a.angle) +
                   fabs(t) * (fabs(b.size) + b.angle) + fabs(sway) + x * x +
                   f->size;
    double off = a.error + b.error;
    return (far_node){
        .log_size = f->constant - x * x / 2 + p * a.size - t * b.size,
        .damp = a.angle + b.angle,
        .turn = a.size - b.size,
        .phase = p * a.angle + t * b.angle - sway,
        .fixed = 2 * (fabs(p) * a.error + fabs(t) * b.error) +
                 10 * UNIT * reach + f->relative + 48 * UNIT,
        .moving = 4 * (off + UNIT * (fabs(a.size) + fabs(b.size)))};
}

static far_node node_at(const far_line *f, const jump_part *part, double x)
{
    return part->split == NULL ? spectral_far_node(f, x)
                               : node_of_many(f, part, x);
}

/* ---- The rule ----------------------------------------------------------- */

/* log of what the rule and the range leave out: its edges are the real line
 * and the line moved twice as far. */
static double log_left_out(const jump_law *own, double t)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    double eta = NORMAL_TURN * part->tau;
    double growth = jump_log_growth(part, 2 * eta);
    double edge = jump_log_upper(own, t);
    if (part->added > 0) /* lower edges are less */
        edge = jump_log_lifted(own, t, 2 * eta * part->mu);
    double rule = edge + jump_log_add(growth, 0) -
                  jump_log_expm1(2 * pi * eta / line->h);
    return jump_log_add(rule, jump_log_rest(own, t, 2 * eta)) + 1e-6;
}

/* log of the greatest weight of a node. */
static double greatest(const jump_law *own, double t)
{
    const jump_line *line = &own->line;
    double top = -HUGE_VAL;
    for (size_t i = 0; i < line->n; i++)
        top = fmax(top, line->height[i] + (t + 1) * line->loss[i]);
    return top;
}

/* n_all: how many nodes have their terms summed, of all laws. */
static void add_nodes(jump_moved *out, const jump_law *own,
    const far_line *f, size_t n_all, double step, double scale)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    spectral_far *far = &out->far;
    double t = f->p - 1, error = 0;
    /* of one record nothing grows by more than this from the real line */
    double growth = jump_log_growth(part, NORMAL_TURN * part->tau);
    for (size_t i = 0; i < line->n; i++) {
        double rough = line->height[i] + (t + 1) * line->loss[i];
        if (rough < out->least + scale && part->split == NULL) {
            error += exp(rough + growth - scale);
            continue;
        }
        far_node v = node_at(f, part, jump_line_x(line, i));
        put_cut(&v, between_at(own, i));
        if (rough < out->least + scale) {
            error += exp(v.log_size) * (1 + v.fixed);
            continue;
        }
        error += spectral_far_node_error(&v, 0, n_all);
        spectral_far_keep(far, &v, step);
    }
    error += exp(log_left_out(own, t) - scale);
    far->error += error * (1 + 1e-6 + 2 * jump_slack(line, t));
    /* numbers of a moderate size */
    double ends = fmax(fabs(jump_line_x(line, 0)),
        fabs(jump_line_x(line, line->n - 1)));
    double n = part->removed + part->added;
    if (!(n * (part->mu * ends + n * part->mu * part->mu) < MOST_SIZE))
        far->error = HUGE_VAL;
}

bool jump_moved_make(jump_moved *out, const jump_law *own,
    const jump_law *left, double t, double step, double scale, double depth)
{
    const jump_part *part = own->line.part;
    double alpha = NORMAL_TURN * part->tau * part->mu;
    double top = greatest(own, t);
    far_line f = spectral_far_line(
        part->pair, t + 1, alpha, own->line.h, ball_of(scale));
    if (part->split != NULL) {
        double more = (t + 1) * (part->removed - 1) - t * part->added;
        more *= log1p(-part->q);
        f.constant += more;
        f.size += fabs(more);
        f.relative += 8 * UNIT * fabs(more);
    }
    if (left != NULL)
        top = fmax(top, greatest(left, t));
    if (!spectral_far_room(&out->far,
            own->line.n + (left == NULL ? 0 : left->line.n)))
        return false;
    out->least = top - depth - scale;
    size_t n_all = own->line.n + (left != NULL ? left->line.n : 0);
    if (left != NULL) /* those at the end fall faster */
        add_nodes(out, left, &f, n_all, step, scale);
    add_nodes(out, own, &f, n_all, step, scale);
    out->far.error += (double)out->far.n * exp(out->least) * (1 + 1e-6);
    /* exponentials of less than -700 are taken for e^-700 */
    out->far.error += (double)out->far.n * 0x1p-1000;
    if (!(alpha < 1.5)) /* less than pi/2 */
        out->far.error = HUGE_VAL;
    return true;
}
