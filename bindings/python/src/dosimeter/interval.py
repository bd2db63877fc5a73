"""Answers: intervals that contain the exact value."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, Union

from ._core import ffi, lib
from .errors import UndecidedError
from .frames import Table, plain, print_outward
from .outward import formatted, rounded

_RELATIONS = {
    0: ("add_remove", "one record is added or removed"),
    1: ("replace", "one record is replaced by another"),
}

#: What an interval may be compared with.
Comparable = Union[float, Decimal, Fraction, "Interval"]

_texts: dict[int, str] = {}


def text_of(pointer: Any) -> str:
    """A static string of the library; each is decoded once."""
    address = int(ffi.cast("uintptr_t", pointer))
    if address == 0:
        return ""
    text = _texts.get(address)
    if text is None:
        text = _texts[address] = ffi.string(pointer).decode()
    return text


def digits_for(lower: float, upper: float) -> int:
    """Number of significant digits that shows the width, 4 to 17."""
    size = max(abs(lower), abs(upper))
    if not (math.isfinite(size) and size > 0):
        return 6
    width = (upper - lower) / size
    if width <= 0:
        return 10
    return max(4, min(10, math.ceil(-math.log10(width)) + 1))


def cite(theorem: str) -> str:
    """Ids of statements as people cite them."""
    out = ffi.new("char[]", lib.DOSI_CITATION_BYTES)
    lib.dosi_citation(out, theorem.encode())
    text: str = ffi.string(out).decode()
    return text


def route_meaning(name: str) -> str:
    """One line about a route of the C library, or ""."""
    for i in range(lib.dosi_route_count()):
        route = lib.dosi_route_at(i)
        if text_of(route.name) == name:
            return text_of(route.meaning)
    return ""


def _ends(value: Any) -> tuple[Any, Any] | None:
    """Both ends of what is compared with; None if it is no number."""
    if isinstance(value, Interval):
        return value.lower, value.upper
    if isinstance(value, (int, float, Decimal, Fraction)):
        return value, value
    if isinstance(value, str) or not hasattr(value, "__float__") \
            or getattr(value, "shape", ()) != ():
        return None
    number = float(value)
    return number, number


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Interval(Table):
    """The exact value lies between ``lower`` and ``upper``.

    ``float(interval)`` is the end that is safe to report: the upper one of a
    loss, the lower one of a trade-off curve. It is not a pair of numbers:
    unpacking it fails. Formats of numbers (``f"{interval:.2f}"``) and
    ``round`` give that end, rounded to the safe side.

    A comparison with a number, or of two intervals, speaks of the exact
    values: it is True or False if that is certain, and raises
    ``UndecidedError`` if the interval leaves it open. ``==`` compares answers,
    with their provenance.
    """

    __array_ufunc__ = None  # numpy's numbers leave comparisons to __lt__

    lower: float
    upper: float
    #: What was asked, e.g. "epsilon at delta = 1e-05".
    question: str = ""
    #: The route that gave the upper end.
    route: str = ""
    #: The statements used, e.g. "T000-08".
    theorem: str = ""
    #: "add_remove" or "replace".
    neighbours: str = "add_remove"
    #: What the lower end refers to.
    lower_meaning: str = ""
    #: Why it is wide, infinite or zero; otherwise "".
    reason: str = ""
    #: Assumptions that were not checked.
    assumptions: tuple[str, ...] = ()
    #: Order of the Rényi curve that gave the upper end, or 0.
    order: float = 0.0
    #: For delta questions: the logarithm, in case delta underflows.
    log_lower: float = math.nan
    log_upper: float = math.nan
    #: "upper" or "lower".
    safe_end: str = "upper"

    @property
    def citation(self) -> str:
        """The statements as people cite them: "[Ste22] Cor 8 (T000-08)"."""
        return cite(self.theorem)

    @property
    def safe(self) -> float:
        """The end that is safe to report."""
        return self.upper if self.safe_end == "upper" else self.lower

    @property
    def width(self) -> float:
        """Distance between the ends."""
        return self.upper - self.lower if self.upper > self.lower else 0.0

    def __float__(self) -> float:
        return self.safe

    def __round__(self, digits: int | None = None) -> float | int:
        value = rounded(self.safe, digits or 0, self.safe_end == "upper")
        return int(value) if digits is None else value

    def __format__(self, spec: str) -> str:
        text = formatted(self.safe, spec, self.safe_end == "upper")
        return format(str(self), spec) if text is None else text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        """All fields; a NaN equals a NaN."""
        return tuple(None if value != value else value
                     for value in (getattr(self, field.name)
                                   for field in fields(self)))

    def __lt__(self, other: Comparable) -> bool:
        found = self._compare(other, "<", True)
        return NotImplemented if found is None else found

    def __le__(self, other: Comparable) -> bool:
        found = self._compare(other, "<=", True)
        return NotImplemented if found is None else found

    def __gt__(self, other: Comparable) -> bool:
        found = self._compare(other, ">", False)
        return NotImplemented if found is None else found

    def __ge__(self, other: Comparable) -> bool:
        found = self._compare(other, ">=", False)
        return NotImplemented if found is None else found

    def _compare(self, other: Any, sign: str, if_below: bool) -> bool | None:
        """What is certain of the exact values, or UndecidedError; None if the
        other one is no number."""
        ends = _ends(other)
        if ends is None:
            return None
        low, high = ends
        equal_is_below = sign in ("<=", ">")  # > is not <=
        if self.upper < low or (equal_is_below and self.upper <= low):
            return if_below
        if self.lower > high or (not equal_is_below and self.lower >= high):
            return not if_below
        error = UndecidedError(
            f"whether {self.question or 'the value'} {sign} {other} is not "
            f"decided: the exact value lies in {self}; .upper and .lower are "
            "the certified ends")
        error.answer = self
        raise error

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def __repr__(self) -> str:
        return f"Interval({self.lower!r}, {self.upper!r})"

    def __str__(self) -> str:
        low, high = print_outward(
            self.lower, self.upper, digits_for(self.lower, self.upper))
        return f"[{low}, {high}]"

    def explain(self) -> str:
        """The provenance of the numbers, in a few lines."""
        relation = dict(_RELATIONS.values()).get(self.neighbours, "")
        low, high = print_outward(self.lower, self.upper, 6)
        lines = [
            f"{self.question or 'the value'} is in {self}",
            f"safe to report: {high if self.safe_end == 'upper' else low}"
            f" ({self.safe_end} end)",
        ]
        if relation:
            lines.append(f"neighbours: {relation}")
        if self.route:
            meaning = route_meaning(self.route)
            lines.append(f"route: {self.route}"
                         + (f" ({meaning})" if meaning else ""))
        if self.order:
            lines.append(f"order: {self.order:.6g}")
        if self.theorem:
            lines.append(f"theorems: {self.citation}")
        if self.lower_meaning:
            lines.append(f"lower end: {self.lower_meaning}")
        if self.reason:
            lines.append(f"reason: {self.reason}")
        lines += [f"assumed, not checked: {text}" for text in self.assumptions]
        return "\n".join(lines)

    def columns(self) -> dict[str, list[Any]]:
        """One row: what was asked, both ends, and how they are known."""
        return {"question": [self.question], "lower": [self.lower],
                "upper": [self.upper], "safe": [self.safe],
                "neighbours": [self.neighbours], "route": [self.route],
                "citation": [self.citation], "reason": [self.reason]}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON can hold them; infinities are words."""
        result = {field.name: plain(getattr(self, field.name))
                  for field in fields(self)}
        return {**result, "safe": plain(self.safe), "citation": self.citation}

    def _repr_html_(self) -> str:
        title = html.escape(self.explain())
        what = html.escape(self.question)
        how = html.escape(", ".join(filter(None, (self.route, self.citation))))
        return (f'<span title="{title}">{what} ∈ <b>{html.escape(str(self))}'
                f"</b> <small>{how}</small></span>")


def interval_of(answer: Any, question: str, safe_end: str) -> Interval:
    """An ``Interval`` of a ``dosi_answer``."""
    value, log_value = answer.value, answer.log_value
    return Interval(
        value.lo, value.hi, question, text_of(answer.route),
        text_of(answer.theorem), _RELATIONS[int(answer.neighbours)][0],
        text_of(answer.lower_meaning), text_of(answer.reason),
        tuple(text_of(answer.assumptions[i])
              for i in range(answer.n_assumptions)),
        answer.order, log_value.lo, log_value.hi, safe_end)
