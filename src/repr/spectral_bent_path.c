/*
 * Bounds of a bent contour off its nodes, and steering by them.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_bent_path.h"

static const double pi = 3.14159265358979323846;

#define TOLERANCE 1e-12 /* of delta */
#define MOST_DIGITS 80  /* nats: beyond, double-doubles leave too few */

/* ---- Bounds ------------------------------------------------------------ */

double bent_path_next(const bent_choice *c, double u)
{
    return u + fmax(c->strip / 2, u / 12);
}

/* With u + is in place of u,
 *   Re z = t - s + c2 (u^2 - s^2) - c3 (3 u^2 s - s^3)
 *          + c4 (u^4 - 6 u^2 s^2 + s^4),
 *   Im z = u + 2 c2 u s + c3 (u^3 - 3 u s^2) + c4 (4 u^3 s - 4 u s^3),
 * both increasing in u where is_regular. */
static void point_at(double *re, double *im, const bent_choice *c, double s,
    double u)
{
    double uu = u * u, ss = s * s;
    *re = c->t - s + c->c2 * (uu - ss) - c->c3 * s * (3 * uu - ss) +
          c->c4 * (uu * uu - 6 * uu * ss + ss * ss);
    *im = u * (1 + 2 * c->c2 * s + c->c3 * (uu - 3 * ss) +
                  4 * c->c4 * s * (uu - ss));
}

/* The derivatives, over u and as they are:
 *   2 c2 - 6 c3 s - 12 c4 s^2 + 4 c4 u^2 >= 0,
 *   1 + 2 c2 s - 3 c3 s^2 - 4 c4 s^3 + u^2 (3 c3 + 12 c4 s) > 0, |s| <= v. */
static bool is_regular(const bent_choice *c)
{
    double v = c->strip;
    return c->c2 >= 3 * v * (c->c3 + 2 * c->c4 * v) * (1 - 0x1p-40) &&
           c->c3 >= 4 * c->c4 * v * (1 - 0x1p-40) &&
           2 * c->c2 * v + 3 * c->c3 * v * v + 4 * c->c4 * v * v * v < 0.9;
}

/* With slack for rounding. */
bent_box bent_path_box(
    const bent_choice *c, double shift, double from, double to)
{
    bent_box x;
    double slack = 0x1p-40 * (c->t + to);
    point_at(&x.low, &x.height, c, shift, from);
    point_at(&x.high, &x.top, c, shift, to);
    x.low -= slack + 0x1p-40 * fabs(x.low);
    x.high += slack + 0x1p-40 * fabs(x.high);
    x.height = fmax(x.height * (1 - 0x1p-40) - slack, 0);
    x.top = x.top * (1 + 0x1p-40) + slack;
    return x;
}

/* >= log |M^k e^(-z eps)/(z (z+1))| over a box: by convexity in Re z it is
 * greatest at an end. */
static double log_most(const bent_choice *c, const bent_lines *lines,
    const bent_box *box)
{
    double ends[2] = {0, 0};
    for (size_t i = 0; i < lines->n; i++) {
        double found[2];
        bent_line_bound(found, &lines->items[i], box);
        for (int e = 0; e < 2; e++)
            ends[e] += lines->items[i].count * found[e];
    }
    double a = ends[0] - box->low * c->epsilon;
    double b = ends[1] - box->high * c->epsilon;
    double z = hypot(box->low, box->height);
    double z1 = hypot(box->low + 1, box->height);
    double most = fmax(a, b);
    if (!(box->low > 0) || isnan(most))
        return HUGE_VAL;
    return most + 1e-9 * (1 + fabs(most)) - log(z) - log(z1);
}

/* log(e^a + e^b) */
static double log_sum(double a, double b)
{
    double most = fmax(a, b), least = fmin(a, b);
    return most < HUGE_VAL && most > -HUGE_VAL
               ? most + log1p(exp(least - most))
               : most;
}

/* log of a bound of |z'|. */
static double log_speed(const bent_choice *c, double u)
{
    double x = u + c->strip;
    return log1p(x * (2 * c->c2 + x * (3 * c->c3 + x * 4 * c->c4)));
}

double bent_path_log_edges(const bent_choice *c, const bent_lines *lines,
    double from, double to)
{
    bent_box left = bent_path_box(c, c->strip, from, to);
    bent_box right = bent_path_box(c, -c->strip, from, to);
    return log_sum(log_most(c, lines, &left), log_most(c, lines, &right)) +
           log_speed(c, to);
}

/* (D/(2 pi)) (4 log 2)/(2 pi) < 0.08 D of the greatest on the sides. */
static double log_sides(
    const bent_choice *c, const bent_lines *lines, double end)
{
    bent_box side = bent_path_box(c, c->strip, end, end);
    bent_box other = bent_path_box(c, -c->strip, end, end);
    side.high = other.high;
    side.height = other.height;
    return log_most(c, lines, &side) + log_speed(c, end) +
           log(0.08 * c->step);
}

/* Straight up: int_U^inf du/|z (z+1)| <= 1/U. */
static double log_up(const bent_choice *c, const bent_lines *lines, double end)
{
    bent_box up = bent_path_box(c, 0, end, end);
    up.top = HUGE_VAL;
    double z = hypot(up.low, up.height), z1 = hypot(up.low + 1, up.height);
    return log_most(c, lines, &up) + log(z) + log(z1) - log(pi * up.height);
}

double bent_path_log_end(
    const bent_choice *c, const bent_lines *lines, double end)
{
    return log_sum(log_sides(c, lines, end), log_up(c, lines, end));
}

/* ---- Steering ---------------------------------------------------------- */

/* The tilt and the half-width of the strip for the longest step, in real
 * moments. */
static bool choose_strip(
    bent_choice *c, const spectral_parts *parts, double saddle)
{
    double target = c->log_delta + log(TOLERANCE), best = HUGE_VAL;
    for (double t = saddle * 1.1; t > saddle / 4; t *= 0.85)
        for (double share = 0.75; share > 0.3; share *= 0.8) {
            spectral_rough far, near;
            double v = share * t;
            if (!spectral_total(&far, parts, t + v) ||
                !spectral_total(&near, parts, t - v))
                continue;
            double most = fmax(spectral_phi(&far, t + v, c->epsilon),
                spectral_phi(&near, t - v, c->epsilon));
            double cost = fmax(most - target, 1) / v;
            if (cost < best) {
                best = cost;
                c->t = t;
                c->strip = v;
            }
        }
    return best < HUGE_VAL;
}

/* log of the edges of the first stretches, where they are greatest. */
static double log_first(const bent_choice *c, const bent_lines *lines)
{
    double most = -HUGE_VAL, u = 0;
    for (int i = 0; i < 4; i++) {
        double to = bent_path_next(c, u);
        most = log_sum(most,
            bent_path_log_edges(c, lines, u, to) + log((to - u) / pi));
        u = to;
    }
    return most;
}

/* Roughly where e^(-z eps) alone would let it end. */
static double guess_end(const bent_choice *c, double target)
{
    double a = (-target - c->t * c->epsilon) / c->epsilon;
    if (c->c4 > 0)
        return sqrt((sqrt(c->c2 * c->c2 + 4 * c->c4 * a) - c->c2) /
                    (2 * c->c4));
    return sqrt(a / c->c2);
}

/* Where the contour with this bend may end; infinity where it may not. */
static double find_end(
    const bent_choice *c, const bent_lines *lines, double target)
{
    double ratio = c->c3 > 0 ? 1.15 : 1.4, u = guess_end(c, target);
    u = fmax(u / ratio, 3 * c->strip);
    double left = bent_path_log_end(c, lines, u), low = u / ratio;
    for (int i = 0; i < 8 && left < HUGE_VAL && left >= target; i++) {
        low = u;
        u *= ratio;
        left = bent_path_log_end(c, lines, u);
    }
    while (left < target && low > 3 * c->strip &&
           bent_path_log_end(c, lines, low) < target) {
        u = low;
        low /= ratio;
    }
    return left < target ? u : HUGE_VAL;
}

/* Whether the rules alias little enough for what is left of F at u. */
static bool is_ruled(const bent_choice *c, const bent_lines *lines, double u)
{
    double target = c->log_delta + log(TOLERANCE);
    bent_box box = bent_path_box(c, 0, u / 1.2, u);
    double left = log_most(c, lines, &box) + log(u), sum = DBL_MIN;
    for (size_t i = 0; i < lines->n; i++)
        sum += lines->items[i].count * bent_line_alias(&lines->items[i], &box);
    return left + log(sum) < target;
}

/* Chooses the step of a trial; the number of nodes, or infinity. */
static double try_choice(
    bent_choice *c, const bent_lines *lines, double most)
{
    double target = c->log_delta + log(TOLERANCE);
    c->step = 2 * pi * c->strip / (fmax(most - target, 1) + 2);
    if (!is_regular(c))
        return HUGE_VAL;
    double u = find_end(c, lines, target);
    if (!(u < HUGE_VAL))
        return HUGE_VAL;
    for (double at = u; at > 0.1 * u; at *= 0.75) {
        double edges = bent_path_log_edges(c, lines, at / 1.1, at);
        if (!is_ruled(c, lines, at) || edges > most + 20)
            return HUGE_VAL;
        most = fmax(most, edges + log(at));
    }
    c->step = 2 * pi * c->strip / (fmax(most - target, 1) + 2);
    return ceil(u / c->step);
}

/* Bends of one family, the strongest first; the edges are most at its
 * beginning. */
static void choose_bend(bent_choice *best, double *least,
    const bent_choice *c, const bent_lines *lines, double right, double most)
{
    double v = c->strip, last = HUGE_VAL;
    double u = c->c3 > 0 ? cbrt(2 * right / c->c3) : 0;
    for (double bend = c->c3 > 0 ? 0.5 : 1; bend > (c->c3 > 0 ? 0.1 : 0.01);
         bend /= 2) {
        bent_choice trial = *c;
        if (c->c3 > 0)
            trial.c4 = 0.5 * bend * c->c3 / u;
        trial.c2 = c->c3 > 0 ? 3 * v * (c->c3 + 2 * trial.c4 * v)
                             : bend / 2 / right;
        double n = try_choice(&trial, lines, most);
        if (n > last)
            break;
        last = n;
        if (n < *least) {
            *least = n;
            *best = trial;
            best->n_outer = n;
        }
    }
}

/* Steps that grow, where the contour is long: as fast as its beginning lets
 * them. */
static void choose_growth(bent_choice *best, double *least,
    const bent_choice *c, const bent_lines *lines, double right, double most)
{
    bent_choice trial = *c;
    double before = *least, rise = 1.5;
    for (size_t i = 0; i < lines->n; i++)
        rise = fmin(rise, lines->items[i].rise);
    /* on the edges Re z reaches 3 sqrt(share) Im z */
    for (double share = 0.03 * rise * rise / 2.25;
         share > 1e-5 && *least == before; share /= 3) {
        trial.c3 = share / (c->strip * c->strip);
        trial.c2 = 3 * c->strip * trial.c3;
        double there = log_first(&trial, lines);
        if (there < most + 3)
            choose_bend(best, least, &trial, lines, right, there);
    }
}

static double most_count(const spectral_parts *parts)
{
    double most = 1;
    for (size_t i = 0; i < parts->n; i++)
        most = fmax(most, parts->items[i].count);
    return most;
}

bool bent_path_choose(bent_choice *out, bent_lines *lines,
    const spectral_parts *parts, double epsilon, double log_delta,
    bool *no_memory)
{
    spectral_choice saddle;
    spectral_rough r;
    bent_choice c = {.epsilon = epsilon, .log_delta = log_delta};
    if (!spectral_saddle_at_epsilon(&saddle, parts, epsilon) ||
        !choose_strip(&c, parts, saddle.t) ||
        !spectral_total(&r, parts, c.t))
        return false;
    double need = spectral_phi(&r, c.t, epsilon) - log_delta -
                  log(TOLERANCE);
    double right = fmax(need, 10) / epsilon;
    c.digits = fmax(need, 10) + log(most_count(parts)) + 6;
    if (!(c.digits < MOST_DIGITS))
        return false;
    for (size_t i = 0; i < parts->n; i++, lines->n++)
        if (!bent_line_init(&lines->items[i], &parts->items[i], 2 * right,
                c.t + c.strip, c.digits, no_memory)) {
            lines->n++; /* to be freed, too */
            return false;
        }
    double least = HUGE_VAL, most = log_first(&c, lines);
    choose_bend(out, &least, &c, lines, right, most);
    if (least > 200)
        choose_growth(out, &least, &c, lines, right, most);
    return least < HUGE_VAL;
}
