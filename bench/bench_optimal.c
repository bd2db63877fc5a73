/*
 * Times of optimal composition and of finite laws, in microseconds a call.
 */
#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <time.h>

#include "finite/finite_law.h"
#include "finite/response_composition.h"

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void bench_optimal(double k, double eps0, double delta)
{
    ball e = ball_of(eps0), zero = ball_of(0), d = ball_of(delta);
    int n = k > 1e5 ? 20 : 2000;
    bool done = false;
    dosi_interval eps = {0, 0};
    double t0 = now_us();
    for (int i = 0; i < n; i++)
        eps = optimal_composition_epsilon(k, e, zero, d, ball_log(d), 0, &done);
    double t1 = now_us();
    for (int i = 0; i < n; i++)
        (void)optimal_composition_log_delta(k, e, zero, ball_of(eps.lo), 0);
    double t2 = now_us();
    for (int i = 0; i < n; i++)
        (void)optimal_composition_tradeoff(k, e, zero, 0.05, 0, &done);
    double t3 = now_us();
    printf("k = %-8g eps0 = %-8g epsilon %9.1f  delta %9.1f  "
           "trade-off %9.1f  (epsilon = %.12g)\n",
        k, eps0, (t1 - t0) / n, (t2 - t1) / n, (t3 - t2) / n, eps.hi);
}

/* 2 n responses of different epsilon, as one law and as two halves. */
static dosi_status response_half(finite_law **out, size_t n, double first)
{
    finite_law *law = NULL;
    dosi_status status =
        finite_leaky_response(&law, ball_of(first), ball_of(0), NULL);
    for (size_t i = 1; status == DOSI_OK && i < n; i++) {
        finite_law *one = NULL, *next = NULL;
        double eps = first + 0.0317 * (double)i;
        status = finite_leaky_response(&one, ball_of(eps), ball_of(0), NULL);
        if (status == DOSI_OK)
            status = finite_convolve(&next, law, one, 0, NULL);
        finite_free(one);
        finite_free(law);
        law = next;
    }
    *out = law;
    return status;
}

static int bench_halves(size_t n)
{
    ball d = ball_of(1e-6);
    finite_law *a = NULL, *b = NULL;
    double t0 = now_us();
    if (response_half(&a, n, 0.1) != DOSI_OK ||
        response_half(&b, n, 0.11) != DOSI_OK) {
        finite_free(a);
        return 1;
    }
    double t1 = now_us();
    dosi_interval eps = finite_product_epsilon(a, b, d, ball_log(d));
    double t2 = now_us();
    printf("%zu different responses: making %.0f, epsilon %.0f "
           "(epsilon = %.12g)\n",
        2 * n, t1 - t0, t2 - t1, eps.hi);
    finite_free(a);
    finite_free(b);
    return 0;
}

int main(void)
{
    printf("microseconds a call\n");
    bench_optimal(1, 1, 1e-6);
    bench_optimal(100, 0.1, 1e-6);
    bench_optimal(1000, 0.01, 1e-300);
    bench_optimal(1e4, 0.01, 1e-6);
    bench_optimal(1e6, 0.001, 1e-6);
    bench_optimal(1e6, 0.1, 1e-6);
    return bench_halves(5) || bench_halves(10) || bench_halves(14);
}
