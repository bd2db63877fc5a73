/*
 * Bent contours: built, with all that they leave out, and read. Derivation:
 * docs/theory/spectral.md, section 9.
 */
#include "spectral_bent.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sampled_gaussian.h"
#include "spectral_bent_path.h"

static const double pi = 3.14159265358979323846;

#define MOST_PARTS 4
#define LEAST_USE 1e-6 /* error of delta, relatively */

static bool is_vague(ball x)
{
    return !(x.rad <= 0x1p-60 * fabs(x.hi));
}

bool spectral_can_bend(const spectral_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        const loss *pair = parts->items[i].law;
        if (parts->items[i].type != &spectral_sampled ||
            pair->map != LOSS_REMOVE || is_vague(pair->parameter) ||
            is_vague(pair->rate))
            return false;
    }
    return parts->n <= MOST_PARTS;
}

/* log of the sum of all steps' profiles. */
static double log_one_jump(const spectral_parts *parts, double epsilon)
{
    double sum = -HUGE_VAL;
    for (size_t i = 0; i < parts->n; i++) {
        const spectral_part *p = &parts->items[i];
        double one = log(p->count) +
                     ball_mid(sampled_gaussian_log_delta(
                         SAMPLED_MIXTURE_FIRST, p->law->rate,
                         p->law->parameter, ball_of(epsilon)));
        sum = fmax(sum, one) + log1p(exp(-fabs(sum - one)));
    }
    return sum;
}

double spectral_bent_guess(const spectral_parts *parts, double log_delta)
{
    double a = -40, b = 8; /* logarithms */
    if (!(log_one_jump(parts, exp(a)) > log_delta))
        return 0;
    while (b - a > 0.05)
        *(log_one_jump(parts, exp((a + b) / 2)) > log_delta ? &a : &b) =
            (a + b) / 2;
    return exp(a);
}

/* ---- Building ---------------------------------------------------------- */

/* The integral of |F z'| over both edges of the strip, and the range of nodes
 * that the lines have to keep. */
static double sum_stretches(
    const spectral_bent *b, const bent_lines *lines, double end)
{
    const bent_choice *c = &b->choice;
    double sum = 0, log_scale = ball_mid(b->log_scale);
    for (double u = 0, to; u < end; u = to) {
        to = fmin(bent_path_next(c, u), end);
        double most = bent_path_log_edges(c, lines, u, to) - log_scale;
        sum += exp(most + 1e-9) * (to - u);
        bent_box box = bent_path_box(c, 0, u, to);
        for (size_t i = 0; i < lines->n; i++) {
            bent_line *l = &lines->items[i];
            bent_line_keep(l, &box, c->digits + 4 - l->scale);
        }
    }
    return sum * (1 + 1e-6);
}

/* Steps for an error of the given share of delta, if they have to be shorter,
 * and what is left out then. */
static void bound_errors(
    spectral_bent *b, const bent_lines *lines, double share)
{
    bent_choice *c = &b->choice;
    double end = (c->n_outer + 2) * c->step; /* of shorter ones, too */
    double log_scale = ball_mid(b->log_scale);
    double sum = sum_stretches(b, lines, end);
    double wanted = log(sum / pi) - (c->log_delta - log_scale) - log(share);
    if (wanted > 2 * pi * c->strip / c->step && wanted < HUGE_VAL) {
        c->n_outer = ceil(
            c->n_outer * c->step * wanted / (2 * pi * c->strip));
        c->step = 2 * pi * c->strip / wanted;
    }
    end = (c->n_outer + 0.5) * c->step;
    b->error = sum / (pi * expm1(2 * pi * c->strip / c->step)) *
                   (1 + 1e-6) +
               exp(bent_path_log_end(c, lines, end) - log_scale + 1e-9);
}

/* p'(n)/i = d1 + 3 d3 n^2 - i (2 d2 n + 4 d4 n^3), halved at the first. */
static disc speed_at(const bent_steps *s, double n)
{
    double square = n * n; /* exact */
    ball re = ball_add_d(ball_mul_d(ball_of(3 * square), s->d3), s->d1);
    ball im = ball_add(ball_mul_d(ball_of(2 * n), s->d2),
        ball_mul_d(ball_mul_d(ball_of(4 * n), square), s->d4));
    return disc_of(n == 0 ? ball_scale2(re, -1) : re, ball_neg(im));
}

/* 1/(z (z+1)) at the n-th node. */
static disc kernel_at(const bent_steps *s, double t, double n)
{
    ball square = ball_of(n * n);
    ball x = ball_add_d(ball_mul(square, ball_add_d(
        ball_mul_d(square, s->d4), s->d2)), t);
    ball y = ball_mul_d(ball_add_d(ball_mul_d(square, s->d3), s->d1), n);
    ball x1 = ball_add_d(x, 1);
    ball re = ball_sub(ball_mul(x, x1), ball_sqr(y));
    ball im = ball_neg(ball_mul(y, ball_add(x, x1)));
    return disc_div(
        disc_of(re, im), ball_add(ball_sqr(re), ball_sqr(im)));
}

void bent_difference(ball *re, ball *im, const bent_steps *s, int j)
{
    /* of n^2, n^4 and of n, n^3 */
    static const double even[][2] = {{1, 1}, {2, 14}, {0, 36}, {0, 24}};
    static const double odd[][2] = {{1, 1}, {0, 6}, {0, 6}, {0, 0}};
    const double *e = even[j - 1], *o = odd[j - 1];
    *re = ball_add(ball_mul_d(ball_of(e[0]), s->d2),
        ball_mul_d(ball_of(e[1]), s->d4));
    *im = ball_add(ball_mul_d(ball_of(o[0]), s->d1),
        ball_mul_d(ball_of(o[1]), s->d3));
}

/* e^{-p(n) moved}, for n = 0, 1, ... in turn. */
typedef struct bent_turn {
    int degree;
    disc at[1 + BENT_DEGREE];
} bent_turn;

static bent_turn turn_start(const bent_steps *s, ball moved)
{
    bent_turn t = {.degree = s->degree, .at[0] = {{1, 0}, {0, 0}, 0}};
    for (int j = 1; j <= s->degree; j++) {
        ball re, im;
        bent_difference(&re, &im, s, j);
        ball size = ball_exp(ball_neg(ball_mul(re, moved)));
        t.at[j] = disc_mul(disc_of(size, ball_of(0)),
            disc_turn(ball_neg(ball_mul(im, moved))));
    }
    return t;
}

static disc turn_next(bent_turn *t)
{
    disc now = t->at[0];
    for (int j = 0; j < t->degree; j++)
        t->at[j] = disc_mul(t->at[j], t->at[j + 1]);
    return now;
}

static bool fill(
    spectral_bent *b, const bent_lines *lines, work_limits *limits)
{
    bent_turn turn = turn_start(&b->steps, ball_of(b->choice.epsilon));
    double rule[MOST_PARTS] = {0}, known = 0;
    for (size_t n = 0; n < b->n; n++) {
        double u = (double)n * b->choice.step;
        disc term = disc_mul(turn_next(&turn),
            disc_mul(kernel_at(&b->steps, b->choice.t, (double)n),
                speed_at(&b->steps, (double)n)));
        bool is_new = n == 0 || u > known;
        double to = bent_path_next(&b->choice, u);
        bent_box box = bent_path_box(&b->choice, 0, u, to);
        known = is_new ? to : known;
        if (is_new && work_stopped(limits))
            return false;
        for (size_t i = 0; i < lines->n; i++) {
            bent_line *l = &lines->items[i];
            if (is_new)
                rule[i] =
                    (bent_line_alias(l, &box) + bent_line_beyond(l, &box)) *
                    exp(-l->scale) * (1 + 1e-9);
            disc m = bent_line_next(l, (double)n);
            m.rad += rule[i];
            term = disc_mul(term, disc_power(m, l->count));
        }
        b->terms[n] = term;
    }
    return true;
}

/* Whether an error leaves some digits of delta, if that is what it was said
 * to be. */
static bool is_useful(const spectral_bent *b, double error, double use)
{
    double delta = b->choice.log_delta - ball_mid(b->log_scale);
    return log(error) < delta + log(use);
}

static double sum_of_radii(const spectral_bent *b)
{
    double sum = 0;
    for (size_t n = 0; n < b->n; n++)
        sum += b->terms[n].rad;
    return sum;
}

/* The lines' scales, near log M(t), and that of the contour. */
static bool choose_scales(
    spectral_bent *b, bent_lines *lines, const spectral_parts *parts)
{
    const bent_choice *c = &b->choice;
    b->log_scale = ball_mul(ball_of(-c->t), ball_of(c->epsilon));
    for (size_t i = 0; i < lines->n; i++) {
        spectral_rough r;
        spectral_part *p = &parts->items[i];
        if (!p->type->rough(&r, p, c->t))
            return false;
        lines->items[i].scale = r.k0;
        b->log_scale =
            ball_add(b->log_scale, ball_mul_d(ball_of(r.k0), p->count));
    }
    return true;
}

bool bent_path_build(spectral_bent *b, bent_lines *lines,
    const spectral_parts *parts, double use, work_limits *limits,
    bool *no_memory)
{
    const bent_choice *c = &b->choice;
    if (!choose_scales(b, lines, parts))
        return false;
    bound_errors(b, lines, use * 1e-6);
    if (!is_useful(b, b->error, use))
        return false;
    double d = c->step;
    b->steps = (bent_steps){d, c->c2 * d * d, c->c3 * d * d * d,
        c->c4 * d * d * d * d, c->c3 > 0 ? 4 : 2};
    for (size_t i = 0; i < lines->n; i++)
        if (!bent_line_start(&lines->items[i], c, &b->steps, no_memory))
            return false;
    b->n = (size_t)c->n_outer + 1;
    b->terms = malloc(b->n * sizeof *b->terms);
    *no_memory = b->terms == NULL;
    return !*no_memory && fill(b, lines, limits) &&
           is_useful(b, b->error + sum_of_radii(b), use);
}

static double cost_of(const bent_choice *c, const bent_lines *lines)
{
    double cells = 0;
    for (size_t i = 0; i < lines->n; i++)
        cells += (double)lines->items[i].n;
    return cells * c->n_outer;
}

dosi_status spectral_bent_new(spectral_bent **out,
    const spectral_parts *parts, double epsilon, double log_delta,
    double max_cost, work_limits *limits, dosi_error *err)
{
    bent_line items[MOST_PARTS];
    bent_lines lines = {0, items};
    bool no_memory = false;
    *out = NULL;
    if (!(epsilon > 0))
        return DOSI_OK;
    spectral_bent *b = calloc(1, sizeof *b);
    if (b == NULL)
        return dosi_fail_memory(err);
    if (bent_path_choose(
            &b->choice, &lines, parts, epsilon, log_delta, &no_memory) &&
        cost_of(&b->choice, &lines) < max_cost &&
        bent_path_build(
            b, &lines, parts, LEAST_USE, limits, &no_memory)) {
        *out = b;
        b = NULL; /* moved to out */
    }
    for (size_t i = 0; i < lines.n; i++)
        bent_line_free(&items[i]);
    spectral_bent_free(b);
    return no_memory ? dosi_fail_memory(err) : DOSI_OK;
}

void spectral_bent_free(spectral_bent *b)
{
    if (b != NULL)
        free(b->terms);
    free(b);
}

/* ---- Reading ----------------------------------------------------------- */

dosi_interval spectral_bent_read(const spectral_bent *b, double epsilon)
{
    dosi_interval out = {-HUGE_VAL, 0};
    const bent_choice *c = &b->choice;
    ball moved = ball_sub_d(ball_of(epsilon), c->epsilon);
    if (!(epsilon >= c->epsilon))
        return out;
    bent_turn turn = turn_start(&b->steps, moved);
    disc sum = {{0, 0}, {0, 0}, 0};
    for (size_t n = 0; n < b->n; n++)
        sum = disc_add(sum, disc_mul(b->terms[n], turn_next(&turn)));
    ball total = ball_div(disc_re(sum), ball_pi());
    /* all of the error falls by e^(-Re z moved), at least where Re z is least
     * on the strip */
    bent_box least = bent_path_box(c, c->strip, 0, 0);
    double excess = (c->t - least.low) * ball_upper(moved) * (1 + 0x1p-40);
    double error = ball_upper(
        ball_mul_d(ball_exp(ball_of(excess)), b->error));
    total = ball_widen(total, error);
    ball base = ball_sub(b->log_scale, ball_mul_d(moved, c->t));
    double hi = ball_upper(total), lo = ball_lower(total);
    if (hi > 0 && hi < HUGE_VAL)
        out.hi = fmin(0, ball_upper(ball_add(base, ball_log(ball_of(hi)))));
    if (lo > 0 && lo < HUGE_VAL)
        out.lo = ball_lower(ball_add(base, ball_log(ball_of(lo))));
    return out.lo <= out.hi ? out : (dosi_interval){-HUGE_VAL, 0};
}
