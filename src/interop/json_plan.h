/*
 * Plans out of parsed JSON. A tree is written out in the text form and read
 * by the one reader of plans, dosi_plan_parse, so that every rule, message
 * and limit is the same; names are checked against the kind table first.
 */
#ifndef DOSI_INTEROP_JSON_PLAN_H
#define DOSI_INTEROP_JSON_PLAN_H

#include "json_text.h"

/* The tree under value: kinds, or dp_accounting events, which are read for
 * questions under this relation. owns  *out */
DOSI_CHECK dosi_status json_plan_read(const dosi_plan **out,
    const cJSON *value, dosi_neighbours neighbours, dosi_error *err);

/* The member "plan" of an object, a text or such a tree. owns  *out */
DOSI_CHECK dosi_status json_plan_member(const dosi_plan **out,
    const cJSON *object, dosi_neighbours neighbours, dosi_error *err);

/* The member "neighbours", which may also be spelled neighbors; the fallback
 * where there is none. */
DOSI_CHECK dosi_status json_relation_read(dosi_neighbours *out,
    const cJSON *object, dosi_neighbours fallback, dosi_error *err);

#endif
