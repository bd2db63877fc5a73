"""A table of answers over values of the numbers of a plan."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .asking import Options, Question, ask_many, number, number_of
from .errors import InvalidError
from .frames import Table
from .intervals import Intervals
from .kinds import is_whole, make
from .plan import Plan
from .questions import is_many
from .solving import HOLE

#: Other words for parameters, as in ``dosimeter sweep --vary``.
_ALIASES = {"noise_multiplier": "sigma", "sample_rate": "rate",
            "sampling_probability": "rate", "steps": "count"}

_ADDRESS = re.compile(r"(?:([a-z_]+)(?:\[([1-9][0-9]*)\])?\.)?([a-z_]+|\?)")
_RANGE = re.compile(r"(.+?)\.\.(.+?):([0-9]+)(:log)?")
_MOST_CELLS = 1000000


@dataclass(frozen=True)
class Site:
    """A number of a plan: the parameter of a node, counted from the root."""

    node: int
    kind: str
    rank: int
    parameter: str
    value: Any


@dataclass(frozen=True)
class Sweep(Table):
    """Every combination of the values is a row, every question a column.

    ``answers`` holds, for each question, the ``Intervals`` of all rows. A row
    without an answer has nan there, and its error in the column "error".
    """

    values: dict[str, list[float]]
    answers: dict[str, Intervals]

    def __len__(self) -> int:
        return max(map(len, self.values.values()), default=0)

    @property
    def errors(self) -> dict[int, str]:
        """The message of each row without an answer."""
        return {i: error.message for answers in self.answers.values()
                for i, error in answers.failures.items()}

    def columns(self) -> dict[str, list[Any]]:
        """The values, then both ends of every answer; errors, if any."""
        errors = self.errors
        said = {"error": [errors.get(i) for i in range(len(self))]} \
            if errors else {}
        ends = {f"{question}, {end}": list(map(float, getattr(x, end)))
                for question, x in self.answers.items()
                for end in ("lower", "upper")}
        return {**self.values, **ends, **said}


def _sites(plan: Plan) -> list[Site]:
    """All numbers of a plan, in the order in which they are written."""
    found: list[Site] = []
    ranks: dict[str, int] = {}
    n_nodes = 0

    def collect(node: Plan) -> None:
        nonlocal n_nodes
        kind, index = node.kind, n_nodes
        n_nodes += 1
        ranks[kind] = ranks.get(kind, 0) + 1
        found.extend(
            Site(index, kind, ranks[kind], name, value)
            for name, value in node.parameters.items()
            if not isinstance(value, tuple))
        for child in node.children:
            collect(child)

    collect(plan)
    return found


def _find(sites: Sequence[Site], name: str) -> Site:
    """The one number that the name means."""
    address = _ADDRESS.fullmatch(name)
    many = {s.kind for s in sites if s.rank > 1}

    def text(s: Site) -> str:
        rank = f"[{s.rank}]" if s.kind in many else ""
        return f"{s.kind}{rank}.{s.parameter}"

    if address is not None:
        kind, rank, word = address.groups()
        word = _ALIASES.get(word, word)
        found = [s for s in sites
                 if (s.value is HOLE if word == "?" else s.parameter == word)
                 and kind in (None, s.kind)
                 and rank in (None, str(s.rank))]
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidError(f"vary {name!r} is one of "
                               f"{', '.join(map(text, found))}")
    raise InvalidError(f"vary {name!r} is no number of the plan, which has "
                       f"{', '.join(map(text, sites)) or 'none'}")


def values_of_range(text: str, name: str) -> list[float]:
    """Numbers and ranges, ``"1,2,4"``, ``"0.5..4:20"``, ``"1..9:5:log"``."""
    values: list[float] = []
    for word in text.split(","):
        found = _RANGE.fullmatch(word.strip())
        if found is None:
            values.append(number_of(word, name))
            continue
        low, high = number_of(found[1], name), number_of(found[2], name)
        n, is_log = int(found[3]), found[4] is not None
        if not (low < high and 2 <= n <= _MOST_CELLS
                and (not is_log or low > 0)):
            raise InvalidError(
                f"{name} needs ranges LOW..HIGH:N or LOW..HIGH:N:log, with "
                f"LOW below HIGH and N from 2 on, got {word!r}")
        for i in range(n):
            t = i / (n - 1)
            x = low * (high / low) ** t if is_log else low + (high - low) * t
            # 12 digits: what is meant to be 2 is not 1.9999999999999998
            values.append(low if i == 0 else high if i == n - 1
                          else float(f"{x:.12g}"))
    return values


def _values(site: Site, given: Any, name: str) -> list[float]:
    if isinstance(given, str):
        values = values_of_range(given, name)
        if is_whole(site.kind, site.parameter):
            values = list(dict.fromkeys(float(round(x)) for x in values))
        return values
    if not is_many(given):
        given = [given]
    values = [number(x, name) for x in given]
    if not values:
        raise InvalidError(f"{name} has no values")
    return values


def _changed(plan: Plan, changes: Mapping[tuple[int, str], float],
             counter: list[int]) -> Plan:
    """The plan with other numbers at these places."""
    index = counter[0]
    counter[0] += 1
    parameters = plan.parameters
    if any(isinstance(value, tuple) for value in parameters.values()):
        return plan
    children = [_changed(child, changes, counter) for child in plan.children]
    values = [changes.get((index, name), value)
              for name, value in parameters.items()]
    return make(plan.kind, values, children)


def sweep_of(plan: Plan, vary: Mapping[str, Any],
             asked: Iterable[tuple[Question, float]],
             threads: int | None, options: Options) -> Sweep:
    """Every combination, the last number varying fastest."""
    asked = list(asked)
    if not asked:
        raise TypeError("sweep: name a question, such as delta=1e-5")
    if not vary:
        raise TypeError("sweep: name a number to vary, such as "
                        "{'sigma': [0.8, 1, 1.2]}")
    sites = _sites(plan)
    places = {name: _find(sites, name) for name in vary}
    if len({(s.node, s.parameter) for s in places.values()}) < len(places):
        raise InvalidError(f"two of {', '.join(vary)} are one number")
    lists = [_values(places[name], given, name)
             for name, given in vary.items()]
    n_cells = math.prod(map(len, lists))
    if n_cells > _MOST_CELLS:
        raise InvalidError(f"the table has {n_cells} cells, more than "
                           f"{_MOST_CELLS}")
    cells = list(product(*lists))
    keys = [(s.node, s.parameter) for s in places.values()]
    plans = [_changed(plan, dict(zip(keys, cell)), [0]) for cell in cells]
    handles = [one._handle for one in plans]
    return Sweep(
        {name: [cell[i] for cell in cells] for i, name in enumerate(vary)},
        {question.at(at): ask_many(handles, question, [at] * len(plans),
                                   options, threads, Intervals, plans,
                                   keeps=True)
         for question, at in asked})
