"""The accountant inside the real Opacus, training for some steps."""

import json
import math

import pytest
import torch
from opacus import PrivacyEngine
from opacus.accountants import create_accountant
from opacus.accountants.utils import get_noise_multiplier

import dosimeter as dm
from dosimeter.opacus import DosimeterAccountant
from dosimeter.opacus import get_noise_multiplier as our_noise_multiplier

DELTA = 1e-5


def train(accountant: str, epochs: int = 2, **private):
    """A few noisy steps on random points; the engine and the trained parts."""
    torch.manual_seed(0)
    points = torch.randn(256, 5)
    data = torch.utils.data.TensorDataset(points, (points.sum(1) > 0).long())
    loader = torch.utils.data.DataLoader(data, batch_size=32)
    model = torch.nn.Linear(5, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    engine = PrivacyEngine(accountant=accountant)
    make = engine.make_private
    if "target_epsilon" in private:
        make = engine.make_private_with_epsilon
        private.update(epochs=epochs)
    else:
        private.setdefault("noise_multiplier", 1.1)
    model, optimizer, loader = make(
        module=model, optimizer=optimizer, data_loader=loader,
        max_grad_norm=1.0, **private)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    return engine, model, optimizer


def test_training() -> None:
    engine, _, _ = train("dosimeter")
    assert isinstance(engine.accountant, DosimeterAccountant)
    assert engine.accountant.history == [(1.1, 1 / 8, 16)]
    assert len(engine.accountant) == 16
    plan = dm.poisson(1 / 8, dm.gaussian(1.1)) * 16
    assert engine.accountant.plan == plan
    assert engine.get_epsilon(DELTA) == plan.epsilon(DELTA).upper
    assert engine.accountant.epsilon(DELTA).route


def test_inside_the_bounds_of_opacus() -> None:
    ours = train("dosimeter")[0].accountant.epsilon(DELTA)
    for name in ("rdp", "prv"):
        theirs = train(name)[0].get_epsilon(DELTA)
        assert ours.upper <= theirs
        assert theirs - ours.lower < (0.03 if name == "prv" else 1)


def test_a_target() -> None:
    engine, _, optimizer = train("dosimeter", target_epsilon=3.0,
                                 target_delta=DELTA)
    assert 2.9 < engine.get_epsilon(DELTA) <= 3.0
    assert optimizer.noise_multiplier > 0.5


@pytest.mark.parametrize("name", ["dosimeter", "rdp", "prv", "gdp"])
@pytest.mark.filterwarnings("ignore:GDP accounting")
def test_checkpoints_of_all_accountants(name: str) -> None:
    state = train(name)[0].accountant.state_dict()
    accountant = DosimeterAccountant()
    accountant.load_state_dict(json.loads(json.dumps(state)))
    assert accountant.history == [(1.1, 1 / 8, 16)]
    accountant.step(noise_multiplier=1.1, sample_rate=1 / 8)
    accountant.step(noise_multiplier=2.0, sample_rate=1 / 8)
    assert accountant.history == [(1.1, 1 / 8, 17), (2.0, 1 / 8, 1)]
    assert state["history"] == [(1.1, 1 / 8, 16)]  # a copy
    assert accountant.state_dict()["mechanism"] == "dosimeter"


def test_engine_checkpoint(tmp_path) -> None:
    engine, model, optimizer = train("dosimeter")
    engine.save_checkpoint(path=tmp_path / "run.pt", module=model,
                           optimizer=optimizer)
    other, model, optimizer = train("dosimeter", epochs=0)
    assert other.get_epsilon(DELTA) == 0
    other.load_checkpoint(path=tmp_path / "run.pt", module=model,
                          optimizer=optimizer)
    assert other.get_epsilon(DELTA) == engine.get_epsilon(DELTA)


@pytest.mark.parametrize("state", [
    None, {}, {"history": []}, {"mechanism": "rdp"},
    {"history": [], "mechanism": "other"},
    {"history": [(1, 2)], "mechanism": "rdp"},
    {"history": [(1, 0.1, 0)], "mechanism": "rdp"},
    {"history": [(math.nan, 0.1, 1)], "mechanism": "rdp"},
    {"history": [(1, 1.1, 1)], "mechanism": "rdp"},
])
def test_bad_states(state) -> None:
    accountant = DosimeterAccountant()
    accountant.step(noise_multiplier=1.0, sample_rate=0.1)
    with pytest.raises(ValueError):
        accountant.load_state_dict(state)
    assert accountant.history == [(1.0, 0.1, 1)]


def test_questions_change_nothing() -> None:
    accountant = create_accountant("dosimeter")
    assert accountant.get_epsilon(DELTA) == 0
    accountant.step(noise_multiplier=1.0, sample_rate=0.1)
    first = accountant.get_epsilon(delta=DELTA, alphas=[2, 3])
    assert accountant.get_epsilon(DELTA, eps_error=0.1) == first
    assert accountant.history == [(1.0, 0.1, 1)]
    accountant.step(noise_multiplier=0.0, sample_rate=0.1)
    assert accountant.get_epsilon(DELTA) == math.inf
    with pytest.raises(ValueError, match="Poisson"):
        accountant.get_epsilon(DELTA, poisson=False)


def test_noise_multiplier() -> None:
    run = {"target_epsilon": 2.0, "target_delta": DELTA, "sample_rate": 0.01,
           "epochs": 5}
    ours = our_noise_multiplier(**run)
    plan = dm.poisson(0.01, dm.gaussian(ours)) * 500
    assert plan.epsilon(DELTA).upper <= 2
    through_opacus = get_noise_multiplier(**run, accountant="dosimeter")
    prv = get_noise_multiplier(**run, accountant="prv")
    assert ours <= through_opacus <= prv
    assert prv - ours < 0.05
    assert our_noise_multiplier(**run, accountant="prv") == prv
    # Opacus' own conversion of epochs loses a step here
    run.update(sample_rate=1 / 93, epochs=1)
    by_steps = {**run, "steps": 93}
    del by_steps["epochs"]
    assert our_noise_multiplier(**run) == our_noise_multiplier(**by_steps)
    with pytest.raises(ValueError, match="either"):
        our_noise_multiplier(**run, steps=93)


def test_the_upper_end_is_handed_out() -> None:
    """By the Rényi route, whose lower end is 0."""
    accountant = DosimeterAccountant(route="renyi")
    for _ in range(10):
        accountant.step(noise_multiplier=1.1, sample_rate=0.1)
    exact = accountant.plan.epsilon(DELTA)
    assert accountant.epsilon(DELTA).lower == 0
    assert type(accountant.get_epsilon(DELTA)) is float
    assert accountant.get_epsilon(DELTA) >= exact.upper
