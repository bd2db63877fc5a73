/*
 * The profile of the pair by its threshold test. The interval between two
 * multiples of theta that contains the threshold is found by the sign of
 * log S - level at its ends; within it the threshold has a closed form. If
 * signs are uncertain the values at both ends enclose delta: mixture first it
 * falls with the threshold, base first it rises. Derivation:
 * docs/theory/couplings.md, section 6.
 */
#include "with_replacement_laplace.h"

#include "special/binomial_mean.h"
#include "num/bracket.h"
#include "num/ends.h"

/* Sums over more hits take too long. */
#define MAX_HITS 65536

typedef struct count {
    binomial_mix mix;
    ball theta;
    ball level; /* log S at the threshold */
    bool base_first;
} count;

/* A threshold y in [j theta, (j+1) theta]. */
typedef struct place {
    double j;
    ball y;
} place;

static scaled negative(scaled x)
{
    x.m = ball_neg(x.m);
    return x;
}

static scaled term_one(double k, const void *context)
{
    (void)k;
    (void)context;
    return (scaled){ball_of(1), 0};
}

/* A_j = sum_{k<=j} w_k e^(k theta), and sum_{k<=j} w_k (e^(k theta) - 1). */
typedef struct head {
    scaled all, excess;
} head;

static head head_of(const count *x, double j)
{
    const binomial_mix *mix = &x->mix;
    scaled w = scaled_exp(ball_mul_d(mix->coin.log_q, mix->n));
    head out = {w, {ball_of(0), 0}};
    for (double k = 1; k <= j; k++) {
        ball ratio = ball_mul_d(mix->coin.odds, mix->n - k + 1);
        ball at = ball_mul_d(x->theta, k);
        w = scaled_mul_ball(w, ball_div_d(ratio, k));
        out.all = scaled_add(out.all, scaled_mul(w, scaled_exp(at)));
        out.excess =
            scaled_add(out.excess, scaled_mul(w, scaled_expm1(at)));
    }
    return out;
}

/* B_j = sum_{k>j} w_k e^(-k theta) */
static scaled rest_of(const count *x, double j)
{
    binomial_mix mix = x->mix;
    mix.lift = ball_neg(x->theta);
    return binomial_mix_sum(&mix, j + 1, term_one, NULL, -HUGE_VAL);
}

/* The sign of log S(j theta) - level; 0 if it is not certain. */
static int sign_at(const count *x, double j)
{
    ball twice = ball_mul_d(x->theta, 2 * j);
    scaled s = scaled_add(head_of(x, j).all,
        scaled_mul(rest_of(x, j), scaled_exp(twice)));
    return bracket_sign_of(ball_sub(scaled_log(s), x->level));
}

/* ---- Values ------------------------------------------------------------ */

typedef struct over {
    ball theta, y;
} over;

/* 1 - e^(y - k theta), y <= k theta. */
static scaled over_term(double k, const void *context)
{
    const over *o = context;
    ball gap = ball_sub(o->y, ball_mul_d(o->theta, k));
    return scaled_of(ball_neg(ball_expm1(ball_min(gap, ball_of(0)))));
}

/* delta if y is the threshold: the value of the event above y, or below it if
 * the base comes first. */
static scaled value_at(const count *x, const place *at)
{
    over o = {x->theta, at->y};
    if (!x->base_first)
        return binomial_mix_sum(
            &x->mix, at->j + 1, over_term, &o, -HUGE_VAL);
    scaled own = scaled_mul(scaled_exp(at->y), scaled_expm1(at->y));
    scaled sum = scaled_add(head_of(x, at->j).excess,
        scaled_mul(rest_of(x, at->j), own));
    return scaled_mul(sum, scaled_exp(ball_neg(x->level)));
}

/* The threshold if it lies in [j theta, (j+1) theta]:
 * e^(2y) B_j = e^level - A_j. */
static place place_in(const count *x, double j)
{
    ball low = ball_mul_d(x->theta, j), high = ball_mul_d(x->theta, j + 1);
    scaled rest = rest_of(x, j);
    scaled left =
        scaled_add(scaled_exp(x->level), negative(head_of(x, j).all));
    if (!ball_is_positive(left.m) || !ball_is_positive(rest.m))
        return (place){j, ball_hull(low, high)};
    ball y = ball_scale2(
        ball_sub(scaled_log(left), scaled_log(rest)), -1);
    return (place){j, ball_max(ball_min(y, high), low)};
}

static scaled hull(scaled a, scaled b)
{
    ball other = scaled_ball((scaled){b.m, b.e - a.e});
    return (scaled){ball_hull(a.m, other), a.e};
}

/* ---- The interval of the threshold ------------------------------------- */

/* The threshold is above low theta, and below high theta if is_ended. */
typedef struct range {
    double low, high;
    bool is_ended;
} range;

/* The last j in [low, high) whose sign is at most `most`. Signs rise with j. */
static double last_with(const count *x, int most, double low, double high)
{
    while (high - low > 1) {
        double j = floor(low + (high - low) / 2);
        *(sign_at(x, j) <= most ? &low : &high) = j;
    }
    return low;
}

static range range_of(const count *x)
{
    range r = {0, 1, false};
    double most = fmin(x->mix.n, MAX_HITS);
    while (!r.is_ended && r.high < most) {
        r.is_ended = sign_at(x, r.high) > 0;
        if (!r.is_ended)
            r.high = fmin(2 * r.high, most);
    }
    r.is_ended = r.is_ended || sign_at(x, r.high) > 0;
    if (r.is_ended)
        r.high = last_with(x, 0, 0, r.high) + 1;
    r.low = last_with(x, -1, 0, r.high);
    return r;
}

/* delta if only the range is known: at most the value at one of its ends. */
static scaled between(const count *x, const range *r)
{
    if (!r->is_ended && x->base_first)
        return scaled_of(ball_unknown());
    double j = x->base_first ? r->high : r->low;
    place at = {j, ball_mul_d(x->theta, j)};
    scaled most = value_at(x, &at);
    return (scaled){
        ball_hull(ball_of(0), ball_of(ball_upper(most.m))), most.e};
}

/* The logarithm of the smallest S, at -theta, or of the largest one, at theta:
 * (1 + (e^(-+theta) - 1)/n)^m. */
static ball log_end(const count *x, ball theta)
{
    ball grown = ball_mul(x->mix.coin.p, ball_expm1(theta));
    return ball_mul_d(ball_log1p(grown), x->mix.n);
}

scaled with_replacement_laplace_delta(
    sampled_side side, double n, double m, ball theta, ball eps,
    work_limits *limits)
{
    count x = {.mix = binomial_mix_of_size(m, n),
        .theta = theta,
        .base_first = side == SAMPLED_BASE_FIRST};
    x.mix.limits = limits;
    x.level = x.base_first ? ball_neg(eps) : eps;
    ball end = log_end(&x, x.base_first ? ball_neg(theta) : theta);
    if (x.base_first ? ball_less_equal(x.level, end)
                     : ball_less_equal(end, x.level))
        return (scaled){ball_of(0), 0};
    range r = range_of(&x);
    if (!r.is_ended || r.high - r.low > 2)
        return between(&x, &r);
    place first = place_in(&x, r.low), last = place_in(&x, r.high - 1);
    scaled a = value_at(&x, &first);
    return r.high - r.low > 1 ? hull(a, value_at(&x, &last)) : a;
}

/* ---- Outcomes ---------------------------------------------------------- */

typedef struct outcomes {
    ball *loss, *log_mass;
    size_t n;
    bool base_first;
} outcomes;

/* Appends an outcome with this likelihood ratio and base mass. If either is not
 * certainly positive it is unknown, and the caller refuses the law. */
static void append(outcomes *o, scaled ratio, scaled base)
{
    if (ball_is_zero(base.m))
        return;
    bool is_sure = ball_is_positive(ratio.m) && ball_is_positive(base.m);
    ball loss = is_sure ? scaled_log(ratio) : ball_unknown();
    ball log_base = is_sure ? scaled_log(base) : ball_unknown();
    o->loss[o->n] = o->base_first ? ball_neg(loss) : loss;
    o->log_mass[o->n++] =
        o->base_first ? log_base : ball_add(log_base, loss);
}

/* The number of cells between j theta and (j+1) theta. */
static double cells_of(double j)
{
    return fmax(ldexp(256, -(int)fmin(j, 60)), 8);
}

/*
 * Appends the cells between j theta and (j+1) theta. The cell [y, y + d] has
 * the base mass q = e^-y (1 - e^-d)/2 and the mixture mass
 * q (A_j + B_j e^(2y + d)). The base masses q e^d/(e^d + 1) and q/(e^d + 1) at
 * the ratios of its two ends have these totals.
 */
static void append_shift(outcomes *o, const count *x, double j, bool above)
{
    scaled all = head_of(x, j).all, rest = rest_of(x, j);
    double n = cells_of(j);
    ball d = ball_div_d(x->theta, n), start = ball_mul_d(x->theta, j);
    ball share = ball_scale2(ball_neg(ball_expm1(ball_neg(d))), -1);
    ball right = ball_div(ball_of(1), ball_add_d(ball_exp(d), 1));
    ball left = ball_sub(ball_of(1), right);
    scaled carried = {ball_of(0), 0};
    for (double i = 0; i <= n; i++) {
        ball y = ball_add(start, ball_mul_d(d, i));
        ball twice = ball_scale2(y, 1);
        scaled q = {ball_of(0), 0};
        if (i < n)
            q = scaled_mul_ball(scaled_exp(ball_neg(y)), share);
        if (!above)
            twice = ball_add(twice, d);
        scaled ratio =
            scaled_add(all, scaled_mul(rest, scaled_exp(twice)));
        if (above)
            append(o, ratio, scaled_add(carried, scaled_mul_ball(q, left)));
        else if (i < n)
            append(o, ratio, q);
        carried = scaled_mul_ball(q, right);
    }
}

typedef struct far_hits {
    ball theta;
    double j, times; /* 1 or 2 */
} far_hits;

/* 1 - e^(-times (k - j) theta) */
static scaled far_term(double k, const void *context)
{
    const far_hits *f = context;
    ball gap = ball_mul_d(f->theta, f->times * (k - f->j));
    return scaled_of(ball_neg(ball_expm1(ball_neg(gap))));
}

/*
 * Appends the tail beyond j theta: the base has the mass q = e^(-j theta)/2,
 * the mixture q S(j theta) + D with D = sum_{k>j} w_k (1 - e^((j-k) theta)).
 * The largest ratio is S(j theta) + G with
 * G = sum_{k>j} w_k e^(k theta) (1 - e^(2 (j-k) theta)), and the base mass D/G
 * is placed there.
 */
static void append_tail(outcomes *o, const count *x, double j, bool above)
{
    ball start = ball_mul_d(x->theta, j);
    scaled q = scaled_exp(ball_neg(start));
    q.m = ball_scale2(q.m, -1);
    scaled ratio = scaled_add(head_of(x, j).all,
        scaled_mul(rest_of(x, j), scaled_exp(ball_scale2(start, 1))));
    if (!(j < x->mix.n)) {
        append(o, ratio, q);
        return;
    }
    far_hits once = {x->theta, j, 1}, twice = {x->theta, j, 2};
    binomial_mix lifted = x->mix;
    lifted.lift = x->theta;
    scaled d = binomial_mix_sum(
        &x->mix, j + 1, far_term, &once, -HUGE_VAL);
    scaled g = binomial_mix_sum(
        &lifted, j + 1, far_term, &twice, -HUGE_VAL);
    if (!above) {
        append(o, scaled_add(ratio, scaled_div(d, q)), q);
        return;
    }
    scaled far = scaled_div(d, g);
    append(o, ratio, scaled_add(q, negative(far)));
    append(o, scaled_add(ratio, g), far);
}

size_t with_replacement_laplace_cells(ball *loss, ball *log_mass,
    sampled_side side, double n, double m, ball theta, unsigned hits,
    bool above)
{
    count x = {.mix = binomial_mix_of_size(m, n), .theta = theta};
    outcomes o = {loss, log_mass, 0, side == SAMPLED_BASE_FIRST};
    /* left of 0 the ratio is constant, the smallest one */
    scaled least = scaled_exp(log_end(&x, ball_neg(theta)));
    append(&o, least, scaled_of(ball_of(0.5)));
    for (double j = 0; j < hits; j++)
        append_shift(&o, &x, j, above);
    append_tail(&o, &x, hits, above);
    return o.n;
}
