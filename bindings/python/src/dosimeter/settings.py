"""Keywords as settings of the C library.

Settings are the options of the command line, one text each: ``max_rows=3`` is
"max-rows 3". The mapping knows no option by name:

=====================================  ====================================
``epsilon=1``, ``user="id"``           "epsilon 1", "user id"
``file_order=True``                    "file-order"; False or None: nothing
``order=["date", "hour"]``             "order date,hour"
``bounds=(0, 16)``                     "bounds 0..16"; with a step "0..16:2"
``grid={"amount": "0.01"}``            "grid amount:0.01", a line for each
``unknown_cells={"town": True}``       "unknown-cells town"
=====================================  ====================================

Text is passed as it is; names in lists and dicts are quoted if necessary.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ._core import ffi
from .asking import c_text
from .errors import InvalidError, error_of
from .plan import Plan


def decimal_text(value: float | Decimal) -> str:
    """All digits, without an exponent; whole numbers without a point."""
    exact = value if isinstance(value, Decimal) else Decimal(
        float.__repr__(value))
    if not isinstance(value, Decimal) and exact.is_finite() \
            and exact == exact.to_integral_value():
        return str(int(exact))
    return f"{exact:f}"


def scalar_text(value: Any, name: str) -> str:
    """Text as it is, a number exactly, a double by its shortest digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, Fraction):
        exact = Decimal(value.numerator) / value.denominator
        if Fraction(exact) != value:
            raise InvalidError(f"{name} is not a decimal number: {value}")
        return decimal_text(exact)
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        return decimal_text(float(value))
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be text or a number, got {value!r}") from None


def quoted(name: str) -> str:
    """A name, quoted if a list or column needs it."""
    if name == "" or any(mark in name for mark in ',":\r\n'):
        return '"' + name.replace('"', '""') + '"'
    return name


def value_text(value: Any, name: str) -> str:
    """The value of a setting."""
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, Plan):
        return str(value)
    if isinstance(value, tuple):
        ends = [scalar_text(end, name) for end in value]
        if len(ends) not in (2, 3):
            raise InvalidError(f"{name} must be (lower, upper), or with a "
                               f"step behind, got {value!r}")
        return "..".join(ends[:2]) + "".join(f":{step}" for step in ends[2:])
    if isinstance(value, Iterable) and not isinstance(value, str) \
            and getattr(value, "shape", None) != ():
        return ",".join(quoted(scalar_text(item, name)) for item in value)
    return scalar_text(value, name)


def setting_lines(name: str, value: Any) -> list[str]:
    """The lines of one keyword."""
    words = name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [words]
    if isinstance(value, Mapping):
        lines = []
        for key, item in value.items():
            of = quoted(scalar_text(key, name))
            if item is True:
                lines.append(f"{words} {of}")
            elif item is not None and item is not False:
                lines.append(f"{words} {of}:{value_text(item, name)}")
        return lines
    return [f"{words} {value_text(value, name)}"]


def settings_of(options: Mapping[str, Any]) -> list[str]:
    """The lines of all keywords."""
    return [line for name, value in options.items()
            for line in setting_lines(name, value)]


class Texts:
    """An array of C strings, which lives as long as this object."""

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self._kept = [ffi.new("char[]", c_text(line, name))
                      for line in lines]
        self.raw = ffi.new("const char *[]", self._kept or 1)
        self.n = len(self._kept)


def printed(call: Any, size: int = 4096) -> str:
    """The text of a function that writes like snprintf.

    ``call`` takes the buffer, its size, the length and the error; the buffer
    has this size at first.
    """
    error = ffi.new("dosi_error *")
    length = ffi.new("size_t *")
    while True:
        text = ffi.new("char[]", size)
        if call(text, size, length, error):
            raise error_of(error)
        if length[0] < size:
            return bytes(ffi.buffer(text, length[0])).decode(
                "utf-8", "backslashreplace")
        size = length[0] + 1
