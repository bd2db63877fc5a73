/*
 * Heights, number of pieces and expected proposals of the envelope of the
 * sampler, in balls. Derivation: docs/theory/release_laws.md, section 5.
 */
#include "envelope.h"

#include "integer_law.h"

static bool is_gaussian(const envelope *e)
{
    return e->law == DOSI_NOISE_ROUND_GAUSSIAN ||
           e->law == DOSI_NOISE_DISCRETE_GAUSSIAN;
}

static bool is_discrete(const envelope *e)
{
    return e->law == DOSI_NOISE_DISCRETE_GAUSSIAN ||
           e->law == DOSI_NOISE_DISCRETE_LAPLACE;
}

static ball ratio_ball(envelope_ratio r)
{
    return ball_div(ball_of_int(r.over), ball_of_int(r.under));
}

/* y at a length, which is counted in integers for a discrete law. */
static ball exponent_at(const envelope *e, ball length)
{
    ball x = ball_div_d(length, e->scale);
    return is_gaussian(e) ? ball_scale2(ball_sqr(x), -1) : x;
}

static ball edge_of(const envelope *e, int64_t column)
{
    return ball_mul(ball_of_int(column), ratio_ball(e->width));
}

dosi_status envelope_height(
    int64_t *out, const envelope *e, int64_t column, dosi_error *err)
{
    *out = 0;
    if (column == 0) { /* exp(0) is 1 */
        *out = e->brick.under / e->brick.over +
               (e->brick.under % e->brick.over != 0);
        return DOSI_OK;
    }
    ball graph = ball_exp(ball_neg(exponent_at(e, edge_of(e, column))));
    ball bricks = ball_div(graph, ratio_ball(e->brick));
    /* exp(-y) > 0, so that at least one brick is needed */
    double low = fmax(ceil(ball_lower(bricks)), 1);
    double high = fmax(ceil(ball_upper(bricks)), 1);
    if (!(low == high && high <= 0x1p52))
        return dosi_fail(err, DOSI_EUNABLE,
            "envelope: the height of column %lld lies between %.17g and "
            "%.17g",
            (long long)column, low, high);
    *out = (int64_t)high;
    return DOSI_OK;
}

dosi_status envelope_pieces(int64_t *out, const envelope *e, dosi_error *err)
{
    *out = 0;
    if (e->columns > ENVELOPE_MAX_COLUMNS)
        return dosi_fail(err, DOSI_EUNABLE,
            "envelope: at most %lld columns are counted, got %lld",
            (long long)ENVELOPE_MAX_COLUMNS, (long long)e->columns);
    double sum = 1; /* the tail */
    for (int64_t c = 0; c < e->columns; c++) {
        int64_t height = 0;
        dosi_status status = envelope_height(&height, e, c, err);
        if (status != DOSI_OK)
            return status;
        sum += (double)height;
    }
    if (!(sum <= 0x1p52))
        return dosi_fail(err, DOSI_EUNABLE,
            "envelope: more than 2^52 bricks are not counted");
    *out = (int64_t)sum;
    return DOSI_OK;
}

ball envelope_proposals(const envelope *e, int64_t pieces)
{
    ball area = ball_mul(ratio_ball(e->brick), ratio_ball(e->width));
    ball all = ball_mul(ball_of_int(pieces), area);
    if (is_discrete(e)) /* the sum over all k is 1 / P[K = 0] */
        return ball_mul(
            ball_scale2(all, 1), integer_law_pmf(e->law, e->scale, 0));
    if (is_gaussian(e))
        return ball_div(all, ball_sqrt(ball_scale2(ball_pi(), -1)));
    return all;
}

bool envelope_tail_is_high(const envelope *e)
{
    ball area = ball_mul(ratio_ball(e->brick), ratio_ball(e->width));
    ball height = ball_div(area, ball_scale2(ratio_ball(e->tail), 1));
    ball end = exponent_at(e, edge_of(e, e->columns));
    return ball_less_equal(ball_exp(ball_neg(end)), height);
}

bool envelope_tail_is_long(const envelope *e)
{
    ball end = edge_of(e, e->columns);
    ball next = ball_add(end, ratio_ball(e->tail));
    ball rise = ball_sub(exponent_at(e, next), exponent_at(e, end));
    return ball_less_equal(ball_ln2(), rise);
}

/* The least n >= 1 with n step >= factor * scale, compared exactly: both
 * products fit a double-double. */
static int64_t steps_to(double factor, double scale, int64_t step)
{
    ball target = ball_mul_d(ball_of(scale), factor);
    int64_t n = (int64_t)ceil(factor * scale / (double)step);
    n = n > 1 ? n - 1 : 1;
    while (ball_less(ball_mul(ball_of_int(n), ball_of_int(step)), target))
        n++;
    return n;
}

static envelope rounded_envelope(dosi_noise_law law)
{
    envelope e = {.law = law, .scale = 1, .brick = {1, 256}, .width = {1, 16}};
    bool gaussian = is_gaussian(&e);
    e.columns = gaussian ? 144 : 512;
    e.tail = gaussian ? (envelope_ratio){1, 8} : (envelope_ratio){3, 4};
    return e;
}

envelope envelope_of(dosi_noise_law law, double scale)
{
    envelope e = {.law = law, .scale = scale};
    if (!is_discrete(&e))
        return rounded_envelope(law);
    int64_t column = (int64_t)fmax(1, floor(scale / 16));
    e.brick = (envelope_ratio){
        1, scale >= 16  ? 256
           : scale >= 4 ? 1024
                        : 4096};
    e.width = (envelope_ratio){column, 1};
    e.columns = steps_to(is_gaussian(&e) ? 9 : 32, scale, column);
    e.tail = (envelope_ratio){
        steps_to(is_gaussian(&e) ? 0.125 : 0.75, scale, 1), 1};
    return e;
}
