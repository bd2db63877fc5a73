/*
 * The routes that take laws from the plan itself: closed forms and finite sums,
 * and the lists of laws that all routes fill.
 */
#include "route.h"

#include "mechanisms/plan_laws.h"

void account_add(account_laws *laws, const privacy_profile *added, bool above,
    bool below, const char *theorem)
{
    if (added == NULL || laws->n == ACCOUNT_MAX_LAWS)
        return;
    laws->items[laws->n].law = added;
    laws->items[laws->n].above = above;
    laws->items[laws->n].below = below;
    laws->items[laws->n].half = 0;
    laws->items[laws->n].is_part = false;
    laws->items[laws->n].is_member = false;
    laws->items[laws->n].theorem =
        theorem != NULL ? theorem : added->type->theorem;
    laws->n++;
}

void account_add_exact(account_laws *laws, const privacy_profile *added)
{
    if (added != NULL)
        account_add(laws, added, true, added->flag != ATTAINED_BY_NONE, NULL);
}

/* Leaving out parts is post-processing, which never increases the loss. */
void account_add_below(account_laws *laws, const privacy_profile *added)
{
    if (added != NULL && added->flag != ATTAINED_BY_NONE)
        account_add(laws, added, false, true, NULL);
}

void account_add_pairs(account_laws *laws, const privacy_profile *own,
    const privacy_profile *(*make)(const account_view *view),
    const account_view *view)
{
    bool have_pairs = plan_has_attained_pairs(view->normal, view->c.neighbours);
    if (own != NULL && own->flag != ATTAINED_BY_NONE)
        return;
    const char *reason = view->c.pool->reason;
    for (int add = 0; add < 2; add++) {
        account_view pair = *view;
        bool both = part_plan_has_directions(
            view->normal, view->c.neighbours);
        if (both ? view->c.add != (add == 1) : add == 1 && !have_pairs)
            continue; /* the other direction has it, or they are the same */
        pair.c.attained = true;
        pair.c.add = add == 1;
        size_t n = laws->n;
        account_add_below(laws, make(&pair));
        if (laws->n > n && have_pairs) /* the mixture has the longer tail */
            laws->items[n].half = add ? -1 : 1;
        else if (laws->n > n)
            laws->items[n].is_member = true;
    }
    view->c.pool->reason = reason;
}

/* ---- Closed ------------------------------------------------------------ */

#define MAX_SINGLE_PARTS 8

static const dosi_plan *plan_of_part(const dosi_plan *normal, size_t i)
{
    return part_count(normal) > 1 ? dosi_plan_child(normal, i) : normal;
}

static const privacy_profile *closed_law(const account_view *view)
{
    return total_closed(view->normal, &view->c);
}

static void closed_laws(account_laws *out, const account_view *view)
{
    const privacy_profile *total = closed_law(view);
    if (total != NULL) {
        account_add_exact(out, total);
        account_add_pairs(out, total, closed_law, view);
        return;
    }
    account_add_group(out, closed_law, view);
    const char *reason = view->c.pool->reason;
    size_t n = part_count(view->normal);
    for (size_t i = 0; i < n && i < MAX_SINGLE_PARTS; i++) {
        part p = part_at(view->normal, i);
        const mechanism_type *type = mechanism_of(&p);
        if (n > 1)
            account_add_below(out,
                total_closed(plan_of_part(view->normal, i), &view->c));
        if (p.count > 1 && type->profile != NULL)
            account_add_below(out, type->profile(&p, &view->c));
    }
    for (size_t i = 0; i < out->n; i++)
        out->items[i].is_part = true;
    view->c.pool->reason = reason;
}

const account_route route_closed = {"closed", closed_laws};

/* ---- Finite ------------------------------------------------------------ */

/* The finite product with lattices if they fit, else with responses in their
 * place. */
static const privacy_profile *mixture(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c)
{
    mechanism_context fine = *c;
    fine.allow_lattices = true;
    const privacy_profile *found = total_product(exact, side, normal, &fine);
    if (found != NULL || c->pool->no_memory)
        return found;
    return total_product(exact, side, normal, c);
}

static const privacy_profile *finite_pair(const account_view *view)
{
    bool exact = false;
    return mixture(&exact, MECHANISM_LOWER, view->normal, &view->c);
}

static void finite_laws(account_laws *out, const account_view *view)
{
    bool exact = false;
    const privacy_profile *above =
        mixture(&exact, MECHANISM_UPPER, view->normal, &view->c);
    if (above != NULL)
        account_add(out, above, true, exact, NULL);
    if (above != NULL && exact)
        return;
    const char *reason = view->c.pool->reason;
    const privacy_profile *below =
        mixture(&exact, MECHANISM_LOWER, view->normal, &view->c);
    account_add_below(out, below); /* members among them */
    if (plan_has_attained_pairs(view->normal, view->c.neighbours))
        account_add_pairs(out, NULL, finite_pair, view);
    size_t n = part_count(view->normal);
    for (size_t i = 0; below == NULL && i < n && i < MAX_SINGLE_PARTS; i++)
        account_add_below(out, mixture(&exact, MECHANISM_LOWER,
                                   plan_of_part(view->normal, i), &view->c));
    size_t last = out->n;
    account_add_below(out, total_affinity(view->normal, &view->c));
    for (size_t i = last; i < out->n; i++)
        out->items[i].is_part = true; /* asked last */
    view->c.pool->reason = reason;
}

const account_route route_finite = {"finite", finite_laws};
