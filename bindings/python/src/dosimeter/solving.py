"""Calibration: the smallest noise, the largest number of steps, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn

from ._core import ffi, lib
from .asking import (EPSILON, EPSILON_LOG, GDP, RENYI, TRADEOFF, ZCDP, Call,
                     Options, Question, ask, number)
from .errors import DomainError, InvalidError
from .frames import Table, plain
from .interval import Interval, interval_of, text_of
from .keywords import refusing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .plan import Plan, PlanLike


class HoleError(TypeError):
    """A function computed with the hole."""


def _refuse(self: object, *args: object) -> NoReturn:
    raise HoleError("the hole is no number yet: it may only be a parameter")


class Hole:
    """Placeholder for the value to be calibrated; ``?`` in a text."""

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "HOLE"

    __hash__ = object.__hash__
    __float__ = __int__ = __index__ = __bool__ = __complex__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _refuse
    __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __pos__ = _refuse
    __abs__ = __round__ = __ceil__ = __floor__ = __trunc__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


HOLE = Hole()


@dataclass(frozen=True)
class Target:
    """A bound that must be certain: ``question`` at ``at`` within ``value``.

    An upper bound for every question except the trade-off, where it is a
    lower bound on the type II error.
    """

    kind: int
    question: Question
    value: float
    at: float

    def is_met(self, answer: Interval) -> bool:
        """Whether the safe end is within the target."""
        if self.question.safe_end == "lower":
            return answer.lower >= self.value
        return answer.upper <= self.value

    def ask(self, plan: Plan, options: Options) -> Interval:
        """The answer of a plan."""
        if self.question is ADVANTAGE:
            return plan.risk(0.5, **options).advantage
        return ask(plan._handle, self.question, self.at, options)


ADVANTAGE = Question(-1, "advantage", "any test")


@dataclass(frozen=True)
class Calibration(Table):
    """A calibrated value with its certified answers."""

    #: The cheapest value that is certified for every target.
    value: float
    #: A value on the unsafe side that is not: the next double or integer
    #: if the hole was solved natively.
    beyond: float
    #: The answer with ``value`` to the question that binds.
    answer: Interval
    beyond_answer: Interval
    #: Few digits, on the safe side of ``value``; or ``value``.
    rounded: float
    rounded_answer: Interval
    #: The plan with ``value``.
    plan: Plan
    #: Whose parameter it is, e.g. "gaussian sigma"; "" for a function.
    parameter: str
    #: Why the search ended where it did, or "".
    reason: str

    def __float__(self) -> float:
        return self.value

    def columns(self) -> dict[str, list[Any]]:
        """One row: the value, what it was checked for, and the plan."""
        return {"parameter": [self.parameter], "value": [self.value],
                "rounded": [self.rounded], "question": [self.answer.question],
                "lower": [self.answer.lower], "upper": [self.answer.upper],
                "plan": [str(self.plan)], "reason": [self.reason]}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON can hold them."""
        return {field.name: str(self.plan) if field.name == "plan"
                else plain(getattr(self, field.name))
                for field in fields(self)}

    def __str__(self) -> str:
        return f"{self.parameter or 'value'} = {self.value!r}: " \
               f"{self.answer.question} is in {self.answer}"


def targets_of(function: str, epsilon: float | None, delta: float | None,
               log_delta: float | None, alpha: float | None,
               beta: float | None, renyi: float | None, order: float | None,
               rho: float | None, xi: float, mu: float | None, floor: float,
               advantage: float | None) -> list[Target]:
    """The targets given by the arguments of a function."""
    result: list[Target] = []

    def add(kind: int, question: Question, name: str, value: float | None,
            at_name: str, at: float | None) -> None:
        if value is None and at is None:
            return
        if value is None or at is None:
            missing = name if value is None else at_name
            raise TypeError(f"{function}: {missing} is missing")
        result.append(Target(kind, question, number(value, name),
                             number(at, at_name)))

    if log_delta is not None:
        if delta is not None:
            raise TypeError(f"{function} takes either delta or log_delta")
        add(lib.DOSI_TARGET_EPSILON_LOG, EPSILON_LOG, "epsilon", epsilon,
            "log_delta", log_delta)
    else:
        add(lib.DOSI_TARGET_EPSILON, EPSILON, "epsilon", epsilon,
            "delta", delta)
    add(lib.DOSI_TARGET_TRADEOFF, TRADEOFF, "beta", beta, "alpha", alpha)
    add(lib.DOSI_TARGET_RENYI, RENYI, "renyi", renyi, "order", order)
    if rho is not None:
        add(lib.DOSI_TARGET_ZCDP, ZCDP, "rho", rho, "xi", xi)
    if mu is not None:
        add(lib.DOSI_TARGET_GDP, GDP, "mu", mu, "floor", floor)
    if advantage is not None:
        add(lib.DOSI_TARGET_ADVANTAGE, ADVANTAGE, "advantage", advantage,
            "any test", 0.0)
    if not result:
        raise TypeError(
            f"{function}: name a target, such as epsilon and delta")
    return result


@refusing(Options)
def calibrate(plan: PlanLike | Callable[[Any], Plan], *,
              epsilon: float | None = None, delta: float | None = None,
              log_delta: float | None = None,
              alpha: float | None = None, beta: float | None = None,
              renyi: float | None = None, order: float | None = None,
              rho: float | None = None, xi: float = 0.0,
              mu: float | None = None, floor: float = 0.0,
              advantage: float | None = None,
              bracket: tuple[float, float] | None = None,
              integer: bool = False,
              **options: Unpack[Options]) -> Calibration:
    """The cheapest value that is certified to meet every target.

    plan: a plan with the hole (``gaussian(HOLE)``, ``"gaussian(?)"``), or a
    function of the number. A function that only passes its argument on is
    solved as the plan it makes of the hole, to the last digit. Any other is
    searched between the ends of ``bracket``, over integers if ``integer``;
    its loss must be monotone.

    Targets, all of which must be met: epsilon at delta or log_delta, beta at
    alpha, renyi at order, rho at xi, mu at floor, advantage.

    fails  DomainError if no value meets the targets
    """
    from .plan import Plan

    targets = targets_of("calibrate", epsilon, delta, log_delta, alpha, beta,
                         renyi, order, rho, xi, mu, floor, advantage)
    if isinstance(plan, (str, Mapping)):
        plan = Plan(plan)
    if isinstance(plan, Plan):
        return _native(plan, targets, options)
    with_hole = None if bracket or integer else _try_hole(plan)
    if with_hole is not None:
        return _native(with_hole, targets, options)
    return _Search(plan, targets, options, integer).run(bracket)


def _try_hole(make: Callable[[Any], Plan]) -> Plan | None:
    """The plan of a function of the hole, or None if it computes."""
    try:
        plan = make(HOLE)
    except (TypeError, InvalidError, ValueError):
        return None  # if the function is wrong, it will fail with a number
    from .plan import Plan

    return plan if isinstance(plan, Plan) and plan.has_hole else None


def _native(plan: Plan, targets: list[Target],
            options: Options) -> Calibration:
    call = Call(options)
    raw = ffi.new("dosi_calibration *")
    wanted = ffi.new("dosi_target[]", [
        (target.kind, target.value, target.at) for target in targets])
    call.check(lib.dosi_calibrate(
        raw, plan._handle, wanted, len(targets),
        ffi.addressof(call.raw, "options"), ffi.addressof(call.raw, "error")))
    target = targets[raw.binding]
    words = target.question.at(target.at)
    end = target.question.safe_end
    row = lib.dosi_kind_at(raw.kind)
    return Calibration(
        raw.value, raw.beyond,
        interval_of(raw.answer, words, end),
        interval_of(raw.beyond_answer, words, end),
        raw.rounded, interval_of(raw.rounded_answer, words, end),
        plan.fill(raw.value),
        f"{text_of(row.name)} {text_of(row.parameters[raw.parameter].name)}",
        text_of(raw.reason))


class _Search:
    """Bisection over a function; every candidate is checked."""

    def __init__(self, make: Callable[[Any], Plan], targets: list[Target],
                 options: Options, integer: bool) -> None:
        self.make = make
        self.targets = targets
        self.options = options
        self.integer = integer

    def try_value(self, x: float) -> tuple[bool, Interval]:
        """Whether x meets every target, and the answer that binds."""
        from .plan import as_plan

        plan = as_plan(self.make(int(x) if self.integer else x))
        answer: Interval | None = None
        for target in self.targets:
            answer = target.ask(plan, self.options)
            if not target.is_met(answer):
                return False, answer
        assert answer is not None
        return True, answer

    def is_met(self, x: float) -> bool | None:
        """None if x is not a valid parameter."""
        try:
            return self.try_value(x)[0]
        except InvalidError:
            return None

    def find_bracket(self) -> tuple[float, float]:
        """Two numbers, of which one meets the targets, by powers of 4."""
        met: list[float] = []
        missed: list[float] = []
        for k in range(13):
            for x in {4.0 ** k, 1.0 if self.integer else 4.0 ** -k}:
                verdict = self.is_met(x)
                if verdict is not None:
                    (met if verdict else missed).append(x)
            if met and missed:
                good, bad = min(
                    ((g, b) for g in met for b in missed),
                    key=lambda pair: abs(math.log(pair[0] / pair[1])))
                return good, bad
        if not met and not missed:
            self.try_value(1.0)  # say what is wrong
        raise DomainError(
            f"no number of {'1' if self.integer else '4^-12'} to 4^12 "
            f"{'meets' if missed else 'misses'} the targets; give a bracket")

    def check_bracket(self, ends: tuple[float, float]) -> tuple[float, float]:
        verdicts = [self.try_value(number(x, "bracket"))[0] for x in ends]
        if verdicts[0] == verdicts[1]:
            raise DomainError(
                f"both ends of the bracket {ends[0]:g}, {ends[1]:g} "
                f"{'meet' if verdicts[0] else 'miss'} the targets")
        good, bad = ends if verdicts[0] else ends[::-1]
        return float(good), float(bad)

    def middle(self, good: float, bad: float) -> float:
        if self.integer:
            return float((int(good) + int(bad)) // 2)
        if good > 0 and bad > 0:
            return math.sqrt(good) * math.sqrt(bad)
        return good / 2 + bad / 2

    def run(self, bracket: tuple[float, float] | None) -> Calibration:
        good, bad = (self.check_bracket(bracket) if bracket
                     else self.find_bracket())
        for _ in range(200):
            x = self.middle(good, bad)
            near = abs(good - bad) <= (
                1 if self.integer else 1e-12 * max(abs(good), abs(bad)))
            if near or x in (good, bad):
                break
            if self.try_value(x)[0]:
                good = x
            else:
                bad = x
        answer = self.try_value(good)[1]
        return Calibration(
            good, bad, answer, self.try_value(bad)[1], good, answer,
            self.make(int(good) if self.integer else good), "", "")
