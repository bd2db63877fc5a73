/*
 * What an engine of the spectral route holds, for the files that ask it.
 * Internal to them.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H
#define DOSI_CONTOUR_ENGINE_ENGINE_IMPL_H

#include "engine.h"
#include "contour/core/contour.h"

/* A finite law, or none, of a part. */
typedef struct spectral_atoms {
    atoms *own;
} spectral_atoms;

struct spectral {
    spectral_parts parts;
    spectral_want *wants;
    loss *laws; /* of the parts: copies */
    work_limits *limits;
    double max_cost; /* of one contour */
    double enough;   /* width of log delta */
    bool is_patient; /* one contour may cost that much */
    double looks;    /* that steering has for the next one */
    bool has_contour;
    spectral_contour contour; /* the last one, for its neighbourhood */
    ball log_keep; /* log of what is not at +inf */
    ball largest;  /* the greatest finite loss of the plan */
    bool is_bound; /* a costly law serves upper ends alone */
    spectral *reversed; /* once asked for, NULL where there is none; */
    spectral_atoms *reversed_laws; /* and the laws that it refers to */
};

/* The engine of (Q, P), which s owns; NULL where some part has none here.
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status spectral_reversed(
    spectral **out, spectral *s, dosi_error *err);
void spectral_free_reversed(spectral *s);

void spectral_drop_contour(spectral *s);

/* What of the plan is at +inf, and its greatest finite loss. */
void spectral_gather(spectral *s);

/* Tells as many hits of samples with replacement apart as a delta near
 * e^log_delta needs (spectral_hits.c). True if that has changed anything. */
bool spectral_tell_hits(spectral *s, double log_delta);

/* Steering that lacked memory has declined quietly. */
DOSI_CHECK dosi_status spectral_whole(
    dosi_status status, const spectral *s, dosi_error *err);

/* What steering may look at for the next question. */
void spectral_grant_looks(spectral *s);

/* What bounded losses say without a contour; true when that is all. */
bool spectral_beyond_largest(
    dosi_interval *out, const spectral *s, double epsilon);

/* log(delta - mass at +inf), for the finite part; false when *out encloses the
 * epsilon already. */
bool spectral_finite_target(dosi_interval *target, dosi_interval *out,
    const spectral *s, ball delta, ball log_delta);

/* Builds the contour for a saddle that has been found; the engine says what
 * it may cost. */
DOSI_CHECK dosi_status spectral_build(spectral *s, spectral_choice *choice,
    spectral_effort effort, dosi_error *err);

/* Of the finite part; by the last contour where that is good enough. */
DOSI_CHECK dosi_status spectral_finite_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err);

/* Whether delta(0) is within the target: then epsilon is 0. Asked where it is
 * not plainly greater (spectral_zero.c). */
DOSI_CHECK dosi_status spectral_settled_at_zero(
    bool *settled, dosi_interval target, spectral *s, dosi_error *err);

/* Whether it is so unlikely that anybody is sampled at all. */
bool spectral_is_never_sampled(const spectral *s, dosi_interval target);

/* Whether rare losses may decide, so that a short contour is tried first. */
bool spectral_is_heavy(const spectral *s);

/* Whether every part has a rule in double-doubles. */
bool spectral_can_be_fine(const spectral *s);

/* Roughly log of delta as far as one step with a large loss makes it. */
double spectral_log_one_jump(const spectral_parts *parts, double epsilon);

/* Of the greatest cost in double-doubles, where many may be asked for, or
 * what is known will do. */
#define FINE_SHARE 0.1

/* Builds a contour in double-doubles for all epsilons from this on, at a share
 * of the greatest cost; where that cannot be, for those from a greater one on
 * that is not far right of where delta is e^log_delta. */
DOSI_CHECK dosi_status spectral_build_fine(spectral *s, double epsilon,
    double log_delta, double share, dosi_error *err);

/* The same at this epsilon, where delta is about e^log_delta and log delta
 * known up to width. */
DOSI_CHECK dosi_status spectral_build_fine_at(spectral *s, double epsilon,
    double log_delta, double width, dosi_error *err);

#endif
