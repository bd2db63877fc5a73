/*
 * Dosimeter: certified differential-privacy accounting.
 *
 * A plan describes what was run on people's data. The functions below bound
 * its privacy loss by intervals that provably contain the exact value.
 *
 * Conventions of every function below:
 *  - a fallible function returns a dosi_status, DOSI_OK being zero, and fills
 *    the optional error; outputs come first, the error last;
 *  - the caller owns what a T ** parameter receives and releases it with
 *    dosi_T_free; after a failure it holds NULL;
 *  - a returned const char * is borrowed: it is static, or lives as long as
 *    its parent;
 *  - numbers in texts and messages have a decimal point in every locale of
 *    the caller, which is not changed;
 *  - handles are immutable and may be shared by threads, except for the
 *    accountant; there is no global mutable state and no initialisation call;
 *  - privacy loss is in nats; a parameter is exactly the double passed;
 *  - the caller's floating-point environment has no influence: rounding
 *    modes, FTZ and DAZ, and trapped exceptions are saved for the duration of
 *    the call and restored with the exception flags. A callback runs in the
 *    default environment; it must return in it, and never by longjmp or an
 *    exception.
 *
 * docs/trust.md lists what the intervals rest on.
 */
#ifndef DOSIMETER_H
#define DOSIMETER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DOSI_API __attribute__((visibility("default")))
#define DOSI_CHECK __attribute__((warn_unused_result))
#else
#define DOSI_API
#define DOSI_CHECK
#endif

#define DOSI_VERSION "0.2.0"

/* The version of the library that was linked, as "major.minor.patch". */
DOSI_API const char *dosi_version(void);

/* ---- Errors ------------------------------------------------------------ */

/* Pinned values, grouped, never reused. */
typedef enum dosi_status {
    DOSI_OK = 0,
    DOSI_EINVAL = 10,      /* the caller's value is wrong */
    DOSI_ESYNTAX = 11,     /* text that is not a plan, number or question */
    DOSI_EDOMAIN = 20,     /* the quantity does not exist for these values */
    DOSI_EUNSUPPORTED = 21,/* no theorem implemented for this path */
    DOSI_EUNABLE = 22,     /* exists, but was not certified within limits */
    DOSI_ENOMEM = 30,
    DOSI_EENTROPY = 31,    /* the system provided no randomness */
    DOSI_EIO = 32          /* a file could not be read or written */
} dosi_status;

#define DOSI_MESSAGE_BYTES 256
#define DOSI_NO_OFFSET ((size_t)-1)

/* Owned by the caller; filled only when a function fails. */
typedef struct dosi_error {
    dosi_status status;
    size_t offset; /* byte offset into the text, or DOSI_NO_OFFSET */
    char message[DOSI_MESSAGE_BYTES]; /* one line, lower case */
} dosi_error;

/* "EINVAL", "EDOMAIN", ...; "OK" for DOSI_OK. */
DOSI_API const char *dosi_status_name(dosi_status status);

/* ---- Numbers ----------------------------------------------------------- */

/* The exact real value lies in [lo, hi]. lo <= hi, never NaN. */
typedef struct dosi_interval {
    double lo;
    double hi;
} dosi_interval;

/*
 * Writes x with the given number of significant digits (1 to 17), rounded
 * towards -inf (dosi_print_lower) or +inf (dosi_print_upper), in the C
 * locale; infinities as "inf" and "-inf". The text never exceeds
 * DOSI_NUMBER_BYTES with its terminator. Returns its length.
 */
#define DOSI_NUMBER_BYTES 40
DOSI_API size_t dosi_print_lower(char *text, double x, int n_digits);
DOSI_API size_t dosi_print_upper(char *text, double x, int n_digits);

/* The shortest text that reads back as exactly x, in the C locale. */
DOSI_API size_t dosi_print_exact(char *text, double x);

/* ---- Plans ------------------------------------------------------------- */

/* What was run, as an immutable, reference-counted tree. */
typedef struct dosi_plan dosi_plan;

/* Pinned values, never reused. dosi_kind_at lists them with their rules. */
typedef enum dosi_kind {
    DOSI_GAUSSIAN = 0,
    DOSI_LAPLACE = 1,
    DOSI_DISCRETE_GAUSSIAN = 2,
    DOSI_DISCRETE_LAPLACE = 3,
    DOSI_RANDOMIZED_RESPONSE = 4,
    DOSI_EXPONENTIAL = 5,
    DOSI_PURE = 6,
    DOSI_APPROX = 7,
    DOSI_ZCDP = 8,
    DOSI_RENYI = 9,
    DOSI_GDP = 10,
    DOSI_PMF = 11,
    DOSI_NONPRIVATE = 12,
    DOSI_POISSON = 13,
    DOSI_WITHOUT_REPLACEMENT = 14,
    DOSI_WITH_REPLACEMENT = 15,
    DOSI_GROUP = 16,
    DOSI_REPEAT = 17, /* M * count */
    DOSI_COMPOSE = 18, /* A + B + ... */
    DOSI_LOSS = 19
} dosi_kind;

#define DOSI_KIND_COUNT 20
#define DOSI_MAX_PARAMETERS 4

typedef enum dosi_safer {
    DOSI_SAFER_GREATER = 0, /* a greater value never loses more privacy,
                               except that delta at one epsilon may rise with
                               the sigma of discrete_gaussian if it is small */
    DOSI_SAFER_SMALLER = 1,
    DOSI_SAFER_NEITHER = 2
} dosi_safer;

/* One row of the kind table; all strings are static. */
typedef struct dosi_kind_info {
    const char *name;    /* as in the text form */
    const char *meaning; /* one line */
    size_t n_parameters;
    struct {
        const char *name;
        const char *rule; /* "positive and finite", ... */
        dosi_safer safer;
        int is_list;      /* pmf and loss */
        int has_default;
        double default_value;
    } parameters[DOSI_MAX_PARAMETERS];
    size_t n_children; /* 0 or 1; 2 for compose, which takes any number */
} dosi_kind_info;

DOSI_API dosi_kind_info dosi_kind_at(dosi_kind kind);

/* The arguments that give the first parameter of a kind in other units, as in
 * gaussian(std=100, sensitivity=50), from i = 0; NULL after the last one. */
DOSI_API const char *dosi_kind_unit_at(dosi_kind kind, size_t i);

/*
 * Reads the text form, e.g. "poisson(256/60000, gaussian(1.1)) * 14063".
 *
 * Arguments are positional or named (gaussian(sigma=1.1)); a number may be a
 * ratio of two numbers, which denotes the double nearest to the quotient of
 * the two doubles; one number in the plan may be the hole "?". A part may have
 * a label, "by county": gaussian(20) * 3. Outside parentheses a line break
 * separates parts as "+" does; "#" starts a comment that ends with its line.
 *
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_ESYNTAX or DOSI_EINVAL with the byte offset of the error,
 *        DOSI_EUNSUPPORTED for shuffled batches, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_parse(const dosi_plan **out,
    const char *text, size_t n_bytes, dosi_error *err);

/*
 * Any kind with scalar parameters, in the order of its row (all of them) and
 * its children. The children are retained; the caller keeps its references.
 * A parameter that is NaN is refused: holes are only read from text.
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_new(const dosi_plan **out,
    dosi_kind kind, const double *parameters, size_t n_parameters,
    const dosi_plan *const *children, size_t n_children, dosi_error *err);

/* A finite pair of laws; each list is divided by its exact sum. */
DOSI_API DOSI_CHECK dosi_status dosi_plan_pmf(const dosi_plan **out,
    const double *p, const double *q, size_t n, dosi_error *err);

/*
 * A loss law in each direction. For a pair of neighbours' laws P and Q it
 * lists losses log(P/Q), which may include +inf, and their masses under P. If
 * the masses sum to less than 1, the rest is at +inf; if +inf is listed, it is
 * one more outcome, which also has the mass that is missing under Q, where a
 * point has mass e^-loss. Sums above 1 by at most 1e-9 are taken for rounding:
 * all masses are then divided by the larger sum. add may be NULL: the second
 * law is then the first one with P and Q exchanged.
 *
 * fails  DOSI_EINVAL for lists that are not a law, DOSI_ENOMEM
 */
typedef struct dosi_loss_list {
    const double *losses;
    const double *masses;
    size_t n;
} dosi_loss_list;

DOSI_API DOSI_CHECK dosi_status dosi_plan_loss(const dosi_plan **out,
    const dosi_loss_list *remove, const dosi_loss_list *add,
    dosi_error *err);

/* Shorthands for the most frequent kinds. */
DOSI_API DOSI_CHECK dosi_status dosi_plan_gaussian(const dosi_plan **out,
    double sigma, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_plan_poisson(const dosi_plan **out,
    double rate, const dosi_plan *base, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_plan_repeat(const dosi_plan **out,
    const dosi_plan *base, double count, dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_plan_compose(const dosi_plan **out,
    const dosi_plan *const *parts, size_t n_parts, dosi_error *err);

DOSI_API const dosi_plan *dosi_plan_retain(const dosi_plan *plan);
DOSI_API void dosi_plan_free(const dosi_plan *plan); /* accepts NULL */

DOSI_API dosi_kind dosi_plan_kind(const dosi_plan *plan);
DOSI_API double dosi_plan_parameter(const dosi_plan *plan, size_t index);
DOSI_API size_t dosi_plan_child_count(const dosi_plan *plan);
DOSI_API const dosi_plan *dosi_plan_child(const dosi_plan *plan, size_t index);

/* The elements of a list parameter (pmf, loss); *n is 0 for a scalar. */
DOSI_API const double *dosi_plan_list(
    const dosi_plan *plan, size_t index, size_t *n);

/* Whether the plan contains the hole "?", which only calibration accepts. */
DOSI_API int dosi_plan_has_hole(const dosi_plan *plan);

/*
 * The plan with value in its hole; a plan without a hole is refused.
 *
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_EINVAL, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_fill(const dosi_plan **out,
    const dosi_plan *plan, double value, dosi_error *err);

typedef enum dosi_form {
    DOSI_FORM_TEXT = 0,  /* reads back by dosi_plan_parse as an equal plan */
    DOSI_FORM_JSON = 1,  /* the tree of kinds as JSON */
    DOSI_FORM_EVENTS = 2 /* the event tree of Google's dp_accounting */
} dosi_form;

/*
 * Writes the plan into text, at most size bytes with the terminator, as
 * snprintf does; *length receives the length of the whole text. size may be
 * 0 and text NULL to measure.
 *
 * fails  DOSI_EUNSUPPORTED if the form cannot express a part,
 *        DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_print(char *text, size_t size,
    size_t *length, const dosi_plan *plan, dosi_form form, dosi_error *err);

/*
 * The normal form: flattened, equal mechanisms merged into counts and
 * ordered, trivial cases folded. Plans that differ only in such ways have
 * the same normal form, text and hash.
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_normal(
    const dosi_plan **out, const dosi_plan *plan, dosi_error *err);

/* Structural equality; compare normal forms to test for equivalence. */
DOSI_API int dosi_plan_equal(const dosi_plan *a, const dosi_plan *b);

/* A 64-bit hash of the tree's text without labels, stable across machines and
 * versions. */
DOSI_API uint64_t dosi_plan_hash(const dosi_plan *plan);

/*
 * Labels say what a part of a plan is: "by county": gaussian(20) * 3. They
 * are printed, and do not count: plans that differ in labels alone are equal,
 * have the same hash and the same answers. In the normal form each part has
 * the outermost label around it, and equal parts all labels they had. A label
 * is UTF-8 of 1 to 200 bytes without control characters.
 */
DOSI_API const char *dosi_plan_label(const dosi_plan *plan); /* or NULL */

/* The plan with another label; NULL for none. Those inside of it stay.
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_EINVAL, DOSI_ENOMEM */
DOSI_API DOSI_CHECK dosi_status dosi_plan_labelled(const dosi_plan **out,
    const dosi_plan *plan, const char *label, dosi_error *err);

/*
 * A normal form by labels: a sum with one part for each label, which is the
 * normal form of all that stands under it, and the parts without a label.
 *
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_EINVAL, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_parts(
    const dosi_plan **out, const dosi_plan *plan, dosi_error *err);

/*
 * Reads the text form as dosi_plan_parse does; where "@NAME" stands for a
 * plan, include is called with that name and returns it. The library opens
 * no file. dosi_plan_parse refuses "@NAME".
 *
 * owns   *out, released with dosi_plan_free
 * fails  like dosi_plan_parse; as include does, with the offset of the "@"
 */
DOSI_API DOSI_CHECK dosi_status dosi_plan_parse_including(
    const dosi_plan **out, const char *text, size_t n_bytes,
    dosi_status (*include)(const dosi_plan **out, const char *name,
        void *context, dosi_error *err),
    void *context, dosi_error *err);

/* ---- Questions --------------------------------------------------------- */

/* The neighbouring relation. */
typedef enum dosi_neighbours {
    DOSI_ADD_REMOVE = 0, /* one record is added or removed */
    DOSI_REPLACE = 1,    /* one record is replaced by another */
    DOSI_NATURAL = 2     /* the relation of the plan's samplers: replace with
                            without_replacement, where the number of records
                            is public, else add_remove; the answer says which
                            one it was */
} dosi_neighbours;

/* What questions about one plan keep for each other. */
typedef struct dosi_cache dosi_cache;

/* First field is the size; zero means default; fields are only appended. */
typedef struct dosi_options {
    size_t size;
    dosi_neighbours neighbours;
    size_t max_terms; /* largest enumeration attempted; 0: 2^20 */
    const char *route; /* use this route alone; NULL: the best of all */
    double width; /* required (hi - lo) / max(|lo|, |hi|); 0: try 1e-6 */
    size_t max_bytes; /* working memory of a route; 0: 256 MB */
    int (*stop)(void *stop_context); /* polled; non-zero ends the work */
    void *stop_context;
    double max_operations; /* bound on the work for one question, of about a
                              nanosecond each; 0: 1e9, and 4e9 for a width
                              below 1e-6; infinity: no bound */
    double *operations; /* NULL, or receives the work of the question: added */
    dosi_cache *cache;  /* keeps laws for further questions; NULL: none */
    int guarantee_only; /* non-zero: only the end that is a guarantee is
                           needed; the other one may stay wide */
} dosi_options;

#define DOSI_OPTIONS_INIT \
    {sizeof(dosi_options), DOSI_ADD_REMOVE, 0, NULL, 0, 0, NULL, NULL, 0, \
        NULL, NULL, 0}

/*
 * A cache keeps the loss laws and contours of the plan that was asked about
 * last, so that further questions about it do not derive the laws again.
 * Only one question at a time may use it. Answers are enclosures with a cache
 * and without; their ends may differ in digits that neither knows.
 *
 * owns   *out, released with dosi_cache_free, which accepts NULL
 * fails  DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_cache_new(
    dosi_cache **out, dosi_error *err);
DOSI_API void dosi_cache_free(dosi_cache *cache);

/*
 * Limits never make an answer wrong, only wider. Routes are asked cheapest
 * first, until the interval is as narrow as width requires; routes that may
 * take long are asked twice, first briefly and then with the remaining
 * operations. If max_terms, max_bytes, max_operations or stop end the work
 * early, the interval is wider and the reason says so. Operations are counted,
 * not timed: the same question has the same answer on a busy machine. A curve
 * may use twice as many as a question, a loss law as many again for every 50
 * of its points, a calibration a quarter for each of its questions. A width
 * above 0 is a requirement: if the interval stays wider, the question fails
 * with DOSI_EUNABLE and names the width attained, and the answer still holds
 * the narrowest interval found.
 */

/* One method of answering; the strings are static. */
typedef struct dosi_route_info {
    const char *name;    /* for the option route */
    const char *meaning; /* one line */
} dosi_route_info;

/* All routes, cheapest first; index < dosi_route_count(). */
DOSI_API size_t dosi_route_count(void);
DOSI_API dosi_route_info dosi_route_at(size_t index);

/* The reason given for an answer that stop left wide. */
#define DOSI_STOPPED "stopped before the interval was narrower"

/* More operations than one core performs in a second. A caller whose stop
 * reads a clock passes its seconds times this number as max_operations, by
 * which the work is planned. */
#define DOSI_OPERATIONS_PER_SECOND 2e9

/* The reason given for an answer that max_operations left wide. */
#define DOSI_SPENT \
    "the work for one question was used up before the interval was " \
    "narrower; a time limit allows more"

/* No answer has more assumptions: every kind has at most one, and a few hold
 * for all plans. */
#define DOSI_MAX_ASSUMPTIONS 32

/* The answer to a question, with its provenance. Strings are static. */
typedef struct dosi_answer {
    dosi_interval value;
    dosi_interval log_value; /* log delta, in case delta underflows */
    dosi_neighbours neighbours;
    const char *route;   /* the route that gave the upper end */
    /* ids of the statements used, e.g. "T000-08"; dosi_citation cites them */
    const char *theorem;
    const char *lower_meaning; /* what the lower end refers to */
    const char *reason;  /* why it is wide, infinite or 0; or NULL */
    size_t n_assumptions;
    const char *assumptions[DOSI_MAX_ASSUMPTIONS]; /* not checked here */
    double order; /* of the Rényi curve that gave the upper end, or 0 */
} dosi_answer;

/*
 * Smallest epsilon for which the plan is (epsilon, delta)-DP. At delta 0 that
 * is the greatest privacy loss, pure DP; noise such as Gaussian noise has none,
 * and the answer is +inf with the reason.
 *
 * requires  0 <= delta < 1
 * fails     DOSI_EINVAL for delta, a hole or options; DOSI_EUNSUPPORTED for
 *           a sampler without a theorem under the relation; DOSI_EUNABLE
 *           for a width that is not attained, in which case *out is still
 *           filled; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_epsilon_at_delta(dosi_answer *out,
    const dosi_plan *plan, double delta, const dosi_options *options,
    dosi_error *err);

/* Smallest epsilon at delta = exp(log_delta), for deltas below 1e-308. */
DOSI_API DOSI_CHECK dosi_status dosi_epsilon_at_log_delta(dosi_answer *out,
    const dosi_plan *plan, double log_delta, const dosi_options *options,
    dosi_error *err);

/* Smallest delta for which the plan is (epsilon, delta)-DP; epsilon >= 0. */
DOSI_API DOSI_CHECK dosi_status dosi_delta_at_epsilon(dosi_answer *out,
    const dosi_plan *plan, double epsilon, const dosi_options *options,
    dosi_error *err);

/*
 * The privacy profile at n epsilons: out[i] is the answer at epsilons[i]. The
 * plan is prepared once, so that a point costs a fraction of a separate
 * question. If the operations of the curve end before its points do, those that
 * are left are bounded by the others, as delta is convex in e^epsilon.
 */
DOSI_API DOSI_CHECK dosi_status dosi_delta_curve(dosi_answer *out,
    const dosi_plan *plan, const double *epsilons, size_t n,
    const dosi_options *options, dosi_error *err);

/*
 * Smallest type II error of any test at type I error alpha between
 * neighbours; 0 <= alpha <= 1. The safe end is the lower one.
 */
DOSI_API DOSI_CHECK dosi_status dosi_tradeoff_at_alpha(dosi_answer *out,
    const dosi_plan *plan, double alpha, const dosi_options *options,
    dosi_error *err);

/*
 * The trade-off curve at n type I errors: out[i] is the answer at alphas[i].
 * The plan is prepared once, so that a point costs a fraction of a separate
 * question. The curve is the smaller of the two directions at each alpha: it
 * need not be convex where they cross, and no single test attains all of it.
 */
DOSI_API DOSI_CHECK dosi_status dosi_tradeoff_curve(dosi_answer *out,
    const dosi_plan *plan, const double *alphas, size_t n,
    const dosi_options *options, dosi_error *err);

/* Fills in n type I errors that show a curve well: 0, 1, and between them
 * equally spaced normal quantiles, dense where alpha or beta is small. */
DOSI_API void dosi_tradeoff_alphas(double *out, size_t n);

/* Rényi divergence at a real order > 1, the worse of both directions. */
DOSI_API DOSI_CHECK dosi_status dosi_renyi_at_order(dosi_answer *out,
    const dosi_plan *plan, double order, const dosi_options *options,
    dosi_error *err);

/*
 * Smallest rho for which the plan is (xi, rho)-zCDP: its Rényi divergence is
 * at most xi + rho * order at every order above 1. xi is finite, often 0. rho
 * is infinite for a plan that leaks with a probability above 0.
 */
DOSI_API DOSI_CHECK dosi_status dosi_zcdp_at_xi(dosi_answer *out,
    const dosi_plan *plan, double xi, const dosi_options *options,
    dosi_error *err);

/*
 * Smallest mu for which the plan is mu-GDP: no test between neighbours does
 * better than one between N(0, 1) and N(mu, 1). floor = 0 means all tests; for
 * sampled Gaussian noise that mu is the one without sampling, since tests with
 * ever smaller errors single out the runs in which a record was always
 * sampled. A floor, 0 < floor < 1/2, restricts the statement to tests whose
 * errors are both at least floor. mu at floor 0 is infinite for a plan that
 * leaks with a probability above 0.
 */
DOSI_API DOSI_CHECK dosi_status dosi_gdp_at_floor(dosi_answer *out,
    const dosi_plan *plan, double floor, const dosi_options *options,
    dosi_error *err);

/*
 * The mu of the central limit theorem, which the plan approaches when it has
 * many steps that each lose little. If every part is symmetric with known
 * moments there is a Berry-Esseen band, and the plan's trade-off function f
 * lies between two Gaussian ones,
 *
 *     G_mu(alpha + gamma) - gamma <= f(alpha) <= G_mu(alpha - gamma) + gamma
 *
 * for gamma <= alpha <= 1 - gamma, the left side for every alpha.
 */
typedef struct dosi_gdp_limit {
    double mu_approx; /* not a bound: may be too small or too large; inf:
                         unknown */
    int has_band;     /* gamma < 1/2 */
    dosi_interval mu, gamma; /* of the band */
    const char *theorem;
    const char *reason; /* why there is no band, or no mu; or NULL */
} dosi_gdp_limit;

DOSI_API DOSI_CHECK dosi_status dosi_gdp_limit_approx(dosi_gdp_limit *out,
    const dosi_plan *plan, const dosi_options *options, dosi_error *err);

#define DOSI_RISK_RATES 3

/*
 * Best-case success of a membership-inference attacker who knows every other
 * record. A positive test says that the record is in the data, and prior is
 * the probability that it is. Each interval contains the value for the best
 * attacker; the upper end is safe to report. Under replace a positive test
 * decides for one of two contents of the record, and for groups for one of two
 * data sets that differ in a group: the answer is then the worse of both
 * orders. dosi_tradeoff_at_alpha takes the worse direction, and so covers
 * tests that say "the record is not there".
 */
typedef struct dosi_risk {
    dosi_answer advantage; /* largest true minus false positive rate */
    dosi_interval accuracy; /* probability of a correct guess, prior 1/2 */
    double prior; /* probability that the record is there */
    dosi_interval prior_accuracy; /* of a correct guess, at that prior */
    double false_positive[DOSI_RISK_RATES]; /* 0.001, 0.01, 0.1 */
    dosi_interval true_positive[DOSI_RISK_RATES]; /* largest at those */
    dosi_interval posterior[DOSI_RISK_RATES]; /* probability that the record
        is there, after a positive test with these two rates */
} dosi_risk;

/* requires  0 < prior < 1; fails like the questions above */
DOSI_API DOSI_CHECK dosi_status dosi_risk_of_plan(dosi_risk *out,
    const dosi_plan *plan, double prior, const dosi_options *options,
    dosi_error *err);

/* ---- Calibration ------------------------------------------------------- */

/* A bound that a calibrated plan must meet with certainty. Pinned values. */
typedef enum dosi_target_kind {
    DOSI_TARGET_EPSILON = 0,     /* epsilon <= value at delta = at */
    DOSI_TARGET_EPSILON_LOG = 1, /* epsilon <= value at log delta = at */
    DOSI_TARGET_DELTA = 2,       /* delta <= value at epsilon = at */
    DOSI_TARGET_TRADEOFF = 3,    /* beta >= value at alpha = at */
    DOSI_TARGET_RENYI = 4,       /* divergence <= value at order = at */
    DOSI_TARGET_ZCDP = 5,        /* rho <= value at xi = at */
    DOSI_TARGET_GDP = 6,         /* mu <= value at floor = at */
    DOSI_TARGET_ADVANTAGE = 7    /* advantage <= value; at is not read */
} dosi_target_kind;

typedef struct dosi_target {
    dosi_target_kind kind;
    double value;
    double at;
} dosi_target;

/* The value for the hole, with its certified answers. */
typedef struct dosi_calibration {
    double value;  /* the cheapest value that is certified for every target */
    double beyond; /* the next double or integer on the unsafe side, which
                      is not; equal to value at the end of the range */
    size_t binding;      /* index of the target that beyond misses */
    dosi_answer answer;  /* to the binding target's question, with value */
    dosi_answer beyond_answer; /* to that question, with beyond */
    double rounded; /* few digits, on the safe side of value, certified for
                       every target as well; or value */
    dosi_answer rounded_answer; /* to that question, with rounded */
    dosi_kind kind;   /* the kind that has the hole as a parameter */
    size_t parameter; /* its index in the row of the kind */
    const char *reason; /* why the search ended where it did; or NULL */
} dosi_calibration;

/*
 * The value for the plan's hole: the cheapest one (the smallest noise, the
 * largest rate or count, ...) for which the safe end of the answer meets every
 * target. The kind table says which side is the safe one. Exactly value and
 * beyond were asked about: the certified answer with value meets the targets,
 * the one with beyond does not.
 *
 * If every value up to the end of the parameter's range meets the targets,
 * value is that end, and reason says so.
 *
 * requires  n_targets >= 1; each target's value non-negative and finite,
 *           that of delta, beta and advantage below 1; options as for
 *           questions, except that a width is not required
 * cost      about twelve questions per target
 * fails     DOSI_EINVAL for a plan without a hole, a target or options;
 *           DOSI_EDOMAIN if no value meets the targets, naming what is
 *           attainable; DOSI_EUNSUPPORTED like the questions; DOSI_EUNABLE
 *           if it was stopped; DOSI_ENOMEM. *out then holds zeros.
 */
DOSI_API DOSI_CHECK dosi_status dosi_calibrate(dosi_calibration *out,
    const dosi_plan *plan, const dosi_target *targets, size_t n_targets,
    const dosi_options *options, dosi_error *err);

/* ---- Loss laws --------------------------------------------------------- */

typedef enum dosi_side {
    DOSI_SIDE_UPPER = 0, /* the law dominates the plan: upper ends are safe */
    DOSI_SIDE_LOWER = 1  /* the plan dominates it: lower ends are valid */
} dosi_side;

/*
 * The whole plan as one mechanism of kind DOSI_LOSS, with its losses in both
 * directions on about n_points equally spaced points, 2 to 100000. The upper
 * law (pessimistic) loses at least as much privacy as the plan at every epsilon
 * and in every composition, the lower law (optimistic) at most as much. The
 * points cover the epsilons at which delta exceeds tail, 1e-290 <= tail < 1/2;
 * mass beyond is at +inf in the upper law and left out of the lower one. The
 * options are those of a question, except for width.
 *
 * owns   *out, released with dosi_plan_free
 * fails  like the questions; DOSI_EUNSUPPORTED for the lower law of a plan
 *        whose lower ends are not those of one pair of neighbours;
 *        DOSI_EUNABLE if delta is not known well enough
 */
DOSI_API DOSI_CHECK dosi_status dosi_loss_of_plan(const dosi_plan **out,
    const dosi_plan *plan, dosi_side side, size_t n_points, double tail,
    const dosi_options *options, dosi_error *err);

/* ---- Custom samplers --------------------------------------------------- */

/*
 * A custom sampler: the samples of two neighbouring data sets with their
 * probabilities. Immutable.
 */
typedef struct dosi_sampler dosi_sampler;

#define DOSI_SAMPLER_MAX_OUTCOMES 768
#define DOSI_SAMPLER_MAX_DISTANCE 1024

/*
 * n samples, their probabilities under the two neighbours, and the distance
 * between any two samples under the relation of the base: distance[i * n + j],
 * a whole number from 0 to 1024 or infinity, symmetric, 0 on the diagonal.
 * Each list of probabilities is divided by its exact sum. All are copied.
 *
 * owns   *out, released with dosi_sampler_free
 * fails  DOSI_EINVAL for n, a probability below 0, sums that are not within
 *        1e-9 of 1, a distance; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_sampler_new(dosi_sampler **out,
    const double *first, const double *second, const double *distance,
    size_t n, dosi_error *err);
DOSI_API void dosi_sampler_free(dosi_sampler *sampler); /* accepts NULL */

/* Only the upper ends of the two deltas bound the sampled mechanism: each
 * interval encloses the bound of its method, which no mechanism need attain. */
typedef struct dosi_sampler_answer {
    dosi_interval eta; /* total variation between the two laws */
    dosi_interval base_epsilon; /* log(1 + (e^epsilon - 1)/eta) */
    dosi_interval delta;    /* by advanced joint convexity and transport */
    dosi_interval coupling; /* by transport alone, at the same epsilon */
    /* whether the residual part of one law can be coupled with its nearest
     * samples: of the shared part, and of the residual part of the other */
    int shared_is_nearest;
    int other_is_nearest;
    const char *theorem;
    dosi_neighbours neighbours; /* of the base */
} dosi_sampler_answer;

/*
 * delta at epsilon >= 0 of the base run on the sample, the worse of both orders
 * of the two neighbours. The base is accounted for under the relation of the
 * options; DOSI_NATURAL means add_remove.
 *
 * fails  like the questions above; DOSI_EUNABLE beyond the limits
 */
DOSI_API DOSI_CHECK dosi_status dosi_sampler_delta_at_epsilon(
    dosi_sampler_answer *out, const dosi_sampler *sampler,
    const dosi_plan *base, double epsilon, const dosi_options *options,
    dosi_error *err);

/* ---- The accountant ---------------------------------------------------- */

/*
 * A plan that grows: mechanisms are added as they run, equal ones share one
 * entry, and the questions above may be asked at any time. The mechanisms
 * must have been fixed in advance: their kinds and parameters must not depend
 * on earlier answers, while the queries that they answer may.
 *
 * threads  a mutable handle, questions included: one thread at a time
 */
typedef struct dosi_accountant dosi_accountant;

/*
 * The options apply to every question; NULL means the defaults. The route
 * "renyi" makes it an analytical moments accountant.
 *
 * owns   *out, released with dosi_accountant_free
 * fails  DOSI_EINVAL for options, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_accountant_new(dosi_accountant **out,
    const dosi_options *options, dosi_error *err);
DOSI_API void dosi_accountant_free(dosi_accountant *accountant);

/*
 * Adds count runs of the plan, which is retained. Nothing is evaluated.
 *
 * requires  count whole, 1 <= count; at most 2^53 runs of equal plans
 * cost      O(log n) comparisons with the n different plans; a new one also
 *           moves up to n indices
 * fails     DOSI_EINVAL for count or a plan with a hole, DOSI_ENOMEM; the
 *           accountant is then unchanged
 */
DOSI_API DOSI_CHECK dosi_status dosi_accountant_add(
    dosi_accountant *accountant, const dosi_plan *plan, double count,
    dosi_error *err);

/* The number of different plans that were added. */
DOSI_API size_t dosi_accountant_entry_count(const dosi_accountant *accountant);

/*
 * The composition of all plans added; pure(0) if there are none.
 *
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_EINVAL when the plan is too large, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_accountant_plan(const dosi_plan **out,
    dosi_accountant *accountant, dosi_error *err);

/* Questions about the plans added so far; they fail like those of a plan. */
DOSI_API DOSI_CHECK dosi_status dosi_accountant_epsilon_at_delta(
    dosi_answer *out, dosi_accountant *accountant, double delta,
    dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_accountant_epsilon_at_log_delta(
    dosi_answer *out, dosi_accountant *accountant, double log_delta,
    dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_accountant_delta_at_epsilon(
    dosi_answer *out, dosi_accountant *accountant, double epsilon,
    dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_accountant_renyi_at_order(
    dosi_answer *out, dosi_accountant *accountant, double order,
    dosi_error *err);
DOSI_API DOSI_CHECK dosi_status dosi_accountant_zcdp_at_xi(dosi_answer *out,
    dosi_accountant *accountant, double xi, dosi_error *err);

/* ---- The formulary ----------------------------------------------------- */

typedef struct dosi_formula_info {
    const char *id;         /* "T000-08.delta" */
    const char *name;       /* "gaussian.delta" */
    const char *parameters; /* "eps;P[];n?": [] a list, {} a text, ? optional */
    /* "exact", "upper", "lower", "approximate" (no bound), or "helper" (a
     * step of a proof) */
    const char *direction;
    const char *validity;   /* the condition, or "" */
    const char *meaning;    /* one line */
} dosi_formula_info;

DOSI_API size_t dosi_formula_count(void);
DOSI_API dosi_formula_info dosi_formula_at(size_t index);

/* By id or by name. fails  DOSI_EINVAL if there is no such row */
DOSI_API DOSI_CHECK dosi_status dosi_formula_find(
    size_t *index, const char *id, dosi_error *err);

/*
 * Evaluates a row. parameters is "k=v;k=v", lists as "a|b|c".
 *
 * fails  DOSI_EINVAL for an unknown id, a missing, unknown or malformed
 *        parameter; DOSI_EDOMAIN, with the condition that failed, outside
 *        the validity of the statement
 */
DOSI_API DOSI_CHECK dosi_status dosi_formula_eval(dosi_interval *out,
    const char *id, const char *parameters, dosi_error *err);

/* ---- What answers and rows cite ---------------------------------------- */

typedef struct dosi_statement {
    const char *id;       /* "T000-08", the begin of its rows' ids */
    const char *citation; /* "[Ste22] Cor 8", or a page of docs/theory */
    const char *meaning;  /* one line */
} dosi_statement;

typedef struct dosi_source {
    const char *key;  /* "Ste22" */
    const char *work; /* authors, title, place and year */
} dosi_source;

DOSI_API size_t dosi_statement_count(void);
DOSI_API dosi_statement dosi_statement_at(size_t index);
DOSI_API size_t dosi_source_count(void);
DOSI_API dosi_source dosi_source_at(size_t index);

/*
 * The statement with this id, or the one that an id of a row or of a part of
 * it belongs to: T000-08 of "T000-08.delta".
 *
 * fails  DOSI_EINVAL when there is none
 */
DOSI_API DOSI_CHECK dosi_status dosi_statement_find(
    size_t *index, const char *id, dosi_error *err);

/*
 * Writes the theorem of an answer, a list of ids, as people cite it:
 * "T000-08, T000-10" is "[Ste22] Cor 8 (T000-08), Cor 10 (T000-10)". What is
 * no id stays as it is. out has DOSI_CITATION_BYTES with its terminator, where
 * a longer text is cut. Returns its length.
 */
#define DOSI_CITATION_BYTES 1024
DOSI_API size_t dosi_citation(char *out, const char *theorem);

#ifdef __cplusplus
}
#endif

#endif
