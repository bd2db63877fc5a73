/*
 * Contours in double-doubles on shifted lines, for plans of few runs whose
 * losses are heavy-tailed: no tilt makes e^{K(t) - t eps} comparable to delta,
 * so that the sum over nodes cancels many digits. Derivation:
 * docs/theory/contour.md, section 4.
 */
#include "contour_dd.h"

/* Encloses the kernel 1/(z (z+1)) = conj(z (z+1)) / |z (z+1)|^2. */
static disc dd_kernel(double t, double u)
{
    ball square = ball_sqr(ball_of(u)), t1 = ball_add_d(ball_of(t), 1);
    ball re = ball_sub(ball_mul_d(t1, t), square);
    ball im = ball_mul_d(ball_add_d(t1, t), -u);
    ball norm = ball_add(ball_sqr(re), ball_sqr(im));
    return disc_div(disc_of(re, im), norm);
}

/* Operations of one inner node at one outer node. */
#define DD_NODE_OPERATIONS 15

static double dd_node_count(const contour_parts *parts)
{
    double n = 64; /* the kernel, phases and powers */
    for (size_t i = 0; i < parts->n; i++)
        n += (double)parts->items[i].shifted_dd.n;
    return n;
}

bool dd_rule_fill(contour *c, const contour_parts *parts,
    ball drift, work_limits *limits)
{
    double step = c->choice.step;
    disc turn = disc_phase(ball_mul_d(drift, step));
    disc phase = disc_phase(ball_of(0));
    for (size_t n = 0; n < c->n; n++) {
        if (work_spent(limits, DD_NODE_OPERATIONS * dd_node_count(parts)))
            return false;
        disc term = disc_mul(
            phase, dd_kernel(c->choice.t, (double)n * step));
        for (size_t i = 0; i < parts->n; i++)
            term = disc_mul(
                term, dd_rule_next_power(&parts->items[i], (double)n));
        c->dd_terms[n] = term;
        phase = disc_mul(phase, turn);
    }
    return true;
}

dosi_interval dd_rule_sum(const contour *c, double epsilon)
{
    ball shift = ball_sub_d(ball_of(c->choice.epsilon), epsilon);
    disc turn = disc_phase(ball_mul_d(shift, c->choice.step));
    disc phase = turn, sum = c->dd_terms[0];
    sum = disc_mul(sum, disc_of(ball_of(0.5), ball_of(0)));
    for (size_t n = 1; n < c->n; n++) {
        sum = disc_add(sum, disc_mul(c->dd_terms[n], phase));
        phase = disc_mul(phase, turn);
    }
    ball scale = ball_div(ball_of(c->choice.step), ball_pi());
    return ball_interval(ball_mul(scale, disc_re(sum)));
}
