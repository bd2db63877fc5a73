"""The package and its users under mypy --strict."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]

USER = """
import dosimeter as dm

plan: dm.Plan = dm.poisson(0.01, dm.gaussian(1.1)) * 100
epsilon: dm.Interval = plan.epsilon(delta=1e-5, neighbours="replace")
curve: dm.Curve = plan.epsilon([1e-5, 1e-6])
number: float = float(epsilon) + epsilon.upper
found: dm.Calibration = dm.calibrate(
    lambda s: dm.gaussian(s), epsilon=1, delta=1e-6)
text: str = epsilon.explain()
reveal_type(plan.tradeoff())
stats = [dm.release.Count(), dm.release.Sum("income", 0, "200000.00")]
answer: dm.release.Release = dm.release.csv(
    "people.csv", stats, epsilon=1, user="id", max_rows=3, order=["at"],
    type={"income": "double"})
spent: dm.Interval = answer.epsilon(delta=1e-6)
statement: dm.release.Statement = dm.release.sql(
    "postgres", "public.people", stats, epsilon=0.5)
draws: list[int] = list(dm.release.noise("round_gaussian", 3.5).draw(10))
model: dm.train.Model = dm.train.fit(
    [[0.5]], [1], n_features=1, classes=2, model="logistic", bounds=(0, 1),
    examples=100, batch=10, steps=5, noise=1, delta=1e-5)
one: dm.Interval = dm.epsilon("gaussian(1)", 1e-5)
many: dm.Intervals = dm.epsilon(["gaussian(1)", plan], [1e-5, 1e-6], threads=2)
holds: bool = bool(plan.check(epsilon=3, delta=1e-5)) and one <= 3
parts: dm.Breakdown = (plan + "laplace(2)").breakdown(1e-5)
table: dm.Sweep = plan.sweep({"sigma": [1, 2]}, delta=[1e-5], epsilon=1)
picture: dm.Plot = plan.plot("steps", "gaussian(1)", delta=1e-5)
spent_so_far: dm.Interval = dm.Accountant().add("gaussian(1)", 3).gdp()
made: dm.Plan = dm.poisson(0.1, {"kind": "gaussian", "sigma": 1})
units: dm.Plan = dm.gaussian(std=100, sensitivity=50) + dm.gaussian(sigma=2) \\
    + dm.laplace(scale=100, sensitivity=50) + dm.laplace(epsilon=0.1) \\
    + dm.discrete_laplace(epsilon=0.5)
sums = dm.GradientSum(3, clip=0.5)
sums.add(draws)
"""

WRONG = """
import dosimeter as dm

dm.gaussian("1")
dm.poisson(0.1)
dm.gaussian(1).epsilon(1e-5, neighbour="replace")
dm.release.csv("people.csv", [dm.release.Count()], epsilonn=1)
dm.release.noise("gaussian", 1)
dm.release.sql("oracle", "t", [dm.release.Count()], epsilon=1)
dm.train.fit([], [], classes=2, model=3)
dm.gaussian(1).epsilon("1e-5")
dm.epsilon([1, 2], 1e-5)
dm.gaussian(1).plot("profiles")
dm.gaussian(1).check(epsilonn=1, delta=1e-5)
dm.Plan(3)
dm.gaussian(1).epsilon(1e-5) < "3"
dm.gaussian(std="100", sensitivity=50)
dm.gaussian(std=100)
dm.gaussian(epsilon=1)
"""


Check = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Runs mypy; the runs share a cache."""
    cache = tmp_path_factory.mktemp("mypy")
    return lambda *arguments: subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache),
         "--config-file", str(PROJECT / "pyproject.toml"), *arguments],
        capture_output=True, text=True)


def test_package(mypy: Check) -> None:
    result = mypy("-p", "dosimeter")
    assert result.returncode == 0, result.stdout


def test_users(mypy: Check, tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    result = mypy(str(tmp_path / "user.py"))
    assert result.returncode == 0, result.stdout
    assert 'type is "dosimeter.intervals.Curve"' in result.stdout
    (tmp_path / "wrong.py").write_text(WRONG)
    result = mypy(str(tmp_path / "wrong.py"))
    lines = {line.split(":")[1] for line in result.stdout.splitlines()
             if "error:" in line}
    assert lines == {str(i) for i in range(4, 20)}, result.stdout
