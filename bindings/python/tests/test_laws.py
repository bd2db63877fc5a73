"""Laws of the whole system, of random plans.

An answer is an interval that contains a number nobody knows; a law about
these numbers holds of the intervals when some choice of numbers in them
obeys it. DOSI_SEED=1 draws anew, DOSI_EFFORT lengthens the run.
"""

import json
import math
import pickle

from hypothesis import assume, given
from hypothesis import strategies as st

import dosimeter as dm

# Little time for each question: what is left undone makes answers wider.
LIMIT = {"time_limit": 0.2}


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


LEAVES = st.one_of(
    numbers(0.5, 50).map(dm.gaussian),
    numbers(0.5, 50).map(dm.laplace),
    numbers(1, 20).map(dm.discrete_gaussian),
    numbers(1, 20).map(dm.discrete_laplace),
    st.builds(dm.rr, numbers(0, 2), st.integers(2, 10)),
    numbers(0, 2).map(dm.exponential),
    numbers(0, 1).map(dm.pure),
    st.builds(dm.approx, numbers(0, 1), numbers(0, 1e-6)),
    st.builds(dm.zcdp, numbers(0, 0.2)),
    numbers(0, 1).map(dm.gdp),
    st.lists(st.tuples(numbers(0.1, 1), numbers(0.1, 1)), min_size=2,
             max_size=4).map(lambda rows: dm.pmf(*zip(*rows))),
)
SAMPLED = st.one_of(
    st.builds(dm.poisson, numbers(1e-3, 1),
              numbers(0.7, 10).map(dm.gaussian)),
    st.builds(dm.poisson, numbers(1e-3, 1), numbers(1, 10).map(dm.laplace)),
)
PARTS = st.one_of(LEAVES, SAMPLED, st.builds(dm.repeat, st.integers(1, 30),
                                             st.one_of(LEAVES, SAMPLED)))
PLANS = st.lists(PARTS, min_size=1, max_size=3).map(
    lambda parts: dm.compose(*parts))
DELTAS = numbers(-25, -1).map(math.exp)


def meet(a: dm.Interval, b: dm.Interval) -> bool:
    """Both may contain the same number."""
    return a.lower <= b.upper and b.lower <= a.upper


@given(PLANS)
def test_forms(plan: dm.Plan) -> None:
    assert dm.Plan(str(plan)) == plan
    assert dm.Plan.from_json(plan.to_json()) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert plan.normal() == plan.normal().normal()


@given(PLANS, DELTAS, DELTAS)
def test_epsilon_falls_with_delta(
        plan: dm.Plan, delta: float, other: float) -> None:
    small, large = sorted((delta, other))
    at_small = plan.epsilon(small, **LIMIT)
    at_large = plan.epsilon(large, **LIMIT)
    assert 0 <= at_small.lower <= at_small.upper
    assert at_large.lower <= at_small.upper


@given(PLANS, DELTAS)
def test_epsilon_and_delta_are_inverse(plan: dm.Plan, delta: float) -> None:
    epsilon = plan.epsilon(delta, **LIMIT)
    assume(math.isfinite(epsilon.upper))
    assert plan.delta(epsilon.upper, **LIMIT).lower <= delta
    if epsilon.lower > 0:
        assert plan.delta(epsilon.lower, **LIMIT).upper >= delta * (1 - 1e-9)


@given(PARTS, PARTS, DELTAS)
def test_composition(a: dm.Plan, b: dm.Plan, delta: float) -> None:
    both = (a + b).epsilon(delta, **LIMIT)
    assert meet(both, (b + a).epsilon(delta, **LIMIT))
    assert meet(both, (a + b).normal().epsilon(delta, **LIMIT))
    assert a.epsilon(delta, **LIMIT).lower <= both.upper
    # pure and approximate guarantees add up
    half = delta / 2
    total = a.epsilon(half, **LIMIT).upper + b.epsilon(half, **LIMIT).upper
    assert both.lower <= total * (1 + 1e-12)


@given(PARTS, st.integers(2, 4), DELTAS)
def test_repetition(plan: dm.Plan, count: int, delta: float) -> None:
    assert meet((plan * count).epsilon(delta, **LIMIT),
                sum([plan] * count).epsilon(delta, **LIMIT))


@given(LEAVES, st.integers(2, 3), DELTAS)
def test_groups_lose_no_less(
        plan: dm.Plan, size: int, delta: float) -> None:
    group = dm.group(size, plan).epsilon(delta, **LIMIT)
    assert group.upper >= plan.epsilon(delta, **LIMIT).lower


@given(numbers(0.5, 5), numbers(0.5, 5), numbers(0, 1), numbers(0, 1), DELTAS)
def test_noise_and_rate(s: float, t: float, q: float, r: float,
                        delta: float) -> None:
    s, t = sorted((s, t))
    q, r = sorted((q, r))
    worst = dm.poisson(r, dm.gaussian(s)).epsilon(delta)
    best = dm.poisson(q, dm.gaussian(t)).epsilon(delta)
    assert best.lower <= worst.upper


@given(PLANS, numbers(0, 1), numbers(0, 3))
def test_the_curve_agrees_with_delta(
        plan: dm.Plan, alpha: float, epsilon: float) -> None:
    beta = plan.tradeoff(alpha, **LIMIT)
    assert 0 <= beta.lower <= beta.upper
    assert beta.lower <= 1 - alpha + 1e-15
    # beta >= 1 - delta - e^epsilon alpha
    delta = plan.delta(epsilon, **LIMIT)
    assert 0 <= delta.lower <= delta.upper <= 1
    line = 1 - delta.upper - math.exp(epsilon) * alpha
    assert beta.upper >= line - 1e-9


@given(PLANS, numbers(1.1, 30))
def test_divergences(plan: dm.Plan, order: float) -> None:
    divergence = plan.renyi(order, **LIMIT)
    assert 0 <= divergence.upper
    assert plan.renyi(order + 1, **LIMIT).upper >= divergence.lower
    rho = plan.zcdp(**LIMIT)
    assert divergence.lower <= rho.upper * order * (1 + 1e-12)


@given(PLANS, DELTAS)
def test_routes_agree(plan: dm.Plan, delta: float) -> None:
    best = plan.epsilon(delta, **LIMIT)
    for route in dm.routes():
        try:
            alone = plan.epsilon(delta, route=route, **LIMIT)
        except dm.DosimeterError:
            continue
        assert meet(best, alone), route


@given(PLANS, DELTAS)
def test_events(plan: dm.Plan, delta: float) -> None:
    try:
        events = plan.to_events()
    except dm.UnsupportedError:
        return
    again = dm.Plan.from_json(json.dumps(events))
    # where it must round, it loses no less
    assert again.epsilon(delta, **LIMIT).upper \
        >= plan.epsilon(delta, **LIMIT).lower


@given(st.lists(PARTS, max_size=20), DELTAS, st.integers(1, 3))
def test_a_vector_is_its_items(
        plans: list[dm.Plan], delta: float, threads: int) -> None:
    answers = dm.epsilon(plans, delta, threads=threads)
    assert list(answers) == [plan.epsilon(delta) for plan in plans]


@given(numbers(0.1, 5), DELTAS, st.integers(1, 100), numbers(0.01, 1))
def test_calibration_meets_its_target(
        epsilon: float, delta: float, count: int, rate: float) -> None:
    found = dm.calibrate(
        lambda s: dm.poisson(rate, dm.gaussian(s)) * count,
        epsilon=epsilon, delta=delta)
    assert found.plan.epsilon(delta).upper <= epsilon
    if found.beyond < found.value:
        plan = dm.poisson(rate, dm.gaussian(found.value * 0.99)) * count
        assert plan.epsilon(delta).upper > epsilon * (1 - 1e-9)
