/*
 * Calibration as a question of a batch: targets from JSON, the calibrated
 * number and its answers to JSON.
 */
#ifndef DOSI_INTEROP_JSON_CALIBRATE_H
#define DOSI_INTEROP_JSON_CALIBRATE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "json_text.h"

typedef struct json_calibration {
    dosi_calibration found;
    char *plan; /* its text with the number in the hole */
} json_calibration;

/*
 * Calibrates to targets, a list of objects as {"epsilon":1,"delta":1e-6}:
 * epsilon with delta or log_delta, beta with alpha, renyi with order, rho
 * with xi, mu with floor (both 0 when missing), advantage.
 *
 * owns   out->plan, released with json_calibration_free
 * fails  DOSI_EINVAL for targets, and as dosi_calibrate
 */
DOSI_CHECK dosi_status json_calibrate(json_calibration *out,
    const cJSON *targets, const dosi_plan *plan, const dosi_options *options,
    dosi_error *err);
void json_calibration_free(json_calibration *c);

/* Whether some target has a member of that name. */
bool json_target_has(const char *key);

/*
 * The one target of an object, which has n_own members of another meaning
 * and no others.
 *
 * fails  DOSI_EINVAL
 */
DOSI_CHECK dosi_status json_target_read(
    dosi_target *out, const cJSON *object, int n_own, dosi_error *err);

/* Appends the members of a calibration's answer. */
void json_calibration_write(dosi_buffer *b, const json_calibration *c);

#endif
