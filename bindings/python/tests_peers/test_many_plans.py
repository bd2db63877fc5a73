"""Columns of plans on Spark, and in pandas and Polars frames."""

import sys
from pathlib import Path

import pytest

import dosimeter as dm

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))


def test_spark(capfd) -> None:
    """Any number of partitions gives the answers of one process."""
    pytest.importorskip("pyspark")
    import spark_epsilon as example
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.addPyFile(example.__file__)
    rows = example.trainings(60)
    expected = dm.epsilon([plan for plan, _ in rows], 1e-5)
    frame = spark.createDataFrame(rows, "plan string, delta double")
    for partitions in (1, 5):
        found = frame.repartition(partitions).mapInPandas(
            example.batches, example.SCHEMA).collect()
        ends = {row.plan: (row.lower, row.upper) for row in found}
        assert ends == {
            plan: (x.lower, x.upper)
            for (plan, _), x in zip(rows, expected)}
    example.main(100, 3)
    assert "plans     100" in capfd.readouterr().out


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    plans = ["gaussian(1)", "laplace(2) * 3"]
    expected = dm.epsilon(plans, 1e-5)
    for frame in (pandas.DataFrame({"plan": plans}),
                  polars.DataFrame({"plan": plans})):
        found = dm.epsilon(frame["plan"], 1e-5)
        assert list(found.upper) == list(expected.upper)
    assert found.to_polars()["upper"].to_list() == list(expected.upper)
