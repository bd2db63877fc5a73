"""Statistics of a table, from a file, a frame or an engine."""

from __future__ import annotations

import ctypes
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import (TYPE_CHECKING, Any, BinaryIO, Literal, Protocol,
                    TypedDict, TypeVar, Union)

from .._core import ffi, lib
from ..asking import Call
from ..errors import (EngineError, InputOutputError, InvalidError, Status,
                      error_of)
from ..plan import Plan, _own
from ..settings import Texts, printed
from .answer import Release, release_of
from .statistics import Histogram, Statistic, lines_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Error messages of engines. They quote values, so they go nowhere unless
#: somebody who may see the data adds a handler.
engine_log = logging.getLogger("dosimeter.engine")
engine_log.addHandler(logging.NullHandler())
engine_log.propagate = False

_CHUNK = 1 << 20

Number = Union[int, float, str, Decimal, Fraction]
Bounds = Union[str, "tuple[Number, Number]"]
Names = Union[str, Sequence[str]]
File = Union[str, "os.PathLike[str]", BinaryIO]
T = TypeVar("T")


class TableOptions(TypedDict, total=False):
    """The options of ``dosimeter release``, without its dashes.

    Options about columns are dicts by column; see ``settings.py``.
    """

    #: The epsilon of all statistics together.
    epsilon: Number
    #: Their delta; default: 0.
    delta: Number
    #: In place of epsilon, a plan of the form of ``Query.plan``.
    plan: Plan | str
    #: Shares of statistics, {"sum.income": 2}.
    weight: Mapping[str, Number]
    noise: Literal["laplace", "gaussian"]
    neighbours: Literal["add_remove", "replace"]
    #: Every count, sum, mean and variance for each cell of these.
    by: Names
    #: Rows that count, "age >= 18"; all of a list must hold.
    where: Names
    #: The column that identifies people; without it a row is a person.
    user: str
    #: Largest number of rows of a person that count, the first in this order.
    max_rows: int
    order: Names
    #: In the order of the file; for CSV only.
    file_order: bool
    #: Largest numbers of cells of a person, and of rows per cell, that count.
    max_cells: int | Mapping[str, int]
    max_per_cell: int | Mapping[str, int]
    #: Unknown cells with fewer rows do not leave an engine; the threshold of
    #: the others rises accordingly.
    min_count: int | Mapping[str, int]
    #: A person's sum over all rows is clipped to these; needs no order.
    user_bounds: Mapping[str, Bounds]
    categories: Mapping[str, Names]
    bins: Mapping[str, str | tuple[Number, Number, Number]]
    unknown_cells: str | Mapping[str, bool]
    grid: Mapping[str, Number]
    missing: Mapping[str, Number]
    #: "int64", "double", "decimal(p,s)", "text" or "binary".
    type: Mapping[str, str]
    delimiter: str
    decimal: str
    no_header: bool
    #: Of intervals; default: 0.95.
    level: Number
    nonnegative: bool
    permute_and_flip: bool
    not_private: bool


class ArrowStream(Protocol):
    """The protocol of pandas, Polars, pyarrow and DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


Statistics = Union[Statistic, str, Iterable[Union[Statistic, str]]]


def engine_call(call: Callable[[], T]) -> T:
    """The result of foreign code, whose errors may quote values."""
    try:
        return call()
    except Exception:
        engine_log.error("the engine did not answer", exc_info=True)
    # Outside of the handler: the error has neither cause nor context.
    raise EngineError()


class Query:
    """Statistics with everything that is public about them.

    Everything is checked when it is made. Afterwards no exception depends on
    a record, except for memory and reading.
    """

    _plan: Plan | None = None

    def __init__(self, statistics: Statistics,
                 **options: Unpack[TableOptions]) -> None:
        given: dict[str, Any] = dict(options)
        where = given.pop("where", None)
        if isinstance(statistics, (Statistic, str)):
            statistics = [statistics]
        statistics = list(statistics)
        self._names = tuple(item.name for item in statistics
                            if isinstance(item, Histogram))
        #: Statistics and settings, as lines of the command line.
        self.statistics: list[str]
        self.settings: list[str]
        self.statistics, self.settings = lines_of(statistics, given)
        if where is not None:
            conditions = [where] if isinstance(where, str) else where
            self.settings += [f"where {text}" for text in conditions]
        self._open()

    def _open(self) -> None:
        self._handle: Any = self._new()
        plan = lib.dosi_table_query_plan(self._handle)
        self._plan = None if plan == ffi.NULL else _own(
            lib.dosi_plan_retain(plan))
        self._text = "" if self._plan is None else printed(
            lambda *out: lib.dosi_table_query_print(
                *out[:3], self._handle, lib.DOSI_RELEASE_TEXT, out[3]))

    @property
    def plan(self) -> Plan:
        """The plan that an answer costs."""
        if self._plan is None:
            raise InvalidError("a query that is not private has no plan")
        return self._plan

    def _new(self) -> Any:
        """The C query; Ctrl-C ends the search for its noise."""
        out = ffi.new("dosi_table_query **")
        statistics = Texts(self.statistics, "a statistic")
        settings = Texts(self.settings, "a setting")
        call = Call({})
        options = ffi.new("dosi_table_options *", {
            "size": ffi.sizeof("dosi_table_options"),
            "settings": settings.raw, "n_settings": settings.n,
            "accounting": ffi.addressof(call.raw, "options")})
        status = lib.dosi_table_query_new(
            out, statistics.raw, statistics.n, options,
            ffi.addressof(call.raw, "error"))
        handle = ffi.gc(out[0], lib.dosi_table_query_free)
        call.check(status)
        return handle

    def take(self) -> Any:
        """A C query with this noise, which reads one table."""
        out = ffi.new("dosi_table_query **")
        error = ffi.new("dosi_error *")
        if lib.dosi_table_query_part(out, self._handle, error):
            raise error_of(error)
        return ffi.gc(out[0], lib.dosi_table_query_free)

    def read(self, file: File) -> Any:
        """A C query with the rows of a CSV file."""
        handle = self.take()
        read_csv(lambda data, n, error: lib.dosi_table_query_read_csv(
            handle, data, n, error), file)
        return handle

    def finish(self, handle: Any) -> Release:
        """Draws the noise."""
        out = ffi.new("dosi_release **")
        error = ffi.new("dosi_error *")
        if lib.dosi_table_query_finish(out, handle, error):
            raise error_of(error)
        return release_of(ffi.gc(out[0], lib.dosi_release_free), self._names)

    def csv(self, *files: File) -> Release:
        """The answer for a CSV file, or for several that are one table.

        A file is a path, or a binary file that is open. Each has its own
        header; a person may be in several of them.
        """
        if not files:
            raise InvalidError("csv: give a file")
        whole = None
        for file in files:
            whole = merged(whole, self.read(file))
        return self.finish(whole)

    def table(self, *frames: ArrowStream) -> Release:
        """The answer for a frame, a table or a stream of batches.

        Several of them are parts of one table.
        """
        if not frames:
            raise InvalidError("table: give a frame")
        for frame in frames:
            if not hasattr(frame, "__arrow_c_stream__"):
                raise TypeError(
                    "the table must have __arrow_c_stream__, as those of "
                    "pandas, Polars, pyarrow and DuckDB have; got "
                    f"{type(frame).__name__}")
        handle = self.take()
        error = ffi.new("dosi_error *")
        for frame in frames:
            capsule = engine_call(frame.__arrow_c_stream__)
            status = lib.dosi_table_query_read_arrow(
                handle, _stream_of(capsule), error)
            if status == Status.EIO:
                raise EngineError()
            if status:
                raise error_of(error)
        return self.finish(handle)

    def __repr__(self) -> str:
        return f"<Query of {'; '.join(self.statistics)}: {self._plan}>"

    def __str__(self) -> str:
        """The plan, its cost, and the width of the noise."""
        return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return _query_of, (self.statistics, self.settings, self._names)


def _query_of(statistics: list[str], settings: list[str],
              names: tuple[str, ...]) -> Query:
    """A query from its lines."""
    query = Query.__new__(Query)
    query._names = names
    query.statistics, query.settings = statistics, settings
    query._open()
    return query


def merged(whole: Any, part: Any) -> Any:
    """A C query with the data of both; the part if there is no whole."""
    error = ffi.new("dosi_error *")
    if whole is None:
        return part
    if lib.dosi_table_query_merge(whole, part, error):
        raise error_of(error)
    return whole


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _stream_of(capsule: Any) -> Any:
    """The stream in a capsule, which releases it when it goes."""
    pointer = engine_call(lambda: _pointer_of(capsule, b"arrow_array_stream"))
    return ffi.cast("struct ArrowArrayStream *", pointer)


def read_csv(read: Callable[[Any, int, Any], int],
             file: File) -> None:
    """Hands a file to a function of the C library, in chunks."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb", buffering=0) as opened:
            _read_open(read, opened)
    elif hasattr(file, "read"):
        _read_open(read, file)
    else:
        raise TypeError("the file must be a path or a binary file, got "
                        f"{type(file).__name__}")


def _read_open(read: Callable[[Any, int, Any], int], file: Any) -> None:
    """The last chunk is empty: a file without any has no header either."""
    error = ffi.new("dosi_error *")
    chunk = None
    while chunk != b"":
        chunk = _chunk(file)
        if read(ffi.from_buffer(chunk), len(chunk), error):
            raise error_of(error)


def _chunk(file: Any) -> bytes:
    chunk: Any = None
    try:
        chunk = file.read(_CHUNK)
    except Exception:
        engine_log.error("the file could not be read", exc_info=True)
    else:
        if isinstance(chunk, str):
            raise TypeError("the file must be opened in binary mode")
        return b"" if chunk is None else bytes(chunk)
    raise InputOutputError("the data could not be read")


def query(statistics: Statistics, **options: Unpack[TableOptions]) -> Query:
    """Checks and plans statistics; no data are opened."""
    return Query(statistics, **options)


def csv(file: File | Sequence[File], statistics: Statistics,
        **options: Unpack[TableOptions]) -> Release:
    """Statistics of a CSV file; keywords are those of the command line.

    A list of files is one table in parts.
    """
    files = file if isinstance(file, (list, tuple)) else [file]
    return Query(statistics, **options).csv(*files)


def table(frame: ArrowStream | Sequence[ArrowStream], statistics: Statistics,
          **options: Unpack[TableOptions]) -> Release:
    """Statistics of a pandas, Polars or pyarrow table, or DuckDB relation.

    The types of its columns must be fixed in advance, not inferred. A list of
    tables is one table in parts.
    """
    frames = frame if isinstance(frame, (list, tuple)) else [frame]
    return Query(statistics, **options).table(*frames)


def check(file: File, statistics: Statistics,
          **options: Unpack[TableOptions]) -> str:
    """Exact numbers about a file, for its owner.

    The result is not private, so ``not_private=True`` is required.
    """
    handle = Query(statistics, **options).read(file)
    return printed(lambda *out: lib.dosi_table_query_check(
        *out[:3], handle, lib.DOSI_RELEASE_TEXT, out[3]), 1 << 20)
