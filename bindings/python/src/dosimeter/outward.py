"""Numbers rounded to the side where a report stays true.

Decimal arithmetic is exact here: the digits that are kept are those of the
double itself, and the rest is rounded up or down, never to nearest.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from typing import Any

from .errors import InvalidError

#: A format of numbers: padding, sign, "0", width, comma, precision, type.
_SPEC = re.compile(
    r"(?P<align>(?:.?[<>=^])?)(?P<core>[-+ ]?)(?P<zero>0?)"
    r"(?P<width>\d*)(?P<group>,?)(?P<precision>(?:\.\d+)?)"
    r"(?P<kind>[eEfFgG%]?)", re.DOTALL)

#: Digits of any double, in full.
_CONTEXT = Context(prec=1200, traps=[])


def _rounding(is_up: bool) -> str:
    return ROUND_CEILING if is_up else ROUND_FLOOR


def _to_places(x: Decimal, places: int, is_up: bool) -> Decimal:
    """The number of so many decimal places next to x on that side."""
    return x.quantize(Decimal((0, (1,), -places)), rounding=_rounding(is_up),
                      context=_CONTEXT)


def rounded(x: float, places: int, is_up: bool) -> float:
    """A double with so many decimal places, on that side of x or equal."""
    if not math.isfinite(x) or places > 400:
        return x
    # the double nearest to a decimal number on one side of x is not on the
    # other one, because x is a double itself
    return float(_to_places(Decimal(x), max(places, -400), is_up))


def _to_digits(x: Decimal, n_digits: int, is_up: bool) -> Decimal:
    """The number of so many significant digits next to x on that side."""
    with localcontext(Context(prec=max(1, n_digits),
                              rounding=_rounding(is_up), traps=[])):
        return +x


def formatted(x: float, spec: str, is_up: bool) -> str | None:
    """``format(x, spec)`` rounded up or down; None if no number is meant.

    A format of a number has a type (``.2f``, ``e``, ``%``) or a precision.
    """
    found = _SPEC.fullmatch(spec)
    if found is None:
        raise InvalidError(f"{spec!r} is no format of a number, as .2f is")
    kind, digits = found["kind"], found["precision"]
    if not kind and not digits:
        return None
    core = found["core"] + found["group"] + digits + kind
    return _padded(_text(x, core, int(digits[1:] or 0) if digits else 6,
                         kind, is_up), found)


def _text(x: float, core: str, precision: int, kind: str,
          is_up: bool) -> str:
    if not math.isfinite(x):
        return format(x, core)
    if precision > 400:
        raise InvalidError(f"at most 400 digits are shown, got {precision}")
    if kind and kind in "fF%":
        return format(_to_places(Decimal(x), precision + 2 * (kind == "%"),
                                 is_up), core)
    near = float(_to_digits(Decimal(x), precision + (kind in ("e", "E")),
                            is_up))
    while True:  # once or twice: with 17 digits the next double is shown
        text = format(near, core)
        shown = Decimal(text.replace(",", ""))
        if shown >= x if is_up else shown <= x:
            return text
        near = math.nextafter(near, math.inf if is_up else -math.inf)


def _padded(text: str, spec: Any) -> str:
    width = int(spec["width"] or 0)
    if spec["zero"] and not spec["align"]:
        return text.zfill(width)
    align = spec["align"] or ">"
    if align.endswith("="):  # the padding goes between sign and digits
        sign = text[:1] if text[:1] in ("+", "-", " ") else ""
        fill = align[:-1] or " "
        return sign + text[len(sign):].rjust(width - len(sign), fill)
    return format(text, f"{align}{width or ''}")


def json_number(x: float) -> float | str:
    """A number for JSON, in which infinities are words."""
    return x if math.isfinite(x) else str(x)
