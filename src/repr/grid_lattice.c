#include "grid_lattice.h"

/* Units of at most so many steps of a law's own range. */
#define MAX_STEPS 65536.0

/* Mass within a spacing that is a heap. */
#define HEAP 0.25

/* Candidates for a spacing where units do not fit each other. */
#define MAX_TRIES 4096

/* The greatest common measure of two lengths up to a tolerance, or 0. */
static double common_measure(double a, double b, double tolerance)
{
    double most = fmax(a, b);
    for (int i = 0; i < 64; i++) {
        if (b <= tolerance)
            return a;
        if (a < most / MAX_STEPS)
            return 0;
        double rest = fmod(a, b);
        if (b - rest <= tolerance)
            rest = 0;
        a = b;
        b = rest;
    }
    return 0;
}

/* The length that the law's atoms are multiples of apart, or, where that is
 * below least, all of its range; 0 for a single atom, unknown where they
 * have no common one. */
static ball finite_unit(const loss_cells *c, double tolerance, double least)
{
    size_t n = loss_atom_count(c);
    if (n < 2)
        return ball_of(0);
    ball span = ball_sub(loss_most(c), loss_least(c));
    if (!(ball_mid(span) > tolerance))
        return ball_of(0);
    double unit = ball_mid(span), before = ball_mid(loss_least(c));
    for (size_t i = 1; i < n && unit > 0; i++) {
        double at = ball_mid(loss_atom_at(c, i).at);
        unit = common_measure(unit, at - before, 16 * tolerance);
        before = at;
    }
    if (!(unit > 0) && least == 0)
        return ball_unknown();
    if (unit < least || !(unit > 0))
        return span;
    return ball_div_d(span, round(ball_mid(span) / unit));
}

bool grid_lattice_has_unit(const loss_cells *part)
{
    double span = ball_mid(loss_most(part)) - ball_mid(loss_least(part));
    return !ball_is_unknown(finite_unit(part, 1e-12 * span, 0));
}

static ball unit_of(const loss_cells *c, double tolerance, double least)
{
    bool drawn = c->pair.map == LOSS_DRAWN;
    bool fixed = c->pair.map == LOSS_FIXED || drawn;
    switch (c->pair.noise) {
    case LOSS_GAUSSIAN:
        break;
    case LOSS_LAPLACE:
        if (drawn) /* the atom of one draw, which has the most mass */
            return loss_atom_at(c, 1).at;
        return fixed ? c->most : ball_sub(c->most, c->least);
    case LOSS_EXPONENTIAL: /* the ends of the density, between points */
        return fixed ? ball_of(0) : ball_sub(c->most, c->least);
    case LOSS_FINITE:
        return finite_unit(c, tolerance, least);
    }
    return ball_of(0);
}

bool grid_lattice_has_heap(const loss_cells *part, ball h)
{
    loss_cells c = *part;
    if (part->pair.noise != LOSS_GAUSSIAN || loss_atom_count(part) > 0)
        return false;
    double mass;
    if (!ball_is_infinite(part->least))
        mass = ball_mid(loss_lower(&c, ball_add(part->least, h)).p);
    else if (!ball_is_infinite(part->most))
        mass = ball_mid(loss_upper(&c, ball_sub(part->most, h)).p);
    else
        mass = 1 - ball_mid(loss_upper(&c, h).p) -
               ball_mid(loss_lower(&c, ball_neg(h)).p);
    return mass > HEAP;
}

ball grid_lattice_offset(const loss_cells *part, ball h)
{
    if (part->pair.map == LOSS_FIXED || part->pair.map == LOSS_DRAWN)
        return ball_of(0); /* there is an atom */
    /* from an end of the density: just below a heap, or between points; not
     * where a piece ends */
    bool heap = grid_lattice_has_heap(part, h);
    ball gap = heap ? ball_scale2(h, -20) : ball_mul_d(h, 0.4375);
    switch (part->pair.noise) {
    case LOSS_GAUSSIAN:
        if (!ball_is_infinite(part->least))
            return heap ? ball_sub(part->least, gap)
                        : ball_add(part->least, gap);
        if (!ball_is_infinite(part->most))
            return ball_sub(part->most, gap);
        if (part->pair.map == LOSS_SPLIT) /* there may be a heap at 0 */
            return ball_neg(gap);
        break;
    case LOSS_LAPLACE:
    case LOSS_FINITE:
        return loss_most(part);
    case LOSS_EXPONENTIAL:
        return ball_sub(part->most, ball_scale2(h, -1));
    }
    return ball_of(0);
}

/* What atoms off the points cost with spacing h, roughly. */
static double misfit(const ball *unit, const loss_cells *parts, size_t n,
    double h)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double x = ball_mid(unit[i]) / h;
        if (ball_is_unknown(unit[i]) || x == 0)
            continue;
        sum += parts[i].pair.count * fabs(x - round(x));
    }
    return sum;
}

/* The part whose unit the spacing divides: the one with most runs. */
static size_t leader(const ball *unit, const loss_cells *parts, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (ball_is_unknown(unit[i]) || ball_is_zero(unit[i]))
            continue;
        if (best == n || parts[i].pair.count > parts[best].pair.count)
            best = i;
    }
    return best;
}

static ball fitting(const ball *unit, const loss_cells *parts, size_t n,
    size_t lead, double wanted, double least)
{
    /* an even number of steps: groups of the walk are two cells long where
     * they start on a point */
    double u = ball_mid(unit[lead]), first = 2 * fmax(ceil(u / wanted / 2), 1);
    double best = HUGE_VAL, steps = first;
    double tries = fmin(fmax(0.3 * first, 64), MAX_TRIES);
    for (int i = 0; i <= tries; i += 2) {
        if (i > 0 && u / (first + i) < least)
            break;
        double cost = misfit(unit, parts, n, u / (first + i));
        if (cost < best * (1 - 1e-9)) {
            best = cost;
            steps = first + i;
        }
        if (best < 1e-9)
            break;
    }
    return ball_div_d(unit[lead], steps);
}

#define MAX_PARTS 256

grid_lattice grid_lattice_choose(const loss_cells *parts, size_t n,
    double wanted, double least, double tolerance, bool exactly)
{
    ball unit[MAX_PARTS];
    size_t n_units = n < MAX_PARTS ? n : MAX_PARTS;
    grid_lattice out = {ball_of(wanted), exactly};
    double measure = 0;
    for (size_t i = 0; i < n_units; i++) {
        unit[i] = unit_of(&parts[i], tolerance, exactly ? 0 : wanted);
        double u = ball_mid(unit[i]);
        if (!exactly && u < wanted) /* too fine to follow */
            unit[i] = ball_of(u = 0);
        if (parts[i].has_density || ball_is_unknown(unit[i]))
            out.is_exact = false;
        else if (u > 0)
            measure = measure == 0
                          ? u
                          : common_measure(measure, u, 16 * tolerance);
        if (u > 0 && measure == 0)
            out.is_exact = false;
    }
    out.is_exact = out.is_exact && n <= MAX_PARTS;
    size_t lead = leader(unit, parts, n_units);
    if (lead == n_units) {
        if (out.is_exact)
            out.h = ball_of(1); /* single atoms */
        return out;
    }
    if (out.is_exact) {
        double steps = round(ball_mid(unit[lead]) / measure);
        out.h = ball_div_d(unit[lead], steps);
        return out;
    }
    out.h = fitting(unit, parts, n_units, lead, wanted, least);
    return out;
}
