/*
 * The central limit theorem of a plan: the mu of the Gaussian trade-off
 * function that approximates it, and the certified band of Berry and Esseen
 * around that, if every part is symmetric with known moments. Derivation:
 * docs/theory/tradeoff.md, section 6.
 */
#include "prepared_plan.h"

#include "base/error.h"
#include "base/float_environment.h"
#include "tradeoff/berry_esseen.h"

static const char band_theorem[] = "T001-T5", limit_theorem[] = "T001-T11";

/* Moments summed over the parts. */
typedef struct sums {
    loss_moments m;
    bool has_band;
    const char *reason;
} sums;

static void add(sums *s, loss_moments one, double count)
{
    moments_add(&s->m, &one, count);
}

static bool add_part(sums *s, const part *p, const mechanism_context *c)
{
    const mechanism_type *type = mechanism_of(p);
    mechanism_product m = mechanism_product_nothing();
    mechanism_moments found = {.no_band = NULL};
    if (type->moments != NULL) {
        if (!type->moments(&found, p, c))
            return false;
        if (found.no_band != NULL) {
            s->has_band = false;
            s->reason = found.no_band;
        }
        add(s, found.of_run, p->count);
        return true;
    }
    if (type->product == NULL || !type->product(&m, MECHANISM_UPPER, p, c) ||
        !m.exact || m.finite != NULL || !ball_is_zero(m.delta0))
        return false;
    add(s,
        ball_is_zero(m.mu) ? moments_of_pure(m.eps0) : moments_of_gauss(m.mu),
        p->count);
    return ball_is_zero(m.mu) || ball_is_zero(m.eps0);
}

static dosi_status limit_work(prepared_plan *d, void *context, dosi_error *err)
{
    dosi_gdp_limit *out = context;
    const account_view *view = &d->directions[0].view;
    ball zero = ball_of(0);
    sums s = {.m = {zero, zero, zero, zero, zero}, .has_band = true};
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(view->normal, i);
        if (!add_part(&s, &p, &view->c)) {
            out->reason = "the moments of a part's loss are not known";
            return view->c.pool->no_memory ? dosi_fail_memory(err) : DOSI_OK;
        }
    }
    if (ball_is_zero(s.m.variance)) {
        out->mu_approx = 0;
        out->reason = "the loss has no spread";
        return DOSI_OK;
    }
    clt_band band = clt_band_of(&s.m, ball_of(1));
    if (ball_is_unknown(band.mu))
        return DOSI_OK;
    out->mu_approx = ball_mid(band.mu);
    out->theorem = s.has_band ? band_theorem : limit_theorem;
    out->reason = s.reason;
    out->mu = ball_interval(band.mu);
    out->gamma = ball_interval(band.gamma);
    out->has_band = s.has_band && out->gamma.hi < 0.5;
    if (s.has_band && !out->has_band)
        out->reason = "the band is wider than every curve: too few steps";
    return DOSI_OK;
}

dosi_status dosi_gdp_limit_approx(dosi_gdp_limit *out, const dosi_plan *plan,
    const dosi_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = (dosi_gdp_limit){.mu_approx = HUGE_VAL,
        .mu = {0, HUGE_VAL},
        .gamma = {0, HUGE_VAL},
        .theorem = ""};
    return prepared_use(limit_work, out, plan, options, err);
}
