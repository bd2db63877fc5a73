/*
 * The questions of a report, in the order of their weight: epsilon, what each
 * route says, the risk and the parts, the other quantities, the curves.
 */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time limit is shared: the sections are asked in this order and have until
 * so much of it has passed; what one leaves is the next one's. */
#define EPSILON_UNTIL 0.4
#define ROUTES_UNTIL 0.55
#define STATEMENT_UNTIL 0.7
#define NUMBERS_UNTIL 0.8

/* Without a time limit, operations of every question after the first: a page
 * asks some hundred, and none of them is the headline. */
#define OTHER_OPERATIONS 5e7

/* A page shows what the parts of larger plans cost, too. */
#define MOST_PARTS 400

/* ---- Numbers ---------------------------------------------------------------
 */

static void add_number(struct report *report, dosi_interval value,
    const char *meaning, const char *name)
{
    struct report_number *at = &report->numbers[report->n_numbers++];

    *at = (struct report_number){.value = value, .meaning = meaning};
    snprintf(at->name, sizeof at->name, "%s", name);
}

static void add_gap(struct report *report, const char *title,
    const char *reason, bool is_curve)
{
    report->gaps[report->n_gaps++] =
        (struct report_gap){title, reason, is_curve};
}

/*
 * Whether a summary of the whole privacy loss by one number, rho or
 * rho = mu^2 / 2, misleads. N(0, 1) and N(mu, 1) have at epsilon = rho
 *
 *     delta = 1/2 - e^rho Phi(-sqrt(2 rho)) > 1/4   for rho > 1,
 *
 * so that the number stands for a larger epsilon than rho at every delta
 * below that. A certified epsilon below rho then is what protects people.
 */
static bool misleads(const struct report *report, double rho)
{
    return rho > 1 && report->statement.delta < 0.25 &&
           rho > report->epsilon.value.hi;
}

static void add_summary(struct report *report, dosi_interval value,
    double rho, const char *meaning, const char *name)
{
    if (!(value.hi < HUGE_VAL))
        add_gap(report, name, "left out, as it has no finite bound", false);
    else if (misleads(report, rho))
        add_gap(report, name,
            "left out, as events far rarer than delta decide it; read alone "
            "it would suggest a much weaker guarantee than the plan has",
            false);
    else
        add_number(report, value, meaning, name);
}

/* The answer to one question, if there is one. Returns an exit status. */
static int ask_one(dosi_interval *out, bool *found, struct report *report,
    struct cli_asking *how, const dosi_plan *plan, enum cli_option_id option,
    double given)
{
    dosi_answer answer;
    dosi_error err;

    dosi_status status =
        cli_asking_at(&answer, how, cli_question_of(option), plan, given, &err);
    *found = status == DOSI_OK;
    if (*found)
        *out = answer.value;
    else if (cli_interrupted() ||
             (status != DOSI_EUNSUPPORTED && status != DOSI_EUNABLE))
        return cli_fail(report->args, &err, NULL, 0);
    return CLI_YES;
}

static int ask_summaries(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    static const struct {
        enum cli_option_id option;
        double given;
        const char *name, *meaning;
    } rows[] = {
        {OPTION_FLOOR, 1e-6, "mu, among tests with both errors at least 1e-6",
            "Telling two neighbouring data sets apart is as hard as telling a "
            "normal variable with mean 0 from one with mean mu."},
        {OPTION_FLOOR, 0, "mu of Gaussian differential privacy",
            "The mu among all tests, however small their errors."},
        {OPTION_XI, 0, "rho of zero-concentrated differential privacy",
            "The Rényi divergence of every order a is at most rho a; rho adds "
            "up over releases."},
    };
    int status = CLI_YES;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_interval x;
        bool found = false;
        if (status == CLI_YES)
            status = ask_one(&x, &found, report, how, plan, rows[i].option,
                rows[i].given);
        if (!found)
            continue;
        bool is_mu = rows[i].option == OPTION_FLOOR;
        double rho = is_mu ? x.hi * x.hi / 2 : x.hi;
        add_summary(report, x, rows[i].given > 0 ? 0 : rho, rows[i].meaning,
            rows[i].name);
    }
    return status;
}

static void add_risk(struct report *report)
{
    const dosi_risk *risk = &report->statement.risk;
    char name[128], prior[DOSI_NUMBER_BYTES];

    statement_percent(prior, risk->prior);
    add_number(report, risk->advantage.value,
        "The largest difference between the true and the false positive rate "
        "of any attacker; 0 is a guess, 1 is certainty.",
        "advantage");
    add_number(report, risk->accuracy,
        "How often the best attacker is right; a coin is right 0.5.",
        "accuracy");
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        snprintf(name, sizeof name,
            "true positive rate at a false positive rate of %g\xc2\xa0%%",
            100 * risk->false_positive[i]);
        add_number(report, risk->true_positive[i],
            "The share of those in the data whom the best attacker with so "
            "many false alarms recognises.",
            name);
        if (report->epsilon.value.lo == HUGE_VAL)
            continue; /* other outputs leave no doubt, and the statement says */
        snprintf(name, sizeof name,
            "a belief of %s\xc2\xa0%% after a positive test at "
            "%g\xc2\xa0%%",
            prior, 100 * risk->false_positive[i]);
        add_number(report, risk->posterior[i],
            "What that attacker may believe after an alarm.", name);
    }
}

static int ask_numbers(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    const dosi_answer *epsilon = &report->statement.epsilon;
    char delta[DOSI_NUMBER_BYTES], name[96];
    dosi_interval beta = {0, 1};
    bool found;

    dosi_print_exact(delta, report->statement.delta);
    snprintf(name, sizeof name, "epsilon at delta %s", delta);
    add_number(report, epsilon->value,
        "The smallest epsilon with which the guarantee is true; it lies "
        "between these ends.",
        name);
    int status = ask_one(
        &beta, &found, report, how, plan, OPTION_ALPHA, REPORT_FALSE_ALARMS);
    /* 1 - x rounds to nearest, so that the next doubles enclose it */
    report->recognised =
        (dosi_interval){fmax(0, nextafter(1 - beta.hi, -HUGE_VAL)),
            fmin(1, nextafter(1 - beta.lo, HUGE_VAL))};
    add_risk(report);
    return status == CLI_YES ? ask_summaries(report, how, plan) : status;
}

/* ---- Curves ----------------------------------------------------------------
 */

/* Whether the plan has such a curve. */
static bool has_curve(enum curve_kind kind, const dosi_plan *plan)
{
    struct curve_source source;
    dosi_error err;

    return curve_source_of(&source, kind, plan, &err) == DOSI_OK &&
           (kind != CURVE_STEPS || source.count > 1);
}

/* Keeps the curve that was made last, or notes why it is not there. */
static void keep_curve(struct report *report)
{
    struct curve_plot *plot = &report->plots[report->n_plots - 1];
    const char *reason = NULL;
    bool is_drawn = plot->curves[0].n >= 2;

    if (plot->is_cut)
        reason = is_drawn ? "some points are left out, as the time limit was "
                            "reached"
                          : "left out, as the time limit was reached";
    if (is_drawn && !curves_say_something(plot)) {
        is_drawn = false;
        reason = "left out, as no point of it has a finite bound";
    }
    if (reason != NULL)
        add_gap(report, curve_kinds[plot->kind].title, reason, true);
    if (!is_drawn) {
        curves_free(plot);
        report->n_plots--;
    }
}

/* Every point asks anew: plans of many parts have fewer. */
#define MANY_PARTS 10
#define LEAST_POINTS 13

static size_t points_for(size_t n_points, const dosi_plan *plan)
{
    size_t n_parts = dosi_plan_child_count(plan);
    if (n_parts <= MANY_PARTS)
        return n_points;
    size_t fewer = n_points * MANY_PARTS / n_parts;
    return fewer > LEAST_POINTS ? fewer : LEAST_POINTS;
}

static int ask_curves(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    static const enum curve_kind shown[REPORT_PLOTS] = {
        CURVE_TRADEOFF, CURVE_PROFILE, CURVE_STEPS};
    int status = CLI_YES;

    for (size_t i = 0; i < REPORT_PLOTS; i++) {
        if (status != CLI_YES || !has_curve(shown[i], plan))
            continue;
        struct curve_plot *plot = &report->plots[report->n_plots++];
        *plot = curves_init(shown[i]);
        plot->n_points = points_for(plot->n_points, plan);
        plot->delta = report->statement.delta;
        plot->epsilon = &report->epsilon;
        plot->leaves_out = true;
        cli_asking_until(how,
            NUMBERS_UNTIL +
                (1 - NUMBERS_UNTIL) * (double)(i + 1) / REPORT_PLOTS);
        status = curves_add(plot, report->args, plan, report->label);
        if (status == CLI_YES)
            status = curves_make(plot, report->args, how);
        if (status == CLI_YES)
            keep_curve(report);
    }
    return status;
}

/* ---- All questions ---------------------------------------------------------
 */

/* What every route says alone. One that had more time alone may do better;
 * then its answer is the one. */
static int ask_routes(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, double delta)
{
    dosi_answer *epsilon = &report->epsilon;

    int status = routes_ask(&report->routes, report->args, how, plan,
        cli_question_of(OPTION_DELTA), delta, epsilon);
    if (status != CLI_YES)
        return status;
    dosi_answer best = report->routes.said[0].answer;
    if (report->routes.said[0].bounds &&
        best.value.hi < epsilon->value.hi) {
        if (best.value.lo < epsilon->value.lo) {
            best.value.lo = epsilon->value.lo;
            best.lower_meaning = epsilon->lower_meaning;
        }
        *epsilon = best;
    }
    return CLI_YES;
}

static int ask_epsilon(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, double delta, bool is_page)
{
    dosi_error err;

    cli_progress_of("epsilon", 0, 0);
    cli_asking_until(how, is_page ? EPSILON_UNTIL : STATEMENT_UNTIL);
    if (cli_asking_at(&report->epsilon, how, cli_question_of(OPTION_DELTA),
            plan, delta, &err) != DOSI_OK)
        return cli_fail(report->args, &err, NULL, 0);
    if (!(how->limit_us > 0))
        how->options.max_operations = OTHER_OPERATIONS;
    cli_asking_until(how, ROUTES_UNTIL);
    return is_page ? ask_routes(report, how, plan, delta) : CLI_YES;
}

int report_ask(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, const struct statement_wanted *wanted, bool is_page)
{
    struct statement_wanted all = *wanted;
    const dosi_plan *normal = NULL;
    dosi_error err;

    if (dosi_plan_normal(&normal, plan, &err) != DOSI_OK)
        return cli_fail(report->args, &err, NULL, 0);
    report->hash = dosi_plan_hash(normal);
    report->group = statement_group(normal);
    dosi_plan_free(normal);
    all.most_parts = is_page ? MOST_PARTS : 1;
    int status = ask_epsilon(report, how, plan, wanted->delta, is_page);
    cli_progress_of("statement", 0, 0);
    cli_asking_until(how, is_page ? STATEMENT_UNTIL : 1);
    if (status == CLI_YES)
        status = statement_make(&report->statement, report->args, plan, &all,
            &report->epsilon, how);
    cli_asking_until(how, NUMBERS_UNTIL);
    if (status == CLI_YES && is_page)
        status = ask_numbers(report, how, plan);
    if (status == CLI_YES && is_page)
        status = ask_curves(report, how, plan);
    cli_progress_clear();
    return status;
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->n_plots; i++)
        curves_free(&report->plots[i]);
    statement_free(&report->statement);
    routes_free(&report->routes);
}
