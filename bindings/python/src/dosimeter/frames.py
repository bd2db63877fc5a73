"""Results as tables: data frames, plain values for JSON, HTML."""

from __future__ import annotations

import html
import importlib
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from ._core import ffi, lib

#: Rows that HTML shows of a long table, half of them at each end.
_SHOWN = 40


def print_outward(lower: float, upper: float, digits: int) -> tuple[str, str]:
    """Both ends with this many digits, rounded outward."""
    out = ffi.new("char[]", lib.DOSI_NUMBER_BYTES)
    lib.dosi_print_lower(out, lower, digits)
    low = ffi.string(out).decode()
    lib.dosi_print_upper(out, upper, digits)
    return low, ffi.string(out).decode()


def plain(value: Any) -> Any:
    """What JSON can hold: as in the JSON of the program, infinities are
    words, and a missing number is null."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        return plain(value.tolist())
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def json_default(value: Any) -> Any:
    """For ``json.dumps(..., default=dosimeter.json_default)``."""
    if isinstance(value, float) or isinstance(value, str):
        raise TypeError(f"{value!r} has a form in JSON")
    return plain(value)


def cell_text(name: str, value: Any) -> str:
    """A cell for people; ends of intervals are rounded outward."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        low, high = print_outward(value, value, 6)
        if name.endswith(("upper", "upper end", "epsilon", "safe")):
            return high
        return low if name.endswith(("lower", "lower end")) else f"{value:.6g}"
    return str(value)


def html_table(columns: Mapping[str, list[Any]]) -> str:
    """Rows under their names; of many the first and the last ones."""
    n = max(map(len, columns.values()), default=0)
    rows = list(range(n))
    if n > _SHOWN:
        rows = rows[:_SHOWN // 2] + [-1] + rows[-_SHOWN // 2:]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = []
    for i in rows:
        cells = ["…" if i < 0 else cell_text(name, values[i])
                 for name, values in columns.items()]
        body.append("<tr>" + "".join(
            f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return (f"<table><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table>")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"to_{name} needs {name}: pip install {name}",
                          name=name) from None


class Table:
    """A result with columns of equal length."""

    __slots__ = ()

    def columns(self) -> dict[str, list[Any]]:
        """The columns of the table, by name."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """A pandas ``DataFrame``."""
        return _module("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """A Polars ``DataFrame``."""
        return _module("polars").DataFrame(self.columns(), strict=False)

    def to_dict(self) -> dict[str, Any]:
        """Columns as JSON can hold them."""
        result: dict[str, Any] = plain(self.columns())
        return result

    def to_json(self) -> str:
        """The dict as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def _repr_html_(self) -> str | None:
        return html_table(self.columns())
