/*
 * The least mu of a trade-off curve: lines of the profile by increasing eps,
 * the corners they form and the mu of each corner from above, the mu that each
 * attained delta needs from below. New lines are placed at the worst corner.
 * Derivation: docs/theory/tradeoff.md, section 9.
 */
#include "gdp_from_profile.h"

#include <stdlib.h>

#include "noise/gaussian.h"
#include "special/special.h"

/* Steps of the first lines, in standard deviations of the loss. */
#define FIRST_STEP 0.25
#define FIRST_LINES 16

/* The search ends if as many lines as there were, and these, do not reduce the
 * gap by a tenth: the width of the profile keeps it open. */
#define MORE_LINES 64

/* A line f >= 1 - e^log_delta - e^eps alpha, and the corner it makes with
 * the next one, of greater eps. */
typedef struct line {
    double eps;
    dosi_interval log_delta;
    ball log_alpha; /* of the corner */
    double mu;      /* at least that of the corner */
} line;

typedef struct search {
    const mu_curve *curve;
    line *lines; /* by increasing eps */
    size_t n, n_evaluations;
    double log_floor;
    double lower;  /* some test needs this mu */
    double needed; /* if upper ends were attained; only ends the search */
} search;

ball mu_of_test(ball log_alpha, ball log_power)
{
    ball z = ball_normal_isf_log(log_alpha);
    if (ball_upper(log_power) < -0.5)
        return ball_sub(z, ball_normal_isf_log(log_power));
    if (!ball_is_negative(log_power))
        return ball_of(HUGE_VAL);
    return ball_add(z, ball_normal_isf_log(ball_log1mexp(log_power)));
}

/* ---- Lines and corners ------------------------------------------------- */

/* The power of the line at alpha: log(delta + e^eps alpha). */
static ball line_log_power(const line *l, ball log_alpha)
{
    ball steep = ball_add_d(log_alpha, l->eps);
    return ball_logaddexp(ball_of(l->log_delta.hi), steep);
}

static double mu_upper(ball log_alpha, ball log_power)
{
    ball mu = mu_of_test(log_alpha, log_power);
    return ball_is_unknown(mu) ? HUGE_VAL : ball_upper(mu);
}

/* log of (a - b)/(e^eps_b - e^eps_a), the slope of a profile in e^eps */
static ball log_slope(double eps_a, double log_a, double eps_b, double log_b)
{
    ball fall = ball_logsubexp(ball_of(log_a), ball_of(log_b));
    ball step = ball_sub_d(ball_of(eps_b), eps_a);
    return ball_sub(ball_sub_d(fall, eps_a), ball_logexpm1(step));
}

/* Lines i and i + 1 meet at alpha = (delta_i - delta_j)/(e^eps_j - e^eps_i);
 * log delta.hi falls strictly from line to line. */
static void find_corner(search *s, size_t i)
{
    line *a = &s->lines[i], *b = a + 1;
    if (i + 1 >= s->n)
        return;
    a->log_alpha =
        log_slope(a->eps, a->log_delta.hi, b->eps, b->log_delta.hi);
    a->mu = mu_upper(a->log_alpha, line_log_power(a, a->log_alpha));
}

/* ---- Attained tests ---------------------------------------------------- */

/* Whether a test with these errors certainly is not ignored. */
static bool is_considered(const search *s, ball log_alpha, ball log_power)
{
    ball log_beta = ball_log1mexp(log_power);
    return ball_lower(log_alpha) >= s->log_floor &&
           ball_lower(log_beta) >= s->log_floor;
}

/*
 * Whether the test that attains delta on line i certainly is not ignored. Its
 * alpha, Q[L > eps], lies between the slopes of the profile on both sides of
 * eps. At eps = 0 of a symmetric curve the test with
 * alpha = beta = (1 - delta)/2 attains it.
 */
static bool attained_is_considered(const search *s, size_t i, double log_delta)
{
    const line *l = &s->lines[i], *before = l - 1, *after = l + 1;
    if (i == 0) {
        ball rest = ball_log1mexp(ball_of(l->log_delta.hi));
        return s->curve->is_symmetric &&
               ball_lower(ball_sub(rest, ball_ln2())) >= s->log_floor;
    }
    if (i + 1 >= s->n || !(log_delta > after->log_delta.hi))
        return false;
    ball least =
        log_slope(l->eps, log_delta, after->eps, after->log_delta.hi);
    ball most =
        log_slope(before->eps, before->log_delta.hi, l->eps, log_delta);
    return ball_lower(least) >= s->log_floor &&
           is_considered(s, most, line_log_power(l, most));
}

/* The mu that delta needs on line i: G_mu <= f implies delta_mu >= delta at
 * every eps. */
static double mu_needed(const search *s, size_t i, double log_delta)
{
    if (!(log_delta > -HUGE_VAL))
        return 0;
    if (s->curve->floor > 0 && !attained_is_considered(s, i, log_delta))
        return 0;
    dosi_interval mu = gauss_mu(ball_of(s->lines[i].eps), ball_of(log_delta));
    return mu.lo < HUGE_VAL ? mu.lo : 0;
}

static void attain(search *s, size_t i)
{
    const dosi_interval *d = &s->lines[i].log_delta;
    s->lower = fmax(s->lower, mu_needed(s, i, d->lo));
    if (d->hi - d->lo > s->curve->width)
        s->needed = fmax(s->needed, mu_needed(s, i, d->hi));
}

/* ---- Adding lines ------------------------------------------------------ */

/* Removes the lines from i on that a new line makes redundant: they are steeper
 * and no higher. */
static void drop_lines(search *s, size_t i, double log_delta)
{
    size_t n = 0;
    while (i + n < s->n && s->lines[i + n].log_delta.hi >= log_delta)
        n++;
    for (size_t j = i; n > 0 && j + n < s->n; j++)
        s->lines[j] = s->lines[j + n];
    s->n -= n;
}

/* False if the line is redundant, or evaluations are used up. */
static bool add_line(search *s, double eps)
{
    size_t i = s->n;
    if (s->n_evaluations >= s->curve->max_evaluations)
        return false;
    while (i > 0 && s->lines[i - 1].eps >= eps)
        i--;
    if (i < s->n && s->lines[i].eps == eps)
        return false;
    s->n_evaluations++;
    dosi_interval v = s->curve->log_delta(eps, s->curve->context);
    if (!(v.hi < 0) || (i > 0 && !(v.hi < s->lines[i - 1].log_delta.hi)))
        return false;
    drop_lines(s, i, v.hi);
    for (size_t j = s->n; j > i; j--)
        s->lines[j] = s->lines[j - 1];
    s->lines[i] = (line){.eps = eps, .log_delta = v};
    s->n++;
    find_corner(s, i);
    if (i > 0)
        find_corner(s, i - 1);
    for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < s->n; j++)
        attain(s, j);
    return true;
}

static bool add_between(search *s, size_t i)
{
    double a = s->lines[i].eps, b = s->lines[i + 1].eps;
    return add_line(s, a + (b - a) / 2);
}

/* ---- The end of the chain of corners ----------------------------------- */

/* An upper bound of mu for all tests with at most this alpha. There 1 - f <=
 * e^loss (1 - G_mu), and isf(alpha) - isf(power) of the right side falls with
 * alpha, since the normal hazard rate rises. */
static double tail_bound(const mu_curve *c, ball log_alpha)
{
    if (ball_is_infinite(c->tail_mu) || ball_is_unknown(c->tail_mu))
        return HUGE_VAL;
    ball z = ball_normal_isf_log(log_alpha);
    ball log_power = ball_add(
        ball_log_normal_sf(ball_sub(z, c->tail_mu)), c->tail_loss);
    if (!(ball_upper(log_power) < -0.5))
        return HUGE_VAL;
    ball mu = ball_sub(z, ball_normal_isf_log(log_power));
    return ball_is_unknown(mu) ? HUGE_VAL : ball_upper(mu);
}

/* The corner that determines the upper bound: on line i, or the end. */
typedef struct worst {
    double mu;
    size_t i;
    bool at_end, open; /* open: the chain does not reach the end yet */
} worst;

static worst worst_of(const search *s)
{
    const mu_curve *c = s->curve;
    worst w = {0, 0, false, false};
    size_t i = 0;
    double end = HUGE_VAL;
    for (; i + 1 < s->n; i++) {
        const line *l = &s->lines[i];
        if (c->floor > 0 && ball_upper(l->log_alpha) <= s->log_floor)
            break;
        if (!(l->mu <= w.mu))
            w = (worst){l->mu, i, false, false};
    }
    const line *last = &s->lines[i];
    if (c->floor > 0) {
        ball log_floor = ball_log(ball_of(c->floor));
        end = mu_upper(log_floor, line_log_power(last, log_floor));
    } else if (c->floor == 0 && last->log_delta.hi == -HUGE_VAL) {
        end = 0; /* the last line ends at alpha = 0, beta = 1 */
    } else if (c->floor == 0 && i > 0) {
        end = tail_bound(c, s->lines[i - 1].log_alpha);
    }
    if (!(end <= w.mu))
        w = (worst){end, i, true, i + 1 == s->n};
    return w;
}

/* ---- The search -------------------------------------------------------- */

/* Whether a line is so near that another one would not help. */
static bool is_taken(const search *s, double eps, double margin)
{
    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->lines[i].eps - eps) <= margin)
            return true;
    return false;
}

/*
 * The eps whose line is tangent to the Gaussian curve through a corner. It lies
 * between those of the corner's lines, unless f itself has a corner, which many
 * pairs of lines share. The middle of the two is returned if a line is there.
 */
static double tangent(const search *s, const worst *w)
{
    const line *l = &s->lines[w->i];
    double z = normal_isf_log_approx(ball_mid(l->log_alpha));
    double a = l->eps, b = l[1].eps;
    double eps = fmax(w->mu * (z - w->mu / 2), 0);
    double margin = eps > a && eps < b ? (b - a) / 16 : 1e-7 * w->mu;
    return eps < s->lines[s->n - 1].eps && !is_taken(s, eps, margin)
               ? eps
               : a + (b - a) / 2;
}

static bool refine(search *s, const worst *w)
{
    if (w->open)
        return add_line(s, s->lines[s->n - 1].eps * 1.5);
    if (!w->at_end)
        return add_line(s, tangent(s, w));
    bool more = add_between(s, w->i);
    return w->i > 0 ? add_between(s, w->i - 1) || more : more;
}

static void first_lines(search *s)
{
    if (!add_line(s, 0) || s->lines[0].log_delta.hi == -HUGE_VAL)
        return;
    /* the Gaussian curve with the same total variation */
    double tv = exp(s->lines[0].log_delta.hi);
    double mu = 2.5 * tv;
    if (tv > 0.1)
        mu = 2 * normal_isf_log_approx(log1p(-tv) - 0.6931471805599453);
    if (!(mu < 100))
        mu = 100;
    for (int i = 1; i <= FIRST_LINES; i++)
        (void)add_line(s, FIRST_STEP * i * mu);
}

dosi_status least_mu(
    dosi_interval *out, const mu_curve *curve, dosi_error *err)
{
    search s = {.curve = curve,
        .lower = curve->attained,
        .log_floor = curve->floor > 0
                         ? ball_upper(ball_log(ball_of(curve->floor)))
                         : -HUGE_VAL};
    *out = (dosi_interval){curve->attained, HUGE_VAL};
    s.lines = malloc((curve->max_evaluations + 1) * sizeof *s.lines);
    if (s.lines == NULL)
        return dosi_fail_memory(err);
    first_lines(&s);
    if (s.n == 1 && s.lines[0].log_delta.hi == -HUGE_VAL)
        out->hi = out->lo;
    size_t last = 2 * s.n_evaluations + MORE_LINES;
    while (s.n > 1 && s.n_evaluations < last) {
        worst w = worst_of(&s);
        /* no line can reduce the bound below what the upper ends need */
        double end = fmax(s.lower, s.needed), before = out->hi - end;
        out->hi = fmin(out->hi, w.mu);
        double gap = out->hi - end;
        if (gap <= curve->width * out->hi || !refine(&s, &w))
            break;
        if (gap < 0.9 * before)
            last = 2 * s.n_evaluations + MORE_LINES;
    }
    out->lo = s.lower;
    free(s.lines);
    return DOSI_OK;
}
