/*
 * A loss law in use: one ordered pair (P, Q) seen through its privacy
 * profile delta(eps) = sup_E P(E) - e^eps Q(E) at every real eps. Whatever
 * offers a profile answers every question; a law with closed inverses says
 * so in its table of functions. Derivation: docs/theory/account.md.
 *
 * Laws are plain values that borrow what they are made of; a pool owns it.
 */
#ifndef DOSI_PROFILE_PROFILE_H
#define DOSI_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "finite/finite_law.h"
#include "loss/attained.h"
#include "base/work_limits.h"
#include "num/ball.h"

typedef struct privacy_profile privacy_profile;
typedef struct profile_pool profile_pool;

/* Only log_delta is always there; the rest may be NULL. */
typedef struct profile_type {
    const char *theorem; /* ids of the statements the profile rests on */

    /* log delta at eps; [-inf, -inf] where delta is 0. */
    dosi_interval (*log_delta)(const privacy_profile *self, ball eps);

    /* delta at eps, where it has more digits than by its logarithm. */
    ball (*delta)(const privacy_profile *self, ball eps);

    /* Smallest eps >= 0 with delta(eps) <= exp(log_delta). */
    dosi_interval (*epsilon)(
        const privacy_profile *self, ball delta, ball log_delta);

    /* Whether delta(eps) <= exp(log_delta) for certain, where that is cheaper
     * to tell than either value; false where it is not told. */
    bool (*is_within)(
        const privacy_profile *self, ball eps, ball delta, ball log_delta);

    /* Smallest P[accept Q] of a test with Q[reject Q] <= alpha; a lower end
     * that is enough may come with any upper end. */
    dosi_interval (*tradeoff)(
        const privacy_profile *self, double alpha, double enough);

    /* log P[L = +inf], below which no delta falls: profile_no_floor where there
     * is no such mass; NULL: not known but by the profile. */
    dosi_interval (*log_floor)(const privacy_profile *self);

    /* Forgets what earlier questions have left, where that may show in the
     * next answer. */
    void (*forget)(const privacy_profile *self);

    bool is_slow; /* a profile value takes milliseconds */
    bool is_best; /* where it is not vague, no other route says more */
} profile_type;

struct privacy_profile {
    const profile_type *type;
    attainment flag;
    ball x, y, z, w; /* parameters, as its maker says */
    double n; /* a count */
    double s; /* a shift or a flag */
    size_t max_terms;
    const privacy_profile *base;
    const privacy_profile *other; /* base in the other direction */
    const finite_law *a;
    const finite_law *b;
    const void *context; /* of laws made elsewhere */
    void *own; /* the context, where the law forgets; or NULL */
    profile_pool *pool; /* where it is kept, or NULL; hears of lost memory */
};

/* ---- The pool ---------------------------------------------------------- */

#define PROFILE_POOL 48
#define PROFILE_DEFERRED 16

/* Owns the laws of one question. */
struct profile_pool {
    size_t n_laws;
    size_t n_owned;
    bool no_memory;     /* an allocation failed */
    const char *reason; /* why the last thing asked for does not exist */
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
void profile_pool_free(profile_pool *pool);

/* Copies the law into the pool; NULL when it is full, or value.type NULL. */
const privacy_profile *profile_keep(profile_pool *pool, privacy_profile value);

/* Hands an atoms law to the pool: freed there in any case. NULL in, or a
 * full pool: NULL. */
const finite_law *profile_own(profile_pool *pool, finite_law *a);

/* Hands over any other object that laws refer to: released with the pool,
 * last one first. False, and released at once, when the pool is full. */
bool profile_defer(
    profile_pool *pool, void *object, void (*release)(void *object));

/* Notes why an atoms function failed; true when status is DOSI_OK. */
bool profile_made(profile_pool *pool, dosi_status status);

/* The same while a law is asked. */
bool profile_asked(const privacy_profile *self, dosi_status status);

/* The logarithm of a mass that may be 0. */
dosi_interval profile_log_mass(ball mass);

/* Notes why the last answer of a law is wide. */
void profile_explain(const privacy_profile *self, const char *reason);

/* Says why not, and gives NULL for "return profile_decline(...)". */
const privacy_profile *profile_decline(profile_pool *pool, const char *reason);

/* ---- Making ------------------------------------------------------------ */

privacy_profile profile_no_privacy(void); /* all mass at +inf */
privacy_profile profile_gaussian(ball mu, attainment flag);
privacy_profile profile_laplace(ball a);
privacy_profile profile_exponential(ball e);

/* k runs of discrete Gaussian noise on answers a shift apart. */
privacy_profile profile_discrete_gaussian(double sigma, double shift, double k);

/* k-fold (eps0, delta0) response, exactly optimal composition. */
privacy_profile profile_response(
    ball eps0, ball delta0, double k, size_t max_terms, attainment flag);

privacy_profile profile_finite(const finite_law *a, attainment flag);
privacy_profile profile_product(
    const finite_law *a, const finite_law *b, attainment flag);

/* A finite law composed with a Gaussian: delta = E_P[delta_mu(eps - L)]. */
privacy_profile profile_mixed(const finite_law *a, ball mu, attainment flag);

/* +inf with probability 1 - exp(log_keep), else the base. */
privacy_profile profile_leaky(const privacy_profile *base, ball log_keep);

/* A law below every pair with that affinity sum sqrt(P Q), at most. */
privacy_profile profile_affinity(ball log_affinity, attainment flag);

/* Poisson sampling of a base law of the same direction, 0 < rate < 1. */
privacy_profile profile_poisson(
    const privacy_profile *base, ball rate, bool add);

/* Sampling without replacement under replace; base and other are the two
 * directions of the base, the same for a symmetric one. */
privacy_profile profile_without_replacement(
    const privacy_profile *base, const privacy_profile *other, ball rate);

/* What k neighbours in a row lose at most; base and other are the two
 * directions of one step, other NULL where they are the same. */
privacy_profile profile_group(
    const privacy_profile *base, const privacy_profile *other, double k);

/* ---- Asking ------------------------------------------------------------ */

/* log delta and delta at eps; and both, asked for once. */
dosi_interval profile_log_delta(const privacy_profile *self, ball eps);
dosi_interval profile_delta(const privacy_profile *self, ball eps);
dosi_interval profile_delta_and_log(
    const privacy_profile *self, ball eps, dosi_interval *log_delta);

/* Smallest eps >= 0 with delta(eps) <= delta; +inf where there is none. */
dosi_interval profile_epsilon(
    const privacy_profile *self, ball delta, ball log_delta);

/* Whether delta(eps) <= delta for certain, if the law has a cheap way to
 * tell. */
bool profile_is_within(
    const privacy_profile *self, ball eps, ball delta, ball log_delta);

/* Smallest type II error at type I error alpha in [0, 1], Q being the null
 * hypothesis. Where it is certainly no less than enough, that need not be more
 * narrowly known; 1: as narrowly as it can be. */
dosi_interval profile_tradeoff(
    const privacy_profile *self, double alpha, double enough);

/* log P[L = +inf]; [-inf, 0] where the law does not tell. */
dosi_interval profile_log_floor(const privacy_profile *self);

/* The log_floor of laws without mass at +inf. */
dosi_interval profile_no_floor(const privacy_profile *self);

#endif
