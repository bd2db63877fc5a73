/*
 * Readers of mechanisms by name, with a table of the parameters of each.
 */
#include "profile_args.h"

#include <string.h>

#include "line_args.h"

typedef struct kind_name {
    const char *name;
    base_profile_kind kind;
    const char *first;
    const char *second; /* or NULL */
} kind_name;

static const kind_name kinds[] = {
    {"laplace", BASE_PROFILE_LAPLACE, "theta", NULL},
    {"gauss", BASE_PROFILE_GAUSSIAN, "theta", NULL},
    {"rr", BASE_PROFILE_RESPONSE, "p", NULL},
    {"dp", BASE_PROFILE_APPROX, "eps0", "delta0"},
};

static const char *const names[] = {"theta", "p", "eps0", "delta0"};

bool formula_text_is(
    const formula_args *args, const char *name, const char *word)
{
    size_t n = 0;
    const char *text = formula_text(args, name, &n);
    return n == strlen(word) && memcmp(text, word, n) == 0;
}

/* The kind among the first n_kinds that the row names, n_names of the
 * parameters being declared; NULL, with the reason in err, if not its own
 * parameters are given. */
static const kind_name *find_kind(
    const formula_args *args, size_t n_kinds, size_t n_names, dosi_error *err)
{
    const kind_name *kind = NULL;
    for (size_t i = 0; i < n_kinds; i++)
        if (formula_text_is(args, "mech", kinds[i].name))
            kind = &kinds[i];
    if (kind == NULL) {
        size_t n = 0;
        const char *name = formula_text(args, "mech", &n);
        (void)dosi_fail(err, DOSI_EINVAL,
            "mech is one of laplace, gauss%s, got '%.*s'",
            n_kinds == 4 ? ", rr and dp" : " and rr", n > 40 ? 40 : (int)n,
            name);
        return NULL;
    }
    for (size_t i = 0; i < n_names; i++) {
        bool wanted =
            strcmp(names[i], kind->first) == 0 ||
            (kind->second != NULL && strcmp(names[i], kind->second) == 0);
        if (formula_given(args, names[i]) == wanted)
            continue;
        (void)dosi_fail(err, DOSI_EINVAL, "mech=%s takes %s%s%s", kind->name,
            kind->first, kind->second == NULL ? "" : " and ",
            kind->second == NULL ? "" : kind->second);
        return NULL;
    }
    return kind;
}

dosi_status profile_read(
    base_profile *out, const formula_args *args, dosi_error *err)
{
    const kind_name *kind = find_kind(args, 4, 4, err);
    if (kind == NULL)
        return DOSI_EINVAL;
    *out = (base_profile){kind->kind, formula_ball(args, kind->first),
        kind->second == NULL ? ball_of(0) : formula_ball(args, kind->second)};
    return DOSI_OK;
}

dosi_status profile_read_law(
    chi_law *out, const formula_args *args, dosi_error *err)
{
    const kind_name *kind = find_kind(args, 3, 2, err);
    if (kind == NULL)
        return DOSI_EINVAL;
    ball x = formula_ball(args, kind->first);
    if (kind->kind == BASE_PROFILE_RESPONSE) {
        /* the largest loss is symmetric about p = 1/2 */
        ball odds = ball_div(x, ball_sub(ball_of(1), x));
        *out = chi_response(ball_abs(ball_log(odds)), 2);
    } else {
        *out = kind->kind == BASE_PROFILE_LAPLACE ? chi_laplace(x)
                                                  : chi_gaussian(x);
    }
    return DOSI_OK;
}

dosi_status group_read(
    base_profile_group *out, const formula_args *args, dosi_error *err)
{
    *out = BASE_PROFILE_WHITE;
    if (formula_text_is(args, "group", "white"))
        return DOSI_OK;
    *out = BASE_PROFILE_BLACK;
    if (formula_text_is(args, "group", "black"))
        return DOSI_OK;
    size_t n = 0;
    const char *text = formula_text(args, "group", &n);
    return dosi_fail(err, DOSI_EINVAL, "group is white or black, got '%.*s'",
        n > 40 ? 40 : (int)n, text);
}

dosi_status give_probability(dosi_interval *out, scaled value, dosi_error *err)
{
    ball x = scaled_ball(value);
    if (ball_is_unknown(x))
        return formula_give(out, x, err);
    return formula_give_interval(out, within(x, 0, 1), err);
}

dosi_status give_log_probability(
    dosi_interval *out, scaled value, dosi_error *err)
{
    ball x = scaled_log(value);
    if (ball_is_unknown(x))
        return formula_give(out, x, err);
    return formula_give_interval(out, within(x, -HUGE_VAL, 0), err);
}
