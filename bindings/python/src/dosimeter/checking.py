"""Claims about plans: certified, refuted, or not decided.

A claim holds if the safe end of the certified interval is within it, and is
refuted if the other end, attained by the mechanism itself, is beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

from .asking import (DELTA, EPSILON, EPSILON_LOG, GDP, OPTION_NAMES, RENYI,
                     TRADEOFF, ZCDP, Options, Question, ask)
from .errors import (DosimeterError, InvalidError, UnableError,
                     UnsupportedError, prefix)
from .frames import Table, plain, print_outward
from .interval import Interval
from .keywords import check as check_keywords
from .plan import Plan, as_plan, compose
from .solving import ADVANTAGE, Target

#: The width at which a claim inside the interval is asked again.
_CLOSE_WIDTH = 1e-12

Verdict = Literal["holds", "refuted", "undecided"]


@dataclass(frozen=True)
class Check(Table):
    """A claim and what was found; true only where the claim holds."""

    verdict: Verdict
    #: One sentence to quote.
    sentence: str
    plan: Plan
    #: "epsilon <= 1 at delta = 1e-05".
    claim: str
    #: The certified interval, None if the question failed.
    answer: Interval | None
    #: Parts of the plan that refute the claim alone, or None.
    known: Plan | None = None
    label: str = ""

    def __bool__(self) -> bool:
        return self.verdict == "holds"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.sentence}"

    def columns(self) -> dict[str, list[Any]]:
        """One row."""
        x = self.answer
        return {"label": [self.label or str(self.plan)],
                "claim": [self.claim], "verdict": [self.verdict],
                "lower": [x.lower if x else None],
                "upper": [x.upper if x else None],
                "sentence": [self.sentence]}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON can hold them."""
        known = None if self.known is None else str(self.known)
        return {"verdict": self.verdict, "label": self.label,
                "plan": str(self.plan), "claim": self.claim,
                "sentence": self.sentence, "answer": plain(self.answer),
                "known": known}


class Checks(Table, Sequence[Check]):
    """Several claims; true only where all of them hold."""

    def __init__(self, rows: Iterable[Check]) -> None:
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Check: ...

    @overload
    def __getitem__(self, index: slice) -> Checks: ...

    def __getitem__(self, index: int | slice) -> Check | Checks:
        if isinstance(index, slice):
            return Checks(self._rows[index])
        return self._rows[index]

    def __bool__(self) -> bool:
        return all(self._rows)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each claim."""
        names = ("label", "claim", "verdict", "lower", "upper", "sentence")
        rows = [row.columns() for row in self._rows]
        return {name: [row[name][0] for row in rows] for name in names}

    def __repr__(self) -> str:
        counts = {verdict: sum(row.verdict == verdict for row in self._rows)
                  for verdict in ("holds", "refuted", "undecided")}
        words = ", ".join(f"{verdict} {n}" for verdict, n in counts.items())
        return f"<{len(self)} claims: {words}>"


@dataclass(frozen=True)
class _Asked:
    """The question that decides a target, and what its answer must be."""

    target: Target
    question: Question
    at: float
    claimed: float

    def answer(self, plan: Plan, options: Options) -> Interval:
        if self.target.question is ADVANTAGE:
            return plan.risk(0.5, **options).advantage
        return ask(plan._handle, self.question, self.at, options)

    def is_within(self, x: Interval) -> bool:
        if self.question.safe_end == "lower":
            return x.lower >= self.claimed
        return x.upper <= self.claimed

    def is_beyond(self, x: Interval) -> bool:
        """A delta that underflows is above 0 if its logarithm is finite."""
        if self.question.safe_end == "lower":
            return x.upper < self.claimed
        return x.lower > self.claimed or (
            self.claimed == 0 and self.question is DELTA
            and x.log_lower > -math.inf)

    def verdict(self, x: Interval) -> Verdict:
        if self.is_within(x):
            return "holds"
        return "refuted" if self.is_beyond(x) and _is_attained(x) \
            else "undecided"


def _is_attained(x: Interval) -> bool:
    """Whether the other end is attained by the mechanism, not by a class."""
    return x.lower_meaning == "the mechanism"


def _asked(target: Target) -> _Asked:
    """An epsilon at delta 0 is asked as a delta of 0 at epsilon."""
    if target.question is EPSILON and target.at == 0:
        return _Asked(target, DELTA, target.value, 0.0)
    return _Asked(target, target.question, target.at, target.value)


# ---- Sentences -------------------------------------------------------------


def _property(target: Target) -> str:
    """What the plan is claimed to be."""
    value, at = f"{target.value:.15g}", f"{target.at:.15g}"
    if target.question in (EPSILON, DELTA):
        return f"({value}, {at})-DP"
    if target.question is EPSILON_LOG:
        return f"({value}, exp({at}))-DP"
    if target.question is TRADEOFF:
        return (f"safe from tests with type I error {at} and type II error "
                f"below {value}")
    if target.question is RENYI:
        return f"({at}, {value})-Rényi DP"
    if target.question is ZCDP:
        return f"{value}-zCDP" if target.at == 0 else f"({at}, {value})-zCDP"
    if target.question is GDP:
        tests = f" for tests with both errors at least {at}"
        return f"{value}-GDP" + (tests if target.at else "")
    return f"safe from membership tests with an advantage above {value}"


def _bound(asked: _Asked, x: Interval, holds: bool, strictly: bool) -> str:
    """The end that decides, with so many digits that it is seen to."""
    is_upper = (asked.question.safe_end == "upper") == holds
    end = x.upper if is_upper else x.lower
    text = ""
    for digits in range(6, 18):
        text = print_outward(end, end, digits)[is_upper]
        shown = float(text)
        if (shown > asked.claimed) == (end > asked.claimed) \
                and (shown < asked.claimed) == (end < asked.claimed):
            break
    if strictly and end == asked.claimed:
        return f"above {text}"
    return f"at {'most' if is_upper else 'least'} {text}"


def _sentence(asked: _Asked, verdict: Verdict, x: Interval,
              known: Interval | None) -> str:
    what = _property(asked.target)
    quantity = x.question or asked.target.question.quantity
    under = f"under {x.neighbours}"
    is_beyond = asked.is_beyond(x)
    bound = _bound(asked, known or x, verdict == "holds",
                   is_beyond or known is not None)
    if verdict == "holds":
        return f"The plan is {what} {under}: its {quantity} is {bound}."
    if known is not None:
        return (f"The plan is not {what} {under}: of its parts with a known "
                f"law alone, {quantity} is {bound}.")
    if verdict == "refuted":
        return f"The plan is not {what} {under}: its {quantity} is {bound}."
    if is_beyond:
        return ("The guarantees that the plan states do not imply that it is "
                f"{what} {under}: a mechanism that meets them has {quantity} "
                f"{bound}; whether the one that was run does is not decided.")
    return (f"Whether the plan is {what} {under} is not decided: its "
            f"{quantity} is known to be in {x} only.")


# ---- Deciding --------------------------------------------------------------


def _known_parts(plan: Plan, options: Options) -> Plan | None:
    """The parts whose law is known, as one plan; None if all or none are.

    Who sees the output of the plan sees theirs, so that no plan with these
    parts meets a claim that they break (post-processing).
    """
    normal = plan.normal()
    if normal.kind != "compose":
        return None
    parts = normal.children
    known = [part for part in parts
             if _is_attained(ask(part._handle, DELTA, 0.0, options))]
    return compose(*known) if 0 < len(known) < len(parts) else None


def check_claim(plan: Plan, targets: Sequence[Target], options: Options,
                label: str) -> Check:
    """Asks, closer if necessary, and decides."""
    if len(targets) != 1:
        raise TypeError("check takes one claim; dosimeter.check takes several")
    asked = _asked(targets[0])
    target = targets[0]
    relation = ">=" if target.question is TRADEOFF else "<="
    claim = f"{target.question.quantity} {relation} {target.value:.15g}"
    if target.question is not ADVANTAGE:
        claim += f" at {target.question.parameter} = {target.at:.15g}"
    try:
        answer = asked.answer(plan, options)
    except (UnableError, UnsupportedError) as error:
        return Check("undecided", f"Whether the plan is {_property(target)} is"
                     f" not decided: {error.message}.", plan, claim, None,
                     label=label)
    if asked.verdict(answer) == "undecided" and not asked.is_beyond(answer):
        answer = _closer(asked, plan, answer, options)
    verdict = asked.verdict(answer)
    result = Check(verdict, _sentence(asked, verdict, answer, None), plan,
                   claim, answer, label=label)
    return result if verdict != "undecided" \
        else _by_known_parts(result, asked, options)


def _closer(asked: _Asked, plan: Plan, answer: Interval,
            options: Options) -> Interval:
    """The answer at a smaller width, or the narrowest one attained."""
    try:
        return asked.answer(plan, {**options, "width": _CLOSE_WIDTH})
    except UnableError as error:
        return answer if error.answer is None else error.answer


def _by_known_parts(result: Check, asked: _Asked, options: Options) -> Check:
    assert result.answer is not None
    own: Options = {**options}
    own.pop("neighbors", None)
    own["neighbours"] = \
        result.answer.neighbours  # type: ignore[typeddict-item]
    try:
        known = _known_parts(result.plan, own)
        if known is None:
            return result
        answer = asked.answer(known, own)
    except (UnableError, UnsupportedError):
        return result
    if not (asked.is_beyond(answer) and _is_attained(answer)):
        return result
    sentence = _sentence(asked, "refuted", result.answer, answer)
    return replace(result, verdict="refuted", known=known, sentence=sentence)


def check(claims: Iterable[Mapping[str, Any]], **options: Any) -> Checks:
    """Checks claims, each a mapping such as a line of ``csv.DictReader``.

    A claim has a ``plan``, a target (``epsilon`` and ``delta``, ...), and may
    have a ``label`` and ``neighbours``; empty values are missing ones. These
    are the names of a file for ``dosimeter check --claims``.
    """
    check_keywords("check", options, OPTION_NAMES)
    rows = []
    for i, claim in enumerate(claims):
        given = {name: value for name, value in claim.items()
                 if value is not None and value != ""}
        if "plan" not in given:
            raise InvalidError(f"claim {i}: the plan is missing")
        try:
            plan = as_plan(given.pop("plan"))
            rows.append(plan.check(**{**options, **given}))
        except (DosimeterError, TypeError) as error:
            prefix(error, f"claim {i}")
            raise
    return Checks(rows)
