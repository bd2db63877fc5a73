/*
 * Options of the public calls of a release, and the checks of the leaf that
 * they execute.
 */
#include "release_options.h"

#include <string.h>

#include "base/error.h"

dosi_status release_options(dosi_release_options *out,
    const dosi_release_options *given, dosi_error *err)
{
    *out = (dosi_release_options)DOSI_RELEASE_OPTIONS_INIT;
    if (given != NULL) {
        if (given->size < sizeof given->size || given->size > sizeof *out)
            return dosi_fail(err, DOSI_EINVAL,
                "options: size must be that of DOSI_RELEASE_OPTIONS_INIT");
        memcpy(out, given, given->size);
        out->size = sizeof *out;
    }
    if (out->timing != DOSI_TIMING_CONSTANT && out->timing != DOSI_TIMING_FAST)
        return dosi_fail(err, DOSI_EINVAL,
            "options: timing must be constant or fast");
    return DOSI_OK;
}

dosi_status release_leaf(const dosi_plan *leaf, dosi_error *err)
{
    if (leaf == NULL)
        return dosi_fail(err, DOSI_EINVAL, "the leaf of the plan is missing");
    if (dosi_plan_has_hole(leaf))
        return dosi_fail(
            err, DOSI_EINVAL, "the leaf must be without the hole \"?\"");
    return DOSI_OK;
}
