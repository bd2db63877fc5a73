"""The points of curves, as ``dosimeter plot`` chooses them.

Evenly spaced on the axis first, then between those that are farthest apart, so
that a bend or a fall is seen where it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from .asking import Options
from .errors import InvalidError
from .intervals import Intervals
from .kinds import is_noise, is_whole, make
from .plan import Plan
from .solving import HOLE
from .vector import epsilon

Kind = Literal["profile", "tradeoff", "roc", "renyi", "steps", "noise"]


@dataclass(frozen=True)
class KindRow:
    """What is known of a kind of curve."""

    title: str
    x_name: str
    y_name: str
    x_is_log: bool
    y_is_log: bool
    safe_end: str = "upper"


KINDS: dict[str, KindRow] = {
    "profile": KindRow("Privacy profile", "epsilon", "delta", False, True),
    "tradeoff": KindRow("Trade-off curve", "alpha", "beta", False, False,
                        "lower"),
    "roc": KindRow("Best attacker", "false_positive", "true_positive", True,
                   True),
    "renyi": KindRow("Rényi divergence", "order", "divergence", True, True),
    "steps": KindRow("Epsilon over steps", "steps", "epsilon", False, False),
    "noise": KindRow("Epsilon over noise", "noise", "epsilon", True, True),
}


@dataclass
class Line:
    """One curve: certified ends at some values."""

    label: str
    plan: Plan
    route: str | None = None
    x: list[float] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)


@dataclass
class Axes:
    """What a plot shows, and over which range."""

    kind: str
    delta: float | None
    start: float
    stop: float
    x_is_log: bool
    y_is_log: bool
    floor: float = 1e-12
    x_name: str = ""


@dataclass
class _Source:
    """How a plan changes along a curve over steps or noise."""

    base: Plan
    #: The number that the plan itself has; 0 for a hole.
    value: float = 0.0
    name: str = ""
    is_factor: bool = False
    is_whole: bool = False


def steps_of(plan: Plan) -> _Source:
    """What one step runs, and how many there are."""
    source = _Source(plan, 1.0, "steps", is_whole=True)
    if plan.kind == "repeat":
        count = plan.parameters["count"]
        source.base = plan.children[0]
        source.value = 0.0 if count is HOLE else float(count)
    if source.base.has_hole:
        raise InvalidError(
            "the curve over steps takes no hole except the count")
    return source


def noise_of(plan: Plan) -> _Source:
    """The noise of the leaves if they are alike, else a factor of it."""
    source = _Source(plan)

    def find(node: Plan) -> None:
        for child in node.children:
            find(child)
        for name, value in node.parameters.items():
            if plan.has_hole and value is HOLE:
                source.name = name
                source.is_whole = is_whole(node.kind, name)
        if plan.has_hole or not is_noise(node.kind):
            return
        name, value = next(iter(node.parameters.items()))
        if not source.name:
            source.name, source.value = name, value
        elif source.is_factor or (source.name, source.value) != (name, value):
            source.name, source.value = "noise_factor", 1.0
            source.is_factor = True

    find(plan)
    if not source.name:
        raise InvalidError('the plan has no noise to vary; put a "?" for the '
                           "number to vary")
    return source


def _scaled(plan: Plan, x: float, is_factor: bool) -> Plan:
    """The plan with x for all its noise, or with all its noise times x."""
    children = plan.children
    if not children and not is_noise(plan.kind):
        return plan
    values = list(plan.parameters.values())
    if is_noise(plan.kind):
        values[0] = values[0] * x if is_factor else x
    return make(plan.kind, values,
                [_scaled(child, x, is_factor) for child in children])


#: What one point may spend, if nothing else is said.
_POINT_OPERATIONS = 1e8


def _own(line: Line, options: Options) -> Options:
    own: Options = {**options}
    if line.route is not None:
        own["route"] = line.route
    if "time_limit" not in own:
        own.setdefault("max_operations", _POINT_OPERATIONS)
    return own


class Sampler:
    """Asks for the points of one line."""

    def __init__(self, axes: Axes, line: Line, points: int,
                 options: Options) -> None:
        self.axes = axes
        self.line = line
        self.points = points
        self.options = _own(line, options)
        self.source = {"steps": steps_of, "noise": noise_of}.get(
            axes.kind, _Source)(line.plan)

    def ask(self, values: list[float]) -> Intervals:
        """The answers at these places, on all cores."""
        kind, plan, source = self.axes.kind, self.line.plan, self.source
        if kind == "profile":
            return plan.delta(values, **self.options)
        if kind == "renyi":
            return plan.renyi(values, **self.options)
        if kind == "steps":
            plans = [source.base * x for x in values]
        elif source.value == 0:
            plans = [plan.fill(x) for x in values]
        else:
            plans = [_scaled(plan, x, source.is_factor) for x in values]
        return epsilon(plans, [self.axes.delta or 0.0] * len(plans),
                       **self.options)

    def insert(self, i: int, values: list[float]) -> None:
        answers = self.ask(values)
        self.line.x[i:i] = values
        self.line.lower[i:i] = map(float, answers.lower)
        self.line.upper[i:i] = map(float, answers.upper)

    def x_at(self, t: float) -> float:
        axes = self.axes
        x = axes.start * (axes.stop / axes.start) ** t if axes.x_is_log \
            else axes.start + t * (axes.stop - axes.start)
        x = max(axes.start, min(axes.stop, axes.stop if t == 1 else x))
        return float(math.floor(x + 0.5)) if self.source.is_whole else x

    def sample(self) -> None:
        """Evenly, then in the widest gaps."""
        n = 2 * self.points // 3 if self.points > 3 else 2
        self.insert(0, sorted({self.x_at(i / (n - 1)) for i in range(n)}))
        while len(self.line.x) < self.points:
            i = self.widest_gap()
            if i == 0:
                return
            a, b = self.line.x[i - 1:i + 1]
            x = math.sqrt(a * b) if self.axes.x_is_log else (a + b) / 2
            self.insert(i, [float(math.floor(x)) if self.source.is_whole
                            else x])

    def ends(self) -> tuple[float, float]:
        """The lowest and the highest point, in log10 on such an axis."""
        if self.axes.kind == "profile":
            return (math.log10(self.axes.floor), 0.0) if self.axes.y_is_log \
                else (0.0, 1.0)
        values = [math.log10(v) if self.axes.y_is_log else v
                  for v in self.line.upper
                  if v < math.inf and (v > 0 or not self.axes.y_is_log)]
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        return low, high if low < high else low + 1

    def height(self, v: float, ends: tuple[float, float]) -> float:
        if self.axes.y_is_log:
            v = -math.inf if v <= 0 else math.log10(v) if v < math.inf else v
        return (min(ends[1], max(ends[0], v)) - ends[0]) / (ends[1] - ends[0])

    def widest_gap(self) -> int:
        """The pair that is farthest apart in height; 0: near enough."""
        x, ends = self.line.x, self.ends()
        of: Callable[[float, float], float] = (
            (lambda a, b: math.log(b / a)) if self.axes.x_is_log
            else (lambda a, b: b - a))
        width = of(self.axes.start, self.axes.stop)
        heights = [self.height(v, ends) for v in self.line.upper]
        largest, found = 0.02, 0
        for i in range(1, len(x)):
            if self.source.is_whole and x[i] - x[i - 1] < 2:
                continue
            fall = abs(heights[i] - heights[i - 1])
            if fall > largest and of(x[i - 1], x[i]) > width / 2000:
                largest, found = fall, i
        return found


def _log_alphas(n: int, start: float) -> list[float]:
    """As dense close to 1, where beta is small, as close to 0."""
    result = []
    for i in range(n):
        t = 2 * i / (n - 1) - 1
        tail = start * (0.5 / start) ** (1 - abs(t))
        result.append(tail if t < 0 else 1 - tail)
    return result


def _sample_tests(axes: Axes, line: Line, points: int,
                  options: Options) -> None:
    """One engine for the whole curve."""
    sampler = Sampler(axes, line, points, options)
    if (axes.start, axes.stop) == (0.0, 1.0):
        curve = line.plan.tradeoff(points=points, **sampler.options)
    elif axes.kind == "tradeoff" and axes.x_is_log and axes.stop == 1 \
            and axes.start < 0.5:
        curve = line.plan.tradeoff(_log_alphas(points, axes.start),
                                   **sampler.options)
    else:
        curve = line.plan.tradeoff(
            [sampler.x_at(i / (points - 1)) for i in range(points)],
            **sampler.options)
    line.x = list(map(float, curve.at))
    line.lower = list(map(float, curve.lower))
    line.upper = list(map(float, curve.upper))
    if axes.kind == "roc":  # 1 - v, rounded outward
        line.lower, line.upper = (
            [max(0.0, math.nextafter(1 - v, 0.0)) for v in line.upper],
            [min(1.0, math.nextafter(1 - v, 2.0)) for v in line.lower])


def _reach(plan: Plan, floor: float, options: Options) -> float:
    """Epsilon at the smallest delta shown, or at the first where it is
    finite, with some room behind."""
    delta = floor
    while delta < 0.5:
        reach = plan.epsilon(delta, **options).upper
        if reach < math.inf:
            return reach * (1.25 if delta > floor else 1)
        delta *= 10
    return 0.0


def _range_of_sources(axes: Axes, sources: list[_Source]) -> None:
    most = max(source.value for source in sources)
    if axes.kind == "steps":
        axes.start = math.ceil(axes.start or 1)
        axes.stop = math.floor(axes.stop or max(
            most if most > 1 else 100 if most > 0 else 1000, axes.start))
        axes.x_name = "steps"
        return
    if most == 0 and (axes.start == 0 or axes.stop == 0):
        raise InvalidError("a plan with a hole needs start and stop")
    least = min((s.value for s in sources if s.value > 0), default=0.0)
    axes.start = axes.start or least / 4
    axes.stop = axes.stop or most * 4
    names = {source.name for source in sources}
    axes.x_name = names.pop() if len(names) == 1 else "noise"


def find_range(axes: Axes, lines: list[Line], options: Options) -> None:
    """The range over which the curves show what matters."""
    if axes.kind == "profile":
        while axes.delta and axes.delta < 10 * axes.floor > 1e-299:
            axes.floor *= 1e-4
        if not axes.stop:
            axes.stop = max(_reach(line.plan, axes.floor, options)
                            for line in lines)
            if axes.stop <= axes.start:
                axes.stop = axes.start + 1
    elif axes.kind in ("tradeoff", "roc"):
        axes.stop = min(axes.stop, 1.0) if axes.stop else 1.0
        if not axes.start and axes.x_is_log:
            axes.start = 1e-6
    elif axes.kind == "renyi":
        axes.start = axes.start or 1.1
        axes.stop = axes.stop or max(256.0, 4 * axes.start)
    else:
        find = steps_of if axes.kind == "steps" else noise_of
        _range_of_sources(axes, [find(line.plan) for line in lines])
    if axes.x_is_log and not axes.start:
        axes.start = axes.stop / 1e3
    if not axes.start < axes.stop:
        raise InvalidError(f"start must be below stop, got {axes.start:g} and "
                           f"{axes.stop:g}")


def sample(axes: Axes, lines: list[Line], points: int,
           options: Any) -> None:
    """The points of every line."""
    for line in lines:
        if axes.kind in ("tradeoff", "roc"):
            _sample_tests(axes, line, points, options)
        else:
            Sampler(axes, line, points, options).sample()
