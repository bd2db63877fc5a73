/*
 * What an engine of the spectral route holds, for the files that ask it.
 * Internal to them.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H
#define DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H

#include "engine.h"
#include "contour/core/contour.h"

/* A finite law, or none, of a part. */
typedef struct contour_atoms {
    finite_law *own;
} contour_atoms;

struct contour_engine {
    contour_parts parts;
    part_request *wants;
    loss_law *laws; /* of the parts: copies */
    work_limits *limits;
    double max_cost; /* of one contour */
    double enough;   /* width of log delta */
    bool is_patient; /* one contour may cost that much */
    double looks;    /* that steering has for the next one */
    bool has_contour;
    contour contour; /* the last one, for its neighbourhood */
    struct contour_kept *kept; /* earlier ones, or NULL */
    ball log_keep; /* log of what is not at +inf */
    ball largest;  /* the greatest finite loss of the plan */
    bool is_bound; /* a costly law serves upper ends alone */
    contour_engine *reversed; /* once asked for, NULL where there is none; */
    contour_atoms *reversed_laws; /* and the laws that it refers to */
};

/* The engine of (Q, P), which s owns; NULL where some part has none here.
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status contour_reversed(
    contour_engine **out, contour_engine *s, dosi_error *err);
void contour_free_reversed(contour_engine *s);

/* Frees the last contour, or keeps it where other questions may read it. */
void contour_drop_contour(contour_engine *s);

/* ---- Contours kept for later questions, in engine_kept.c ----------------- */

/* The width of log delta at which kept contours are read in place of a new
 * one; 0: none is kept. */
double contour_reuse(const contour_engine *s);

/* Takes over the last contour; false where it is not worth keeping. */
bool contour_keep(contour_engine *s);
void contour_free_kept(contour_engine *s);

/*
 * Encloses log delta of the finite part at any epsilon by the contours that
 * are there: the last one, then those kept, the nearest first, until it is as
 * narrow as contour_reuse asks.
 *
 * cost   a few operations for each of their terms
 */
dosi_interval contour_read_kept(const contour_engine *s, double epsilon);

/* Sums up the mass at +inf and the greatest finite loss of the plan. */
void contour_gather(contour_engine *s);

/* Tells as many hits of samples with replacement apart as a delta near
 * e^log_delta needs (contour_hits.c). True if that has changed anything. */
bool contour_tell_hits(contour_engine *s, double log_delta);

/* Steering that lacked memory has declined quietly. */
DOSI_CHECK dosi_status contour_whole(
    dosi_status status, const contour_engine *s, dosi_error *err);

/* Grants steering its nodes for the next question. */
void contour_grant_looks(contour_engine *s);

/* Encloses log delta by the greatest loss alone; false if epsilon is below. */
bool contour_beyond_largest(
    dosi_interval *out, const contour_engine *s, double epsilon);

/* log(delta - mass at +inf), for the finite part; false when *out encloses the
 * epsilon already. */
bool contour_finite_target(dosi_interval *target, dosi_interval *out,
    const contour_engine *s, ball delta, ball log_delta);

/* Builds the contour for a saddle that has been found; the engine says what
 * it may cost. */
DOSI_CHECK dosi_status engine_build(contour_engine *s, contour_choice *choice,
    contour_effort effort, dosi_error *err);

/* Encloses log delta of the finite part; by kept contours if they will do. */
DOSI_CHECK dosi_status contour_finite_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err);

/* Whether delta(0) is within the target: then epsilon is 0. Asked where it is
 * not plainly greater (contour_zero.c). */
DOSI_CHECK dosi_status contour_settled_at_zero(
    bool *settled, dosi_interval target, contour_engine *s, dosi_error *err);

/* Whether it is so unlikely that anybody is sampled at all. */
bool contour_is_never_sampled(const contour_engine *s, dosi_interval target);

/* Whether rare losses may decide, so that a short contour is tried first. */
bool contour_is_heavy(const contour_engine *s);

/* Whether every part has a rule in double-doubles. */
bool contour_can_be_fine(const contour_engine *s);

/* About log of the part of delta that one step with a large loss makes. */
double contour_log_one_jump(const contour_parts *parts, double epsilon);

/* The share of the greatest cost in double-doubles, where many may be asked
 * for, or what is known will do. */
#define FINE_SHARE 0.1

/* Builds a contour in double-doubles for all epsilons from this on, at a share
 * of the greatest cost; where that cannot be, for those from a greater one on
 * that is not far right of where delta is e^log_delta. */
DOSI_CHECK dosi_status contour_build_fine(contour_engine *s, double epsilon,
    double log_delta, double share, dosi_error *err);

/* Builds one at this epsilon, where delta is about e^log_delta and log delta
 * known up to width. */
DOSI_CHECK dosi_status contour_build_fine_at(contour_engine *s, double epsilon,
    double log_delta, double width, dosi_error *err);

#endif
