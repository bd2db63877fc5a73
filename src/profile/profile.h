/*
 * A privacy profile in use: one ordered pair (P, Q) seen through
 * delta(eps) = sup_E P(E) - e^eps Q(E) at every real eps. A type that offers
 * delta answers every question; a type with closed inverses offers them in its
 * table of functions. Derivation: docs/theory/account.md.
 *
 * Profiles are plain values that borrow the laws they are made of; a pool owns
 * both.
 */
#ifndef DOSI_PROFILE_PROFILE_H
#define DOSI_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "finite/finite_law.h"
#include "loss/attained.h"
#include "base/work_limits.h"
#include "noise/base_profile.h"
#include "num/ball.h"

typedef struct privacy_profile privacy_profile;
typedef struct profile_pool profile_pool;

/* Every type has log_ball or log_delta; the other functions may be NULL. */
typedef struct profile_type {
    const char *theorem; /* ids of the statements the profile rests on */

    /* log delta at eps, of which delta is the exponential to all digits. */
    ball (*log_ball)(const privacy_profile *self, ball eps);

    /* log delta at eps; [-inf, -inf] where delta is 0. */
    dosi_interval (*log_delta)(const privacy_profile *self, ball eps);

    /* delta at eps, where it has more digits than by its logarithm. */
    ball (*delta)(const privacy_profile *self, ball eps);

    /* Smallest eps >= 0 with delta(eps) <= exp(log_delta). */
    dosi_interval (*epsilon)(
        const privacy_profile *self, ball delta, ball log_delta);

    /* Whether certainly delta(eps) <= exp(log_delta), for types that decide
     * this faster than they compute either value; false if undecided. */
    bool (*is_within)(
        const privacy_profile *self, ball eps, ball delta, ball log_delta);

    /* Smallest P[accept Q] of a test with Q[reject Q] <= alpha. Once the lower
     * end is at least `enough`, the upper end may be any valid one. */
    dosi_interval (*tradeoff)(
        const privacy_profile *self, double alpha, double enough);

    /* log P[L = +inf], below which no delta falls: profile_no_floor if there is
     * no such mass; NULL if only the profile bounds it. */
    dosi_interval (*log_floor)(const privacy_profile *self);

    /* Drops the state kept from earlier questions, if it can change the next
     * answer. */
    void (*forget)(const privacy_profile *self);

    bool is_slow; /* a profile value takes milliseconds */
    bool is_best; /* unless its answer is wide, no other route is tighter */
} profile_type;

/* Parameters; the type of the profile tells which member is set. */
typedef union profile_parameters {
    struct {
        const struct closed_form *form;
        ball parameter;
    } closed;
    struct {
        ball variance; /* of one run */
        double shift, runs;
        double log_distance; /* of k runs to one lattice Gaussian */
    } discrete_gaussian;
    struct profile_response_parameters {
        ball eps0, delta0;
        double runs;
        size_t max_terms;
    } response;
    struct {
        const finite_law *law;
    } finite;
    struct profile_product_parameters {
        const finite_law *first, *second;
    } product;
    struct profile_mixed_parameters {
        const finite_law *law;
        ball mu;
    } mixed;
    struct profile_leaky_parameters {
        const privacy_profile *base;
        ball log_keep;
    } leaky;
    struct {
        ball log_affinity; /* at most 0; its upper end is used */
    } affinity;
    struct profile_poisson_parameters {
        const privacy_profile *base;
        ball rate;
    } poisson;
    struct profile_without_replacement_parameters {
        const privacy_profile *base, *reverse;
        ball rate;
    } without_replacement;
    struct profile_group_parameters {
        const privacy_profile *base;
        const privacy_profile *reverse; /* NULL: that of base */
        double size;
    } group;
    struct {
        base_profile base;
        double n_draws, n_records;
    } with_replacement;
    struct profile_with_replacement_pair_parameters {
        ball theta;
        double n_draws, n_records;
        bool is_laplace, is_added;
    } with_replacement_pair;
    struct {
        ball theta, rate;
    } poisson_replace;
    struct {
        bool is_added;
    } adaptive;
    struct {
        ball rho, xi; /* D_a <= xi + rho a */
    } zcdp;
    struct {
        ball eps, squares, delta, log_keep; /* sums over the parts */
    } approx;
    struct {
        ball delta_at_zero; /* a bound, and its logarithm */
        double log_delta_at_zero;
    } variation;
    struct {
        double max_order;
        double curve_guess; /* at the first order, if is_steered */
        bool is_steered;    /* uncertified curves steer */
    } renyi;
} profile_parameters;

struct privacy_profile {
    const profile_type *type;
    attainment flag;
    profile_parameters as;
    const void *context; /* of types defined elsewhere */
    void *own; /* the context, if the type has `forget`; or NULL */
    profile_pool *pool; /* that holds it, or NULL; notes failed allocations */
};

/* ---- The pool ---------------------------------------------------------- */

#define PROFILE_POOL 48
#define PROFILE_DEFERRED 16

/* Owns the laws of one question. */
struct profile_pool {
    size_t n_laws;
    size_t n_owned;
    bool no_memory;     /* an allocation failed */
    const char *reason; /* why the last requested law does not exist */
    work_limits *limits; /* of the question; NULL: the defaults */
    privacy_profile laws[PROFILE_POOL];
    finite_law *owned[PROFILE_POOL];
    size_t n_deferred;
    struct {
        void *object;
        void (*release)(void *object);
    } deferred[PROFILE_DEFERRED];
};

void profile_pool_init(profile_pool *pool);

/* Frees all that the pool owns; profiles in it are invalid from then on. */
void profile_pool_free(profile_pool *pool);

/*
 * Copies a profile into the pool.
 *
 * owns   the pool owns the copy
 * fails  NULL if the pool is full, or if value.type is NULL
 */
const privacy_profile *profile_keep(profile_pool *pool, privacy_profile value);

/*
 * Hands a finite law to the pool.
 *
 * owns   the pool frees `a`, at once if it is full
 * fails  NULL if the pool is full, or if `a` is NULL
 */
const finite_law *profile_own(profile_pool *pool, finite_law *a);

/*
 * Hands an object that laws refer to over to the pool.
 *
 * owns   the pool releases the object, the last one first; at once if it is
 *        full
 * fails  false if the pool is full
 */
bool profile_defer(
    profile_pool *pool, void *object, void (*release)(void *object));

/* Whether status is DOSI_OK; notes in the pool why a finite law could not be
 * made. */
bool profile_made(profile_pool *pool, dosi_status status);

/* Whether status is DOSI_OK; notes in the pool of a profile that memory was
 * missing while it was evaluated. */
bool profile_asked(const privacy_profile *self, dosi_status status);

/* Encloses the logarithm of a mass that may be 0. */
dosi_interval profile_log_mass(ball mass);

/* Notes in the pool why the last answer of a profile is wide. */
void profile_explain(const privacy_profile *self, const char *reason);

/* Notes in the pool why a profile does not exist. Returns NULL, for
 * "return profile_decline(...)". */
const privacy_profile *profile_decline(profile_pool *pool, const char *reason);

/* ---- Making ------------------------------------------------------------ */

privacy_profile profile_no_privacy(void); /* all mass at +inf */

/*
 * Gaussian noise of distance over sigma mu.
 *
 * source  T000-08, T000-10
 */
privacy_profile profile_gaussian(ball mu, attainment flag);

/* Laplace noise of distance over scale a. */
privacy_profile profile_laplace(ball a);

/*
 * The class of mechanisms of bounded range e, one run.
 *
 * source  [DDR20]
 */
privacy_profile profile_exponential(ball e);

/* k runs of discrete Gaussian noise on answers a shift apart. */
privacy_profile profile_discrete_gaussian(double sigma, double shift, double k);

/*
 * Optimal composition of k (eps0, delta0) guarantees.
 *
 * cost    at most max_terms terms a sum; answers are wide if more are needed
 * source  T000-24, S000-7.kov
 */
privacy_profile profile_response(
    ball eps0, ball delta0, double k, size_t max_terms, attainment flag);

/* Makers below borrow the laws and profiles they are given. If one of these is
 * NULL, the result has the type NULL, which profile_keep turns into NULL. */

privacy_profile profile_finite(const finite_law *a, attainment flag);
privacy_profile profile_product(
    const finite_law *a, const finite_law *b, attainment flag);

/* A finite law composed with a Gaussian: delta = E_P[delta_mu(eps - L)]. */
privacy_profile profile_mixed(const finite_law *a, ball mu, attainment flag);

/* Loss +inf with probability 1 - exp(log_keep), otherwise the base. */
privacy_profile profile_leaky(const privacy_profile *base, ball log_keep);

/* A lower bound of the profile of every pair whose Hellinger affinity
 * sum sqrt(P Q) is at most exp(log_affinity). */
privacy_profile profile_affinity(ball log_affinity, attainment flag);

/*
 * Poisson sampling of one record, removed or added.
 *
 * requires  0 < rate < 1; base has the same direction
 * source    T004-8, X004-8.add
 */
privacy_profile profile_poisson(
    const privacy_profile *base, ball rate, bool is_added);

/*
 * Sampling without replacement, one record replaced.
 *
 * requires  base and reverse are the two directions of the base; equal
 *           pointers for a symmetric base
 * source    T004-9
 */
privacy_profile profile_without_replacement(const privacy_profile *base,
    const privacy_profile *reverse, ball rate);

/*
 * An upper bound for data sets k neighbouring steps apart.
 *
 * requires  base and reverse are the two directions of one step; reverse is
 *           NULL if they agree
 * cost      several values of the base, which may be slow, for each delta;
 *           some 30 inversions for epsilon
 * source    T004-GB, X004-GB.mono
 */
privacy_profile profile_group(
    const privacy_profile *base, const privacy_profile *reverse, double k);

/* ---- Asking ------------------------------------------------------------ */

/* After the work limits of the pool have stopped a question log delta is
 * [-inf, 0] and delta [0, 1]; the other answers stay valid. */

/* log delta, or delta, at eps. */
dosi_interval profile_log_delta(const privacy_profile *self, ball eps);
dosi_interval profile_delta(const privacy_profile *self, ball eps);

/* delta at eps, to all digits of its type; unknown if it has no more than
 * those of the logarithm. */
ball profile_delta_ball(const privacy_profile *self, ball eps);

/* delta at eps, and log delta, evaluated once. */
dosi_interval profile_delta_and_log(
    const privacy_profile *self, ball eps, dosi_interval *log_delta);

/*
 * Smallest eps >= 0 with delta(eps) <= delta; +inf if there is none.
 *
 * requires  delta and log_delta enclose one target and its logarithm
 */
dosi_interval profile_epsilon(
    const privacy_profile *self, ball delta, ball log_delta);

/* Whether certainly delta(eps) <= delta. False if the type has no fast way to
 * decide this, or leaves it undecided. */
bool profile_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta);

/*
 * Smallest type II error at type I error alpha, Q being the null hypothesis.
 *
 * requires  alpha in [0, 1]
 * width     once the lower end is at least `enough` the upper end may be any
 *           valid one; enough = 1 asks for the narrowest answer
 */
dosi_interval profile_tradeoff(
    const privacy_profile *self, double alpha, double enough);

/* log P[L = +inf]; [-inf, 0] if the type does not know it. */
dosi_interval profile_log_floor(const privacy_profile *self);

/* The log_floor of types without mass at +inf. */
dosi_interval profile_no_floor(const privacy_profile *self);

#endif
