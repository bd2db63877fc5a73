/*
 * The plans of tests/oracles/contour_truth.csv: one ordered pair each, as
 * parts separated by blanks, "letter:parameters:count". Numbers are doubles.
 *
 *   g:mu             Gaussian noise, Z ~ N(mu^2/2, mu^2)
 *   r:q:mu, a:q:mu   sampled: mixture against base, base against mixture
 *   l:a              Laplace noise of scale 1/a
 *   e:eps            the law of bounded range
 *   f:eps0:delta0    the worst (eps0, delta0) pair
 *   p:p1:p2:p3:q1:q2:q3   two lists, each divided by its sum
 */
#ifndef DOSI_TESTS_REFERENCE_CONTOUR_PLAN_H
#define DOSI_TESTS_REFERENCE_CONTOUR_PLAN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_PARTS 6

typedef struct plan_part {
    char kind;
    double value[6];
    double count;
} plan_part;

typedef struct plan_text {
    int n;
    plan_part part[PLAN_PARTS];
} plan_text;

static inline int plan_arity(char kind)
{
    switch (kind) {
    case 'g':
    case 'l':
    case 'e':
        return 1;
    case 'r':
    case 'a':
    case 'f':
        return 2;
    case 'p':
        return 6;
    default:
        return -1;
    }
}

/* False for text that is no plan. */
static inline bool plan_read(plan_text *out, const char *text)
{
    char *at = NULL;
    out->n = 0;
    while (*text != '\0' && *text != '\n' && out->n < PLAN_PARTS) {
        plan_part *p = &out->part[out->n++];
        p->kind = *text++;
        int arity = plan_arity(p->kind);
        for (int i = 0; i <= arity; i++) {
            if (*text++ != ':')
                return false;
            double x = strtod(text, &at);
            if (at == text)
                return false;
            if (i < arity)
                p->value[i] = x;
            else
                p->count = x;
            text = at;
        }
        if (arity < 0)
            return false;
        text += *text == ' ';
    }
    return out->n > 0 && (*text == '\0' || *text == '\n');
}

static inline bool plan_has(const plan_text *p, const char *kinds)
{
    for (int i = 0; i < p->n; i++)
        if (strchr(kinds, p->part[i].kind) != NULL)
            return true;
    return false;
}

#endif
