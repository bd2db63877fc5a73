"""Answers: intervals that contain the exact value, and lists of them."""

from __future__ import annotations

import html
import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from ._core import ffi, lib
from .svg import curve_svg

numpy: Any
try:
    numpy = importlib.import_module("numpy")
except ImportError:
    numpy = None

_RELATIONS = {
    0: ("add_remove", "one record is added or removed"),
    1: ("replace", "one record is replaced by another"),
}

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


def print_outward(lower: float, upper: float, digits: int) -> tuple[str, str]:
    """Both ends with this many digits, rounded outward."""
    out = ffi.new("char[]", lib.DOSI_NUMBER_BYTES)
    lib.dosi_print_lower(out, lower, digits)
    low = ffi.string(out).decode()
    lib.dosi_print_upper(out, upper, digits)
    return low, ffi.string(out).decode()


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


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """The exact value lies between ``lower`` and ``upper``.

    ``float(interval)`` is the end that is safe to report: the upper one of a
    loss, the lower one of a trade-off curve. It is not a pair of numbers:
    unpacking it fails.
    """

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


def array_of(values: list[float]) -> Any:
    """A numpy array if numpy is installed, else the list."""
    return values if numpy is None else numpy.array(values)


class Intervals(Sequence[Interval]):
    """Answers to one question, of many plans or at many values.

    ``lower``, ``upper`` and ``at`` are numpy arrays if numpy is installed,
    else lists. An item is an ``Interval`` with its provenance.
    """

    def __init__(self, answers: Any, quantity: str, parameter: str,
                 at: list[float], safe_end: str) -> None:
        #: An array of ``dosi_answer``, or what a pickle kept: the items.
        self._answers = answers
        self._at = at
        #: What was asked, e.g. "epsilon".
        self.quantity = quantity
        #: What it was asked at, e.g. "delta".
        self.parameter = parameter
        self.safe_end = safe_end
        self.at = array_of(at)
        is_list = isinstance(answers, list)
        self.lower = array_of([
            answers[i].lower if is_list else answers[i].value.lo
            for i in range(len(at))])
        self.upper = array_of([
            answers[i].upper if is_list else answers[i].value.hi
            for i in range(len(at))])

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, index: int) -> Interval: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Interval]: ...

    def __getitem__(self, index: int | slice) -> Interval | Sequence[Interval]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        if isinstance(self._answers, list):
            item: Interval = self._answers[i]
            return item
        return interval_of(
            self._answers[i],
            f"{self.quantity} at {self.parameter} = {self._at[i]:g}",
            self.safe_end)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self), self.quantity, self.parameter,
                            self._at, self.safe_end)

    def __repr__(self) -> str:
        ends = ", ".join(str(self[i]) for i in range(min(3, len(self))))
        more = ", ..." if len(self) > 3 else ""
        return f"<{type(self).__name__} of {len(self)} {self.quantity}: " \
               f"{ends}{more}>"


class Curve(Intervals):
    """Answers about one plan at many values; a notebook draws it."""

    def to_svg(self, width: int = 480, height: int = 320) -> str:
        """Both ends as an SVG picture."""
        return curve_svg(self._at, list(map(float, self.lower)),
                         list(map(float, self.upper)), self.parameter,
                         self.quantity, self.safe_end, width, height)

    def _repr_svg_(self) -> str:
        return self.to_svg()
