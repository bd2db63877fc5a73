"""The same integers from every frame, and from SQL in a real engine."""

import csv
import io
import traceback
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import dosimeter as dm
from dosimeter import release
from dosimeter.release import Count, Histogram, Sum, Users

DATA = Path(__file__).parents[3] / "tests" / "data" / "table107"
PARQUET = DATA / "nasty.parquet"

#: Noise is 0, except with a probability below 1e-9.
EPSILON = 50

#: Of the reference, by an independent program.
EXPECTED = {(row["query"], row["cell"]): int(row["value"])
            for row in csv.DictReader((DATA / "expected.csv").open())}
SECRET = "4711-secret"


def frames():
    table = pyarrow.parquet.read_table(PARQUET)
    yield "pyarrow", table
    yield "pyarrow batches", table.to_reader(max_chunksize=7)
    yield "pyarrow scanner", pyarrow.dataset.dataset(PARQUET).scanner()\
        .to_reader()
    yield "polars", polars.read_parquet(PARQUET)
    for backend in ("pyarrow", "numpy_nullable"):
        yield f"pandas {backend}", pandas.read_parquet(
            PARQUET, dtype_backend=backend)
    yield "duckdb", duckdb.connect().sql(f"SELECT * FROM '{PARQUET}'")


NAMES = ["pyarrow", "pyarrow batches", "pyarrow scanner", "polars",
         "pandas pyarrow", "pandas numpy_nullable", "duckdb"]


@pytest.mark.parametrize("name", NAMES)
def test_frames(name) -> None:
    frame = dict(frames())[name]
    answer = release.table(frame, Users(), user="uid", epsilon=EPSILON)
    assert answer["users"].value == EXPECTED["users", ""]


@pytest.mark.parametrize("name", NAMES)
def test_cells_of_frames(name) -> None:
    """At most two cells of a person by time, two rows of each."""
    towns = {bytes.fromhex(cell).decode(): value
             for (query, cell), value in EXPECTED.items() if query == "town"}
    answer = release.table(
        dict(frames())[name],
        Histogram("town", categories=list(towns), max_cells=2,
                  max_per_cell=2), user="uid", order="at",
        epsilon=4 * EPSILON)
    assert {cell: row.value for cell, row in
            answer["histogram.town"].items()} == towns


def test_duckdb_sql() -> None:
    engine = duckdb.connect()
    engine.sql(f"CREATE TABLE nasty AS SELECT * FROM '{PARQUET}'")
    release.self_test_sql("duckdb", engine)
    statement = release.sql("duckdb", "nasty", [Users(), Count()],
                            user="uid", max_rows=3, epsilon=2 * EPSILON)
    answer = statement.run(engine)
    assert answer["users"].value == EXPECTED["users", ""]
    frame = engine.sql("SELECT * FROM nasty")
    again = release.table(frame, [Users(), Count()], user="uid", max_rows=3,
                          epsilon=2 * EPSILON)
    assert again["count"].value == answer["count"].value
    assert again.plan == answer.plan


def is_silent(error: BaseException) -> bool:
    text = "".join(traceback.format_exception(error))
    return (error.__cause__ is None and error.__context__ is None
            and SECRET not in text and str(error)
            == "the engine did not answer")


def test_errors_of_engines() -> None:
    """DuckDB's own message quotes the value; ours does not."""
    engine = duckdb.connect()
    engine.sql(f"CREATE VIEW v AS SELECT CAST(x AS BIGINT) AS x FROM "
               f"(VALUES ('1'), ('{SECRET}')) AS t(x)")
    with pytest.raises(duckdb.Error, match=SECRET):
        engine.execute("SELECT sum(x) FROM v").fetchall()
    statement = release.sql("duckdb", "v", Sum("x", 0, 9, type="int64"),
                            epsilon=1)
    with pytest.raises(dm.EngineError) as caught:
        statement.run(engine)
    assert is_silent(caught.value)
    # as a stream, at the first batch or in the middle
    with pytest.raises(dm.EngineError) as caught:
        release.table(engine.sql("SELECT * FROM v"), Sum("x", 0, 9),
                      epsilon=1)
    assert is_silent(caught.value)
    # pandas converts all of a column of objects, and says what it could not
    frame = pandas.DataFrame({"x": pandas.Series([1, SECRET], dtype=object)})
    with pytest.raises(dm.EngineError) as caught:
        release.table(frame, Sum("x", 0, 9), epsilon=1)
    assert is_silent(caught.value)


def test_one_missing_value_changes_nobody_else() -> None:
    """pandas makes int64 a float column for one missing value; the integers
    of the others stay."""
    whole = pandas.DataFrame({"x": [3, 8, 2**40, 5]})
    holed = pandas.DataFrame({"x": [3, 8, 2**40, None]})
    assert holed.x.dtype == "float64"
    answers = [release.table(frame, Sum("x", 0, 10), epsilon=600)
               for frame in (whole, holed)]
    assert answers[0]["sum.x"].value - answers[1]["sum.x"].value == 5


def test_csv_agrees_with_frames() -> None:
    data = "u,x\n" + "".join(f"{i % 40},{i}\n" for i in range(400))
    statistics = [Sum("x", 0, 10, user_bounds=(0, 10))]
    frame = pandas.read_csv(io.StringIO(data), dtype={"u": "string"})
    a = release.csv(io.BytesIO(data.encode()), statistics, user="u",
                    epsilon=600)
    b = release.table(frame, statistics, user="u", epsilon=600)
    assert a["sum.x"].value == b["sum.x"].value == 40 * 10
