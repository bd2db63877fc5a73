"""Answers of several numbers."""

from __future__ import annotations

import html
from dataclasses import dataclass

from .interval import Interval, print_outward


@dataclass(frozen=True)
class GdpLimit:
    """The mu that a plan of many small steps comes near to.

    ``mu_approx`` is no bound: it may err to either side. Where ``mu`` and
    ``gamma`` are there, the plan's curve lies in that band of Gaussian ones.
    """

    mu_approx: float
    mu: Interval | None
    gamma: Interval | None
    theorem: str
    reason: str


@dataclass(frozen=True)
class Risk:
    """What an attacker gains at best; the upper ends are safe to report."""

    #: Largest true less false positive rate.
    advantage: Interval
    #: Share of right guesses, both cases alike likely.
    accuracy: Interval
    prior: float
    prior_accuracy: Interval
    #: Largest, by false positive rate.
    true_positive: dict[float, Interval]
    #: From the prior, after a positive, by false positive rate.
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
