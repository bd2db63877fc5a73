/*
 * Every line of oracles/oracle_*.csv, values of 20 digits and more from an
 * independent reference, through the formulary: the enclosure contains the
 * value and is narrow.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arb.h>

#include "dosimeter.h"
#include "num/interval.h"

#define PRECISION 200

/* A file, how its values are rounded, and how many lines it has at least. */
static const struct oracle {
    const char *name;
    double rounding;
    int n_lines;
} oracles[] = {
    {"oracle_000.csv", 1e-24, 700},
    {"oracle_001.csv", 1e-19, 606},
    {"oracle_002.csv", 1e-18, 945},
    {"oracle_003.csv", 1e-20, 1300},
    {"oracle_004.csv", 1e-24, 825},
    {"oracle_105.csv", 1e-24, 81},
};

/* Widest enclosure relative to the value; that of an order, which a flat
 * minimum leaves to half the digits; that of composed training. */
static const double max_width = 1e-12;
static const double max_order_width = 1e-10;
static const double max_training_width = 1e-10;

/* Whether x reaches the value, which is rounded at its last digit. */
static bool contains(dosi_interval x, const char *value, double rounding)
{
    if (strcmp(value, "inf") == 0)
        return x.hi == HUGE_VAL;
    arb_t v, end, slack;
    arb_init(v);
    arb_init(end);
    arb_init(slack);
    bool read = arb_set_str(v, value, PRECISION) == 0;
    arb_abs(slack, v);
    arb_set_d(end, rounding);
    arb_mul(slack, slack, end, PRECISION);
    arb_add_error(v, slack);
    arb_set_d(end, x.lo);
    bool above = !arb_gt(end, v);
    arb_set_d(end, x.hi);
    bool below = !arb_lt(end, v);
    arb_clear(v);
    arb_clear(end);
    arb_clear(slack);
    return read && above && below;
}

static bool is_narrow(const char *id, dosi_interval x)
{
    if (x.lo == x.hi)
        return true;
    double size = fmax(fabs(x.lo), fabs(x.hi));
    double width = max_width;
    if (strcmp(id, "Q002-2.2.lambda") == 0)
        width = max_order_width;
    if (strcmp(id, "T001-T10.eps") == 0)
        width = max_training_width;
    return x.hi - x.lo <= fmax(width * size, 1e-305);
}

/* Checks "id,params,value"; prints what is wrong. */
static bool check_line(char *line, double rounding)
{
    char *params = strchr(line, ',');
    char *value = params == NULL ? NULL : strrchr(params + 1, ',');
    if (value == NULL) {
        printf("no three fields: %s\n", line);
        return false;
    }
    *params++ = '\0';
    *value++ = '\0';
    dosi_interval x;
    dosi_error err;
    if (dosi_formula_eval(&x, line, params, &err) != DOSI_OK) {
        printf("%s,%s: %s: %s\n", line, params, dosi_status_name(err.status),
            err.message);
        return false;
    }
    bool inside = contains(x, value, rounding), narrow = is_narrow(line, x);
    if (!inside || !narrow)
        printf("%s,%s: [%.17g, %.17g] %s %s\n", line, params, x.lo, x.hi,
            inside ? "is wide for" : "misses", value);
    return inside && narrow;
}

/* Returns whether all of the file's lines passed. */
static bool check_file(const struct oracle *oracle)
{
    char path[512];
    (void)snprintf(
        path, sizeof path, "%s/oracles/%s", DOSI_TEST_DATA, oracle->name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        printf("cannot open %s\n", path);
        return false;
    }
    char line[4096];
    int passed = 0, failed = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || strcmp(line, "id,params,value") == 0)
            continue;
        if (check_line(line, oracle->rounding))
            passed++;
        else
            failed++;
    }
    (void)fclose(file);
    printf("%s: %d passed, %d failed\n", oracle->name, passed, failed);
    return failed == 0 && passed >= oracle->n_lines;
}

int main(void)
{
    bool passed = true;
    for (size_t i = 0; i < sizeof oracles / sizeof *oracles; i++)
        passed = check_file(&oracles[i]) && passed;
    flint_cleanup();
    return passed ? 0 : 1;
}
