/*
 * Plans along a curve: the same with another count, with all its noise
 * scaled, or with a number in its hole.
 */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dosi_status refuse(
    dosi_error *err, dosi_status status, const char *message)
{
    *err = (dosi_error){.status = status, .offset = DOSI_NO_OFFSET};
    snprintf(err->message, sizeof err->message, "%s", message);
    return err->status;
}

/* Whether a leaf has noise, which is its first parameter; the order of a
 * stated Renyi divergence is none. */
static bool is_noise(const dosi_plan *plan, const dosi_kind_info *info)
{
    return dosi_plan_child_count(plan) == 0 && info->n_parameters > 0 &&
           dosi_plan_kind(plan) != DOSI_RENYI &&
           info->parameters[0].safer == DOSI_SAFER_GREATER &&
           !info->parameters[0].is_list;
}

/* Noise that is, with more of it, the same with less and independent noise
 * added: every plan of it loses less then, as that is processing of what it
 * releases. Not so the discrete Gaussian. */
static bool is_divisible(const dosi_plan *plan)
{
    dosi_kind kind = dosi_plan_kind(plan);

    return kind == DOSI_GAUSSIAN || kind == DOSI_LAPLACE ||
           kind == DOSI_DISCRETE_LAPLACE;
}

/* What the noise of a plan is called and how much it is: that of its leaves
 * if they are alike, else a factor. */
static void find_noise(struct curve_source *out, const dosi_plan *plan)
{
    dosi_kind_info info = dosi_kind_at(dosi_plan_kind(plan));
    size_t n = dosi_plan_child_count(plan);

    for (size_t i = 0; i < n; i++)
        find_noise(out, dosi_plan_child(plan, i));
    if (!is_noise(plan, &info))
        return;
    double value = dosi_plan_parameter(plan, 0);
    if (!is_divisible(plan))
        out->direction = 0;
    if (out->parameter == NULL) {
        out->parameter = info.parameters[0].name;
        out->value = value;
    } else if (out->is_factor ||
               strcmp(out->parameter, info.parameters[0].name) != 0 ||
               out->value != value) {
        out->parameter = "noise_factor";
        out->is_factor = true;
        out->value = 1;
    }
}

/* The parameter that is the hole; whole when its rule says so. */
static bool find_hole(struct curve_source *out, const dosi_plan *plan)
{
    dosi_kind_info info = dosi_kind_at(dosi_plan_kind(plan));
    size_t n = dosi_plan_child_count(plan);

    for (size_t i = 0; i < info.n_parameters; i++)
        if (!info.parameters[i].is_list &&
            isnan(dosi_plan_parameter(plan, i))) {
            out->parameter = info.parameters[i].name;
            out->is_whole =
                strncmp(info.parameters[i].rule, "an integer", 10) == 0;
            out->direction = is_divisible(plan) ? -1 : 0;
            return true;
        }
    for (size_t i = 0; i < n; i++)
        if (find_hole(out, dosi_plan_child(plan, i)))
            return true;
    return false;
}

dosi_status curve_source_of(struct curve_source *out, enum curve_kind kind,
    const dosi_plan *plan, dosi_error *err)
{
    bool repeats = dosi_plan_kind(plan) == DOSI_REPEAT;
    bool has_hole = dosi_plan_has_hole(plan) != 0;

    *out = (struct curve_source){.plan = plan, .base = plan, .count = 1};
    if (kind == CURVE_STEPS) {
        out->is_whole = true;
        out->direction = 1;
        if (repeats) {
            out->base = dosi_plan_child(plan, 0);
            out->count = dosi_plan_parameter(plan, 0);
        }
        if (isnan(out->count))
            out->count = 0;
        if (dosi_plan_has_hole(out->base))
            return refuse(err, DOSI_EINVAL,
                "the curve over steps takes no hole except the count");
    } else if (kind == CURVE_NOISE) {
        out->direction = -1;
        if (has_hole)
            find_hole(out, plan);
        else
            find_noise(out, plan);
        if (out->parameter == NULL)
            return refuse(err, DOSI_EINVAL,
                "the plan has no noise to vary; put a \"?\" for the number to "
                "vary");
    } else if (has_hole) {
        return refuse(err, DOSI_EINVAL,
            "the plan has a hole \"?\"; only the kinds steps and noise take "
            "one");
    }
    return DOSI_OK;
}

double curve_part_count(const dosi_plan *plan)
{
    size_t n = dosi_plan_child_count(plan);
    double sum = n == 0 && dosi_plan_kind(plan) != DOSI_COMPOSE ? 1 : 0;

    for (size_t i = 0; i < n; i++)
        sum += curve_part_count(dosi_plan_child(plan, i));
    return sum;
}

/* The plan with x for all its noise, or with all its noise times x. */
static dosi_status scaled(const dosi_plan **out, const dosi_plan *plan,
    double x, bool is_factor, dosi_error *err)
{
    dosi_kind_info info = dosi_kind_at(dosi_plan_kind(plan));
    size_t n = dosi_plan_child_count(plan);
    double parameters[DOSI_MAX_PARAMETERS] = {0};
    dosi_status status = DOSI_OK;

    bool noisy = is_noise(plan, &info);
    if (n == 0 && !noisy) {
        *out = dosi_plan_retain(plan);
        return DOSI_OK;
    }
    *out = NULL;
    const dosi_plan **children = calloc(n + 1, sizeof(const dosi_plan *));
    if (children == NULL)
        return refuse(err, DOSI_ENOMEM, "out of memory");
    for (size_t i = 0; i < info.n_parameters; i++)
        parameters[i] = dosi_plan_parameter(plan, i);
    if (noisy)
        parameters[0] = is_factor ? parameters[0] * x : x;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status =
            scaled(&children[i], dosi_plan_child(plan, i), x, is_factor, err);
    if (status == DOSI_OK)
        status = dosi_plan_new(out, dosi_plan_kind(plan), parameters,
            info.n_parameters, children, n, err);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(children[i]);
    free(children);
    return status;
}

dosi_status curve_source_at(const dosi_plan **out, enum curve_kind kind,
    const struct curve_source *source, double x, dosi_error *err)
{
    if (kind == CURVE_STEPS)
        return dosi_plan_repeat(out, source->base, x, err);
    if (kind == CURVE_NOISE && source->value == 0)
        return dosi_plan_fill(out, source->plan, x, err);
    if (kind == CURVE_NOISE)
        return scaled(out, source->plan, x, source->is_factor, err);
    *out = dosi_plan_retain(source->plan);
    return DOSI_OK;
}
