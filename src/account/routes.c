/*
 * The routes that read laws off the plan: closed forms, finite sums,
 * contours.
 */
#include "account.h"

#include "repr/contour.h"

void account_add(account_laws *laws, const law *added, bool above, bool below,
    const char *theorem)
{
    if (added == NULL || laws->n == ACCOUNT_MAX_LAWS)
        return;
    laws->items[laws->n].law = added;
    laws->items[laws->n].above = above;
    laws->items[laws->n].below = below;
    laws->items[laws->n].theorem =
        theorem != NULL ? theorem : added->type->theorem;
    laws->n++;
}

void account_add_exact(account_laws *laws, const law *added)
{
    if (added != NULL)
        account_add(laws, added, true, added->flag != LAW_BOUND, NULL);
}

/* Leaving parts out is post-processing: it never loses more. */
static void add_below(account_laws *laws, const law *added)
{
    if (added != NULL && added->flag != LAW_BOUND)
        account_add(laws, added, false, true, NULL);
}

/* ---- Closed ------------------------------------------------------------ */

#define MAX_PARTS_ALONE 8

static const dosi_plan *plan_of_part(const dosi_plan *normal, size_t i)
{
    return part_count(normal) > 1 ? dosi_plan_child(normal, i) : normal;
}

static void closed_laws(account_laws *out, const account_view *view)
{
    const law *total = total_closed(view->normal, &view->c);
    if (total != NULL) {
        account_add_exact(out, total);
        return;
    }
    const char *reason = view->c.pool->reason;
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n && i < MAX_PARTS_ALONE; i++) {
        part p = part_at(view->normal, i);
        const lowering *l = lower_of(&p);
        if (n > 1)
            add_below(out,
                total_closed(plan_of_part(view->normal, i), &view->c));
        if (p.count > 1 && l->one != NULL)
            add_below(out, l->one(&p, &view->c));
    }
    view->c.pool->reason = reason;
}

const account_route route_closed = {"closed", closed_laws};

/* ---- Finite ------------------------------------------------------------ */

/* By lattices if they fit, else by responses. */
static const law *mixture(bool *exact, lower_side side,
    const dosi_plan *normal, const lower_context *c)
{
    lower_context fine = *c;
    fine.fine = true;
    const law *found = total_mixture(exact, side, normal, &fine);
    if (found != NULL || c->pool->no_memory)
        return found;
    return total_mixture(exact, side, normal, c);
}

static void finite_laws(account_laws *out, const account_view *view)
{
    bool exact = false;
    const law *above =
        mixture(&exact, LOWER_ABOVE, view->normal, &view->c);
    if (above != NULL)
        account_add(out, above, true, exact, NULL);
    if (above != NULL && exact)
        return;
    const char *reason = view->c.pool->reason;
    const law *below =
        mixture(&exact, LOWER_BELOW, view->normal, &view->c);
    add_below(out, below);
    size_t n = part_count(view->normal);
    for (size_t i = 0; below == NULL && i < n && i < MAX_PARTS_ALONE; i++)
        add_below(out, mixture(&exact, LOWER_BELOW,
                           plan_of_part(view->normal, i), &view->c));
    view->c.pool->reason = reason;
}

const account_route route_finite = {"finite", finite_laws};

/* ---- Spectral ---------------------------------------------------------- */

/* x: mu; y: rate; n: count; s: 1 for the add direction. */
static contour_pair pair_of(const law *self, bool reverse)
{
    bool add = self->s == 1;
    return (contour_pair){
        self->x, self->y.hi, self->n, reverse ? !add : add};
}

static dosi_interval contour_value(
    const law *self, const contour_pair *pair, double eps)
{
    dosi_interval v = iv_unknown();
    dosi_status status = contour_log_delta(&v, pair, eps, NULL);
    return law_asked(self, status) ? v : iv_unknown();
}

static dosi_interval spectral_log_delta(const law *self, ball eps)
{
    dosi_interval e = ball_interval(eps);
    if (e.lo >= 0) {
        contour_pair pair = pair_of(self, false);
        dosi_interval most = contour_value(self, &pair, e.lo);
        if (e.lo == e.hi)
            return most;
        double least = contour_value(self, &pair, e.hi).lo;
        return (dosi_interval){least, most.hi};
    }
    if (e.hi > 0)
        return iv_unknown();
    /* delta(eps) = 1 - e^eps (1 - delta_reverse(-eps)), falling in eps */
    contour_pair pair = pair_of(self, true);
    dosi_interval d = {contour_value(self, &pair, -e.lo).lo,
        contour_value(self, &pair, -e.hi).hi};
    d.hi = fmin(d.hi, 0);
    ball most = ball_add_d(ball_log1mexp(ball_of(d.lo)), e.hi);
    ball least = ball_add_d(ball_log1mexp(ball_of(d.hi)), e.lo);
    return (dosi_interval){ball_lower(ball_log1mexp(most)),
        ball_upper(ball_log1mexp(least))};
}

static dosi_interval spectral_epsilon(
    const law *self, ball delta, ball log_delta)
{
    (void)delta;
    contour_pair pair = pair_of(self, false);
    dosi_interval v = {0, HUGE_VAL};
    if (!law_asked(self, contour_epsilon(&v, &pair, log_delta, NULL)))
        return (dosi_interval){0, HUGE_VAL};
    return v;
}

static const law_type spectral_type = {.theorem = "S000-7.tight",
    .log_delta = spectral_log_delta,
    .epsilon = spectral_epsilon,
    .is_slow = true};

/* A part that is Poisson-sampled Gaussian noise. */
static const law *spectral_law(const part *p, const lower_context *c)
{
    law made = {.type = &spectral_type, .n = p->count};
    if (dosi_plan_kind(p->node) != DOSI_POISSON || p->group > 1 ||
        p->count == 1) /* one run is closed */
        return NULL;
    if (!total_gaussian(
            &made.x, &made.flag, dosi_plan_child(p->node, 0), c))
        return NULL;
    made.y = ball_of(part_parameter(p, 0));
    made.s = c->add ? 1 : 0;
    return law_keep(c->pool, made);
}

static void spectral_laws(account_laws *out, const account_view *view)
{
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n && i < MAX_PARTS_ALONE; i++) {
        part p = part_at(view->normal, i);
        const law *found = spectral_law(&p, &view->c);
        if (found != NULL)
            account_add(out, found, n == 1, true, NULL);
    }
}

const account_route route_spectral = {"spectral", spectral_laws};
