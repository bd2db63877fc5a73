/*
 * Laws made of laws: a finite law composed with a Gaussian, a leak, Poisson
 * sampling in both directions, sampling without replacement. Derivations:
 * docs/theory/account.md.
 */
#include "profile.h"

#include "sampling/amplify.h"
#include "noise/gaussian.h"
#include "num/scaled.h"

/* ---- Finite and Gaussian ----------------------------------------------- */

/* A sum of exponentials, kept as exp(scale) times a ball. */
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

/* log(p_inf + sum of exp(log_mass_i) delta_mu(eps - L_i)). */
static ball mixed_log(const privacy_profile *self, ball eps)
{
    const finite_law *a = self->a;
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
        ball d = gauss_log_delta(self->x, ball_sub(eps, finite_loss(a, i)));
        if (ball_is_unknown(d) || ball_is_unknown(mass)) {
            n_vague++;
            continue;
        }
        exp_sum_add(&s, ball_add(mass, d));
    }
    if (n_vague > 0)
        return ball_unknown();
    double rest = (double)n_dropped * 0x1p-230; /* e^-160 < 2^-230 */
    ball log_sum = ball_log(ball_widen(s.sum, rest));
    return ball_add(log_sum, ball_of(s.scale));
}

static dosi_interval mixed_log_delta(const privacy_profile *self, ball eps)
{
    return ball_interval(mixed_log(self, eps));
}

static ball mixed_delta(const privacy_profile *self, ball eps)
{
    return ball_exp(mixed_log(self, eps));
}

static dosi_interval mixed_log_floor(const privacy_profile *self)
{
    return profile_log_mass(finite_p_inf(self->a));
}

static const profile_type mixed_type = {.theorem = "T000-09, T000-10",
    .log_delta = mixed_log_delta,
    .delta = mixed_delta,
    .log_floor = mixed_log_floor};

privacy_profile profile_mixed(const finite_law *a, ball mu, attainment flag)
{
    if (a == NULL)
        return (privacy_profile){0};
    return (privacy_profile){
        .type = &mixed_type, .flag = flag, .a = a, .x = mu};
}

/* ---- A leak ------------------------------------------------------------ */

/* delta = 1 - keep (1 - d) = (1 - keep) + keep d, both terms >= 0. */
static dosi_interval leaky_log_delta(const privacy_profile *self, ball eps)
{
    dosi_interval d = profile_log_delta(self->base, eps);
    ball leak = ball_log1mexp(self->x);
    return (dosi_interval){
        ball_lower(ball_logaddexp(leak, ball_add_d(self->x, d.lo))),
        ball_upper(ball_logaddexp(leak, ball_add_d(self->x, d.hi)))};
}

static ball leaky_delta(const privacy_profile *self, ball eps)
{
    if (self->base->type->delta == NULL)
        return ball_unknown();
    ball d = self->base->type->delta(self->base, eps);
    ball leak = ball_neg(ball_expm1(self->x));
    return ball_add(leak, ball_mul(ball_exp(self->x), d));
}

static dosi_interval leaky_log_floor(const privacy_profile *self)
{
    dosi_interval d = profile_log_floor(self->base);
    ball leak = ball_log1mexp(self->x);
    return (dosi_interval){
        ball_lower(ball_logaddexp(leak, ball_add_d(self->x, d.lo))),
        ball_upper(ball_logaddexp(leak, ball_add_d(self->x, d.hi)))};
}

/* delta <= target where d <= (target - leak)/keep. */
static dosi_interval leaky_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)log_delta;
    ball rest = ball_add(delta, ball_expm1(self->x));
    if (ball_is_negative(rest))
        return iv_point(HUGE_VAL);
    if (!ball_is_positive(rest))
        return (dosi_interval){0, HUGE_VAL};
    ball log_rest = ball_sub(ball_log(rest), self->x);
    if (ball_is_nonnegative(log_rest))
        return iv_point(0);
    if (!ball_is_negative(log_rest))
        return (dosi_interval){0, HUGE_VAL};
    return profile_epsilon(self->base, ball_exp(log_rest), log_rest);
}

static const profile_type leaky_type = {.theorem = "T000-22.product, T000-24",
    .log_delta = leaky_log_delta,
    .delta = leaky_delta,
    .epsilon = leaky_epsilon,
    .log_floor = leaky_log_floor};

privacy_profile profile_leaky(const privacy_profile *base, ball log_keep)
{
    if (base == NULL)
        return (privacy_profile){0};
    if (ball_is_zero(log_keep))
        return *base;
    return (privacy_profile){
        .type = &leaky_type, .flag = base->flag, .base = base, .x = log_keep};
}

/* ---- Sampling ---------------------------------------------------------- */

static dosi_interval shifted(dosi_interval d, ball by)
{
    return (dosi_interval){ball_lower(ball_add_d(by, d.lo)),
        ball_upper(ball_add_d(by, d.hi))};
}

/* H'(x) = 1 - x for x <= 1 - rate, else rate H(1 + (x - 1)/rate). */
static dosi_interval remove_log_delta(const privacy_profile *self, ball eps)
{
    if (ball_less_equal(eps, ball_log1p(ball_neg(self->x))))
        return ball_interval(ball_log1mexp(eps));
    ball inner = amplify_base_epsilon(self->x, eps);
    if (ball_is_unknown(inner))
        return iv_unknown();
    dosi_interval d = profile_log_delta(self->base, inner);
    ball log_rate = ball_log(self->x);
    return shifted(d, log_rate);
}

static ball remove_delta(const privacy_profile *self, ball eps)
{
    if (self->base->type->delta == NULL)
        return ball_unknown();
    if (ball_less_equal(eps, ball_log1p(ball_neg(self->x))))
        return ball_neg(ball_expm1(eps));
    ball inner = amplify_base_epsilon(self->x, eps);
    if (ball_is_unknown(inner))
        return inner;
    return ball_mul(self->x, self->base->type->delta(self->base, inner));
}

static dosi_interval remove_log_floor(const privacy_profile *self)
{
    dosi_interval d = profile_log_floor(self->base);
    ball log_rate = ball_log(self->x);
    return shifted(d, log_rate);
}

static const profile_type remove_type = {.theorem = "T004-8",
    .log_delta = remove_log_delta,
    .delta = remove_delta,
    .log_floor = remove_log_floor};

/* H'(x) = c H(x rate/c), c = 1 - (1 - rate) x; 0 where c <= 0. By
 * log(c/rate) = log(1 - (1 - rate)(x - 1)/rate), whose digits do not cancel
 * near x = 1. */
typedef struct added {
    bool is_nothing; /* c <= 0 */
    ball log_share;  /* log(c/rate) */
    ball inner;      /* eps of the base */
} added;

static added added_at(ball eps, ball rate)
{
    ball log_keep = ball_log1p(ball_neg(rate));
    if (ball_is_nonnegative(ball_add(eps, log_keep)))
        return (added){.is_nothing = true};
    ball rest = ball_sub(rate, ball_of(1));
    scaled growth = scaled_div(scaled_expm1(eps), scaled_of(rate));
    ball log_share = scaled_log1p(scaled_mul_ball(growth, rest));
    return (added){false, log_share, ball_sub(eps, log_share)};
}

static dosi_interval add_log_delta(const privacy_profile *self, ball eps)
{
    added at = added_at(eps, self->x);
    if (at.is_nothing)
        return iv_point(-HUGE_VAL);
    if (ball_is_unknown(at.log_share))
        return iv_unknown();
    dosi_interval d = profile_log_delta(self->base, at.inner);
    return shifted(d, ball_add(ball_log(self->x), at.log_share));
}

static ball add_delta(const privacy_profile *self, ball eps)
{
    if (self->base->type->delta == NULL)
        return ball_unknown();
    added at = added_at(eps, self->x);
    if (at.is_nothing)
        return ball_of(0);
    if (ball_is_unknown(at.log_share))
        return at.log_share;
    ball c = scaled_ball(
        scaled_mul_ball(scaled_exp(at.log_share), self->x));
    return ball_mul(c, self->base->type->delta(self->base, at.inner));
}

static const profile_type add_type = {.theorem = "X004-8.add",
    .log_delta = add_log_delta,
    .delta = add_delta,
    .log_floor = profile_no_floor}; /* P has at most 1/(1 - rate) times Q */

privacy_profile profile_poisson(
    const privacy_profile *base, ball rate, bool add)
{
    if (base == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = add ? &add_type : &remove_type,
        .flag = base->flag,
        .base = base,
        .x = rate};
}

/* For eps >= 0, rate delta(log(1 + (e^eps - 1)/rate)), the worse of both
 * directions of the base. */
static dosi_interval batch_log_delta_positive(
    const privacy_profile *self, ball eps)
{
    ball inner = amplify_base_epsilon(self->x, eps);
    dosi_interval d = profile_log_delta(self->base, inner);
    if (self->other != self->base)
        d = iv_max(d, profile_log_delta(self->other, inner));
    ball log_rate = ball_log(self->x);
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
    dosi_interval d =
        iv_max(profile_log_floor(self->base), profile_log_floor(self->other));
    ball log_rate = ball_log(self->x);
    return shifted(d, log_rate);
}

static const profile_type batch_type = {.theorem = "T004-9",
    .log_delta = batch_log_delta,
    .log_floor = batch_log_floor};

privacy_profile profile_without_replacement(
    const privacy_profile *base, const privacy_profile *other, ball rate)
{
    if (base == NULL || other == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = &batch_type,
        .flag = base == other ? base->flag : ATTAINED_BY_NONE,
        .base = base,
        .other = other,
        .x = rate};
}
