/*
 * exponential(epsilon): the class of mechanisms of bounded range e = epsilon,
 * times the group size. The exact loss of k runs is known if each is chosen
 * adaptively, after all earlier answers (adaptive/adaptive_runs.h). In a plan
 * with other parts these run first. Of several parts of bounded range one runs
 * last; for the others, which are chosen in advance, members of the class bound
 * the loss from below. Randomized response at e/2 is such a member, with losses
 * in [-e/2, e/2], and every member is e-DP.
 */
#include "adaptive_cache.h"

#include "noise/bounded_range.h"
#include "renyi/renyi.h"

static ball exponential_range(const part *p)
{
    return ball_mul_d(ball_of(p->group), part_parameter(p, 0));
}

static const privacy_profile *exponential_profile(
    const part *p, const mechanism_context *c)
{
    return profile_keep(c->pool, profile_exponential(exponential_range(p)));
}

static bool exponential_product(mechanism_product *out, mechanism_side side,
    const part *p, const mechanism_context *c)
{
    ball e = exponential_range(p);
    size_t m = mechanism_lattice_cells(p, c);
    out->exact = false;
    if (m > 0 && side == MECHANISM_UPPER) {
        out->finite =
            mechanism_lattice_law(exponential_lattice_above, m, m + 1, e, c);
        return out->finite != NULL;
    }
    out->eps0 = side == MECHANISM_UPPER ? e : ball_scale2(e, -1);
    return true;
}

static const privacy_profile *exponential_profile_of_runs(
    const part *p, const mechanism_context *c)
{
    if (p->count > ADAPTIVE_RUNS_MAX)
        return profile_decline(
            c->pool, "the composition of several runs has no closed form");
    const adaptive_class all = {exponential_range(p), 1, p->count};
    const adaptive_runs *r = adaptive_cache_runs(&all, c);
    return r != NULL ? profile_keep(c->pool, profile_adaptive_runs(r, false))
                     : NULL;
}

/* ---- Composed ---------------------------------------------------------- */

/* One run. At each epsilon another member of the class attains its profile. */
static bool loss_of_one(loss_law *out, ball e, const mechanism_context *c)
{
    bool found =
        mechanism_loss_noise(out, LOSS_EXPONENTIAL, e, ATTAINED_BY_CLASS);
    if (c->attained && c->is_last)
        out->composed = ATTAINED_BY_CLASS;
    return found;
}

static bool loss_of_member(
    loss_law *out, ball e, const part *p, const mechanism_context *c)
{
    finite_law *made = NULL;
    double k = fmax(c->runs, p->count);
    dosi_status status = adaptive_member(&made, e, k, NULL);
    return mechanism_loss_finite(out,
        profile_made(c->pool, status) ? profile_own(c->pool, made) : NULL,
        ATTAINED_BY_CLASS);
}

/* The size of blocks, up to ADAPTIVE_RUNS_MAX runs, whose total exceeds k runs
 * by the fewest. */
static double block_size(double k)
{
    double best = ADAPTIVE_RUNS_MAX, waste = HUGE_VAL;
    for (double b = best; b > ADAPTIVE_RUNS_MAX / 2 && waste > 0; b--) {
        double own = ceil(k / b) * b - k;
        if (own < waste) {
            waste = own;
            best = b;
        }
    }
    return best;
}

/* The law of all runs at once, or of as many blocks as hold them; additional
 * runs lose no less. */
static bool loss_of_runs(
    loss_law *out, ball e, const part *p, const mechanism_context *c)
{
    double k = p->count <= ADAPTIVE_RUNS_MAX ? p->count : block_size(p->count);
    const adaptive_class block = {e, 1, k};
    const finite_law *all = adaptive_cache_atoms(
        &block, c->attained ? DOSI_SIDE_LOWER : DOSI_SIDE_UPPER, c);
    if (!mechanism_loss_finite(
            out, all, c->attained ? ATTAINED_BY_CLASS : ATTAINED_BY_NONE))
        return false;
    out->count = ceil(p->count / k);
    return true;
}

static bool exponential_loss(
    loss_law *out, const part *p, const mechanism_context *c)
{
    ball e = exponential_range(p);
    bool is_one = p->count == 1, is_last = c->attained && c->is_last;
    if (c->attained && !is_last)
        return loss_of_member(out, e, p, c);
    if (is_one)
        return loss_of_one(out, e, c);
    if (is_last && p->count > ADAPTIVE_RUNS_MAX)
        return loss_of_member(out, e, p, c);
    if (loss_of_runs(out, e, p, c))
        return true;
    return is_last ? loss_of_member(out, e, p, c) : loss_of_one(out, e, c);
}

static bool exponential_guarantee(
    ball *eps, ball *delta, const part *p, const mechanism_context *c)
{
    (void)c;
    *eps = exponential_range(p);
    *delta = ball_of(0);
    return true;
}

static bool exponential_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c)
{
    (void)c;
    out->rho = ball_scale2(ball_sqr(exponential_range(p)), -3);
    return true;
}

static bool exponential_renyi(mechanism_renyi_bound *out, ball order,
    const part *p, const mechanism_context *c)
{
    (void)c;
    out->upper = out->lower = renyi_bounded_range(order, exponential_range(p));
    return true;
}

static double exponential_gain_of_last(const part *p)
{
    double e = part_parameter(p, 0) * p->group;
    return p->count * e * e;
}

const mechanism_type mechanism_exponential = {
    .flag = ATTAINED_BY_CLASS,
    .assumption = "epsilon bounds the range of the exponential mechanism's "
                  "loss",
    .has_members = true,
    .has_many_pairs = true,
    .profile = exponential_profile,
    .profile_of_runs = exponential_profile_of_runs,
    .loss = exponential_loss,
    .product = exponential_product,
    .guarantee = exponential_guarantee,
    .zcdp = exponential_zcdp,
    .renyi = exponential_renyi,
    .gain_of_last = exponential_gain_of_last,
};
