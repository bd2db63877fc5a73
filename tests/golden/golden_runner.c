/*
 * Runs the golden files: blocks of a mechanism, a query, a value that the
 * answer must contain and a relative width that it must not exceed. The
 * value may have more digits than a double: it is compared in Arb.
 */
#include <arb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter.h"

#define BITS 400
#define LINE 512

typedef struct block {
    char mechanism[LINE];
    char query[LINE];
    char contains[LINE];
    char width[LINE];
    char source[LINE];
    char neighbours[LINE];
    int line;
} block;

static const struct {
    const char *key;
    size_t offset;
} keys[] = {
    {"mechanism", offsetof(block, mechanism)},
    {"query", offsetof(block, query)},
    {"contains", offsetof(block, contains)},
    {"width", offsetof(block, width)},
    {"source", offsetof(block, source)},
    {"neighbours", offsetof(block, neighbours)},
};

/* Splits "name(argument = value)". */
static int split_query(
    const char *query, char *name, char *argument, double *value)
{
    char number[LINE];
    if (sscanf(query, "%60[a-z_](%60[a-z_] = %60[^)])", name, argument,
            number) != 3)
        return 0;
    char *end = NULL;
    *value = strtod(number, &end);
    return *end == '\0';
}

static dosi_status ask(dosi_interval *out, const block *b,
    const dosi_plan *plan, dosi_error *err)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    char name[64], argument[64];
    double at = 0;
    dosi_answer answer = {0};
    dosi_status status = DOSI_ESYNTAX;
    if (strcmp(b->neighbours, "replace") == 0)
        options.neighbours = DOSI_REPLACE;
    if (!split_query(b->query, name, argument, &at))
        return status;
    if (strcmp(name, "epsilon") == 0 && strcmp(argument, "delta") == 0)
        status = dosi_epsilon_at_delta(&answer, plan, at, &options, err);
    if (strcmp(name, "epsilon") == 0 && strcmp(argument, "log_delta") == 0)
        status = dosi_epsilon_at_log_delta(&answer, plan, at, &options, err);
    if (strcmp(name, "delta") == 0 || strcmp(name, "log_delta") == 0)
        status = dosi_delta_at_epsilon(&answer, plan, at, &options, err);
    if (strcmp(name, "tradeoff") == 0)
        status = dosi_tradeoff_at_alpha(&answer, plan, at, &options, err);
    if (strcmp(name, "renyi") == 0)
        status = dosi_renyi_at_order(&answer, plan, at, &options, err);
    *out = strcmp(name, "log_delta") == 0 ? answer.log_value : answer.value;
    return status;
}

/* Whether lo <= the decimal <= hi, certainly. */
static int holds(dosi_interval x, const char *decimal)
{
    if (strcmp(decimal, "inf") == 0)
        return x.hi == HUGE_VAL;
    arb_t value, bound;
    arb_init(value);
    arb_init(bound);
    int inside = arb_set_str(value, decimal, BITS) == 0;
    arb_set_d(bound, x.lo);
    inside = inside && (x.lo == -HUGE_VAL || arb_le(bound, value) ||
                           strtod(decimal, NULL) == x.lo);
    arb_set_d(bound, x.hi);
    inside = inside && (x.hi == HUGE_VAL || arb_ge(bound, value) ||
                           strtod(decimal, NULL) == x.hi);
    arb_clear(value);
    arb_clear(bound);
    return inside;
}

static int is_narrow(dosi_interval x, const char *rule)
{
    double most = -1;
    if (sscanf(rule, "<= %lf", &most) != 1 || !(most >= 0))
        return 0;
    if (x.lo == x.hi)
        return 1;
    double size = fmax(fabs(x.lo), fabs(x.hi));
    /* a value that is 0, or nearly, has no relative width */
    return x.hi - x.lo <= most * size || (x.lo == 0 && x.hi <= most);
}

static int run_block(const block *b, const char *file)
{
    dosi_error err = {0};
    const dosi_plan *plan = NULL;
    dosi_interval x = {-HUGE_VAL, HUGE_VAL};
    if (b->contains[0] == '\0' || b->width[0] == '\0' ||
        b->source[0] == '\0') {
        printf("%s:%d: a block needs contains, width and source\n", file,
            b->line);
        return 1;
    }
    dosi_status status = dosi_plan_parse(
        &plan, b->mechanism, strlen(b->mechanism), &err);
    if (status == DOSI_OK)
        status = ask(&x, b, plan, &err);
    dosi_plan_free(plan);
    int good = status == DOSI_OK && holds(x, b->contains) &&
               is_narrow(x, b->width);
    if (!good)
        printf("%s:%d: %s, %s: [%.17g, %.17g] for %s, width %s %s\n", file,
            b->line, b->mechanism, b->query, x.lo, x.hi, b->contains,
            b->width, status == DOSI_OK ? "" : err.message);
    return !good;
}

static void read_line(block *b, const char *text)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t n = strlen(keys[i].key);
        if (strncmp(text, keys[i].key, n) != 0 || text[n] != ' ')
            continue;
        char *field = (char *)b + keys[i].offset;
        const char *value = text + n + strspn(text + n, " ");
        size_t length = strcspn(value, "\n");
        memcpy(field, value, length < LINE ? length : LINE - 1);
    }
}

static int run_file(const char *name, int *n_blocks)
{
    char path[LINE], text[LINE];
    snprintf(path, sizeof path, "%s/golden/%s", DOSI_TEST_DATA, name);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        printf("%s: cannot be read\n", path);
        return 1;
    }
    int failed = 0;
    block b = {0};
    for (int line = 1; fgets(text, sizeof text, f) != NULL; line++) {
        if (text[0] == '#')
            continue;
        if (text[0] != '\n') {
            if (b.line == 0)
                b.line = line;
            read_line(&b, text);
        } else if (b.line != 0) {
            failed += run_block(&b, name);
            *n_blocks += 1;
            b = (block){0};
        }
    }
    if (b.line != 0) {
        failed += run_block(&b, name);
        *n_blocks += 1;
    }
    fclose(f);
    return failed;
}

int main(void)
{
    static const char *const files[] = {
        "closed.golden", "composed.golden", "sampled.golden"};
    int failed = 0, n_blocks = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        failed += run_file(files[i], &n_blocks);
    printf("%d blocks, %d failed\n", n_blocks, failed);
    flint_cleanup();
    return failed != 0 || n_blocks < 50;
}
