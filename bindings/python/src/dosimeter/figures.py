"""Plots: curves of plans, to look at, to save and to take as a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .asking import Options, number
from .curves import KINDS, Axes, Kind, Line, find_range, sample
from .errors import InvalidError
from .frames import Table
from .keywords import meant
from .plan import Plan, PlanLike, as_plan
from .svg import COLOURS, Band, bands_svg


@dataclass(frozen=True)
class Plot(Table):
    """Curves between certified ends, at points chosen where they bend."""

    kind: str
    title: str
    x_name: str
    y_name: str
    safe_end: str
    x_is_log: bool
    y_is_log: bool
    #: Of each curve: its label, x, lower and upper.
    curves: tuple[Band, ...]
    #: The smallest value that is shown on a logarithmic axis.
    least: float = 0.0

    def columns(self) -> dict[str, list[Any]]:
        """A row for each point."""
        rows = [(band.label, *point) for band in self.curves
                for point in zip(band.x, band.lower, band.upper)]
        names = ("plan", self.x_name, "lower", "upper")
        return {name: [row[i] for row in rows]
                for i, name in enumerate(names)}

    def to_svg(self, width: int = 640, height: int = 400) -> str:
        """The picture as SVG."""
        return bands_svg(self.curves, self.x_name, self.y_name, self.safe_end,
                         width=width, height=height, title=self.title,
                         x_log=self.x_is_log, y_log=self.y_is_log,
                         least=self.least)

    def draw(self, axes: Any = None) -> Any:
        """Draws by matplotlib, into these axes or new ones; returns them."""
        if axes is None:
            from matplotlib import pyplot

            _, axes = pyplot.subplots()
        for i, band in enumerate(self.curves):
            colour = COLOURS[i % len(COLOURS)]
            safe = band.upper if self.safe_end == "upper" else band.lower
            axes.fill_between(band.x, band.lower, band.upper, color=colour,
                              alpha=0.3, linewidth=0)
            axes.plot(band.x, safe, color=colour, label=band.label)
        axes.set(xlabel=self.x_name, ylabel=self.y_name, title=self.title,
                 xscale="log" if self.x_is_log else "linear",
                 yscale="log" if self.y_is_log else "linear")
        if self.y_is_log and self.least:
            axes.set_ylim(bottom=self.least)
        if len(self.curves) > 1:
            axes.legend()
        return axes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes .svg; .png, .pdf and others by matplotlib."""
        name = os.fspath(path)
        if name.endswith(".svg"):
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.to_svg())
            return
        from matplotlib.figure import Figure

        figure = Figure()
        self.draw(figure.subplots())
        figure.savefig(name)

    def __repr__(self) -> str:
        points = sum(len(band.x) for band in self.curves)
        return f"<Plot of {self.kind}: {len(self.curves)} curves, " \
               f"{points} points>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> None:
        """A notebook draws it."""


def _lines(plans: Sequence[PlanLike], labels: Sequence[str] | None,
           routes: Sequence[str] | None) -> list[Line]:
    read = [as_plan(plan, "plot") for plan in plans]
    if routes is not None:
        if len(read) > 1:
            raise InvalidError("give several plans or several routes")
        names = list(labels or routes)
        lines = [Line(name, read[0], route)
                 for name, route in zip(names, routes)]
        n = len(routes)
    else:
        names = list(labels or map(str, read))
        lines = [Line(name, plan) for name, plan in zip(names, read)]
        n = len(read)
    if len(names) != n:
        raise InvalidError(f"{n} curves but {len(names)} labels")
    return lines


def plot_of(kind: Kind, plans: Sequence[PlanLike], delta: float | None,
            start: float | None, stop: float | None, points: int,
            labels: Sequence[str] | None, title: str | None,
            log: bool | None, routes: Sequence[str] | None,
            options: Options) -> Plot:
    """Finds the range and the points."""
    row = KINDS.get(kind)
    if row is None:
        raise InvalidError(f"kind is {', '.join(KINDS)}, got {kind!r}"
                           f"{meant(kind, KINDS)}")
    if not 2 <= points <= 10000:
        raise InvalidError(f"points must be from 2 to 10000, got {points}")
    if kind in ("steps", "noise") and delta is None:
        raise TypeError(f"plot {kind!r} needs the delta of its epsilon")
    lines = _lines(plans, labels, routes)
    hole = next((line for line in lines if line.plan.has_hole), None)
    if hole is not None and kind not in ("steps", "noise"):
        raise InvalidError("the plan has a hole \"?\"; only the kinds steps "
                           "and noise take one")
    at = None if delta is None else number(delta, "delta")
    if at is not None and not 0 < at < 1:
        raise InvalidError("delta must be greater than 0 and less than 1, "
                           f"got {delta}")
    axes = Axes(kind, at, number(start or 0, "start"),
                number(stop or 0, "stop"),
                row.x_is_log if log is None else log,
                row.y_is_log if log is None else log, x_name=row.x_name)
    find_range(axes, lines, options)
    sample(axes, lines, points, options)
    return Plot(kind, title or row.title, axes.x_name, row.y_name,
                row.safe_end, axes.x_is_log, axes.y_is_log,
                tuple(Band(line.label, line.x, line.lower, line.upper)
                      for line in lines),
                axes.floor if kind == "profile" else 0.0)


def of_plan(plan: Plan, kind: Kind, delta: float, options: Options) -> Plot:
    """The usual plot of a kind, for a report."""
    return plot_of(kind, [plan], delta, None, None, 41, None, None, None,
                   None, options)
