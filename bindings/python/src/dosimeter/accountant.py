"""A plan that grows while mechanisms run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from ._core import ffi, lib
from .asking import (DELTA, EPSILON, EPSILON_LOG, RENYI, ZCDP, Call, Options,
                     Question, number)
from .errors import error_of
from .frames import html_table
from .interval import Interval, interval_of
from .intervals import Curve
from .keywords import refusing
from .plan import Plan, PlanLike, _made, as_plan
from .questions import Asked, is_many

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Accountant(Asked):
    """Mechanisms are added as they run; ask questions at any time.

    Equal plans share one entry, so that a step costs the same after a
    million steps. It answers the questions of a plan; the options apply to
    every one that has no options of its own. A copy or a pickle holds the same
    plan.
    """

    @refusing(Options)
    def __init__(self, **options: Unpack[Options]) -> None:
        self._options = options
        self._call = Call(options, "Accountant")
        self._lock = threading.Lock()
        out = ffi.new("dosi_accountant **")
        self._call.check(lib.dosi_accountant_new(
            out, ffi.addressof(self._call.raw, "options"), self._error))
        self._handle = ffi.gc(out[0], lib.dosi_accountant_free)

    @property
    def _error(self) -> Any:
        return ffi.addressof(self._call.raw, "error")

    def add(self, plan: PlanLike, count: float = 1) -> Accountant:
        """Adds runs of a plan or its text; returns the accountant."""
        n = number(count, "count")
        plan = as_plan(plan, "add: plan")
        error = ffi.new("dosi_error *")
        with self._lock:
            if lib.dosi_accountant_add(self._handle, plan._handle, n, error):
                raise error_of(error)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._options,
                           self.plan if len(self) else None)

    def __len__(self) -> int:
        """Number of different plans that were added."""
        with self._lock:
            return int(lib.dosi_accountant_entry_count(self._handle))

    @property
    def plan(self) -> Plan:
        """The composition of all plans that were added."""
        with self._lock:
            return _made(lambda out, err: lib.dosi_accountant_plan(
                out, self._handle, err))

    def to_dict(self) -> dict[str, Any]:
        """The options and the plan."""
        return {"options": dict(self._options), "plan": str(self.plan)}

    def __repr__(self) -> str:
        parts = _parts(self.plan) if len(self) else []
        shown = " + ".join(map(str, parts[:3]))
        more = f" + {len(parts) - 3} more" if len(parts) > 3 else ""
        options = "".join(f", {name}={value!r}"
                          for name, value in self._options.items())
        return f"<Accountant: {shown or 'nothing yet'}{more}{options}>"

    def _repr_html_(self) -> str:
        return html_table({
            "runs": [_count(part) for part in _parts(self.plan)],
            "plan": [str(_once(part)) for part in _parts(self.plan)]})

    def _asked(self, options: Options) -> tuple[Plan, Options]:
        relation = ("neighbours", "neighbors")
        is_given = any(name in options for name in relation)
        own = {name: value for name, value in self._options.items()
               if not (is_given and name in relation)}
        return self.plan, cast(Options, {**own, **options})

    def _ask(self, question: Question, at: Any,
             options: Options) -> Interval | Curve:
        function = _NATIVE.get(question)
        if options or function is None or is_many(at):
            return super()._ask(question, at, options)
        x = number(at, question.parameter)
        raw = self._call.raw
        words = question.at(x)
        with self._lock:
            self._call.begin()
            status = function(ffi.addressof(raw, "answer"), self._handle, x,
                              self._error)
            self._call.check(status, words, question.safe_end)
            return interval_of(raw.answer, words, question.safe_end)


#: Questions that the C library answers from what it keeps of the last ones.
_NATIVE = {
    EPSILON: lib.dosi_accountant_epsilon_at_delta,
    EPSILON_LOG: lib.dosi_accountant_epsilon_at_log_delta,
    DELTA: lib.dosi_accountant_delta_at_epsilon,
    RENYI: lib.dosi_accountant_renyi_at_order,
    ZCDP: lib.dosi_accountant_zcdp_at_xi,
}


def _parts(plan: Plan) -> list[Plan]:
    return list(plan.children) if plan.kind == "compose" else [plan]


def _count(part: Plan) -> int:
    return int(part.parameters["count"]) if part.kind == "repeat" else 1


def _once(part: Plan) -> Plan:
    return part.children[0] if part.kind == "repeat" else part


def _restored(cls: type[Accountant], options: Options,
              plan: Plan | None) -> Accountant:
    """An accountant with these options, to which all parts were added."""
    accountant = cls(**options)
    for part in [] if plan is None else _parts(plan):
        accountant.add(_once(part), _count(part))
    return accountant
