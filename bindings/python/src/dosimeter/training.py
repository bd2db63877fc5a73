"""DP-SGD in the terms of TF Privacy and JAX Privacy."""

from __future__ import annotations

import math
import textwrap
from fractions import Fraction
from typing import TYPE_CHECKING

from .errors import InvalidError
from .interval import Interval
from .kinds import (gaussian, group, nonprivate, poisson, with_replacement,
                    without_replacement)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .asking import Options
    from .plan import Number, Plan


def _noise(noise_multiplier: Number) -> Plan:
    """Gaussian noise; a multiplier of 0 means no noise."""
    if isinstance(noise_multiplier, (int, float)) and noise_multiplier == 0:
        return nonprivate()
    return gaussian(noise_multiplier)


def dpsgd_plan(noise_multiplier: Number, iterations: Number, *,
               sampling_prob: Number) -> Plan:
    """Steps with Gaussian noise on Poisson samples (``dpsgd_event``)."""
    return poisson(sampling_prob, _noise(noise_multiplier)) * iterations


def fixed_dpsgd_plan(noise_multiplier: Number, iterations: Number, *,
                     dataset_size: Number, batch_size: Number,
                     replace: bool = False) -> Plan:
    """Steps on batches of one size (``fixed_dpsgd_event``).

    The noise multiplier is relative to the clipping norm. In a batch of fixed
    size an example is replaced by another one, which changes the sum by up to
    twice that norm: hence ``group(2, ...)``.
    """
    sampler = with_replacement if replace else without_replacement
    return sampler(batch_size, dataset_size,
                   group(2, _noise(noise_multiplier))) * iterations


def _count(value: float, name: str) -> int:
    """A whole number above 0."""
    if not (value >= 1 and value == int(value)):
        raise InvalidError(f"{name} must be a positive integer, got {value}")
    return int(value)


def _exact(value: float, name: str) -> Fraction:
    """The decimal number that a person wrote, which must be above 0."""
    if not (value > 0 and math.isfinite(value)):
        raise InvalidError(f"{name} must be positive and finite, got {value}")
    return Fraction(repr(float(value)))


def _steps(n: int, batch_size: int, epochs: float) -> int:
    """No step is lost to rounding: epochs = 0.1 is one tenth here."""
    return math.ceil(_exact(epochs, "epochs") * n / batch_size)


def compute_dp_sgd_privacy(n: int, batch_size: int, noise_multiplier: float,
                           epochs: float, delta: float,
                           **options: Unpack[Options]) -> tuple[float, float]:
    """The epsilon of a training run on Poisson samples, and a Rényi order.

    The arguments and the two numbers are those of TF Privacy's function of
    this name: an upper bound on epsilon, and the order with the best bound by
    Rényi divergences (0 if there is none). The number of steps is
    epochs * n / batch_size, rounded up. ``dpsgd_plan(...).epsilon(delta)``
    gives both ends of epsilon and their provenance.
    """
    n, batch_size = _count(n, "n"), _count(batch_size, "batch_size")
    if batch_size > n:
        raise InvalidError(f"batch_size must be at most n = {n}, "
                           f"got {batch_size}")
    plan = dpsgd_plan(noise_multiplier, _steps(n, batch_size, epochs),
                      sampling_prob=batch_size / n)
    answer = plan.epsilon(delta, **options)
    order = answer.order
    if not order and options.get("route") is None:
        rest: Options = {**options, "route": "renyi", "width": 0.0}
        order = plan.epsilon(delta, **rest).order
    return answer.upper, order


def _line(what: str, epsilon: Interval) -> str:
    """One epsilon, rounded up, with the lower end, rounded down."""
    if not math.isfinite(epsilon.upper):
        return f"    {what + ':':<52}{'inf':>12}"
    upper = math.ceil(Fraction(epsilon.upper) * 1000) / 1000
    lower = math.floor(Fraction(epsilon.lower) * 1000) / 1000
    return f"    {what + ':':<52}{upper:12.3f}  (at least {lower:.3f})"


def _section(head: str, once: Interval, sampled: Interval) -> str:
    return "\n".join([
        textwrap.fill(head, 80),
        _line("Epsilon with each example occurring once per epoch", once),
        _line("Epsilon assuming Poisson sampling (*)", sampled)])


def compute_dp_sgd_privacy_statement(
        number_of_examples: int, batch_size: int, num_epochs: float,
        noise_multiplier: float, delta: float,
        used_microbatching: bool = True,
        max_examples_per_user: int | None = None,
        **options: Unpack[Options]) -> str:
    """A statement in words about what a training run guarantees.

    The arguments are those of TF Privacy's function of this name. Microbatches
    of more than one example double the influence of one example.
    """
    n = _count(number_of_examples, "number_of_examples")
    batch_size = _count(batch_size, "batch_size")
    if batch_size > n:
        raise InvalidError("batch_size must be at most number_of_examples = "
                           f"{n}, got {batch_size}")
    sigma = noise_multiplier / 2 if used_microbatching else noise_multiplier
    once = _noise(sigma) * math.ceil(_exact(num_epochs, "num_epochs"))
    sampled = dpsgd_plan(sigma, _steps(n, batch_size, num_epochs),
                         sampling_prob=batch_size / n)
    users = ("no bound on the number of examples per user"
             if max_examples_per_user is None
             else f"at most {max_examples_per_user} examples per user")
    paragraphs = [
        textwrap.fill(
            f"DP-SGD performed over {n} examples with {batch_size} examples "
            f"per iteration, noise multiplier {noise_multiplier} for "
            f"{num_epochs} epochs "
            f"{'with' if used_microbatching else 'without'} microbatching, "
            f"and {users}.", 80),
        textwrap.fill(
            "The guarantee holds for all checkpoints together, not only for "
            "the final model. Epsilons are proven upper bounds, rounded up.",
            80),
        _section(
            "Example-level DP with add-or-remove-one adjacency at delta = "
            f"{delta}:", once.epsilon(delta, **options),
            sampled.epsilon(delta, **options)),
    ]
    if max_examples_per_user is None:
        paragraphs.append(textwrap.fill(
            "Without a bound on the number of examples per user there is no "
            "user-level guarantee.", 80))
    else:
        size = _count(max_examples_per_user, "max_examples_per_user")
        paragraphs.append(_section(
            "User-level DP with add-or-remove-one adjacency at delta = "
            f"{delta}:", group(size, once).epsilon(delta, **options),
            group(size, sampled).epsilon(delta, **options)))
    paragraphs.append(textwrap.fill(
        "(*) This holds if every example was in every batch independently "
        "with the same probability. Batches of shuffled data are not such "
        "samples, and no theorem used here covers them: the line above it "
        "does, whatever the order.", 80))
    return "\n\n".join(paragraphs) + "\n"
