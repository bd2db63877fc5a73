/*
 * Shared by the finite_ files: the struct of a finite law, its construction
 * from a list of atoms, and masses as scaled balls, which do not underflow.
 * Derivation: docs/theory/finite.md.
 */
#ifndef DOSI_FINITE_FINITE_LAW_IMPL_H
#define DOSI_FINITE_FINITE_LAW_IMPL_H

#include "finite_law.h"
#include "num/scaled.h"

/* Outcomes whose losses log(P/Q) all lie in one ball, with their masses. */
typedef struct atom {
    ball loss;
    scaled p;
    scaled q;
} atom;

/*
 * Atoms in strictly increasing order: every point of a loss is certainly
 * below every point of the next. The sums have n + 1 entries:
 * tail_p[i] = p_i + ... + p_(n-1), head_p[i] = p_0 + ... + p_(i-1). Knots
 * have n: knot[i] is the sum of p_j - e^t q_j over j > i at the midpoint t of
 * loss i.
 */
struct finite_law {
    size_t n;
    scaled p_inf;
    scaled q_inf;
    atom *atom;
    scaled *tail_p;
    scaled *tail_q;
    scaled *head_p;
    scaled *knot;
};

/*
 * Sorts and merges the list and makes the law of it.
 *
 * owns      the list moves into the law; after a failure it is freed
 * fails     DOSI_EINVAL if a loss or a mass is not a number, DOSI_ENOMEM
 */
dosi_status finite_build(finite_law **out, atom *list, size_t n, scaled p_inf,
    scaled q_inf, dosi_error *err);

/* The sum of p_j - e^eps q_j over j >= i, if eps is certainly at most loss i:
 * without cancellation, in O(1). */
scaled finite_excess_from(const finite_law *law, size_t i, ball eps);

/* F(eps): the sum of max(0, p_i - e^eps q_i) over the finite losses. */
scaled finite_profile(const finite_law *law, ball eps);

/* A copy of a law. */
dosi_status finite_copy(
    finite_law **out, const finite_law *law, dosi_error *err);

/* The law of a pair with P = Q, neutral in composition. */
dosi_status finite_identity(finite_law **out, dosi_error *err);

/* Room for n atoms (at least one, so that NULL means no memory). */
atom *finite_list(size_t n);

/* The scaled number as a ball, which may underflow. */
ball finite_ball(scaled x);

static inline scaled finite_zero(void)
{
    return (scaled){{0, 0, 0}, 0};
}

/* 1 - (1 - a) (1 - b) = a + b (1 - a): the probability of one of two
 * independent events. */
scaled finite_union(scaled a, scaled b);

static inline scaled finite_neg(scaled x)
{
    return (scaled){ball_neg(x.m), x.e};
}

/* ---- Two laws at once -------------------------------------------------- */

/* The atoms i with from <= i < to. */
typedef struct finite_range {
    size_t from;
    size_t to;
} finite_range;

/* A mass that a sum may leave out and keep its digits. */
static inline scaled finite_negligible(scaled sum)
{
    return (scaled){sum.m, sum.e - 72};
}

/* The atoms except a P-mass of at most 2 level at the ends. */
finite_range finite_range_above(const finite_law *law, scaled level);

/* F of the composition of two laws, sum_i p_i F_b(eps - L_i). With a level:
 * terms that add up to at most twice the level may go to the radius, so that
 * the cost is that of the other atoms. */
scaled finite_product_profile(
    const finite_law *a, const finite_law *b, ball eps);
scaled finite_product_above(
    const finite_law *a, const finite_law *b, ball eps, scaled level);

/* Approximates finite_product_profile in doubles over some atoms of a;
 * certifies nothing. */
double finite_product_approx(const finite_law *a, const finite_law *b,
    double eps, const finite_range *range);

#endif
