/*
 * The least mu for which a plan is mu-GDP: of all tests, or of those with
 * errors not below a floor. One side comes from bounds of the far
 * tail, the other from the plan's profile. Derivation:
 * docs/theory/tradeoff.md, section 9.
 */
#include "prepared_plan.h"

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "plan/kinds.h"
#include "special/special.h"
#include "profile/gdp_from_profile.h"
#include "stated_parts.h"
#include "tail_profile.h"

#define MAX_EVALUATIONS 400
#define MAX_SLOW_EVALUATIONS 24 /* by lists, up to a tenth of a second */
#define MU_WIDTH 1e-7

static const char leak_reason[] =
    "the plan leaks everything with a probability above 0: no mu is enough";
static const char few_reason[] =
    "some test has both errors below the floor; this is what it allows";
static const char wide_reason[] =
    "the plan's profile is not known more narrowly";

typedef struct gdp {
    dosi_answer *out;
    double floor;
    size_t n_stated; /* parts that are left out in further searches */
} gdp;

/* The profile of one direction, and the first error of its questions. */
typedef struct profile {
    prepared_plan *d;
    int direction;
    dosi_status status;
    dosi_error *err;
    best_bounds last; /* where the guarantee came from */
    double last_operation; /* no more points are asked after it */
    int n_slow;
} profile;

static dosi_interval log_delta_at(double eps, void *context)
{
    profile *p = context;
    dosi_interval unknown = {-HUGE_VAL, 0};
    account_question q = {.kind = ACCOUNT_DELTA, .argument = eps};
    question_state w;
    if (p->status != DOSI_OK || p->n_slow > MAX_SLOW_EVALUATIONS ||
        p->d->limits.spent > p->last_operation)
        return unknown;
    p->status = prepared_ask_direction(&w, p->d, p->direction, &q, p->err);
    if (p->status != DOSI_OK)
        return unknown;
    p->last = w.found[0];
    if (strcmp(p->last.guarantee.route, route_lists.name) == 0)
        p->n_slow++;
    const bounds_end *hi = &w.found[0].guarantee;
    const bounds_end *lo = &w.found[0].other;
    return (dosi_interval){
        fmin(lo->log_value, 0), hi->value > 0 ? hi->log_value : -HUGE_VAL};
}

/* The mu that the best test at alpha = floor requires, if its beta is no
 * less. Beta is asked for to this relative width, or 0. */
static dosi_status attained_at_floor(double *out, prepared_plan *d,
    int direction, double floor, double beta_width, dosi_error *err)
{
    account_question q = {.kind = ACCOUNT_TRADEOFF, .argument = floor};
    question_state w;
    double width = d->width;
    d->width = beta_width;
    dosi_status status = prepared_ask_direction(&w, d, direction, &q, err);
    d->width = width;
    *out = 0;
    if (status != DOSI_OK)
        return status;
    double beta = w.found[0].other.value;
    if (!(w.found[0].guarantee.value >= floor) || !(beta < 1))
        return DOSI_OK;
    ball power = ball_sub(ball_of(1), ball_of(beta));
    ball mu = mu_of_test(ball_log(ball_of(floor)), ball_log(power));
    *out = ball_is_unknown(mu) ? 0 : fmax(ball_lower(mu), 0);
    return DOSI_OK;
}

/* Samples of fixed size are known from below by pairs that are not their own
 * mirror image. */
static bool is_symmetric(const prepared_plan *d)
{
    bool found = d->n_directions == 1;
    size_t n = part_count(d->normal);
    for (size_t i = 0; i < n && found; i++)
        found = dosi_plan_child_count(part_at(d->normal, i).node) == 0;
    return found;
}

static bool is_narrow(dosi_interval mu)
{
    return mu.hi < HUGE_VAL && mu.hi - mu.lo <= WORK_WIDTH * mu.hi;
}

/* Searches one direction; the plan requires at least the mu known already. */
static dosi_status search(dosi_interval *out, profile *p, double known,
    const gdp *g, const tail_law *tail, dosi_error *err)
{
    double attained = 0;
    dosi_status status = DOSI_OK;
    if (g->floor > 0)
        status = attained_at_floor(
            &attained, p->d, p->direction, g->floor, p->d->width, err);
    attained = fmax(attained, known);
    if (status != DOSI_OK)
        return status;
    double wanted = p->d->width > 0 ? p->d->width : MU_WIDTH;
    mu_curve curve = {.log_delta = log_delta_at,
        .context = p,
        .floor = g->floor,
        .tail_mu = tail->known ? tail->mu : ball_of(HUGE_VAL),
        .tail_loss = tail->known ? tail->loss : ball_of(0),
        .is_symmetric = is_symmetric(p->d),
        .attained = attained,
        .width = wanted,
        .max_evaluations = MAX_EVALUATIONS};
    /* their tests would have to be known to count */
    p->d->skips_pairs = g->floor > 0;
    status = least_mu(out, &curve, err);
    p->d->skips_pairs = false;
    return p->status != DOSI_OK ? p->status : status;
}

/* Whether all parameters are such that no finite loss of the plan comes near
 * the largest double; a probability of 0 is one. */
static bool is_moderate(const dosi_plan *plan)
{
    size_t n = 0;
    const kind_row *row = dosi_kind_row(dosi_plan_kind(plan));
    const double *losses =
        kind_row_has_losses(row) ? dosi_plan_list(plan, 0, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (fabs(losses[i]) > 0x1p400)
            return false;
    for (size_t i = 0; i < row->n_parameters; i++) {
        double x = dosi_plan_parameter(plan, i); /* NaN: a list */
        bool is_scale = row->parameters[i].safer == DOSI_SAFER_GREATER;
        if (x > 0x1p400 || (is_scale && x < 0x1p-400))
            return false;
    }
    for (size_t i = 0; i < dosi_plan_child_count(plan); i++)
        if (!is_moderate(dosi_plan_child(plan, i)))
            return false;
    return true;
}

/* Whether some direction certainly leaks: a test rejects without an error of
 * type I, or, as beta near 1 has few digits, the loss is above all finite
 * ones with a probability above 0. */
static dosi_status leaks(bool *out, prepared_plan *d, dosi_error *err)
{
    account_question test = {.kind = ACCOUNT_TRADEOFF, .argument = 0};
    account_question infinite_loss = {
        .kind = ACCOUNT_DELTA, .argument = DBL_MAX};
    question_state w;
    dosi_status status = prepared_ask(&w, d, &test, err);
    *out = status == DOSI_OK && prepared_worst(&w).other.value < 1;
    if (status != DOSI_OK || *out || !is_moderate(d->normal))
        return status;
    status = prepared_ask(&w, d, &infinite_loss, err);
    *out = status == DOSI_OK && prepared_worst(&w).other.value > 0;
    prepared_forget(d); /* the search asks at moderate losses only */
    return status;
}

static void say(dosi_answer *out, const prepared_plan *d, dosi_interval mu,
    const char *route, const char *theorem, const char *meaning)
{
    out->value = mu;
    out->neighbours = d->directions[0].view.c.neighbours;
    out->route = route;
    out->theorem = theorem;
    out->lower_meaning = meaning;
    account_assumptions(out, d->normal);
}

/* Whether the test of G_mu with equal errors, Phi(-mu/2), counts. */
static bool has_middle(const tail_law *tail, double floor)
{
    ball error = ball_normal_sf(ball_scale2(tail->mu, -1));
    return ball_lower(error) >= floor;
}

/* Bounds mu of the whole plan without a search; true if that suffices. */
static bool by_tail(dosi_interval *out, const tail_law *tail)
{
    *out = (dosi_interval){0, HUGE_VAL};
    if (!tail->known)
        return false;
    out->hi = ball_upper(ball_sqrt(tail->square));
    /* isf(alpha) - isf(c (1 - G_mu)) -> mu as alpha -> 0 */
    if (tail->is_approached)
        out->lo = fmax(ball_lower(tail->mu), 0);
    return tail->is_approached && ball_is_zero(tail->loss);
}

/* About as many points of the profiles are asked; and the share of the
 * operations for the first one. */
#define SEARCH_POINTS 25.0
#define FIRST_SHARE 0.6

/* A search leaves some of the operations for plans without one of the stated
 * parts; most of them if it finds no upper end, as the far tail of some part is
 * not known. */
#define SEARCH_SHARE 0.75
#define SEARCH_SHARE_BELOW 0.25

/* The width of a beta near 1, as a share of the floor. */
#define POWER_WIDTH 1e-5

static dosi_status raise_at_floor(
    dosi_interval *mu, prepared_plan *d, double floor, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (int i = 0; i < d->n_directions && status == DOSI_OK; i++) {
        double attained;
        status = attained_at_floor(
            &attained, d, i, floor, POWER_WIDTH * floor, err);
        mu->lo = fmax(mu->lo, attained);
    }
    return status;
}

/* Joins the directions: the plan requires the larger mu. */
static dosi_status search_all(dosi_interval *mu, const char **route,
    const char **reason, prepared_plan *d, const gdp *g, const tail_law *tail,
    dosi_error *err)
{
    dosi_interval both = {0, 0};
    dosi_status status = DOSI_OK;
    d->is_curve = true;
    if (g->n_stated > 0)
        d->limits.budget *=
            g->floor > 0 || tail->known ? SEARCH_SHARE : SEARCH_SHARE_BELOW;
    prepared_expect_search(d, SEARCH_POINTS, FIRST_SHARE);
    for (int i = 0; i < d->n_directions && status == DOSI_OK; i++) {
        dosi_interval one;
        double share = i + 1 < d->n_directions ? FIRST_DIRECTION_SHARE : 1;
        profile p = {.d = d,
            .direction = i,
            .err = err,
            .last_operation =
                d->limits.spent + share * work_left(&d->limits)};
        status = search(&one, &p, fmax(mu->lo, both.lo), g, tail, err);
        if (status != DOSI_OK)
            return status;
        both = iv_max(both, one);
        if (p.last.guarantee.route != NULL)
            *route = p.last.guarantee.route;
        if (*reason == NULL)
            *reason = p.last.reason;
    }
    if (status == DOSI_OK && g->floor > 0 && !is_narrow(both))
        status = raise_at_floor(&both, d, g->floor, err);
    mu->lo = fmax(mu->lo, both.lo);
    if (both.hi >= mu->hi)
        *route = "closed";
    mu->hi = fmin(mu->hi, both.hi);
    return status;
}

static dosi_status fail_contradiction(dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE,
        "bounds of mu contradict each other; please report this plan");
}

static dosi_status gdp_work(prepared_plan *d, void *context, dosi_error *err)
{
    const gdp *g = context;
    const char *reason = NULL, *route = "closed";
    const char *theorem = "T001-C2, T001-X3", *meaning;
    dosi_interval mu;
    account_question at_zero = {.kind = ACCOUNT_DELTA, .argument = 0};
    dosi_answer zero;
    /* what comes before the search needs few digits */
    prepared_expect_search(d, SEARCH_POINTS, 1 / SEARCH_POINTS);
    dosi_status status = account_answer_on(&zero, d, &at_zero, err);
    if (status != DOSI_OK)
        return status;
    meaning = zero.lower_meaning;
    tail_law tail = tail_law_of(&d->directions[0].view);
    bool done = by_tail(&mu, &tail);
    if (g->floor > 0) {
        done = tail.is_gaussian && has_middle(&tail, g->floor);
        mu.lo = done ? mu.lo : 0;
    } else if (!tail.known) {
        bool leaky;
        status = leaks(&leaky, d, err);
        if (status != DOSI_OK)
            return status;
        if (leaky)
            mu.lo = HUGE_VAL;
        done = done || leaky;
        reason = leaky ? leak_reason : tail.reason;
    }
    if (!done) {
        const char *why = NULL;
        status = search_all(&mu, &route, &why, d, g, &tail, err);
        theorem = "T001-P5, T001-C1";
        if (status != DOSI_OK)
            return status;
        if (reason == NULL || mu.hi < HUGE_VAL)
            reason = why;
    }
    if (g->floor > 0 && !(mu.lo > 0) && mu.hi > 0) {
        /* both errors of the curve may be below the floor at once */
        ball z = ball_normal_isf(ball_of(g->floor));
        if (ball_upper(ball_scale2(z, 1)) < mu.hi)
            reason = few_reason;
    }
    if (!(mu.lo <= mu.hi))
        return fail_contradiction(err);
    if (is_narrow(mu))
        reason = NULL;
    else if (d->stop_reason != NULL)
        reason = d->stop_reason;
    else if (reason == NULL)
        reason = wide_reason;
    say(g->out, d, mu, route, theorem, meaning);
    g->out->reason = reason;
    double width = mu.lo == mu.hi ? 0 : (mu.hi - mu.lo) / mu.hi;
    return account_check_width(
        g->out, isnan(width) ? HUGE_VAL : width, d->width, err);
}

/* Stated parts are left out one by one of no more parts than these. */
#define MAX_PARTS_TO_LEAVE_OUT 8

/* Leaving out a part never increases the loss, so that the plan requires the mu
 * of the plan without it. A stated part without a known law keeps the search
 * from using the others. The operations that are left are shared. */
static dosi_status raise_by_parts(const gdp *g, const dosi_plan *normal,
    const dosi_options *options, dosi_error *err)
{
    dosi_options opt = *options;
    dosi_status status = DOSI_OK;
    size_t n_left = g->n_stated;
    opt.width = 0;
    opt.cache = NULL; /* which keeps the whole plan */
    for (size_t i = 0; n_left > 0 && status == DOSI_OK; i++) {
        const dosi_plan *rest = NULL;
        dosi_answer answer;
        gdp one = {&answer, g->floor, 0};
        double left = options->max_operations - *options->operations;
        if (!(left > 0))
            break;
        if (!stated_at(normal, i))
            continue;
        opt.max_operations = left / (double)n_left--;
        status = stated_leave_out(&rest, normal, i, err);
        if (status == DOSI_OK)
            status = prepared_use(gdp_work, &one, rest, &opt, err);
        if (status == DOSI_OK) {
            g->out->value.lo = fmax(g->out->value.lo, answer.value.lo);
            if (account_is_cut_short(&answer))
                g->out->reason = answer.reason;
        }
        if (status == DOSI_EUNABLE || status == DOSI_EUNSUPPORTED)
            status = DOSI_OK; /* it adds nothing */
        dosi_plan_free(rest);
    }
    if (status == DOSI_OK && !(g->out->value.lo <= g->out->value.hi))
        status = fail_contradiction(err);
    return status;
}

dosi_status dosi_gdp_at_floor(dosi_answer *out, const dosi_plan *plan,
    double floor, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(floor);
    *out = (dosi_answer){.value = {0, HUGE_VAL},
        .log_value = {-HUGE_VAL, HUGE_VAL},
        .route = "none",
        .theorem = "",
        .lower_meaning = ""};
    if (!(floor >= 0 && floor < 0.5))
        return dosi_fail(err, DOSI_EINVAL,
            "floor must be at least 0 and less than 1/2, got %g", floor);
    dosi_options opt;
    const dosi_plan *normal = NULL;
    double spent = 0;
    dosi_status status = account_options(&opt, options, err);
    if (status == DOSI_OK)
        status = plan_normal_under(&normal, plan,
            account_relation(plan, opt.neighbours), err);
    if (status != DOSI_OK)
        return status;
    double *total = opt.operations;
    opt.operations = &spent;
    gdp g = {out, floor, 0};
    if (!opt.guarantee_only &&
        dosi_plan_child_count(normal) <= MAX_PARTS_TO_LEAVE_OUT)
        g.n_stated = stated_count(normal);
    status = prepared_use(gdp_work, &g, plan, &opt, err);
    if (status == DOSI_OK && g.n_stated > 0 && !is_narrow(out->value))
        status = raise_by_parts(&g, normal, &opt, err);
    dosi_plan_free(normal);
    if (total != NULL)
        *total += spent;
    return status;
}
