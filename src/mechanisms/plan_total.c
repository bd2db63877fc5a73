/*
 * Exact laws of plans: closed forms, and products of a Gaussian, randomized
 * responses and finite laws, whose powers are enumerated within limits that
 * are checked before any of them is made.
 */
#include "plan_total.h"

#include "special/special.h"

#define MAX_FACTORS 24

/* A plan as a product: a Gaussian, responses with counts, finite laws, and the
 * probability e^log_keep that no part leaks. */
typedef struct factors {
    ball mu2;
    ball log_keep;
    attainment flag;
    bool exact;
    size_t n_responses;
    struct {
        ball eps0;
        double count;
    } responses[MAX_FACTORS];
    size_t n_finite;
    const finite_law *finite[MAX_FACTORS];
    double runs[MAX_FACTORS]; /* of each finite law, until its power is made */
} factors;

/* The memory of an atom with its sums, twice while laws are convolved. */
#define ATOM_BYTES 512

/* Terms that take about as long as an atom of an enumeration, and as a profile
 * of a Gaussian. */
#define ATOM_TERMS 16
#define PROFILE_TERMS 256

/* The greatest number of atoms of one enumeration. */
static size_t atom_limit(const mechanism_context *c)
{
    size_t n = c->max_terms / ATOM_TERMS;
    size_t fit = work_bytes(c->pool->limits) / ATOM_BYTES;
    n = fit < n ? fit : n;
    return n > 0 ? n : 1;
}

/* Operations that one atom of an enumerated law takes. */
#define ATOM_OPERATIONS 2000

/* Counts the work on a law and gives it to the pool; NULL if it failed. */
static const finite_law *keep_counted(
    finite_law *made, dosi_status status, const mechanism_context *c)
{
    if (!profile_made(c->pool, status))
        return NULL;
    work_spend(c->pool->limits, ATOM_OPERATIONS * (double)finite_count(made));
    return profile_own(c->pool, made);
}

static attainment worse_flag(attainment a, attainment b)
{
    return a > b ? a : b;
}

/* ---- Exact laws -------------------------------------------------------- */

static bool product_is_gaussian(const mechanism_product *m)
{
    return m->exact && m->finite == NULL && ball_is_zero(m->eps0) &&
           ball_is_zero(m->delta0);
}

bool total_gaussian(ball *mu, attainment *flag, const dosi_plan *normal,
    const mechanism_context *c)
{
    ball mu2 = ball_of(0);
    *flag = ATTAINED_BY_MECHANISM;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        if (!type->is_gaussian)
            return false;
        mechanism_product m = mechanism_product_nothing();
        if (!type->product(&m, MECHANISM_UPPER, &p, c) ||
            !product_is_gaussian(&m))
            return false;
        *flag = worse_flag(*flag, type->flag);
        if (n == 1 && p.count == 1) {
            *mu = m.mu;
            return true;
        }
        mu2 = ball_add(mu2, ball_mul_d(ball_sqr(m.mu), p.count));
    }
    *mu = ball_sqrt(mu2);
    return true;
}

/* The profile of k runs of one randomized response in closed form. */
static const privacy_profile *closed_response(
    const part *p, const mechanism_type *type, const mechanism_context *c)
{
    mechanism_product m = mechanism_product_nothing();
    if (type->draws_once || type->product == NULL ||
        !type->product(&m, MECHANISM_UPPER, p, c))
        return NULL;
    if (!m.exact || m.finite != NULL || !ball_is_zero(m.mu))
        return profile_decline(
            c->pool, "the composition of several runs has no closed form");
    return profile_keep(c->pool,
        profile_response(m.eps0, m.delta0, p->count, c->max_terms, type->flag));
}

static const privacy_profile *closed_part(
    const part *p, const mechanism_context *c)
{
    const mechanism_type *type = mechanism_of(p);
    if (p->count == 1 && type->profile != NULL)
        return type->profile(p, c);
    return type->profile_of_runs != NULL ? type->profile_of_runs(p, c)
                                         : closed_response(p, type, c);
}

const privacy_profile *total_closed(
    const dosi_plan *normal, const mechanism_context *c)
{
    ball mu;
    attainment flag;
    if (total_gaussian(&mu, &flag, normal, c))
        return profile_keep(c->pool, profile_gaussian(mu, flag));
    if (part_count(normal) > 1)
        return profile_decline(c->pool, "a composition of different mechanisms "
                                        "has no closed form");
    part p = part_at(normal, 0);
    return closed_part(&p, c);
}

/* ---- Products of factors ----------------------------------------------- */

static bool add_response(factors *f, ball eps0, double count)
{
    for (size_t i = 0; i < f->n_responses; i++)
        if (f->responses[i].eps0.hi == eps0.hi &&
            f->responses[i].eps0.lo == eps0.lo) {
            f->responses[i].eps0.rad = fmax(f->responses[i].eps0.rad, eps0.rad);
            f->responses[i].count += count;
            return f->responses[i].count <= 0x1p53;
        }
    if (f->n_responses == MAX_FACTORS)
        return false;
    f->responses[f->n_responses].eps0 = eps0;
    f->responses[f->n_responses++].count = count;
    return true;
}

/* The law of all runs. */
static const finite_law *power_of(
    const finite_law *one, double count, const mechanism_context *c)
{
    finite_law *power = NULL;
    dosi_status status = finite_power(&power, one, count, atom_limit(c), NULL);
    return keep_counted(power, status, c);
}

static bool add_finite(factors *f, const finite_law *one, double count)
{
    if (f->n_finite == MAX_FACTORS)
        return false;
    f->finite[f->n_finite] = one;
    f->runs[f->n_finite++] = count;
    return true;
}

static bool add_mix(factors *f, const mechanism_product *m, const part *p,
    const mechanism_type *type, const mechanism_context *c)
{
    if (m->finite != NULL && !add_finite(f, m->finite, p->count))
        return false;
    if (!ball_is_zero(m->eps0) && !add_response(f, m->eps0, p->count))
        return mechanism_decline(c, "the plan holds too many kinds of laws");
    if (!ball_is_zero(m->mu))
        f->mu2 = ball_add(f->mu2, ball_mul_d(ball_sqr(m->mu), p->count));
    if (!ball_is_zero(m->delta0)) {
        ball keep = ball_log1p(ball_neg(m->delta0));
        f->log_keep = ball_add(f->log_keep, ball_mul_d(keep, p->count));
    }
    f->exact = f->exact && m->exact;
    f->flag = worse_flag(f->flag, type->flag);
    return true;
}

static bool factors_collect(factors *f, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c)
{
    *f = (factors){.mu2 = ball_of(0), .log_keep = ball_of(0), .exact = true};
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        if (side == MECHANISM_LOWER &&
            (f->n_finite == MAX_FACTORS || c->pool->n_owned == PROFILE_POOL)) {
            f->exact = false; /* what is left out only adds to the loss */
            break;
        }
        part p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        mechanism_product m = mechanism_product_nothing();
        bool added = type->product != NULL && type->product(&m, side, &p, c) &&
                     add_mix(f, &m, &p, type, c);
        if (c->pool->no_memory || (!added && side == MECHANISM_UPPER))
            return false;
        f->exact = f->exact && added;
    }
    return true;
}

/* ---- How much a product would take ------------------------------------- */

/* Takes the least of n > 0 sizes out of them. */
static double take_least(double *size, size_t n)
{
    size_t least = 0;
    for (size_t i = 1; i < n; i++)
        least = size[i] < size[least] ? i : least;
    double found = size[least];
    size[least] = size[n - 1];
    return found;
}

/* Whether the laws can be convolved until at most n_left remain, each of at
 * most `most` atoms, before their powers are made. m and n losses have at least
 * m + n - 1 sums, and are convolved by m n terms. */
static bool fits(
    double *size, size_t n, size_t n_left, double most, double limit)
{
    while (n > n_left) {
        double a = take_least(size, n--), b = take_least(size, n--);
        if (a * b > limit)
            return false;
        size[n++] = a + b - 1;
    }
    for (size_t i = 0; i < n; i++)
        if (size[i] > most)
            return false;
    return true;
}

/* The greatest number of atoms if there is a Gaussian, since each of them takes
 * a profile of it. */
static double most_atoms(const factors *f, const mechanism_context *c)
{
    size_t most = c->max_terms / PROFILE_TERMS;
    return ball_is_zero(f->mu2) ? HUGE_VAL : (double)most;
}

static bool factors_fit(const factors *f, mechanism_side side, size_t n_left,
    double most, const mechanism_context *c)
{
    static const char reason[] = "an exact enumeration would exceed its limits";
    double size[2 * MAX_FACTORS];
    size_t n = 0, limit = atom_limit(c);
    for (size_t i = 0; i < f->n_finite; i++) {
        size_t least = finite_power_min_atoms(f->finite[i], f->runs[i], limit);
        if (least > 0) /* else it has no law, and from below is left out */
            size[n++] = (double)least;
        else if (side == MECHANISM_UPPER)
            return mechanism_decline(c, reason);
    }
    if (n == 0 && f->n_responses < 2 && ball_is_zero(f->mu2))
        return true; /* a closed form, or nothing */
    for (size_t i = 0; i < f->n_responses; i++) {
        size[n++] = f->responses[i].count + 1;
        if (size[n - 1] > (double)limit)
            return mechanism_decline(c, reason);
    }
    return fits(size, n, n_left, most, (double)limit) ||
           mechanism_decline(c, reason);
}

/* ---- The law of the product -------------------------------------------- */

/* Makes the powers of the finite laws. A lower bound drops those that fail. */
static bool make_runs(
    factors *f, mechanism_side side, const mechanism_context *c)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_finite; i++) {
        const finite_law *all = power_of(f->finite[i], f->runs[i], c);
        if (c->pool->no_memory || (all == NULL && side == MECHANISM_UPPER))
            return false;
        f->exact = f->exact && all != NULL;
        if (all != NULL)
            f->finite[n++] = all;
    }
    f->n_finite = n;
    return true;
}

/* The response as a finite law, count times. */
static bool materialize(factors *f, const mechanism_context *c)
{
    while (f->n_responses > 0) {
        size_t i = --f->n_responses;
        finite_law *one = NULL;
        dosi_status status =
            finite_leaky_response(&one, f->responses[i].eps0, ball_of(0), NULL);
        if (!profile_made(c->pool, status) || f->n_finite == MAX_FACTORS)
            return false;
        const finite_law *kept = profile_own(c->pool, one);
        if (kept == NULL)
            return false;
        kept = power_of(kept, f->responses[i].count, c);
        if (kept == NULL)
            return false;
        f->finite[f->n_finite++] = kept;
    }
    return true;
}

static void smallest_last(factors *f, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        if (finite_count(f->finite[i]) >= finite_count(f->finite[n - 1]))
            continue;
        const finite_law *swap = f->finite[i];
        f->finite[i] = f->finite[n - 1];
        f->finite[n - 1] = swap;
    }
}

/* Convolves the smallest laws until at most n_left remain. */
static bool convolve_down(factors *f, size_t n_left, const mechanism_context *c)
{
    while (f->n_finite > n_left) {
        smallest_last(f, f->n_finite);
        smallest_last(f, f->n_finite - 1);
        const finite_law *a = f->finite[f->n_finite - 1];
        const finite_law *b = f->finite[f->n_finite - 2];
        finite_law *both = NULL;
        dosi_status status = finite_convolve(&both, a, b, atom_limit(c), NULL);
        f->n_finite -= 1;
        f->finite[f->n_finite - 1] = keep_counted(both, status, c);
        if (f->finite[f->n_finite - 1] == NULL)
            return false;
    }
    return true;
}

static const privacy_profile *factors_law(
    factors *f, const mechanism_context *c)
{
    profile_pool *pool = c->pool;
    ball mu = ball_sqrt(f->mu2);
    bool gaussian = !ball_is_zero(f->mu2);
    if (gaussian && !(ball_upper(mu) < HUGE_VAL))
        return profile_decline(pool, "there is almost no noise");
    if (f->n_finite == 0 && f->n_responses == 0)
        return profile_keep(pool, profile_gaussian(mu, f->flag));
    if (f->n_finite == 0 && f->n_responses == 1 && !gaussian)
        return profile_keep(
            pool, profile_response(f->responses[0].eps0, ball_of(0),
                      f->responses[0].count, c->max_terms, f->flag));
    if (!materialize(f, c) || !convolve_down(f, gaussian ? 1 : 2, c))
        return NULL;
    if (f->n_finite == 2)
        return profile_keep(
            pool, profile_product(f->finite[0], f->finite[1], f->flag));
    if (!gaussian)
        return profile_keep(pool, profile_finite(f->finite[0], f->flag));
    if ((double)finite_count(f->finite[0]) > most_atoms(f, c))
        return profile_decline(
            pool, "an exact enumeration would exceed its limits");
    return profile_keep(pool, profile_mixed(f->finite[0], mu, f->flag));
}

const privacy_profile *total_product(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c)
{
    factors f;
    *exact = false;
    if (!factors_collect(&f, side, normal, c) ||
        !factors_fit(
            &f, side, ball_is_zero(f.mu2) ? 2 : 1, most_atoms(&f, c), c) ||
        !make_runs(&f, side, c))
        return NULL;
    *exact = f.exact;
    if (side == MECHANISM_LOWER && f.n_finite + f.n_responses == 0 &&
        ball_is_zero(f.mu2) && ball_is_zero(f.log_keep))
        return NULL; /* nothing was found, which says nothing */
    ball log_keep = f.log_keep;
    const privacy_profile *core = factors_law(&f, c);
    if (core == NULL || ball_is_zero(log_keep))
        return core;
    return profile_keep(c->pool, profile_leaky(core, log_keep));
}

const privacy_profile *total_exact(
    const dosi_plan *normal, const mechanism_context *c)
{
    const privacy_profile *closed = total_closed(normal, c);
    if (closed != NULL || c->pool->no_memory)
        return closed;
    bool exact = false;
    const privacy_profile *mixture =
        total_product(&exact, MECHANISM_UPPER, normal, c);
    if (mixture != NULL && !exact)
        return profile_decline(
            c->pool, "the composition is bounded, not exactly known");
    return mixture;
}

/* The sign of a Gaussian is randomized response. */
static ball gaussian_binary_epsilon(ball mu)
{
    ball half = ball_scale2(mu, -1);
    return ball_sub(ball_log_normal_cdf(half), ball_log_normal_sf(half));
}

const finite_law *total_finite(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c)
{
    factors f;
    *exact = false;
    if (!factors_collect(&f, side, normal, c) ||
        !factors_fit(&f, side, 1, HUGE_VAL, c) || !make_runs(&f, side, c))
        return NULL;
    *exact = f.exact;
    if (!ball_is_zero(f.mu2)) {
        *exact = false;
        ball eps0 = gaussian_binary_epsilon(ball_sqrt(f.mu2));
        if (side == MECHANISM_UPPER || ball_is_unknown(eps0) ||
            !add_response(&f, eps0, 1)) {
            (void)mechanism_decline(c, "the sampled law is not finite");
            return NULL;
        }
    }
    if (!ball_is_zero(f.log_keep) || f.n_responses + f.n_finite == 0) {
        finite_law *leak = NULL;
        ball delta = ball_neg(ball_expm1(f.log_keep));
        if (f.n_finite == MAX_FACTORS ||
            !profile_made(
                c->pool, finite_leaky_response(&leak, ball_of(0), delta, NULL)))
            return NULL;
        f.finite[f.n_finite] = profile_own(c->pool, leak);
        if (f.finite[f.n_finite++] == NULL)
            return NULL;
    }
    if (!materialize(&f, c) || !convolve_down(&f, 1, c))
        return NULL;
    return f.finite[0];
}
