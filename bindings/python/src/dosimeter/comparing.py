"""The interval of every route for one question, each asked alone."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from ._core import lib
from .asking import Options, Question, ask
from .errors import DosimeterError, UnableError, UnsupportedError
from .frames import Table, html_table, plain
from .interval import Interval, text_of
from .keywords import unknown
from .plan import Plan


@dataclass(frozen=True)
class RouteAnswer:
    """What one route says; ``answer`` is None where it fails."""

    route: str
    answer: Interval | None
    #: Whether the safe end is more than trivial.
    bounds: bool
    #: Why there is no bound, or why the interval is wide.
    reason: str
    elapsed_s: float


@dataclass(frozen=True)
class Comparison(Table):
    """Every route, the best first; all intervals contain the exact value."""

    question: str
    #: The intersection of all of them.
    lower: float
    upper: float
    routes: tuple[RouteAnswer, ...]

    def __len__(self) -> int:
        return len(self.routes)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each route."""
        nothing = [None] * len(self.routes)
        answers = [row.answer for row in self.routes]
        return {
            "route": [row.route for row in self.routes],
            "lower": [x.lower if x else none
                      for x, none in zip(answers, nothing)],
            "upper": [x.upper if x else none
                      for x, none in zip(answers, nothing)],
            "elapsed_s": [row.elapsed_s for row in self.routes],
            "citation": [row.answer.citation if row.answer and row.bounds
                         else "" for row in self.routes],
            "reason": [row.reason for row in self.routes]}

    def to_dict(self) -> dict[str, Any]:
        """The intersection, and the columns."""
        return {"question": self.question, "intersection": {
            "lower": plain(self.lower), "upper": plain(self.upper)},
            **super().to_dict()}

    def __str__(self) -> str:
        whole = Interval(self.lower, self.upper)
        lines = [f"{self.question} is in {whole}"]
        for row in self.routes:
            if row.bounds and row.answer is not None:
                lines.append(f"  {row.route:<12} {row.answer!s:<30} "
                             f"{row.answer.citation}")
            else:
                lines.append(f"  {row.route:<12} {'-':<30} {row.reason}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        whole = Interval(self.lower, self.upper, self.question)
        return f"<p>{whole._repr_html_()}</p>{html_table(self.columns())}"


def _is_vacuous(question: Question, x: Interval) -> bool:
    """Whether the answer tells nothing at its safe end."""
    if not x.reason:
        return False
    if question.safe_end == "lower":
        return x.lower <= 0 < x.upper
    trivial = 1.0 if question.quantity == "delta" else math.inf
    return x.upper >= trivial > x.lower


def _of_route(plan: Plan, question: Question, at: float, route: str,
              options: Options) -> RouteAnswer:
    start = time.perf_counter()
    answer: Interval | None
    try:
        answer = ask(plan._handle, question, at, {**options, "route": route})
        reason = answer.reason
    except (UnableError, UnsupportedError) as error:
        answer = getattr(error, "answer", None)
        reason = error.message
    bounds = answer is not None and not _is_vacuous(question, answer)
    return RouteAnswer(route, answer, bounds, reason,
                       time.perf_counter() - start)


def comparison_of(plan: Plan, question: Question, at: float,
                  options: Options) -> Comparison:
    """All routes; that they contradict each other would be an error."""
    if "route" in options:
        raise unknown("compare", "route", ())
    rows = [_of_route(plan, question, at, text_of(lib.dosi_route_at(i).name),
                      options) for i in range(lib.dosi_route_count())]

    def rank(row: RouteAnswer) -> tuple[bool, float, float]:
        if row.answer is None:
            return True, math.inf, math.inf
        safe = row.answer.safe
        return (not row.bounds, 0.0 if not row.bounds else
                -safe if question.safe_end == "lower" else safe,
                row.answer.width)

    rows.sort(key=rank)
    answers = [row.answer for row in rows if row.answer is not None]
    lower = max((x.lower for x in answers), default=0.0)
    upper = min((x.upper for x in answers), default=math.inf)
    if lower > upper:
        raise DosimeterError(
            "the routes contradict each other; please report this plan: "
            f"{plan}")
    return Comparison(question.at(at), lower, upper, tuple(rows))
