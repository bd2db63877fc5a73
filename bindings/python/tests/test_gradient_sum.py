"""Gradient sums: exact integers, whatever the arrays are and in whatever
order they come."""

import math
import random
from array import array
from fractions import Fraction

import numpy as np
import pytest

import dosimeter as dm
from dosimeter import buffers


def gradients(n: int, d: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


def reference(rows, clip: float, bits: int) -> list[int]:
    """The sum of clipped rows in units, each within 1 of the exact one."""
    total = [Fraction(0)] * len(rows[0])
    for row in rows:
        exact = [Fraction(float(x)) for x in row]
        norm = math.sqrt(float(sum(x * x for x in exact)))
        factor = Fraction(min(1.0, clip / norm)) * 2**bits / Fraction(clip)
        total = [t + x * factor for t, x in zip(total, exact)]
    return total


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("clip", [1.0, 0.25])
def test_integers(dtype, clip) -> None:
    rows = gradients(40, 7).astype(dtype)
    sum_ = dm.GradientSum(7, clip=clip)
    sum_.add(rows)
    found = sum_.integers()
    for a, b in zip(found, reference(rows, clip, 24)):
        assert abs(int(a) - b) <= 40 * 2
    # taking them empties the sum
    assert not sum_.integers().any()
    sum_.add(rows[:0])
    assert not sum_.integers().any()
    # one row at a time, backwards: the same integers
    for row in rows[::-1]:
        sum_.add(np.ascontiguousarray(row))
    assert sum_.integers().tolist() == found.tolist()
    # each row is within the norm, in integers
    for row in rows:
        sum_.add(row)
        assert sum(int(z)**2 for z in sum_.integers()) <= 4**24


def test_layers_are_rows_in_pieces() -> None:
    rows = gradients(5, 10)
    whole, parts = dm.GradientSum(10), dm.GradientSum(10)
    whole.add(rows)
    parts.add([np.ascontiguousarray(rows[:, :6]).reshape(5, 2, 3),
               np.ascontiguousarray(rows[:, 6:])])
    assert whole.integers().tolist() == parts.integers().tolist()


def test_rows_that_are_no_numbers() -> None:
    rows = gradients(4, 3)
    rows[1, 0], rows[2, 2] = math.nan, math.inf
    sum_ = dm.GradientSum(3)
    sum_.add(rows)
    found = sum_.integers().tolist()
    sum_.add(np.ascontiguousarray(rows[[0, 3]]))
    assert sum_.integers().tolist() == found


def test_parts_add_up() -> None:
    """As on a cluster: each partition a sum, the driver adds them."""
    rows = gradients(60, 4)
    whole = dm.GradientSum(4)
    whole.add(rows)
    driver = dm.GradientSum(4)
    for part in np.array_split(rows, 7):
        sum_ = dm.GradientSum(4)
        sum_.add(part)
        integers = sum_.integers()
        driver.add_integers(random.choice([integers, integers.tolist(),
                                           array("q", integers)]))
    assert driver.integers().tolist() == whole.integers().tolist()


def test_release() -> None:
    d = 20000
    sum_ = dm.GradientSum(d, clip=2.0)
    row = np.full(d, 2.0 / math.sqrt(d) / 2)
    sum_.add(row)
    noisy = sum_.release(3.0)
    assert noisy.dtype == np.float64 and noisy.shape == (d,)
    noise = (noisy - row) / (3.0 * 2.0)
    assert abs(noise.mean()) < 6 / math.sqrt(d)
    assert 0.95 < noise.var() < 1.05
    # multiples of the grid, and empty afterwards
    assert (noisy * 2**23 == np.round(noisy * 2**23)).all()
    assert not sum_.integers().any()
    integers = sum_.release_integers(1.0)
    assert integers.dtype == np.int64
    assert 0.95 < (integers / 2**24).var() < 1.05
    assert (sum_.release(1.0) != sum_.release(1.0)).any()


def test_without_numpy(monkeypatch) -> None:
    monkeypatch.setattr(buffers, "numpy", None)
    sum_ = dm.GradientSum(3, grid_bits=12)
    sum_.add(array("d", [0.5, 0, -0.5]))
    sum_.add([array("f", [0.5]), memoryview(array("f", [0.25, 0])).cast(
        "B").cast("f", (1, 2))])
    found = sum_.integers()
    assert isinstance(found, array)
    assert found.tolist() == pytest.approx([4096, 1024, -2048], abs=2)
    noisy = sum_.release(0.5)
    assert isinstance(noisy, array) and len(noisy) == 3


@pytest.mark.parametrize("rows", [
    np.zeros((2, 4)), np.zeros(4), np.zeros((2, 3), dtype="int32"),
    np.zeros((2, 3), dtype="float16"), np.zeros((3, 2)).T,
    np.zeros((4, 6))[:, ::2], [[1.0, 2.0, 3.0]], "abc", 5,
    [np.zeros((2, 1)), np.zeros((3, 2))],
    [np.zeros((2, 1)), np.zeros((2, 2), dtype="float32")],
    [np.zeros((2, 1)), np.zeros((2, 1))], np.zeros((2, 3), dtype="int64")])
def test_bad_rows(rows) -> None:
    sum_ = dm.GradientSum(3)
    with pytest.raises((TypeError, dm.InvalidError)):
        sum_.add(rows)
    assert not sum_.integers().any()


def test_bad_arguments() -> None:
    for arguments in ((0,), (3, 0.0), (3, -1.0), (3, math.nan), (3, 1.0, 11),
                      (3, 1.0, 31), (-1,), (1 << 70,)):
        with pytest.raises(dm.DosimeterError):
            dm.GradientSum(*arguments)
    sum_ = dm.GradientSum(2)
    for sigma in (-1, 0, math.nan, math.inf):
        with pytest.raises(dm.InvalidError):
            sum_.release(sigma)
    for integers in ([1], [1, 2, 3], np.zeros(2)):
        with pytest.raises((TypeError, dm.InvalidError)):
            sum_.add_integers(integers)


def test_batch_invariance() -> None:
    x, y = gradients(9, 4), gradients(9, 1, 2)

    def each(batch):
        return np.stack([(p @ p - q) * p for p, q in zip(*batch)])

    def centred(batch):
        return batch[0] - batch[0].mean(axis=0)

    good = dm.check_batch_invariance(each, (x, y))
    assert good and good.difference is None
    assert good.digest == dm.check_batch_invariance(each, (x, y)).digest
    bad = dm.check_batch_invariance(centred, (x, y))
    assert not bad and bad.difference.startswith("row 0 differs")

    # one bit of one row, and only beside row 4
    def one_bit(rows):
        out = rows.copy()
        if len(rows) == 2 and (rows == x[[4, 5]]).all():
            out.view("int64")[1, 2] ^= 1
        return out

    found = dm.check_batch_invariance(one_bit, x).difference
    assert found \
        == "row 5 differs in bit 0 of byte 16 beside row 4 from alone"
    with pytest.raises(dm.InvalidError):
        dm.check_batch_invariance(lambda rows: x, x)
    lists = dm.check_batch_invariance(
        lambda rows: [array("d", rows)], [1.0, 2.0])
    assert lists
