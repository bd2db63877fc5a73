/*
 * Reading plans from parsed JSON. A tree is written in the text form and read
 * by the only reader of plans, dosi_plan_parse, so that rules, messages and
 * limits are those of texts; names are checked against the kind table first.
 */
#ifndef DOSI_INTEROP_JSON_PLAN_H
#define DOSI_INTEROP_JSON_PLAN_H

#include "json_text.h"

/*
 * Reads a plan from a tree of kinds, or of dp_accounting events, whose
 * distances depend on the relation of the question.
 *
 * owns   *out, freed with dosi_plan_free
 * fails  as dosi_plan_parse, without an offset, and as json_event_write
 */
DOSI_CHECK dosi_status json_plan_read(const dosi_plan **out,
    const cJSON *value, dosi_neighbours neighbours, dosi_error *err);

/* Reads the member "plan" of an object, a text or a tree; owns and fails as
 * json_plan_read. */
DOSI_CHECK dosi_status json_plan_member(const dosi_plan **out,
    const cJSON *object, dosi_neighbours neighbours, dosi_error *err);

/* Reads the member "neighbours" or "neighbors"; the fallback if there is none.
 * fails  DOSI_EINVAL */
DOSI_CHECK dosi_status json_relation_read(dosi_neighbours *out,
    const cJSON *object, dosi_neighbours fallback, dosi_error *err);

#endif
