/*
 * The least intercept of a line above the Rényi curve of randomized response,
 * with order 1 + t. Derivation: docs/theory/concentrated.md, section 2.
 */
#include "zcdp_line_response.h"

#include "num/bracket.h"
#include "renyi/renyi.h"

typedef struct response_case {
    ball eps;
    ball rho;
} response_case;

static ball divergence(const response_case *c, ball t)
{
    return renyi_rr(ball_add_d(t, 1), c->eps, 2);
}

/* rho - D'(t), increasing: K = t D has K' = eps tanh((t + 1/2) eps), and
 * D' = (K' - D) / t. */
static ball excess_slope(ball t, const void *context)
{
    const response_case *c = context;
    ball half = ball_mul(ball_add_d(t, 0.5), c->eps);
    ball tilted = ball_mul(c->eps, ball_tanh(half));
    ball slope = ball_div(ball_sub(tilted, divergence(c, t)), t);
    return ball_sub(c->rho, slope);
}

/* D - rho (1 + t) */
static ball height(const response_case *c, ball t)
{
    return ball_sub(divergence(c, t), ball_mul(c->rho, ball_add_d(t, 1)));
}

dosi_interval response_least_xi(ball eps, ball share)
{
    if (ball_less_equal(ball_of(1), share) || ball_is_zero(eps))
        return iv_point(0);
    if (ball_is_zero(share))
        return ball_interval(eps);
    ball tight = renyi_rr_mean_loss(eps);
    const response_case c = {eps, ball_mul(share, tight)};
    ball at_1 = ball_mul(ball_sub(ball_of(1), share), tight);
    /* D is below its tangent: if D'(0) = eps^2 / (2 cosh(eps/2)^2) <= rho,
     * that is eps <= share sinh(eps), order 1 is the maximum */
    if (eps.hi > 700 ? ball_less(ball_exp(ball_of(-690)), share)
                     : ball_less_equal(eps, ball_mul(share, ball_sinh(eps))))
        return ball_interval(at_1);
    /* D' <= D/t <= eps/t: beyond eps/rho it is below rho */
    double high = ball_upper(ball_div(eps, c.rho));
    if (!(high <= 0x1p900))
        return iv_make(0, ball_upper(eps));
    dosi_interval root = bracket_root_of(excess_slope, &c, 0, high);
    /* concave: at a point p of the root's enclosure of width w,
     * height(p) <= sup <= height(p) + w |height'(p)| */
    ball p = ball_of(root.lo > 0 ? root.lo / 2 + root.hi / 2 : root.hi);
    ball width = ball_sub(ball_of(root.hi), ball_of(root.lo));
    ball low = height(&c, p);
    ball gain = ball_abs(ball_mul(width, excess_slope(p, &c)));
    return iv_make(fmax(ball_lower(low), ball_lower(at_1)),
        ball_upper(ball_add(low, gain)));
}
