"""Epsilons of many plans on Spark: a column of plans in, certified ends out.

Each task answers the rows of a batch by one call of ``dm.epsilon``, which reads
plans from their text and asks without Python's lock. ``threads`` is 1 because a
task of Spark has one core unless ``spark.task.cpus`` gives it more. The answers
do not depend on the partitions. The same function runs on Dask:
``frame.map_partitions(epsilons, meta=...)``.

usage: python examples/spark_epsilon.py [ROWS [PARTITIONS]]
"""

import sys

import dosimeter as dm

SCHEMA = "plan string, delta double, lower double, upper double"


def epsilons(frame):
    """Of a pandas frame with the columns plan and delta."""
    answers = dm.epsilon(frame["plan"], frame["delta"], threads=1)
    return frame.assign(lower=answers.lower, upper=answers.upper)


def batches(frames):
    """What a task does: for ``mapInPandas``."""
    for frame in frames:
        yield epsilons(frame)


def trainings(n: int) -> list[tuple[str, float]]:
    """DP-SGD with different noise and numbers of steps."""
    return [(f"poisson(256/60000, gaussian({0.8 + i % 20 / 10})) "
             f"* {1000 + i}", 1e-5) for i in range(n)]


def main(rows: int = 1000, partitions: int = 4) -> None:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    frame = spark.createDataFrame(
        trainings(rows), "plan string, delta double").repartition(partitions)
    answers = frame.mapInPandas(batches, SCHEMA).collect()
    worst = max(answers, key=lambda row: row.upper)
    print(f"plans     {len(answers)}")
    print(f"largest   {worst.plan}")
    print(f"epsilon   [{worst.lower}, {worst.upper}] at delta {worst.delta}")
    spark.stop()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
