/*
 * What the contour of a class leaves out beyond its last node, and its
 * aliases. Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_jumps_build.h"
#include "spectral_jumps_class.h"
#include "spectral_jumps_left.h"

/* |prod (S+W)^k - prod S^k| <= prod (S + |W|)^k - prod S^k with S at u = 0; it
 * rises with S. */
static double log_rest(const spectral_contour *c, const jump_builder *b,
    double outer)
{
    jump_powers powers = jump_powers_none();
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        double w = jump_log_decay(
            &p->jump, c->choice.t, b->k->alpha[i], outer);
        w = fmin(w, jump_log_upper(&p->jump, c->choice.t));
        jump_powers_add(&powers, p->count,
            jump_log_upper(&p->below, c->choice.t), w);
    }
    return jump_powers_log(&powers);
}

static double log_decayed(const spectral_contour *c, const jump_builder *b,
    size_t i, double outer)
{
    const class_part *p = &b->parts[i];
    double t = c->choice.t, m = b->k->multiple;
    jump_fall fall =
        jump_log_fall(&p->whole, t, b->k->alpha[i], m * outer);
    fall.log_fall = spectral_multiple(fall.log_fall, m);
    const jump_part *part = &b->choice->parts[i];
    double marked = ball_upper(jump_marked_p(part, b->k->low[i]));
    return jump_log_decayed(
        part, marked, t, jump_log_upper(&p->below, t), fall);
}

static double log_bulk_rest(const spectral_contour *c, const jump_builder *b,
    double outer)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        double one = b->k->is_moved
                         ? jump_log_below(&p->below, c->choice.t, outer)
                         : log_decayed(c, b, i, outer);
        sum += p->count * one;
        size += p->count * fabs(one);
    }
    return sum + 0x1p-48 * size;
}

/* Over the scales. */
static void cut_off(spectral_contour *c, const jump_builder *b)
{
    double scale = 0, outer = c->choice.n_outer * c->choice.step;
    outer *= 1 - 0x1p-50; /* falls */
    ball fall = jump_plain_log_fall(&b->choice->plain, outer);
    for (size_t i = 0; i < b->n; i++)
        scale += b->parts[i].count * b->parts[i].scale;
    double rest = b->k->is_bulk ? log_bulk_rest(c, b, outer)
                                : log_rest(c, b, outer);
    ball most = ball_exp(ball_add(spectral_log_tail(&c->choice),
        ball_add(ball_sub_d(ball_of(rest), scale), fall)));
    c->cut_upper = ball_upper(most) + 0x1p-48 * fabs(scale) *
                                          ball_upper(most);
    if (!(c->cut_upper >= 0)) /* NaN */
        c->cut_upper = HUGE_VAL;
    c->cut_lower = c->cut_upper;
}

static ball alias_of(
    const spectral_contour *c, const jump_builder *b, double a)
{
    double v = fmax(c->choice.t + a, 0), below = 0;
    jump_powers powers = jump_powers_none();
    for (size_t i = 0; i < b->n; i++) {
        const class_part *p = &b->parts[i];
        double log_s = jump_log_upper(&p->below, v);
        below += p->count * log_s + 0x1p-48 * p->count * fabs(log_s);
        if (!b->k->is_bulk)
            jump_powers_add(
                &powers, p->count, log_s, jump_log_upper(&p->jump, v));
    }
    double most = b->k->is_bulk ? below : jump_powers_log(&powers);
    ball plain = jump_plain_cumulant(
        &b->choice->plain, ball_add_d(ball_of(c->choice.t), a));
    return spectral_log_alias(&c->choice, a, ball_add_d(plain, most));
}

/* log of the chance that no run is marked beyond its cut, under P and Q. */
typedef struct unmarked {
    ball p, q;
} unmarked;

static unmarked log_unmarked(const jump_choice *choice, const double *cuts)
{
    unmarked none = {ball_of(0), ball_of(0)};
    for (size_t i = 0; i < choice->n_parts; i++) {
        const jump_part *part = &choice->parts[i];
        ball p = ball_log1p(ball_neg(jump_marked_p(part, cuts[i])));
        ball q = ball_log1p(ball_neg(jump_marked_q(part, cuts[i])));
        none.p = ball_add(none.p, ball_mul_d(p, part->count));
        none.q = ball_add(none.q, ball_mul_d(q, part->count));
    }
    return none;
}

/* Of runs left of some places, e^eps times their mass, over e^((t+1)L) - 1;
 * returns the log of what bounds the others at the exponent a. */
static double know_far(
    spectral_contour *c, const jump_builder *b, double a)
{
    const double *left = b->k->left_from;
    const double *cuts = b->k->is_bulk ? NULL : b->k->low;
    jump_line lines[JUMP_PARTS];
    for (size_t i = 0; i < b->n; i++)
        lines[i] = b->parts[i].whole;
    ball period = ball_div(
        ball_scale2(ball_pi(), 1), ball_of(c->choice.step));
    ball fall = ball_neg(
        ball_mul(period, ball_add_d(ball_of(c->choice.t), 1)));
    double far = jump_left_log_far(b->choice, left, cuts, NULL);
    c->has_far = true;
    c->log_far = ball_sub(
        ball_add_d(fall, far + 0x1p-48 * fabs(far)), ball_log1mexp(fall));
    return jump_left_log_near(b->choice, lines, left, cuts, NULL, a);
}

/* The masses are known in closed form; what is left are losses below
 * eps - L. */
static void know_left(spectral_contour *c, const jump_builder *b)
{
    double a = (c->choice.alias_left - c->choice.t) * (1 + 0x1p-50);
    double moments = jump_has_added(b->choice) ? know_far(c, b, a) : 0;
    if (!(a >= 1)) /* C(a - 1) bounds nothing else */
        moments = HUGE_VAL;
    for (size_t i = 0; i < b->n && !c->has_far; i++)
        moments += b->choice->parts[i].count *
                   jump_log_moment(&b->parts[i].whole, a);
    unmarked low = log_unmarked(b->choice, b->k->low);
    c->is_low = true;
    c->mass_p = ball_exp(low.p);
    c->mass_q = ball_exp(low.q);
    if (!b->k->is_bulk) {
        unmarked high = log_unmarked(b->choice, b->k->high);
        c->mass_p = ball_sub(ball_expm1(high.p), ball_expm1(low.p));
        c->mass_q = ball_sub(ball_expm1(high.q), ball_expm1(low.q));
    }
    moments += 0x1p-48 * fabs(moments);
    ball least = ball_sub_d(ball_of(c->choice.t), c->choice.alias_left);
    ball plain = jump_plain_cumulant(&b->choice->plain, least);
    c->log_alias[1] = spectral_log_alias(
        &c->choice, -c->choice.alias_left, ball_add_d(plain, moments));
}

/* Where records are added losses have no lower end, and left aliases may be
 * bounded as right ones are. */
void jump_bound_outside(spectral_contour *c, const jump_builder *b)
{
    cut_off(c, b);
    c->log_alias[0] = alias_of(c, b, c->choice.alias_right);
    if (jump_has_added(b->choice) && !(b->k->left > b->k->t))
        c->log_alias[1] = alias_of(c, b, -c->choice.alias_left);
    else
        know_left(c, b);
}

bool jump_class_log_size(
    double *out, const jump_choice *choice, const jump_class *k)
{
    jump_powers powers = jump_powers_none();
    bool had_memory = true;
    for (size_t i = 0; i < choice->n_parts && had_memory; i++) {
        const jump_part *part = &choice->parts[i];
        jump_law below = {.cut = 0}, jump = {.cut = 0};
        had_memory = jump_lay_below(&below, part, 2, choice->from[i],
                         k->low[i]) &&
                     jump_lay_between(
                         &jump, part, 2, k->low[i], k->high[i]);
        if (had_memory)
            jump_powers_add(&powers, part->count,
                jump_log_upper(&below, k->t), jump_log_upper(&jump, k->t));
        jump_line_free(&below.line);
        jump_line_free(&jump.line);
    }
    *out = jump_powers_log(&powers) +
           jump_plain_log_upper(&choice->plain, k->t);
    return had_memory;
}
