/*
 * Every line of oracles/oracle_000.csv, values of 25 digits from an
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

/* Widest enclosure relative to the value. */
static const double max_width = 1e-12;

/* Whether x reaches the value, which is rounded at its 25th digit. */
static bool contains(dosi_interval x, const char *value)
{
    if (strcmp(value, "inf") == 0)
        return x.hi == HUGE_VAL;
    arb_t v, end, slack;
    arb_init(v);
    arb_init(end);
    arb_init(slack);
    bool read = arb_set_str(v, value, PRECISION) == 0;
    arb_abs(slack, v);
    arb_set_d(end, 1e-24);
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

static bool is_narrow(dosi_interval x)
{
    if (x.lo == x.hi)
        return true;
    double size = fmax(fabs(x.lo), fabs(x.hi));
    return x.hi - x.lo <= fmax(max_width * size, 1e-305);
}

/* Checks "id,params,value"; prints what is wrong. */
static bool check_line(char *line)
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
    bool inside = contains(x, value), narrow = is_narrow(x);
    if (!inside || !narrow)
        printf("%s,%s: [%.17g, %.17g] %s %s\n", line, params, x.lo, x.hi,
            inside ? "is wide for" : "misses", value);
    return inside && narrow;
}

int main(void)
{
    FILE *file = fopen(DOSI_TEST_DATA "/oracles/oracle_000.csv", "r");
    if (file == NULL) {
        printf("cannot open oracle_000.csv\n");
        return 1;
    }
    char line[4096];
    int passed = 0, failed = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || strcmp(line, "id,params,value") == 0)
            continue;
        if (check_line(line))
            passed++;
        else
            failed++;
    }
    (void)fclose(file);
    flint_cleanup();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed < 700;
}
