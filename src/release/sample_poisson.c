/* Poisson samples as a public call. */
#include "dosimeter/release.h"

#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "coins.h"

/* Outputs are the generator's own: what is drawn before a failure is
 * cleared. */
dosi_status dosi_sample_poisson(
    uint8_t *member, size_t n, double rate, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(rate);
    struct words w;
    if (n > 0)
        memset(member, 0, n);
    if (!(rate >= 0 && rate <= 1)) /* also rejects NaN */
        return dosi_fail(
            err, DOSI_EINVAL, "rate must be between 0 and 1, got %g", rate);
    dosi_status status = words_open(&w, err);
    if (status != DOSI_OK)
        return status;
    poisson_sample(member, n, rate, &w);
    status = words_check(&w, err);
    words_close(&w);
    if (status != DOSI_OK && n > 0)
        memset(member, 0, n);
    return status;
}

dosi_status dosi_sample_keyed(uint8_t *member, const uint8_t *key,
    const void *id, size_t n_bytes, double rate, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(rate);
    *member = 0;
    if (!(rate >= 0 && rate <= 1)) /* also rejects NaN */
        return dosi_fail(
            err, DOSI_EINVAL, "rate must be between 0 and 1, got %g", rate);
    *member = keyed_coin(key, id, n_bytes, rate);
    return DOSI_OK;
}
