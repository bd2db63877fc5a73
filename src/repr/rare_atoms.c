#include "rare_atoms.h"

#include <stdlib.h>

#include "num/binomial.h"

/* Exponentials are good to 2^-40, and a step of a walk to 2^-49. */
#define START 0x1p-39
#define STEP 0x1p-49
#define MORE (1 + 0x1p-30)

/* Visits of a walk for every loss that there may be. */
#define VISITS 16
#define VISITS_BETWEEN_STOPS 512

/* Losses of one run, where there are several: a walk is as deep. */
#define MAX_LOSSES 16

/* A walk goes on where a ratio is no less. */
#define SLOW 0.9

void rare_atoms_free(rare_atoms *r)
{
    free(r->list);
    *r = (rare_atoms){0, NULL, {0, 0}};
}

/* Holds no more than the list. */
static void trim(rare_atoms *r)
{
    rare_atom *list = realloc(r->list, (r->n + 1) * sizeof *list);
    if (list != NULL)
        r->list = list;
}

static dosi_status fail_many(dosi_error *err)
{
    return dosi_fail(err, DOSI_EUNABLE, "grid: too many atoms");
}

static int by_mass(const void *x, const void *y)
{
    const rare_atom *a = x, *b = y;
    return a->hi < b->hi ? -1 : a->hi > b->hi;
}

/* A list that is composed with many others is sorted once. */
static void sort_by_mass(rare_atoms *r)
{
    size_t i = 1;
    while (i < r->n && r->list[i - 1].hi <= r->list[i].hi)
        i++;
    if (i < r->n)
        qsort(r->list, r->n, sizeof *r->list, by_mass);
}

/* ---- One run ----------------------------------------------------------- */

/* Masses that underflow are at most the least double. */
static rare_atom atom_of(const atoms *law, size_t i)
{
    ball at = atoms_loss(law, i), p = scaled_ball(atoms_mass(law, i));
    return (rare_atom){ball_mid(at),
        round_up(at.rad + 0x1p-50 * fabs(at.hi)), fmax(ball_lower(p), 0),
        fmax(ball_upper(p), DBL_MIN)};
}

/* Those of which k runs matter, the rarest first; *lost is how often any other
 * occurs, at most. Steps of walks rest on masses that are known to a unit. */
static dosi_status take(rare_atoms *out, const atoms *law, double k,
    double level, double *lost, dosi_error *err)
{
    size_t n = atoms_count(law);
    *lost = 0;
    out->list = malloc((n + 1) * sizeof *out->list);
    if (out->list == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        rare_atom a = atom_of(law, i);
        if (k * a.hi < level || !(a.hi - a.lo <= 0x1p-51 * a.hi))
            *lost += k * a.hi; /* union bound */
        else
            out->list[out->n++] = a;
    }
    *lost *= MORE;
    qsort(out->list, out->n, sizeof *out->list, by_mass);
    return DOSI_OK;
}

/* ---- Runs -------------------------------------------------------------- */

/* How often each loss occurs, the rarest first; n of them, the last of which
 * takes what is left. */
typedef struct walk {
    const rare_atom *one;
    const ball *share; /* of atom i in those from i on */
    size_t n;
    rare_atoms *out;
    double level, lost;
    size_t most, visits;
    work_limits *limits;
} walk;

/* What is counted so far: its probability, and by how much of itself that may
 * be off; the loss, and the sum of moduli; how far off atoms make it. */
typedef struct counted {
    double mass, off;
    double at, size, rad;
} counted;

static counted count_more(
    counted c, const rare_atom *a, double n, double mass, double off)
{
    return (counted){mass, c.off + off, c.at + n * a->at,
        c.size + n * fabs(a->at), c.rad + n * a->rad};
}

static bool keep(walk *w, counted c)
{
    if (w->out->n == w->most)
        return false;
    double off = c.off * (1 + 0x1p-20); /* what products of parts add */
    w->out->list[w->out->n++] = (rare_atom){c.at,
        (c.rad + 0x1p-51 * (double)(w->n + 4) * c.size) * MORE,
        c.mass * (1 - off), c.mass * (1 + off)};
    return true;
}

static bool visit(walk *w, size_t i, double left, counted c);

/*
 * From a number n of atom i on, upward or downward, with the probability of
 * that: the ratio of what follows falls, so that where it is r all of the
 * rest is at most mass/(1 - r). What is below the level is left out.
 */
static bool go(walk *w, size_t i, double left, counted c, double n,
    double mass, double odds, bool up)
{
    double off = START;
    for (;;) {
        double r = up ? (left - n) / (n + 1) * odds
                      : n / (left - n + 1) / odds;
        if (mass < w->level && r < SLOW) {
            w->lost += mass / (1 - r) * (1 + 2 * (c.off + off));
            return true;
        }
        if (!visit(w, i + 1, left - n,
                count_more(c, &w->one[i], n, mass, off)))
            return false;
        mass *= r;
        off += STEP;
        n += up ? 1 : -1;
        if (n < 0 || n > left)
            return true;
    }
}

/* The number of atom i, given those before, is binomial with its share p at
 * most 1/2 of those from i on. */
static bool visit(walk *w, size_t i, double left, counted c)
{
    if (w->visits-- == 0 ||
        (w->visits % VISITS_BETWEEN_STOPS == 0 && work_stopped(w->limits)))
        return false;
    if (i + 1 == w->n || left == 0) {
        if (i + 1 == w->n)
            c = count_more(c, &w->one[i], left, c.mass, 0);
        return keep(w, c);
    }
    ball p = w->share[i], q = ball_sub(ball_of(1), p);
    double odds = ball_mid(p) / ball_mid(q);
    double mode = fmin(floor((left + 1) * ball_mid(p)), left), mass = c.mass;
    if (mode == 0) { /* left p < 1: nothing is lost in the exponent */
        mass *= exp(left * log1p(-ball_mid(p)));
    } else {
        ball x = ball_binomial_log_pmf(
            left, mode, ball_log(p), ball_log(q), p, q);
        if (!(x.rad < START / 4))
            return false;
        mass *= exp(ball_mid(x));
    }
    if (mode > 0) {
        double r = mode / (left - mode + 1) / odds;
        if (!go(w, i, left, c, mode - 1, mass * r, odds, false))
            return false;
    }
    return go(w, i, left, c, mode, mass, odds, true);
}

/* Shares from the heaviest down, and the probability that nothing else
 * occurs in any of k runs. */
static bool make_shares(ball *share, double *all, const rare_atoms *one,
    double k)
{
    ball sum = ball_of(0);
    for (size_t i = one->n; i-- > 0;) {
        const rare_atom *a = &one->list[i];
        ball p = ball_of_interval(iv_make(a->lo, a->hi));
        sum = ball_add(sum, p);
        share[i] = ball_div(p, sum);
    }
    dosi_interval v =
        ball_interval(ball_exp(ball_mul_d(ball_log(sum), k)));
    *all = v.hi;
    return v.lo > 0 && v.hi - v.lo <= START * v.lo;
}

static dosi_status walk_all(rare_atoms *out, const rare_atoms *one, double k,
    double level, size_t most, work_limits *limits, dosi_error *err)
{
    if (one->n > MAX_LOSSES)
        return fail_many(err);
    ball *share = malloc((one->n + 1) * sizeof *share);
    walk w = {one->list, share, one->n, out, level, 0, most, VISITS * most,
        limits};
    out->list = malloc(most * sizeof *out->list);
    if (share == NULL || out->list == NULL) {
        free(share);
        return dosi_fail_memory(err);
    }
    counted none = {0, 2 * START, 0, 0, 0};
    bool done = one->n > 0 && make_shares(share, &none.mass, one, k) &&
                visit(&w, 0, k, none);
    free(share);
    out->inf[0] = w.lost * MORE;
    trim(out);
    return done ? DOSI_OK : fail_many(err);
}

dosi_status rare_atoms_power(rare_atoms *out, const atoms *law, double k,
    double level, size_t most, work_limits *limits, dosi_error *err)
{
    *out = (rare_atoms){0, NULL, {0, 0}};
    rare_atoms one = *out;
    double lost;
    dosi_status status = take(&one, law, k, level, &lost, err);
    if (status == DOSI_OK && k == 1) {
        *out = one;
        one.list = NULL; /* moved to out */
        status = out->n > most ? fail_many(err) : DOSI_OK;
    } else if (status == DOSI_OK) {
        status = walk_all(out, &one, k, level, most, limits, err);
    }
    rare_atoms_free(&one);
    /* 1 - (1 - p)^k */
    ball p = atoms_p_inf(law);
    ball ever = ball_is_zero(p) ? p
                                : ball_neg(ball_expm1(ball_mul_d(
                                      ball_log1p(ball_neg(p)), k)));
    out->inf[0] = round_up(out->inf[0] + lost);
    out->inf[0] = round_up(out->inf[0] + fmax(ball_upper(ever), 0));
    out->inf[1] = fmax(ball_lower(ever), 0);
    return status;
}

/* ---- Two lists --------------------------------------------------------- */

/* Sums of masses up to each, rounded up. */
static double *heads(const rare_atoms *r)
{
    double *head = malloc((r->n + 1) * sizeof *head);
    if (head == NULL)
        return NULL;
    head[0] = 0;
    for (size_t i = 0; i < r->n; i++)
        head[i + 1] = round_up(head[i] + r->list[i].hi);
    return head;
}

/* The heaviest pairs; false where there are too many. */
static bool pair_up(rare_atoms *out, const rare_atoms *a, const rare_atoms *b,
    const double *head, double level, size_t most)
{
    for (size_t i = a->n; i-- > 0;) {
        const rare_atom *x = &a->list[i];
        size_t j = b->n;
        for (; j > 0 && x->hi * b->list[j - 1].hi >= level; j--) {
            const rare_atom *y = &b->list[j - 1];
            if (out->n == most)
                return false;
            out->list[out->n++] = (rare_atom){x->at + y->at,
                (x->rad + y->rad + 0x1p-50 * (fabs(x->at) + fabs(y->at))) *
                    MORE,
                round_down(x->lo * y->lo), round_up(x->hi * y->hi)};
        }
        out->inf[0] += x->hi * head[j] * MORE;
    }
    return true;
}

dosi_status rare_atoms_compose(rare_atoms *out, rare_atoms *a, rare_atoms *b,
    double level, size_t most, dosi_error *err)
{
    *out = (rare_atoms){0, NULL, {0, 0}};
    sort_by_mass(a);
    sort_by_mass(b);
    double *head = heads(b);
    out->list = malloc(most * sizeof *out->list);
    if (head == NULL || out->list == NULL) {
        free(head);
        return dosi_fail_memory(err);
    }
    bool done = pair_up(out, a, b, head, level, most);
    free(head);
    trim(out);
    /* one or the other, at most their sum */
    out->inf[0] = (out->inf[0] + a->inf[0] + b->inf[0]) * MORE;
    out->inf[1] = fmax(a->inf[1], b->inf[1]);
    return done ? DOSI_OK : fail_many(err);
}
