/*
 * A loss law bounded from one side by a list of outcomes, each with a loss
 * and a mass of P, rising in their losses, and a mass at +inf. All masses are
 * stored times a common factor 2^scale. With
 *
 *     H(x) = at_infinity + sum_i mass_i (1 - x e^-l_i)_+,   x = e^epsilon,
 *
 * the list from above has H >= delta at every x > 0 when its losses are
 * raised by slack, the list from below has H <= delta when they are lowered
 * by slack. Masses need not add up to 1. Composition keeps both inequalities:
 * docs/theory/list.md, section 1.
 */
#ifndef DOSI_LIST_LIST_LAW_H
#define DOSI_LIST_LIST_LAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/work_limits.h"
#include "num/elem.h"
#include "num/round.h"

typedef enum list_side { LIST_BELOW, LIST_ABOVE } list_side;

typedef struct list_law {
    size_t n;
    double *loss; /* finite, rising */
    double *mass; /* at least LIST_MIN_MASS */
    double at_infinity;
    double slack; /* >= 0: what rounding may have moved a loss by */
    int scale;    /* 0, or LIST_SCALE for masses below the least double */
} list_law;

#define LIST_SCALE 1000

/* Half a unit in the last place of 1: one rounded operation errs relatively
 * by no more. */
#define LIST_ROUND 0x1p-53

/* Losses are rounded sums, or logarithms of cells: both err by less than this
 * share of the greatest loss. */
#define LIST_LOSS_ROUND 0x1p-48

/* Slack that covers the rounding of losses and lengths of cells near the least
 * double. */
#define LIST_MIN_SLACK 0x1p-1020

/* Losses below this have finite sums and differences. */
#define LIST_MAX_LOSS 1e300

/* Smaller masses are dropped from below and count as mass at +inf from
 * above. */
#define LIST_MIN_MASS 0x1p-1040

/* At least what the underflow of products takes from a sum of masses: at most
 * 2^-1075 each. */
#define LIST_UNDERFLOW 0x1p-1050

/* Room for n outcomes, none of them filled. fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status list_law_new(list_law *out, size_t n, dosi_error *err);
void list_law_free(list_law *x);

/* Appends an outcome; the loss must not fall. Equal losses are merged. */
void list_put(list_law *x, double loss, double mass, list_side side);

/* Takes a common factor of 2^-scale out of the masses; they have none yet. */
void list_take_out(list_law *x, int scale);

/* The product of two masses that are stored times 2^scale, 0 or more, stored
 * so. The factor 2^-scale is exact for a mass of 1 and more; below, what the
 * product of the other one loses is less than 2^-1075. */
static inline double list_product(double a, double b, int scale)
{
    if (scale == 0)
        return a * b;
    return a >= 1 ? ldexp(a, -scale) * b : a * ldexp(b, -scale);
}

/* The end, on the given side, of a sum of masses with this relative error, and
 * LIST_UNDERFLOW. */
double list_end(double sum, double error, list_side side);

/* The mass of both laws together at +inf, where one of them is, rounded to
 * nearest. */
double list_infinity(const list_law *a, const list_law *b);

/* At least a + b; 0 for 0. */
static inline double list_sum_up(double a, double b)
{
    double sum = a + b;
    return sum == 0 ? 0 : round_up(sum);
}

/* ---- Composition ------------------------------------------------------- */

/*
 * The composition of a and b as outcomes at (from above) or between (from
 * below) the knots. Of equal lists pass the same pointer twice: half the
 * products are made. Products with a mass of no more than twice negligible
 * together are not: they are left out from below, at +inf from above.
 *
 * requires  n >= 2 knots, finite, rising; both lists of one scale, in which
 *           negligible is stored, too
 * cost      the number of products; ends early with DOSI_EUNABLE when limits
 *           say stop
 * owns      *out, freed with list_law_free in any case
 */
typedef struct list_knots {
    size_t n;
    const double *at;
} list_knots;

DOSI_CHECK dosi_status list_compose(list_law *out, const list_law *a,
    const list_law *b, list_knots knots, list_side side, double negligible,
    work_limits *limits, dosi_error *err);

/*
 * The list with its outcomes moved to the knots: composed with P = Q.
 *
 * requires  as list_compose
 * owns      *out, freed with list_law_free in any case
 */
DOSI_CHECK dosi_status list_reduce(list_law *out, const list_law *a,
    list_knots knots, list_side side, work_limits *limits, dosi_error *err);

/* The operations of one product, as work_limits.h counts them. */
#define LIST_PRODUCT_OPERATIONS 4

#endif
