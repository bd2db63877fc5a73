/*
 * What reading a table costs: count and sum of a CSV column, without and with
 * a user column, against a bare loop that finds lines and fields by memchr,
 * reads short decimals exactly and adds them up. All in turn on the same
 * bytes, on one core; ratios are of medians. The targets are 1/7 and 1/30.
 * Prints; decides nothing. The first argument multiplies the number of rows.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "release/table/reader/reader.h"

#define ROUNDS 7
#define CHUNK 65536

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2];
}

/* ---- Data -------------------------------------------------------------- */

static uint64_t state = 1;

static uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Lines like "123456,17,789.25". */
static char *table_new(size_t *n, size_t n_rows, size_t n_people)
{
    char *text = malloc(32 * n_rows + 64);
    if (text == NULL)
        abort();
    *n = (size_t)sprintf(text, "id,day,amount\n");
    for (size_t i = 0; i < n_rows; i++)
        *n += (size_t)sprintf(text + *n, "%u,%u,%u.%02u\n",
            (unsigned)(bits() % n_people), (unsigned)(bits() % 31),
            (unsigned)(bits() % 1000), (unsigned)(bits() % 100));
    return text;
}

/* ---- Readers ----------------------------------------------------------- */

/* Count and sum in cents: the least that any reader does. */
static long long bare(const char *s, const char *end)
{
    long long count = 0, sum = 0;
    s = memchr(s, '\n', (size_t)(end - s));
    for (s++; s < end; count++) {
        const char *line_end = memchr(s, '\n', (size_t)(end - s));
        s = memchr(s, ',', (size_t)(line_end - s));
        s = memchr(s + 1, ',', (size_t)(line_end - s - 1));
        long long v = 0, places = 0;
        int after = 0;
        for (s++; s < line_end; s++) {
            if (*s == '.') {
                after = 1;
                continue;
            }
            v = 10 * v + (*s - '0');
            places += after;
        }
        for (; places < 2; places++)
            v *= 10;
        sum += v;
        s = line_end + 1;
    }
    return count + sum;
}

struct query {
    struct table_layout layout;
    struct table_column columns[3];
    struct table_value values[1];
    struct table_item items[2];
    size_t keys[1];
};

static void query_new(struct query *q, int has_user)
{
    static char names[3][8] = {"amount", "id", "day"};
    memset(q, 0, sizeof *q);
    for (size_t i = 0; i < 3; i++)
        q->columns[i].name = names[i];
    q->columns[2].type = TABLE_INT64;
    q->values[0] = (struct table_value){0, 1, 100, 0, 50000, TABLE_MISSING};
    for (size_t i = 0; i < 2; i++)
        q->items[i] = (struct table_item){.limit = TABLE_BY_ROWS,
            .term = i == 0 ? TABLE_ONE : TABLE_SUM,
            .rules = {TABLE_NONE, TABLE_NONE},
            .first = i,
            .n_cells = 1,
            .unknown = TABLE_NONE};
    q->keys[0] = 2;
    q->layout = (struct table_layout){.columns = q->columns,
        .n_columns = has_user ? 3 : 1,
        .user = has_user ? 1 : TABLE_NONE,
        .keys = q->keys,
        .n_keys = has_user ? 1 : 0,
        .values = q->values,
        .n_values = 1,
        .items = q->items,
        .n_items = 2,
        .n_integers = 2,
        .max_rows = has_user ? 3 : INT64_MAX,
        .delimiter = ',',
        .decimal = '.',
        .has_header = true};
}

static void require(dosi_status status)
{
    if (status != DOSI_OK)
        abort();
}

static long long read_all(const char *text, size_t n, int has_user)
{
    struct query q;
    struct table_reader *reader;
    struct table_tally tally;
    query_new(&q, has_user);
    require(table_reader_new(&reader, &q.layout, NULL));
    for (size_t at = 0; at < n; at += CHUNK)
        require(table_reader_csv(
            reader, text + at, n - at < CHUNK ? n - at : CHUNK, NULL));
    require(table_reader_finish(&tally, reader, NULL));
    long long sum = (long long)(tally.integers[0] + tally.integers[1]);
    table_tally_free(&tally, &q.layout);
    table_reader_free(reader);
    return sum;
}

static long memory_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void compare_on(size_t n_rows, size_t n_people)
{
    double times[3][ROUNDS];
    size_t n;
    char *text = table_new(&n, n_rows, n_people);
    long long sink = 0;
    long before = memory_kb();
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        sink += bare(text, text + n);
        times[0][round] = now() - start;
        for (int has_user = 0; has_user < 2; has_user++) {
            start = now();
            sink += read_all(text, n, has_user);
            times[1 + has_user][round] = now() - start;
        }
    }
    static const char *const names[] = {
        "bare memchr loop", "count and sum", "with a user, k = 3"};
    double base = median(times[0]);
    printf("%zu rows of %.1f bytes, %zu people (%lld)\n", n_rows,
        (double)n / (double)n_rows, n_people, sink);
    for (int i = 0; i < 3; i++) {
        double t = median(times[i]);
        printf("  %-20s %7.1f M rows/s   1/%.1f\n", names[i],
            (double)n_rows / t * 1e-6, t / base);
    }
    printf("  %-20s %7.0f bytes a person\n", "memory at most",
        (double)(memory_kb() - before) * 1024 / (double)n_people);
    free(text);
}

int main(int argc, char **argv)
{
    size_t times = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1;
    compare_on(1000000 * times, 10000);
    compare_on(1000000 * times, 300000);
    return 0;
}
