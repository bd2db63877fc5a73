/*
 * From a mechanism of the plan to its representations. Each kind has one
 * file, which ends in one constant table of functions; an empty slot says
 * that the kind has no such view. All but many speak of one run of a part;
 * counts belong to those who compose.
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

/* The question a part is lowered for. */
typedef struct mechanism_context {
    dosi_neighbours neighbours;
    bool add;         /* the ordered pair without the record against with */
    size_t max_terms; /* of enumerations */
    bool fine;        /* mixes may take lattices in place of two atoms */
    profile_pool *pool; /* owns what is made; holds the reason of a refusal */
    double split;     /* of a group over a sampler, how many records are added
                         and not removed: see losses.h */
    bool quick;       /* of Renyi curves a dozen digits are enough */
    bool attained;    /* of a fixed-size sample the law of a neighbouring
                         pair, in the direction of add, and not the one that
                         dominates all of them; of a class of mechanisms
                         that of a member; of a plan those of the parts that
                         have such a law: see losses.h */
    bool is_last; /* it may be run last, so that the member is chosen with all
                     other answers in view */
    double runs;  /* of the sampler around it, or itself */
    unsigned nested; /* Renyi curves of samples that are summed around it */
    adaptive_cache *ranges;    /* of the plan, or NULL */
    finite_store *finite_laws; /* of the plan or more of them, or NULL */
} mechanism_context;

/* A bound may be looked for from either side. */
typedef enum mechanism_side {
    MECHANISM_UPPER, /* a law that dominates the part */
    MECHANISM_LOWER /* a law that the part dominates, e.g. by post-processing */
} mechanism_side;

/* A law as a product of easy factors. */
typedef struct mechanism_product {
    ball mu;             /* a Gaussian; 0 for none */
    ball eps0, delta0;   /* a leaky response; 0, 0 for none */
    const finite_law *finite; /* a finite law, owned by the pool; or NULL */
    bool exact;          /* it is the law itself, from both sides */
} mechanism_product;

/* D_order <= xi + rho order but for a leak: approximate zCDP. */
typedef struct mechanism_zcdp_bound {
    ball rho, xi, leak;
} mechanism_zcdp_bound;

/* Divergence of one order, of what is left but for a leak. The class or
 * mechanism attains at least lower. */
typedef struct mechanism_renyi_bound {
    ball upper, lower, leak;
} mechanism_renyi_bound;

/* Noise that is added to an answer. */
typedef enum mechanism_noise {
    NOISE_OTHER = 0, /* none, or not by adding */
    NOISE_REAL,
    NOISE_INTEGER
} mechanism_noise;

/* The values that the loss of one run takes. */
typedef enum mechanism_support {
    SUPPORT_OTHER = 0,
    SUPPORT_FINITE, /* finitely many */
    SUPPORT_LATTICE /* countably many, which an enumeration may hold */
} mechanism_support;

/* What is known of the Renyi curve of one run, D as a function of the order. */
typedef enum mechanism_curve {
    CURVE_OTHER = 0,
    CURVE_OF_PAIR, /* that of a pair of laws with bounded loss, for one record:
                      the slots renyi and box are exact */
    CURVE_LINE     /* D = xi + rho order, by the slot zcdp */
} mechanism_curve;

/* The theorems that the Renyi curve of a sampler rests on. A plan with several
 * samplers cites those of the greatest rank. */
typedef struct mechanism_renyi_source {
    int rank;
    const char *divergence; /* of a Renyi divergence of the plan */
    const char *conversion; /* of an epsilon or delta made of it */
} mechanism_renyi_source;

/* Moments of the loss of one run, for the central limit theorem. */
typedef struct mechanism_moments {
    loss_moments of_run;
    const char *no_band; /* why the limit has no error bound; NULL: it has */
} mechanism_moments;

/*
 * What the rooms above ask of a kind. A fact that is left out is that of a
 * mechanism without special theorems; a slot that is NULL is a view that the
 * kind does not have.
 */
typedef struct mechanism_type {
    attainment flag;
    const char *assumption; /* what the accountant cannot check */
    const char *assumption_on_replace; /* one more under replace, or NULL */

    /* ---- Facts --------------------------------------------------------- */

    mechanism_noise noise;
    mechanism_support support;
    mechanism_curve curve;
    bool is_gaussian; /* the Gaussian pair with the mu of the slot mix is the
                         worst of the kind, or the mechanism itself */
    bool is_converted; /* it has no pair of laws: stated Renyi divergences are
                          added and converted */
    bool has_members; /* composed, its law is only a bound, while members of the
                         class are known (docs/theory/adaptive.md) */
    bool has_many_pairs; /* delta may be attained by another pair of laws at
                            each epsilon */
    bool draws_once; /* of a sampler: no sample holds a record twice */
    const mechanism_renyi_source *renyi_source; /* of a sampler, or NULL */

    /* ---- Slots --------------------------------------------------------- */

    /* Refuses a node that no theorem covers under a relation, with the reason
     * and the nearest question that has an answer. fails  DOSI_EUNSUPPORTED */
    dosi_status (*refuse)(
        const dosi_plan *node, dosi_neighbours neighbours, dosi_error *err);

    /* The exact profile of one run. */
    const privacy_profile *(*one)(const part *p, const mechanism_context *c);

    /* The same of all its runs. */
    const privacy_profile *(*many)(const part *p, const mechanism_context *c);

    /* The loss law of one run, all but its count; or of all runs, which the
     * count 1 says. NULL where there is none. Both sides may be read from it,
     * as its flags say. */
    bool (*loss)(loss_law *out, const part *p, const mechanism_context *c);

    /* A product of easy factors from one side. */
    bool (*mix)(mechanism_product *out, mechanism_side side, const part *p,
        const mechanism_context *c);

    /* (eps, delta)-DP. */
    bool (*box)(
        ball *eps, ball *delta, const part *p, const mechanism_context *c);

    /* Why its losses, or those of some member of its class, have no bound, by
     * itself or within a sample; NULL where they may have one. Samplers leave
     * it to what they sample. */
    const char *(*unbounded)(
        const part *p, bool is_sampled, const mechanism_context *c);

    bool (*zcdp)(
        mechanism_zcdp_bound *out, const part *p, const mechanism_context *c);

    bool (*renyi)(mechanism_renyi_bound *out, ball order, const part *p,
        const mechanism_context *c);

    /* Roughly its upper end, in doubles: to steer a choice of order, never
     * to certify. NaN where it does not know. */
    double (*renyi_approx)(
        double order, const part *p, const mechanism_context *c);

    /* The order at which its Renyi curve ends; NULL for no end. */
    double (*greatest_order)(const part *p);

    /* The worst pair of one run in closed form, of a part that is eps-DP for
     * the eps given; *is_attained says that it is the mechanism's own. */
    bool (*worst_pair)(
        chi_law *out, bool *is_attained, ball eps, const part *p);

    /* false where the moments are not known. NULL leaves them to the slot
     * mix. */
    bool (*moments)(
        mechanism_moments *out, const part *p, const mechanism_context *c);

    /* About how much a plan loses by its runs being last, chosen after all
     * other answers; 0 for nothing. To choose which part is last, never to
     * certify. */
    double (*gain_of_last)(const part *p);
} mechanism_type;

/* Every kind except group, repeat and compose has a table, which its file
 * defines. A line declares it here and enters it in mechanism.c. */
#define MECHANISM_TABLES(TABLE)                                                \
    TABLE(GAUSSIAN, mechanism_gaussian)                                        \
    TABLE(LAPLACE, mechanism_laplace)                                          \
    TABLE(DISCRETE_GAUSSIAN, mechanism_discrete_gaussian)                      \
    TABLE(DISCRETE_LAPLACE, mechanism_discrete_laplace)                        \
    TABLE(RANDOMIZED_RESPONSE, mechanism_randomized_response)                  \
    TABLE(EXPONENTIAL, mechanism_exponential)                                  \
    TABLE(PURE, mechanism_pure)                                                \
    TABLE(APPROX, mechanism_approx)                                            \
    TABLE(ZCDP, mechanism_zcdp)                                                \
    TABLE(RENYI, mechanism_renyi)                                              \
    TABLE(GDP, mechanism_gdp)                                                  \
    TABLE(PMF, mechanism_pmf)                                                  \
    TABLE(LOSS, mechanism_loss)                                                \
    TABLE(NONPRIVATE, mechanism_nonprivate)                                    \
    TABLE(POISSON, mechanism_poisson)                                          \
    TABLE(WITHOUT_REPLACEMENT, mechanism_without_replacement)                  \
    TABLE(WITH_REPLACEMENT, mechanism_with_replacement)

#define MECHANISM_DECLARE(kind, table) extern const mechanism_type table;
MECHANISM_TABLES(MECHANISM_DECLARE)
#undef MECHANISM_DECLARE

/* The table of a kind that part_at may give. */
const mechanism_type *mechanism_of(const part *p);

/* The table of any kind or node of a plan; NULL for a connective. */
const mechanism_type *mechanism_of_kind(dosi_kind kind);
const mechanism_type *mechanism_of_node(const dosi_plan *node);

/* ---- Shared by the files of the kinds ---------------------------------- */

/* Says why not, and gives false for "return mechanism_decline(...)". */
bool mechanism_decline(const mechanism_context *c, const char *reason);

/* No factor at all; exact. */
mechanism_product mechanism_product_nothing(void);

/* Fill all of a loss law but its count. The finite one takes NULL for
 * "return mechanism_loss_finite(...)". */
bool mechanism_loss_noise(
    loss_law *out, loss_noise noise, ball parameter, attainment flag);
bool mechanism_loss_finite(
    loss_law *out, const finite_law *finite, attainment flag);

/*
 * A parameter of noise, the less the more noise, that may be too large to be
 * squared or added up. From below it is cut, since more noise never loses
 * more; from above it must be known.
 */
bool mechanism_within(
    ball *x, bool *exact, mechanism_side side, const mechanism_context *c);

/* Gaussian noise that a stated guarantee allows: a member of its class. */
bool mechanism_loss_member(loss_law *out, ball mu, const mechanism_context *c);

/* The worst (eps, delta)-DP pair as a finite loss law. */
bool mechanism_loss_response(loss_law *out, ball eps, ball delta,
    attainment flag, const mechanism_context *c);

/* k (eps, delta)-DP steps from one record to k records:
 * (k eps, delta (e^(k eps) - 1)/(e^eps - 1)), T004-GB. */
void mechanism_group_guarantee(ball *eps, ball *delta, double k);

/* Lattice laws: fills losses and P-masses of m cells. */
typedef void (*mechanism_lattice)(
    ball *at, ball *log_mass, size_t m, ball parameter);

/* The finite law of a lattice with n atoms, or NULL. */
const finite_law *mechanism_lattice_law(mechanism_lattice fill, size_t m,
    size_t n, ball parameter, const mechanism_context *c);

/* How many cells a part that runs count times can afford; 0: none. */
size_t mechanism_lattice_cells(const part *p, const mechanism_context *c);

/* D_order of randomised response, the worst of eps-DP; T000-33.5. */
bool mechanism_renyi_response(
    mechanism_renyi_bound *out, ball order, ball eps, ball leak);

#endif
