"""What each part of a plan costs: alone, and by the difference it makes.

The parts are those of the normal form, equal mechanisms with their count, and
everything under one label together. With u the upper end of an answer, a part
i of the plan P counts for

    v_i = (u(i) + max(u(P) - u(P without i), 0)) / 2,

the mean of what it adds as the first part and as the last one, and its share
is v_i / sum v. Of two parts that is the Shapley value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .asking import Options, Question, ask, ask_many, number
from .frames import Table, html_table, plain, print_outward
from .interval import Interval
from .intervals import Intervals
from .plan import Plan, compose
from .svg import bars_svg

#: Operations of all questions together, where no limit is set; a question
#: alone has 1e9.
_ALL_OPERATIONS = 3e9
_MOST_OPERATIONS = 1e9


@dataclass(frozen=True)
class Part:
    """A part of a plan; ``share`` is None where there are no shares."""

    #: With its label, if it has one.
    plan: Plan
    #: The answer of this part alone.
    alone: Interval
    #: The answer of the plan without it.
    without: Interval
    share: float | None


@dataclass(frozen=True)
class Breakdown(Table):
    """The parts of a plan, the greatest share first.

    Shares add up to 1 and are no bounds; both answers are certified.
    """

    question: str
    #: The answer of the whole plan.
    answer: Interval
    parts: tuple[Part, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each part."""
        return {
            "part": [str(part.plan.labelled(None)) for part in self.parts],
            "label": [part.plan.label for part in self.parts],
            "share": [part.share for part in self.parts],
            "alone_lower": [part.alone.lower for part in self.parts],
            "alone_upper": [part.alone.upper for part in self.parts],
            "without_lower": [part.without.lower for part in self.parts],
            "without_upper": [part.without.upper for part in self.parts]}

    def to_dict(self) -> dict[str, Any]:
        """The answer of the whole plan, and the columns."""
        return {"question": self.question, "lower": plain(self.answer.lower),
                "upper": plain(self.answer.upper), **super().to_dict()}

    def _short(self) -> dict[str, list[Any]]:
        return {
            "share": ["-" if part.share is None else f"{part.share:.1%}"
                      for part in self.parts],
            "alone": [print_outward(0, part.alone.upper, 6)[1]
                      for part in self.parts],
            "without": [print_outward(0, part.without.upper, 6)[1]
                        for part in self.parts],
            "part": [str(part.plan) for part in self.parts]}

    def __str__(self) -> str:
        columns = self._short()
        lines = [f"{self.question} is in {self.answer}",
                 f"  {'share':>7}  {'alone':<12} {'without':<12} part"]
        lines += [f"  {share:>7}  {alone:<12} {without:<12} {part}"
                  for share, alone, without, part in zip(*columns.values())]
        return "\n".join(lines)

    def to_svg(self) -> str:
        """The shares as bars."""
        return bars_svg([(str(part.plan), part.share or 0.0,
                          "" if part.share is None else f"{part.share:.1%}")
                         for part in self.parts])

    def _repr_html_(self) -> str:
        return (f"<p>{self.answer._repr_html_()}</p>"
                + html_table(self._short()))


def _rest(parts: list[Plan], i: int) -> Plan:
    return compose(*parts[:i], *parts[i + 1:])


def breakdown_of(plan: Plan, question: Question, at: float,
                 threads: int | None, options: Options) -> Breakdown:
    """Two questions for each part, under the relation of the whole plan."""
    parts = list(plan.parts())
    if not options.get("time_limit"):
        most = number(options.get("max_operations") or _MOST_OPERATIONS,
                      "max_operations")
        options = {**options, "max_operations": min(
            most, _ALL_OPERATIONS / (len(parts) + 1))}
    whole = ask(plan._handle, question, at, options)
    asked = parts + [_rest(parts, i) for i in range(len(parts))]
    own: Options = {**options}
    if len(parts) == 1:
        answers: list[Interval] = [
            whole, ask(asked[1]._handle, question, at, own)]
    else:
        own.pop("neighbors", None)
        own["neighbours"] = whole.neighbours  # type: ignore[typeddict-item]
        found: Intervals = ask_many(
            [part._handle for part in asked], question, [at] * len(asked),
            own, threads, Intervals)
        answers = list(found)
    alone, without = answers[:len(parts)], answers[len(parts):]
    values = [(a.upper + max(whole.upper - w.upper, 0.0)) / 2
              for a, w in zip(alone, without)] \
        if math.isfinite(whole.upper) else [math.inf]
    total = sum(values)
    has_shares = 0 < total < math.inf
    rows = [Part(part, a, w, value / total if has_shares else None)
            for part, a, w, value in zip(
                parts, alone, without,
                values if has_shares else [0.0] * len(parts))]
    rows.sort(key=lambda row: (-(row.share or 0.0), -row.alone.upper,
                               str(row.plan)))
    return Breakdown(question.at(at), whole, tuple(rows))
