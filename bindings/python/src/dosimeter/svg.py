"""Curves with their two certified ends, and bars, as SVG pictures."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

COLOURS = ("#4c78a8", "#e45756", "#54a24b", "#b279a2", "#f58518", "#72b7b2",
           "#9d755d", "#79706e")


#: On screens whose reader asks for dark ones; on paper nothing changes.
_DARK = ("<style>@media screen and (prefers-color-scheme:dark){"
         "svg.dosimeter text{fill:#e6e6e6}svg.dosimeter .back{fill:#15181d}"
         "svg.dosimeter .grid{stroke:#30353d}}</style>")


class Band(NamedTuple):
    """A curve between two others."""

    label: str
    x: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]


def _is_log(values: Sequence[float]) -> bool:
    """Whether values that span decades are better shown by logarithms."""
    return min(values) > 0 and max(values) / min(values) > 100


def _ticks(low: float, high: float, log: bool) -> list[float]:
    """A handful of round values from low to high."""
    if log and high / low >= 10:
        first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
        step = max(1, (last - first) // 5)
        return [10.0 ** k for k in range(first, last + 1, step)]
    span = high - low
    step = 10 ** math.floor(math.log10(span))
    for factor in (0.2, 0.5, 1):
        if span / (step * factor) <= 6:
            step *= factor
            break
    start = math.ceil(low / step - 1e-9)
    stop = math.floor(high / step + 1e-9)
    return [k * step for k in range(start, stop + 1)]


class _Axis:
    """Values to positions."""

    def __init__(self, values: Sequence[float], start: float, end: float,
                 log: bool | None, least: float) -> None:
        finite = [v for v in values if math.isfinite(v)] or [0.0, 1.0]
        if log:
            finite = [v for v in finite if v > 0 and v >= least] or [0.1, 1.0]
        self.log = _is_log(finite) if log is None else log
        self.low, self.high = min(finite), max(finite)
        if not self.high > self.low:
            self.high = self.low + (abs(self.low) or 1.0)
        if not self.log and 0 < self.low < 0.3 * self.high:
            self.low = 0.0
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        if self.log:
            share = (math.log(value / self.low)
                     / math.log(self.high / self.low))
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        return _ticks(self.low, self.high, self.log)


def _head(width: int, height: int) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        'class="dosimeter" font-family="sans-serif" font-size="11">',
        _DARK,
        f'<rect class="back" width="{width}" height="{height}" '
        'fill="white"/>',
    ]


def _grid(across: _Axis, up: _Axis, width: int, height: int) -> list[str]:
    parts = []
    for value in across.ticks():
        at = across(value)
        parts.append(
            f'<path d="M{at:.2f} {up.end}V{height - 45}" class="grid" '
            f'stroke="#ddd"/>'
            f'<text x="{at:.2f}" y="{height - 30}" text-anchor="middle">'
            f"{value:.6g}</text>")
    for value in up.ticks():
        at = up(value)
        parts.append(
            f'<path d="M60 {at:.2f}H{width - 15}" class="grid" '
            f'stroke="#ddd"/>'
            f'<text x="55" y="{at + 4:.2f}" text-anchor="end">'
            f"{value:.6g}</text>")
    return parts


def _band(band: Band, across: _Axis, up: _Axis, safe_end: str,
          colour: str) -> list[str]:
    """The space between both ends, the safe one as the solid line."""
    points = sorted(zip(band.x, band.lower, band.upper))
    there = [f"{across(a):.2f},{up(b):.2f}" for a, _, b in points]
    back = [f"{across(a):.2f},{up(b):.2f}" for a, b, _ in reversed(points)]
    solid, dashed = (there, back) if safe_end == "upper" else (back, there)
    return [
        f'<polygon points="{" ".join(there + back)}" fill="{colour}" '
        'fill-opacity="0.3"/>',
        f'<polyline points="{" ".join(solid)}" fill="none" '
        f'stroke="{colour}" stroke-width="1.5"/>',
        f'<polyline points="{" ".join(dashed)}" fill="none" '
        f'stroke="{colour}" stroke-dasharray="4 3"/>',
    ]


def bands_svg(bands: Sequence[Band], x_name: str, y_name: str, safe_end: str,
              *, width: int = 480, height: int = 320, title: str = "",
              x_log: bool | None = None, y_log: bool | None = None,
              least: float = 0.0) -> str:
    """Curves between their certified ends, with a legend if many.

    Points below ``least`` are drawn at the foot of a logarithmic axis.
    """
    n_above = (len(bands) if len(bands) > 1 else 0) + bool(title)
    height += 16 * n_above
    across = _Axis([v for band in bands for v in band.x], 60.0, width - 15.0,
                   x_log, 0.0)
    up = _Axis([v for band in bands for v in (*band.lower, *band.upper)],
               height - 45.0, 15.0 + 16 * n_above, y_log, least)
    parts = _head(width, height) + _grid(across, up, width, height)
    y = 14
    if title:
        parts.append(f'<text x="60" y="{y}" font-weight="bold">'
                     f"{html.escape(title)}</text>")
        y += 16
    for i, band in enumerate(bands):
        colour = COLOURS[i % len(COLOURS)]
        parts += _band(band, across, up, safe_end, colour)
        if len(bands) > 1:
            parts.append(
                f'<rect x="60" y="{y - 8}" width="14" height="8" '
                f'fill="{colour}"/><text x="80" y="{y}">'
                f"{html.escape(band.label)}</text>")
            y += 16
    middle = (height - 45 + up.end) / 2
    parts += [
        f'<text x="{(width + 45) / 2}" y="{height - 10}" '
        f'text-anchor="middle">{html.escape(x_name)}</text>',
        f'<text transform="translate(14 {middle}) rotate(-90)" '
        f'text-anchor="middle">{html.escape(y_name)}</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def bars_svg(bars: Sequence[tuple[str, float, str]], width: int = 480) -> str:
    """Bars with a name above and words behind."""
    height = 12 + 34 * len(bars)
    longest = max((length for _, length, _ in bars), default=0) or 1.0
    parts = _head(width, height)
    for i, (name, length, words) in enumerate(bars):
        y, size = 12 + 34 * i, (width - 90) * length / longest
        parts.append(
            f'<text x="10" y="{y + 6}">{html.escape(name[:70])}</text>'
            f'<rect x="10" y="{y + 10}" width="{size:.2f}" height="12" '
            f'fill="{COLOURS[0]}"/><text x="{size + 15:.2f}" y="{y + 20}">'
            f"{html.escape(words)}</text>")
    return "\n".join([*parts, "</svg>"])
