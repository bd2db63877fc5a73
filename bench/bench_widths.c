/*
 * How narrow answers are by default: epsilon at delta of random plans of each
 * kind, at deltas from 1e-2 to 1e-100, and how many are wider than they should
 * be, 1e-9 for smooth plans and 1e-6 for those with atoms; those are listed.
 * Epsilons below 1e-250 count as 0, and infinite ones have no width. Prints;
 * decides nothing.
 *
 * usage: bench_widths [PLANS [SEED [KIND]]]
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_random.h"
#include "dosimeter.h"

#define TEXT 1024
#define N_PARTS 3

/* ---- Parts of plans, each written to text ------------------------------ */

static void put_gaussian(char *text)
{
    snprintf(text, TEXT, "gaussian(%.3g) * %.0f", log_uniform(0.5, 100),
        floor(log_uniform(1, 100)));
}

static void put_training(char *text)
{
    double rate = log_uniform(1e-5, 0.3);
    double count = fmin(log_uniform(0.01, 1e4) / rate, 1e8);
    snprintf(text, TEXT, "poisson(%.3g, gaussian(%.3g)) * %.0f", rate,
        log_uniform(0.4, 8), fmax(1, floor(count)));
}

static void put_base(char *text)
{
    static const struct {
        const char *head, *tail; /* the number stands between them */
        double least, most;
    } bases[] = {{"laplace(", ")", 0.3, 50}, {"rr(", ")", 0.02, 4},
        {"rr(", ", 7)", 0.02, 4}, {"pure(", ")", 0.02, 4},
        {"approx(", ", 1e-12)", 0.02, 4}, {"discrete_laplace(", ")", 0.3, 50},
        {"discrete_gaussian(", ")", 0.5, 30},
        {"pmf(p=[0.5, 0.3, 0.2], q=[0.5, ", ", 0.1])", 0.1, 0.4}};
    int i = below((int)(sizeof bases / sizeof *bases));
    snprintf(text, TEXT / 2, "%s%.3g%s", bases[i].head,
        log_uniform(bases[i].least, bases[i].most), bases[i].tail);
}

static void put_atoms(char *text)
{
    char base[TEXT / 2];
    double rate = below(2) ? 1 : log_uniform(1e-4, 0.3);
    double count = floor(log_uniform(1, 100 / rate));
    put_base(base);
    if (rate < 1)
        snprintf(text, TEXT, "poisson(%.3g, %s) * %.0f", rate, base, count);
    else
        snprintf(text, TEXT, "%s * %.0f", base, count);
}

static void put_exponential(char *text)
{
    snprintf(text, TEXT, "exponential(%.3g) * %.0f", log_uniform(0.02, 4),
        floor(log_uniform(1, 3000)));
}

/* ---- Kinds of plans ---------------------------------------------------- */

typedef void (*putting)(char *text);

static const struct kind {
    const char *name;
    putting parts[4];
    int n_parts; /* the first part is in every plan */
    int group;   /* of records, at most */
    dosi_neighbours neighbours;
    double width;
} kinds[] = {
    {"training", {put_training}, 1, 1, DOSI_ADD_REMOVE, 1e-9},
    {"smooth", {put_training, put_gaussian, put_training}, 3, 1,
        DOSI_ADD_REMOVE, 1e-9},
    {"groups", {put_training, put_gaussian}, 2, 8, DOSI_ADD_REMOVE, 1e-9},
    {"replace", {put_training, put_gaussian}, 2, 1, DOSI_REPLACE, 1e-9},
    {"atoms", {put_atoms}, 1, 1, DOSI_ADD_REMOVE, 1e-6},
    {"mixtures", {put_atoms, put_training, put_gaussian, put_atoms}, 4, 1,
        DOSI_ADD_REMOVE, 1e-6},
    {"exponential", {put_exponential}, 1, 1, DOSI_ADD_REMOVE, 1e-6},
    {"exponential mixtures",
        {put_exponential, put_atoms, put_training, put_gaussian}, 4, 1,
        DOSI_ADD_REMOVE, 1e-6},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static void put_plan(char *text, const struct kind *kind)
{
    char part[TEXT], all[N_PARTS * TEXT - 32] = "";
    int most = kind->n_parts < N_PARTS ? kind->n_parts : N_PARTS;
    int n = 1 + below(most);
    for (int i = 0; i < n; i++) {
        kind->parts[i == 0 ? 0 : below(kind->n_parts)](part);
        if (i > 0)
            strcat(all, " + ");
        strcat(all, part);
    }
    int group = 1 + below(kind->group);
    if (group > 1)
        snprintf(text, N_PARTS * TEXT, "group(%d, %s)", group, all);
    else
        snprintf(text, N_PARTS * TEXT, "%s", all);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double width_of(dosi_interval v)
{
    return v.hi < 1e-250 || v.lo == HUGE_VAL ? 0 : (v.hi - v.lo) / v.hi;
}

static void measure(const struct kind *kind, long n)
{
    static const double powers[] = {2, 5, 8, 10, 15, 20, 30, 45, 60, 80, 100};
    long n_wide = 0;
    double total_ms = 0, longest_ms = 0, widest = 0;
    for (long i = 0; i < n; i++) {
        char text[N_PARTS * TEXT];
        put_plan(text, kind);
        double power = powers[below((int)(sizeof powers / sizeof *powers))];
        const dosi_plan *plan = NULL;
        dosi_answer answer;
        dosi_error error;
        dosi_options options = DOSI_OPTIONS_INIT;
        options.neighbours = kind->neighbours;
        double start = now_ms();
        if (dosi_plan_parse(&plan, text, strlen(text), &error) != DOSI_OK ||
            dosi_epsilon_at_delta(
                &answer, plan, pow(10, -power), &options, &error) != DOSI_OK) {
            printf("    %s: %s\n", text, error.message);
            exit(1);
        }
        double ms = now_ms() - start;
        dosi_plan_free(plan);
        double width = width_of(answer.value);
        total_ms += ms;
        longest_ms = fmax(longest_ms, ms);
        /* also where it is no number */
        if (!(width <= kind->width)) {
            n_wide++;
            widest = fmax(widest, width);
            printf(
                "    %.1e at 1e-%g in %.1f ms: %s\n", width, power, ms, text);
        }
    }
    printf("%-20s %5ld plans, %ld wider than %.0e (%.1e at most); %.2f ms in "
           "the mean, %.0f at most\n",
        kind->name, n, n_wide, kind->width, widest, total_ms / (double)n,
        longest_ms);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    for (size_t i = 0; i < N_KINDS; i++) {
        state = seed;
        if (argc <= 3 || strcmp(argv[3], kinds[i].name) == 0)
            measure(&kinds[i], n);
    }
    return 0;
}
