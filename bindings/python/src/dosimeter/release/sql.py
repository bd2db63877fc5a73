"""Statistics inside an engine: sums by a statement, noise added here.

The integers that the engine returns are not private: they are never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .._core import ffi, lib
from ..asking import c_text
from ..errors import InvalidError, error_of
from ..interval import text_of
from ..plan import Plan
from .answer import Release
from .query import Query, Statistics, TableOptions, engine_call, merged

if TYPE_CHECKING:
    from typing_extensions import Unpack

Dialect = Literal["duckdb", "postgres", "spark", "generic"]


class Cursor(Protocol):
    """A cursor of any driver that follows DB-API 2.0."""

    def execute(self, operation: str, /) -> Any: ...

    def fetchall(self) -> Any: ...


def _dialects() -> dict[str, int]:
    names: dict[str, int] = {}
    while (name := lib.dosi_sql_name(len(names))) != ffi.NULL:
        names[text_of(name)] = len(names)
    return names


def _number_of(dialect: str) -> int:
    names = _dialects()
    if dialect not in names:
        raise InvalidError(
            f"dialect must be one of {', '.join(names)}, got {dialect!r}")
    return names[dialect]


class Statement:
    """A statement for an engine, and the noise for its answer."""

    def __init__(self, dialect: Dialect, table: str, query: Query) -> None:
        self.dialect = dialect
        self.table = table
        self.query = query
        self._number = _number_of(dialect)
        #: The command that the session runs first; "" for none.
        self.settings: str = text_of(lib.dosi_sql_settings(self._number))
        #: The statement, without a semicolon.
        self.text: str = self._printed(query.take())

    @property
    def plan(self) -> Plan:
        """The plan that an answer costs."""
        return self.query.plan

    def _printed(self, handle: Any) -> str:
        """Prints the statement; the C query remembers it."""
        out = ffi.new("char **")
        error = ffi.new("dosi_error *")
        if lib.dosi_table_query_sql(out, handle, self._number,
                                    c_text(self.table, "table"), error):
            raise error_of(error)
        text = ffi.gc(out[0], lib.dosi_sql_free)
        return bytes(ffi.string(text)).decode()

    def run(self, *cursors: Cursor) -> Release:
        """Runs the statement and adds the noise.

        Several cursors stand for several databases with parts of the table;
        nobody may be in two of them, which is assumed. Whatever the engine
        raises, only ``EngineError`` is seen.
        """
        return self.finish(*map(self._ask, cursors))

    def _ask(self, cursor: Cursor) -> Any:
        def ask() -> Any:
            if self.settings:
                cursor.execute(self.settings)
            cursor.execute(self.text)
            return cursor.fetchall()

        return engine_call(ask)

    def finish(self, *answers: Iterable[Any]) -> Release:
        """Adds the noise to the rows that the engine returned.

        Several answers stand for parts of the table. Each call is a separate
        release.
        """
        if not answers:
            raise InvalidError("give the rows that an engine answered")
        whole = None
        for rows in answers:
            whole = merged(whole, self._read(rows))
        return self.query.finish(whole)

    def _read(self, rows: Iterable[Any]) -> Any:
        """A C query with the tally of one answer."""
        data = engine_call(lambda: _csv_of(rows))
        handle = self.query.take()
        self._printed(handle)
        error = ffi.new("dosi_error *")
        if lib.dosi_table_query_read_tally(handle, data, len(data), error):
            raise error_of(error)
        return handle

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Statement for {self.dialect} of {self.table}: {self.plan}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Statement, (self.dialect, self.table, self.query)


def _csv_of(rows: Iterable[Any]) -> bytes:
    lines = []
    for row in rows:
        values = row.values() if isinstance(row, Mapping) else row
        lines.append(",".join(map(_field, values)) + "\n")
    return "".join(lines).encode()


def _field(value: Any) -> str:
    if value is None:
        return ""
    text = value.decode() if isinstance(value, bytes) else str(value)
    return '"' + text.replace('"', '""') + '"'


def sql(dialect: Dialect, table: str, statistics: Statistics,
        **options: Unpack[TableOptions]) -> Statement:
    """The statement of statistics for DuckDB, PostgreSQL or Spark.

    A PostgreSQL table is named with its schema. "generic" was not tested with
    any engine: run ``self_test_sql`` first.
    """
    return Statement(dialect, table, Query(statistics, **options))


def self_test_sql(dialect: Dialect, cursor: Cursor) -> None:
    """Asks an engine for sums of public rows on which engines differ.

    Raises ``UnableError`` if an integer is wrong. Repeat it after every
    upgrade of the engine.
    """
    number = _number_of(dialect)
    out = ffi.new("char **")
    error = ffi.new("dosi_error *")
    if lib.dosi_sql_self_test(out, number, error):
        raise error_of(error)
    text = bytes(ffi.string(ffi.gc(out[0], lib.dosi_sql_free))).decode()
    settings = text_of(lib.dosi_sql_settings(number))
    if settings:
        cursor.execute(settings)
    cursor.execute(text)
    data = _csv_of(cursor.fetchall())
    if lib.dosi_sql_self_check(number, data, len(data), error):
        raise error_of(error)
