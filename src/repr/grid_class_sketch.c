#include "grid_class_sketch.h"

#include <stdlib.h>

static int rising(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void part_sort(class_part *out, const loss_sketch *part)
{
    sketch_point points[LOSS_SKETCH] = {{0, 0}};
    for (size_t i = 0; i < part->n; i++)
        points[i] = (sketch_point){part->at[i], part->log_mass[i]};
    grid_points_sort(points, part->n);
    out->count = part->count;
    out->n = part->n;
    for (size_t i = 0; i < part->n; i++) {
        out->at[i] = points[i].at;
        out->log_mass[i] = points[i].log_mass;
    }
}

void grid_class_sketch_free(class_sketch *s)
{
    free(s->parts);
    free(s->cuts);
}

bool grid_class_sketch_init(class_sketch *s, const grid_sketch *sketch)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < sketch->n; i++)
        all += sketch->parts[i].n;
    s->n = sketch->n;
    s->parts = malloc((s->n + 1) * sizeof *s->parts);
    s->cuts = malloc((all + 1) * sizeof *s->cuts);
    if (s->parts == NULL || s->cuts == NULL)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        part_sort(&s->parts[i], &sketch->parts[i]);
        for (size_t j = 0; j < s->parts[i].n; j++)
            s->cuts[n++] = s->parts[i].at[j];
    }
    qsort(s->cuts, n, sizeof *s->cuts, rising);
    /* between them, as a law on a lattice has an atom on both sides of it */
    for (size_t i = 0; i + 1 < n; i++)
        s->cuts[i] += (s->cuts[i + 1] - s->cuts[i]) / 2;
    if (n > 0)
        s->cuts[n - 1] += 1;
    s->n_cuts = n;
    return true;
}

/* Of the points whose losses are in (from, to]. */
static class_moment part_moment(
    const class_part *p, double from, double to, double t)
{
    double most = -HUGE_VAL, sum = 0, first = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->at[i] > from && p->at[i] <= to)
            most = fmax(most, p->log_mass[i] + t * p->at[i]);
    if (!(most > -HUGE_VAL))
        return (class_moment){-HUGE_VAL, 0};
    for (size_t i = 0; i < p->n; i++) {
        double e = p->log_mass[i] + t * p->at[i] - most;
        if (e < -45 || !(p->at[i] > from && p->at[i] <= to))
            continue;
        double w = exp(e);
        sum += w;
        first += w * p->at[i];
    }
    return (class_moment){most + log(sum), first / sum};
}

/*
 * With W = A - B and x = sum k log(1 + W/B), the log of prod (A/B)^k, the
 * derivative is K_A' + (K_A' - K_B')/(e^x - 1), and K_A' - K_B' is the sum of
 * k W/A (mean_W - mean_B).
 */
class_moment grid_class_moment(
    const class_sketch *s, double from, double to, double t)
{
    double log_a = 0, log_b = 0, x = 0, mean_a = 0, apart = 0;
    for (size_t i = 0; i < s->n; i++) {
        const class_part *p = &s->parts[i];
        class_moment b = part_moment(p, -HUGE_VAL, from, t);
        class_moment w = part_moment(p, from, to, t);
        double ratio = exp(fmax(fmin(w.log - b.log, 690), -690)); /* W/B */
        double share = w.log > -HUGE_VAL ? ratio / (1 + ratio) : 0;
        log_b += p->count * b.log;
        log_a +=
            p->count * (fmax(b.log, w.log) + log1p(exp(-fabs(w.log - b.log))));
        x += w.log > -HUGE_VAL ? p->count * log1p(ratio) : 0;
        mean_a += p->count * (b.mean + share * (w.mean - b.mean));
        apart += p->count * share * (w.mean - b.mean);
    }
    if (!(log_b > -HUGE_VAL) || x > 40)
        return (class_moment){log_a, mean_a};
    if (!(x > 0))
        return (class_moment){-HUGE_VAL, 0};
    return (class_moment){log_b + log(expm1(x)), mean_a + apart / expm1(x)};
}
