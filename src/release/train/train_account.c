/*
 * The plan of a run: poisson(q, gaussian(sigma)) * T for Poisson samples and
 * without_replacement(m, n, gaussian(sigma)) * T for subsets, in a group of k
 * where a person has k rows. docs/theory/release_training.md 1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "train_run.h"

#define PLAN_BYTES 256

/* The text of the plan with a hole for sigma. */
static void plan_text(char *text, const dosi_training *t)
{
    const struct train_settings *s = &t->settings;
    char rate[DOSI_NUMBER_BYTES];
    char step[PLAN_BYTES / 2];

    if (s->sampler == TRAIN_POISSON) {
        dosi_print_exact(rate, t->rate);
        snprintf(step, sizeof step, "poisson(%s, gaussian(?)) * %.0f", rate,
            t->steps);
    } else {
        snprintf(step, sizeof step,
            "without_replacement(%.0f, %.0f, gaussian(?)) * %.0f", s->batch,
            t->examples, t->steps);
    }
    if (s->max_rows > 1)
        snprintf(text, PLAN_BYTES, "group(%.0f, %s)", s->max_rows, step);
    else
        snprintf(text, PLAN_BYTES, "%s", step);
}

/* sigma: what was given, or the least for epsilon and delta. */
static dosi_status find_sigma(
    dosi_training *t, const dosi_plan *with_hole, dosi_error *err)
{
    const struct train_settings *s = &t->settings;
    dosi_target target = {DOSI_TARGET_EPSILON, s->epsilon, s->delta};
    dosi_calibration found;

    if (s->noise > 0) {
        /* A subset's sum moves by up to 2 C. Halving is exact above the
         * least normal number. */
        t->sigma = s->sampler == TRAIN_POISSON ? s->noise : s->noise / 2;
        return DOSI_OK;
    }
    dosi_status status =
        dosi_calibrate(&found, with_hole, &target, 1, &t->accounting, err);
    t->sigma = found.value;
    return status;
}

/* Rounded Gaussian noise of deviation sigma R, or 2 sigma R for subsets: R is
 * a power of two, so that the product is exact or out of range. */
static dosi_status make_noise(dosi_training *t, dosi_error *err)
{
    int bits = t->grid.bits + (t->settings.sampler != TRAIN_POISSON);

    return dosi_noise_new(&t->noise, DOSI_NOISE_ROUND_GAUSSIAN,
        ldexp(t->sigma, bits), DOSI_TIMING_FAST, err);
}

dosi_status train_account(dosi_training *t, dosi_error *err)
{
    const struct train_settings *s = &t->settings;
    const dosi_plan *with_hole = NULL;
    char text[PLAN_BYTES];
    dosi_answer answer;

    t->steps = train_settings_steps(s, t->examples);
    if (!(t->steps > 0))
        return dosi_fail(err, DOSI_EINVAL,
            "epochs needs a positive decimal such as 60 or 1.5, and at most "
            "2^53 steps, got \"%.60s\"",
            s->epochs);
    t->rate = s->batch / t->examples;
    t->accounting.neighbours = s->neighbours;
    plan_text(text, t);
    dosi_status status = dosi_plan_parse(&with_hole, text, strlen(text), err);
    if (status == DOSI_OK)
        status = find_sigma(t, with_hole, err);
    if (status == DOSI_OK)
        status = make_noise(t, err);
    if (status == DOSI_OK)
        status = dosi_plan_fill(&t->plan, with_hole, t->sigma, err);
    if (status == DOSI_OK)
        status = dosi_epsilon_at_delta(
            &answer, t->plan, s->delta, &t->accounting, err);
    if (status == DOSI_OK)
        t->epsilon = answer.value;
    dosi_plan_free(with_hole);
    return status;
}
