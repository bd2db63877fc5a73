/*
 * Dosimeter: plans and questions as JSON. Link libdosimeter-json.
 *
 * Conventions as in dosimeter.h. Texts are UTF-8; offsets are in bytes.
 */
#ifndef DOSIMETER_JSON_H
#define DOSIMETER_JSON_H

#include "dosimeter.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a plan from JSON: the tree that DOSI_FORM_JSON writes, or an event
 * tree of Google's dp_accounting (an object with "class_name").
 *
 * owns   *out, released with dosi_plan_free
 * fails  DOSI_ESYNTAX for text that is not JSON, DOSI_EINVAL for a tree that
 *        is not a plan, DOSI_EUNSUPPORTED for an event without a kind,
 *        naming it; DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_json_read_plan(const dosi_plan **out,
    const char *text, size_t n_bytes, dosi_error *err);

/*
 * Reads a plan for questions under one relation, on which the meaning of
 * events depends; dosi_json_read_plan takes DOSI_NATURAL.
 *
 * The noise of an event is relative to the norm of one record; that of a plan,
 * to the distance between neighbours' answers, which is twice that norm if a
 * record is replaced. So noise becomes group(2, noise) under DOSI_REPLACE, and
 * always inside batches of fixed size, but not inside Poisson samples, whose
 * plans are stated for one record added or removed. A stated guarantee (an
 * EpsilonDeltaDpEvent, say) is a guarantee for the relation of the question.
 *
 * owns   *out, released with dosi_plan_free
 * fails  like dosi_json_read_plan; DOSI_EUNSUPPORTED for Poisson samples of
 *        stated guarantees under DOSI_REPLACE
 */
DOSI_API DOSI_CHECK dosi_status dosi_json_read_plan_under(
    const dosi_plan **out, const char *text, size_t n_bytes,
    dosi_neighbours neighbours, dosi_error *err);

/*
 * Reads a sampler from JSON:
 *   {"first":[0.5,0.5,0],"second":[0.5,0,0.5],
 *    "samples":[[],["a"],["b"]]}
 * Probabilities are numbers, or ratios such as [1,3]. samples are lists of
 * records, from which the distances follow under the relation. In place of
 * them there may be a "distance", a list of rows whose entries are whole
 * numbers, or null for infinity.
 *
 * owns   *out, released with dosi_sampler_free
 * fails  DOSI_ESYNTAX, DOSI_EINVAL, DOSI_ENOMEM
 */
DOSI_API DOSI_CHECK dosi_status dosi_json_read_sampler(dosi_sampler **out,
    const char *text, size_t n_bytes, dosi_neighbours neighbours,
    dosi_error *err);

/*
 * Reads a model file, which dosi_model_print of dosimeter/release.h wrote,
 * into what dosi_model_new takes there.
 *
 * owns   *out, released with dosi_json_model_free
 * fails  DOSI_ESYNTAX, DOSI_EINVAL, DOSI_ENOMEM
 */
typedef struct dosi_json_model {
    size_t n_settings;
    char **settings;
    size_t n_parameters;
    double *parameters;
} dosi_json_model;

DOSI_API DOSI_CHECK dosi_status dosi_json_read_model(dosi_json_model **out,
    const char *text, size_t n_bytes, dosi_error *err);
DOSI_API void dosi_json_model_free(dosi_json_model *model); /* accepts NULL */

/*
 * Reads claims about plans, a list of objects such as
 *   {"label":"mnist","plan":"gaussian(1) * 3","epsilon":9.1,"delta":1e-5,
 *    "neighbours":"add_remove"}
 * label is optional, neighbours (or "neighbors") as given where missing;
 * plan is a text or a tree; the target is epsilon with delta or log_delta,
 * beta with alpha, renyi with order, rho or rho with xi, mu or mu with floor,
 * or advantage.
 *
 * owns   *out, released with dosi_json_claims_free
 * fails  DOSI_ESYNTAX, DOSI_EINVAL and as reading a plan, naming the rank of
 *        the claim; DOSI_ENOMEM
 */
typedef struct dosi_json_claim {
    char *label; /* or NULL */
    const dosi_plan *plan;
    dosi_neighbours neighbours;
    dosi_target target;
} dosi_json_claim;

typedef struct dosi_json_claims {
    size_t n;
    dosi_json_claim *claims;
} dosi_json_claims;

DOSI_API DOSI_CHECK dosi_status dosi_json_read_claims(dosi_json_claims **out,
    const char *text, size_t n_bytes, dosi_neighbours neighbours,
    dosi_error *err);
DOSI_API void dosi_json_claims_free(dosi_json_claims *claims); /* or NULL */

/*
 * Answers one question, one JSON object, with one JSON object:
 *   {"query":"epsilon","plan":"gaussian(1)","delta":1e-5,
 *    "neighbours":"add_remove","id":7}
 * (or "neighbors"). query is epsilon (delta or log_delta), delta (epsilon),
 * tradeoff (alpha), renyi (order), zcdp (xi), gdp (floor), risk (prior) or
 * calibrate (targets, a list of objects as {"epsilon":1,"delta":1e-6}; also
 * epsilon with log_delta, beta with alpha, renyi with order, rho with xi, mu
 * with floor, advantage). Optional: route, width, max_bytes, time_limit in
 * seconds of now_us. Answer: lower, upper, route, theorem, citation,
 * neighbours, elapsed_us, or error with status, message, offset. That of risk
 * has in place of lower and upper the intervals advantage, accuracy and
 * prior_accuracy, and tests, a list of objects with false_positive,
 * true_positive and posterior.
 * That of calibrate: kind, parameter, value, beyond, rounded, binding, plan,
 * and answer, beyond_answer and rounded_answer as objects. An id is echoed.
 * now_us reads a clock in microseconds, or is NULL for no elapsed_us.
 *
 * owns   *out, a text released with dosi_json_free
 * fails  DOSI_ENOMEM only: a bad question has an answer, too, and its error
 *        is also in *err, whose status is otherwise DOSI_OK
 */
DOSI_API DOSI_CHECK dosi_status dosi_json_answer(char **out,
    const char *question, size_t n_bytes, double (*now_us)(void),
    dosi_error *err);

DOSI_API void dosi_json_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
