/*
 * What sums over the nodes of a class leave out: the trapezoid rule's error,
 * and what lies beyond the range. In doubles that are rounded
 * to the safe side by jump_slack and by what is added to logarithms.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "num/exp_sums.h"
#include "num/phase_sums.h"
#include "spectral_jumps_strip.h"

static const double pi = 3.14159265358979323846;

#define LOG_ROOT 0.91893853320467274178 /* log(2 pi)/2 */
#define REAL_HEIGHT 3.5 /* of strips, in taus */
#define FINE_SLACK 1e-6
#define FAINT 0x1p-72 /* share of a sum that its error is not asked for */
#define GOOD_RULE 40 /* nats below what it is the rule of */

/* ---- Edges of the strip ------------------------------------------------ */

static double height_of(const jump_strip *s, double ratio)
{
    return ratio > s->r0 ? s->eta0 * s->r0 / ratio : s->eta0;
}

double jump_log_period(const jump_line *line, double eta)
{
    return jump_log_expm1(2 * pi * eta / line->h);
}

static inline double turn_of_one(double ratio, double beta)
{
    double rest = 1 - ratio * beta * beta / 2;
    double turn = ratio * beta / (rest > 0x1p-20 ? rest : 0x1p-20);
    return (turn < beta ? turn : beta) * (1 + 1e-9);
}

/* An upper bound of arg w(y + i beta), 0 <= beta <= pi/2, rising with r and
 * beta: its tangent is r sin(beta)/(1 - r + r cos(beta)), and cos(beta) >=
 * 1 - beta^2/2. Of several records both arguments are at most 2 tan(beta/2)
 * times their means, and beta times their numbers. */
static double turn_upper(const jump_part *part, double ratio, double beta)
{
    if (part->split != NULL)
        return fmin(2 * tan(beta / 2) * ratio,
            (part->removed + part->added) * beta) * (1 + 1e-9);
    return turn_of_one(ratio, beta);
}

/* log of w^p e^(outer theta) and all that depends on the edge, between two
 * points of losses and ratios that rise: each factor at its worse end. The
 * edge is longer than its shadow by at most sqrt(1 + (pi/2)^2) < e^0.63, and
 * there are two of them, of which one has e^(-u theta) <= 1. */
static double log_lifted(const jump_line *line, const jump_strip *s,
    double left, double right, double l)
{
    double high = height_of(s, left), low = height_of(s, right);
    double beta = fmin(line->part->mu * high, pi / 2);
    double turn = turn_upper(line->part, right, beta);
    if (line->part->split != NULL && right > s->r0) /* the edge is lower */
        turn = fmin(turn, turn_upper(line->part, s->r0,
                              fmin(line->part->mu * s->eta0, pi / 2)));
    return s->p * l + s->outer * turn + jump_log_growth(line->part, high) -
           jump_log_period(line, low) + 1.33;
}

/* By how much |B|^-t may grow within the strip, over 4 V. */
static double lift_of(const jump_line *line, const jump_strip *s)
{
    if (!(line->part->added > 0))
        return 0;
    return jump_log_lift(s->p - 1, s->turned + line->part->mu * s->eta0);
}

/* Where growth less period is least, up to a height in y: -log cos(b/2) is
 * about b^2/8. */
static double best_height(const jump_line *line, double p, double most)
{
    const jump_part *part = line->part;
    double curve = 1 + 1 / (part->tau * part->tau);
    if (part->added > 0) /* roughly, at 0 */
        curve += fmax(p - 1, 0) * part->added * part->q * part->mu *
                 part->mu;
    return fmin(2 * pi / (line->h * curve), most / part->mu);
}

/* ---- Beyond the range -------------------------------------------------- */

/* Slopes of the loss between two points: that of A rises, that of B falls. */
static double least_ratio(
    const jump_part *part, const jump_point *a, const jump_point *b)
{
    return part->added > 0 ? a->ratio - a->mean_b + b->mean_b : a->ratio;
}

static double most_ratio(
    const jump_part *part, const jump_point *a, const jump_point *b)
{
    return part->added > 0 ? b->ratio - b->mean_b + a->mean_b : b->ratio;
}

/* The cut at c ends at X, where its last node is, and strips around the nodes
 * end half a step beyond. What is on the side of a strip, and between: log of
 * eta + h, more than all that counts for, times phi w^p s_c e^(outer theta) at
 * its greatest, s_c <= e^(-z^2/2)/2. */
static double log_side(
    const jump_line *line, const jump_strip *s, double cut)
{
    const jump_part *part = line->part;
    double x = (cut + JUMP_REACH) * part->tau, beyond = x + line->h / 2;
    double positive = fmax(x, 0);
    jump_point end = jump_point_at(part, beyond), at = jump_point_at(part, x);
    double eta = height_of(s, least_ratio(part, &at, &end) * (1 - 1e-8));
    double beta = fmin(part->mu * eta, pi / 2);
    double ratio = most_ratio(part, &at, &end) * (1 + 1e-8);
    return log(eta + line->h) - LOG_ROOT - positive * positive / 2 -
           JUMP_REACH * JUMP_REACH / 2 - log(2) +
           jump_log_growth(part, eta) + s->p * end.loss + at.log_b +
           lift_of(line, s) * jump_four_var(part, at.mean_b) +
           s->outer * turn_upper(part, ratio, beta) + JUMP_SAFE;
}

static double log_sides(const jump_law *own, const jump_strip *s)
{
    double side = log_side(&own->line, s, own->cut);
    return own->is_jump
               ? jump_log_add(side, log_side(&own->line, s, own->low))
               : side;
}

/* Left of the nodes w and theta rise, and so does A^(t+1) B^-t. Of S phi
 * integrates to Phi(x) <= phi(x)/|x|. Of W, s_b - s_a <= e^(-z^2/2)/2; either
 * phi integrates to less than 1, of which nodes make at most 2, or the
 * logarithm of the product has a slope of at least z/tau - x. Nodes of what
 * rises add up to no more than its integral. Where records are added, theta
 * does not rise: it is at most the turn times their number. */
static double log_left(
    const jump_law *own, const jump_strip *s, double x)
{
    const jump_line *line = &own->line;
    double mass = HUGE_VAL;
    double log_phi = -LOG_ROOT - x * x / 2;
    if (own->is_jump) {
        double z = own->low - x / line->part->tau;
        double slope = z / line->part->tau - x;
        mass = -z * z / 2;
        if (slope > 0)
            mass = fmin(mass, mass + log_phi - log(2 * slope));
    } else if (x < -1) {
        mass = log_phi - log(-x);
    }
    const jump_part *part = line->part;
    jump_point end = jump_point_at(part, x);
    double grown = s->p * end.loss;
    if (s->eta0 > 0) {
        double most = part->added > 0 ? part->removed + part->added
                                      : fmin(end.ratio * (1 + 1e-9),
                                            part->removed);
        grown = log_lifted(line, s, 0, most, end.loss);
    }
    return mass + grown + end.log_b +
           jump_most_lift(
               part, s->p - 1, lift_of(line, s), end.mean_b) +
           JUMP_SAFE;
}

/* Cells left of the nodes of S, where phi is next to nothing, but theta may be
 * large where records are added. */

static double log_far_left(const jump_law *own, const jump_strip *s)
{
    const jump_line *line = &own->line;
    const jump_part *part = line->part;
    double x = jump_line_x(line, 0), sum = -HUGE_VAL;
    double lift = lift_of(line, s);
    jump_point right = jump_point_at(part, x);
    for (; x > -JUMP_LEFT_END; x -= JUMP_LEFT_CELL) {
        jump_point left = jump_point_at(part, x - JUMP_LEFT_CELL);
        double e = log_lifted(line, s, least_ratio(part, &left, &right),
                       most_ratio(part, &left, &right) * (1 + 1e-8),
                       right.loss) +
                   right.log_b + lift * jump_four_var(part, left.mean_b);
        sum = jump_log_add(
            sum, e + log(JUMP_LEFT_CELL) - LOG_ROOT - x * x / 2 + JUMP_SAFE);
        right = left;
    }
    return jump_log_add(sum, log_left(own, s, x));
}

/* High enough, but not so that sides matter. */
jump_strip jump_upright(const jump_line *line, double p, double most)
{
    double eta = fmin(
        best_height(line, p, most), REAL_HEIGHT * line->part->tau);
    return (jump_strip){p, 0, eta, HUGE_VAL, 0};
}

double jump_strip_rest(const jump_law *own, const jump_strip *s)
{
    const jump_line *line = &own->line;
    jump_strip real = {s->p, 0, 0, HUGE_VAL, 0};
    double turn = s->turned + line->part->mu * s->eta0;
    double left = line->part->added > 0
                      ? jump_log_left(own, s->p - 1, turn)
                      : log_left(own, &real, jump_line_x(line, 0));
    return jump_log_add(left + jump_log_growth(line->part, s->eta0),
               log_sides(own, s)) + jump_slack(line, s->p - 1);
}

double jump_log_rest(const jump_law *own, double v, double eta)
{
    return jump_strip_rest(own, &(jump_strip){v + 1, 0, eta, HUGE_VAL, 0});
}

double jump_strip_rule(
    const jump_law *own, const jump_strip *s, double log_m)
{
    const jump_line *line = &own->line;
    double turn = s->turned + line->part->mu * s->eta0;
    if (line->part->added > 0)
        log_m = jump_log_lifted(own, s->p - 1, turn);
    return log(2) + jump_log_growth(line->part, s->eta0) -
           jump_log_period(line, s->eta0) + log_m + JUMP_SAFE;
}

/* Nodes or cells that are summed at once. */
#define BLOCK 64

/* What jump_log_sum errs by: where p is great and losses are small, the mean of
 * what its terms err by is far less than jump_slack, their greatest. */
static double sum_slack(const jump_law *own, double v, double log_sum)
{
    const jump_line *line = &own->line;
    double whole = jump_slack(line, v), p = v + 1, sum = 0, most = 0;
    if (!(whole * line->part->count > FINE_SLACK)) /* of all runs */
        return whole;
    for (size_t at = 0; at < line->n; at += BLOCK) {
        size_t rest = line->n - at, n = rest < BLOCK ? rest : BLOCK;
        double e[BLOCK], of_loss[BLOCK];
        for (size_t i = 0; i < n; i++)
            e[i] = line->height[at + i] + p * line->loss[at + i] - log_sum;
        exp_all(e, n);
        jump_loss_errors(of_loss, line, at, n);
        for (size_t i = 0; i < n; i++) {
            double off =
                p * (of_loss[i] + 0x1p-48 * fabs(line->loss[at + i]));
            sum += e[i] * off;
            most = e[i] < FAINT || off < most ? most : off;
        }
    }
    bool is_better = most < 0.1 && sum < whole; /* not NaN */
    return is_better ? jump_slack(line, 0) + 1.2 * sum : whole;
}

/* By heights, from a first one on, until the rule is good. */
static double upper_of_added(const jump_law *own, double v, double log_sum)
{
    jump_strip s = jump_upright(&own->line, v + 1, 3.1);
    double rule = jump_strip_rule(own, &s, 0);
    for (int i = 0; i < 3 && !(rule < log_sum - GOOD_RULE); i++) {
        jump_strip lower = s;
        lower.eta0 /= 2;
        double other = jump_strip_rule(own, &lower, 0);
        if (!(other < rule))
            break;
        s = lower;
        rule = other;
    }
    return jump_log_add(jump_log_add(log_sum, jump_strip_rest(own, &s)), rule);
}

double jump_log_upper(const jump_law *own, double v)
{
    const jump_line *line = &own->line;
    double mean, sum = jump_log_sum(&mean, own, v);
    if (line->part->added > 0)
        return upper_of_added(own, v, sum) + sum_slack(own, v, sum);
    jump_strip s = jump_upright(line, v + 1, 3.1);
    double rule = jump_strip_rule(own, &s, 0);
    /* M <= (sum + rest)/(1 - rule) */
    double more = rule < -1 ? -log1p(-exp(rule)) : HUGE_VAL;
    return jump_log_add(sum, jump_strip_rest(own, &s)) + more +
           sum_slack(own, v, sum);
}

/* ---- The rule up to u = outer ------------------------------------------ */

/* s_a falls; s_b - s_a rises up to the middle of the cuts and then falls. */
double jump_log_most(const jump_law *own, size_t i)
{
    const jump_line *line = &own->line;
    double middle =
        (own->low + own->cut) / 2 * line->per - line->first;
    if (!own->is_jump)
        return line->more[i];
    if ((double)i < middle && (double)(i + 1) > middle)
        return 0;
    return fmax(line->more[i], line->more[i + 1]);
}

/* Sums of exponentials: e^top sum. */
typedef struct edge_sum {
    double top, sum;
} edge_sum;

static void add_edges(edge_sum *s, double *e, size_t n)
{
    double top = s->top;
    for (size_t i = 0; i < n; i++)
        top = e[i] > top || isnan(e[i]) ? e[i] : top;
    s->sum *= exp(s->top - top);
    s->top = top;
    for (size_t i = 0; i < n; i++)
        e[i] -= top;
    exp_all(e, n);
    for (size_t i = 0; i < n; i++)
        s->sum += e[i];
}

/* What is the same for all cells up to r0. */
typedef struct low_edge {
    double p, outer, beta;
    double base; /* but for w^p and the turn */
    double lift;
} low_edge;

/* Cells of S below r0, of one record: base, cut, loss and ratio at their
 * ends. */
PHASE_WIDE static void low_cells(double *restrict e, size_t n,
    const double *restrict base, const double *restrict cut,
    const double *restrict losses, const double *restrict ratio,
    const low_edge *restrict k)
{
    for (size_t i = 0; i < n; i++) {
        double top = base[i] > base[i + 1] ? base[i] : base[i + 1];
        e[i] = top + cut[i] +
               (k->base + k->p * losses[i + 1] +
                   k->outer * turn_of_one(ratio[i + 1], k->beta));
    }
}

/* Any cell. */
static double log_cell(const jump_law *own, const jump_strip *s,
    const low_edge *k, size_t i)
{
    const jump_line *line = &own->line;
    bool is_added = line->part->added > 0;
    double last = line->ratio[i], next = line->ratio[i + 1];
    double l = line->loss[i + 1];
    if (is_added) { /* the slope of B falls */
        double fall = line->mean_b[i] - line->mean_b[i + 1];
        last -= fall;
        next += fall;
    }
    double lifted = next > s->r0
                        ? log_lifted(line, s, last, next, l)
                        : k->base + s->p * l +
                              s->outer * turn_upper(line->part, next, k->beta);
    double e = fmax(line->base[i], line->base[i + 1]) +
               jump_log_most(own, i) + lifted;
    if (is_added)
        e += line->log_b[i] +
             k->lift * jump_four_var(line->part, line->mean_b[i]);
    return e;
}

/* Cells from one on; ratios of one record rise. */
static void some_cells(double *e, const jump_law *own, const jump_strip *s,
    const low_edge *k, size_t at, size_t n)
{
    const jump_line *line = &own->line;
    size_t n_low = 0;
    if (line->part->split == NULL && !own->is_jump) {
        low_cells(e, n, line->base + at, line->more + at, line->loss + at,
            line->ratio + at, k);
        n_low = n;
        while (n_low > 0 && !(line->ratio[at + n_low] <= s->r0))
            n_low--;
    }
    for (size_t i = n_low; i < n; i++)
        e[i] = log_cell(own, s, k, at + i);
}

/* log of the integral over both edges; 0 is a node. */
static double log_edges(const jump_law *own, const jump_strip *s)
{
    const jump_line *line = &own->line;
    edge_sum all = {-HUGE_VAL, 0};
    bool is_added = line->part->added > 0;
    low_edge low = {s->p, s->outer,
        fmin(line->part->mu * s->eta0, pi / 2),
        log_lifted(line, s, 0, 0, 0), lift_of(line, s)};
    for (size_t at = 0; at + 1 < line->n; at += BLOCK) {
        size_t rest = line->n - 1 - at, n = rest < BLOCK ? rest : BLOCK;
        double e[BLOCK];
        some_cells(e, own, s, &low, at, n);
        add_edges(&all, e, n);
    }
    double inner = all.top + log(all.sum) + jump_slack(line, s->p) +
                   JUMP_SAFE + 1e-9 * s->outer * s->eta0 * line->part->mu;
    bool is_far = is_added && !own->is_jump;
    double left = is_far ? log_far_left(own, s)
                         : log_left(own, s, jump_line_x(line, 0));
    double rest = jump_log_add(left, log_sides(own, s));
    return jump_log_add(inner, rest + jump_slack(line, s->p));
}

/* Heights of the strip that are tried, as shares of the best one. */
static const double shares[] = {1, 0.6, 0.36, 0.2, 0.1, 0.05, 0.025};

static jump_strip strip_of(
    const jump_line *line, double t, double outer, size_t share)
{
    double best = best_height(line, t + 1, pi / 2);
    double r0 = pi / (line->h * line->part->mu * outer);
    r0 = fmin(r0, line->part->removed + line->part->added);
    return (jump_strip){t + 1, outer, best * shares[share], r0, 0};
}

static size_t n_shares(const jump_part *part)
{
    return part->added > 0 ? 7 : 4;
}

double jump_log_error(
    const jump_law *own, double t, double outer, double enough)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < n_shares(own->line.part) && !(least < enough);
        i++) {
        jump_strip s = strip_of(&own->line, t, outer, i);
        least = fmin(least, log_edges(own, &s));
    }
    return jump_log_add(least, jump_log_rest(own, t, 0));
}

/* Every few cells, and nats by which all exceed the greatest. */
#define LOOK 4
#define MORE 1.5

bool jump_rules_out(const jump_law *below, double t, double outer, int per,
    double gap, double enough)
{
    const jump_line *line = &below->line;
    jump_line finer = *line;
    finer.h = line->part->tau / per;
    double more = log((double)line->per / per) + MORE;
    size_t moved = (size_t)(gap * line->per);
    if (line->part->split != NULL)
        return false;
    for (size_t j = 0; j < n_shares(line->part); j++) {
        jump_strip s = strip_of(&finer, t, outer, j);
        double most = -HUGE_VAL;
        for (size_t i = 0; i + moved < line->n && !(most > enough);
            i += LOOK)
            most = fmax(most, line->base[i] + line->more[i + moved] +
                                  log_lifted(&finer, &s, line->ratio[i],
                                      line->ratio[i], line->loss[i]) +
                                  more);
        if (!(most > enough))
            return false;
    }
    return true;
}
