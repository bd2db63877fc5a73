/*
 * Inverses of the Gaussian privacy profile: eps from (mu, delta) and mu from
 * (eps, delta). Newton's method in doubles on a concave function (log delta, or
 * log(1 - delta) above 1/2) gives a guess and cannot diverge; an interval
 * Newton step certifies it. Derivation: docs/theory/noise.md.
 */
#include "gaussian.h"

#include "num/bracket.h"
#include "num/ends.h"
#include "special/mills.h"
#include "num/newton.h"
#include "special/special.h"

#define LOG_HALF (-0.69314718055994531)
#define HALF_LOG_2PI 0.91893853320467274

/* Relative radius of a root that rounds to neighbouring doubles. */
#define ROOT_RADIUS 0x1p-62

/* One of the two inverse problems; the unknown is x. */
typedef struct inverse {
    ball given; /* mu if eps is the unknown, eps if mu is */
    ball log_delta;
    ball target; /* log delta, or log(1 - delta) if upper */
    bool upper;  /* delta > 1/2 */
} inverse;

static inverse inverse_of(ball given, ball log_delta)
{
    bool upper = log_delta.hi > LOG_HALF;
    return (inverse){
        given, log_delta, upper ? ball_log1mexp(log_delta) : log_delta, upper};
}

/* log delta (or log(1 - delta)) in doubles, with its derivatives
 *     d log delta / d eps = -R(b) / (R(a) - R(b)),
 *     d log delta / d mu  =  1 / (R(a) - R(b)),
 * and those of log(1 - delta): R(b) / (R(-a) + R(b)), -1 / (R(-a) + R(b)). */
typedef struct guess_point {
    double value;
    double by_eps;
    double by_mu;
} guess_point;

static guess_point guess_at(double mu, double eps, bool upper)
{
    double a = eps / mu - mu / 2, b = eps / mu + mu / 2;
    double pdf = -a * a / 2 - HALF_LOG_2PI;
    double below = mills_approx(b);
    if (upper) {
        double sum = mills_approx(-a) + below;
        return (guess_point){pdf + log(sum), below / sum, -1 / sum};
    }
    if (a < 0 && mu > 0.0625) {
        double sum = mills_approx(-a) + below;
        double delta = -expm1(pdf + log(sum));
        double drop = delta / exp(pdf);
        return (guess_point){log(delta), -below / drop, 1 / drop};
    }
    double drop = mu * mills_mean_slope_approx(a, mu);
    return (guess_point){pdf + log(drop), -below / drop, 1 / drop};
}

/* Guesses eps: log delta is concave and falls with eps, log(1 - delta) is
 * concave and rises, so Newton's steps approach the root from one side. */
static double guess_epsilon(double mu, double target, bool upper)
{
    /* delta <= e^(-a^2/2): an upper end; 0 is a lower one */
    double x = upper ? 0 : mu * mu / 2 + mu * sqrt(-2 * target);
    for (int i = 0; i < 60; i++) {
        guess_point s = guess_at(mu, x, upper);
        double step = (target - s.value) / s.by_eps;
        x = fmax(x + step, 0);
        if (!(fabs(step) > x * 1e-9) || x == 0)
            break;
    }
    return x;
}

/* Guesses mu: both functions are concave in log mu, rising and falling. */
static double guess_mu(double eps, double target, bool upper)
{
    double z = sqrt(-2 * target), root = sqrt(z * z + 2 * eps);
    /* delta <= e^(-a^2/2) and delta <= mu/sqrt(2 pi): lower ends;
     * 1 - delta <= e^(-a^2/2): an upper end */
    double x =
        upper ? z + root : fmax(2 * eps / (z + root), 2.5066 * exp(target));
    for (int i = 0; i < 60; i++) {
        guess_point s = guess_at(x, eps, upper);
        double step = (target - s.value) / (s.by_mu * x);
        x *= exp(step);
        if (!(fabs(step) > 1e-9))
            break;
    }
    return x;
}

/* target - log delta, or log(1 - delta) - target: both rise with eps. */
static ball profile_excess(const inverse *q, ball mu, ball eps)
{
    return q->upper ? ball_sub(gauss_log_1m_delta(mu, eps), q->target)
                    : ball_sub(q->target, gauss_log_delta(mu, eps));
}

/* R(-a) + R(b) or R(a) - R(b): the derivative by mu is its inverse, up to the
 * sign. */
static ball slope_divisor(const inverse *q, ball mu, ball eps)
{
    ball m = ball_div(eps, mu), h = ball_scale2(mu, -1);
    ball a = ball_sub(m, h), b = ball_add(m, h);
    if (q->upper)
        return ball_add(ball_mills(ball_neg(a)), ball_mills(b));
    return ball_mills_drop(a, mu); /* delta <= 1/2 keeps a above -0.7 */
}

static ball epsilon_excess(ball eps, const void *context)
{
    const inverse *q = context;
    return profile_excess(q, q->given, eps);
}

static ball epsilon_slope(ball eps, const void *context)
{
    const inverse *q = context;
    ball mu = q->given;
    ball b = ball_add(ball_div(eps, mu), ball_scale2(mu, -1));
    return ball_div(ball_mills(b), slope_divisor(q, mu, eps));
}

static ball mu_excess(ball mu, const void *context)
{
    const inverse *q = context;
    return ball_neg(profile_excess(q, mu, q->given));
}

static ball mu_slope(ball mu, const void *context)
{
    const inverse *q = context;
    return ball_div(ball_of(1), slope_divisor(q, mu, q->given));
}

static int epsilon_sign(double eps, const void *context)
{
    return bracket_sign_of(epsilon_excess(ball_of(eps), context));
}

static int mu_sign(double mu, const void *context)
{
    return bracket_sign_of(mu_excess(ball_of(mu), context));
}

/* eps for wide parameters: it rises with mu and falls with delta, so the two
 * corners enclose it. */
static dosi_interval epsilon_of_wide(ball mu, ball log_delta)
{
    ball least = ball_bottom(mu);
    if (!(least.hi > 0))
        least = ball_of(0);
    ball most = ball_top(log_delta);
    if (most.hi > 0)
        most = ball_of(0);
    dosi_interval low = gauss_epsilon(least, most);
    dosi_interval high = gauss_epsilon(ball_top(mu), ball_bottom(log_delta));
    return (dosi_interval){low.lo, high.hi};
}

dosi_interval gauss_epsilon(ball mu, ball log_delta)
{
    dosi_interval any = {0, HUGE_VAL};
    if (ball_is_unknown(mu) || ball_is_unknown(log_delta))
        return any;
    if (ball_is_zero(mu) || ball_is_nonnegative(log_delta))
        return iv_point(0);
    bool narrow = ball_is_positive(mu) && ball_is_negative(log_delta);
    if (!narrow)
        return mu.rad == 0 && log_delta.rad == 0
                   ? any
                   : epsilon_of_wide(mu, log_delta);
    if (isinf(log_delta.hi) || isinf(mu.hi))
        return iv_point(HUGE_VAL);
    inverse q = inverse_of(mu, log_delta);
    double guess = guess_epsilon(mu.hi, q.target.hi, q.upper);
    if (!(guess > 0)) {
        /* the total variation is at most delta */
        if (ball_is_nonnegative(epsilon_excess(ball_of(0), &q)))
            return iv_point(0);
        guess = 0;
    }
    guess_point s = guess_at(mu.hi, guess, q.upper);
    ball root =
        newton_root(epsilon_excess, epsilon_slope, &q, guess, s.by_eps,
        ROOT_RADIUS);
    if (!ball_is_unknown(root)) {
        dosi_interval r = ball_interval(root);
        return (dosi_interval){fmax(r.lo, 0), fmax(r.hi, 0)};
    }
    if (mu.rad > 0 || log_delta.rad > 0)
        return epsilon_of_wide(mu, log_delta);
    return bracket_root(epsilon_sign, &q, 0, HUGE_VAL, guess);
}

/* mu for wide parameters: it rises with eps and with delta. */
static dosi_interval mu_of_wide(ball eps, ball log_delta)
{
    ball least = ball_bottom(eps), most = ball_top(log_delta);
    if (!(least.hi > 0))
        least = ball_of(0);
    if (most.hi > 0)
        most = ball_of(0);
    dosi_interval low = gauss_mu(least, ball_bottom(log_delta));
    dosi_interval high = gauss_mu(ball_top(eps), most);
    return (dosi_interval){low.lo, high.hi};
}

dosi_interval gauss_mu(ball eps, ball log_delta)
{
    dosi_interval any = {0, HUGE_VAL};
    if (ball_is_unknown(eps) || ball_is_unknown(log_delta) ||
        ball_is_negative(eps))
        return any;
    if (ball_is_nonnegative(log_delta) || isinf(eps.hi))
        return iv_point(HUGE_VAL);
    if (isinf(log_delta.hi))
        return iv_point(0);
    bool narrow = ball_is_nonnegative(eps) && ball_is_negative(log_delta);
    if (!narrow)
        return eps.rad == 0 && log_delta.rad == 0 ? any
                                                  : mu_of_wide(eps, log_delta);
    inverse q = inverse_of(eps, log_delta);
    double guess = guess_mu(eps.hi, q.target.hi, q.upper);
    guess_point s = guess_at(guess, eps.hi, q.upper);
    ball root =
        newton_root(mu_excess, mu_slope, &q, guess, s.by_mu, ROOT_RADIUS);
    if (!ball_is_unknown(root))
        return ball_interval(root);
    if (eps.rad > 0 || log_delta.rad > 0)
        return mu_of_wide(eps, log_delta);
    return bracket_root(mu_sign, &q, 0, HUGE_VAL, guess);
}
