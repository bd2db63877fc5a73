/*
 * Moments of the likelihood ratio of sampled Laplace noise in doubles that
 * carry their errors. The losses a and -a are atoms; between them the law
 * without the record has density e^(-(a + l)/2)/4. The excess of X^s, which is
 * >= 0, is summed over both atoms and integrated over the density by
 * Gauss-Legendre on panels, whose error is bounded on an ellipse about each
 * panel. Derivation: docs/theory/sampling.md, section 7.
 */
#include "poisson_laplace_moment.h"

#include "special/power_excess.h"

#define MAX_PANELS 65536.0
#define MAX_LOGARITHM 5e8 /* of which POWER_EXCESS_GUARD covers the rounding */
#define N_NODES 8
#define RATIO 8.0 /* of the ellipse's long axis to the panel */

/* Nodes and weights of eight points on [-1, 1], to the last bit or two:
 * Abramowitz and Stegun, table 25.4. */
static const double gauss_node[4] = {0.18343464249564980, 0.52553240991632899,
    0.79666647741362674, 0.96028985649753623};
static const double gauss_weight[4] = {0.36268378337836198,
    0.31370664587788729, 0.22238103445337447, 0.10122853629037626};

typedef struct laplace_sum {
    power_excess q;
    dball a;
    double shift;
    double sum, rad;
} laplace_sum;

/* Adds mass times the excess at a loss. */
static void add_at(laplace_sum *m, dball loss, dball log_mass, dball mass)
{
    dball base = dball_sub(log_mass, dball_of(m->shift));
    dball value = dball_mul(
        mass, power_excess_at(&m->q, base, loss, dball_add(base, loss)));
    m->sum += value.mid;
    m->rad += value.rad + fabs(m->sum) * 0x1p-53;
}

/* log(1 + e^x) */
static double log_one_and(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/* log(1 - p + p e^l) */
static double log_ratio(const laplace_sum *m, double loss)
{
    double p = m->q.rate.mid;
    return loss > 30 ? loss + log(p + m->q.keep.mid * exp(-loss))
                     : log1p(p * expm1(loss));
}

/*
 * An upper bound of log |density excess| on the ellipse about [c - h, c + h],
 * which lies within R = RATIO h <= 1 of c in both directions. Let |v| = |X - 1|
 * = p |e^z - 1| <= p min(e^(|c| + R) - 1, e^(c + R) + 1). Near X = 1
 *
 *     |excess| <= |s t|/2 |v|^2 max |1 + theta v|^(s-2), 0 <= theta <= 1;
 *
 * 1 + theta v is a mixture of 1 and X, with |X| <= X(c + R), and the real part
 * of X is at least 1 - p + p e^(c - R) cos R, cos R >= 1 - R^2/2. Elsewhere
 * the excess is X (X^t - 1) - t v for s > 1 and X^s - 1 - s v for s < 0, and
 *
 *     |X^r - 1| <= |r log X| max(1, |X|^r),  |Im log X| < pi/2.
 */
static double log_bound(const laplace_sum *m, double c, double reach)
{
    double s = m->q.s.mid, far = c + reach, near = c - reach;
    double log_v = fmin(log(expm1(fabs(c) + reach)), log_one_and(far));
    double p = m->q.rate.mid;
    double cosine = 1 - reach * reach / 2;
    double high = log_ratio(m, far);
    double low = log(m->q.keep.mid + p * exp(near) * cosine);
    double power = (s - 2) * (s > 2 ? fmax(high, 0) : fmin(low, 0));
    double close = log(m->q.half_st.mid) + 2 * (log(p) + log_v) + power;
    double r = s > 0 ? m->q.t.mid : s, front = s > 0 ? high : 0;
    double turn = log(fmax(fabs(high), fabs(low)) + 1.6);
    power = front + turn + fmax(r * (r > 0 ? high : low), 0);
    double away = log(fabs(r)) + fmax(power, log(p) + log_v) + log(2);
    return fmin(close, away) - (m->a.mid + near) / 2 - log(4);
}

/* Adds the panel [c - h, c + h]. The rule errs by at most
 * h 64/15 M rho^(-2(n-1))/(1 - rho^-2), rho + 1/rho = 2 RATIO, so rho > 15.9
 * [T13] Thm 19.3. */
static void add_panel(laplace_sum *m, dball c, dball h)
{
    for (int i = 0; i < N_NODES; i++) {
        double z = i < 4 ? gauss_node[i] : -gauss_node[i - 4];
        dball node = dball_add(c, dball_mul(h, (dball){z, 0x1p-53}));
        dball weight = {gauss_weight[i % 4] / 4, 0x1p-54};
        dball density =
            dball_mul(dball_of(-0.5), dball_add(m->a, node));
        add_at(m, node, density, dball_mul(h, weight));
    }
    double most = log_bound(m, c.mid, RATIO * h.mid) - m->shift;
    /* 64/15/(1 - 15.9^-2) 15.9^-14 < 6.6e-17 */
    m->rad += h.mid * 6.6e-17 * exp(most + POWER_EXCESS_GUARD);
}

/* The greatest share p e^L/X of the sampled part, at L = a. */
static double greatest_share(const laplace_sum *m)
{
    double odds = m->q.rate.mid * exp(fmin(m->a.mid, 700));
    return odds / (m->q.keep.mid + odds);
}

/* The number of panels, even, for which X^s varies by some e^10 on each
 * ellipse. */
static double panel_count(const laplace_sum *m)
{
    double share = greatest_share(m);
    double reach = fmin(1, 5 / (fabs(m->q.s.mid) * share + 1));
    return 2 * ceil(m->a.mid * RATIO / reach / 2);
}

/* Some 30 nats below the logarithm of the largest term, or 0. */
static double choose_shift(const laplace_sum *m, bool is_upper)
{
    double s = m->q.s.mid, a = m->a.mid;
    if (s < 0)
        return is_upper ? 0 : floor(fmax(s * log_ratio(m, -a) - 30, 0));
    return floor(fmax(s * log_ratio(m, a) - a - 30, 0));
}

scaled sampled_laplace_excess(ball rate, ball a, ball s, bool is_upper)
{
    laplace_sum m = {.a = dball_of_ball(a)};
    if (!power_excess_make(&m.q, rate, s) ||
        !(m.a.rad <= m.a.mid * 0x1p-51) ||
        !(fabs(m.q.s.mid) * greatest_share(&m) * (m.a.mid + 1) <=
            MAX_LOGARITHM))
        return scaled_of(ball_unknown());
    m.shift = choose_shift(&m, is_upper);
    double n = panel_count(&m);
    if (!(n <= MAX_PANELS))
        return scaled_of(ball_unknown());
    dball half = dball_of(0.5);
    add_at(&m, m.a, dball_neg(m.a), half);
    if (!is_upper)
        add_at(&m, dball_neg(m.a), dball_of(0), half);
    dball h = dball_mul(m.a, dball_of_ball(ball_div_d(ball_of(1), n)));
    /* centres -a + (2 i + 1) h */
    for (double i = is_upper ? n / 2 : 0; i < n; i++)
        add_panel(&m, dball_mul(h, dball_of(2 * i + 1 - n)), h);
    double rad = m.rad * (1 + POWER_EXCESS_GUARD) + m.sum * 0x1p-50;
    return power_excess_scaled(m.sum, rad, m.shift);
}
