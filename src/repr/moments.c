/*
 * Both objectives have one minimiser when K is convex: K - lambda eps is
 * convex itself, and (c + K)/lambda falls and then rises, because
 * lambda K' - K - c grows. A minimum is therefore bracketed by three values,
 * and bounded below by lines that lie below K. Steps are steered by plain
 * doubles taken from differences of balls.
 */
#include "moments.h"

/* Range of lambda, spacing of the last bracket, spacing of its steering. */
#define LOWEST 0x1p-60
#define HIGHEST 0x1p60
#define HIGHEST_BOUND 0x1p24 /* of curves that may cost O(lambda) */
#define SPACING 0x1p-36

typedef struct search {
    const moments_sum *sum;
    bool asks_epsilon;
    ball given; /* log(1/delta), or epsilon */
    double low;
    double high;
    size_t n_evaluations;
} search;

typedef struct probe {
    double lambda;
    ball k;
    ball value;
} probe;

/* ---- The sum ------------------------------------------------------------ */

ball moments_at(const moments_sum *sum, ball lambda)
{
    ball k = ball_of(0);
    for (size_t i = 0; i < sum->n_terms; i++) {
        const moments_term *t = &sum->terms[i];
        if (t->count > 0)
            k = ball_add(k, ball_mul_d(t->cumulant(lambda, t->context),
                                t->count));
    }
    return k;
}

/* sum_i count_i x_i; an absent mechanism adds nothing, whatever its x. */
static ball weighted(const moments_sum *sum, ball (*of)(const moments_term *))
{
    ball x = ball_of(0);
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0)
            x = ball_add(x,
                ball_mul_d(of(&sum->terms[i]), sum->terms[i].count));
    return x;
}

static ball kl_of(const moments_term *t)
{
    return t->kl;
}

static ball pure_of(const moments_term *t)
{
    return t->pure;
}

static ball log_atom_of(const moments_term *t)
{
    return t->log_atom;
}

ball moments_kl(const moments_sum *sum)
{
    return weighted(sum, kl_of);
}

ball moments_pure(const moments_sum *sum)
{
    return weighted(sum, pure_of);
}

static bool has_bound(const moments_sum *sum)
{
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0 && sum->terms[i].is_bound)
            return true;
    return false;
}

static bool has_law(const moments_sum *sum)
{
    for (size_t i = 0; i < sum->n_terms; i++)
        if (sum->terms[i].count > 0 && !sum->terms[i].is_bound)
            return true;
    return false;
}

/* ---- The objective ------------------------------------------------------ */

static ball objective(const search *s, ball lambda, ball k)
{
    if (s->asks_epsilon)
        return ball_div(ball_add(s->given, k), lambda);
    return ball_sub(k, ball_mul(lambda, s->given));
}

static probe probe_at(search *s, double lambda)
{
    probe p = {.lambda = lambda};
    p.k = moments_at(s->sum, ball_of(lambda));
    p.value = objective(s, ball_of(lambda), p.k);
    s->n_evaluations++;
    return p;
}

/* value(a) - value(b) for steering; infinite values count as large. */
static double difference(const probe *a, const probe *b)
{
    if (ball_is_infinite(a->value) || ball_is_unknown(a->value))
        return ball_is_infinite(b->value) ? 0 : HUGE_VAL;
    if (ball_is_infinite(b->value) || ball_is_unknown(b->value))
        return -HUGE_VAL;
    return ball_mid(ball_sub(a->value, b->value));
}

/* ---- Doubling ----------------------------------------------------------- */

/* Moves on by the factor while the value falls; p[1] is the least of the
 * three that remain. */
static void descend(search *s, probe p[3], double factor)
{
    for (;;) {
        double next = p[2].lambda * factor;
        next = fmin(fmax(next, s->low), s->high);
        if (next == p[2].lambda || !(difference(&p[2], &p[1]) < 0))
            return;
        p[0] = p[1];
        p[1] = p[2];
        p[2] = probe_at(s, next);
    }
}

/* Three probes in order of lambda around the least one. */
static void bracket(search *s, probe p[3], double start)
{
    start = fmin(fmax(start, s->low), s->high);
    p[1] = probe_at(s, start);
    while (ball_is_infinite(p[1].value) && start > s->low) {
        start = fmax(start / 2, s->low); /* K ends before */
        p[1] = probe_at(s, start);
    }
    double up = fmin(start * 2, s->high), down = fmax(start / 2, s->low);
    p[2] = up > start ? probe_at(s, up) : p[1];
    p[0] = p[1];
    if (difference(&p[2], &p[1]) < 0) {
        descend(s, p, 2);
        return;
    }
    p[0] = p[2];
    p[2] = down < start ? probe_at(s, down) : p[1];
    descend(s, p, 0.5);
    probe right = p[0];
    p[0] = p[2];
    p[2] = right;
}

/* ---- Parabolas ---------------------------------------------------------- */

/* The lowest point of the parabola through three probes; NaN without one. */
static double vertex(const probe p[3])
{
    double left = p[1].lambda - p[0].lambda;
    double right = p[2].lambda - p[1].lambda;
    double rise_left = difference(&p[0], &p[1]);
    double rise_right = difference(&p[2], &p[1]);
    double bend = left * rise_right + right * rise_left;
    double lean = right * right * rise_left - left * left * rise_right;
    return p[1].lambda + lean / (2 * bend);
}

/* Narrows p around its least probe to a relative width of about 2^-12. */
static void narrow(search *s, probe p[3])
{
    double last = p[2].lambda - p[0].lambda;
    bool use_section = false;
    for (int i = 0; i < 60; i++) {
        double width = p[2].lambda - p[0].lambda;
        if (width <= 0x1p-12 * p[1].lambda)
            return;
        double x = vertex(p);
        double left = p[1].lambda - p[0].lambda;
        double right = p[2].lambda - p[1].lambda;
        double step = 0x1p-14 * p[1].lambda;
        if (use_section || !(x > p[0].lambda && x < p[2].lambda)) {
            x = right > left ? p[1].lambda + 0.382 * right
                             : p[1].lambda - 0.382 * left;
        } else if (fabs(x - p[1].lambda) < step) {
            /* straddle the vertex, so that the far side closes, too */
            x = right > left ? p[1].lambda + fmin(step, right / 2)
                             : p[1].lambda - fmin(step, left / 2);
        }
        probe q = probe_at(s, x);
        bool better = difference(&q, &p[1]) < 0;
        if (x > p[1].lambda) {
            if (better)
                p[0] = p[1], p[1] = q;
            else
                p[2] = q;
        } else {
            if (better)
                p[2] = p[1], p[1] = q;
            else
                p[0] = q;
        }
        double now = p[2].lambda - p[0].lambda;
        use_section = now > last / 2;
        last = now;
    }
}

/* A better guess from a parabola of the given relative spacing. */
static probe polish(search *s, probe best, double spacing)
{
    probe p[3] = {best, best, best};
    p[0] = probe_at(s, fmax(best.lambda * (1 - spacing), s->low));
    p[2] = probe_at(s, fmin(best.lambda * (1 + spacing), s->high));
    double x = vertex(p);
    double reach = 4 * spacing * best.lambda;
    if (!(fabs(x - best.lambda) <= reach)) /* NaN, too */
        return best;
    x = fmin(fmax(x, s->low), s->high);
    return probe_at(s, x);
}

/* ---- Certified ends ----------------------------------------------------- */

/* A lower bound of the objective on [x, y] from the line through a and b,
 * which lies below the convex K outside [a, b]; objectives of lines are
 * monotone. */
static double line_bound(
    const search *s, double x, double y, const probe *a, const probe *b)
{
    if (ball_is_infinite(a->k) || ball_is_infinite(b->k))
        return -HUGE_VAL;
    ball la = ball_of(a->lambda);
    ball slope = ball_div(
        ball_sub(b->k, a->k), ball_sub(ball_of(b->lambda), la));
    ball at_x = ball_mul(slope, ball_sub(ball_of(x), la));
    ball at_y = ball_mul(slope, ball_sub(ball_of(y), la));
    ball fx = objective(s, ball_of(x), ball_add(a->k, at_x));
    ball fy = objective(s, ball_of(y), ball_add(a->k, at_y));
    return fmin(ball_lower(fx), ball_lower(fy));
}

/* Encloses the minimum and its place, given a guess. */
static void certify(search *s, moments_optimum *out, const probe *guess)
{
    double b = guess->lambda;
    out->least = (dosi_interval){-HUGE_VAL, ball_upper(guess->value)};
    out->argument = (dosi_interval){s->low, s->high};
    for (double h = SPACING; h < 0.5; h *= 8) {
        probe a = probe_at(s, fmax(b * (1 - h), s->low));
        probe c = probe_at(s, fmin(b * (1 + h), s->high));
        bool closed_left =
            a.lambda <= s->low || ball_less(guess->value, a.value);
        bool closed_right =
            c.lambda >= s->high || ball_less(guess->value, c.value);
        if (!closed_left || !closed_right)
            continue;
        probe near_left = a, near_right = c;
        if (a.lambda == b) /* at an end: the line comes from further on */
            near_left = probe_at(s, fmin(b * (1 + 2 * h), s->high));
        if (c.lambda == b)
            near_right = probe_at(s, fmax(b * (1 - 2 * h), s->low));
        out->argument = (dosi_interval){a.lambda, c.lambda};
        double low = HUGE_VAL;
        if (a.lambda < b)
            low = line_bound(s, a.lambda, b,
                c.lambda == b ? &near_right : guess,
                c.lambda == b ? &a : &c);
        if (c.lambda > b)
            low = fmin(low, line_bound(s, b, c.lambda,
                                a.lambda == b ? &c : &a,
                                a.lambda == b ? &near_left : guess));
        out->least.lo = fmin(low, out->least.hi);
        return;
    }
}

/* ---- Queries ------------------------------------------------------------ */

/* The minimum over [s->low, s->high], K convex there. */
static moments_optimum convex_minimum(search *s, double start)
{
    probe p[3];
    bracket(s, p, start);
    narrow(s, p);
    probe best = p[1];
    for (int i = 0; i < 3; i += 2)
        if (difference(&p[i], &best) < 0)
            best = p[i];
    for (double spacing = 0x1p-12; spacing > 0x1p-32; spacing *= 0x1p-8) {
        probe finer = polish(s, best, spacing);
        if (difference(&finer, &best) <= 0)
            best = finer;
    }
    moments_optimum out = {.value = best.value, .lambda = best.lambda};
    certify(s, &out, &best);
    out.n_evaluations = s->n_evaluations;
    return out;
}

static moments_optimum between(search s)
{
    if (!(s.high > s.low)) {
        probe p = probe_at(&s, s.low);
        return (moments_optimum){p.value, p.lambda, ball_interval(p.value),
            iv_point(p.lambda), 1};
    }
    return convex_minimum(&s, sqrt(s.low) * sqrt(s.high));
}

moments_optimum moments_epsilon_between(
    const moments_sum *sum, ball log_inverse_delta, double low, double high)
{
    return between((search){sum, true, log_inverse_delta, low, high, 0});
}

moments_optimum moments_log_delta_between(
    const moments_sum *sum, ball eps, double low, double high)
{
    return between((search){sum, false, eps, low, high, 0});
}

/* With bounds among the terms: the best whole lambda near the best octave,
 * and its two neighbouring intervals when laws bend there. */
static moments_optimum bounded_minimum(search *s)
{
    probe best = {.lambda = 0, .value = ball_of(HUGE_VAL)};
    for (double x = 0x1p-30; x <= HIGHEST_BOUND; x *= 2) {
        probe p = probe_at(s, x);
        if (difference(&p, &best) < 0)
            best = p;
    }
    double low = best.lambda / 2, high = best.lambda * 2;
    if (best.lambda <= 1) { /* on (0, 1] bounds are linear */
        s->low = fmax(low, 0x1p-30);
        s->high = fmin(high, 1);
        moments_optimum out = convex_minimum(s, best.lambda);
        best = probe_at(s, out.lambda);
    }
    while (best.lambda >= 1 && high - low > 2) {
        double third = floor((high - low) / 3);
        probe a = probe_at(s, floor(low) + fmax(third, 1));
        probe b = probe_at(s, ceil(high) - fmax(third, 1));
        bool falls = difference(&b, &a) < 0;
        best = difference(&a, &best) < 0 ? a : best;
        best = difference(&b, &best) < 0 ? b : best;
        if (falls)
            low = a.lambda;
        else
            high = b.lambda;
    }
    double whole = best.lambda;
    for (int side = -1; side <= 1 && has_law(s->sum) && whole >= 1;
         side += 2) {
        s->low = side < 0 ? fmax(whole - 1, 0x1p-30) : whole;
        s->high = side < 0 ? whole : whole + 1;
        moments_optimum near = convex_minimum(s, whole + 0.5 * side);
        probe p = probe_at(s, near.lambda);
        best = difference(&p, &best) < 0 ? p : best;
    }
    return (moments_optimum){best.value, best.lambda,
        {-HUGE_VAL, ball_upper(best.value)}, {0, HUGE_VAL},
        s->n_evaluations};
}

static moments_optimum at_infinity(ball value)
{
    return (moments_optimum){
        value, HUGE_VAL, ball_interval(value), iv_point(HUGE_VAL), 0};
}

/* A start near the minimum for a Gaussian of this divergence. */
static double start_of(double given, double kl)
{
    double x = sqrt(given / kl);
    return x > LOWEST && x < HIGHEST ? x : 1;
}

moments_optimum moments_epsilon(
    const moments_sum *sum, ball log_inverse_delta)
{
    ball pure = moments_pure(sum);
    if (isinf(log_inverse_delta.hi) || ball_is_zero(pure))
        return at_infinity(pure);
    search s = {sum, true, log_inverse_delta, LOWEST, HIGHEST, 0};
    bool is_bound = has_bound(sum), finite = !ball_is_infinite(pure);
    ball excess = ball_of(-HUGE_VAL);
    if (finite && !is_bound) {
        /* c + K(lambda) - lambda pure falls to c + sum count log_atom: while
         * that is >= 0, no lambda beats the pure level */
        ball atoms = weighted(sum, log_atom_of);
        excess = ball_add(log_inverse_delta, atoms);
        if (ball_is_nonnegative(excess))
            return at_infinity(pure);
    }
    double start = start_of(
        ball_mid(log_inverse_delta), ball_mid(moments_kl(sum)));
    moments_optimum out =
        is_bound ? bounded_minimum(&s) : convex_minimum(&s, start);
    if (!finite)
        return out;
    if (!ball_is_negative(excess))
        out.argument.hi = HUGE_VAL;
    if (ball_mid(pure) <= ball_mid(out.value)) {
        out.value = pure;
        out.lambda = HUGE_VAL;
        out.argument.hi = HUGE_VAL;
    }
    out.least = iv_min(out.least, ball_interval(pure));
    return out;
}

moments_optimum moments_log_delta(const moments_sum *sum, ball eps)
{
    ball pure = moments_pure(sum);
    if (ball_less_equal(pure, eps))
        return at_infinity(ball_of(-HUGE_VAL));
    bool is_bound = has_bound(sum);
    ball kl = moments_kl(sum);
    if (!is_bound && ball_less_equal(eps, kl))
        return (moments_optimum){
            ball_of(0), 0, iv_point(0), iv_point(0), 0};
    search s = {sum, false, eps, LOWEST, HIGHEST, 0};
    moments_optimum out =
        is_bound ? bounded_minimum(&s)
                 : convex_minimum(&s, start_of(ball_mid(eps), ball_mid(kl)));
    if (ball_mid(out.value) >= 0) {
        out.value = ball_of(0);
        out.lambda = 0;
    }
    out.least = iv_min(out.least, iv_point(0));
    return out;
}
