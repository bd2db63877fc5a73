/*
 * The contour of one class of spectral_jumps.c.
 */
#ifndef DOSI_REPR_SPECTRAL_JUMPS_CLASS_H
#define DOSI_REPR_SPECTRAL_JUMPS_CLASS_H

#include "spectral_contour.h"
#include "spectral_jumps_steer.h"

/*
 * *found is false, and nothing is held, when its bounds came out useless or
 * it was stopped.
 *
 * owns   what c points to, released with spectral_contour_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status jump_class_build(spectral_contour *c, bool *found,
    const jump_choice *choice, const jump_class *k, work_limits *limits,
    dosi_error *err);

/* >= log D(t); false without memory. */
bool jump_class_log_size(
    double *out, const jump_choice *choice, const jump_class *k);

#endif
