/*
 * Figures 11 to 13: privacy profiles, profiles of groups, and profiles of
 * mechanisms on samples.
 */
#include "figure_curves.h"

#include <stdio.h>

static const struct kind profile_kinds[] = {
    {"laplace", "Laplace noise, θ = 1", false},
    {"gauss", "Gaussian noise, θ = 1", false},
    {"rr", "randomized response, ε₀ = 1", false},
};

static const struct kind group_kinds[] = {
    {"white2", "k = 2, white box", false},
    {"white4", "k = 4, white box", false},
    {"white8", "k = 8, white box", false},
    {"black2", "k = 2, black box", false},
    {"black4", "k = 4, black box", false},
    {"black8", "k = 8, black box", false},
};

static const struct kind amplified_kinds[] = {
    {"poisson_or_wor", "Poisson sample, or without replacement", false},
    {"wr_white", "with replacement, white box", false},
    {"wr_black", "with replacement, black box", false},
    {"poisson_sub_sharp", "Poisson sample under substitution", false},
    {"base", "no sample", false},
};

#define N_KINDS(kinds) (sizeof(kinds) / sizeof *(kinds))

/* A logarithmic axis goes down to here. */
static const double least = 1e-9;

/* The row at "parameters;name=x" for 101 x from 0 to last, or until it is
 * below what is shown. */
static bool along(struct picture *picture, int style, const char *row,
    const char *parameters, const char *name, double last)
{
    struct curve *c = new_curve(picture, style);
    for (int i = 0; i <= 100; i++) {
        double x = last * i / 100;
        c->x[c->n] = x;
        if (!evaluate(
                &c->y[c->n], false, row, "%s;%s=%.17g", parameters, name, x))
            return false;
        if (picture->y.is_log && c->y[c->n] < least)
            break;
        c->n++;
    }
    return true;
}

static bool make_single(struct picture *picture)
{
    picture->title = "Privacy profiles";
    picture->x = (svg_axis){"ε", false};
    picture->y = (svg_axis){"δ", false};
    picture->kinds = profile_kinds;
    picture->n_kinds = N_KINDS(profile_kinds);
    new_panel(picture, 11, 0, "");
    return along(picture, 0, "F004-1.laplace", "theta=1", "eps", 2) &&
           along(picture, 1, "F004-1.gauss", "theta=1", "eps", 2) &&
           along(picture, 2, "F004-1.rr", "eps0=1", "eps", 2);
}

static bool make_groups(struct picture *picture, const char *mech)
{
    static const int sizes[] = {2, 4, 8};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s;k=%d", mech, sizes[i]);
        if (!along(picture, i, "F004-2.white", text, "eps", 2) ||
            !along(picture, i + 3, "F004-2.black", text, "eps", 2))
            return false;
    }
    return true;
}

static bool make_amplified(struct picture *picture, const char *mech)
{
    char rate[64], draws[64], sized[64];
    snprintf(rate, sizeof rate, "%s;gamma=0.1", mech);
    snprintf(draws, sizeof draws, "%s;n=1000;m=100", mech);
    snprintf(sized, sizeof sized, "%s;n=1000;gamma=0.1", mech);
    return along(picture, 0, "F004-3.poisson_or_wor", rate, "epsp", 0.4) &&
           along(picture, 1, "F004-3.wr_white", draws, "epsp", 0.4) &&
           along(picture, 2, "F004-3.wr_black", draws, "epsp", 0.4) &&
           along(picture, 3, "F004-3.poisson_sub_sharp", sized, "epsp", 0.4) &&
           along(picture, 4, "F004-3.base", mech, "epsp", 0.4);
}

bool make_profiles(struct picture *picture, int number, char only)
{
    static const struct {
        const char *title, *group, *amplified_title, *amplified;
    } bases[] = {
        {"Laplace, θ = 0.5", "mech=laplace;theta=0.5", "Laplace, θ = 1",
            "mech=laplace;theta=1"},
        {"Gaussian, θ = 0.25", "mech=gauss;theta=0.25", "Gaussian, θ = 0.5",
            "mech=gauss;theta=0.5"},
    };
    bool is_group = number == 12;
    if (number == 11)
        return !only && make_single(picture);
    picture->title =
        is_group ? "Groups of k" : "A tenth of 1000 records: δ′ at ε′";
    picture->x = (svg_axis){is_group ? "ε" : "ε′", false};
    picture->y = (svg_axis){is_group ? "δ" : "δ′", !is_group};
    picture->kinds = is_group ? group_kinds : amplified_kinds;
    picture->n_kinds =
        is_group ? N_KINDS(group_kinds) : N_KINDS(amplified_kinds);
    for (char letter = 'a'; letter <= 'b'; letter++) {
        int i = letter - 'a';
        if (only && letter != only)
            continue;
        new_panel(picture, number, letter,
            is_group ? bases[i].title : bases[i].amplified_title);
        if (!(is_group ? make_groups(picture, bases[i].group)
                       : make_amplified(picture, bases[i].amplified)))
            return false;
    }
    return picture->n_panels > 0;
}
