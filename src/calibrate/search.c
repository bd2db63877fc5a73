/*
 * The search: steps that grow until one number is good and one is bad, then
 * secants of the logarithm of what is bounded over that of the number, placed
 * a little beyond the root so that both ends move, and halving where those do
 * not help. Far on the unsafe side questions take long, so the way there is
 * in small steps. Only the last two numbers matter, and both were asked
 * about: nothing rests on the path to them.
 */
#include "search.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define LOG_2 0.6931471805599453

/* A step goes this much further than the root is thought to be. */
#define REACH 1.2
#define LEAST_STEP 0.01
#define LEAST_LED_STEP 1e-6 /* where a guess says the slope */

/* ---- Trying ------------------------------------------------------------ */

static bool stop_said(const search *s, const search_point *p)
{
    if (p->answer.reason != NULL && strcmp(p->answer.reason, DOSI_STOPPED) == 0)
        return true;
    return s->options.stop != NULL &&
           s->options.stop(s->options.stop_context) != 0;
}

static dosi_status fail_stopped(const search *s, dosi_error *err)
{
    char good[DOSI_NUMBER_BYTES], bad[DOSI_NUMBER_BYTES];
    const char *name = s->axis.name;
    if (s->good.known)
        dosi_print_exact(good, axis_value(&s->axis, s->good.at));
    if (s->bad.known)
        dosi_print_exact(bad, axis_value(&s->axis, s->bad.at));
    return dosi_fail(err, DOSI_EUNABLE,
        "calibration was stopped before it was done: %s%s%s meets the "
        "targets%s%s%s",
        s->good.known ? name : "no number was found that",
        s->good.known ? " = " : "", s->good.known ? good : "",
        s->bad.known ? ", " : "", s->bad.known ? bad : "",
        s->bad.known ? " does not" : "");
}

/* Asks until a target is missed; the one that was missed last comes first. */
static dosi_status ask_targets(
    search_point *p, const search *s, const dosi_plan *plan, dosi_error *err)
{
    size_t first = s->bad.known ? s->bad.binding : 0;
    p->score = -HUGE_VAL;
    for (size_t i = 0; i < s->n_targets; i++) {
        size_t which = i == 0 ? first : i <= first ? i - 1 : i;
        const dosi_target *target = &s->targets[which];
        dosi_answer answer;
        dosi_status status =
            target_ask(&answer, target, plan, &s->options, err);
        if (status != DOSI_OK)
            return status;
        double score = target_score(target, &answer);
        bool is_met = target_is_met(target, &answer);
        /* rounding of the score must not blur what is met */
        score = is_met ? fmin(score, 0) : fmax(score, 0x1p-1000);
        if (i == 0 || score > p->score) {
            p->score = score;
            p->binding = which;
            p->answer = answer;
        }
        if (!is_met)
            break;
    }
    return DOSI_OK;
}

static void keep(search *s, const search_point *p)
{
    if (p->score <= 0) {
        s->good = *p;
    } else {
        s->bad = *p;
        if (!p->refused &&
            (!s->best_bad.known || p->score <= s->best_bad.score))
            s->best_bad = *p;
    }
    if (isfinite(p->score) && isfinite(p->log)) {
        s->last[1] = s->last[0];
        s->last[0] = *p;
    }
}

dosi_status search_ask(
    search_point *out, search *s, int64_t at, dosi_error *err)
{
    const dosi_plan *plan = NULL;
    *out = (search_point){.known = true,
        .at = at,
        .log = axis_log(&s->axis, at),
        .score = HUGE_VAL};
    dosi_status status =
        dosi_plan_fill(&plan, s->plan, axis_value(&s->axis, at), err);
    if (status == DOSI_OK)
        status = ask_targets(out, s, plan, err);
    dosi_plan_free(plan);
    s->n_asked++;
    /* the targets were checked: it is the number that is too large */
    if (status == DOSI_EINVAL) {
        out->refused = true;
        out->score = HUGE_VAL;
        status = DOSI_OK;
    }
    if (status == DOSI_OK && stop_said(s, out))
        status = fail_stopped(s, err);
    return status;
}

/* Tries the number, and keeps it as good or bad. */
static dosi_status try_at(
    search_point *out, search *s, int64_t at, dosi_error *err)
{
    dosi_status status = search_ask(out, s, at, err);
    if (status == DOSI_OK)
        keep(s, out);
    return status;
}

/* ---- Towards the missing side ------------------------------------------ */

/* Where the line through the last two points, or with the guessed slope through
 * the last, is 0: the step from the last. NaN when it says nothing. */
static double root_of_line(const search *s)
{
    const search_point *a = &s->last[1], *b = &s->last[0];
    double slope = s->slope > 0 ? s->slope : 1;
    if (!b->known)
        return (double)NAN;
    if (a->known)
        slope = (b->score - a->score) / (b->log - a->log);
    return slope > 0 && slope < HUGE_VAL ? -b->score / slope : (double)NAN;
}

static dosi_status walk(search *s, dosi_error *err)
{
    double cap = LOG_2;
    dosi_status status = DOSI_OK;
    while (status == DOSI_OK && !(s->good.known && s->bad.known)) {
        bool to_safe = !s->good.known;
        const search_point *from = to_safe ? &s->bad : &s->good;
        search_point next;
        if (from->at == axis_end(&s->axis, to_safe))
            break;
        double step = from->at == s->last[0].at ? root_of_line(s) : NAN;
        step = to_safe ? -step : step;
        bool is_led = step < cap;
        double least = s->slope > 0 ? LEAST_LED_STEP : LEAST_STEP;
        step = is_led ? fmax(REACH * step, least) : cap;
        /* no lead: the answer does not change, or not soon */
        if (!is_led || to_safe)
            cap *= 2;
        status = try_at(&next, s,
            axis_move(&s->axis, from->at, to_safe ? -step : step), err);
    }
    return status;
}

/* ---- Closing in -------------------------------------------------------- */

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/*
 * A little beyond the root of the secant, seen from the latest number: by
 * the error of its slope, which is about the distance of its two points, and
 * more after every miss. The end of the bracket it replaces is then the far
 * one.
 */
static int64_t beyond_root(const search *s, int n_misses)
{
    const search_point *b = &s->last[0];
    double root = root_of_line(s);
    double blur = s->last[1].known ? fabs(b->log - s->last[1].log) : 1;
    if (isnan(root))
        return b->at;
    double margin = fabs(root) * fmin(fmax(blur, 0x1p-16), 0.3);
    bool safe = b->score > 0;
    int64_t at = axis_move(&s->axis, b->at,
        root + (safe ? -margin : margin) * (1 << (2 * n_misses)));
    int64_t more = (int64_t)1 << (2 * n_misses);
    return safe == s->axis.safe_up ? at + more : at - more;
}

static bool is_between(const search *s, int64_t at)
{
    int64_t a = s->good.at, b = s->bad.at;
    return a < b ? at > a && at < b : at > b && at < a;
}

static bool is_close(const search *s)
{
    return distance(s->good.at, s->bad.at) <= 1 ||
           fabs(s->good.log - s->bad.log) < s->tolerance;
}

static dosi_status close_in(search *s, dosi_error *err)
{
    int n_misses = 0;
    dosi_status status = DOSI_OK;
    while (status == DOSI_OK && !is_close(s)) {
        search_point next;
        bool was_safe = s->last[0].known && s->last[0].score <= 0;
        bool is_led = s->last[0].known && n_misses < 4 &&
                      (s->last[0].at == s->good.at ||
                          s->last[0].at == s->bad.at);
        int64_t at = is_led ? beyond_root(s, n_misses) : s->good.at;
        if (!is_between(s, at)) {
            is_led = false;
            at = axis_middle(&s->axis, s->good.at, s->bad.at);
        }
        status = try_at(&next, s, at, err);
        if (!is_led)
            n_misses = 0;
        else
            n_misses = was_safe == (next.score <= 0) ? n_misses + 1 : 0;
    }
    return status;
}

dosi_status search_run(search *s, double start, dosi_error *err)
{
    search_point first;
    dosi_status status =
        try_at(&first, s, axis_ordinal(&s->axis, start), err);
    if (status == DOSI_OK)
        status = walk(s, err);
    if (status == DOSI_OK && s->good.known && s->bad.known)
        status = close_in(s, err);
    return status;
}

/* Of a guess: how near it is to what such answers say, how narrow they are
 * wanted, and what each may spend. */
#define GUESS_TOLERANCE 0.05
#define GUESS_WIDTH 1e-3
#define GUESS_OPERATIONS 5e7

/* The slope between the last two points of a guess, and the number where their
 * line is 0, if that is in its bracket. */
static void take_line(double *out, search *s, const search *rough)
{
    const search_point *a = &rough->last[1], *b = &rough->last[0];
    double slope = (b->score - a->score) / (b->log - a->log);
    if (!(rough->good.known && rough->bad.known) || !a->known || !b->known || s->axis.is_whole ||
        !(slope > 0 && slope < HUGE_VAL))
        return;
    int64_t at = axis_move(&s->axis, b->at, -b->score / slope);
    if (!is_between(rough, at))
        return;
    s->slope = slope;
    *out = axis_value(&s->axis, at);
}

dosi_status search_guess(double *out, search *s, dosi_error *err)
{
    search rough = {.axis = s->axis,
        .plan = s->plan,
        .targets = s->targets,
        .n_targets = s->n_targets,
        .options = s->options,
        .tolerance = GUESS_TOLERANCE};
    dosi_options *options = &rough.options;
    options->width = fmax(options->width, GUESS_WIDTH);
    options->max_operations =
        fmin(options->max_operations, GUESS_OPERATIONS);
    dosi_status status = search_run(&rough, s->axis.start, err);
    const search_point *found =
        rough.good.known ? &rough.good : &rough.bad;
    *out = found->known ? axis_value(&s->axis, found->at) : s->axis.start;
    take_line(out, s, &rough);
    /* what fails otherwise fails again, or was too narrow a width */
    return status == DOSI_ENOMEM ? status : DOSI_OK;
}
