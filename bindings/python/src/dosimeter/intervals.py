"""Many answers to one question, as arrays with their provenance."""

from __future__ import annotations

import html
import importlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, overload

from ._core import ffi
from .errors import DosimeterError
from .frames import Table, html_table, plain
from .interval import Interval, interval_of
from .svg import Band, bands_svg

numpy: Any
try:
    numpy = importlib.import_module("numpy")
except ImportError:
    numpy = None


def array_of(values: list[float]) -> Any:
    """A numpy array if numpy is installed, else the list."""
    return values if numpy is None else numpy.array(values)


def _nested(values: list[Any], shape: tuple[int, ...]) -> Any:
    """A list as lists of lists of this shape."""
    if len(shape) <= 1:
        return values
    step = math.prod(shape[1:])
    return [_nested(values[i * step:(i + 1) * step], shape[1:])
            for i in range(shape[0])]


def _ends_of(answers: Any, n: int) -> tuple[list[float], list[float]]:
    """Both ends of the answers of the C library, or of intervals."""
    if isinstance(answers, list):
        return ([getattr(x, "lower", math.nan) for x in answers],
                [getattr(x, "upper", math.nan) for x in answers])
    if numpy is None or n == 0:
        return ([answers[i].value.lo for i in range(n)],
                [answers[i].value.hi for i in range(n)])
    start = ffi.offsetof("dosi_answer", "value")
    rows = numpy.frombuffer(ffi.buffer(answers), numpy.dtype({
        "names": ["lo", "hi"], "formats": ["f8", "f8"],
        "offsets": [start, start + ffi.sizeof("double")],
        "itemsize": ffi.sizeof("dosi_answer")}), n)
    return rows["lo"].tolist(), rows["hi"].tolist()


class Intervals(Table, Sequence[Interval]):
    """Answers to one question, of many plans or at many values.

    ``lower``, ``upper``, ``safe`` and ``at`` are numpy arrays of ``shape`` if
    numpy is installed, else lists. numpy and pandas take the whole for its
    safe ends. An item is an ``Interval`` with its provenance; items are
    counted row by row.
    """

    def __init__(self, answers: Any, quantity: str, parameter: str,
                 at: list[float], safe_end: str,
                 plans: Sequence[Any] | None = None,
                 shape: tuple[int, ...] | None = None,
                 failures: Mapping[int, DosimeterError] | None = None
                 ) -> None:
        #: An array of ``dosi_answer``, or what a pickle kept: the items.
        self._answers = answers
        #: The errors of plans without an answer, by their number.
        self.failures = dict(failures or {})
        self._at = at
        #: The plans that were asked, None if it was one.
        self.plans = plans
        #: What was asked, e.g. "epsilon".
        self.quantity = quantity
        #: What it was asked at, e.g. "delta".
        self.parameter = parameter
        self.safe_end = safe_end
        self.shape = (len(at),) if shape is None else shape
        self._lower, self._upper = _ends_of(answers, len(at))
        self.at = self._shaped(at)
        self.lower = self._shaped(self._lower)
        self.upper = self._shaped(self._upper)

    def _shaped(self, values: list[float]) -> Any:
        if numpy is None:
            return _nested(values, self.shape)
        return array_of(values).reshape(self.shape)

    @property
    def safe(self) -> Any:
        """The ends that are safe to report."""
        return self.upper if self.safe_end == "upper" else self.lower

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return numpy.array(self.safe, dtype=dtype)

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
        if i in self.failures:
            raise self.failures[i]
        if isinstance(self._answers, list):
            item: Interval = self._answers[i]
            return item
        return interval_of(
            self._answers[i],
            f"{self.quantity} at {self.parameter} = {self._at[i]:g}",
            self.safe_end)

    def columns(self) -> dict[str, list[Any]]:
        """The plan, if there are many, the value it was asked at, both
        ends."""
        first = {} if self.plans is None \
            else {"plan": [str(plan) for plan in self.plans]}
        return {**first, self.parameter: self._at, "lower": self._lower,
                "upper": self._upper}

    def to_dict(self) -> dict[str, Any]:
        """What was asked, and the columns."""
        return {"question": self.quantity, "safe_end": self.safe_end,
                **{name: plain(values)
                   for name, values in self.columns().items()}}

    def __reduce__(self) -> tuple[Any, ...]:
        items = [self.failures.get(i) or self[i] for i in range(len(self))]
        return type(self), (items, self.quantity, self.parameter, self._at,
                            self.safe_end, self.plans, self.shape,
                            self.failures)

    def __repr__(self) -> str:
        ends = ", ".join(str(self.failures.get(i) or self[i])
                         for i in range(min(3, len(self))))
        more = ", ..." if len(self) > 3 else ""
        return f"<{type(self).__name__} of {len(self)} {self.quantity}: " \
               f"{ends}{more}>"

    def _repr_html_(self) -> str | None:
        words = html.escape(f"{self.quantity} at {self.parameter}")
        return f"<p>{words}</p>{html_table(self.columns())}"


class Curve(Intervals):
    """Answers about one plan at many values; a notebook draws it."""

    def to_svg(self, width: int = 480, height: int = 320) -> str:
        """Both ends as an SVG picture."""
        band = Band(self.quantity, self._at, self._lower, self._upper)
        return bands_svg([band], self.parameter, self.quantity, self.safe_end,
                         width=width, height=height)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> None:
        """A notebook draws it."""
