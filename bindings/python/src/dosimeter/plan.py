"""Plans: descriptions of what was run on people's data."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, overload

from ._core import ffi, lib
from .asking import (DELTA, EPSILON, EPSILON_LOG, GDP, RENYI, TRADEOFF, ZCDP,
                     Call, Options, Question, Relation, ask, ask_many,
                     number, relation_of, size, values_of)
from .errors import InvalidError, error_of
from .interval import Curve, Interval, Intervals, interval_of, text_of
from .results import GdpLimit, Risk

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .solving import Hole

    #: A parameter: a number, or the hole that calibration fills.
    Number = float | Hole


class Plan:
    """A description of what was run, as an immutable tree.

    Made by the constructors of the package (``gaussian``, ``poisson``, ...),
    by ``Plan.parse`` and by ``+`` and ``*``. Equal plans hash alike; plans
    may be pickled and shared by threads.
    """

    __slots__ = ("_handle", "__weakref__")
    __array_ufunc__ = None  # numpy's numbers leave * to __rmul__

    _handle: Any

    def __init__(self, text: str) -> None:
        self._handle = _parse(text)

    @classmethod
    def parse(cls, text: str) -> Plan:
        """Reads the text form, e.g. ``"poisson(0.01, gaussian(1)) * 100"``."""
        return cls(text)

    @classmethod
    def from_json(cls, text: str | bytes,
                  neighbours: Relation = "natural") -> Plan:
        """Reads the JSON form, or an event tree of dp_accounting.

        The noise of an event is relative to the norm of one record, and
        becomes ``group(2, noise)`` if a record is replaced; so an event tree
        is read for questions under one relation.
        """
        data = _encoded(text) if isinstance(text, str) else bytes(text)
        relation = relation_of(neighbours, None, "natural")
        return _made(lambda out, err: lib.dosi_json_read_plan_under(
            out, data, len(data), relation, err))

    # ---- What it is ----

    @property
    def kind(self) -> str:
        """The name in the kind table, e.g. "gaussian"."""
        return text_of(self._row().name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name; the hole as ``dosimeter.HOLE``."""
        from .solving import HOLE

        row = self._row()
        result: dict[str, Any] = {}
        n = ffi.new("size_t *")
        for i in range(row.n_parameters):
            name = text_of(row.parameters[i].name)
            if row.parameters[i].is_list:
                data = lib.dosi_plan_list(self._handle, i, n)
                result[name] = tuple(ffi.unpack(data, n[0]))
            else:
                value = lib.dosi_plan_parameter(self._handle, i)
                result[name] = HOLE if value != value else value
        return result

    @property
    def children(self) -> tuple[Plan, ...]:
        """The inner mechanism, or the parts of a composition."""
        return tuple(
            _own(lib.dosi_plan_retain(lib.dosi_plan_child(self._handle, i)))
            for i in range(lib.dosi_plan_child_count(self._handle)))

    @property
    def has_hole(self) -> bool:
        """Whether the plan contains ``?``, which only calibration accepts."""
        return bool(lib.dosi_plan_has_hole(self._handle))

    def fill(self, value: float) -> Plan:
        """The plan with a number in its hole."""
        x = number(value, "value")
        return _made(lambda out, err: lib.dosi_plan_fill(
            out, self._handle, x, err))

    def normal(self) -> Plan:
        """The normal form; equivalent plans have the same one."""
        return _made(lambda out, err: lib.dosi_plan_normal(
            out, self._handle, err))

    def to_json(self) -> str:
        """The tree as JSON."""
        return self._print(lib.DOSI_FORM_JSON)

    def to_events(self) -> dict[str, Any]:
        """The event tree of dp_accounting, as a dict with ``class_name``."""
        result: dict[str, Any] = json.loads(self._print(lib.DOSI_FORM_EVENTS))
        return result

    def __add__(self, other: object) -> Plan:
        if not isinstance(other, Plan):
            return NotImplemented
        return _compose(self._parts() + other._parts())

    def __radd__(self, other: object) -> Plan:
        if other == 0:  # the start of sum()
            return self
        return NotImplemented

    def __mul__(self, count: Number) -> Plan:
        if isinstance(count, Plan):
            return NotImplemented
        from .kinds import make

        return make("repeat", [count], [self])

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented
        return bool(lib.dosi_plan_equal(self._handle, other._handle))

    def __hash__(self) -> int:
        return hash(lib.dosi_plan_hash(self._handle))

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan, (str(self),)

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, memo: object) -> Plan:
        return self

    def __str__(self) -> str:
        return self._print(lib.DOSI_FORM_TEXT)

    def __repr__(self) -> str:
        return f"Plan({str(self)!r})"

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(str(self))}</code>"

    # ---- Questions ----

    @overload
    def epsilon(self, delta: float | None = None, *,
                log_delta: float | None = None,
                **options: Unpack[Options]) -> Interval: ...

    @overload
    def epsilon(self, delta: Iterable[float], *,
                log_delta: None = None,
                **options: Unpack[Options]) -> Curve: ...

    def epsilon(self, delta: float | Iterable[float] | None = None, *,
                log_delta: float | None = None,
                **options: Unpack[Options]) -> Interval | Curve:
        """Smallest epsilon for which the plan is (epsilon, delta)-DP."""
        if (delta is None) == (log_delta is None):
            raise TypeError("epsilon takes either delta or log_delta")
        if delta is None:
            return self._ask(EPSILON_LOG, log_delta, options)
        return self._ask(EPSILON, delta, options)

    @overload
    def delta(self, epsilon: float, **options: Unpack[Options]) -> Interval:
        ...

    @overload
    def delta(self, epsilon: Iterable[float],
              **options: Unpack[Options]) -> Curve: ...

    def delta(self, epsilon: float | Iterable[float],
              **options: Unpack[Options]) -> Interval | Curve:
        """Smallest delta for which the plan is (epsilon, delta)-DP."""
        return self._ask(DELTA, epsilon, options)

    @overload
    def tradeoff(self, alpha: float, **options: Unpack[Options]) -> Interval:
        ...

    @overload
    def tradeoff(self, alpha: Iterable[float] | None = None, *,
                 points: int = 101, **options: Unpack[Options]) -> Curve: ...

    def tradeoff(self, alpha: float | Iterable[float] | None = None, *,
                 points: int = 101,
                 **options: Unpack[Options]) -> Interval | Curve:
        """Smallest type II error of any test at type I error alpha.

        Without alpha: the curve, at this many points.
        """
        if alpha is None:
            if points < 2:
                raise InvalidError(f"points must be at least 2, got {points}")
            raw = ffi.new("double[]", points)
            lib.dosi_tradeoff_alphas(raw, points)
            alpha = ffi.unpack(raw, points)
        if not _is_many(alpha):
            return self._ask(TRADEOFF, alpha, options)
        at = values_of(alpha, "alpha")
        answers = ffi.new("dosi_answer[]", max(1, len(at)))
        call = Call(options)
        call.check(lib.dosi_tradeoff_curve(
            answers, self._handle, ffi.new("double[]", at or 1), len(at),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        return Curve(answers, "beta", "alpha", at, "lower")

    @overload
    def renyi(self, order: float, **options: Unpack[Options]) -> Interval: ...

    @overload
    def renyi(self, order: Iterable[float],
              **options: Unpack[Options]) -> Curve: ...

    def renyi(self, order: float | Iterable[float],
              **options: Unpack[Options]) -> Interval | Curve:
        """Rényi divergence at an order, the worse of both directions."""
        return self._ask(RENYI, order, options)

    def zcdp(self, xi: float = 0.0, **options: Unpack[Options]) -> Interval:
        """Smallest rho for which the plan is (xi, rho)-zCDP."""
        return ask(self._handle, ZCDP, number(xi, "xi"), options)

    def gdp(self, floor: float = 0.0, **options: Unpack[Options]) -> Interval:
        """Smallest mu for which the plan is mu-GDP.

        With a floor: among tests whose errors are both at least that.
        """
        return ask(self._handle, GDP, number(floor, "floor"), options)

    def gdp_limit_approx(self, **options: Unpack[Options]) -> GdpLimit:
        """The mu of the central limit theorem: an approximation."""
        call = Call(options)
        raw = ffi.new("dosi_gdp_limit *")
        call.check(lib.dosi_gdp_limit_approx(
            raw, self._handle, ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        band = bool(raw.has_band)
        return GdpLimit(
            raw.mu_approx,
            Interval(raw.mu.lo, raw.mu.hi, "mu of the band") if band else None,
            Interval(raw.gamma.lo, raw.gamma.hi, "gamma of the band")
            if band else None,
            text_of(raw.theorem), text_of(raw.reason))

    def loss(self, points: int = 1000, *, side: Literal["upper", "lower"] =
             "upper", tail: float = 1e-15,
             **options: Unpack[Options]) -> Plan:
        """The whole plan as one mechanism, a list of losses and masses.

        The upper law loses at least as much privacy as the plan, in every
        composition; the lower law at most as much.
        """
        if side not in ("upper", "lower"):
            raise InvalidError(f"side must be 'upper' or 'lower', got {side}")
        call = Call(options)
        out = ffi.new("const dosi_plan **")
        call.check(lib.dosi_loss_of_plan(
            out, self._handle, lib.DOSI_SIDE_UPPER if side == "upper"
            else lib.DOSI_SIDE_LOWER, size(points, "points"),
            number(tail, "tail"),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        return _own(out[0])

    def risk(self, prior: float = 0.5, **options: Unpack[Options]) -> Risk:
        """Best-case success of a membership-inference attacker.

        The prior is the probability that the record is in the data.
        """
        call = Call(options)
        raw = ffi.new("dosi_risk *")
        call.check(lib.dosi_risk_of_plan(
            raw, self._handle, number(prior, "prior"),
            ffi.addressof(call.raw, "options"),
            ffi.addressof(call.raw, "error")))
        rates = range(lib.DOSI_RISK_RATES)
        fpr = [raw.false_positive[i] for i in rates]
        return Risk(
            interval_of(raw.advantage, "advantage", "upper"),
            _plain(raw.accuracy, "accuracy"),
            raw.prior,
            _plain(raw.prior_accuracy, f"accuracy at prior {raw.prior:g}"),
            {fpr[i]: _plain(raw.true_positive[i],
                            f"true positive rate at {fpr[i]:g}")
             for i in rates},
            {fpr[i]: _plain(raw.posterior[i], f"posterior at {fpr[i]:g}")
             for i in rates})

    # ---- Inside ----

    def _ask(self, question: Question, at: Any,
             options: Options) -> Interval | Curve:
        if isinstance(at, float):  # the short way of the common case
            return ask(self._handle, question, at, options)
        if not _is_many(at):
            return ask(self._handle, question,
                       number(at, question.parameter), options)
        values = values_of(at, question.parameter)
        curve: Curve = ask_many([self._handle] * len(values), question,
                                values, options, None, Curve)
        return curve

    def _parts(self) -> list[Any]:
        """The parts of a composition, borrowed; any other plan itself."""
        if lib.dosi_plan_kind(self._handle) != lib.DOSI_COMPOSE:
            return [self._handle]
        return [lib.dosi_plan_child(self._handle, i)
                for i in range(lib.dosi_plan_child_count(self._handle))]

    def _row(self) -> Any:
        return lib.dosi_kind_at(lib.dosi_plan_kind(self._handle))

    def _print(self, form: int) -> str:
        error = ffi.new("dosi_error *")
        length = ffi.new("size_t *")
        size = 128
        while True:
            text = ffi.new("char[]", size)
            if lib.dosi_plan_print(
                    text, size, length, self._handle, form, error):
                raise error_of(error)
            if length[0] < size:
                return str(ffi.string(text).decode())
            size = length[0] + 1


def epsilons(plans: Iterable[Plan], delta: float | Sequence[float], *,
             threads: int | None = None,
             **options: Unpack[Options]) -> Intervals:
    """The epsilon of each plan, on all cores; one delta, or one per plan."""
    return _of_all(plans, EPSILON, delta, threads, options)


def deltas(plans: Iterable[Plan], epsilon: float | Sequence[float], *,
           threads: int | None = None,
           **options: Unpack[Options]) -> Intervals:
    """The delta of each plan, on all cores; one epsilon, or one per plan."""
    return _of_all(plans, DELTA, epsilon, threads, options)


def compose(*parts: Plan) -> Plan:
    """Adaptive composition of the parts; ``pure(0)`` if there are none."""
    if not parts:
        return Plan("pure(0)")
    return _compose([part._handle for part in parts])


def _compose(handles: list[Any]) -> Plan:
    parts = ffi.new("const dosi_plan *[]", handles)
    return _made(lambda out, err: lib.dosi_plan_compose(
        out, parts, len(handles), err))


def _of_all(plans: Iterable[Plan], question: Question, at: Any,
            threads: int | None, options: Options) -> Intervals:
    plans = list(plans)
    if _is_many(at):
        values = values_of(at, question.parameter)
        if len(values) != len(plans):
            raise InvalidError(
                f"{len(plans)} plans but {len(values)} values of "
                f"{question.parameter}")
    else:
        values = [number(at, question.parameter)] * len(plans)
    result: Intervals = ask_many([plan._handle for plan in plans], question,
                                 values, options, threads, Intervals)
    return result


def _is_many(value: Any) -> TypeGuard[Iterable[Any]]:
    """Whether a value is a list of numbers; an array of shape () is not."""
    return hasattr(value, "__iter__") and getattr(value, "shape", None) != ()


def _plain(raw: Any, question: str) -> Interval:
    return Interval(raw.lo, raw.hi, question)


def _own(handle: Any) -> Plan:
    """A plan that owns the given reference."""
    plan = Plan.__new__(Plan)
    plan._handle = ffi.gc(handle, lib.dosi_plan_free)
    return plan


def _made(make: Any) -> Plan:
    """The plan of a function of the C library, or its error."""
    out = ffi.new("const dosi_plan **")
    error = ffi.new("dosi_error *")
    if make(out, error):
        raise error_of(error)
    return _own(out[0])


def _encoded(text: str) -> bytes:
    """Half of a surrogate pair stays what it is: the reader says where."""
    return text.encode("utf-8", "surrogatepass")


def _parse(text: str) -> Any:
    data = _encoded(text)
    return _made(lambda out, err: lib.dosi_plan_parse(
        out, data, len(data), err))._handle
