/*
 * Nodes, cuts and sums of one part.
 */
#include "spectral_jumps_line.h"
#include "num/exp_sums.h"
#include "num/phase_sums.h"

#include <assert.h>
#include <stdlib.h>

#include "loss_split.h"
#include "num/special.h"

static_assert(NORMAL_LAST == 14 * NORMAL_STEPS, "cuts end with their table");

#define WHOLE_REACH 9

double jump_log_add(double a, double b)
{
    double top = fmax(a, b);
    if (isnan(a) || isnan(b))
        return HUGE_VAL;
    return fabs(top) < HUGE_VAL ? top + log1p(exp(-fabs(a - b))) : top;
}

double jump_log_expm1(double x)
{
    return x > 40 ? x : log(expm1(x));
}

jump_powers jump_powers_none(void)
{
    return (jump_powers){0, -HUGE_VAL};
}

/* log(1 + o) <= o. */
void jump_powers_add(
    jump_powers *p, double count, double log_s, double log_w)
{
    double odds = log_w - log_s, log_one_more = odds;
    if (odds > 600)
        log_one_more = log(odds);
    else if (odds > -30)
        log_one_more = log(log1p(exp(odds)));
    p->below += count * log_s;
    p->log_jumps = jump_log_add(p->log_jumps, log(count) + log_one_more);
}

/* e^x - 1 <= x e^x. */
double jump_powers_log(const jump_powers *p)
{
    double jumps = exp(p->log_jumps), more = p->log_jumps + jumps;
    if (jumps > 1e-9)
        more = jump_log_expm1(jumps * (1 + 1e-9));
    double size = fabs(p->below) + jumps + fabs(p->log_jumps);
    double most = p->below + more + 1e-9 +
                  0x1p-48 * (size < HUGE_VAL ? size : 0);
    return isnan(most) ? HUGE_VAL : most;
}

double jump_log_kernel(double s)
{
    return s > 0 ? s * log(s) - (s + 1) * log1p(s) : 0;
}

/* ---- Nodes ------------------------------------------------------------- */

double jump_line_x(const jump_line *line, size_t i)
{
    return (line->first + (double)i) * line->h;
}

/* Where many may be made at once: y, the least and the greatest. */
#define LEAST_Y (-690)
#define MOST_Y 300

PHASE_WIDE static void put_y(double *restrict a, double *restrict b, int n,
    double first, double h, double mu, double half)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] = mu * ((first + i) * h) - half;
}

PHASE_WIDE static void put_ratios(
    double *restrict losses, double *restrict ratio, int n, double q)
{
    for (int i = 0; i < n; i++) {
        losses[i] *= q;
        ratio[i] = q * ratio[i] / (1 + losses[i]);
    }
}

/* log(h phi(x)), and no cuts as yet. */
PHASE_WIDE static void put_base(double *restrict base, double *restrict more,
    double *restrict height, int n, double first, double h, double scale)
{
    for (int i = 0; i < n; i++) {
        double x = (first + i) * h;
        base[i] = height[i] = scale - x * x / 2;
        more[i] = 0;
    }
}

/* Losses and ratios of one record. Both err as their
 * doubles by the library would: e^y - 1 by 8 units, so that the loss errs by 16
 * of itself for q <= 1/2. */
static void put_many(jump_line *line)
{
    const jump_part *part = line->part;
    double mu = part->mu, q = part->q, half = mu * mu / 2;
    size_t n = line->n;
    put_y(line->loss, line->ratio, (int)n, line->first, line->h, mu, half);
    expm1_all(line->loss, n);
    exp_all(line->ratio, n);
    put_ratios(line->loss, line->ratio, (int)n, q);
    log1p_all(line->loss, n);
}

static void put_points(jump_line *line)
{
    const jump_part *part = line->part;
    double half = part->mu * part->mu / 2;
    double first = part->mu * jump_line_x(line, 0) - half;
    double last = part->mu * jump_line_x(line, line->n - 1) - half;
    if (part->split == NULL && part->q <= 0.5 && first > LEAST_Y &&
        last < MOST_Y) {
        put_many(line);
        return;
    }
    for (size_t i = 0; i < line->n; i++) {
        jump_point p = jump_point_at(part, jump_line_x(line, i));
        line->loss[i] = p.loss;
        line->ratio[i] = p.ratio;
        if (part->split == NULL)
            continue;
        line->log_b[i] = p.log_b;
        line->var_a[i] = p.var_a;
        line->mean_b[i] = p.mean_b;
    }
}

bool jump_line_lay(jump_line *line, const jump_part *part, int per,
    double from, double to)
{
    size_t n = (size_t)((to - from) * per) + 1;
    bool is_one = part->split == NULL;
    double *room = malloc((is_one ? 5 : 8) * n * sizeof *room);
    free(line->loss);
    *line = (jump_line){.part = part, .per = per, .h = part->tau / per,
        .first = from * per, .n = n, .loss = room};
    if (room == NULL)
        return false;
    line->ratio = room + n;
    line->base = room + 2 * n;
    line->more = room + 3 * n;
    line->height = room + 4 * n;
    if (!is_one) {
        line->log_b = room + 5 * n;
        line->var_a = room + 6 * n;
        line->mean_b = room + 7 * n;
    }
    put_points(line);
    double scale = log(line->h) - 0.91893853320467274178;
    put_base(line->base, line->more, line->height, (int)n, line->first,
        line->h, scale);
    for (size_t i = 0; i < n && !is_one; i++)
        line->height[i] += line->log_b[i];
    return true;
}

bool jump_lay_whole(
    jump_line *line, const jump_part *part, double from, double least)
{
    double end = part->removed * part->mu + WHOLE_REACH;
    double to = fmax(fmax(ceil(end / part->tau), from + 2), least);
    return jump_line_lay(line, part, 2, from, to);
}

void jump_line_free(jump_line *line)
{
    free(line->loss);
    line->loss = NULL;
}

/* ---- Cuts -------------------------------------------------------------- */

/* Phi(-k/NORMAL_STEPS), of any whole k. Far out, where the table ends, at most
 * e^(-z^2/2)/2. */
static inline ball step_at(double k)
{
    double size = fabs(k), rad;
    dd tail = {0, 0};
    if (k < -NORMAL_LAST) /* e^-98/2 */
        return ball_from((dd){1, 0}, 0x1p-142);
    if (size > NORMAL_LAST) {
        double z = size / NORMAL_STEPS;
        rad = exp(-z * z / 2) / 2 * (1 + 1e-9) + 0x1p-1060;
    } else {
        tail = normal_steps[(size_t)size];
        rad = tail.hi * 0x1p-105;
    }
    if (k >= 0)
        return ball_from(tail, rad);
    tail = dd_sub((dd){1, 0}, tail);
    return ball_from(tail, rad + tail.hi * BALL_UNIT);
}

double jump_steps_from(const jump_line *line, double cut, size_t i)
{
    double nodes = line->first + (double)i - cut * line->per;
    return nodes * NORMAL_STEPS / line->per;
}

double jump_log_growth(const jump_part *part, double eta)
{
    return eta * eta / 2 * (1 + 1 / (part->tau * part->tau));
}

/* Of two cuts the difference of the smaller tails. */
ball jump_share(const jump_law *own, size_t i)
{
    double b = jump_steps_from(&own->line, own->cut, i);
    if (!own->is_jump)
        return step_at(b);
    double a = jump_steps_from(&own->line, own->low, i);
    return a + b < 0 ? ball_sub(step_at(-a), step_at(-b))
                     : ball_sub(step_at(b), step_at(a));
}

/* E[1 - s_c] under N(m, 1) is Phi((m - c)/sqrt(1 + tau^2)), but for where the
 * cut has ended: there s_c <= e^-98, and 1 - s_c >= 1/2. */
static ball marked(const jump_part *part, double cut, ball mean)
{
    ball tau = ball_of(part->tau);
    ball root = ball_sqrt(ball_add_d(ball_sqr(tau), 1));
    ball distance = ball_sub(ball_mul_d(tau, cut), mean);
    ball whole = ball_normal_sf(ball_div(distance, root));
    return ball_widen(whole, 1e-42 * ball_upper(whole));
}

/* Of n records, each sampled with chance q, which move the mean by mu or
 * -mu. */
static ball marked_of(
    const jump_part *part, double cut, unsigned n, double sign)
{
    ball weight[LOSS_MAX_SPLIT + 1], sum = ball_of(0);
    loss_split_weights(weight, n, part->pair->rate);
    for (unsigned i = 0; i <= n; i++) {
        ball mean = ball_mul_d(part->pair->parameter, sign * i);
        sum = ball_add(sum, ball_mul(weight[i], marked(part, cut, mean)));
    }
    return sum;
}

ball jump_marked_q(const jump_part *part, double cut)
{
    return marked_of(part, cut, (unsigned)part->added, -1);
}

ball jump_marked_p(const jump_part *part, double cut)
{
    return marked_of(part, cut, (unsigned)part->removed, 1);
}

/* >= log Phi(-k/NORMAL_STEPS), k > NORMAL_LAST. */
static double log_far_step(double k)
{
    double z = k / NORMAL_STEPS;
    return -z * z / 2 - 0.69314718055994530942;
}

/* Phi(-k/NORMAL_STEPS) from the table, or 1 far left, or at most that far
 * right. */
static double rough_step(double k)
{
    double z = k / NORMAL_STEPS;
    if (k > NORMAL_LAST)
        return exp(-z * z / 2) / 2;
    if (k < -NORMAL_LAST)
        return 1;
    return k >= 0 ? normal_steps[(size_t)k].hi
                  : 1 - normal_steps[(size_t)-k].hi;
}

double jump_mark(const jump_law *own, size_t i)
{
    return rough_step(-jump_steps_from(&own->line, own->cut, i));
}

/* s_b - s_a by the smaller tails, which are less than alike: cuts are a tau
 * apart, or more. */
static double rough_between(double a, double b)
{
    return a + b < 0 ? rough_step(-a) - rough_step(-b)
                     : rough_step(b) - rough_step(a);
}

/* Logarithms in place of cuts, and heights with them. */
static void put_cuts(jump_line *line)
{
    log_all(line->more, line->n);
    for (size_t i = 0; i < line->n; i++)
        line->height[i] += line->more[i];
}

bool jump_lay_below(jump_law *out, const jump_part *part, int per,
    double from, double cut)
{
    jump_line *line = &out->line;
    out->is_jump = false;
    out->low = out->cut = cut;
    if (!jump_line_lay(line, part, per, from, fmax(cut, from) + JUMP_REACH))
        return false;
    for (size_t i = 0; i < line->n; i++)
        line->more[i] = rough_step(
            fmin(jump_steps_from(line, cut, i), NORMAL_LAST));
    put_cuts(line);
    for (size_t i = line->n; i-- > 0;) { /* beyond the table */
        double k = jump_steps_from(line, cut, i), less = -line->more[i];
        if (!(k > NORMAL_LAST))
            break;
        less += log_far_step(k);
        line->more[i] += less;
        line->height[i] += less;
    }
    return true;
}

bool jump_lay_between(jump_law *out, const jump_part *part, int per,
    double low, double cut)
{
    jump_line *line = &out->line;
    out->is_jump = true;
    out->low = low;
    out->cut = cut;
    if (!jump_line_lay(
            line, part, per, low - JUMP_REACH, cut + JUMP_REACH))
        return false;
    for (size_t i = 0; i < line->n; i++)
        line->more[i] = rough_between(jump_steps_from(line, low, i),
            jump_steps_from(line, cut, i));
    put_cuts(line);
    return true;
}

/* ---- Sums -------------------------------------------------------------- */

double jump_log_sum(double *mean, const jump_law *own, double v)
{
    const jump_line *line = &own->line;
    exp_moments m = exp_tilted(line->height, line->loss, line->n, v + 1);
    *mean = m.first / m.sum;
    return m.top + log(m.sum);
}

static double farthest(const jump_line *line)
{
    double last = line->first + (double)line->n;
    return fmax(fabs(line->first), last) * line->h;
}

double jump_ratio_error(const jump_line *line)
{
    /* y errs by some units of mu |x| + mu^2; of several records terms by as
     * many more as they count */
    const jump_part *part = line->part;
    double mu = part->mu, n = part->removed + part->added;
    double off = 0x1p-47 + 0x1p-50 * mu * (farthest(line) + mu);
    if (part->split != NULL)
        off = 8 * n * n * (off + 0x1p-50 * (fabs(log(part->q)) + mu * mu));
    return off;
}

double jump_slack(const jump_line *line, double v)
{
    /* l errs by 8 units of |y| + |log q| + 1/(1-q), the rest by 4 of its
     * size, sums by n */
    const jump_part *part = line->part;
    double far = farthest(line);
    double n = part->removed + part->added;
    double l = part->mu * far + n * part->mu * part->mu +
               fabs(log(part->q)) + 1 / (1 - part->q);
    if (part->split != NULL) /* and terms are summed */
        l = 2 * n * (l + 8);
    double z = far / part->tau + JUMP_REACH; /* of the cuts */
    return 0x1p-48 * (far * far + (fabs(v) + 1) * l + z * z + 64) +
           0x1p-50 * (double)line->n;
}

double jump_rare_gap(
    const jump_law *own, double t, double count, double rare)
{
    const jump_line *line = &own->line;
    double most = rare / count, sum = 0;
    size_t i = line->n;
    while (i > 0 && sum < most) {
        i--;
        sum += exp(line->height[i] + (t + 1) * line->loss[i]);
    }
    double at = (line->first + (double)i) / line->per;
    return fmax(floor(own->cut - at) - 1, 6);
}
