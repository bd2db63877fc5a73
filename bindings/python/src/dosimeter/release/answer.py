"""The answer of a release."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from .._core import ffi, lib
from ..frames import Table
from ..interval import Interval
from ..plan import Plan, _own
from ..settings import printed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..asking import Options

#: An exact number, or the name of a cell that was chosen.
Exact = Union[int, Fraction, str]


@dataclass(frozen=True)
class Value:
    """One number of an answer, exactly as it was released."""

    name: str
    #: The cell, None if the statistic has none.
    cell: str | None
    #: An int, or a Fraction on a grid finer than 1; of a mode: the cell.
    value: Exact
    #: Both ends, for the noise alone, or None.
    interval: tuple[Exact, Exact] | None
    #: For a choice: bound on the distance of its score from the best, in rows.
    within: float | None = None

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)


class Cells(Mapping[str, Value]):
    """The numbers of a statistic by cell, as they were printed."""

    def __init__(self, name: str, values: Mapping[str, Value]) -> None:
        self.name = name
        self._values = dict(values)

    def __getitem__(self, cell: str) -> Value:
        return self._values[cell]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self)} cells>"


class Release(Table, Mapping[str, Union[Value, Cells]]):
    """An answer: numbers by name, and the plan that they cost.

    ``print`` shows all of it. Every release costs its plan again.
    """

    def __init__(self, rows: list[Value], plan: Plan, cost: Interval,
                 delta: float, assumptions: tuple[str, ...],
                 texts: tuple[str, str, str], names: tuple[str, ...]) -> None:
        #: All numbers, in the order of the report.
        self.rows = rows
        #: The plan that was run.
        self.plan = plan
        self._cost = cost
        #: The delta that was asked for; 0: pure.
        self.delta = delta
        #: Assumptions that were not checked.
        self.assumptions = assumptions
        self._texts = texts
        self._names = names
        self._items: dict[str, Value | Cells] = {}
        cells: dict[str, dict[str, Value]] = {}
        for row in rows:
            if row.cell is None:
                self._items[row.name] = row
            else:
                cells.setdefault(row.name, {})[row.cell] = row
        for name, values in cells.items():
            self._items[name] = Cells(name, values)
        for name in names:  # unknown cells, none of which was printed
            self._items.setdefault(name, Cells(name, {}))

    def __getitem__(self, name: str) -> Any:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @property
    def neighbours(self) -> str:
        """The neighbouring relation of the plan."""
        return self._cost.neighbours

    def epsilon(self, delta: float | None = None,
                **options: Unpack[Options]) -> Interval:
        """The epsilon spent, at the delta of the query or another one."""
        if delta is None:
            return self._cost
        if "neighbors" not in options:
            options.setdefault(
                "neighbours", self._cost.neighbours)  # type: ignore
        return self.plan.epsilon(delta, **options)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each number; fractions become floats."""
        ends = [row.interval or (None, None) for row in self.rows]
        return {"name": [row.name for row in self.rows],
                "cell": [row.cell for row in self.rows],
                "value": [_number(row.value) for row in self.rows],
                "lower": [_number(lower) for lower, _ in ends],
                "upper": [_number(upper) for _, upper in ends]}

    def to_dict(self) -> dict[str, Any]:
        """The answer as in its JSON."""
        result: dict[str, Any] = json.loads(self._texts[1])
        return result

    def to_json(self) -> str:
        """The answer as JSON; its numbers are strings, for exactness."""
        return self._texts[1]

    def to_csv(self) -> str:
        """A line for each number: name, cell, value, lower, upper."""
        return self._texts[2]

    def __str__(self) -> str:
        return self._texts[0]

    def __repr__(self) -> str:
        return f"<Release of {', '.join(self._items)}: {self.plan}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Release, (self.rows, self.plan, self._cost, self.delta,
                         self.assumptions, self._texts, self._names)


def _number(value: Exact | None) -> int | float | str | None:
    return float(value) if isinstance(value, Fraction) else value


def _text(pointer: Any) -> str | None:
    if pointer == ffi.NULL:
        return None
    return bytes(ffi.string(pointer)).decode("utf-8", "backslashreplace")


def _exact(text: str) -> int | Fraction:
    return Fraction(text) if "." in text else int(text)


def _value(raw: Any) -> Value:
    name = _text(raw.name) or ""
    value, lower, upper = map(_text, (raw.value, raw.lower, raw.upper))
    is_choice = name.startswith("mode.")
    interval = None
    if lower is not None and upper is not None:
        interval = _exact(lower), _exact(upper)
    within = _text(raw.within)
    return Value(name, _text(raw.cell),
                 (value or "") if is_choice else _exact(value or "0"),
                 interval, None if within is None else float(within))


def release_of(handle: Any, names: tuple[str, ...]) -> Release:
    """Copies the contents of a C release."""
    rows = [_value(lib.dosi_release_row_at(handle, i))
            for i in range(lib.dosi_release_row_count(handle))]
    cost = lib.dosi_release_cost_of(handle)
    neighbours = "replace" if cost.neighbours else "add_remove"
    assumptions = tuple(
        _text(lib.dosi_release_assumption_at(handle, i)) or ""
        for i in range(lib.dosi_release_assumption_count(handle)))
    text, as_json, as_csv = (
        printed(lambda *out, form=form: lib.dosi_release_print(
            *out[:3], handle, form, out[3]))
        for form in (lib.DOSI_RELEASE_TEXT, lib.DOSI_RELEASE_JSON,
                     lib.DOSI_RELEASE_CSV))
    plan = _own(lib.dosi_plan_retain(lib.dosi_release_plan(handle)))
    return Release(
        rows, plan,
        Interval(cost.epsilon.lo, cost.epsilon.hi,
                 f"epsilon at delta = {cost.delta:g}", neighbours=neighbours,
                 assumptions=assumptions),
        cost.delta, assumptions, (text, as_json, as_csv), names)
