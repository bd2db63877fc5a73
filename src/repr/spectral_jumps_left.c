/*
 * What losses far below make of what is marked, or of all, where records are
 * added: runs left of a place are counted by their mass, others by Chernoff's
 * bound. Derivation: docs/theory/spectral.md, section 11.
 */
#include "spectral_jumps_left.h"

#include "spectral_jumps_sketch.h"

/* Deviations of a cut beyond which its mark is taken to be no less. */
#define MARK_REACH 30.0

#define SAFE 1e-9 /* more than logarithms and sums of these err by */

jump_line jump_line_from(const jump_line *line, double from)
{
    jump_line out = *line;
    double skipped = fmax(from * line->per - line->first, 0);
    size_t n = (size_t)fmin(skipped, (double)(line->n - 1));
    double **all[] = {&out.loss, &out.ratio, &out.base, &out.more,
        &out.height, &out.log_b, &out.var_a, &out.mean_b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i] != NULL)
            *all[i] += n;
    out.first += (double)n;
    out.n -= n;
    return out;
}

/* Q[some run is left and, with cuts, some run marked]: of another run, or the
 * mark of that run itself, z deviations left of its cut, at most
 * e^(-z^2/2). */
double jump_left_log_far(const jump_choice *c, const double *left,
    const double *cuts, const bool *ends)
{
    double marked = DBL_MIN, far = DBL_MIN; /* no underflow */
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *part = &c->parts[i];
        far += part->count * jump_left_q(part, left[i] * part->tau);
        if (cuts == NULL || (ends != NULL && ends[i]))
            continue;
        double z = fmin(cuts[i] - left[i], MARK_REACH);
        double own = z > 0 ? exp(-z * z / 2) : 1;
        marked += part->count *
                  (ball_upper(jump_marked_q(part, cuts[i])) + own);
    }
    return log(far) + (cuts == NULL ? 0 : log(marked)) + SAFE;
}

double jump_left_log_near(const jump_choice *c, const jump_line *lines,
    const double *left, const double *cuts, const bool *ends, double a)
{
    jump_powers powers = jump_powers_none();
    double all = 0;
    for (size_t i = 0; i < c->n_parts; i++) {
        if (lines[i].first > left[i] * lines[i].per)
            return HUGE_VAL; /* what is between would count nowhere */
        jump_line line = jump_line_from(&lines[i], left[i]);
        double count = c->parts[i].count, log_e = jump_log_moment(&line, a);
        bool none = ends != NULL && ends[i];
        all += count * log_e;
        if (cuts != NULL)
            jump_powers_add(&powers, count, log_e,
                none ? -HUGE_VAL : jump_log_marked(&line, cuts[i], a));
    }
    return cuts == NULL ? all * (1 + SAFE) : jump_powers_log(&powers);
}

/* ---- Steering ---------------------------------------------------------- */

#define READ_AT 1.2 /* of epsilon: as far as a contour is read */
#define LEAST_NATS 10
#define MOST_NATS 40
#define MORE_NATS 6
#define EXPONENTS 14

bool jump_left_places(double *left, const jump_choice *c, double nats)
{
    bool found = true;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        double x = jump_first(p, fmax(nats + log(p->count), 1));
        left[i] = fmax(ceil(x / p->tau), c->from[i]);
        found = found && left[i] * p->tau < -1.01;
    }
    return found;
}

/* The least loss there, of all parts; its size. */
static double least_loss(const jump_choice *c, const double *left)
{
    double least = 0;
    for (size_t i = 0; i < c->n_parts; i++)
        least = fmin(least,
            jump_loss_at(&c->parts[i], left[i] * c->parts[i].tau));
    return fmax(-least, 1e-300);
}

double jump_rough_marked(
    const jump_choice *c, const double *cuts, const bool *ends)
{
    double sum = -HUGE_VAL;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        if (ends != NULL && ends[i])
            continue;
        sum = jump_log_add(sum, log(p->count) + jump_rough_q(p,
                                    cuts[i] * p->tau, p->tau * p->tau));
    }
    return sum;
}

double jump_known_left_period(
    const jump_sketch *s, const jump_line *whole, jump_class *k)
{
    const jump_choice *c = s->out;
    const double *cuts = k->is_bulk ? NULL : k->low;
    double best = HUGE_VAL, left[JUMP_PARTS], at = READ_AT * c->epsilon;
    double marked =
        k->is_bulk ? 0 : fmin(jump_rough_marked(c, k->low, NULL), 0);
    for (double nats = LEAST_NATS; nats <= MOST_NATS; nats += MORE_NATS) {
        double far = marked - nats + log((double)c->n_parts) + 1;
        double period = (far + at - c->log_goal) / (k->t + 1), last = best;
        if (!(period < best) || !jump_left_places(left, c, nats))
            continue;
        double shift = 1 / least_loss(c, left);
        for (int i = 0; i < EXPONENTS; i++, shift *= 2) {
            double a = 1 + fmax(shift, 0.01);
            double near = jump_left_log_near(c, whole, left, cuts, NULL, a) +
                          jump_plain_rough(&c->plain, -a) + a * at +
                          jump_log_kernel(a - 1) - c->log_goal;
            double needed = fmax(near / (k->t + a), period);
            if (i > 2 && !(needed < last))
                break;
            last = needed;
            if (!(needed < best))
                continue;
            best = needed;
            k->left = k->t + a;
            for (size_t j = 0; j < c->n_parts; j++)
                k->left_from[j] = left[j];
        }
    }
    return best;
}
