"""The accountant inside the real JAX Privacy."""

import pytest

pytest.importorskip("jax_privacy")

import dp_accounting
import numpy
from jax_privacy import accounting
from jax_privacy.experimental import accounting as events
from jax_privacy.experimental import execution_plan

import dosimeter as dm
from dosimeter.jax_privacy import (DosimeterAccountant,
                                   DosimeterAccountantConfig,
                                   NeighboringRelation)

DELTA = 1e-6
ADD_OR_REMOVE_ONE = NeighboringRelation.ADD_OR_REMOVE_ONE


def training(config=None, **options) -> accounting.DpsgdTrainingAccountant:
    return accounting.DpsgdTrainingAccountant(
        config or DosimeterAccountantConfig(**options))


def parameters(**changes) -> accounting.DpParams:
    return accounting.DpParams(**{
        "noise_multipliers": 1.1, "batch_size": 256, "num_samples": 60000,
        "delta": DELTA, **changes})


def test_training() -> None:
    found = training().compute_epsilon(1000, parameters())
    plan = dm.poisson(256 / 60000, dm.gaussian(1.1)) * 1000
    assert found == plan.epsilon(DELTA).upper
    theirs = training(accounting.PldAccountantConfig()).compute_epsilon(
        1000, parameters())
    assert found <= theirs < found + 0.01


def test_schedules() -> None:
    """Noise and batches that change, as JAX Privacy splits them."""
    found = training().compute_epsilon(1000, parameters(
        noise_multipliers=[(0, 1.1), (400, 2.0)],
        batch_size=[(0, 256), (700, 512)]))
    plan = (dm.poisson(256 / 60000, dm.gaussian(1.1)) * 400
            + dm.poisson(256 / 60000, dm.gaussian(2)) * 300
            + dm.poisson(512 / 60000, dm.gaussian(2)) * 300)
    assert found == pytest.approx(plan.epsilon(DELTA).upper, rel=1e-9)


def test_fixed_batches_are_those_of_jax_privacy() -> None:
    fixed = parameters(
        sampling_method=accounting.SamplingMethod.FIXED_BATCH_SIZE)
    plan = dm.poisson(256 / 60000, dm.gaussian(1.1 / 2)) * 100
    assert training().compute_epsilon(100, fixed) \
        == plan.epsilon(DELTA).upper


def test_what_there_is_no_theorem_for_is_refused() -> None:
    with pytest.raises((ValueError, dp_accounting.UnsupportedEventError)):
        training().compute_epsilon(10, parameters(truncated_batch_size=300))


def test_calibration() -> None:
    noise = accounting.calibrate_noise_multiplier(
        target_epsilon=2.0, accountant=training(), batch_sizes=256,
        num_updates=1000, num_samples=60000, target_delta=DELTA, tol=1e-3)
    assert (dm.poisson(256 / 60000, dm.gaussian(noise)) * 1000).check(
        epsilon=2, delta=DELTA)
    exact = dm.calibrate(
        lambda s: dm.poisson(256 / 60000, dm.gaussian(s)) * 1000,
        epsilon=2, delta=DELTA).value
    assert exact <= noise < exact + 3e-3
    steps = accounting.calibrate_num_updates(
        target_epsilon=1.0, accountant=training(), noise_multipliers=1.1,
        batch_sizes=256, num_samples=60000, target_delta=DELTA)
    step = dm.poisson(256 / 60000, dm.gaussian(1.1))
    assert (step * steps).epsilon(DELTA) <= 1
    assert (step * (steps + 2)).epsilon(DELTA) > 1


def test_options_and_relations() -> None:
    by_renyi = training(options={"route": "renyi"}).compute_epsilon(
        1000, parameters())
    assert by_renyi > training().compute_epsilon(1000, parameters())
    config = DosimeterAccountantConfig(
        neighboring_relation=NeighboringRelation.REPLACE_SPECIAL)
    assert config.create_accountant().neighboring_relation \
        is NeighboringRelation.REPLACE_SPECIAL


def test_functions_of_the_relation() -> None:
    """``accountant_fn``: called with a neighboring relation."""
    make = DosimeterAccountant
    for relation in (ADD_OR_REMOVE_ONE, NeighboringRelation.REPLACE_SPECIAL):
        accountant = make(relation)
        assert accountant.neighboring_relation is relation
        accountant.compose(events.dpsgd_event(
            1.5, 200, sampling_prob=0.01))
        plan = dm.dpsgd_plan(1.5, 200, sampling_prob=0.01)
        assert accountant.get_epsilon(DELTA) == plan.epsilon(DELTA).upper


@pytest.mark.parametrize("bands", [1, 4])
def test_execution_plans(bands: int) -> None:
    config = execution_plan.BandMFExecutionPlanConfig(
        strategy=numpy.linspace(1, 0.25, bands), iterations=40, epsilon=1.0,
        delta=1e-5, sampling_prob=0.1,
        accountant=DosimeterAccountant(NeighboringRelation.REPLACE_SPECIAL))
    event = config.plan.dp_event
    spent = DosimeterAccountant(
        NeighboringRelation.REPLACE_SPECIAL).compose(event)
    assert 0.9 < spent.get_epsilon(1e-5) <= 1
    theirs = dp_accounting.pld.PLDAccountant(
        NeighboringRelation.REPLACE_SPECIAL).compose(event)
    assert spent.get_epsilon(1e-5) <= theirs.get_epsilon(1e-5) + 1e-9
