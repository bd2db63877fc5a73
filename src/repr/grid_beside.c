#include "grid_beside.h"

#include <stdlib.h>

#include "base/error.h"
#include "grid_ask.h"

/* Terms of sums of atoms of the finite parts, at most; and beside parts on a
 * lattice. */
#define MAX_TERMS ((size_t)1 << 14)
#define MAX_TERMS_BESIDE 256

/* Nats that what is left out lies below delta. */
#define BELOW 25

/* Of log delta: what is far below is to fit a double, and so are weights. */
#define LEAST (-500)

/* ---- Parts ------------------------------------------------------------- */

static bool is_bounded(const loss *part)
{
    return (part->noise == LOSS_LAPLACE || part->noise == LOSS_EXPONENTIAL) &&
           part->map != LOSS_DRAWN;
}

bool grid_beside_applies(const loss *parts, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        bool takes = profile_table_takes(&parts[i]);
        bool finite = parts[i].noise == LOSS_FINITE && parts[i].kept == 0;
        if (!takes && !finite && !is_bounded(&parts[i]))
            return false;
        known += takes ? 1 : 0;
    }
    return known > 0 && known < n;
}

/* Those that the table takes, into list. */
static size_t known_parts(loss *list, const loss *parts, size_t n)
{
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++)
        if (profile_table_takes(&parts[i]))
            list[n_known++] = parts[i];
    return n_known;
}

/* Bounded parts go to the lattice. */
static void take_bounded(grid_beside *b, const loss *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_bounded(&parts[i]))
            b->rest[b->n_rest++] = parts[i];
}

/* ---- Finite parts ------------------------------------------------------ */

/* *all becomes its composition with all runs of a part. */
static dosi_status compose_one(
    atoms **all, const loss *part, size_t most, dosi_error *err)
{
    atoms *power = NULL, *both = NULL;
    dosi_status status =
        atoms_power(&power, part->finite, part->count, MAX_TERMS, err);
    if (status == DOSI_OK && atoms_count(power) > most)
        status = dosi_fail(err, DOSI_EUNABLE, "grid: too many atoms");
    if (status == DOSI_OK && *all != NULL) {
        status = atoms_convolve(&both, *all, power, most, err);
        if (status == DOSI_OK) {
            atoms_free(power);
            power = both;
        }
    }
    if (status != DOSI_OK) {
        atoms_free(power);
        return status;
    }
    atoms_free(*all);
    *all = power;
    return DOSI_OK;
}

/* All runs of the finite parts, composed, but for those with too many atoms,
 * which go to the lattice. *out is NULL where none is left. */
static dosi_status compose(atoms **out, grid_beside *b, const loss *parts,
    size_t n, dosi_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (parts[i].noise != LOSS_FINITE)
            continue;
        size_t most = b->n_rest > 0 ? MAX_TERMS_BESIDE : MAX_TERMS;
        dosi_status status = compose_one(out, &parts[i], most, NULL);
        if (status == DOSI_ENOMEM)
            return dosi_fail_memory(err);
        if (status != DOSI_OK)
            b->rest[b->n_rest++] = parts[i];
    }
    return DOSI_OK;
}

static void take_atoms(grid_beside *b, const atoms *all, double log_least)
{
    size_t n = atoms_count(all);
    b->inf[0] = fmax(ball_upper(atoms_p_inf(all)), 0);
    b->inf[1] = fmax(ball_lower(atoms_p_inf(all)), 0);
    for (size_t i = 0; i < n; i++) {
        ball at = atoms_loss(all, i), log_p = atoms_log_mass(all, i);
        ball p = ball_exp(log_p);
        double most = fmax(ball_upper(p), DBL_MIN);
        if (ball_upper(log_p) < log_least - log((double)n)) {
            b->inf[0] = round_up(b->inf[0] + most); /* rare: at +inf */
            continue;
        }
        b->atoms[b->n_atoms++] = (beside_atom){ball_mid(at),
            round_up(at.rad + 0x1p-50 * fabs(at.hi)),
            fmax(ball_lower(p), 0), most};
    }
}

static dosi_status make_atoms(grid_beside *b, const loss *parts, size_t n,
    double log_least, dosi_error *err)
{
    atoms *all = NULL;
    dosi_status status = compose(&all, b, parts, n, err);
    if (status != DOSI_OK) {
        atoms_free(all);
        return status;
    }
    size_t count = all != NULL ? atoms_count(all) : 1;
    b->atoms = malloc((count + 1) * sizeof *b->atoms);
    if (b->atoms == NULL) {
        atoms_free(all);
        return dosi_fail_memory(err);
    }
    if (all != NULL)
        take_atoms(b, all, log_least);
    else
        b->atoms[b->n_atoms++] = (beside_atom){0, 0, 1, 1};
    atoms_free(all);
    return DOSI_OK;
}

/* ---- Making ------------------------------------------------------------ */

static dosi_status fill(grid_beside *b, const loss *parts, size_t n,
    double log_least, dosi_error *err)
{
    loss *list = malloc(n * sizeof *list);
    b->rest = malloc(n * sizeof *b->rest);
    dosi_status status = DOSI_OK;
    if (list == NULL || b->rest == NULL) {
        status = dosi_fail_memory(err);
        goto done;
    }
    take_bounded(b, parts, n);
    status = make_atoms(b, parts, n, log_least, err);
    if (status == DOSI_OK)
        status = profile_table_new(&b->table, list,
            known_parts(list, parts, n), log_least, b->limits, err);
done:
    free(list);
    return status;
}

dosi_status grid_beside_new(grid_beside **out, const loss *parts, size_t n,
    double log_delta, work_limits *limits, dosi_error *err)
{
    *out = NULL;
    if (!grid_beside_applies(parts, n) || !(log_delta > LEAST))
        return DOSI_OK;
    grid_beside *b = calloc(1, sizeof *b);
    if (b == NULL)
        return dosi_fail_memory(err);
    b->limits = limits;
    dosi_status status = fill(b, parts, n, log_delta - BELOW, err);
    if (status == DOSI_OK && b->table != NULL)
        *out = b;
    else
        grid_beside_free(b);
    return status;
}

void grid_beside_free(grid_beside *b)
{
    if (b == NULL)
        return;
    profile_table_free(b->table);
    free(b->atoms);
    free(b->rest);
    free(b->points.weight);
    free(b->share);
    free(b->parts);
    free(b);
}

double grid_beside_least(const grid_beside *b, double epsilon)
{
    double most = -HUGE_VAL;
    for (size_t i = 0; i < b->n_atoms; i++)
        most = fmax(most, b->atoms[i].at);
    return epsilon - most - profile_table_last(b->table);
}

/* ---- Asking ------------------------------------------------------------ */

/* Of log delta, where epsilon is looked for. */
#define NEAR 0.02
#define TRIES 40
#define MORE_TRIES 4
#define FARTHEST 1e5

/* Roughly the epsilon, with a table that is good enough there. */
static dosi_status find(
    double *epsilon, grid_beside *b, double target, dosi_error *err)
{
    double left = 0, right = HUGE_VAL, x = fmax(*epsilon, 0), slope;
    for (int i = 0; i < TRIES; i++) {
        dosi_status status = grid_beside_settle(b, x, NEAR, err);
        if (status != DOSI_OK)
            return status;
        double over = grid_beside_end(b, x, true, &slope) - target;
        *epsilon = x;
        if (fabs(over) < 2 * NEAR || (over <= 0 && x == 0) || b->is_poor ||
            !(x < FARTHEST) || work_stopped(b->limits))
            break;
        if (over > 0)
            left = fmax(left, x);
        else
            right = fmin(right, x);
        double next = x + over / slope;
        if (!(next > left && next < right))
            next = right < HUGE_VAL ? (left + right) / 2 : 2 * x + 1e-3;
        x = fmin(fmax(next, x / 4), 2 * x + 1e-3);
    }
    return DOSI_OK;
}

/* Ends of epsilon, with knots where they turn out to be. */
static dosi_status ask_epsilon(dosi_interval *out, grid_beside *b,
    const grid_question *q, double epsilon, dosi_error *err)
{
    double wanted = work_width(b->limits);
    *out = (dosi_interval){0, HUGE_VAL};
    dosi_status status = find(&epsilon, b, ball_mid(q->log_delta), err);
    for (int i = 0; i < MORE_TRIES && status == DOSI_OK && !b->is_poor; i++) {
        double share = fmax(epsilon, 1e-9) * fmax(b->slope, 1e-3);
        status = grid_beside_settle(b, epsilon, 0.2 * wanted * share, err);
        if (status != DOSI_OK)
            break;
        *out = grid_ask_epsilon_by(grid_beside_end, b,
            fmax(b->inf[1], b->points.inf[1]), q->log_delta, epsilon);
        if (!(out->hi < HUGE_VAL) || (epsilon >= out->lo && epsilon <= out->hi))
            break;
        epsilon = (out->lo + out->hi) / 2;
    }
    return status;
}

dosi_status grid_beside_ask(dosi_interval *out, grid_beside *b,
    const grid_question *q, double guess, dosi_error *err)
{
    if (q->kind == GRID_ASK_EPSILON)
        return ask_epsilon(out, b, q, guess, err);
    double epsilon = q->argument, slope;
    dosi_status status = grid_beside_settle(b, epsilon, NEAR, err);
    if (status == DOSI_OK)
        status = grid_beside_settle(
            b, epsilon, 0.2 * work_width(b->limits), err);
    out->hi = grid_beside_end(b, epsilon, true, &slope);
    out->lo = fmin(grid_beside_end(b, epsilon, false, &slope), out->hi);
    return status;
}
