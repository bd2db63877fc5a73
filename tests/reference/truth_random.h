/*
 * Random plans for tests/oracles/contour_truth.csv. Part of
 * contour_truth.c.
 */
#ifndef DOSI_TESTS_REFERENCE_TRUTH_RANDOM_H
#define DOSI_TESTS_REFERENCE_TRUTH_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "contour_plan.h"

static uint64_t state;

static uint64_t next_bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double uniform(double a, double b)
{
    return a + (b - a) * ((double)(next_bits() >> 11) * 0x1p-53);
}

/* Log-uniform, of few decimal digits. */
static double some(double a, double b)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g", exp(uniform(log(a), log(b))));
    return strtod(text, NULL);
}

static double whole(double a, double b)
{
    return fmax(floor(exp(uniform(log(a), log(b + 1)))), 1);
}

static void print_plan(const plan_text *p)
{
    for (int i = 0; i < p->n; i++) {
        printf("%s%c", i == 0 ? "" : " ", p->part[i].kind);
        for (int j = 0; j < plan_arity(p->part[i].kind); j++)
            printf(":%.10g", p->part[i].value[j]);
        printf(":%.10g", p->part[i].count);
    }
}

static plan_part random_part(char kind, double most)
{
    plan_part p = {.kind = kind, .count = whole(1, most)};
    double root = sqrt(p.count);
    switch (kind) {
    case 'g':
        p.value[0] = some(0.05, 3) / root;
        break;
    case 'r':
    case 'a': {
        double mu = some(0.1, 2);
        p.value[1] = mu;
        double q = some(0.1, 3) / (root * sqrt(expm1(mu * mu)));
        p.value[0] = q < 0.9 ? q : some(0.1, 0.9);
        break;
    }
    case 'l':
    case 'e':
        p.value[0] = some(0.1, 2) / pow(p.count, 0.4);
        break;
    case 'f':
        p.value[0] = some(0.1, 2) / pow(p.count, 0.4);
        p.value[1] = next_bits() & 1 ? 0 : some(1e-12, 1e-3);
        break;
    default:
        for (int i = 0; i < 6; i++)
            p.value[i] = some(0.2, 1);
        if (next_bits() & 1)
            p.value[5] = 0; /* some mass of P at +inf */
        if (next_bits() & 1)
            p.value[0] = 0; /* some mass of Q at -inf */
        break;
    }
    char text[40];
    for (int i = 0; i < plan_arity(kind); i++) {
        snprintf(text, sizeof text, "%.5g", p.value[i]);
        p.value[i] = strtod(text, NULL);
    }
    return p;
}

static plan_text random_plan(void)
{
    plan_text p = {0};
    int family = (int)(next_bits() % 10);
    char way = next_bits() & 1 ? 'r' : 'a'; /* one direction for all */
    if (family < 4) { /* samples alone, many steps */
        p.part[p.n++] = random_part(way, 1e9);
        p.part[0].count = fmax(p.part[0].count, 60);
        if (next_bits() & 1)
            p.part[p.n++] = random_part(way, 1e6);
    } else if (family < 6) { /* everything, with a Gaussian that decays */
        p.part[p.n++] = random_part('g', 1e6);
        for (const char *k = "lef"; *k != '\0'; k++)
            if (next_bits() & 1)
                p.part[p.n++] = random_part(*k, 200);
        if (next_bits() & 1)
            p.part[p.n++] = random_part(way, 1e4);
    } else if (family < 7) { /* Gaussian noise and atoms */
        p.part[p.n++] = random_part('g', 1e9);
        p.part[p.n++] = random_part(next_bits() & 1 ? 'f' : 'p', 12);
    } else if (family < 9) { /* no Gaussian at all */
        for (const char *k = "lef"; *k != '\0'; k++)
            if (next_bits() & 1)
                p.part[p.n++] = random_part(*k, 14);
        if (p.n == 0)
            p.part[p.n++] = random_part('p', 30);
    } else { /* one sampled step, with atoms */
        p.part[p.n++] = random_part(way, 1);
        if (next_bits() & 1)
            p.part[p.n++] = random_part('f', 6);
    }
    return p;
}

/* Two to sixty sampled steps; sometimes a second training. */
static plan_text random_few(void)
{
    plan_text p = {0};
    char way = next_bits() & 1 ? 'r' : 'a';
    do {
        plan_part *part = &p.part[p.n++];
        part->kind = way;
        part->count = whole(2, 60);
        part->value[0] = some(0.005, 0.7);
        part->value[1] = some(0.15, 1.5);
    } while (p.n < 2 && next_bits() % 4 == 0);
    return p;
}

#endif
