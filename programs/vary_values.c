/*
 * Lists of values: numbers, ratios, and ranges with equally spaced points or
 * points of equal ratios. The ends of a range are exactly those given, its
 * other points are rounded to 12 digits.
 */
#include "vary_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 1000000

struct values {
    double *all;
    size_t n, capacity;
    bool is_whole;
};

static bool add(struct values *v, double x)
{
    if (v->is_whole)
        x = nearbyint(x);
    if (v->is_whole && v->n > 0 && v->all[v->n - 1] == x)
        return true; /* points of a range that are one integer */
    if (v->n == v->capacity) {
        size_t capacity = v->capacity > 0 ? 2 * v->capacity : 16;
        double *all = realloc(v->all, capacity * sizeof *all);
        if (all == NULL)
            return false;
        v->all = all;
        v->capacity = capacity;
    }
    v->all[v->n++] = x;
    return true;
}

/* LOW..HIGH:N or LOW..HIGH:N:log; false where it is none of them. */
static bool take_range(double *low, double *high, long *n, bool *is_log,
    const char *text, size_t length)
{
    char part[128];
    char *dots, *colon, *end;

    if (length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    dots = strstr(part, "..");
    colon = dots != NULL ? strchr(dots, ':') : NULL;
    if (colon == NULL)
        return false;
    *dots = '\0';
    *colon = '\0';
    *n = strtol(colon + 1, &end, 10);
    *is_log = strcmp(end, ":log") == 0;
    return cli_number_parse(low, part) && cli_number_parse(high, dots + 2) &&
           end != colon + 1 && (*end == '\0' || *is_log) && isfinite(*low) &&
           isfinite(*high) && *low < *high && *n >= 2 && *n <= MOST_VALUES &&
           (!*is_log || *low > 0);
}

/* Of 12 digits: what is meant to be 2 is not 1.9999999999999998. */
static double rounded(double x)
{
    char text[32];

    snprintf(text, sizeof text, "%.12g", x);
    return strtod(text, NULL); /* the program keeps the C locale */
}

static bool add_range(
    struct values *v, double low, double high, long n, bool is_log)
{
    bool good = true;

    for (long i = 0; i < n && good; i++) {
        double t = (double)i / (double)(n - 1);
        double x = is_log ? low * pow(high / low, t) : low + (high - low) * t;
        good = add(v, i == 0 ? low : i == n - 1 ? high : rounded(x));
    }
    return good;
}

/* One number, which an integer has to be already. */
static bool take_number(double *out, const char *text, size_t length)
{
    char part[64];

    if (length >= sizeof part)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    return cli_number_parse(out, part) && isfinite(*out);
}

static int read_list(struct values *v, const struct cli_arguments *args,
    const char *name, const char *text)
{
    bool is_whole = v->is_whole;

    for (;;) {
        size_t length = strcspn(text, ",");
        double low, high;
        bool is_log, good = true;
        long n;
        if (take_number(&low, text, length)) {
            v->is_whole = false; /* the plan refuses what is no integer */
            good = add(v, low);
            v->is_whole = is_whole;
        } else if (take_range(&low, &high, &n, &is_log, text, length)) {
            good = add_range(v, low, high, n, is_log);
        } else {
            return cli_usage(args,
                "--vary %s needs numbers or ranges LOW..HIGH:N or "
                "LOW..HIGH:N:log, with LOW below HIGH and N from 2 on, got "
                "\"%.*s\"",
                name, length < 64 ? (int)length : 64, text);
        }
        if (!good)
            return cli_no_memory();
        if (v->n > MOST_VALUES)
            return cli_usage(
                args, "--vary %s has more than %d values", name, MOST_VALUES);
        if (text[length] == '\0')
            return CLI_YES;
        text += length + 1;
    }
}

int vary_values_read(double **out, size_t *n, const struct cli_arguments *args,
    const char *name, const char *text, bool is_whole)
{
    struct values v = {.is_whole = is_whole};

    int status = read_list(&v, args, name, text);
    *out = v.all;
    *n = v.n;
    return status;
}
