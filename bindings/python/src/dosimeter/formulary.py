"""The formulary: statements from the literature, as certified intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from ._core import ffi, lib
from .asking import c_text, number
from .errors import error_of
from .frames import html_table
from .interval import Interval, text_of


@dataclass(frozen=True)
class Formula:
    """A row of the formulary."""

    id: str
    name: str
    #: "eps;P[];n?": [] a list, {} a text, ? optional.
    parameters: str
    #: "exact", "upper", "lower", "approximate" (no bound) or "helper".
    direction: str
    validity: str
    meaning: str

    def _repr_html_(self) -> str:
        return html_table({field.name: [getattr(self, field.name)]
                           for field in fields(self)})


def formulas() -> list[Formula]:
    """Every row."""
    rows = (lib.dosi_formula_at(i) for i in range(lib.dosi_formula_count()))
    return [Formula(text_of(r.id), text_of(r.name), text_of(r.parameters),
                    text_of(r.direction), text_of(r.validity),
                    text_of(r.meaning)) for r in rows]


#: Words in the meaning of a row whose value is an error of an attacker.
_ERRORS = ("false negative rate", "type II error", "both errors",
           "trade-off function of", "The curve ", "mixture and its inverse")


def _safe_end(row: Any) -> str:
    """The end that is safe to report."""
    meaning, direction = text_of(row.meaning), text_of(row.direction)
    is_error = direction != "upper" and any(
        words in meaning for words in _ERRORS)
    return "lower" if direction == "lower" or is_error else "upper"


def _word(name: str, value: float | str | Iterable[float]) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "__iter__"):
        return "|".join(repr(number(x, name)) for x in value)
    return repr(number(value, name))


def formula(id: str, **parameters: float | str | Iterable[float]) -> Interval:
    """The value of a row, by its id or name."""
    text = ";".join(
        f"{name}={_word(name, value)}" for name, value in parameters.items())
    word = c_text(id, "id")
    error = ffi.new("dosi_error *")
    out = ffi.new("dosi_interval *")
    if lib.dosi_formula_eval(out, word, c_text(text, "parameters"), error):
        raise error_of(error)
    index = ffi.new("size_t *")
    if lib.dosi_formula_find(index, word, error):
        raise error_of(error)
    row = lib.dosi_formula_at(index[0])
    return Interval(out.lo, out.hi, text_of(row.name),
                    theorem=text_of(row.id), safe_end=_safe_end(row))
