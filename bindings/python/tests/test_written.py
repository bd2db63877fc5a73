"""Python as people write it: formats, comparisons, texts, keywords."""

import copy
import inspect
import json
import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import pytest

import dosimeter as dm
from dosimeter.asking import OPTION_NAMES

PLAN = dm.poisson(256 / 60000, dm.gaussian(1.1)) * 14063


def interval(lower: float, upper: float, end: str = "upper") -> dm.Interval:
    return dm.Interval(lower, upper, "epsilon at delta = 1e-05", safe_end=end)


@pytest.mark.parametrize("spec, up, down", [
    (".2f", "2.39", "2.38"), (".3g", "2.39", "2.38"), (".0f", "3", "2"),
    (".3e", "2.382e+00", "2.381e+00"), (".1%", "238.2%", "238.1%"),
    ("g", "2.38169", "2.38168"), (".3", "2.39", "2.38"),
    ("8.2f", "    2.39", "    2.38"), ("<8.2f", "2.39    ", "2.38    "),
    ("+.1f", "+2.4", "+2.3"), ("07.2f", "0002.39", "0002.38"),
    ("*^10.2f", "***2.39***", "***2.38***"),
    ("*=+8.2f", "+***2.39", "+***2.38"),
])
def test_formats_round_to_the_safe_side(spec, up, down) -> None:
    x = 2.381689726
    assert format(interval(1.0, x), spec) == up
    assert format(interval(x, 3.0, "lower"), spec) == down


def test_formats_of_many_numbers() -> None:
    source = random.Random(26)
    for _ in range(3000):
        x = source.uniform(-5, 5) * 10.0 ** source.randint(-9, 9)
        digits = source.randint(0, 18)
        for kind in "feg":
            up = Decimal(format(interval(x, x), f".{digits}{kind}"))
            low = Decimal(format(interval(x, x, "lower"), f".{digits}{kind}"))
            assert low <= Decimal(x) <= up
            if digits > 14:  # then the next double is shown
                continue
            # no further away than one unit in the last place
            step = Decimal(10) ** (-digits if kind == "f" else
                                   Decimal(x).adjusted() - digits + 2)
            assert up - low <= step
        places = source.randint(-5, 12)
        assert round(interval(x, x), places) >= x \
            >= round(interval(x, x, "lower"), places)


def test_formats_of_ends_and_errors() -> None:
    x = interval(2.0, 2.5)
    assert f"{x}" == str(x) == "[2, 2.5]"
    assert f"{x:>12}" == "    [2, 2.5]"
    assert f"{interval(1, math.inf):.2f}" == "inf"
    assert f"{interval(0, 5e-324):.2f}" == "0.01"
    assert f"{interval(0, 0):.2f}" == "0.00"
    assert f"{interval(0, 9.999):.2f}" == "10.00"
    assert f"{interval(0, 1234567.891):,.1f}" == "1,234,567.9"
    for wrong in ("d", ".2x", ".500f"):
        with pytest.raises(ValueError):
            format(x, wrong)
    assert round(x) == 3 and isinstance(round(x), int)
    assert round(interval(2.2, 2.5, "lower")) == 2


def test_comparisons_are_certain_or_errors() -> None:
    x = interval(2.0, 3.0)
    for number in (3, 3.0, Fraction(3), Decimal(3)):
        assert x <= number and number >= x
        assert not x > number and not number < x
    assert x < 3.5 and not x >= 3.5 and x > 1 and x >= 2 and not x < 2
    for undecided in (lambda: x <= 2.5, lambda: x > 2.5, lambda: x < 3,
                      lambda: x >= 3, lambda: x > 2, lambda: 2.5 < x,
                      lambda: x <= math.nan, lambda: x < interval(2.5, 4)):
        with pytest.raises(dm.UndecidedError, match="is not decided"):
            undecided()
    with pytest.raises(dm.UndecidedError) as caught:
        x <= 2.5
    assert caught.value.answer is x
    assert x < interval(3.1, 4) and interval(3, 4) >= x
    assert not interval(1, 1) < interval(1, 1) and interval(1, 1) <= 1
    assert interval(0, math.inf) <= math.inf
    for wrong in ("3", None, [3]):
        with pytest.raises(TypeError):
            x <= wrong
    answer = PLAN.epsilon(1e-5)
    assert answer <= 3 and answer > 2 and max([answer, x], key=float) is x
    assert sorted([answer, interval(1, 1)])[0] == interval(1, 1)


def test_comparisons_with_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    x = interval(2.0, 3.0)
    assert x <= numpy.float64(3) and numpy.float64(3) >= x
    with pytest.raises(dm.UndecidedError):
        numpy.float64(2.5) >= x
    with pytest.raises(TypeError):
        x <= numpy.array([3.0, 4.0])
    assert list(numpy.array([x, x], dtype=float)) == [3.0, 3.0]


def test_equality_and_hash() -> None:
    a, b = PLAN.epsilon(1e-5), PLAN.epsilon(1e-5)
    assert a == b and hash(a) == hash(b) and len({a, b}) == 1
    assert a != PLAN.epsilon(1e-6) and a != float(a)
    x = interval(1, 2)  # its logarithms are NaN
    for again in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert again == x and hash(again) == hash(x)
    assert eval(repr(x), {"Interval": dm.Interval}).upper == 2


RESULTS = {
    "interval": lambda: PLAN.epsilon(1e-5),
    "infinite": lambda: dm.nonprivate().epsilon(1e-5),
    "curve": lambda: PLAN.epsilon([1e-5, 1e-6]),
    "intervals": lambda: dm.epsilon([PLAN, "gaussian(1)"], 1e-5),
    "limit": lambda: PLAN.gdp_limit_approx(),
    "no limit": lambda: dm.pure(1).gdp_limit_approx(),
    "risk": lambda: dm.gaussian(1).risk(0.1),
    "calibration": lambda: dm.calibrate("gaussian(?)", epsilon=1, delta=1e-5),
    "check": lambda: PLAN.check(epsilon=3, delta=1e-5),
    "checks": lambda: dm.check([
        {"plan": PLAN, "epsilon": 3, "delta": 1e-5}]),
    "breakdown": lambda: (PLAN + "laplace(5)").breakdown(1e-5),
    "comparison": lambda: dm.gaussian(1).compare(1e-5),
    "sweep": lambda: PLAN.sweep({"sigma": [1, 2]}, delta=1e-5),
    "plot": lambda: dm.gaussian(1).plot(points=5),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_json_html_and_a_frame(name: str) -> None:
    result = RESULTS[name]()
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(text) == json.loads(result.to_json())
    assert json.loads(json.dumps([{"x": result}], allow_nan=False,
                                 default=dm.json_default)) \
        == [{"x": json.loads(text)}]
    assert result._repr_html_() or result._repr_svg_()
    columns = result.columns()
    assert len(set(map(len, columns.values()))) == 1
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(columns)
    polars = pytest.importorskip("polars")
    assert isinstance(result.to_polars(), polars.DataFrame)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_json() == result.to_json()


def test_reports_and_explanations() -> None:
    for result in (PLAN.explain(1e-5, people=60000), PLAN.report(1e-5)):
        json.dumps(result.to_dict(), allow_nan=False)
        assert "<" in result._repr_html_()


def test_infinity_in_json() -> None:
    answer = dm.nonprivate().epsilon(1e-5).to_dict()
    assert answer["upper"] == answer["safe"] == "inf"
    assert float(answer["upper"]) == math.inf


def test_plans_from_dicts_and_texts() -> None:
    tree = {"kind": "gaussian", "sigma": 4}
    plan = dm.Plan(tree)
    assert plan == dm.gaussian(4) == dm.Plan(plan) == dm.Plan(plan.to_dict())
    step = dm.poisson(0.01, "gaussian(1)")
    assert step == dm.poisson(0.01, {"kind": "gaussian", "sigma": 1})
    assert step + "laplace(2)" == step + dm.laplace(2)
    assert "laplace(2)" + step == dm.laplace(2) + step
    assert step + tree == step + plan and tree + step == plan + step
    assert dm.compose("gaussian(4)", plan).normal() == (plan * 2).normal()
    assert dm.group(3, "gaussian(1)") == dm.group(3, dm.gaussian(1))
    assert dm.Accountant().add("gaussian(4)").plan == plan
    assert dm.calibrate(lambda s: f"gaussian({float(s)!r})", epsilon=1,
                        delta=1e-5, bracket=(1, 10)).rounded > 1
    with pytest.raises(dm.TextError):
        dm.poisson(0.01, "gaussian(1")
    for wrong in (3, None, b"gaussian(1)"):
        with pytest.raises(TypeError, match="plan"):
            dm.Plan(wrong)
        with pytest.raises(TypeError, match="of must be a plan"):
            dm.poisson(0.01, wrong)


def test_other_units() -> None:
    assert dm.gaussian(std=100, sensitivity=50) == dm.gaussian(2)
    assert dm.laplace(epsilon=0.5) == dm.Plan("laplace(epsilon=0.5)")
    assert dm.gaussian(noise_multiplier="?").has_hole
    with pytest.raises(dm.InvalidError, match="hole"):
        dm.gaussian(std="?", sensitivity=1)
    with pytest.raises(dm.InvalidError, match="std needs a sensitivity"):
        dm.gaussian(std=100)
    with pytest.raises(dm.InvalidError, match="std must be positive"):
        dm.gaussian(std=-1, sensitivity=2)


def test_labels() -> None:
    plan = dm.Plan('"by county": gaussian(20) * 3 + laplace(2)')
    county, other = plan.children
    assert (county.label, other.label) == ("by county", "")
    assert county == dm.gaussian(20) * 3 and plan == dm.Plan(
        "gaussian(20) * 3 + laplace(2)")
    mail = other.labelled("by mail")
    assert mail.label == "by mail" and str(mail) == '"by mail": laplace(2)'
    assert mail.labelled(None).label == "" and mail == other
    for again in (pickle.loads(pickle.dumps(mail)), dm.Plan(mail.to_dict())):
        assert again.label == "by mail"
    for wrong in ("", "a\nb", "x" * 300, "a\0b"):
        with pytest.raises(dm.InvalidError):
            mail.labelled(wrong)
    found = (county + mail + dm.rr(1)).breakdown(1e-5)
    assert sorted(part.plan.label for part in found.parts) \
        == ["", "by county", "by mail"]
    assert '"by mail": laplace(2)' in str(found)
    assert "laplace(2)" in found.columns()["part"]
    assert [str(part) for part in (county + mail).labelled("both").parts()] \
        == ['"both": (gaussian(20) * 3 + laplace(2))']
    assert '"by county"' in str(plan.explain(1e-5))


def test_numbers_as_texts() -> None:
    assert dm.gaussian("1.1") == dm.gaussian(1.1)
    assert dm.poisson("256/60000", dm.gaussian(1)) \
        == dm.poisson(256 / 60000, dm.gaussian(1)) \
        == dm.Plan("poisson(256/60000, gaussian(1))")
    assert dm.gaussian(1) * "100" == dm.gaussian(1) * 100
    assert dm.gaussian("?").has_hole
    assert PLAN.epsilon("1e-5") == PLAN.epsilon(1e-5)
    assert list(PLAN.epsilon(["1e-5", "1e-6"]).upper) \
        == list(PLAN.epsilon([1e-5, 1e-6]).upper)
    assert PLAN.delta(" 2 ") == PLAN.delta(2)
    assert dm.calibrate("gaussian(?)", epsilon="1", delta="1e-5").value \
        == dm.calibrate("gaussian(?)", epsilon=1, delta=1e-5).value
    assert dm.pmf(["0.5", "1/2"], [1, 0]) == dm.pmf([0.5, 0.5], [1, 0])


@pytest.mark.parametrize("text, says", [
    ("1%", "write 0.01"), ("0,5", "write 0.5"), ("nan", "must be a number"),
    ("inf", "must be a number"), ("1_000", "must be a number"),
    ("0x10", "must be a number"), ("", "must be a number"),
    ("1/2/3", "must be a number"), ("1/0", "divides by 0"),
    ("1e400", "range of a double"), ("1e-400", "range of a double"),
    ("١", "must be a number"), ("a lot", "must be a number"),
])
def test_texts_that_are_no_numbers(text, says) -> None:
    with pytest.raises(dm.InvalidError, match=says):
        dm.gaussian(text)
    with pytest.raises(dm.InvalidError, match=says):
        PLAN.epsilon(text)


@pytest.mark.parametrize("call, says", [
    (lambda: dm.gaussian(sgima=1), "did you mean 'sigma'"),
    (lambda: dm.gaussian(sd=1), "did you mean 'sigma'"),
    (lambda: dm.laplace(b=1), "did you mean 'scale'"),
    (lambda: dm.poisson(q=0.1, of=PLAN), "did you mean 'rate'"),
    (lambda: dm.rr(eps=1), "did you mean 'epsilon'"),
    (lambda: dm.gaussian(whatever=1), "it takes sigma"),
    (lambda: dm.nonprivate(sigma=1), "it takes none"),
    (lambda: dm.gaussian(), r"gaussian\(sigma\): missing"),
    (lambda: PLAN.epsilon(1e-5, neighbour="replace"), "'neighbours'"),
    (lambda: PLAN.epsilon(dleta=1e-5), "did you mean 'delta'"),
    (lambda: PLAN.delta(1, time_limt=1), "did you mean 'time_limit'"),
    (lambda: PLAN.tradeoff(alpah=0.1), "did you mean 'alpha'"),
    (lambda: PLAN.delta(epsilno=1), "did you mean 'epsilon'"),
    (lambda: PLAN.zcdp(x=1), "did you mean .xi."),
    (lambda: PLAN.delta(), "epsilon"),
    (lambda: PLAN.tradeoff(adjacency="replace"), "'neighbours'"),
    (lambda: PLAN.risk(rout="renyi"), "did you mean 'route'"),
    (lambda: dm.Accountant(neighbour="replace"), "'neighbours'"),
    (lambda: dm.calibrate("gaussian(?)", eps=1, delta=1e-5), "'epsilon'"),
    (lambda: dm.epsilon([PLAN], 1e-5, jobs=2), "did you mean 'threads'"),
    (lambda: PLAN.check(eps=1, delta=1e-5), "did you mean 'epsilon'"),
    (lambda: PLAN.plot("steps", dlta=1e-5), "did you mean 'delta'"),
    (lambda: PLAN.compare(1e-5, route="renyi"), "compare"),
    (lambda: PLAN.check(), "name a target"),
    (lambda: PLAN.check(epsilon=1), "delta is missing"),
    (lambda: PLAN.breakdown(), "takes one of"),
    (lambda: PLAN.sweep({"sigma": [1]}), "name a question"),
    (lambda: PLAN.plot("steps"), "needs the delta"),
])
def test_wrong_keywords_have_suggestions(call, says) -> None:
    with pytest.raises(TypeError, match=says):
        call()


@pytest.mark.parametrize("call, says", [
    (lambda: dm.normal(1), "did you mean 'gaussian'"),
    (lambda: dm.gausian(1), "did you mean 'gaussian'"),
    (lambda: dm.geometric(1), "did you mean 'discrete_laplace'"),
    (lambda: dm.randomized_response(1), "did you mean 'rr'"),
    (lambda: PLAN.eps(1e-5), "did you mean 'epsilon'"),
    (lambda: PLAN.get_epsilon(1e-5), "did you mean 'epsilon'"),
    (lambda: dm.plan_of, "has no 'plan_of'"),
])
def test_wrong_names_have_suggestions(call, says) -> None:
    with pytest.raises(AttributeError, match=says):
        call()


def test_names_are_those_of_the_package() -> None:
    names = set(dir(dm))
    assert {"gaussian", "epsilon", "Plan", "Accountant", "release"} <= names
    for leaked in ("annotations", "importlib", "ModuleType", "TYPE_CHECKING",
                   "kinds", "lib", "ffi", "asking"):
        assert leaked not in names
    for name in names - {"opacus", "dp_accounting", "jax_privacy"}:
        assert getattr(dm, name) is not None
    assert not {"html", "json", "ffi"} & {
        name for name in dir(dm.Plan) if not name.startswith("_")}


def test_keywords_are_visible() -> None:
    for function in (PLAN.epsilon, PLAN.delta, PLAN.risk, PLAN.check,
                     PLAN.plot, dm.Accountant, dm.Accountant().zcdp,
                     dm.epsilon, dm.calibrate):
        names = inspect.signature(function).parameters
        assert set(OPTION_NAMES) <= set(names)
    assert list(inspect.signature(dm.gaussian).parameters) == ["sigma"]
    assert inspect.signature(dm.rr).parameters["categories"].default == 2


def test_accountants_answer_all_questions() -> None:
    accountant = dm.Accountant(neighbours="replace")
    assert repr(accountant) == \
        "<Accountant: nothing yet, neighbours='replace'>"
    accountant.add("poisson(0.01, gaussian(2))", 100).add(dm.laplace(9))
    plan = accountant.plan
    own = {"neighbours": "replace"}
    assert "poisson(0.01, gaussian(2)) * 100" in repr(accountant)
    assert accountant.tradeoff(0.1) == plan.tradeoff(0.1, **own)
    assert accountant.gdp(1e-6) == plan.gdp(1e-6, **own)
    assert accountant.risk().advantage == plan.risk(**own).advantage
    assert accountant.epsilon([1e-5]).upper == plan.epsilon(
        [1e-5], **own).upper
    for relation in ("neighbours", "neighbors"):
        options = {relation: "add_remove"}
        assert accountant.epsilon(1e-5, **options) == plan.epsilon(1e-5)
    assert accountant.renyi(2).upper == plan.renyi(2, **own).upper
    assert accountant.check(epsilon=9, delta=1e-5)
    assert len(accountant.breakdown(1e-5)) == 2
    assert "laplace(9)" in accountant._repr_html_()
    assert accountant.to_dict()["options"] == own
    with pytest.raises(TypeError, match="'neighbours'"):
        accountant.epsilon(1e-5, neighbour="replace")


def test_max_operations() -> None:
    plan = dm.Plan(" + ".join(f"laplace({3 + i / 7})" for i in range(40)))
    short = plan.epsilon(1e-9, max_operations=1e5)
    assert short.upper >= plan.epsilon(1e-9).lower
    assert short.width >= plan.epsilon(1e-9).width
    accountant = dm.Accountant(max_operations=1e5).add(plan)
    assert accountant.epsilon(1e-9).upper == short.upper
    with pytest.raises(dm.InvalidError):
        plan.epsilon(1e-9, max_operations=-1)
