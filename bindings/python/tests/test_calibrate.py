"""Calibration: natively through the hole, and by search."""

import math
import pickle

import pytest

import dosimeter as dm


def test_the_hole_is_solved_natively() -> None:
    found = dm.calibrate(
        lambda s: dm.poisson(0.004, dm.gaussian(s)) * 20000,
        epsilon=1, delta=1e-6)
    assert found.parameter == "gaussian sigma"
    assert found.answer.upper <= 1
    assert found.beyond == math.nextafter(found.value, 0)
    assert found.plan.epsilon(1e-6).upper == found.answer.upper
    assert found.rounded >= found.value and found.rounded_answer.upper <= 1
    assert float(found) == found.value
    for same in (dm.Plan("poisson(0.004, gaussian(?)) * 20000"),
                 "poisson(0.004, gaussian(?)) * 20000",
                 dm.poisson(0.004, dm.gaussian(dm.HOLE)) * 20000):
        assert dm.calibrate(same, epsilon=1, delta=1e-6) == found


@pytest.mark.parametrize("make", [
    lambda x: dm.gaussian(x),
    lambda x: dm.poisson(x, dm.gaussian(2)) * 100,
    lambda x: dm.without_replacement(x, 10**6, dm.gaussian(2)) * 100,
    lambda x: dm.gaussian(30) * x,
    lambda x: dm.laplace(x) * 3 + dm.gaussian(9),
])
def test_any_one_parameter(make) -> None:
    options = {"neighbours": "natural"}
    found = dm.calibrate(make, epsilon=1, delta=1e-6, **options)
    assert found.parameter
    assert make(found.value).epsilon(1e-6, **options).upper <= 1
    if found.beyond != found.value:
        assert make(found.beyond).epsilon(1e-6, **options).upper > 1


def test_jax_privacy_doctests() -> None:
    """Its documented numbers, of an accountant that is 1e-3 wide."""
    plan = dm.dpsgd_plan(3, 512, sampling_prob=0.1)
    assert round(float(plan.epsilon(1e-6)), 2) == 3.77
    sigma = dm.calibrate(
        lambda s: dm.dpsgd_plan(s, 512, sampling_prob=0.1),
        epsilon=1, delta=1e-6)
    assert round(sigma.value, 2) == 9.66
    steps = dm.calibrate(
        lambda t: dm.dpsgd_plan(3, t, sampling_prob=0.1),
        epsilon=2, delta=1e-6)
    assert steps.value == 155 and steps.beyond == 156


def test_a_function_that_computes() -> None:
    found = dm.calibrate(lambda s: dm.gaussian(s) + dm.laplace(2 * s),
                         epsilon=1, delta=1e-6)
    assert found.answer.upper <= 1 < found.beyond_answer.upper
    assert math.isclose(found.value, found.beyond, rel_tol=1e-11)
    native = dm.calibrate(lambda s: dm.gaussian(s), epsilon=1, delta=1e-6)
    searched = dm.calibrate(lambda s: dm.gaussian(s * 1.0), epsilon=1,
                            delta=1e-6)
    assert math.isclose(native.value, searched.value, rel_tol=1e-11)
    assert searched.value >= native.value
    twice = dm.calibrate(lambda s: dm.gaussian(s) + dm.gaussian(s),
                         epsilon=1, delta=1e-6)
    assert math.isclose(twice.value, native.value * math.sqrt(2),
                        rel_tol=1e-11)


def test_integers_and_brackets() -> None:
    exact = dm.calibrate(lambda n: dm.gaussian(30) * n, epsilon=1, delta=1e-6)
    pairs = dm.calibrate(lambda n: dm.gaussian(30) * (2 * n), integer=True,
                         epsilon=1, delta=1e-6)
    assert pairs.value == exact.value // 2 and pairs.beyond == pairs.value + 1
    rate = dm.calibrate(lambda q: dm.poisson(q / 2, dm.gaussian(2)) * 10,
                        bracket=(0.01, 1), epsilon=1, delta=1e-6)
    assert rate.answer.upper <= 1 < rate.beyond_answer.upper
    with pytest.raises(dm.DomainError, match="both ends"):
        dm.calibrate(lambda s: dm.gaussian(s), bracket=(10, 20),
                     epsilon=1, delta=1e-6)


def test_targets() -> None:
    make = dm.gaussian
    assert math.isclose(dm.calibrate(make, rho=0.5).value, 1)
    assert math.isclose(dm.calibrate(make, mu=0.5).value, 2)
    assert math.isclose(dm.calibrate(make, renyi=1, order=2).value, 1)
    assert dm.calibrate(make, beta=0.5, alpha=0.3).answer.lower >= 0.5
    assert dm.calibrate(make, advantage=0.1).answer.upper <= 0.1
    assert dm.calibrate(make, epsilon=1, log_delta=-1000).value > 40
    both = dm.calibrate(make, epsilon=1, delta=1e-6, mu=0.01)
    assert math.isclose(both.value, 100)  # mu binds
    for wrong in ({}, {"epsilon": 1}, {"delta": 1e-6}, {"alpha": 0.5},
                  {"epsilon": 1, "delta": 0.1, "log_delta": -3}):
        with pytest.raises(TypeError):
            dm.calibrate(make, **wrong)


def test_what_cannot_be_met() -> None:
    with pytest.raises(dm.DomainError):
        dm.calibrate("gaussian(?) + zcdp(1)", rho=0.5)
    with pytest.raises(dm.DomainError):
        dm.calibrate(lambda s: dm.gaussian(s + 0) + dm.pure(2), epsilon=1,
                     delta=1e-6)
    with pytest.raises(dm.InvalidError):
        dm.calibrate(dm.gaussian(1), epsilon=1, delta=1e-6)  # no hole
    with pytest.raises(ZeroDivisionError):
        dm.calibrate(lambda s: dm.gaussian(s / 0), epsilon=1, delta=1e-6)


def test_the_hole() -> None:
    assert repr(dm.HOLE) == "?"
    assert pickle.loads(pickle.dumps(dm.HOLE)) is dm.HOLE
    for use in (lambda: dm.HOLE + 1, lambda: 2 * dm.HOLE,
                lambda: dm.HOLE == 0, lambda: bool(dm.HOLE),
                lambda: math.sqrt(dm.HOLE), lambda: dm.HOLE < 3,
                lambda: range(dm.HOLE)):
        with pytest.raises(TypeError):
            use()
    assert str(dm.gaussian(1) * dm.HOLE) == "gaussian(1) * ?"
    assert dm.Plan("gaussian(?)").fill(2) == dm.gaussian(2)
