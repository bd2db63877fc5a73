"""The functions in the words of TF Privacy."""

import math
import re

import pytest

import dosimeter as dm


def test_compute_dp_sgd_privacy() -> None:
    epsilon, order = dm.compute_dp_sgd_privacy(60000, 256, 1.1, 60, 1e-5)
    plan = dm.poisson(256 / 60000, dm.gaussian(1.1)) * 14063
    assert type(epsilon) is type(order) is float
    assert epsilon == plan.epsilon(1e-5).upper
    assert order == plan.epsilon(1e-5, route="renyi").order > 1
    assert dm.compute_dp_sgd_privacy(100, 10, 0, 1, 1e-5)[0] == math.inf


@pytest.mark.parametrize("options", [
    {}, {"route": "renyi"}, {"route": "grid"}, {"time_limit": 1e-9},
    {"width": 1e-3}])
def test_the_upper_end_is_handed_out(options) -> None:
    """Of TF Privacy's pair the first is epsilon, whose lower end by the Rényi
    route is 0; the exact value is 2.38168972614... by the contour route."""
    epsilon, order = dm.compute_dp_sgd_privacy(
        60000, 256, 1.1, 60, 1e-5, **options)
    assert epsilon >= 2.381689726
    assert order >= 0


def test_no_step_is_lost_or_added() -> None:
    # epochs / (batch / n) in doubles gives 92 steps of 93
    epsilon = dm.compute_dp_sgd_privacy(93, 1, 4, 1, 1e-5)[0]
    plan = dm.poisson(1 / 93, dm.gaussian(4))
    assert epsilon == (plan * 93).epsilon(1e-5).upper
    # 0.1 epochs of 10 batches are one step, not two
    assert dm.compute_dp_sgd_privacy(100, 10, 4, 0.1, 1e-5)[0] \
        == dm.poisson(0.1, dm.gaussian(4)).epsilon(1e-5).upper


@pytest.mark.parametrize("change", [
    {"n": 0}, {"n": 1.5}, {"batch_size": 101}, {"noise_multiplier": -1},
    {"epochs": 0}, {"epochs": math.nan}, {"delta": 1}])
def test_bad_arguments(change) -> None:
    arguments = {"n": 100, "batch_size": 10, "noise_multiplier": 1.0,
                 "epochs": 1.0, "delta": 1e-5, **change}
    with pytest.raises(ValueError):
        dm.compute_dp_sgd_privacy(**arguments)


def test_statement() -> None:
    """Below what TF Privacy says of the same runs by Rényi orders."""
    text = dm.compute_dp_sgd_privacy_statement(
        number_of_examples=10000, batch_size=64, num_epochs=5.0,
        noise_multiplier=2.0, delta=1e-6)
    once = float(re.search(
        r"Epsilon with each example occurring once per epoch:\s+([\d.]+)",
        text)[1])
    sampled = float(re.search(
        r"Epsilon assuming Poisson sampling \(\*\):\s+([\d.]+)", text)[1])
    assert 12.5 < once <= 13.376
    assert 1.1 < sampled <= 1.616
    plan = dm.gaussian(1) * 5
    assert once - 1e-3 <= plan.epsilon(1e-6).upper <= once
    assert "no user-level guarantee" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 90


def test_statement_about_users() -> None:
    text = dm.compute_dp_sgd_privacy_statement(
        10000, 64, 5.0, 2.0, 1e-6, used_microbatching=False,
        max_examples_per_user=3)
    numbers = [float(x) for x in re.findall(r":\s+([\d.]+)  \(", text)]
    assert len(numbers) == 4
    user = (dm.gaussian(2 / 3) * 5).epsilon(1e-6)
    assert numbers[2] - 1.1e-3 <= user.upper <= numbers[2]
    assert numbers[3] > numbers[1]


def test_fixed_batches() -> None:
    plan = dm.fixed_dpsgd_plan(2, 10, dataset_size=1000, batch_size=10)
    assert str(plan) \
        == "without_replacement(10, 1000, group(2, gaussian(2))) * 10"
    # clipped to 1, a replaced example moves the sum by up to 2
    distance_2 = dm.without_replacement(10, 1000, dm.gaussian(1)) * 10
    assert plan.epsilon(1e-6, neighbours="replace").upper \
        == distance_2.epsilon(1e-6, neighbours="replace").upper
    plan = dm.fixed_dpsgd_plan(0, 10, dataset_size=1000, batch_size=10,
                               replace=True)
    assert str(plan) \
        == "with_replacement(10, 1000, group(2, nonprivate())) * 10"
