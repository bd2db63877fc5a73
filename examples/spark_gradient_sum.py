"""Logistic regression on Spark: partition sums as integers, noise once.

Each partition yields one row, the integer sum of its clipped gradients; the
driver adds these rows and adds the noise. Integers have the same sum for every
partition, order and retry. Whether a person is in a step is told by a keyed
coin, a function of the step's secret key and the person's id: a task that
runs again finds the same coins. Here a person has one row; with more, rows
would be brought together by id and clipped as one.

Taken on trust: all executors run the same build on the same kind of CPU, for
math.exp may differ between machines (check_batch_invariance has a digest to
compare).

usage: python examples/spark_gradient_sum.py [STEPS [PARTITIONS]]
"""

import math
import random
import secrets
import sys
from array import array

import dosimeter as dm

PEOPLE, FEATURES, RATE, SIGMA, LEARNING_RATE = 2000, 3, 1 / 4, 2.0, 2.0


def gradient(weights: list[float], x: list[float], y: float) -> array:
    """Of one person; a fixed sequence of operations. x is within [-1, 1]."""
    score = 0.0
    for w, value in zip(weights, x):
        score += w * value
    error = 1 / (1 + math.exp(-max(-500.0, min(score, 500.0)))) - y
    return array("d", [error * value for value in x])


def partition_sum(weights: list[float], key: bytes):
    """What a task does: batches of rows in, one row with a sum out."""
    def part(batches):
        import pyarrow

        total = dm.GradientSum(FEATURES, clip=1.0)
        for batch in batches:
            for row in batch.to_pylist():
                if dm.release.keyed_coin(key, row["id"], RATE):
                    total.add(gradient(weights, row["x"], row["y"]))
        yield pyarrow.RecordBatch.from_arrays(
            [pyarrow.array([total.integers().tolist()],
                           pyarrow.list_(pyarrow.int64()))], ["s"])
    return part


def step(frame, weights: list[float], key: bytes) -> dm.GradientSum:
    """The sum over all partitions: data, without noise so far."""
    total = dm.GradientSum(FEATURES, clip=1.0)
    rows = frame.mapInArrow(partition_sum(weights, key), "s array<bigint>")
    for row in rows.collect():
        total.add_integers(list(row.s))
    return total


def people(seed: int) -> list[tuple[str, list[float], float]]:
    source = random.Random(seed)
    rows = []
    for i in range(PEOPLE):
        x = [source.uniform(-1, 1) for _ in range(FEATURES)]
        rows.append((f"person {i}", x, float(x[0] - x[1] > 0)))
    return rows


def main(steps: int = 10, partitions: int = 4) -> None:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    frame = spark.createDataFrame(
        people(seed=1), "id string, x array<double>, y double")
    frame = frame.repartition(partitions).cache()
    weights = [0.0] * FEATURES
    for _ in range(steps):
        total = step(frame, weights, secrets.token_bytes(32))
        noisy = total.release(SIGMA)
        weights = [w - LEARNING_RATE * float(v) / (RATE * PEOPLE)
                   for w, v in zip(weights, noisy)]
    plan = dm.poisson(RATE, dm.gaussian(SIGMA)) * steps
    right = sum((sum(w * v for w, v in zip(weights, x)) > 0) == (y == 1)
                for _, x, y in people(seed=2))
    print(f"plan      {plan}")
    print(f"epsilon   {plan.epsilon(delta=1e-5)} at delta 1e-5")
    print(f"accuracy  {right / PEOPLE:.3f} on other people")
    spark.stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
