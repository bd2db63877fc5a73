/*
 * Privacy profiles derived from others: a finite law composed with a Gaussian,
 * a leak, Poisson sampling in both directions, sampling without replacement.
 * Derivation: docs/theory/account.md.
 */
#include "profile.h"

#include "sampling/amplify.h"
#include "noise/gaussian.h"
#include "num/scaled.h"

/* ---- Finite and Gaussian ----------------------------------------------- */

/* A sum of exponentials, represented as exp(scale) times a ball. */
typedef struct exp_sum {
    double scale;
    ball sum;
} exp_sum;

static void exp_sum_add(exp_sum *s, ball log_term)
{
    double top = ball_mid(log_term);
    if (top == -HUGE_VAL)
        return;
    if (top > s->scale) {
        ball shrink = ball_exp(ball_sub(ball_of(s->scale), ball_of(top)));
        s->sum = s->scale > -HUGE_VAL ? ball_mul(s->sum, shrink)
                                      : ball_of(0);
        s->scale = top;
    }
    s->sum = ball_add(
        s->sum, ball_exp(ball_sub(log_term, ball_of(s->scale))));
}

/* Operations of an atom, and of one whose Gaussian profile is evaluated. */
#define ATOM_OPERATIONS 300.0
#define MIXED_OPERATIONS 1000.0

/* log(p_inf + sum of exp(log_mass_i) delta_mu(eps - L_i)). */
static ball mixed_log_ball(const privacy_profile *self, ball eps)
{
    const finite_law *a = self->as.mixed.law;
    size_t n = finite_count(a);
    exp_sum s = {-HUGE_VAL, {0, 0, 0}};
    size_t n_dropped = 0, n_vague = 0;
    ball leak = finite_p_inf(a);
    if (!ball_is_zero(leak))
        exp_sum_add(&s, ball_log(leak));
    for (size_t i = n; i-- > 0;) {
        ball mass = finite_log_mass(a, i);
        /* delta <= 1, so the term is at most its mass: below e^-160 of the
         * sum it is charged to the radius */
        if (ball_upper(mass) < s.scale - 160) {
            n_dropped++;
            continue;
        }
        ball at = ball_sub(eps, finite_loss(a, i));
        ball d = gauss_log_delta(self->as.mixed.mu, at);
        if (ball_is_unknown(d) || ball_is_unknown(mass)) {
            n_vague++;
            continue;
        }
        exp_sum_add(&s, ball_add(mass, d));
    }
    if (self->pool != NULL)
        work_spend(self->pool->limits,
            ATOM_OPERATIONS * (double)n +
                MIXED_OPERATIONS * (double)(n - n_dropped));
    if (n_vague > 0)
        return ball_unknown();
    double rest = (double)n_dropped * 0x1p-230; /* e^-160 < 2^-230 */
    ball log_sum = ball_log(ball_widen(s.sum, rest));
    return ball_add(log_sum, ball_of(s.scale));
}

static dosi_interval mixed_log_floor(const privacy_profile *self)
{
    return profile_log_mass(finite_p_inf(self->as.mixed.law));
}

static const profile_type mixed_type = {.theorem = "T000-09, T000-10",
    .log_ball = mixed_log_ball,
    .log_floor = mixed_log_floor};

privacy_profile profile_mixed(const finite_law *a, ball mu, attainment flag)
{
    if (a == NULL)
        return (privacy_profile){0};
    return (privacy_profile){
        .type = &mixed_type, .flag = flag, .as.mixed = {a, mu}};
}

/* ---- A leak ------------------------------------------------------------ */

/* delta = 1 - keep (1 - d) = (1 - keep) + keep d, both terms >= 0. */
static dosi_interval leaky_log(const privacy_profile *self, dosi_interval d)
{
    ball log_keep = self->as.leaky.log_keep;
    ball leak = ball_log1mexp(log_keep);
    return (dosi_interval){
        ball_lower(ball_logaddexp(leak, ball_add_d(log_keep, d.lo))),
        ball_upper(ball_logaddexp(leak, ball_add_d(log_keep, d.hi)))};
}

static dosi_interval leaky_log_delta(const privacy_profile *self, ball eps)
{
    return leaky_log(self, profile_log_delta(self->as.leaky.base, eps));
}

static dosi_interval leaky_log_floor(const privacy_profile *self)
{
    return leaky_log(self, profile_log_floor(self->as.leaky.base));
}

/* delta <= target where d <= (target - leak)/keep. */
static dosi_interval leaky_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)log_delta;
    ball rest = ball_add(delta, ball_expm1(self->as.leaky.log_keep));
    if (ball_is_negative(rest))
        return iv_point(HUGE_VAL);
    if (!ball_is_positive(rest))
        return (dosi_interval){0, HUGE_VAL};
    ball log_rest = ball_sub(ball_log(rest), self->as.leaky.log_keep);
    if (ball_is_nonnegative(log_rest))
        return iv_point(0);
    if (!ball_is_negative(log_rest))
        return (dosi_interval){0, HUGE_VAL};
    return profile_epsilon(self->as.leaky.base, ball_exp(log_rest), log_rest);
}

static const profile_type leaky_type = {.theorem = "T000-22.product, T000-24",
    .log_delta = leaky_log_delta,
    .epsilon = leaky_epsilon,
    .log_floor = leaky_log_floor};

privacy_profile profile_leaky(const privacy_profile *base, ball log_keep)
{
    if (base == NULL)
        return (privacy_profile){0};
    if (ball_is_zero(log_keep))
        return *base;
    return (privacy_profile){
        .type = &leaky_type,
        .flag = base->flag,
        .as.leaky = {base, log_keep}};
}

/* ---- Sampling ---------------------------------------------------------- */

static dosi_interval shifted(dosi_interval d, ball by)
{
    return (dosi_interval){ball_lower(ball_add_d(by, d.lo)),
        ball_upper(ball_add_d(by, d.hi))};
}

/* A removed record: H'(x) = 1 - x for x <= 1 - rate, otherwise
 * rate H(1 + (x - 1)/rate). */
static dosi_interval remove_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_less_equal(eps, ball_log1p(ball_neg(self->as.poisson.rate))))
        return ball_interval(ball_log1mexp(eps));
    ball inner = amplify_base_epsilon(self->as.poisson.rate, eps);
    if (ball_is_unknown(inner))
        return iv_unknown();
    dosi_interval d = profile_log_delta(self->as.poisson.base, inner);
    ball log_rate = ball_log(self->as.poisson.rate);
    return shifted(d, log_rate);
}

static dosi_interval remove_log_floor(const privacy_profile *self)
{
    dosi_interval d = profile_log_floor(self->as.poisson.base);
    ball log_rate = ball_log(self->as.poisson.rate);
    return shifted(d, log_rate);
}

static const profile_type remove_type = {.theorem = "T004-8",
    .log_delta = remove_log_delta,
    .log_floor = remove_log_floor};

/* An added record: H'(x) = c H(x rate/c), c = 1 - (1 - rate) x; 0 if c <= 0.
 * log(c/rate) = log(1 - (1 - rate)(x - 1)/rate) does not cancel near x = 1. */
typedef struct added {
    bool is_zero; /* c <= 0 */
    ball log_share;  /* log(c/rate) */
    ball inner;      /* eps of the base */
} added;

static added added_at(ball eps, ball rate)
{
    ball log_keep = ball_log1p(ball_neg(rate));
    if (ball_is_nonnegative(ball_add(eps, log_keep)))
        return (added){.is_zero = true};
    ball rest = ball_sub(rate, ball_of(1));
    scaled growth = scaled_div(scaled_expm1(eps), scaled_of(rate));
    ball log_share = scaled_log1p(scaled_mul_ball(growth, rest));
    return (added){false, log_share, ball_sub(eps, log_share)};
}

static dosi_interval add_log_delta(const privacy_profile *self, ball eps)
{
    added at = added_at(eps, self->as.poisson.rate);
    if (at.is_zero)
        return iv_point(-HUGE_VAL);
    if (ball_is_unknown(at.log_share))
        return iv_unknown();
    dosi_interval d = profile_log_delta(self->as.poisson.base, at.inner);
    return shifted(d, ball_add(ball_log(self->as.poisson.rate), at.log_share));
}

static const profile_type add_type = {.theorem = "X004-8.add",
    .log_delta = add_log_delta,
    .log_floor = profile_no_floor}; /* P <= Q/(1 - rate) */

privacy_profile profile_poisson(
    const privacy_profile *base, ball rate, bool is_added)
{
    if (base == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = is_added ? &add_type : &remove_type,
        .flag = base->flag,
        .as.poisson = {base, rate}};
}

/* The profile of a batch at eps >= 0: rate delta(log(1 + (e^eps - 1)/rate)),
 * delta the larger one of both directions of the base. */
static dosi_interval batch_log_delta_positive(
    const privacy_profile *self, ball eps)
{
    const struct profile_without_replacement_parameters *p =
        &self->as.without_replacement;
    ball inner = amplify_base_epsilon(p->rate, eps);
    dosi_interval d = profile_log_delta(p->base, inner);
    if (p->reverse != p->base)
        d = iv_max(d, profile_log_delta(p->reverse, inner));
    ball log_rate = ball_log(p->rate);
    return shifted(d, log_rate);
}

static dosi_interval batch_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_is_nonnegative(eps))
        return batch_log_delta_positive(self, eps);
    if (!ball_is_negative(eps))
        return iv_unknown();
    /* the law is symmetric: delta(eps) = 1 - e^eps (1 - delta(-eps)) */
    dosi_interval d = batch_log_delta_positive(self, ball_neg(eps));
    ball most = ball_add(eps, ball_log1mexp(ball_of(d.lo)));
    ball least = ball_add(eps, ball_log1mexp(ball_of(d.hi)));
    return (dosi_interval){ball_lower(ball_log1mexp(most)),
        ball_upper(ball_log1mexp(least))};
}

static dosi_interval batch_log_floor(const privacy_profile *self)
{
    const struct profile_without_replacement_parameters *p =
        &self->as.without_replacement;
    dosi_interval d =
        iv_max(profile_log_floor(p->base), profile_log_floor(p->reverse));
    ball log_rate = ball_log(p->rate);
    return shifted(d, log_rate);
}

static const profile_type batch_type = {.theorem = "T004-9",
    .log_delta = batch_log_delta,
    .log_floor = batch_log_floor};

privacy_profile profile_without_replacement(
    const privacy_profile *base, const privacy_profile *reverse, ball rate)
{
    if (base == NULL || reverse == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = &batch_type,
        .flag = base == reverse ? base->flag : ATTAINED_BY_NONE,
        .as.without_replacement = {base, reverse, rate}};
}
