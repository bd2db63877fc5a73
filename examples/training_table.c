/*
 * Noisy training on 60000 records in batches of 256: the mu of the central
 * limit theorem, the mu that is certified for tests with errors of at least
 * 1e-6, and epsilon at delta = 1e-5 from below and by every route, as the
 * Markdown tables of docs/training.md. Noise and epochs are chosen here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

struct run {
    double sigma;
    int n_epochs, n_steps; /* 234 steps an epoch */
};

static const struct run runs[] = {
    {1.3, 15, 3510}, {1.1, 60, 14040}, {0.7, 45, 10530}};

static const dosi_plan *plan_of(
    const struct run *run, dosi_neighbours neighbours)
{
    const dosi_plan *plan = NULL;
    char text[128];
    const char *sampler = neighbours == DOSI_REPLACE
                              ? "without_replacement(256, 60000"
                              : "poisson(256/60000";
    snprintf(text, sizeof text, "%s, gaussian(%g)) * %d", sampler,
        run->sigma, run->n_steps);
    if (dosi_plan_parse(&plan, text, strlen(text), NULL) != DOSI_OK)
        return NULL;
    return plan;
}

/* What is safe to say, with 5 digits. */
static void write_upper(double x)
{
    char text[DOSI_NUMBER_BYTES];
    if (x < HUGE_VAL)
        dosi_print_upper(text, x, 5);
    printf(" %s |", x < HUGE_VAL ? text : "-");
}

/* What some data sets attain: epsilon is at least that. */
static void write_lower(const dosi_plan *plan, const dosi_options *opt)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_answer answer;
    if (dosi_epsilon_at_delta(&answer, plan, 1e-5, opt, NULL) != DOSI_OK)
        answer.value.lo = 0;
    dosi_print_lower(text, answer.value.lo, 5);
    printf(" %s |", text);
}

static int write_run(const struct run *run, dosi_neighbours neighbours)
{
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_gdp_limit limit;
    dosi_answer answer;
    const dosi_plan *plan = plan_of(run, neighbours);
    opt.neighbours = neighbours;
    if (plan == NULL ||
        dosi_gdp_limit_approx(&limit, plan, &opt, NULL) != DOSI_OK ||
        dosi_gdp_at_floor(&answer, plan, 1e-6, &opt, NULL) != DOSI_OK)
        return 1;
    printf("| %g | %d | %d | %.5f |", run->sigma, run->n_epochs,
        run->n_steps, limit.mu_approx);
    write_upper(answer.value.hi);
    write_lower(plan, &opt);
    for (size_t i = 0; i < dosi_route_count(); i++) {
        opt.route = dosi_route_at(i).name;
        dosi_status status =
            dosi_epsilon_at_delta(&answer, plan, 1e-5, &opt, NULL);
        write_upper(status == DOSI_OK ? answer.value.hi : HUGE_VAL);
    }
    putchar('\n');
    dosi_plan_free(plan);
    return 0;
}

static int write_table(dosi_neighbours neighbours)
{
    fputs("| sigma | epochs | steps | limit mu | mu | at least |", stdout);
    for (size_t i = 0; i < dosi_route_count(); i++)
        printf(" %s |", dosi_route_at(i).name);
    fputs("\n|", stdout);
    for (size_t i = 0; i < 6 + dosi_route_count(); i++)
        fputs(" --- |", stdout);
    putchar('\n');
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (write_run(&runs[i], neighbours) != 0)
            return 1;
    return 0;
}

int main(void)
{
    puts("Poisson samples, one record added or removed:\n");
    if (write_table(DOSI_ADD_REMOVE) != 0)
        return 1;
    puts("\nBatches without replacement, one record replaced:\n");
    return write_table(DOSI_REPLACE);
}
