/*
 * Rényi privacy of a mechanism run on m of n records drawn without
 * replacement, rate = m/n, under the replace relation. The bounds are sums
 *
 *     K'(order - 1) = log( 1 + sum_{j=2}^order C(order,j) rate^j Z_j )
 *
 * over bounds Z_j of the ternary chi-divergences zeta(j)^j of the base, one for
 * each rule below; K'(t) = t eps'(1 + t). These curves must not be added to
 * those of Poisson samples or of the add/remove relation. Derivation:
 * docs/theory/without_replacement.md.
 */
#ifndef DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_H
#define DOSI_RENYI_WITHOUT_REPLACEMENT_RENYI_H

#include "base/error.h"
#include "chi_divergence.h"
#include "num/ball.h"
#include "poisson_renyi.h"

/* ---- The base ---------------------------------------------------------- */

/* A base under replacement: its law, or its Rényi curve at whole orders. */
typedef struct wr_base {
    const chi_law *law;  /* NULL: only the curve is known */
    renyi_curve curve;   /* eps(j) at j = 2, 3, .. when law is NULL */
    const void *context; /* of the curve */
    ball log_cap; /* log(e^eps(inf) - 1), or +inf */
    bool is_consistent;  /* one pair attains the whole curve (T002-19) */
} wr_base;

wr_base wr_base_of_law(const chi_law *law);
wr_base wr_base_of_curve(renyi_curve curve, const void *context, ball pure);

/* log m(j) for whole j >= 0. */
ball wr_log_moment(const wr_base *base, double j);

/*
 * log B(l) of a consistent base.
 *
 * requires  l >= 2, even
 * width     from a curve it is a signed sum, and +inf if its sign is uncertain
 */
ball wr_log_difference(const wr_base *base, double l);

/* log sqrt(e^x e^y), infinite when one of them is. */
ball wr_mean_log(ball x, ball y);

/* ---- Bounds of log zeta(j)^j, j >= 2 whole ----------------------------- */

ball wr_log_zeta_moment(const wr_base *base, double j);  /* 2 m(j): L002-16 */
ball wr_log_zeta_pure(const wr_base *base, double j);    /* L002-17 */
ball wr_log_zeta_general(const wr_base *base, double j); /* that of T002-9 */

/* 4 sqrt(B(2 floor(j/2)) B(2 ceil(j/2))): L002-15, T002-19. */
ball wr_log_zeta_consistent(const wr_base *base, double j);

/*
 * 4 xi(j)^j, from the law.
 *
 * source  L002-15
 */
ball wr_log_zeta_chi(const chi_law *law, double j);

/* Hölder's inequality with exponent u > 1, from the law: L002-29. u = 2 is
 * R002-30; u = 1 needs a finite pure level. */
ball wr_log_zeta_hoelder(const chi_law *law, double j, ball u);

/* ---- Rules for Z_j ----------------------------------------------------- */

typedef enum wr_rule {
    WR_GENERAL,    /* T002-9, for every base */
    WR_CONSISTENT, /* T002-19: general at j = 2, consistent above */
    WR_LEAST,      /* X002-min: the smaller of the two at each j */
    WR_SQUARES,    /* X002-best30: WR_LEAST and Hölder with u = 2 */
    WR_HOELDER,    /* X002-L29: general, 4 xi(j)^j, Hölder with given u */
    WR_LOWER       /* P002-20, a lower bound: m(j) - 1, and weights
                      C(order,j) rate^j (1-rate)^(order-j) */
} wr_rule;

/* Z_2 .. Z_max_order of one base, computed once for many orders and rates. */
typedef struct wr_table wr_table;

#define WR_TABLE_MAX_ORDER 65536.0

/*
 * Computes the table; exponents are the n_exponents values u of WR_HOELDER.
 *
 * owns   *out, released with wr_table_free
 * fails  DOSI_EUNSUPPORTED for a rule the base does not allow,
 *        DOSI_EUNABLE above WR_TABLE_MAX_ORDER, but for WR_LOWER on a curve,
 *        DOSI_ENOMEM
 * cost   WR_GENERAL, WR_LOWER: a microsecond an order; the others, for a
 *        Gaussian: 0.2 ms an order
 */
dosi_status wr_table_new(wr_table **out, const wr_base *base, wr_rule rule,
    const double *exponents, size_t n_exponents, double max_order,
    dosi_error *err);
void wr_table_free(wr_table *table);

/* K'(order - 1) for whole 2 <= order <= max_order, 0 <= rate <= 1. */
ball wr_table_cumulant(const wr_table *table, ball rate, double order);

/*
 * K'(1), K'(2), .., K'(max_order - 1) at once: out[i] belongs to the order
 * i + 2.
 *
 * cost   max_order^2/2 additions
 * fails  DOSI_ENOMEM
 */
dosi_status wr_table_cumulants(
    ball *out, const wr_table *table, ball rate, dosi_error *err);

/* log of the largest term, and the bounds on K'(order - 1) from it: S002-4
 * max(0, largest) + log order, and X002-lse log(1 + (order-1) e^largest). */
ball wr_table_log_largest(const wr_table *table, ball rate, double order);
ball wr_bound_log_sum(ball log_largest, double order);
ball wr_bound_log1p_sum(ball log_largest, double order);

/* ---- Single orders ----------------------------------------------------- */

/**
 * K'(order - 1) by WR_GENERAL or WR_LOWER at one whole order, from the law: the
 * dominant parts of the sum are added, the rest is bounded.
 *
 * requires  order whole, 2 <= order <= 2^40; 0 <= rate <= 1
 * width     near 1e-20 relative up to order 256, 1e-16 up to 2^16, 1e-13 above
 * cost      O(order) up to 256, then O(log order) blocks and the
 *           width of the sum's maxima, at most some 10 sqrt(order) terms
 */
ball wr_cumulant_at(const chi_law *law, ball rate, wr_rule rule, double order);

/*
 * K'(order - 1) for any rule and base at a whole order.
 *
 * fails  as wr_table_new; DOSI_EUNABLE if the order is too large for the base
 */
dosi_status wr_cumulant(ball *out, const wr_base *base, ball rate, wr_rule rule,
    double order, dosi_error *err);

/*
 * A bound of K' at a real t > 0 by convexity (C002-10): linear between whole t,
 * from K'(0) = 0.
 *
 * fails  as wr_cumulant
 */
dosi_status wr_cumulant_real(ball *out, const wr_base *base, ball rate,
    wr_rule rule, ball t, dosi_error *err);

/* ---- Closed bounds, real orders > 1 ------------------------------------ */

/* log(1 + rate (e^k - 1)) with k = K(order - 1): joint convexity. */
ball wr_jensen(ball rate, ball k);

/*
 * order/(order-1) log(1 + rate e^divergence (e^pure - 1)).
 *
 * source  R002-9
 */
ball wr_pure_bound(ball rate, ball order, ball divergence, ball pure);

/*
 * The limit of T002-9 at infinite order:
 * log(1 + rate e^pure min(1, e^pure - 1)).
 *
 * source  X002-9
 */
ball wr_general_limit(ball rate, ball pure);

/*
 * An upper bound of the difference of T002-9 and P002-20.
 *
 * source  R002-20
 */
ball wr_gap(ball rate, ball order);

/*
 * The order with rate order e^eps(order) = 1, a change of regime;
 * unknown if rate e^eps(1) > 1.
 *
 * source  R002-9
 */
dosi_interval wr_phase_order(const chi_law *law, ball rate);

#endif
