/*
 * Kinds of questions against each other on random plans of every shape:
 * delta and beta are conjugate, Rényi divergences bound delta and lie below
 * the line of zCDP, mu bounds beta, risk is what delta and beta say it is,
 * and what is calibrated meets its target while the next number does not. A
 * plan made into a loss law is bounded by it from the side that was asked
 * for, alone and composed. Certified ends are compared, each on the side on
 * which a contradiction would show.
 */
#include "support/questions.h"

static prop_random rng;

/* The rounding of a sum of a few doubles computed in long double. */
#define ROUNDING 0x1p-58L

static bool ask_at(
    dosi_answer *a, const question *q, ask_kind kind, double at)
{
    question other = *q;
    other.kind = kind;
    other.at = at;
    return ask(a, &other, NULL);
}

/* ---- Delta and beta ------------------------------------------------------ */

/* Every test has beta >= 1 - delta - e^eps alpha, and with its errors
 * exchanged. The test that attains delta has an alpha of at most
 * (1 - delta) e^-eps and a beta of at most 1 - delta. */
static void check_conjugate(const question *q)
{
    dosi_answer delta, beta;
    double eps = random_argument(ASK_DELTA, &rng);
    double alpha = random_argument(ASK_TRADEOFF, &rng);
    if (eps < 11000 && prop_below(&rng, 2)) /* where the line is above 0 */
        alpha = (double)expl(-eps) * prop_uniform(&rng, 0, 1);
    if (!ask_at(&delta, q, ASK_DELTA, eps) ||
        !ask_at(&beta, q, ASK_TRADEOFF, alpha))
        return;
    long double x = expl(eps), d = delta.value.hi, b = beta.value.hi;
    long double line = alpha > 0 ? x * alpha : 0;
    long double turned = (1 - d - alpha) / x;
    if (1 - d - line - b > ROUNDING * (2 + line) ||
        turned - b > ROUNDING * turned)
        report("'%s'%s: delta at %.17g is at most %.17g, but beta at %.17g "
               "is at most %.17g",
            q->text, q->neighbours == DOSI_REPLACE ? " (replace)" : "", eps,
            (double)d, alpha, (double)b);
    d = delta.value.lo, b = beta.value.lo;
    if (alpha * x >= (1 - d) * (1 + ROUNDING) && b > (1 - d) * (1 + ROUNDING))
        report("'%s'%s: delta at %.17g is at least %.17g, but beta at %.17g "
               "is at least %.17g",
            q->text, q->neighbours == DOSI_REPLACE ? " (replace)" : "", eps,
            (double)d, alpha, (double)b);
}

/* f(0) = 1 - (the mass at infinity), which delta at no epsilon is below; and
 * f(1) = 0. */
static void check_ends(const question *q)
{
    dosi_answer at_0, at_1, far;
    if (ask_at(&at_1, q, ASK_TRADEOFF, 1) && at_1.value.lo > 0)
        report("tradeoff '%s' --alpha 1: at least %.17g", q->text,
            at_1.value.lo);
    if (!ask_at(&at_0, q, ASK_TRADEOFF, 0) ||
        !ask_at(&far, q, ASK_DELTA, DBL_MAX))
        return;
    long double leak = far.value.hi;
    if (1 - leak - at_0.value.hi > ROUNDING)
        report("'%s': beta at 0 is at most %.17g, but delta at %g is at most "
               "%.17g",
            q->text, at_0.value.hi, DBL_MAX, far.value.hi);
}

/* ---- Renyi, zCDP --------------------------------------------------------- */

/* log delta <= (a-1)(D_a - eps) + a log(1 - 1/a) - log(a - 1), [CKS20];
 * D rises with its order, and so does (a-1) D's slope. */
static void check_renyi(const question *q)
{
    dosi_answer d, more, delta, rho;
    double a = random_argument(ASK_RENYI, &rng);
    double eps = random_argument(ASK_DELTA, &rng);
    double b = worse_argument(ASK_RENYI, a, &rng);
    double xi = random_argument(ASK_ZCDP, &rng);
    char words[ASKED_BYTES];
    question at_order = *q;
    if (!ask_at(&d, q, ASK_RENYI, a) || !ask_at(&more, q, ASK_RENYI, b))
        return;
    at_order.kind = ASK_RENYI, at_order.at = a;
    question_print(words, sizeof words, &at_order, NULL);
    if (d.value.lo > more.value.hi)
        report("%s: at least %.17g, at %.17g at most %.17g", words,
            d.value.lo, b, more.value.hi);
    if (ask_at(&delta, q, ASK_DELTA, eps) && d.value.hi < HUGE_VAL) {
        long double t = (long double)a - 1, D = d.value.hi;
        long double most =
            t * (D - eps) + (t + 1) * log1pl(-1 / (t + 1)) - logl(t);
        long double slack = ROUNDING * (t * (D + eps) + t + 100);
        if (delta.log_value.lo > most + slack)
            report("%s: at most %.17g, but log delta at %.17g is at least "
                   "%.17g",
                words, d.value.hi, eps, delta.log_value.lo);
    }
    if (ask_at(&rho, q, ASK_ZCDP, xi) && rho.value.hi < HUGE_VAL) {
        long double line = xi + (long double)rho.value.hi * a;
        if (d.value.lo > line * (1 + ROUNDING))
            report("%s: at least %.17g, but rho at xi %.17g is at most %.17g",
                words, d.value.lo, xi, rho.value.hi);
    }
}

/* ---- GDP ----------------------------------------------------------------- */

/* A lower bound on G_mu(alpha), close to it, by the plan gdp(mu), whose
 * closed form other tests check. */
static bool gauss_at(double *out, double mu, double alpha)
{
    const dosi_plan *plan = NULL;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "closed";
    if (!(mu < HUGE_VAL) || dosi_plan_new(&plan, DOSI_GDP, &mu, 1, NULL, 0,
                                NULL) != DOSI_OK)
        return false;
    bool done = dosi_tradeoff_at_alpha(&a, plan, alpha, &options, NULL) ==
                DOSI_OK;
    *out = a.value.lo;
    dosi_plan_free(plan);
    return done;
}

/* No test with errors above the floor beats that between N(0, 1) and
 * N(mu, 1); and without a floor none at all. */
static void check_gdp(const question *q)
{
    dosi_answer mu, beta;
    double floor = random_argument(ASK_GDP, &rng), gauss = 0;
    double alpha = fmax(random_argument(ASK_TRADEOFF, &rng), floor);
    if (!ask_at(&mu, q, ASK_GDP, floor) ||
        !ask_at(&beta, q, ASK_TRADEOFF, alpha) || beta.value.lo < floor ||
        !gauss_at(&gauss, mu.value.hi, alpha))
        return;
    if (beta.value.hi < gauss)
        report("gdp '%s' --floor %.17g%s: at most %.17g, but beta at %.17g "
               "is at most %.17g, not %.17g",
            q->text, floor,
            q->neighbours == DOSI_REPLACE ? " --neighbours replace" : "",
            mu.value.hi, alpha, beta.value.hi, gauss);
}

/* ---- Risk ---------------------------------------------------------------- */

static bool is_probability(dosi_interval x)
{
    return x.lo >= 0 && x.lo <= x.hi && x.hi <= 1;
}

static const char *risk_fault(
    const dosi_risk *r, const question *q, double prior)
{
    dosi_answer delta, beta;
    double least = fmax(prior, 1 - prior);
    if (!is_probability(r->advantage.value) || !is_probability(r->accuracy) ||
        !is_probability(r->prior_accuracy))
        return "not a probability";
    if (ask_at(&delta, q, ASK_DELTA, 0) &&
        (delta.value.lo > r->advantage.value.hi ||
            delta.value.hi < r->advantage.value.lo))
        return "the advantage is not delta at 0";
    /* accuracy is (1 + advantage)/2; who guesses the likelier case is right
     * so often */
    if (2 * r->accuracy.lo - 1 > r->advantage.value.hi ||
        2 * r->accuracy.hi - 1 < r->advantage.value.lo * (1 - 0x1p-50))
        return "the accuracy does not follow from the advantage";
    if (r->prior_accuracy.hi < least || r->accuracy.hi < 0.5)
        return "guessing is better";
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        double fpr = r->false_positive[i];
        if (!is_probability(r->true_positive[i]) ||
            !is_probability(r->posterior[i]))
            return "a test with no probability";
        if (r->true_positive[i].hi < fpr || r->posterior[i].hi < prior)
            return "a test worse than guessing";
        if (ask_at(&beta, q, ASK_TRADEOFF, fpr) &&
            r->true_positive[i].lo > 1 - beta.value.lo + 0x1p-52)
            return "a test better than the curve";
    }
    return NULL;
}

static void check_risk(const question *q)
{
    static const double ends[] = {0x1p-1074, 1e-300, 0.5, 1 - 0x1p-53};
    dosi_risk r;
    dosi_error err = {0};
    looks l;
    dosi_options options = question_options(q, NULL, &l);
    double prior = prop_below(&rng, 4) ? prop_uniform(&rng, 0, 1)
                                       : ends[prop_below(&rng, 4)];
    question_watch(q, NULL, "risk ");
    dosi_status status =
        dosi_risk_of_plan(&r, q->plan, prior, &options, &err);
    if (status == DOSI_EUNSUPPORTED)
        return;
    const char *fault =
        status != DOSI_OK ? err.message : risk_fault(&r, q, prior);
    if (fault != NULL)
        report("risk '%s' --prior %.17g%s: %s", q->text, prior,
            q->neighbours == DOSI_REPLACE ? " --neighbours replace" : "",
            fault);
}

/* ---- Loss laws ----------------------------------------------------------- */

/* The law from above loses no less than the plan, that from below no more:
 * alone, and as often as each other composed. */
static void check_law(const question *q)
{
    dosi_side side = (dosi_side)prop_below(&rng, 2);
    size_t n = 2 + (size_t)prop_below(&rng, 400);
    double tail = prop_scaled(&rng, -60, -2);
    double times = prop_below(&rng, 3) ? 1 : 3;
    const dosi_plan *law = NULL, *laws = NULL, *plans = NULL;
    dosi_error err = {0};
    looks l;
    dosi_options options = question_options(q, NULL, &l);
    question_watch(q, NULL, "loss ");
    dosi_status status =
        dosi_loss_of_plan(&law, q->plan, side, n, tail, &options, &err);
    if (status == DOSI_EUNSUPPORTED || status == DOSI_EUNABLE)
        return;
    if (status != DOSI_OK) {
        report("loss '%s' --points %zu --tail %.17g: %s", q->text, n, tail,
            err.message);
        return;
    }
    if (dosi_plan_repeat(&laws, law, times, &err) == DOSI_OK &&
        dosi_plan_repeat(&plans, q->plan, times, &err) == DOSI_OK) {
        question of_law = *q, of_plan = *q;
        dosi_answer at_law, at_plan;
        char words[ASKED_BYTES], why[100];
        snprintf(words, sizeof words, "loss of %s * %g", q->text, times);
        snprintf(why, sizeof why, "--side %s --points %zu --tail %.17g",
            side == DOSI_SIDE_UPPER ? "upper" : "lower", n, tail);
        of_law.plan = laws, of_law.text = words;
        of_plan.plan = plans;
        of_law.kind = of_plan.kind = random_kind(&rng);
        of_law.at = of_plan.at = random_argument(of_law.kind, &rng);
        if (ask(&at_law, &of_law, NULL) && ask(&at_plan, &of_plan, NULL)) {
            if (side == DOSI_SIDE_UPPER)
                check_not_better(&of_law, &at_law, &of_plan, &at_plan, why);
            else
                check_not_better(&of_plan, &at_plan, &of_law, &at_law, why);
        }
    }
    dosi_plan_free(laws);
    dosi_plan_free(plans);
    dosi_plan_free(law);
}

/* ---- The runs ------------------------------------------------------------ */

static void one_plan(void)
{
    static void (*const checks[])(const question *) = {check_conjugate,
        check_conjugate, check_ends, check_renyi, check_gdp, check_risk,
        check_law};
    char text[PLAN_BYTES];
    question q = {.text = text,
        .neighbours = prop_below(&rng, 3) ? DOSI_ADD_REMOVE : DOSI_REPLACE};
    plan_source s = {.rng = &rng,
        .extreme_one_in = prop_below(&rng, 3) == 0 ? 8 : 0,
        .worse = PLAN_AS_IT_IS};
    plan_random(text, &s, q.neighbours);
    q.plan = plan_of(text);
    for (int i = 0; i < 3; i++)
        checks[prop_below(&rng, (int)(sizeof checks / sizeof *checks))](&q);
    dosi_plan_free(q.plan);
}

static void test_questions(void **state)
{
    (void)state;
    for (long i = prop_count(80); i > 0; i--)
        one_plan();
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_questions");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
