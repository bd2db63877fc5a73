"""Checks, breakdowns, comparisons, sweeps and plots of plans."""

import csv
import io
import math
import pickle
import random
import sys
import time
import xml.etree.ElementTree

import pytest

import dosimeter as dm

PLAN = dm.poisson(256 / 60000, dm.gaussian(1.1)) * 14063
WEEK = dm.laplace(10) * 3 + dm.gaussian(4) + dm.rr(0.1, categories=4)


# ---- check -----------------------------------------------------------------


@pytest.mark.parametrize("plan, claim, verdict", [
    (PLAN, {"epsilon": 2.4, "delta": 1e-5}, "holds"),
    (PLAN, {"epsilon": 2.38, "delta": 1e-5}, "refuted"),
    # figure 4 of Bu et al. 2020, by the central limit theorem
    (dm.poisson(256 / 60000, dm.gaussian(1.06)) * 4687,
     {"epsilon": 1.34, "delta": 1e-5}, "refuted"),
    (dm.gaussian(2), {"mu": 0.5}, "holds"),
    (dm.gaussian(2), {"mu": 0.49}, "refuted"),
    (dm.gaussian(2), {"rho": 0.1251}, "holds"),
    (dm.gaussian(2), {"renyi": 0.37, "order": 3}, "refuted"),
    (dm.gaussian(2), {"alpha": 0.5, "beta": 0.3}, "holds"),
    (dm.gaussian(2), {"alpha": 0.5, "beta": 0.4}, "refuted"),
    (dm.gaussian(2), {"advantage": 0.2}, "holds"),
    (dm.gaussian(2), {"advantage": 0.19}, "refuted"),
    (dm.laplace(2) * 3, {"epsilon": 1.5, "delta": 0}, "holds"),
    (dm.laplace(2) * 3, {"epsilon": 1.49, "delta": 0}, "refuted"),
    (dm.gaussian(2), {"epsilon": 100, "delta": 0}, "refuted"),
    (dm.gaussian(2), {"epsilon": 30, "log_delta": -1500}, "holds"),
    (dm.zcdp(0.1), {"epsilon": 0.4, "delta": 1e-5}, "undecided"),
    # the stated part alone decides nothing, the known one refutes
    (dm.zcdp(0.1) + dm.gaussian(1), {"epsilon": 1, "delta": 1e-5}, "refuted"),
    (dm.without_replacement(10, 100, dm.gaussian(1)),
     {"epsilon": 9, "delta": 1e-5, "neighbours": "natural"}, "holds"),
])
def test_claims(plan, claim, verdict) -> None:
    found = plan.check(**claim)
    assert found.verdict == verdict
    assert bool(found) == (verdict == "holds")
    assert str(found).startswith(verdict) and found.sentence.endswith(".")
    assert ("not" in found.sentence) == (verdict != "holds")


def test_a_claim_at_the_end_of_the_interval() -> None:
    upper = dm.gaussian(1).epsilon(1e-5, width=1e-12).upper
    assert dm.gaussian(1).check(epsilon=upper, delta=1e-5)
    below = math.nextafter(upper * (1 - 1e-9), 0)
    assert dm.gaussian(1).check(epsilon=below, delta=1e-5).verdict == "refuted"


def test_sentences() -> None:
    found = PLAN.check(epsilon=2.38, delta=1e-5)
    assert found.sentence == (
        "The plan is not (2.38, 1e-05)-DP under add_remove: its epsilon at "
        "delta = 1e-05 is at least 2.38168.")
    known = (dm.zcdp(0.1) + dm.gaussian(1)).check(epsilon=1, delta=1e-5)
    assert known.known == dm.gaussian(1)
    assert "parts with a known law alone" in known.sentence


def test_files_of_claims() -> None:
    file = io.StringIO("label,plan,epsilon,delta,mu\n"
                       "one,gaussian(1),4.9,1e-5,\n"
                       "two,gaussian(1),4,1e-5,\n,gaussian(1),,,1\n")
    found = dm.check(csv.DictReader(file))
    assert [row.verdict for row in found] == ["holds", "refuted", "holds"]
    assert not found and found[:1] and len(found) == 3
    assert [row.label for row in found] == ["one", "two", ""]
    assert repr(found) == "<3 claims: holds 2, refuted 1, undecided 0>"
    assert dm.check([]) and dm.check([{"plan": "gaussian(1)", "mu": 2}],
                                     neighbours="replace")
    for wrong, says in (({"epsilon": 1}, "claim 0: the plan is missing"),
                        ({"plan": "gaussian(0)", "mu": 1}, "claim 0: .*sigma"),
                        ({"plan": PLAN, "mu": "high"}, "claim 0: .*number")):
        with pytest.raises(dm.InvalidError, match=says):
            dm.check([wrong])
    with pytest.raises(TypeError, match="claim 0: .*'epsilon'"):
        dm.check([{"plan": PLAN, "eps": 1, "delta": 1e-5}])
    with pytest.raises(TypeError, match="one claim"):
        PLAN.check(epsilon=1, delta=1e-5, mu=1)


# ---- breakdown -------------------------------------------------------------


def test_breakdown() -> None:
    found = WEEK.breakdown(1e-6)
    whole = WEEK.epsilon(1e-6)
    assert found.answer == whole and len(found) == 3
    assert math.isclose(sum(part.share for part in found.parts), 1)
    values = {}
    for part in found.parts:
        rest = [p for p in WEEK.parts() if p != part.plan]
        alone = part.plan.epsilon(1e-6)
        without = dm.compose(*rest).epsilon(1e-6)
        assert part.alone == alone and part.without == without
        values[part.plan] = (alone.upper + max(
            whole.upper - without.upper, 0)) / 2
    total = sum(values.values())
    shares = [part.share for part in found.parts]
    assert shares == sorted(shares, reverse=True)
    for part in found.parts:
        assert math.isclose(part.share, values[part.plan] / total)
    assert str(found.parts[0].plan) in str(found)
    xml.etree.ElementTree.fromstring(found.to_svg())


def test_breakdowns_of_many_parts() -> None:
    """All questions together take about as long as some single ones."""
    plan = dm.Plan(" + ".join(f"laplace({3 + i / 7})" for i in range(40)))
    start = time.monotonic()
    found = plan.breakdown(1e-9)
    assert len(found) == 40 and time.monotonic() - start < 60
    assert found.answer.upper >= plan.epsilon(1e-9).lower
    with pytest.raises(dm.InvalidError, match="max_operations"):
        plan.breakdown(1e-9, max_operations="many")


def test_breakdowns_of_other_questions() -> None:
    one = dm.gaussian(1).breakdown(1e-5)
    assert len(one) == 1 and one.parts[0].share == 1
    assert one.parts[0].without.upper == 0
    loses = WEEK.breakdown(epsilon=1)
    assert loses.answer == WEEK.delta(1)
    far = WEEK.breakdown(log_delta=-500)
    assert far.answer == WEEK.epsilon(log_delta=-500)
    nothing = (dm.approx(1, 0.1) + dm.gaussian(1)).breakdown(1e-5)
    assert [part.share for part in nothing.parts] == [None, None]
    assert "-" in str(nothing)
    swapped = WEEK.breakdown(1e-6, neighbours="replace", threads=1)
    assert all(part.alone.neighbours == "replace" for part in swapped.parts)


# ---- compare ---------------------------------------------------------------


def test_compare() -> None:
    found = PLAN.compare(1e-5)
    assert {row.route for row in found.routes} == set(dm.routes())
    whole = PLAN.epsilon(1e-5)
    assert found.lower <= whole.upper and whole.lower <= found.upper
    bounds = [row.answer for row in found.routes if row.bounds]
    assert [x.upper for x in bounds] == sorted(x.upper for x in bounds)
    assert all(x.upper >= whole.lower for x in bounds)
    assert found.lower == max(x.lower for x in bounds)
    assert found.upper == min(x.upper for x in bounds)
    renyi = next(row for row in found.routes if row.route == "renyi")
    assert renyi.answer == PLAN.epsilon(1e-5, route="renyi")
    assert all(row.reason for row in found.routes if not row.bounds)
    assert "renyi" in str(found)
    beta = dm.gaussian(1).compare(alpha=0.1)
    assert beta.routes[0].answer.lower == max(
        row.answer.lower for row in beta.routes if row.bounds)
    with pytest.raises(dm.InvalidError):
        PLAN.compare(2)


# ---- sweep -----------------------------------------------------------------


def test_sweep() -> None:
    found = PLAN.sweep({"sigma": [1, "1.1"], "steps": "100,14063"},
                       delta=[1e-5, 1e-6], epsilon=1)
    assert len(found) == 4 and len(found.answers) == 3
    columns = found.columns()
    assert columns["sigma"] == [1, 1, 1.1, 1.1]
    assert columns["steps"] == [100, 14063, 100, 14063]
    at = found.answers["epsilon at delta = 1e-05"]
    assert at[3] == PLAN.epsilon(1e-5)
    assert str(at.plans[0]) == str(
        dm.poisson(256 / 60000, dm.gaussian(1)) * 100)
    assert found.answers["delta at epsilon = 1"][3] == PLAN.delta(1)


def test_names_of_a_sweep() -> None:
    plan = dm.Plan("gaussian(1) * 3 + gaussian(2) + laplace(?)")
    found = plan.sweep({"gaussian[2].sigma": [5], "?": [7],
                        "repeat.count": "1..3:5"}, delta=1e-5)
    assert [str(p) for p in found.answers["epsilon at delta = 1e-05"].plans] \
        == [f"gaussian(1) * {n} + gaussian(5) + laplace(7)"
            for n in (1, 2, 3)]
    for name, says in (("sigma", "is one of gaussian\\[1\\].sigma"),
                       ("rate", "no number of the plan"),
                       ("gaussian[3].sigma", "no number"), ("x y", "no num")):
        with pytest.raises(dm.InvalidError, match=says):
            plan.sweep({name: [1]}, delta=1e-5)
    with pytest.raises(dm.InvalidError, match="one number"):
        PLAN.sweep({"steps": [1], "count": [2]}, delta=1e-5)
    with pytest.raises(dm.InvalidError, match="sigma"):
        PLAN.sweep({"sigma": [1, 0]}, delta=1e-5)


def test_failed_cells() -> None:
    """Rows that are not certified have their errors, the others answers."""
    plan = dm.Plan("group(2, poisson(0.1, laplace(1)))")
    found = plan.sweep({"size": [2, 1]}, delta=[1e-5, 1e-6], width=1e-3)
    columns = found.columns()
    assert set(found.errors) == {0} and columns["error"][1] is None
    assert "width" in columns["error"][0]
    assert math.isnan(columns["epsilon at delta = 1e-05, upper"][0])
    answers = found.answers["epsilon at delta = 1e-05"]
    assert answers[1].upper == columns["epsilon at delta = 1e-05, upper"][1]
    with pytest.raises(dm.UnableError):
        answers[0]
    assert found.to_dict()["epsilon at delta = 1e-05, lower"][0] is None
    assert found.to_dict()["error"] == columns["error"]
    assert repr(pickle.loads(pickle.dumps(answers))) == repr(answers)
    assert "error" not in PLAN.sweep({"sigma": [1]}, delta=1e-5).columns()


@pytest.mark.parametrize("text, values", [
    ("0.8,1,1.2", [0.8, 1, 1.2]), ("1/4", [0.25]),
    ("0.5..2:4", [0.5, 1, 1.5, 2]), ("1..100:3:log", [1, 10, 100]),
    ("3,1..2:2", [3, 1, 2]),
])
def test_ranges(text, values) -> None:
    found = dm.gaussian(1).sweep({"sigma": text}, delta=1e-5)
    assert found.values["sigma"] == values


@pytest.mark.parametrize("text", ["2..1:3", "1..2:1", "0..2:3:log", "1..2",
                                  "1..2:3:lin", "a..b:2", "", "1,,2"])
def test_wrong_ranges(text) -> None:
    with pytest.raises(dm.InvalidError):
        dm.gaussian(1).sweep({"sigma": text}, delta=1e-5)


# ---- plots -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["profile", "tradeoff", "roc", "renyi",
                                  "steps", "noise"])
@pytest.mark.parametrize("plan", [PLAN, WEEK * 50], ids=["sgd", "week"])
def test_points_of_plots_are_answers(kind, plan) -> None:
    plot = plan.plot(kind, delta=1e-5, points=15)
    (label, xs, lower, upper), = plot.curves
    assert label == str(plan) and 5 <= len(xs) <= 15
    assert list(xs) == sorted(set(xs))
    for i in random.Random(5).sample(range(len(xs)), 3):
        x = xs[i]
        if kind == "profile":
            answer = plan.delta(x)
        elif kind in ("tradeoff", "roc"):
            answer = plan.tradeoff(x)
        elif kind == "renyi":
            answer = plan.renyi(x)
        elif kind == "steps":
            answer = (plan.children[0] * x).epsilon(1e-5)
        elif plan is PLAN:
            answer = (dm.poisson(256 / 60000, dm.gaussian(x))
                      * 14063).epsilon(1e-5)
        else:
            answer = ((dm.laplace(10 * x) * 3 + dm.gaussian(4 * x)
                       + dm.rr(0.1, categories=4)) * 50).epsilon(1e-5)
        low, high = answer.lower, answer.upper
        if kind == "roc":
            low, high = 1 - answer.upper, 1 - answer.lower
        assert lower[i] <= high and low <= upper[i]
    root = xml.etree.ElementTree.fromstring(plot.to_svg())
    assert "prefers-color-scheme:dark" in root[0].text
    assert len(root.findall("{*}polyline")) == 2
    table = plot.columns()
    assert table[plot.x_name] == list(xs) and table["upper"] == list(upper)


def test_points_go_where_a_curve_bends() -> None:
    plot = dm.pure(1).plot("profile", points=60, stop=2)
    (_, xs, _, upper), = plot.curves
    falls = [i for i in range(1, len(xs)) if upper[i] == 0 < upper[i - 1]]
    assert len(falls) == 1
    assert xs[falls[0]] - xs[falls[0] - 1] < (xs[-1] - xs[0]) / 500


def test_plots_of_several(tmp_path) -> None:
    plot = dm.gaussian(1).plot("profile", "laplace(1)", dm.pure(1),
                               labels=["a", "b", "c"], points=10,
                               title="<Three>")
    assert [band.label for band in plot.curves] == ["a", "b", "c"]
    root = xml.etree.ElementTree.fromstring(plot.to_svg())
    assert len(root.findall("{*}polyline")) == 6
    plot.save(tmp_path / "three.svg")
    assert (tmp_path / "three.svg").read_text() == plot.to_svg()
    by_route = PLAN.plot("steps", delta=1e-5, points=5,
                         routes=["renyi", "zcdp"])
    assert [band.label for band in by_route.curves] == ["renyi", "zcdp"]
    hole = dm.Plan("poisson(0.01, gaussian(?)) * 100").plot(
        "noise", delta=1e-5, start=1, stop=4, points=5)
    assert hole.x_name == "sigma" and hole.curves[0].x[0] == 1
    linear = dm.gaussian(1).plot("profile", log=False, points=9, stop=3)
    assert not linear.y_is_log and linear.curves[0].x[-1] == 3


def test_matplotlib_draws(tmp_path) -> None:
    pytest.importorskip("matplotlib")
    plot = PLAN.plot("profile", points=8)
    plot.save(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("arguments, says", [
    ({"kind": "profil"}, "did you mean 'profile'"),
    ({"points": 1}, "points must be"), ({"start": 3, "stop": 2}, "below"),
    ({"delta": 2}, "delta must be"), ({"labels": ["a", "b"]}, "2 labels"),
])
def test_wrong_plots(arguments, says) -> None:
    with pytest.raises(dm.InvalidError, match=says):
        dm.gaussian(1).plot(**arguments)


# ---- explain, report -------------------------------------------------------


def test_explain() -> None:
    text = str(PLAN.explain(1e-5, people=60000))
    for words in ("epsilon 2.38169 and delta 1e-05", "(relation add_remove)",
                  "With 60000 people", "Assumed, not checked"):
        assert words in text
    assert "That is too much" in str(PLAN.explain(1e-5, people=200000))
    assert "Nothing: no finite" in str(dm.nonprivate().explain(1e-5))
    markdown = PLAN.explain(1e-5, neighbours="replace").to_markdown()
    assert markdown.startswith("## What is guaranteed")
    assert "(relation replace)" in markdown


def test_report(tmp_path) -> None:
    report = WEEK.report(1e-6, title="Week <1>")
    report.save(tmp_path / "week.html")
    page = (tmp_path / "week.html").read_text(encoding="utf-8")
    assert "<title>Week &lt;1&gt;</title>" in page
    assert page.count("<svg") == 2 and "What the parts cost" in page
    assert "<script" not in page
    body = page[page.index("<body>"):page.index("</html>")]
    xml.etree.ElementTree.fromstring(body)


# ---- many plans ------------------------------------------------------------


def test_broadcast() -> None:
    numpy = pytest.importorskip("numpy")
    plans = [dm.gaussian(1), "gaussian(2)", {"kind": "laplace", "scale": 3}]
    deltas = numpy.array([[1e-5], [1e-6]])
    found = dm.epsilon(plans, deltas)
    assert found.shape == found.upper.shape == (2, 3)
    assert len(found) == 6 and found[4] == dm.gaussian(2).epsilon(1e-6)
    assert numpy.array_equal(numpy.asarray(found), found.upper)
    assert dm.epsilon("gaussian(1)", 1e-5) == dm.gaussian(1).epsilon(1e-5)
    assert dm.epsilon("gaussian(1)", [1e-5, 1e-6]).shape == (2,)
    assert dm.epsilon([PLAN], 1e-5).shape == (1,)
    assert dm.epsilon([], 1e-5).shape == (0,)
    beta = dm.tradeoff(plans, 0.1)
    assert numpy.array_equal(numpy.asarray(beta), beta.lower)
    assert dm.delta(PLAN, 1) == PLAN.delta(1)
    grid = numpy.array([["gaussian(1)", "gaussian(2)"]], dtype=object)
    assert dm.epsilon(grid, deltas).shape == (2, 2)
    with pytest.raises(dm.InvalidError, match="2 plans and 3 values"):
        dm.epsilon(plans[:2], [1e-5] * 3)
    with pytest.raises(TypeError, match="plan 1 must be a plan"):
        dm.epsilon(["gaussian(1)", None], 1e-5)
    with pytest.raises(dm.InvalidError, match="plan 1: .*sigma"):
        dm.epsilon(["gaussian(1)", "gaussian(0)"], 1e-5)
    with pytest.raises(dm.TextError, match="plan 0") as caught:
        dm.epsilon(["gaussian(1"], 1e-5)
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


def test_columns_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"plan": ["gaussian(1)", "gaussian(2)"] * 3,
                              "delta": [1e-5, 1e-6, 1e-7] * 2})
    frame["epsilon"] = dm.epsilon(frame["plan"], frame["delta"])
    assert frame["epsilon"].dtype == "float64"
    assert frame["epsilon"][1] == dm.gaussian(2).epsilon(1e-6).upper
    table = dm.epsilon(frame["plan"], frame["delta"]).to_pandas()
    assert list(table.columns) == ["plan", "delta", "lower", "upper"]


def test_without_numpy(monkeypatch) -> None:
    from dosimeter import intervals, vector

    monkeypatch.setattr(intervals, "numpy", None)
    monkeypatch.setattr(vector, "numpy", None)
    found = dm.epsilon(["gaussian(1)", "gaussian(2)"], 1e-5)
    assert type(found.upper) is list and len(found.upper) == 2
    assert dm.epsilon("gaussian(1)", [1e-5, 1e-6]).upper[0] == found.upper[0]
    with pytest.raises(dm.InvalidError, match="3 plans and 2 values"):
        dm.epsilon(["gaussian(1)"] * 3, [1e-5] * 2)
    assert sys.modules["numpy"] is not None
