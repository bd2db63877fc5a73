/*
 * Nodes of Poisson-sampled Gaussian noise in balls, a row at a time: losses
 * l = log(1 + q (e^y - 1)), y = mu x - mu^2/2, and tilted weights. Internal to
 * the spectral files.
 */
#ifndef DOSI_REPR_SPECTRAL_LADDER_H
#define DOSI_REPR_SPECTRAL_LADDER_H

#include "loss.h"
#include "num/ball_row.h"

/* From first to last by h, e^y by one factor a row as long as it is a plain
 * number. */
typedef struct spectral_ladder {
    const loss *pair;
    double h;
    bool is_used;
    ball_row value, factor; /* e^y, e^(BALL_ROW mu h) */
} spectral_ladder;

spectral_ladder spectral_ladder_at(
    const loss *pair, double first, double last, double h);

/* To the next row. */
void spectral_ladder_step(spectral_ladder *g);

/* l of the row that begins at x; ratio receives q e^y/(1 + q (e^y - 1)) within
 * 2^-48, or 0 below 2^-800, when not NULL. */
void spectral_ladder_losses(
    ball_row *l, const spectral_ladder *g, double x, double ratio[BALL_ROW]);

/* e^(p l - x^2/2 - shift) at x, x + h, ..., all of them exact; beside log b,
 * which is taken from half of x^2, when not NULL. */
void spectral_tilted_weights(ball_row *weight, const ball_row *l, ball p,
    double x, double h, const ball_row *log_b, double shift);

#endif
