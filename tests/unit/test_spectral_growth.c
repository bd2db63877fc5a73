/*
 * The error of the rule on a curved strip, against the integral over its edges
 * as it is written in docs/theory/spectral.md, section 2: never below it, and
 * near it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral_part.h"

static prop_random source;

static const double pi = 3.14159265358979323846;

/* The integrand at xi, but for the slope of the edge. */
static double written(const spectral_strip *s, double h, double xi)
{
    double mu = s->pair->parameter.hi, q = s->pair->rate.hi;
    double w = 1 + q * expm1(mu * xi - mu * mu / 2);
    double r = 1 - (1 - q) / w;
    double height = r > s->r0 ? s->b * s->r0 / r : s->b;
    double sine = sin(height / 2);
    double rho = sqrt(1 - 4 * r * (1 - r) * sine * sine);
    double theta = atan2(r * sin(height), 1 - r + r * cos(height));
    double size = exp(height * height / (2 * mu * mu) - xi * xi / 2) *
                  pow(w, s->p) * (s->p < 0 ? pow(rho, s->p) : 1);
    return size * (exp(s->outer * theta) + 1) / sqrt(2 * pi) /
           expm1(2 * pi * height / (mu * h));
}

static void strips_are_as_written(void **state)
{
    (void)state;
    double closest[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 200; i++) {
        bool add = i % 2;
        loss pair = {.noise = LOSS_GAUSSIAN,
            .map = add ? LOSS_ADD : LOSS_REMOVE,
            .parameter = ball_of(
                exp(prop_uniform(&source, log(0.1), log(2)))),
            .rate = ball_of(
                exp(prop_uniform(&source, log(0.01), log(0.9)))),
            .count = 1};
        double t = prop_uniform(&source, 0.3, 9);
        if (i % 8 == 1) { /* r is q, nearly, and 1 + v far from its zeros */
            pair.parameter = ball_of(0.1);
            pair.rate = ball_of(prop_uniform(&source, 0.2, 0.5));
            t += 9;
        }
        spectral_strip s = {.pair = &pair, .p = add ? -t : t + 1,
            .b = prop_uniform(&source, 0.2, 1.57),
            .r0 = exp(prop_uniform(&source, i % 8 == 1 ? 0 : -3, 0)),
            .outer = prop_uniform(&source, 0, 4), .digits = 20};
        double h = prop_uniform(&source, 0.2, 1.5), sum = 0;
        double end = 13 + fmax(s.p, 0) * pair.parameter.hi;
        for (double xi = -13; xi < end; xi += 1.0 / 64)
            sum += written(&s, h, xi) / 64;
        double bound = spectral_strip_log_error(&s, h, 0.125);
        assert_true(bound >= log(sum));
        closest[add] = fmin(closest[add], bound - log(sum));
    }
    /* the slope is taken at its steepest, pi/2 */
    assert_true(closest[0] < 1.2 && closest[1] < 1.2);
}

int main(void)
{
    source = prop_start("test_spectral_growth");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_are_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
