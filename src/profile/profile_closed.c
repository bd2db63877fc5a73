/*
 * The laws of single mechanisms, of k equal responses and of finite pairs,
 * each a few lines over the file that holds its mathematics.
 */
#include "profile.h"

#include "noise/discrete_gaussian.h"
#include "noise/bounded_range.h"
#include "noise/gaussian.h"
#include "noise/laplace.h"
#include "finite/response_composition.h"

/* ---- Nothing and everything -------------------------------------------- */

static dosi_interval nothing_log_delta(const privacy_profile *self, ball eps)
{
    (void)self;
    if (ball_is_nonnegative(eps))
        return iv_point(-HUGE_VAL);
    return ball_interval(ball_log1mexp(eps));
}

static const profile_type nothing_type = {.theorem = "T000-07",
    .log_delta = nothing_log_delta,
    .log_floor = profile_no_floor};

/* P = Q */
static privacy_profile law_nothing(void)
{
    return (privacy_profile){
        .type = &nothing_type, .flag = ATTAINED_BY_MECHANISM};
}

static dosi_interval everything_log(const privacy_profile *self, ball eps)
{
    (void)self;
    (void)eps;
    return iv_point(0);
}

static dosi_interval everything_floor(const privacy_profile *self)
{
    (void)self;
    return iv_point(0);
}

static const profile_type no_privacy_type = {.theorem = "T000-07",
    .log_delta = everything_log,
    .log_floor = everything_floor};

privacy_profile profile_no_privacy(void)
{
    return (privacy_profile){
        .type = &no_privacy_type, .flag = ATTAINED_BY_MECHANISM};
}

/* ---- Gaussian ---------------------------------------------------------- */

static dosi_interval gaussian_log_delta(const privacy_profile *self, ball eps)
{
    return ball_interval(gauss_log_delta(self->x, eps));
}

static ball gaussian_delta(const privacy_profile *self, ball eps)
{
    return gauss_delta(self->x, eps);
}

static dosi_interval gaussian_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    return gauss_epsilon(self->x, log_delta);
}

static dosi_interval gaussian_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    return ball_interval(gauss_tradeoff(self->x, ball_of(alpha)));
}

static const profile_type gaussian_type = {.theorem = "T000-08, T000-10",
    .log_delta = gaussian_log_delta,
    .delta = gaussian_delta,
    .epsilon = gaussian_epsilon,
    .tradeoff = gaussian_tradeoff,
    .log_floor = profile_no_floor};

privacy_profile profile_gaussian(ball mu, attainment flag)
{
    if (ball_is_zero(mu))
        return law_nothing();
    return (privacy_profile){.type = &gaussian_type, .flag = flag, .x = mu};
}

/* ---- Laplace ----------------------------------------------------------- */

static dosi_interval laplace_law_log_delta(
    const privacy_profile *self, ball eps)
{
    return ball_interval(laplace_log_delta(self->x, eps));
}

static ball laplace_law_delta(const privacy_profile *self, ball eps)
{
    return ball_exp(laplace_log_delta(self->x, eps));
}

static dosi_interval laplace_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    return laplace_epsilon(self->x, log_delta);
}

static dosi_interval laplace_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    return laplace_tradeoff(self->x, alpha);
}

static const profile_type laplace_type = {.theorem = "D000-laplace.delta",
    .log_delta = laplace_law_log_delta,
    .delta = laplace_law_delta,
    .epsilon = laplace_law_epsilon,
    .tradeoff = laplace_law_tradeoff,
    .log_floor = profile_no_floor};

privacy_profile profile_laplace(ball a)
{
    return (privacy_profile){
        .type = &laplace_type, .flag = ATTAINED_BY_MECHANISM, .x = a};
}

/* ---- Bounded range ----------------------------------------------------- */

static dosi_interval exponential_law_log_delta(
    const privacy_profile *self, ball eps)
{
    return ball_interval(exponential_log_delta(self->x, eps));
}

static ball exponential_law_delta(const privacy_profile *self, ball eps)
{
    return ball_exp(exponential_log_delta(self->x, eps));
}

static dosi_interval exponential_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    return exponential_epsilon(self->x, log_delta);
}

static dosi_interval exponential_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    return exponential_tradeoff(self->x, alpha);
}

static const profile_type exponential_type = {
    .theorem = "bounded range [DDR20]",
    .log_delta = exponential_law_log_delta,
    .delta = exponential_law_delta,
    .epsilon = exponential_law_epsilon,
    .tradeoff = exponential_law_tradeoff,
    .log_floor = profile_no_floor};

privacy_profile profile_exponential(ball e)
{
    if (ball_is_zero(e))
        return law_nothing();
    return (privacy_profile){
        .type = &exponential_type, .flag = ATTAINED_BY_CLASS, .x = e};
}

/* ---- Discrete Gaussian ------------------------------------------------- */

/* x: variance of one run; s: shift; n: runs. The loss of k runs depends on
 * the sum of their answers alone, which is nearly one discrete Gaussian. */
static ball lattice_log(const privacy_profile *self, ball eps)
{
    ball variance = ball_mul_d(self->x, self->n);
    ball one = discrete_gaussian_log_delta(
        variance, self->s * self->n, eps);
    return ball_widen(one, self->y.hi);
}

static dosi_interval lattice_log_delta(const privacy_profile *self, ball eps)
{
    return ball_interval(lattice_log(self, eps));
}

static ball lattice_delta(const privacy_profile *self, ball eps)
{
    return ball_exp(lattice_log(self, eps));
}

static const profile_type discrete_gaussian_type = {.theorem = "T000-07",
    .log_delta = lattice_log_delta,
    .delta = lattice_delta,
    .log_floor = profile_no_floor};

privacy_profile profile_discrete_gaussian(double sigma, double shift, double k)
{
    double apart = discrete_gaussian_sum_distance(sigma, k);
    return (privacy_profile){.type = &discrete_gaussian_type,
        .flag = ATTAINED_BY_MECHANISM,
        .x = ball_sqr(ball_of(sigma)),
        .y = ball_of(apart),
        .s = shift,
        .n = k};
}

/* ---- k equal responses ------------------------------------------------- */

static dosi_interval response_log_delta(const privacy_profile *self, ball eps)
{
    return optimal_composition_log_delta(
        self->n, self->x, self->y, eps, self->max_terms);
}

static ball response_delta(const privacy_profile *self, ball eps)
{
    return optimal_composition_delta(
        self->n, self->x, self->y, eps, self->max_terms);
}

static dosi_interval response_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    bool done = false;
    return optimal_composition_epsilon(
        self->n, self->x, self->y, delta, log_delta, self->max_terms, &done);
}

static dosi_interval response_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    bool done = false;
    return optimal_composition_tradeoff(
        self->n, self->x, self->y, alpha, self->max_terms, &done);
}

static dosi_interval response_log_floor(const privacy_profile *self)
{
    ball log_keep = ball_mul_d(ball_log1p(ball_neg(self->y)), self->n);
    return ball_interval(ball_log1mexp(log_keep));
}

static const profile_type response_type = {.theorem = "T000-24, S000-7.kov",
    .log_delta = response_log_delta,
    .delta = response_delta,
    .epsilon = response_epsilon,
    .tradeoff = response_tradeoff,
    .log_floor = response_log_floor};

privacy_profile profile_response(
    ball eps0, ball delta0, double k, size_t max_terms, attainment flag)
{
    return (privacy_profile){.type = &response_type,
        .flag = flag,
        .x = eps0,
        .y = delta0,
        .n = k,
        .max_terms = max_terms};
}

/* ---- Finite laws ------------------------------------------------------- */

static dosi_interval finite_law_log_delta(const privacy_profile *self, ball eps)
{
    return finite_log_delta(self->a, eps);
}

static ball finite_law_delta(const privacy_profile *self, ball eps)
{
    return finite_delta(self->a, eps);
}

static dosi_interval finite_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    return finite_epsilon(self->a, delta, log_delta);
}

static dosi_interval finite_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    /* finite_tradeoff rejects P at error alpha; here Q is the null */
    finite_law *reverse = NULL;
    if (!profile_asked(self, finite_reverse(&reverse, self->a, NULL)))
        return iv_unknown();
    dosi_interval f = finite_tradeoff(reverse, alpha);
    finite_free(reverse);
    return f;
}

static dosi_interval finite_law_log_floor(const privacy_profile *self)
{
    return profile_log_mass(finite_p_inf(self->a));
}

static const profile_type finite_type = {.theorem = "T000-07, T000-09",
    .log_delta = finite_law_log_delta,
    .delta = finite_law_delta,
    .epsilon = finite_law_epsilon,
    .tradeoff = finite_law_tradeoff,
    .log_floor = finite_law_log_floor};

privacy_profile profile_finite(const finite_law *a, attainment flag)
{
    if (a == NULL)
        return (privacy_profile){0};
    return (privacy_profile){.type = &finite_type, .flag = flag, .a = a};
}

static dosi_interval product_log_delta(const privacy_profile *self, ball eps)
{
    return finite_product_log_delta(self->a, self->b, eps);
}

static ball product_delta(const privacy_profile *self, ball eps)
{
    return finite_product_delta(self->a, self->b, eps);
}

static dosi_interval product_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    return finite_product_epsilon(self->a, self->b, delta, log_delta);
}

static dosi_interval product_log_floor(const privacy_profile *self)
{
    /* 1 - (1 - p)(1 - q) = p + q (1 - p) */
    ball p = finite_p_inf(self->a), q = finite_p_inf(self->b);
    ball mass = ball_add(p, ball_mul(q, ball_sub(ball_of(1), p)));
    return profile_log_mass(mass);
}

static const profile_type product_type = {.theorem = "T000-09, S000-7.hetero",
    .log_delta = product_log_delta,
    .delta = product_delta,
    .epsilon = product_epsilon,
    .log_floor = product_log_floor};

privacy_profile profile_product(
    const finite_law *a, const finite_law *b, attainment flag)
{
    if (a == NULL || b == NULL)
        return (privacy_profile){0};
    return (privacy_profile){
        .type = &product_type, .flag = flag, .a = a, .b = b};
}
