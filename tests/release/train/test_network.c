/*
 * Gradients of the models against a second implementation in long doubles,
 * which takes every sum in the reverse order, and against differences of its
 * losses; exp and tanh against the C library's; shapes and first weights.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "release/train/elementary.h"
#include "release/train/network.h"

#define MOST 64

/* ---- A second implementation -------------------------------------------- */

/* Outputs of the last layer; all activations in h. */
static void forward(long double *out, long double h[3][MOST],
    const struct network *net, const long double *theta, const double *x)
{
    for (size_t j = 0; j < net->layers[0].n_in; j++)
        h[0][j] = x[j];
    for (size_t l = 0; l < net->n_layers; l++) {
        const struct network_layer *layer = &net->layers[l];
        for (size_t i = 0; i < layer->n_out; i++) {
            const long double *w =
                theta + layer->first + i * (layer->n_in + 1);
            long double s = w[layer->n_in];
            for (size_t j = layer->n_in; j-- > 0;)
                s += w[j] * h[l][j];
            if (l + 1 < net->n_layers)
                h[l + 1][i] = tanhl(s);
            else
                out[i] = s;
        }
    }
}

static long double loss(const struct network *net, const long double *theta,
    const double *x, double label)
{
    long double out[MOST], h[3][MOST], sum = 0;
    forward(out, h, net, theta, x);
    switch (net->head) {
    case HEAD_LINEAR: {
        long double r = out[0] - label; /* quadratic near 0, linear beyond 1 */
        return fabsl(r) <= 1 ? r * r / 2 : fabsl(r) - 0.5L;
    }
    case HEAD_LOGISTIC:
        return logl(1 + expl(out[0])) - label * out[0];
    case HEAD_SOFTMAX:
        for (size_t i = 0; i < net->n_outputs; i++)
            sum += expl(out[i]);
        return logl(sum) - out[(size_t)label];
    }
    return 0;
}

/* ---- Cases -------------------------------------------------------------- */

struct shape {
    enum network_head head;
    size_t n_in, n_hidden, hidden[2], n_out;
};

static const struct shape shapes[] = {
    {HEAD_LINEAR, 5, 0, {0, 0}, 1},
    {HEAD_LOGISTIC, 9, 0, {0, 0}, 1},
    {HEAD_SOFTMAX, 7, 0, {0, 0}, 10},
    {HEAD_SOFTMAX, 1, 0, {0, 0}, 2},
    {HEAD_SOFTMAX, 12, 1, {8, 0}, 3},
    {HEAD_SOFTMAX, 6, 2, {5, 9}, 4},
    {HEAD_LINEAR, 4, 2, {3, 2}, 1},
};
#define N_SHAPES (sizeof shapes / sizeof *shapes)

static struct network network_of(const struct shape *s)
{
    struct network net;
    assert_int_equal(network_shape(&net, s->head, s->n_in, s->hidden,
                         s->n_hidden, s->n_out, NULL),
        DOSI_OK);
    return net;
}

static void test_gradients(void **state)
{
    (void)state;
    prop_random r = {5};
    for (size_t k = 0; k < N_SHAPES * (size_t)prop_count(40); k++) {
        struct network net = network_of(&shapes[k % N_SHAPES]);
        size_t n = net.n_parameters, n_in = net.layers[0].n_in;
        double theta[512], x[MOST], g[512];
        long double t[512];
        int32_t z[512];
        struct network_pass *pass;
        assert_true(n <= 512);
        for (size_t j = 0; j < n; j++)
            t[j] = theta[j] = prop_uniform(&r, -1, 1);
        for (size_t j = 0; j < n_in; j++)
            x[j] = prop_uniform(&r, 0, 1);
        x[n_in] = 1;
        double label = net.head == HEAD_LINEAR ? prop_uniform(&r, 0, 1)
                       : net.head == HEAD_LOGISTIC
                           ? (double)prop_below(&r, 2)
                           : (double)prop_below(&r, (int)net.n_outputs);
        assert_int_equal(network_pass_new(&pass, &net, NULL), DOSI_OK);
        network_pass_set(pass, theta);
        network_gradient_exact(g, pass, x, label);
        for (size_t j = 0; j < n; j++) {
            long double h = 1e-6L, at = t[j];
            t[j] = at + h;
            long double up = loss(&net, t, x, label);
            t[j] = at - h;
            long double down = loss(&net, t, x, label);
            t[j] = at;
            assert_true(fabsl((up - down) / (2 * h) - g[j]) < 1e-10L);
        }
        /* the clipped one is that gradient on the grid */
        struct clip_grid grid = clip_grid_of(0.5, 24);
        double squares = 0;
        for (size_t j = 0; j < n; j++)
            squares += g[j] * g[j];
        double f = fmin(1, 0.5 / sqrt(squares)) * 0x1p25;
        assert_true(network_gradient(z, pass, x, label, &grid));
        assert_true(clip_is_within(z, n, 24));
        for (size_t j = 0; j < n; j++)
            assert_true(fabs(f * g[j] - z[j]) < 1.001);
        network_pass_free(pass);
    }
}

static void test_predictions(void **state)
{
    (void)state;
    prop_random r = {6};
    for (size_t k = 0; k < N_SHAPES; k++) {
        struct network net = network_of(&shapes[k]);
        double theta[512], x[MOST], p[MOST];
        long double t[512], out[MOST], h[3][MOST], sum = 0;
        struct network_pass *pass;
        for (size_t j = 0; j < net.n_parameters; j++)
            t[j] = theta[j] = prop_uniform(&r, -3, 3);
        for (size_t j = 0; j < net.layers[0].n_in; j++)
            x[j] = prop_uniform(&r, 0, 1);
        x[net.layers[0].n_in] = 1;
        assert_int_equal(network_pass_new(&pass, &net, NULL), DOSI_OK);
        network_pass_set(pass, theta);
        network_predict(p, pass, x);
        forward(out, h, &net, t, x);
        if (net.head == HEAD_LINEAR)
            assert_true(fabsl(p[0] - out[0]) < 1e-13L);
        if (net.head == HEAD_LOGISTIC)
            assert_true(fabsl(p[1] - 1 / (1 + expl(-out[0]))) < 1e-14L &&
                        fabs(p[0] + p[1] - 1) < 1e-15);
        for (size_t i = 0; i < net.n_outputs; i++)
            sum += expl(out[i]);
        for (size_t i = 0; net.head == HEAD_SOFTMAX && i < net.n_outputs; i++)
            assert_true(fabsl(p[i] - expl(out[i]) / sum) < 1e-14L);
        network_pass_free(pass);
    }
}

/* Parameters that are not finite give no gradient, not a wrong one. */
static void test_diverged(void **state)
{
    (void)state;
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e308, -1e308};
    struct clip_grid grid = clip_grid_of(1, 24);
    for (size_t k = 0; k < N_SHAPES * 5; k++) {
        struct network net = network_of(&shapes[k % N_SHAPES]);
        double theta[512], x[MOST];
        int32_t z[512];
        uint64_t squares = 0;
        struct network_pass *pass;
        for (size_t j = 0; j < net.n_parameters; j++)
            theta[j] = j % 3 ? 0.5 : bad[k / N_SHAPES];
        for (size_t j = 0; j <= net.layers[0].n_in; j++)
            x[j] = 1;
        assert_int_equal(network_pass_new(&pass, &net, NULL), DOSI_OK);
        network_pass_set(pass, theta);
        bool good = network_gradient(z, pass, x, 0, &grid);
        for (size_t j = 0; j < net.n_parameters && good; j++)
            squares += (uint64_t)((int64_t)z[j] * z[j]);
        assert_true(squares <= (uint64_t)1 << 48);
        network_pass_free(pass);
    }
}

static void test_elementary(void **state)
{
    (void)state;
    prop_random r = {7};
    for (long i = 0; i < prop_count(100000); i++) {
        double x = prop_uniform(&r, -700, 700);
        double small = prop_sign(&r, prop_scaled(&r, -60, 5));
        long double e = expl((long double)x);
        assert_true(fabsl(element_exp(x) / e - 1) < 4 * DBL_EPSILON);
        assert_true(fabsl(element_tanh(small) - tanhl((long double)small)) <
                    2 * DBL_EPSILON);
    }
    assert_true(isnan(element_exp(NAN)) && isnan(element_tanh(NAN)));
    assert_true(element_exp(0) == 1 && element_tanh(0) == 0);
    assert_true(element_exp(-1e9) > 0 && element_exp(-HUGE_VAL) < 1e-300);
    assert_true(isfinite(element_exp(HUGE_VAL)));
    assert_true(element_tanh(40) == 1 && element_tanh(-1e300) == -1);
}

static void test_initial(void **state)
{
    (void)state;
    struct network net = network_of(&shapes[4]); /* 12-8-3 */
    double a[512], b[512], most = 0, mean = 0;
    network_initial(a, &net, 1);
    network_initial(b, &net, 1);
    assert_memory_equal(a, b, net.n_parameters * sizeof *a);
    for (size_t i = 0; i < 8; i++) {
        assert_true(a[i * 13 + 12] == 0); /* a bias */
        for (size_t j = 0; j < 12; j++) {
            most = fmax(most, fabs(a[i * 13 + j]));
            mean += a[i * 13 + j] / 96;
        }
    }
    assert_true(most <= sqrt(6.0 / 20) && most > 0.9 * sqrt(6.0 / 20));
    assert_true(fabs(mean) < 0.12);
    net = network_of(&shapes[2]);
    network_initial(a, &net, 1);
    for (size_t j = 0; j < net.n_parameters; j++)
        assert_true(a[j] == 0);
    size_t wide[2] = {1u << 20, 1u << 20};
    assert_int_equal(
        network_shape(&net, HEAD_SOFTMAX, 5, wide, 2, 3, NULL), DOSI_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_elementary),
        cmocka_unit_test(test_initial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
