/*
 * Names of a plan's numbers: its scalar parameters in the order in which
 * they are written, each with its kind and the rank of its part.
 */
#include "vary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vary_values.h"

/* One number of the plan. */
struct site {
    size_t node, parameter;
    dosi_kind kind;
    size_t rank;  /* of its part among those of its kind, from 1 */
    double value; /* NaN for the hole */
};

struct sites {
    struct site *all;
    size_t n, n_nodes;
    size_t n_of_kind[DOSI_KIND_COUNT];
    bool failed; /* memory ran out */
};

/* Other words for parameters: those of the plan's text, and of training. */
static const struct {
    const char *word, *name;
} aliases[] = {{"noise_multiplier", "sigma"}, {"sample_rate", "rate"},
    {"sampling_probability", "rate"}, {"steps", "count"}};

/* ---- The numbers of a plan -------------------------------------------------
 */

static void collect(struct sites *out, const dosi_plan *plan)
{
    dosi_kind kind = dosi_plan_kind(plan);
    dosi_kind_info info = dosi_kind_at(kind);
    size_t node = out->n_nodes++, rank = ++out->n_of_kind[kind];
    size_t n_children = dosi_plan_child_count(plan);

    for (size_t i = 0; i < info.n_parameters; i++) {
        if (info.parameters[i].is_list)
            continue;
        struct site *all = realloc(out->all, (out->n + 1) * sizeof *all);
        if (all == NULL) {
            out->failed = true;
            return;
        }
        out->all = all;
        all[out->n++] =
            (struct site){node, i, kind, rank, dosi_plan_parameter(plan, i)};
    }
    for (size_t i = 0; i < n_children && !out->failed; i++)
        collect(out, dosi_plan_child(plan, i));
}

static const char *parameter_name(const struct site *site)
{
    return dosi_kind_at(site->kind).parameters[site->parameter].name;
}

/* "gaussian.sigma", with the rank where there are several. */
static size_t site_text(
    char *text, size_t size, const struct sites *sites, const struct site *s)
{
    char rank[24] = "";

    if (sites->n_of_kind[s->kind] > 1)
        snprintf(rank, sizeof rank, "[%zu]", s->rank);
    int n = snprintf(text, size, "%s%s.%s", dosi_kind_at(s->kind).name, rank,
        parameter_name(s));
    return n > 0 ? (size_t)n : 0;
}

/* ---- Names -----------------------------------------------------------------
 */

/* A name by its parts. */
struct address {
    char kind[VARY_NAME_BYTES]; /* "" for any */
    size_t rank;                /* 0 for any */
    const char *parameter;
    bool is_hole;
};

/* False where it is no name at all. */
static bool parse_address(struct address *out, const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t n = dot != NULL ? strcspn(name, "[.") : 0;

    *out = (struct address){.parameter = dot != NULL ? dot + 1 : name,
        .is_hole = strcmp(name, "?") == 0};
    memcpy(out->kind, name, n);
    if (dot != NULL && name[n] == '[') {
        char *end;
        out->rank = strtoul(name + n + 1, &end, 10);
        if (out->rank == 0 || end[0] != ']' || end + 1 != dot)
            return false;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(out->parameter, aliases[i].word) == 0)
            out->parameter = aliases[i].name;
    return true;
}

static bool is_meant(const struct address *a, const struct site *s)
{
    if (a->is_hole)
        return isnan(s->value);
    return strcmp(a->parameter, parameter_name(s)) == 0 &&
           (a->kind[0] == '\0' ||
               strcmp(a->kind, dosi_kind_at(s->kind).name) == 0) &&
           (a->rank == 0 || a->rank == s->rank);
}

/* Names of numbers, those that are meant or all, as far as there is room. */
static void list_sites(char *text, size_t size, const struct sites *sites,
    const struct address *meant)
{
    const size_t room = VARY_NAME_BYTES;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sites->n; i++) {
        if (meant != NULL && !is_meant(meant, &sites->all[i]))
            continue;
        if (used + room > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(
            text + used, size - used, "%s", used > 0 ? ", " : "");
        used += site_text(text + used, size - used, sites, &sites->all[i]);
    }
}

/* The one number that the name means. An exit status. */
static int find_site(const struct site **out, const struct sites *sites,
    const struct cli_arguments *args, const char *name)
{
    struct address address;
    char names[192];
    size_t n_meant = 0;

    bool is_name = parse_address(&address, name);
    for (size_t i = 0; i < sites->n && is_name; i++)
        if (is_meant(&address, &sites->all[i])) {
            *out = &sites->all[i];
            n_meant++;
        }
    if (n_meant == 1)
        return CLI_YES;
    list_sites(names, sizeof names, sites, n_meant > 1 ? &address : NULL);
    if (n_meant > 1)
        return cli_usage(args, "--vary %s is one of %s", name, names);
    return cli_usage(args, "--vary %s is no number of the plan, which has %s",
        name, sites->n > 0 ? names : "none");
}

/* ---- Reading ---------------------------------------------------------------
 */

int vary_read(struct vary *out, const struct cli_arguments *args,
    const dosi_plan *plan, const char *text)
{
    const struct site *site = NULL;
    struct sites sites = {0};
    size_t n = strcspn(text, "=");

    *out = (struct vary){0};
    if (text[n] == '\0' || n == 0 || n >= sizeof out->name)
        return cli_usage(
            args, "--vary needs NAME=VALUES, as sigma=0.8,1, got \"%s\"", text);
    memcpy(out->name, text, n);
    collect(&sites, plan);
    int status = sites.failed ? cli_no_memory()
                              : find_site(&site, &sites, args, out->name);
    if (status == CLI_YES && site != NULL) {
        const char *rule =
            dosi_kind_at(site->kind).parameters[site->parameter].rule;
        out->node = site->node;
        out->parameter = site->parameter;
        status = vary_values_read(&out->values, &out->n, args, out->name,
            text + n + 1, strncmp(rule, "an integer", 10) == 0);
    }
    free(sites.all);
    return status;
}

void vary_free(struct vary *vary)
{
    free(vary->values);
}

/* ---- Plans -----------------------------------------------------------------
 */

struct changes {
    const struct vary *varied;
    const double *values;
    size_t n, n_nodes; /* so many nodes are behind */
};

static bool has_lists(const dosi_kind_info *info)
{
    for (size_t i = 0; i < info->n_parameters; i++)
        if (info->parameters[i].is_list)
            return true;
    return false;
}

static dosi_status change(const dosi_plan **out, const dosi_plan *plan,
    struct changes *c, dosi_error *err)
{
    dosi_kind_info info = dosi_kind_at(dosi_plan_kind(plan));
    size_t node = c->n_nodes++, n = dosi_plan_child_count(plan);
    double parameters[DOSI_MAX_PARAMETERS] = {0};
    dosi_status status = DOSI_OK;

    *out = NULL;
    if (has_lists(&info)) {
        *out = dosi_plan_retain(plan); /* no number of it has a name */
        return DOSI_OK;
    }
    const dosi_plan **children = calloc(n + 1, sizeof(const dosi_plan *));
    if (children == NULL) {
        *err = (dosi_error){.status = DOSI_ENOMEM,
            .offset = DOSI_NO_OFFSET,
            .message = "out of memory"};
        return DOSI_ENOMEM;
    }
    for (size_t i = 0; i < info.n_parameters; i++)
        parameters[i] = dosi_plan_parameter(plan, i);
    for (size_t i = 0; i < c->n; i++)
        if (c->varied[i].node == node)
            parameters[c->varied[i].parameter] = c->values[i];
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = change(&children[i], dosi_plan_child(plan, i), c, err);
    if (status == DOSI_OK)
        status = dosi_plan_new(out, dosi_plan_kind(plan), parameters,
            info.n_parameters, children, n, err);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(children[i]);
    free(children);
    return status;
}

dosi_status vary_plan(const dosi_plan **out, const dosi_plan *plan,
    const struct vary *varied, const double *values, size_t n, dosi_error *err)
{
    struct changes c = {.varied = varied, .values = values, .n = n};

    return change(out, plan, &c, err);
}

int vary_check(const struct vary *varied, size_t n,
    const struct cli_arguments *args, const dosi_plan *plan)
{
    double *values = calloc(n, sizeof *values);
    int status = CLI_YES;

    if (values == NULL)
        return cli_no_memory();
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < varied[k].n && status == CLI_YES; i++) {
            const dosi_plan *one;
            dosi_error err;
            for (size_t j = 0; j < n; j++)
                values[j] = varied[j].values[j == k ? i : 0];
            if (vary_plan(&one, plan, varied, values, n, &err) != DOSI_OK)
                status = cli_usage(
                    args, "--vary %s: %s", varied[k].name, err.message);
            dosi_plan_free(one);
        }
    free(values);
    return status;
}
