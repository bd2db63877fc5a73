"""A curve with its two certified ends as an SVG picture."""

from __future__ import annotations

import html
import math


def _is_log(values: list[float]) -> bool:
    """Whether values that span decades are better shown by logarithms."""
    return min(values) > 0 and max(values) / min(values) > 100


def _ticks(low: float, high: float, log: bool) -> list[float]:
    """A handful of round values from low to high."""
    if log:
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

    def __init__(self, values: list[float], start: float, end: float) -> None:
        finite = [v for v in values if math.isfinite(v)] or [0.0, 1.0]
        self.log = _is_log(finite)
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


def curve_svg(x: list[float], lower: list[float], upper: list[float],
              x_name: str, y_name: str, safe_end: str, width: int,
              height: int) -> str:
    """The band between lower and upper, the safe end as the solid line."""
    across = _Axis(x, 60.0, width - 15.0)
    up = _Axis(lower + upper, height - 45.0, 15.0)
    points = sorted(zip(x, lower, upper))
    there = [f"{across(a):.2f},{up(b):.2f}" for a, _, b in points]
    back = [f"{across(a):.2f},{up(b):.2f}" for a, b, _ in reversed(points)]
    solid, dashed = (there, back) if safe_end == "upper" else (back, there)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for value in across.ticks():
        at = across(value)
        parts.append(
            f'<path d="M{at:.2f} 15V{height - 45}" stroke="#ddd"/>'
            f'<text x="{at:.2f}" y="{height - 30}" text-anchor="middle">'
            f"{value:.4g}</text>")
    for value in up.ticks():
        at = up(value)
        parts.append(
            f'<path d="M60 {at:.2f}H{width - 15}" stroke="#ddd"/>'
            f'<text x="55" y="{at + 4:.2f}" text-anchor="end">'
            f"{value:.4g}</text>")
    parts += [
        f'<polygon points="{" ".join(there + back)}" fill="#4c78a8" '
        'fill-opacity="0.3"/>',
        f'<polyline points="{" ".join(solid)}" fill="none" '
        'stroke="#4c78a8" stroke-width="1.5"/>',
        f'<polyline points="{" ".join(dashed)}" fill="none" '
        'stroke="#4c78a8" stroke-dasharray="4 3"/>',
        f'<text x="{(width + 45) / 2}" y="{height - 10}" '
        f'text-anchor="middle">{html.escape(x_name)}</text>',
        f'<text transform="translate(14 {(height - 30) / 2}) rotate(-90)" '
        f'text-anchor="middle">{html.escape(y_name)}</text>',
        "</svg>",
    ]
    return "\n".join(parts)
