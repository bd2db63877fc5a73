/*
 * A mechanism of a plan and its representations. Each kind has one file, which
 * ends in one constant table of facts and functions; a function that is NULL
 * says that the kind has no such representation. Except where it says so, a
 * function answers for one run of a part, and whoever composes multiplies by
 * the count.
 */
#ifndef DOSI_MECHANISMS_MECHANISM_H
#define DOSI_MECHANISMS_MECHANISM_H

#include "plan_part.h"
#include "profile/profile.h"
#include "loss/loss_law.h"
#include "renyi/chi_divergence.h"
#include "tradeoff/berry_esseen.h"

typedef struct adaptive_cache adaptive_cache;
typedef struct finite_store finite_store;

/* The question that representations are made for. */
typedef struct mechanism_context {
    dosi_neighbours neighbours;
    bool add;         /* the law without the record against the law with it */
    size_t max_terms; /* of enumerations */
    bool allow_lattices; /* the slot product may discretise a law on many
                            points, not only on two */
    profile_pool *pool; /* owns what is made; holds the reason of a refusal */
    double split;     /* of a group over a sampler, how many records are added
                         and not removed: see plan_laws.h */
    bool few_digits;  /* Renyi curves need a dozen digits, no more */
    bool attained;    /* the slot loss gives the law of a pair of neighbours,
                         or of a member of a class, in place of one that
                         dominates them all: see plan_laws.h */
    bool is_last; /* the part may run last, so that a member of its class is
                     chosen after all other answers are known */
    double runs;  /* of the sampler around the part, or of the part itself */
    unsigned nested; /* sums over Renyi curves of samples around this one */
    adaptive_cache *ranges;    /* of the plan, or NULL */
    finite_store *finite_laws; /* of one plan or several, or NULL */
} mechanism_context;

/* The side from which a law bounds a part. */
typedef enum mechanism_side {
    MECHANISM_UPPER, /* a law that dominates the part */
    MECHANISM_LOWER /* a law that the part dominates, e.g. by post-processing */
} mechanism_side;

/* A law as the product of a Gaussian, a leaky randomized response and a finite
 * law. */
typedef struct mechanism_product {
    ball mu;             /* of the Gaussian; 0 for none */
    ball eps0, delta0;   /* of the response; 0, 0 for none */
    const finite_law *finite; /* owned by the pool, or NULL */
    bool exact;          /* the product is the part's own law */
} mechanism_product;

/* Approximate zCDP: D_order <= xi + rho order, except with probability leak. */
typedef struct mechanism_zcdp_bound {
    ball rho, xi, leak;
} mechanism_zcdp_bound;

/* Bounds of the divergence of one order, except with probability leak. The
 * mechanism, or a member of its class, attains at least lower. */
typedef struct mechanism_renyi_bound {
    ball upper, lower, leak;
    bool is_smooth; /* upper is that of a law in closed form, and cheap */
} mechanism_renyi_bound;

/* Noise that is added to an answer. */
typedef enum mechanism_noise {
    NOISE_OTHER = 0, /* there is none, or it is not added */
    NOISE_REAL,
    NOISE_INTEGER
} mechanism_noise;

/* The values that the loss of one run takes. */
typedef enum mechanism_support {
    SUPPORT_OTHER = 0,
    SUPPORT_FINITE, /* finitely many */
    SUPPORT_LATTICE /* countably many, which an enumeration may hold */
} mechanism_support;

/* The shape of the Renyi curve of one run, D as a function of the order. */
typedef enum mechanism_curve {
    CURVE_OTHER = 0,
    CURVE_OF_PAIR, /* that of a pair of laws with bounded loss, for one record:
                      the slots renyi and guarantee are exact */
    CURVE_LINE     /* D = xi + rho order, by the slot zcdp */
} mechanism_curve;

/* The theorems that the Renyi curve of a sampler rests on. A plan with several
 * samplers cites those of the greatest rank. */
typedef struct mechanism_renyi_source {
    int rank;
    const char *divergence; /* for a Renyi divergence of the plan */
    const char *conversion; /* for an epsilon or delta that is made of it */
} mechanism_renyi_source;

/* Moments of the loss of one run, for the central limit theorem. */
typedef struct mechanism_moments {
    loss_moments of_run;
    const char *no_band; /* why the limit has no error bound; NULL if it has */
} mechanism_moments;

/*
 * The facts and functions that other folders ask of a kind. A fact that is
 * left out, 0 or false, claims nothing.
 *
 * Functions that return bool give false where they know nothing and leave the
 * reason in the pool; those that return a pointer give NULL then. The pool owns
 * whatever is returned.
 */
typedef struct mechanism_type {
    attainment flag;
    const char *assumption; /* a sentence that the accountant cannot check */
    const char *assumption_on_replace; /* one more under replace, or NULL */

    /* ---- Facts --------------------------------------------------------- */

    mechanism_noise noise;
    mechanism_support support;
    mechanism_curve curve;
    bool is_gaussian; /* its dominating pair is Gaussian, with the mu of the
                         slot product */
    bool is_converted; /* it has no dominating pair: stated Renyi divergences
                          are added and converted */
    bool has_members; /* its law is only a bound once composed, while members of
                         the class are known (docs/theory/adaptive.md) */
    bool has_many_pairs; /* delta may be attained by another pair of laws at
                            each epsilon */
    bool draws_once; /* of a sampler: no sample holds a record twice */
    const mechanism_renyi_source *renyi_source; /* of a sampler, or NULL */

    /* ---- Functions ----------------------------------------------------- */

    /* Refuses a node that no theorem covers under a relation, with the reason
     * and the nearest question that has an answer. fails  DOSI_EUNSUPPORTED */
    dosi_status (*refuse)(
        const dosi_plan *node, dosi_neighbours neighbours, dosi_error *err);

    /* The exact privacy profile of one run. */
    const privacy_profile *(*profile)(
        const part *p, const mechanism_context *c);

    /* The exact privacy profile of all runs of the part. */
    const privacy_profile *(*profile_of_runs)(
        const part *p, const mechanism_context *c);

    /* The loss law of one run, all of it but its count; or of all runs, with
     * the count 1. Its flags say which sides it bounds. */
    bool (*loss)(loss_law *out, const part *p, const mechanism_context *c);

    /* A product that bounds one run from a side. */
    bool (*product)(mechanism_product *out, mechanism_side side, const part *p,
        const mechanism_context *c);

    /* An (eps, delta)-DP guarantee of one run. */
    bool (*guarantee)(
        ball *eps, ball *delta, const part *p, const mechanism_context *c);

    /* The reason why the losses of the mechanism, or of some member of its
     * class, are certainly unbounded, alone or within a sample; NULL if they
     * may be bounded. Samplers leave it to the plan that they sample. */
    const char *(*unbounded)(
        const part *p, bool is_sampled, const mechanism_context *c);

    /* A zCDP guarantee of one run. */
    bool (*zcdp)(
        mechanism_zcdp_bound *out, const part *p, const mechanism_context *c);

    /* The Renyi divergence of one run at an order > 1. */
    bool (*renyi)(mechanism_renyi_bound *out, ball order, const part *p,
        const mechanism_context *c);

    /* The greatest order that the slot renyi bounds; NULL for every order. */
    double (*greatest_order)(const part *p);

    /* The worst pair of one run in closed form, of a part that is eps-DP for
     * the eps given; *is_attained says that it is the mechanism's own. */
    bool (*worst_pair)(
        chi_law *out, bool *is_attained, ball eps, const part *p);

    /* Moments of one run. If NULL, the slot product gives them. */
    bool (*moments)(
        mechanism_moments *out, const part *p, const mechanism_context *c);

    /* An estimate of how much more a plan loses if the runs of the part come
     * last, chosen after all other answers; 0 for nothing. It selects the part
     * that runs last and certifies nothing. */
    double (*gain_of_last)(const part *p);
} mechanism_type;

/* Each row of the kind table, except those of group, repeat and compose, names
 * the table of a mechanism, which its file defines. */
#define MECHANISM(number, table, ...) extern const mechanism_type table;
#define CONNECTIVE(number, ...)
#include "plan/kinds.def"

/* The table of a kind or of a node; NULL for a connective. */
const mechanism_type *mechanism_of_kind(dosi_kind kind);
const mechanism_type *mechanism_of_node(const dosi_plan *node);

/* The table of a part's node, which is never NULL. */
const mechanism_type *mechanism_of(const part *p);

/* ---- Shared by the files of the kinds ---------------------------------- */

/* Sets the reason and returns false, for "return mechanism_decline(...)". */
bool mechanism_decline(const mechanism_context *c, const char *reason);

/* The law without any loss, as a product; exact. */
mechanism_product mechanism_product_nothing(void);

/* Fill all of a loss law but its count. The second returns false for NULL, so
 * that "return mechanism_loss_finite(...)" may take what failed. */
bool mechanism_loss_noise(
    loss_law *out, loss_noise noise, ball parameter, attainment flag);
bool mechanism_loss_finite(
    loss_law *out, const finite_law *finite, attainment flag);

/* A law that the mechanism attains becomes one that a member of its class
 * attains, alone and composed. Returns true. */
bool mechanism_loss_of_class(loss_law *law);

/*
 * Limits a parameter that falls with the noise, such as mu, to a size that can
 * be squared and added up. For a lower bound it is cut, since more noise never
 * loses more, and *exact becomes false; for an upper bound it must be finite.
 */
bool mechanism_limit(
    ball *x, bool *exact, mechanism_side side, const mechanism_context *c);

/* The loss law of Gaussian noise that a stated guarantee allows, a member of
 * its class. */
bool mechanism_loss_member(loss_law *out, ball mu, const mechanism_context *c);

/* The worst (eps, delta)-DP pair as a finite loss law. */
bool mechanism_loss_response(loss_law *out, ball eps, ball delta,
    attainment flag, const mechanism_context *c);

/*
 * Replaces an (eps, delta) guarantee for one record by that for k records:
 * (k eps, delta (e^(k eps) - 1)/(e^eps - 1)).
 *
 * source  T004-GB
 */
void mechanism_group_guarantee(ball *eps, ball *delta, double k);

/* Fills the losses and logarithms of the masses of a lattice law that divides
 * the range of the loss into m cells. */
typedef void (*mechanism_lattice)(
    ball *at, ball *log_mass, size_t m, ball parameter);

/*
 * The finite law of a lattice of m cells with n atoms.
 *
 * owns   the context's pool
 * fails  NULL with the reason in the pool
 */
const finite_law *mechanism_lattice_law(mechanism_lattice fill, size_t m,
    size_t n, ball parameter, const mechanism_context *c);

/* The number of cells of a lattice law whose powers can be enumerated for all
 * runs of the part; 0 if lattices are not allowed or too coarse. */
size_t mechanism_lattice_cells(const part *p, const mechanism_context *c);

/* The divergence of binary randomized response, the worst eps-DP pair, at an
 * order. source  T000-33.5 */
bool mechanism_renyi_response(
    mechanism_renyi_bound *out, ball order, ball eps, ball leak);

#endif
