"""The accountant inside the real dp_accounting: same events through both."""

import math
import pickle

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
    """Their RDP accountant takes the noise of REPLACE_ONE as relative to the
    distance of neighbours' sums, which is twice the norm of a record."""
    halved = dp_event.SelfComposedDpEvent(
        dp_event.SampledWithoutReplacementDpEvent(
            1000, 10, dp_event.GaussianDpEvent(1.0)), 100)
    for event, same, relation in (
            (TRAINING, TRAINING, "ADD_OR_REMOVE_ONE"),
            (BATCHES, halved, "REPLACE_ONE")):
        relation = NeighboringRelation[relation]
        theirs = dp_accounting.rdp.RdpAccountant(
            neighboring_relation=relation).compose(same)
        ours = DosimeterAccountant(relation).compose(event)
        assert ours.get_epsilon(1e-5) <= theirs.get_epsilon(1e-5)


@pytest.mark.parametrize("event", [
    dp_event.GaussianDpEvent(1.0),
    dp_event.SelfComposedDpEvent(dp_event.GaussianDpEvent(7.0), 20),
    dp_event.PoissonSampledDpEvent(0.3, dp_event.GaussianDpEvent(1.0)),
    TRAINING], ids=lambda e: str(e)[:40])
def test_replace_one_is_the_definition(event) -> None:
    """Each record has a norm of at most C, so a replaced one moves the sum by
    up to 2 C; their PLD accountant reads it so, too."""
    relation = NeighboringRelation.REPLACE_ONE
    ours = DosimeterAccountant(relation).compose(event)
    theirs = dp_accounting.pld.PLDAccountant(relation).compose(event)
    for delta in (1e-3, 1e-5, 1e-8):
        bound = theirs.get_epsilon(delta)
        assert ours.get_epsilon(delta) <= bound * (1 + 1e-9) + 1e-9
        assert ours.get_epsilon(delta) >= bound - 5e-3 * (1 + bound)


def test_replace_one_of_every_event() -> None:
    """With noise: that of add or remove for a group of two. Stated: as it is
    said. Sampled and stated: refused."""
    def both(event):
        return (DosimeterAccountant(NeighboringRelation.REPLACE_ONE)
                .compose(event).get_epsilon(1e-5),
                DosimeterAccountant().compose(event).get_epsilon(1e-5))

    replace = DosimeterAccountant(NeighboringRelation.REPLACE_ONE)
    # Phi(1 - e/2) - exp(e) Phi(-1 - e/2) = 1e-5 at 9.99725614643430...
    assert both(dp_event.GaussianDpEvent(1.0))[0] \
        == pytest.approx(9.9972561464343, abs=1e-12)
    # Laplace noise of scale 2, at a distance of 2: 1 + 2 log(1 - 1e-5)
    assert both(dp_event.LaplaceDpEvent(2.0))[0] \
        == pytest.approx(0.9999799999, abs=1e-10)
    for event, same in (
            (dp_event.DiscreteLaplaceDpEvent(0.25, 3),
             dp_event.DiscreteLaplaceDpEvent(0.25, 6)),
            (dp_event.ComposedDpEvent([GAUSSIAN, GAUSSIAN]),
             dp_event.SelfComposedDpEvent(dp_event.GaussianDpEvent(1.0), 2)),
            (dp_event.PoissonSampledDpEvent(
                1.0, dp_event.LaplaceDpEvent(2.0)),
             dp_event.LaplaceDpEvent(1.0))):
        assert both(event)[0] == pytest.approx(both(same)[1], rel=1e-9)
    for event in (dp_event.ZCDpEvent(0.1),
                  dp_event.RandomizedResponseDpEvent(0.5, 4)):
        assert both(event)[0] == both(event)[1]
        assert not replace.supports(
            dp_event.PoissonSampledDpEvent(0.1, event))
    # a batch keeps its size, also where a record is added or removed
    drawn = dp_event.SampledWithReplacementDpEvent(100, 10, GAUSSIAN)
    plan = dm.with_replacement(10, 100, dm.gaussian(1))
    assert both(drawn)[1] == plan.epsilon(1e-5).upper


def test_the_upper_end_is_handed_out() -> None:
    """By the Rényi route, whose lower ends are 0."""
    exact = DosimeterAccountant().compose(TRAINING)
    loose = DosimeterAccountant(route="renyi").compose(TRAINING)
    assert loose.epsilon(1e-5).lower == 0 == loose.delta(1.0).lower
    assert loose.get_epsilon(1e-5) >= exact.epsilon(1e-5).lower > 0
    assert loose.get_delta(1.0) >= exact.delta(1.0).lower > 0
    assert type(loose.get_epsilon(1e-5)) is type(loose.get_delta(1.0)) is float


def test_accountants_pickle() -> None:
    accountant = DosimeterAccountant(
        NeighboringRelation.REPLACE_ONE).compose(TRAINING).compose(GAUSSIAN)
    again = pickle.loads(pickle.dumps(accountant))
    assert again.get_epsilon(1e-5) == accountant.get_epsilon(1e-5)
    assert again.ledger == accountant.ledger
    assert again.compose(GAUSSIAN).get_epsilon(1e-5) \
        == accountant.compose(GAUSSIAN).get_epsilon(1e-5)


def test_the_relation_has_one_name() -> None:
    for key in ("neighbours", "neighbors"):
        DosimeterAccountant(NeighboringRelation.REPLACE_ONE,
                            **{key: "replace"})
        with pytest.raises(ValueError):
            DosimeterAccountant(**{key: "replace"})


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
    pure = DosimeterAccountant().compose(dp_event.LaplaceDpEvent(2.0), 3)
    assert 1.5 <= pure.get_epsilon(0) <= 1.5 * (1 + 1e-12)
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
