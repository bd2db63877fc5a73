"""The numbers of the program, where ``DOSI_PROGRAM`` names it."""

import csv
import io
import json
import math
import os
import subprocess

import pytest

import dosimeter as dm

PROGRAM = os.environ.get("DOSI_PROGRAM", "")
pytestmark = pytest.mark.skipif(
    not PROGRAM, reason="DOSI_PROGRAM names no program")

PLANS = ["poisson(256/60000, gaussian(1.1)) * 14063",
         "laplace(10) * 3 + gaussian(4) + rr(0.1, 4)"]
LABELLED = '"a": gaussian(9) * 3 + "b": (laplace(9) + rr(0.1)) + pure(0.1)'


def run(*arguments: str) -> str:
    result = subprocess.run([PROGRAM, *arguments], capture_output=True,
                            text=True)
    assert result.returncode in (0, 1, 3), result.stderr
    return result.stdout


def rows(*arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(*arguments))))


def same(ours: float, theirs: str) -> bool:
    """CSV shows 17 digits, rounded outward: up to one unit of the last."""
    return math.isclose(ours, float(theirs), rel_tol=1e-15)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("kind", ["profile", "tradeoff", "roc", "renyi",
                                  "steps", "noise"])
def test_plots(plan: str, kind: str) -> None:
    at = {"delta": 1e-5} if kind in ("steps", "noise") else {}
    delta = ["--delta", "1e-5"] if at else []
    theirs = rows("plot", plan, "--kind", kind, "--points", "31", "--csv",
                  *delta)
    plot = dm.Plan(plan).plot(kind, points=31, **at)
    (_, xs, lower, upper), = plot.curves
    assert len(xs) == len(theirs)
    for x, low, high, row in zip(xs, lower, upper, theirs):
        assert same(x, row[plot.x_name])
        if kind == "profile":  # the program asks its points as one curve
            its_low, its_high = float(row["lower"]), float(row["upper"])
            assert max(low, its_low) <= min(high, its_high)
            assert its_high - its_low <= 1e-6 * its_high
            assert high - low <= 1e-6 * high
            continue
        assert same(low, row["lower"]) and same(high, row["upper"])


@pytest.mark.parametrize("plan", [*PLANS, LABELLED])
def test_breakdowns(plan: str) -> None:
    theirs = rows("breakdown", plan, "--delta", "1e-6", "--csv")
    ours = dm.Plan(plan).breakdown(1e-6)
    columns = ours.columns()
    for name in ("part", "label"):
        assert columns[name] == [row[name] for row in theirs]
    for part, row in zip(ours.parts, theirs):
        assert f"{part.share:.6f}" == row["share"]
        assert same(part.alone.upper, row["alone_upper"])
        assert same(part.without.upper, row["without_upper"])


@pytest.mark.parametrize("plan, epsilon", [
    (PLANS[0], 2.4), (PLANS[0], 2.38), (PLANS[1], 1.5), ("zcdp(0.1)", 0.4),
    ("zcdp(0.1) + gaussian(1)", 1)])
def test_checks(plan: str, epsilon: float) -> None:
    theirs, = json.loads(run("check", plan, "--epsilon", str(epsilon),
                             "--delta", "1e-5", "--json"))["claims"]
    ours = dm.Plan(plan).check(epsilon=epsilon, delta=1e-5)
    assert ours.verdict == theirs["verdict"]
    assert ours.answer.upper == theirs["upper"]
    if ours.known is not None:
        assert dm.Plan(theirs["known"]).normal() == ours.known.normal()


def test_comparisons() -> None:
    theirs = json.loads(run("compare", PLANS[1], "--delta", "1e-6",
                            "--json"))
    ours = dm.Plan(PLANS[1]).compare(1e-6)
    assert (ours.lower, ours.upper) == (theirs["lower"], theirs["upper"])
    bounds = [row.route for row in ours.routes if row.bounds]
    assert bounds == [row["route"] for row in theirs["routes"]
                      if row["bounds"]]


def test_sweeps() -> None:
    theirs = rows("sweep", PLANS[0], "--vary", "sigma=0.8..2:3:log",
                  "--vary", "steps=100,1000", "--delta", "1e-5",
                  "--format", "csv")
    ours = dm.Plan(PLANS[0]).sweep(
        {"sigma": "0.8..2:3:log", "steps": [100, 1000]}, delta=1e-5)
    columns = list(ours.columns().values())
    assert len(theirs) == len(ours) == 6
    for i, row in enumerate(theirs):
        numbers = [float(x) for x in row.values() if x][:4]
        assert all(map(same, (column[i] for column in columns),
                       map(str, numbers)))
