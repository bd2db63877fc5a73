#include "grid_steer.h"

#include <stdlib.h>

#define LOG_2PI 1.8378770664093454836

typedef struct cumulants {
    double k, mean, variance;
} cumulants;

/* log E[e^(t L)] of one part, with its first derivatives. */
static cumulants part_at(const loss_sketch *s, double t)
{
    double most = -HUGE_VAL;
    if (s->n == 0)
        return (cumulants){0, 0, 0};
    for (size_t i = 0; i < s->n; i++)
        most = fmax(most, s->log_mass[i] + t * s->at[i]);
    double sum = DBL_MIN, first = 0, second = 0;
    for (size_t i = 0; i < s->n; i++) {
        double e = s->log_mass[i] + t * s->at[i] - most;
        if (e < -60)
            continue;
        double w = exp(e), x = s->at[i];
        sum += w;
        first += w * x;
        second += w * x * x;
    }
    double mean = first / sum;
    return (cumulants){most + log(sum), mean, second / sum - mean * mean};
}

static cumulants total_at(const grid_sketch *s, double t)
{
    cumulants total = {0, 0, 0};
    for (size_t i = 0; i < s->n; i++) {
        cumulants one = part_at(&s->parts[i], t);
        total.k += s->parts[i].count * one.k;
        total.mean += s->parts[i].count * one.mean;
        total.variance += s->parts[i].count * fmax(one.variance, 0);
    }
    return total;
}

/* epsilon is where t is the saddle of K(t) - t eps - log t - log(1 + t). */
static grid_place place_at(const grid_sketch *s, double t)
{
    cumulants c = total_at(s, t);
    double eps = c.mean - 1 / t - 1 / (1 + t);
    double curve = c.variance + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
    double core = -log(t) - log1p(t) - 0.5 * (LOG_2PI + log(curve));
    return (grid_place){.t = t,
        .epsilon = eps,
        .log_delta = c.k - t * eps + core,
        .log_core = core,
        .cumulant = c.k,
        .mean = c.mean,
        .variance = c.variance};
}

/* The t where the place reaches the epsilon, or the log delta. */
static grid_place search(const grid_sketch *s, bool by_delta, double wanted)
{
    double lo = log(1e-7), hi = log(1e7);
    grid_place at = place_at(s, 1);
    for (int i = 0; i < 48 && hi - lo > 1e-4; i++) {
        double mid = (lo + hi) / 2;
        at = place_at(s, exp(mid));
        bool more = by_delta ? at.log_delta > wanted : at.epsilon < wanted;
        if (more)
            lo = mid;
        else
            hi = mid;
    }
    return at;
}

grid_place grid_place_at_epsilon(const grid_sketch *s, double epsilon)
{
    grid_place at = search(s, false, epsilon);
    at.epsilon = epsilon;
    return at;
}

grid_place grid_place_at_delta(const grid_sketch *s, double log_delta)
{
    grid_place at = search(s, true, log_delta);
    if (at.epsilon < 0)
        at = grid_place_at_epsilon(s, 0);
    return at;
}

grid_place grid_place_at_tilt(const grid_sketch *s, double t)
{
    return place_at(s, t);
}

grid_place grid_place_at_alpha(const grid_sketch *s, double log_alpha)
{
    double lo = log(0.05), hi = log(1e7);
    for (int i = 0; i < 48 && hi - lo > 1e-4; i++) {
        /* Q[S > s] is about e^(K(t) - (t+1) s) / ((t+1) sqrt(2 pi V)) */
        double mid = (lo + hi) / 2, t = exp(mid);
        cumulants c = total_at(s, t);
        double at = c.mean - 1 / (1 + t);
        double curve = c.variance + 1 / ((1 + t) * (1 + t));
        double log_q = c.k - (1 + t) * at - log1p(t) -
                       0.5 * (LOG_2PI + log(curve));
        if (log_q > log_alpha)
            lo = mid;
        else
            hi = mid;
    }
    grid_place at = place_at(s, exp(lo));
    at.epsilon = at.mean - 1 / (1 + at.t);
    return at;
}

grid_window grid_window_at(
    const grid_sketch *s, const grid_place *at, double log_share)
{
    double k = total_at(s, at->t).k;
    double unit = 1 / sqrt(fmax(at->variance, 1e-24));
    grid_window w = {-HUGE_VAL, HUGE_VAL, 0, 0};
    for (int i = -6; i <= 18; i++) {
        /* P~[S >= x] <= exp(K(t+a) - K(t) - a x), and the other side */
        double a = unit * exp2(0.5 * i);
        double hi = (total_at(s, at->t + a).k - k - log_share) / a;
        double lo = (k + log_share - total_at(s, at->t - a).k) / a;
        /* larger orders must pay: they feel coarse cells far out */
        if (hi < w.hi - 0.03 * fabs(w.hi - at->mean) || w.a_hi == 0) {
            w.hi = hi;
            w.a_hi = a;
        }
        if (lo > w.lo + 0.03 * fabs(at->mean - w.lo) || w.a_lo == 0) {
            w.lo = lo;
            w.a_lo = a;
        }
    }
    return w;
}

/* The outermost point with a mass, tilted by t, that is not below the limit;
 * some allowance is made for those beyond. */
static double cut(const loss_sketch *s, double t, double log_mass, bool above)
{
    double best = above ? -HUGE_VAL : HUGE_VAL;
    double limit = log_mass - 0.5 * log((double)s->n + 1);
    for (size_t i = 0; i < s->n; i++) {
        if (s->log_mass[i] + t * s->at[i] < limit)
            continue;
        best = above ? fmax(best, s->at[i]) : fmin(best, s->at[i]);
    }
    return best;
}

double grid_cut_above(const loss_sketch *part, double log_mass)
{
    return cut(part, 0, log_mass, true);
}

double grid_cut_below(const loss_sketch *part, double t, double log_share)
{
    return cut(part, t, log_share + part_at(part, t).k, false);
}

void grid_sketch_cut(loss_sketch *out, const loss_sketch *part, double most)
{
    out->n = out->n_smooth = 0;
    out->count = part->count;
    for (size_t i = 0; i < part->n; i++) {
        if (part->at[i] > most)
            continue;
        out->at[out->n] = part->at[i];
        out->log_mass[out->n++] = part->log_mass[i];
        out->n_smooth += i < part->n_smooth ? 1 : 0;
    }
}

double grid_atoms_below(const loss_sketch *part, double t, double log_share)
{
    double limit = log_share + part_at(part, t).k, mass = 0;
    double best = part->n > 0 ? part->at[0] : 0;
    for (size_t i = 0; i < part->n; i++) {
        mass += exp(part->log_mass[i]);
        if (log(mass) + t * part->at[i] < limit)
            best = part->at[i];
    }
    return best;
}

static int by_loss(const void *x, const void *y)
{
    const sketch_point *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

void grid_points_sort(sketch_point *points, size_t n)
{
    qsort(points, n, sizeof *points, by_loss);
}

void grid_share_fill(grid_share *out, const loss_sketch *part, double t)
{
    sketch_point points[LOSS_SKETCH] = {{0, 0}};
    double k = part_at(part, t).k, sum = 0;
    out->n = part->n;
    for (size_t i = 0; i < part->n; i++)
        points[i] = (sketch_point){
            part->at[i], part->log_mass[i] + t * part->at[i] - k};
    grid_points_sort(points, part->n);
    for (size_t i = 0; i < part->n; i++) {
        sum += exp(points[i].log_mass);
        out->at[i] = points[i].at;
        out->below[i] = sum;
    }
}

double grid_smooth_runs(const grid_sketch *s, double t)
{
    double runs = 0;
    for (size_t j = 0; j < s->n; j++) {
        const loss_sketch *part = &s->parts[j];
        double k = part_at(part, t).k, smooth = 0;
        for (size_t i = 0; i < part->n_smooth; i++)
            smooth += exp(part->log_mass[i] + t * part->at[i] - k);
        runs += part->count * smooth;
    }
    return runs;
}
