"""One question of many plans at many values, on several cores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union, overload

from .asking import (DELTA, EPSILON, TRADEOFF, Options, Question, ask,
                     ask_many, number)
from .errors import DosimeterError, InvalidError, prefix
from .interval import Interval
from .intervals import Intervals, numpy
from .keywords import refusing
from .plan import Plan, PlanLike, as_plan
from .questions import is_many

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: One plan or many: a list, an array, a column of texts.
Plans = Union[PlanLike, Iterable[PlanLike]]
Values = Union[float, Iterable[float]]


@overload
def epsilon(  # type: ignore[overload-overlap]
            plans: PlanLike, delta: float, *, threads: int | None = None,
            **options: Unpack[Options]) -> Interval: ...


@overload
def epsilon(plans: Plans, delta: Values, *, threads: int | None = None,
            **options: Unpack[Options]) -> Intervals: ...


@refusing(Options)
def epsilon(plans: Any, delta: Any, *, threads: int | None = None,
            **options: Unpack[Options]) -> Interval | Intervals:
    """The epsilon of every plan at every delta, broadcast like numpy.

    Plans may be texts, in a list, an array or a column; equal ones are read
    once. All cores work (or so many threads), without Python's lock.
    """
    return _all(plans, EPSILON, delta, threads, options)


@overload
def delta(  # type: ignore[overload-overlap]
          plans: PlanLike, epsilon: float, *, threads: int | None = None,
          **options: Unpack[Options]) -> Interval: ...


@overload
def delta(plans: Plans, epsilon: Values, *, threads: int | None = None,
          **options: Unpack[Options]) -> Intervals: ...


@refusing(Options)
def delta(plans: Any, epsilon: Any, *, threads: int | None = None,
          **options: Unpack[Options]) -> Interval | Intervals:
    """The delta of every plan at every epsilon; see ``epsilon``."""
    return _all(plans, DELTA, epsilon, threads, options)


@overload
def tradeoff(  # type: ignore[overload-overlap]
             plans: PlanLike, alpha: float, *, threads: int | None = None,
             **options: Unpack[Options]) -> Interval: ...


@overload
def tradeoff(plans: Plans, alpha: Values, *, threads: int | None = None,
             **options: Unpack[Options]) -> Intervals: ...


@refusing(Options)
def tradeoff(plans: Any, alpha: Any, *, threads: int | None = None,
             **options: Unpack[Options]) -> Interval | Intervals:
    """The type II error of every plan at every alpha; see ``epsilon``."""
    return _all(plans, TRADEOFF, alpha, threads, options)


def _is_list(value: Any) -> bool:
    return is_many(value) and not isinstance(value, (dict, Plan))


def _all(plans: Any, question: Question, at: Any, threads: int | None,
         options: Options) -> Interval | Intervals:
    if not _is_list(plans) and not is_many(at):
        return ask(as_plan(plans)._handle, question,
                   number(at, question.parameter), options)
    rows, values, shape = _broadcast(plans, at, question.parameter)
    read: dict[str, Plan] = {}
    for i, row in enumerate(rows):
        if isinstance(row, str):
            if row not in read:
                read[row] = _read(row, i)
            rows[i] = read[row]
        elif not isinstance(row, Plan):
            rows[i] = _read(row, i)
    result: Intervals = ask_many(
        [plan._handle for plan in rows], question,
        [number(x, question.parameter) for x in values], options, threads,
        Intervals, rows, shape)
    return result


def _read(row: Any, i: int) -> Plan:
    try:
        return as_plan(row, f"plan {i}")
    except DosimeterError as error:
        prefix(error, f"plan {i}")
        raise


def _broadcast(plans: Any, at: Any, parameter: str
               ) -> tuple[list[Any], list[Any], tuple[int, ...]]:
    """Both as lists of one length, and the shape of the result."""
    if numpy is not None:
        try:
            arrays = numpy.broadcast_arrays(
                _array(plans, _is_list(plans)), _array(at, is_many(at)))
        except ValueError:
            raise InvalidError(
                f"{_size(plans)} plans and {_size(at)} values of {parameter} "
                "do not go together") from None
        return (list(arrays[0].flat), list(arrays[1].flat), arrays[0].shape)
    rows = list(plans) if _is_list(plans) else [plans]
    values = list(at) if is_many(at) else [at]
    n = len(values) if len(rows) == 1 else len(rows)
    if len(rows) not in (1, n) or len(values) not in (1, n):
        raise InvalidError(f"{len(rows)} plans and {len(values)} values of "
                           f"{parameter} do not go together")
    return (rows if len(rows) == n else rows * n,
            values if len(values) == n else values * n, (n,))


def _array(value: Any, is_list: bool) -> Any:
    """An array of objects; a plan stays one."""
    if hasattr(value, "shape"):
        return numpy.asarray(value, dtype=object)
    items = list(value) if is_list else [value]
    if is_list and any(_is_list(item) for item in items):
        return numpy.array(items, dtype=object)
    array = numpy.empty(len(items), dtype=object)
    array[:] = items
    return array if is_list else array.reshape(())


def _size(value: Any) -> Any:
    shape = getattr(value, "shape", None)
    if shape is not None:
        return "x".join(map(str, shape))
    return len(value) if hasattr(value, "__len__") else 1
