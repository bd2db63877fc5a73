/*
 * Adds up what each part of a plan implies for tests with arbitrarily small
 * errors.
 * docs/theory/tradeoff.md, section 9.
 */
#include "tail_profile.h"

#include "plan/kinds.h"
#include "tradeoff/tradeoff.h"

static tail_law nothing(void)
{
    return (tail_law){.known = true,
        .is_approached = true,
        .is_gaussian = true,
        .mu = ball_of(0),
        .loss = ball_of(0),
        .square = ball_of(0)};
}

static void fail(tail_law *t, const char *reason)
{
    t->known = t->is_approached = t->is_gaussian = false;
    t->reason = reason;
}

/* An eps-DP part has losses in [-eps, eps] and is mu(eps)-GDP (T001-X3). */
static void add_bounded(tail_law *t, ball eps, double count)
{
    ball mu = tradeoff_pure_to_mu(eps);
    t->is_gaussian = false;
    t->loss = ball_add(t->loss, ball_mul_d(eps, count));
    t->square =
        ball_add(t->square, ball_mul_d(ball_sqr(mu), count));
}

static void add_gaussian(tail_law *t, ball mu, double count)
{
    ball square = ball_mul_d(ball_sqr(mu), count);
    t->mu = ball_sqrt(ball_add(ball_sqr(t->mu), square));
    t->square = ball_add(t->square, square);
}

/* The base's law in place of the sample's. A Poisson sample of a Gaussian
 * holds it with probability rate^count: c = rate^count. Under replace one
 * record leaves the sample and another enters it, which are two steps of the
 * neighbours that the base of a Poisson sample is stated for; tests of small
 * errors need less than that. */
static void add_sample(tail_law *t, const part *p, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (!total_gaussian(&mu, &flag, dosi_plan_child(p->node, 0), c)) {
        fail(t, "a sampled part is neither Gaussian nor bounded");
        return;
    }
    const kind_row *row = dosi_kind_row(dosi_plan_kind(p->node));
    bool is_poisson = row->samples_under == DOSI_ADD_REMOVE;
    bool is_replaced = is_poisson && c->neighbours == DOSI_REPLACE;
    double steps = p->group * (is_replaced ? 2 : 1);
    t->is_gaussian = false;
    add_gaussian(t, ball_mul_d(mu, steps), p->count);
    if (!is_poisson || steps > 1)
        t->is_approached = false;
}

static void add_part(tail_law *t, const part *p, const mechanism_context *c)
{
    const mechanism_type *type = mechanism_of(p);
    ball eps = ball_of(0), delta = ball_of(0);
    if (type->is_gaussian) {
        mechanism_product m = mechanism_product_nothing();
        if (type->product(&m, MECHANISM_UPPER, p, c))
            add_gaussian(t, m.mu, p->count);
        else
            fail(t, "a part is not known");
    } else if (type->guarantee != NULL && type->guarantee(&eps, &delta, p, c)) {
        if (ball_is_zero(delta))
            add_bounded(t, eps, p->count);
        else
            fail(t, "a part is private only up to a delta above 0");
    } else if (type->draws_once) {
        add_sample(t, p, c);
    } else {
        fail(t, "a part has no bound for tests of every size");
    }
}

tail_law tail_law_of(const account_view *view)
{
    tail_law t = nothing();
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n && t.known; i++) {
        part p = part_at(view->normal, i);
        add_part(&t, &p, &view->c);
    }
    if (ball_is_unknown(t.mu) || ball_is_unknown(t.loss) ||
        ball_is_unknown(t.square))
        fail(&t, "the plan's parts are too many to add up");
    return t;
}
