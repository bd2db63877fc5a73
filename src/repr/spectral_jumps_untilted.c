/*
 * Bounds without tilts and cuts: how the law of a run decays, and what losses
 * far below do. Derivation: docs/theory/spectral.md, section 9.
 */
#include "num/exp_sums.h"
#include "num/phase_sums.h"
#include "spectral_jumps_line.h"

static const double pi = 3.14159265358979323846;

#define LOG_ROOT 0.91893853320467274178 /* log(2 pi)/2 */
#define MARK_REACH 40
#define MOST_LOSS 300 /* that is exponentiated */
#define SAFE 1e-6 /* more than a few operations on logarithms err by */

/* ---- Decay ------------------------------------------------------------- */

/* Nodes that are summed at once. */
#define BLOCK 64

static size_t block_from(const jump_line *line, size_t at)
{
    return line->n - at < BLOCK ? line->n - at : BLOCK;
}

/* Of a block: log P, gap and rho, and by how much losses pull. */
PHASE_WIDE static void turn_block(double *restrict mass,
    double *restrict gap, double *restrict rho, double *restrict fall,
    const double *restrict base, const double *restrict losses,
    const double *restrict ratio, size_t n, double s2, double turn, double off)
{
    for (size_t i = 0; i < n; i++) {
        double r = ratio[i];
        double g = s2 * r * (1 - r) * (1 - off) - off * s2;
        gap[i] = g > 0 ? g : 0;
        rho[i] = sqrt(1 - gap[i]);
        fall[i] = -(1 - off) * turn * r / rho[i];
        mass[i] = base[i] + losses[i];
    }
}

/* Sum of P (f' - 1) over a block, f' = rho e^(-u sin theta), sin theta = r
 * sin(alpha)/rho, rho^2 = 1 - gap: f' - 1 = rho (e^-pull - 1) -
 * gap/(1 + rho). */
static double fallen_of_one(
    const jump_line *line, size_t at, double s2, double turn)
{
    double mass[BLOCK], gap[BLOCK], rho[BLOCK], fall[BLOCK], sum = 0;
    size_t n = block_from(line, at);
    turn_block(mass, gap, rho, fall, line->base + at, line->loss + at,
        line->ratio + at, n, s2, turn, 8 * jump_ratio_error(line));
    expm1_all(fall, n);
    exp_all(mass, n);
    for (size_t i = 0; i < n; i++)
        sum += mass[i] * (rho[i] * fall[i] - gap[i] / (1 + rho[i]));
    return sum;
}

/* The same of several records, g = phi A B^-t in place of P: log rho_A <=
 * -s2 V/2, |B|^-t grows by at most 4 V lift, and arguments are at least
 * sin(alpha) times the means. mass receives the sum of g. */
static double fallen_of_many(double *mass, const jump_line *line, size_t at,
    double t, double s2, double turn, double lift)
{
    double g[BLOCK], fall[BLOCK], sum = 0;
    double off = 16 * jump_ratio_error(line);
    size_t n = block_from(line, at);
    for (size_t i = 0; i < n; i++) {
        double m = line->ratio[at + i];
        double less = s2 * line->var_a[at + i] / 2 + turn * m;
        fall[i] = lift * jump_four_var(line->part, line->mean_b[at + i]) -
                  less + off * (less + s2 * m);
        g[i] = line->base[at + i] + line->loss[at + i] +
               (1 - t) * line->log_b[at + i];
    }
    expm1_all(fall, n);
    exp_all(g, n);
    for (size_t i = 0; i < n; i++) {
        sum += g[i] * fmin(fall[i], 0);
        *mass += g[i];
    }
    return sum;
}

/* phi A B^-t beyond the nodes: to the left A B^-t rises and phi integrates to
 * less than phi/|x|, to the right B^-t <= (1-q)^(-bt) and P has less than
 * Phi(a mu - x). Infinite where these are no tails. */
static double mass_outside(const jump_line *line, double t)
{
    const jump_part *part = line->part;
    double x = jump_line_x(line, 0), end = jump_line_x(line, line->n - 1);
    double moved = end - part->removed * part->mu;
    if (!(x < -1 && moved > 1))
        return HUGE_VAL;
    double left = line->base[0] + line->loss[0] + (1 - t) * line->log_b[0];
    double right = -moved * moved / 2 - LOG_ROOT -
                   t * part->added * log1p(-part->q);
    return (exp(left) / (line->h * -x) + exp(right) / moved) * (1 + SAFE) *
           (1 + 2 * jump_slack(line, t));
}

/* Heights for the rule of several records: more gain nothing. */
#define RULE_NATS 45

/* No cut: |f| <= e^(eta^2/2) rho e^(-u theta) =: e^(eta^2/2) f', f' <= 1, under
 * P, whose moments are 1. The rule errs by as much for 1 as for f', so that
 * E[f'] <= 1 + sum (f' - 1) + 2 rule over any of the nodes. The same holds for
 * several records where 4 V lift <= u sin(alpha) m, as V <= m; their mass is
 * what the nodes add up to, but for the rule and what is beyond them. */
jump_fall jump_log_fall(
    const jump_line *line, double t, double alpha, double u)
{
    const jump_part *part = line->part;
    double mu = part->mu, half = sin(alpha / 2), s2 = 4 * half * half;
    double turn = u * sin(alpha), sum = 0, mass = 1, most = 1, all = 0;
    double eta = fmin(2 * pi / line->h, (pi / 2 - alpha) / mu * (1 - 1e-9));
    jump_fall none = {0, 0};
    if (part->added > 0)
        eta = fmin(eta, RULE_NATS * line->h / (2 * pi));
    double rule = log(2) + eta * eta / 2 +
                  jump_log_lift(t, alpha + mu * eta) * part->added -
                  jump_log_expm1(2 * pi * eta / line->h) + SAFE;
    double lift = part->added > 0 ? jump_log_lift(t, alpha) : 0;
    if (!(alpha < 1.5 && rule < -1 && 4 * lift <= turn))
        return none;
    for (size_t at = 0; at < line->n; at += BLOCK)
        sum += part->split == NULL
                   ? fallen_of_one(line, at, s2, turn)
                   : fallen_of_many(&all, line, at, t, s2, turn, lift);
    if (part->added > 0) {
        double off = exp(rule) + jump_slack(line, t);
        mass = all * (1 - off);
        most = (all * (1 + off) + mass_outside(line, t)) * (1 + 2 * off);
    }
    sum = sum / most * (1 - jump_slack(line, t)) + 2 * exp(rule);
    double way = alpha / mu;
    double fall = way * way / 2 * (1 + 1e-9) + log1p(sum) * (1 - 1e-9);
    if (!(fall < 0 && mass > 0)) /* NaN, too */
        return none;
    return (jump_fall){fall, log(mass) - SAFE};
}

/* w^t >= (1-q)^(at) B^-t, so that S less as much phi A B^-t s_c is positive; of
 * the latter |N| is known, and of the mark that B^-t <= (1-q)^(-bt). */
double jump_log_decayed(const jump_part *part, double marked, double t,
    double log_s, jump_fall fall)
{
    double l = log1p(-part->q);
    marked *= exp(-t * part->added * l * (1 + 1e-9));
    double gain = exp(t * part->removed * l * (1 + 1e-9) - log_s) *
                  (-exp(fall.log_mass) * expm1(fall.log_fall) -
                      2 * marked) * (1 - 1e-9);
    return gain > 0 ? log_s + log1p(-gain) * (1 - 1e-9) : log_s;
}

/* ---- Losses far below -------------------------------------------------- */

PHASE_WIDE static void errors_of_one(double *restrict out,
    const double *restrict ratio, int n, double first, double h, double mu)
{
    for (int i = 0; i < n; i++)
        out[i] = 0x1p-49 * ratio[i] *
                 (mu * fabs((first + i) * h) + mu * mu + 4);
}

void jump_loss_errors(
    double *out, const jump_line *line, size_t at, size_t n)
{
    const jump_part *part = line->part;
    double mu = part->mu, records = part->removed + part->added;
    if (part->split == NULL) {
        errors_of_one(out, line->ratio + at, (int)n,
            line->first + (double)at, line->h, mu);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double x = jump_line_x(line, at + i);
        double size = mu * fabs(x) + records * (mu * mu + 1) + 4 +
                      fabs(log(part->q));
        out[i] = 0x1p-46 *
                 (line->ratio[at + i] * size - records * log1p(-part->q));
    }
}

/* w^-s - 1 + s (w - 1) >= 0 from above, at a loss that errs by off, by a =
 * w^-s - 1 and b = s (w - 1): its slope in the loss is s (w - w^-s). */
static double convex_part(double l, double s, double off, double a, double b)
{
    double round = fabs(a) + fabs(b) + s * fabs(l) * (1 + fabs(a));
    return a + b + 0x1p-48 * round +
           fabs(b - s * a) * (off + 0x1p-48 * fabs(l));
}

/* The greater one; no number where one of them is none. */
static double greater(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* That part and phi B h, at nodes of a block. */
static void convex_parts(double *part, double *mass, const jump_line *line,
    size_t at, double s)
{
    double lost[BLOCK], gain[BLOCK], off[BLOCK];
    size_t n = block_from(line, at);
    jump_loss_errors(off, line, at, n);
    for (size_t i = 0; i < n; i++) {
        lost[i] = -s * line->loss[at + i];
        gain[i] = line->loss[at + i];
        mass[i] = line->base[at + i];
        if (line->log_b != NULL)
            mass[i] += line->log_b[at + i];
    }
    expm1_all(lost, n);
    expm1_all(gain, n);
    exp_all(mass, n);
    for (size_t i = 0; i < n; i++)
        part[i] = convex_part(line->loss[at + i], s,
            off[i], lost[i], s * gain[i]);
}

/* phi B on a cell: phi has its greatest value at an end, B falls. */
static double most_mass(
    const jump_line *line, size_t i, double mass, double before)
{
    if (line->part->added > 0)
        mass *= exp(line->log_b[i - 1] - line->log_b[i]);
    return greater(mass, before);
}

/* >= 1 - Phi(x), which is at most phi(x)/x. */
static double normal_beyond(double x)
{
    return x > 1 ? exp(-x * x / 2 - LOG_ROOT) / x : 1;
}

/* >= (P - Q)[x > end], but for rounding. P is a mixture of shifts by i mu, of
 * weights Bin(i; a, q) <= C(a, i) q^i, which are 1 - (1-q)^a in all but for
 * i = 0. Of those who are not sampled P has (1-q)^a, Q (1-q)^b: the difference
 * is at most 1 - (1-q)^(b-a), and no more than 0 for b <= a. */
static double gain_beyond(const jump_part *p, double end)
{
    double chance = 1, sum = 0, keep = log1p(-p->q);
    for (double i = 1; i <= p->removed; i++) {
        chance *= p->q * (p->removed - i + 1) / i;
        sum += chance * normal_beyond(end - i * p->mu);
    }
    double more = fmax(-expm1((p->added - p->removed) * keep), 0);
    return fmin(sum, -expm1(p->removed * keep)) + more * normal_beyond(end);
}

/* E[w^-s] = 1 + E[w^-s - 1 + s (w - 1)], since E[w] = 1; the integrand is
 * convex in w and least at w = 1, so that its ends bound it on a cell. To the
 * right of all, it is below s (w - 1), whose integral is at most s (P - Q)[x >
 * end]; to the left w is at least (1 - q)^a, unless records are added:
 * then what is left of the first node x_0 is not counted, and 1 is still
 * enough, since Q[x >= x_0] - s (P - Q)[x >= x_0] <= 1. */
double jump_log_moment(const jump_line *line, double a)
{
    double s = a - 1, sum = 0, part[BLOCK], mass[BLOCK];
    double before = 0, mass_before = 0;
    const jump_part *p = line->part;
    size_t last = line->n - 1;
    while (last > 0 && line->loss[last] > MOST_LOSS)
        last--;
    for (size_t at = 0; at <= last; at += BLOCK) {
        size_t n = block_from(line, at);
        convex_parts(part, mass, line, at, s);
        for (size_t i = 0; i < n && at + i <= last; i++) {
            if (at + i > 0)
                sum += most_mass(line, at + i, mass[i], mass_before) *
                       greater(part[i], before);
            before = part[i];
            mass_before = mass[i];
        }
    }
    double x = jump_line_x(line, 0), end = jump_line_x(line, last);
    if (!(x < -1))
        return HUGE_VAL;
    double left = 0, right = s * gain_beyond(p, end);
    if (!(p->added > 0))
        left = convex_part(p->keep, s, 0, expm1(-s * p->keep),
                   s * expm1(p->keep)) *
               exp(-x * x / 2 - LOG_ROOT) / -x;
    return log1p((sum + left + right) *
               (1 + SAFE + jump_slack(line, a) + 0x1p-40)) * (1 + SAFE);
}

/* log of 1 - s_c, z deviations left of the cut, a whole number of steps. */
static double log_mark(double z)
{
    double steps = z * NORMAL_STEPS;
    if (steps > NORMAL_LAST)
        return -z * z / 2 - log(2);
    return steps >= 0 ? log(normal_steps[(size_t)(steps + 0.5)].hi) : 0;
}

/* w^(1-a) falls, 1 - s_c rises. Left of all cells, and of those more than
 * MARK_REACH left of the cut, the mark is at most e^(-z^2/2); right of the
 * last node phi integrates to at most phi/x. */
double jump_log_marked(const jump_line *line, double cut, double a)
{
    double at = cut * line->per - line->first;
    double start = floor(at) - MARK_REACH * line->per, top = -HUGE_VAL;
    size_t last = line->n - 1, from = start > 0 ? (size_t)start : 0;
    bool is_added = line->part->added > 0;
    double sum = DBL_MIN;
    for (size_t i = from; i < last; i++) {
        double z = (at - (double)(i + 1)) / line->per;
        double e = fmax(line->base[i], line->base[i + 1]) +
                   (1 - a) * line->loss[i] + log_mark(z);
        if (is_added)
            e += line->log_b[i];
        if (e > top) {
            sum *= exp(top - e);
            top = e;
        }
        sum += exp(e - top);
    }
    double end = jump_line_x(line, last), far = HUGE_VAL;
    if (end > 1)
        far = -end * end / 2 - LOG_ROOT - log(end) +
              (1 - a) * line->loss[last];
    double z = fmin(at / line->per, MARK_REACH);
    double low = (1 - a) * (is_added ? line->loss[0] : line->part->keep) +
                 (is_added ? line->log_b[0] : 0) - (z > 0 ? z * z / 2 : 0);
    return jump_log_add(jump_log_add(top + log(sum), far), low) + SAFE +
           2 * jump_slack(line, a);
}
