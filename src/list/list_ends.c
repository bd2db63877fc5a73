/*
 * Bounds by the greatest losses alone: the mass at +inf, and the event that
 * every run has its greatest loss. docs/theory/list.md, section 4.
 */
#include "list_ends.h"

#include "list.h"
#include "profile/profile.h"

/* The greatest finite loss of the total, and the mass at +inf. */
static ball greatest(ball *p_inf, const loss_law *parts, size_t n)
{
    ball most = ball_of(0), log_keep = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        loss_tails c;
        loss_tails_init(&c, &parts[i]);
        most = ball_add(most, ball_mul_d(loss_largest(&c), parts[i].count));
        log_keep = ball_add(log_keep,
            ball_mul_d(ball_log1p(ball_neg(c.p_inf)), parts[i].count));
    }
    *p_inf = ball_neg(ball_expm1(log_keep));
    return most;
}

dosi_interval list_log_floor(const loss_law *parts, size_t n)
{
    ball p_inf;
    (void)greatest(&p_inf, parts, n);
    return profile_log_mass(p_inf);
}

bool list_is_beyond(
    dosi_interval *out, const loss_law *parts, size_t n, double epsilon)
{
    ball p_inf;
    if (!ball_less_equal(greatest(&p_inf, parts, n), ball_of(epsilon)))
        return false;
    *out = profile_log_mass(p_inf);
    return true;
}

/* The atom at the greatest loss of a law; false where there is none. */
static bool top_atom(loss_atom *out, const loss_law *pair)
{
    loss_tails c;
    loss_tails_init(&c, pair);
    size_t n = loss_atom_count(&c);
    if (n == 0 || pair->map == LOSS_WITH_REPLACEMENT ||
        (c.has_density && pair->noise != LOSS_LAPLACE))
        return false;
    *out = loss_atom_at(&c, c.has_density ? 1 : n - 1);
    return ball_is_positive(out->p);
}

/* The event that every run has its greatest loss: the sum L of these losses and
 * the logarithm of its probability p. Parts whose law has no such atom are left
 * out, which is post-processing: bounds from below stay valid. False if no part
 * is left. */
static bool top_event(
    ball *most, ball *log_mass, const loss_law *parts, size_t n)
{
    bool found = false;
    *most = *log_mass = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        loss_atom a;
        if (!top_atom(&a, &parts[i]))
            continue;
        found = true;
        *most = ball_add(*most, ball_mul_d(a.at, parts[i].count));
        *log_mass =
            ball_add(*log_mass, ball_mul_d(ball_log(a.p), parts[i].count));
    }
    return found;
}

/* The test that rejects there has delta(eps) >= p (1 - e^(eps - L)), so that
 * epsilon >= L + log(1 - delta/p). */
static double epsilon_by_tops(const loss_law *parts, size_t n, ball log_delta)
{
    ball most, log_mass;
    if (!top_event(&most, &log_mass, parts, n))
        return 0;
    ball gap = ball_sub(log_delta, log_mass);
    if (!ball_is_negative(gap))
        return 0;
    return fmax(ball_lower(ball_add(most, ball_log1mexp(gap))), 0);
}

double list_log_delta_by_ends(const loss_law *parts, size_t n, double epsilon)
{
    ball p_inf, most, log_mass;
    (void)greatest(&p_inf, parts, n);
    double floor_ = profile_log_mass(p_inf).lo;
    if (!top_event(&most, &log_mass, parts, n))
        return floor_;
    ball gap = ball_sub(ball_of(epsilon), most);
    if (!ball_is_negative(gap))
        return floor_;
    return fmax(floor_, ball_lower(ball_add(log_mass, ball_log1mexp(gap))));
}

dosi_interval list_epsilon_by_ends(
    const loss_law *parts, size_t n, ball log_delta)
{
    dosi_interval v = {0, HUGE_VAL};
    ball p_inf, most = greatest(&p_inf, parts, n);
    if (profile_log_mass(p_inf).hi <= ball_lower(log_delta))
        v.hi = fmax(ball_upper(most), 0);
    v.lo = fmin(epsilon_by_tops(parts, n, log_delta), v.hi);
    return v;
}
