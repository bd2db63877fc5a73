/*
 * Truths of several records, by tests/reference/group_truth.c: one line each,
 * epsilon, delta, how many are removed and added, rate, mu and runs.
 */
#ifndef DOSI_TESTS_SUPPORT_GROUP_TRUTHS_H
#define DOSI_TESTS_SUPPORT_GROUP_TRUTHS_H

#include <stdio.h>

#include <cmocka.h>

#include "loss/loss_law.h"

/* Asks for each line of a file; how many there were. */
static inline int split_truths_each(const char *path,
    void (*ask)(const loss_law *pair, double epsilon, const char *digits))
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char line[256], digits[64];
    int n = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        double epsilon, q, mu, count;
        unsigned removed, added;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lf,%63[^,],%u,%u,%lf,%lf,%lf",
                             &epsilon, digits, &removed, &added, &q, &mu,
                             &count),
            7);
        loss_law pair = {.noise = LOSS_GAUSSIAN,
            .map = LOSS_GROUP,
            .parameter = ball_of(mu),
            .rate = ball_of(q),
            .removed = removed,
            .added = added,
            .count = count};
        ask(&pair, epsilon, digits);
        n++;
    }
    assert_int_equal(fclose(f), 0);
    return n;
}

#endif
