/*
 * The terms of a contour: powers of the parts' characteristic functions, in
 * rows of outer nodes, times the kernel. Derivation: docs/theory/contour.md,
 * sections 1 and 3.
 */
#include "contour.h"

#include <stdlib.h>

#include "base/error.h"
#include "special/disc_row.h"
#include "contour/part/part_dd.h"

#define UNIT 0x1p-53
#define ROWS_PER_STOP 16

/* A complex number, and its error in units of 2^-53. */
typedef struct factor {
    double re, im, error;
} factor;

/* The kernel 1/(z (z+1)), z (z+1) = (t (t+1) - u^2) + i u (2t+1); the parts of
 * the product err by 5 units of u^2 + t(t+1) <= |z (z+1)|. */
static factor plain_kernel(double t, double u)
{
    double re = t * (t + 1) - u * u, im = u * (2 * t + 1);
    double norm = re * re + im * im;
    bool is_safe = norm > 0x1p-900 && norm < 0x1p900;
    return (factor){
        re / norm, -im / norm, is_safe ? 24 / sqrt(norm) : HUGE_VAL};
}

/* A fraction of the lower kernel: e^{(a^2 - u^2) s^2/2 + i u a s^2} / (a +
 * iu). */
static factor smoothed_fraction(double a, double u, double s)
{
    double exponent = (a - u) * (a + u) * s * s / 2, angle = u * a * s * s;
    double norm = a * a + u * u, size = exp(exponent) / norm;
    double cosine = cos(angle), sine = sin(angle);
    return (factor){size * (a * cosine + u * sine),
        size * (a * sine - u * cosine),
        size * sqrt(norm) * (32 + 8 * fabs(angle) + 4 * norm * s * s)};
}

/* The upper kernel with smoothing: e^{z(z+1)s^2/2}/(z(z+1)). */
static factor upper_kernel(double t, double u, double s)
{
    factor k = plain_kernel(t, u);
    double exponent = (t * (t + 1) - u * u) * s * s / 2;
    double angle = u * (2 * t + 1) * s * s / 2, size = exp(exponent);
    double cosine = size * cos(angle), sine = size * sin(angle);
    double magnitude = size * (k.error / 24);
    return (factor){k.re * cosine - k.im * sine, k.re * sine + k.im * cosine,
        magnitude * (64 + 8 * fabs(angle) + 8 * (t * (t + 1) + u * u) * s * s)};
}

/* The lower kernel with smoothing by V = N(0, s^2): E[e^{-zV}] = e^{z^2
 * s^2/2}. */
static factor lower_kernel(double t, double u, double s)
{
    factor a = smoothed_fraction(t, u, s);
    factor b = smoothed_fraction(t + 1, u, s);
    return (factor){a.re - b.re, a.im - b.im,
        a.error + b.error +
            2 * (fabs(a.re) + fabs(a.im) + fabs(b.re) + fabs(b.im))};
}

/* Stores power times kernel as term n. */
static void put_term(contour_terms *t, size_t n, disc power, factor k)
{
    double re = power.re.hi, im = power.im.hi;
    double size = fabs(re) + fabs(im), reach = fabs(k.re) + fabs(k.im);
    t->re[n] = k.re * re - k.im * im;
    t->im[n] = k.re * im + k.im * re;
    t->size[n] = size * reach;
    /* the power is rounded by 2 units, the product by 4 */
    double error = size * (k.error + 8 * reach) * UNIT +
                   power.rad * (reach + k.error * UNIT);
    t->error += error < HUGE_VAL ? error * (1 + 0x1p-40) : HUGE_VAL;
}

/* The greatest number of parts whose nodes are summed in rows, as each needs
 * tables; and the least number of outer nodes for which rows pay. Fewer nodes
 * are summed one by one, to more digits. */
#define MAX_ROW_PARTS 8
#define MIN_ROW_NODES 40

typedef struct row_maker {
    const contour *c;
    const contour_parts *parts;
    phase_rows rows[MAX_ROW_PARTS];
} row_maker;

/* Prepares the nodes from first to last - 1; false without memory. */
static bool rows_open(row_maker *m, const contour *c,
    const contour_parts *parts, size_t first, size_t last)
{
    double step = c->choice.step;
    bool pays = parts->n <= MAX_ROW_PARTS && last - first >= MIN_ROW_NODES;
    *m = (row_maker){.c = c, .parts = parts};
    for (size_t i = 0; i < parts->n && pays; i++) {
        const contour_part *p = &parts->items[i];
        double outer = (double)(last + PHASE_ROW) * step;
        if (p->type->power == contour_nodes_power &&
            !phase_rows_make(&m->rows[i], &p->nodes, step, outer))
            return false;
    }
    return true;
}

static void rows_close(row_maker *m)
{
    for (size_t i = 0; i < MAX_ROW_PARTS; i++)
        free(m->rows[i].storage);
}

/* Encloses chi^count of one part by its rule on the real line, at n nodes from
 * u on. */
static void unshifted_row(
    disc out[DISC_ROW], row_maker *m, size_t i, double u, size_t n)
{
    const contour_part *p = &m->parts->items[i];
    if (i >= MAX_ROW_PARTS || m->rows[i].storage == NULL) {
        for (size_t j = 0; j < n; j++)
            out[j] = p->type->power(p, u + (double)j * m->c->choice.step);
        return;
    }
    disc_row z;
    contour_nodes_minus_one(&z, p, &m->rows[i], u);
    disc_row_powers(out, &z, p->count, n);
}

/* Whether the shifted rule of a part serves from this node on. */
static bool is_shifted(const contour *c, const contour_part *p, size_t first)
{
    return c->choice.first_shifted > 0 &&
           (double)first >= c->choice.first_shifted &&
           p->type->shifted_mean != NULL;
}

/* Encloses chi^count of one part at n nodes from first on, centred. */
static void row_of_part(
    disc out[DISC_ROW], row_maker *m, size_t i, size_t first, size_t n)
{
    contour_part *p = &m->parts->items[i];
    if (!is_shifted(m->c, p, first)) {
        unshifted_row(out, m, i, (double)first * m->c->choice.step, n);
        return;
    }
    for (size_t j = 0; j < n; j++)
        out[j] = dd_rule_next_power(p, (double)(first + j));
}

/* Encloses the product of the powers of all parts at n nodes from first on. */
static void row_of_powers(
    disc out[DISC_ROW], row_maker *m, size_t first, size_t n)
{
    for (size_t j = 0; j < n; j++)
        out[j] = (disc){{1, 0}, {0, 0}, 0};
    if (m->parts->n > 0)
        row_of_part(out, m, 0, first, n);
    for (size_t i = 1; i < m->parts->n; i++) {
        disc row[DISC_ROW];
        row_of_part(row, m, i, first, n);
        for (size_t j = 0; j < n; j++)
            out[j] = disc_mul(out[j], row[j]);
    }
}

ball contour_centre(const contour *c, const contour_parts *parts, bool far)
{
    ball sum = ball_of(-c->choice.epsilon);
    for (size_t i = 0; i < parts->n; i++) {
        const contour_part *p = &parts->items[i];
        bool is_moved = far && p->type->shifted_mean != NULL;
        ball mean = is_moved ? p->type->shifted_mean(p) : p->mean;
        sum = ball_add(sum, ball_mul_d(mean, p->count));
    }
    return sum;
}

void contour_set_term(contour *c, size_t n, disc power)
{
    const contour_choice *k = &c->choice;
    double u = (double)n * k->step;
    if (k->smoothing_sigma > 0) {
        put_term(&c->upper, n, power,
            upper_kernel(k->t, u, k->smoothing_sigma));
        put_term(&c->lower, n, power,
            lower_kernel(k->t, u, k->smoothing_sigma));
    } else {
        put_term(&c->upper, n, power, plain_kernel(k->t, u));
    }
}

/* Multiplies a row by the phases of its nodes. */
DD_FUSED static void rotate_row(disc *row, disc *phase, disc turn, size_t n)
{
    disc at = *phase;
    for (size_t j = 0; j < n; j++) {
        row[j] = disc_mul(row[j], at);
        at = disc_mul(at, turn);
    }
    *phase = at;
}

/* Operations of a row of terms of one part, and of each inner node of it: with
 * a table of the row's phases, without, and of a shifted rule. */
#define ROW_PART_OPERATIONS 1.5e4
#define ROW_NODE_OPERATIONS 12
#define LONE_NODE_OPERATIONS (2 * DISC_ROW)
#define SHIFTED_NODE_OPERATIONS (15 * DISC_ROW)

static double row_operations(
    const row_maker *m, const contour_parts *parts, size_t first)
{
    double n = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const contour_part *p = &parts->items[i];
        bool is_lone = i >= MAX_ROW_PARTS || m->rows[i].storage == NULL;
        part_size size = contour_part_size(p);
        n += ROW_PART_OPERATIONS * size.laws;
        if (is_shifted(m->c, p, first))
            n += SHIFTED_NODE_OPERATIONS * (double)p->shifted_dd.n;
        else
            n += (is_lone ? LONE_NODE_OPERATIONS : ROW_NODE_OPERATIONS) *
                 size.nodes;
    }
    return n;
}

/* Makes the terms from first to last - 1, which are all below first_shifted or
 * all beyond it. *found is false if the work was stopped. */
static dosi_status fill_range(bool *found, contour *c,
    const contour_parts *parts, size_t first, size_t last, work_limits *limits,
    dosi_error *err)
{
    double step = c->choice.step;
    bool far =
        c->choice.first_shifted > 0 && (double)first >= c->choice.first_shifted;
    *found = true;
    if (first >= last)
        return DOSI_OK;
    ball drift = contour_centre(c, parts, far);
    disc turn = disc_phase(ball_mul_d(drift, step)), row[DISC_ROW];
    disc phase =
        first == 1 ? turn : disc_phase(ball_mul_d(drift, (double)first * step));
    row_maker maker;
    bool has_rows = rows_open(&maker, c, parts, first, last);
    double operations = has_rows ? row_operations(&maker, parts, first) : 0;
    for (size_t i = 0; i < parts->n && far && has_rows; i++)
        if (is_shifted(c, &parts->items[i], first))
            dd_rule_skip(&parts->items[i], (double)first);
    for (size_t n = first; n < last && has_rows; n += DISC_ROW) {
        size_t many = last - n < DISC_ROW ? last - n : DISC_ROW;
        work_spend(limits, operations);
        *found = n / DISC_ROW % ROWS_PER_STOP < ROWS_PER_STOP - 1 ||
                 !work_stopped(limits);
        if (!*found)
            break;
        row_of_powers(row, &maker, n, many);
        rotate_row(row, &phase, turn, many);
        for (size_t j = 0; j < many; j++)
            contour_set_term(c, n + j, row[j]);
    }
    rows_close(&maker);
    return has_rows ? DOSI_OK : dosi_fail_memory(err);
}

dosi_status contour_fill(bool *found, contour *c, const contour_parts *parts,
    work_limits *limits, dosi_error *err)
{
    size_t far = c->n;
    if (c->choice.first_shifted > 0 && c->choice.first_shifted < (double)c->n)
        far = (size_t)c->choice.first_shifted;
    contour_set_term(c, 0, (disc){{0.5, 0}, {0, 0}, 0});
    dosi_status status = fill_range(found, c, parts, 1, far, limits, err);
    if (status == DOSI_OK && *found)
        status = fill_range(found, c, parts, far, c->n, limits, err);
    if (!(c->choice.smoothing_sigma > 0))
        c->lower = c->upper;
    return status;
}
