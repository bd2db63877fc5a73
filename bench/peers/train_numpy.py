#!/usr/bin/env python3
"""A step of the MLP 64-32-10 at batch 256: this library's, with exact coins,
sums and noise, against numpy's per-example gradients in plain doubles (clip,
sum, Gaussian noise in doubles), written in three ways, in turns on one core. CPU times, so that a
busy machine disturbs both alike; the shortest of each counts.

usage: train_numpy.py BENCH_TRAIN        (the program bench/bench_train)"""
import json
import os
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

BATCH, INPUTS, HIDDEN, CLASSES = 256, 64, 32, 10


def plain_step(w1, b1, w2, b2, x, y, rng, clip=1.0, sigma=1.0):
    """As the formulas are written: an array of gradients for each layer."""
    h = np.tanh(x @ w1 + b1)
    s = h @ w2 + b2
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(y)), y] -= 1
    d1 = (p @ w2.T) * (1 - h * h)
    layers = [x[:, :, None] * d1[:, None, :], d1,
              h[:, :, None] * p[:, None, :], p]
    norm = np.sqrt(sum((g * g).reshape(len(y), -1).sum(axis=1)
                       for g in layers))
    factor = np.minimum(1, clip / norm)
    return [(g * factor.reshape(-1, *[1] * (g.ndim - 1))).sum(axis=0) +
            rng.normal(0, sigma * clip, g.shape[1:]) for g in layers]


SIZES = (INPUTS * HIDDEN, HIDDEN, HIDDEN * CLASSES, CLASSES)
gradients = np.empty((BATCH, sum(SIZES)))


def step(by_product, w1, b1, w2, b2, x, y, rng, clip=1.0, sigma=1.0):
    h = np.tanh(x @ w1 + b1)
    s = h @ w2 + b2
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(y)), y] -= 1
    d1 = (p @ w2.T) * (1 - h * h)
    g = gradients
    ends = np.cumsum(SIZES)
    np.multiply(x[:, :, None], d1[:, None, :],
                out=g[:, :ends[0]].reshape(BATCH, INPUTS, HIDDEN))
    g[:, ends[0]:ends[1]] = d1
    np.multiply(h[:, :, None], p[:, None, :],
                out=g[:, ends[1]:ends[2]].reshape(BATCH, HIDDEN, CLASSES))
    g[:, ends[2]:] = p
    norm = np.sqrt(np.einsum("bd,bd->b", g, g))
    factor = np.minimum(1, clip / norm)
    if by_product:
        total = factor @ g
    else:
        g *= factor[:, None]
        total = g.sum(axis=0)
    return total + rng.normal(0, sigma * clip, g.shape[1])


def main():
    program = sys.argv[1]
    rng = np.random.default_rng(1)
    x = rng.integers(0, 17, (BATCH, INPUTS)) / 16
    y = rng.integers(0, CLASSES, BATCH)
    w = [rng.uniform(-0.2, 0.2, shape) for shape in
         ((INPUTS, HIDDEN), HIDDEN, (HIDDEN, CLASSES), CLASSES)]
    ways = {"an array for each layer": plain_step,
            "one array, made once": lambda *a: step(False, *a),
            "clip and sum one product": lambda *a: step(True, *a)}
    ours, theirs = [], {name: [] for name in ways}
    for _ in range(10):
        out = subprocess.run([program, "json"], capture_output=True,
                             text=True, check=True)
        ours.append(json.loads(out.stdout)["step_ms"])
        for _ in range(15):
            for name, way in ways.items():
                start = time.process_time()
                for _ in range(5):
                    way(*w, x, y, rng)
                theirs[name].append((time.process_time() - start) / 5 * 1e3)
    print(f"ours                            {min(ours):.3f} ms")
    for name, times in theirs.items():
        print(f"numpy, {name:24} {min(times):.3f} ms, "
              f"{min(times) / min(ours):.1f} times")
    return 0 if min(theirs["an array for each layer"]) >= 5 * min(ours) else 1


if __name__ == "__main__":
    sys.exit(main())
