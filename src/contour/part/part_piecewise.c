/*
 * Piecewise analytic loss laws on the contour: composite Gauss-Legendre nodes
 * in balls, atoms as nodes of their own, and the table of functions.
 * Derivation: docs/theory/contour_piecewise.md.
 */
#include "part_piecewise.h"

#include <stdlib.h>

#include "base/error.h"
#include "special/special.h"

/* Encloses c of the density c e^{-(y+a)/2} of y under Q: 1/4 for Laplace noise,
 * 1/(2 (1 - e^-a)) for bounded range. */
static ball bounded_density(const loss_law *pair)
{
    if (pair->noise == LOSS_LAPLACE)
        return ball_of(0.25);
    ball gap = ball_neg(ball_expm1(ball_neg(pair->parameter)));
    return ball_div(ball_of(0.5), gap);
}

ball pieces_log_scale(const loss_law *pair)
{
    if (pair->noise == LOSS_GAUSSIAN)
        return ball_neg(ball_scale2(ball_log_2pi(), -1));
    return ball_sub(
        ball_log(bounded_density(pair)), ball_scale2(pair->parameter, -1));
}

/* delta(0) of the base mechanism. */
static ball base_delta(const loss_law *pair)
{
    ball a = pair->parameter;
    if (pair->noise == LOSS_GAUSSIAN) /* 2 Phi(mu/2) - 1 */
        return ball_erf(ball_div(a, ball_sqrt(ball_of(8))));
    if (pair->noise == LOSS_LAPLACE)
        return ball_neg(ball_expm1(ball_neg(ball_scale2(a, -1))));
    return ball_tanh(ball_scale2(a, -2));
}

/* The left end of x; the right end of Gaussian noise is infinite. */
static ball first_x(const loss_law *pair)
{
    if (pair->noise == LOSS_GAUSSIAN)
        return ball_scale2(pair->parameter, -1);
    return pair->map == LOSS_WITHOUT_REPLACEMENT ? ball_of(0)
                                                 : ball_neg(pair->parameter);
}

static bool is_imprecise(ball x)
{
    return !(x.rad <= 0x1p-60 * fabs(x.hi));
}

void pieces_free(pieces *s)
{
    if (s != NULL)
        free(s->ball_weight);
    free(s);
}

pieces *pieces_of(contour_part *part)
{
    const loss_law *pair = part->law;
    if (part->pieces != NULL)
        return part->pieces;
    if (is_imprecise(pair->parameter) || is_imprecise(pair->rate))
        return NULL;
    pieces *s = calloc(1, sizeof *s);
    if (s == NULL) {
        part->sketch.no_memory = true;
        return NULL;
    }
    s->is_gaussian = pair->noise == LOSS_GAUSSIAN;
    s->is_joined = pair->map == LOSS_WITHOUT_REPLACEMENT;
    s->n_branches = s->is_joined ? 2 : 1;
    s->sign[0] = pair->map == LOSS_BASE_FIRST ? -1 : 1;
    s->sign[1] = -1;
    double a = ball_mid(pair->parameter);
    s->slope = s->is_gaussian ? a : 1;
    s->offset = s->is_gaussian ? a * a / 2 : 0;
    s->rate = ball_mid(pair->rate);
    s->log_scale = ball_mid(pieces_log_scale(pair));
    s->x_begin = ball_mid(first_x(pair));
    s->x_end = s->is_gaussian ? HUGE_VAL : a;
    s->guess_at = -1;
    part->pieces = s;
    return s;
}

/* Encloses log(1 + q (e^y - 1)). */
static ball sampled_loss(const loss_law *pair, ball y)
{
    if (y.hi < 300)
        return ball_log1p(ball_mul(ball_expm1(y), pair->rate));
    ball rest =
        ball_mul(ball_sub(ball_of(1), pair->rate), ball_exp(ball_neg(y)));
    return ball_add(y, ball_log(ball_add(rest, pair->rate)));
}

static ball exponent(double sign, ball t)
{
    return sign > 0 ? ball_add_d(t, 1) : ball_neg(t);
}

static pieces_atom branch_atom(double sign, ball l, ball log_q, ball t)
{
    ball power = ball_mul(exponent(sign, t), l);
    return (pieces_atom){sign > 0 ? l : ball_neg(l), ball_add(log_q, power)};
}

/* The atoms. Laplace noise has Q-mass e^-a/2 at y = a and 1/2 at y = -a; a
 * sample of fixed size has the atom at a in both branches, and (1-q) delta(0)
 * at 0. */
size_t pieces_atoms(pieces_atom *out, const loss_law *pair, ball t)
{
    size_t n = 0;
    ball a = pair->parameter;
    bool is_fixed = pair->map == LOSS_WITHOUT_REPLACEMENT;
    if (pair->noise == LOSS_LAPLACE) {
        ball half = ball_neg(ball_ln2());
        ball high = sampled_loss(pair, a);
        ball low = sampled_loss(pair, ball_neg(a));
        double sign = pair->map == LOSS_BASE_FIRST ? -1 : 1;
        out[n++] = branch_atom(sign, high, ball_sub(half, a), t);
        if (is_fixed)
            out[n++] = branch_atom(-1, high, ball_sub(half, a), t);
        else
            out[n++] = branch_atom(sign, low, half, t);
    }
    if (is_fixed) {
        ball miss = ball_log1p(ball_neg(pair->rate));
        ball mass = ball_add(miss, ball_log(base_delta(pair)));
        out[n++] = (pieces_atom){ball_of(0), mass};
    }
    return n;
}

typedef struct node_list {
    size_t n;
    ball *log_weight; /* without the rule's weight; then the whole weight */
    ball *factor;     /* the rule's weight */
    ball *loss;
} node_list;

static void push(node_list *l, ball log_weight, ball factor, ball at)
{
    l->log_weight[l->n] = log_weight;
    l->factor[l->n] = factor;
    l->loss[l->n++] = at;
}

/* Adds nodes of all branches at x, where the rule's weight is factor. */
static void push_noise(
    node_list *l, const contour_part *self, ball x, ball factor)
{
    const loss_law *pair = self->law;
    ball y = x, base = ball_neg(ball_scale2(x, -1)), t;
    if (pair->noise == LOSS_GAUSSIAN) {
        y = ball_sub(ball_mul(pair->parameter, x),
            ball_scale2(ball_sqr(pair->parameter), -1));
        base = ball_neg(ball_scale2(ball_sqr(x), -1));
    }
    ball at = sampled_loss(pair, y);
    t = ball_of(self->want.t);
    for (int i = 0; i < self->pieces->n_branches; i++) {
        double sign = self->pieces->sign[i];
        push(l, ball_add(base, ball_mul(exponent(sign, t), at)), factor,
            sign > 0 ? at : ball_neg(at));
    }
}

/* The edges of the panels are doubles, except the ends of the law. */
static ball edge_at(const contour_part *self, size_t i)
{
    const pieces *s = self->pieces;
    if (i == 0)
        return first_x(self->law);
    if (i == s->n_panels && !s->is_gaussian)
        return self->law->parameter;
    return ball_of(s->edge[i]);
}

/* Lists the atoms, then the nodes of the panels. */
static void list_nodes(
    node_list *l, contour_part *self, const pieces_atom *atom, size_t n)
{
    ball scale = pieces_log_scale(self->law);
    for (size_t i = 0; i < n; i++)
        push(l, ball_sub(atom[i].log_weight, scale), ball_of(1), atom[i].loss);
    for (size_t i = 0; i < self->pieces->n_panels; i++) {
        ball a = edge_at(self, i), b = edge_at(self, i + 1);
        ball half = ball_scale2(ball_sub(b, a), -1);
        ball mid = ball_scale2(ball_add(a, b), -1);
        for (int j = 0; j < PIECES_POINTS; j++)
            push_noise(l, self, ball_add(mid, ball_mul(half, pieces_node(j))),
                ball_mul(half, pieces_weight(j)));
    }
}

/* Charges the errors of quadrature and range, then encloses K(t) and bounds the
 * decay. */
static bool charge_errors(contour_part *self, const pieces_atom *atom, size_t n)
{
    pieces *s = self->pieces;
    double t = self->want.t, sum = ball_lower(self->moment);
    double log_error = pieces_log_error(s, t, self->want.outer);
    double error =
        ball_upper(ball_exp(ball_sub_d(ball_of(log_error), self->shift)));
    if (!(sum > 0 && error < sum / 2))
        return false;
    /* the sums S err by at most error for all u, so that |S(u)/S(0) -
     * M(u)/M(0)| <= 2 error/S(0), as |M(u)| <= M(0) */
    s->error = 2 * error / sum * (1 + 0x1p-40);
    self->error += s->error;
    self->moment = ball_widen(self->moment, error);
    ball scale = ball_add_d(pieces_log_scale(self->law), self->shift);
    self->cumulant = ball_add(ball_log(self->moment), scale);
    double mass = 0;
    for (size_t i = 0; i < n; i++)
        mass +=
            ball_upper(ball_exp(ball_sub(atom[i].log_weight, self->cumulant)));
    s->atoms = mass * (1 + 0x1p-40);
    double log_moment = ball_lower(ball_log(self->moment)) + self->shift;
    s->variation = pieces_variation(s, t, log_moment);
    return !ball_is_unknown(self->cumulant) && !ball_is_unknown(self->mean);
}

/* Scales the weights by the greatest one, and fills the part's nodes. */
static void fill_nodes(contour_part *self, node_list *l)
{
    double top = -HUGE_VAL;
    for (size_t i = 0; i < l->n; i++)
        top = fmax(top, l->log_weight[i].hi);
    for (size_t i = 0; i < l->n; i++)
        l->log_weight[i] =
            ball_mul(ball_exp(ball_sub_d(l->log_weight[i], top)), l->factor[i]);
    self->shift = top;
    cumulant_guess r = contour_sketch_at(&self->sketch, self->want.t);
    contour_nodes_fill(self, l->log_weight, l->loss, l->n,
        sqrt(self->count * fabs(r.k2)) / 2 + 1e-300);
}

static void pieces_keep(pieces *s, const node_list *l)
{
    free(s->ball_weight);
    s->n_balls = l->n;
    s->ball_weight = l->log_weight;
    s->ball_loss = l->loss;
}

static dosi_status pieces_tilt(
    bool *found, contour_part *self, const part_request *w, dosi_error *err)
{
    *found = false;
    self->want = *w;
    self->error = 0;
    pieces *s = pieces_of(self);
    if (s == NULL || !pieces_choose(self, w))
        return DOSI_OK;
    size_t n = s->n_panels * PIECES_POINTS * (size_t)s->n_branches;
    n += PIECES_ATOMS;
    node_list l = {.log_weight = malloc(3 * n * sizeof(ball))};
    if (l.log_weight == NULL)
        return dosi_fail_memory(err);
    l.factor = l.log_weight + n;
    l.loss = l.factor + n;
    pieces_atom atom[PIECES_ATOMS];
    size_t n_atoms = pieces_atoms(atom, self->law, ball_of(w->t));
    list_nodes(&l, self, atom, n_atoms);
    bool has_room = contour_nodes_resize(self, l.n, false);
    if (has_room) {
        fill_nodes(self, &l);
        *found = charge_errors(self, atom, n_atoms);
    }
    if (w->keep_balls)
        pieces_keep(s, &l);
    else
        free(l.log_weight);
    return has_room ? DOSI_OK : dosi_fail_memory(err);
}

/* M(t+a) <= S(t+a) + error, and S(t+a) = S(t) e^{a mean} sum g e^{a c}. */
static double pieces_cumulant_upper(const contour_part *self, double a)
{
    const pieces *s = self->pieces;
    double log_error = pieces_log_error(s, self->want.t + a, 0);
    if (!(log_error < HUGE_VAL))
        return HUGE_VAL;
    ball inside =
        ball_add_d(ball_mul_d(self->mean, a), contour_nodes_log_sum(self, a));
    ball beyond = ball_sub(
        ball_sub_d(ball_of(log_error), self->shift), ball_log(self->moment));
    ball sum = ball_logaddexp(inside, beyond);
    return ball_upper(ball_add(self->cumulant, sum));
}

static double pieces_decay(const contour_part *self, double u)
{
    return pieces_log_decay(self->pieces->atoms, self->pieces->variation, u);
}

static ball pieces_largest_loss(const loss_law *pair)
{
    ball a = pair->parameter;
    if (pair->noise == LOSS_GAUSSIAN)
        return ball_of(HUGE_VAL);
    return pair->map == LOSS_BASE_FIRST
               ? ball_neg(sampled_loss(pair, ball_neg(a)))
               : sampled_loss(pair, a);
}

const contour_type contour_piecewise = {
    .guess_cumulant = pieces_guess_cumulant,
    .guess_decay = pieces_guess_decay,
    .guess_nodes = pieces_guess_nodes,
    .tilt = pieces_tilt,
    .power = contour_nodes_power,
    .cumulant_upper = pieces_cumulant_upper,
    .log_decay = pieces_decay,
    .largest_loss = pieces_largest_loss,
};
