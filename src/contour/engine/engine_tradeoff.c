/*
 * The trade-off curve from the profile: with Q as the null hypothesis and
 * x = e^eps,
 *
 *     f(alpha) = max over eps of g = 1 - delta(eps) - alpha x,
 *
 * and g is concave in x, with slope Q[L > eps] - alpha. Any point bounds f
 * from below; chords around the maximum, extended, bound it from above. Both
 * are taken in units of e^c, c near the maximum if that is below 0, so that
 * an error of 1e-200 is known to as many digits as one of 0.1.
 * Derivation: docs/theory/account.md.
 */
#include "engine_tradeoff_point.h"

#include "special/special.h"

#define POINTS 4

/* The distance of the refining points from the maximum, over the length on
 * which the odds change. */
#define REFINE_DISTANCE 1e-5

/* The relative width of the error at which no longer steps are tried. */
#define MAX_WIDTH_LEFT 1e-9

/* g at one epsilon, in units of e^c. */
typedef struct point {
    double epsilon;
    ball x, g;
} point;

static point point_of(const objective *h, double alpha, double c)
{
    return (point){
        h->epsilon, objective_scaled_x(h, c), objective_scaled(h, alpha, c)};
}

static dosi_status point_at(point *out, tradeoff_search *q, double epsilon,
    double c, dosi_error *err)
{
    objective h;
    dosi_status status = objective_at(&h, q, epsilon, err);
    *out = point_of(&h, q->alpha, c);
    return status;
}

/* ---- Where the maximum is, uncertified --------------------------------- */

/* The objective on either side of an epsilon, and the log-odds of Q[L > eps]
 * between them less those of alpha, which vanish at the maximum. */
typedef struct bracket {
    objective left, right;
    double odds;
} bracket;

static dosi_status bracket_at(bracket *out, tradeoff_search *q, double epsilon,
    double d, dosi_error *err)
{
    double alpha = q->alpha;
    dosi_status status = objective_at(&out->left, q, epsilon - d, err);
    if (status == DOSI_OK)
        status = objective_at(&out->right, q, epsilon + d, err);
    if (status != DOSI_OK)
        return status;
    out->odds = NAN;
    if (!out->left.is_known || !out->right.is_known)
        return DOSI_OK;
    double rise = ball_mid(objective_scaled(&out->right, alpha, epsilon)) -
                  ball_mid(objective_scaled(&out->left, alpha, epsilon));
    double tail = rise / (2 * sinh(d)) + alpha;
    out->odds = log(tail / alpha) - log1p(-tail) + log1p(-alpha);
    if (!(fabs(out->odds) < HUGE_VAL)) /* beyond the law, on either side */
        out->odds = tail > alpha ? 1 : -1;
    return DOSI_OK;
}

/* A search for the maximum: the last point, NaN at first, the ends where odds
 * are positive and negative, and their slope. */
typedef struct maximum_search {
    double x, odds;
    double from, to;
    double slope;
    double most; /* the longest step */
} maximum_search;

static double next_of(const maximum_search *c)
{
    if (c->odds == 0)
        return c->x;
    double step = -c->odds / c->slope;
    double x = c->x + fmin(fmax(step, -c->most), c->most);
    bool is_within = x > c->from && x < c->to;
    return is_within ? x : c->from / 2 + c->to / 2;
}

static void update_search(maximum_search *c, double x, double odds)
{
    double secant = (odds - c->odds) / (x - c->x); /* NaN at first */
    if (secant < 0.02 * c->slope && secant > 50 * c->slope)
        c->slope = secant;
    if (odds > 0)
        c->from = x;
    else
        c->to = x;
    if (odds * c->odds > 0) /* still on the same side */
        c->most *= 2;
    c->x = x;
    c->odds = odds;
}

#define MAX_STEPS 40
#define MAX_UNKNOWN_POINTS 4 /* points where nothing is known */

/* Ends the search at a point where nothing is known. */
static void exclude_beyond(maximum_search *c, double x)
{
    if (x > c->x)
        c->to = fmin(c->to, x);
    else
        c->from = fmax(c->from, x);
}

/* Finds the epsilon with Q[L > eps] near alpha, a bracket of it, and a length
 * on which the odds change by about 1. The epsilon is NaN if nothing is known,
 * or if the objective has reached the threshold. */
static dosi_status maximum_of(double *epsilon, double *length, bracket *around,
    tradeoff_search *q, double guess, tradeoff_known *known, dosi_error *err)
{
    double z = normal_isf_log_approx(log(q->alpha));
    maximum_search c = {NAN, 0, -HUGE_VAL, HUGE_VAL,
        -(fabs(z) + 0.8) / q->spread, q->spread};
    double x = guess;
    int n_unknown = 0;
    *epsilon = NAN;
    for (int i = 0; i < MAX_STEPS; i++) {
        double d = isnan(c.x) ? 0.02 * q->spread
                              : fmin(2e-3 * q->spread, -5e-3 / c.slope);
        dosi_status status = bracket_at(around, q, x, d, err);
        if (status != DOSI_OK || q->least >= known->threshold ||
            work_stopped(q->forward->limits)) {
            known->epsilon = x;
            return status;
        }
        if (isnan(around->odds)) {
            if (++n_unknown == MAX_UNKNOWN_POINTS || x == 0)
                return DOSI_OK;
            if (!isnan(c.x))
                exclude_beyond(&c, x);
            x = isnan(c.x) ? 0 : c.x / 2 + x / 2;
            continue;
        }
        update_search(&c, x, around->odds);
        x = next_of(&c);
        if (i > 0 && fabs(c.odds) < 2e-3) /* the square after this step */
            break;
    }
    *epsilon = x;
    *length = fmin(q->spread, -1.6 / c.slope);
    return DOSI_OK;
}

/* ---- Chords ------------------------------------------------------------ */

/* At least the rise of g from point i to point i + 1, each unit of x; or the
 * fall. */
static double slope_upper(const point *p, bool falls)
{
    ball rise = ball_sub(p[1].g, p[0].g);
    return ball_upper(ball_div(
        falls ? ball_neg(rise) : rise, ball_sub(p[1].x, p[0].x)));
}

/* At least the maximum of g between p[0] and p[1], where it is below lines
 * through both that rise by s to the right and by r to the left. The mean of
 * both lines with weights r and s does not depend on where. */
static double cell_bound(const point *p, double s, double r)
{
    if (!(s > 0)) /* a NaN gives a NaN below */
        return s <= 0 ? ball_upper(p[0].g) : NAN;
    if (!(r > 0))
        return r <= 0 ? ball_upper(p[1].g) : NAN;
    ball up = ball_of(s), down = ball_of(r);
    ball width = ball_sub(p[1].x, p[0].x);
    if (!(s < HUGE_VAL)) /* the other line alone */
        return ball_upper(ball_add(p[1].g, ball_mul(down, width)));
    if (!(r < HUGE_VAL))
        return ball_upper(ball_add(p[0].g, ball_mul(up, width)));
    ball sum = ball_add(ball_mul(p[0].g, down), ball_mul(p[1].g, up));
    sum = ball_add(sum, ball_mul(ball_mul(up, down), width));
    return ball_upper(ball_div(sum, ball_add(up, down)));
}

/*
 * What chords through n points, in order, say of the maximum of the concave
 * g; infinite unless g certainly rises from the first to the second and falls
 * from the last but one to the last, so that the maximum lies among them.
 * Between two neighbours the chords on either side, extended, are above g.
 */
static double chords_bound(const point *p, int n)
{
    double most = -HUGE_VAL;
    if (!ball_is_positive(ball_sub(p[1].g, p[0].g)) ||
        !ball_is_positive(ball_sub(p[n - 2].g, p[n - 1].g)))
        return HUGE_VAL;
    for (int i = 0; i + 1 < n; i++) {
        double s = i > 0 ? slope_upper(&p[i - 1], false) : HUGE_VAL;
        double r = i + 2 < n ? slope_upper(&p[i + 1], true) : HUGE_VAL;
        double bound = cell_bound(&p[i], s, r);
        if (!(bound < HUGE_VAL)) /* nor does a NaN bound */
            return HUGE_VAL;
        most = fmax(most, bound);
    }
    return most;
}

/* Where the slope vanishes if it changes evenly between the outer chords:
 * steers. */
static double maximum_between(const point p[POINTS], double c)
{
    double x[POINTS], g[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = ball_mid(p[i].x);
        g[i] = ball_mid(p[i].g);
    }
    double rise = (g[1] - g[0]) / (x[1] - x[0]);
    double fall = (g[2] - g[3]) / (x[3] - x[2]);
    double flat = (g[2] - g[1]) / (x[2] - x[1]);
    double apart = (x[3] + x[2] - x[1] - x[0]) / 2;
    return c + log((x[1] + x[2]) / 2 + flat * apart / (rise + fall));
}

/* ---- Both ends --------------------------------------------------------- */

/* The last steps near the maximum, in units of e^c. */
typedef struct closing {
    double top, c;
    double length;
    point left, right; /* the points that the search ended with */
    dosi_interval found;
} closing;

/* Moves closer to the maximum, by two points between those that the search
 * ended with. */
static dosi_status refine(closing *k, tradeoff_search *q, dosi_error *err)
{
    double h = REFINE_DISTANCE * k->length;
    point p[POINTS] = {k->left, k->left, k->left, k->right};
    if (!(p[0].epsilon < k->top - 2 * h && k->top + 2 * h < p[3].epsilon))
        return DOSI_OK;
    dosi_status status = point_at(&p[1], q, k->top - h, k->c, err);
    if (status == DOSI_OK)
        status = point_at(&p[2], q, k->top + h, k->c, err);
    if (status != DOSI_OK)
        return status;
    k->found.hi = fmin(k->found.hi, chords_bound(p, POINTS));
    double closer = maximum_between(p, k->c);
    if (p[0].epsilon < closer && closer < p[3].epsilon) /* not for NaN */
        k->top = closer;
    return DOSI_OK;
}

/* Distances from the maximum, over the length. The chords leave open about the
 * square of the distance, if their ends differ from the maximum at all. */
static const double steps[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};

#define N_STEPS (int)(sizeof steps / sizeof *steps)

static dosi_status close_in(closing *k, tradeoff_search *q, dosi_error *err)
{
    dosi_status status = refine(k, q, err);
    for (int j = 0; status == DOSI_OK && j < N_STEPS; j++) {
        double h = steps[j] * k->length;
        const double at[POINTS] = {-2 * h, -h, h, 2 * h};
        point p[POINTS + 2] = {k->left};
        for (int i = 0; i < POINTS && status == DOSI_OK; i++) {
            status = point_at(&p[i + 1], q, k->top + at[i], k->c, err);
            k->found.lo = fmax(k->found.lo, ball_lower(p[i + 1].g));
        }
        p[POINTS + 1] = k->right;
        bool is_around = p[0].epsilon < p[1].epsilon &&
                         p[POINTS].epsilon < p[POINTS + 1].epsilon;
        if (status == DOSI_OK)
            k->found.hi =
                fmin(k->found.hi, is_around ? chords_bound(p, POINTS + 2)
                                            : chords_bound(p + 1, POINTS));
        if (k->found.hi <= k->found.lo * (1 + MAX_WIDTH_LEFT))
            break; /* longer steps leave more open */
    }
    return status;
}

/* Below this e^c is no double. */
#define MIN_LOG_SCALE -690.0

/* Encloses the maximum near the epsilon that an uncertified search finds. */
static dosi_status search(dosi_interval *out, tradeoff_known *known,
    tradeoff_search *q, double guess, dosi_error *err)
{
    closing k = {.found = {0, HUGE_VAL}};
    bracket around;
    dosi_status status = maximum_of(
        &k.top, &k.length, &around, q, guess, known, err);
    if (status != DOSI_OK || isnan(k.top))
        return status;
    k.c = fmin(k.top, 0);
    k.left = point_of(&around.left, q->alpha, k.c);
    k.right = point_of(&around.right, q->alpha, k.c);
    status = close_in(&k, q, err);
    /* e^c <= e^scale */
    ball scale = ball_exp(ball_of(fmax(k.c, MIN_LOG_SCALE)));
    if (k.found.hi < HUGE_VAL)
        out->hi = fmin(out->hi, ball_upper(ball_mul_d(scale, k.found.hi)));
    known->epsilon = k.top;
    return status;
}

/* Where Q[L > eps] is alpha if losses under Q are normal; their spread. NaN
 * where nothing is known of them. */
static double guess_of(tradeoff_search *q)
{
    cumulant_guess r;
    double z = normal_isf_log_approx(log(q->alpha));
    if (q->reversed != NULL) {
        if (!contour_total(&r, &q->reversed->parts, 1e-6))
            return NAN;
        q->spread = sqrt(r.k2);
        return q->spread * z - r.k1;
    }
    q->spread = contour_spread(&q->forward->parts);
    return q->spread * (z - q->spread / 2);
}

/* The greatest cost of one contour, of which many are tried; smoothed contours
 * are of little use here. */
#define SEARCH_MAX_COST 3e6
#define SEARCH_MAX_COST_SMOOTHED 3e5

static bool decays(const contour_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].type->log_decay != NULL)
            return true;
    return false;
}

static void set_max_cost(tradeoff_search *q, double pairs)
{
    engine_set_max_cost(q->forward, pairs);
    if (q->reversed != NULL)
        engine_set_max_cost(q->reversed, pairs);
}

/* Whether g certainly reaches the threshold at the known epsilon: by a bound of
 * delta, which costs less than its value. */
static dosi_status is_no_worse(bool *out, const tradeoff_search *q,
    const tradeoff_known *known, dosi_error *err)
{
    bool is_reversed = known->epsilon < 0;
    contour_engine *s = is_reversed ? q->reversed : q->forward;
    *out = false;
    if (s == NULL || !(known->threshold < 1) || isnan(known->epsilon))
        return DOSI_OK;
    ball x = ball_exp(ball_of(fabs(known->epsilon)));
    /* 1 - alpha e^eps - threshold, or 1 - alpha - threshold e^-eps */
    ball less = ball_add(
        ball_mul_d(x, is_reversed ? known->threshold : q->alpha),
        ball_of(is_reversed ? q->alpha : known->threshold));
    double most = ball_lower(ball_sub(ball_of(1), less));
    if (!(most > 0 && most < 1))
        return DOSI_OK;
    ball delta = ball_of(most);
    return engine_is_within(out, s, fabs(known->epsilon), delta,
        ball_log(delta), err);
}

dosi_status engine_tradeoff(dosi_interval *out, tradeoff_known *known,
    contour_engine *s, double alpha, dosi_error *err)
{
    tradeoff_search q = {.forward = s,
        .alpha = alpha,
        .min_width = fmax(MIN_OBJECTIVE_WIDTH, contour_reuse(s))};
    bool is_settled;
    *out = (dosi_interval){0, 1};
    dosi_status status = contour_reversed(&q.reversed, s, err);
    if (status == DOSI_OK)
        status = is_no_worse(&is_settled, &q, known, err);
    if (status != DOSI_OK)
        return status;
    if (is_settled) {
        out->lo = known->threshold;
        return DOSI_OK;
    }
    contour_set_guess_budget(s);
    if (q.reversed != NULL)
        contour_set_guess_budget(q.reversed);
    double guess = guess_of(&q);
    if (!(q.spread > 0 && q.spread < HUGE_VAL && fabs(guess) < HUGE_VAL))
        return contour_check_memory(contour_check_memory(DOSI_OK, s, err),
            q.reversed != NULL ? q.reversed : s, err);
    set_max_cost(
        &q, decays(&s->parts) ? SEARCH_MAX_COST : SEARCH_MAX_COST_SMOOTHED);
    status = search(out, known, &q, guess, err);
    set_max_cost(&q, 0);
    out->lo = fmin(fmax(q.least, 0), out->hi);
    return status;
}
