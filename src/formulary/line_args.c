/*
 * Readers of the line of zCDP. Sums of two doubles are exact as balls, so the
 * conditions are decided exactly.
 */
#include "line_args.h"

dosi_status line_read(cdp_line *line, const formula_args *args, dosi_error *err)
{
    *line = (cdp_line){ARG("xi"), ARG("rho")};
    if (ball_is_negative(ball_add(line->xi, line->rho)))
        return formula_domain(err,
            "needs xi + rho >= 0, got xi = %.17g, rho = %.17g", line->xi.hi,
            line->rho.hi);
    return DOSI_OK;
}

dosi_status line_read_in_reach(
    cdp_line *line, const formula_args *args, dosi_error *err)
{
    dosi_status status = line_read(line, args, err);
    if (status != DOSI_OK)
        return status;
    ball eps = ARG("eps");
    if (ball_less(eps, ball_add(line->xi, line->rho)))
        return formula_domain(err,
            "needs eps >= xi + rho, got eps = %.17g, xi = %.17g, "
            "rho = %.17g",
            eps.hi, line->xi.hi, line->rho.hi);
    return DOSI_OK;
}

dosi_status line_read_at_delta(
    cdp_line *line, const formula_args *args, dosi_error *err)
{
    dosi_status status = line_read(line, args, err);
    if (status != DOSI_OK)
        return status;
    if (ball_is_zero(ARG("delta")) && !ball_is_zero(line->rho))
        return formula_domain(err,
            "needs delta > 0 unless rho = 0, got delta = 0, rho = %.17g",
            line->rho.hi);
    return DOSI_OK;
}

dosi_status same_length(const formula_args *args, const char *first,
    const char *second, dosi_error *err)
{
    size_t n_first = 0, n_second = 0;
    (void)formula_list(args, first, &n_first);
    (void)formula_list(args, second, &n_second);
    if (n_first == n_second)
        return DOSI_OK;
    return formula_domain(err, "needs %s and %s of one length, got %zu and %zu",
        first, second, n_first, n_second);
}

dosi_status give_verdict(dosi_interval *out, ball a, ball b, dosi_error *err)
{
    if (ball_less_equal(a, b))
        return formula_give(out, ball_of(1), err);
    if (ball_less(b, a))
        return formula_give(out, ball_of(0), err);
    return dosi_fail(err, DOSI_EUNABLE,
        "the two sides are too close to be told apart, near %.17g",
        ball_mid(a));
}

dosi_interval within(ball value, double low, double high)
{
    if (ball_is_unknown(value))
        return iv_unknown();
    dosi_interval x = ball_interval(value);
    return iv_make(fmin(fmax(x.lo, low), high), fmax(fmin(x.hi, high), low));
}

dosi_interval exp_or_above(ball x)
{
    if (ball_lower(x) > 709.5) /* e^709.5 > 1.3e308 > 2^1023 */
        return iv_make(0x1p1023, HUGE_VAL);
    return ball_interval(ball_exp(x));
}
