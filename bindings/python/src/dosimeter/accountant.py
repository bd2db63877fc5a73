"""A plan that grows while mechanisms run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ._core import ffi, lib
from .asking import (DELTA, EPSILON, EPSILON_LOG, RENYI, ZCDP, Call, Options,
                     Question, number)
from .errors import error_of
from .interval import Interval, interval_of
from .plan import Plan, _made

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Accountant:
    """Mechanisms are added as they run; ask questions at any time.

    Equal plans share one entry, so that a step costs the same after a
    million steps. The options apply to every question. A copy or a pickle
    holds the same plan.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._options = options
        self._call = Call(options)
        self._lock = threading.Lock()
        out = ffi.new("dosi_accountant **")
        self._call.check(lib.dosi_accountant_new(
            out, ffi.addressof(self._call.raw, "options"), self._error))
        self._handle = ffi.gc(out[0], lib.dosi_accountant_free)

    @property
    def _error(self) -> Any:
        return ffi.addressof(self._call.raw, "error")

    def add(self, plan: Plan, count: float = 1) -> Accountant:
        """Adds runs of a plan; returns the accountant."""
        n = number(count, "count")
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

    def epsilon(self, delta: float | None = None, *,
                log_delta: float | None = None) -> Interval:
        """Smallest epsilon for which the whole is (epsilon, delta)-DP."""
        if (delta is None) == (log_delta is None):
            raise TypeError("epsilon takes either delta or log_delta")
        if delta is None:
            return self._ask(lib.dosi_accountant_epsilon_at_log_delta,
                             EPSILON_LOG, log_delta)
        return self._ask(lib.dosi_accountant_epsilon_at_delta, EPSILON, delta)

    def delta(self, epsilon: float) -> Interval:
        """Smallest delta for which the whole is (epsilon, delta)-DP."""
        return self._ask(lib.dosi_accountant_delta_at_epsilon, DELTA, epsilon)

    def renyi(self, order: float) -> Interval:
        """Rényi divergence at an order."""
        return self._ask(lib.dosi_accountant_renyi_at_order, RENYI, order)

    def zcdp(self, xi: float = 0.0) -> Interval:
        """Smallest rho for which the whole is (xi, rho)-zCDP."""
        return self._ask(lib.dosi_accountant_zcdp_at_xi, ZCDP, xi)

    def _ask(self, function: Any, question: Question, at: Any) -> Interval:
        x = number(at, question.parameter)
        raw = self._call.raw
        words = question.at(x)
        with self._lock:
            raw.context.interrupted = 0
            lib.ask_begin(raw, raw.context.time_limit_s)
            status = function(ffi.addressof(raw, "answer"), self._handle, x,
                              self._error)
            self._call.check(status, words, question.safe_end)
            return interval_of(raw.answer, words, question.safe_end)


def _restored(cls: type[Accountant], options: Options,
              plan: Plan | None) -> Accountant:
    """An accountant with these options, to which all parts were added."""
    accountant = cls(**options)
    if plan is None:
        return accountant
    for part in plan.children if plan.kind == "compose" else (plan,):
        if part.kind == "repeat":
            accountant.add(part.children[0], part.parameters["count"])
        else:
            accountant.add(part)
    return accountant
