/*
 * Privacy profiles of single mechanisms, of k equal responses and of finite
 * pairs, each a few lines over the file that holds its mathematics (src/noise,
 * src/finite). Derivation: docs/theory/account.md.
 */
#include "profile.h"

#include "noise/discrete_gaussian.h"
#include "noise/bounded_range.h"
#include "noise/gaussian.h"
#include "noise/laplace.h"
#include "finite/response_composition.h"

/* ---- P = Q, and no privacy ---------------------------------------------- */

static dosi_interval identical_log_delta(const privacy_profile *self, ball eps)
{
    (void)self;
    if (ball_is_nonnegative(eps))
        return iv_point(-HUGE_VAL);
    return ball_interval(ball_log1mexp(eps));
}

static const profile_type identical_type = {.theorem = "T000-07",
    .log_delta = identical_log_delta,
    .log_floor = profile_no_floor};

static privacy_profile profile_identical(void)
{
    return (privacy_profile){
        .type = &identical_type, .flag = ATTAINED_BY_MECHANISM};
}

static dosi_interval no_privacy_log_delta(const privacy_profile *self, ball eps)
{
    (void)self;
    (void)eps;
    return iv_point(0);
}

static dosi_interval no_privacy_log_floor(const privacy_profile *self)
{
    (void)self;
    return iv_point(0);
}

static const profile_type no_privacy_type = {.theorem = "T000-07",
    .log_delta = no_privacy_log_delta,
    .log_floor = no_privacy_log_floor};

privacy_profile profile_no_privacy(void)
{
    return (privacy_profile){
        .type = &no_privacy_type, .flag = ATTAINED_BY_MECHANISM};
}

/* ---- Laws of one parameter ---------------------------------------------- */

/* The mathematics of a law, in src/noise. */
typedef struct closed_form {
    profile_type type;
    ball (*log_delta)(ball parameter, ball eps);
    dosi_interval (*epsilon)(ball parameter, ball log_delta);
    dosi_interval (*tradeoff)(ball parameter, double alpha);
} closed_form;

static ball closed_log_ball(const privacy_profile *self, ball eps)
{
    return self->as.closed.form->log_delta(self->as.closed.parameter, eps);
}

static dosi_interval closed_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    (void)delta;
    return self->as.closed.form->epsilon(
        self->as.closed.parameter, log_delta);
}

static dosi_interval closed_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    return self->as.closed.form->tradeoff(self->as.closed.parameter, alpha);
}

#define CLOSED_TYPE(statements)                                                \
    {.theorem = (statements), .log_ball = closed_log_ball,                     \
        .epsilon = closed_epsilon, .tradeoff = closed_tradeoff,                \
        .log_floor = profile_no_floor}

static dosi_interval gaussian_tradeoff(ball mu, double alpha)
{
    return ball_interval(gauss_tradeoff(mu, ball_of(alpha)));
}

static const closed_form gaussian_form = {CLOSED_TYPE("T000-08, T000-10"),
    gauss_log_delta, gauss_epsilon, gaussian_tradeoff};
static const closed_form laplace_form = {CLOSED_TYPE("D000-laplace.delta"),
    laplace_log_delta, laplace_epsilon, laplace_tradeoff};
static const closed_form exponential_form = {
    CLOSED_TYPE("bounded range [DDR20]"), exponential_log_delta,
    exponential_epsilon, exponential_tradeoff};

static privacy_profile profile_closed(
    const closed_form *form, ball parameter, attainment flag)
{
    return (privacy_profile){
        .type = &form->type, .flag = flag, .as.closed = {form, parameter}};
}

privacy_profile profile_gaussian(ball mu, attainment flag)
{
    return ball_is_zero(mu) ? profile_identical()
                            : profile_closed(&gaussian_form, mu, flag);
}

privacy_profile profile_laplace(ball a)
{
    return profile_closed(&laplace_form, a, ATTAINED_BY_MECHANISM);
}

privacy_profile profile_exponential(ball e)
{
    return ball_is_zero(e)
               ? profile_identical()
               : profile_closed(&exponential_form, e, ATTAINED_BY_CLASS);
}

/* ---- Discrete Gaussian ------------------------------------------------- */

/* The loss of k runs depends on the sum of their answers alone, whose law is
 * within log_distance of one discrete Gaussian. */
static ball lattice_gaussian_log_ball(const privacy_profile *self, ball eps)
{
    double runs = self->as.discrete_gaussian.runs;
    ball variance = ball_mul_d(self->as.discrete_gaussian.variance, runs);
    ball one = discrete_gaussian_log_delta(
        variance, self->as.discrete_gaussian.shift * runs, eps);
    return ball_widen(one, self->as.discrete_gaussian.log_distance);
}

static const profile_type discrete_gaussian_type = {.theorem = "T000-07",
    .log_ball = lattice_gaussian_log_ball,
    .log_floor = profile_no_floor};

privacy_profile profile_discrete_gaussian(double sigma, double shift, double k)
{
    return (privacy_profile){.type = &discrete_gaussian_type,
        .flag = ATTAINED_BY_MECHANISM,
        .as.discrete_gaussian = {.variance = ball_sqr(ball_of(sigma)),
            .shift = shift,
            .runs = k,
            .log_distance = discrete_gaussian_sum_distance(sigma, k)}};
}

/* ---- k equal responses ------------------------------------------------- */

/* Operations of a term of a sum over a binomial law, terms per deviation of it,
 * and sums of an inverse. */
#define TERM_OPERATIONS 70.0
#define TERMS_PER_DEVIATION 12.0
#define INVERSE_SUMS 6

static void spend_sums(const privacy_profile *self, double n)
{
    double runs = self->as.response.runs;
    double terms = fmin(runs, TERMS_PER_DEVIATION * sqrt(runs));
    if (self->pool != NULL && terms <= (double)self->as.response.max_terms)
        work_spend(self->pool->limits, TERM_OPERATIONS * n * terms);
}

static dosi_interval response_log_delta(const privacy_profile *self, ball eps)
{
    const struct profile_response_parameters *r = &self->as.response;
    spend_sums(self, 1);
    return optimal_composition_log_delta(
        r->runs, r->eps0, r->delta0, eps, r->max_terms);
}

static ball response_delta(const privacy_profile *self, ball eps)
{
    const struct profile_response_parameters *r = &self->as.response;
    spend_sums(self, 1);
    return optimal_composition_delta(
        r->runs, r->eps0, r->delta0, eps, r->max_terms);
}

static dosi_interval response_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    const struct profile_response_parameters *r = &self->as.response;
    bool done = false;
    spend_sums(self, INVERSE_SUMS);
    return optimal_composition_epsilon(
        r->runs, r->eps0, r->delta0, delta, log_delta, r->max_terms, &done);
}

static dosi_interval response_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    const struct profile_response_parameters *r = &self->as.response;
    bool done = false;
    spend_sums(self, INVERSE_SUMS);
    return optimal_composition_tradeoff(
        r->runs, r->eps0, r->delta0, alpha, r->max_terms, &done);
}

static dosi_interval response_log_floor(const privacy_profile *self)
{
    const struct profile_response_parameters *r = &self->as.response;
    ball log_keep = ball_mul_d(ball_log1p(ball_neg(r->delta0)), r->runs);
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
        .as.response = {eps0, delta0, k, max_terms}};
}

/* ---- Finite laws ------------------------------------------------------- */

static dosi_interval finite_law_log_delta(const privacy_profile *self, ball eps)
{
    return finite_log_delta(self->as.finite.law, eps);
}

static ball finite_law_delta(const privacy_profile *self, ball eps)
{
    return finite_delta(self->as.finite.law, eps);
}

static dosi_interval finite_law_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    return finite_epsilon(self->as.finite.law, delta, log_delta);
}

static dosi_interval finite_law_tradeoff(
    const privacy_profile *self, double alpha, double enough)
{
    (void)enough;
    /* finite_tradeoff rejects P at error alpha; here Q is the null */
    finite_law *reverse = NULL;
    dosi_status status = finite_reverse(&reverse, self->as.finite.law, NULL);
    if (!profile_asked(self, status))
        return iv_unknown();
    dosi_interval f = finite_tradeoff(reverse, alpha);
    finite_free(reverse);
    return f;
}

static dosi_interval finite_law_log_floor(const privacy_profile *self)
{
    return profile_log_mass(finite_p_inf(self->as.finite.law));
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
    return (privacy_profile){
        .type = &finite_type, .flag = flag, .as.finite = {a}};
}

static dosi_interval product_log_delta(const privacy_profile *self, ball eps)
{
    const struct profile_product_parameters *p = &self->as.product;
    return finite_product_log_delta(p->first, p->second, eps);
}

static ball product_delta(const privacy_profile *self, ball eps)
{
    const struct profile_product_parameters *p = &self->as.product;
    return finite_product_delta(p->first, p->second, eps);
}

static dosi_interval product_epsilon(
    const privacy_profile *self, ball delta, ball log_delta)
{
    const struct profile_product_parameters *p = &self->as.product;
    return finite_product_epsilon(p->first, p->second, delta, log_delta);
}

static dosi_interval product_log_floor(const privacy_profile *self)
{
    /* 1 - (1 - p)(1 - q) = p + q (1 - p) */
    ball p = finite_p_inf(self->as.product.first);
    ball q = finite_p_inf(self->as.product.second);
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
        .type = &product_type, .flag = flag, .as.product = {a, b}};
}
