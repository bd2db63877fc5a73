"""Calls of the C library from Python's arguments, and their results."""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from ._core import ffi, lib
from .errors import (DomainError, DosimeterError, InvalidError, UnableError,
                     UnsupportedError, error_of, prefix)
from .interval import Interval, interval_of
from .intervals import Intervals
from .keywords import check

Relation = Literal["add_remove", "replace", "natural"]

_NEIGHBOURS = {"add_remove": 0, "replace": 1, "natural": 2}


class Options(TypedDict, total=False):
    """Keywords that every question accepts.

    Limits never make an answer wrong, only wider.
    """

    #: The neighbouring relation; "natural": that of the samplers.
    neighbours: Relation
    #: The neighbouring relation in its other spelling.
    neighbors: Relation
    #: Use this route alone; see ``dosimeter.routes()``.
    route: str | None
    #: Relative width to reach, or the question fails; 0: try 1e-6.
    width: float
    #: Working memory of a route; 0: 256 MB.
    max_bytes: int
    #: Largest enumeration attempted; 0: 2^20.
    max_terms: int
    #: Seconds after which the interval found so far is returned.
    time_limit: float
    #: Work for one question, of about a nanosecond each; 0: 1e9.
    max_operations: float


#: The names of the options.
OPTION_NAMES = tuple(Options.__annotations__)


@dataclass(frozen=True)
class Question:
    """A row of the table of questions."""

    number: int
    quantity: str
    parameter: str
    safe_end: str = "upper"
    #: The method that asks it, if it is not called like the quantity.
    method: str = ""

    def at(self, value: float) -> str:
        """The question in words."""
        return f"{self.quantity} at {self.parameter} = {value:g}"


EPSILON = Question(lib.ASK_EPSILON, "epsilon", "delta")
EPSILON_LOG = Question(lib.ASK_EPSILON_LOG, "epsilon", "log delta")
DELTA = Question(lib.ASK_DELTA, "delta", "epsilon")
TRADEOFF = Question(lib.ASK_TRADEOFF, "beta", "alpha", "lower", "tradeoff")
RENYI = Question(lib.ASK_RENYI, "renyi", "order")
ZCDP = Question(lib.ASK_ZCDP, "rho", "xi", method="zcdp")
GDP = Question(lib.ASK_GDP, "mu", "floor", method="gdp")


_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _decimal(text: str, all_of_it: str, name: str) -> float:
    """The double nearest to a decimal number, as in the text of a plan."""
    found = _DECIMAL.fullmatch(text)
    if found is None:
        hint = ""
        if text.endswith("%") and _DECIMAL.fullmatch(text[:-1].strip()):
            hint = f"; for a percentage write {float(text[:-1]) / 100:g}"
        elif re.fullmatch(r"[0-9]+,[0-9]+", text):
            hint = f"; write {text.replace(',', '.')}"
        raise InvalidError(f"{name} must be a number, got {all_of_it!r}{hint}")
    value = float(text)
    if value in (math.inf, -math.inf) \
            or (value == 0 and found[1].strip("0.") != ""):
        raise InvalidError(f"{name} is not in the range of a double: {text}")
    return value


def number_of(text: str, name: str) -> float:
    """The number of a text: decimal, or a ratio of two such numbers."""
    parts = [_decimal(part.strip(), text, name)
             for part in text.strip().split("/", 1)]
    if len(parts) == 2 and parts[1] == 0:
        raise InvalidError(f"{name} divides by 0: {text!r}")
    return parts[0] if len(parts) == 1 else parts[0] / parts[1]


def number(value: Any, name: str) -> float:
    """The number as an exactly equal float; a text for the double nearest to
    it. Anything else is refused."""
    if isinstance(value, str):
        return number_of(value, name)
    if isinstance(value, bytes):
        raise TypeError(f"{name} must be a number, got {value!r}")
    try:
        result = float(value)
    except OverflowError:
        raise InvalidError(f"{name} is too large: {value!r}") from None
    except TypeError:
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if isinstance(value, int) and int(result) != value:
        raise InvalidError(f"{name} is not a double: {value!r}")
    return result


def size(value: Any, name: str) -> int:
    """A whole number in the range of a C type; else an error."""
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name} must be a whole number, got {value!r}") from None
    if not 0 <= result < 1 << 63:
        raise InvalidError(
            f"{name} must be from 0 to 2^63 - 1, got {result}")
    return result


def c_text(text: str, name: str) -> bytes:
    """Text for a function that expects a NUL at its end."""
    if "\0" in text:
        raise InvalidError(f"{name} must not contain a NUL, got {text!r}")
    return text.encode()


def relation_of(neighbours: str | None, neighbors: str | None,
                default: Relation) -> int:
    """The relation in either spelling, as the number C uses."""
    if neighbours is not None and neighbors is not None:
        raise InvalidError("give neighbours or neighbors, not both")
    name = neighbours or neighbors or default
    if name not in _NEIGHBOURS:
        raise InvalidError("neighbours must be 'add_remove', 'replace' or"
                           f" 'natural', got {name!r}")
    return _NEIGHBOURS[name]


class Call:
    """The C structure of one call, with what its options point to."""

    def __init__(self, options: Options, function: str = "question") -> None:
        self.raw = ffi.new("ask_call *")
        time_limit = 0.0
        if options:
            check(function, options, OPTION_NAMES)
            time_limit = self._set(**options)
        self._time_limit = time_limit
        self._operations = 0.0 if not options else number(
            options.get("max_operations", 0), "max_operations")
        self.begin()

    def begin(self) -> None:
        """Before a question: its deadline and its work."""
        self.raw.context.interrupted = 0
        lib.ask_begin(self.raw, self._time_limit)
        if self._operations:
            self.raw.options.max_operations = self._operations

    def _set(self, neighbours: str | None = None,
             neighbors: str | None = None, route: str | None = None,
             width: float = 0.0, max_bytes: int = 0, max_terms: int = 0,
             time_limit: float | None = None,
             max_operations: float = 0.0) -> float:
        options = self.raw.options
        time_limit = number(time_limit or 0, "time_limit")
        if not time_limit >= 0:
            raise InvalidError(
                f"time_limit must be non-negative, got {time_limit!r}")
        options.neighbours = relation_of(neighbours, neighbors, "add_remove")
        if route is not None:
            self._route = ffi.new("char[]", c_text(route, "route"))
            options.route = self._route
        options.width = number(width, "width")
        options.max_bytes = size(max_bytes, "max_bytes")
        options.max_terms = size(max_terms, "max_terms")
        return time_limit

    def check(self, status: int, question: str = "",
              safe_end: str = "upper") -> None:
        """Raises the error of the call, if it failed."""
        if self.raw.context.interrupted:
            raise KeyboardInterrupt
        if status == 0:
            return
        error = error_of(self.raw.error)
        if isinstance(error, UnableError) and question:
            if self.raw.answer.route != ffi.NULL:
                error.answer = interval_of(
                    self.raw.answer, question, safe_end)
        raise error


def ask(plan: Any, question: Question, at: float,
        options: Options) -> Interval:
    """One question of one plan."""
    call = Call(options, question.method or question.quantity)
    status = lib.ask_one(call.raw, plan, question.number, at)
    words = question.at(at)
    if status or call.raw.context.interrupted:
        call.check(status, words, question.safe_end)
    return interval_of(call.raw.answer, words, question.safe_end)


def thread_count(threads: int | None) -> int:
    """Number of threads to use; by default the number of cores."""
    if threads is None:
        return max(1, len(os.sched_getaffinity(0)))
    if threads < 1:
        raise InvalidError(f"threads must be at least 1, got {threads}")
    return threads


class _Job:
    """Many questions in chunks, which threads take one after the other."""

    def __init__(self, plans: Sequence[Any], question: Question,
                 at: list[float], options: Options, threads: int,
                 keeps: bool) -> None:
        self.n = len(plans)
        self.keeps = keeps
        #: The errors that are kept, by the number of the plan.
        self.failures: dict[int, DosimeterError] = {}
        self.question = question
        self.options = options
        self.answers = ffi.new("dosi_answer[]", max(1, self.n))
        self.plans = ffi.new("const dosi_plan *[]", plans or 1)
        self.at = ffi.new("double[]", at or 1)
        self.calls: list[Call] = []
        self.stopped = False
        self.chunk = max(1, min(64, self.n // (8 * threads)))

    def run(self, start: int) -> None:
        """One chunk."""
        end = min(start + self.chunk, self.n)
        done = ffi.new("size_t *")
        call = Call(self.options,
                    self.question.method or self.question.quantity)
        self.calls.append(call)
        while start < end and not self.stopped:
            status = lib.ask_many(
                call.raw, self.answers + start, done, self.plans + start,
                self.question.number, self.at + start, end - start)
            start += done[0]
            if not status or self.stopped:
                return
            self._fail(call, start)
            start += 1

    def _fail(self, call: Call, i: int) -> None:
        """Keeps the error of a plan that has no answer, or ends it all."""
        error = error_of(call.raw.error)
        if (self.keeps and not call.raw.context.interrupted
                and isinstance(error, (DomainError, UnsupportedError,
                                       UnableError))):
            self.failures[i] = error
            self.answers[i].value.lo = self.answers[i].value.hi = math.nan
            return
        self.stop()
        prefix(error, f"plan {i}")
        raise error

    def stop(self) -> None:
        """Ends what runs and what would start."""
        self.stopped = True
        for call in list(self.calls):
            call.raw.context.interrupted = 1

    def run_all(self, threads: int) -> None:
        """Every chunk; the first failure is raised."""
        starts = range(0, self.n, self.chunk)
        if threads == 1:
            for start in starts:
                self.run(start)
                if self.calls[-1].raw.context.interrupted:
                    raise KeyboardInterrupt
                self.calls.clear()
            return
        pool = ThreadPoolExecutor(threads)
        try:
            for _ in pool.map(self.run, starts):
                pass
        except BaseException:
            self.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def ask_many(plans: Sequence[Any], question: Question, at: list[float],
             options: Options, threads: int | None,
             cls: type[Intervals], texts: Sequence[Any] | None = None,
             shape: tuple[int, ...] | None = None,
             keeps: bool = False) -> Any:
    """One question of many plans, each at its value; keeps: a plan without
    an answer is an item that raises its error."""
    n_threads = min(thread_count(threads), max(1, len(plans)))
    job = _Job(plans, question, at, options, n_threads, keeps)
    job.run_all(n_threads)
    return cls(job.answers, question.quantity, question.parameter, at,
               question.safe_end, texts, shape, job.failures)


def values_of(values: Iterable[Any], name: str) -> list[float]:
    """Floats of any iterable of numbers."""
    return [number(value, name) for value in values]
