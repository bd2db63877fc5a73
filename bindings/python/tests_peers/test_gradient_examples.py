"""The examples of gradient sums, with torch and Opacus and on Spark."""

import sys
from pathlib import Path

import pytest

import dosimeter as dm

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))


def test_torch(capsys) -> None:
    import torch
    import torch_gradient_sum as example

    example.main(30)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("poisson(0.125, gaussian(1)) * 30")
    ours, theirs = (float(line.split("accuracy ")[1][:5])
                    for line in lines[2:4])
    assert ours > 0.75 and theirs > 0.75
    # Opacus ran the same plan
    assert lines[3].endswith("poisson(0.125, gaussian(1)) * 30")

    # tensors are looked at without a copy, also those that have a gradient
    rows = torch.randn(5, 3)
    a, b = dm.GradientSum(3), dm.GradientSum(3)
    a.add(rows)
    b.add([rows[:, :1].contiguous().requires_grad_(),
           rows[:, 1:].contiguous()])
    assert a.integers().tolist() == b.integers().tolist()
    with pytest.raises(dm.InvalidError):
        a.add(torch.randn(3, 5).T)


def test_batches_of_torch_are_compared() -> None:
    """Whatever vmap does on this machine, the check answers, and one example
    at a time is always good."""
    import torch
    import torch_gradient_sum as example

    x, y = example.points(1)
    model = example.network()
    assert dm.check_batch_invariance(
        lambda batch: example.per_example(model, *batch), (x[:6], y[:6]))
    mean = dm.check_batch_invariance(
        lambda batch: batch - batch.mean(0), x[:6])
    assert not mean and torch.is_tensor(x)


def test_spark(capfd) -> None:
    """Partitions of any number, and a task that fails once: the same
    integers under one key."""
    pyspark = pytest.importorskip("pyspark")
    import spark_gradient_sum as example
    from pyspark.sql import SparkSession

    assert pyspark
    spark = SparkSession.builder.master("local[2, 4]").getOrCreate()
    spark.sparkContext.addPyFile(example.__file__)
    frame = spark.createDataFrame(
        example.people(seed=1)[:300], "id string, x array<double>, y double")
    key, weights = bytes(range(32)), [0.5, -0.25, 0.125]
    plain = dm.GradientSum(example.FEATURES)
    for id_, x, y in example.people(seed=1)[:300]:
        if dm.release.keyed_coin(key, id_, example.RATE):
            plain.add(example.gradient(weights, x, y))
    expected = plain.integers().tolist()
    for partitions in (1, 3, 8):
        found = example.step(frame.repartition(partitions), weights, key)
        assert found.integers().tolist() == expected

    def fails_once(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        yield from example.partition_sum(weights, key)(batches)
        if context.partitionId() == 1 and context.attemptNumber() == 0:
            raise RuntimeError("the first attempt fails")

    rows = frame.repartition(3).mapInArrow(fails_once, "s array<bigint>")
    total = dm.GradientSum(example.FEATURES)
    for row in rows.collect():
        total.add_integers(list(row.s))
    assert total.integers().tolist() == expected
    example.main(5, 2)
    assert "accuracy" in capfd.readouterr().out
