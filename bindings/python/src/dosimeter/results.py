"""Answers of several numbers."""

from __future__ import annotations

import html
from dataclasses import dataclass

from .interval import Interval, cite, print_outward


@dataclass(frozen=True)
class GdpLimit:
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


@dataclass(frozen=True)
class Risk:
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

    def _repr_html_(self) -> str:
        rows = [("advantage", self.advantage), ("accuracy", self.accuracy),
                (f"accuracy at prior {self.prior:g}", self.prior_accuracy)]
        rows += [(f"true positive rate at false positive rate {rate:g}", value)
                 for rate, value in self.true_positive.items()]
        rows += [(f"posterior at false positive rate {rate:g}", value)
                 for rate, value in self.posterior.items()]
        body = "".join(
            f"<tr><td>{html.escape(name)}</td>"
            f"<td>≤ {print_outward(x.lower, x.upper, 4)[1]}</td></tr>"
            for name, x in rows)
        return f"<table>{body}</table>"
