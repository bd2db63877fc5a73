"""Statistics of a table; each prints itself as on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..settings import (quoted, scalar_text, setting_lines, settings_of,
                        value_text)


class Statistic:
    """A statistic and what its columns are.

    Keywords are the options about columns: ``grid``, ``type``, ``missing``,
    ``categories``, ``bins``, ``unknown_cells``, ``user_bounds``,
    ``max_cells``, ``max_per_cell``, ``min_count``; with two columns as a dict
    by column. A ``weight`` is the share of the budget, relative to 1 for the
    others.
    """

    _name = ""

    def __init__(self, columns: tuple[str, ...] = (), rest: str = "",
                 label: str = "", weight: Any = None,
                 **options: Any) -> None:
        argument = ",".join(map(quoted, columns))
        #: The line of the command line, e.g. "sum income:0..200000".
        self.line = f"{self._name} {argument}{rest}".rstrip(" ")
        #: The name in the answer, e.g. "sum.income".
        self.name = ".".join(
            word for word in (self._name, ",".join(columns), label) if word)
        #: Settings that come with it.
        self.settings: list[str] = []
        for name, value in options.items():
            if value is None or isinstance(value, Mapping):
                self.settings += setting_lines(name, value)
            elif value is True:
                self.settings += setting_lines(
                    name, {column: True for column in columns})
            elif value is not False:
                self.settings.append(f"{name.replace('_', '-')} {argument}:"
                                     f"{value_text(value, name)}")
        if weight is not None:
            self.settings.append(
                f"weight {self.name}:{scalar_text(weight, 'weight')}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'; '.join(self.lines)}>"

    @property
    def lines(self) -> list[str]:
        """The statistic and its settings."""
        return [self.line, *self.settings]


class _Bounded(Statistic):
    """A statistic of one column, whose values are clipped to bounds."""

    def __init__(self, column: str, lower: Any, upper: Any,
                 **options: Any) -> None:
        super().__init__(
            (column,), ":" + value_text((lower, upper), "bounds"), **options)


class Count(Statistic):
    """The number of rows."""

    _name = "count"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)


class Users(Statistic):
    """The number of people."""

    _name = "users"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)


class CountBad(Statistic):
    """The number of bad records; with a user, of people who have one."""

    _name = "count-bad"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)


class Sum(_Bounded):
    """The sum of a column."""

    _name = "sum"


class Mean(_Bounded):
    """The mean of a column."""

    _name = "mean"


class Variance(_Bounded):
    """Variance and standard deviation of a column."""

    _name = "variance"


class Median(_Bounded):
    """The median of a column, a point of its grid."""

    _name = "median"


class Quantile(Statistic):
    """The value with a fraction of the rows below it, e.g. "1/4"."""

    _name = "quantile"

    def __init__(self, column: str, lower: Any, upper: Any,
                 share: str | Fraction | float, **options: Any) -> None:
        part = Fraction(str(share))
        text = f"{part.numerator}/{part.denominator}"
        bounds = value_text((lower, upper), "bounds")
        super().__init__((column,), f":{bounds}:{text}", text, **options)


class Histogram(Statistic):
    """The rows in each cell of a column, or of a table of two."""

    _name = "histogram"

    def __init__(self, column: str, column_2: str | None = None,
                 **options: Any) -> None:
        columns = (column,) if column_2 is None else (column, column_2)
        super().__init__(columns, **options)


class Mode(Statistic):
    """The public cell of a column with the most rows."""

    _name = "mode"

    def __init__(self, column: str, **options: Any) -> None:
        super().__init__((column,), **options)


def lines_of(statistics: Any, options: Mapping[str, Any]) -> tuple[
        list[str], list[str]]:
    """The lines of statistics, and all settings, each once."""
    if isinstance(statistics, (Statistic, str)):
        statistics = [statistics]
    texts = []
    settings: dict[str, None] = {}
    for item in statistics:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, Statistic):
            texts.append(item.line)
            settings.update(dict.fromkeys(item.settings))
        else:
            raise TypeError(
                f"statistics must be statistics or text, got {item!r}")
    settings.update(dict.fromkeys(settings_of(options)))
    return texts, list(settings)
