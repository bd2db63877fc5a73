/*
 * Divergences of finite laws: moments of the loss, total variation, Renyi
 * divergence, in forms that do not cancel. Derivation: docs/theory/finite.md.
 */
#include "finite_law_impl.h"

ball finite_tv(const finite_law *law)
{
    return finite_delta(law, ball_of(0));
}

ball finite_max_loss(const finite_law *law)
{
    if (ball_is_positive(law->p_inf.m))
        return ball_of(HUGE_VAL);
    if (!ball_is_zero(law->p_inf.m))
        return ball_unknown();
    return law->n > 0 ? law->atom[law->n - 1].loss : ball_of(-HUGE_VAL);
}

ball finite_pure_epsilon(const finite_law *law)
{
    if (ball_is_positive(law->p_inf.m) || ball_is_positive(law->q_inf.m))
        return ball_of(HUGE_VAL);
    if (!ball_is_zero(law->p_inf.m) || !ball_is_zero(law->q_inf.m) ||
        law->n == 0)
        return ball_unknown();
    return ball_max(law->atom[law->n - 1].loss, ball_neg(law->atom[0].loss));
}

/* The narrower of two enclosures of one number. */
static ball narrower(ball a, ball b)
{
    return b.rad < a.rad ? b : a;
}

/*
 * psi(L) = sum_{j>=2} a (1 + a + ... + a^(j-2)) L^j / j!, the summand of the
 * Renyi divergence over t = a - 1 in the form
 *     (e^(a L) - 1 - a (e^L - 1)) / t,
 * for m = max(1, a) |L| <= 1/16. The coefficient is at most
 * a (j-1) max(1, a)^(j-2), and sum_{j>J} (j-1)/j! = 1/J!, so the rest after
 * j = J is at most a L^2 m^(J-1) / J!.
 */
#define PSI_TERMS 16

static ball psi_series(ball order, ball loss, double m)
{
    ball geometric = ball_of(0), sum = ball_of(0);
    ball power = ball_mul(order, ball_sqr(loss));
    double factorial = 1, m_power = 1;
    for (int j = 2; j <= PSI_TERMS; j++) {
        geometric = ball_add_d(ball_mul(geometric, order), 1);
        factorial *= j; /* exact: 16! < 2^53 */
        sum = ball_add(sum, ball_div_d(ball_mul(power, geometric), factorial));
        power = ball_mul(power, loss);
        m_power *= m * (1 + 0x1p-40);
    }
    double square = fmax(fabs(ball_lower(loss)), fabs(ball_upper(loss)));
    double rest = ball_upper(order) * square * square * m_power / factorial;
    return ball_widen(sum, 1.01 * rest + BALL_TINY);
}

/*
 * t S, S = sum_i q_i psi(L_i), every term of the sign of t. Away from L = 0
 * a term is p (e^(t L) - 1) - t (p - q).
 */
static scaled renyi_excess(const finite_law *law, ball order, ball t)
{
    scaled sum = finite_zero();
    double scale = fmax(1, ball_upper(order)) * (1 + 0x1p-40);
    for (size_t i = 0; i < law->n; i++) {
        const atom *a = &law->atom[i];
        double size =
            fmax(fabs(ball_lower(a->loss)), fabs(ball_upper(a->loss)));
        scaled term;
        if (size * scale <= 0.0625) {
            ball psi = psi_series(order, a->loss, size * scale);
            term = scaled_mul_ball(a->q, ball_mul(t, psi));
        } else {
            ball x = ball_mul(t, a->loss);
            scaled growth =
                x.hi > 300 ? scaled_expm1(x) : scaled_of(ball_expm1(x));
            scaled difference = scaled_add(a->p, finite_neg(a->q));
            term = scaled_add(scaled_mul(a->p, growth),
                finite_neg(scaled_mul_ball(difference, t)));
        }
        sum = scaled_add(sum, term);
    }
    return sum;
}

/* sum_i p_i e^(t L_i) */
static scaled renyi_moment(const finite_law *law, ball t)
{
    scaled sum = finite_zero();
    for (size_t i = 0; i < law->n; i++) {
        scaled growth = scaled_exp(ball_mul(t, law->atom[i].loss));
        sum = scaled_add(sum, scaled_mul(law->atom[i].p, growth));
    }
    return sum;
}

/*
 * The exponent t = order - 1, t != 0: D = log(M) / t with M the moment over
 * the finite losses. As the masses of P and Q sum to 1,
 *     M = 1 + t (S + q_inf) - order p_inf.
 */
static ball renyi_at(const finite_law *law, ball order, ball t)
{
    ball plain = ball_div(scaled_log(renyi_moment(law, t)), t);
    scaled excess = renyi_excess(law, order, t);
    excess = scaled_add(excess, scaled_mul_ball(law->q_inf, t));
    excess = scaled_add(excess, finite_neg(scaled_mul_ball(law->p_inf, order)));
    ball log_moment = ball_is_nonnegative(excess.m)
                          ? scaled_log1p(excess)
                          : ball_log1p(finite_ball(excess));
    return narrower(ball_div(log_moment, t), plain);
}

ball finite_kl(const finite_law *law)
{
    if (ball_is_positive(law->p_inf.m))
        return ball_of(HUGE_VAL);
    if (!ball_is_zero(law->p_inf.m))
        return ball_unknown();
    /* E_P[L] = sum p L = sum (p L - p + q) + q_inf, whose terms are >= 0 */
    scaled plain = finite_zero(), sum = finite_zero();
    for (size_t i = 0; i < law->n; i++) {
        const atom *a = &law->atom[i];
        double size =
            fmax(fabs(ball_lower(a->loss)), fabs(ball_upper(a->loss)));
        scaled mean = scaled_mul_ball(a->p, a->loss);
        plain = scaled_add(plain, mean);
        scaled term = scaled_add(mean, scaled_add(a->q, finite_neg(a->p)));
        if (size <= 0.0625)
            term = scaled_mul_ball(a->q, psi_series(ball_of(1), a->loss, size));
        sum = scaled_add(sum, term);
    }
    ball refined = finite_ball(scaled_add(sum, law->q_inf));
    return narrower(refined, finite_ball(plain));
}

ball finite_renyi(const finite_law *law, ball order)
{
    if (isinf(order.hi) && order.hi > 0)
        return finite_max_loss(law);
    if (!ball_is_nonnegative(order))
        return ball_unknown();
    ball t = ball_sub_d(order, 1);
    if (ball_is_zero(t))
        return finite_kl(law);
    if (ball_is_positive(t)) {
        if (ball_is_positive(law->p_inf.m))
            return ball_of(HUGE_VAL);
        if (!ball_is_zero(law->p_inf.m))
            return ball_unknown();
    } else if (!ball_is_negative(t)) {
        /* the order may be 1; D does not decrease with it */
        ball low = finite_renyi(law, ball_of(ball_lower(order)));
        ball high = finite_renyi(law, ball_of(ball_upper(order)));
        return ball_of_interval(iv_make(ball_lower(low), ball_upper(high)));
    }
    if (law->n == 0) /* P and Q have no outcome in common */
        return ball_of(HUGE_VAL);
    return renyi_at(law, order, t);
}
