/*
 * How W and S decay, on lines that are turned to the side where e^{iuZ} does.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "num/exp_sums.h"
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
static double turned_of_one(
    double r, double gap, double log_rho, const jump_turn *s)
{
    double pull = s->pull * r / sqrt(1 - gap);
    return s->p * log_rho - pull +
           8 * s->off * (fabs(s->p * log_rho) + pull) +
           4 * s->off * s->p * s->s2 / (1 - gap);
}

static double turned_of_many(
    const jump_line *line, size_t i, const jump_turn *s)
{
    double r = line->ratio[i];
    double less = s->p * s->s2 * line->var_a[i] / 2 + s->pull * r;
    return -less + 8 * s->off * (less + s->p * s->s2 * r) +
           s->lift * jump_four_var(line->part, line->mean_b[i]);
}

/* Nodes whose logarithms are made at once. */
#define BLOCK 64

/* log of |s_c| at the height eta over s_c: s_c and 1 - s_c grow by e^(eta^2/(2
 * tau^2)) at most, and one of them is next to nothing but near the cut. Of the
 * nodes of a block. */
static void log_cut_growth(
    double *growth, const jump_law *own, size_t at, size_t n, double eta)
{
    const jump_line *line = &own->line;
    double tau = line->part->tau, most = eta * eta / (2 * tau * tau);
    double factor = exp(most);
    for (size_t i = 0; i < n; i++)
        growth[i] = factor * jump_mark(own, at + i);
    log1p_all(growth, n);
    for (size_t i = 0; i < n; i++)
        growth[i] = fmin(most, growth[i] - line->more[at + i]);
}

/* log of rho^p e^(-u theta), likewise. */
static void log_turned(double *turned, const jump_line *line, size_t at,
    size_t n, const jump_turn *s)
{
    double gap[BLOCK], log_rho2[BLOCK];
    if (line->part->split != NULL) {
        for (size_t i = 0; i < n; i++)
            turned[i] = turned_of_many(line, at + i, s);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double r = line->ratio[at + i];
        gap[i] = s->s2 * r * (1 - r);
        log_rho2[i] = -gap[i];
    }
    log1p_all(log_rho2, n);
    for (size_t i = 0; i < n; i++)
        turned[i] = turned_of_one(
            line->ratio[at + i], gap[i], log_rho2[i] / 2, s);
}

/* Sum of e^(height + p loss - top) of nodes that are turned, with cuts that
 * grow by as much as at the height eta. */
static double sum_turned(
    const jump_law *own, const jump_turn *turn, double eta, double top)
{
    const jump_line *line = &own->line;
    double sum = 0;
    for (size_t at = 0; at < line->n; at += BLOCK) {
        size_t rest = line->n - at, n = rest < BLOCK ? rest : BLOCK;
        double e[BLOCK], growth[BLOCK] = {0};
        if (eta > 0)
            log_cut_growth(growth, own, at, n, eta);
        log_turned(e, line, at, n, turn);
        for (size_t i = 0; i < n; i++)
            e[i] += growth[i] + line->height[at + i] +
                    turn->p * line->loss[at + i] - top;
        exp_all(e, n);
        for (size_t i = 0; i < n; i++)
            sum += e[i];
    }
    return sum;
}

/* On a line moved by eta: its rule has the real line and that of twice the
 * height as edges. */
static double log_below_at(
    const jump_law *own, double t, double outer, double eta, double whole)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    double alpha = part->mu * eta, half = sin(alpha / 2);
    jump_turn turn = {t + 1, 4 * half * half, outer * sin(alpha),
        jump_log_lift(t, alpha), jump_ratio_error(line)};
    double top = whole; /* about as large as the sum */
    if (!(2 * alpha < 3 && fabs(top) < HUGE_VAL))
        return HUGE_VAL;
    double sum = sum_turned(own, &turn, eta, top);
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
    double half = sin(alpha / 2), mean;
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
    double sum = sum_turned(own, &turn, 0, top);
    /* of the rule for these moduli, and the way up to the turned line */
    double rest = jump_log_add(jump_strip_rest(own, &strip), rule);
    double inner = growth + jump_log_add(top + log(sum), rest);
    return jump_log_add(inner,
               jump_log_rest(own, t, alpha / line->part->mu)) + JUMP_SAFE +
           jump_slack(line, t);
}
