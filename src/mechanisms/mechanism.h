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

typedef struct range_store range_store;
typedef struct finite_store finite_store;

/* The question a part is lowered for. */
typedef struct lower_context {
    dosi_neighbours neighbours;
    bool add;         /* the ordered pair without the record against with */
    size_t max_terms; /* of enumerations */
    bool fine;        /* mixes may take lattices in place of two atoms */
    law_pool *pool;   /* owns what is made; holds the reason of a refusal */
    double split; /* of a group over a sampler, how many records are added
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
    range_store *ranges; /* of the plan, or NULL */
    finite_store *finite_laws; /* of the plan or more of them, or NULL */
} lower_context;

/* A bound may be looked for from either side. */
typedef enum lower_side {
    LOWER_ABOVE, /* a law that dominates the part */
    LOWER_BELOW  /* a law that the part dominates, e.g. by post-processing */
} lower_side;

/* A law as a product of easy factors. */
typedef struct lower_mix {
    ball mu;             /* a Gaussian; 0 for none */
    ball eps0, delta0;   /* a leaky response; 0, 0 for none */
    const atoms *finite; /* a finite law, owned by the pool; or NULL */
    bool exact;          /* it is the law itself, from both sides */
} lower_mix;

/* D_order <= xi + rho order but for a leak: approximate zCDP. */
typedef struct lower_zcdp {
    ball rho, xi, leak;
} lower_zcdp;

/* Divergence of one order, of what is left but for a leak. The class or
 * mechanism attains at least lower. */
typedef struct lower_renyi {
    ball upper, lower, leak;
} lower_renyi;

typedef struct lowering {
    law_flag flag;
    const char *assumption; /* what the accountant cannot check */

    /* The exact profile of one run. */
    const law *(*one)(const part *p, const lower_context *c);

    /* The same of all its runs. */
    const law *(*many)(const part *p, const lower_context *c);

    /* The loss law of one run, all but its count; or of all runs, which the
     * count 1 says. NULL where there is none. Both sides may be read from it,
     * as its flags say. */
    bool (*loss)(loss *out, const part *p, const lower_context *c);

    /* A product of easy factors from one side. */
    bool (*mix)(lower_mix *out, lower_side side, const part *p,
        const lower_context *c);

    /* (eps, delta)-DP. */
    bool (*box)(
        ball *eps, ball *delta, const part *p, const lower_context *c);

    bool (*zcdp)(lower_zcdp *out, const part *p, const lower_context *c);

    bool (*renyi)(lower_renyi *out, ball order, const part *p,
        const lower_context *c);

    /* Roughly its upper end, in doubles: to steer a choice of order, never
     * to certify. NaN where it does not know. */
    double (*renyi_approx)(
        double order, const part *p, const lower_context *c);
} lowering;

extern const lowering lower_gaussian, lower_gdp, lower_laplace,
    lower_discrete_gaussian, lower_discrete_laplace,
    lower_randomized_response, lower_exponential, lower_pure, lower_approx,
    lower_zcdp_box, lower_renyi_box, lower_pmf, lower_loss, lower_nonprivate,
    lower_poisson, lower_without_replacement, lower_with_replacement;

/* The table of a kind that part_at may give. */
const lowering *lower_of(const part *p);

/* ---- Shared by the files of the kinds ---------------------------------- */

/* Says why not, and gives false for "return lower_decline(...)". */
bool lower_decline(const lower_context *c, const char *reason);

/* No factor at all; exact. */
lower_mix lower_mix_nothing(void);

/* Fill all of a loss law but its count. The finite one takes NULL for
 * "return lower_loss_finite(...)". */
bool lower_loss_noise(loss *out, loss_noise noise, ball parameter,
    law_flag flag);
bool lower_loss_finite(loss *out, const atoms *finite, law_flag flag);

/*
 * A parameter of noise, the less the more noise, that may be too large to be
 * squared or added up. From below it is cut, since more noise never loses
 * more; from above it must be known.
 */
bool lower_within(
    ball *x, bool *exact, lower_side side, const lower_context *c);

/* Gaussian noise that a stated guarantee allows: a member of its class. */
bool lower_loss_member(loss *out, ball mu, const lower_context *c);

/* The worst (eps, delta)-DP pair as a finite loss law. */
bool lower_loss_response(loss *out, ball eps, ball delta, law_flag flag,
    const lower_context *c);

/* k (eps, delta)-DP steps from one record to k records:
 * (k eps, delta (e^(k eps) - 1)/(e^eps - 1)), T004-GB. */
void lower_group_box(ball *eps, ball *delta, double k);

/* Lattice laws: fills losses and P-masses of m cells. */
typedef void (*lower_lattice)(
    ball *at, ball *log_mass, size_t m, ball parameter);

/* The finite law of a lattice with n atoms, or NULL. */
const atoms *lower_lattice_atoms(lower_lattice fill, size_t m, size_t n,
    ball parameter, const lower_context *c);

/* How many cells a part that runs count times can afford; 0: none. */
size_t lower_lattice_cells(const part *p, const lower_context *c);

/* D_order of randomised response, the worst of eps-DP; T000-33.5. */
bool lower_renyi_response(lower_renyi *out, ball order, ball eps, ball leak);

#endif
