"""The accountant inside the real dp_accounting: same events through both."""

import math

import dp_accounting
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution as pld

import dosimeter as dm
from dosimeter.dp_accounting import (DosimeterAccountant, NeighboringRelation,
                                     event_to_plan, plan_to_event)

GAUSSIAN = dp_event.GaussianDpEvent(2.0)
TRAINING = dp_event.SelfComposedDpEvent(
    dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(1.0)), 1000)
BATCHES = dp_event.SelfComposedDpEvent(
    dp_event.SampledWithoutReplacementDpEvent(
        1000, 10, dp_event.GaussianDpEvent(2.0)), 100)
MIXTURE = dp_event.ComposedDpEvent([
    TRAINING,
    dp_event.SelfComposedDpEvent(dp_event.LaplaceDpEvent(5.0), 3),
    dp_event.DiscreteLaplaceDpEvent(0.25, 1),
    GAUSSIAN,
])
EVENTS = [
    GAUSSIAN,
    dp_event.LaplaceDpEvent(0.5),
    dp_event.DiscreteLaplaceDpEvent(0.5, 2),
    dp_event.SelfComposedDpEvent(GAUSSIAN, 100),
    dp_event.PoissonSampledDpEvent(0.2, dp_event.LaplaceDpEvent(2.0)),
    TRAINING,
    MIXTURE,
    dp_event.NoOpDpEvent(),
    dp_event.NonPrivateDpEvent(),
    dp_event.ComposedDpEvent([]),
    dp_event.GaussianDpEvent(0.0),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: str(e)[:40])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_below_theirs(event, delta: float) -> None:
    ours = DosimeterAccountant().compose(event)
    theirs = dp_accounting.pld.PLDAccountant().compose(event)
    bound = theirs.get_epsilon(delta)
    assert ours.get_epsilon(delta) <= bound * (1 + 1e-9) + 1e-9
    if math.isfinite(bound):  # and their grid is 1e-4 wide
        assert ours.get_epsilon(delta) >= bound - 5e-3 * (1 + bound)
        assert ours.get_delta(1.0) <= theirs.get_delta(1.0) * (1 + 1e-9)
    else:
        assert ours.get_epsilon(delta) == math.inf
        assert ours.get_delta(1.0) == 1


@pytest.mark.parametrize("sigma, rate, count", [
    (1.0, 0.01, 1000), (0.8, 0.1, 50), (3.0, 1.0, 20)])
def test_inside_their_bounds(sigma: float, rate: float, count: int) -> None:
    """Their pessimistic and optimistic distributions enclose ours."""
    event = dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(
        rate, dp_event.GaussianDpEvent(sigma)), count)
    ours = DosimeterAccountant().compose(event)
    low, high = (
        pld.from_gaussian_mechanism(
            sigma, pessimistic_estimate=pessimistic, sampling_prob=rate,
            value_discretization_interval=1e-4).self_compose(count)
        for pessimistic in (False, True))
    for delta in (1e-4, 1e-7):
        epsilon = ours.epsilon(delta)
        assert low.get_epsilon_for_delta(delta) <= epsilon.upper + 1e-9
        assert epsilon.lower <= high.get_epsilon_for_delta(delta) + 1e-9


def test_rdp_is_looser() -> None:
    for event, relation in ((TRAINING, "ADD_OR_REMOVE_ONE"),
                            (BATCHES, "REPLACE_ONE")):
        relation = NeighboringRelation[relation]
        theirs = dp_accounting.rdp.RdpAccountant(
            neighboring_relation=relation).compose(event)
        ours = DosimeterAccountant(relation).compose(event)
        assert ours.get_epsilon(1e-5) <= theirs.get_epsilon(1e-5)


@pytest.mark.parametrize("event", EVENTS + [BATCHES],
                         ids=lambda e: str(e)[:40])
def test_events_both_ways(event) -> None:
    plan = event_to_plan(event)
    again = plan_to_event(plan)
    assert event_to_plan(again).normal() == plan.normal()
    if event in (GAUSSIAN, TRAINING, BATCHES):
        assert again == event


def test_ledger() -> None:
    accountant = DosimeterAccountant()
    assert isinstance(accountant.ledger, dp_event.NoOpDpEvent)
    assert accountant.get_epsilon(0) == 0 == accountant.get_epsilon(1e-5)
    assert accountant.compose(GAUSSIAN, 3) is accountant
    accountant.compose(GAUSSIAN)
    assert accountant.ledger == dp_event.SelfComposedDpEvent(GAUSSIAN, 4)
    assert accountant.plan == dm.gaussian(2) * 4
    assert accountant.get_epsilon(1) == 0
    assert accountant.get_epsilon(0) == math.inf
    assert accountant.neighboring_relation \
        == NeighboringRelation.ADD_OR_REMOVE_ONE


def test_counts_count() -> None:
    """compose(e, n) is n times compose(e), of every event."""
    for event in EVENTS + [dp_event.RandomizedResponseDpEvent(0.5, 4),
                           dp_event.ZCDpEvent(0.01)]:
        at_once = DosimeterAccountant().compose(event, 3)
        one_by_one = DosimeterAccountant().compose(event).compose(
            event).compose(event)
        a, b = at_once.epsilon(1e-6), one_by_one.epsilon(1e-6)
        assert a.lower <= b.upper and b.lower <= a.upper


def test_what_is_refused_changes_nothing() -> None:
    accountant = DosimeterAccountant().compose(GAUSSIAN)
    wrong = dp_event.ComposedDpEvent([
        TRAINING, dp_event.PoissonSampledDpEvent(
            0.1, dp_event.UnsupportedDpEvent())])
    assert not accountant.supports(wrong)
    assert accountant.supports(MIXTURE)
    with pytest.raises(dp_accounting.UnsupportedEventError,
                       match=r"caused by subevent UnsupportedDpEvent\(\)"):
        accountant.compose(wrong)
    for count in (0, -1):
        with pytest.raises(ValueError):
            accountant.compose(GAUSSIAN, count)
    with pytest.raises(TypeError):
        accountant.compose("gaussian(1)")
    assert accountant.ledger == GAUSSIAN
    assert accountant.plan == dm.gaussian(2)


def test_relations() -> None:
    add = DosimeterAccountant()
    replace = DosimeterAccountant(NeighboringRelation.REPLACE_ONE)
    special = DosimeterAccountant(NeighboringRelation.REPLACE_SPECIAL)
    assert all(a.supports(TRAINING) for a in (add, replace, special))
    assert [a.supports(BATCHES) for a in (add, replace, special)] \
        == [False, True, False]
    assert all(a.supports(GAUSSIAN) for a in (add, replace, special))
    sampled = dp_event.PoissonSampledDpEvent(0.1, dp_event.ZCDpEvent(0.1))
    assert not special.supports(sampled)
    assert special.compose(TRAINING).get_epsilon(1e-5) \
        == add.compose(TRAINING).get_epsilon(1e-5)
    assert DosimeterAccountant(NeighboringRelation.REPLACE_ONE).compose(
        TRAINING).get_epsilon(1e-5) > add.get_epsilon(1e-5)
    assert replace.compose(BATCHES).epsilon(1e-5).neighbours == "replace"


def test_calibration() -> None:
    """The documented numbers of JAX Privacy, through dp_accounting."""
    def training(sigma: float, steps: int):
        return dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(
            0.1, dp_event.GaussianDpEvent(sigma)), steps)

    sigma = dp_accounting.calibrate_dp_mechanism(
        DosimeterAccountant, lambda s: training(s, 512), 1.0, 1e-6)
    assert round(sigma, 2) == 9.66
    assert DosimeterAccountant().compose(
        training(sigma, 512)).get_epsilon(1e-6) <= 1
    assert dp_accounting.calibrate_dp_mechanism(
        DosimeterAccountant, lambda t: training(3.0, t), 2.0, 1e-6,
        dp_accounting.LowerEndpointAndGuess(1, 128), discrete=True) == 155
