"""An accountant for Opacus; importing this registers it.

    >>> import dosimeter.opacus
    >>> engine = PrivacyEngine(accountant="dosimeter")
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from opacus.accountants.accountant import IAccountant
from opacus.accountants.registry import create_accountant, register_accountant

from .solving import HOLE, calibrate
from .errors import DomainError
from .interval import Interval
from .kinds import compose, poisson
from .plan import Plan
from .training import _noise

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .asking import Options

#: Accountants whose checkpoints hold the same history.
_MECHANISMS = ("dosimeter", "rdp", "gdp", "prv")

History = list[tuple[float, float, int]]


def _entry(row: Any) -> tuple[float, float, int]:
    """A line of a history, checked."""
    try:
        noise_multiplier, sample_rate, steps = row
        entry = float(noise_multiplier), float(sample_rate), int(steps)
    except (TypeError, ValueError):
        raise ValueError(
            "a history holds (noise_multiplier, sample_rate, steps), "
            f"not {row!r}") from None
    if not (entry[0] >= 0 and 0 <= entry[1] <= 1 and entry[2] >= 1
            and entry[2] == steps):
        raise ValueError(
            "a history needs noise_multiplier >= 0, 0 <= sample_rate <= 1 "
            f"and steps >= 1, not {row!r}")
    return entry


def history_plan(history: History) -> Plan:
    """The plan of a history of Poisson samples with Gaussian noise."""
    counts: Counter[tuple[float, float]] = Counter()
    for row in history:
        noise_multiplier, sample_rate, steps = _entry(row)
        counts[noise_multiplier, sample_rate] += steps
    return compose(*(
        poisson(rate, _noise(noise)) * steps
        for (noise, rate), steps in counts.items()))


class DosimeterAccountant(IAccountant):
    """Opacus' ``IAccountant``; epsilon is a proven upper bound."""

    history: History

    def __init__(self, **options: Unpack[Options]) -> None:
        super().__init__()
        self._options = options

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One optimization step."""
        if self.history:
            noise, rate, steps = self.history[-1]
            if noise == noise_multiplier and rate == sample_rate:
                self.history[-1] = (noise, rate, steps + 1)
                return
        self.history.append((noise_multiplier, sample_rate, 1))

    @property
    def plan(self) -> Plan:
        """All steps so far."""
        return history_plan(self.history)

    def epsilon(self, delta: float) -> Interval:
        """Both ends of epsilon, with their provenance."""
        return self.plan.epsilon(delta, **self._options)

    def get_epsilon(self, delta: float, *args: Any,
                    poisson: bool = True, **kwargs: Any) -> float:
        """An upper bound on epsilon.

        Parameters of other accountants (alphas, eps_error, delta_error) are
        accepted and not used: there is nothing to tune.
        """
        if not poisson:
            raise ValueError("batches that are not Poisson samples need their "
                             "size: use dosimeter.without_replacement")
        return float(self.epsilon(delta))

    def __len__(self) -> int:
        """Number of optimization steps so far."""
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls) -> str:
        return "dosimeter"

    def load_state_dict(self, state_dict: Any) -> None:
        """Loads its own state, or that of the rdp, gdp or prv accountant."""
        if not state_dict:
            raise ValueError("the state dict is None or empty")
        for key in ("history", "mechanism"):
            if key not in state_dict:
                raise ValueError(f"the state dict has no key `{key}`")
        if state_dict["mechanism"] not in _MECHANISMS:
            raise ValueError(
                f"the state of {state_dict['mechanism']!r} cannot be loaded, "
                f"only that of {', '.join(_MECHANISMS)}")
        self.history = [_entry(row) for row in state_dict["history"]]


def _steps(epochs: float, sample_rate: float) -> int:
    """Whole steps: the integer next to the quotient, else rounded up."""
    steps = epochs / sample_rate
    whole = round(steps)
    return whole if abs(steps - whole) <= 1e-9 * steps else math.ceil(steps)


def get_noise_multiplier(*, target_epsilon: float, target_delta: float,
                         sample_rate: float, epochs: float | None = None,
                         steps: int | None = None,
                         accountant: str = "dosimeter",
                         epsilon_tolerance: float = 0.01,
                         **kwargs: Any) -> float:
    """The smallest noise whose certified epsilon is within the target.

    The arguments are those of Opacus' function; the tolerance is not used,
    because the next smaller double already misses the target.
    """
    if (steps is None) == (epochs is None):
        raise ValueError("get_noise_multiplier takes either steps or epochs")
    if accountant != "dosimeter":
        from opacus.accountants.utils import get_noise_multiplier as theirs

        return float(theirs(
            target_epsilon=target_epsilon, target_delta=target_delta,
            sample_rate=sample_rate, epochs=epochs, steps=steps,
            accountant=accountant, epsilon_tolerance=epsilon_tolerance,
            **kwargs))
    if steps is None:
        assert epochs is not None
        steps = _steps(epochs, sample_rate)
    try:
        return calibrate(
            poisson(sample_rate, _noise(HOLE)) * steps,
            epsilon=target_epsilon, delta=target_delta, **kwargs).value
    except DomainError as error:
        raise ValueError(f"The privacy budget is too low: {error}") from error


register_accountant("dosimeter", DosimeterAccountant, force=True)

__all__ = ["DosimeterAccountant", "create_accountant", "get_noise_multiplier",
           "history_plan"]
