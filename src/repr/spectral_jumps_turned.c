/*
 * How a law decays on a line that is turned, roughly: nodes make e^(a - ub),
 * so that every u is one sum in wide registers. See spectral_jumps_decay.c for
 * what is certain.
 */
#include "num/exp_sums.h"
#include "spectral_jumps_sketch.h"

#include <stdlib.h>

/* Nats below which what is marked at a node does not matter. */
#define NO_MARK 40

double jump_sketch_mark(double z)
{
    double steps = z * NORMAL_STEPS;
    if (steps > NORMAL_LAST)
        return -z * z / 2 - 0.69314718055994530942;
    return steps >= 0 ? log(normal_steps[(size_t)steps].hi) : 0;
}

/* log of |s_c| at the height eta over s_c. */
static double cut_growth(const jump_law *own, size_t i, double eta)
{
    double tau = own->line.part->tau, most = eta * eta / (2 * tau * tau);
    double z = -jump_steps_from(&own->line, own->cut, i) / NORMAL_STEPS;
    double mark = jump_sketch_mark(z) + most;
    if (mark < -NO_MARK)
        return fmin(most, -own->line.more[i]);
    return fmin(most, jump_log_add(0, mark) - own->line.more[i]);
}

void jump_turned_free(jump_turned *own)
{
    free(own->a);
    *own = (jump_turned){0, NULL, NULL};
}

bool jump_turned_lay(
    jump_turned *out, const jump_law *own, double t, double alpha)
{
    const jump_line *line = &own->line;
    double half = sin(alpha / 2), s2 = 4 * half * half, p = t + 1;
    double turn = sin(alpha), lift = 0, eta = alpha / line->part->mu;
    if (line->part->added > 0)
        lift = jump_log_lift(t, alpha);
    jump_turned_free(out);
    double *room = malloc(2 * line->n * sizeof *room);
    if (room == NULL)
        return false;
    double *a = room, *b = room + line->n;
    *out = (jump_turned){line->n, a, b};
    for (size_t i = 0; i < line->n; i++) {
        double r = line->ratio[i], gap = s2 * r * (1 - r);
        a[i] = line->height[i] + p * line->loss[i];
        if (line->part->split != NULL) {
            a[i] -= p * s2 * line->var_a[i] / 2;
            if (lift > 0)
                a[i] += lift * jump_four_var(line->part, line->mean_b[i]);
            b[i] = turn * r;
        } else {
            a[i] += p * log1p(-gap) / 2;
            b[i] = turn * r / sqrt(1 - gap);
        }
        if (!own->is_jump)
            a[i] += cut_growth(own, i, eta);
    }
    return true;
}

double jump_turned_log(const jump_turned *own, double u)
{
    exp_moments m = exp_tilted(own->a, own->b, own->n, -u);
    return m.top + log(m.sum);
}
