/*
 * The accountant on sampled plans against brute force in exact rationals:
 * random mechanisms on all samples of three records, two adaptive steps, in
 * both orders of the neighbours, never lose more than the answer for their
 * stated epsilon; and where a theorem is attained, the membership mechanism
 * attains it.
 */
#include <gmp.h>
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "support/random.h"

#define RECORDS 4 /* a and b are shared, then v and v' */
#define SAMPLES 256 /* multiplicities 0 to 3 of each, two bits a record */
#define OUTPUTS 3

static int failures = 0;

typedef enum sampler_kind { POISSON, WITHOUT, WITH } sampler_kind;

/* ---- Samples ----------------------------------------------------------- */

static int count_of(int sample, int record)
{
    return (sample >> (2 * record)) & 3;
}

static int size_of(int sample)
{
    int n = 0;
    for (int i = 0; i < RECORDS; i++)
        n += count_of(sample, i);
    return n;
}

/* Whether one step leads from one to the other. */
static bool are_neighbours(int a, int b, bool replace)
{
    int apart = 0;
    for (int i = 0; i < RECORDS; i++)
        apart += abs(count_of(a, i) - count_of(b, i));
    return replace ? apart == 2 && size_of(a) == size_of(b) : apart == 1;
}

/* Adds weight to each sample that the data may give; all of them together
 * weigh base^3, base^2 or what C(3, 2) is. */
static void sample_poisson(long *law, int data, long hit, long base)
{
    for (int mask = 0; mask < 1 << RECORDS; mask++) {
        long weight = 1;
        int sample = 0;
        for (int i = 0; i < RECORDS; i++) {
            bool in = (mask >> i) & 1, has = (data >> i) & 1;
            if (in)
                sample |= 1 << (2 * i);
            weight *= has ? (in ? hit : base - hit) : (in ? 0 : 1);
        }
        law[sample] += weight;
    }
}

static void sample_pairs(long *law, int data, bool again)
{
    for (int i = 0; i < RECORDS; i++)
        for (int j = 0; j < RECORDS; j++)
            if (((data >> i) & 1) && ((data >> j) & 1) && (again || i != j))
                law[(1 << (2 * i)) + (1 << (2 * j))]++;
}

static void set_law(
    mpq_t *out, sampler_kind kind, int data, long hit, long base)
{
    long law[SAMPLES] = {0}, sum = 0;
    if (kind == POISSON)
        sample_poisson(law, data, hit, base);
    else
        sample_pairs(law, data, kind == WITH);
    for (int y = 0; y < SAMPLES; y++)
        sum += law[y];
    for (int y = 0; y < SAMPLES; y++) {
        mpq_set_si(out[y], law[y], (unsigned long)sum);
        mpq_canonicalize(out[y]);
    }
}

/* ---- Mechanisms -------------------------------------------------------- */

typedef struct kernel {
    int weight[SAMPLES][OUTPUTS];
    int sum[SAMPLES];
} kernel;

static void random_kernel(kernel *k, prop_random *r)
{
    int least = 4 + prop_below(r, 20);
    for (int y = 0; y < SAMPLES; y++) {
        k->sum[y] = 0;
        for (int o = 0; o < OUTPUTS; o++) {
            k->weight[y][o] = least + prop_below(r, 8);
            k->sum[y] += k->weight[y][o];
        }
    }
}

/* Randomized response on whether v is in the sample. */
static void membership_kernel(kernel *k, int p, int q)
{
    for (int y = 0; y < SAMPLES; y++) {
        bool in = count_of(y, 2) > 0;
        k->weight[y][0] = in ? p : q;
        k->weight[y][1] = in ? q : p;
        k->weight[y][2] = 0;
        k->sum[y] = p + q;
    }
}

/* The greatest loss between neighbouring samples, rounded up. */
static double epsilon_of(const kernel *k, bool replace)
{
    double most = 1;
    for (int a = 0; a < SAMPLES; a++)
        for (int b = 0; b < SAMPLES; b++)
            for (int o = 0; o < OUTPUTS; o++)
                if (are_neighbours(a, b, replace) && k->weight[b][o] > 0)
                    most = fmax(most, (double)k->weight[a][o] * k->sum[b] /
                                          ((double)k->weight[b][o] *
                                              k->sum[a]));
    return log(most) * (1 + 1e-14) + 1e-15;
}

/* The law of the answer. */
static void answer_law(mpq_t *out, mpq_t *law, const kernel *k)
{
    mpq_t term;
    mpq_init(term);
    for (int o = 0; o < OUTPUTS; o++) {
        mpq_set_ui(out[o], 0, 1);
        for (int y = 0; y < SAMPLES; y++) {
            if (mpq_sgn(law[y]) == 0)
                continue;
            mpq_set_ui(term, (unsigned long)k->weight[y][o],
                (unsigned long)k->sum[y]);
            mpq_canonicalize(term);
            mpq_mul(term, term, law[y]);
            mpq_add(out[o], out[o], term);
        }
    }
    mpq_clear(term);
}

/* sum [P - alpha Q]_+ over two steps, the second chosen by the first; with
 * one step when others is NULL. */
static double hockey(mpq_t *law_p, mpq_t *law_q, const kernel *first,
    const kernel *others, double alpha)
{
    mpq_t p[OUTPUTS], q[OUTPUTS], p2[OUTPUTS], q2[OUTPUTS], sum, a, b, x;
    mpq_inits(sum, a, b, x, NULL);
    mpq_set_d(x, alpha);
    for (int o = 0; o < OUTPUTS; o++)
        mpq_inits(p[o], q[o], p2[o], q2[o], NULL);
    answer_law(p, law_p, first);
    answer_law(q, law_q, first);
    for (int o = 0; o < OUTPUTS; o++) {
        if (others != NULL) {
            answer_law(p2, law_p, &others[o]);
            answer_law(q2, law_q, &others[o]);
        }
        for (int i = 0; i < (others != NULL ? OUTPUTS : 1); i++) {
            mpq_set(a, p[o]);
            mpq_mul(b, q[o], x);
            if (others != NULL) {
                mpq_mul(a, a, p2[i]);
                mpq_mul(b, b, q2[i]);
            }
            mpq_sub(a, a, b);
            if (mpq_sgn(a) > 0)
                mpq_add(sum, sum, a);
        }
    }
    double found = mpq_get_d(sum);
    for (int o = 0; o < OUTPUTS; o++)
        mpq_clears(p[o], q[o], p2[o], q2[o], NULL);
    mpq_clears(sum, a, b, x, NULL);
    return found;
}

/* ---- Questions --------------------------------------------------------- */

static dosi_interval delta_of(
    const char *text, double epsilon, dosi_neighbours neighbours)
{
    const dosi_plan *plan = NULL;
    dosi_answer a = {.value = {0, 0}};
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = neighbours;
    dosi_status status =
        dosi_plan_parse(&plan, text, strlen(text), &err);
    if (status == DOSI_OK)
        status = dosi_delta_at_epsilon(&a, plan, epsilon, &options, &err);
    dosi_plan_free(plan);
    if (status != DOSI_OK) {
        printf("%s: %s\n", text, err.message);
        failures++;
        return (dosi_interval){0, 1};
    }
    return a.value;
}

typedef struct setting {
    sampler_kind kind;
    dosi_neighbours neighbours;
    bool base_replaces; /* the relation of what is sampled */
} setting;

static const setting settings[] = {
    {POISSON, DOSI_ADD_REMOVE, false},
    {POISSON, DOSI_REPLACE, false},
    {WITHOUT, DOSI_REPLACE, true},
    {WITH, DOSI_REPLACE, true},
    {WITH, DOSI_ADD_REMOVE, true},
};

static mpq_t law_x[SAMPLES], law_y[SAMPLES];

/* The two data sets, three records and their neighbour. */
static void set_laws(const setting *s, long hit, long base)
{
    int other = s->neighbours == DOSI_REPLACE ? 11 : 3; /* a b v', or a b */
    set_law(law_x, s->kind, 7, hit, base);
    set_law(law_y, s->kind, other, hit, base);
}

static void plan_text(char *text, size_t n, const setting *s, long hit,
    long base, double epsilon, int steps)
{
    char one[200];
    if (s->kind == POISSON)
        (void)snprintf(one, sizeof one, "poisson(%ld/%ld, pure(%.17g))", hit,
            base, epsilon);
    else
        (void)snprintf(one, sizeof one, "%s(2, 3, pure(%.17g))",
            s->kind == WITH ? "with_replacement" : "without_replacement",
            epsilon);
    (void)snprintf(text, n, "%s * %d", one, steps);
}

/* Two adaptive steps of random mechanisms, in both orders. */
static void prop_composed(prop_random *r)
{
    static kernel first, others[OUTPUTS];
    const setting *s =
        &settings[prop_below(r, (int)(sizeof settings / sizeof *settings))];
    long base = 64, hit = 1 + prop_below(r, 63);
    char text[300];
    random_kernel(&first, r);
    double eps0 = epsilon_of(&first, s->base_replaces);
    for (int o = 0; o < OUTPUTS; o++) {
        random_kernel(&others[o], r);
        eps0 = fmax(eps0, epsilon_of(&others[o], s->base_replaces));
    }
    set_laws(s, hit, base);
    plan_text(text, sizeof text, s, hit, base, eps0, 2);
    double eps = prop_below(r, 4) == 0 ? 0 : prop_uniform(r, 0, eps0);
    double alpha = exp(eps) * (1 + 1e-14); /* at least e^eps */
    double bound = delta_of(text, eps, s->neighbours).hi;
    for (int back = 0; back < 2; back++) {
        double exact = hockey(back ? law_y : law_x, back ? law_x : law_y,
            &first, others, alpha);
        if (exact * (1 - 1e-15) <= bound)
            continue;
        printf("%s at %.17g: %.17g > %.17g\n", text, eps, exact, bound);
        failures++;
    }
}

/* One step of the membership mechanism: T004-8 and T004-9 are attained. */
static void prop_attained(prop_random *r)
{
    static kernel membership;
    const setting *s = &settings[prop_below(r, 2) == 0 ? 0 : 2];
    long base = 64, hit = 1 + prop_below(r, 63);
    int q = 1 + prop_below(r, 20), p = q + 1 + prop_below(r, 60);
    char text[300];
    membership_kernel(&membership, p, q);
    double eps0 = log((double)p / q);
    set_laws(s, hit, base);
    plan_text(text, sizeof text, s, hit, base, eps0, 1);
    double eps = prop_uniform(r, 0, eps0 / 4);
    dosi_interval found = delta_of(text, eps, s->neighbours);
    double exact =
        hockey(law_x, law_y, &membership, NULL, exp(eps));
    if (fabs(found.hi - exact) > 1e-12 || found.lo > exact + 1e-12) {
        printf("%s at %.17g: [%.17g, %.17g] against %.17g\n", text, eps,
            found.lo, found.hi, exact);
        failures++;
    }
}

int main(void)
{
    prop_random r = prop_start("prop_subsampling_account");
    for (int y = 0; y < SAMPLES; y++)
        mpq_inits(law_x[y], law_y[y], NULL);
    for (long i = prop_count(12); i > 0; i--)
        prop_composed(&r);
    for (long i = prop_count(40); i > 0; i--)
        prop_attained(&r);
    for (int y = 0; y < SAMPLES; y++)
        mpq_clears(law_x[y], law_y[y], NULL);
    printf("%d failures\n", failures);
    return failures != 0;
}
