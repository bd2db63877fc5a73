/*
 * Panels are fitted until the bound of the rule's error on each, by an
 * ellipse around it, is small enough.
 */
#include "fixed_nodes.h"

#include <stdlib.h>

#include "num/gauss_legendre.h"
#include "num/special.h"

#define MAX_PANELS 512
#define N_NODES ((size_t)2 * GAUSS_HALF)

typedef struct panels {
    const fixed_sample *s;
    double t, outer;
    double edge[MAX_PANELS + 1];
    size_t n;
    ball log_error; /* of all */
} panels;

static ball loss_at(const fixed_sample *s, ball y)
{
    ball w = ball_mul(s->mu, y);
    if (w.hi < 300)
        return ball_log1p(ball_mul(s->rate, ball_expm1(w)));
    ball rest = ball_mul(ball_sub(ball_of(1), s->rate), ball_exp(ball_neg(w)));
    return ball_add(w, ball_log(ball_add(rest, s->rate)));
}

static ball log_pdf(const fixed_sample *s, ball y)
{
    return ball_log_normal_pdf(ball_add(y, ball_scale2(s->mu, -1)));
}

/*
 * log of a bound of the rule's error on the panel around c of half width h,
 * for both branches and |u| <= outer, by the ellipse rho: half axes a and b.
 * There with beta = mu b <= 1 and real parts from c - a to c + a
 *
 *   |1-p+p e^w| <= 1-p+p e^Re w,  >= 1-p+p e^Re w (1 - beta^2/2),
 *   |Im Z| <= r beta/(1 - r beta^2/2),  r = p e^w/(1-p+p e^w) at c + a,
 *   |phi(x)| <= phi(Re x) e^(b^2/2),
 *
 * the second since cos >= 1 - beta^2/2, the third since the argument is at
 * most its tangent.
 */
static ball log_panel_error(const panels *p, double c, double h, double rho)
{
    const fixed_sample *s = p->s;
    ball b = ball_of(h * (rho - 1 / rho) / 2 * (1 + 0x1p-40));
    ball a = ball_of(h * (rho + 1 / rho) / 2 * (1 + 0x1p-40));
    ball right = ball_add_d(a, c), left = ball_sub(ball_of(c), a);
    ball beta = ball_mul(s->mu, b);
    ball cosine = ball_sub(ball_of(1), ball_scale2(ball_sqr(beta), -1));
    if (!ball_less(beta, ball_of(1)))
        return ball_of(HUGE_VAL);
    ball high = loss_at(s, right), low = loss_at(s, left);
    ball r = ball_exp(
        ball_add(ball_log(s->rate), ball_sub(ball_mul(s->mu, right), high)));
    ball turned =
        ball_sub(ball_of(1), ball_scale2(ball_mul(r, ball_sqr(beta)), -1));
    ball angle = ball_div(ball_mul(r, beta), turned);
    ball first = ball_mul_d(high, p->t), second;
    first = ball_add(first, high);
    /* 1-p+p e^w cos >= (1-p+p e^w) cos */
    second = ball_mul_d(ball_add(low, ball_log(cosine)), -p->t);
    ball near = ball_max(ball_add(left, ball_scale2(s->mu, -1)), ball_of(0));
    ball size =
        ball_add(ball_log_normal_pdf(near), ball_scale2(ball_sqr(b), -1));
    size = ball_add(size, ball_logaddexp(first, second));
    size = ball_add(size, ball_mul_d(angle, p->outer));
    ball ratio = ball_of(rho);
    ball fall = ball_add(
        ball_mul_d(ball_log(ratio), 39), ball_log(ball_sub_d(ratio, 1)));
    return ball_add(ball_sub(size, fall), ball_log(ball_of(8 * h)));
}

static ball best_panel_error(const panels *p, double c, double h)
{
    static const double ratios[] = {2, 3, 4.5, 7, 11, 18, 30};
    ball best = ball_of(HUGE_VAL);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        ball e = log_panel_error(p, c, h, ratios[i]);
        if (!ball_is_unknown(e) && e.hi < best.hi)
            best = e;
    }
    return best;
}

/* Beyond y: each branch is at most e^((t+1) Z) phi(x), whose logarithm has
 * slope at most (t+1) mu - x. */
static ball log_beyond(const panels *p, double y)
{
    ball at = ball_of(y), t1 = ball_add_d(ball_of(p->t), 1);
    ball slope = ball_sub(
        ball_add(at, ball_scale2(p->s->mu, -1)), ball_mul(t1, p->s->mu));
    if (!ball_is_positive(slope))
        return ball_of(HUGE_VAL);
    ball top = ball_add(ball_mul(t1, loss_at(p->s, at)), log_pdf(p->s, at));
    return ball_add(ball_sub(top, ball_log(slope)), ball_ln2());
}

static bool fit_panels(panels *p, double log_target)
{
    double y = 0, h = 0.5;
    p->log_error = ball_of(-HUGE_VAL);
    while (p->n < MAX_PANELS) {
        ball e = ball_of(HUGE_VAL);
        for (int i = 0; i < 60 && !(ball_upper(e) < log_target); i++) {
            /* few bits: middles and edges are exact */
            h = ldexp(floor(ldexp(i > 0 ? h * 0.8 : h, 20)), -20);
            e = h > 0 ? best_panel_error(p, y + h, h) : e;
        }
        if (!(ball_upper(e) < log_target && y < 0x1p30))
            return false;
        y = y + 2 * h;
        p->edge[++p->n] = y;
        p->log_error = ball_logaddexp(p->log_error, e);
        ball rest = log_beyond(p, y);
        if (ball_upper(rest) < log_target) {
            p->log_error = ball_logaddexp(p->log_error, rest);
            return true;
        }
        h *= 1.5;
    }
    return false;
}

/* ---- Nodes -------------------------------------------------------------- */

static ball node_of(int i)
{
    const double *row = gauss_table[i % GAUSS_HALF];
    double sign = i < GAUSS_HALF ? 1 : -1;
    return (ball){sign * row[0], sign * row[1], 0x1p-105};
}

static ball weight_of(int i)
{
    const double *row = gauss_table[i % GAUSS_HALF];
    return (ball){row[2], row[3], 0x1p-105};
}

/* Both branches at one node of the rule, as the pair at and at + half. */
static void put_node(fixed_nodes *f, size_t at, size_t half, const panels *p,
    ball y, ball factor, double step)
{
    ball z = loss_at(p->s, y), turn = ball_mul_d(z, step);
    ball base = ball_sub(log_pdf(p->s, y), f->shift);
    ball up = ball_add(base, ball_add(ball_mul_d(z, p->t), z));
    ball down = ball_sub(base, ball_mul_d(z, p->t));
    ball first = ball_mul(factor, ball_exp(up));
    ball second = ball_mul(factor, ball_exp(down));
    f->phase[at] = disc_of(first, ball_of(0));
    f->phase[at + half] = disc_of(second, ball_of(0));
    f->turn[at] = disc_turn(turn);
    f->turn[at + half] = disc_turn(ball_neg(turn));
    f->moment = ball_add(f->moment, ball_add(first, second));
}

static void put_nodes(fixed_nodes *f, const panels *p, double step)
{
    size_t half = f->n / 2, at = 0;
    f->moment = f->atom;
    for (size_t k = 0; k < p->n; k++) {
        ball from = ball_of(p->edge[k]), to = ball_of(p->edge[k + 1]);
        ball middle = ball_scale2(ball_add(from, to), -1);
        ball width = ball_scale2(ball_sub(to, from), -1);
        for (int i = 0; i < (int)N_NODES; i++, at++)
            put_node(f, at, half, p,
                ball_add(middle, ball_mul(width, node_of(i))),
                ball_mul(width, weight_of(i)), step);
    }
    f->error = ball_upper(ball_exp(ball_sub(p->log_error, f->shift)));
    f->moment = ball_widen(f->moment, f->error);
}

dosi_status fixed_nodes_new(fixed_nodes *out, bool *found,
    const fixed_sample *s, double t, double step, double outer, double digits,
    dosi_error *err)
{
    panels p = {.s = s, .t = t, .outer = outer};
    *out = (fixed_nodes){0};
    *found = false;
    ball log_moment = fixed_sample_log_moment(s, ball_add_d(ball_of(t), 1));
    if (ball_is_unknown(log_moment) ||
        !fit_panels(&p, ball_mid(log_moment) - digits))
        return DOSI_OK;
    out->n = 2 * N_NODES * p.n;
    out->phase = malloc(out->n * sizeof *out->phase);
    out->turn = malloc(out->n * sizeof *out->turn);
    if (out->phase == NULL || out->turn == NULL) {
        fixed_nodes_free(out);
        return dosi_fail_memory(err);
    }
    out->shift = ball_of(ball_mid(log_moment));
    out->atom = ball_mul(fixed_sample_atom(s), ball_exp(ball_neg(out->shift)));
    put_nodes(out, &p, step);
    *found = ball_is_positive(out->moment);
    if (!*found)
        fixed_nodes_free(out);
    return DOSI_OK;
}

void fixed_nodes_free(fixed_nodes *nodes)
{
    free(nodes->phase);
    free(nodes->turn);
    nodes->phase = NULL;
    nodes->turn = NULL;
}

disc fixed_nodes_next(fixed_nodes *nodes)
{
    disc sum = disc_of(nodes->atom, ball_of(0));
    for (size_t i = 0; i < nodes->n; i++) {
        nodes->phase[i] = disc_mul(nodes->phase[i], nodes->turn[i]);
        sum = disc_add(sum, nodes->phase[i]);
    }
    sum.rad = round_up(sum.rad + nodes->error);
    return disc_div(sum, nodes->moment);
}
