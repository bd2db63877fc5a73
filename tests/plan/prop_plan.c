/*
 * Plans at random: text reads back, the normal form is a fixed point that
 * rewriting does not move, and it keeps what the plan means.
 *
 * Meaning is checked by a fingerprint that knows nothing of trees: every
 * mechanism is a pseudo-random number, composition adds, repetition
 * multiplies, all modulo 2^64. Two plans have one normal form exactly when
 * they have one fingerprint.
 */
#include "plan/normal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"

/* ---- Random plans ------------------------------------------------------ */

/* From a short list half of the time, so that equal parts meet. */
static double pick(prop_random *r, kind_range range)
{
    static const double few[][4] = {
        [RANGE_POSITIVE] = {1, 2, 0.1, 1e-300},
        [RANGE_NONNEGATIVE] = {0, 0, 1, 0.1},
        [RANGE_PROBABILITY] = {0, 1, 0.5, 0.1},
        [RANGE_ORDER] = {2, 8, 1.5, 1e10},
        [RANGE_LOSS] = {0, 1, -1, 0.5},
        [RANGE_CATEGORIES] = {2, 3, 10, 0x1p53},
        [RANGE_COUNT] = {1, 2, 3, 6},
    };
    if (prop_below(r, 2) == 0)
        return few[range][prop_below(r, 4)];
    switch (range) {
    case RANGE_POSITIVE:
    case RANGE_NONNEGATIVE:
        return prop_scaled(r, -1070, 1020);
    case RANGE_PROBABILITY:
        return prop_uniform(r, 0, 1);
    case RANGE_ORDER:
        return 1 + prop_scaled(r, -52, 20);
    case RANGE_LOSS:
        return prop_sign(r, prop_scaled(r, -1070, 1020));
    case RANGE_CATEGORIES:
    case RANGE_COUNT:
        return 2 + prop_below(r, 30);
    }
    return 1;
}

static const dosi_plan *random_pmf(prop_random *r)
{
    double p[4], q[4];
    size_t n = 1 + (size_t)prop_below(r, 4);
    bool same = prop_below(r, 2) == 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = i == 0 ? 1 : prop_below(r, 4);
        q[i] = same ? p[i] * 3 : i == 0 ? 2 : prop_below(r, 4);
    }
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_pmf(&plan, p, q, n, NULL), DOSI_OK);
    return plan;
}

/* Losses of 0 and above, so that any masses are those of a law. */
static const dosi_plan *random_loss(prop_random *r)
{
    double at[4], mass[4];
    size_t n = 1 + (size_t)prop_below(r, 4);
    for (size_t i = 0; i < n; i++) {
        at[i] = i > 0 && prop_below(r, 4) == 0 ? HUGE_VAL : prop_below(r, 3);
        mass[i] = i == 0 && n == 1 ? 1 : 0.25 / (1 + prop_below(r, 3));
    }
    dosi_loss_list list = {at, mass, n}, back = {at, mass, 1};
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_loss(&plan, &list,
                         prop_below(r, 2) ? &back : NULL, NULL),
        DOSI_OK);
    return plan;
}

static const dosi_plan *random_plan(prop_random *r, int depth, bool *hole);

static const dosi_plan *random_compose(prop_random *r, int depth, bool *hole)
{
    const dosi_plan *parts[5], *plan = NULL;
    size_t n = 1 + (size_t)prop_below(r, 5);
    for (size_t i = 0; i < n; i++)
        parts[i] = random_plan(r, depth - 1, hole);
    assert_int_equal(dosi_plan_compose(&plan, parts, n, NULL), DOSI_OK);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(parts[i]);
    return plan;
}

/* *hole says whether one may still be placed. */
static const dosi_plan *random_plan(prop_random *r, int depth, bool *hole)
{
    dosi_kind kind =
        (dosi_kind)prop_below(r, depth > 0 ? DOSI_KIND_COUNT : DOSI_NONPRIVATE);
    if (depth > 0 && prop_below(r, 3) == 0)
        kind = prop_below(r, 2) ? DOSI_REPEAT : DOSI_COMPOSE;
    if (kind == DOSI_NONPRIVATE && prop_below(r, 4) != 0)
        kind = DOSI_GAUSSIAN;
    if (kind == DOSI_PMF)
        return random_pmf(r);
    if (kind == DOSI_LOSS)
        return random_loss(r);
    if (kind == DOSI_COMPOSE)
        return random_compose(r, depth, hole);
    const kind_row *row = dosi_kind_row(kind);
    plan_spec spec = {.kind = kind, .hole = PLAN_NO_HOLE};
    for (size_t i = 0; i < row->n_parameters; i++)
        spec.parameters[i] = pick(r, row->parameters[i].range);
    if (kind == DOSI_WITHOUT_REPLACEMENT &&
        spec.parameters[0] > spec.parameters[1])
        spec.parameters[1] = spec.parameters[0];
    if (*hole && row->n_parameters > 0 && prop_below(r, 4) == 0) {
        spec.hole = (size_t)prop_below(r, (int)row->n_parameters);
        *hole = false;
    }
    const dosi_plan *child = NULL, *plan = NULL;
    if (row->n_children > 0) {
        child = random_plan(r, depth - 1, hole);
        spec.children = &child;
        spec.n_children = 1;
    }
    assert_int_equal(dosi_plan_make(&plan, &spec, NULL, NULL), DOSI_OK);
    dosi_plan_free(child);
    return plan;
}

/* ---- Rewriting --------------------------------------------------------- */

static const dosi_plan *make(
    dosi_kind kind, double x, const dosi_plan *const *children, size_t n)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_new(&plan, kind, &x,
                         kind == DOSI_COMPOSE ? 0 : 1, children, n, NULL),
        DOSI_OK);
    return plan;
}

/* plan, wrapped; its reference is taken over. */
static const dosi_plan *wrapped(dosi_kind kind, double x, const dosi_plan *plan)
{
    const dosi_plan *outer = make(kind, x, &plan, 1);
    dosi_plan_free(plan);
    return outer;
}

/* A batch that holds every record. */
static const dosi_plan *whole_batch(const dosi_plan *plan)
{
    const double sizes[] = {7, 7};
    const dosi_plan *result = NULL;
    assert_int_equal(dosi_plan_new(&result, DOSI_WITHOUT_REPLACEMENT, sizes,
                         2, &plan, 1, NULL),
        DOSI_OK);
    dosi_plan_free(plan);
    return result;
}

static const dosi_plan *rewrite(prop_random *r, const dosi_plan *plan);

/* The parts shuffled, and some of them bracketed. */
static const dosi_plan *rewrite_compose(prop_random *r, const dosi_plan *plan)
{
    const dosi_plan *parts[8];
    size_t n = plan->n_children;
    assert_true(n <= 8);
    for (size_t i = 0; i < n; i++)
        parts[i] = rewrite(r, plan->children[i]);
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)prop_below(r, (int)i);
        const dosi_plan *swap = parts[i - 1];
        parts[i - 1] = parts[j];
        parts[j] = swap;
    }
    while (n > 1 && prop_below(r, 2) == 0) {
        size_t k = 2 + (size_t)prop_below(r, (int)n - 1);
        const dosi_plan *inner = make(DOSI_COMPOSE, 0, parts + n - k, k);
        for (size_t i = n - k; i < n; i++)
            dosi_plan_free(parts[i]);
        n -= k - 1;
        parts[n - 1] = inner;
    }
    const dosi_plan *result = make(DOSI_COMPOSE, 0, parts, n);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(parts[i]);
    return result;
}

/* A count as a sum, a product, or written out. Not below a hole. */
static const dosi_plan *rewrite_repeat(prop_random *r, const dosi_plan *plan)
{
    double count = plan->parameters[0];
    const dosi_plan *child = rewrite(r, plan->children[0]), *result;
    if (plan->hole != PLAN_NO_HOLE) {
        const plan_spec spec = {.kind = DOSI_REPEAT,
            .hole = 0,
            .children = &child,
            .n_children = 1};
        assert_int_equal(dosi_plan_make(&result, &spec, NULL, NULL), DOSI_OK);
    } else if (count == 6) {
        result = wrapped(DOSI_REPEAT, 3, make(DOSI_REPEAT, 2, &child, 1));
    } else if (count == 2 && !child->has_hole) {
        const dosi_plan *const twice[] = {child, child};
        result = make(DOSI_COMPOSE, 0, twice, 2);
    } else if (count > 2 && !child->has_hole) {
        const dosi_plan *const both[] = {
            make(DOSI_REPEAT, count - 1, &child, 1), child};
        result = make(DOSI_COMPOSE, 0, both, 2);
        dosi_plan_free(both[0]);
    } else {
        result = make(DOSI_REPEAT, count, &child, 1);
    }
    dosi_plan_free(child);
    return result;
}

/* The same plan in other words. */
static const dosi_plan *rewrite(prop_random *r, const dosi_plan *plan)
{
    const dosi_plan *result = NULL;
    if (plan->kind == DOSI_COMPOSE) {
        result = rewrite_compose(r, plan);
    } else if (plan->kind == DOSI_REPEAT) {
        result = rewrite_repeat(r, plan);
    } else if (plan->n_children == 0) {
        result = dosi_plan_retain(plan);
    } else {
        plan_spec spec = {
            .kind = plan->kind, .hole = plan->hole, .n_children = 1};
        memcpy(spec.parameters, plan->parameters, sizeof spec.parameters);
        const dosi_plan *child = rewrite(r, plan->children[0]);
        spec.children = &child;
        assert_int_equal(dosi_plan_make(&result, &spec, NULL, NULL), DOSI_OK);
        dosi_plan_free(child);
    }
    switch (prop_below(r, 12)) {
    case 0:
        return wrapped(DOSI_REPEAT, 1, result);
    case 1:
        return wrapped(DOSI_GROUP, 1, result);
    case 2:
        return whole_batch(result);
    case 3: {
        const dosi_plan *nothing = make(DOSI_PURE, 0, NULL, 0);
        const dosi_plan *const both[] = {nothing, result};
        const dosi_plan *sum = make(DOSI_COMPOSE, 0, both, 2);
        dosi_plan_free(nothing);
        dosi_plan_free(result);
        return sum;
    }
    default:
        return result;
    }
}

/* ---- Meaning ----------------------------------------------------------- */

/* Rates of samples in samples multiply: odd 2^exponent, odd modulo 2^64. */
typedef struct meaning {
    bool nonprivate;
    uint64_t sum;
    bool is_sample; /* one Poisson sample of base, seen by one record */
    uint64_t odd, base;
    int exponent;
} meaning;

static uint64_t mix(uint64_t h, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    prop_random r = {h ^ (bits * 0x9e3779b97f4a7c15)};
    return prop_bits(&r);
}

static bool leaf_is_zero(const dosi_plan *leaf)
{
    const double *x = leaf->parameters, *p = leaf->list;
    switch ((int)leaf->kind) {
    case DOSI_PMF: /* small integers: products are exact */
        for (size_t i = 0, n = leaf->n_list[0]; i < n; i++)
            if (p[i] * p[n] != p[0] * p[n + i])
                return false;
        return true;
    case DOSI_LOSS: /* one entry of mass 1 at 0 */
        return leaf->n_list[0] == 1 && p[0] == 0 && p[1] == 1 &&
               (leaf->n_list[1] == 0 || (p[2] == 0 && p[3] == 1));
    case DOSI_RENYI:
        return x[1] == 0;
    case DOSI_APPROX:
    case DOSI_ZCDP:
        return x[0] == 0 && x[1] == 0 && x[2] == 0;
    case DOSI_NONPRIVATE:
        return false;
    default:
        return x[0] == 0;
    }
}

static meaning meaning_of(const dosi_plan *plan, double group);

static bool is_nothing(const meaning *m)
{
    return !m->nonprivate && m->sum == 0;
}

static meaning meaning_of_sum(const dosi_plan *plan, double group)
{
    meaning m = {0};
    for (size_t i = 0; i < plan->n_children; i++) {
        meaning part = meaning_of(plan->children[i], group);
        if (is_nothing(&part))
            continue;
        if (is_nothing(&m)) {
            m = part;
            continue;
        }
        m.sum += part.sum;
        m.nonprivate |= part.nonprivate;
        m.is_sample = false;
    }
    return m;
}

static meaning meaning_of_poisson(
    double rate, const meaning *inner, double group)
{
    uint64_t base = inner->nonprivate ? 77 : inner->sum;
    meaning m = {.is_sample = group == 1, .odd = 1, .base = base};
    if (inner->is_sample && !inner->nonprivate)
        m = (meaning){.is_sample = group == 1,
            .odd = inner->odd,
            .base = inner->base,
            .exponent = inner->exponent};
    int exponent;
    uint64_t bits = (uint64_t)ldexp(frexp(rate, &exponent), 53);
    for (exponent -= 53; bits % 2 == 0; bits /= 2)
        exponent++;
    m.odd *= bits;
    m.exponent += exponent;
    uint64_t h = mix(mix(m.base, group), (double)DOSI_POISSON);
    m.sum = mix(h ^ m.odd, m.exponent);
    return m;
}

static meaning meaning_of(const dosi_plan *plan, double group)
{
    const double *x = plan->parameters;
    meaning m = {0};
    if (plan->kind == DOSI_COMPOSE)
        return meaning_of_sum(plan, group);
    if (plan->kind == DOSI_REPEAT) {
        m = meaning_of(plan->children[0], group);
        m.sum *= (uint64_t)x[0];
        m.is_sample = m.is_sample && x[0] == 1;
        return m;
    }
    if (plan->kind == DOSI_GROUP)
        return meaning_of(plan->children[0], group * x[0]);
    uint64_t h = mix(mix(1, group), (double)plan->kind);
    if (plan->n_children > 0) { /* a sampler */
        if (plan->kind == DOSI_POISSON && x[0] == 0)
            return m;
        if (plan->kind == DOSI_WITHOUT_REPLACEMENT && x[0] == x[1])
            return meaning_of(plan->children[0], group);
        meaning inner = meaning_of(plan->children[0], 1);
        if (is_nothing(&inner))
            return m;
        if (plan->kind == DOSI_POISSON && !isnan(x[0]))
            return meaning_of_poisson(x[0], &inner, group);
        h ^= inner.nonprivate ? 77 : inner.sum;
        m.sum = mix(mix(h, x[0]), x[1]);
        return m;
    }
    if (leaf_is_zero(plan))
        return m;
    m.nonprivate = plan->kind == DOSI_NONPRIVATE ||
                   (plan->kind == DOSI_APPROX && x[1] == 1) ||
                   (plan->kind == DOSI_ZCDP && x[2] == 1);
    if (plan->kind == DOSI_APPROX && x[1] == 0)
        h = mix(mix(1, group), (double)DOSI_PURE);
    m.sum = mix(mix(mix(h, x[0]), x[1]), x[2]);
    for (size_t i = 0; i < plan_list_size(plan); i++)
        m.sum = mix(m.sum, plan->list[i]);
    return m;
}

static bool same_meaning(meaning a, meaning b)
{
    return a.nonprivate == b.nonprivate && (a.nonprivate || a.sum == b.sum);
}

/* ---- Properties -------------------------------------------------------- */

static prop_random start;

/* Text reads back as an equal plan with the same hash. */
static void check_text(const dosi_plan *plan)
{
    static char text[1 << 16];
    size_t length;
    const dosi_plan *again = NULL;
    dosi_error err = {0};
    assert_int_equal(
        dosi_plan_print(text, sizeof text, &length, plan, DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_true(length < sizeof text);
    if (dosi_plan_parse(&again, text, length, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    if (!dosi_plan_equal(plan, again))
        fail_msg("%s reads back as another plan", text);
    assert_true(dosi_plan_hash(plan) == dosi_plan_hash(again));
    dosi_plan_free(again);
}

static const dosi_plan *normal_of(const dosi_plan *plan)
{
    const dosi_plan *normal = NULL;
    dosi_error err = {0};
    if (dosi_plan_normal(&normal, plan, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return normal;
}

static void fail_with(const char *why, const dosi_plan *plan)
{
    static char text[1 << 16];
    size_t length;
    (void)!dosi_plan_print(
        text, sizeof text, &length, plan, DOSI_FORM_TEXT, NULL);
    fail_msg("%s: %s", why, text);
}

static void normal_form(void **state)
{
    (void)state;
    prop_random r = start;
    for (long i = prop_count(20000); i > 0; i--) {
        bool hole = prop_below(&r, 3) == 0;
        const dosi_plan *plan = random_plan(&r, prop_below(&r, 5), &hole);
        const dosi_plan *normal = normal_of(plan);
        const dosi_plan *again = normal_of(normal);
        check_text(plan);
        check_text(normal);
        if (!dosi_plan_equal(normal, again))
            fail_with("the normal form of this moves", plan);
        assert_int_equal(plan->has_hole, normal->has_hole);
        assert_true(normal->levels <= plan->levels);
        assert_true(normal->size <= plan->size);
        if (!plan->has_hole &&
            !same_meaning(meaning_of(plan, 1), meaning_of(normal, 1)))
            fail_with("the normal form changes the meaning of", plan);

        const dosi_plan *other = rewrite(&r, plan);
        const dosi_plan *other_normal = normal_of(other);
        check_text(other);
        if (!dosi_plan_equal(normal, other_normal))
            fail_with("rewriting changes the normal form of", plan);
        assert_true(dosi_plan_hash(normal) == dosi_plan_hash(other_normal));
        dosi_plan_free(other_normal);
        dosi_plan_free(other);
        dosi_plan_free(again);
        dosi_plan_free(normal);
        dosi_plan_free(plan);
    }
}

/* Small plans, so that equal ones turn up by chance. */
static void normal_forms_tell_meanings_apart(void **state)
{
    (void)state;
    prop_random r = {start.state + 1};
    long n_equal = 0, n = prop_count(30000);
    for (long i = 0; i < n; i++) {
        bool hole = false;
        const dosi_plan *a = random_plan(&r, prop_below(&r, 3), &hole);
        const dosi_plan *b = random_plan(&r, prop_below(&r, 3), &hole);
        const dosi_plan *a_normal = normal_of(a), *b_normal = normal_of(b);
        bool equal = dosi_plan_equal(a_normal, b_normal);
        if (equal != same_meaning(meaning_of(a, 1), meaning_of(b, 1)))
            fail_with("two meanings, or two normal forms, for", a);
        n_equal += equal;
        dosi_plan_free(a_normal);
        dosi_plan_free(b_normal);
        dosi_plan_free(a);
        dosi_plan_free(b);
    }
    assert_true(n_equal > n / 1000);
}

static void composing_is_repeating(void **state)
{
    (void)state;
    prop_random r = {start.state + 2};
    for (long i = prop_count(3000); i > 0; i--) {
        bool hole = false;
        size_t n = 2 + (size_t)prop_below(&r, 20);
        const dosi_plan *parts[22], *sum, *product;
        parts[0] = random_plan(&r, prop_below(&r, 3), &hole);
        for (size_t j = 1; j < n; j++)
            parts[j] = parts[0];
        sum = make(DOSI_COMPOSE, 0, parts, n);
        product = make(DOSI_REPEAT, (double)n, parts, 1);
        const dosi_plan *a = normal_of(sum), *b = normal_of(product);
        if (!dosi_plan_equal(a, b))
            fail_with("composed is not repeated", parts[0]);
        dosi_plan_free(a);
        dosi_plan_free(b);
        dosi_plan_free(sum);
        dosi_plan_free(product);
        dosi_plan_free(parts[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_form),
        cmocka_unit_test(normal_forms_tell_meanings_apart),
        cmocka_unit_test(composing_is_repeating),
    };
    start = prop_start("prop_plan");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
