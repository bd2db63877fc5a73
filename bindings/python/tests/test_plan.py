"""Plans: constructors, forms, equality, errors."""

import copy
import json
import pickle

import pytest

import dosimeter as dm
from dosimeter import kinds, stubs
from dosimeter._core import lib

EVERY_KIND = {
    "gaussian": lambda: dm.gaussian(1.5),
    "laplace": lambda: dm.laplace(2),
    "discrete_gaussian": lambda: dm.discrete_gaussian(3),
    "discrete_laplace": lambda: dm.discrete_laplace(scale=4),
    "rr": lambda: dm.rr(1, categories=5),
    "exponential": lambda: dm.exponential(0.5),
    "pure": lambda: dm.pure(0.25),
    "approx": lambda: dm.approx(1, 1e-6),
    "zcdp": lambda: dm.zcdp(0.1, delta=1e-9),
    "renyi": lambda: dm.renyi(order=8, epsilon=0.5),
    "gdp": lambda: dm.gdp(1),
    "pmf": lambda: dm.pmf([1, 2, 3], [3, 2, 1]),
    "nonprivate": lambda: dm.nonprivate(),
    "poisson": lambda: dm.poisson(0.1, dm.gaussian(1)),
    "without_replacement":
        lambda: dm.without_replacement(10, 100, dm.gaussian(1)),
    "with_replacement":
        lambda: dm.with_replacement(batch=10, population=100,
                                    of=dm.gaussian(1)),
    "group": lambda: dm.group(2, dm.laplace(1)),
    "repeat": lambda: dm.repeat(7, dm.laplace(1)),
    "compose": lambda: dm.compose(dm.gaussian(1), dm.laplace(1)),
    "loss": lambda: dm.loss([-0.5, 0.5], [0.3, 0.5]),
}


def test_every_kind_has_a_constructor_and_a_case() -> None:
    names = {dm.interval.text_of(lib.dosi_kind_at(i).name)
             for i in range(lib.DOSI_KIND_COUNT)}
    assert names == set(EVERY_KIND) == set(kinds.__all__)


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_forms_read_back(kind: str) -> None:
    plan = EVERY_KIND[kind]()
    assert plan.kind == kind
    for other in (dm.Plan(str(plan)), dm.Plan.from_json(plan.to_json()),
                  pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan),
                  eval(repr(plan), {"Plan": dm.Plan})):
        assert other == plan
        assert hash(other) == hash(plan)
    assert json.loads(plan.to_json())["kind"] == kind


def test_the_stub_is_that_of_the_table() -> None:
    with open(kinds.__file__ + "i", encoding="utf-8") as file:
        assert file.read() == stubs.kinds_stub()


def test_operators() -> None:
    a, b = dm.gaussian(1), dm.laplace(2)
    assert str(a + b) == "gaussian(1) + laplace(2)"
    assert a * 3 == 3 * a == dm.repeat(3, a)
    assert str(sum([a, b, a])) == str(a + (b + a)) \
        == "gaussian(1) + laplace(2) + gaussian(1)"
    assert len(sum([a, b] * 500).children) == 1000  # no tree of 1000 levels
    assert (a * 2 + b + a).normal() == (b + a * 3).normal()
    assert a != b and a != "gaussian(1)"
    assert len({a, b, dm.gaussian(1.0)}) == 2
    with pytest.raises(TypeError):
        a + 1
    with pytest.raises(TypeError):
        a * b
    assert dm.compose() == dm.pure(0)


def test_parts() -> None:
    plan = dm.zcdp(0.5, xi=0.1) * 3 + dm.pmf([1, 2], [2, 1])
    repeat, pmf = plan.children
    assert repeat.parameters == {"count": 3}
    assert repeat.children[0].parameters == {"rho": 0.5, "xi": 0.1, "delta": 0}
    assert pmf.parameters == {"p": (1, 2), "q": (2, 1)}
    assert dm.Plan("gaussian(?)").parameters["sigma"] is dm.HOLE


def test_children_outlive_their_parent() -> None:
    child = dm.Plan("poisson(0.5, gaussian(2)) * 3").children[0].children[0]
    assert str(child) == "gaussian(2)"


@pytest.mark.parametrize("make, status, offset, words", [
    (lambda: dm.Plan("gausian(1)"), 10, 0, "did you mean 'gaussian'"),
    (lambda: dm.Plan("gaussian(1"), 11, 10, ""),
    (lambda: dm.gaussian(-1), 10, None, "positive and finite, got -1"),
    (lambda: dm.gaussian(float("nan")), 10, None, "sigma"),
    (lambda: dm.gaussian(1) * 0, 10, None, "count"),
    (lambda: dm.gaussian(1) * 1.5, 10, None, "count"),
    (lambda: dm.gaussian(1) * (2**53 + 1), 10, None, "not a double"),
    (lambda: dm.gaussian(10**400), 10, None, "too large"),
    (lambda: dm.pmf([1], [1, 2]), 10, None, "pmf"),
    (lambda: dm.Plan("shuffle(10, gaussian(1))"), 21, 0, "shuffle"),
    (lambda: dm.gaussian(1).epsilon(2), 10, None, "delta"),
    (lambda: dm.gaussian(1).epsilon(1e-5, neighbours="other"), 10, None,
     "neighbours"),
    (lambda: dm.gaussian(1).epsilon(1e-5, route="none"), 10, None, "none"),
    (lambda: dm.Plan("gaussian(?)").epsilon(1e-5), 10, None, "hole"),
    (lambda: dm.Plan.from_json("{"), 11, None, ""),
    (lambda: dm.Plan.from_json('{"class_name":"OtherDpEvent"}'), 21, None,
     "OtherDpEvent"),
    (lambda: dm.group(2, dm.gdp(1)).to_events(), 21, None, "group"),
])
def test_errors_carry_the_status(make, status, offset, words) -> None:
    with pytest.raises(dm.DosimeterError) as caught:
        make()
    error = caught.value
    assert error.status == status
    assert words in str(error)
    if offset is not None:
        assert error.offset == offset
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.offset) == (
        type(error), str(error), error.offset)


def test_errors_are_also_pythons() -> None:
    with pytest.raises(ValueError):
        dm.gaussian(0)
    with pytest.raises(NotImplementedError):
        dm.Plan("shuffle(10, gaussian(1))")
    for wrong in (lambda: dm.gaussian(), lambda: dm.gaussian(1, 2),
                  lambda: dm.gaussian([1]), lambda: dm.poisson(0.1, 2),
                  lambda: dm.gaussian(tau=1),
                  lambda: dm.gaussian(1).epsilon()):
        with pytest.raises(TypeError):
            wrong()


def test_events() -> None:
    plan = dm.poisson(0.01, dm.gaussian(2)) * 10 + dm.laplace(3)
    events = plan.to_events()
    assert events["class_name"] == "ComposedDpEvent"
    assert events["events"][0]["count"] == 10
    assert dm.Plan.from_json(json.dumps(events)) == plan


def test_numpy_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    sigma, count = numpy.float64(1.5), numpy.int64(3)
    assert count * dm.gaussian(sigma) == dm.gaussian(1.5) * 3
    assert dm.gaussian(1).epsilon(numpy.float64(1e-5)) \
        == dm.gaussian(1).epsilon(1e-5)
    curve = dm.gaussian(1).epsilon(numpy.array([1e-3, 1e-5]))
    assert isinstance(curve.upper, numpy.ndarray)
    assert curve.upper.shape == (2,)


@pytest.mark.parametrize("text, offset", [
    ('{"kind":"gaussian\\u0000","sigma":1}', 17),
    ('{"kind":"gaussian\0","sigma":1}', 17),
    (b'{"kind":"gaussian\0","sigma":1}', 17),
    ('{"kind":"gaussian","sigma\\u0000":1}', 25),
    ('{"kind":"gaussian","sigma":1}\0', 29),
    (b'{"kind":"gaussian\xff","sigma":1}', 17),
    ('{"kind":"gaussian\udcff","sigma":1}', 17),
])
def test_json_with_bad_bytes(text, offset) -> None:
    with pytest.raises(dm.TextError) as caught:
        dm.Plan.from_json(text)
    assert caught.value.offset == offset


@pytest.mark.parametrize("text", ["gaussian(1)\0*2", "gaussian(1)\udcff",
                                  "gaussian(1)ü"])
def test_text_with_bad_bytes(text) -> None:
    with pytest.raises(dm.TextError) as caught:
        dm.Plan(text)
    assert caught.value.offset == 11


def test_formulas_with_nul() -> None:
    with pytest.raises(ValueError, match="NUL"):
        dm.formula("T000-08.delta\0x", eps=1, sigma=1, sens=1)
    with pytest.raises(ValueError, match="NUL"):
        dm.formula("T000-08.delta", eps="1\0", sigma=1, sens=1)


def test_events_follow_the_relation() -> None:
    """sigma is relative to the norm of one record: 2 apart if replaced."""
    event = '{"class_name":"GaussianDpEvent","noise_multiplier":1}'
    assert dm.Plan.from_json(event) == dm.gaussian(1)
    replaced = dm.Plan.from_json(event, "replace")
    assert replaced == dm.group(2, dm.gaussian(1))
    # Phi(1 - e/2) - exp(e) Phi(-1 - e/2) = 1e-5, by mpmath
    assert 9.9972561464343003 in replaced.epsilon(1e-5, neighbours="replace")
    with pytest.raises(ValueError):
        dm.Plan.from_json(event, "both")
