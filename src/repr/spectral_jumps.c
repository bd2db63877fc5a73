/*
 * All classes of jumps together: built, and read.
 */
#include "spectral_jumps.h"

#include <stdlib.h>

#include "base/error.h"
#include "spectral_far.h"
#include "spectral_jumps_class.h"
#include "spectral_jumps_left.h"

/* By how much one class of all that was sampled may cost more: no other way
 * is known there. */
#define FAR_COST 12

/* What lies above the top cuts, for one part. */
typedef struct jump_top {
    double count;
    bool ends;
    ball under_p, under_q; /* probabilities */
} jump_top;

/* At most e^(log_size + shift (eps - eps_0)). */
typedef struct jump_small {
    double log_size, shift;
} jump_small;

struct spectral_jumps {
    double epsilon;
    double slope;
    size_t n_parts;
    jump_top top[JUMP_PARTS];
    ball above_p, above_q; /* P and Q of some jump beyond one that does not
                              end */
    jump_small rest; /* of what is above them and yet ends below epsilon */
    bool lacks_whole; /* the contour of all that is below a cut is no good */
    size_t n_small; /* bounds of what does not matter, at epsilon */
    jump_small small[JUMP_CLASSES + 3];
    size_t n;
    spectral_contour *classes;
};

static bool is_removed(const spectral_part *p)
{
    return p->type == &spectral_sampled && p->law->map == LOSS_REMOVE;
}

/* Several records, of which some are removed. */
static bool is_split(spectral_part *p)
{
    return p->type == &spectral_split && p->law->draws == 0 &&
           p->law->removed > 0 && split_of(p) != NULL;
}

/* Losses of jumps are laid out on nodes a fraction of a deviation apart, so
 * that the work grows with their mean. */
#define MOST_MEAN 1e4

bool spectral_can_jump(const spectral_parts *parts)
{
    size_t n_sampled = 0;
    for (size_t i = 0; i < parts->n; i++) {
        spectral_part *p = &parts->items[i];
        if (jump_is_plain(p))
            continue;
        if (spectral_is_vague(p->law) || !(is_removed(p) || is_split(p)))
            return false;
        jump_part jumps = jump_part_of(p);
        if (!(jumps.removed * jumps.mu <= MOST_MEAN))
            return false;
        n_sampled++;
    }
    return n_sampled > 0 && n_sampled <= JUMP_PARTS;
}

/* ---- Building ---------------------------------------------------------- */

static void set_top(spectral_jumps *j, const jump_choice *choice)
{
    for (size_t i = 0; i < j->n_parts; i++) {
        const jump_part *part = &choice->parts[i];
        j->top[i] = (jump_top){part->count, choice->ends[i],
            jump_marked_p(part, choice->top[i]),
            jump_marked_q(part, choice->top[i])};
    }
    ball none_p = ball_of(0), none_q = ball_of(0);
    for (size_t i = 0; i < j->n_parts; i++) {
        const jump_top *t = &j->top[i];
        if (t->ends)
            continue;
        none_p = ball_add(none_p,
            ball_mul_d(ball_log1p(ball_neg(t->under_p)), t->count));
        none_q = ball_add(none_q,
            ball_mul_d(ball_log1p(ball_neg(t->under_q)), t->count));
    }
    j->above_p = ball_neg(ball_expm1(none_p));
    j->above_q = ball_neg(ball_expm1(none_q));
}

/* e^log_size of the given size of terms, rounded up. */
static jump_small small_of(
    const spectral_jumps *j, double log_size, double size, double shift)
{
    log_size += 1e-9 + 0x1p-48 * (size + fabs(shift * j->epsilon));
    return (jump_small){isnan(log_size) ? HUGE_VAL : log_size, shift};
}

static void add_small(
    spectral_jumps *j, double log_size, double size, double shift)
{
    j->small[j->n_small++] = small_of(j, log_size, size, shift);
}

/* What ends above the tops by its mass alone. */
static void add_ends(spectral_jumps *j)
{
    double sum = 0;
    for (size_t i = 0; i < j->n_parts; i++)
        if (j->top[i].ends)
            sum += j->top[i].count * ball_upper(j->top[i].under_p);
    if (sum != 0) /* NaN, too */
        add_small(j, log(sum), 1, 0);
}

/* What is above the top and yet ends below epsilon: (e^x - 1)_+ <=
 * C(a-1) e^(ax), a > 1; unknown where the mass above is all that is small.
 * False without memory. */
static bool set_rest(spectral_jumps *j, const jump_choice *choice)
{
    double a = choice->top_shift;
    jump_line lines[JUMP_PARTS] = {{0}};
    bool had_memory = true;
    j->rest = (jump_small){HUGE_VAL, 0};
    if (!(a > 1))
        return true;
    for (size_t i = 0; i < j->n_parts && had_memory; i++)
        had_memory = jump_line_lay(&lines[i], &choice->parts[i], 3,
            choice->left[i], choice->top[i] + JUMP_REACH);
    double log_d = HUGE_VAL;
    if (had_memory)
        log_d = jump_left_log_near(choice, lines, choice->left, choice->top,
            choice->ends, a);
    for (size_t i = 0; i < j->n_parts; i++)
        jump_line_free(&lines[i]);
    if (!had_memory)
        return false;
    if (jump_has_added(choice)) {
        double far = jump_left_log_far(
            choice, choice->left, choice->top, choice->ends);
        add_small(j, j->epsilon + far, fabs(far) + 1, 1);
    }
    /* E[e^(-a Z)] of what is not sampled */
    log_d += jump_plain_log_upper(&choice->plain, -a);
    j->rest = small_of(j, jump_log_kernel(a - 1) + a * j->epsilon + log_d,
        fabs(log_d) + a, a);
    return true;
}

/* Below the lowest cuts: delta <= C(v) e^(-v eps) M(v) prod S^k, M of what is
 * not sampled. False without memory. */
static bool add_bulk(spectral_jumps *j, const jump_choice *choice)
{
    const jump_class *last = &choice->classes[choice->n - 1];
    double v = choice->bulk_shift, sum = 0;
    double plain = jump_plain_log_upper(&choice->plain, v);
    for (size_t i = 0; i < j->n_parts; i++) {
        jump_law below = {.cut = 0};
        if (!jump_lay_below(&below, &choice->parts[i], 3, choice->from[i],
                last->low[i]))
            return false;
        sum += choice->parts[i].count * jump_log_upper(&below, v);
        jump_line_free(&below.line);
    }
    add_small(j, sum + plain - v * j->epsilon + jump_log_kernel(v),
        fabs(sum) + plain + v, -v);
    return true;
}

/* A class: its contour, if it matters, or Chernoff's bound, also where the
 * contour tells no more. */
static dosi_status add_class(spectral_jumps *j, const jump_choice *choice,
    const jump_class *k, work_limits *limits, dosi_error *err)
{
    spectral_contour *c = &j->classes[j->n];
    double log_d;
    bool found = false;
    dosi_status status = DOSI_OK;
    if (k->n_outer > 0)
        status = jump_class_build(c, &found, choice, k, limits, err);
    dosi_interval read = {-HUGE_VAL, 0};
    if (found)
        read = spectral_contour_read(c, j->epsilon);
    if (status != DOSI_OK || read.hi - read.lo < 1) { /* good enough */
        j->n += found ? 1 : 0;
        return status;
    }
    bool had_memory = jump_class_log_size(&log_d, choice, k);
    double most = log_d - k->t * j->epsilon + jump_log_kernel(k->t);
    if (found && had_memory && read.hi <= most) {
        j->n++;
        return DOSI_OK;
    }
    if (found)
        spectral_contour_free(c);
    add_small(j, most, fabs(log_d) + k->t, -k->t);
    return had_memory ? DOSI_OK : dosi_fail_memory(err);
}

/* All that is below the cuts, the same. */
static dosi_status add_whole(spectral_jumps *j, const jump_choice *choice,
    work_limits *limits, dosi_error *err)
{
    const jump_class *k = &choice->classes[choice->n - 1];
    bool found;
    dosi_status status = jump_class_build(
        &j->classes[j->n], &found, choice, k, limits, err);
    j->lacks_whole = !found;
    if (found)
        j->n++;
    else if (status == DOSI_OK && !add_bulk(j, choice))
        return dosi_fail_memory(err);
    return status;
}

static dosi_status build(spectral_jumps *j, const jump_choice *choice,
    work_limits *limits, dosi_error *err)
{
    double best = -HUGE_VAL;
    set_top(j, choice);
    add_ends(j);
    bool is_whole = choice->classes[choice->n - 1].is_bulk;
    if (!set_rest(j, choice) || (!is_whole && !add_bulk(j, choice)))
        return dosi_fail_memory(err);
    for (size_t i = 0; i < choice->n; i++) {
        const jump_class *k = &choice->classes[i];
        dosi_status status =
            k->is_bulk ? add_whole(j, choice, limits, err)
                       : add_class(j, choice, k, limits, err);
        if (status != DOSI_OK)
            return status;
        if (k->log_size > best) {
            best = k->log_size;
            j->slope = k->saddle;
        }
    }
    return DOSI_OK;
}

/* *out stays NULL when it was stopped. */
static dosi_status build_chosen(spectral_jumps **out,
    const jump_choice *choice, work_limits *limits, dosi_error *err)
{
    spectral_jumps *j = calloc(1, sizeof *j);
    spectral_contour *classes = calloc(JUMP_CLASSES, sizeof *classes);
    if (j == NULL || classes == NULL) {
        free(j);
        free(classes);
        return dosi_fail_memory(err);
    }
    j->epsilon = choice->epsilon;
    j->n_parts = choice->n_parts;
    j->classes = classes;
    dosi_status status = build(j, choice, limits, err);
    if (status == DOSI_OK && !work_stopped(limits))
        *out = j;
    else
        spectral_jumps_free(j);
    return status;
}

static double share_of(const jump_choice *choice)
{
    return choice->is_far && choice->n == 1 ? FAR_COST : 1;
}

/* What may be left out, where epsilon is wanted to this width: delta falls by
 * so much in log eps, and there are some terms of it. Where delta is small a
 * guess at epsilon is off by more nats, where it hardly falls by more of
 * epsilon. */
#define TERMS 8
#define UNKNOWN 0.08
#define LEAST_FALL 0.7
#define MOST_FALL 10

static double nats_for(double width, double fall, double log_delta)
{
    if (!(width > 0 && fall > LEAST_FALL))
        return 0;
    double steep = fmax(fmin(fall, -log_delta) - MOST_FALL, 0);
    return log(TERMS / (width * fmin(fall, MOST_FALL))) + UNKNOWN * steep;
}

dosi_status spectral_jumps_new(spectral_jumps **out,
    const spectral_parts *parts, double epsilon, double log_delta,
    double width, double max_cost, work_limits *limits, dosi_error *err)
{
    double fall;
    *out = NULL;
    if (!(epsilon > 0))
        return DOSI_OK;
    /* where delta is greater, nothing has to be that small */
    log_delta = fmax(log_delta, spectral_jumps_fall(&fall, parts, epsilon));
    double nats = nats_for(width, fall, log_delta);
    jump_choice *choice = malloc(sizeof *choice);
    if (choice == NULL)
        return dosi_fail_memory(err);
    dosi_status status = DOSI_OK;
    for (int i = 0; i < 2 && status == DOSI_OK; i++) {
        bool no_memory = false, whole = i == 0;
        bool found = (whole ? jump_choose : jump_choose_classes)(
                         choice, parts, epsilon, log_delta, nats,
                         &no_memory) &&
                     choice->cost < share_of(choice) * max_cost;
        if (found || no_memory) {
            spectral_jumps_free(*out);
            *out = NULL;
        }
        if (no_memory)
            status = dosi_fail_memory(err);
        if (!found)
            break;
        status = build_chosen(out, choice, limits, err);
        if (*out == NULL || !(*out)->lacks_whole)
            break;
    }
    free(choice);
    return status;
}

void spectral_jumps_free(spectral_jumps *j)
{
    if (j == NULL)
        return;
    for (size_t i = 0; i < j->n; i++)
        spectral_contour_free(&j->classes[i]);
    free(j->classes);
    free(j);
}

double spectral_jumps_slope(const spectral_jumps *j)
{
    return j->slope;
}

/* ---- Reading ----------------------------------------------------------- */

/* log x, or of what is nothing; what is no number may be anything. */
static ball log_least(double x)
{
    return x > 0 ? ball_log(ball_of(x)) : ball_of(-HUGE_VAL);
}

static ball log_most(double x)
{
    return isnan(x) ? ball_of(HUGE_VAL) : log_least(x);
}

/* What is above the tops that do not end, as logarithms: P[some jump beyond
 * one] less e^eps Q[the same], and more by no more than the rest; and no more
 * than the first. */
static void read_top(
    ball *lo, ball *hi, const spectral_jumps *j, ball epsilon, ball rest)
{
    ball p = j->above_p, q = j->above_q;
    ball least = ball_exp(ball_add(epsilon, log_least(ball_lower(q))));
    ball most = ball_exp(ball_add(epsilon, log_most(ball_upper(q))));
    *lo = log_least(ball_lower(ball_sub(p, most)));
    *hi = log_most(ball_upper(ball_sub(p, least)));
    *hi = ball_min(ball_logaddexp(*hi, rest), log_most(ball_upper(p)));
}

static ball moved_by(const jump_small *s, ball moved)
{
    return ball_add_d(ball_mul_d(moved, s->shift), s->log_size);
}

dosi_interval spectral_jumps_read(const spectral_jumps *j, double epsilon)
{
    ball eps = ball_of(epsilon), moved = ball_sub_d(eps, j->epsilon);
    ball lo, hi;
    read_top(&lo, &hi, j, eps, moved_by(&j->rest, moved));
    for (size_t i = 0; i < j->n_small; i++)
        hi = ball_logaddexp(hi, moved_by(&j->small[i], moved));
    for (size_t i = 0; i < j->n; i++) {
        dosi_interval in = spectral_contour_read(&j->classes[i], epsilon);
        lo = ball_logaddexp(lo, ball_of(in.lo));
        hi = ball_logaddexp(hi, ball_of(in.hi));
    }
    dosi_interval out = {-HUGE_VAL, 0};
    double low = ball_lower(lo), high = ball_upper(hi);
    if (low <= 0) /* not NaN */
        out.lo = low;
    if (high <= 0)
        out.hi = high;
    return out.lo <= out.hi ? out : (dosi_interval){-HUGE_VAL, 0};
}
