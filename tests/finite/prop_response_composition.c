/*
 * Optimal composition against its definition in Arb, summed over all
 * outcomes, on random counts, levels and leaks; and identities that reach
 * farther: the inverse undoes the profile at k up to 1e7, the trade-off
 * function is its own inverse, and more steps never cost less.
 */
#include "support/finite_pair.h"
#include "support/random.h"
#include "finite/response_composition.h"

static int failures;

typedef struct question {
    double k, eps0, delta0, eps;
} question;

static void check(bool right, const char *what, const question *q)
{
    if (right)
        return;
    printf("%s fails at k=%.17g eps0=%.17g delta0=%.17g eps=%.17g\n", what,
        q->k, q->eps0, q->delta0, q->eps);
    failures++;
}

static question random_question(prop_random *r, int most_bits)
{
    question q;
    q.k = floor(prop_scaled(r, 0, most_bits));
    q.eps0 = prop_scaled(r, -40, 5);
    if (prop_below(r, 2) == 0) /* where composition is interesting */
        q.eps0 = prop_uniform(r, 0.1, 4) / sqrt(q.k);
    q.delta0 = prop_below(r, 2) == 0 ? 0 : prop_scaled(r, -100, -1);
    double top = q.k * q.eps0;
    q.eps = prop_uniform(r, -0.3, 1.05) * top;
    if (prop_below(r, 3) == 0) /* on the lattice, or a hair beside it */
        q.eps = prop_near(
            r, (2 * floor(prop_uniform(r, 0, q.k + 1)) - q.k) * q.eps0);
    if (prop_below(r, 3) == 0)
        q.eps = fmin(top, prop_uniform(r, 0, 6) * q.eps0 * sqrt(q.k));
    return q;
}

static void check_delta(const question *q, const finite_pair *x, arb_t exact)
{
    ball eps0 = ball_of(q->eps0), delta0 = ball_of(q->delta0);
    ball eps = ball_of(q->eps);
    pair_delta(exact, x, q->eps);
    ball delta = optimal_composition_delta(q->k, eps0, delta0, eps, 0);
    check(pair_in_ball(delta, exact), "delta", q);
    dosi_interval log_delta =
        optimal_composition_log_delta(q->k, eps0, delta0, eps, 0);
    if (arb_is_positive(exact) && arb_rel_accuracy_bits(exact) > 100) {
        arb_log(exact, exact, PAIR_BITS);
        check(pair_in_interval(log_delta, exact), "log delta", q);
        check(pair_width(log_delta) < 1e-12 ||
                  log_delta.hi - log_delta.lo < 1e-25,
            "log delta width", q);
    }
}

static void check_epsilon(
    prop_random *r, const question *q, const finite_pair *x, arb_t exact)
{
    double log_delta =
        prop_bits(r) & 1 ? -prop_scaled(r, -20, 8) : -prop_uniform(r, 0, 40);
    arb_set_d(exact, log_delta);
    arb_exp(exact, exact, PAIR_BITS);
    bool done = false;
    dosi_interval e =
        optimal_composition_epsilon(q->k, ball_of(q->eps0), ball_of(q->delta0),
            ball_exp(ball_of(log_delta)), ball_of(log_delta), 0, &done);
    question asked = *q;
    asked.eps = log_delta;
    check(done, "done", &asked);
    check(pair_in_epsilon(x, e, exact), "epsilon", &asked);
    check(e.lo == HUGE_VAL || pair_width(e) < 1e-12, "epsilon width", &asked);
}

static void check_tradeoff(
    prop_random *r, const question *q, const finite_pair *x, arb_t exact)
{
    double alpha =
        prop_bits(r) & 1 ? prop_uniform(r, 0, 1) : prop_scaled(r, -300, 0);
    if (prop_below(r, 4) == 0)
        alpha = 1 - prop_scaled(r, -53, 0);
    bool done = false;
    dosi_interval f = optimal_composition_tradeoff(
        q->k, ball_of(q->eps0), ball_of(q->delta0), alpha, 0, &done);
    pair_tradeoff(exact, x, alpha);
    question asked = *q;
    asked.eps = alpha;
    check(done, "done", &asked);
    check(pair_in_interval(f, exact), "trade-off", &asked);
    check(pair_width(f) < 1e-12 || f.hi < 1e-290, "trade-off width", &asked);
}

/* delta(eps(delta)) = delta, and one step more costs no less. */
static void check_large(prop_random *r)
{
    question q = random_question(r, 23);
    double log_delta = -prop_uniform(r, 0.01, 900);
    ball eps0 = ball_of(q.eps0), delta0 = ball_of(q.delta0);
    ball target = ball_of(log_delta), delta = ball_exp(target);
    bool done = false;
    dosi_interval e =
        optimal_composition_epsilon(q.k, eps0, delta0, delta, target, 0, &done);
    q.eps = log_delta;
    check(done, "done", &q);
    if (e.lo == HUGE_VAL)
        return;
    check(pair_width(e) < 1e-12, "epsilon width", &q);
    dosi_interval at_hi =
        optimal_composition_log_delta(q.k, eps0, delta0, ball_of(e.hi), 0);
    check(at_hi.lo <= log_delta, "delta at the upper end", &q);
    if (e.lo > 0) {
        dosi_interval at_lo =
            optimal_composition_log_delta(q.k, eps0, delta0, ball_of(e.lo), 0);
        check(at_lo.hi >= log_delta, "delta at the lower end", &q);
    }
    dosi_interval more = optimal_composition_epsilon(
        q.k + 1, eps0, delta0, delta, target, 0, &done);
    check(done && more.hi >= e.lo, "one step more", &q);
}

/* f(f(alpha)) = alpha, where f is steep enough for its ends to say so. */
static void check_involution(prop_random *r)
{
    question q = random_question(r, 20);
    double alpha = prop_uniform(r, 0, 0.6);
    bool done = false;
    ball eps0 = ball_of(q.eps0), delta0 = ball_of(q.delta0);
    dosi_interval f =
        optimal_composition_tradeoff(q.k, eps0, delta0, alpha, 0, &done);
    q.eps = alpha;
    check(done, "done", &q);
    if (f.lo < 1e-300)
        return;
    dosi_interval low =
        optimal_composition_tradeoff(q.k, eps0, delta0, f.hi, 0, &done);
    dosi_interval high =
        optimal_composition_tradeoff(q.k, eps0, delta0, f.lo, 0, &done);
    check(low.lo <= alpha && alpha <= high.hi, "involution", &q);
}

int main(void)
{
    prop_random r = prop_start("prop_response_composition");
    arb_t exact;
    arb_init(exact);
    for (long i = 0; i < prop_count(1500); i++) {
        question q = random_question(&r, i % 10 == 0 ? 11 : 7);
        finite_pair x = pair_of_response((slong)q.k, q.eps0, q.delta0);
        check_delta(&q, &x, exact);
        check_epsilon(&r, &q, &x, exact);
        if (q.k < 100)
            check_tradeoff(&r, &q, &x, exact);
        pair_clear(&x);
    }
    for (long i = 0; i < prop_count(100); i++) {
        check_large(&r);
        check_involution(&r);
    }
    arb_clear(exact);
    flint_cleanup();
    return failures > 0;
}
