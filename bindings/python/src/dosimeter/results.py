"""Answers of several numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from .frames import Table, plain
from .interval import Interval, cite


@dataclass(frozen=True)
class GdpLimit(Table):
    """The mu of the central limit theorem, for many small steps.

    ``mu_approx`` is not a bound: it may be too small or too large. If ``mu``
    and ``gamma`` are given, the plan's curve lies in that Gaussian band.
    """

    mu_approx: float
    mu: Interval | None
    gamma: Interval | None
    theorem: str
    reason: str

    @property
    def citation(self) -> str:
        """The statements as people cite them."""
        return cite(self.theorem)

    def columns(self) -> dict[str, list[Any]]:
        """One row; without a band its ends are missing."""
        ends = {name: [None if x is None else getattr(x, end)]
                for quantity, x in (("mu", self.mu), ("gamma", self.gamma))
                for end in ("lower", "upper")
                for name in (f"{quantity}_{end}",)}
        return {"mu_approx": [self.mu_approx], **ends,
                "citation": [self.citation], "reason": [self.reason]}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON can hold them."""
        return {field.name: plain(getattr(self, field.name))
                for field in fields(self)}


@dataclass(frozen=True)
class Risk(Table):
    """An attacker's best case; the upper ends are safe to report.

    A positive test says that the record is in the data, and the prior is the
    probability that it is.
    """

    #: Largest true minus false positive rate.
    advantage: Interval
    #: Probability of a correct guess at prior 1/2.
    accuracy: Interval
    #: Probability that the record is there.
    prior: float
    #: Probability of a correct guess at that prior.
    prior_accuracy: Interval
    #: Largest true positive rate, by false positive rate.
    true_positive: dict[float, Interval]
    #: Posterior after a positive test, by false positive rate.
    posterior: dict[float, Interval]

    def rows(self) -> dict[str, Interval]:
        """All of it by name."""
        return {
            "advantage": self.advantage, "accuracy": self.accuracy,
            f"accuracy at prior {self.prior:g}": self.prior_accuracy,
            **{f"true positive rate at false positive rate {rate:g}": value
               for rate, value in self.true_positive.items()},
            **{f"posterior at false positive rate {rate:g}": value
               for rate, value in self.posterior.items()}}

    def columns(self) -> dict[str, list[Any]]:
        """A row for each number."""
        rows = self.rows()
        return {"quantity": list(rows),
                "lower": [x.lower for x in rows.values()],
                "upper": [x.upper for x in rows.values()]}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON can hold them."""
        return {field.name: plain(getattr(self, field.name))
                for field in fields(self)}
