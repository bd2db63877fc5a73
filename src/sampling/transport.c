/*
 * Optimal transport by successive shortest paths: the rows send their mass one
 * after the other along the cheapest path of the residual graph. Prices keep
 * every reduced cost cost - u - v >= 0, with 0 where mass flows. All of that is
 * steering in double-doubles; the bounds are computed from its result:
 *
 *     above   mean cost of the flow, and the largest cost for mass that
 *             rounding left over or sent twice
 *     below   sum u from + sum v to - (largest violation of u + v <= cost)
 */
#include "transport.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/ends.h"

static const dd dd_zero = {0, 0};

static bool dd_less(dd a, dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static bool dd_is_positive(dd a)
{
    return a.hi > 0;
}

typedef struct plan {
    const transport *x;
    dd *flow;
    dd *supply;     /* of rows, then demand of columns */
    dd *price;      /* u of rows, then v of columns */
    dd *reach;      /* length of the shortest path to a row or column */
    size_t *before; /* previous node on it */
    bool *is_done;
} plan;

static void plan_free(plan *p)
{
    free(p->flow);
    free(p->supply);
    free(p->price);
    free(p->reach);
    free(p->before);
    free(p->is_done);
}

static dd cost_at(const plan *p, size_t i, size_t j)
{
    return ball_dd(p->x->cost[i * p->x->n_to + j]);
}

/* False if memory is missing; released with plan_free in any case. */
static bool plan_new(plan *p, const transport *x)
{
    size_t n = x->n_from + x->n_to, cells = x->n_from * x->n_to;
    *p = (plan){.x = x};
    p->flow = calloc(cells + 1, sizeof *p->flow);
    p->supply = calloc(n + 1, sizeof *p->supply);
    p->price = calloc(n + 1, sizeof *p->price);
    p->reach = calloc(n + 1, sizeof *p->reach);
    p->before = calloc(n + 1, sizeof *p->before);
    p->is_done = calloc(n + 1, sizeof *p->is_done);
    if (p->flow == NULL || p->supply == NULL || p->price == NULL ||
        p->reach == NULL || p->before == NULL || p->is_done == NULL)
        return false;
    for (size_t i = 0; i < x->n_from; i++) {
        p->supply[i] = ball_dd(x->from[i]);
        p->price[i] = cost_at(p, i, 0);
        for (size_t j = 1; j < x->n_to; j++)
            if (dd_less(cost_at(p, i, j), p->price[i]))
                p->price[i] = cost_at(p, i, j);
    }
    for (size_t j = 0; j < x->n_to; j++)
        p->supply[x->n_from + j] = ball_dd(x->to[j]);
    return true;
}

/* ---- Steering ---------------------------------------------------------- */

#define NO_NODE ((size_t)-1)

/* Relaxes the edges from a row to every column, or from a column back to the
 * rows that send mass to it. */
static void relax(plan *p, size_t node)
{
    size_t n = p->x->n_from, m = p->x->n_to;
    if (node >= n) {
        for (size_t i = 0; i < n; i++)
            if (!p->is_done[i] && dd_is_positive(p->flow[i * m + node - n]) &&
                dd_less(p->reach[node], p->reach[i])) {
                p->reach[i] = p->reach[node];
                p->before[i] = node;
            }
        return;
    }
    for (size_t j = 0; j < m; j++) {
        if (p->is_done[n + j])
            continue;
        dd step = dd_sub(
            cost_at(p, node, j), dd_add(p->price[node], p->price[n + j]));
        if (!dd_is_positive(step))
            step = dd_zero; /* up to rounding */
        dd length = dd_add(p->reach[node], step);
        if (dd_less(length, p->reach[n + j])) {
            p->reach[n + j] = length;
            p->before[n + j] = node;
        }
    }
}

/* The column with demand that is nearest to the row; NO_NODE if none. */
static size_t search(plan *p, size_t row)
{
    size_t n = p->x->n_from, total = n + p->x->n_to;
    for (size_t i = 0; i < total; i++) {
        p->reach[i] = (dd){HUGE_VAL, 0};
        p->is_done[i] = false;
    }
    p->reach[row] = dd_zero;
    p->before[row] = NO_NODE;
    for (size_t step = 0; step < total; step++) {
        size_t best = NO_NODE;
        for (size_t i = 0; i < total; i++)
            if (!p->is_done[i] &&
                (best == NO_NODE || dd_less(p->reach[i], p->reach[best])))
                best = i;
        if (best == NO_NODE || isinf(p->reach[best].hi))
            return NO_NODE;
        p->is_done[best] = true;
        if (best >= n && dd_is_positive(p->supply[best]))
            return best;
        relax(p, best);
    }
    return NO_NODE;
}

static void reprice(plan *p, size_t last)
{
    size_t n = p->x->n_from, total = n + p->x->n_to;
    for (size_t i = 0; i < total; i++) {
        if (!p->is_done[i])
            continue;
        dd change = dd_sub(p->reach[last], p->reach[i]);
        p->price[i] =
            i < n ? dd_add(p->price[i], change) : dd_sub(p->price[i], change);
    }
}

/* Sends as much mass as possible along the path that ends in the column. */
static void augment(plan *p, size_t row, size_t last)
{
    size_t n = p->x->n_from, m = p->x->n_to;
    dd amount = p->supply[row];
    if (dd_less(p->supply[last], amount))
        amount = p->supply[last];
    for (size_t i = last; i != row; i = p->before[i])
        if (i < n) {
            dd back = p->flow[i * m + p->before[i] - n];
            if (dd_less(back, amount))
                amount = back;
        }
    for (size_t i = last; i != row; i = p->before[i]) {
        dd *cell = i < n ? &p->flow[i * m + p->before[i] - n]
                         : &p->flow[p->before[i] * m + i - n];
        *cell = i < n ? dd_sub(*cell, amount) : dd_add(*cell, amount);
    }
    p->supply[row] = dd_sub(p->supply[row], amount);
    p->supply[last] = dd_sub(p->supply[last], amount);
}

static void solve(plan *p)
{
    size_t n = p->x->n_from, left = 64 * (n + p->x->n_to) + 1024;
    for (size_t row = 0; row < n; row++)
        while (dd_is_positive(p->supply[row]) && left > 0) {
            size_t last = search(p, row);
            left--;
            if (last == NO_NODE)
                break;
            reprice(p, last);
            augment(p, row, last);
        }
}

/* ---- Bounds ------------------------------------------------------------ */

static ball flow_at(const plan *p, size_t i, size_t j)
{
    dd f = p->flow[i * p->x->n_to + j];
    return dd_is_positive(f) ? (ball){f.hi, f.lo, 0} : ball_of(0);
}

/* An upper bound of the mass that a row (or column) sends beyond its own. */
static ball surplus(ball sent, ball mass)
{
    return ball_of(fmax(0, ball_upper(ball_sub(sent, mass))));
}

static ball sum_of(const ball *x, size_t n)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, x[i]);
    return sum;
}

/*
 * An upper bound: removing the surplus never increases the cost, as costs are
 * >= 0; the mass that is then left over is sent at the largest cost at most.
 */
static double bound_above(const plan *p)
{
    const transport *x = p->x;
    ball mean = ball_of(0), moved = ball_of(0), twice = ball_of(0);
    double dearest = 0;
    for (size_t i = 0; i < x->n_from; i++) {
        ball sent = ball_of(0);
        for (size_t j = 0; j < x->n_to; j++) {
            ball f = flow_at(p, i, j), c = x->cost[i * x->n_to + j];
            dearest = fmax(dearest, ball_upper(c));
            sent = ball_add(sent, f);
            if (!ball_is_zero(f))
                mean = ball_add(mean, ball_mul(f, c));
        }
        moved = ball_add(moved, sent);
        twice = ball_add(twice, surplus(sent, x->from[i]));
    }
    for (size_t j = 0; j < x->n_to; j++) {
        ball got = ball_of(0);
        for (size_t i = 0; i < x->n_from; i++)
            got = ball_add(got, flow_at(p, i, j));
        twice = ball_add(twice, surplus(got, x->to[j]));
    }
    ball total = ball_max(sum_of(x->from, x->n_from), sum_of(x->to, x->n_to));
    ball left = ball_add(ball_sub(total, moved), twice);
    double rest = fmax(0, ball_upper(left));
    return ball_upper(ball_add(mean, ball_mul_d(ball_of(rest), dearest)));
}

static ball price_at(const plan *p, size_t node)
{
    return (ball){p->price[node].hi, p->price[node].lo, 0};
}

static double bound_below(const plan *p)
{
    const transport *x = p->x;
    ball sum = ball_of(0);
    double violation = 0;
    for (size_t i = 0; i < x->n_from; i++) {
        ball u = price_at(p, i);
        sum = ball_add(sum, ball_mul(u, x->from[i]));
        for (size_t j = 0; j < x->n_to; j++) {
            ball v = price_at(p, x->n_from + j);
            ball over = ball_sub(ball_add(u, v), x->cost[i * x->n_to + j]);
            if (!ball_is_nonnegative(ball_neg(over)))
                violation = fmax(violation, ball_upper(over));
        }
    }
    for (size_t j = 0; j < x->n_to; j++)
        sum = ball_add(sum, ball_mul(price_at(p, x->n_from + j), x->to[j]));
    ball mass = sum_of(x->from, x->n_from);
    return ball_lower(ball_sub(sum, ball_mul_d(mass, violation)));
}

ball transport_nearest(const transport *x)
{
    ball sum = ball_of(0);
    for (size_t i = 0; i < x->n_from; i++) {
        ball least = x->cost[i * x->n_to];
        for (size_t j = 1; j < x->n_to; j++)
            least = ball_min(least, x->cost[i * x->n_to + j]);
        sum = ball_add(sum, ball_mul(x->from[i], least));
    }
    return sum;
}

dosi_status transport_least(
    dosi_interval *out, const transport *x, dosi_error *err)
{
    plan p;
    *out = iv_unknown();
    if (x->n_to == 0 || x->n_from == 0 ||
        x->n_from > TRANSPORT_MAX_COSTS / x->n_to)
        return dosi_fail(err, DOSI_EUNABLE,
            "transport: a table of %zu x %zu costs is not accepted", x->n_from,
            x->n_to);
    bool is_made = plan_new(&p, x);
    if (is_made) {
        solve(&p);
        double above = bound_above(&p), below = bound_below(&p);
        below = fmax(below, ball_lower(transport_nearest(x)));
        *out = iv_make(fmin(fmax(below, 0), above), above);
    }
    plan_free(&p);
    return is_made ? DOSI_OK : dosi_fail_memory(err);
}

/* ---- Compatibility ----------------------------------------------------- */

/* With cost 0 to nearest partners and 1 to others, the minimum is the mass that
 * no flow to nearest partners can carry. */
dosi_status transport_compatible(
    bool *out, const transport *x, const double *distance, dosi_error *err)
{
    size_t cells = x->n_from * x->n_to;
    *out = false;
    ball *cost = calloc(cells + 1, sizeof *cost);
    if (cost == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < x->n_from; i++) {
        const double *d = distance + i * x->n_to;
        double nearest = d[0];
        for (size_t j = 1; j < x->n_to; j++)
            nearest = fmin(nearest, d[j]);
        for (size_t j = 0; j < x->n_to; j++)
            cost[i * x->n_to + j] = ball_of(d[j] > nearest);
    }
    transport y = *x;
    y.cost = cost;
    dosi_interval stuck;
    dosi_status status = transport_least(&stuck, &y, err);
    free(cost);
    if (status != DOSI_OK)
        return status;
    *out = stuck.hi <= 1e-12;
    if (stuck.hi > 1e-12 && stuck.lo <= 1e-12)
        return dosi_fail(err, DOSI_EUNABLE,
            "transport: whether all mass can be moved could not be decided");
    return DOSI_OK;
}
