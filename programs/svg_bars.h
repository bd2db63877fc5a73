/*
 * A bar chart as SVG, lying bars with their names before them, in the colours
 * of the line plots. The same input gives the same bytes.
 */
#ifndef SVG_BARS_H
#define SVG_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct svg_bar {
    const char *name;
    const char *words; /* behind the bar */
    double length;     /* non-negative; the longest fills the width */
} svg_bar;

/* Texts are UTF-8 without control characters; they are escaped here. Returns
 * whether all of it was written. */
bool svg_bars_write(FILE *out, const char *title, const char *subtitle,
    const svg_bar *bars, size_t n);

#endif
