/*
 * The risk of a plan: the best success of an attacker who distinguishes two
 * neighbouring data sets. Every number follows from delta at one epsilon or
 * beta at one alpha, in the direction that it is defined by: a positive test
 * says that the record is present. Derivation: docs/theory/tradeoff.md, section
 * 10.
 */
#include "prepared_plan.h"

#include "base/error.h"
#include "base/float_environment.h"

typedef struct risk {
    dosi_risk *out;
    double prior;
} risk;

/* 1 - x of probabilities. */
static dosi_interval complement(dosi_interval x)
{
    dosi_interval y = iv_sub(iv_point(1), x);
    return (dosi_interval){fmax(y.lo, 0), fmin(y.hi, 1)};
}

static dosi_interval half_more(dosi_interval advantage)
{
    dosi_interval y = iv_add(iv_point(0.5),
        (dosi_interval){advantage.lo / 2, advantage.hi / 2});
    return (dosi_interval){fmax(y.lo, 0.5), fmin(y.hi, 1)};
}

static bool has_group(const dosi_plan *plan)
{
    size_t n = dosi_plan_child_count(plan);
    bool found = dosi_plan_kind(plan) == DOSI_GROUP;
    for (size_t i = 0; i < n && !found; i++)
        found = has_group(dosi_plan_child(plan, i));
    return found;
}

/* Asks the law of the data with the record against that without it, or the
 * other way round. Where a record is replaced, or a group of them is there in
 * part, either data set may be the one that holds "the record": then the worse
 * direction is the answer. */
static dosi_status ask_about(dosi_answer *out, prepared_plan *d, bool is_there,
    const account_question *q, dosi_error *err)
{
    bool is_ordered =
        d->n_directions == 2 && !has_group(d->normal) &&
        d->directions[0].view.c.neighbours == DOSI_ADD_REMOVE;
    return is_ordered
               ? account_answer_direction(out, d, is_there ? 0 : 1, q, err)
               : account_answer_on(out, d, q, err);
}

/*
 * The least share of wrong guesses is min over the curve of p beta +
 * (1-p) alpha = p (1 - delta(log((1-p)/p))), p <= 1/2 the probability of the
 * rarer case, and delta that of its law against the other's.
 */
static dosi_status prior_accuracy(
    dosi_interval *out, prepared_plan *d, double prior, dosi_error *err)
{
    ball p = ball_of(prior), rest = ball_sub(ball_of(1), p);
    bool is_rare = prior <= 0.5;
    if (!is_rare) {
        ball swapped = p;
        p = rest;
        rest = swapped;
    }
    dosi_interval eps = ball_interval(ball_log(ball_div(rest, p)));
    dosi_answer at[2];
    for (int i = 0; i < 2; i++) {
        account_question q = {.kind = ACCOUNT_DELTA,
            .argument = fmax(i == 0 ? eps.lo : eps.hi, 0)};
        dosi_status status = ask_about(&at[i], d, is_rare, &q, err);
        if (status != DOSI_OK)
            return status;
    }
    /* delta falls with epsilon */
    dosi_interval delta = {at[1].value.lo, at[0].value.hi};
    dosi_interval wrong = iv_mul(ball_interval(p), complement(delta));
    *out = complement(wrong);
    return DOSI_OK;
}

/* prior TPR / (prior TPR + (1 - prior) FPR), rising in TPR */
static dosi_interval posterior(double prior, double fpr, dosi_interval tpr)
{
    dosi_interval odds = iv_div(iv_mul(iv_point(prior), tpr),
        iv_mul(complement(iv_point(prior)), iv_point(fpr)));
    if (!(odds.hi < HUGE_VAL))
        return (dosi_interval){0, 1};
    /* x/(1+x) */
    dosi_interval lo = iv_div(iv_point(odds.lo),
        iv_add(iv_point(1), iv_point(odds.lo)));
    dosi_interval hi = iv_div(iv_point(odds.hi),
        iv_add(iv_point(1), iv_point(odds.hi)));
    return (dosi_interval){fmax(lo.lo, 0), fmin(hi.hi, 1)};
}

/* The share of the operations for the first question. */
#define FIRST_SHARE 0.6

static dosi_status risk_work(prepared_plan *d, void *context, dosi_error *err)
{
    static const double rates[DOSI_RISK_RATES] = {0.001, 0.01, 0.1};
    const risk *r = context;
    dosi_risk *out = r->out;
    account_question zero = {.kind = ACCOUNT_DELTA, .argument = 0};
    prepared_expect_search(d, 3 + DOSI_RISK_RATES, FIRST_SHARE);
    dosi_status status = account_answer_on(&out->advantage, d, &zero, err);
    if (status != DOSI_OK)
        return status;
    out->accuracy = half_more(out->advantage.value);
    out->prior = r->prior;
    for (int i = 0; i < DOSI_RISK_RATES && status == DOSI_OK; i++) {
        account_question q = {
            .kind = ACCOUNT_TRADEOFF, .argument = rates[i]};
        dosi_answer beta;
        status = ask_about(&beta, d, true, &q, err);
        if (status != DOSI_OK)
            break;
        out->false_positive[i] = rates[i];
        out->true_positive[i] = complement(beta.value);
        out->posterior[i] =
            posterior(r->prior, rates[i], out->true_positive[i]);
    }
    /* last: its delta, which hardly counts if it is tiny, may take the rest of
     * the work */
    return status == DOSI_OK
               ? prior_accuracy(&out->prior_accuracy, d, r->prior, err)
               : status;
}

dosi_status dosi_risk_of_plan(dosi_risk *out, const dosi_plan *plan,
    double prior, const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(prior);
    *out = (dosi_risk){
        .advantage = {.route = "none", .theorem = "", .lower_meaning = ""}};
    if (!(prior > 0 && prior < 1))
        return dosi_fail(err, DOSI_EINVAL,
            "prior must be greater than 0 and less than 1, got %g", prior);
    risk r = {out, prior};
    return prepared_use(risk_work, &r, plan, options, err);
}
