#include "grid_beside.h"

#include <stdlib.h>

#include "base/error.h"
#include "grid_ask.h"

/* Terms of sums of atoms of the finite parts, at most; and beside parts on a
 * lattice. */
#define MAX_TERMS ((size_t)1 << 18)
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
    size_t known = 0, bounded = 0;
    for (size_t i = 0; i < n; i++) {
        bool takes = profile_table_takes(&parts[i]);
        bool finite = parts[i].noise == LOSS_FINITE && parts[i].kept == 0;
        if (!takes && !finite && !is_bounded(&parts[i]))
            return false;
        known += takes ? 1 : 0;
        bounded += !takes && !finite ? 1 : 0;
    }
    return known > 0 ? known < n : bounded == 0;
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

typedef struct finite_part {
    const loss *part;
    rare_atoms runs;
    bool known;
} finite_part;

static int by_count(const void *x, const void *y)
{
    const finite_part *a = x, *b = y;
    if (a->known != b->known)
        return a->known ? 1 : -1;
    return a->runs.n < b->runs.n ? -1 : a->runs.n > b->runs.n;
}

/* b->finite with one part more, where that is not too much. */
static dosi_status compose_one(
    grid_beside *b, finite_part *f, double level, size_t most)
{
    rare_atoms both;
    dosi_status status =
        rare_atoms_compose(&both, &b->finite, &f->runs, level, most, NULL);
    if (status != DOSI_OK) {
        rare_atoms_free(&both);
        return status;
    }
    rare_atoms_free(&b->finite);
    b->finite = both;
    return DOSI_OK;
}

/* Near ones are looked up together. */
static int by_loss(const void *x, const void *y)
{
    const rare_atom *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Lists, and what they are made of, are a quarter of the memory. */
static size_t most_terms(const grid_beside *b)
{
    size_t fits = work_bytes(b->limits) / (4 * sizeof(rare_atom));
    return fits < MAX_TERMS ? fits : MAX_TERMS;
}

/* Those with too many atoms go to the lattice, then the fewest come first.
 * Without a table the lattice takes all parts as soon as it takes one. */
static dosi_status compose(grid_beside *b, finite_part *list, size_t n,
    double level, bool has_table, dosi_error *err)
{
    for (size_t i = 0; i < n && (has_table || b->n_rest == 0); i++) {
        size_t most = b->n_rest > 0 ? MAX_TERMS_BESIDE : most_terms(b);
        dosi_status status = list[i].known
                                 ? compose_one(b, &list[i], level, most)
                                 : DOSI_EUNABLE;
        if (status == DOSI_ENOMEM)
            return dosi_fail_memory(err);
        if (status != DOSI_OK)
            b->rest[b->n_rest++] = *list[i].part;
    }
    qsort(b->finite.list, b->finite.n, sizeof *b->finite.list, by_loss);
    return DOSI_OK;
}

/* Nothing yet: a loss of 0. */
static dosi_status start(rare_atoms *out, dosi_error *err)
{
    *out = (rare_atoms){0, malloc(sizeof *out->list), {0, 0}};
    if (out->list == NULL)
        return dosi_fail_memory(err);
    out->list[out->n++] = (rare_atom){0, 0, 1, 1};
    return DOSI_OK;
}

static dosi_status make_atoms(grid_beside *b, const loss *parts, size_t n,
    double log_least, bool has_table, dosi_error *err)
{
    double level = exp(log_least - log((double)MAX_TERMS));
    size_t m = 0;
    finite_part *list = calloc(n, sizeof *list);
    if (list == NULL)
        return dosi_fail_memory(err);
    dosi_status status = start(&b->finite, err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++) {
        if (parts[i].noise != LOSS_FINITE)
            continue;
        list[m].part = &parts[i];
        status = rare_atoms_power(&list[m].runs, parts[i].finite,
            parts[i].count, level, most_terms(b), b->limits, NULL);
        list[m].known = status == DOSI_OK;
        m++;
        if (status == DOSI_ENOMEM)
            status = dosi_fail_memory(err);
        else
            status = DOSI_OK;
    }
    if (status == DOSI_OK) {
        qsort(list, m, sizeof *list, by_count);
        status = compose(b, list, m, level, has_table, err);
    }
    for (size_t i = 0; i < m; i++)
        rare_atoms_free(&list[i].runs);
    free(list);
    return status;
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
    size_t n_known = known_parts(list, parts, n);
    status = make_atoms(b, parts, n, log_least, n_known > 0, err);
    if (n_known == 0 && b->n_rest > 0)
        goto done; /* a lattice is as good for all */
    if (status == DOSI_OK)
        status = profile_table_new(
            &b->table, list, n_known, log_least, b->limits, err);
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
    rare_atoms_free(&b->finite);
    free(b->rest);
    free(b->points.weight);
    free(b->share);
    free(b->parts);
    free(b);
}

double grid_beside_least(const grid_beside *b, double epsilon)
{
    double most = -HUGE_VAL;
    for (size_t i = 0; i < b->finite.n; i++)
        most = fmax(most, b->finite.list[i].at);
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
        /* without a lattice nothing is poor but what is far beyond */
        if (fabs(over) < 2 * NEAR || (over <= 0 && x == 0) ||
            (b->is_poor && b->n_rest > 0) || !(x < FARTHEST) ||
            work_stopped(b->limits))
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
        status = grid_beside_settle(
            b, epsilon, fmin(0.2 * wanted * share, NEAR), err);
        if (status != DOSI_OK)
            break;
        *out = grid_ask_epsilon_by(grid_beside_end, b,
            fmax(b->finite.inf[1], b->points.inf[1]), q->log_delta, epsilon);
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
    out->lo = grid_beside_end(b, epsilon, false, &slope);
    if (!(out->lo <= out->hi))
        out->lo = -HUGE_VAL;
    return status;
}
