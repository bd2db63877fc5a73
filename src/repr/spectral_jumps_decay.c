/*
 * How W and S decay, on lines that are turned to the side where e^{iuZ} does.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_jumps_strip.h"

static const double pi = 3.14159265358979323846;

/* A line that is turned by alpha, for all u from outer on. */
typedef struct jump_turn {
    double p, s2; /* 4 sin^2(alpha/2) */
    double pull;  /* outer sin(alpha) */
    double lift;  /* of |B|^-t, over 4 V */
    double off;   /* of ratios */
} jump_turn;

/* log of rho^p e^(-u theta) at a node, from above: rho^2 = 1 - gap, theta >=
 * sin theta = r sin(alpha)/rho. Of several records log rho_A <= -s2 V/2, and
 * the arguments are at least sin(alpha) times their means. */
static double log_turned(const jump_line *line, size_t i, const jump_turn *s)
{
    double r = line->ratio[i], gap = s->s2 * r * (1 - r);
    if (line->part->split != NULL) {
        double less = s->p * s->s2 * line->var_a[i] / 2 + s->pull * r;
        return -less + 8 * s->off * (less + s->p * s->s2 * r) +
               s->lift * jump_four_var(line->part, line->mean_b[i]);
    }
    double log_rho = log1p(-gap) / 2, pull = s->pull * r / sqrt(1 - gap);
    return s->p * log_rho - pull +
           8 * s->off * (fabs(s->p * log_rho) + pull) +
           4 * s->off * s->p * s->s2 / (1 - gap);
}

/* log of |s_c| at the height eta over s_c: s_c and 1 - s_c grow by e^(eta^2/(2
 * tau^2)) at most, and one of them is next to nothing but near the cut. */
static double log_cut_growth(const jump_law *own, size_t i, double eta)
{
    double tau = own->line.part->tau, most = eta * eta / (2 * tau * tau);
    double rest = jump_log_mark(own, i) + most;
    return fmin(most, jump_log_add(0, rest) - own->line.more[i]);
}

/* On a line moved by eta: its rule has the real line and that of twice the
 * height as edges. */
static double log_below_at(
    const jump_law *own, double t, double outer, double eta, double whole)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    double alpha = part->mu * eta, half = sin(alpha / 2), sum = 0, mean;
    jump_turn turn = {t + 1, 4 * half * half, outer * sin(alpha),
        jump_log_lift(t, alpha), jump_ratio_error(line)};
    double top = jump_log_sum(&mean, own, t);
    if (!(2 * alpha < 3))
        return HUGE_VAL;
    for (size_t i = 0; i < line->n; i++) {
        double e = line->height[i] + turn.p * line->loss[i] - top;
        sum += exp(e + log_turned(line, i, &turn) +
                   log_cut_growth(own, i, eta));
    }
    double edge = part->added > 0 ? jump_log_lifted(own, t, 2 * alpha)
                                  : whole;
    double rule = jump_log_add(whole,
                      edge + jump_log_growth(part, 2 * eta)) -
                  jump_log_period(line, eta) + JUMP_SAFE;
    double inner = top + log(sum) + eta * eta / 2 * (1 + 1e-9) +
                   jump_slack(line, t);
    return jump_log_add(
        inner, jump_log_add(rule, jump_log_rest(own, t, 2 * eta)));
}

double jump_log_below(const jump_law *own, double t, double outer)
{
    static const double heights[] = {0.5, 1, 1.5, 2, 2.5, 3};
    double whole = jump_log_upper(own, t), least = whole;
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        least = fmin(least, log_below_at(own, t, outer,
                                heights[i] * own->line.part->tau, whole));
    return least;
}

double jump_log_decay(
    const jump_law *own, double t, double alpha, double outer)
{
    const jump_line *line = &own->line;
    double half = sin(alpha / 2), sum = 0, mean;
    jump_turn turn = {t + 1, 4 * half * half, outer * sin(alpha),
        jump_log_lift(t, alpha), jump_ratio_error(line)};
    double top = jump_log_sum(&mean, own, t);
    double growth = jump_log_growth(line->part, alpha / line->part->mu);
    jump_strip strip = jump_upright(line, turn.p, pi / 2 - alpha);
    strip.turned = alpha;
    double whole = jump_log_upper(own, t);
    double rule = jump_strip_rule(own, &strip, whole);
    if (!(alpha < 1.5 && rule < whole - 1))
        return HUGE_VAL;
    for (size_t i = 0; i < line->n; i++) {
        double e = line->height[i] + turn.p * line->loss[i] - top;
        double turned = log_turned(line, i, &turn);
        if (e + fmax(turned, 0) >= -120)
            sum += exp(e + turned);
    }
    /* of each node that was passed over */
    sum += (double)line->n * exp(-120);
    /* of the rule for these moduli, and the way up to the turned line */
    double rest = jump_log_add(jump_strip_rest(own, &strip), rule);
    double inner = growth + jump_log_add(top + log(sum), rest);
    return jump_log_add(inner,
               jump_log_rest(own, t, alpha / line->part->mu)) + JUMP_SAFE +
           jump_slack(line, t);
}
